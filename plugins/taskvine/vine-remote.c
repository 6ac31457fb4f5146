/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-remote.h"

#include <string.h>

#include "vine-manager-stats.h"
#include "vine-note.h"
#include "vine-status.h"
#include "vine-tokenizer.h"

#define MAX_WORKERS 100000

typedef struct
{
  char *address, *id;
  guint n; /* number of connections from this address so far */
  guint64 row;
  gboolean connected; /* the worker was connected at the time of the last status */
  gint64 seen;        /* time of the last status that listed the worker, µs since the epoch */
} Worker;

struct _VineRemote
{
  char *source;
  gint64 interval; /* µs between two answers to a status request */
  gboolean has_version;
  FrameworkTasks *roles;
  GHashTable *workers; /* maps an address to its Worker, which it owns */
  RoastTableWriter *sources, *rows, *samples, *states;
  ExecutorSamples stats;
};

static void
worker_free (Worker *worker)
{
  g_free (worker->address);
  g_free (worker->id);
  g_free (worker);
}

static void
remote_describe (VineRemote *self, RoastRecording *recording)
{
  roast_table_writer_set_word (self->sources, ROAST_SOURCES_ACTIVITIES, ROAST_COVERAGE_NONE);
  roast_table_writer_set_string (self->sources, ROAST_SOURCES_ACTIVITIES_MISSING, "the manager's logs cannot be read");
  roast_table_writer_end (self->sources, NULL);
  vine_gap (recording, self->source, ROAST_TABLE_TASKS, NULL, ROAST_COVERAGE_STATE_NONE,
            "the manager's logs cannot be read, and the manager's status does not list attempts");
}

VineRemote *
vine_remote_new (RoastRecording *recording, const char *address, gint64 interval, FrameworkTasks *roles)
{
  VineRemote *self = g_new0 (VineRemote, 1);

  self->interval = interval;
  self->roles = roles;
  self->workers = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) worker_free);
  self->source = roast_recording_add_source (recording, "taskvine", address, NULL,
                                             "the manager's status at intervals, without its logs: no attempts, phases "
                                             "or transfers");
  self->sources = roast_sources_write (recording, self->source);
  self->rows = roast_workers_write (recording, self->source);
  self->samples = roast_worker_samples_write (recording, self->source);
  self->states = roast_category_states_write (recording, self->source);
  executor_samples_init (&self->stats, recording, self->source);
  remote_describe (self, recording);

  return self;
}

void
vine_remote_free (VineRemote *self)
{
  g_clear_object (&self->sources);
  g_clear_object (&self->rows);
  g_clear_object (&self->samples);
  g_clear_object (&self->states);
  executor_samples_clear (&self->stats);
  g_hash_table_unref (self->workers);
  g_free (self->source);
  g_free (self);
}

/* ---- the manager ---- */

static void
set_version (VineRemote *self, JsonObject *status)
{
  const char *version = vine_status_get_text (status, "version");
  g_autofree char *text = version != NULL ? g_strconcat ("TaskVine ", version, NULL) : NULL;

  if (self->has_version || version == NULL)
    return;
  self->has_version = TRUE;
  roast_table_writer_set_string (self->sources, ROAST_SOURCES_VERSION, text);
  roast_table_writer_end (self->sources, NULL);
}

static void
add_states (VineRemote *self, JsonObject *category, gint64 now)
{
  static const struct
  {
    const char *name;
    guint state;
  } states[] = {
    { "tasks_waiting", ROAST_TASK_STATE_QUEUED },
    { "tasks_running", ROAST_TASK_STATE_RUNNING },
    { "tasks_done", ROAST_TASK_STATE_DONE },
    { "tasks_failed", ROAST_TASK_STATE_FAILED },
  };
  const char *name = vine_status_get_text (category, "category");

  if (name == NULL || strlen (name) > VINE_MAX_NAME)
    return;
  if (self->roles != NULL)
    framework_tasks_add (self->roles, self->source, name);
  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    {
      roast_table_writer_set_count (self->states, ROAST_CATEGORY_STATES_TIME, now);
      roast_table_writer_set_string (self->states, ROAST_CATEGORY_STATES_CATEGORY, name);
      roast_table_writer_set_word (self->states, ROAST_CATEGORY_STATES_STATE, states[i].state);
      roast_table_writer_set_count (self->states, ROAST_CATEGORY_STATES_TASKS,
                                    vine_status_get_count (category, states[i].name, 1));
      roast_table_writer_end (self->states, NULL);
    }
}

static double
get_statistic (const char *name, gpointer status)
{
  return vine_status_get_number (status, name);
}

void
vine_remote_take_manager (VineRemote *self, JsonArray *array)
{
  JsonObject *status = json_array_get_length (array) > 0 ? vine_status_get_object (array, 0) : NULL;
  JsonNode *list = status != NULL ? json_object_get_member (status, "categories") : NULL;
  JsonArray *categories = list != NULL && JSON_NODE_HOLDS_ARRAY (list) ? json_node_get_array (list) : NULL;
  gint64 now = g_get_real_time ();

  if (status == NULL)
    return;
  set_version (self, status);
  vine_manager_stats_write (&self->stats, now, get_statistic, status);
  for (guint i = 0; categories != NULL && i < json_array_get_length (categories); i++)
    if (vine_status_get_object (categories, i) != NULL)
      add_states (self, vine_status_get_object (categories, i), now);
}

