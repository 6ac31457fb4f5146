/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-step-integral-private.h"

#include <math.h>

typedef struct
{
  double integral, duration;
  double time, value; /* of the sample before */
  double first;
} Steps;

static void
add_sample (RoastStepIntegral *result, Steps *steps, guint64 row, double time, double value)
{
  double step = time - steps->time;

  if (!isnan (steps->value) && step > 0)
    {
      steps->integral += steps->value * step;
      steps->duration += step;
    }
  steps->time = time;
  steps->value = value;
  if (isnan (value))
    return;
  if (result->n++ == 0)
    steps->first = value;
  if (isnan (result->max) || value > result->max)
    {
      result->max = value;
      result->max_row = row;
    }
}

RoastStepIntegral
roast_step_integral_of (RoastTableSnapshot *table, const char *name, const char *source)
{
  RoastStepIntegral result = { .max = NAN, .average = NAN };
  Steps steps = { .value = NAN, .time = NAN, .first = NAN };
  int column = table != NULL ? roast_table_snapshot_find_column (table, name) : -1;
  int time = column >= 0 ? roast_table_snapshot_find_column (table, "time") : -1;
  guint64 n_rows = time >= 0 ? roast_table_snapshot_get_n_rows (table) : 0;

  for (guint64 row = 0; row < n_rows; row++)
    {
      if (g_strcmp0 (roast_table_snapshot_get_string (table, row, 0), source) == 0)
        add_sample (&result, &steps, row, roast_table_snapshot_get_double (table, row, (guint) time),
                    roast_table_snapshot_get_double (table, row, (guint) column));
    }
  result.average = steps.duration > 0 ? steps.integral / steps.duration : steps.first;

  return result;
}

RoastStepIntegral
roast_step_integral (RoastTableSnapshot *table, const char *name)
{
  int column = table != NULL ? roast_table_snapshot_find_column (table, name) : -1;
  guint64 n_rows = column >= 0 ? roast_table_snapshot_get_n_rows (table) : 0;
  guint64 row = 0;

  while (row < n_rows && !roast_table_snapshot_is_valid (table, row, (guint) column))
    row++;

  return roast_step_integral_of (table, name, row < n_rows ? roast_table_snapshot_get_string (table, row, 0) : NULL);
}
