/* SPDX-License-Identifier: BSD-3-Clause */

/* The same run file gives the same bytes of SVG and HTML, whatever the language, the time zone and the addresses in
 * memory are, and in whatever order names first appeared. */

#include <glib/gstdio.h>
#include <locale.h>
#include <roast/roast.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define START G_GINT64_CONSTANT (1700000000000000)
#define N_WORKERS 40
#define N_TASKS 4000
#define N_SAMPLES 60

/* ---- what is run in several environments ---- */

static void
print_charts (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (GPtrArray) charts = roast_report_list_charts (report, recording);

  for (guint i = 0; i < charts->len; i++)
    {
      RoastChartInfo *chart = g_ptr_array_index (charts, i);
      g_autoptr (RoastScene) scene = roast_chart_draw (chart, recording, report, 760, 300, NULL);
      g_autofree char *light = NULL;
      g_autofree char *dark = NULL;

      if (scene == NULL)
        continue;
      light = roast_scene_to_svg (scene, ROAST_THEME_LIGHT, ROAST_SVG_FLAGS_CLASSES);
      dark = roast_scene_to_svg (scene, ROAST_THEME_DARK, ROAST_SVG_FLAGS_NONE);
      /* Not g_print (), which writes in the encoding of the language. */
      printf ("%s\n%s%s", roast_chart_info_get_name (chart), light, dark);
    }
}

static void
print_page (RoastRegistry *registry, RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastExporter) exporter = roast_registry_create_exporter (registry, "html", NULL, &error);
  g_autoptr (RoastOutput) output = roast_output_new_for_memory ();
  g_autoptr (GBytes) bytes = NULL;

  g_assert_no_error (error);
  g_assert_true (roast_exporter_export_report (exporter, recording, report, output, NULL, &error));
  bytes = roast_output_dup_bytes (output, "report.html");
  fwrite (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), 1, stdout);
}

static int
print_all (const char *path, const char *what)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastRegistry) registry = NULL;
  g_autoptr (RoastSession) session = NULL;
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;

  /* What is asked for must be there: otherwise nothing is tested. */
  if (setlocale (LC_ALL, "") == NULL)
    return 77;
  registry = roast_registry_new ();
  session = roast_session_new (registry);
  recording = roast_recording_open (path, &error);
  g_assert_no_error (error);
  roast_session_read (session, recording, &error);
  g_assert_no_error (error);
  snapshot = roast_recording_snapshot (recording);
  if (g_str_equal (what, "charts"))
    {
      print_charts (snapshot, roast_session_get_report (session));
      return EXIT_SUCCESS;
    }
  setlocale (LC_NUMERIC, "C"); /* as our programs do */
  print_page (registry, snapshot, roast_session_get_report (session));

  return EXIT_SUCCESS;
}

/* ---- a run ---- */

static RoastTableWriter *
open_table (RoastRecording *recording, const char *table, const char *const *columns)
{
  g_autoptr (GError) error = NULL;
  RoastTableWriter *writer = roast_recording_write_table (recording, table, "dask-1", columns, &error);

  g_assert_no_error (error);

  return writer;
}

static const char *
worker_name (guint i)
{
  static char name[32];

  g_snprintf (name, sizeof name, "tcp://10.0.0.%u:4000", i);

  return name;
}

static void
add_workers (RoastRecording *recording)
{
  g_autoptr (RoastTableWriter) writer = open_table (recording, ROAST_TABLE_WORKERS, roast_workers_columns);

  for (guint i = 0; i < N_WORKERS; i++)
    {
      roast_table_writer_set_string (writer, ROAST_WORKERS_WORKER, worker_name (i));
      roast_table_writer_set_double (writer, ROAST_WORKERS_CORES, 2);
      roast_table_writer_set_int64 (writer, ROAST_WORKERS_JOINED, START);
      roast_table_writer_set_int64 (writer, ROAST_WORKERS_LEFT, START + 100 * G_USEC_PER_SEC);
      g_assert_true (roast_table_writer_close (writer, NULL));
    }
}

/* Many workers have the same number of tasks and the same time in them: which ones are shown must not depend on
 * anything else than their names. */
