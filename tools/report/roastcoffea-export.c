/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes a run as a roastcoffea measurement: a directory with metrics.json, start_end_time.txt and metadata.json.
 * Metrics keep roastcoffea's names and definitions. */

#include <math.h>
#include <sys/stat.h>

#include "core/base/roast-fail-private.h"
#include "exact-number.h"
#include "formats.h"
#include "roastcoffea-put.h"

#define FORMAT "roastcoffea_measurement_v1"

/* Names of roastcoffea's metrics. metric: roast's metric to use if the one with the old name is unavailable */
static const struct
{
  const char *name;
  const char *metric;
  gboolean is_whole;
  gboolean is_null; /* write null if unavailable; other unavailable metrics are left out */
} metrics[] = {
  { "elapsed_time_seconds", NULL, FALSE, FALSE },
  { "total_bytes_read", NULL, TRUE, FALSE },
  { "total_events", NULL, TRUE, FALSE },
  { "total_cpu_time", NULL, FALSE, FALSE },
  { "data_rate_gbps", NULL, FALSE, FALSE },
  { "event_rate_elapsed_khz", NULL, FALSE, FALSE },
  { "event_rate_cpu_total_khz", NULL, FALSE, FALSE },
  { "num_chunks", NULL, TRUE, FALSE },
  { "avg_cpu_time_per_chunk", NULL, FALSE, FALSE },
  { "avg_workers", "workers_average", FALSE, FALSE },
  { "peak_workers", NULL, TRUE, FALSE },
  { "total_cores", NULL, FALSE, TRUE },
  { "cores_per_worker", NULL, FALSE, TRUE },
  { "peak_memory_bytes", "worker_memory_peak_bytes", TRUE, FALSE },
  { "avg_memory_per_worker_bytes", NULL, FALSE, FALSE },
  { "core_efficiency", NULL, FALSE, TRUE },
  { "speedup_factor", NULL, FALSE, FALSE },
  { "event_rate_core_khz", NULL, FALSE, TRUE },
  { "processor_cpu_time_seconds", NULL, FALSE, FALSE },
  { "processor_io_wait_time_seconds", NULL, FALSE, FALSE },
  { "processor_cpu_percent", NULL, FALSE, FALSE },
  { "processor_io_wait_percent", NULL, FALSE, FALSE },
  { "overhead_cpu_time_seconds", NULL, FALSE, FALSE },
  { "overhead_io_wait_time_seconds", NULL, FALSE, FALSE },
  { "total_bytes_memory_read", NULL, TRUE, FALSE },
  { "total_branches_read", NULL, TRUE, FALSE },
  { "disk_read_bytes", NULL, TRUE, FALSE },
  { "disk_write_bytes", NULL, TRUE, FALSE },
  { "compression_time_seconds", NULL, FALSE, FALSE },
  { "decompression_time_seconds", NULL, FALSE, FALSE },
  { "total_compression_overhead_seconds", NULL, FALSE, FALSE },
  { "serialization_time_seconds", NULL, FALSE, FALSE },
  { "deserialization_time_seconds", NULL, FALSE, FALSE },
  { "total_serialization_overhead_seconds", NULL, FALSE, FALSE },
};

/* Members of roastcoffea's metrics.json that roast does not measure. */
static const char *const unknown[] = { "file_read_metrics", "accessed_bytes", "branches_read_percent",
                                       "bytes_read_percent", "uuid" };

typedef struct
{
  ReportRun *run;
  RoastReport *report;
  GPtrArray *missing;
  double elapsed;
} Export;

/* Returns NaN if the metric is unavailable. */
static double
get_metric (Export *self, const char *name)
{
  double factor = 1;
  double value = NAN;
  RoastMetricInfo *info = roast_schema_lookup_metric (roast_report_get_schema (self->report), name, &factor);

  if (info == NULL || !roast_report_get_double (self->report, roast_metric_info_get_name (info), &value))
    return NAN;

  return value * factor;
}

static void
put_metrics (Export *self, JsonOut *out)
{
  for (guint i = 0; i < G_N_ELEMENTS (metrics); i++)
    {
      double value = get_metric (self, metrics[i].name);

      if (isnan (value) && metrics[i].metric != NULL)
        value = get_metric (self, metrics[i].metric);
      if (isnan (value))
        g_ptr_array_add (self->missing, (char *) metrics[i].name);
      if (isnan (value) && !metrics[i].is_null)
        continue;
      if (metrics[i].is_whole)
        json_out_int64 (out, metrics[i].name, llround (value));
      else
        json_out_double (out, metrics[i].name, value);
    }
}

static void
put_metrics_file (Export *self, JsonOut *out)
{
  RoastRecording *recording = self->run->recording;

  json_out_open (out, NULL, '{');
  put_metrics (self, out);
  roastcoffea_put_tracking (out, recording);
  roastcoffea_put_chunks (out, recording);
  roastcoffea_put_sections (out, recording);
  roastcoffea_put_files (out, recording);
  roastcoffea_put_spans (out, recording);
  json_out_close (out, '}');
}

/* Write 0 as the start: the file's clock has an arbitrary zero. */
static void
put_times_file (Export *self, JsonOut *out)
{
  g_string_append (out->json.text, "0.0,");
  exact_number_append_double (out->json.text, self->elapsed);
  g_string_append_c (out->json.text, '\n');
}

static void
put_metadata_file (Export *self, JsonOut *out)
{
  g_autoptr (GVariant) metadata = roast_recording_dup_metadata (self->run->recording);
  char time[ROASTCOFFEA_TIME_SIZE];
  gint64 ended = g_get_real_time ();

  g_variant_lookup (metadata, "ended", "x", &ended);
  roastcoffea_format_time (ended, time);
  json_out_open (out, NULL, '{');
  json_out_text (out, "timestamp", time);
  json_out_double (out, "elapsed_time_seconds", self->elapsed);
  json_out_text (out, "format", FORMAT);
  json_out_close (out, '}');
}

static gboolean
write_file (Export *self, const char *directory, const char *name, void (*put) (Export *, JsonOut *), GError **error)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  JsonOut out = JSON_OUT_INIT (exchange_create (path, error), text);

  if (out.file == NULL)
    return FALSE;
  put (self, &out);
  json_out_flush (&out);

  return exchange_finish (out.file, path, error);
}

gboolean
roastcoffea_export (ReportRun *run, const char *path, GError **error)
{
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autoptr (RoastSession) session = roast_session_new (registry);
  g_autoptr (GPtrArray) missing = g_ptr_array_new ();
  Export self = { run, NULL, missing, NAN };

  if (path == NULL)
    return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                       "a roastcoffea measurement is a directory: name a new directory with --save");
  if (!roast_session_read (session, run->recording, error))
    return FALSE;
  self.report = roast_session_get_report (session);
  if (!roast_report_get_double (self.report, "elapsed_time_seconds", &self.elapsed))
    return roast_fail (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT,
                       "the elapsed time of this run is unknown, but a roastcoffea measurement needs it");
  if (mkdir (path, 0777) != 0)
    return exchange_set_output_error (error, path);
  if (!write_file (&self, path, "metrics.json", put_metrics_file, error) ||
      !write_file (&self, path, "start_end_time.txt", put_times_file, error) ||
      !write_file (&self, path, "metadata.json", put_metadata_file, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (unknown); i++)
    g_ptr_array_add (missing, (char *) unknown[i]);
  exchange_say_left_out ("export", missing, "this run does not have them");

  return TRUE;
}
