/* SPDX-License-Identifier: BSD-3-Clause */

/* CPU time, memory and size of the page for browsers of a large run, beside its JSON in the same run: a million tasks
 * of 10,000 workers, each with 36 samples. bench-page 10000000 3600 is a day of a large analysis. */

#include <glib/gstdio.h>
#include <roast/roast.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define WORKERS 10000
#define MOST_BYTES 1000000
#define MOST_GROWTH 600 /* MiB */
#define MOST_RATIO 1.0  /* of the time of the JSON */
#define START G_GINT64_CONSTANT (1700000000000000)

static guint n_tasks = 1000000;
static guint n_samples = 36; /* of each worker */

enum
{
  TASK,
  ATTEMPT,
  CATEGORY,
  WORKER,
  STARTED,
  ENDED,
};

static const char *const task_columns[] = { "task", "attempt", "category", "worker", "started", "ended", NULL };

enum
{
  SAMPLE_WORKER,
  SAMPLE_TIME,
  SAMPLE_MEMORY,
};

static const char *const sample_columns[] = { "worker", "time", "memory", NULL };

static const char *
worker_name (guint i)
{
  static char name[64];

  g_snprintf (name, sizeof name, "tcp://node%04u.example.org:%u", i % WORKERS / 8, 40000 + i % WORKERS);

  return name;
}

static void
end_row (RoastTableWriter *writer)
{
  if (!roast_table_writer_end (writer, NULL))
    g_error ("a row was refused");
}

static RoastRecordingSnapshot *
record (RoastSchema *schema)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (schema);
  g_autofree char *source = roast_recording_add_source (recording, "bench", NULL, NULL, NULL);
  g_autoptr (RoastTableWriter) tasks = roast_recording_write_table (recording, "tasks", source, task_columns, NULL);
  g_autoptr (RoastTableWriter) samples =
      roast_recording_write_table (recording, "worker_samples", source, sample_columns, NULL);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (guint i = 0; i < n_tasks; i++)
    {
      char name[64];
      gint64 started = START + (gint64) i * 3600;

      g_snprintf (name, sizeof name, "process-chunk-%08x-%u", i * 2654435761U, i);
      roast_table_writer_set_string (tasks, TASK, name);
      roast_table_writer_set_int64 (tasks, ATTEMPT, 1);
      roast_table_writer_set_string (tasks, CATEGORY, i % 10 == 0 ? "merge" : "process");
      roast_table_writer_set_string (tasks, WORKER, worker_name (i));
      roast_table_writer_set_int64 (tasks, STARTED, started);
      roast_table_writer_set_int64 (tasks, ENDED, started + g_rand_int_range (random, 1000, 60000000));
      end_row (tasks);
    }
  for (guint i = 0; i < n_samples; i++)
    for (guint j = 0; j < WORKERS; j++)
      {
        roast_table_writer_set_string (samples, SAMPLE_WORKER, worker_name (j));
        roast_table_writer_set_int64 (samples, SAMPLE_TIME, START + (gint64) i * G_USEC_PER_SEC);
        roast_table_writer_set_int64 (samples, SAMPLE_MEMORY, g_rand_int_range (random, 100000000, 2000000000));
        end_row (samples);
      }

  return roast_recording_snapshot (recording);
}

/* s, of this process */
static double
get_cpu (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);

  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* MiB */
static double
get_peak (void)
{
  g_autofree char *status = NULL;
  const char *line = g_file_get_contents ("/proc/self/status", &status, NULL, NULL) ? strstr (status, "VmHWM:") : NULL;

  if (line == NULL)
    g_error ("no peak of memory");

  return (double) g_ascii_strtoull (line + strlen ("VmHWM:"), NULL, 10) / 1024;
}

static double export (const char *name, RoastRecordingSnapshot *recording, RoastReport *report, const char *path)
{
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastExporter) exporter = roast_registry_create_exporter (registry, name, NULL, &error);
  g_autoptr (RoastOutput) output = roast_output_new_for_file (path);
  double begin = get_cpu ();

  if (exporter == NULL || !roast_exporter_export_report (exporter, recording, report, output, NULL, &error) ||
      !roast_output_commit (output, &error))
    g_error ("%s", error->message);

  return get_cpu () - begin;
}

int
main (int argc, char **argv)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (RoastReport) report = roast_report_new (schema);
  g_autofree char *directory = g_dir_make_tmp ("roast-bench-XXXXXX", NULL);
  g_autofree char *page_path = g_build_filename (directory, "report.html", NULL);
  g_autofree char *json_path = g_build_filename (directory, "report.json", NULL);
  g_autofree char *page = NULL;
  g_autoptr (RoastRecordingSnapshot) recording = NULL;
  double before = 0, growth = 0, of_page = 0, of_json = 0;
  gsize size = 0;

  if (argc > 1)
    n_tasks = (guint) CLAMP (g_ascii_strtoll (argv[1], NULL, 10), 1, G_MAXINT);
  if (argc > 2)
    n_samples = (guint) CLAMP (g_ascii_strtoll (argv[2], NULL, 10), 1, 100000);
  recording = record (schema);
  before = get_peak ();
  of_page = export ("html", recording, report, page_path);
  growth = get_peak () - before;
  of_json = export ("json", recording, report, json_path);
  if (!g_file_get_contents (page_path, &page, &size, NULL))
    g_error ("no page");
  g_unlink (page_path);
  g_unlink (json_path);
  g_rmdir (directory);
  printf ("%u tasks, %u workers with %u samples each\n", n_tasks, WORKERS, n_samples);
  printf ("%-8s %.2f CPU-s (%.2f of the JSON; limit %.1f), %zu bytes (limit %d)\n", "html", of_page, of_page / of_json,
          MOST_RATIO, size, MOST_BYTES);
  printf ("%-8s %.2f CPU-s\n", "json", of_json);
  printf ("%-8s %.0f MiB above the %.0f MiB of the recording (limit %d)\n", "memory", growth, before, MOST_GROWTH);

  return size < MOST_BYTES && growth <= MOST_GROWTH && of_page <= MOST_RATIO * of_json ? EXIT_SUCCESS : EXIT_FAILURE;
}
