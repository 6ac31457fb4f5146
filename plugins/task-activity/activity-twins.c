/* SPDX-License-Identifier: BSD-3-Clause */
#include "activity-twins.h"

/* A process id is used again, and on other machines: only the start identifies a process. Both sides compute it from
 * the same count of ticks of 10 ms. */
#define SAME_START 20000 /* µs */

struct _ActivityTwins
{
  GHashTable *by_pid; /* to GArray of ActivityTwin */
};

static void
add_pids (ActivityTwins *self, RoastTableReader *workers)
{
  while (roast_table_reader_next (workers))
    if (roast_table_reader_has (workers, ROAST_WORKERS_PID) && roast_table_reader_has (workers, ROAST_WORKERS_STARTED))
      g_hash_table_insert (self->by_pid,
                           GINT_TO_POINTER ((int) roast_table_reader_get_int64 (workers, ROAST_WORKERS_PID, 0)),
                           g_array_new (FALSE, FALSE, sizeof (ActivityTwin)));
}

static void
add_processes (ActivityTwins *self, RoastTableReader *processes)
{
  while (roast_table_reader_next (processes))
    {
      gint64 pid = roast_table_reader_get_int64 (processes, ROAST_PROCESSES_PID, -1);
      GArray *twins = pid > 0 ? g_hash_table_lookup (self->by_pid, GINT_TO_POINTER ((int) pid)) : NULL;
      ActivityTwin twin = {
        .started = roast_table_reader_get_int64 (processes, ROAST_PROCESSES_STARTED, -1),
        .cpu = roast_table_reader_get_double (processes, ROAST_PROCESSES_CPU_USER) +
               roast_table_reader_get_double (processes, ROAST_PROCESSES_CPU_SYSTEM),
        .memory_peak = roast_table_reader_get_int64 (processes, ROAST_PROCESSES_MEMORY_PEAK, -1),
        .memory_bound = roast_table_reader_get_word (processes, ROAST_PROCESSES_MEMORY_PEAK_BOUND),
        .exit_code = roast_table_reader_get_int64 (processes, ROAST_PROCESSES_EXIT_CODE, -1),
        .signal = roast_table_reader_get_int64 (processes, ROAST_PROCESSES_SIGNAL, -1),
      };

      if (twins != NULL && twin.started >= 0)
        g_array_append_val (twins, twin);
    }
}

ActivityTwins *
activity_twins_new (RoastRecordingSnapshot *recording, GError **error)
{
  g_autoptr (ActivityTwins) self = g_new0 (ActivityTwins, 1);
  g_autoptr (RoastTableReader) workers = NULL;
  g_autoptr (RoastTableReader) processes = NULL;

  self->by_pid = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  workers = roast_recording_snapshot_read_table (recording, ROAST_TABLE_WORKERS, roast_workers_columns, error);
  if (workers == NULL)
    return NULL;
  processes = roast_recording_snapshot_read_table (recording, ROAST_TABLE_PROCESSES, roast_processes_columns, error);
  if (processes == NULL)
    return NULL;
  add_pids (self, workers);
  if (g_hash_table_size (self->by_pid) > 0)
    add_processes (self, processes);

  return g_steal_pointer (&self);
}

void
activity_twins_free (ActivityTwins *self)
{
  g_hash_table_unref (self->by_pid);
  g_free (self);
}

const ActivityTwin *
activity_twins_find (ActivityTwins *self, RoastTableReader *workers)
{
  gint64 started = roast_table_reader_get_int64 (workers, ROAST_WORKERS_STARTED, -1);
  int pid = (int) roast_table_reader_get_int64 (workers, ROAST_WORKERS_PID, 0);
  GArray *twins = started >= 0 ? g_hash_table_lookup (self->by_pid, GINT_TO_POINTER (pid)) : NULL;

  for (guint i = 0; twins != NULL && i < twins->len; i++)
    {
      const ActivityTwin *twin = &g_array_index (twins, ActivityTwin, i);

      if (ABS (twin->started - started) <= SAME_START)
        return twin;
    }

  return NULL;
}
