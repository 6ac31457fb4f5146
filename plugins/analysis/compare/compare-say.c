/* SPDX-License-Identifier: BSD-3-Clause */

/* Findings of a comparison. */

#include "compare.h"

#include <math.h>

#define MATTERS 0.02 /* of the elapsed time: a difference that is worth a sentence */

static const char *
name_tasks (const Verdict *self)
{
  return *self->measure->name != '\0' ? self->measure->name : "(no name)";
}

/* What a measure is, as the subject of a sentence about the new runs. */
static char *
dup_subject (const Verdict *self)
{
  if (g_str_equal (self->label, "elapsed_time_seconds"))
    return g_strdup ("The runs took");
  if (g_str_equal (self->label, "work_time_seconds"))
    return g_strdup ("From the first task or chunk to the last, the runs took");
  if (g_str_equal (self->label, "start_up_seconds"))
    return g_strdup ("Until their first task or chunk, the runs took");
  if (g_str_equal (self->label, "process_cpu_time_seconds"))
    return g_strdup ("The runs used CPU time of");
  if (g_str_equal (self->label, "event_rate_elapsed_per_second"))
    return g_strdup ("The runs processed events at");
  if (g_str_equal (self->label, "cpu"))
    return g_strdup_printf ("“%s” used CPU time of", name_tasks (self));

  return g_strdup_printf ("“%s” took, in all its tasks or chunks,", name_tasks (self));
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

static void
say_difference (Compare *self, const Verdict *verdict)
{
  gboolean is_worse = verdict->verdict == ROAST_VERDICT_WORSE;
  g_autofree char *subject = dup_subject (verdict);
  g_autofree char *medians = dup_medians (verdict);
  g_autofree char *text =
      g_strdup_printf ("%s %s: %+.1f %%, with 95 %% confidence between %+.1f and %+.1f %%.", subject, medians,
                       100 * verdict->change, 100 * verdict->low, 100 * verdict->high);
  g_autoptr (RoastFinding) finding =
      roast_finding_new (is_worse ? "compare-worse" : "compare-better",
                         is_worse ? ROAST_FINDING_SEVERITY_WARNING : ROAST_FINDING_SEVERITY_INFO, text);

  roast_finding_add_number (finding, "change", verdict->change, NULL);
  roast_finding_add_number (finding, "p", verdict->p, NULL);
  roast_report_add_finding (self->report, finding);
}

/* The elapsed time has a sentence in any case. */
static void
say_elapsed (Compare *self, const Verdict *verdict)
{
  g_autofree char *subject = dup_subject (verdict);
  g_autofree char *medians = dup_medians (verdict);
  g_autofree char *text = NULL;
  g_autoptr (RoastFinding) finding = NULL;

  if (verdict->verdict == ROAST_VERDICT_SAME)
    text = g_strdup_printf ("%s %s. The difference is below 5 %%.", subject, medians);
  else if (isnan (verdict->p))
    text = g_strdup_printf ("%s %s. Whether that is chance cannot be told.", subject, medians);
  else
    text = g_strdup_printf ("%s %s. That may be chance; a difference of %.0f %% would have been found.", subject,
                            medians, 100 * verdict->detectable);
  finding = roast_finding_new ("compare-elapsed", ROAST_FINDING_SEVERITY_INFO, text);
  if (verdict->verdict == ROAST_VERDICT_UNKNOWN)
    roast_finding_set_advice (finding,
                              "Measure more runs, in turns: roast-compare --runs=6 -- COMMAND --against COMMAND.");
  roast_report_add_finding (self->report, finding);
}

/* ---- where it comes from ---- */

typedef struct
{
  char *part, *category;
  int cause;
  double difference;
} Difference;

static void
difference_free (gpointer data)
{
  Difference *self = data;

  g_free (self->part);
  g_free (self->category);
  g_free (self);
}

static int
compare_differences (const Difference *const *a, const Difference *const *b)
{
  double left = fabs ((*a)->difference), right = fabs ((*b)->difference);

  return (left < right) - (left > right);
}

static GPtrArray *
read_differences (Compare *self)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (difference_free);
  g_autoptr (RoastTableReader) table =
      roast_report_read_table (self->report, ROAST_TABLE_DIFFERENCES, roast_differences_columns, NULL);

  while (roast_table_reader_next (table))
    {
      Difference *one = g_new0 (Difference, 1);

      one->part = g_strdup (roast_table_reader_get_string (table, ROAST_DIFFERENCES_PART));
      one->category = g_strdup (roast_table_reader_get_string (table, ROAST_DIFFERENCES_CATEGORY));
      one->cause = roast_table_reader_get_word (table, ROAST_DIFFERENCES_CAUSE);
      one->difference = roast_table_reader_get_double (table, ROAST_DIFFERENCES_DIFFERENCE);
      g_ptr_array_add (all, one);
    }
  g_ptr_array_sort (all, (GCompareFunc) compare_differences);

  return all;
}

