/* SPDX-License-Identifier: BSD-3-Clause */

/* Spans of a session: of backends that know spans, of such that do not, and of such that fail to. */

#include <roast/roast.h>

#define TEST_TYPE_SPANNER (test_spanner_get_type ())
G_DECLARE_FINAL_TYPE (TestSpanner, test_spanner, TEST, SPANNER, GObject)

struct _TestSpanner
{
  GObject parent_instance;

  RoastBackendCapabilities capabilities;
  gboolean fail;
  GString *heard;
};

static RoastBackendCapabilities
test_spanner_get_capabilities (RoastMetricsBackend *backend)
{
  return TEST_SPANNER (backend)->capabilities | ROAST_BACKEND_CAPABILITIES_ATTACH;
}

static void
test_spanner_attach (RoastMetricsBackend *backend, const char *address, GTask *task)
{
  g_task_return_boolean (task, TRUE);
}

static void
test_spanner_start_tracking (RoastMetricsBackend *backend, RoastRecording *recording, gint64 interval, GTask *task)
{
  g_task_return_boolean (task, TRUE);
}

static void
test_spanner_stop_tracking (RoastMetricsBackend *backend, GTask *task)
{
  g_task_return_boolean (task, TRUE);
}

static void
test_spanner_create_span (RoastMetricsBackend *backend, const char *name, GTask *task)
{
  TestSpanner *self = TEST_SPANNER (backend);

  g_string_append_printf (self->heard, "create %s;", name);
  if (self->fail)
    g_task_return_new_error (task, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_REMOTE_FAILED, "out of spans");
  else
    g_task_return_pointer (task, roast_span_new ("native", name), g_object_unref);
}

static void
test_spanner_close_span (RoastMetricsBackend *backend, RoastSpan *span, GTask *task)
{
  TestSpanner *self = TEST_SPANNER (backend);

  g_string_append_printf (self->heard, "close %s;", roast_span_get_id (span));
  g_task_return_boolean (task, TRUE);
}

static void
test_spanner_backend_init (RoastMetricsBackendInterface *iface)
{
  iface->get_capabilities = test_spanner_get_capabilities;
  iface->attach = test_spanner_attach;
  iface->start_tracking = test_spanner_start_tracking;
  iface->stop_tracking = test_spanner_stop_tracking;
  iface->create_span = test_spanner_create_span;
  iface->close_span = test_spanner_close_span;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestSpanner, test_spanner, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_METRICS_BACKEND, test_spanner_backend_init))

static void
test_spanner_finalize (GObject *object)
{
  g_string_free (TEST_SPANNER (object)->heard, TRUE);
  G_OBJECT_CLASS (test_spanner_parent_class)->finalize (object);
}

static void
test_spanner_class_init (TestSpannerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = test_spanner_finalize;
}

static void
test_spanner_init (TestSpanner *self)
{
  self->heard = g_string_new (NULL);
}

typedef struct
{
  RoastRegistry *registry;
  RoastSession *session;
  TestSpanner *backend;
} Fixture;

static void
on_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static void
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->registry = roast_registry_new_for_path (NULL);
  fixture->session = roast_session_new (fixture->registry);
  fixture->backend = g_object_new (TEST_TYPE_SPANNER, NULL);
  fixture->backend->capabilities = ROAST_BACKEND_CAPABILITIES_SPANS;
  roast_session_add_backend (fixture->session, "test", ROAST_METRICS_BACKEND (fixture->backend));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_finalize_object (fixture->session);
  g_assert_finalize_object (fixture->backend);
  g_object_unref (fixture->registry);
}

static void
attach (Fixture *fixture)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  roast_session_attach_async (fixture->session, "somewhere", NULL, on_done, &result);
  wait_for (&result);
  roast_session_attach_finish (fixture->session, result, &error);
  g_assert_no_error (error);
}

static void
finish (Fixture *fixture)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  roast_session_stop (fixture->session);
  roast_session_wait_async (fixture->session, NULL, on_done, &result);
  wait_for (&result);
  roast_session_wait_finish (fixture->session, result, &error);
  g_assert_no_error (error);
}

static RoastSpan *
open_span (Fixture *fixture, const char *name, RoastSpan *parent, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  roast_session_open_span_async (fixture->session, name, parent, NULL, on_done, &result);
  wait_for (&result);

  return roast_session_open_span_finish (fixture->session, result, error);
}

static gboolean
close_span (Fixture *fixture, RoastSpan *span, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  roast_session_close_span_async (fixture->session, span, NULL, on_done, &result);
  wait_for (&result);

  return roast_session_close_span_finish (fixture->session, result, error);
}

static char *
dup_row (RoastSession *session, guint64 row)
{
  static const char *const columns[] = { "span", "name", "kind", "parent", NULL };
  g_autoptr (RoastTableReader) spans =
      roast_recording_read_table (roast_session_get_recording (session), ROAST_TABLE_SPANS, columns, NULL);
  GString *text = g_string_new (NULL);

  g_assert_true (roast_table_reader_seek (spans, row));
  for (guint i = 0; columns[i] != NULL; i++)
    {
      const char *cell = roast_table_reader_get_string (spans, i);

      g_string_append_printf (text, "%s%s", i > 0 ? " " : "", cell != NULL ? cell : "-");
    }

  return g_string_free (text, FALSE);
}

