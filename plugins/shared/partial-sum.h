/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <math.h>
#include <roast/roast.h>

G_BEGIN_DECLS

/* Adds @value to @sum unless @value is unknown (NaN). A sum to which no known value was added is NaN. */
static inline void
partial_sum_add (double *sum, double value)
{
  if (!isnan (value))
    *sum = isnan (*sum) ? value : *sum + value;
}

/* Writes the rounded sum into the cell @slot. Leaves the cell missing if the sum is unknown (NaN). */
static inline void
partial_sum_write (RoastTableWriter *row, guint slot, double sum)
{
  if (!isnan (sum))
    roast_table_writer_set_int64 (row, slot, (gint64) llround (sum));
}

G_END_DECLS
