/* SPDX-License-Identifier: BSD-3-Clause */

/* Time to write a table of a million rows as CSV and as JSON, beside a plain loop of fprintf () in the same run, and
 * how much memory that takes. bench-export 10000000 does it with ten times as many. */

#include <roast/roast.h>

#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 1000000  /* unless the command line has another number */
#define MOST_GROWTH 8 /* MiB: exporters write as they go, however many rows there are */
#define WORKERS 50
#define REPETITIONS 3
#define START G_GINT64_CONSTANT (1700000000000000)

static int n_rows = ROWS;

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
  Sample *samples = g_new (Sample, n_rows);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (int i = 0; i < n_rows; i++)
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

enum
{
  WORKER,
  TIME,
  MEMORY,
  CPU,
  RATE,
};

static const char *const columns[] = { "source", "time", "memory", "cpu", "rate", NULL };

static RoastRecordingSnapshot *
record (const Sample *samples)
{
  static const char text[] = "[table samples]\nKind=log\nDescription=for the benchmark\n"
                             "[columns samples]\nsource=category: worker\ntime=int64 us: time\nmemory=int64 B: memory\n"
                             "cpu=double s: CPU time\nrate=double B/s: rate\n";
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, sizeof text - 1);
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastTableWriter) writer = NULL;

  if (!roast_schema_load_data (schema, bytes, "bench", NULL))
    g_error ("the schema was refused");
  recording = roast_recording_new (schema);
  writer = roast_recording_write_table (recording, "samples", NULL, columns, NULL);
  for (int i = 0; i < n_rows; i++)
    {
      roast_table_writer_set_string (writer, WORKER, samples[i].worker);
      roast_table_writer_set_int64 (writer, TIME, samples[i].time);
      roast_table_writer_set_int64 (writer, MEMORY, samples[i].memory);
      roast_table_writer_set_double (writer, CPU, samples[i].cpu);
      roast_table_writer_set_double (writer, RATE, samples[i].rate);
      if (!roast_table_writer_end (writer, NULL))
        g_error ("a row was refused");
    }

  return roast_recording_snapshot (recording);
}

static double
time_fprintf (const Sample *samples, const char *path)
{
  gint64 begin = g_get_monotonic_time ();
  FILE *file = fopen (path, "we");

  if (file == NULL)
    g_error ("cannot write %s", path);
  for (int i = 0; i < n_rows; i++)
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

/* MiB, of this program: what getrusage () has may be that of the parent. */
static double
get_peak (void)
{
  g_autofree char *status = NULL;
  const char *line = g_file_get_contents ("/proc/self/status", &status, NULL, NULL) ? strstr (status, "VmHWM:") : NULL;

  if (line == NULL)
    g_error ("no peak of memory");

  return (double) g_ascii_strtoull (line + strlen ("VmHWM:"), NULL, 10) / 1024;
}

int
main (int argc, char **argv)
{
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autofree char *directory = g_dir_make_tmp ("roast-bench-XXXXXX", NULL);
  g_autofree char *plain_path = g_build_filename (directory, "plain.csv", NULL);
  g_autofree char *json_path = g_build_filename (directory, "report.json", NULL);
  g_autofree Sample *samples = NULL;
  g_autoptr (RoastRecordingSnapshot) recording = NULL;
  g_autoptr (RoastExporter) csv = load (registry, "csv");
  g_autoptr (RoastExporter) json = load (registry, "json");
  double plain[REPETITIONS], csv_times[REPETITIONS], json_times[REPETITIONS];
  double base, before, growth;

  if (argc > 1)
    n_rows = (int) CLAMP (g_ascii_strtoll (argv[1], NULL, 10), 1, G_MAXINT);
  samples = make_samples ();
  recording = record (samples);
  before = get_peak ();
  for (int i = 0; i < REPETITIONS; i++)
    {
      g_autoptr (RoastOutput) csv_output = roast_output_new_for_directory (directory);
      g_autoptr (RoastOutput) json_output = roast_output_new_for_file (json_path);

      plain[i] = time_fprintf (samples, plain_path);
      csv_times[i] = time_export (csv, recording, csv_output);
      json_times[i] = time_export (json, recording, json_output);
    }
  growth = get_peak () - before;
  base = median (plain);
  printf ("%d rows of 5 columns, median of %d runs\n", n_rows, REPETITIONS);
  printf ("%-16s %.3f s\n", "plain fprintf ()", base);
  printf ("%-16s %.3f s (%.2f of the plain loop)\n", "csv", median (csv_times), median (csv_times) / base);
  printf ("%-16s %.3f s (%.2f of the plain loop)\n", "json", median (json_times), median (json_times) / base);
  printf ("%-16s %.1f MiB above the %.0f MiB of the recording and the plain rows (limit %d)\n", "peak memory", growth,
          before, MOST_GROWTH);
  remove_directory (directory);

  return growth <= MOST_GROWTH ? EXIT_SUCCESS : EXIT_FAILURE;
}
