/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-run-protocol-private.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "roast/roast-error.h"

/* Numbers beyond this are not exact in JSON, and no count of anything. */
#define MAX_INTEGER 9007199254740992.0 /* 2^53 */
#define MAX_NAME 40                    /* characters of what a program calls something that are shown */

struct _RoastRunPeer
{
  RoastRecording *recording;
  char *source;
  char *token;
  char *program; /* as it calls itself */
  char *backend; /* for which its lines are, or NULL */
  gint64 pid;
  gboolean greeted;
  RoastWireReader *reader;
  JsonParser *parser;

  /* Lines, of which these do not count or were ignored. */
  guint64 lines, malformed, invalid, too_long, unknown_types, unknown_members;
  char *first_reason;
  char *first_unknown;
};

RoastRunPeer *
roast_run_peer_new (RoastRecording *recording, const char *source, const char *token)
{
  RoastRunPeer *self = g_new0 (RoastRunPeer, 1);

  self->recording = g_object_ref (recording);
  self->source = g_strdup (source);
  self->token = g_strdup (token);
  /* Not an immutable one: that of json-glib 1.10 stops the program at a text with two roots. */
  self->parser = json_parser_new ();
  self->reader = roast_wire_reader_new (ROAST_RUN_PROTOCOL_MAX_LINE, ROAST_RUN_PROTOCOL_MAX_DEPTH);

  return self;
}

void
roast_run_peer_free (RoastRunPeer *self)
{
  g_object_unref (self->recording);
  g_object_unref (self->parser);
  g_object_unref (self->reader);
  g_free (self->source);
  g_free (self->token);
  g_free (self->program);
  g_free (self->backend);
  g_free (self->first_reason);
  g_free (self->first_unknown);
  g_free (self);
}

void
roast_run_peer_set_pid (RoastRunPeer *self, gint64 pid)
{
  self->pid = pid;
}

void
roast_run_peer_set_source (RoastRunPeer *self, const char *source)
{
  g_free (self->source);
  self->source = g_strdup (source);
}

RoastWireReader *
roast_run_peer_get_reader (RoastRunPeer *self)
{
  return self->reader;
}

gboolean
roast_run_peer_is_greeted (RoastRunPeer *self)
{
  return self->greeted;
}

const char *
roast_run_peer_get_backend (RoastRunPeer *self)
{
  return self->backend;
}

const char *
roast_run_peer_get_program (RoastRunPeer *self)
{
  return self->program;
}

void
roast_run_peer_refuse (RoastRunPeer *self, const char *reason)
{
  self->greeted = FALSE;
  self->invalid++;
  g_free (self->first_reason);
  self->first_reason = g_strdup (reason);
}

static gboolean refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

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
  if (*value < 0 && !negative)
    return refuse (error, "“%s” is negative", name);
  if (!isfinite (*value) || fabs (*value) > MAX_INTEGER)
    return refuse (error, "“%s” is out of range", name);

  return TRUE;
}

/* What goes into which column, and how. */
typedef enum
{
  AS_TEXT,
  AS_COUNT,
  AS_CHANGE,  /* a whole number that may be negative */
  AS_TIME,    /* seconds since the epoch to µs */
  AS_SECONDS, /* a duration */
  AS_VALUE,
  NO_COLUMN, /* read elsewhere */
} MemberKind;

typedef struct
{
  const char *member;
  const char *column;
  MemberKind kind;
  gboolean needed;
} Member;

static gboolean
set_text (JsonObject *object, const Member *member, RoastRow *row, guint column, GError **error)
{
  const char *text = NULL;

  if (!get_string (object, member->member, &text, error))
    return FALSE;
  /* A shell's empty variable is nothing said. */
  if (text == NULL || *text == '\0')
    return !member->needed || refuse (error, "“%s” is missing", member->member);
  roast_row_set_string (row, column, text);

  return TRUE;
}

static gboolean
set_number (JsonObject *object, const Member *member, RoastRow *row, guint column, GError **error)
{
  gboolean negative = member->kind == AS_CHANGE || member->kind == AS_VALUE;
  double number;

  if (!get_number (object, member->member, negative, &number, error))
    return FALSE;
  if (isnan (number))
    return !member->needed || refuse (error, "“%s” is missing", member->member);
  switch (member->kind)
    {
    case AS_COUNT:
    case AS_CHANGE:
      if (number != floor (number))
        return refuse (error, "“%s” is no whole number", member->member);
      roast_row_set_int64 (row, column, (gint64) number);
      return TRUE;

    case AS_TIME:
      if (number > MAX_INTEGER / G_USEC_PER_SEC)
        return refuse (error, "“%s” is not in seconds since the epoch", member->member);
      roast_row_set_int64 (row, column, llround (number * G_USEC_PER_SEC));
      return TRUE;

    default:
      roast_row_set_double (row, column, number);
      return TRUE;
    }
}

