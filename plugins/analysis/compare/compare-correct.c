/* SPDX-License-Identifier: BSD-3-Clause */

/* Correct the p values of verdicts for the number of measures. With several categories, the correction also tests the
 * share of each category in the CPU time: if the speed of the machine varies between runs, the CPU time of all
 * categories varies with it, but their shares do not. */

#include "compare.h"
#include "statistics.h"
#include "student.h"

#include <math.h>

#define POWER 0.8 /* probability with which a test finds the smallest difference that counts as detectable */

/* The share of a category in the CPU time of all tested categories. */
typedef struct
{
  guint verdict; /* index of the verdict on the category's CPU time */
  double change; /* logarithm of the change of the share */
} Share;

/* Return the smallest difference that a test detects with the probability POWER, if p values up to @level are
 * significant. */
static double
get_detectable (const Verdict *self, double level)
{
  double reach = student_quantile (1 - level / 2, self->freedom) + student_quantile (POWER, self->freedom);

  return fmax (expm1 (reach * self->error), COMPARE_THRESHOLD);
}

/* Return a row with the logarithms of all runs for each verdict. Return NULL if the runs are too few to be assigned to
 * the sides at random, or if a tested measure lacks the value of a run. */
static GArray *
take_all_logarithms (Compare *self)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, TRUE, sizeof (double));

  if (self->n[NEW] < COMPARE_RANKED_RUNS || self->n[REFERENCE] < COMPARE_RANKED_RUNS)
    return NULL;
  FOR_EACH (const Verdict, verdict, self->verdicts)
    {
      for (guint side = 0; side < N_SIDES; side++)
        {
          g_autoptr (GArray) logarithms = compare_take_logarithms (verdict->measure->values[side]);

          if (!isnan (verdict->p) && logarithms->len < self->n[side])
            return NULL;
          g_array_set_size (logarithms, self->n[side]);
          g_array_append_vals (rows, logarithms->data, logarithms->len);
        }
    }

  return g_steal_pointer (&rows);
}

/* Return the verdicts on the CPU time of categories that have a p value. */
static GArray *
find_shares (Compare *self)
{
  GArray *shares = g_array_new (FALSE, FALSE, sizeof (Share));

  for (guint i = 0; i < self->verdicts->len; i++)
    {
      const Verdict *verdict = &g_array_index (self->verdicts, Verdict, i);
      Share share = { i, NAN };

      if (verdict->measure->kind == ROAST_COMPARED_KIND_CPU && !isnan (verdict->p))
        g_array_append_val (shares, share);
    }

  return shares;
}

/* Add a row with the logarithms of each share, divided by the shares of all other categories together, and its p
 * value. */
static void
add_shares (Compare *self, GArray *shares, GArray *rows, GArray *p)
{
  guint n = self->n[NEW] + self->n[REFERENCE];
  g_autofree double *sums = g_new0 (double, n);

  FOR_EACH (const Share, share, shares)
    for (guint i = 0; i < n; i++)
      sums[i] += exp (g_array_index (rows, double, share->verdict *n + i));
  FOR_EACH (Share, share, shares)
    {
      g_autofree double *values = g_new (double, n);
      Moments of_new, of_reference;
      Test test;

      for (guint i = 0; i < n; i++)
        {
          double own = g_array_index (rows, double, share->verdict *n + i);

          values[i] = own - log (sums[i] - exp (own));
        }
      of_new = moments_of (values, self->n[NEW]);
      of_reference = moments_of (values + self->n[NEW], self->n[REFERENCE]);
      test = test_welch (&of_new, &of_reference);
      share->change = test.difference;
      g_array_append_vals (rows, values, n);
      g_array_append_val (p, test.p);
    }
}

/* If the share of a category changed, at least one category changed. Then it is enough to correct the p value of the
 * category's CPU time for the number of all other categories. Its share may have changed because of these, so that both
 * must have changed in the same direction. */
static void
use_shares (Compare *self, const GArray *shares, GArray *p)
{
  for (guint i = 0; i < shares->len; i++)
    {
      const Share *share = &g_array_index (shares, Share, i);
      const Verdict *verdict = &g_array_index (self->verdicts, Verdict, share->verdict);
      double of_share = g_array_index (p, double, self->verdicts->len + i);
      double *corrected = &g_array_index (p, double, share->verdict);

      if ((share->change > 0) == (verdict->effect > 0))
        *corrected = fmin (*corrected, fmax (of_share, verdict->p * (shares->len - 1)));
    }
}

void
compare_correct (Compare *self)
{
  g_autoptr (GArray) p = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) rows = take_all_logarithms (self);
  g_autoptr (GArray) shares = find_shares (self);
  guint n_tests = 0;
  double level;

  FOR_EACH (const Verdict, verdict, self->verdicts)
    {
      g_array_append_val (p, verdict->p);
      n_tests += !isnan (verdict->p);
    }
  if (rows != NULL)
    {
      if (shares->len > 1)
        add_shares (self, shares, rows, p);
      else
        g_array_set_size (shares, 0);
      level = westfall_young_correct ((double *) (gpointer) p->data, p->len, (const double *) (gpointer) rows->data,
                                      self->n[NEW], self->n[REFERENCE], COMPARE_SIGNIFICANT);
      use_shares (self, shares, p);
    }
  else
    {
      holm_correct ((double *) (gpointer) p->data, p->len);
      level = COMPARE_SIGNIFICANT / n_tests;
    }
  for (guint i = 0; i < self->verdicts->len; i++)
    {
      Verdict *verdict = &g_array_index (self->verdicts, Verdict, i);

      verdict->p = g_array_index (p, double, i);
      if (!isnan (verdict->p))
        verdict->detectable = get_detectable (verdict, level);
    }
}
