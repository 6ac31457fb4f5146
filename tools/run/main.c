/* SPDX-License-Identifier: BSD-3-Clause */

/* roast-run starts a program or attaches to a process, measures it, and writes a report. It uses only the public API of
 * the library, so an application could do the same. */

#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "descriptors.h"
#include "keeper-wire.h"
#include "keeper.h"
#include "run-control.h"
#include "run-crash.h"
#include "run-end.h"
#include "run-file.h"
#include "run-help.h"
#include "run-live.h"
#include "run-options.h"
#include "run-progress.h"
#include "run-signals.h"
#include "tool.h"

/* Exit statuses with the same meanings as those of a shell, env, nice and timeout for their own failures. */
#define STATUS_NOT_EXECUTABLE 126
#define STATUS_NOT_FOUND 127

#define LONG_RUN 1000 /* ms; a run that takes longer does the preparations in on_long_run() */

typedef struct
{
  RoastRegistry *registry;
  RoastSession *session;
  RunSignals *signals;
  RunFile *file;       /* file in which the run is kept */
  RunControl *control; /* takes orders from the controlling program; NULL without --control */
  RunLive *live;       /* processes that show the run in progress; NULL until the session has started */
  const RunOptions *options;
  GMainLoop *loop;
  GError *error;
  gboolean launching; /* a program is launched; FALSE if roast attaches to a process */
  gboolean ignore_sigpipe;
  gboolean done;
} Run;

static void
complain (const GError *error)
{
  g_printerr ("roast-run: %s\n", error->message);
}

/* Returns the backend whose address pattern matches. If several patterns match, returns the backend with the longest
 * one; if none matches, the local backend, whose addresses are process IDs. */
static char *
find_backend_for (RoastRegistry *registry, const char *address)
{
  g_auto (GStrv) names = roast_registry_dup_names (registry, ROAST_ROLE_BACKEND);
  /* Put “./” before the name of an existing file, so that the user can give a directory of logs without a slash. */
  gboolean is_file = address[strspn (address, "0123456789")] != '\0' && g_file_test (address, G_FILE_TEST_EXISTS);
  g_autofree char *known = g_strconcat (is_file ? "./" : "", address, NULL);
  const char *found = "local";
  gsize longest = 0;

  for (guint i = 0; names[i] != NULL; i++)
    {
      RoastPlugin *plugin = roast_registry_find_provider (registry, ROAST_ROLE_BACKEND, names[i]);
      const char *const *pattern = plugin != NULL ? roast_plugin_get_addresses (plugin) : NULL;

      for (; pattern != NULL && *pattern != NULL; pattern++)
        if (strlen (*pattern) > longest && g_pattern_match_simple (*pattern, known))
          {
            longest = strlen (*pattern);
            found = names[i];
          }
    }

  return g_strdup (found);
}

static gboolean
add_backends (RoastSession *session, RoastRegistry *registry, RunOptions *options, GError **error)
{
  gboolean has_auto = FALSE;

  for (guint i = 0; i < options->backends->len; i++)
    {
      const char *text = g_ptr_array_index (options->backends, i);
      g_auto (GStrv) parts = g_strsplit (text, ",", 2);
      gboolean is_auto = g_str_equal (parts[0], "auto");
      g_autofree char *name = !is_auto                  ? g_strdup (parts[0])
                              : options->attach == NULL ? g_strdup ("local")
                                                        : find_backend_for (registry, options->attach);
      g_autoptr (GVariant) values = roast_registry_parse_options (registry, ROAST_ROLE_BACKEND, name, parts[1], error);
      g_autoptr (RoastMetricsBackend) backend = NULL;

      if (values == NULL)
        return FALSE;
      backend = roast_registry_create_backend (registry, name, values, error);
      if (backend == NULL)
        return FALSE;
      roast_session_add_backend (session, name, backend);
      has_auto |= is_auto;
    }
  if (options->program != NULL && has_auto)
    roast_session_add_executors (session);
  if (options->program != NULL && !options->no_instrument)
    roast_session_add_instruments (session);

  return TRUE;
}

