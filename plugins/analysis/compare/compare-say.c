/* SPDX-License-Identifier: BSD-3-Clause */

/* Findings of a comparison. */

#include "compare.h"

#include <math.h>

#define SAY_MATTERS 0.02 /* smallest difference to report, as a share of the elapsed time */
#define SAY_LONGER 0.5   /* smallest share of the difference that the longest task must explain to be reported */
#define SAY_INPUT 0.05   /* smallest relative difference of the number of events to report */
#define SAY_FIRST 0.2    /* a certain cause is reported first if it is at least this share of the largest cause */
#define MOST_CAUSES 3    /* largest number of causes named in a sentence */
#define MOST_IDS 5       /* largest number of kept runs named in a sentence */
#define SAY_MOST_NAMES 2 /* largest number of categories named in a sentence */
#define MOST_FINDINGS 3  /* largest number of findings quoted from the runs */

void
compare_add_finding (Compare *self, const char *rule, gboolean is_warning, const char *text)
{
  g_autoptr (RoastFinding) finding =
      roast_finding_new (rule, is_warning ? ROAST_FINDING_SEVERITY_WARNING : ROAST_FINDING_SEVERITY_INFO, text);

  roast_report_add_finding (self->report, finding);
}

static const char *
name_runs (Compare *self, int side)
{
  if (side == NEW)
    return self->n[side] == 1 ? "new run" : "new runs";

  return self->n[side] == 1 ? "run of the reference" : "runs of the reference";
}

/* Return what the categories consist of: without an executor, a category is a dataset, whose chunks the program
 * reports. */
static const char *
name_task (Compare *self)
{
  const Measure *before = compare_find (self, ROAST_COMPARED_KIND_PART, "before_chunks");

  return before != NULL && before->values[NEW]->len > 0 && before->values[REFERENCE]->len > 0 ? "chunk" : "task";
}

