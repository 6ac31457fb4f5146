/* SPDX-License-Identifier: BSD-3-Clause */

/* Recordings of real managers of TaskVine: the report and all tables as JSON are the same from the run file as from
 * memory, to the last byte. */

#include <glib/gstdio.h>
#include <string.h>

#include "rows.h"
#include "vine-log.h"
#include "vine-replay.h"

static VineTaskLimit limit = { G_MAXUINT64, 0 };
static const VineReplayOptions options = { G_USEC_PER_SEC, &limit, TRUE, NULL };

static void
take_transaction (const char *line, gsize length, gpointer user_data)
{
  vine_replay_take_line (user_data, line, length);
}

static void
take_performance (const char *line, gsize length, gpointer user_data)
{
  vine_performance_take_line (user_data, line, length);
}

static void
read_log (const char *run, const char *name, VineLogFunction function, gpointer user_data)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "taskvine", run, name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (VineLog) log = vine_log_open (path, &error);

  g_assert_no_error (error);
  while (vine_log_read (log, 4096, function, user_data) == VINE_LOG_MORE)
    ;
}

static void
replay (RoastRecording *recording, const char *run)
{
  VineReplay *tasks = vine_replay_new (recording, "taskvine-1", &options);
  VinePerformance *performance = vine_performance_new (recording, "taskvine-1", options.interval);

  read_log (run, "transactions", take_transaction, tasks);
  read_log (run, "performance", take_performance, performance);
  vine_performance_finish (performance);
  vine_replay_finish (tasks, performance, -1);
  vine_replay_free (tasks);
  vine_performance_free (performance);
}

static char *
export_json (RoastRecording *recording)
{
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autoptr (RoastReport) report =
      rows_aggregate (recording, "workers workload windows tasks task-activity task-lifecycle");
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autoptr (RoastOutput) output = roast_output_new_for_memory ();
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastExporter) exporter = roast_registry_create_exporter (registry, "json", NULL, &error);
  g_autoptr (GBytes) bytes = NULL;

  g_assert_no_error (error);
  g_assert_true (roast_exporter_export_report (exporter, snapshot, report, output, NULL, &error));
  g_assert_no_error (error);
  bytes = roast_output_dup_bytes (output, "report.json");

  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

static void
assert_same_text (const char *a, const char *b)
{
  gsize at = 0;

  while (a[at] != '\0' && a[at] == b[at])
    at++;
  if (a[at] != b[at])
    g_error ("after %zu bytes: “%.80s” is “%.80s”", at, a + at, b + at);
}

/* @data: a directory of logs */
static void
test_run (gconstpointer data)
{
  g_autoptr (RoastRecording) recording =
      roast_recording_new (roast_registry_get_schema (roast_registry_get_default ()));
  g_autoptr (RoastRecording) read = NULL;
  g_autoptr (RoastRunFile) file = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *directory = g_dir_make_tmp ("roast-run-file-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "run.roast", NULL);
  g_autofree char *from_memory = NULL;
  g_autofree char *from_file = NULL;
  g_autofree char *moved = NULL;

  roast_recording_set_times (recording, 1, 2);
  file = roast_run_file_create (path, &error);
  g_assert_no_error (error);
  roast_run_file_attach (file, recording);
  replay (recording, data);
  from_memory = export_json (recording);
  g_assert_cmpuint (strlen (from_memory), >, 10000);
  g_assert_true (roast_run_file_flush (file, &error));
  roast_recording_finish (recording);
  g_assert_true (roast_run_file_close (file, &error));
  g_assert_no_error (error);
  moved = export_json (recording);
  assert_same_text (from_memory, moved);
  read = roast_recording_open (path, &error);
  g_assert_no_error (error);
  from_file = export_json (read);
  assert_same_text (from_memory, from_file);
  g_assert_no_errno (g_unlink (path));
  g_assert_no_errno (g_rmdir (directory));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_data_func ("/run-file-recordings/coffea", "run-coffea", test_run);
  g_test_add_data_func ("/run-file-recordings/library", "run-library", test_run);
  g_test_add_data_func ("/run-file-recordings/monitored", "run-monitored", test_run);

  return g_test_run ();
}
