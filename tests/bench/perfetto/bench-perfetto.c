/* SPDX-License-Identifier: BSD-3-Clause */

/* Time to write a million tasks as a trace of Perfetto, and its size, beside the JSON exporter in the same run:
 * tasks as Dask has them (a long key, a slice each) and as TaskVine has them (its phases inside of each).
 * bench-perfetto 100000 does it with fewer. */

#include <roast/roast.h>

#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROWS 1000000   /* unless the command line has another number */
#define MOST_SECONDS 3 /* for a million tasks, the goals, with GLib's zlib */
#define MOST_MB 65
#define MOST_GROWTH 128 /* MiB for a million tasks: where each attempt goes, but not the trace */
#define WORKERS 500
#define SLOTS 4
#define CATEGORIES 20
#define REPETITIONS 3
#define START G_GINT64_CONSTANT (1700000000000000)

static int n_rows = ROWS;

static void
set_times (RoastTableWriter *writer, const guint *columns, const gint64 *times, guint n)
{
  for (guint i = 0; i < n; i++)
    roast_table_writer_set_int64 (writer, columns[i], times[i]);
}

/* A key, CPU time and sizes: one slice. */
static void
set_short_attempt (RoastTableWriter *writer, GRand *random, int i, gint64 started, gint64 ended)
{
  static const guint columns[] = { ROAST_TASKS_SUBMITTED, ROAST_TASKS_DISPATCHED, ROAST_TASKS_STARTED,
                                   ROAST_TASKS_ENDED };
  const gint64 times[] = { START, started - g_rand_int_range (random, 100, 5000), started, ended };
  g_autofree char *task =
      g_strdup_printf ("('hist-%08x94d3b2a1c5e67f80%08x', %d, %d)", 0x9e3779b9U * (guint) (i % CATEGORIES),
                       0x85ebca6bU * (guint) (i % CATEGORIES), i / CATEGORIES, i % 3);

  roast_table_writer_set_string (writer, ROAST_TASKS_TASK, task);
  set_times (writer, columns, times, G_N_ELEMENTS (times));
  roast_table_writer_set_double (writer, ROAST_TASKS_CPU, (double) (ended - started) / 1.25e6);
  roast_table_writer_set_int64 (writer, ROAST_TASKS_BYTES_OUT, g_rand_int_range (random, 28, 10000000));
}

/* All phases, and what it was given and used. */
static void
set_long_attempt (RoastTableWriter *writer, GRand *random, int i, gint64 started, gint64 ended)
{
  static const guint columns[] = { ROAST_TASKS_SUBMITTED, ROAST_TASKS_DISPATCHED, ROAST_TASKS_DELIVERED,
                                   ROAST_TASKS_STARTED,   ROAST_TASKS_ENDED,      ROAST_TASKS_NOTICED,
                                   ROAST_TASKS_FETCHED,   ROAST_TASKS_RETRIEVED,  ROAST_TASKS_RETURNED };
  gint64 room = (ended - started) / 8;
  gint64 delivered = started + g_rand_int_range (random, 50, 300);
  gint64 executed = delivered + g_rand_int_range (random, 300, (gint32) room);
  gint64 done = ended - g_rand_int_range (random, 300, (gint32) room);
  const gint64 times[] = { START, started, delivered, executed, done, done + 50, done + 120, ended, ended + 90 };
  g_autofree char *task = g_strdup_printf ("%d", i + 1);

  roast_table_writer_set_string (writer, ROAST_TASKS_TASK, task);
  set_times (writer, columns, times, G_N_ELEMENTS (times));
  roast_table_writer_set_int64 (writer, ROAST_TASKS_EXIT_CODE, 0);
  roast_table_writer_set_double (writer, ROAST_TASKS_CORES, 1);
  roast_table_writer_set_double (writer, ROAST_TASKS_CORES_ALLOCATED, 1);
  roast_table_writer_set_int64 (writer, ROAST_TASKS_MEMORY_PEAK, g_rand_int_range (random, 100, 2000) * 1000000LL);
  roast_table_writer_set_int64 (writer, ROAST_TASKS_BYTES_IN, g_rand_int_range (random, 100, 100000));
  roast_table_writer_set_int64 (writer, ROAST_TASKS_BYTES_OUT, g_rand_int_range (random, 100, 100000));
}

/* In the order in which they start; each slot has one after the other. */
static RoastRecordingSnapshot *
record (gboolean has_phases)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (RoastRecording) recording = roast_recording_new (schema);
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastTableWriter) writer =
      roast_recording_write_table (recording, ROAST_TABLE_TASKS, "bench-1", roast_tasks_columns, &error);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  if (writer == NULL)
    g_error ("%s", error->message);
  for (int i = 0; i < n_rows; i++)
    {
      int slot = i % (WORKERS * SLOTS);
      gint64 started = START + 1000000 + i / (WORKERS * SLOTS) * 100000 + slot * 7;
      gint64 ended = started + g_rand_int_range (random, 20000, 99900);
      g_autofree char *worker =
          g_strdup_printf ("tcp://10.0.%d.%d:4%04d", slot % WORKERS / 250, slot % 250, slot % WORKERS);
      g_autofree char *category = g_strdup_printf ("category-%d", i % CATEGORIES);

      roast_table_writer_set_int64 (writer, ROAST_TASKS_ATTEMPT, 1);
      roast_table_writer_set_string (writer, ROAST_TASKS_WORKER, worker);
      roast_table_writer_set_string (writer, ROAST_TASKS_CATEGORY, category);
      roast_table_writer_set_string (writer, ROAST_TASKS_STATUS, i % 1000 == 999 ? "failed" : "done");
      if (i % 1000 == 999)
        roast_table_writer_set_string (writer, ROAST_TASKS_MESSAGE, "OSError: the file was not found");
      (has_phases ? set_long_attempt : set_short_attempt) (writer, random, i, started, ended);
      if (!roast_table_writer_close (writer, &error))
        g_error ("%s", error->message);
    }

  return roast_recording_snapshot (recording);
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

