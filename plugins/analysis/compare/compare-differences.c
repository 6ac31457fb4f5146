/* SPDX-License-Identifier: BSD-3-Clause */

/* Where the difference of the elapsed times comes from: parts of the core time, divided by the slots, of which those of
 * tasks are divided by category into another number of tasks and another time for each. They add up to it exactly. */

#include "compare.h"

#include <math.h>
#include <string.h>

#define TASKS "task"

static gboolean
is_of_tasks (const char *part)
{
  return g_str_has_prefix (part, "task.");
}

static void
put (RoastTableWriter *table, const char *part, const char *category, int cause, double value, double reference)
{
  roast_table_writer_set_string (table, ROAST_DIFFERENCES_PART, part);
  roast_table_writer_set_string (table, ROAST_DIFFERENCES_CATEGORY, category);
  roast_table_writer_set_word (table, ROAST_DIFFERENCES_CAUSE, cause);
  roast_table_writer_set_double (table, ROAST_DIFFERENCES_NEW, value);
  roast_table_writer_set_double (table, ROAST_DIFFERENCES_REFERENCE, reference);
  roast_table_writer_set_double (table, ROAST_DIFFERENCES_DIFFERENCE, value - reference);
  roast_table_writer_end (table, NULL);
}

/* Mean over the runs of a side of the time in a category, divided by the slots of the run. */
static double
get_time (Compare *self, const Measure *seconds, int side)
{
  const Measure *slots = compare_find (self, ROAST_COMPARED_KIND_METRIC, "slots");
  double sum = 0;

  for (guint i = 0; i < seconds->values[side]->len; i++)
    sum += g_array_index (seconds->values[side], double, i) / g_array_index (slots->values[side], double, i);

  return sum / self->n[side];
}

/* Whether each run of both sides has it, so that the numbers of two measures are of the same runs. */
static gboolean
is_everywhere (Compare *self, const Measure *measure)
{
  return measure != NULL && measure->values[NEW]->len == self->n[NEW] &&
         measure->values[REFERENCE]->len == self->n[REFERENCE];
}

/* First another number of tasks that each take as long as before, then another time for each. */
static void
divide_category (Compare *self, RoastTableWriter *table, const Measure *seconds, double *rest)
{
  const Measure *counts = compare_find (self, ROAST_COMPARED_KIND_COUNT, seconds->name);
  double time[N_SIDES], n[N_SIDES], between;

  for (guint i = 0; i < N_SIDES; i++)
    {
      time[i] = get_time (self, seconds, (int) i);
      n[i] = compare_get_mean (self, counts, (int) i);
      rest[i] -= time[i];
    }
  between = n[REFERENCE] > 0 ? n[NEW] * time[REFERENCE] / n[REFERENCE] : time[NEW];
  put (table, TASKS, seconds->name, ROAST_DIFFERENCE_CAUSE_NUMBER, between, time[REFERENCE]);
  put (table, TASKS, seconds->name, ROAST_DIFFERENCE_CAUSE_DURATION, time[NEW], between);
}

static void
divide_tasks (Compare *self, RoastTableWriter *table, double *rest)
{
  for (guint i = 0; i < self->measures->len; i++)
    {
      const Measure *measure = g_ptr_array_index (self->measures, i);

      if (measure->kind == ROAST_COMPARED_KIND_SECONDS && is_everywhere (self, measure))
        divide_category (self, table, measure, rest);
    }
  put (table, TASKS, NULL, ROAST_DIFFERENCE_CAUSE_REST, rest[NEW], rest[REFERENCE]);
}

void
compare_divide (Compare *self)
{
  g_autoptr (RoastTableWriter) table = NULL;
  double tasks[N_SIDES] = { 0, 0 };

  /* Each run has its parts, or none has. */
  if (!is_everywhere (self, compare_find (self, ROAST_COMPARED_KIND_METRIC, "slots")))
    {
      roast_report_add_note (self->report, "where the difference comes from is not available: a run has no core time");
      return;
    }
  table = roast_report_write_table (self->report, ROAST_TABLE_DIFFERENCES, roast_differences_columns, NULL);
  for (guint i = 0; i < self->measures->len; i++)
    {
      const Measure *measure = g_ptr_array_index (self->measures, i);
      double value = compare_get_mean (self, measure, NEW);
      double reference = compare_get_mean (self, measure, REFERENCE);

      if (measure->kind != ROAST_COMPARED_KIND_PART)
        continue;
      if (!is_of_tasks (measure->name))
        put (table, measure->name, NULL, ROAST_DIFFERENCE_CAUSE_REST, value, reference);
      else
        {
          tasks[NEW] += value;
          tasks[REFERENCE] += reference;
        }
    }
  divide_tasks (self, table, tasks);
}
