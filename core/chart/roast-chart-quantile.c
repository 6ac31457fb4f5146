/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-chart-quantile-private.h"

#include <math.h>

static GArray *
collect (RoastChartRows *rows, RoastChartCell cell)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (double));
  const RoastChartBlock *block = NULL;

  roast_chart_rows_rewind (rows);
  while ((block = roast_chart_rows_next (rows)) != NULL)
    {
      const double *numbers = roast_chart_rows_get_numbers (rows, cell);

      for (guint i = 0; i < block->n; i++)
        if (isfinite (numbers[i]))
          g_array_append_val (all, numbers[i]);
    }

  return all;
}

/* Order the numbers so far that those before @rank are not greater than that at @rank, and those after it not less
 * (C. A. R. Hoare, Algorithm 65: Find, 1961). */
static void
order (double *numbers, gint64 n, gint64 rank)
{
  gint64 first = 0, last = n - 1;

  while (first < last)
    {
      double middle = numbers[rank];
      gint64 low = first, high = last;

      while (low <= high)
        {
          while (numbers[low] < middle)
            low++;
          while (numbers[high] > middle)
            high--;
          if (low <= high)
            {
              double number = numbers[low];

              numbers[low++] = numbers[high];
              numbers[high--] = number;
            }
        }
      if (high < rank)
        first = low;
      if (low > rank)
        last = high;
    }
}

double
roast_chart_find_median (RoastChartRows *rows, RoastChartCell cell)
{
  g_autoptr (GArray) all = collect (rows, cell);
  double *numbers = (double *) (gpointer) all->data;
  guint middle = all->len / 2;
  double low = -INFINITY;

  if (all->len == 0)
    return NAN;
  order (numbers, all->len, middle);
  /* An even count has two middle numbers. */
  for (guint i = 0; i < middle && all->len % 2 == 0; i++)
    low = fmax (low, numbers[i]);
  if (all->len % 2 == 1)
    low = numbers[middle];

  return low + (numbers[middle] - low) / 2;
}
