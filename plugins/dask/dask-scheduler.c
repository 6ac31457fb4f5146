/* SPDX-License-Identifier: BSD-3-Clause */
#include "dask-scheduler.h"

#include <json-glib/json-glib.h>
#include <math.h>

#include "dask-cells.h"
#include "dask-sheet.h"

#define SCHEMA 1
/* More than any cluster has; so that a scheduler that lies cannot take all memory. */
#define MAX_WORKERS 1000000
#define MAX_KEYS 1000000
#define MAX_VALUES 20000000
#define MAX_SPANS 1000000
#define MAX_EVENTS 500 /* beyond they are counted */
#define MAX_NAME 1024  /* bytes of a name */

typedef struct
{
  char *name; /* in the tables */
  gboolean named_pid;
  gboolean left;
} Worker;

/* One fine metric of all workers. */
typedef struct
{
  char *context, *span, *prefix, *activity, *unit; /* NULL where it does not apply */
} Key;

typedef struct
{
  double base; /* when reading began: what was before is not of this run */
  double last;
} Value;

typedef struct
{
  gint64 started, ended; /* -1 if not known */
} Span;

enum { WORKER_SOURCE, WORKER_WORKER, WORKER_NAME, WORKER_HOST, WORKER_PID, WORKER_CORES, WORKER_MEMORY_LIMIT, WORKER_JOINED,
       WORKER_LEFT, WORKER_REASON, WORKER_TAIL };
static const char *const worker_columns[] = { "source",       "worker", "name", "host",         "pid",       "cores",
                                              "memory_limit", "joined", "left", "leave_reason", "tail_lost", NULL };

enum { SAMPLE_SOURCE, SAMPLE_TIME, SAMPLE_WORKER, SAMPLE_LAST_SEEN, SAMPLE_MEMORY, SAMPLE_MANAGED, SAMPLE_SPILLED_MEMORY,
       SAMPLE_SPILLED_DISK, SAMPLE_CPU, SAMPLE_NBYTES, SAMPLE_ACTIVE, SAMPLE_EXECUTING, SAMPLE_OCCUPANCY, SAMPLE_NET_READ,
       SAMPLE_NET_WRITE, SAMPLE_DISK_READ, SAMPLE_DISK_WRITE, SAMPLE_LATENESS };
static const char *const sample_columns[] = { "source",          "time",           "worker",       "last_seen",   "memory",
                                              "managed",         "spilled_memory", "spilled_disk", "cpu_percent", "nbytes",
                                              "active_tasks",    "executing_tasks", "occupancy",   "net_read_rate",
                                              "net_write_rate",  "disk_read_rate", "disk_write_rate", "lateness", NULL };

enum { CLUSTER_SOURCE, CLUSTER_TIME, CLUSTER_WORKERS, CLUSTER_DESIRED, CLUSTER_CORES, CLUSTER_WAITING, CLUSTER_QUEUED,
       CLUSTER_EXECUTING, CLUSTER_DONE, CLUSTER_FAILED, CLUSTER_LATENESS };
static const char *const cluster_columns[] = { "source",        "time",         "workers",         "workers_desired", "cores",
                                               "tasks_waiting", "tasks_queued", "tasks_executing", "tasks_done",
                                               "tasks_failed",  "lateness",     NULL };

enum { ACTIVITY_SOURCE, ACTIVITY_TIME, ACTIVITY_SPAN, ACTIVITY_WORKER, ACTIVITY_CONTEXT, ACTIVITY_PREFIX, ACTIVITY_ACTIVITY,
       ACTIVITY_UNIT, ACTIVITY_VALUE };
static const char *const activity_columns[] = { "source",   "time", "span",  "worker", "context", "task_prefix",
                                                "activity", "unit", "value", NULL };

enum { TASK_SOURCE, TASK_TASK, TASK_ATTEMPT, TASK_PREFIX, TASK_WORKER, TASK_STARTED, TASK_ENDED, TASK_STATUS, TASK_ERROR,
       TASK_BYTES_OUT };
static const char *const task_columns[] = { "source", "task",   "attempt", "task_prefix", "worker", "started",
                                            "ended",  "status", "error",   "bytes_out",   NULL };

enum { PHASE_SOURCE, PHASE_TASK, PHASE_ATTEMPT, PHASE_PHASE, PHASE_STARTED, PHASE_ENDED };
static const char *const phase_columns[] = { "source", "task", "attempt", "phase", "started", "ended", NULL };

enum { STATE_SOURCE, STATE_TIME, STATE_PREFIX, STATE_STATE, STATE_TASKS };
static const char *const state_columns[] = { "source", "time", "task_prefix", "state", "tasks", NULL };

enum { SPAN_SOURCE, SPAN_SPAN, SPAN_NAME, SPAN_KIND, SPAN_PARENT, SPAN_STARTED, SPAN_ENDED };
static const char *const span_columns[] = { "source", "span", "name", "kind", "parent", "started", "ended", NULL };

enum { BUDGET_SOURCE, BUDGET_TIME, BUDGET_PART, BUDGET_VALUE };
static const char *const budget_columns[] = { "source", "time", "part", "value", NULL };

struct _DaskScheduler
{
  RoastRecording *recording;
  guint64 max_tasks;
  JsonParser *parser;