/* Return the subject of a sentence about a measure of the new runs. */
static char *
dup_subject (Compare *self, const Verdict *verdict)
{
  static const struct
  {
    const char *label, *subject;
  } subjects[] = {
    { "elapsed_time_seconds", "elapsed time" },
    { "work_time_seconds", "working time" },
    { "without_stragglers_seconds", "estimated time without stragglers" },
    { "start_up_seconds", "start-up time" },
    { "process_cpu_time_seconds", "CPU time" },
    { "event_rate_elapsed_per_second", "event rate" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (subjects); i++)
    if (g_str_equal (verdict->label, subjects[i].label))
      return g_strdup_printf ("The %s of the %s was", subjects[i].subject, name_runs (self, NEW));

  return g_strdup_printf ("The %s time of %ss of “%s” was", g_str_equal (verdict->label, "cpu") ? "CPU" : "total",
                          name_task (self), *verdict->measure->name != '\0' ? verdict->measure->name : "(no name)");
}

static char *
dup_medians (const Verdict *self)
{
  const char *format = self->more_is_better ? "rate" : "duration";
  g_autofree char *value = roast_format_number (self->median[NEW], format);
  g_autofree char *reference = roast_format_number (self->median[REFERENCE], format);
  guint n_new = self->measure->values[NEW]->len, n_reference = self->measure->values[REFERENCE]->len;

  if (n_new == 1 && n_reference == 1)
    return g_strdup_printf ("%s instead of %s", value, reference);

  return g_strdup_printf ("%s instead of %s (medians of %u and %u runs)", value, reference, n_new, n_reference);
}

char *
compare_name_kept (Compare *self)
{
  const Measure *kept = compare_find (self, ROAST_COMPARED_KIND_KEPT, "elapsed_time_seconds");
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; kept != NULL && i < N_SIDES; i++)
    for (guint k = 0; k < kept->texts[i]->len; k++)
      if (!g_ptr_array_find_with_equal_func (ids, g_ptr_array_index (kept->texts[i], k), g_str_equal, NULL))
        g_ptr_array_add (ids, g_ptr_array_index (kept->texts[i], k));
  if (ids->len == 0)
    return NULL;
  for (guint i = 0; i < MIN (ids->len, MOST_IDS); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", (const char *) g_ptr_array_index (ids, i));
  if (ids->len > MOST_IDS)
    g_string_append_printf (text, " and %u more", ids->len - MOST_IDS);

  return g_strdup_printf ("%u kept run%s of the same command (%s)", ids->len, ids->len == 1 ? "" : "s", text->str);
}

/* Return the condition on which a verdict depends: a text such as " if such runs vary by 5 %"; "" if there is none. */
static char *
dup_condition (Compare *self, const Verdict *verdict)
{
  g_autofree char *kept = verdict->kept > 0 ? compare_name_kept (self) : NULL;

  if (kept != NULL)
    return g_strdup_printf (", judging by %s, which vary by %.1f %%", kept, 100 * verdict->kept);

  return verdict->assumed > 0 ? g_strdup_printf (" if the times of such runs vary by %.0f %%", 100 * verdict->assumed)
                              : g_strdup ("");
}

static void
say_difference (Compare *self, const Verdict *verdict)
{
  gboolean is_worse = verdict->verdict == ROAST_VERDICT_WORSE;
  g_autofree char *subject = dup_subject (self, verdict);
  g_autofree char *medians = dup_medians (verdict);
  g_autofree char *condition = dup_condition (self, verdict);
  g_autofree char *text =
      g_strdup_printf ("%s %s: %+.1f %%, with 95 %% confidence between %+.1f and %+.1f %%%s.", subject, medians,
                       100 * verdict->change, 100 * verdict->low, 100 * verdict->high, condition);
  g_autoptr (RoastFinding) finding =
      roast_finding_new (is_worse ? "compare-worse" : "compare-better",
                         is_worse ? ROAST_FINDING_SEVERITY_WARNING : ROAST_FINDING_SEVERITY_INFO, text);

  roast_finding_add_number (finding, "change", verdict->change, NULL);
  roast_finding_add_number (finding, "p", verdict->p, NULL);
  roast_report_add_finding (self->report, finding);
}

/* Report the elapsed time even if both sides took equally long. */
static void
say_elapsed (Compare *self, const Verdict *verdict)
{
  g_autofree char *subject = dup_subject (self, verdict);
  g_autofree char *medians = dup_medians (verdict);
  g_autofree char *condition = dup_condition (self, verdict);
  g_autofree char *text = NULL;
  g_autoptr (RoastFinding) finding = NULL;

  if (verdict->verdict == ROAST_VERDICT_SAME)
    text = g_strdup_printf ("%s %s. The difference is below 5 %%%s.", subject, medians, condition);
  else if (verdict->did_less)
    text = g_strdup_printf ("%s %s. This says nothing, because failed runs may have done less.", subject, medians);
  else if (isnan (verdict->p))
    text = g_strdup_printf ("%s %s. It is unknown whether this difference is chance.", subject, medians);
  else
    text = g_strdup_printf ("%s %s. This difference may be chance%s; a difference of at least %.0f %% would have been "
                            "detected.",
                            subject, medians, condition, 100 * verdict->detectable);
  finding = roast_finding_new ("compare-elapsed", ROAST_FINDING_SEVERITY_INFO, text);
  if (verdict->verdict == ROAST_VERDICT_UNKNOWN && !verdict->did_less)
    roast_finding_set_advice (finding, "Measure more runs: “roast-compare --runs=6 -- COMMAND --against COMMAND” runs "
                                       "the two commands in turn.");
  roast_report_add_finding (self->report, finding);
}

/* ---- causes of the difference ---- */

/* Return whether only one side has tasks of the category. They are reported as other tasks, not as more or fewer. */
static gboolean
is_of_one_side (Compare *self, const char *category)
{
  const Measure *counts = category != NULL ? compare_find (self, ROAST_COMPARED_KIND_COUNT, category) : NULL;

  return counts != NULL &&
         (!(compare_get_mean (self, counts, NEW) > 0) || !(compare_get_mean (self, counts, REFERENCE) > 0));
}

/* Merge all categories that only one side has into one difference without a part: a function may have been renamed. */
static GArray *
merge_others (Compare *self)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Difference));
  Difference others = { NULL, NULL, 0, 0 };
  gboolean is_any_other = FALSE;

  FOR_EACH (const Difference, one, self->differences)
    {
      if (!is_of_one_side (self, one->category))
        {
          g_array_append_val (all, *one);
          continue;
        }
      others.seconds += one->seconds;
      is_any_other = TRUE;
    }
  if (is_any_other)
    g_array_append_val (all, others);
  g_array_sort (all, compare_by_seconds);

  return all;
}

