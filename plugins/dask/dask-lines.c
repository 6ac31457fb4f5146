/* SPDX-License-Identifier: BSD-3-Clause */
#include "dask-lines.h"

#include <string.h>

#define PIECE 65536

typedef struct
{
  GString *line;
  gsize max_line;
  guint64 left;
  DaskLineFunction function;
  gpointer data;
} Reading;

static void
reading_free (Reading *reading)
{
  g_string_free (reading->line, TRUE);
  g_free (reading);
}

static void
take (Reading *reading, const char *data, gsize length)
{
  while (length > 0)
    {
      const char *end = memchr (data, '\n', length);
      gsize piece = end != NULL ? (gsize) (end - data) : length;

      g_string_append_len (reading->line, data, (gssize) piece);
      if (end == NULL || reading->line->len > reading->max_line)
        return;
      if (reading->line->len > 0)
        reading->function (reading->line->str, reading->line->len, reading->data);
      g_string_truncate (reading->line, 0);
      data += piece + 1;
      length -= piece + 1;
    }
}

static void read_piece (GTask *task);

static void
on_piece (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Reading *reading = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GBytes) bytes = g_input_stream_read_bytes_finish (G_INPUT_STREAM (object), result, &error);
  gsize length = bytes != NULL ? g_bytes_get_size (bytes) : 0;

  if (bytes == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (length == 0)
    {
      if (reading->line->len > 0)
        reading->function (reading->line->str, reading->line->len, reading->data);
      g_task_return_boolean (task, TRUE);
      return;
    }
  take (reading, g_bytes_get_data (bytes, NULL), length);
  reading->left -= MIN (reading->left, length);
  if (reading->line->len > reading->max_line || reading->left == 0)
    {
      g_task_return_new_error (task, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL,
                               "the response exceeds the size limit, so it is not from roast's probe");
      return;
    }
  read_piece (g_steal_pointer (&task));
}

static void
read_piece (GTask *task)
{
  g_input_stream_read_bytes_async (g_task_get_source_object (task), PIECE, G_PRIORITY_DEFAULT,
                                   g_task_get_cancellable (task), on_piece, task);
}

void
dask_lines_read_async (GInputStream *stream, gsize max_line, guint64 max_bytes, DaskLineFunction function,
                       gpointer function_data, GCancellable *cancellable, GAsyncReadyCallback callback,
                       gpointer user_data)
{
  GTask *task = g_task_new (stream, cancellable, callback, user_data);
  Reading *reading = g_new0 (Reading, 1);

  reading->line = g_string_new (NULL);
  reading->max_line = max_line;
  reading->left = max_bytes;
  reading->function = function;
  reading->data = function_data;
  g_task_set_task_data (task, reading, (GDestroyNotify) reading_free);
  read_piece (task);
}

gboolean
dask_lines_read_finish (GInputStream *stream, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
