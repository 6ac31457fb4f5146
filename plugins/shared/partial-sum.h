/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <math.h>
#include <roast/roast.h>

G_BEGIN_DECLS

/* A sum of values of which some are unknown. It is NaN until the first that is known. */
static inline void
partial_sum_add (double *sum, double value)
{
  if (!isnan (value))
    *sum = isnan (*sum) ? value : *sum + value;
}

/* As a whole number; a missing cell if unknown. */
static inline void
partial_sum_write (RoastTableWriter *row, guint slot, double sum)
{
  if (!isnan (sum))
    roast_table_writer_set_int64 (row, slot, (gint64) llround (sum));
}

G_END_DECLS
