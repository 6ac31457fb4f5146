/* SPDX-License-Identifier: BSD-3-Clause */

/* Whatever the text of a formula is: a metric with a value or a reason, or an error that names the formula. */

#include <math.h>
#include <roast/roast.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
add_row (RoastRecording *recording, const char *task, gint64 started, const char *status)
{
  g_autoptr (RoastTableWriter) writer = roast_recording_write_table (recording, "tasks", "fuzz", NULL, NULL);

  roast_table_writer_set_string (writer, ROAST_TASKS_SOURCE, "fuzz");
  roast_table_writer_set_string (writer, ROAST_TASKS_TASK, task);
  roast_table_writer_set_int64 (writer, ROAST_TASKS_ATTEMPT, 1);
  roast_table_writer_set_string (writer, ROAST_TASKS_STATUS, status);
  if (started >= 0)
    roast_table_writer_set_int64 (writer, ROAST_TASKS_STARTED, started);
  g_assert_true (roast_table_writer_end (writer, NULL));
}

static RoastRecordingSnapshot *
get_snapshot (void)
{
  static RoastRecordingSnapshot *snapshot;
  g_autoptr (RoastRecording) recording = NULL;

  if (snapshot != NULL)
    return snapshot;
  recording = roast_recording_new (NULL);
  add_row (recording, "a", 1000000, "done");
  add_row (recording, "b", 5000000, "failed");
  add_row (recording, "c", -1, "never_ran");
  snapshot = roast_recording_snapshot (recording);

  return snapshot;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  RoastRecordingSnapshot *snapshot = get_snapshot ();
  g_autoptr (RoastReport) report = roast_report_new (roast_recording_snapshot_get_schema (snapshot));
  g_autofree char *text = size > 0 ? g_strndup ((const char *) data, size) : g_strdup ("");
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastMetric) metric = NULL;

  roast_report_add_int64 (report, "one", 1, ROAST_COMPLETENESS_PARTIAL, "a part");
  roast_report_add_double (report, "two", 2.5, ROAST_COMPLETENESS_COMPLETE, NULL);
  roast_report_add_unavailable (report, "none", "not measured");
  metric = roast_report_evaluate (report, snapshot, "result", text, &error);
  g_assert_true ((metric == NULL) == (error != NULL));
  if (metric == NULL)
    g_assert_nonnull (strstr (error->message, "formula"));
  else if (roast_metric_is_available (metric))
    g_assert_true (isfinite (roast_metric_get_double (metric)));
  else
    g_assert_nonnull (roast_metric_get_reason (metric));

  return 0;
}
