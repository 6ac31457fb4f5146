/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "activity-kills.h"
#include "activity-sums.h"

G_BEGIN_DECLS

/* End of a worker and missing information about it, from its own report and the observation of its process. */
typedef struct
{
  int cause;                /* word of worker_end; -1 if the worker did not end, or nothing is known */
  gint64 exit_code, signal; /* -1 if unknown */
  int memory_bound;         /* word of bound; -1 if the peak is the largest sample */
  char *missing;            /* description of missing data, or NULL */
} ActivityEnd;

/* @sum has the worker's largest memory sample, and gets the peak. */
void activity_end_init (ActivityEnd *self, const RoastRunWorker *worker, ActivitySum *sum, const ActivityKills *kills);
void activity_end_clear (ActivityEnd *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ActivityEnd, activity_end_clear)

G_END_DECLS
