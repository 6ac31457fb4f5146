/* SPDX-License-Identifier: BSD-3-Clause */

/* Tell the causes of a difference that are facts or have a verdict from those that may be chance. */

#include "compare.h"

/* Return whether a verdict, after division by @ratio, says that the new runs take longer (or shorter, as @seconds). */
static gboolean
says (const Verdict *self, double seconds, double ratio)
{
  if (self->verdict != ROAST_VERDICT_WORSE && self->verdict != ROAST_VERDICT_BETTER)
    return FALSE;

  return seconds > 0 ? 1 + self->low > ratio : 1 + self->high < ratio;
}

/* Return whether the time or CPU time of a category (or the metric @label if @category is NULL) has such a verdict. */
static gboolean
has_verdict (Compare *self, const char *label, const char *category, double seconds, double ratio)
{
  for (guint i = 0; i < self->verdicts->len; i++)
    {
      const Verdict *verdict = &g_array_index (self->verdicts, Verdict, i);
      gboolean is_metric = verdict->measure->kind == ROAST_COMPARED_KIND_METRIC;

      if (category == NULL ? is_metric && g_str_equal (verdict->label, label)
                           : !is_metric && g_str_equal (verdict->measure->name, category))
        if (says (verdict, seconds, ratio))
          return TRUE;
    }

  return FALSE;
}

/* Return whether all runs of a side have more tasks of the category than all runs of the other side. */
static gboolean
has_other_number (const Measure *counts)
{
  double least[N_SIDES] = { G_MAXDOUBLE, G_MAXDOUBLE }, most[N_SIDES] = { 0, 0 };

  for (guint side = 0; side < N_SIDES; side++)
    for (guint i = 0; i < counts->values[side]->len; i++)
      {
        least[side] = MIN (least[side], g_array_index (counts->values[side], double, i));
        most[side] = MAX (most[side], g_array_index (counts->values[side], double, i));
      }

  return least[NEW] > most[REFERENCE] || least[REFERENCE] > most[NEW];
}

gboolean
compare_is_certain (Compare *self, const Difference *one)
{
  static const char *const start_up[] = { "no_worker_before", "idle_before", "before_chunks", NULL };
  const Measure *counts = one->category != NULL ? compare_find (self, ROAST_COMPARED_KIND_COUNT, one->category) : NULL;

  /* Two causes need no test: tasks of categories that only one side has, and another number of slots. */
  if (one->part == NULL || one->cause == ROAST_DIFFERENCE_CAUSE_SLOTS)
    return TRUE;
  if (one->category == NULL && g_str_equal (one->part, "computing"))
    return has_verdict (self, "process_cpu_time_seconds", NULL, one->seconds, 1);
  if (one->category == NULL)
    return g_strv_contains (start_up, one->part) && has_verdict (self, "start_up_seconds", NULL, one->seconds, 1);
  if (one->cause == ROAST_DIFFERENCE_CAUSE_NUMBER)
    return has_other_number (counts);

  return one->cause == ROAST_DIFFERENCE_CAUSE_DURATION &&
         has_verdict (self, NULL, one->category, one->seconds,
                      compare_get_mean (self, counts, NEW) / compare_get_mean (self, counts, REFERENCE));
}
