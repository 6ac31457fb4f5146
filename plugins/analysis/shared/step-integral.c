/* SPDX-License-Identifier: BSD-3-Clause */
#include "step-integral.h"

#include <math.h>

typedef struct
{
  double integral, duration;
  double time, value; /* time and value of the previous sample */
  double first;
} Steps;

static void
add_step (Steps *steps, double time, double value)
{
  double step = fmax (time - steps->time, 0);

  if (!isnan (steps->value))
    {
      steps->integral += steps->value * step;
      steps->duration += step;
    }
  steps->time = time;
  steps->value = value;
}

static void
step_integral_add_sample (StepIntegral *result, Steps *steps, guint64 row, double time, double value)
{
  if (!isnan (time))
    add_step (steps, time, value);
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

char *
step_integral_dup_note (const StepIntegral *self)
{
  return g_strdup_printf ("from %" G_GUINT64_FORMAT " %s", self->n, self->n == 1 ? "sample" : "samples");
}

StepIntegral
step_integral_of_first (RoastTableReader *samples, guint value)
{
  StepIntegral result = { .max = NAN, .average = NAN };
  Steps steps = { .value = NAN, .time = NAN, .first = NAN };
  g_autofree char *first = NULL;

  roast_table_reader_rewind (samples);
  while (roast_table_reader_next (samples))
    {
      const char *source = roast_table_reader_get_string (samples, ROAST_CLUSTER_SAMPLES_SOURCE);

      if (first == NULL && roast_table_reader_has (samples, value))
        first = g_strdup (source);
      if (g_strcmp0 (source, first) == 0)
        step_integral_add_sample (&result, &steps, roast_table_reader_get_row (samples),
                                  roast_table_reader_get_double (samples, ROAST_CLUSTER_SAMPLES_TIME),
                                  roast_table_reader_get_double (samples, value));
    }
  result.average = steps.duration > 0 ? steps.integral / steps.duration : steps.first;

  return result;
}
