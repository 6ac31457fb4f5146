/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <glib/gstdio.h>
#include <roast/roast.h>
#include <signal.h>
#include <sys/wait.h>

#include "closeness.h"
#include "rows.h"

/* A backend that reports each call, and behaves as the test sets it to. */

#define TEST_TYPE_BACKEND (test_backend_get_type ())
G_DECLARE_FINAL_TYPE (TestBackend, test_backend, TEST, BACKEND, GObject)

struct _TestBackend
{
  GObject parent_instance;

  GString *heard;
  RoastRecording *recording;
  gboolean fail_prepare;
  gboolean fail_attach;
  gboolean fail_start;
  gboolean drop_start;
  gboolean drop_stop;
  gboolean hang_start;
  gboolean hang_stop;
  gboolean finish_at_start;
  GTask *kept;
};

static void
test_backend_attach (RoastMetricsBackend *backend, const char *address, GTask *task)
{
  TestBackend *self = TEST_BACKEND (backend);

  g_string_append_printf (self->heard, "attach %s;", address);
  if (self->fail_attach)
    g_task_return_new_error (task, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_CONNECT, "nothing listens there");
  else
    g_task_return_boolean (task, TRUE);
}

static gboolean
test_backend_prepare_launch (RoastMetricsBackend *backend, RoastLaunchContext *context, GError **error)
{
  TestBackend *self = TEST_BACKEND (backend);

  g_string_append (self->heard, "prepare;");
  g_assert_nonnull (roast_launch_context_getenv (context, "ROAST_SOCKET"));
  roast_launch_context_setenv (context, "ROAST_TEST_BACKEND", "here");
  if (self->fail_prepare)
    g_set_error_literal (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_CONNECT, "not today");

  return !self->fail_prepare;
}

static void
test_backend_launched (RoastMetricsBackend *backend, int pid)
{
  g_assert_cmpint (pid, >, 1);
  g_string_append (TEST_BACKEND (backend)->heard, "launched;");
}

static void
test_backend_exited (RoastMetricsBackend *backend, int wait_status)
{
  g_string_append_printf (TEST_BACKEND (backend)->heard, "exited %d;", wait_status);
}

static void
test_backend_start_tracking (RoastMetricsBackend *backend, RoastRecording *recording, gint64 interval, GTask *task)
{
  TestBackend *self = TEST_BACKEND (backend);

  g_string_append_printf (self->heard, "start %" G_GINT64_FORMAT ";", interval);
  g_set_object (&self->recording, recording);
  if (self->hang_start)
    self->kept = g_object_ref (task);
  if (self->drop_start || self->hang_start)
    return;
  if (self->finish_at_start)
    roast_metrics_backend_emit_finished (backend);
  if (self->fail_start)
    g_task_return_new_error (task, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_CONNECT, "nothing listens there");
  else
    g_task_return_boolean (task, TRUE);
}

static void
test_backend_stop_tracking (RoastMetricsBackend *backend, GTask *task)
{
  TestBackend *self = TEST_BACKEND (backend);

  g_string_append (self->heard, "stop;");
  if (self->hang_stop)
    self->kept = g_object_ref (task);
  else if (!self->drop_stop)
    g_task_return_boolean (task, TRUE);
}

static void
test_backend_backend_init (RoastMetricsBackendInterface *iface)
{
  iface->attach = test_backend_attach;
  iface->prepare_launch = test_backend_prepare_launch;
  iface->launched = test_backend_launched;
  iface->exited = test_backend_exited;
  iface->start_tracking = test_backend_start_tracking;
  iface->stop_tracking = test_backend_stop_tracking;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestBackend, test_backend, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_METRICS_BACKEND, test_backend_backend_init))

static void
test_backend_finalize (GObject *object)
{
  TestBackend *self = TEST_BACKEND (object);

  g_string_free (self->heard, TRUE);
  g_clear_object (&self->recording);

  G_OBJECT_CLASS (test_backend_parent_class)->finalize (object);
}

