/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

/* What asynchronous operations have in common: sources, callers that wait for one outcome, and vfuncs of plugins. */

/* Takes a new source, and returns it when it is attached. */
GSource *roast_source_attach (GSource *source, GMainContext *context, GSourceFunc func, gpointer data,
                              GDestroyNotify destroy);
/* Destroys the source, if there is one. */
void roast_source_clear (GSource **source);

/* The callers that wait for one outcome: any number of tasks, each with its own cancellable, completed together. Used
 * in one main context. */
typedef struct _RoastWaiters RoastWaiters;

RoastWaiters *roast_waiters_new (void);
void roast_waiters_free (RoastWaiters *self);
/* Takes the task. */
void roast_waiters_add (RoastWaiters *self, GTask *task);
/* Whether a task waits that was not cancelled. */
gboolean roast_waiters_is_waiting (RoastWaiters *self);
/* Completes all, and each that comes later, with TRUE or a copy of the error; the first outcome stays. FALSE if all
 * were cancelled. */
gboolean roast_waiters_complete (RoastWaiters *self, const GError *error);

/* Begins an operation that an asynchronous vfunc of @source implements. The caller sees an outer task; the
 * implementation receives an inner one, which it must complete. The outer is completed by whichever comes first: the
 * inner, the deadline, the cancellable, or the inner being dropped without a return. What comes later is ignored.
 *
 * @type: what the operation returns: G_TYPE_BOOLEAN, G_TYPE_VARIANT (of type a{sv}), or the type of an object; FALSE
 *   and NULL need an error
 * @what: name of the operation, for messages
 * @deadline: in µs; 0 for none
 *
 * Returns the inner task, to be given to the vfunc and then dropped. */
GTask *roast_guarded_task_new (gpointer source, gpointer tag, GType type, const char *what, gint64 deadline,
                               GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
