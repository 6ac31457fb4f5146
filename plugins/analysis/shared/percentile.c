/* SPDX-License-Identifier: BSD-3-Clause */
#include "percentile.h"

#include <math.h>

static void
swap (double *a, double *b)
{
  double value = *a;

  *a = *b;
  *b = value;
}

/* Quickselect: reorder the values so that position @rank holds the value that it would hold in the sorted array. No
 * value before @rank is greater than this value. */
static double
select_rank (double *values, gsize n, gsize rank)
{
  gsize low = 0;
  gsize high = n;

  while (high - low > 1)
    {
      double pivot = values[low + (high - 1 - low) / 2];
      gsize i = low;
      gsize k = high - 1;

      for (;; i++, k--)
        {
          while (values[i] < pivot)
            i++;
          while (values[k] > pivot)
            k--;
          if (i >= k)
            break;
          swap (&values[i], &values[k]);
        }
      if (rank <= k)
        high = k + 1;
      else
        low = k + 1;
    }

  return values[rank];
}

double
percentile_get (double *values, gsize n, double share)
{
  gsize rank = (gsize) ceil (share * (double) n);

  return select_rank (values, n, CLAMP (rank, 1, n) - 1);
}