static void
test_nested (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastSpan) outer = NULL;
  g_autoptr (RoastSpan) inner = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  attach (fixture);
  outer = open_span (fixture, "read", NULL, &error);
  g_assert_no_error (error);
  inner = open_span (fixture, "decode", outer, &error);
  g_assert_no_error (error);
  g_assert_true (close_span (fixture, inner, &error));
  g_assert_true (close_span (fixture, outer, &error));
  g_assert_no_error (error);
  g_assert_cmpint (roast_span_get_started (outer), <=, roast_span_get_started (inner));
  g_assert_cmpint (roast_span_get_ended (inner), <=, roast_span_get_ended (outer));
  g_assert_cmpint (roast_span_get_started (inner), <=, roast_span_get_ended (inner));

  finish (fixture);
  g_assert_cmpstr (fixture->backend->heard->str, ==, "create read;create decode;close native;close native;");
  first = dup_row (fixture->session, 0);
  g_assert_cmpstr (first, ==, "1 read window -");
  second = dup_row (fixture->session, 1);
  g_assert_cmpstr (second, ==, "2 decode window 1");
}

/* Spans of several threads: the one that was opened last is not the parent. */
static void
test_siblings (Fixture *fixture, gconstpointer data)
{
  static const char *const expected[] = { "1 all window -", "2 a window 1", "3 b window 1", "4 c window 2",
                                          "5 alone window -" };
  g_autoptr (RoastSpan) all = NULL;
  g_autoptr (RoastSpan) a = NULL;
  g_autoptr (RoastSpan) b = NULL;
  g_autoptr (RoastSpan) c = NULL;
  g_autoptr (RoastSpan) alone = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (open_span (fixture, "early", NULL, &error));
  g_assert_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_NOT_TRACKING);
  g_clear_error (&error);
  attach (fixture);
  all = open_span (fixture, "all", NULL, &error);
  a = open_span (fixture, "a", all, &error);
  b = open_span (fixture, "b", all, &error);
  c = open_span (fixture, "c", a, &error);
  alone = open_span (fixture, "alone", NULL, &error);
  g_assert_no_error (error);
  g_assert_true (close_span (fixture, a, &error));
  g_assert_null (open_span (fixture, "late", a, &error));
  g_assert_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_UNKNOWN_SPAN);
  finish (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autofree char *row = dup_row (fixture->session, i);

      g_assert_cmpstr (row, ==, expected[i]);
    }
}

/* The span is there all the same, as a window of time. */
static void
test_without (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastSpan) span = NULL;
  g_autoptr (GError) error = NULL;

  fixture->backend->capabilities = ROAST_BACKEND_CAPABILITIES_NOTHING;
  attach (fixture);
  span = open_span (fixture, "read", NULL, &error);
  g_assert_no_error (error);
  g_assert_true (close_span (fixture, span, &error));
  finish (fixture);
  g_assert_cmpstr (fixture->backend->heard->str, ==, "");
}

static void
test_backend_fails (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastTableReader) events = NULL;
  g_autoptr (RoastSpan) span = NULL;
  g_autoptr (GError) error = NULL;
  const char *message;

  fixture->backend->fail = TRUE;
  attach (fixture);
  span = open_span (fixture, "read", NULL, &error);
  g_assert_no_error (error);
  g_assert_true (close_span (fixture, span, &error));
  finish (fixture);
  events = roast_recording_read_table (roast_session_get_recording (fixture->session), ROAST_TABLE_EVENTS,
                                       roast_events_columns, NULL);
  g_assert_cmpuint (roast_table_reader_get_n_rows (events), ==, 1);
  roast_table_reader_next (events);
  message = roast_table_reader_get_string (events, ROAST_EVENTS_MESSAGE);
  g_assert_nonnull (strstr (message, "“read”"));
  g_assert_nonnull (strstr (message, "out of spans"));
}

static void
test_errors (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastSpan) span = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (open_span (fixture, "early", NULL, &error));
  g_assert_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_NOT_TRACKING);
  g_clear_error (&error);
  attach (fixture);
  span = open_span (fixture, "read", NULL, &error);
  g_assert_no_error (error);
  g_assert_true (close_span (fixture, span, &error));
  g_assert_false (close_span (fixture, span, &error));
  g_assert_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_UNKNOWN_SPAN);
  g_clear_error (&error);

  /* One that is left open has no end, and nothing of it is left. */
  g_clear_object (&span);
  span = open_span (fixture, "open", NULL, &error);
  g_assert_no_error (error);
  finish (fixture);
  g_assert_false (close_span (fixture, span, &error));
  g_assert_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_NOT_TRACKING);
  g_assert_cmpint (roast_span_get_ended (span), ==, -1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add ("/session-span/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("nested", test_nested);
  ADD ("siblings", test_siblings);
  ADD ("without", test_without);
  ADD ("backend-fails", test_backend_fails);
  ADD ("errors", test_errors);

  return g_test_run ();
}
