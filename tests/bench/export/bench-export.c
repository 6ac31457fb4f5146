/* SPDX-License-Identifier: BSD-3-Clause */

/* How long a table of a million rows takes into CSV and JSON, beside a plain loop of fprintf () in the same run. */

#include <roast/roast.h>

#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 1000000
#define WORKERS 50
#define REPETITIONS 3
#define START G_GINT64_CONSTANT (1700000000000000)

typedef struct
{
  gint64 time, memory;
  const char *worker;
  double cpu, rate;
} Sample;

/* Times in µs, CPU time in whole µs, and numbers that need all of their digits. */
static Sample *
make_samples (void)
{
  Sample *samples = g_new (Sample, ROWS);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (int i = 0; i < ROWS; i++)
    {
      g_autofree char *worker = g_strdup_printf ("local:1/worker-%d", i % WORKERS);

      samples[i].time = START + G_GINT64_CONSTANT (20000) * i;
      samples[i].memory = g_rand_int_range (random, 1, G_MAXINT32);
      samples[i].worker = g_intern_string (worker);
      samples[i].cpu = g_rand_int_range (random, 0, 1000000000) / 1e6;
      samples[i].rate = g_rand_double_range (random, 0, 1e9);
    }

  return samples;
}

static RoastRecordingSnapshot *
record (const Sample *samples)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastTable) table = roast_table_new ("samples", ROAST_TABLE_KIND_LOG, "what is timed");
  g_autoptr (RoastRow) row = NULL;

  roast_table_add_column (table, "worker", ROAST_COLUMN_TYPE_CATEGORY, NULL, NULL, NULL);
  roast_table_add_column (table, "time", ROAST_COLUMN_TYPE_INT64, "us", NULL, NULL);
  roast_table_add_column (table, "memory", ROAST_COLUMN_TYPE_INT64, "B", NULL, NULL);
  roast_table_add_column (table, "cpu", ROAST_COLUMN_TYPE_DOUBLE, "s", NULL, NULL);
  roast_table_add_column (table, "rate", ROAST_COLUMN_TYPE_DOUBLE, "B/s", NULL, NULL);
  row = roast_row_new (table);
  for (int i = 0; i < ROWS; i++)
    {
      roast_row_clear (row);
      roast_row_set_string (row, 0, samples[i].worker);
      roast_row_set_int64 (row, 1, samples[i].time);
      roast_row_set_int64 (row, 2, samples[i].memory);
      roast_row_set_double (row, 3, samples[i].cpu);
      roast_row_set_double (row, 4, samples[i].rate);
      if (!roast_table_append (table, row, NULL))
        g_error ("a row was refused");
    }
  if (!roast_recording_add_table (recording, table, NULL))
    g_error ("the table was refused");

  return roast_recording_snapshot (recording);
}

static double
time_fprintf (const Sample *samples, const char *path)
{
  gint64 begin = g_get_monotonic_time ();
  FILE *file = fopen (path, "we");

  if (file == NULL)
    g_error ("cannot write %s", path);
  for (int i = 0; i < ROWS; i++)
    fprintf (file, "%s,%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ",%.17g,%.17g\r\n", samples[i].worker, samples[i].time,
             samples[i].memory, samples[i].cpu, samples[i].rate);
  if (fclose (file) != 0)
    g_error ("cannot write %s", path);

  return (double) (g_get_monotonic_time () - begin) / G_USEC_PER_SEC;
}

static double
time_export (RoastExporter *exporter, RoastRecordingSnapshot *recording, RoastOutput *output)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (RoastReport) report = roast_report_new (schema);
  gint64 begin = g_get_monotonic_time ();
  g_autoptr (GError) error = NULL;

  if (!roast_exporter_export_report (exporter, recording, report, output, NULL, &error) ||
      !roast_output_commit (output, &error))
    g_error ("%s", error->message);

  return (double) (g_get_monotonic_time () - begin) / G_USEC_PER_SEC;
}

static RoastExporter *
load (RoastRegistry *registry, const char *name)
{
  g_autoptr (GError) error = NULL;
  RoastExporter *exporter = roast_registry_create_exporter (registry, name, NULL, &error);

  if (exporter == NULL)
    g_error ("%s", error->message);

  return exporter;
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static double
median (double *times)
{
  qsort (times, REPETITIONS, sizeof times[0], compare_doubles);

  return times[REPETITIONS / 2];
}

static void
remove_directory (const char *path)
{
  g_autoptr (GDir) directory = g_dir_open (path, 0, NULL);

  for (const char *name = g_dir_read_name (directory); name != NULL; name = g_dir_read_name (directory))
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      g_remove (file);
    }
  g_rmdir (path);
}

int
main (void)
{
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autofree char *directory = g_dir_make_tmp ("roast-bench-XXXXXX", NULL);
  g_autofree char *plain_path = g_build_filename (directory, "plain.csv", NULL);
  g_autofree char *json_path = g_build_filename (directory, "report.json", NULL);
  g_autofree Sample *samples = make_samples ();
  g_autoptr (RoastRecordingSnapshot) recording = record (samples);
  g_autoptr (RoastExporter) csv = load (registry, "csv");
  g_autoptr (RoastExporter) json = load (registry, "json");
  double plain[REPETITIONS], csv_times[REPETITIONS], json_times[REPETITIONS];
  double base;

  for (int i = 0; i < REPETITIONS; i++)
    {
      g_autoptr (RoastOutput) csv_output = roast_output_new_for_directory (directory);
      g_autoptr (RoastOutput) json_output = roast_output_new_for_file (json_path);

      plain[i] = time_fprintf (samples, plain_path);
      csv_times[i] = time_export (csv, recording, csv_output);
      json_times[i] = time_export (json, recording, json_output);
    }
  base = median (plain);
  printf ("%d rows of 5 columns, median of %d runs\n", ROWS, REPETITIONS);
  printf ("%-16s %.3f s\n", "plain fprintf ()", base);
  printf ("%-16s %.3f s (%.2f of the plain loop)\n", "csv", median (csv_times), median (csv_times) / base);
  printf ("%-16s %.3f s (%.2f of the plain loop)\n", "json", median (json_times), median (json_times) / base);
  remove_directory (directory);

  return EXIT_SUCCESS;
}
