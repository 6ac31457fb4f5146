/* SPDX-License-Identifier: BSD-3-Clause */

/* Whether it worked: where and when, how it ended, and the outcomes of its tasks and chunks. */

#include "page.h"

#include <math.h>

static void
add_part (GString *text, const char *separator, const char *part)
{
  if (text->len > 0)
    g_string_append (text, separator);
  g_string_append (text, part);
}

static char *
describe_status (const PageSource *source, gboolean *is_bad)
{
  RoastMetric *metric = roast_report_lookup (source->report, "exit_status");
  g_autofree char *value = NULL;

  if (metric == NULL || !roast_metric_is_available (metric))
    return g_strdup ("exit status unknown");
  value = roast_format_value (roast_metric_get_value (metric), "count");
  *is_bad = *is_bad || roast_metric_get_double (metric) != 0;

  return roast_metric_get_note (metric) != NULL
             ? g_strdup_printf ("exit status %s, %s", value, roast_metric_get_note (metric))
             : g_strdup_printf ("exit status %s", value);
}

typedef struct
{
  const char *metric, *word;
  gboolean is_always; /* also said if it is 0 */
  gboolean is_bad;
} Count;

static char *
describe_counts (const PageSource *source, const Count *counts, guint n, gboolean *is_bad)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      RoastMetric *metric = page_get_metric (source, counts[i].metric);
      g_autofree char *value = metric != NULL ? page_format_metric (source, metric) : NULL;
      g_autofree char *part = NULL;

      if (value == NULL || (roast_metric_get_double (metric) == 0 && !counts[i].is_always))
        continue;
      *is_bad = *is_bad || (counts[i].is_bad && roast_metric_get_double (metric) > 0);
      part = g_strdup_printf ("%s %s", value, counts[i].word);
      add_part (text, ", ", part);
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static const Count tasks[] = {
  { "tasks_submitted_total", "submitted", TRUE, FALSE },
  { "tasks_done_total", "done", TRUE, FALSE },
  { "tasks_failed_total", "failed", TRUE, TRUE },
  { "tasks_killed_worker_total", "given up after their workers died", FALSE, TRUE },
  { "tasks_lost_total", "lost", FALSE, TRUE },
  { "tasks_cancelled_total", "cancelled", FALSE, FALSE },
  { "tasks_never_ran_total", "never ran", TRUE, TRUE },
  { "tasks_unfinished_total", "unfinished", FALSE, TRUE },
  { "tasks_retried_total", "retried", FALSE, FALSE },
};

static const Count chunks[] = {
  { "chunks_total", "in the result", TRUE, FALSE },
  { "chunks_failed_total", "failed", TRUE, TRUE },
  { "chunks_wasted_total", "attempts wasted", FALSE, FALSE },
  { "preprocessing_files_failed_total", "files that could not be prepared", FALSE, TRUE },
};

PageSection *
page_make_outcome (const PageSource *source)
{
  PageSection *section = page_section_new ("outcome", NULL, 1);
  gboolean is_bad = FALSE;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *status = describe_status (source, &is_bad);
  g_autofree char *of_tasks =
      source->has_tasks ? describe_counts (source, tasks, G_N_ELEMENTS (tasks), &is_bad) : g_strdup ("");
  g_autofree char *of_chunks =
      source->has_chunks ? describe_counts (source, chunks, G_N_ELEMENTS (chunks), &is_bad) : g_strdup ("");

  add_part (text, "", status);
  if (*of_tasks != '\0')
    g_string_append_printf (text, "; tasks: %s", of_tasks);
  if (*of_chunks != '\0')
    g_string_append_printf (text, "; chunks: %s", of_chunks);
  page_section_add (section, source, PAGE_PARAGRAPH, "Outcome: ", text->str)->tone = is_bad ? PAGE_BAD : PAGE_GOOD;

  return section;
}
