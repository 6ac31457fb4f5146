/* SPDX-License-Identifier: BSD-3-Clause */
#include <roast/roast.h>

/* A backend that behaves as it is told to. */

#define TEST_TYPE_BACKEND (test_backend_get_type ())
G_DECLARE_FINAL_TYPE (TestBackend, test_backend, TEST, BACKEND, GObject)

typedef enum
{
  RETURN_GOOD,
  RETURN_LATER,
  RETURN_FALSE,
  RETURN_ERROR,
  RETURN_WRONG,
  RETURN_NULL,
  RETURN_AS_VALUE,
  RETURN_WRONG_VALUE,
  RETURN_NEVER, /* keeps its task until it is finalized */
  DROP,         /* drops its task at once */
  DROP_IN_THREAD,
} Manner;

struct _TestBackend
{
  GObject parent_instance;

  Manner manner;
  GTask *kept;
  RoastSpan *span;
};

static void test_backend_backend_init (RoastMetricsBackendInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TestBackend, test_backend, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_METRICS_BACKEND, test_backend_backend_init))

static gboolean
return_later (gpointer data)
{
  g_task_return_boolean (data, TRUE);

  return G_SOURCE_REMOVE;
}

static gpointer
drop_in_thread (gpointer data)
{
  g_object_unref (data);

  return NULL;
}

/* What is the same for all operations. Returns whether the task is settled. */
static gboolean
test_backend_misbehave (TestBackend *self, GTask *task)
{
  switch (self->manner)
    {
    case RETURN_ERROR:
      g_task_return_new_error (task, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_CONNECT, "nothing listens there");
      return TRUE;
    case RETURN_NEVER:
      g_assert_null (self->kept);
      self->kept = g_object_ref (task);
      return TRUE;
    case DROP:
      return TRUE;
    case DROP_IN_THREAD:
      g_thread_unref (g_thread_new ("drop", drop_in_thread, g_object_ref (task)));
      return TRUE;
    default:
      return FALSE;
    }
}

static void
test_backend_start_tracking (RoastMetricsBackend *backend, RoastRecording *recording, gint64 interval, GTask *task)
{
  g_task_return_boolean (task, TRUE);
}

static void
test_backend_stop_tracking (RoastMetricsBackend *backend, GTask *task)
{
  TestBackend *self = TEST_BACKEND (backend);

  if (test_backend_misbehave (self, task))
    return;

  if (self->manner == RETURN_LATER)
    g_idle_add_full (G_PRIORITY_LOW, return_later, g_object_ref (task), g_object_unref);
  else if (self->manner == RETURN_WRONG)
    g_task_return_pointer (task, g_object_ref (self->span), g_object_unref);
  else
    g_task_return_boolean (task, self->manner != RETURN_FALSE);
}

static void
return_value_of (GTask *task, GType type, gpointer object)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, type);
  if (type == G_TYPE_VARIANT)
    g_value_set_variant (&value, object);
  else
    g_value_set_object (&value, object);
  g_task_return_value (task, &value);
  g_value_unset (&value);
}

static void
test_backend_create_span (RoastMetricsBackend *backend, const char *name, GTask *task)
{
  TestBackend *self = TEST_BACKEND (backend);

  if (test_backend_misbehave (self, task))
    return;

  if (self->manner == RETURN_AS_VALUE)
    return_value_of (task, ROAST_TYPE_SPAN, self->span);
  else if (self->manner == RETURN_WRONG_VALUE)
    return_value_of (task, G_TYPE_OBJECT, self);
  else if (self->manner == RETURN_WRONG)
    g_task_return_boolean (task, TRUE);
  else if (self->manner == RETURN_NULL)
    g_task_return_pointer (task, NULL, NULL);
  else
    g_task_return_pointer (task, g_object_ref (self->span), g_object_unref);
}

static GVariant *
new_metrics (void)
{
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "tasks", "x", G_GINT64_CONSTANT (7));

  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

