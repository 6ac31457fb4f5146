/* SPDX-License-Identifier: BSD-3-Clause */

/* A run file beside roastcoffea's measurement with the same samples of workers: saving, loading, size. */

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "series.h"

#define WORKERS 1000
#define SECONDS 360
#define TIME_GOAL 100.0 /* times as fast */
#define BYTES_GOAL 20.0 /* times as small */

enum
{
  SAVED,
  LOADED,
  BYTES,
};

typedef struct
{
  const char *path;   /* run file */
  const char *values; /* the same values, for the peer */
  guint seconds;
} Peer;

static void
put_values (FILE *file, const SeriesSample *samples)
{
  for (guint worker = 0; worker < WORKERS; worker++)
    {
      double values[SERIES_N];

      for (guint i = 0; i < SERIES_N_INTEGERS; i++)
        values[i] = (double) samples[worker].integers[i];
      memcpy (values + SERIES_N_INTEGERS, samples[worker].doubles, sizeof samples[worker].doubles);
      if (fwrite (values, sizeof values, 1, file) != 1)
        g_error ("the values cannot be written");
    }
}

static RoastRecording *
record (const Peer *peer)
{
  RoastRecording *recording = roast_recording_new (NULL);
  g_autoptr (RoastTableWriter) writer =
      roast_recording_write_table (recording, "worker_samples", "dask-1", series_columns, NULL);
  g_autoptr (Series) series = series_new (WORKERS);
  FILE *file = fopen (peer->values, "wb");

  if (file == NULL)
    g_error ("%s cannot be written", peer->values);
  for (guint i = 0; i < peer->seconds; i++)
    {
      put_values (file, series_step (series));
      series_write (series, writer);
    }
  fclose (file);

  return recording;
}

/* All cells, as columns in memory. */
static void
load (const char *path)
{
  g_autoptr (RoastRecording) recording = roast_recording_open (path, NULL);
  g_autoptr (RoastTableReader) reader = NULL;

  if (recording == NULL)
    g_error ("the file cannot be opened");
  reader = roast_recording_read_table (recording, "worker_samples", series_columns, NULL);
  for (guint slot = 0; slot < SERIES_FIRST_SLOT + SERIES_N; slot++)
    {
      guint64 n_rows = 0;

      while (roast_table_reader_next_block (reader))
        {
          g_autoptr (GBytes) cells = roast_table_reader_dup_block_data (reader, slot);

          n_rows += roast_table_reader_get_block_n_rows (reader);
        }
      roast_table_reader_rewind (reader);
      if (n_rows == 0)
        g_error ("the file is empty");
    }
}

static void
measure (gpointer data, double *results)
{
  const Peer *peer = data;
  g_autoptr (RoastRecording) recording = record (peer);
  g_autoptr (RoastRunFile) file = NULL;
  g_autoptr (GError) error = NULL;
  double begin = bench_get_cpu ();

  file = roast_run_file_create (peer->path, &error);
  if (file == NULL)
    g_error ("%s", error->message);
  roast_run_file_attach (file, recording);
  if (!roast_run_file_close (file, &error))
    g_error ("%s", error->message);
  results[SAVED] = bench_get_cpu () - begin;
  begin = bench_get_cpu ();
  load (peer->path);
  results[LOADED] = bench_get_cpu () - begin;
  results[BYTES] = bench_get_size (peer->path);
}

static gboolean
has_peer (const char *python)
{
  char *argv[] = { (char *) python, (char *) "-c", (char *) "import roastcoffea", NULL };
  int status = 0;

  return g_spawn_sync (NULL, argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL, NULL,
                       &status, NULL) &&
         g_spawn_check_wait_status (status, NULL);
}

/* FALSE if it failed. */
static gboolean
run_peer (const BenchOptions *options, const Peer *peer, double *results)
{
  g_autofree char *workers = g_strdup_printf ("%u", WORKERS);
  g_autofree char *seconds = g_strdup_printf ("%u", peer->seconds);
  g_autofree char *series = g_strdup_printf ("%u", SERIES_N);
  g_autofree char *directory = g_build_filename (options->directory, "roastcoffea", NULL);
  g_autofree char *output = g_build_filename (options->directory, "roastcoffea.out", NULL);
  g_autofree char *text = NULL;
  char *remove[] = { (char *) "rm", (char *) "-rf", directory, NULL };
  char *argv[] = { (char *) options->peer,
                   (char *) options->peer_script,
                   (char *) peer->values,
                   workers,
                   seconds,
                   series,
                   directory,
                   NULL };
  gboolean good = FALSE;

  bench_run (argv, output);
  good = g_file_get_contents (output, &text, NULL, NULL) &&
         sscanf (text, "%lf %lf %lf", &results[SAVED], &results[LOADED], &results[BYTES]) == 3;
  g_unlink (output);
  g_spawn_sync (NULL, remove, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);

  return good;
}

gboolean
bench_peer (const BenchOptions *options)
{
  g_autofree char *path = g_build_filename (options->directory, "peer.roast", NULL);
  g_autofree char *values = g_build_filename (options->directory, "peer.values", NULL);
  Peer peer = { path, values, (guint) MAX (SECONDS * options->scale, 10) };
  double its[BENCH_MAX_RESULTS] = { 0 };
  BenchChild child;
  double ours;
  gboolean good = FALSE;

  if (!has_peer (options->peer))
    {
      printf ("roastcoffea: not compared, because %s does not have it: install it with pip (Python 3.12 or newer), and "
              "name that Python with --peer\n",
              options->peer);
      return TRUE;
    }
  child = bench_call (measure, &peer);
  good = run_peer (options, &peer, its);
  bench_remove (options, path);
  bench_remove (options, values);
  if (!good)
    {
      printf ("roastcoffea: not compared, because its output cannot be read\n");
      return TRUE;
    }
  ours = child.results[SAVED] + child.results[LOADED];
  printf ("%.1f M values of %u workers, beside roastcoffea\n", (double) WORKERS * peer.seconds * SERIES_N / 1e6,
          WORKERS);
  printf ("  roastcoffea  saved in %7.3f CPU-s, loaded in %7.3f CPU-s, %7.1f MB\n", its[SAVED], its[LOADED],
          its[BYTES] / 1e6);
  printf ("  a run file   saved in %7.3f CPU-s, loaded in %7.3f CPU-s, %7.1f MB\n", child.results[SAVED],
          child.results[LOADED], child.results[BYTES] / 1e6);
  printf ("  %.0f × as fast (goal %.0f), %.0f × as small (goal %.0f)\n", (its[SAVED] + its[LOADED]) / ours, TIME_GOAL,
          its[BYTES] / child.results[BYTES], BYTES_GOAL);

  return its[BYTES] / child.results[BYTES] >= BYTES_GOAL;
}
