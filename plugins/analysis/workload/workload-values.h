/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "workload-sum.h"

/* Writes the table chunk_values, which formulas of metrics read. */
typedef struct
{
  RoastReport *report;
  RoastTableWriter *table; /* the table chunk_values; NULL before the first row */
} WorkloadValues;

void workload_values_clear (WorkloadValues *self);

/* Begin a row and return its table; NULL if no chunk can have the value, or if the report has no such table. If some
 * chunks lack the value, or if @doubt is not NULL, the value has the completeness @otherwise. */
RoastTableWriter *workload_values_begin (WorkloadValues *self, guint value, const WorkloadSum *sum,
                                         RoastCompleteness otherwise, const char *doubt);

/* Write a row with a sum, but without a spread. */
void workload_values_add (WorkloadValues *self, guint value, const WorkloadSum *sum, RoastCompleteness otherwise,
                          const char *doubt);

/* Write a row whose value is a number of chunks. */
void workload_values_add_count (WorkloadValues *self, guint value, gint64 n, const char *doubt);

/* Set the minimum, the maximum and the standard deviation in the current row of @table. */
void workload_values_set_spread (RoastTableWriter *table, const WorkloadSpread *spread);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WorkloadValues, workload_values_clear)