static void
test_backend_get_span_metrics (RoastMetricsBackend *backend, RoastSpan *span, GTask *task)
{
  TestBackend *self = TEST_BACKEND (backend);
  g_autoptr (GVariant) metrics = new_metrics ();

  if (test_backend_misbehave (self, task))
    return;

  if (self->manner == RETURN_AS_VALUE)
    return_value_of (task, G_TYPE_VARIANT, metrics);
  else if (self->manner == RETURN_WRONG)
    g_task_return_pointer (task, g_variant_ref_sink (g_variant_new_string ("x")), (GDestroyNotify) g_variant_unref);
  else if (self->manner == RETURN_NULL)
    g_task_return_pointer (task, NULL, NULL);
  else
    g_task_return_pointer (task, g_steal_pointer (&metrics), (GDestroyNotify) g_variant_unref);
}

static gboolean
test_backend_configure (RoastMetricsBackend *backend, GVariant *options, GError **error)
{
  TestBackend *self = TEST_BACKEND (backend);

  g_assert_true (g_variant_is_of_type (options, G_VARIANT_TYPE_VARDICT));
  if (self->manner == RETURN_ERROR)
    g_set_error_literal (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE, "no");

  return self->manner == RETURN_GOOD;
}

static void
test_backend_backend_init (RoastMetricsBackendInterface *iface)
{
  iface->configure = test_backend_configure;
  iface->start_tracking = test_backend_start_tracking;
  iface->stop_tracking = test_backend_stop_tracking;
  iface->create_span = test_backend_create_span;
  iface->get_span_metrics = test_backend_get_span_metrics;
}

static void
test_backend_finalize (GObject *object)
{
  g_clear_object (&TEST_BACKEND (object)->span);

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
  self->span = roast_span_new ("1", "one");
}

static TestBackend *
new_backend (Manner manner)
{
  TestBackend *self = g_object_new (TEST_TYPE_BACKEND, NULL);

  self->manner = manner;

  return self;
}

/* One that overrides nothing. */

#define TEST_TYPE_EMPTY (test_empty_get_type ())
G_DECLARE_FINAL_TYPE (TestEmpty, test_empty, TEST, EMPTY, GObject)

struct _TestEmpty
{
  GObject parent_instance;
};

G_DEFINE_FINAL_TYPE_WITH_CODE (TestEmpty, test_empty, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_METRICS_BACKEND, NULL))

static void
test_empty_class_init (TestEmptyClass *klass)
{
}

static void
test_empty_init (TestEmpty *self)
{
}

/* Waiting */

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

static gboolean
start (TestBackend *backend, GError **error)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (GAsyncResult) result = NULL;

  roast_metrics_backend_start_tracking_async (ROAST_METRICS_BACKEND (backend), recording, 1000000, NULL, on_done,
                                              &result);
  wait_for (&result);

  return roast_metrics_backend_start_tracking_finish (ROAST_METRICS_BACKEND (backend), result, error);
}

/* Started before, which always works. */
static gboolean
stop (TestBackend *backend, gint64 deadline, GCancellable *cancellable, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  g_assert_true (start (backend, NULL));
  roast_metrics_backend_set_deadline (ROAST_METRICS_BACKEND (backend), deadline);
  roast_metrics_backend_stop_tracking_async (ROAST_METRICS_BACKEND (backend), cancellable, on_done, &result);
  g_assert_null (result);
  wait_for (&result);

  return roast_metrics_backend_stop_tracking_finish (ROAST_METRICS_BACKEND (backend), result, error);
}

static RoastSpan *
create_span (TestBackend *backend, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  roast_metrics_backend_create_span_async (ROAST_METRICS_BACKEND (backend), "one", NULL, on_done, &result);
  wait_for (&result);

  return roast_metrics_backend_create_span_finish (ROAST_METRICS_BACKEND (backend), result, error);
}

