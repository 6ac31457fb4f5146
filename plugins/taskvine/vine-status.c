/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-status.h"

#include <math.h>
#include <roast/roast.h>
#include <string.h>

#ifndef TIMEOUT
#define TIMEOUT 2 /* s; longest time for a request and its answer */
#endif
#define MAX_ANSWER (16 << 20) /* bytes; largest size of an answer */
#define MAX_DEPTH 8
#define MAX_COUNT 9e15
#define STATUS_STEP 65536

static gpointer
fail (GError **error, GIOErrorEnum code, const char *message)
{
  g_set_error_literal (error, G_IO_ERROR, (int) code, message);

  return NULL;
}

/* ---- decoding ---- */

/* Take an escaped byte. TaskVine extends the sign of a byte before it escapes the byte, so it writes 0xc3 as
 * "\uffffffc3". */
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

/* Convert the JSON that TaskVine writes to valid JSON. */
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
    return fail (error, G_IO_ERROR_INVALID_DATA, "the manager's answer is empty");
  if (length >= 5 && memcmp (text, "auth ", 5) == 0)
    return fail (error, G_IO_ERROR_PERMISSION_DENIED,
                 "the manager requires a password, so its status is not available");
  if (*text != '[')
    return fail (error, G_IO_ERROR_INVALID_DATA,
                 "the answer is not from a TaskVine manager: another program may use this port");
  json = clean (text, length);
  if (!roast_wire_reader_read (reader, json, strlen (json), error) ||
      !json_parser_load_from_data (parser, json, -1, error))
    {
      g_prefix_error (error, "cannot parse the manager's answer: ");
      return NULL;
    }
  root = json_parser_get_root (parser);
  if (root == NULL || !JSON_NODE_HOLDS_ARRAY (root))
    return fail (error, G_IO_ERROR_INVALID_DATA, "the manager's answer is not a list");

  return json_array_ref (json_node_get_array (root));
}

const char *
vine_status_get_text (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_string (node) : NULL;
}

double
vine_status_get_number (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);
  GType type = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_NONE;
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
  char *host, *request;
  guint16 port;
} Query;

static void
query_free (Query *query)
{
  g_free (query->host);
  g_free (query->request);
  g_free (query);
}

/* Read until the manager closes the connection. Stop earlier if it requires a password: it then sends one line, “auth
 * …”, and waits. */
static GString *
read_answer (GInputStream *in, gint64 deadline, GCancellable *cancellable, GError **error)
{
  g_autoptr (GString) answer = g_string_new (NULL);
  g_autofree char *piece = g_malloc (STATUS_STEP);
  gssize n;

  do
    {
      n = g_input_stream_read (in, piece, STATUS_STEP, cancellable, error);
      if (n < 0)
        return NULL;
      g_string_append_len (answer, piece, n);
      if (answer->len > MAX_ANSWER)
        return fail (error, G_IO_ERROR_INVALID_DATA, "the manager's answer exceeds the size limit");
      if (g_get_monotonic_time () > deadline)
        return fail (error, G_IO_ERROR_TIMED_OUT, "the manager's answer takes too long");
    }
  while (n > 0 && !g_str_has_prefix (answer->str, "auth "));
  if (answer->len > 0)
    return g_steal_pointer (&answer);

  return fail (error, G_IO_ERROR_CONNECTION_CLOSED,
               "the manager closed the connection without an answer: does it use SSL?");
}

static GString *
status_ask (const Query *query, GCancellable *cancellable, GError **error)
{
  gint64 deadline = g_get_monotonic_time () + TIMEOUT * G_USEC_PER_SEC;
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GSocketConnection) connection = NULL;

  g_socket_client_set_enable_proxy (client, FALSE);
  g_socket_client_set_timeout (client, TIMEOUT);
  connection = g_socket_client_connect_to_host (client, query->host, query->port, cancellable, error);
  if (connection == NULL ||
      !g_output_stream_write_all (g_io_stream_get_output_stream (G_IO_STREAM (connection)), query->request,
                                  strlen (query->request), NULL, cancellable, error))
    return NULL;

  return read_answer (g_io_stream_get_input_stream (G_IO_STREAM (connection)), deadline, cancellable, error);
}

/* Send the request and decode the answer. Runs in a thread. */
static void
run_query (GTask *task, gpointer object, gpointer data, GCancellable *cancellable)
{
  const Query *query = data;
  GError *error = NULL;
  g_autoptr (GString) answer = status_ask (query, cancellable, &error);
  JsonArray *status = answer != NULL ? vine_status_decode (answer->str, answer->len, &error) : NULL;

  if (status != NULL)
    {
      g_task_return_pointer (task, status, (GDestroyNotify) json_array_unref);
      return;
    }
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
    {
      g_clear_error (&error);
      g_set_error (&error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT,
                   "the manager did not answer within %d s: a manager answers only while its program waits for tasks",
                   TIMEOUT);
    }
  g_prefix_error (&error, "%s:%u: ", query->host, query->port);
  g_task_return_error (task, error);
}

void
vine_status_query_async (const char *host, guint16 port, const char *what, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Query *query = g_new0 (Query, 1);

  *query = (Query) { g_strdup (host), g_strdup_printf ("%s_status\n", what), port };
  g_task_set_task_data (task, query, (GDestroyNotify) query_free);
  g_task_set_return_on_cancel (task, TRUE);
  g_task_run_in_thread (task, run_query);
}

JsonArray *
vine_status_query_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
