/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-run-protocol-private.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "roast/roast-error.h"

/* Numbers beyond this are not exact in JSON, and no count of anything. */
#define MAX_INTEGER 9007199254740992.0 /* 2^53 */

struct _RoastRunPeer
{
  RoastRecording *recording;
  char *source;
  char *token;
  gint64 pid;
  gboolean greeted;
};

RoastRunPeer *
roast_run_peer_new (RoastRecording *recording, const char *source, const char *token)
{
  RoastRunPeer *self = g_new0 (RoastRunPeer, 1);

  self->recording = g_object_ref (recording);
  self->source = g_strdup (source);
  self->token = g_strdup (token);

  return self;
}

void
roast_run_peer_free (RoastRunPeer *self)
{
  g_object_unref (self->recording);
  g_free (self->source);
  g_free (self->token);
  g_free (self);
}

void
roast_run_peer_set_pid (RoastRunPeer *self, gint64 pid)
{
  self->pid = pid;
}

gboolean
roast_run_peer_is_greeted (RoastRunPeer *self)
{
  return self->greeted;
}

static gboolean
refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
refuse (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (error != NULL)
    *error = g_error_new_valist (ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL, format, arguments);
  va_end (arguments);

  return FALSE;
}

/* The parser of json-glib follows any nesting: what is too deep must not reach it. */
static gboolean
check_depth (const char *line, gsize length, GError **error)
{
  gboolean in_string = FALSE;
  int depth = 0;

  for (gsize i = 0; i < length; i++)
    {
      if (in_string)
        {
          if (line[i] == '\\')
            i++;
          else if (line[i] == '"')
            in_string = FALSE;
        }
      else if (line[i] == '"')
        in_string = TRUE;
      else if (line[i] == '{' || line[i] == '[')
        {
          if (++depth > ROAST_RUN_PROTOCOL_MAX_DEPTH)
            return refuse (error, "nested more than %d deep", ROAST_RUN_PROTOCOL_MAX_DEPTH);
        }
      else if (line[i] == '}' || line[i] == ']')
        depth--;
    }

  return TRUE;
}

/* ---- members: absent is fine, wrong is not ---- */

static gboolean
get_string (JsonObject *object, const char *name, const char **value, GError **error)
{
  JsonNode *node = json_object_get_member (object, name);

  *value = NULL;
  if (node == NULL || JSON_NODE_HOLDS_NULL (node))
    return TRUE;
  if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_STRING)
    return refuse (error, "“%s” is no text", name);
  *value = json_node_get_string (node);

  return TRUE;
}

/* NaN if it is absent. */
static gboolean
get_number (JsonObject *object, const char *name, gboolean negative, double *value, GError **error)
{
  JsonNode *node = json_object_get_member (object, name);
  GType type;

  *value = NAN;
  if (node == NULL || JSON_NODE_HOLDS_NULL (node))
    return TRUE;
  type = JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_NONE;
  if (type != G_TYPE_INT64 && type != G_TYPE_DOUBLE)
    return refuse (error, "“%s” is no number", name);
  *value = type == G_TYPE_INT64 ? (double) json_node_get_int (node) : json_node_get_double (node);
  if (!isfinite (*value) || fabs (*value) > MAX_INTEGER || (*value < 0 && !negative))
    return refuse (error, "“%s” is out of range", name);

  return TRUE;
}

/* What goes into which column, and how. */
typedef enum
{
  AS_TEXT,
  AS_COUNT,
  AS_SIGNED,
  AS_TIME, /* seconds since the epoch to µs */
  AS_REAL,
} MemberKind;

typedef struct
{
  const char *member;
  const char *column;
  MemberKind kind;
  gboolean needed;
} Member;

