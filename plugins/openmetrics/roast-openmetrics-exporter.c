/* SPDX-License-Identifier: BSD-3-Clause */

/* Exports the numbers of a run for Prometheus. The number of time series is limited: there are none for single tasks,
 * and only a limited number of categories and workers have their own. */

#include <gmodule.h>
#include <math.h>
#include <roast/roast.h>
#include <string.h>

#include "each.h"
#include "exporter.h"
#include "openmetrics-live.h"
#include "openmetrics-text.h"

#define MOST_CATEGORIES 15
#define MOST_WORKERS 100
#define OTHER "other" /* label that stands for all categories, or all workers, beyond their maximum number */

G_DECLARE_FINAL_TYPE (RoastOpenmetricsExporter, roast_openmetrics_exporter, ROAST, OPENMETRICS_EXPORTER, GObject)

struct _RoastOpenmetricsExporter
{
  GObject parent_instance;

  gboolean timestamps, workers;
  OpenMetricsLive live;
};

/* ---- the run ---- */

static char *
dup_metadata (RoastRecordingSnapshot *recording, const char *key)
{
  g_autoptr (GVariant) value = roast_recording_snapshot_lookup_metadata (recording, key, G_VARIANT_TYPE_STRING);

  return value != NULL ? g_variant_dup_string (value, NULL) : NULL;
}

/* Return when the run ended, in s since the epoch. If this is unknown, for example because the run was interrupted,
 * return when the run started. */
static double
get_end (RoastRecordingSnapshot *recording)
{
  GVariant *metadata = roast_recording_snapshot_get_metadata (recording);
  gint64 time = 0;

  if (!g_variant_lookup (metadata, "ended", "x", &time) && !g_variant_lookup (metadata, "started", "x", &time))
    return NAN;

  return (double) time / G_USEC_PER_SEC;
}

static void
put_run (OpenMetrics *out, RoastRecordingSnapshot *recording)
{
  g_autofree char *command = exporter_dup_command (recording);
  g_autofree char *host = dup_metadata (recording, "host");

  open_metrics_begin (out, "roast_run", FAMILY_INFO, NULL, "The run");
  open_metrics_add (out, 1, NAN, "command", command, "host", host, NULL);
}

/* ---- metrics of the report ---- */

static const char *
find_unit (const char *name)
{
  static const char *const units[] = { "seconds", "bytes", "ratio", "hertz" };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_str_has_suffix (name, units[i]))
      return units[i];

  return NULL;
}

/* Returns the declaration of a metric that must be exported. Returns NULL if the metric is not available, or is not a
 * number, or is a compatibility metric that exists only for old scripts. */
static RoastMetricInfo *
find_info (RoastReport *report, RoastMetric *metric)
{
  RoastMetricInfo *info =
      roast_schema_lookup_metric (roast_report_get_schema (report), roast_metric_get_name (metric), NULL);
  gboolean is_number = roast_metric_is_available (metric) &&
                       !g_variant_is_of_type (roast_metric_get_value (metric), G_VARIANT_TYPE_STRING) &&
                       isfinite (roast_metric_get_double (metric));

  return info != NULL && is_number && !roast_metric_info_is_compat (info) ? info : NULL;
}

static void
put_metric (OpenMetrics *out, RoastMetric *metric, RoastMetricInfo *info)
{
  g_autofree char *name = g_strconcat ("roast_", roast_metric_get_name (metric), NULL);
  gboolean is_counter = g_str_has_suffix (name, "_total");

  if (is_counter)
    name[strlen (name) - strlen ("_total")] = '\0';
  open_metrics_begin (out, name, is_counter ? FAMILY_COUNTER : FAMILY_GAUGE, find_unit (name),
                      roast_metric_info_get_description (info));
  open_metrics_add (out, roast_metric_get_double (metric), NAN, NULL);
}

static void
put_metrics (OpenMetrics *out, RoastReport *report)
{
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (report);

  FOR_EACH_POINTER (RoastMetric, metric, metrics)
    {
      RoastMetricInfo *info = find_info (report, metric);

      if (info != NULL)
        put_metric (out, metric, info);
    }
}

