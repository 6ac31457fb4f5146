/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-chart-quantile-private.h"

#include <math.h>

static int
quantile_compare (const double *a, const double *b)
{
  return (*a > *b) - (*a < *b);
}

double
roast_chart_find_median (RoastChartRows *rows, RoastChartCell cell)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (double));
  const RoastChartRow *row = NULL;
  double low, high;

  roast_chart_rows_rewind (rows);
  while ((row = roast_chart_rows_next (rows)) != NULL)
    if (isfinite (row->numbers[cell]))
      g_array_append_val (all, row->numbers[cell]);
  if (all->len == 0)
    return NAN;
  g_array_sort (all, (GCompareFunc) quantile_compare);
  low = g_array_index (all, double, (all->len - 1) / 2);
  high = g_array_index (all, double, all->len / 2);

  return low + (high - low) / 2;
}