static gboolean
set_member (JsonObject *object, const Member *member, RoastTable *table, RoastRow *row, GError **error)
{
  guint column = (guint) roast_table_find_column (table, member->column);
  const char *text = NULL;
  double number = NAN;

  if (member->kind == AS_TEXT)
    {
      if (!get_string (object, member->member, &text, error))
        return FALSE;
      roast_row_set_string (row, column, text);
    }
  else
    {
      if (!get_number (object, member->member, member->kind == AS_SIGNED || member->kind == AS_REAL, &number, error))
        return FALSE;
      if (member->kind == AS_REAL)
        roast_row_set_double (row, column, number);
      else if (member->kind == AS_TIME && !isnan (number) && number < MAX_INTEGER / G_USEC_PER_SEC)
        roast_row_set_int64 (row, column, llround (number * G_USEC_PER_SEC));
      else if (member->kind != AS_TIME && !isnan (number))
        roast_row_set_int64 (row, column, llround (number));
    }
  if (member->needed && text == NULL && isnan (number))
    return refuse (error, "“%s” is missing", member->member);

  return TRUE;
}

static void
set_common (RoastRunPeer *self, RoastTable *table, RoastRow *row, gboolean time)
{
  roast_row_set_string (row, (guint) roast_table_find_column (table, "source"), self->source);
  if (self->pid > 0)
    roast_row_set_int64 (row, (guint) roast_table_find_column (table, "pid"), self->pid);
  if (time)
    roast_row_set_int64 (row, (guint) roast_table_find_column (table, "time"), g_get_real_time ());
}

static gboolean
add_row (RoastRunPeer *self, JsonObject *object, const char *table_name, const Member *members, GError **error)
{
  RoastTable *table = roast_recording_get_table (self->recording, table_name);
  g_autoptr (RoastRow) row = roast_row_new (table);

  set_common (self, table, row, roast_table_find_column (table, "time") >= 0);
  for (const Member *member = members; member->member != NULL; member++)
    if (!set_member (object, member, table, row, error))
      return FALSE;

  return roast_table_append (table, row, error);
}

/* ---- messages ---- */

static gboolean
on_events (RoastRunPeer *self, JsonObject *object, GError **error)
{
  static const Member members[] = { { "events", "events", AS_COUNT, TRUE }, { "dataset", "dataset", AS_TEXT, FALSE }, { NULL } };

  return add_row (self, object, "datasets", members, error);
}

static gboolean
on_bytes_read (RoastRunPeer *self, JsonObject *object, GError **error)
{
  static const Member members[] = { { "bytes", "bytes_read", AS_COUNT, TRUE }, { "dataset", "dataset", AS_TEXT, FALSE }, { NULL } };

  return add_row (self, object, "datasets", members, error);
}

static gboolean
on_dataset (RoastRunPeer *self, JsonObject *object, GError **error)
{
  static const Member members[] = {
    { "dataset", "dataset", AS_TEXT, TRUE },      { "events", "events", AS_COUNT, FALSE },
    { "bytes_read", "bytes_read", AS_COUNT, FALSE }, { "duration", "duration", AS_REAL, FALSE },
    { "chunks", "chunks", AS_COUNT, FALSE },      { NULL },
  };

  return add_row (self, object, "datasets", members, error);
}

static gboolean
on_chunk (RoastRunPeer *self, JsonObject *object, GError **error)
{
  static const Member members[] = {
    { "chunk", "chunk", AS_TEXT, FALSE },
    { "task", "task", AS_TEXT, FALSE },
    { "dataset", "dataset", AS_TEXT, FALSE },
    { "file", "file", AS_TEXT, FALSE },
    { "tree", "tree", AS_TEXT, FALSE },
    { "entry_start", "entry_start", AS_COUNT, FALSE },
    { "entry_stop", "entry_stop", AS_COUNT, FALSE },
    { "events", "events", AS_COUNT, FALSE },
    { "bytes_read", "bytes_read", AS_COUNT, FALSE },
    { "memory", "memory", AS_SIGNED, FALSE },
    { "started", "started", AS_TIME, FALSE },
    { "ended", "ended", AS_TIME, FALSE },
    { "error", "error", AS_TEXT, FALSE },
    { NULL },
  };
  double started, ended;

  if (!get_number (object, "started", FALSE, &started, error) || !get_number (object, "ended", FALSE, &ended, error))
    return FALSE;
  if (ended < started)
    return refuse (error, "“ended” is before “started”");

  return add_row (self, object, "chunks", members, error);
}

