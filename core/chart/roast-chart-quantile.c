/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds the median. The range that contains it is narrowed until it has few numbers, which are then sorted. Ranges
 * are over the bits of the numbers, which have the same order as the numbers. So an outlier costs nothing, and
 * nothing is rounded. */

#include "roast-chart-quantile-private.h"

#include <math.h>
#include <string.h>

#define FEW 100000
#define N_BINS 4096
#define SIGN ((guint64) 1 << 63)

typedef struct
{
  RoastChartRows *rows;
  RoastChartCell cell;
  guint64 first, last;   /* keys */
  guint64 below, within; /* count of numbers below the range, and in it */
} Search;

static guint64
get_key (double number)
{
  guint64 bits = 0;

  memcpy (&bits, &number, sizeof bits);

  return (bits & SIGN) != 0 ? ~bits : bits | SIGN;
}

static double
get_number (guint64 key)
{
  guint64 bits = (key & SIGN) != 0 ? key & ~SIGN : ~key;
  double number = 0;

  memcpy (&number, &bits, sizeof number);

  return number;
}

/* Return the number of low bits that are ignored when choosing a bin. */
static guint
count_bits (guint64 range)
{
  guint bits = 0;

  while (range >> bits >= N_BINS)
    bits++;

  return bits;
}

static void
narrow (Search *self, guint64 rank)
{
  g_autofree guint64 *bins = g_new0 (guint64, N_BINS);
  guint bits = count_bits (self->last - self->first);
  guint bin = 0;
  const RoastChartBlock *block = NULL;

  self->below = 0;
  roast_chart_rows_rewind (self->rows);
  while ((block = roast_chart_rows_next (self->rows)) != NULL)
    {
      const double *numbers = roast_chart_rows_get_numbers (self->rows, self->cell);

      for (guint i = 0; i < block->n; i++)
        {
          guint64 key = get_key (numbers[i]);

          if (!isfinite (numbers[i]))
            continue;
          if (key >= self->first && key <= self->last)
            bins[(key - self->first) >> bits]++;
          else if (key < self->first)
            self->below++;
        }
    }
  while (bin < N_BINS - 1 && self->below + bins[bin] <= rank)
    self->below += bins[bin++];
  self->within = bins[bin];
  self->first += (guint64) bin << bits;
  self->last = MIN (self->last, self->first + (((guint64) 1 << bits) - 1));
}

/* Collect the numbers in the range. Set @greatest to the greatest number below the range. */
static GArray *
collect (Search *self, double *greatest)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (double));
  const RoastChartBlock *block = NULL;

  *greatest = NAN;
  roast_chart_rows_rewind (self->rows);
  while ((block = roast_chart_rows_next (self->rows)) != NULL)
    {
      const double *numbers = roast_chart_rows_get_numbers (self->rows, self->cell);

      for (guint i = 0; i < block->n; i++)
        {
          guint64 key = get_key (numbers[i]);

          if (!isfinite (numbers[i]) || key > self->last)
            continue;
          if (key < self->first)
            *greatest = fmax (*greatest, numbers[i]);
          else if (self->first < self->last) /* if equal, all numbers in the range are the same */
            g_array_append_val (all, numbers[i]);
        }
    }

  return all;
}

static int
compare (gconstpointer first, gconstpointer second)
{
  double a = *(const double *) first;
  double b = *(const double *) second;

  return (a > b) - (a < b);
}

double
roast_chart_find_median (RoastChartRows *rows, RoastChartCell cell, guint64 n, double min, double max)
{
  Search search = { rows, cell, get_key (min), get_key (max), 0, n };
  g_autoptr (GArray) few = NULL;
  double greatest = NAN;
  double low = 0;
  double high = 0;

  if (n == 0)
    return NAN;
  while (search.within > FEW && search.first < search.last)
    narrow (&search, n / 2);
  few = collect (&search, &greatest);
  g_array_sort (few, compare);
  high =
      few->len > 0 ? g_array_index (few, double, MIN (n / 2 - search.below, few->len - 1)) : get_number (search.first);
  /* An even count has two middle numbers; the lower one may be below the range. */
  if ((n - 1) / 2 < search.below)
    low = greatest;
  else
    low = few->len > 0 ? g_array_index (few, double, MIN ((n - 1) / 2 - search.below, few->len - 1)) : high;

  return low + (high - low) / 2;
}