static gboolean
set_member (JsonObject *object, const Member *member, RoastTable *table, RoastRow *row, GError **error)
{
  guint column;

  if (member->kind == NO_COLUMN)
    return TRUE;
  column = (guint) roast_table_find_column (table, member->column);

  return member->kind == AS_TEXT ? set_text (object, member, row, column, error)
                                 : set_number (object, member, row, column, error);
}

/* The source, who sent it, and when it came if the table asks for that. */
static void
set_common (RoastRunPeer *self, RoastTable *table, RoastRow *row)
{
  int time = roast_table_find_column (table, "time");

  roast_row_set_string (row, (guint) roast_table_find_column (table, "source"), self->source);
  if (self->pid > 0)
    roast_row_set_int64 (row, (guint) roast_table_find_column (table, "pid"), self->pid);
  if (time >= 0)
    roast_row_set_int64 (row, (guint) time, g_get_real_time ());
}

static void
count_unknown (RoastRunPeer *self, const char *what, const char *name, guint64 *count)
{
  g_autofree char *begin = NULL;

  (*count)++;
  if (self->first_unknown != NULL)
    return;
  begin = g_utf8_substring (name, 0, MIN (g_utf8_strlen (name, -1), MAX_NAME));
  self->first_unknown = g_strdup_printf ("the %s “%s”", what, begin);
}

static void
count_unknown_members (RoastRunPeer *self, JsonObject *object, const Member *members)
{
  JsonObjectIter iter;
  const char *name = NULL;

  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &name, NULL))
    {
      const Member *member = members;

      while (member->member != NULL && !g_str_equal (member->member, name))
        member++;
      if (member->member == NULL && !g_str_equal (name, "type"))
        count_unknown (self, "member", name, &self->unknown_members);
    }
}

/* The row of a message, to be appended by the caller; NULL if a member is wrong. */
static RoastRow *
make_row (RoastRunPeer *self, JsonObject *object, RoastTable *table, const Member *members, GError **error)
{
  g_autoptr (RoastRow) row = roast_row_new (table);

  set_common (self, table, row);
  for (const Member *member = members; member->member != NULL; member++)
    if (!set_member (object, member, table, row, error))
      return NULL;
  count_unknown_members (self, object, members);

  return g_steal_pointer (&row);
}

static gboolean
add_row (RoastRunPeer *self, JsonObject *object, const char *table_name, const Member *members, GError **error)
{
  RoastTable *table = roast_recording_get_table (self->recording, table_name);
  g_autoptr (RoastRow) row = make_row (self, object, table, members, error);

  return row != NULL && roast_table_append (table, row, error);
}

/* ---- messages ---- */

static gboolean
on_events (RoastRunPeer *self, JsonObject *object, GError **error)
{
  static const Member members[] = { { "events", "events", AS_COUNT, TRUE },
                                    { "dataset", "dataset", AS_TEXT, FALSE },
                                    { NULL } };

  return add_row (self, object, "datasets", members, error);
}

static gboolean
on_bytes_read (RoastRunPeer *self, JsonObject *object, GError **error)
{
  static const Member members[] = { { "bytes", "bytes_read", AS_COUNT, TRUE },
                                    { "dataset", "dataset", AS_TEXT, FALSE },
                                    { NULL } };

  return add_row (self, object, "datasets", members, error);
}

static gboolean
on_dataset (RoastRunPeer *self, JsonObject *object, GError **error)
{
  static const Member members[] = {
    { "dataset", "dataset", AS_TEXT, TRUE },         { "events", "events", AS_COUNT, FALSE },
    { "bytes_read", "bytes_read", AS_COUNT, FALSE }, { "duration", "duration", AS_SECONDS, FALSE },
    { "chunks", "chunks", AS_COUNT, FALSE },         { NULL },
  };

  return add_row (self, object, "datasets", members, error);
}