static gboolean
add_exporters (RoastSession *session, RoastRegistry *registry, RunOptions *options, GError **error)
{
  if (options->exports->len == 0 && !options->quiet)
    g_ptr_array_add (options->exports, export_option_parse ("table", NULL));

  for (guint i = 0; i < options->exports->len; i++)
    {
      if (!export_option_add (g_ptr_array_index (options->exports, i), session, registry, STDERR_FILENO, options->color,
                              error))
        return FALSE;
    }

  keeper_return_to_directory ();
  return roast_session_prepare_outputs (session, error);
}

/* Returns whether the program's status is known. The status is unknown if the supervisor was lost while the program
 * ran. */
static gboolean
is_status_known (const Run *run)
{
  RoastLauncher *launcher = run->session != NULL ? roast_session_get_launcher (run->session) : NULL;

  /* Check whether the supervisor was lost after the program had started. */
  if (!run->done && g_error_matches (run->error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_SUPERVISOR))
    return FALSE;

  return !run->done || launcher == NULL || roast_launcher_get_wait_status (launcher, NULL);
}

/* Returns the wait status of the program. If no program was started, returns success. */
static int
status_of_program (RoastSession *session)
{
  RoastLauncher *launcher = roast_session_get_launcher (session);
  int status = 0;

  if (launcher == NULL)
    return RUN_END_EXITED (EXIT_SUCCESS);
  if (!roast_launcher_get_wait_status (launcher, &status))
    return RUN_END_OWN_FAILURE;

  return status;
}

static void
note_end (Run *run)
{
  int status = status_of_program (run->session);

  if (roast_launcher_get_wait_status (roast_session_get_launcher (run->session), NULL))
    run_signals_program_ended (run->signals, status);
}

static void
on_finished (GObject *object, GAsyncResult *result, gpointer user_data)
{
  Run *run = user_data;

  roast_session_wait_finish (run->session, result, &run->error);
  run->done = TRUE;
  g_clear_pointer (&run->live, run_live_stop);
  if (run->launching)
    note_end (run);
  g_main_loop_quit (run->loop);
}

