/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "activity-sums.h"

G_BEGIN_DECLS

/* CPU time of the processes of workers after the workers' last data: a worker cannot report the end of its own process.
 * The time observed from outside is a lower bound. */
typedef struct
{
  guint n;            /* workers whose processes ended */
  guint n_unobserved; /* workers of these that nothing observed from outside */
  double cpu;         /* s, at least, for the observed workers */
  double difference;  /* s: sum of the observed times minus the times that the workers reported */
  gboolean is_vague;  /* some observed times come from the last sample */

  /* Workers in which tasks still computed when the last data were sent. */
  guint n_computing;
  guint n_computing_unobserved;
  double computing_cpu; /* s, at least, for the observed workers */
} ActivityShutdown;

/* Add a worker. Return a lower bound of the worker's CPU time after its last data, in s; NaN if
 * unknown or if its process went on. */
double activity_shutdown_add (ActivityShutdown *self, const RoastRunWorker *worker, const ActivitySum *sum);

/* Return a note on CPU time of task threads that is missing because tasks still computed; NULL if none is. Free it with
 * g_free(). */
char *activity_shutdown_dup_computing_note (const ActivityShutdown *self, RoastRecordingSnapshot *recording);
/* Return a note on time missing in @self->cpu; NULL if none is. Free it with g_free(). */
char *activity_shutdown_dup_note (const ActivityShutdown *self, RoastRecordingSnapshot *recording);

G_END_DECLS