/* A chunk may tell two of start, end and duration. With the duration alone it ended when it was told of. */
static gboolean
set_chunk_times (JsonObject *object, RoastTable *table, RoastRow *row, GError **error)
{
  double started, ended, duration;

  if (!get_number (object, "started", FALSE, &started, error) || !get_number (object, "ended", FALSE, &ended, error) ||
      !get_number (object, "duration", FALSE, &duration, error))
    return FALSE;
  if (ended < started)
    return refuse (error, "“ended” is before “started”");
  if (isnan (duration) || (!isnan (started) && !isnan (ended)))
    return TRUE;
  if (isnan (started) && isnan (ended))
    {
      ended = (double) g_get_real_time () / G_USEC_PER_SEC;
      roast_row_set_int64 (row, (guint) roast_table_find_column (table, "ended"), llround (ended * G_USEC_PER_SEC));
    }
  if (isnan (ended))
    {
      if (started + duration > MAX_INTEGER / G_USEC_PER_SEC)
        return refuse (error, "“duration” is out of range");
      roast_row_set_int64 (row, (guint) roast_table_find_column (table, "ended"),
                           llround ((started + duration) * G_USEC_PER_SEC));
    }
  else
    {
      if (duration > ended)
        return refuse (error, "“duration” is out of range");
      roast_row_set_int64 (row, (guint) roast_table_find_column (table, "started"),
                           llround ((ended - duration) * G_USEC_PER_SEC));
    }

  return TRUE;
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
    { "memory", "memory", AS_CHANGE, FALSE },
    { "started", "started", AS_TIME, FALSE },
    { "ended", "ended", AS_TIME, FALSE },
    { "duration", NULL, NO_COLUMN, FALSE },
    { "error", "error", AS_TEXT, FALSE },
    { NULL },
  };
  RoastTable *table = roast_recording_get_table (self->recording, "chunks");
  g_autoptr (RoastRow) row = make_row (self, object, table, members, error);
  double first, last;

  if (row == NULL || !set_chunk_times (object, table, row, error) ||
      !get_number (object, "entry_start", FALSE, &first, error) ||
      !get_number (object, "entry_stop", FALSE, &last, error))
    return FALSE;
  if (last < first)
    return refuse (error, "“entry_stop” is before “entry_start”");

  return roast_table_append (table, row, error);
}

static gboolean
on_section (RoastRunPeer *self, JsonObject *object, GError **error)
{
  static const char *const kinds[] = { "time", "memory", "bytes", "custom", NULL };
  static const Member members[] = {
    { "name", "name", AS_TEXT, TRUE },
    { "kind", "kind", AS_TEXT, TRUE },
    { "value", "value", AS_VALUE, TRUE },
    { "chunk", "chunk", AS_TEXT, FALSE },
    { NULL },
  };
  const char *kind = NULL;
  double value;

  if (!get_string (object, "kind", &kind, error) || !get_number (object, "value", TRUE, &value, error))
    return FALSE;
  if (kind != NULL && !g_strv_contains (kinds, kind))
    return refuse (error, "“kind” is none of time, memory, bytes, custom");
  if (value < 0 && (g_strcmp0 (kind, "time") == 0 || g_strcmp0 (kind, "bytes") == 0))
    return refuse (error, "“value” is negative");

  return add_row (self, object, "sections", members, error);
}

static gboolean
on_message (RoastRunPeer *self, JsonObject *object, GError **error)
{
  static const Member members[] = { { "severity", NULL, NO_COLUMN, FALSE },
                                    { "message", NULL, NO_COLUMN, TRUE },
                                    { NULL } };
  const char *severity = NULL;
  const char *message = NULL;
  RoastSeverity level = ROAST_SEVERITY_INFO;

  if (!get_string (object, "severity", &severity, error) || !get_string (object, "message", &message, error))
    return FALSE;
  if (message == NULL || *message == '\0')
    return refuse (error, "“message” is missing");
  if (g_strcmp0 (severity, "warning") == 0)
    level = ROAST_SEVERITY_WARNING;
  else if (g_strcmp0 (severity, "error") == 0)
    level = ROAST_SEVERITY_ERROR;
  else if (severity != NULL && !g_str_equal (severity, "info"))
    return refuse (error, "“severity” is none of info, warning, error");
  count_unknown_members (self, object, members);
  roast_recording_add_event (self->recording, self->source, -1, level, "message", message);

  return TRUE;
}

static const struct
{
  const char *type;
  gboolean (*read) (RoastRunPeer *self, JsonObject *object, GError **error);
} messages[] = {
  { "events", on_events },   { "bytes_read", on_bytes_read }, { "chunk", on_chunk },
  { "dataset", on_dataset }, { "section", on_section },       { "message", on_message },
};

static gboolean
on_hello (RoastRunPeer *self, JsonObject *object, GError **error)
{
  const char *token = NULL;
  const char *program = NULL;
  const char *backend = NULL;
  double version;

  if (!get_number (object, "roast", FALSE, &version, error) || !get_string (object, "token", &token, error) ||
      !get_string (object, "program", &program, error) || !get_string (object, "backend", &backend, error))
    return FALSE;
  if (isnan (version))
    return refuse (error, "the first line must be {\"roast\":2,\"token\":\"$ROAST_TOKEN\"}");
  if (version != ROAST_RUN_PROTOCOL_VERSION)
    return refuse (error, "it speaks version %g of the protocol, this roast version %d (docs/protocol.md)", version,
                   ROAST_RUN_PROTOCOL_VERSION);
  if (g_strcmp0 (token, self->token) != 0)
    return refuse (error, "wrong token: send $ROAST_TOKEN of this run");
  self->greeted = TRUE;
  if (backend != NULL && *backend != '\0')
    self->backend = g_strdup (backend);
  if (program != NULL && *program != '\0')
    self->program = g_utf8_substring (program, 0, MIN (g_utf8_strlen (program, -1), MAX_NAME));

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
  count_unknown (self, "type", type, &self->unknown_types);

  return TRUE;
}