/* Does slow preparations, which short runs skip. */
static gboolean
on_long_run (gpointer user_data)
{
  Run *run = user_data;

  run_crash_prepare ();

  return run_file_free_memory (run->file, run->options) ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static void
on_started (GObject *object, GAsyncResult *result, gpointer user_data)
{
  Run *run = user_data;
  gboolean started = run->launching ? roast_session_launch_finish (run->session, result, &run->error)
                                    : roast_session_attach_finish (run->session, result, &run->error);

  if (!started)
    {
      g_main_loop_quit (run->loop);
      return;
    }
  if (!run->launching)
    keeper_set_attached ();
  else
    descriptors_release_noted ();
  keeper_note_start ();
  g_timeout_add (LONG_RUN, on_long_run, run);
  run_signals_watch_program (run->signals);
  run_file_describe (run->file);
  run->live = run_live_start (run->options, run_file_get_place (run->file));
  if (run->control != NULL)
    run_control_start (run->control);
  roast_session_wait_async (run->session, NULL, on_finished, run);
}

static int
status_of_failed_start (const GError *error)
{
  if (g_error_matches (error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_NOT_FOUND))
    return RUN_END_EXITED (STATUS_NOT_FOUND);
  if (g_error_matches (error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_NOT_EXECUTABLE))
    return RUN_END_EXITED (STATUS_NOT_EXECUTABLE);

  return RUN_END_OWN_FAILURE;
}

/* Makes the keeper close the descriptors that it shares with the program. It keeps the targets of reports open, because
 * it may have to write the reports. */
static void
release_descriptors_of_keeper (RunOptions *options)
{
  g_autofree int *kept = g_new (int, options->exports->len + 1);
  gsize n = 0;

  for (guint i = 0; i < options->exports->len; i++)
    {
      int fd = export_option_get_descriptor (g_ptr_array_index (options->exports, i));

      if (fd >= 0)
        kept[n++] = fd;
    }
  keeper_release_descriptors (kept, n);
}

static void
give_status_to_keeper (RoastLaunchContext *context)
{
  int fd = keeper_open_status ();
  g_autofree char *text = g_strdup_printf ("%d", fd);

  if (fd >= 0)
    roast_launch_context_setenv (context, KEEPER_STATUS_VARIABLE, text);
}

/* Prints the run page on standard error, because the measurements are only in memory and will be lost when this process
 * ends. */
static void
print_page (Run *run)
{
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (roast_session_get_recording (run->session));
  RoastReport *report = roast_session_get_report (run->session);
  g_autoptr (RoastExporter) table = roast_registry_create_exporter (run->registry, "table", NULL, NULL);
  g_autoptr (RoastOutput) output = roast_output_new_for_fd (STDERR_FILENO, "standard error");
  g_autoptr (GError) error = NULL;

  if (table == NULL || report == NULL || !roast_output_prepare (output, &error))
    {
      g_printerr ("roast-run: the report could not be written, no file contains the complete run, and the run page "
                  "cannot be shown%s%s\n",
                  error != NULL ? ": " : "", error != NULL ? error->message : "");
      return;
    }
  g_printerr ("roast-run: the report could not be written, and no file contains the complete run; this is the page of "
              "the run:\n");
  if (!roast_exporter_export_report (table, snapshot, report, output, NULL, &error))
    complain (error);
}

static struct stat standard_error; /* identity of standard error when this process started */

/* Returns whether standard error is still the same file as at the start. Plugin code may have closed standard error,
 * and another file may have got its number. */
static gboolean
has_standard_error (void)
{
  struct stat now;

  return fstat (STDERR_FILENO, &now) == 0 && now.st_dev == standard_error.st_dev && now.st_ino == standard_error.st_ino;
}

/* If plugin code closed standard error, leaves the report to the keeper. This process cannot even print why the report
 * is missing. The keeper still has standard error, and makes the report from the run file as if this process had
 * crashed. */
static void
leave_to_keeper (const Run *run)
{
  RoastLauncher *launcher = roast_session_get_launcher (run->session);

  if (!keeper_is_there () || has_standard_error ())
    return;
  roast_remove_temporaries ();
  keeper_leave (status_of_program (run->session), launcher == NULL || roast_launcher_get_wait_status (launcher, NULL));
}

static int
run_session (Run *run, RunOptions *options)
{
  g_autoptr (RoastLaunchContext) context = NULL;
  g_autoptr (GError) error = NULL;

  run->loop = g_main_loop_new (NULL, FALSE);
  run->signals = run_signals_new (run->session);
  run->launching = options->program != NULL;
  run->options = options;
  if (options->control != NULL)
    run->control = run_control_new (run->session);
  if (run->launching)
    {
      context = roast_launch_context_new ((const char *const *) options->program);
      give_status_to_keeper (context);
      release_descriptors_of_keeper (options);
      roast_launch_context_set_ignore_sigpipe (context, run->ignore_sigpipe);
      roast_session_launch_async (run->session, context, run_signals_get_start (run->signals), on_started, run);
    }
  else
    {
      run_signals_stop_session (run->signals);
      roast_session_attach_async (run->session, options->attach, NULL, on_started, run);
    }
  g_main_loop_run (run->loop);
  g_clear_pointer (&run->live, run_live_stop);

  if (!run->done && run_signals_get_ended_by (run->signals) != 0)
    return run_signals_get_ended_by (run->signals);
  if (run->error != NULL)
    complain (run->error);
  if (!run->done)
    return status_of_failed_start (run->error);

  /* If the report fails, still return the status of the program, because the program has run. Without a program, return
   * a failure. */
  signal (SIGTTOU, SIG_IGN);
  run_file_end (run->file, run->launching && is_status_known (run) ? status_of_program (run->session) : -1);
  if (!roast_session_export (run->session, NULL, &error))
    {
      leave_to_keeper (run);
      complain (error);
      if (!run_file_is_whole (run->file))
        print_page (run);
    }
  run_file_announce (run->file);
  if (error != NULL && !run->launching)
    return RUN_END_OWN_FAILURE;

  return status_of_program (run->session);
}

static gboolean
prepare (Run *run, RunOptions *options, GError **error)
{
  run->session = roast_session_new (run->registry);
  roast_session_set_owns_process (run->session, TRUE);
  if (options->attach != NULL && !options->quiet && !options->top)
    run_progress_show (run->session);
  roast_session_set_interval (run->session, options->interval);
  for (guint i = 0; i + 1 < options->tags->len; i += 2)
    roast_session_set_tag (run->session, g_ptr_array_index (options->tags, i),
                           g_ptr_array_index (options->tags, i + 1));

  if (!add_backends (run->session, run->registry, options, error) ||
      !add_exporters (run->session, run->registry, options, error))
    return FALSE;
  /* Return to the directory of the start, because plugins prepared the outputs and may have changed the directory. */
  keeper_return_to_directory ();

  return run_file_begin (options, run->session, &run->file, error);
}

#ifdef __SANITIZE_ADDRESS__
#define IS_FREED_AT_END TRUE /* free all memory, because the leak checker would report it */
#else
#define IS_FREED_AT_END FALSE
#endif

static void
free_run (Run *run)
{
  g_clear_pointer (&run->control, run_control_free);
  g_clear_pointer (&run->signals, run_signals_free);
  g_clear_pointer (&run->loop, g_main_loop_unref);
  g_clear_error (&run->error);
  g_clear_object (&run->session);
  g_clear_object (&run->registry);
}

/* Discards the run if only the controlling program would have read it, and this program is gone. */
static void
discard_abandoned (Run *run, RunOptions *options)
{
  g_autofree char *directory = NULL;

  if (run->control == NULL || !run_control_is_abandoned (run->control))
    return;
  run_file_discard (run->file);
  if (options->save_file == NULL)
    return;
  directory = g_path_get_dirname (options->save_file);
  rmdir (directory);
}

/* Returns the wait status with which roast-run ends. Sets *known to whether the status of the program is known. */
static int
run_command_line (int argc, char **argv, gboolean ignore_sigpipe, gboolean *known)
{
  g_autoptr (RunOptions) options = NULL;
  g_autoptr (GError) error = NULL;
  Run run = { .ignore_sigpipe = ignore_sigpipe };
  int status = RUN_END_OWN_FAILURE;
  gboolean is_freed;

  options = run_options_parse (argc, argv, &error);
  if (options == NULL)
    return tool_fail ("roast-run", error, TRUE, RUN_END_OWN_FAILURE);
  if (options->version)
    {
      g_print ("roast-run %s\n", ROAST_VERSION_S);
      return RUN_END_EXITED (EXIT_SUCCESS);
    }
  if (options->control != NULL && !run_control_take (options->control, &error))
    return tool_fail ("roast-run", error, FALSE, RUN_END_OWN_FAILURE);
  keeper_set_deadline (options->deadline, options->patience, options->program != NULL);
  roast_plugin_watch_calls (keeper_get_call (), KEEPER_CALL_SIZE);
  run_crash_watch ();
  run.registry = roast_registry_new ();
  if (options->help)
    {
      run_help_print (run.registry);
      free_run (&run);
      return RUN_END_EXITED (EXIT_SUCCESS);
    }

  if (prepare (&run, options, &error))
    {
      run_file_set_report (run.file, options);
      status = run_session (&run, options);
    }
  else
    complain (error);

  *known = is_status_known (&run);
  is_freed = IS_FREED_AT_END || !run.done || !run_file_is_plain (run.file);
  discard_abandoned (&run, options);
  if (!run.done)
    run_file_discard (run.file);
  g_clear_pointer (&run.file, run_file_free);
  /* Free the memory only if necessary. The kernel frees all memory at once when this process ends, while freeing each
   * object takes a tenth of the time of a short run. */
  if (is_freed)
    free_run (&run);
  else
    {
      g_clear_pointer (&run.loop, g_main_loop_unref); /* free the loop, because leak checkers would report it */
      roast_remove_temporaries ();
    }

  return status;
}

int
main (int argc, char **argv)
{
  gboolean ignore_sigpipe = run_end_survive_writes ();
  gboolean known = TRUE;
  int status;

  descriptors_note ();
  keeper_start ();
  export_option_hold_streams ();
  fstat (STDERR_FILENO, &standard_error);
  tool_begin ();
  status = run_command_line (argc, argv, ignore_sigpipe, &known);
  run_control_flush ();
  if (keeper_finish (status, known))
    return EXIT_SUCCESS;
  if (WIFSIGNALED (status))
    run_end_like (status);

  return WEXITSTATUS (status);
}
