/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* A sampled value over time. It holds until the next sample; after a sample without a value nothing is known until the
 * next. A step back in time does not count, and a sample without a time holds for none. */
typedef struct
{
  guint64 n;       /* samples with a value */
  guint64 max_row; /* row of the highest */
  double max;      /* NaN without any */
  double average;  /* over the time that is known; of one sample its value; NaN without any */
} StepIntegral;

/* @samples: a reader of cluster_samples with all its columns in their order */
StepIntegral step_integral (RoastTableReader *samples, guint value, const char *source);
/* "from 5 samples" */
char *step_integral_dup_note (const StepIntegral *self);

/* Of the first source that has a value. */
StepIntegral step_integral_of_first (RoastTableReader *samples, guint value);

G_END_DECLS