char *
compare_dup_categories_of (Compare *self, int side)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 0;

  FOR_EACH_POINTER (const Measure, measure, self->measures)
    {
      if (measure->kind != ROAST_COMPARED_KIND_COUNT || !is_of_one_side (self, measure->name) ||
          !(compare_get_mean (self, measure, side) > 0))
        continue;
      if (n < SAY_MOST_NAMES)
        g_string_append_printf (text, "%s“%s”", n > 0 ? ", " : "", measure->name);
      n++;
    }
  if (n > SAY_MOST_NAMES)
    g_string_append_printf (text, " and %u more", n - SAY_MOST_NAMES);

  return n > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static char *
dup_others (Compare *self)
{
  g_autofree char *added = compare_dup_categories_of (self, NEW);
  g_autofree char *gone = compare_dup_categories_of (self, REFERENCE);

  if (added == NULL)
    return g_strdup_printf ("%ss that only the reference has (%s)", name_task (self), gone);

  return gone == NULL ? g_strdup_printf ("%ss that the reference does not have (%s)", name_task (self), added)
                      : g_strdup_printf ("%ss with different names (%s instead of %s)", name_task (self), added, gone);
}

static char *
dup_slots (Compare *self)
{
  const Measure *slots = compare_find (self, ROAST_COMPARED_KIND_METRIC, "slots");
  double n[N_SIDES] = { compare_get_mean (self, slots, NEW), compare_get_mean (self, slots, REFERENCE) };

  return g_strdup_printf ("%s slots for the tasks (%.4g instead of %.4g)", n[NEW] < n[REFERENCE] ? "fewer" : "more",
                          n[NEW], n[REFERENCE]);
}

static char *
dup_singles (Compare *self, const char *category, double difference)
{
  const Measure *singles = compare_find (self, ROAST_COMPARED_KIND_SINGLE, category);
  const Measure *counts = compare_find (self, ROAST_COMPARED_KIND_SINGLE_COUNT, category);
  int side = difference > 0 ? NEW : REFERENCE;
  const GPtrArray *names = singles->texts[side];
  double n = compare_get_mean (self, counts, side);

  if (n == 1 && names->len == 1)
    return g_strdup_printf ("one “%s” %s that took more than 5 times as long as the other %ss: %s", category,
                            name_task (self), name_task (self), (const char *) g_ptr_array_index (names, 0));

  return g_strdup_printf ("single “%s” %ss that took more than 5 times as long as the other %ss (longest: %s)",
                          category, name_task (self), name_task (self),
                          names->len > 0 ? (const char *) g_ptr_array_index (names, 0) : "(no name)");
}

/* Return a text about a slow worker in the runs that took longer. Return NULL if these runs have no slow worker, or if
 * the runs of the other side also have one. */
static char *
dup_slow_worker (Compare *self, const char *category, double difference)
{
  const Measure *slow = compare_find (self, ROAST_COMPARED_KIND_SLOW_WORKER, category);
  int side = difference > 0 ? NEW : REFERENCE;
  int other = difference > 0 ? REFERENCE : NEW;

  if (slow == NULL || slow->texts[side]->len == 0 || slow->texts[other]->len > 0)
    return NULL;

  return g_strdup_printf ("; each %s took %.1f times as long on worker %s as on the other workers", name_task (self),
                          g_array_index (slow->values[side], double, 0),
                          (const char *) g_ptr_array_index (slow->texts[side], 0));
}

/* Return a text about the CPU time of each task, which tells tasks that compute longer from tasks that wait. Return ""
 * unless it is known for all tasks. */
static char *
dup_cpu (Compare *self, const char *category)
{
  const Measure *cpu = compare_find (self, ROAST_COMPARED_KIND_CPU, category);
  const Measure *counts = compare_find (self, ROAST_COMPARED_KIND_COUNT, category);
  g_autofree char *value = NULL;
  g_autofree char *reference = NULL;

  if (cpu == NULL || cpu->values[NEW]->len < counts->values[NEW]->len ||
      cpu->values[REFERENCE]->len < counts->values[REFERENCE]->len)
    return g_strdup ("");
  value = roast_format_number (compare_get_mean (self, cpu, NEW) / compare_get_mean (self, counts, NEW), "duration");
  reference = roast_format_number (compare_get_mean (self, cpu, REFERENCE) / compare_get_mean (self, counts, REFERENCE),
                                   "duration");

  return g_strdup_printf ("; CPU time %s instead of %s", value, reference);
}

/* Return a text about the change of task times. The median shows how long most tasks took: if it changed much less than
 * the mean, only some tasks changed. */
