/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "activity-report.h"

G_BEGIN_DECLS

/* The greatest peak of all workers. */
typedef struct
{
  guint n, n_cut, n_sampled,
      n_unknown;             /* workers; of these: ended without last data, seen in samples only, not at all */
  gint64 peak, bound;        /* bytes: the greatest that was reached, and the greatest upper bound; or -1 */
  double ratio, bound_ratio; /* the same as shares of memory limits; 0 if there are none */
} ActivityMemory;

/* One worker: its peak, with a word of the vocabulary bound (-1 if it is the greatest sample), and the greatest sample.
 * All of these are -1 if not known. */
void activity_memory_add (ActivityMemory *self, gint64 peak, int bound, gint64 sampled, gint64 limit);
void activity_memory_report (const ActivityMemory *self, ActivityReport *report);

G_END_DECLS
