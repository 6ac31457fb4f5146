/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

/* Helpers for asynchronous operations: event sources, callers that wait for the same outcome, and asynchronous vfuncs
 * of plugins. */

/* Attaches a new source to a context and returns the source, which the caller owns. */
GSource *roast_source_attach (GSource *source, GMainContext *context, GSourceFunc func, gpointer data,
                              GDestroyNotify destroy);
/* Destroys the source if it is not NULL. */
void roast_source_clear (GSource **source);

/* Callers that wait for the same outcome. Any number of tasks, each with its own cancellable, complete together. Use
 * these tasks in one main context only. */
typedef struct _RoastWaiters RoastWaiters;

RoastWaiters *roast_waiters_new (void);
void roast_waiters_free (RoastWaiters *self);
/* Adds a waiting task. Takes ownership of the task. */
void roast_waiters_add (RoastWaiters *self, GTask *task);
/* Returns whether any task still waits. Cancelled tasks do not wait. */
gboolean roast_waiters_is_waiting (RoastWaiters *self);
/* Completes all waiting tasks with TRUE, or with a copy of the error. A task that is added later completes in the same
 * way. Further calls do not change the outcome. Returns FALSE if all tasks were cancelled. */
gboolean roast_waiters_complete (RoastWaiters *self, const GError *error);

/* Begins an operation that an asynchronous vfunc of @source implements. The caller sees an outer task. The
 * implementation receives an inner task, which it must complete. The outer task completes at the first of these events:
 * the inner task completes, the deadline passes, the cancellable is cancelled, or the inner task is dropped without a
 * return. Later events are ignored.
 *
 * @type: return type of the operation: G_TYPE_BOOLEAN, G_TYPE_VARIANT (of type a{sv}), or the type of an object; FALSE
 * and NULL must come with an error
 * @what: name of the operation, for messages
 * @deadline: in µs; 0 for none
 *
 * Returns the inner task. The caller passes the inner task to the vfunc, and drops its own reference afterwards. */
GTask *roast_guarded_task_new (gpointer source, gpointer tag, GType type, const char *what, gint64 deadline,
                               GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