/* ---- workers ---- */

static Worker *
add_worker (VineRemote *self, const char *address)
{
  Worker *worker = g_new0 (Worker, 1);

  worker->address = g_strdup (address);
  g_hash_table_insert (self->workers, worker->address, worker);

  return worker;
}

/* Begin a row for a worker that has connected. A worker that reconnects gets another row. */
static void
join (VineRemote *self, Worker *worker, JsonObject *status)
{
  g_free (worker->id);
  worker->id = ++worker->n > 1 ? g_strdup_printf ("%s#%u", worker->address, worker->n) : g_strdup (worker->address);
  worker->connected = TRUE;
  roast_table_writer_set_string (self->rows, ROAST_WORKERS_WORKER, worker->id);
  roast_table_writer_set_string (self->rows, ROAST_WORKERS_NAME, worker->address);
  roast_table_writer_set_string (self->rows, ROAST_WORKERS_HOST, vine_status_get_text (status, "hostname"));
  roast_table_writer_set_double (self->rows, ROAST_WORKERS_CORES, vine_status_get_number (status, "cores_total"));
  roast_table_writer_set_count (self->rows, ROAST_WORKERS_MEMORY_LIMIT,
                                vine_status_get_count (status, "memory_total", VINE_MIB));
  roast_table_writer_set_count (self->rows, ROAST_WORKERS_JOINED, vine_status_get_count (status, "start_time", 1));
  roast_table_writer_end (self->rows, NULL);
  worker->row = roast_table_writer_get_row (self->rows);
}

static void
leave (VineRemote *self, Worker *worker, const char *reason, gboolean is_lost)
{
  worker->connected = FALSE;
  roast_table_writer_select_row (self->rows, worker->row);
  roast_table_writer_set_count (self->rows, ROAST_WORKERS_LEFT, worker->seen);
  roast_table_writer_set_string (self->rows, ROAST_WORKERS_LEAVE_REASON, reason);
  if (is_lost)
    roast_table_writer_set_word (self->rows, ROAST_WORKERS_CAUSE, ROAST_WORKER_END_LOST);
  roast_table_writer_set_double (self->rows, ROAST_WORKERS_TAIL_LOST, (double) self->interval / G_USEC_PER_SEC);
  roast_table_writer_close (self->rows, NULL);
}

static void
remote_take_worker (VineRemote *self, JsonObject *status, gint64 now)
{
  const char *address = vine_status_get_text (status, "addrport");
  Worker *worker = address != NULL ? g_hash_table_lookup (self->workers, address) : NULL;

  if (address == NULL || strlen (address) > VINE_MAX_NAME ||
      (worker == NULL && g_hash_table_size (self->workers) >= MAX_WORKERS))
    return;
  if (worker == NULL)
    worker = add_worker (self, address);
  if (!worker->connected)
    join (self, worker, status);
  worker->seen = now;
  roast_table_writer_set_count (self->samples, ROAST_WORKER_SAMPLES_TIME, now);
  roast_table_writer_set_string (self->samples, ROAST_WORKER_SAMPLES_WORKER, worker->id);
  roast_table_writer_set_count (self->samples, ROAST_WORKER_SAMPLES_EXECUTING_TASKS,
                                vine_status_get_count (status, "total_tasks_running", 1));
  roast_table_writer_set_double (self->samples, ROAST_WORKER_SAMPLES_CORES_COMMITTED,
                                 vine_status_get_number (status, "cores_inuse"));
  roast_table_writer_set_count (self->samples, ROAST_WORKER_SAMPLES_MEMORY_COMMITTED,
                                vine_status_get_count (status, "memory_inuse", VINE_MIB));
  roast_table_writer_set_count (self->samples, ROAST_WORKER_SAMPLES_DISK_USED,
                                vine_status_get_count (status, "disk_inuse", VINE_MIB));
  roast_table_writer_set_count (self->samples, ROAST_WORKER_SAMPLES_MEMORY_LIMIT,
                                vine_status_get_count (status, "memory_total", VINE_MIB));
  roast_table_writer_end (self->samples, NULL);
}

void
vine_remote_take_workers (VineRemote *self, JsonArray *status)
{
  gint64 now = g_get_real_time ();
  GHashTableIter iter;
  Worker *worker;

  for (guint i = 0; i < json_array_get_length (status); i++)
    if (vine_status_get_object (status, i) != NULL)
      remote_take_worker (self, vine_status_get_object (status, i), now);
  g_hash_table_iter_init (&iter, self->workers);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &worker))
    if (worker->connected && worker->seen < now)
      leave (self, worker, "no longer in the status", TRUE);
}

void
vine_remote_finish (VineRemote *self)
{
  GHashTableIter iter;
  Worker *worker;

  g_hash_table_iter_init (&iter, self->workers);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &worker))
    if (worker->connected)
      leave (self, worker, "in the last status", FALSE);
}