static void
test_backend_class_init (TestBackendClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = test_backend_finalize;
}

static void
test_backend_init (TestBackend *self)
{
  self->heard = g_string_new (NULL);
}

/* An exporter that writes its name, or fails. */

#define TEST_TYPE_EXPORTER (test_exporter_get_type ())
G_DECLARE_FINAL_TYPE (TestExporter, test_exporter, TEST, EXPORTER, GObject)

struct _TestExporter
{
  GObject parent_instance;

  const char *failure;
};

static gboolean
test_exporter_export_report (RoastExporter *exporter, RoastRecordingSnapshot *recording, RoastReport *report,
                             RoastOutput *output, GCancellable *cancellable, GError **error)
{
  TestExporter *self = TEST_EXPORTER (exporter);
  g_autoptr (GOutputStream) stream = NULL;

  if (self->failure != NULL)
    {
      g_set_error_literal (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT, self->failure);
      return FALSE;
    }

  stream = roast_output_open (output, NULL, error);

  return stream != NULL && g_output_stream_write_all (stream, "good", 4, NULL, cancellable, error) &&
         g_output_stream_close (stream, cancellable, error);
}

static void
test_exporter_exporter_init (RoastExporterInterface *iface)
{
  iface->export_report = test_exporter_export_report;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestExporter, test_exporter, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_EXPORTER, test_exporter_exporter_init))

static void
test_exporter_class_init (TestExporterClass *klass)
{
}

static void
test_exporter_init (TestExporter *self)
{
}

/* The fixture */

typedef struct
{
  RoastRegistry *registry;
  RoastSession *session;
  TestBackend *backend;
  GString *states;
} Fixture;

static void
on_state (RoastSession *session, GParamSpec *pspec, Fixture *fixture)
{
  g_string_append_printf (fixture->states, "%d", roast_session_get_state (session));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->registry = roast_registry_new_for_path ("");
  fixture->session = roast_session_new (fixture->registry);
  fixture->backend = g_object_new (TEST_TYPE_BACKEND, NULL);
  fixture->states = g_string_new (NULL);
  roast_session_add_backend (fixture->session, "test", ROAST_METRICS_BACKEND (fixture->backend));
  g_signal_connect (fixture->session, "notify::state", G_CALLBACK (on_state), fixture);
}

static void
assert_no_children (void)
{
  gint64 deadline = g_get_monotonic_time () + HANG;

  while (waitid (P_ALL, 0, &(siginfo_t) { 0 }, WEXITED | WNOHANG | WNOWAIT) == 0)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      if (!g_main_context_iteration (NULL, FALSE))
        g_usleep (1000);
    }
  g_assert_cmpint (errno, ==, ECHILD);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
  assert_no_children ();
  g_assert_finalize_object (fixture->session);
  g_assert_finalize_object (fixture->backend);
  g_object_unref (fixture->registry);
  g_string_free (fixture->states, TRUE);
}

static void
on_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **at = user_data;

  g_assert_null (*at);
  *at = g_object_ref (result);
}

static void
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (g_main_context_get_thread_default (), TRUE);
}

static RoastLaunchContext *
new_context (const char *script)
{
  const char *argv[] = { "sh", "-c", script, NULL };
  RoastLaunchContext *context = roast_launch_context_new (argv);

  roast_launch_context_set_grace (context, 0);

  return context;
}

static gboolean
launch (RoastSession *session, const char *script, GError **error)
{
  g_autoptr (RoastLaunchContext) context = new_context (script);
  g_autoptr (GAsyncResult) result = NULL;

  roast_session_launch_async (session, context, NULL, on_done, &result);
  wait_for (&result);

  return roast_session_launch_finish (session, result, error);
}

static gboolean
attach (RoastSession *session, const char *address, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  roast_session_attach_async (session, address, NULL, on_done, &result);
  wait_for (&result);

  return roast_session_attach_finish (session, result, error);
}

static gboolean
finish (RoastSession *session, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  roast_session_wait_async (session, NULL, on_done, &result);
  wait_for (&result);

  return roast_session_wait_finish (session, result, error);
}

