/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Reads a stream line by line. It holds only one line in memory, so the memory that it needs is bounded. The callback
 * may overwrite the line. */

typedef void (*DaskLineFunction) (char *line, gsize length, gpointer user_data);

/* Read lines until the end of the stream, and complete with a boolean. Fail if the stream has more than @max_bytes, or
 * if a line has more than @max_line bytes. */
void dask_lines_read_async (GInputStream *stream, gsize max_line, guint64 max_bytes, DaskLineFunction function,
                            gpointer function_data, GCancellable *cancellable, GAsyncReadyCallback callback,
                            gpointer user_data);
gboolean dask_lines_read_finish (GInputStream *stream, GAsyncResult *result, GError **error);
