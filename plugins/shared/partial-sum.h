/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <math.h>
#include <roast/roast.h>

/* Adds @value to @sum, unless @value is unknown (NaN). A sum stays NaN until a known value is added to it. */
static inline void
partial_sum_add (double *sum, double value)
{
  if (!isnan (value))
    *sum = isnan (*sum) ? value : *sum + value;
}

/* Rounds the sum and writes it into the cell @slot. If the sum is unknown (NaN), the cell remains missing. */
static inline void
partial_sum_write (RoastTableWriter *row, guint slot, double sum)
{
  if (!isnan (sum))
    roast_table_writer_set_int64 (row, slot, (gint64) llround (sum));
}