  char *source; /* NULL until it says hello */
  char *boot;
  char *address;
  gboolean fine, over, finished;
  gboolean closed; /* it ended itself, and its workers with it */
  gint64 now;       /* of the line that is read, µs */
  gint64 last_heard; /* the greatest of these */
  double own_samples, own_hooks;

  GHashTable *workers;   /* number to Worker */
  GHashTable *addresses; /* address to how many workers had it */
  GHashTable *prefixes;  /* number to name */
  GHashTable *keys;      /* number to Key */
  GHashTable *values;    /* worker << 32 | key to Value */
  GHashTable *spans;     /* id to Span */
  GHashTable *attempts;  /* key of a task to how often it ran */
  guint64 n_tasks, tasks_left_out;
  guint n_events;
  guint64 events_left_out;
  guint64 n_bad;
  char *first_bad;

  guint64 flushed;
  guint flush_missing;

  DaskSheet sheet_workers, sheet_samples, sheet_cluster, sheet_activities, sheet_tasks, sheet_phases, sheet_states, sheet_spans,
      sheet_budgets;
};

static void
worker_free (Worker *worker)
{
  g_free (worker->name);
  g_free (worker);
}

static void
key_free (Key *key)
{
  g_free (key->context);
  g_free (key->span);
  g_free (key->prefix);
  g_free (key->activity);
  g_free (key->unit);
  g_free (key);
}

/* What was known of a scheduler that another one follows on the same connection. */
static void
forget (DaskScheduler *self)
{
  g_clear_pointer (&self->source, g_free);
  g_clear_pointer (&self->boot, g_free);
  g_clear_pointer (&self->address, g_free);
  g_hash_table_remove_all (self->workers);
  g_hash_table_remove_all (self->addresses);
  g_hash_table_remove_all (self->prefixes);
  g_hash_table_remove_all (self->keys);
  g_hash_table_remove_all (self->values);
  g_hash_table_remove_all (self->spans);
  g_hash_table_remove_all (self->attempts);
  self->own_samples = self->own_hooks = 0;
  self->over = self->finished = self->closed = FALSE;
}

DaskScheduler *
dask_scheduler_new (RoastRecording *recording, guint64 max_tasks)
{
  DaskScheduler *self = g_new0 (DaskScheduler, 1);

  self->recording = g_object_ref (recording);
  self->max_tasks = max_tasks;
  self->parser = json_parser_new ();
  self->workers = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) worker_free);
  self->addresses = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->prefixes = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->keys = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) key_free);
  self->values = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  self->spans = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->attempts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  dask_sheet_open (&self->sheet_workers, recording, "workers", worker_columns);
  dask_sheet_open (&self->sheet_samples, recording, "worker_samples", sample_columns);
  dask_sheet_open (&self->sheet_cluster, recording, "cluster_samples", cluster_columns);
  dask_sheet_open (&self->sheet_activities, recording, "activities", activity_columns);
  dask_sheet_open (&self->sheet_tasks, recording, "tasks", task_columns);
  dask_sheet_open (&self->sheet_phases, recording, "task_phases", phase_columns);
  dask_sheet_open (&self->sheet_states, recording, "prefix_states", state_columns);
  dask_sheet_open (&self->sheet_spans, recording, "spans", span_columns);
  dask_sheet_open (&self->sheet_budgets, recording, "budgets", budget_columns);

  return self;
}

void
dask_scheduler_free (DaskScheduler *self)
{
  forget (self);
  g_hash_table_unref (self->workers);
  g_hash_table_unref (self->addresses);
  g_hash_table_unref (self->prefixes);
  g_hash_table_unref (self->keys);
  g_hash_table_unref (self->values);
  g_hash_table_unref (self->spans);
  g_hash_table_unref (self->attempts);
  dask_sheet_clear (&self->sheet_workers);
  dask_sheet_clear (&self->sheet_samples);
  dask_sheet_clear (&self->sheet_cluster);
  dask_sheet_clear (&self->sheet_activities);
  dask_sheet_clear (&self->sheet_tasks);
  dask_sheet_clear (&self->sheet_phases);
  dask_sheet_clear (&self->sheet_states);
  dask_sheet_clear (&self->sheet_spans);
  dask_sheet_clear (&self->sheet_budgets);
  g_object_unref (self->parser);
  g_object_unref (self->recording);
  g_free (self->first_bad);
  g_free (self);
}

/* ---- what a person must know ---- */

static void
add_event (DaskScheduler *self, RoastSeverity severity, const char *kind, const char *message)
{
  if (self->n_events++ < MAX_EVENTS)
    roast_recording_add_event (self->recording, self->source, severity, kind, message);
  else
    self->events_left_out++;
}

static void
note_bad (DaskScheduler *self, const char *what)
{
  self->n_bad++;
  if (self->first_bad == NULL)
    self->first_bad = g_strdup (what);
}

/* ---- hello ---- */

/* "2022.12" of "2022.12.1+ds.1". */
static char *
dup_short_version (const char *version)
{
  g_auto (GStrv) parts = g_strsplit (version != NULL ? version : "of an unknown version", ".", 3);

  return parts[0] != NULL && parts[1] != NULL ? g_strjoin (".", parts[0], parts[1], NULL) : g_strdup (version);
}

