/* SPDX-License-Identifier: BSD-3-Clause */

/* How long charts take from rows in memory to SVG, how large they are, and how much memory is needed beside the rows.
 * Run by bench-chart.py and bench-peers.py, which draw the same points with a peer. */

#include <math.h>
#include <roast/roast.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../store/bench.h"

#define REPETITIONS 5
#define LIMIT 8e9 /* B */

static const char schema_text[] =
    "[table samples]\nDescription=Samples\n[columns samples]\ntime=int64 us: when\nworker=category: who\n"
    "memory=double B: how much\nmemory_limit=double B: at most\n"
    "[table jobs]\nDescription=Jobs\n[columns jobs]\nworker=category: who\ncategory=category: what\n"
    "started=int64 us: from\nended=int64 us: to\nseconds=double s: how long\nevents=int64: how many\n"
    "[chart line]\nTitle=Memory of workers\nDescription=d\nTable=samples\nKind=line\nX=time\nY=memory\nGroup=worker\n"
    "[chart area]\nTitle=Memory by worker\nDescription=d\nTable=samples\nKind=area\nX=time\nY=memory\n"
    "Group=worker\n"
    "[chart mean]\nTitle=Memory of workers\nDescription=d\nTable=samples\nKind=line\nX=time\nY=memory\n"
    "Per=memory_limit\nCombine=mean\n"
    "[chart each]\nTitle=Memory of workers\nDescription=d\nTable=samples\nKind=line\nX=time\nY=memory\n"
    "Per=memory_limit\nGroup=worker\nTop=10\n"
    "[chart lanes]\nTitle=Jobs by worker\nDescription=d\nTable=jobs\nKind=lanes\nX=started\nEnd=ended\nLane=worker\n"
    "Group=category\n"
    "[chart histogram]\nTitle=Time per job\nDescription=d\nTable=jobs\nKind=histogram\nX=seconds\n"
    "Guides=mean; median\n"
    "[chart scatter]\nTitle=Time by events\nDescription=d\nTable=jobs\nKind=scatter\nX=events\nY=seconds\nFit=linear\n";

/* The points that the peer reads: series, seconds, bytes. */
static void
write_points (const char *path, RoastTableWriter *samples, guint n_series, guint n_points)
{
  FILE *file = path != NULL ? fopen (path, "wb") : NULL;
  double *values = g_new0 (double, n_series);
  GRand *random = g_rand_new_with_seed (15);

  for (guint i = 0; i < n_points; i++)
    for (guint s = 0; s < n_series; s++)
      {
        double point[3] = { s, i * 0.036, 0 };
        char name[16];

        values[s] = CLAMP (values[s] + g_rand_double_range (random, -1, 1.01) * 1e7, 0, 8e9);
        point[2] = values[s];
        g_snprintf (name, sizeof name, "worker-%u", s);
        roast_table_writer_set_int64 (samples, 0, (gint64) (point[1] * 1e6));
        roast_table_writer_set_string (samples, 1, name);
        roast_table_writer_set_double (samples, 2, point[2]);
        roast_table_writer_end (samples, NULL);
        if (file != NULL)
          fwrite (point, sizeof point, 1, file);
      }
  if (file != NULL)
    fclose (file);
  g_rand_free (random);
  g_free (values);
}

/* The values that the peer reads: by second and worker. */
static void
write_samples (const char *path, RoastTableWriter *samples, guint n_workers, guint seconds)
{
  FILE *file = fopen (path, "wb");
  g_autofree double *values = g_new0 (double, n_workers);
  g_autoptr (GRand) random = g_rand_new_with_seed (15);

  if (file == NULL)
    g_error ("%s cannot be written", path);
  for (guint i = 0; i < seconds; i++)
    {
      for (guint worker = 0; worker < n_workers; worker++)
        {
          char name[16];

          values[worker] = CLAMP (values[worker] + g_rand_double_range (random, -1, 1.1) * 1e8, 0, LIMIT);
          g_snprintf (name, sizeof name, "worker-%u", worker);
          roast_table_writer_set_int64 (samples, 0, (gint64) i * G_USEC_PER_SEC);
          roast_table_writer_set_string (samples, 1, name);
          roast_table_writer_set_double (samples, 2, values[worker]);
          roast_table_writer_set_double (samples, 3, LIMIT);
          roast_table_writer_end (samples, NULL);
        }
      fwrite (values, sizeof *values, n_workers, file);
    }
  fclose (file);
}

