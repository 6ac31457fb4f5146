/* SPDX-License-Identifier: BSD-3-Clause */

/* Explain the difference between the elapsed times of two sides. First split it into parts: core time divided by the
 * number of slots. Then split the part of tasks by category, and by cause: a different number of tasks, a different
 * time per task, and single tasks that took far longer. The cause "slots" covers the different number of slots that the
 * tasks share. All terms together add up exactly to the difference. */

#include "compare.h"

#include <math.h>

#define DIFFERENCES_TASKS "task"

static void
differences_put (Compare *self, RoastTableWriter *table, const char *part, const char *category, int cause,
                 double value, double reference)
{
  const Difference difference = { part, category, cause, value - reference };

  g_array_append_val (self->differences, difference);
  roast_table_writer_set_string (table, ROAST_DIFFERENCES_PART, part);
  roast_table_writer_set_string (table, ROAST_DIFFERENCES_CATEGORY, category);
  roast_table_writer_set_word (table, ROAST_DIFFERENCES_CAUSE, cause);
  roast_table_writer_set_double (table, ROAST_DIFFERENCES_NEW, value);
  roast_table_writer_set_double (table, ROAST_DIFFERENCES_REFERENCE, reference);
  roast_table_writer_set_double (table, ROAST_DIFFERENCES_DIFFERENCE, difference.seconds);
  roast_table_writer_end (table, NULL);
}

/* Return the time of a category's tasks divided by the run's slots, averaged over the runs of a side. */
static double
get_time (Compare *self, const Measure *seconds, int side)
{
  const Measure *slots = compare_find (self, ROAST_COMPARED_KIND_METRIC, "slots");
  double sum = 0;

  for (guint i = 0; i < seconds->values[side]->len; i++)
    sum += g_array_index (seconds->values[side], double, i) /
           compare_get_of_run (slots, side, g_array_index (seconds->runs[side], gint64, i));

  return sum / self->n[side];
}

/* Return whether every run of both sides has a value of the measure. Two measures with this property cover the same
 * runs. */
static gboolean
is_everywhere (Compare *self, const Measure *measure)
{
  return measure != NULL && measure->values[NEW]->len == self->n[NEW] &&
         measure->values[REFERENCE]->len == self->n[REFERENCE];
}

/* Return whether the total task time of every run of a side is known. If the total is known, a category that a run does
 * not list took no time in this run. */
static gboolean
has_tasks (Compare *self, int side)
{
  FOR_EACH_POINTER (const Measure, measure, self->measures)
    if (measure->kind == ROAST_COMPARED_KIND_SECONDS && measure->values[side]->len == self->n[side])
      return TRUE;

  return FALSE;
}

/* Return the mean number of slots in the runs of a side, weighted by their task time in a category. */
static double
get_slots (Compare *self, const Measure *seconds, int side)
{
  double time = get_time (self, seconds, side);

  return time > 0 ? compare_get_mean (self, seconds, side) / time
                  : compare_get_mean (self, compare_find (self, ROAST_COMPARED_KIND_METRIC, "slots"), side);
}

/* Attribute a category's difference to four causes: the number of tasks, the time per task, single tasks that took far
 * longer, and the number of slots. Compute the first three with the number of slots of the reference; collect the
 * fourth in @on_slots. */
static void
divide_category (Compare *self, RoastTableWriter *table, const Measure *seconds, double *on_slots)
{
  const Measure *counts = compare_find (self, ROAST_COMPARED_KIND_COUNT, seconds->name);
  const Measure *singles = compare_find (self, ROAST_COMPARED_KIND_SINGLE, seconds->name);
  double slots = get_slots (self, seconds, REFERENCE);
  double usual[N_SIDES], single[N_SIDES], n[N_SIDES], between;

  for (guint i = 0; i < N_SIDES; i++)
    {
      single[i] = compare_get_mean (self, singles, (int) i) / slots;
      usual[i] = compare_get_mean (self, seconds, (int) i) / slots - single[i];
      n[i] = compare_get_mean (self, counts, (int) i);
    }
  between = n[REFERENCE] > 0 ? n[NEW] * usual[REFERENCE] / n[REFERENCE] : usual[NEW];
  differences_put (self, table, DIFFERENCES_TASKS, seconds->name, ROAST_DIFFERENCE_CAUSE_NUMBER, between,
                   usual[REFERENCE]);
  differences_put (self, table, DIFFERENCES_TASKS, seconds->name, ROAST_DIFFERENCE_CAUSE_DURATION, usual[NEW], between);
  if (singles != NULL)
    differences_put (self, table, DIFFERENCES_TASKS, seconds->name, ROAST_DIFFERENCE_CAUSE_SINGLE, single[NEW],
                     single[REFERENCE]);
  on_slots[NEW] += get_time (self, seconds, NEW);
  on_slots[REFERENCE] += usual[NEW] + single[NEW];
}

static void
divide_tasks (Compare *self, RoastTableWriter *table, double *rest)
{
  gboolean is_known = rest[NEW] + rest[REFERENCE] > 0 && has_tasks (self, NEW) && has_tasks (self, REFERENCE);
  double on_slots[N_SIDES] = { 0, 0 }; /* time of the new runs' tasks, divided by the number of slots of each side */

  FOR_EACH_POINTER (const Measure, measure, self->measures)
    {
      if (measure->kind != ROAST_COMPARED_KIND_SECONDS || measure->is_left_out || !is_known)
        continue;
      divide_category (self, table, measure, on_slots);
      rest[NEW] -= get_time (self, measure, NEW);
      rest[REFERENCE] -= get_time (self, measure, REFERENCE);
    }
  differences_put (self, table, DIFFERENCES_TASKS, NULL, ROAST_DIFFERENCE_CAUSE_SLOTS, on_slots[NEW],
                   on_slots[REFERENCE]);
  differences_put (self, table, DIFFERENCES_TASKS, NULL, ROAST_DIFFERENCE_CAUSE_REST, rest[NEW], rest[REFERENCE]);
}

int
compare_by_seconds (gconstpointer a, gconstpointer b)
{
  double left = fabs (((const Difference *) a)->seconds), right = fabs (((const Difference *) b)->seconds);

  return (left < right) - (left > right);
}

void
compare_divide (Compare *self)
{
  g_autoptr (RoastTableWriter) table = NULL;
  double tasks[N_SIDES] = { 0, 0 };

  /* Skip the table unless every run has core time: otherwise the parts are not comparable. */
  if (!is_everywhere (self, compare_find (self, ROAST_COMPARED_KIND_METRIC, "slots")))
    {
      roast_report_add_note (self->report, "the causes of the difference are not available, because the core time of "
                                           "at least one run is unknown");
      return;
    }
  table = roast_differences_write (self->report);
  FOR_EACH_POINTER (const Measure, measure, self->measures)
    {
      double value = compare_get_mean (self, measure, NEW);
      double reference = compare_get_mean (self, measure, REFERENCE);

      if (measure->kind != ROAST_COMPARED_KIND_PART)
        continue;
      if (!g_str_has_prefix (measure->name, "task."))
        differences_put (self, table, measure->name, NULL, ROAST_DIFFERENCE_CAUSE_REST, value, reference);
      else
        {
          tasks[NEW] += value;
          tasks[REFERENCE] += reference;
        }
    }
  divide_tasks (self, table, tasks);
  g_array_sort (self->differences, compare_by_seconds);
}