static char *
dup_duration (Compare *self, const char *category, double difference)
{
  const Measure *medians = compare_find (self, ROAST_COMPARED_KIND_MEDIAN, category);
  const Measure *seconds = compare_find (self, ROAST_COMPARED_KIND_SECONDS, category);
  const Measure *singles = compare_find (self, ROAST_COMPARED_KIND_SINGLE, category);
  const Measure *counts = compare_find (self, ROAST_COMPARED_KIND_COUNT, category);
  double median[N_SIDES], mean[N_SIDES];
  g_autofree char *value = NULL;
  g_autofree char *reference = NULL;
  g_autofree char *worker = NULL;
  g_autofree char *cpu = dup_cpu (self, category);
  gboolean is_of_most;

  for (guint i = 0; i < N_SIDES; i++)
    {
      median[i] = compare_get_median (medians->values[i]);
      mean[i] = (compare_get_mean (self, seconds, (int) i) - compare_get_mean (self, singles, (int) i)) /
                compare_get_mean (self, counts, (int) i);
    }
  is_of_most = (median[NEW] - median[REFERENCE]) / (mean[NEW] - mean[REFERENCE]) > 0.5;
  value = roast_format_number (is_of_most ? median[NEW] : mean[NEW], "duration");
  reference = roast_format_number (is_of_most ? median[REFERENCE] : mean[REFERENCE], "duration");

  if (is_of_most)
    return g_strdup_printf ("the time of each “%s” %s (median %s instead of %s%s)", category, name_task (self), value,
                            reference, cpu);
  worker = dup_slow_worker (self, category, difference);

  return g_strdup_printf ("the time of some “%s” %ss (mean %s instead of %s; the median changed less than half as "
                          "much%s)",
                          category, name_task (self), value, reference, worker != NULL ? worker : "");
}

static char *
dup_cause (Compare *self, const Difference *one)
{
  const Measure *counts = NULL;

  if (one->part == NULL)
    return dup_others (self);
  if (one->cause == ROAST_DIFFERENCE_CAUSE_SLOTS)
    return dup_slots (self);
  if (one->category == NULL)
    return g_strdup_printf ("“%s”",
                            roast_schema_get_label (roast_report_get_schema (self->report), "core_part", one->part));
  if (one->cause == ROAST_DIFFERENCE_CAUSE_SINGLE)
    return dup_singles (self, one->category, one->seconds);
  if (one->cause == ROAST_DIFFERENCE_CAUSE_DURATION)
    return dup_duration (self, one->category, one->seconds);
  counts = compare_find (self, ROAST_COMPARED_KIND_COUNT, one->category);

  return g_strdup_printf ("the number of “%s” %ss (%.4g instead of %.4g)", one->category, name_task (self),
                          compare_get_mean (self, counts, NEW), compare_get_mean (self, counts, REFERENCE));
}

static void
append_cause (Compare *self, GString *text, const Difference *one)
{
  g_autofree char *amount = roast_format_number (fabs (one->seconds), "duration");
  g_autofree char *cause = dup_cause (self, one);

  g_string_append_printf (text, "%s%s%s by %s", text->len > 0 ? ", " : "", one->seconds < 0 ? "-" : "+", amount, cause);
}

/* Report the largest causes of the difference between the mean elapsed times. Report certain causes first: if this
 * difference may be chance, other causes may be chance, too; else they may be a consequence, such as the other cores,
 * which are idle while a program computes longer on one core. */
static void
say_causes (Compare *self, const Verdict *elapsed)
{
  g_autoptr (GArray) all = merge_others (self);
  g_autoptr (GString) certain = g_string_new (NULL);
  g_autoptr (GString) chance = g_string_new (NULL);
  g_autofree char *text = NULL;
  double total = compare_get_mean (self, elapsed->measure, NEW) - compare_get_mean (self, elapsed->measure, REFERENCE);
  g_autofree char *difference = roast_format_number (fabs (total), "duration");
  const Difference *largest = (const Difference *) (gpointer) all->data;
  gboolean differs = elapsed->verdict != ROAST_VERDICT_UNKNOWN;
  guint n = 0;

  for (guint turn = 0; turn < 2; turn++)
    for (guint i = 0; i < all->len && n < MOST_CAUSES; i++)
      {
        const Difference *one = &g_array_index (all, Difference, i);
        gboolean is_first =
            compare_is_certain (self, one) && (!differs || fabs (one->seconds) >= SAY_FIRST * fabs (largest->seconds));

        if (fabs (one->seconds) < SAY_MATTERS * elapsed->median[REFERENCE] || is_first != (turn == 0))
          continue;
        append_cause (self, differs || is_first ? certain : chance, one);
        n++;
      }
  if (n == 0)
    return;
  text = g_strdup_printf ("%s took %s %s than the reference%s%s%s%s.",
                          self->n[NEW] == 1 && self->n[REFERENCE] == 1 ? "The new run" : "On average, the new runs",
                          difference, total < 0 ? "less" : "more", certain->len > 0 ? ": " : "", certain->str,
                          chance->len == 0    ? ""
                          : certain->len == 0 ? ", which may be chance: "
                                              : ". These differences may be chance: ",
                          chance->str);
  compare_add_finding (self, "compare-causes", elapsed->verdict == ROAST_VERDICT_WORSE, text);
}