static void
write_jobs (RoastTableWriter *jobs, guint n_workers, guint n_jobs)
{
  static const char *const categories[] = { "analysis", "merge", "preprocessing" };
  double *free_at = g_new0 (double, n_workers);
  GRand *random = g_rand_new_with_seed (15);

  for (guint i = 0; i < n_jobs; i++)
    {
      guint worker = (guint) g_rand_int_range (random, 0, (gint32) n_workers);
      double length = -log (1 - g_rand_double (random)) * 3600.0 * n_workers / n_jobs * 0.8;
      char name[16];

      g_snprintf (name, sizeof name, "worker-%u", worker);
      roast_table_writer_set_string (jobs, 0, name);
      roast_table_writer_set_string (jobs, 1, categories[g_rand_int_range (random, 0, 3)]);
      roast_table_writer_set_int64 (jobs, 2, (gint64) (free_at[worker] * 1e6));
      free_at[worker] += length;
      roast_table_writer_set_int64 (jobs, 3, (gint64) (free_at[worker] * 1e6));
      roast_table_writer_set_double (jobs, 4, length);
      roast_table_writer_set_int64 (jobs, 5, (gint64) (length * g_rand_double_range (random, 2e4, 8e4)));
      roast_table_writer_end (jobs, NULL);
    }
  g_rand_free (random);
  g_free (free_at);
}

/* Prints CPU seconds of the fastest, bytes of SVG, and MB beyond the rows. */
static void
measure (RoastRecordingSnapshot *snapshot, const char *name)
{
  RoastChartInfo *chart = roast_schema_get_chart (roast_recording_snapshot_get_schema (snapshot), name);
  double best = INFINITY;
  gsize size = 0;
  double before = bench_forget_peak ();

  for (guint i = 0; i < REPETITIONS; i++)
    {
      double begin = bench_get_cpu ();
      g_autoptr (RoastScene) scene = roast_chart_draw (chart, snapshot, NULL, 800, 400, NULL);
      g_autofree char *svg = roast_scene_to_svg (scene, ROAST_THEME_LIGHT, ROAST_SVG_FLAGS_NONE);
      double cpu = bench_get_cpu () - begin;

      best = MIN (best, cpu);
      size = strlen (svg);
    }
  printf ("%s %.4f %" G_GSIZE_FORMAT " %.1f\n", name, best, size, (bench_get_peak () - before) / 1e6);
  fflush (stdout);
}

int
main (int argc, char **argv)
{
  static const char *const sample_columns[] = { "time", "worker", "memory", "memory_limit", NULL };
  static const char *const job_columns[] = { "worker", "category", "started", "ended", "seconds", "events", NULL };
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (GBytes) text = g_bytes_new_static (schema_text, strlen (schema_text));
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastTableWriter) rows = NULL;
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;

  if (argc < 4 || (g_str_equal (argv[1], "samples") && argc < 5))
    g_error ("usage: bench-chart points FILE N | samples FILE WORKERS SECONDS | jobs WORKERS N");
  if (!roast_schema_load_data (schema, text, "bench", &error))
    g_error ("%s", error->message);
  recording = roast_recording_new (schema);
  roast_recording_set_times (recording, 0, G_GINT64_CONSTANT (3600) * G_USEC_PER_SEC);
  if (!g_str_equal (argv[1], "jobs"))
    {
      rows = roast_recording_write_table (recording, "samples", "bench", sample_columns, NULL);
      if (g_str_equal (argv[1], "points"))
        write_points (argv[2], rows, 5, (guint) atoi (argv[3]));
      else
        write_samples (argv[2], rows, (guint) atoi (argv[3]), (guint) atoi (argv[4]));
    }
  else
    {
      rows = roast_recording_write_table (recording, "jobs", "bench", job_columns, NULL);
      write_jobs (rows, (guint) atoi (argv[2]), (guint) atoi (argv[3]));
    }
  snapshot = roast_recording_snapshot (recording);
  if (g_str_equal (argv[1], "points"))
    {
      measure (snapshot, "line");
      measure (snapshot, "area");
    }
  else if (g_str_equal (argv[1], "samples"))
    {
      measure (snapshot, "mean");
      measure (snapshot, "each");
    }
  else
    {
      measure (snapshot, "lanes");
      measure (snapshot, "histogram");
      measure (snapshot, "scatter");
    }

  return EXIT_SUCCESS;
}