static void
add_tasks (RoastRecording *recording)
{
  static const char *const categories[] = { "analysis", "merge", "preprocess", "write" };
  g_autoptr (RoastTableWriter) writer = open_table (recording, ROAST_TABLE_TASKS, roast_tasks_columns);

  for (guint i = 0; i < N_TASKS; i++)
    {
      char name[32];
      gint64 started = START + (gint64) (i / N_WORKERS) * G_USEC_PER_SEC;

      g_snprintf (name, sizeof name, "task-%u", i);
      roast_table_writer_set_string (writer, ROAST_TASKS_TASK, name);
      roast_table_writer_set_int64 (writer, ROAST_TASKS_ATTEMPT, 1);
      roast_table_writer_set_string (writer, ROAST_TASKS_CATEGORY, categories[i / N_WORKERS % 4]);
      roast_table_writer_set_string (writer, ROAST_TASKS_WORKER, worker_name (i % N_WORKERS));
      roast_table_writer_set_int64 (writer, ROAST_TASKS_STARTED, started);
      roast_table_writer_set_int64 (writer, ROAST_TASKS_ENDED, started + 500000 + i / N_WORKERS * 1000);
      roast_table_writer_set_word (writer, ROAST_TASKS_STATUS, i % 400 == 0 ? ROAST_STATUS_FAILED : ROAST_STATUS_DONE);
      roast_table_writer_set_double (writer, ROAST_TASKS_CPU, 0.25);
      g_assert_true (roast_table_writer_close (writer, NULL));
    }
}

/* Of each second; the workers of one second from the first to the last, or from the last to the first. */
static void
add_samples (RoastRecording *recording, gboolean is_reversed)
{
  g_autoptr (RoastTableWriter) writer =
      open_table (recording, ROAST_TABLE_WORKER_SAMPLES, roast_worker_samples_columns);

  for (guint i = 0; i < N_SAMPLES * N_WORKERS; i++)
    {
      guint second = i / N_WORKERS;
      guint worker = is_reversed ? N_WORKERS - 1 - i % N_WORKERS : i % N_WORKERS;

      roast_table_writer_set_int64 (writer, ROAST_WORKER_SAMPLES_TIME, START + (gint64) second * G_USEC_PER_SEC);
      roast_table_writer_set_string (writer, ROAST_WORKER_SAMPLES_WORKER, worker_name (worker));
      roast_table_writer_set_int64 (writer, ROAST_WORKER_SAMPLES_MEMORY,
                                    (gint64) (second * 37 % 100 + worker / 4) << 24);
      roast_table_writer_set_int64 (writer, ROAST_WORKER_SAMPLES_MEMORY_LIMIT, (gint64) 4 << 30);
      roast_table_writer_set_double (writer, ROAST_WORKER_SAMPLES_CPU_PERCENT, (second * 7 + worker / 4) % 200);
      g_assert_true (roast_table_writer_end (writer, NULL));
    }
}

static char *
record (const char *directory, const char *name, gboolean is_reversed)
{
  static const char *const command[] = { "python", "analysis.py", NULL };
  char *path = g_build_filename (directory, name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastRunFile) file = roast_run_file_create (path, &error);
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);

  g_assert_no_error (error);
  roast_run_file_attach (file, recording);
  roast_recording_set_metadata (recording, "command", g_variant_new_strv (command, -1));
  if (is_reversed)
    add_samples (recording, TRUE);
  add_workers (recording);
  add_tasks (recording);
  if (!is_reversed)
    add_samples (recording, FALSE);
  roast_recording_set_times (recording, START, START + 110 * G_USEC_PER_SEC);
  roast_recording_finish (recording);
  g_assert_true (roast_run_file_close (file, &error));
  g_assert_no_error (error);

  return path;
}

/* ---- environments ---- */

typedef struct
{
  char *directory;
  char *locale; /* where a language with a decimal comma is, or NULL */
} Fixture;

