/* SPDX-License-Identifier: BSD-3-Clause */

/* Key numbers, which depend on the kind of run: what was processed, how fast, and with which resources. */

#include "page-metric.h"
#include "page.h"

#include <math.h>

typedef enum
{
  ANY = 0,
  TASKS = 1 << 0,    /* an executor ran tasks */
  CHUNKS = 1 << 1,   /* the program processed chunks of events */
  NO_TASKS = 1 << 2, /* the run is a process tree without an executor */
} PageNumbersKind;

/* Key numbers, most important first. Of several metrics with the same `topic`, only the first one that is available is
 * shown. */
static const struct
{
  const char *metric;
  PageNumbersKind kind;
  guint topic; /* number of the topic; 0: the metric is shown whatever other metrics are shown */
} key_numbers[] = {
  { "events_total", CHUNKS, 0 },
  { "event_rate_elapsed_per_second", CHUNKS, 0 },
  { "worker_memory_peak_bytes", TASKS, 1 },
  { "task_memory_peak_bytes", TASKS, 1 },
  { "memory_peak_bytes", NO_TASKS, 1 },
  { "process_memory_peak_bytes", NO_TASKS, 1 },
  { "bytes_read_total", CHUNKS, 0 },
  { "data_rate_bytes_per_second", CHUNKS, 0 },
  { "worker_core_seconds", TASKS, 0 },
  { "core_efficiency_ratio", TASKS, 0 },
  { "workers_peak", TASKS, 0 },
  { "process_cpu_time_seconds", NO_TASKS, 0 },
  { "cpu_efficiency_ratio", NO_TASKS, 0 },
  { "cores_used_average", NO_TASKS, 0 },
  { "worker_memory_peak_ratio", TASKS, 2 },
  { "committed_memory_peak_ratio", TASKS, 2 },
  { "task_time_mean_seconds", TASKS, 0 },
  { "task_time_max_seconds", TASKS, 0 },
  { "queue_time_mean_seconds", TASKS, 0 },
  { "processor_cpu_ratio", TASKS, 0 },
  { "executor_busy_ratio", TASKS, 3 },
  { "scheduler_lateness_max_seconds", TASKS, 3 },
  { "wasted_ratio", TASKS, 0 },
  { "event_rate_core_per_second", CHUNKS, 0 },
  { "read_amplification_ratio", CHUNKS, 0 },
  { "chunk_time_p50_seconds", CHUNKS, 0 },
  { "chunk_time_max_seconds", CHUNKS, 0 },
  { "library_start_mean_seconds", TASKS, 0 },
  { "transfer_in_bytes", TASKS, 0 },
  { "io_storage_read_bytes", NO_TASKS, 0 },
  { "io_storage_write_bytes", NO_TASKS, 0 },
  { "io_read_chars_bytes", NO_TASKS, 0 },
  { "run_queue_seconds", NO_TASKS, 0 },
  { "processes_total", NO_TASKS, 0 },
  { "own_cpu_ratio", ANY, 0 },
};

/* Metrics that must not be added as the user's or a plugin's own metrics: other sections of the page show them, or
 * roast's own aggregators declare them as always shown. */
static const char *const placed[] = {
  "elapsed_time_seconds",     "exit_status", "accounting", "cores_available", "workers_average",
  "process_cpu_time_seconds", NULL
};

static gboolean
is_of_kind (const PageSource *source, PageNumbersKind kind)
{
  return kind == ANY || (kind == TASKS && source->has_tasks) || (kind == CHUNKS && source->has_chunks) ||
         (kind == NO_TASKS && !source->has_tasks);
}

/* Returns whether the metric is 0 and gives no information, because nothing happened or because no sample recorded
 * it. */
static gboolean
is_empty (const PageSource *source, RoastMetric *metric)
{
  RoastMetricInfo *info = page_metric_info (source->report, metric);

  return info != NULL && roast_metric_get_double (metric) == 0 &&
         (g_str_equal (roast_metric_info_get_show (info), "nonzero") ||
          roast_metric_get_completeness (metric) == ROAST_COMPLETENESS_ESTIMATED);
}

static gboolean
is_placed (const char *name)
{
  gboolean is_placed = g_strv_contains (placed, name);

  for (guint i = 0; !is_placed && i < G_N_ELEMENTS (key_numbers); i++)
    is_placed = g_str_equal (key_numbers[i].metric, name);

  return is_placed;
}

static void
add_number (PageSection *section, const PageSource *source, RoastMetric *metric)
{
  g_autofree char *value = page_format_metric (source, metric);

  page_section_add (section, source, PAGE_NUMBER, page_metric_label (source, metric), value)->metric =
      g_object_ref (metric);
}

gboolean
page_metric_is_own (const PageSource *source, RoastMetric *metric)
{
  RoastMetricInfo *info = page_metric_info (source->report, metric);

  return info != NULL && g_str_equal (roast_metric_info_get_show (info), "always") &&
         !is_placed (roast_metric_get_name (metric));
}

static void
add_own (PageSection *section, const PageSource *source)
{
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (source->report);

  for (guint i = 0; i < metrics->len; i++)
    {
      RoastMetric *metric = g_ptr_array_index (metrics, i);

      if (roast_metric_is_available (metric) && !page_metric_is_long_text (metric) &&
          page_metric_is_own (source, metric))
        add_number (section, source, metric);
    }
}

PageSection *
page_make_numbers (const PageSource *source)
{
  PageSection *section = page_section_new ("numbers", "Key numbers", 6);
  guint64 topics = 0;

  add_own (section, source);
  for (guint i = 0; i < G_N_ELEMENTS (key_numbers); i++)
    {
      RoastMetric *metric = page_get_metric (source, key_numbers[i].metric);
      guint64 topic = key_numbers[i].topic > 0 ? G_GUINT64_CONSTANT (1) << key_numbers[i].topic : 0;

      if (metric == NULL || !is_of_kind (source, key_numbers[i].kind) || is_empty (source, metric) || (topics & topic))
        continue;
      topics |= topic;
      add_number (section, source, metric);
    }

  return section;
}
