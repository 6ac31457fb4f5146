/* SPDX-License-Identifier: BSD-3-Clause */

/* A run of workers and tasks, recorded into a file while it grows. */

#include <sys/resource.h>

#include "bench.h"
#include "run-rows.h"
#include "series.h"

double
bench_get_most_memory (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);

  return (double) usage.ru_maxrss * 1024;
}

void
bench_flush (RoastRunFile *file)
{
  g_autoptr (GError) error = NULL;

  if (!roast_run_file_flush (file, &error))
    g_error ("%s", error->message);
}

/* A transaction for each second of the run, as in a run that lasts so long. What it takes to think up the values does
 * not count. */
void
bench_record (gpointer data, double *results)
{
  const BenchRun *run = data;
  g_autoptr (Series) series = series_new (run->n_workers);
  g_autofree const char *const *names = series_list_workers (series);
  g_autoptr (RunTasks) tasks = run_tasks_new (names, run->n_workers);
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastRunFile) file = NULL;
  g_autoptr (RoastTableWriter) samples = NULL;
  g_autoptr (RoastTableWriter) rows = NULL;
  gint64 ended = SERIES_START + (gint64) run->seconds * G_USEC_PER_SEC;
  double thought = 0;
  double rows_cpu = 0;
  double begin = bench_get_cpu ();
  double begin_thread = bench_get_thread_cpu ();

  results[BENCH_BEFORE] = bench_get_most_memory ();
  series_set_limit (series, run->has_limits ? RUN_MEMORY_LIMIT : 0);
  file = bench_create (run->path, &recording);
  samples = roast_recording_write_table (recording, ROAST_TABLE_WORKER_SAMPLES, RUN_SOURCE,
                                         run->has_limits ? series_limited_columns : series_columns, NULL);
  rows = roast_recording_write_table (recording, ROAST_TABLE_TASKS, RUN_SOURCE, roast_tasks_columns, NULL);
  for (guint i = 0; i < run->seconds; i++)
    {
      double now = bench_get_thread_cpu ();

      series_step (series);
      thought += bench_get_thread_cpu () - now;
      series_write (series, samples);
      run_tasks_write (tasks, rows, (guint) (run->n_tasks / run->seconds));
      bench_flush (file);
    }
  run_rows_add_activities (recording, names, run->n_workers, ended);
  run_rows_add_workers (recording, names, run->n_workers, SERIES_START, ended);
  bench_close (file, recording, SERIES_START, ended);
  rows_cpu = bench_get_thread_cpu () - begin_thread - thought;
  results[BENCH_ROWS_CPU] = rows_cpu;
  results[BENCH_STORE_CPU] = bench_get_cpu () - begin - thought - rows_cpu;
  results[BENCH_BYTES] = bench_get_size (run->path);
  results[BENCH_MOST] = bench_get_most_memory ();
}
