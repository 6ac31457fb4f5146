/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "workload-sum.h"

G_BEGIN_DECLS

/* Writes the table chunk_values, over which the formulas of metrics are evaluated. */
typedef struct
{
  RoastReport *report;
  RoastTableWriter *table; /* opened for the first row */
} WorkloadValues;

void workload_values_clear (WorkloadValues *self);

/* Begin a row. Return NULL if no chunk might have the value, or if the report has no such
 * table. @otherwise: the completeness if chunks lack the value, or
 * if @doubt is not NULL. */
RoastTableWriter *workload_values_begin (WorkloadValues *self, guint value, const WorkloadSum *sum,
                                         RoastCompleteness otherwise, const char *doubt);

/* Write a row that has only a sum. */
void workload_values_add (WorkloadValues *self, guint value, const WorkloadSum *sum, RoastCompleteness otherwise,
                          const char *doubt);

/* Write a row for a number of chunks. */
void workload_values_add_count (WorkloadValues *self, guint value, gint64 n, const char *doubt);

/* Write the smallest and the largest value, and the deviation. */
void workload_values_set_spread (RoastTableWriter *table, const WorkloadSpread *spread);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WorkloadValues, workload_values_clear)

G_END_DECLS
