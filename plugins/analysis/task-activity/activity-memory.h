/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "activity-report.h"

G_BEGIN_DECLS

/* The largest memory peak of all workers. */
typedef struct
{
  guint n, n_cut, n_sampled,
      n_unknown;             /* workers; of these: ended without last data, known only from samples, unknown */
  gint64 peak, bound;        /* bytes: the largest peak reached, and the largest upper bound; -1 if unknown */
  double ratio, bound_ratio; /* largest shares of memory limits; 0 if there are none */
} ActivityMemory;

/* Add a worker: its peak, a word of the vocabulary bound (-1 if the peak is the largest sample), the largest sample,
 * and the memory limit. Unknown values are -1. */
void activity_memory_add (ActivityMemory *self, gint64 peak, int bound, gint64 sampled, gint64 limit);
void activity_memory_report (const ActivityMemory *self, ActivityReport *report);

G_END_DECLS