static char *
describe (JsonObject *hello)
{
  g_autofree char *version = dup_short_version (dask_member_text (hello, "distributed"));
  GString *text = g_string_new ("workers, their memory and load, tasks");

  if (!dask_member_boolean (hello, "tasks"))
    g_string_append (text, " (counts only: rows are switched off)");
  if (dask_member_boolean (hello, "fine"))
    g_string_append (text, ", what tasks spent their time on, exactly");
  else
    g_string_append_printf (text, "; fine metrics not available: Dask %s has none", version);
  if (dask_member_boolean (hello, "spans"))
    g_string_append (text, ", spans");
  else
    g_string_append_printf (text, "; spans not available: Dask %s has no spans", version);

  return g_string_free (text, FALSE);
}

/* The client that hands lines on found another probe: somebody started the scheduler again, or the script goes to another one. */
static void
begin_again (DaskScheduler *self, const char *address, const char *boot)
{
  gboolean restarted = g_str_equal (self->address, address) && !g_str_equal (self->boot, boot) && !self->over;

  dask_scheduler_finish (self);
  if (restarted)
    add_event (self, ROAST_SEVERITY_WARNING, "scheduler-restarted",
               "the scheduler was started again: what follows is another source");
  forget (self);
}

static gboolean
on_hello (DaskScheduler *self, JsonObject *hello, GError **error)
{
  const char *boot = dask_member_text (hello, "boot");
  const char *address = dask_member_text (hello, "address");
  const char *version = dask_member_text (hello, "distributed");
  const char *python = dask_member_text (hello, "python");
  g_autofree char *versions = NULL;
  g_autofree char *capabilities = NULL;

  if (dask_member_number (hello, "schema") != SCHEMA)
    {
      g_set_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL,
                   "the probe in the scheduler is of another version of roast (schema %g, here %d): restart the scheduler, or use the "
                   "roast that it was started with",
                   dask_member_number (hello, "schema"), SCHEMA);
      return FALSE;
    }
  if (boot == NULL || address == NULL || strlen (boot) > MAX_NAME || strlen (address) > MAX_NAME)
    {
      g_set_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL, "the scheduler does not say who it is");
      return FALSE;
    }
  if (self->source != NULL)
    begin_again (self, address, boot);
  versions = g_strdup_printf ("distributed %s, Python %s", version != NULL ? version : "?", python != NULL ? python : "?");
  capabilities = describe (hello);
  self->boot = g_strdup (boot);
  self->address = g_strdup (address);
  self->fine = dask_member_boolean (hello, "fine");
  self->source = roast_recording_add_source (self->recording, "dask", address, versions, capabilities);

  return TRUE;
}

/* ---- workers ---- */

static Worker *
get_worker (DaskScheduler *self, DaskCells *cells, guint i)
{
  gint64 number = dask_cells_get_count (cells, i);
  Worker *worker = number > 0 && number < G_MAXINT ? g_hash_table_lookup (self->workers, GINT_TO_POINTER (number)) : NULL;

  if (worker == NULL)
    cells->bad = TRUE;

  return worker;
}

/* The worker's part of the row's key, in sheets where it is the second column. */
static void
begin_worker (DaskScheduler *self, Worker *worker)
{
  dask_sheet_begin (&self->sheet_workers, self->source);
  dask_sheet_set_text (&self->sheet_workers, WORKER_WORKER, worker->name);
}

static void
set_pid (DaskScheduler *self, Worker *worker, gint64 pid)
{
  if (pid <= 0 || worker->named_pid)
    return;
  worker->named_pid = TRUE;
  begin_worker (self, worker);
  dask_sheet_set_count (&self->sheet_workers, WORKER_PID, pid);
  dask_sheet_end (&self->sheet_workers);
}

/* An address can be used again, by another worker. */
static char *
dup_worker_name (DaskScheduler *self, const char *address)
{
  int n = GPOINTER_TO_INT (g_hash_table_lookup (self->addresses, address)) + 1;

  g_hash_table_insert (self->addresses, g_strdup (address), GINT_TO_POINTER (n));

  return n == 1 ? g_strdup (address) : g_strdup_printf ("%s#%d", address, n);
}

/* [number, address, name, host, pid, threads, memory limit, joined] */
static void
on_join (DaskScheduler *self, DaskCells *cells)
{
  DaskSheet *sheet = &self->sheet_workers;
  gint64 number = dask_cells_get_count (cells, 0);
  const char *address = dask_cells_get_text (cells, 1);
  Worker *worker = NULL;

  if (number <= 0 || number >= G_MAXINT || address == NULL || strlen (address) > MAX_NAME)
    {
      cells->bad = TRUE;
      return;
    }
  /* After a gap all are told once more. */
  if (g_hash_table_contains (self->workers, GINT_TO_POINTER (number)))
    return;
  if (g_hash_table_size (self->workers) >= MAX_WORKERS)
    {
      cells->bad = TRUE;
      return;
    }
  worker = g_new0 (Worker, 1);
  worker->name = dup_worker_name (self, address);
  g_hash_table_insert (self->workers, GINT_TO_POINTER (number), worker);
  begin_worker (self, worker);
  dask_sheet_set_text (sheet, WORKER_NAME, dask_cells_get_text (cells, 2));
  dask_sheet_set_text (sheet, WORKER_HOST, dask_cells_get_text (cells, 3));
  dask_sheet_set_number (sheet, WORKER_CORES, dask_cells_get_number (cells, 5));
  dask_sheet_set_count (sheet, WORKER_MEMORY_LIMIT, dask_cells_get_count (cells, 6));
  dask_sheet_set_count (sheet, WORKER_JOINED, dask_cells_get_time (cells, 7));
  dask_sheet_end (sheet);
  set_pid (self, worker, dask_cells_get_count (cells, 4));
}