static GVariant *
get_span_metrics (TestBackend *backend, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  roast_metrics_backend_get_span_metrics_async (ROAST_METRICS_BACKEND (backend), backend->span, NULL, on_done, &result);
  wait_for (&result);

  return roast_metrics_backend_get_span_metrics_finish (ROAST_METRICS_BACKEND (backend), result, error);
}

static void
test_good (void)
{
  g_autoptr (TestBackend) backend = new_backend (RETURN_GOOD);
  g_autoptr (RoastSpan) span = NULL;
  g_autoptr (GVariant) metrics = NULL;
  g_autoptr (GError) error = NULL;
  gint64 tasks;

  g_assert_true (stop (backend, 1000000, NULL, &error));
  g_assert_no_error (error);
  backend->manner = RETURN_LATER;
  g_assert_true (stop (backend, 0, NULL, &error));
  g_assert_no_error (error);

  span = create_span (backend, &error);
  g_assert_no_error (error);
  g_assert_true (span == backend->span);
  metrics = get_span_metrics (backend, &error);
  g_assert_no_error (error);
  g_assert_true (g_variant_lookup (metrics, "tasks", "x", &tasks));
  g_assert_cmpint (tasks, ==, 7);
}

static void
test_values (void)
{
  g_autoptr (TestBackend) backend = new_backend (RETURN_AS_VALUE);
  g_autoptr (RoastSpan) span = NULL;
  g_autoptr (GVariant) metrics = NULL;
  g_autoptr (GError) error = NULL;

  span = create_span (backend, &error);
  g_assert_no_error (error);
  g_assert_true (span == backend->span);
  metrics = get_span_metrics (backend, &error);
  g_assert_no_error (error);
  g_assert_true (g_variant_is_of_type (metrics, G_VARIANT_TYPE_VARDICT));
}

static void
assert_bad (GError **error)
{
  g_assert_error (*error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_BAD_IMPLEMENTATION);
  g_assert_nonnull (strstr ((*error)->message, "TestBackend"));
  g_clear_error (error);
}

static void
test_bad (void)
{
  static const Manner manners[] = { RETURN_WRONG, RETURN_NULL, DROP, DROP_IN_THREAD };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (manners); i++)
    {
      g_autoptr (TestBackend) backend = new_backend (manners[i]);

      if (manners[i] != RETURN_NULL && manners[i] != RETURN_WRONG)
        {
          g_assert_false (stop (backend, 0, NULL, &error));
          assert_bad (&error);
        }
      g_assert_null (create_span (backend, &error));
      assert_bad (&error);
      g_assert_null (get_span_metrics (backend, &error));
      assert_bad (&error);
    }
}

static void
test_bad_more (void)
{
  g_autoptr (TestBackend) backend = new_backend (RETURN_FALSE);
  g_autoptr (GError) error = NULL;

  g_assert_false (stop (backend, 0, NULL, &error));
  assert_bad (&error);
  g_assert_false (roast_metrics_backend_configure (ROAST_METRICS_BACKEND (backend), NULL, &error));
  assert_bad (&error);
  backend->manner = RETURN_WRONG_VALUE;
  g_assert_null (create_span (backend, &error));
  assert_bad (&error);
}

static void
test_error (void)
{
  g_autoptr (TestBackend) backend = new_backend (RETURN_ERROR);
  g_autoptr (GError) error = NULL;

  g_assert_false (stop (backend, 0, NULL, &error));
  g_assert_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_CONNECT);
  g_clear_error (&error);
  g_assert_null (create_span (backend, &error));
  g_assert_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_CONNECT);
  g_clear_error (&error);
  g_assert_null (get_span_metrics (backend, NULL));
  g_assert_false (roast_metrics_backend_configure (ROAST_METRICS_BACKEND (backend), NULL, &error));
  g_assert_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE);
}

