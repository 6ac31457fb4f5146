/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-remote.h"

#include <math.h>
#include <string.h>

#include "vine-manager-stats.h"
#include "vine-status.h"

#define MAX_WORKERS 100000
#define MIB 1048576.0

enum
{
  WORKER_SOURCE,
  WORKER_WORKER,
  WORKER_NAME,
  WORKER_HOST,
  WORKER_CORES,
  WORKER_MEMORY,
  WORKER_JOINED,
  WORKER_LEFT,
  WORKER_REASON,
  WORKER_TAIL
};
static const char *const worker_columns[] = { "source", "worker", "name",         "host",      "cores", "memory_limit",
                                              "joined", "left",   "leave_reason", "tail_lost", NULL };

enum
{
  SAMPLE_SOURCE,
  SAMPLE_TIME,
  SAMPLE_WORKER,
  SAMPLE_EXECUTING,
  SAMPLE_CORES,
  SAMPLE_MEMORY,
  SAMPLE_DISK
};
static const char *const sample_columns[] = {
  "source", "time", "worker", "executing_tasks", "cores_committed", "memory_committed", "disk_used", NULL
};

enum
{
  STATE_SOURCE,
  STATE_TIME,
  STATE_PREFIX,
  STATE_STATE,
  STATE_TASKS
};
static const char *const state_columns[] = { "source", "time", "category", "state", "tasks", NULL };

static const char *const states[][2] = {
  { "tasks_waiting", "waiting" },
  { "tasks_running", "running" },
  { "tasks_done", "done" },
  { "tasks_failed", "failed" },
};

typedef struct
{
  gboolean here; /* in the last status */
  gint64 seen;
} Worker;

struct _VineRemote
{
  char *source;
  gint64 interval; /* between two answers, µs: what happens in between is not seen */
  gboolean is_described;
  RoastRecording *recording;
  GHashTable *workers; /* address to Worker */
  Sheet sheet_workers, sheet_samples, sheet_states;
  VineManagerStats gauges;
};

VineRemote *
vine_remote_new (RoastRecording *recording, const char *address, gint64 interval)
{
  VineRemote *self = g_new0 (VineRemote, 1);

  self->recording = g_object_ref (recording);
  self->interval = interval;
  self->workers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->source = roast_recording_add_source (recording, "taskvine", address, NULL,
                                             "what the status tells at a few moments; attempts, phases, transfers and "
                                             "fine metrics not available: "
                                             "logs out of reach");
  sheet_open (&self->sheet_workers, recording, "workers", worker_columns);
  sheet_open (&self->sheet_samples, recording, "worker_samples", sample_columns);
  sheet_open (&self->sheet_states, recording, "category_states", state_columns);
  vine_manager_stats_init (&self->gauges, recording, self->source);

  return self;
}

void
vine_remote_free (VineRemote *self)
{
  sheet_clear (&self->sheet_workers);
  sheet_clear (&self->sheet_samples);
  sheet_clear (&self->sheet_states);
  vine_manager_stats_clear (&self->gauges);
  g_hash_table_unref (self->workers);
  g_object_unref (self->recording);
  g_free (self->source);
  g_free (self);
}

static JsonObject *
get_object (JsonArray *array, guint i)
{
  JsonNode *node = json_array_get_element (array, i);

  return JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

/* -1 if it is not told. */
static gint64
get_count (JsonObject *object, const char *member, double factor)
{
  double value = vine_status_get_number (object, member) * factor;

  return value >= 0 && value < 9e15 ? llround (value) : -1;
}

/* ---- the manager ---- */

static void
describe (VineRemote *self, JsonObject *status)
{
  static const char *const columns[] = { "source", "version", "activities", NULL };
  const char *version = vine_status_get_text (status, "version");
  g_autofree char *text = version != NULL ? g_strconcat ("TaskVine ", version, NULL) : NULL;
  Sheet sheet = { 0 };

  if (self->is_described)
    return;
  self->is_described = TRUE;
  sheet_open (&sheet, self->recording, "sources", columns);
  sheet_begin (&sheet, self->source);
  sheet_set_text (&sheet, 1, text);
  sheet_set_text (&sheet, 2, "none");
  sheet_end (&sheet);
  sheet_clear (&sheet);
}

static void
add_states (VineRemote *self, JsonObject *category, gint64 now)
{
  const char *name = vine_status_get_text (category, "category");

  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (states); i++)
    {
      sheet_begin (&self->sheet_states, self->source);
      sheet_set_count (&self->sheet_states, STATE_TIME, now);
      sheet_set_text (&self->sheet_states, STATE_PREFIX, name);
      sheet_set_text (&self->sheet_states, STATE_STATE, states[i][1]);
      sheet_set_count (&self->sheet_states, STATE_TASKS, get_count (category, states[i][0], 1));
      sheet_end (&self->sheet_states);
    }
}