/* [number, time, reason, tail, pid] */
static void
on_leave (DaskScheduler *self, DaskCells *cells)
{
  DaskSheet *sheet = &self->sheet_workers;
  Worker *worker = get_worker (self, cells, 0);

  if (worker == NULL || worker->left)
    return;
  worker->left = TRUE;
  set_pid (self, worker, dask_cells_get_count (cells, 4));
  begin_worker (self, worker);
  dask_sheet_set_count (sheet, WORKER_LEFT, dask_cells_get_time (cells, 1));
  dask_sheet_set_text (sheet, WORKER_REASON, dask_cells_get_text (cells, 2));
  dask_sheet_set_number (sheet, WORKER_TAIL, dask_cells_get_number (cells, 3));
  dask_sheet_end (sheet);
}

/* [number, heartbeat - now (s), memory, managed, spilled (memory, disk), cpu, nbytes, processing, executing, occupancy,
 *  network (read, write), disk (read, write), event loop's interval, pid] */
static void
on_row (DaskScheduler *self, DaskCells *cells)
{
  DaskSheet *sheet = &self->sheet_samples;
  Worker *worker = get_worker (self, cells, 0);
  double age = dask_cells_get_number (cells, 1);
  gint64 time = dask_time ((double) self->now / G_USEC_PER_SEC + (isnan (age) ? 0 : age));

  if (worker == NULL)
    return;
  dask_sheet_begin (sheet, self->source);
  dask_sheet_set_count (sheet, SAMPLE_TIME, time);
  dask_sheet_set_text (sheet, SAMPLE_WORKER, worker->name);
  dask_sheet_set_count (sheet, SAMPLE_LAST_SEEN, time);
  dask_sheet_set_count (sheet, SAMPLE_MEMORY, dask_cells_get_count (cells, 2));
  dask_sheet_set_count (sheet, SAMPLE_MANAGED, dask_cells_get_count (cells, 3));
  dask_sheet_set_count (sheet, SAMPLE_SPILLED_MEMORY, dask_cells_get_count (cells, 4));
  dask_sheet_set_count (sheet, SAMPLE_SPILLED_DISK, dask_cells_get_count (cells, 5));
  dask_sheet_set_number (sheet, SAMPLE_CPU, dask_cells_get_number (cells, 6));
  dask_sheet_set_count (sheet, SAMPLE_NBYTES, dask_cells_get_count (cells, 7));
  dask_sheet_set_count (sheet, SAMPLE_ACTIVE, dask_cells_get_count (cells, 8));
  dask_sheet_set_count (sheet, SAMPLE_EXECUTING, dask_cells_get_count (cells, 9));
  dask_sheet_set_number (sheet, SAMPLE_OCCUPANCY, dask_cells_get_number (cells, 10));
  dask_sheet_set_number (sheet, SAMPLE_NET_READ, dask_cells_get_number (cells, 11));
  dask_sheet_set_number (sheet, SAMPLE_NET_WRITE, dask_cells_get_number (cells, 12));
  dask_sheet_set_number (sheet, SAMPLE_DISK_READ, dask_cells_get_number (cells, 13));
  dask_sheet_set_number (sheet, SAMPLE_DISK_WRITE, dask_cells_get_number (cells, 14));
  dask_sheet_set_number (sheet, SAMPLE_LATENESS, dask_cells_get_number (cells, 15));
  dask_sheet_end (sheet);
  set_pid (self, worker, dask_cells_get_count (cells, 16));
}

/* ---- activities ---- */

/* [number, name] */
static void
on_prefix (DaskScheduler *self, DaskCells *cells)
{
  gint64 number = dask_cells_get_count (cells, 0);
  const char *name = dask_cells_get_text (cells, 1);

  if (number < 0 || number >= MAX_KEYS || name == NULL)
    cells->bad = TRUE;
  else if (!g_hash_table_contains (self->prefixes, GINT_TO_POINTER (number)))
    g_hash_table_insert (self->prefixes, GINT_TO_POINTER (number), g_strndup (name, MAX_NAME));
}

static const char *
get_prefix (DaskScheduler *self, DaskCells *cells, guint i)
{
  gint64 number = dask_cells_get_count (cells, i);
  const char *name = number >= 0 && number < MAX_KEYS ? g_hash_table_lookup (self->prefixes, GINT_TO_POINTER (number)) : NULL;

  if (name == NULL && dask_cells_has (cells, i))
    cells->bad = TRUE;

  return name;
}

/* [number, context, span, prefix, activity, unit] */
static void
on_key (DaskScheduler *self, DaskCells *cells)
{
  gint64 number = dask_cells_get_count (cells, 0);
  const char *context = dask_cells_get_text (cells, 1);
  const char *activity = dask_cells_get_text (cells, 4);
  const char *unit = dask_cells_get_text (cells, 5);
  Key *key = NULL;

  if (number < 0 || number >= MAX_KEYS || context == NULL || activity == NULL || unit == NULL)
    {
      cells->bad = TRUE;
      return;
    }
  if (g_hash_table_contains (self->keys, GINT_TO_POINTER (number)))
    return;
  key = g_new0 (Key, 1);
  key->context = g_strndup (context, MAX_NAME);
  key->span = g_strdup (dask_cells_get_text (cells, 2));
  key->prefix = g_strdup (dask_cells_get_text (cells, 3));
  key->activity = g_strndup (activity, MAX_NAME);
  key->unit = g_strndup (unit, MAX_NAME);
  g_hash_table_insert (self->keys, GINT_TO_POINTER (number), key);
}