static void
assert_finish (RoastSession *session)
{
  g_autoptr (GError) error = NULL;

  finish (session, &error);
  g_assert_no_error (error);
  g_assert_cmpint (roast_session_get_state (session), ==, ROAST_SESSION_STATE_FINISHED);
  g_assert_nonnull (roast_session_get_report (session));
}

/* Without plugins a report has no metrics, and says so. */
static void
test_no_aggregators (Fixture *fixture, gconstpointer data)
{
  g_auto (GStrv) notes = NULL;

  g_assert_true (launch (fixture->session, "exit 0", NULL));
  assert_finish (fixture->session);
  notes = roast_report_dup_notes (roast_session_get_report (fixture->session));
  g_assert_nonnull (notes[0]);
  g_assert_true (g_str_has_prefix (notes[0], "no aggregator plugin found"));
}

/* A plugin of two aggregators whose module is missing is reported once. */
static void
test_no_module (Fixture *fixture, gconstpointer data)
{
  g_autofree char *directory = g_dir_make_tmp ("roast-session-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "lost.roast-plugin", NULL);
  g_autoptr (RoastRegistry) registry = NULL;
  g_autoptr (RoastSession) session = NULL;
  g_auto (GStrv) notes = NULL;

  g_assert_true (g_file_set_contents (path,
                                      "[Roast Plugin]\nModule=lost\nName=lost\nApi=1.0\nVersion=1\n"
                                      "Provides=aggregator:one;aggregator:two\n",
                                      -1, NULL));
  registry = roast_registry_new_for_path (directory);
  session = roast_session_new (registry);
  g_assert_true (launch (session, "exit 0", NULL));
  assert_finish (session);
  notes = roast_report_dup_notes (roast_session_get_report (session));
  g_assert_cmpuint (g_strv_length (notes), ==, 1);
  g_assert_true (g_str_has_prefix (notes[0], "the plugin lost is not used: "));
  g_assert_cmpuint (rows_count_with (roast_session_get_recording (session), ROAST_TABLE_EVENTS, "kind", "aggregator"),
                    ==, 0);
  g_unlink (path);
  g_rmdir (directory);
}

/* An aggregator that counts how often it runs, and asks for the report itself. */

#define TEST_TYPE_AGGREGATOR (test_aggregator_get_type ())
G_DECLARE_FINAL_TYPE (TestAggregator, test_aggregator, TEST, AGGREGATOR, GObject)

struct _TestAggregator
{
  GObject parent_instance;
};

static RoastSession *aggregated;
static guint n_aggregator_runs;

static gboolean
test_aggregator_aggregate (RoastAggregator *aggregator, RoastRecordingSnapshot *recording, RoastReport *report,
                           GCancellable *cancellable, GError **error)
{
  n_aggregator_runs++;
  g_assert_null (roast_session_get_report (aggregated));

  return TRUE;
}

static void
test_aggregator_aggregator_init (RoastAggregatorInterface *iface)
{
  iface->aggregate = test_aggregator_aggregate;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestAggregator, test_aggregator, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_AGGREGATOR, test_aggregator_aggregator_init))

static void
test_aggregator_class_init (TestAggregatorClass *klass)
{
}

static void
test_aggregator_init (TestAggregator *self)
{
}

static void
on_notified (GObject *object, GParamSpec *pspec, guint *n_notified)
{
  g_assert_cmpint (roast_session_get_state (ROAST_SESSION (object)), ==, ROAST_SESSION_STATE_FINISHED);
  (*n_notified)++;
}

