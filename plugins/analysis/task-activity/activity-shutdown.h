/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "activity-sums.h"

G_BEGIN_DECLS

/* CPU time that the processes of workers used after the workers sent their last data. A worker cannot report this time
 * itself. What was observed from outside is a lower bound. */
typedef struct
{
  guint n;            /* workers whose processes ended */
  guint n_unobserved; /* workers among these whose processes were not observed from outside */
  double cpu;         /* s: lower bound, for the observed workers */
  double difference;  /* s: CPU time that was observed from outside, minus CPU time that the workers reported */
  gboolean is_vague;  /* Some observed times end with the last sample of the process. */

  /* Workers in which tasks still computed when the last data were sent. */
  guint n_computing;
  guint n_computing_unobserved;
  double computing_cpu; /* s: lower bound, for the observed workers */
} ActivityShutdown;

/* Add a worker. Return a lower bound in s of the CPU time that the worker used after its last data; NaN if the time is
 * unknown or the process of the worker did not end. */
double activity_shutdown_add (ActivityShutdown *self, const RoastRunWorker *worker, const ActivitySum *sum);

/* Return a note on the CPU time of task threads that is missing because tasks still computed when workers sent their
 * last data; NULL if none is missing. Free the note with g_free(). */
char *activity_shutdown_dup_computing_note (const ActivityShutdown *self, RoastRecordingSnapshot *recording);
/* Return a note on the CPU time that @self->cpu lacks; NULL if it lacks none. Free the note with g_free(). */
char *activity_shutdown_dup_note (const ActivityShutdown *self, RoastRecordingSnapshot *recording);

G_END_DECLS
