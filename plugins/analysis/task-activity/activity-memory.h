/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "activity-report.h"

/* The largest peak memory of any worker. */
typedef struct
{
  guint n, n_cut, n_sampled, n_unknown; /* workers: all; without last data; with samples only; without memory */
  gint64 peak, bound;        /* bytes: largest known peak, and largest upper bound of a peak; -1 if unknown */
  double ratio, bound_ratio; /* largest share of a memory limit, of peaks and of upper bounds; 0 if unknown */
} ActivityMemory;

/* Add a worker. @bound is a word of the vocabulary bound; -1 if @peak is only the largest sample. @sampled is the
 * largest memory sample, and @limit the memory limit. Unknown values are -1. */
void activity_memory_add (ActivityMemory *self, gint64 peak, int bound, gint64 sampled, gint64 limit);
void activity_memory_report (const ActivityMemory *self, ActivityReport *report);