static void
add_activity (DaskScheduler *self, const Worker *worker, const Key *key, double value)
{
  DaskSheet *sheet = &self->sheet_activities;

  dask_sheet_begin (sheet, self->source);
  dask_sheet_set_count (sheet, ACTIVITY_TIME, self->now);
  dask_sheet_set_text (sheet, ACTIVITY_SPAN, key->span);
  dask_sheet_set_text (sheet, ACTIVITY_WORKER, worker->name);
  dask_sheet_set_text (sheet, ACTIVITY_CONTEXT, key->context);
  dask_sheet_set_text (sheet, ACTIVITY_PREFIX, key->prefix);
  dask_sheet_set_text (sheet, ACTIVITY_ACTIVITY, key->activity);
  dask_sheet_set_text (sheet, ACTIVITY_UNIT, key->unit);
  dask_sheet_set_number (sheet, ACTIVITY_VALUE, value);
  dask_sheet_end (sheet);
}

/* [worker, key, value] */
static void
on_fine (DaskScheduler *self, DaskCells *cells, gboolean is_base)
{
  Worker *worker = get_worker (self, cells, 0);
  gint64 number = dask_cells_get_count (cells, 1);
  double last = dask_cells_get_number (cells, 2);
  Key *key = number >= 0 && number < MAX_KEYS ? g_hash_table_lookup (self->keys, GINT_TO_POINTER (number)) : NULL;
  gint64 place = worker != NULL ? dask_cells_get_count (cells, 0) << 32 | number : 0;
  Value *value = NULL;

  if (worker == NULL || key == NULL || isnan (last))
    {
      cells->bad = TRUE;
      return;
    }
  value = g_hash_table_lookup (self->values, &place);
  if (value != NULL && value->last == last)
    return;
  if (value == NULL && g_hash_table_size (self->values) >= MAX_VALUES)
    {
      cells->bad = TRUE;
      return;
    }
  if (value == NULL)
    {
      value = g_new0 (Value, 1);
      value->base = is_base ? last : 0;
      g_hash_table_insert (self->values, g_memdup2 (&place, sizeof place), value);
    }
  value->last = last;
  if (!is_base)
    add_activity (self, worker, key, last - value->base);
}

/* ---- tasks ---- */

static void
add_phases (DaskScheduler *self, DaskCells *cells, guint i, const char *task, int attempt, gint64 base)
{
  DaskSheet *sheet = &self->sheet_phases;
  JsonArray *phases = dask_cells_get_array (cells, i);
  guint n = phases != NULL ? json_array_get_length (phases) : 0;

  for (guint k = 0; k < n; k++)
    {
      DaskCells list = { phases, FALSE };
      DaskCells phase = { dask_cells_get_array (&list, k), FALSE };
      gint64 started;

      if (phase.array == NULL)
        {
          cells->bad = TRUE;
          return;
        }
      started = base + dask_cells_get_int (&phase, 1);
      dask_sheet_begin (sheet, self->source);
      dask_sheet_set_text (sheet, PHASE_TASK, task);
      dask_sheet_set_count (sheet, PHASE_ATTEMPT, attempt);
      dask_sheet_set_text (sheet, PHASE_PHASE, dask_cells_get_text (&phase, 0));
      dask_sheet_set_count (sheet, PHASE_STARTED, started);
      dask_sheet_set_count (sheet, PHASE_ENDED, started + dask_cells_get_int (&phase, 2));
      dask_sheet_end (sheet);
      cells->bad |= phase.bad;
    }
}

static int
count_attempt (DaskScheduler *self, const char *task)
{
  int attempt = GPOINTER_TO_INT (g_hash_table_lookup (self->attempts, task)) + 1;

  g_hash_table_insert (self->attempts, g_strdup (task), GINT_TO_POINTER (attempt));

  return attempt;
}

/* [key, prefix, worker, start - base, duration (µs), nbytes, error, [[phase, start - base, duration], …]] */
static void
on_task (DaskScheduler *self, DaskCells *cells, gint64 base)
{
  DaskSheet *sheet = &self->sheet_tasks;
  const char *task = dask_cells_get_text (cells, 0);
  const char *prefix = get_prefix (self, cells, 1);
  const char *error = dask_cells_get_text (cells, 6);
  Worker *worker = dask_cells_has (cells, 2) ? get_worker (self, cells, 2) : NULL;
  int attempt;

  if (task == NULL)
    {
      cells->bad = TRUE;
      return;
    }
  if (self->n_tasks >= self->max_tasks)
    {
      self->tasks_left_out++;
      return;
    }
  self->n_tasks++;
  attempt = count_attempt (self, task);
  dask_sheet_begin (sheet, self->source);
  dask_sheet_set_text (sheet, TASK_TASK, task);
  dask_sheet_set_count (sheet, TASK_ATTEMPT, attempt);
  dask_sheet_set_text (sheet, TASK_PREFIX, prefix);
  dask_sheet_set_text (sheet, TASK_WORKER, worker != NULL ? worker->name : NULL);
  if (dask_cells_has (cells, 3) && dask_cells_has (cells, 4))
    {
      gint64 started = base + dask_cells_get_int (cells, 3);

      dask_sheet_set_count (sheet, TASK_STARTED, started);
      dask_sheet_set_count (sheet, TASK_ENDED, started + dask_cells_get_int (cells, 4));
    }
  dask_sheet_set_text (sheet, TASK_STATUS, error != NULL ? "failed" : "done");
  dask_sheet_set_text (sheet, TASK_ERROR, error);
  dask_sheet_set_count (sheet, TASK_BYTES_OUT, dask_cells_get_count (cells, 5));
  dask_sheet_end (sheet);
  add_phases (self, cells, 7, task, attempt, base);
}

