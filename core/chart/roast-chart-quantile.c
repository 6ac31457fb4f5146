/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-chart-quantile-private.h"

#include <math.h>

#define FEW 100000
#define N_BINS 4096
#define N_ROUNDS 4

static int
compare (gconstpointer first, gconstpointer second)
{
  double a = *(const double *) first;
  double b = *(const double *) second;

  return (a > b) - (a < b);
}

/* The numbers from @min to @max, sorted; @below gets how many are less. */
static GArray *
collect (RoastChartRows *rows, RoastChartCell cell, double min, double max, guint64 *below)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (double));
  guint n = 0;

  *below = 0;
  roast_chart_rows_rewind (rows);
  while (roast_chart_rows_next (rows, &n))
    {
      const double *values = roast_chart_rows_get_numbers (rows, cell);

      for (guint i = 0; i < n; i++)
        if (values[i] >= min && values[i] <= max)
          g_array_append_val (all, values[i]);
        else if (values[i] < min && isfinite (values[i]))
          (*below)++;
    }
  g_array_sort (all, compare);

  return all;
}

/* Between the two in the middle. They may be on both sides of an edge: then the one that is there. */
static double
find_exactly (RoastChartRows *rows, RoastChartCell cell, guint64 n, double min, double max)
{
  guint64 below = 0;
  g_autoptr (GArray) all = collect (rows, cell, min, max, &below);
  guint64 low = (n - 1) / 2;
  guint64 high = n / 2;

  if (all->len == 0)
    return NAN;
  low = CLAMP (low, below, below + all->len - 1) - below;
  high = CLAMP (high, below, below + all->len - 1) - below;

  return (g_array_index (all, double, low) + g_array_index (all, double, high)) / 2;
}

/* Narrows the range to the bin that has the one of this rank, and those beside it: how many numbers are in these. */
static guint64
narrow (RoastChartRows *rows, RoastChartCell cell, double *min, double *max, guint64 rank)
{
  g_autofree guint64 *bins = g_new0 (guint64, N_BINS);
  double width = (*max - *min) / N_BINS;
  guint64 below = 0;
  guint bin = 0;
  guint n = 0;
  guint first = 0;
  guint last = 0;
  guint64 left = 0;

  roast_chart_rows_rewind (rows);
  while (roast_chart_rows_next (rows, &n))
    {
      const double *values = roast_chart_rows_get_numbers (rows, cell);

      for (guint i = 0; i < n; i++)
        if (values[i] >= *min && values[i] <= *max)
          bins[MIN ((guint) ((values[i] - *min) / width), N_BINS - 1)]++;
        else if (values[i] < *min && isfinite (values[i]))
          below++;
    }
  while (bin < N_BINS - 1 && below + bins[bin] <= rank)
    below += bins[bin++];
  /* What is rounded may be in the next bin. */
  first = bin > 0 ? bin - 1 : 0;
  last = MIN (bin + 1, N_BINS - 1);
  for (guint i = first; i <= last; i++)
    left += bins[i];
  *max = last == N_BINS - 1 ? *max : *min + (last + 1) * width;
  *min += first * width;

  return left;
}

double
roast_chart_find_median (RoastChartRows *rows, RoastChartCell cell, guint64 n, double min, double max)
{
  double size = fmax (fabs (min), fabs (max));
  guint64 left = n;

  for (guint i = 0; left > FEW && i < N_ROUNDS && max - min > size * 1e-12; i++)
    left = narrow (rows, cell, &min, &max, n / 2);

  return left <= FEW ? find_exactly (rows, cell, n, min, max) : (min + max) / 2;
}