static void
put_incomplete (OpenMetrics *out, RoastReport *report)
{
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (report);

  open_metrics_begin (out, "roast_incomplete", FAMILY_GAUGE, NULL,
                      "1 for each metric that is not complete: a lower bound (partial), or an estimate (estimated)");
  FOR_EACH_POINTER (RoastMetric, metric, metrics)
    {
      RoastCompleteness completeness = roast_metric_get_completeness (metric);
      g_autofree char *name = g_strconcat ("roast_", roast_metric_get_name (metric), NULL);

      if (completeness != ROAST_COMPLETENESS_COMPLETE && find_info (report, metric) != NULL)
        open_metrics_add (out, 1, NAN, "metric", name, "completeness",
                          completeness == ROAST_COMPLETENESS_PARTIAL ? "partial" : "estimated", NULL);
    }
}

/* ---- tables ---- */

typedef struct
{
  char *source, *part;
  double seconds;
} Part;

static void
part_clear (Part *part)
{
  g_free (part->source);
  g_free (part->part);
}

/* Put the core time of the whole run, by source and part. Add up rows, because the table has a row for each stretch of
 * the run. */
static void
put_core_time (OpenMetrics *out, RoastReport *report)
{
  static const guint key[] = { ROAST_CORE_TIME_SOURCE, ROAST_CORE_TIME_PART };
  g_autoptr (RoastTableReader) table = roast_core_time_read (report);
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (Part));

  g_array_set_clear_func (parts, (GDestroyNotify) part_clear);
  if (table != NULL)
    roast_table_reader_group_by (table, key, G_N_ELEMENTS (key));
  while (table != NULL && roast_table_reader_next (table))
    {
      double seconds = roast_table_reader_get_double (table, ROAST_CORE_TIME_CORE_SECONDS);
      guint place = 0;

      if (roast_table_reader_get_word (table, ROAST_CORE_TIME_WINDOW) != ROAST_WINDOW_KIND_RUN || isnan (seconds))
        continue;
      place = roast_table_reader_get_group (table);
      if (place == parts->len)
        {
          const Part part = { g_strdup (roast_table_reader_get_string (table, ROAST_CORE_TIME_SOURCE)),
                              g_strdup (roast_table_reader_get_string (table, ROAST_CORE_TIME_PART)), 0 };

          g_array_append_val (parts, part);
        }
      g_array_index (parts, Part, place).seconds += seconds;
    }
  if (parts->len == 0)
    return;
  open_metrics_begin (out, "roast_core_seconds", FAMILY_COUNTER, "seconds", "Where the offered core time went");
  FOR_EACH (const Part, part, parts)
    open_metrics_add (out, part->seconds, NAN, "source", part->source, "part", part->part, NULL);
}

/* A column of a table that is exported as a family. The family has one sample for each value in the column that @label
 * names. */
typedef struct
{
  const char *table, *column, *label, *name, *unit, *help;
  FamilyType type;
  gboolean is_of_workers;
} Column;

static const Column columns[] = {
  { "per_category", "tasks", "category", "roast_per_category_tasks", NULL, "Attempts at tasks that ran, by category",
    FAMILY_COUNTER },
  { "per_category", "busy", "category", "roast_per_category_busy_seconds", "seconds", "Time in tasks, by category",
    FAMILY_COUNTER },
  { "per_category", "cpu", "category", "roast_per_category_cpu_seconds", "seconds", "CPU time of tasks, by category",
    FAMILY_COUNTER },
  { "per_worker", "tasks", "worker", "roast_per_worker_tasks", NULL, "Tasks that ran, by worker", FAMILY_COUNTER,
    TRUE },
  { "per_worker", "busy", "worker", "roast_per_worker_busy_seconds", "seconds", "Time in tasks, by worker",
    FAMILY_COUNTER, TRUE },
  { "per_worker", "memory_peak", "worker", "roast_per_worker_memory_peak_bytes", "bytes", "Peak memory, by worker",
    FAMILY_GAUGE, TRUE },
};

/* Returns the address of the value for a label. If there are already too many labels, uses the label “other” for a
 * counter, so that the sum over all labels remains correct. For a gauge, returns NULL: the label is left out. */
