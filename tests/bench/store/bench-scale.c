/* SPDX-License-Identifier: BSD-3-Clause */

/* Runs as large as there are: recorded into a file while it grows, and reported from it by roast-report. */

#include <stdio.h>
#include <sys/resource.h>

#include "bench.h"
#include "run-rows.h"
#include "series.h"

#define SERIES_WORKERS 10000
#define SERIES_SECONDS 3600
#define SERIES_TASKS 100000
#define STORED_GOAL 20.0 /* CPU-s */
#define REPORTED_GOAL 10.0
#define REPORT_MEMORY_GOAL 500e6

#define TASKS_WORKERS 1000
#define TASKS 10000000
#define TASKS_REPORTED_GOAL 20.0
#define TASKS_MEMORY_GOAL 1e9
#define TASKS_PER_FLUSH 10000

#define MEMORY_SECONDS 2000 /* of 5000 workers: 100 M values */
#define MEMORY_WORKERS 5000
#define MEMORY_SHORTER 20
#define MEMORY_GOAL (64 << 20)

enum
{
  ROWS_CPU,  /* of the thread that writes rows */
  STORE_CPU, /* of all others: the store's thread */
  BYTES,
  BEFORE, /* memory: before the recording began, */
  MOST,   /* and the most */
};

typedef struct
{
  const char *path;
  guint n_workers, seconds;
  guint64 n_tasks;
} Run;

static double
get_most_memory (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);

  return (double) usage.ru_maxrss * 1024;
}

static const char *const *
list_workers (Series *series, guint n_workers)
{
  const char **names = g_new0 (const char *, n_workers + 1);

  for (guint i = 0; i < n_workers; i++)
    names[i] = series_get_worker (series, i);

  return names;
}

static void
flush (RoastRunFile *file)
{
  g_autoptr (GError) error = NULL;

  if (!roast_run_file_flush (file, &error))
    g_error ("%s", error->message);
}

/* A transaction for each second of the run, as in a run that lasts so long. What it takes to think up the values does
 * not count. */
static void
record (gpointer data, double *results)
{
  const Run *run = data;
  g_autoptr (Series) series = series_new (run->n_workers);
  g_autofree const char *const *names = list_workers (series, run->n_workers);
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

  results[BEFORE] = get_most_memory ();
  file = bench_create (run->path, &recording);
  samples = roast_recording_write_table (recording, ROAST_TABLE_WORKER_SAMPLES, RUN_SOURCE, series_columns, NULL);
  rows = roast_recording_write_table (recording, ROAST_TABLE_TASKS, RUN_SOURCE, roast_tasks_columns, NULL);
  for (guint i = 0; i < run->seconds; i++)
    {
      double now = bench_get_thread_cpu ();

      series_step (series);
      thought += bench_get_thread_cpu () - now;
      series_write (series, samples);
      run_tasks_write (tasks, rows, (guint) (run->n_tasks / run->seconds));
      flush (file);
    }
  run_rows_add_activities (recording, names, run->n_workers, ended);
  run_rows_add_workers (recording, names, run->n_workers, SERIES_START, ended);
  bench_close (file, recording, SERIES_START, ended);
  rows_cpu = bench_get_thread_cpu () - begin_thread - thought;
  results[ROWS_CPU] = rows_cpu;
  results[STORE_CPU] = bench_get_cpu () - begin - thought - rows_cpu;
  results[BYTES] = bench_get_size (run->path);
  results[MOST] = get_most_memory ();
}

static void
record_tasks (gpointer data, double *results)
{
  const Run *run = data;
  g_autoptr (Series) series = series_new (run->n_workers);
  g_autofree const char *const *names = list_workers (series, run->n_workers);
  g_autoptr (RunTasks) tasks = run_tasks_new (names, run->n_workers);
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastRunFile) file = bench_create (run->path, &recording);
  g_autoptr (RoastTableWriter) rows =
      roast_recording_write_table (recording, ROAST_TABLE_TASKS, RUN_SOURCE, roast_tasks_columns, NULL);

  for (guint64 i = 0; i < run->n_tasks; i += TASKS_PER_FLUSH)
    {
      run_tasks_write (tasks, rows, (guint) MIN (run->n_tasks - i, TASKS_PER_FLUSH));
      flush (file);
    }
  run_rows_add_workers (recording, names, run->n_workers, SERIES_START, run_tasks_get_end (tasks));
  bench_close (file, recording, SERIES_START, run_tasks_get_end (tasks));
  results[STORE_CPU] = bench_get_cpu ();
  results[BYTES] = bench_get_size (run->path);
  results[MOST] = get_most_memory ();
}

