/* SPDX-License-Identifier: BSD-3-Clause */

/* Spans of a session. Such a span is a time window of the whole measurement. Each executor that supports spans opens
 * its own span for the session's span. */

#include "roast-session-private.h"

#include "base/roast-type-private.h"
#include "roast/roast-error.h"
#include "roast/roast-tables.h"
#include "roast/roast-version.h"

/* The span that one backend opened for a span of the session. */
typedef struct
{
  RoastMetricsBackend *backend;
  RoastSpan *span;
} SessionSpanPart;

struct _RoastSessionSpan
{
  RoastSpan *span;
  GPtrArray *parts;
};

/* A pending request to the backends to open or close a span. */
typedef struct
{
  RoastSessionSpan *entry;
  guint pending;
  RoastSpan *parent; /* parent of the session's span, or NULL */
} Operation;

static void
operation_free (Operation *operation)
{
  g_clear_object (&operation->parent);
  g_free (operation);
}

static void
session_span_part_free (SessionSpanPart *part)
{
  g_object_unref (part->backend);
  g_object_unref (part->span);
  g_free (part);
}

void
roast_session_span_free (RoastSessionSpan *entry)
{
  g_object_unref (entry->span);
  g_ptr_array_unref (entry->parts);
  g_free (entry);
}

static gboolean
is_entry_of (gconstpointer entry, gconstpointer span)
{
  return ((const RoastSessionSpan *) entry)->span == span;
}

static gboolean
is_open (RoastSession *self, RoastSpan *span, guint *index)
{
  return g_ptr_array_find_with_equal_func (self->spans, span, is_entry_of, index);
}

/* Get the writer of the session's spans, whose source is not one of the executors' sources. */
static RoastTableWriter *
get_writer (RoastSession *self)
{
  g_autofree char *source = NULL;

  if (self->span_writer == NULL)
    {
      source = roast_recording_add_source (self->recording, "session", NULL, ROAST_VERSION_S, NULL);
      self->span_writer = roast_spans_write (self->recording, source);
    }

  return self->span_writer;
}

static void
write_row (RoastSession *self, RoastSpan *span, RoastSpan *parent)
{
  RoastTableWriter *writer = get_writer (self);

  roast_table_writer_set_string (writer, ROAST_SPANS_SPAN, roast_span_get_id (span));
  if (roast_span_get_ended (span) >= 0)
    {
      roast_table_writer_set_int64 (writer, ROAST_SPANS_ENDED, roast_span_get_ended (span));
      roast_table_writer_close (writer, NULL);
      return;
    }
  roast_table_writer_set_string (writer, ROAST_SPANS_NAME, roast_span_get_name (span));
  roast_table_writer_set_word (writer, ROAST_SPANS_KIND, ROAST_SPAN_KIND_WINDOW);
  roast_table_writer_set_int64 (writer, ROAST_SPANS_STARTED, roast_span_get_started (span));
  if (parent != NULL)
    roast_table_writer_set_string (writer, ROAST_SPANS_PARENT, roast_span_get_id (parent));
  roast_table_writer_end (writer, NULL);
}

/* Record that a backend could not open or close its span. The failure is only an event, because the times of the
 * session's span are known anyway. */
static void
note_failure (RoastSession *self, Operation *operation, const char *what, const GError *error)
{
  g_autofree char *message = g_strdup_printf ("span “%s” could not be %s in the executor: %s",
                                              roast_span_get_name (operation->entry->span), what, error->message);

  roast_recording_add_event (self->recording, NULL, -1, ROAST_SEVERITY_WARNING, "span", message);
}

/* Create the task that opens or closes a span. If the session does not run, or if @span is neither NULL nor open,
 * complete the task with an error and return NULL. */
static GTask *
session_span_begin (RoastSession *self, gpointer tag, RoastSpan *span, GCancellable *cancellable,
                    GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, tag);
  if (self->state != ROAST_SESSION_STATE_RUNNING)
    g_task_return_new_error (task, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_NOT_TRACKING,
                             "a span can be opened and closed only while the session runs: launch or attach first");
  else if (span != NULL && !is_open (self, span, NULL))
    g_task_return_new_error (task, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_UNKNOWN_SPAN,
                             "span “%s” is not open in this session", roast_span_get_name (span));
  else
    return g_steal_pointer (&task);

  return NULL;
}

static void
settle_open (GTask *task)
{
  RoastSession *self = g_task_get_source_object (task);
  Operation *operation = g_task_get_task_data (task);
  RoastSessionSpan *entry = operation->entry;

  if (--operation->pending > 0)
    return;
  roast_span_set_times (entry->span, g_get_real_time (), -1);
  write_row (self, entry->span, operation->parent);
  g_ptr_array_add (self->spans, entry);
  g_task_return_pointer (task, g_object_ref (entry->span), g_object_unref);
}

static void
on_part_opened (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Operation *operation = g_task_get_task_data (task);
  RoastMetricsBackend *backend = ROAST_METRICS_BACKEND (object);
  g_autoptr (GError) error = NULL;
  RoastSpan *span = roast_metrics_backend_create_span_finish (backend, result, &error);

  if (span != NULL)
    {
      SessionSpanPart *part = g_new (SessionSpanPart, 1);

      part->backend = g_object_ref (backend);
      part->span = span;
      g_ptr_array_add (operation->entry->parts, part);
    }
  else
    note_failure (g_task_get_source_object (task), operation, "opened", error);
  settle_open (task);
}

