/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Reads lines of a stream, and never holds more than one: its memory is bounded. The function may overwrite the line.
 */

typedef void (*DaskLineFunction) (char *line, gsize length, gpointer user_data);

/* At most @max_bytes in all and @max_line for one: more is an error. Completes with a boolean when the stream ends. */
void dask_lines_read_async (GInputStream *stream, gsize max_line, guint64 max_bytes, DaskLineFunction function,
                            gpointer function_data, GCancellable *cancellable, GAsyncReadyCallback callback,
                            gpointer user_data);
gboolean dask_lines_read_finish (GInputStream *stream, GAsyncResult *result, GError **error);

G_END_DECLS