static double *
find_value (GHashTable *values, GPtrArray *labels, const char *label, const Column *column)
{
  guint most = column->is_of_workers ? MOST_WORKERS : MOST_CATEGORIES;
  gboolean is_rest = labels->len >= most && !g_hash_table_contains (values, label);
  const char *name = is_rest ? OTHER : label;
  double *value = g_hash_table_lookup (values, name);

  if (value != NULL || (is_rest && column->type != FAMILY_COUNTER))
    return value;
  value = g_new0 (double, 1);
  g_ptr_array_add (labels, g_strdup (name));
  g_hash_table_insert (values, g_ptr_array_index (labels, labels->len - 1), value);

  return value;
}

/* Put a column as a family. Combine rows that have the same label, such as those of a category with several roles: add
 * up counters, and take the maximum of gauges. */
static void
put_column (OpenMetrics *out, RoastReport *report, const Column *column)
{
  const char *names[] = { column->label, column->column, NULL };
  enum
  {
    LABEL,
    VALUE
  };
  g_autoptr (RoastTableReader) table = roast_report_read_table (report, column->table, names, NULL);
  g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) values = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);

  while (table != NULL && roast_table_reader_next (table))
    {
      const char *label = roast_table_reader_get_string (table, LABEL);
      double value = roast_table_reader_get_double (table, VALUE);
      double *sum = label == NULL || isnan (value) ? NULL : find_value (values, labels, label, column);

      if (sum != NULL)
        *sum = column->type == FAMILY_COUNTER ? *sum + value : fmax (*sum, value);
    }
  if (labels->len > 0)
    open_metrics_begin (out, column->name, column->type, column->unit, column->help);
  for (guint i = 0; i < labels->len; i++)
    open_metrics_add (out, *(double *) g_hash_table_lookup (values, g_ptr_array_index (labels, i)), NAN, column->label,
                      g_ptr_array_index (labels, i), NULL);
}

/* A column of the table over_time that is exported as a family. */
typedef struct
{
  guint slot;
  int count; /* slot of the same number in the executor's own samples; -1 if they do not contain it */
  const char *name, *unit, *help;
} Series;

static const Series series[] = {
  { ROAST_OVER_TIME_RUNNING, ROAST_CLUSTER_SAMPLES_TASKS_EXECUTING, "roast_running_attempts", NULL,
    "Running attempts" },
  { ROAST_OVER_TIME_WAITING, ROAST_CLUSTER_SAMPLES_TASKS_QUEUED, "roast_waiting_attempts", NULL,
    "Ready attempts waiting for a worker" },
  { ROAST_OVER_TIME_WORKERS, ROAST_CLUSTER_SAMPLES_WORKERS, "roast_present_workers", NULL, "Workers present" },
  { ROAST_OVER_TIME_EVENT_RATE, -1, "roast_event_rate_hertz", "hertz", "Events per second" },
};

/* Read the last counts of each executor. Return a table that maps the name of a source to an array with one number for
 * each element of series; NaN if unknown. */
static GHashTable *
read_counts (RoastRecordingSnapshot *recording)
{
  GHashTable *counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (RoastTableReader) table = roast_cluster_samples_read (recording);

  while (table != NULL && roast_table_reader_next (table))
    {
      const char *source = roast_table_reader_get_string (table, ROAST_CLUSTER_SAMPLES_SOURCE);
      double *of_source = source != NULL ? g_hash_table_lookup (counts, source) : NULL;

      if (source == NULL)
        continue;
      if (of_source == NULL)
        {
          of_source = g_new (double, G_N_ELEMENTS (series));
          for (guint i = 0; i < G_N_ELEMENTS (series); i++)
            of_source[i] = NAN;
          g_hash_table_insert (counts, g_strdup (source), of_source);
        }
      for (guint i = 0; i < G_N_ELEMENTS (series); i++)
        {
          double count = series[i].count < 0 ? NAN : roast_table_reader_get_double (table, (guint) series[i].count);

          of_source[i] = isnan (count) ? of_source[i] : count;
        }
    }

  return counts;
}

/* Put a column of the table over_time as a family, with one sample for each interval of each source. @counts: from
 * read_counts () while the run is in progress, else NULL. With @counts, put only one sample for each source: the last
 * count of the executor, because the last interval lacks attempts that have not ended. If this count is unknown, put
 * the last interval. */