static JsonObject *
parse (RoastRunPeer *self, GError **error)
{
  g_autoptr (GError) local = NULL;
  gsize length;
  const char *line = roast_wire_reader_get_line (self->reader, &length);
  JsonNode *root = NULL;

  if (roast_wire_reader_get_line_type (self->reader) == ROAST_WIRE_LINE_MESSAGE &&
      !json_parser_load_from_data (self->parser, line, (gssize) length, &local))
    {
      refuse (error, "not JSON: %s", local->message);
      return NULL;
    }
  root = roast_wire_reader_get_line_type (self->reader) == ROAST_WIRE_LINE_MESSAGE ? json_parser_get_root (self->parser)
                                                                                   : NULL;
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    {
      refuse (error, "not a JSON object");
      return NULL;
    }

  return json_node_get_object (root);
}

static gboolean
take_line (RoastRunPeer *self, char *line, gsize length, GError **error)
{
  JsonObject *object = NULL;

  if (!roast_wire_reader_read (self->reader, line, length, error))
    {
      if (length > ROAST_RUN_PROTOCOL_MAX_LINE)
        self->too_long++;
      else
        self->malformed++;
      return FALSE;
    }
  /* The backend takes it from the reader. */
  if (self->greeted && self->backend != NULL)
    return TRUE;
  object = parse (self, error);
  if (object == NULL)
    {
      self->malformed++;
      return FALSE;
    }
  if (!on_object (self, object, error))
    {
      self->invalid++;
      return FALSE;
    }

  return TRUE;
}

gboolean
roast_run_peer_read_line (RoastRunPeer *self, char *line, gsize length, GError **error)
{
  g_autoptr (GError) local = NULL;

  self->lines++;
  if (take_line (self, line, length, &local))
    return TRUE;
  if (self->first_reason == NULL)
    self->first_reason = g_strdup (local->message);
  g_propagate_error (error, g_steal_pointer (&local));

  return FALSE;
}

void
roast_run_peer_skip_line (RoastRunPeer *self)
{
  self->lines++;
  self->too_long++;
  if (self->first_reason == NULL)
    self->first_reason = g_strdup_printf ("a line of more than %d KiB", ROAST_RUN_PROTOCOL_MAX_LINE / 1024);
}

/* ---- what is told of it ---- */

guint64
roast_run_peer_get_bad (RoastRunPeer *self)
{
  return self->malformed + self->invalid + self->too_long;
}

guint64
roast_run_peer_get_unknown (RoastRunPeer *self)
{
  return self->unknown_types + self->unknown_members;
}

static char *
dup_name (RoastRunPeer *self)
{
  const char *program = self->program != NULL ? self->program : "a process";

  if (self->pid <= 0)
    return g_strdup (program);

  return g_strdup_printf ("%s (pid %" G_GINT64_FORMAT ")", program, self->pid);
}

static void
append_count (GString *text, guint64 count, const char *what)
{
  if (count > 0)
    g_string_append_printf (text, "%s%" G_GUINT64_FORMAT " %s", text->len > 0 ? ", " : "", count, what);
}

char *
roast_run_peer_dup_complaint (RoastRunPeer *self)
{
  g_autofree char *name = dup_name (self);
  g_autoptr (GString) kinds = g_string_new (NULL);
  guint64 bad = roast_run_peer_get_bad (self);

  if (bad == 0)
    return NULL;
  if (!self->greeted)
    return g_strdup_printf ("%s was refused on the run's socket: %s", name, self->first_reason);
  append_count (kinds, self->malformed, "malformed");
  append_count (kinds, self->invalid, "against the rules");
  append_count (kinds, self->too_long, "too long");

  return g_strdup_printf ("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                          " lines from %s on the run's socket do not count: %s. "
                          "The first reason: %s",
                          bad, self->lines, name, kinds->str, self->first_reason);
}

char *
roast_run_peer_dup_remark (RoastRunPeer *self)
{
  g_autofree char *name = dup_name (self);
  g_autoptr (GString) kinds = g_string_new (NULL);

  append_count (kinds, self->unknown_types, "message(s)");
  append_count (kinds, self->unknown_members, "member(s)");
  if (kinds->len == 0)
    return NULL;

  return g_strdup_printf ("%s from %s on the run's socket are not known to this version of roast and were ignored: "
                          "first %s",
                          kinds->str, name, self->first_unknown);
}
