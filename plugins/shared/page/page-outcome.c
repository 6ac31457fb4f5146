/* SPDX-License-Identifier: BSD-3-Clause */

/* Outcome of the run: its exit status, and the numbers of tasks and chunks by outcome. */

#include "page.h"

static void
add_part (GString *text, const char *separator, const char *part)
{
  if (text->len > 0)
    g_string_append (text, separator);
  g_string_append (text, part);
}

static gboolean
goes_on (const PageSource *source)
{
  g_autoptr (GVariant) value = roast_recording_snapshot_lookup_metadata (source->recording, "goes-on", NULL);

  return value != NULL;
}

static char *
describe_status (const PageSource *source, gboolean *is_bad)
{
  RoastMetric *metric = roast_report_lookup (source->report, "exit_status");
  g_autofree char *value = NULL;

  if (metric == NULL || !roast_metric_is_available (metric))
    return g_strdup (goes_on (source) ? "still running" : "exit status unknown");
  value = roast_format_value (roast_metric_get_value (metric), "count");
  *is_bad = *is_bad || roast_metric_get_double (metric) != 0;

  return roast_metric_get_note (metric) != NULL
             ? g_strdup_printf ("exit status %s, %s", value, roast_metric_get_note (metric))
             : g_strdup_printf ("exit status %s", value);
}

typedef struct
{
  const char *metric, *word;
  gboolean is_always; /* show the count even if it is 0 */
  gboolean is_bad;
  const char *live_word; /* replaces @word while the run goes on, because the count is not bad then; may be NULL */
} Count;

