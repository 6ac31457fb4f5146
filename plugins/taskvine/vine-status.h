/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* What a manager answers on its port. That costs it time, and it answers only while the program waits for tasks. */

/* @what: `manager` or `worker`. Completes with a #JsonArray of objects. Fails with %G_IO_ERROR_PERMISSION_DENIED if it
 * wants a password: it complains to its user each time, so that it must not be asked again. */
void vine_status_query_async (const char *host, guint16 port, const char *what, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data);
JsonArray *vine_status_query_finish (GAsyncResult *result, GError **error);

/* Decodes an answer: JSON, in which single quotes are escaped and bytes that are no ASCII are written as TaskVine does,
 * and nothing else that is not valid. */
JsonArray *vine_status_decode (const char *text, gsize length, GError **error);

/* Members of an object: NULL and NaN if there is none of that kind. */
const char *vine_status_get_text (JsonObject *object, const char *name);
double vine_status_get_number (JsonObject *object, const char *name);

G_END_DECLS
