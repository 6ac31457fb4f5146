/* SPDX-License-Identifier: BSD-3-Clause */

/* How many values a CPU-second the store writes into a run file and reads back, in how many bytes each, beside zstd
 * alone on the same bytes. */

#include <stdio.h>
#include <zstd.h>

#include "bench.h"
#include "series.h"

#define WORKERS 1000
#define SECONDS 1000
#define BLOCK 4096 /* rows, for the limit */
#define RATE_GOAL 25e6
#define BYTES_GOAL 3.0

enum
{
  VALUES,
  LIMIT,
  LIMIT_BYTES,
  WRITTEN,
  BYTES,
  READ,
};

typedef struct
{
  char *path;
  guint seconds;
} Speed;

static RoastRecording *
record (guint seconds)
{
  RoastRecording *recording = roast_recording_new (NULL);
  g_autoptr (RoastTableWriter) writer =
      roast_recording_write_table (recording, "worker_samples", "dask-1", series_columns, NULL);
  g_autoptr (Series) series = series_new (WORKERS);

  for (guint i = 0; i < seconds; i++)
    {
      series_step (series);
      series_write (series, writer);
    }

  return recording;
}

/* zstd at the same level on the same blocks, as they are in memory. */
static void
measure_limit (RoastRecording *recording, double *seconds, double *bytes)
{
  g_autoptr (RoastTableReader) reader = roast_recording_read_table (recording, "worker_samples", series_columns, NULL);
  gsize room = ZSTD_compressBound (BLOCK * sizeof (double));
  g_autofree char *to = g_malloc (room);
  ZSTD_CCtx *context = ZSTD_createCCtx ();
  gsize size = 0;
  double begin = bench_get_cpu ();

  while (roast_table_reader_next_block (reader))
    for (guint slot = SERIES_FIRST_SLOT; slot < SERIES_FIRST_SLOT + SERIES_N; slot++)
      {
        g_autoptr (GBytes) data = roast_table_reader_dup_block_data (reader, slot);

        size += ZSTD_compressCCtx (context, to, room, g_bytes_get_data (data, NULL), g_bytes_get_size (data), 1);
      }
  *seconds = bench_get_cpu () - begin;
  *bytes = (double) size;
  ZSTD_freeCCtx (context);
}

static double
store (RoastRecording *recording, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastRunFile) file = roast_run_file_create (path, &error);
  double begin = bench_get_cpu ();

  if (file == NULL)
    g_error ("%s", error->message);
  roast_run_file_attach (file, recording);
  if (!roast_run_file_close (file, &error))
    g_error ("%s", error->message);

  return bench_get_cpu () - begin;
}

static double
sum_all (RoastRecording *recording, double *seconds)
{
  double total = 0;
  double begin = bench_get_cpu ();

  for (guint slot = SERIES_FIRST_SLOT; slot < SERIES_FIRST_SLOT + SERIES_N; slot++)
    {
      const char *const columns[] = { series_columns[slot], NULL };
      g_autoptr (RoastTableReader) one = roast_recording_read_table (recording, "worker_samples", columns, NULL);
      double sum = 0;

      roast_table_reader_sum (one, 0, &sum, NULL);
      total += sum;
    }
  *seconds = bench_get_cpu () - begin;

  return total;
}

static void
measure (gpointer data, double *results)
{
  const Speed *speed = data;
  g_autoptr (RoastRecording) recording = record (speed->seconds);
  g_autoptr (RoastRecording) again = NULL;
  double ignored = 0;
  double expected = sum_all (recording, &ignored);

  results[VALUES] = (double) WORKERS * speed->seconds * SERIES_N;
  measure_limit (recording, &results[LIMIT], &results[LIMIT_BYTES]);
  results[WRITTEN] = store (recording, speed->path);
  results[BYTES] = bench_get_size (speed->path);
  again = roast_recording_open (speed->path, NULL);
  if (again == NULL || sum_all (again, &results[READ]) != expected)
    g_error ("the file has other values");
}

gboolean
bench_speed (const BenchOptions *options)
{
  g_autofree char *path = g_build_filename (options->directory, "speed.roast", NULL);
  Speed speed = { path, (guint) MAX (SECONDS * options->scale, 1) };
  BenchChild child = bench_call (measure, &speed);
  const double *results = child.results;
  double values = results[VALUES];

  bench_remove (options, path);
  printf ("%.1f M values of %d workers, %d series each\n", values / 1e6, WORKERS, SERIES_N);
  printf ("  limit: zstd -1 alone      %6.1f M values/CPU-s, %5.2f B each\n", values / results[LIMIT] / 1e6,
          results[LIMIT_BYTES] / values);
  printf ("  written into a run file   %6.1f M values/CPU-s, %5.2f B each: %.2f × the time of the limit, %.2f × its "
          "bytes (goals: %.0f M, %.1f B)\n",
          values / results[WRITTEN] / 1e6, results[BYTES] / values, results[WRITTEN] / results[LIMIT],
          results[BYTES] / results[LIMIT_BYTES], RATE_GOAL / 1e6, BYTES_GOAL);
  printf ("  read and added up         %6.1f M values/CPU-s\n", values / results[READ] / 1e6);

  return results[BYTES] / values <= BYTES_GOAL;
}