static void
test_deadline (void)
{
  g_autoptr (TestBackend) backend = new_backend (RETURN_NEVER);
  g_autoptr (GError) error = NULL;

  g_assert_false (stop (backend, 10000, NULL, &error));
  g_assert_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_TIMED_OUT);
  g_assert_true (g_cancellable_is_cancelled (g_task_get_cancellable (backend->kept)));

  /* It comes back to life: nobody listens any more. */
  g_task_return_boolean (backend->kept, TRUE);
  g_clear_object (&backend->kept);
  while (g_main_context_iteration (NULL, FALSE))
    ;

  /* And one that is dropped after its deadline. */
  g_clear_error (&error);
  g_assert_false (stop (backend, 10000, NULL, &error));
  g_assert_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_TIMED_OUT);
  g_clear_object (&backend->kept);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
test_cancel (void)
{
  g_autoptr (TestBackend) backend = new_backend (RETURN_NEVER);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (start (backend, NULL));
  roast_metrics_backend_stop_tracking_async (ROAST_METRICS_BACKEND (backend), cancellable, on_done, &result);
  g_cancellable_cancel (cancellable);
  wait_for (&result);
  g_assert_false (roast_metrics_backend_stop_tracking_finish (ROAST_METRICS_BACKEND (backend), result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_true (g_cancellable_is_cancelled (g_task_get_cancellable (backend->kept)));
  g_clear_object (&backend->kept);

  g_clear_error (&error);
  g_assert_false (stop (backend, 0, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_object (&backend->kept);
}

static void
test_twice (void)
{
  g_autoptr (TestBackend) backend = new_backend (RETURN_NEVER);
  g_autoptr (GAsyncResult) result = NULL;

  g_assert_true (start (backend, NULL));
  roast_metrics_backend_stop_tracking_async (ROAST_METRICS_BACKEND (backend), NULL, on_done, &result);
  g_task_return_boolean (backend->kept, TRUE);
  g_test_expect_message ("GLib-GIO", G_LOG_LEVEL_CRITICAL, "*ever_returned*");
  g_task_return_boolean (backend->kept, FALSE);
  g_test_assert_expected_messages ();
  wait_for (&result);
  g_assert_true (roast_metrics_backend_stop_tracking_finish (ROAST_METRICS_BACKEND (backend), result, NULL));
  g_clear_object (&backend->kept);
}

/* A backend is not asked to stop what it did not start, nor to start again. */
static void
test_order (void)
{
  g_autoptr (TestBackend) backend = new_backend (RETURN_GOOD);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  roast_metrics_backend_stop_tracking_async (ROAST_METRICS_BACKEND (backend), NULL, on_done, &result);
  wait_for (&result);
  g_assert_false (roast_metrics_backend_stop_tracking_finish (ROAST_METRICS_BACKEND (backend), result, &error));
  g_assert_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_NOT_TRACKING);
  g_clear_error (&error);

  g_assert_true (start (backend, &error));
  g_assert_false (start (backend, &error));
  g_assert_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_ALREADY_TRACKING);
  g_clear_error (&error);

  /* It tracks all the same. */
  g_clear_object (&result);
  roast_metrics_backend_stop_tracking_async (ROAST_METRICS_BACKEND (backend), NULL, on_done, &result);
  wait_for (&result);
  g_assert_true (roast_metrics_backend_stop_tracking_finish (ROAST_METRICS_BACKEND (backend), result, &error));
  g_assert_no_error (error);
  g_assert_true (start (backend, &error));
}

static void
assert_not_supported (gboolean ok, GError **error)
{
  g_assert_false (ok);
  g_assert_error (*error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr ((*error)->message, "TestEmpty"));
  g_clear_error (error);
}

static void
test_defaults (void)
{
  g_autoptr (RoastMetricsBackend) backend = g_object_new (TEST_TYPE_EMPTY, NULL);
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastLaunchContext) context = roast_launch_context_new (NULL);
  g_autoptr (RoastSpan) span = roast_span_new ("1", "one");
  GAsyncResult *results[6] = { NULL };
  g_autoptr (GVariant) options = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (roast_metrics_backend_get_capabilities (backend), ==, ROAST_BACKEND_CAPABILITIES_NOTHING);
  g_assert_false (roast_metrics_backend_supports_fine_metrics (backend));
  g_assert_true (roast_metrics_backend_configure (backend, NULL, NULL));
  g_assert_true (roast_metrics_backend_configure (backend, g_variant_new ("a{sv}", NULL), NULL));
  options = new_metrics ();
  g_assert_false (roast_metrics_backend_configure (backend, options, &error));
  g_assert_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_UNKNOWN);
  g_clear_error (&error);
  g_assert_true (roast_metrics_backend_prepare_launch (backend, context, NULL));
  roast_metrics_backend_launched (backend, 1);
  roast_metrics_backend_exited (backend, 0);

  roast_metrics_backend_attach_async (backend, "1", NULL, on_done, &results[0]);
  roast_metrics_backend_start_tracking_async (backend, recording, 1000000, NULL, on_done, &results[1]);
  roast_metrics_backend_stop_tracking_async (backend, NULL, on_done, &results[2]);
  roast_metrics_backend_create_span_async (backend, "one", NULL, on_done, &results[3]);
  roast_metrics_backend_close_span_async (backend, span, NULL, on_done, &results[4]);
  roast_metrics_backend_get_span_metrics_async (backend, span, NULL, on_done, &results[5]);
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    wait_for (&results[i]);

  assert_not_supported (roast_metrics_backend_attach_finish (backend, results[0], &error), &error);
  assert_not_supported (roast_metrics_backend_start_tracking_finish (backend, results[1], &error), &error);
  assert_not_supported (roast_metrics_backend_stop_tracking_finish (backend, results[2], &error), &error);
  assert_not_supported (roast_metrics_backend_create_span_finish (backend, results[3], &error) != NULL, &error);
  assert_not_supported (roast_metrics_backend_close_span_finish (backend, results[4], &error), &error);
  assert_not_supported (roast_metrics_backend_get_span_metrics_finish (backend, results[5], &error) != NULL, &error);
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    g_object_unref (results[i]);
}