/* What workers have is named another way than in the performance log. */
static double
get (const char *name, gpointer user_data)
{
  static const char *const names[][2] = {
    { "total_cores", "cores_total" },       { "committed_cores", "cores_inuse" }, { "total_memory", "memory_total" },
    { "committed_memory", "memory_inuse" }, { "total_disk", "disk_total" },       { "committed_disk", "disk_inuse" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (name, names[i][0]))
      name = names[i][1];

  return vine_status_get_number (user_data, name);
}

void
vine_remote_take_manager (VineRemote *self, JsonArray *array)
{
  JsonObject *status = json_array_get_length (array) > 0 ? get_object (array, 0) : NULL;
  JsonNode *list = status != NULL ? json_object_get_member (status, "categories") : NULL;
  JsonArray *categories = list != NULL && JSON_NODE_HOLDS_ARRAY (list) ? json_node_get_array (list) : NULL;
  gint64 now = g_get_real_time ();

  if (status == NULL)
    return;
  describe (self, status);
  vine_manager_stats_write (&self->gauges, now, get, status);
  for (guint i = 0; categories != NULL && i < json_array_get_length (categories); i++)
    if (get_object (categories, i) != NULL)
      add_states (self, get_object (categories, i), now);
}

/* ---- workers ---- */

static void
join (VineRemote *self, JsonObject *status, const char *address)
{
  const char *host = vine_status_get_text (status, "hostname");
  gint64 joined = get_count (status, "start_time", 1);

  sheet_begin (&self->sheet_workers, self->source);
  sheet_set_text (&self->sheet_workers, WORKER_WORKER, address);
  sheet_set_text (&self->sheet_workers, WORKER_NAME, address);
  sheet_set_text (&self->sheet_workers, WORKER_HOST, host);
  sheet_set_number (&self->sheet_workers, WORKER_CORES, vine_status_get_number (status, "cores_total"));
  sheet_set_count (&self->sheet_workers, WORKER_MEMORY, get_count (status, "memory_total", MIB));
  sheet_set_count (&self->sheet_workers, WORKER_JOINED, joined);
  sheet_end (&self->sheet_workers);
}

static void
leave (VineRemote *self, const char *address, gint64 time, const char *reason)
{
  sheet_begin (&self->sheet_workers, self->source);
  sheet_set_text (&self->sheet_workers, WORKER_WORKER, address);
  sheet_set_count (&self->sheet_workers, WORKER_LEFT, time);
  sheet_set_text (&self->sheet_workers, WORKER_REASON, reason);
  sheet_set_number (&self->sheet_workers, WORKER_TAIL, (double) self->interval / G_USEC_PER_SEC);
  sheet_end (&self->sheet_workers);
}

static void
take_worker (VineRemote *self, JsonObject *status, gint64 now)
{
  const char *address = vine_status_get_text (status, "addrport");
  Worker *worker = address != NULL ? g_hash_table_lookup (self->workers, address) : NULL;

  if (address == NULL || strlen (address) > 200 || (worker == NULL && g_hash_table_size (self->workers) >= MAX_WORKERS))
    return;
  if (worker == NULL)
    {
      worker = g_new0 (Worker, 1);
      g_hash_table_insert (self->workers, g_strdup (address), worker);
      join (self, status, address);
    }
  worker->here = TRUE;
  worker->seen = now;
  sheet_begin (&self->sheet_samples, self->source);
  sheet_set_count (&self->sheet_samples, SAMPLE_TIME, now);
  sheet_set_text (&self->sheet_samples, SAMPLE_WORKER, address);
  sheet_set_count (&self->sheet_samples, SAMPLE_EXECUTING, get_count (status, "total_tasks_running", 1));
  sheet_set_number (&self->sheet_samples, SAMPLE_CORES, vine_status_get_number (status, "cores_inuse"));
  sheet_set_count (&self->sheet_samples, SAMPLE_MEMORY, get_count (status, "memory_inuse", MIB));
  sheet_set_count (&self->sheet_samples, SAMPLE_DISK, get_count (status, "disk_inuse", MIB));
  sheet_end (&self->sheet_samples);
}

void
vine_remote_take_workers (VineRemote *self, JsonArray *status)
{
  gint64 now = g_get_real_time ();
  GHashTableIter iter;
  const char *address;
  Worker *worker;

  for (guint i = 0; i < json_array_get_length (status); i++)
    if (get_object (status, i) != NULL)
      take_worker (self, get_object (status, i), now);
  g_hash_table_iter_init (&iter, self->workers);
  while (g_hash_table_iter_next (&iter, (gpointer *) &address, (gpointer *) &worker))
    {
      if (worker->here && worker->seen < now)
        {
          leave (self, address, worker->seen, "not in the status any more");
          worker->here = FALSE;
        }
    }
}

void
vine_remote_finish (VineRemote *self)
{
  GHashTableIter iter;
  const char *address;
  Worker *worker;

  g_hash_table_iter_init (&iter, self->workers);
  while (g_hash_table_iter_next (&iter, (gpointer *) &address, (gpointer *) &worker))
    if (worker->here)
      leave (self, address, worker->seen, "in the last status");
}