static char *
describe_counts (const PageSource *source, const Count *counts, guint n, gboolean *is_bad)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean is_live = goes_on (source);

  for (guint i = 0; i < n; i++)
    {
      const char *live_word = is_live ? counts[i].live_word : NULL;
      RoastMetric *metric = page_get_metric (source, counts[i].metric);
      g_autofree char *value = metric != NULL ? page_format_metric (source, metric) : NULL;
      g_autofree char *part = NULL;

      if (value == NULL || (roast_metric_get_double (metric) == 0 && !counts[i].is_always))
        continue;
      *is_bad = *is_bad || (counts[i].is_bad && live_word == NULL && roast_metric_get_double (metric) > 0);
      part = g_strdup_printf ("%s %s", value, live_word != NULL ? live_word : counts[i].word);
      add_part (text, ", ", part);
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static const Count tasks[] = {
  { "tasks_submitted_total", "submitted", TRUE, FALSE },
  { "tasks_done_total", "done", TRUE, FALSE },
  { "tasks_failed_total", "failed", TRUE, TRUE },
  { "tasks_killed_worker_total", "of them given up after their workers died", FALSE, TRUE },
  { "tasks_lost_total", "lost", FALSE, TRUE },
  { "tasks_cancelled_total", "cancelled", FALSE, FALSE },
  { "tasks_never_ran_total", "never ran", TRUE, TRUE },
  { "tasks_unfinished_total", "unfinished", FALSE, TRUE, "at workers" }, /* some of them may wait there for a thread */
  { "tasks_waiting_total", "waiting", FALSE, TRUE, "waiting" },
  /* Tasks have several attempts if they failed, or if their results were needed again after they had been released. */
  { "tasks_retried_total", "with several attempts", FALSE, FALSE },
};

/* These words fit a count of one and also larger counts. */
static const Count others[] = {
  { "calls_failed_total", "of the executor's calls failed", FALSE, TRUE },
  { "preprocessing_files_failed_total", "of the files could not be prepared", FALSE, TRUE },
};

static void
add_count (GString *text, const char *separator, const PageSource *source, RoastMetric *metric, const char *word)
{
  g_autofree char *value = page_format_metric (source, metric);
  g_autofree char *part = g_strdup_printf ("%s %s", value, word);

  add_part (text, separator, part);
}

/* Add a text such as "26 of 36 in the result, 10 skipped". Leave out the number of all chunks (36) if one of the two
 * counts is incomplete. */
static void
add_chunks (GString *text, const PageSource *source, RoastMetric *total, RoastMetric *skipped, gboolean is_in_result)
{
  double n = skipped != NULL ? roast_metric_get_double (skipped) : 0;

  if (n > 0 && roast_metric_get_completeness (total) == ROAST_COMPLETENESS_COMPLETE &&
      roast_metric_get_completeness (skipped) == ROAST_COMPLETENESS_COMPLETE)
    {
      g_autofree char *value = page_format_metric (source, total);
      g_autofree char *all = roast_format_number (roast_metric_get_double (total) + n, "count");

      g_string_append_printf (text, "%s of %s in the result", value, all);
    }
  else
    add_count (text, "", source, total, is_in_result ? "in the result" : "processed");
  if (n > 0)
    add_count (text, ", ", source, skipped, "skipped");
}

/* Describe the chunks. If the number of skipped chunks is known, only skipped chunks are bad: a failed attempt is
 * harmless if another attempt put its chunk into the result. If this number is unknown, failed attempts are bad,
 * too. */
static char *
describe_chunks (const PageSource *source, gboolean *is_bad)
{
  RoastMetric *total = page_get_metric (source, "chunks_total");
  RoastMetric *failed = page_get_metric (source, "chunks_failed_total");
  RoastMetric *wasted = page_get_metric (source, "chunks_wasted_total");
  RoastMetric *skipped = page_get_metric (source, "chunks_skipped_total");
  double n_failed = failed != NULL ? roast_metric_get_double (failed) : 0;
  RoastMetric *calls = page_get_metric (source, "calls_failed_total");
  double n_wasted = wasted != NULL ? roast_metric_get_double (wasted) : 0;
  g_autoptr (GString) text = g_string_new (NULL);
  /* If a call failed, its chunks are in no result. */
  gboolean is_in_result = calls == NULL || roast_metric_get_double (calls) == 0 ||
                          (total != NULL && roast_metric_get_completeness (total) == ROAST_COMPLETENESS_COMPLETE);
  g_autofree char *more = describe_counts (source, others, G_N_ELEMENTS (others), is_bad);

  *is_bad = *is_bad || (skipped != NULL ? roast_metric_get_double (skipped) > 0 : n_failed > 0);
  if (total != NULL && n_failed > 0 && wasted == NULL && skipped == NULL)
    {
      add_count (text, "", source, total, "attempts");
      add_count (text, ", ", source, failed, "failed");
    }
  else if (total != NULL)
    {
      add_chunks (text, source, total, skipped, is_in_result);
      if (n_failed > 0)
        add_count (text, "; ", source, failed, n_failed == 1 ? "attempt failed" : "attempts failed");
      else if (failed != NULL)
        add_count (text, ", ", source, failed, "failed");
      if (n_wasted > 0 && n_wasted != n_failed)
        add_count (text, n_failed > 0 ? ", " : "; ", source, wasted,
                   n_failed > 0    ? "wasted"
                   : n_wasted == 1 ? "attempt wasted"
                                   : "attempts wasted");
    }
  if (*more != '\0')
    add_part (text, ", ", more);

  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Show the same contradiction only once, even if its cause affects several metrics. */
static void
add_contradictions (PageSection *section, const PageSource *source)
{
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (source->report);
  g_autoptr (GHashTable) said = g_hash_table_new (g_str_hash, g_str_equal);

  FOR_EACH_POINTER (RoastMetric, metric, metrics)
    {
      const char *contradiction = roast_metric_get_contradiction (metric);
      g_autofree char *text = NULL;

      if (contradiction == NULL || !g_hash_table_add (said, (gpointer) contradiction))
        continue;
      text = g_strdup_printf ("%s: %s", roast_metric_get_name (metric), contradiction);
      page_section_add (section, source, PAGE_PARAGRAPH, "Contradiction: ", text)->tone = PAGE_BAD;
    }
}

PageSection *
page_make_outcome (const PageSource *source)
{
  PageSection *section = page_section_new ("outcome", NULL, 1);
  gboolean is_bad = FALSE;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *status = describe_status (source, &is_bad);
  g_autofree char *of_tasks =
      source->has_tasks ? describe_counts (source, tasks, G_N_ELEMENTS (tasks), &is_bad) : g_strdup ("");
  g_autofree char *of_chunks = source->has_chunks ? describe_chunks (source, &is_bad) : g_strdup ("");

  if (source->is_comparison)
    {
      guint n = page_count_compared (source, "new"), n_reference = page_count_compared (source, "reference");
      g_autofree char *runs = n_reference > 0 ? g_strdup_printf ("%u new, %u reference", n, n_reference)
                                              : g_strdup_printf ("%u, grouped by slots", n);

      page_section_add (section, source, PAGE_PARAGRAPH, "Runs: ", runs);
      return section;
    }
  add_part (text, "", status);
  if (*of_tasks != '\0')
    g_string_append_printf (text, "; tasks: %s", of_tasks);
  if (*of_chunks != '\0')
    g_string_append_printf (text, "; chunks: %s", of_chunks);
  page_section_add (section, source, PAGE_PARAGRAPH, "Outcome: ", text->str)->tone = is_bad ? PAGE_BAD : PAGE_GOOD;
  add_contradictions (section, source);

  return section;
}