/* Report the longest task if it took much longer than the longest task of the other run. Other cores are idle until
 * this task ends, so the run can become longer by the whole additional time of the task, whatever the number of
 * slots. */
static void
say_longest (Compare *self, const Verdict *elapsed)
{
  const Measure *longest = compare_find (self, ROAST_COMPARED_KIND_LONGEST, "");
  int side = elapsed->median[NEW] >= elapsed->median[REFERENCE] ? NEW : REFERENCE;
  int other = side == NEW ? REFERENCE : NEW;
  double difference = fabs (elapsed->median[NEW] - elapsed->median[REFERENCE]);
  double time[N_SIDES];
  g_autofree char *value = NULL;
  g_autofree char *before = NULL;
  g_autofree char *text = NULL;

  if (longest == NULL || self->n[NEW] > 1 || self->n[REFERENCE] > 1)
    return;
  for (guint i = 0; i < N_SIDES; i++)
    time[i] = compare_get_median (longest->values[i]);
  if (!(time[side] - time[other] >= SAY_LONGER * difference) || difference < SAY_MATTERS * elapsed->median[REFERENCE])
    return;
  value = roast_format_number (time[side], "duration");
  before = roast_format_number (time[other], "duration");
  text = g_strdup_printf ("The longest %s of the %s, %s, took %s; the longest %s of the other run took %s.",
                          name_task (self), name_runs (self, side),
                          (const char *) g_ptr_array_index (longest->texts[side], 0), value, name_task (self), before);
  compare_add_finding (self, "compare-longest", FALSE, text);
}

/* Return a text such as "Only in the new runs" or "In 3 of 5 new runs and 1 of 5 runs of the reference". */
static char *
dup_where (Compare *self, const Measure *finding, int side)
{
  int other = side == NEW ? REFERENCE : NEW;
  guint n = finding->texts[side]->len, n_other = finding->texts[other]->len;

  if (n == self->n[side] && n_other == 0)
    return g_strdup_printf ("Only in the %s", name_runs (self, side));
  if (n_other == 0)
    return g_strdup_printf ("Only in %u of %u %s", n, self->n[side], name_runs (self, side));

  return g_strdup_printf ("In %u of %u %s and %u of %u %s", n, self->n[side], name_runs (self, side), n_other,
                          self->n[other], name_runs (self, other));
}

/* Report findings that most runs of a side have and most runs of the other side lack. */
static void
say_findings_of (Compare *self, int side)
{
  guint n = 0;

  for (guint i = 0; i < self->measures->len && n < MOST_FINDINGS; i++)
    {
      const Measure *measure = g_ptr_array_index (self->measures, i);
      g_autofree char *where = NULL;
      g_autofree char *text = NULL;

      if (measure->kind != ROAST_COMPARED_KIND_FINDING || !compare_is_only_in (self, measure, side))
        continue;
      where = dup_where (self, measure, side);
      text = g_strdup_printf ("%s: %s", where, (const char *) g_ptr_array_index (measure->texts[side], 0));
      compare_add_finding (self, "compare-finding", FALSE, text);
      n++;
    }
}

/* Report findings of the sides of which a measure is worse than that of the other side; of both sides if no measure
 * differs. The elapsed time alone does not decide this: other load on the machine may hide a slow worker in it. */
static void
say_findings (Compare *self)
{
  gboolean is_worse = FALSE, is_better = FALSE;

  FOR_EACH (const Verdict, verdict, self->verdicts)
    {
      is_worse |= verdict->verdict == ROAST_VERDICT_WORSE;
      is_better |= verdict->verdict == ROAST_VERDICT_BETTER;
    }
  if (is_worse || !is_better)
    say_findings_of (self, NEW);
  if (is_better || !is_worse)
    say_findings_of (self, REFERENCE);
}