/* Wall time, or CPU time of all threads if that is less: a machine that is busy otherwise does not count. In s. */
typedef struct
{
  double wall, cpu;
} Clocks;

static Clocks
read_clocks (void)
{
  Clocks clocks = { (double) g_get_monotonic_time () / G_USEC_PER_SEC, (double) clock () / CLOCKS_PER_SEC };

  return clocks;
}

static double
get_elapsed (Clocks begin)
{
  Clocks now = read_clocks ();

  return MIN (now.wall - begin.wall, now.cpu - begin.cpu);
}

static double
time_export (RoastExporter *exporter, RoastRecordingSnapshot *recording, const char *path)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (RoastReport) report = roast_report_new (schema);
  g_autoptr (RoastOutput) output = roast_output_new_for_file (path);
  g_autoptr (GError) error = NULL;
  Clocks begin = read_clocks ();

  if (!roast_exporter_export_report (exporter, recording, report, output, NULL, &error) ||
      !roast_output_commit (output, &error))
    g_error ("%s", error->message);

  return get_elapsed (begin);
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static double
get_mb (const char *path)
{
  GStatBuf status;

  if (g_stat (path, &status) != 0)
    g_error ("%s was not written", path);

  return (double) status.st_size / 1e6;
}

/* MiB, of this program: the peak since reset_peak (). */
static double
get_peak (void)
{
  g_autofree char *status = NULL;
  const char *line = g_file_get_contents ("/proc/self/status", &status, NULL, NULL) ? strstr (status, "VmHWM:") : NULL;

  if (line == NULL)
    g_error ("no peak of memory");

  return (double) g_ascii_strtoull (line + strlen ("VmHWM:"), NULL, 10) / 1024;
}

static gboolean
measure (const char *label, gboolean has_phases, RoastExporter *perfetto, RoastExporter *json, const char *directory)
{
  g_autofree char *trace_path = g_build_filename (directory, "report.perfetto-trace", NULL);
  g_autofree char *json_path = g_build_filename (directory, "report.json", NULL);
  g_autoptr (RoastRecordingSnapshot) recording = record (has_phases);
  double trace_times[REPETITIONS], json_times[REPETITIONS], seconds, growth, before = get_peak ();
  gboolean is_good;

  for (int i = 0; i < REPETITIONS; i++)
    {
      trace_times[i] = time_export (perfetto, recording, trace_path);
      json_times[i] = time_export (json, recording, json_path);
    }
  growth = get_peak () - before;
  qsort (trace_times, REPETITIONS, sizeof trace_times[0], compare_doubles);
  qsort (json_times, REPETITIONS, sizeof json_times[0], compare_doubles);
  seconds = trace_times[REPETITIONS / 2];
  is_good = seconds <= MOST_SECONDS * MAX (n_rows / 1e6, 0.01) &&
            get_mb (trace_path) <= MOST_MB * MAX (n_rows / 1e6, 0.01) &&
            growth <= MOST_GROWTH * MAX (n_rows / 1e6, 0.1);
  printf ("%d tasks, %s: perfetto %.2f s, %.1f MB (goals for a million: %d s, %d MB); json %.2f s, %.1f MB: "
          "%.2f of its "
          "time, %.3f of its size; %.0f MiB of memory above the %.0f MiB of the recording (limit %d): %s\n",
          n_rows, label, seconds, get_mb (trace_path), MOST_SECONDS, MOST_MB, json_times[REPETITIONS / 2],
          get_mb (json_path), seconds / json_times[REPETITIONS / 2], get_mb (trace_path) / get_mb (json_path), growth,
          before, MOST_GROWTH, is_good ? "good" : "MISSED");
  g_remove (trace_path);
  g_remove (json_path);

  return is_good;
}

int
main (int argc, char **argv)
{
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autofree char *directory = g_dir_make_tmp ("roast-bench-XXXXXX", NULL);
  g_autoptr (RoastExporter) perfetto = load (registry, "perfetto");
  g_autoptr (RoastExporter) json = load (registry, "json");
  gboolean is_good;

  if (argc > 1)
    n_rows = (int) CLAMP (g_ascii_strtoll (argv[1], NULL, 10), 1, G_MAXINT);
  is_good = measure ("without phases", FALSE, perfetto, json, directory);
  is_good = measure ("with phases", TRUE, perfetto, json, directory) && is_good;
  g_rmdir (directory);

  return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
