/* SPDX-License-Identifier: BSD-3-Clause */

/* An application that measures, in C: runs a program or attaches to one, shows numbers while it runs, prints the report
 * and writes it as JSON. It is roast-run in one file.
 *
 *     measure [--backend=NAME[,OPTION=VALUE]...] [--json=FILE] (--attach=ADDRESS | -- PROGRAM [ARGUMENT...])
 *
 * cc measure.c -o measure $(pkg-config --cflags --libs roast-1)
 */

#include <locale.h>
#include <roast/roast.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char *backend_text = "local";
static char *json_path;
static char *address;
static char **program;

static const GOptionEntry entries[] = {
  { "backend", 'b', 0, G_OPTION_ARG_STRING, &backend_text, "Backend that measures", "NAME[,OPTION=VALUE]..." },
  { "json", 'j', 0, G_OPTION_ARG_FILENAME, &json_path, "File for the report as JSON", "FILE" },
  { "attach", 'a', 0, G_OPTION_ARG_STRING, &address, "Attach to a running process or executor", "ADDRESS" },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &program, NULL, "[-- PROGRAM [ARGUMENT...]]" },
  { NULL }
};

typedef struct
{
  GMainLoop *loop;
  RoastSession *session;
  GError *error;
} Measurement;

/* Shows the last row of cluster_samples that has memory: that of the end has none. A reader sees the table as it is
 * now, and does not change. */
static void
on_rows_added (RoastSession *session, const char *const *tables, gpointer data)
{
  g_autoptr (RoastTableReader) samples = NULL;
  g_autofree char *memory = NULL;
  guint64 row;

  if (!g_strv_contains (tables, ROAST_TABLE_CLUSTER_SAMPLES))
    return;
  samples = roast_recording_read_table (roast_session_get_recording (session), ROAST_TABLE_CLUSTER_SAMPLES,
                                        roast_cluster_samples_columns, NULL);
  row = samples != NULL ? roast_table_reader_get_n_rows (samples) : 0;
  while (row > 0 && roast_table_reader_seek (samples, row - 1) &&
         !roast_table_reader_has (samples, ROAST_CLUSTER_SAMPLES_MEMORY))
    row--;
  if (row == 0)
    return;
  memory = g_format_size ((guint64) roast_table_reader_get_int64 (samples, ROAST_CLUSTER_SAMPLES_MEMORY, 0));
  g_printerr ("\r%3d workers, %s   ", (int) roast_table_reader_get_int64 (samples, ROAST_CLUSTER_SAMPLES_WORKERS, 0),
              memory);
}

static void
on_finished (GObject *object, GAsyncResult *result, gpointer data)
{
  Measurement *self = data;

  roast_session_wait_finish (self->session, result, &self->error);
  g_main_loop_quit (self->loop);
}

static void
on_started (GObject *object, GAsyncResult *result, gpointer data)
{
  Measurement *self = data;
  gboolean started = program != NULL ? roast_session_launch_finish (self->session, result, &self->error)
                                     : roast_session_attach_finish (self->session, result, &self->error);

  if (started)
    roast_session_wait_async (self->session, NULL, on_finished, self);
  else
    g_main_loop_quit (self->loop);
}

static gboolean
add_backend (RoastSession *session, RoastRegistry *registry, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (backend_text, ",", 2);
  g_autoptr (GVariant) options = roast_registry_parse_options (registry, ROAST_ROLE_BACKEND, parts[0], parts[1], error);
  g_autoptr (RoastMetricsBackend) backend = NULL;

  if (options == NULL)
    return FALSE;
  backend = roast_registry_create_backend (registry, parts[0], options, error);
  if (backend == NULL)
    return FALSE;
  roast_session_add_backend (session, parts[0], backend);

  return TRUE;
}

static gboolean
add_exporter (RoastSession *session, RoastRegistry *registry, const char *name, RoastOutput *output, GError **error)
{
  g_autoptr (RoastOutput) owned = output;
  g_autoptr (RoastExporter) exporter = roast_registry_create_exporter (registry, name, NULL, error);

  if (exporter != NULL)
    roast_session_add_exporter (session, exporter, output);

  return exporter != NULL;
}

/* Mistakes are found before the program is started, also an output that cannot be written. */
static gboolean
prepare (RoastSession *session, RoastRegistry *registry, GError **error)
{
  return add_backend (session, registry, error) &&
         add_exporter (session, registry, "table", roast_output_new_for_fd (STDOUT_FILENO, "standard output"), error) &&
         (json_path == NULL ||
          add_exporter (session, registry, "json", roast_output_new_for_file (json_path), error)) &&
         roast_session_prepare_outputs (session, error);
}

static void
measure (Measurement *self)
{
  if (program != NULL)
    {
      g_autoptr (RoastLaunchContext) context = roast_launch_context_new ((const char *const *) program);

      roast_session_launch_async (self->session, context, NULL, on_started, self);
    }
  else
    roast_session_attach_async (self->session, address, NULL, on_started, self);
  g_main_loop_run (self->loop);
}

static int
get_status (RoastSession *session)
{
  RoastLauncher *launcher = roast_session_get_launcher (session);
  int status = 0;

  if (launcher == NULL)
    return EXIT_SUCCESS;
  if (!roast_launcher_get_wait_status (launcher, &status))
    return EXIT_FAILURE;

  return WIFSIGNALED (status) ? 128 + WTERMSIG (status) : WEXITSTATUS (status);
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("— measures a program");
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autoptr (RoastSession) session = roast_session_new (registry);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GError) error = NULL;
  Measurement self = { loop, session, NULL };

  setlocale (LC_ALL, "");
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_set_strict_posix (context, TRUE);
  if (!g_option_context_parse (context, &argc, &argv, &error) || !prepare (session, registry, &error))
    {
      g_printerr ("measure: %s\n", error->message);
      return EXIT_FAILURE;
    }
  if ((program == NULL) == (address == NULL))
    {
      g_printerr ("measure: give a program after --, or --attach=ADDRESS\n");
      return EXIT_FAILURE;
    }

  g_signal_connect (session, "rows-added", G_CALLBACK (on_rows_added), NULL);
  measure (&self);
  g_printerr ("\n");
  if (self.error == NULL)
    roast_session_export (session, NULL, &self.error);
  if (self.error != NULL)
    {
      g_printerr ("measure: %s\n", self.error->message);
      g_error_free (self.error);
      return EXIT_FAILURE;
    }

  return get_status (session);
}