static gboolean
on_section (RoastRunPeer *self, JsonObject *object, GError **error)
{
  static const char *const kinds[] = { "time", "memory", "bytes", "custom", NULL };
  static const Member members[] = {
    { "name", "name", AS_TEXT, TRUE },
    { "kind", "kind", AS_TEXT, TRUE },
    { "value", "value", AS_REAL, TRUE },
    { "chunk", "chunk", AS_TEXT, FALSE },
    { NULL },
  };
  const char *kind = NULL;

  if (!get_string (object, "kind", &kind, error))
    return FALSE;
  if (kind != NULL && !g_strv_contains (kinds, kind))
    return refuse (error, "“kind” is none of time, memory, bytes, custom");

  return add_row (self, object, "sections", members, error);
}

static gboolean
on_message (RoastRunPeer *self, JsonObject *object, GError **error)
{
  const char *severity = NULL;
  const char *message = NULL;
  RoastSeverity level = ROAST_SEVERITY_INFO;

  if (!get_string (object, "severity", &severity, error) || !get_string (object, "message", &message, error))
    return FALSE;
  if (message == NULL)
    return refuse (error, "“message” is missing");
  if (g_strcmp0 (severity, "warning") == 0)
    level = ROAST_SEVERITY_WARNING;
  else if (g_strcmp0 (severity, "error") == 0)
    level = ROAST_SEVERITY_ERROR;
  else if (severity != NULL && !g_str_equal (severity, "info"))
    return refuse (error, "“severity” is none of info, warning, error");
  roast_recording_add_event (self->recording, self->source, level, "message", message);

  return TRUE;
}

static const struct
{
  const char *type;
  gboolean (*read) (RoastRunPeer *self, JsonObject *object, GError **error);
} messages[] = {
  { "events", on_events }, { "bytes_read", on_bytes_read }, { "chunk", on_chunk },
  { "dataset", on_dataset }, { "section", on_section }, { "message", on_message },
};

static gboolean
on_hello (RoastRunPeer *self, JsonObject *object, GError **error)
{
  const char *token = NULL;
  double version;

  if (!get_number (object, "roast", FALSE, &version, error) || !get_string (object, "token", &token, error))
    return FALSE;
  if (isnan (version) || version != ROAST_RUN_PROTOCOL_VERSION)
    return refuse (error, "the first line must be {\"roast\":1,\"token\":\"$ROAST_TOKEN\"}");
  if (g_strcmp0 (token, self->token) != 0)
    return refuse (error, "the token is not that of this run: send $ROAST_TOKEN");
  self->greeted = TRUE;

  return TRUE;
}

static gboolean
on_object (RoastRunPeer *self, JsonObject *object, GError **error)
{
  const char *type = NULL;

  if (!self->greeted)
    return on_hello (self, object, error);
  if (!get_string (object, "type", &type, error))
    return FALSE;
  if (type == NULL)
    return refuse (error, "“type” is missing");
  for (guint i = 0; i < G_N_ELEMENTS (messages); i++)
    if (g_str_equal (messages[i].type, type))
      return messages[i].read (self, object, error);

  return refuse (error, "“%.40s” is no type of message", type);
}

gboolean
roast_run_peer_read_line (RoastRunPeer *self, const char *line, gsize length, GError **error)
{
  g_autoptr (JsonParser) parser = NULL;
  g_autoptr (GError) local = NULL;
  JsonNode *root = NULL;

  if (length > ROAST_RUN_PROTOCOL_MAX_LINE)
    return refuse (error, "longer than %d bytes", ROAST_RUN_PROTOCOL_MAX_LINE);
  if (memchr (line, '\0', length) != NULL || !g_utf8_validate (line, (gssize) length, NULL))
    return refuse (error, "no UTF-8 text");
  if (!check_depth (line, length, error))
    return FALSE;

  parser = json_parser_new_immutable ();
  if (!json_parser_load_from_data (parser, line, (gssize) length, &local))
    return refuse (error, "no JSON: %s", local->message);
  root = json_parser_get_root (parser);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return refuse (error, "no JSON object");

  return on_object (self, json_node_get_object (root), error);
}