static void
on_finished (RoastMetricsBackend *backend, gpointer user_data)
{
  (*(guint *) user_data)++;
}

static void
test_finished (void)
{
  g_autoptr (RoastMetricsBackend) backend = g_object_new (TEST_TYPE_EMPTY, NULL);
  guint n = 0;

  g_signal_connect (backend, "finished", G_CALLBACK (on_finished), &n);
  roast_metrics_backend_emit_finished (backend);
  g_assert_cmpuint (n, ==, 1);
}

/* Each operation keeps the backend alive only while it goes on. */
static void
test_lifetime (void)
{
  TestBackend *backend = new_backend (RETURN_GOOD);
  g_autoptr (RoastSpan) span = NULL;

  g_object_add_weak_pointer (G_OBJECT (backend), (gpointer *) &backend);
  g_assert_true (stop (backend, 1000000, NULL, NULL));
  backend->manner = DROP;
  g_assert_false (stop (backend, 1000000, NULL, NULL));
  backend->manner = RETURN_GOOD;
  span = create_span (backend, NULL);
  g_object_unref (backend);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_null (backend);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/metrics-backend/good", test_good);
  g_test_add_func ("/metrics-backend/values", test_values);
  g_test_add_func ("/metrics-backend/bad", test_bad);
  g_test_add_func ("/metrics-backend/bad-more", test_bad_more);
  g_test_add_func ("/metrics-backend/error", test_error);
  g_test_add_func ("/metrics-backend/deadline", test_deadline);
  g_test_add_func ("/metrics-backend/cancel", test_cancel);
  g_test_add_func ("/metrics-backend/twice", test_twice);
  g_test_add_func ("/metrics-backend/order", test_order);
  g_test_add_func ("/metrics-backend/defaults", test_defaults);
  g_test_add_func ("/metrics-backend/finished", test_finished);
  g_test_add_func ("/metrics-backend/lifetime", test_lifetime);

  return g_test_run ();
}