/* ---- runs that cannot be compared ---- */

/* Return a text such as "the new run" or "2 of 5 new runs". */
static char *
dup_some (Compare *self, int side, guint n)
{
  return self->n[side] == 1 ? g_strdup_printf ("the %s", name_runs (self, side))
                            : g_strdup_printf ("%u of %u %s", n, self->n[side], name_runs (self, side));
}

/* Report failed runs: such a run may be short only because it did less work. */
static void
say_failed_runs (Compare *self, int side)
{
  const Measure *elapsed = compare_find (self, ROAST_COMPARED_KIND_METRIC, "elapsed_time_seconds");
  guint n_failed = compare_count_failed (self, side);
  guint n_unknown = self->n[side] - (elapsed != NULL ? elapsed->values[side]->len : 0);
  g_autofree char *who = dup_some (self, side, n_failed);
  g_autofree char *whose = dup_some (self, side, n_unknown);
  g_autofree char *unknown = g_strdup_printf ("The elapsed time of %s is unknown.", whose);
  g_autofree char *failed = NULL;

  *who = g_ascii_toupper (*who);
  failed =
      g_strdup_printf ("%s failed. A failed run may have done only part of the work, so do not compare its time.", who);
  if (n_failed > 0)
    compare_add_finding (self, "compare-failed", TRUE, failed);
  if (n_unknown > 0)
    compare_add_finding (self, "compare-unknown", TRUE, unknown);
}

static void
say_failed_tasks (Compare *self, int side)
{
  double failed = compare_get_mean (self, compare_find (self, ROAST_COMPARED_KIND_METRIC, "tasks_failed_total"), side);
  double all = compare_get_mean (self, compare_find (self, ROAST_COMPARED_KIND_METRIC, "tasks_submitted_total"), side);
  g_autofree char *text = NULL;

  if (!(failed > 0))
    return;
  text = g_strdup_printf ("In the %s, %.4g of %.4g tasks failed%s. The times of categories exclude failed tasks.",
                          name_runs (self, side), failed, all, self->n[side] == 1 ? "" : " on average");
  compare_add_finding (self, "compare-failed-tasks", TRUE, text);
}

/* Report runs that processed another number of events, and their working time for each: more input takes longer. */
static void
say_input (Compare *self)
{
  double events[N_SIDES], seconds[N_SIDES];
  g_autofree char *n = NULL;
  g_autofree char *n_reference = NULL;
  g_autofree char *time = NULL;
  g_autofree char *reference = NULL;
  g_autofree char *text = NULL;

  for (int i = 0; i < N_SIDES; i++)
    {
      events[i] = compare_find_median (self, ROAST_COMPARED_KIND_METRIC, "events_total", i);
      seconds[i] = compare_find_median (self, ROAST_COMPARED_KIND_METRIC, "work_time_seconds", i) / events[i];
    }
  if (!(seconds[NEW] > 0 && seconds[REFERENCE] > 0) ||
      fabs (events[NEW] - events[REFERENCE]) < SAY_INPUT * events[REFERENCE])
    return;
  n = roast_format_number (events[NEW], "count");
  n_reference = roast_format_number (events[REFERENCE], "count");
  time = roast_format_number (seconds[NEW], "duration");
  reference = roast_format_number (seconds[REFERENCE], "duration");
  text = g_strdup_printf ("The %s processed %s events instead of %s. The working time for each event was %s instead of "
                          "%s: %+.1f %%.",
                          name_runs (self, NEW), n, n_reference, time, reference,
                          100 * (seconds[NEW] / seconds[REFERENCE] - 1));
  compare_add_finding (self, "compare-input", TRUE, text);
}

void
compare_say (Compare *self)
{
  for (int side = 0; side < N_SIDES; side++)
    {
      say_failed_runs (self, side);
      say_failed_tasks (self, side);
    }
  say_input (self);
  FOR_EACH (const Verdict, verdict, self->verdicts)
    {
      gboolean is_elapsed = g_str_equal (verdict->label, "elapsed_time_seconds");
      gboolean differs = verdict->verdict == ROAST_VERDICT_WORSE || verdict->verdict == ROAST_VERDICT_BETTER;

      if (differs)
        say_difference (self, verdict);
      else if (is_elapsed)
        say_elapsed (self, verdict);
      if (!is_elapsed)
        continue;
      say_causes (self, verdict);
      say_longest (self, verdict);
    }
  say_findings (self);
}