/* Aggregators run once, and not before the report is asked for. */
static void
test_report_on_demand (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastReport) property = NULL;
  g_autoptr (GError) error = NULL;
  RoastReport *report = NULL;
  guint n_notified = 0;

  aggregated = fixture->session;
  roast_registry_register_type (fixture->registry, ROAST_ROLE_AGGREGATOR, "test", TEST_TYPE_AGGREGATOR, &error);
  g_assert_no_error (error);
  g_signal_connect (fixture->session, "notify::report", G_CALLBACK (on_notified), &n_notified);
  g_assert_true (launch (fixture->session, "exit 0", NULL));
  g_assert_null (roast_session_get_report (fixture->session));
  finish (fixture->session, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n_notified, ==, 1);
  g_assert_true (roast_session_export (fixture->session, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (n_aggregator_runs, ==, 0);

  report = roast_session_get_report (fixture->session);
  g_assert_nonnull (report);
  g_assert_cmpuint (n_aggregator_runs, ==, 1);
  g_object_get (fixture->session, "report", &property, NULL);
  g_assert_true (property == report);
  g_assert_true (roast_session_get_report (fixture->session) == report);
  g_assert_cmpuint (n_aggregator_runs, ==, 1);
  g_assert_cmpuint (n_notified, ==, 1);
}

/* Whether there is an event whose message has a text in it. */
static gboolean
has_event (RoastSession *session, const char *text)
{
  g_autoptr (RoastTableReader) events = roast_recording_read_table (roast_session_get_recording (session),
                                                                    ROAST_TABLE_EVENTS, roast_events_columns, NULL);

  while (roast_table_reader_next (events))
    if (strstr (roast_table_reader_get_string (events, ROAST_EVENTS_MESSAGE), text) != NULL)
      return TRUE;

  return FALSE;
}

static void
test_launch (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) metadata = NULL;
  g_autofree char *expected = g_strdup_printf ("prepare;start 20000;launched;exited %d;stop;", 3 << 8);
  g_autofree const char **command = NULL;
  const char *run_id;
  gint64 began;
  gint64 ended;
  double own_cpu;
  int status;

  roast_session_set_owns_process (fixture->session, TRUE);
  roast_session_set_interval (fixture->session, 20000);
  roast_session_set_tag (fixture->session, "sample", "ttbar");
  launch (fixture->session, "test $ROAST_TEST_BACKEND = here && exit 3", &error);
  g_assert_no_error (error);
  assert_finish (fixture->session);

  g_assert_cmpstr (fixture->states->str, ==, "1234");
  g_assert_cmpstr (fixture->backend->heard->str, ==, expected);
  g_assert_true (roast_launcher_get_wait_status (roast_session_get_launcher (fixture->session), &status));
  g_assert_cmpint (status, ==, 3 << 8);

  metadata = roast_recording_dup_metadata (roast_session_get_recording (fixture->session));
  g_assert_true (g_variant_lookup (metadata, "run-id", "&s", &run_id));
  g_assert_true (g_uuid_string_is_valid (run_id));
  g_assert_true (g_variant_lookup (metadata, "command", "^a&s", &command));
  g_assert_cmpstr (command[1], ==, "-c");
  g_assert_true (g_variant_lookup (metadata, "started", "x", &began));
  g_assert_true (g_variant_lookup (metadata, "ended", "x", &ended));
  g_assert_cmpint (ended, >, began);
  g_assert_true (g_variant_lookup (metadata, "own-cpu", "d", &own_cpu));
  g_assert_cmpfloat (own_cpu, >=, 0);
  g_assert_true (g_variant_lookup (metadata, "interval", "x", &ended));
  g_assert_cmpint (ended, ==, 20000);
}

static void
test_properties (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastRegistry) registry = NULL;
  g_autoptr (RoastReport) report = NULL;

  g_object_get (fixture->session, "registry", &registry, "report", &report, NULL);
  g_assert_true (registry == fixture->registry);
  g_assert_null (report);
  g_assert_null (roast_session_get_launcher (fixture->session));
  roast_session_stop (fixture->session);
  g_assert_cmpint (roast_session_get_state (fixture->session), ==, ROAST_SESSION_STATE_IDLE);
}

