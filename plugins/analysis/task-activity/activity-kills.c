/* SPDX-License-Identifier: BSD-3-Clause */
#include "activity-kills.h"

#include <signal.h>

#include "metadata.h"

/* Count workers whose executor knows only the signal. The table processes does not have the signal of a process that
 * another process waited for. */
static void
count_workers (ActivityKills *self, RoastRecordingSnapshot *recording, ProcessTwins *twins)
{
  g_autoptr (RoastTableReader) workers =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_WORKERS, roast_workers_columns, NULL);

  while (roast_table_reader_next (workers))
    {
      const ProcessTwin *twin = process_twins_find (twins, workers, ROAST_WORKERS_STARTED);

      if (roast_table_reader_get_double (workers, ROAST_WORKERS_SIGNAL) == SIGKILL &&
          !roast_table_reader_has (workers, ROAST_WORKERS_OOM_KILLED) && twin != NULL && twin->signal != SIGKILL)
        self->n++;
    }
}

void
activity_kills_init (ActivityKills *self, RoastRecordingSnapshot *recording, ProcessTwins *twins)
{
  g_autoptr (RoastTableReader) processes =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_PROCESSES, roast_processes_columns, NULL);

  *self = (ActivityKills) { 0 };
  while (roast_table_reader_next (processes))
    if (roast_table_reader_get_double (processes, ROAST_PROCESSES_SIGNAL) == SIGKILL)
      self->n++;
  if (!metadata_get_int64 (recording, "tree-oom-kills", &self->n_of_kernel))
    self->n_of_kernel = -1;
  count_workers (self, recording, twins);
}

ActivityKill
activity_kills_find (const ActivityKills *self, RoastTableReader *workers, const ProcessTwin *twin)
{
  if (roast_table_reader_has (workers, ROAST_WORKERS_OOM_KILLED))
    return roast_table_reader_get_boolean (workers, ROAST_WORKERS_OOM_KILLED) ? ACTIVITY_KILL_OF_KERNEL
                                                                              : ACTIVITY_KILL_OF_PROGRAM;
  if (twin == NULL || self->n_of_kernel < 0)
    return ACTIVITY_KILL_UNKNOWN;
  if (self->n_of_kernel == 0)
    return ACTIVITY_KILL_OF_PROGRAM;

  return self->n_of_kernel >= self->n ? ACTIVITY_KILL_OF_KERNEL : ACTIVITY_KILL_UNKNOWN;
}

char *
activity_kills_dup_why (const ActivityKills *self, const ProcessTwin *twin)
{
  static const char may_be[] = "signal 9 may come from a program, or from the kernel because memory ran out: ";

  if (twin == NULL || self->n_of_kernel < 0)
    return g_strconcat (may_be, "no control group counts such kills", NULL);

  return g_strdup_printf ("%sits control group counts %" G_GINT64_FORMAT " kill(s) by the kernel, but %" G_GINT64_FORMAT
                          " processes ended by signal 9",
                          may_be, self->n_of_kernel, self->n);
}
