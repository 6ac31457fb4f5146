/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "activity-sums.h"
#include "process-twins.h"

G_BEGIN_DECLS

/* CPU time of processes of workers after the last data that these sent: a worker cannot report the end of its own
 * process. What was seen of that from outside is a lower bound. */
typedef struct
{
  guint n;            /* workers whose processes ended */
  guint n_unobserved; /* of them, those that nothing observed from outside */
  double cpu;         /* s, of the others: at least */
  double difference;  /* s: sum of what was seen from outside less what these reported */
  gboolean is_vague;  /* what was seen is the last sample */

  /* Of workers in which tasks still computed when they sent their last data. */
  guint n_computing;
  guint n_computing_unobserved;
  double computing_cpu; /* s, of those observed: at least */
} ActivityShutdown;

/* The current row of @workers. Returns its CPU time after its last data, s: at least. NaN if unknown, or if there is
 * none, because its process went on. */
double activity_shutdown_add (ActivityShutdown *self, RoastTableReader *workers, const ActivitySum *sum,
                              const ProcessTwin *twin);

/* What is missing in the CPU time of threads of tasks because these still computed; NULL if nothing is. Free it with
 * g_free(). */
char *activity_shutdown_dup_computing_note (const ActivityShutdown *self, ProcessTwins *twins);
/* What is missing in @self->cpu; NULL if nothing is. Free it with g_free(). */
char *activity_shutdown_dup_note (const ActivityShutdown *self, ProcessTwins *twins);

G_END_DECLS