/* ---- the whole ---- */

/* [prefix, state, n] */
static void
on_state (DaskScheduler *self, DaskCells *cells)
{
  DaskSheet *sheet = &self->sheet_states;

  dask_sheet_begin (sheet, self->source);
  dask_sheet_set_count (sheet, STATE_TIME, self->now);
  dask_sheet_set_text (sheet, STATE_PREFIX, get_prefix (self, cells, 0));
  dask_sheet_set_text (sheet, STATE_STATE, dask_cells_get_text (cells, 1));
  dask_sheet_set_count (sheet, STATE_TASKS, dask_cells_get_count (cells, 2));
  dask_sheet_end (sheet);
}

/* [id, name, parent, kind, start, stop] */
static void
on_span (DaskScheduler *self, DaskCells *cells)
{
  DaskSheet *sheet = &self->sheet_spans;
  const char *id = dask_cells_get_text (cells, 0);
  Span *span = id != NULL ? g_hash_table_lookup (self->spans, id) : NULL;

  if (id == NULL || strlen (id) > MAX_NAME || (span == NULL && g_hash_table_size (self->spans) >= MAX_SPANS))
    {
      cells->bad = TRUE;
      return;
    }
  if (span == NULL)
    {
      span = g_new0 (Span, 1);
      g_hash_table_insert (self->spans, g_strdup (id), span);
      dask_sheet_begin (sheet, self->source);
      dask_sheet_set_text (sheet, SPAN_SPAN, id);
      dask_sheet_set_text (sheet, SPAN_NAME, dask_cells_get_text (cells, 1));
      dask_sheet_set_text (sheet, SPAN_PARENT, dask_cells_get_text (cells, 2));
      dask_sheet_set_text (sheet, SPAN_KIND, dask_cells_get_text (cells, 3));
      dask_sheet_end (sheet);
    }
  /* Both may still change: they are written at the end. */
  span->started = dask_cells_get_time (cells, 4);
  span->ended = dask_cells_get_time (cells, 5);
}

/* [severity, kind, message] */
static void
on_event (DaskScheduler *self, DaskCells *cells)
{
  const char *severity = dask_cells_get_text (cells, 0);
  const char *kind = dask_cells_get_text (cells, 1);
  const char *message = dask_cells_get_text (cells, 2);

  if (severity == NULL || kind == NULL || message == NULL)
    {
      cells->bad = TRUE;
      return;
    }
  add_event (self,
             g_str_equal (severity, "error")     ? ROAST_SEVERITY_ERROR
             : g_str_equal (severity, "warning") ? ROAST_SEVERITY_WARNING
                                                 : ROAST_SEVERITY_INFO,
             kind, message);
}

/* [workers, desired, threads, waiting, queued, processing, done, failed]; @counts may be NULL. */
static void
add_cluster_sample (DaskScheduler *self, JsonArray *counts, double late)
{
  DaskSheet *sheet = &self->sheet_cluster;
  DaskCells cells = { counts, FALSE };

  dask_sheet_begin (sheet, self->source);
  dask_sheet_set_count (sheet, CLUSTER_TIME, self->now);
  dask_sheet_set_number (sheet, CLUSTER_LATENESS, late);
  if (counts != NULL)
    {
      dask_sheet_set_count (sheet, CLUSTER_WORKERS, dask_cells_get_count (&cells, 0));
      dask_sheet_set_count (sheet, CLUSTER_DESIRED, dask_cells_get_count (&cells, 1));
      dask_sheet_set_number (sheet, CLUSTER_CORES, dask_cells_get_number (&cells, 2));
      dask_sheet_set_count (sheet, CLUSTER_WAITING, dask_cells_get_count (&cells, 3));
      dask_sheet_set_count (sheet, CLUSTER_QUEUED, dask_cells_get_count (&cells, 4));
      dask_sheet_set_count (sheet, CLUSTER_EXECUTING, dask_cells_get_count (&cells, 5));
      dask_sheet_set_count (sheet, CLUSTER_DONE, dask_cells_get_count (&cells, 6));
      dask_sheet_set_count (sheet, CLUSTER_FAILED, dask_cells_get_count (&cells, 7));
    }
  dask_sheet_end (sheet);
  if (cells.bad)
    note_bad (self, "counts");
}

static void
on_lost (DaskScheduler *self, double lines)
{
  g_autofree char *message =
      g_strdup_printf ("%.0f lines of the scheduler were dropped before roast read them: tasks and samples of that time are missing; "
                       "totals of fine metrics are not affected",
                       lines);

  add_event (self, ROAST_SEVERITY_WARNING, "frames-dropped", message);
}