static char *
dup_cause (Compare *self, const Difference *one)
{
  const Measure *counts = one->category != NULL ? compare_find (self, ROAST_COMPARED_KIND_COUNT, one->category) : NULL;
  const Measure *seconds =
      one->category != NULL ? compare_find (self, ROAST_COMPARED_KIND_SECONDS, one->category) : NULL;
  double n[N_SIDES], each[N_SIDES];
  g_autofree char *value = NULL;
  g_autofree char *reference = NULL;

  if (counts == NULL || seconds == NULL)
    return g_strdup_printf ("“%s”",
                            roast_schema_get_label (roast_report_get_schema (self->report), "core_part", one->part));
  for (guint i = 0; i < N_SIDES; i++)
    {
      n[i] = compare_get_mean (self, counts, (int) i);
      each[i] = compare_get_mean (self, seconds, (int) i) / n[i];
    }
  if (one->cause == ROAST_DIFFERENCE_CAUSE_NUMBER)
    return g_strdup_printf ("the number of “%s” (%.4g instead of %.4g)", one->category, n[NEW], n[REFERENCE]);
  value = roast_format_number (each[NEW], "duration");
  reference = roast_format_number (each[REFERENCE], "duration");

  return g_strdup_printf ("the time of each “%s” (%s instead of %s)", one->category, value, reference);
}

/* The largest causes of the difference between the means. */
static void
say_causes (Compare *self, const Verdict *elapsed)
{
  g_autoptr (GPtrArray) all = read_differences (self);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (RoastFinding) finding = NULL;
  double total = compare_get_mean (self, elapsed->measure, NEW) - compare_get_mean (self, elapsed->measure, REFERENCE);
  g_autofree char *difference = roast_format_number (fabs (total), "duration");
  guint n = 0;

  for (guint i = 0; i < all->len && n < 3; i++)
    {
      const Difference *one = g_ptr_array_index (all, i);
      g_autofree char *amount = roast_format_number (fabs (one->difference), "duration");
      g_autofree char *cause = NULL;

      if (fabs (one->difference) < MATTERS * elapsed->median[REFERENCE])
        break;
      cause = dup_cause (self, one);
      g_string_append_printf (text, "%s%s%s by %s", n > 0 ? ", " : "", one->difference < 0 ? "-" : "+", amount, cause);
      n++;
    }
  if (n == 0)
    return;
  g_string_prepend (text, ": ");
  g_string_prepend (text, total < 0 ? " less" : " more");
  g_string_prepend (text, difference);
  g_string_prepend (text, self->n[NEW] == 1 && self->n[REFERENCE] == 1 ? "The new run took "
                                                                       : "On average, the new runs took ");
  g_string_append_c (text, '.');
  finding = roast_finding_new ("compare-causes", ROAST_FINDING_SEVERITY_INFO, text->str);
  roast_report_add_finding (self->report, finding);
}

void
compare_say (Compare *self)
{
  for (guint i = 0; i < self->verdicts->len; i++)
    {
      const Verdict *verdict = &g_array_index (self->verdicts, Verdict, i);
      gboolean is_elapsed = g_str_equal (verdict->label, "elapsed_time_seconds");
      gboolean differs = verdict->verdict == ROAST_VERDICT_WORSE || verdict->verdict == ROAST_VERDICT_BETTER;

      if (differs)
        say_difference (self, verdict);
      else if (is_elapsed)
        say_elapsed (self, verdict);
      if (is_elapsed)
        say_causes (self, verdict);
    }
}
