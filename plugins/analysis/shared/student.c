/* SPDX-License-Identifier: BSD-3-Clause */

/* Student's distribution, computed from the regularized incomplete beta function. The continued fraction of this
 * function is evaluated from its first term on (Lentz, Thompson and Barnett). */

#include "student.h"

#include <math.h>

#define MAX_STEPS 300
#define TINY 1e-300
#define EXACT 1e-12

static double
avoid_zero (double value)
{
  return fabs (value) < TINY ? TINY : value;
}

static double
evaluate_fraction (double x, double a, double b)
{
  double c = 1;
  double d = 1 / avoid_zero (1 - (a + b) * x / (a + 1));
  double value = d;

  for (int m = 1; m <= MAX_STEPS; m++)
    {
      double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
      double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
      double step = 0;

      d = 1 / avoid_zero (1 + even * d);
      c = avoid_zero (1 + even / c);
      value *= c * d;
      d = 1 / avoid_zero (1 + odd * d);
      c = avoid_zero (1 + odd / c);
      step = c * d;
      value *= step;
      if (fabs (step - 1) < EXACT)
        break;
    }

  return value;
}

static double
incomplete_beta (double x, double a, double b)
{
  double front = 0;

  if (x <= 0 || x >= 1)
    return x <= 0 ? 0 : 1;
  front = exp (lgamma (a + b) - lgamma (a) - lgamma (b) + a * log (x) + b * log1p (-x));
  if (x < (a + 1) / (a + b + 2))
    return front * evaluate_fraction (x, a, b) / a;

  return 1 - front * evaluate_fraction (1 - x, b, a) / b;
}

double
student_tail (double t, double freedom)
{
  double half = incomplete_beta (freedom / (freedom + t * t), freedom / 2, 0.5) / 2;

  return t >= 0 ? half : 1 - half;
}

double
student_p (double t, double freedom)
{
  return 2 * student_tail (fabs (t), freedom);
}

double
student_quantile (double p, double freedom)
{
  double low = 0, high = 1e6;

  if (p < 0.5)
    return -student_quantile (1 - p, freedom);
  for (int i = 0; i < 200; i++)
    {
      double middle = (low + high) / 2;

      if (1 - student_p (middle, freedom) / 2 < p)
        low = middle;
      else
        high = middle;
    }

  return (low + high) / 2;
}
