/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <math.h>
#include <roast/roast.h>

/* Sum of a value over chunks. Some chunks may not report the value. */
typedef struct
{
  double sum;
  gint64 n, missing; /* number of chunks with and without the value; n may be WORKLOAD_SUM_ONLY */
} WorkloadSum;

#define WORKLOAD_SUM_ONLY -1 /* value of n if the sum is known, but not the number of chunks */

/* Sum of a value over chunks, and how the value varies between chunks. */
typedef struct
{
  WorkloadSum sum;
  double least, most;
  double mean, squares; /* intermediate values of Welford's method */
} WorkloadSpread;

static inline void
workload_sum_add (WorkloadSum *self, double value)
{
  if (isnan (value))
    self->missing++;
  else
    {
      self->sum += value;
      self->n++;
    }
}

/* Return the sum; NaN if no chunk reported the value. */
static inline double
workload_sum_get (const WorkloadSum *self)
{
  return self->n != 0 ? self->sum : NAN;
}

static inline void
workload_spread_add (WorkloadSpread *self, double value)
{
  double before = self->mean;

  workload_sum_add (&self->sum, value);
  if (isnan (value))
    return;
  self->least = self->sum.n == 1 ? value : fmin (self->least, value);
  self->most = self->sum.n == 1 ? value : fmax (self->most, value);
  self->mean += (value - before) / (double) self->sum.n;
  self->squares += (value - before) * (value - self->mean);
}

/* Return the sample standard deviation (divided by n - 1), which is 0 for a single chunk. */
static inline double
workload_spread_get_deviation (const WorkloadSpread *self)
{
  return self->sum.n > 1 ? sqrt (self->squares / (double) (self->sum.n - 1)) : 0;
}
