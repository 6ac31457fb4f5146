/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "activity-kills.h"
#include "activity-sums.h"

/* How a worker ended, and which of its data are missing. This comes from what the worker reported, and from what was
 * observed of its process. */
typedef struct
{
  int cause;                /* word of worker_end; -1 if the worker did not end, or its end is unknown */
  gint64 exit_code, signal; /* -1 if unknown */
  int memory_bound;         /* word of bound; -1 if the peak is only the largest sample */
  char *missing;            /* description of missing data, or NULL */
} ActivityEnd;

/* @sum->memory_peak must contain the worker's largest memory sample. The function replaces it by the peak, if the peak
 * is known. */
void activity_end_init (ActivityEnd *self, const RoastRunWorker *worker, ActivitySum *sum, const ActivityKills *kills);
void activity_end_clear (ActivityEnd *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ActivityEnd, activity_end_clear)
