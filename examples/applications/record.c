/* SPDX-License-Identifier: BSD-3-Clause */

/* An application that is an executor and records its own rows, in C: four jobs on one worker. It shows a running total
 * after each job, and a report at the end.
 *
 *     record
 *
 * cc record.c -o record $(pkg-config --cflags --libs roast-1)
 */

#include <locale.h>
#include <roast/roast.h>
#include <stdlib.h>
#include <time.h>

static double
get_cpu (void)
{
  return (double) clock () / CLOCKS_PER_SEC;
}

static void
work (void)
{
  for (volatile int i = 0; i < 20000000; i++)
    ;
}

/* The writer knows the source; cells that are not set are missing. */
static void
run_job (RoastTableWriter *tasks, int number, gint64 submitted)
{
  enum
  {
    TASK,
    ATTEMPT,
    CATEGORY,
    WORKER,
    SUBMITTED,
    STARTED,
    ENDED,
    CPU,
    STATUS
  };
  g_autofree char *name = g_strdup_printf ("job-%d", number);
  double cpu = get_cpu ();

  roast_table_writer_set_string (tasks, TASK, name);
  roast_table_writer_set_int64 (tasks, ATTEMPT, 1);
  roast_table_writer_set_string (tasks, CATEGORY, "sum");
  roast_table_writer_set_string (tasks, WORKER, "w");
  roast_table_writer_set_int64 (tasks, SUBMITTED, submitted);
  roast_table_writer_set_int64 (tasks, STARTED, g_get_real_time ());
  work ();
  roast_table_writer_set_int64 (tasks, ENDED, g_get_real_time ());
  roast_table_writer_set_double (tasks, CPU, get_cpu () - cpu);
  roast_table_writer_set_string (tasks, STATUS, "done");
  roast_table_writer_close (tasks, NULL);
}

static void
show_total (RoastRecording *recording)
{
  g_autoptr (RoastReport) report = roast_report_new (roast_recording_get_schema (recording));
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autoptr (RoastMetric) done =
      roast_report_evaluate (report, snapshot, "done", "count (over tasks where status = done)", NULL);

  g_print ("jobs so far: %.0f\n", roast_metric_get_double (done));
}

static void
show_metric (RoastReport *report, const char *name)
{
  RoastMetric *metric = roast_report_lookup (report, name);

  g_print ("%s: %g, %s\n", name, roast_metric_get_double (metric),
           roast_metric_get_completeness (metric) == ROAST_COMPLETENESS_COMPLETE ? "complete" : "not complete");
}

int
main (void)
{
  static const char *const columns[] = { "task",    "attempt", "category", "worker", "submitted",
                                         "started", "ended",   "cpu",      "status", NULL };
  static const char *const worker_columns[] = { "worker", "cores", "joined", "left", NULL };
  gint64 joined = g_get_real_time ();
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autofree char *source = roast_recording_add_source (recording, "example", NULL, NULL, NULL);
  g_autoptr (RoastTableWriter) tasks = roast_recording_write_table (recording, "tasks", source, columns, NULL);
  g_autoptr (RoastTableWriter) workers =
      roast_recording_write_table (recording, "workers", source, worker_columns, NULL);
  g_autoptr (RoastSession) session = roast_session_new (NULL);

  setlocale (LC_ALL, "");
  roast_recording_set_times (recording, joined, -1);
  for (int number = 0; number < 4; number++)
    {
      run_job (tasks, number, joined);
      show_total (recording);
    }
  roast_table_writer_set_string (workers, 0, "w");
  roast_table_writer_set_double (workers, 1, 1);
  roast_table_writer_set_int64 (workers, 2, joined);
  roast_table_writer_set_int64 (workers, 3, g_get_real_time ());
  roast_table_writer_close (workers, NULL);

  roast_recording_set_times (recording, -1, g_get_real_time ());
  roast_recording_finish (recording);
  if (!roast_session_read (session, recording, &error))
    {
      g_printerr ("record: %s\n", error->message);
      return EXIT_FAILURE;
    }
  show_metric (roast_session_get_report (session), "tasks_done_total");
  show_metric (roast_session_get_report (session), "task_time_mean_seconds");

  return EXIT_SUCCESS;
}
