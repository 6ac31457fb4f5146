/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Of n values. */
typedef struct
{
  guint n;
  double mean, variance; /* with n - 1 */
} Moments;

/* The difference of two means. */
typedef struct
{
  double difference; /* of the first mean and the second */
  double error;      /* its standard error */
  double freedom;    /* degrees of freedom */
  double p;          /* two-sided */
} Test;

Moments moments_of (const double *values, guint n);
/* Welch's test, for two values or more on each side. */
Test test_welch (const Moments *a, const Moments *b);
/* Whether @a may come from where @b does, of which three values or more are known: a prediction interval. */
Test test_prediction (const Moments *a, const Moments *b);
/* Exact two-sided probability of the test of Mann and Whitney; NaN if values are equal, or more than 30 on a side. */
double mann_whitney_p (const double *a, guint n, const double *b, guint m);
/* Corrects probabilities, of which some may be NaN, for their number. */
void holm_correct (double *p, guint n);

G_END_DECLS