/* The program must not have run: its file is not there. */
static void
assert_not_launched (Fixture *fixture, int domain, int code)
{
  g_autofree char *directory = g_dir_make_tmp ("roast-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "file", NULL);
  g_autofree char *script = g_strdup_printf ("touch %s", path);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) again = NULL;

  g_assert_false (launch (fixture->session, script, &error));
  g_assert_error (error, (GQuark) domain, code);
  g_assert_cmpint (roast_session_get_state (fixture->session), ==, ROAST_SESSION_STATE_FAILED);
  g_assert_false (finish (fixture->session, &again));
  g_assert_cmpstr (again->message, ==, error->message);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_null (roast_session_get_report (fixture->session));
  g_assert_cmpint (g_rmdir (directory), ==, 0);
}

static void
test_prepare_fails (Fixture *fixture, gconstpointer data)
{
  fixture->backend->fail_prepare = TRUE;
  assert_not_launched (fixture, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_CONNECT);
  g_assert_cmpstr (fixture->backend->heard->str, ==, "prepare;");
  g_assert_cmpstr (fixture->states->str, ==, "15");
}

static void
test_start_fails (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TestBackend) second = g_object_new (TEST_TYPE_BACKEND, NULL);

  second->fail_start = TRUE;
  roast_session_add_backend (fixture->session, "second", ROAST_METRICS_BACKEND (second));
  assert_not_launched (fixture, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_CONNECT);
  g_assert_cmpstr (fixture->backend->heard->str, ==, "prepare;start 1000000;stop;");
  g_assert_cmpstr (second->heard->str, ==, "prepare;start 1000000;");
}

static void
test_start_dropped (Fixture *fixture, gconstpointer data)
{
  fixture->backend->drop_start = TRUE;
  assert_not_launched (fixture, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_BAD_IMPLEMENTATION);
}

static void
test_cancelled (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastLaunchContext) context = new_context ("exit 0");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  fixture->backend->hang_start = TRUE;
  roast_session_launch_async (fixture->session, context, cancellable, on_done, &result);
  while (fixture->backend->kept == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_cancellable_cancel (cancellable);
  wait_for (&result);
  g_assert_false (roast_session_launch_finish (fixture->session, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (roast_session_get_state (fixture->session), ==, ROAST_SESSION_STATE_FAILED);
  g_clear_object (&fixture->backend->kept);
}

static void
test_no_program (Fixture *fixture, gconstpointer data)
{
  const char *argv[] = { "roast-no-such-program", NULL };
  g_autoptr (RoastLaunchContext) context = roast_launch_context_new (argv);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  roast_session_launch_async (fixture->session, context, NULL, on_done, &result);
  wait_for (&result);
  g_assert_false (roast_session_launch_finish (fixture->session, result, &error));
  g_assert_error (error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_NOT_FOUND);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpstr (fixture->backend->heard->str, ==, "prepare;start 1000000;stop;");
}

/* Numbers of which the end may be missing say so. */
static void
test_stop_dropped (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GVariant) metadata = NULL;
  g_autoptr (GVariant) gaps = NULL;
  const char *reason = NULL;

  fixture->backend->drop_stop = TRUE;
  g_assert_true (launch (fixture->session, "exit 0", NULL));
  assert_finish (fixture->session);
  g_assert_true (has_event (fixture->session, "stop_tracking"));
  metadata = roast_recording_dup_metadata (roast_session_get_recording (fixture->session));
  gaps = g_variant_lookup_value (metadata, "incomplete", G_VARIANT_TYPE_VARDICT);
  g_assert_nonnull (gaps);
  g_assert_true (g_variant_lookup (gaps, "", "&s", &reason));
  g_assert_true (g_str_has_prefix (reason, "the last data of a backend may be missing: "));
}

/* One that never answers costs its deadline, not the report. */
static void
test_stop_hangs (Fixture *fixture, gconstpointer data)
{
  if (!g_test_slow ())
    {
      g_test_skip ("it waits for a deadline of 10 s: run with -m slow");
      return;
    }

  fixture->backend->hang_stop = TRUE;
  g_assert_true (launch (fixture->session, "exit 0", NULL));
  assert_finish (fixture->session);
  g_assert_true (has_event (fixture->session, "stop_tracking"));
  g_clear_object (&fixture->backend->kept);
}

static void
test_waiters (Fixture *fixture, gconstpointer data)
{
  GAsyncResult *results[2] = { NULL };

  roast_session_wait_async (fixture->session, NULL, on_done, &results[0]);
  roast_session_wait_async (fixture->session, NULL, on_done, &results[1]);
  g_assert_true (launch (fixture->session, "exit 0", NULL));
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    {
      wait_for (&results[i]);
      g_assert_true (roast_session_wait_finish (fixture->session, results[i], NULL));
      g_object_unref (results[i]);
    }
  assert_finish (fixture->session);
}

/* The program lives on. */
static void
test_stop (Fixture *fixture, gconstpointer data)
{
  int pid;

  g_assert_true (launch (fixture->session, "exec sleep 100", NULL));
  pid = roast_launcher_get_pid (roast_session_get_launcher (fixture->session));
  roast_session_stop (fixture->session);
  assert_finish (fixture->session);
  g_assert_cmpint (kill (pid, 0), ==, 0);
  g_assert_cmpint (kill (pid, SIGKILL), ==, 0);
}

static void
test_attach (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  attach (fixture->session, "there", &error);
  g_assert_no_error (error);
  g_assert_cmpint (roast_session_get_state (fixture->session), ==, ROAST_SESSION_STATE_RUNNING);
  g_assert_null (roast_session_get_launcher (fixture->session));
  roast_session_stop (fixture->session);
  assert_finish (fixture->session);
  g_assert_cmpstr (fixture->backend->heard->str, ==, "attach there;start 1000000;stop;");
}

static void
test_attach_fails (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->backend->fail_attach = TRUE;
  g_assert_false (attach (fixture->session, "there", &error));
  g_assert_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_CONNECT);
  g_assert_cmpint (roast_session_get_state (fixture->session), ==, ROAST_SESSION_STATE_FAILED);
}

