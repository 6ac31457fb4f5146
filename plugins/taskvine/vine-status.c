/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-status.h"

#include <math.h>
#include <roast/roast.h>
#include <string.h>

#include "source-attach.h"

#ifndef TIMEOUT
#define TIMEOUT 2 /* s */
#endif
#define MAX_ANSWER (16 << 20) /* bytes */
#define MAX_DEPTH 8
#define MAX_COUNT 9e15
#define STEP 65536

/* ---- decoding ---- */

/* "\uffffffc3" is byte 0xc3, sign-extended by TaskVine. */
static gboolean
take_byte (const char *at, const char *end, GString *out)
{
  static const char mark[] = "\\uffffff";

  if ((gsize) (end - at) < strlen (mark) + 2 || strncmp (at, mark, strlen (mark)) != 0 ||
      g_ascii_xdigit_value (at[8]) < 8 || !g_ascii_isxdigit (at[9]))
    return FALSE;
  g_string_append_c (out, (char) (g_ascii_xdigit_value (at[8]) << 4 | g_ascii_xdigit_value (at[9])));

  return TRUE;
}

/* Convert TaskVine's JSON to valid JSON. */
static char *
clean (const char *text, gsize length)
{
  const char *end = text + length;
  g_autoptr (GString) out = g_string_sized_new (length + 1);

  while (text < end)
    {
      const char *escape = memchr (text, '\\', (gsize) (end - text));

      if (escape == NULL)
        escape = end;
      g_string_append_len (out, text, escape - text);
      text = escape;
      if (text + 1 >= end)
        break;
      if (take_byte (text, end, out))
        {
          text += strlen ("\\uffffffc3");
          continue;
        }
      if (text[1] != '\'')
        g_string_append_c (out, *text);
      g_string_append_c (out, text[1]);
      text += 2;
    }
  g_string_append_len (out, text, end - text);

  return g_utf8_make_valid (out->str, (gssize) out->len);
}

JsonArray *
vine_status_decode (const char *text, gsize length, GError **error)
{
  g_autoptr (RoastWireReader) reader = roast_wire_reader_new (MAX_ANSWER, MAX_DEPTH);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree char *json = NULL;
  JsonNode *root = NULL;

  while (length > 0 && g_ascii_isspace (*text))
    {
      text++;
      length--;
    }
  if (length == 0)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "the answer is empty");
      return NULL;
    }
  if (length >= 5 && memcmp (text, "auth ", 5) == 0)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                           "the manager requires a password, so its status is not available");
      return NULL;
    }
  if (*text != '[')
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                           "the answer is not from a TaskVine manager: another program may have the port");
      return NULL;
    }
  json = clean (text, length);
  if (!roast_wire_reader_read (reader, json, strlen (json), error) ||
      !json_parser_load_from_data (parser, json, -1, error))
    {
      g_prefix_error (error, "cannot parse the answer: ");
      return NULL;
    }
  root = json_parser_get_root (parser);
  if (root == NULL || !JSON_NODE_HOLDS_ARRAY (root))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "the answer is not a list");
      return NULL;
    }

  return json_array_ref (json_node_get_array (root));
}

static JsonNode *
get_value (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? node : NULL;
}

const char *
vine_status_get_text (JsonObject *object, const char *name)
{
  JsonNode *node = get_value (object, name);

  return node != NULL && json_node_get_value_type (node) == G_TYPE_STRING ? json_node_get_string (node) : NULL;
}

double
vine_status_get_number (JsonObject *object, const char *name)
{
  JsonNode *node = get_value (object, name);
  GType type = node != NULL ? json_node_get_value_type (node) : G_TYPE_NONE;
  double value = type == G_TYPE_INT64    ? (double) json_node_get_int (node)
                 : type == G_TYPE_DOUBLE ? json_node_get_double (node)
                                         : NAN;

  return isfinite (value) ? value : NAN;
}