static void
report (const BenchOptions *options, const char *path, double seconds_goal, double memory_goal)
{
  g_autofree char *output = g_strconcat (path, ".report", NULL);
  char *argv[] = { (char *) options->report, (char *) path, (char *) "-e", (char *) "table", NULL };
  BenchChild child = bench_run (argv, output);

  if (!(bench_get_size (output) > 0))
    g_error ("roast-report wrote nothing");
  printf ("  reported in %6.1f s (%.1f CPU-s; goal %.0f s), with %4.0f MB of memory (goal %.0f MB)\n", child.elapsed,
          child.cpu, seconds_goal * options->scale, child.memory / 1e6, memory_goal / 1e6);
  bench_remove (options, output);
}

gboolean
bench_series_report (const BenchOptions *options)
{
  g_autofree char *path = g_build_filename (options->directory, "series.roast", NULL);
  Run run = { path, SERIES_WORKERS, (guint) MAX (SERIES_SECONDS * options->scale, 1),
              (guint64) (SERIES_TASKS * options->scale) };
  double values = (double) run.n_workers * run.seconds * SERIES_N;
  BenchChild child = bench_call (record, &run);

  printf ("%.1f M values: %u workers, %u s, %d series each, and %" G_GUINT64_FORMAT " tasks\n", values / 1e6,
          run.n_workers, run.seconds, SERIES_N, run.n_tasks);
  printf ("  stored in   %6.1f CPU-s (goal %.0f): %.1f by the store's thread, %.1f by what writes the rows\n",
          child.results[STORE_CPU] + child.results[ROWS_CPU], STORED_GOAL * options->scale, child.results[STORE_CPU],
          child.results[ROWS_CPU]);
  printf ("  %.0f MB, %.2f B a value\n", child.results[BYTES] / 1e6, child.results[BYTES] / values);
  report (options, path, REPORTED_GOAL, REPORT_MEMORY_GOAL);
  bench_remove (options, path);

  return TRUE;
}

gboolean
bench_tasks_report (const BenchOptions *options)
{
  g_autofree char *path = g_build_filename (options->directory, "tasks.roast", NULL);
  Run run = { path, TASKS_WORKERS, 0, (guint64) MAX (TASKS * options->scale, 1) };
  BenchChild child = bench_call (record_tasks, &run);

  printf ("%.2g tasks of %u workers\n", (double) run.n_tasks, run.n_workers);
  printf ("  %.0f MB, %.1f B a task\n", child.results[BYTES] / 1e6, child.results[BYTES] / (double) run.n_tasks);
  report (options, path, TASKS_REPORTED_GOAL, TASKS_MEMORY_GOAL);
  bench_remove (options, path);

  return TRUE;
}

gboolean
bench_memory (const BenchOptions *options)
{
  g_autofree char *path = g_build_filename (options->directory, "memory.roast", NULL);
  Run run = { path, MEMORY_WORKERS, (guint) MAX (MEMORY_SECONDS * options->scale, MEMORY_SHORTER), 0 };
  Run shorter = { path, MEMORY_WORKERS, run.seconds / MEMORY_SHORTER, 0 };
  BenchChild child = bench_call (record, &shorter);
  double few = child.results[MOST];

  bench_remove (options, path);
  child = bench_call (record, &run);
  bench_remove (options, path);
  printf ("memory of a process that records %u workers: %.1f MB after %u s, %.1f MB after %u s (%.0f M values); %.1f "
          "MB "
          "before (goal: %d MB, however long)\n",
          run.n_workers, few / (1 << 20), shorter.seconds, child.results[MOST] / (1 << 20), run.seconds,
          (double) run.n_workers * run.seconds * SERIES_N / 1e6, child.results[BEFORE] / (1 << 20), MEMORY_GOAL >> 20);

  return child.results[MOST] - child.results[BEFORE] <= MEMORY_GOAL;
}
