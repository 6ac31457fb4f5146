/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "activity-sums.h"

/* CPU time that workers' processes used after the workers had sent their last data. A worker cannot report this time.
 * The time that was observed from outside is a lower bound. */
typedef struct
{
  guint n;            /* number of workers whose processes ended */
  guint n_unobserved; /* number of workers in @n whose processes were not observed from outside */
  double cpu;         /* s: lower bound, for the observed workers */
  double difference;  /* s: CPU time observed from outside, minus CPU time reported by the workers */
  gboolean is_vague;  /* some observed CPU times end with the last sample of the process */

  /* Workers in which tasks still computed when the workers sent their last data. */
  guint n_computing;
  guint n_computing_unobserved;
  double computing_cpu; /* s: lower bound, for the observed workers */
} ActivityShutdown;

/* Add a worker. Return a lower bound of the CPU time in s that the worker used after its last data; NaN if this time is
 * unknown, or if the process of the worker did not end. */
double activity_shutdown_add (ActivityShutdown *self, const RoastRunWorker *worker, const ActivitySum *sum);

/* Return a note on CPU time of task threads that is missing because tasks still computed when workers sent their last
 * data; NULL if none is missing. Free the note with g_free(). */
char *activity_shutdown_dup_computing_note (const ActivityShutdown *self, RoastRecordingSnapshot *recording);
/* Return a note on the CPU time that is missing from @self->cpu; NULL if none is missing. Free the note with
 * g_free(). */
char *activity_shutdown_dup_note (const ActivityShutdown *self, RoastRecordingSnapshot *recording);