static void
test_finished (Fixture *fixture, gconstpointer data)
{
  g_assert_true (attach (fixture->session, "there", NULL));
  roast_metrics_backend_emit_finished (ROAST_METRICS_BACKEND (fixture->backend));
  roast_metrics_backend_emit_finished (ROAST_METRICS_BACKEND (fixture->backend));
  assert_finish (fixture->session);
  g_assert_cmpstr (fixture->backend->heard->str, ==, "attach there;start 1000000;stop;");
}

/* What was attached to ends while another backend is still to be started. */
static void
test_finished_early (Fixture *fixture, gconstpointer data)
{
  fixture->backend->finish_at_start = TRUE;
  g_assert_true (attach (fixture->session, "there", NULL));
  assert_finish (fixture->session);
}

static void
on_rows_added (RoastSession *session, char **tables, GString *heard)
{
  for (guint i = 0; tables[i] != NULL; i++)
    g_string_append_printf (heard, "%s;", tables[i]);
}

static void
test_rows_added (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) heard = g_string_new (NULL);
  RoastRecording *recording = roast_session_get_recording (fixture->session);

  g_signal_connect (fixture->session, "rows-added", G_CALLBACK (on_rows_added), heard);
  g_assert_true (attach (fixture->session, "there", NULL));
  roast_recording_add_event (recording, NULL, -1, ROAST_SEVERITY_INFO, "test", "one");
  roast_recording_add_event (recording, NULL, -1, ROAST_SEVERITY_INFO, "test", "two");
  while (heard->len == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (heard->str, ==, "events;");

  /* The last rows are told before the session has finished. */
  roast_recording_add_event (recording, NULL, -1, ROAST_SEVERITY_INFO, "test", "three");
  roast_session_stop (fixture->session);
  assert_finish (fixture->session);
  g_assert_cmpstr (heard->str, ==, "events;events;");
}

static void
stop_at_rows (RoastSession *session, char **tables, guint *calls)
{
  (*calls)++;
  roast_session_stop (session);
}

