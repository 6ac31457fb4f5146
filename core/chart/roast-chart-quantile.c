/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-chart-quantile-private.h"

#include <math.h>

#define FEW 10000
#define N_BINS 4096
#define N_ROUNDS 4

static int
compare (gconstpointer first, gconstpointer second)
{
  double a = *(const double *) first;
  double b = *(const double *) second;

  return (a > b) - (a < b);
}

static double
find_exactly (RoastChartRows *rows, RoastChartCell cell)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (double));
  guint n = 0;

  roast_chart_rows_rewind (rows);
  while (roast_chart_rows_next (rows, &n))
    for (guint i = 0; i < n; i++)
      {
        double value = roast_chart_rows_get_numbers (rows, cell)[i];

        if (isfinite (value))
          g_array_append_val (all, value);
      }
  g_array_sort (all, compare);
  if (all->len == 0)
    return NAN;

  return (g_array_index (all, double, (all->len - 1) / 2) + g_array_index (all, double, all->len / 2)) / 2;
}

/* Narrows the range to the bin that has the one of this rank; @below are below it. */
static void
narrow (RoastChartRows *rows, RoastChartCell cell, double *min, double *max, guint64 rank)
{
  g_autofree guint64 *bins = g_new0 (guint64, N_BINS);
  double width = (*max - *min) / N_BINS;
  guint64 below = 0;
  guint bin = 0;
  guint n = 0;

  roast_chart_rows_rewind (rows);
  while (roast_chart_rows_next (rows, &n))
    for (guint i = 0; i < n; i++)
      {
        double value = roast_chart_rows_get_numbers (rows, cell)[i];

        if (value < *min)
          below++;
        else if (value <= *max)
          bins[MIN ((guint) ((value - *min) / width), N_BINS - 1)]++;
      }
  while (bin < N_BINS - 1 && below + bins[bin] <= rank)
    below += bins[bin++];
  *max = *min + (bin + 1) * width;
  *min += bin * width;
}

double
roast_chart_find_median (RoastChartRows *rows, RoastChartCell cell, guint64 n, double min, double max)
{
  double size = fmax (fabs (min), fabs (max));

  if (n <= FEW)
    return find_exactly (rows, cell);
  for (guint i = 0; i < N_ROUNDS && max - min > size * 1e-12; i++)
    narrow (rows, cell, &min, &max, n / 2);

  return (min + max) / 2;
}
