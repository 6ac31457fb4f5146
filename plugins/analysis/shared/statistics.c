/* SPDX-License-Identifier: BSD-3-Clause */

/* Statistical tests of differences. */

#include "statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "order.h"
#include "student.h"

#define STATISTICS_MOST 30 /* largest number of values on a side for which the exact test is used */
#define SMALLEST 1e-12     /* standard error used if all values are equal, because tests divide by the standard error */
#define SHUFFLES 1999      /* number of random assignments of runs to sides */
#define ROUNDING 1e-9      /* relative error of p values, because the order of sums differs */

Moments
moments_of (const double *values, guint n)
{
  Moments self = { n, 0, 0 };

  for (guint i = 0; i < n; i++)
    self.mean += values[i] / n;
  for (guint i = 0; i < n && n > 1; i++)
    self.variance += (values[i] - self.mean) * (values[i] - self.mean) / (n - 1);

  return self;
}

/* ---- tests of means ---- */

static Test
make_test (const Moments *a, const Moments *b, double error, double freedom)
{
  Test self = { a->mean - b->mean, fmax (error, SMALLEST), freedom, NAN };

  self.p = student_p (self.difference / self.error, freedom);

  return self;
}

Test
test_welch (const Moments *a, const Moments *b)
{
  double of_a = a->variance / a->n, of_b = b->variance / b->n;
  double both = of_a + of_b;
  double freedom = both > 0 ? both * both / (of_a * of_a / (a->n - 1) + of_b * of_b / (b->n - 1)) : a->n + b->n - 2;

  return make_test (a, b, sqrt (both), freedom);
}

Test
test_prediction (const Moments *a, const Moments *b)
{
  return make_test (a, b, sqrt (b->variance * (1.0 / a->n + 1.0 / b->n)), b->n - 1);
}

/* ---- lines ---- */

Line
line_fit (const double *x, const double *y, guint n)
{
  Moments of_x = moments_of (x, n), of_y = moments_of (y, n);
  double squares = of_x.variance * (n - 1), products = 0, rest = 0;
  Line self = { NAN, NAN, NAN, NAN, NAN };

  if (n < 3 || !(squares > 0))
    return self;
  for (guint i = 0; i < n; i++)
    products += (x[i] - of_x.mean) * (y[i] - of_y.mean);
  self.slope = products / squares;
  self.intercept = of_y.mean - self.slope * of_x.mean;
  for (guint i = 0; i < n; i++)
    rest += pow (y[i] - self.intercept - self.slope * x[i], 2);
  self.residual = sqrt (rest / (n - 2));
  self.slope_error = self.residual / sqrt (squares);
  self.intercept_error = self.residual * sqrt (1.0 / n + of_x.mean * of_x.mean / squares);

  return self;
}

/* ---- ranks ---- */

/* Count the orders of n + m values by the number of pairs in which the value from the first side is greater. */
static void
count_orders (guint n, guint m, double *counts)
{
  guint most = n * m;

  memset (counts, 0, (most + 1) * sizeof *counts);
  counts[0] = 1;
  /* The counts are the coefficients of this product: (1 - x^(m + i)) / (1 - x^i) for i from 1 to n. */
  for (guint i = 1; i <= n; i++)
    {
      for (guint j = most + 1; j-- > m + i;)
        counts[j] -= counts[j - m - i];
      for (guint j = i; j <= most; j++)
        counts[j] += counts[j - i];
    }
}

double
mann_whitney_p (const double *a, guint n, const double *b, guint m)
{
  double counts[STATISTICS_MOST * STATISTICS_MOST + 1];
  double all = 0, tail = 0;
  guint greater = 0;

  if (n == 0 || m == 0 || n > STATISTICS_MOST || m > STATISTICS_MOST)
    return NAN;
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < m; j++)
      {
        if (a[i] == b[j])
          return NAN;
        greater += a[i] > b[j];
      }
  count_orders (n, m, counts);
  greater = MIN (greater, n * m - greater);
  for (guint i = 0; i <= n * m; i++)
    {
      all += counts[i];
      tail += i <= greater ? counts[i] : 0;
    }

  return fmin (2 * tail / all, 1);
}

/* ---- correction for several tests ---- */

void
holm_correct (double *p, guint n)
{
  g_autofree gboolean *is_done = g_new0 (gboolean, n + 1);
  guint left = 0;
  double least = 0;

  for (guint i = 0; i < n; i++)
    left += !isnan (p[i]);
  for (; left > 0; left--)
    {
      guint next = n;

      for (guint i = 0; i < n; i++)
        if (!is_done[i] && !isnan (p[i]) && (next == n || p[i] < p[next]))
          next = i;
      is_done[next] = TRUE;
      p[next] = least = fmin (fmax (least, p[next] * left), 1);
    }
}

static int
compare_descending (const double **a, const double **b)
{
  return (**a < **b) - (**a > **b);
}

/* Return the p value of Welch's test if the runs are assigned to the sides in another order. */
static double
test_in_order (const double *values, const guint *order, guint n, guint m)
{
  g_autofree double *ordered = g_new (double, n + m);
  Moments a, b;

  for (guint i = 0; i < n + m; i++)
    ordered[i] = values[order[i]];
  a = moments_of (ordered, n);
  b = moments_of (ordered + n, m);

  return test_welch (&a, &b).p;
}

static void
shuffle (guint *order, guint n, GRand *rand)
{
  for (guint i = n; i > 1; i--)
    {
      guint other = (guint) g_rand_int_range (rand, 0, (gint32) i);
      guint swapped = order[i - 1];

      order[i - 1] = order[other];
      order[other] = swapped;
    }
}

/* Westfall and Young, Resampling-Based Multiple Testing, 1993, algorithm 2.8: a p value is corrected by the share of
 * random assignments of runs to sides in which the smallest of this and all larger p values is as small. Measures that
 * vary together thus hardly count as several. The seed is fixed, so that a comparison always gives the same result. */
double
westfall_young_correct (double *p, guint n_tests, const double *values, guint n, guint m, double level)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (GPtrArray) known = g_ptr_array_new ();
  g_autofree guint *n_smaller = g_new0 (guint, n_tests + 1);
  g_autofree guint *order = g_new (guint, n + m);
  g_autofree double *smallest = g_new (double, SHUFFLES);
  double corrected = 0;

  for (guint i = 0; i < n_tests; i++)
    if (!isnan (p[i]))
      g_ptr_array_add (known, &p[i]);
  g_ptr_array_sort (known, (GCompareFunc) compare_descending);
  for (guint i = 0; i < n + m; i++)
    order[i] = i;
  for (guint k = 0; k < SHUFFLES; k++)
    {
      smallest[k] = 1;
      shuffle (order, n + m, rand);
      for (guint i = 0; i < known->len; i++)
        {
          const double *of_test = g_ptr_array_index (known, i);

          smallest[k] = fmin (smallest[k], test_in_order (values + (of_test - p) * (n + m), order, n, m));
          n_smaller[i] += smallest[k] <= *of_test * (1 + ROUNDING);
        }
    }
  for (guint i = known->len; i-- > 0;)
    *(double *) g_ptr_array_index (known, i) = corrected = fmax (corrected, (n_smaller[i] + 1.0) / (SHUFFLES + 1));
  qsort (smallest, SHUFFLES, sizeof *smallest, order_doubles);

  return smallest[(guint) (level * (SHUFFLES + 1)) - 2];
}