/* A handler may end the measurement: of what it attached to, and of a program, which lives on. */
static void
test_stop_in_rows_added (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastSession) other = roast_session_new (fixture->registry);
  guint calls = 0;

  g_signal_connect (fixture->session, "rows-added", G_CALLBACK (stop_at_rows), &calls);
  g_assert_true (attach (fixture->session, "there", NULL));
  roast_recording_add_event (roast_session_get_recording (fixture->session), NULL, -1, ROAST_SEVERITY_INFO, "test",
                             "one");
  assert_finish (fixture->session);
  g_assert_cmpuint (calls, >=, 1);
  g_assert_cmpstr (fixture->backend->heard->str, ==, "attach there;start 1000000;stop;");

  calls = 0;
  g_signal_connect (other, "rows-added", G_CALLBACK (stop_at_rows), &calls);
  g_assert_true (launch (other, "exec sleep 100", NULL));
  roast_recording_add_event (roast_session_get_recording (other), NULL, -1, ROAST_SEVERITY_INFO, "test", "one");
  assert_finish (other);
  g_assert_cmpuint (calls, >=, 1);
  g_assert_cmpint (kill (roast_launcher_get_pid (roast_session_get_launcher (other)), SIGKILL), ==, 0);
}

static void
test_two_sessions (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastSession) other = roast_session_new (fixture->registry);
  int first;
  int second;

  g_assert_true (launch (fixture->session, "exec sleep 100", NULL));
  g_assert_true (launch (other, "exit 4", NULL));
  assert_finish (other);
  g_assert_cmpint (roast_session_get_state (fixture->session), ==, ROAST_SESSION_STATE_RUNNING);
  roast_launcher_send_signal (roast_session_get_launcher (fixture->session), SIGTERM);
  assert_finish (fixture->session);
  g_assert_true (roast_launcher_get_wait_status (roast_session_get_launcher (fixture->session), &first));
  g_assert_true (roast_launcher_get_wait_status (roast_session_get_launcher (other), &second));
  g_assert_cmpint (first, ==, SIGTERM);
  g_assert_cmpint (second, ==, 4 << 8);
}

static gpointer
run_in_thread (gpointer data)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (RoastSession) session = NULL;
  int status = -1;

  g_main_context_push_thread_default (context);
  session = roast_session_new (data);
  g_assert_true (launch (session, "exit 5", NULL));
  assert_finish (session);
  roast_launcher_get_wait_status (roast_session_get_launcher (session), &status);
  g_main_context_pop_thread_default (context);

  return GINT_TO_POINTER (status);
}

/* The default main context is not needed. */
static void
test_thread (Fixture *fixture, gconstpointer data)
{
  GThread *threads[2];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("session", run_in_thread, fixture->registry);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_assert_cmpint (GPOINTER_TO_INT (g_thread_join (threads[i])), ==, 5 << 8);

  /* The supervisors may outlive their contexts by a moment. */
  while (waitpid (-1, NULL, 0) > 0)
    ;
}

static void
add_exporter (Fixture *fixture, const char *failure, RoastOutput *output)
{
  g_autoptr (TestExporter) exporter = g_object_new (TEST_TYPE_EXPORTER, NULL);

  exporter->failure = failure;
  roast_session_add_exporter (fixture->session, ROAST_EXPORTER (exporter), output);
}

static void
test_export (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastOutput) good = roast_output_new_for_memory ();
  g_autoptr (RoastOutput) bad = roast_output_new_for_memory ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  add_exporter (fixture, "the first", bad);
  add_exporter (fixture, NULL, good);
  add_exporter (fixture, "the third", bad);
  g_assert_true (roast_session_prepare_outputs (fixture->session, &error));
  g_assert_no_error (error);
  g_assert_false (roast_session_export (fixture->session, NULL, &error));
  g_assert_error (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_NO_DATA);
  g_clear_error (&error);

  g_assert_true (attach (fixture->session, "there", NULL));
  roast_session_stop (fixture->session);
  assert_finish (fixture->session);
  g_assert_false (roast_session_export (fixture->session, NULL, &error));
  g_assert_error (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT);
  g_assert_nonnull (strstr (error->message, "the first"));
  g_assert_nonnull (strstr (error->message, "the third"));
  bytes = roast_output_dup_bytes (good, NULL);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "good", 4);
}

