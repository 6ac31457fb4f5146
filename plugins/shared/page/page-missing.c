/* SPDX-License-Identifier: BSD-3-Clause */

/* Topics that the page cannot show because they were not measured. For each of them, the reason names the option or the
 * backend that would measure it. */

#include "page-metric.h"
#include "page.h"

#define REPORTS "the program can report these numbers: see docs/protocol.md"
#define OBSERVES "roast-run --backend=local observes the processes that it starts"

static const struct
{
  const char *metric, *words;
  const char *also;     /* second metric; the topic counts as missing only if both metrics are missing; or NULL */
  const char *because;  /* metric whose reason, if it is missing, replaces the reason of `metric`; or NULL */
  const char *provider; /* text that is shown instead of the reason; or NULL */
  gboolean needs_tasks;
  gboolean needs_launch; /* show the reason rather than `provider` if roast observed the processes */
} topics[] = {
  { "tasks_submitted_total", "outcome of tasks", NULL, NULL, NULL, TRUE },
  { "processor_cpu_time_seconds", "CPU time of tasks", NULL, NULL, NULL, TRUE },
  { "task_memory_peak_bytes", "memory of tasks", "worker_memory_peak_bytes", "processor_cpu_time_seconds", NULL, TRUE },
  { "core_efficiency_ratio", "use of the core time", NULL, NULL, NULL, TRUE },
  { "queue_time_mean_seconds", "time in the queue", NULL, NULL, NULL, TRUE },
  { "events_total", "events", NULL, NULL, REPORTS, FALSE },
  { "bytes_read_total", "bytes read", NULL, NULL, REPORTS, FALSE },
  { "process_cpu_time_seconds", "CPU time of processes", NULL, NULL, OBSERVES, FALSE, TRUE },
  { "memory_peak_bytes", "memory of processes", "worker_memory_peak_bytes", NULL, OBSERVES, FALSE, TRUE },
};

typedef struct
{
  GString *words;
  const char *reason;
} Gap;

static void
gap_clear (Gap *gap)
{
  g_string_free (gap->words, TRUE);
}

/* Add a topic. Topics that are missing for the same reason form a group. */
static void
add_topic (GArray *gaps, const char *words, const char *reason)
{
  Gap gap = { .reason = reason };

  for (guint i = 0; i < gaps->len; i++)
    if (g_str_equal (g_array_index (gaps, Gap, i).reason, reason))
      {
        g_string_append_printf (g_array_index (gaps, Gap, i).words, ", %s", words);
        return;
      }
  gap.words = g_string_new (words);
  g_array_append_val (gaps, gap);
}

static const char *
missing_reason (const PageSource *source, const char *name)
{
  RoastMetric *metric = name != NULL ? roast_report_lookup (source->report, name) : NULL;

  return metric != NULL && !roast_metric_is_available (metric) ? roast_metric_get_reason (metric) : NULL;
}

static gboolean
is_observed (const PageSource *source)
{
  RoastMetric *metric = roast_report_lookup (source->report, "accounting");

  return metric != NULL && roast_metric_is_available (metric);
}

static void
look_at_topic (const PageSource *source, guint i, gboolean is_recorded, GArray *gaps)
{
  const char *reason = missing_reason (source, topics[i].metric);
  const char *other = missing_reason (source, topics[i].because);

  if (reason == NULL || (topics[i].needs_tasks && !source->has_tasks) ||
      (topics[i].also != NULL && missing_reason (source, topics[i].also) == NULL))
    return;
  if (is_recorded && topics[i].provider != NULL && !(topics[i].needs_launch && is_observed (source)))
    reason = topics[i].provider;
  else if (other != NULL)
    reason = other;
  add_topic (gaps, topics[i].words, reason);
}

/* Add formulas of the user and of third-party plugins. Leave out metrics from their aggregators, because most runs do
 * not have these metrics. */
static void
look_at_own (const PageSource *source, GArray *gaps)
{
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (source->report);

  FOR_EACH_POINTER (RoastMetric, metric, metrics)
    if (!roast_metric_is_available (metric) && page_metric_is_own (source, metric) &&
        roast_metric_info_get_value (page_metric_info (source->report, metric)) != NULL)
      add_topic (gaps, roast_metric_get_name (metric), roast_metric_get_reason (metric));
}

PageSection *
page_make_missing (const PageSource *source)
{
  PageSection *section = page_section_new ("missing", NULL, 1);
  g_autoptr (GArray) gaps = g_array_new (FALSE, FALSE, sizeof (Gap));
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GVariant) nothing = roast_recording_snapshot_lookup_metadata (source->recording, "nothing-recorded", NULL);

  g_array_set_clear_func (gaps, (GDestroyNotify) gap_clear);
  look_at_own (source, gaps);
  for (guint i = 0; i < G_N_ELEMENTS (topics); i++)
    look_at_topic (source, i, nothing == NULL, gaps);
  for (guint i = 0; i < gaps->len; i++)
    g_string_append_printf (text, "%s%s (%s)", i > 0 ? "; " : "", g_array_index (gaps, Gap, i).words->str,
                            g_array_index (gaps, Gap, i).reason);
  if (gaps->len > 0)
    page_section_add (section, source, PAGE_PARAGRAPH, "Not available: ", text->str)->tone = PAGE_WARNING;

  return section;
}