JsonObject *
vine_status_get_object (JsonArray *array, guint i)
{
  JsonNode *node = json_array_get_element (array, i);

  return JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

gint64
vine_status_get_count (JsonObject *object, const char *name, double factor)
{
  double value = vine_status_get_number (object, name) * factor;

  return value >= 0 && value < MAX_COUNT ? llround (value) : -1;
}

/* ---- requests ---- */

typedef struct
{
  char *address, *request;
  GSocketClient *client;
  GSocketConnection *connection;
  GCancellable *stop; /* cancelled by the deadline, and by the caller's cancellable */
  GSource *deadline;
  GByteArray *answer;
  gboolean late;
} Query;

static void
query_free (Query *query)
{
  source_clear (&query->deadline);
  g_clear_object (&query->connection);
  g_object_unref (query->client);
  g_object_unref (query->stop);
  g_byte_array_unref (query->answer);
  g_free (query->address);
  g_free (query->request);
  g_free (query);
}

static gboolean
on_deadline (gpointer user_data)
{
  Query *query = user_data;

  query->late = TRUE;
  g_cancellable_cancel (query->stop);

  return G_SOURCE_REMOVE;
}

static void
fail (GTask *task, GError *error)
{
  Query *query = g_task_get_task_data (task);

  if (query->late)
    {
      g_error_free (error);
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_TIMED_OUT,
                               "%s did not answer within %d s: a manager answers only while its program waits for "
                               "tasks",
                               query->address, TIMEOUT);
      return;
    }
  g_prefix_error (&error, "%s: ", query->address);
  g_task_return_error (task, error);
}

static void read_more (GTask *task);

static void
on_read (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Query *query = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GBytes) bytes = g_input_stream_read_bytes_finish (G_INPUT_STREAM (object), result, &error);
  JsonArray *answer = NULL;

  if (bytes == NULL)
    {
      fail (task, error);
      return;
    }
  g_byte_array_append (query->answer, g_bytes_get_data (bytes, NULL), (guint) g_bytes_get_size (bytes));
  if (query->answer->len > MAX_ANSWER)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: the answer exceeds the size limit",
                               query->address);
      return;
    }
  /* Stop reading if a manager requires a password: it sends one line and waits. */
  if (g_bytes_get_size (bytes) > 0 && !(query->answer->len >= 5 && memcmp (query->answer->data, "auth ", 5) == 0))
    {
      read_more (g_object_ref (task));
      return;
    }
  if (query->answer->len == 0)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED,
                               "%s closed the connection without an answer: does the manager use SSL?", query->address);
      return;
    }
  g_byte_array_append (query->answer, (const guint8 *) "", 1);
  answer = vine_status_decode ((const char *) query->answer->data, query->answer->len - 1, &error);
  if (answer == NULL)
    fail (task, error);
  else
    g_task_return_pointer (task, answer, (GDestroyNotify) json_array_unref);
}

/* Takes ownership of @task. */
static void
read_more (GTask *task)
{
  Query *query = g_task_get_task_data (task);

  g_input_stream_read_bytes_async (g_io_stream_get_input_stream (G_IO_STREAM (query->connection)), STEP,
                                   G_PRIORITY_DEFAULT, query->stop, on_read, task);
}

static void
on_written (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (!g_output_stream_write_all_finish (G_OUTPUT_STREAM (object), result, NULL, &error))
    fail (task, error);
  else
    read_more (g_object_ref (task));
}

static void
on_connected (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Query *query = g_task_get_task_data (task);
  GError *error = NULL;

  query->connection = g_socket_client_connect_to_host_finish (G_SOCKET_CLIENT (object), result, &error);
  if (query->connection == NULL)
    {
      fail (task, error);
      return;
    }
  g_output_stream_write_all_async (g_io_stream_get_output_stream (G_IO_STREAM (query->connection)), query->request,
                                   strlen (query->request), G_PRIORITY_DEFAULT, query->stop, on_written,
                                   g_object_ref (task));
}

static void
forward_cancel (GCancellable *cancellable, GCancellable *stop)
{
  g_cancellable_cancel (stop);
}

void
vine_status_query_async (const char *host, guint16 port, const char *what, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);
  Query *query = g_new0 (Query, 1);

  query->address = g_strdup_printf ("%s:%u", host, port);
  query->request = g_strdup_printf ("%s_status\n", what);
  query->client = g_socket_client_new ();
  query->stop = g_cancellable_new ();
  query->answer = g_byte_array_new ();
  query->deadline = source_attach (g_timeout_source_new_seconds (TIMEOUT), on_deadline, query);
  g_socket_client_set_enable_proxy (query->client, FALSE);
  g_task_set_task_data (task, query, (GDestroyNotify) query_free);
  if (cancellable != NULL)
    g_signal_connect_object (cancellable, "cancelled", G_CALLBACK (forward_cancel), query->stop, 0);
  g_socket_client_connect_to_host_async (query->client, host, port, query->stop, on_connected, task);
}

JsonArray *
vine_status_query_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