/* A recording that is over: a report, and nothing is added to it. */
static void
test_read (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastOutput) output = roast_output_new_for_memory ();
  g_autoptr (GVariant) metadata = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) notes = NULL;
  g_auto (GStrv) tables = NULL;

  roast_recording_set_times (recording, 5, -1);
  roast_recording_finish (recording);
  add_exporter (fixture, NULL, output);
  g_assert_true (roast_session_read (fixture->session, recording, &error));
  g_assert_no_error (error);
  assert_finish (fixture->session);
  g_assert_true (roast_session_get_recording (fixture->session) == recording);
  g_assert_cmpstr (fixture->states->str, ==, "4");
  g_assert_true (roast_session_export (fixture->session, NULL, &error));
  g_assert_no_error (error);
  notes = roast_report_dup_notes (roast_session_get_report (fixture->session));
  g_assert_true (g_str_has_prefix (notes[0], "no aggregator plugin found"));
  metadata = roast_recording_dup_metadata (recording);
  g_assert_cmpuint (g_variant_n_children (metadata), ==, 1);
  tables = roast_recording_dup_table_names (recording);
  g_assert_cmpstr (tables[0], ==, NULL);

  g_assert_false (roast_session_read (fixture->session, recording, &error));
  g_assert_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_ALREADY_TRACKING);
}

static void
test_bad_output (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastOutput) output = roast_output_new_for_file ("/no/such/directory/file");
  g_autoptr (GError) error = NULL;

  add_exporter (fixture, NULL, output);
  g_assert_false (roast_session_prepare_outputs (fixture->session, &error));
  g_assert_error (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT);
}

/* What the program says on the run's socket is in the recording. */
static void
test_socket (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastLaunchContext) context = new_context ("test -S \"$ROAST_SOCKET\" && test -n \"$ROAST_TOKEN\"");
  g_autoptr (GAsyncResult) result = NULL;
  g_autofree char *path = NULL;
  int status = -1;

  roast_session_launch_async (fixture->session, context, NULL, on_done, &result);
  path = g_strdup (roast_launch_context_getenv (context, "ROAST_SOCKET"));
  wait_for (&result);
  g_assert_true (roast_session_launch_finish (fixture->session, result, NULL));
  assert_finish (fixture->session);
  roast_launcher_get_wait_status (roast_session_get_launcher (fixture->session), &status);
  g_assert_cmpint (status, ==, 0);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

#define ADD(name, function) g_test_add ("/session/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("launch", test_launch);
  ADD ("no-aggregators", test_no_aggregators);
  ADD ("no-module", test_no_module);
  ADD ("report-on-demand", test_report_on_demand);
  ADD ("properties", test_properties);
  ADD ("prepare-fails", test_prepare_fails);
  ADD ("start-fails", test_start_fails);
  ADD ("start-dropped", test_start_dropped);
  ADD ("cancelled", test_cancelled);
  ADD ("no-program", test_no_program);
  ADD ("stop-dropped", test_stop_dropped);
  ADD ("stop-hangs", test_stop_hangs);
  ADD ("waiters", test_waiters);
  ADD ("stop", test_stop);
  ADD ("attach", test_attach);
  ADD ("attach-fails", test_attach_fails);
  ADD ("finished", test_finished);
  ADD ("finished-early", test_finished_early);
  ADD ("rows-added", test_rows_added);
  ADD ("stop-in-rows-added", test_stop_in_rows_added);
  ADD ("two-sessions", test_two_sessions);
  ADD ("thread", test_thread);
  ADD ("export", test_export);
  ADD ("bad-output", test_bad_output);
  ADD ("read", test_read);
  ADD ("socket", test_socket);

  return g_test_run ();
}