static void
put_series (OpenMetrics *out, RoastReport *report, GHashTable *counts, guint number)
{
  g_autoptr (RoastTableReader) table = roast_over_time_read (report);
  const Series *self = &series[number];
  gboolean has_begun = FALSE;
  static const guint key[] = { ROAST_OVER_TIME_SOURCE };

  if (table != NULL && counts != NULL)
    roast_table_reader_last_per (table, key, G_N_ELEMENTS (key));
  while (table != NULL && roast_table_reader_next (table))
    {
      double value = roast_table_reader_get_double (table, self->slot);
      const char *source = roast_table_reader_get_string (table, ROAST_OVER_TIME_SOURCE);
      const double *of_source = counts != NULL && source != NULL ? g_hash_table_lookup (counts, source) : NULL;

      if (isnan (value))
        continue;
      if (!has_begun)
        open_metrics_begin (out, self->name, FAMILY_GAUGE, self->unit, self->help);
      has_begun = TRUE;
      open_metrics_add (out, of_source != NULL && !isnan (of_source[number]) ? of_source[number] : value,
                        counts != NULL ? NAN
                                       : roast_table_reader_get_double (table, ROAST_OVER_TIME_ENDED) / G_USEC_PER_SEC,
                        "source", source, NULL);
    }
}

/* ---- the exporter ---- */

static gboolean
openmetrics_export_report (RoastExporter *exporter, RoastRecordingSnapshot *recording, RoastReport *report,
                           RoastOutput *output, GCancellable *cancellable, GError **error)
{
  RoastOpenmetricsExporter *self = ROAST_OPENMETRICS_EXPORTER (exporter);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *run = dup_metadata (recording, "run-id");
  gboolean is_live = self->live.is_asked;
  g_autoptr (GHashTable) counts = is_live ? read_counts (recording) : NULL;
  OpenMetrics out = { .text = text,
                      .run = run != NULL ? run : "",
                      .is_classic = !self->timestamps && self->live.listen == NULL,
                      .time = self->timestamps ? get_end (recording) : NAN };

  put_run (&out, recording);
  put_metrics (&out, report);
  put_incomplete (&out, report);
  put_core_time (&out, report);
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (self->workers || !columns[i].is_of_workers)
      put_column (&out, report, &columns[i]);
  for (guint i = 0; i < G_N_ELEMENTS (series); i++)
    if (self->timestamps || is_live)
      put_series (&out, report, counts, i);
  if (!out.is_classic)
    g_string_append (text, "# EOF\n");
  if (self->live.listen != NULL)
    return open_metrics_live_serve (&self->live, text->str, error);

  return exporter_write (output, "metrics.txt", text->str, text->len, cancellable, error);
}

static gboolean
openmetrics_configure (RoastExporter *exporter, GVariant *options, GError **error)
{
  RoastOpenmetricsExporter *self = ROAST_OPENMETRICS_EXPORTER (exporter);

  g_variant_lookup (options, "timestamps", "b", &self->timestamps);
  g_variant_lookup (options, "workers", "b", &self->workers);

  if (!open_metrics_live_configure (&self->live, options, error))
    return FALSE;
  /* Do not write timestamps if metrics are updated during the run, because node_exporter rejects them and Prometheus
   * adds its own. */
  self->timestamps = self->timestamps && self->live.every == 0 && self->live.listen == NULL;

  return TRUE;
}

static gint64
openmetrics_begin_live (RoastExporter *exporter)
{
  return open_metrics_live_begin (&ROAST_OPENMETRICS_EXPORTER (exporter)->live);
}

EXPORTER_DEFINE_TYPE_WITH (RoastOpenmetricsExporter, roast_openmetrics_exporter, openmetrics, ROAST_EXPORTER_FLAGS_LIVE,
                           open_metrics_live_clear (&self->live), iface->begin_live = openmetrics_begin_live)

static void
roast_openmetrics_exporter_init (RoastOpenmetricsExporter *self)
{
  self->timestamps = TRUE;
}

ROAST_DEFINE_PLUGIN ("openmetrics", PLUGIN_VERSION,
                     ROAST_PLUGIN_EXPORTER ("openmetrics", roast_openmetrics_exporter_get_type))