/* Open a span in each backend that supports spans. Takes ownership of the task. */
static void
open_span (RoastSession *self, const char *name, RoastSpan *parent, GTask *task)
{
  Operation *operation = NULL;
  g_autofree char *id = NULL;

  id = g_strdup_printf ("%u", ++self->n_spans);
  operation = g_new0 (Operation, 1);
  operation->entry = g_new0 (RoastSessionSpan, 1);
  operation->entry->span = roast_span_new (id, name);
  operation->entry->parts = g_ptr_array_new_with_free_func ((GDestroyNotify) session_span_part_free);
  operation->pending = 1;
  operation->parent = parent != NULL ? g_object_ref (parent) : NULL;
  g_task_set_task_data (task, operation, (GDestroyNotify) operation_free);
  for (guint i = 0; i < self->backends->len; i++)
    {
      RoastMetricsBackend *backend = g_ptr_array_index (self->backends, i);

      if ((roast_metrics_backend_get_capabilities (backend) & ROAST_BACKEND_CAPABILITIES_SPANS) == 0)
        continue;
      operation->pending++;
      roast_metrics_backend_create_span_async (backend, name, NULL, on_part_opened, g_object_ref (task));
    }
  settle_open (task);
  g_object_unref (task);
}

/**
 * roast_session_open_span_async:
 * @self: a running session
 * @name: name of the span, for human readers
 * @parent: (nullable): an open span of this session, the parent; %NULL for no parent
 * @cancellable: (nullable): a cancellable, which cancels only the wait
 * @callback: (scope async): called when the span is open
 * @user_data: data for @callback
 *
 * Opens a span: a named period of time in the recording. Executors that support spans also open their own spans. If an
 * executor fails to open a span, the recording gets an event.
 *
 * Since: 0.9
 */
void
roast_session_open_span_async (RoastSession *self, const char *name, RoastSpan *parent, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = NULL;

  g_return_if_fail (ROAST_IS_SESSION (self));
  g_return_if_fail (name != NULL);
  g_return_if_fail (parent == NULL || ROAST_IS_SPAN (parent));

  task = session_span_begin (self, roast_session_open_span_async, parent, cancellable, callback, user_data);
  if (task != NULL)
    open_span (self, name, parent, task);
}

/**
 * roast_session_open_span_finish:
 * @self: a session
 * @result: the result that the callback received
 * @error: return location for an error
 *
 * Fails with %ROAST_BACKEND_ERROR_NOT_TRACKING if the session does not run, and with %ROAST_BACKEND_ERROR_UNKNOWN_SPAN
 * if the parent is not open in the session.
 *
 * Returns: (transfer full): the span, which the caller closes with [method@Roast.Session.close_span_async]
 *
 * Since: 0.9
 */
ROAST_DEFINE_FINISH (Session, RoastSpan *, roast_session_open_span_finish, pointer)

static void
settle_close (GTask *task)
{
  Operation *operation = g_task_get_task_data (task);

  if (--operation->pending > 0)
    return;
  g_clear_pointer (&operation->entry, roast_session_span_free);
  g_task_return_boolean (task, TRUE);
}

static void
on_part_closed (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  if (!roast_metrics_backend_close_span_finish (ROAST_METRICS_BACKEND (object), result, &error))
    note_failure (g_task_get_source_object (task), g_task_get_task_data (task), "closed", error);
  settle_close (task);
}

/**
 * roast_session_close_span_async:
 * @self: a session
 * @span: a span of this session
 * @cancellable: (nullable): a cancellable, which cancels only the wait
 * @callback: (scope async): called when the span is closed
 * @user_data: data for @callback
 *
 * Closes a span, which ends now. Each executor that opened its own span for @span is asked for the measurements of its
 * span.
 *
 * Since: 0.9
 */
void
roast_session_close_span_async (RoastSession *self, RoastSpan *span, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  RoastSessionSpan *entry = NULL;
  Operation *operation = NULL;
  GTask *task = NULL;
  guint index = 0;

  g_return_if_fail (ROAST_IS_SESSION (self));
  g_return_if_fail (ROAST_IS_SPAN (span));

  task = session_span_begin (self, roast_session_close_span_async, span, cancellable, callback, user_data);
  if (task == NULL)
    return;

  is_open (self, span, &index);
  entry = g_ptr_array_steal_index (self->spans, index);
  roast_span_set_times (span, roast_span_get_started (span), g_get_real_time ());
  write_row (self, span, NULL);
  operation = g_new0 (Operation, 1);
  operation->entry = entry;
  operation->pending = 1 + entry->parts->len;
  g_task_set_task_data (task, operation, (GDestroyNotify) operation_free);
  for (guint i = 0; i < entry->parts->len; i++)
    {
      SessionSpanPart *part = g_ptr_array_index (entry->parts, i);

      roast_metrics_backend_close_span_async (part->backend, part->span, NULL, on_part_closed, g_object_ref (task));
    }
  settle_close (task);
  g_object_unref (task);
}

/**
 * roast_session_close_span_finish:
 * @self: a session
 * @result: the result that the callback received
 * @error: return location for an error
 *
 * Fails with %ROAST_BACKEND_ERROR_UNKNOWN_SPAN if the span is not open, and with %ROAST_BACKEND_ERROR_NOT_TRACKING if
 * the session has ended. After the end of the session, the span has no end time in the recording.
 *
 * Returns: whether the span was closed
 *
 * Since: 0.9
 */
ROAST_DEFINE_FINISH (Session, gboolean, roast_session_close_span_finish, boolean)
