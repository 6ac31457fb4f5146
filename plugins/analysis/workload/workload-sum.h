/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <math.h>
#include <roast/roast.h>

G_BEGIN_DECLS

/* A sum over chunks of which some do not report the value. */
typedef struct
{
  double sum;
  gint64 n, missing;
} WorkloadSum;

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

/* Return NaN if no chunk reported the value. */
static inline double
workload_sum_get (const WorkloadSum *self)
{
  return self->n > 0 ? self->sum : NAN;
}

G_END_DECLS
