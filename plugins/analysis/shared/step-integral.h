/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* A sampled value over time. A value holds until the next sample. After a sample without a value, the value is unknown
 * until the next sample. A step back in time does not count, and a sample without a time holds for no time. */
typedef struct
{
  guint64 n;       /* number of samples that have a value */
  guint64 max_row; /* row of the sample with the maximum */
  double max;      /* NaN if no sample has a value */
  double average;  /* average over the time with known values; of a single sample its value; NaN without values */
} StepIntegral;

/* Use the first source that has a value. @samples must be a reader of cluster_samples with all its columns in their
 * order. */
StepIntegral step_integral_of_first (RoastTableReader *samples, guint value);
/* Return a text such as "from 5 samples". */
char *step_integral_dup_note (const StepIntegral *self);

G_END_DECLS
