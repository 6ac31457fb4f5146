/* SPDX-License-Identifier: BSD-3-Clause */

/* Runs as large as there are: recorded into a file while it grows, and reported from it by roast-report. */

#include <stdio.h>

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

static void
record_tasks (gpointer data, double *results)
{
  const BenchRun *run = data;
  g_autoptr (Series) series = series_new (run->n_workers);
  g_autofree const char *const *names = series_list_workers (series);
  g_autoptr (RunTasks) tasks = run_tasks_new (names, run->n_workers);
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastRunFile) file = bench_create (run->path, &recording);
  g_autoptr (RoastTableWriter) rows =
      roast_recording_write_table (recording, ROAST_TABLE_TASKS, RUN_SOURCE, roast_tasks_columns, NULL);

  for (guint64 i = 0; i < run->n_tasks; i += TASKS_PER_FLUSH)
    {
      run_tasks_write (tasks, rows, (guint) MIN (run->n_tasks - i, TASKS_PER_FLUSH));
      bench_flush (file);
    }
  run_rows_add_workers (recording, names, run->n_workers, SERIES_START, run_tasks_get_end (tasks));
  bench_close (file, recording, SERIES_START, run_tasks_get_end (tasks));
  results[BENCH_STORE_CPU] = bench_get_cpu ();
  results[BENCH_BYTES] = bench_get_size (run->path);
  results[BENCH_MOST] = bench_get_most_memory ();
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
  BenchRun run = { path, SERIES_WORKERS, (guint) MAX (SERIES_SECONDS * options->scale, 1),
                   (guint64) (SERIES_TASKS * options->scale) };
  double values = (double) run.n_workers * run.seconds * SERIES_N;
  BenchChild child = bench_call (bench_record, &run);

  printf ("%.1f M values: %u workers, %u s, %d series each, and %" G_GUINT64_FORMAT " tasks\n", values / 1e6,
          run.n_workers, run.seconds, SERIES_N, run.n_tasks);
  printf ("  stored in   %6.1f CPU-s (goal %.0f): %.1f by the store's thread, %.1f by what writes the rows\n",
          child.results[BENCH_STORE_CPU] + child.results[BENCH_ROWS_CPU], STORED_GOAL * options->scale,
          child.results[BENCH_STORE_CPU], child.results[BENCH_ROWS_CPU]);
  printf ("  %.0f MB, %.2f B a value\n", child.results[BENCH_BYTES] / 1e6, child.results[BENCH_BYTES] / values);
  report (options, path, REPORTED_GOAL, REPORT_MEMORY_GOAL);
  bench_remove (options, path);

  return TRUE;
}

gboolean
bench_tasks_report (const BenchOptions *options)
{
  g_autofree char *path = g_build_filename (options->directory, "tasks.roast", NULL);
  BenchRun run = { path, TASKS_WORKERS, 0, (guint64) MAX (TASKS * options->scale, 1) };
  BenchChild child = bench_call (record_tasks, &run);

  printf ("%.2g tasks of %u workers\n", (double) run.n_tasks, run.n_workers);
  printf ("  %.0f MB, %.1f B a task\n", child.results[BENCH_BYTES] / 1e6,
          child.results[BENCH_BYTES] / (double) run.n_tasks);
  report (options, path, TASKS_REPORTED_GOAL, TASKS_MEMORY_GOAL);
  bench_remove (options, path);

  return TRUE;
}

gboolean
bench_memory (const BenchOptions *options)
{
  g_autofree char *path = g_build_filename (options->directory, "memory.roast", NULL);
  BenchRun run = { path, MEMORY_WORKERS, (guint) MAX (MEMORY_SECONDS * options->scale, MEMORY_SHORTER), 0 };
  BenchRun shorter = { path, MEMORY_WORKERS, run.seconds / MEMORY_SHORTER, 0 };
  BenchChild child = bench_call (bench_record, &shorter);
  double few = child.results[BENCH_MOST];

  bench_remove (options, path);
  child = bench_call (bench_record, &run);
  bench_remove (options, path);
  printf ("memory of a process that records %u workers: %.1f MB after %u s, %.1f MB after %u s (%.0f M values); %.1f "
          "MB "
          "before (goal: %d MB, however long)\n",
          run.n_workers, few / (1 << 20), shorter.seconds, child.results[BENCH_MOST] / (1 << 20), run.seconds,
          (double) run.n_workers * run.seconds * SERIES_N / 1e6, child.results[BENCH_BEFORE] / (1 << 20),
          MEMORY_GOAL >> 20);

  return child.results[BENCH_MOST] - child.results[BENCH_BEFORE] <= MEMORY_GOAL;
}
