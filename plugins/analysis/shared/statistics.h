/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Moments of n values. */
typedef struct
{
  guint n;
  double mean, variance; /* variance: sum of squared deviations divided by n - 1 */
} Moments;

/* Test of the difference of two means. */
typedef struct
{
  double difference; /* first mean minus second mean */
  double error;      /* standard error of the difference */
  double freedom;    /* degrees of freedom */
  double p;          /* two-sided p value */
} Test;

Moments moments_of (const double *values, guint n);
/* Run Welch's test. Each side needs at least two values. */
Test test_welch (const Moments *a, const Moments *b);
/* Test whether @a comes from the same distribution as @b, by a prediction interval. @b must have at least three
 * values. */
Test test_prediction (const Moments *a, const Moments *b);
/* Straight line through points, fitted by least squares. */
typedef struct
{
  double intercept, slope;
  double intercept_error, slope_error; /* standard errors */
  double residual;                     /* standard deviation of the points from the line */
} Line;

/* Fit a line. If there are fewer than three points, or if all points have the same x, all values of the line are
 * NaN. */
Line line_fit (const double *x, const double *y, guint n);
/* Return the exact two-sided p value of the Mann-Whitney test; NaN if two values are equal, or if a side has more than
 * 30 values. */
double mann_whitney_p (const double *a, guint n, const double *b, guint m);
/* Apply Holm's correction to the @n probabilities in @p. Skip NaN values. */
void holm_correct (double *p, guint n);
/* Apply the correction of Westfall and Young to the probabilities in @p, which come from Welch's test. Skip NaN values.
 * @values has a row of @n + @m values for each probability: first the values of one side, then those of the other.
 * Return the largest p value that is significant at @level before the correction. */
double westfall_young_correct (double *p, guint n_tests, const double *values, guint n, guint m, double level);

G_END_DECLS
