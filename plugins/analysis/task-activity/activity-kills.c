/* SPDX-License-Identifier: BSD-3-Clause */
#include "activity-kills.h"

#include <signal.h>

#include "metadata.h"

/* Count the processes that died by SIGKILL. If another process waited for a process, the table processes does not
 * contain its signal. So also count workers whose executor reports the signal. */
void
activity_kills_init (ActivityKills *self, RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) processes = roast_processes_read (recording);
  guint n;
  const RoastRunWorker *workers = roast_run_model_get_workers (roast_run_model_get (recording), &n);

  *self = (ActivityKills) { 0 };
  while (roast_table_reader_next (processes))
    if (roast_table_reader_get_double (processes, ROAST_PROCESSES_SIGNAL) == SIGKILL)
      self->n++;
  if (!metadata_get_int64 (recording, "tree-oom-kills", &self->n_of_kernel))
    self->n_of_kernel = -1;
  for (guint i = 0; i < n; i++)
    {
      const RoastRunProcess *process = roast_run_worker_get_process (&workers[i]);

      self->n +=
          workers[i].signal == SIGKILL && workers[i].oom_killed < 0 && process != NULL && process->signal != SIGKILL;
    }
}

ActivityKill
activity_kills_find (const ActivityKills *self, const RoastRunWorker *worker)
{
  if (worker->oom_killed >= 0)
    return worker->oom_killed ? ACTIVITY_KILL_OF_KERNEL : ACTIVITY_KILL_OF_PROGRAM;
  if (roast_run_worker_get_process (worker) == NULL || self->n_of_kernel < 0)
    return ACTIVITY_KILL_UNKNOWN;
  if (self->n_of_kernel == 0)
    return ACTIVITY_KILL_OF_PROGRAM;

  return self->n_of_kernel >= self->n ? ACTIVITY_KILL_OF_KERNEL : ACTIVITY_KILL_UNKNOWN;
}

char *
activity_kills_dup_why (const ActivityKills *self, const RoastRunWorker *worker)
{
  static const char may_be[] = "signal 9 may come from a program, or from the kernel because memory ran out: ";

  if (roast_run_worker_get_process (worker) == NULL || self->n_of_kernel < 0)
    return g_strconcat (may_be, "no control group counts such kills", NULL);

  return g_strdup_printf ("%sthe worker's control group counts %" G_GINT64_FORMAT
                          " kill(s) by the kernel, but %" G_GINT64_FORMAT " processes ended by signal 9",
                          may_be, self->n_of_kernel, self->n);
}