/* ---- lines ---- */

typedef void (*RowFunction) (DaskScheduler *self, DaskCells *cells);

/* Calls a function for each row of a member. */
static void
each (DaskScheduler *self, JsonObject *object, const char *name, RowFunction function)
{
  JsonArray *rows = dask_member_array (object, name);
  guint n = rows != NULL ? json_array_get_length (rows) : 0;
  DaskCells list = { rows, FALSE };

  for (guint i = 0; i < n; i++)
    {
      DaskCells cells = { dask_cells_get_array (&list, i), FALSE };

      if (cells.array != NULL)
        function (self, &cells);
      if (cells.array == NULL || cells.bad)
        note_bad (self, name);
    }
}

static void
take_fine (DaskScheduler *self, DaskCells *cells)
{
  on_fine (self, cells, FALSE);
}

static void
take_base (DaskScheduler *self, DaskCells *cells)
{
  on_fine (self, cells, TRUE);
}

static void
take_tasks (DaskScheduler *self, JsonObject *object)
{
  JsonArray *rows = dask_member_array (object, "tasks");
  double base = dask_member_number (object, "base");
  guint n = rows != NULL ? json_array_get_length (rows) : 0;
  DaskCells list = { rows, FALSE };

  for (guint i = 0; i < n; i++)
    {
      DaskCells cells = { dask_cells_get_array (&list, i), isnan (base) || fabs (base) > 1e17 };

      if (cells.array != NULL && !cells.bad)
        on_task (self, &cells, (gint64) base);
      if (cells.array == NULL || cells.bad)
        note_bad (self, "tasks");
    }
}

static void
take_end (DaskScheduler *self, JsonObject *object)
{
  double number = dask_member_number (object, "flushed");
  double missing = dask_member_number (object, "missing");
  JsonObject *bye = dask_member_object (object, "bye");

  if (!isnan (number) && number >= 0 && number < 1e15)
    {
      self->flushed = (guint64) number;
      self->flush_missing = missing > 0 && missing < 1e9 ? (guint) missing : 0;
    }
  if (bye != NULL)
    {
      self->over = TRUE;
      self->closed = dask_member_number (bye, "closed") > 0;
    }
}

static void
take_own (DaskScheduler *self, JsonObject *object)
{
  JsonArray *own = dask_member_array (object, "own");
  DaskCells cells = { own, FALSE };

  if (own == NULL)
    return;
  self->own_samples = dask_cells_get_number (&cells, 0);
  self->own_hooks = dask_cells_get_number (&cells, 1);
}

/* In an order in which what is named stands before what names it. */
static void
take_frame (DaskScheduler *self, JsonObject *object)
{
  double late = dask_member_number (object, "late");
  double lost = dask_member_number (object, "lost");

  if (lost > 0)
    on_lost (self, lost);
  each (self, object, "join", on_join);
  each (self, object, "prefixes", on_prefix);
  each (self, object, "keys", on_key);
  each (self, object, "rows", on_row);
  take_tasks (self, object);
  each (self, object, "fine", json_object_has_member (object, "start") ? take_base : take_fine);
  each (self, object, "leave", on_leave);
  each (self, object, "prefix", on_state);
  each (self, object, "spans", on_span);
  each (self, object, "events", on_event);
  take_own (self, object);
  if (!isnan (late) && late >= 0)
    add_cluster_sample (self, dask_member_array (object, "counts"), late);
  take_end (self, object);
}

static gboolean
take_object (DaskScheduler *self, JsonObject *object, GError **error)
{
  JsonObject *hello = dask_member_object (object, "hello");
  guint64 bad = self->n_bad;
  gint64 time;

  if (hello != NULL)
    return on_hello (self, hello, error);
  if (self->source == NULL)
    {
      /* A client tells so that there will be none. */
      each (self, object, "events", on_event);
      return TRUE;
    }
  time = dask_time (dask_member_number (object, "t"));
  if (time >= 0)
    self->now = time;
  self->last_heard = MAX (self->last_heard, self->now);
  take_frame (self, object);
  if (self->n_bad == bad)
    return TRUE;
  g_set_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL, "“%s” of the scheduler holds what it should not",
               self->first_bad);

  return FALSE;
}

gboolean
dask_scheduler_take_line (DaskScheduler *self, const char *line, GError **error)
{
  g_autoptr (GError) local = NULL;
  JsonNode *root = NULL;

  if (!json_parser_load_from_data (self->parser, line, -1, &local))
    {
      note_bad (self, "a line");
      g_set_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL, "no JSON: %s", local->message);
      return FALSE;
    }
  root = json_parser_get_root (self->parser);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    {
      note_bad (self, "a line");
      g_set_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL, "no JSON object");
      return FALSE;
    }

  return take_object (self, json_node_get_object (root), error);
}

/* ---- the end ---- */

static void
add_budget (DaskScheduler *self, const char *part, double seconds)
{
  dask_sheet_begin (&self->sheet_budgets, self->source);
  dask_sheet_set_count (&self->sheet_budgets, BUDGET_TIME, self->last_heard);
  dask_sheet_set_text (&self->sheet_budgets, BUDGET_PART, part);
  dask_sheet_set_number (&self->sheet_budgets, BUDGET_VALUE, seconds);
  dask_sheet_end (&self->sheet_budgets);
}

