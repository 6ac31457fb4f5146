/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Integral of a sampled value over time. Each value holds until the next sample. After a sample without a value, the
 * value is unknown until the next sample. If the time of a sample is missing or goes back, the time between the samples
 * is not counted. */
typedef struct
{
  guint64 n;       /* number of samples that have a value */
  guint64 max_row; /* number of the row whose sample has the maximum */
  double max;      /* NaN if no sample has a value */
  double average;  /* average over the time with known values; of a single sample its value; NaN if none */
} StepIntegral;

/* Integrate the values of the first source that has any. @samples must be a reader of cluster_samples with all columns
 * in their order. */
StepIntegral step_integral_of_first (RoastTableReader *samples, guint value);
/* Return a text such as "from 5 samples". */
char *step_integral_dup_note (const StepIntegral *self);

G_END_DECLS