/* A machine may have no language but English; then it is made. */
static void
make_locale (Fixture *self)
{
  g_autofree char *path = g_build_filename (self->directory, "de_DE.UTF-8", NULL);
  const char *argv[] = { "localedef", "-i", "de_DE", "-f", "UTF-8", path, NULL };
  int status = 0;

  if (g_spawn_sync (NULL, (char **) argv, NULL,
                    G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL,
                    NULL, &status, NULL) &&
      g_spawn_check_wait_status (status, NULL))
    self->locale = g_strdup ("de_DE.UTF-8");
}

static void
set_up (Fixture *self, G_GNUC_UNUSED gconstpointer data)
{
  self->directory = g_dir_make_tmp ("roast-test-XXXXXX", NULL);
  make_locale (self);
}

static void
tear_down (Fixture *self, G_GNUC_UNUSED gconstpointer data)
{
  const char *argv[] = { "rm", "-rf", self->directory, NULL };

  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
  g_free (self->directory);
  g_free (self->locale);
}

static GBytes *
print_in (Fixture *self, const char *path, const char *what, const char *zone, const char *locale, const char *fill)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *myself = g_file_read_link ("/proc/self/exe", &error); /* which valgrind cannot start by that name */
  GBytes *bytes = NULL;

  g_assert_no_error (error);
  g_subprocess_launcher_setenv (launcher, "TZ", zone, TRUE);
  g_subprocess_launcher_setenv (launcher, "LC_ALL", locale, TRUE);
  g_subprocess_launcher_setenv (launcher, "LANGUAGE", locale, TRUE);
  g_subprocess_launcher_setenv (launcher, "LOCPATH", self->directory, TRUE);
  g_subprocess_launcher_setenv (launcher, "MALLOC_PERTURB_", fill, TRUE);
  process = g_subprocess_launcher_spawn (launcher, &error, myself, "--print", path, what, NULL);
  g_assert_no_error (error);
  g_subprocess_communicate (process, NULL, NULL, &bytes, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 0);
  g_assert_cmpuint (g_bytes_get_size (bytes), >, 50000);

  return bytes;
}

static void
assert_same (GBytes *first, GBytes *second)
{
  gsize size = 0;
  gsize other = 0;
  const char *a = g_bytes_get_data (first, &size);
  const char *b = g_bytes_get_data (second, &other);

  for (gsize i = 0; i < MIN (size, other); i++)
    if (a[i] != b[i])
      g_error ("byte %zu differs: “%.80s” and “%.80s”", i, a + (i > 40 ? i - 40 : 0), b + (i > 40 ? i - 40 : 0));
  g_assert_cmpuint (size, ==, other);
}

static void
test_environments (Fixture *self, gconstpointer data)
{
  const char *what = data;
  g_autofree char *path = record (self->directory, "run.roast", FALSE);
  g_autoptr (GBytes) first = print_in (self, path, what, "UTC", "C", "0");
  g_autoptr (GBytes) again = print_in (self, path, what, "UTC", "C", "0");
  g_autoptr (GBytes) elsewhere = print_in (self, path, what, "Asia/Kathmandu", "C", "165");

  assert_same (first, again);
  assert_same (first, elsewhere);
  if (self->locale != NULL)
    {
      g_autoptr (GBytes) german = print_in (self, path, what, "Europe/Berlin", self->locale, "90");

      assert_same (first, german);
    }
  else
    g_test_message ("there is no language with a decimal comma: install the package locales");
}

/* Names have other codes then, and tables other places in the file. */
static void
test_order (Fixture *self, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *path = record (self->directory, "run.roast", FALSE);
  g_autofree char *reversed = record (self->directory, "reversed.roast", TRUE);
  g_autoptr (GBytes) first = print_in (self, path, "charts", "UTC", "C", "0");
  g_autoptr (GBytes) second = print_in (self, reversed, "charts", "UTC", "C", "0");

  assert_same (first, second);
}

int
main (int argc, char **argv)
{
  if (argc == 4 && g_str_equal (argv[1], "--print"))
    return print_all (argv[2], argv[3]);
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/chart-same/environments/charts", Fixture, "charts", set_up, test_environments, tear_down);
  g_test_add ("/chart-same/environments/page", Fixture, "page", set_up, test_environments, tear_down);
  g_test_add ("/chart-same/order", Fixture, NULL, set_up, test_order, tear_down);

  return g_test_run ();
}