static void
write_spans (DaskScheduler *self)
{
  GHashTableIter iter;
  const char *id;
  Span *span;

  g_hash_table_iter_init (&iter, self->spans);
  while (g_hash_table_iter_next (&iter, (gpointer *) &id, (gpointer *) &span))
    {
      dask_sheet_begin (&self->sheet_spans, self->source);
      dask_sheet_set_text (&self->sheet_spans, SPAN_SPAN, id);
      dask_sheet_set_count (&self->sheet_spans, SPAN_STARTED, span->started);
      dask_sheet_set_count (&self->sheet_spans, SPAN_ENDED, span->ended);
      dask_sheet_end (&self->sheet_spans);
    }
}

/* Workers do not outlive their scheduler. @tail is the time of which nothing is known, or NaN. */
static guint
end_workers (DaskScheduler *self, gint64 end, const char *reason, double tail)
{
  GHashTableIter iter;
  Worker *worker;
  guint n = 0;

  g_hash_table_iter_init (&iter, self->workers);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &worker))
    {
      if (worker->left)
        continue;
      worker->left = TRUE;
      n++;
      begin_worker (self, worker);
      dask_sheet_set_count (&self->sheet_workers, WORKER_LEFT, end);
      dask_sheet_set_text (&self->sheet_workers, WORKER_REASON, reason);
      dask_sheet_set_number (&self->sheet_workers, WORKER_TAIL, tail);
      dask_sheet_end (&self->sheet_workers);
    }

  return n;
}

static void
tell_of_loss (DaskScheduler *self)
{
  gint64 end = MAX (g_get_real_time (), self->last_heard);
  double tail = (double) (end - self->last_heard) / G_USEC_PER_SEC;
  guint n = end_workers (self, end, "scheduler lost", tail);
  g_autofree char *message = g_strdup_printf (
      "the scheduler %s ended without its last data: what %u worker(s) did in the last %.1f s before is missing", self->address, n,
      tail);

  add_event (self, ROAST_SEVERITY_WARNING, "scheduler-lost", message);
}

void
dask_scheduler_leave (DaskScheduler *self)
{
  self->over = TRUE;
  dask_scheduler_finish (self);
}

void
dask_scheduler_finish (DaskScheduler *self)
{
  g_autofree char *tasks = NULL;
  g_autofree char *bad = NULL;
  g_autofree char *events = NULL;

  if (self->source == NULL || self->finished)
    return;
  self->finished = TRUE;
  if (self->last_heard == 0)
    self->last_heard = g_get_real_time ();
  if (!self->over)
    tell_of_loss (self);
  else if (self->closed)
    end_workers (self, self->last_heard, "scheduler closed", NAN);
  write_spans (self);
  add_budget (self, "roast: samples", self->own_samples);
  add_budget (self, "roast: hooks", self->own_hooks);
  if (self->tasks_left_out > 0 && self->max_tasks > 0)
    {
      tasks = g_strdup_printf ("%" G_GUINT64_FORMAT " tasks have no row: more than max-tasks=%" G_GUINT64_FORMAT
                               " ran. Metrics that do not come from rows of tasks are complete",
                               self->tasks_left_out, self->max_tasks);
      roast_recording_add_event (self->recording, self->source, ROAST_SEVERITY_WARNING, "frames-dropped", tasks);
    }
  if (self->n_bad > 0)
    {
      bad = g_strdup_printf ("%" G_GUINT64_FORMAT " rows of the scheduler hold what they should not, and do not count; the first in “%s”",
                             self->n_bad, self->first_bad);
      roast_recording_add_event (self->recording, self->source, ROAST_SEVERITY_WARNING, "protocol", bad);
    }
  if (self->events_left_out > 0)
    {
      events = g_strdup_printf ("%" G_GUINT64_FORMAT " more remarks of the scheduler are left out", self->events_left_out);
      roast_recording_add_event (self->recording, self->source, ROAST_SEVERITY_INFO, "remarks", events);
    }
}

/* ---- what the backend asks ---- */

gboolean
dask_scheduler_is_known (DaskScheduler *self)
{
  return self->source != NULL;
}

const char *
dask_scheduler_get_address (DaskScheduler *self)
{
  return self->address;
}

gboolean
dask_scheduler_has_fine (DaskScheduler *self)
{
  return self->fine;
}

guint64
dask_scheduler_get_flushed (DaskScheduler *self, guint *missing)
{
  if (missing != NULL)
    *missing = self->flush_missing;

  return self->flushed;
}

gboolean
dask_scheduler_is_over (DaskScheduler *self)
{
  return self->over;
}

void
dask_scheduler_add_totals (DaskScheduler *self, GHashTable *totals)
{
  GHashTableIter iter;
  gint64 *place;
  Value *value;

  g_hash_table_iter_init (&iter, self->values);
  while (g_hash_table_iter_next (&iter, (gpointer *) &place, (gpointer *) &value))
    {
      Key *key = g_hash_table_lookup (self->keys, GINT_TO_POINTER (*place & 0xffffffff));
      g_autofree char *name = g_strjoin ("\n", key->context, key->prefix != NULL ? key->prefix : "", key->activity, key->unit, NULL);
      double *total = g_hash_table_lookup (totals, name);

      if (total == NULL)
        {
          total = g_new0 (double, 1);
          g_hash_table_insert (totals, g_strdup (name), total);
        }
      *total += value->last - value->base;
    }
}
