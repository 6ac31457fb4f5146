/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-table-snapshot.h"

G_BEGIN_DECLS

/* What samples of a value say over time. A value holds until the next sample; from a sample without a value on nothing
 * is known until the next. Times in any unit, in the order of their coming; a step back in time does not count. */
typedef struct
{
  guint64 n;       /* samples with a value */
  guint64 max_row; /* of the highest */
  double max;      /* NaN without any */
  double average;  /* over the time that is known; of one sample its value; NaN without any */
} RoastStepIntegral;

/* Of one column over the column "time", of the rows of one source: the first that has a value. @table may be NULL. */
RoastStepIntegral roast_step_integral (RoastTableSnapshot *table, const char *column);
/* Of a given source. */
RoastStepIntegral roast_step_integral_of (RoastTableSnapshot *table, const char *column, const char *source);

G_END_DECLS
