/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

/* Functions for the status of a manager, which is read from its port. Each answer costs the manager time. The manager
 * answers only while its program waits for tasks. */

/* Request a status. @what: `manager` or `worker`. Completes with a #JsonArray of objects. Fails with
 * %G_IO_ERROR_PERMISSION_DENIED if the manager requires a password. In this case, do not ask the manager again, because
 * it prints a complaint each time. */
void vine_status_query_async (const char *host, guint16 port, const char *what, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data);
JsonArray *vine_status_query_finish (GAsyncResult *result, GError **error);

/* Decode an answer. An answer is JSON, except that TaskVine escapes single quotes and non-ASCII bytes in its own
 * way. */
JsonArray *vine_status_decode (const char *text, gsize length, GError **error);

/* Return a member of an object; NULL or NaN if the member does not exist or has another type. */
const char *vine_status_get_text (JsonObject *object, const char *name);
double vine_status_get_number (JsonObject *object, const char *name);

/* Return the object at index @i; NULL if this element is not an object. */
JsonObject *vine_status_get_object (JsonArray *array, guint i);
/* Return a count, multiplied by @factor; -1 if the object does not contain the count. */
gint64 vine_status_get_count (JsonObject *object, const char *name, double factor);
