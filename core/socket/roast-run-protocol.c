/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-run-protocol-private.h"

#include "base/roast-fail-private.h"
#include "base/roast-json-scan-private.h"
#include "recording/roast-recording-private.h"
#include "roast-run-message-private.h"
#include "roast-wire-reader-private.h"
#include "roast/roast-tables.h"
#include "table/roast-table-info-private.h"

#define FIRST_LINE "the first line must be {\"roast\":%d,\"token\":\"$ROAST_TOKEN\"}"
#define RUN_PROTOCOL_MAX_NAME 40 /* characters; longer names from programs are cut in messages */

struct _RoastRunPeer
{
  RoastRecording *recording;
  RoastRunFaults *faults;
  RoastRunQuota *quota;
  char *token;
  gint64 pid;
  char *source;
  char *program; /* program's name from the greeting */
  char *backend; /* backend that the lines are for; NULL for the core */
  gboolean greeted;
  gboolean is_row;  /* the current line is a row */
  gboolean buffers; /* the program may have rows that it has not sent yet */
  RoastWireReader *reader;
  JsonParser *parser;
  GPtrArray *infos; /* RoastTableInfo elements: tables that programs may write, indexed by their number in the reader */
  GPtrArray *tables; /* RoastRunTable elements, with the same indices; an element is NULL until the table is written */

  guint64 n_rows, n_messages, n_faults;
};

static void
free_table (gpointer table)
{
  if (table != NULL)
    roast_run_table_free (table);
}

RoastRunPeer *
roast_run_peer_new (RoastRecording *recording, const char *token, gint64 pid, RoastRunFaults *faults,
                    RoastRunQuota *quota)
{
  RoastRunPeer *self = g_new0 (RoastRunPeer, 1);

  self->recording = g_object_ref (recording);
  self->faults = faults;
  self->quota = quota;
  self->token = g_strdup (token);
  self->pid = pid;
  /* Do not use an immutable parser, because an immutable parser of json-glib 1.10 aborts on a text with two roots. */
  self->parser = json_parser_new ();
  self->reader = roast_wire_reader_new (ROAST_RUN_PROTOCOL_MAX_LINE, ROAST_RUN_PROTOCOL_MAX_DEPTH);
  self->tables = g_ptr_array_new_with_free_func (free_table);
  self->infos = g_ptr_array_new_with_free_func (g_object_unref);

  return self;
}

static const char *
run_protocol_get_name (RoastRunPeer *self)
{
  return self->program != NULL ? self->program : "a process";
}

/* Record a gap in the table of the current line. If the line is not a row, its table is unknown: record a gap in each
 * table that the program writes. */
static void
add_gaps (RoastRunPeer *self, const char *reason)
{
  for (guint i = 0; i < self->tables->len; i++)
    if (self->is_row ? i == roast_wire_reader_get_table (self->reader) : g_ptr_array_index (self->tables, i) != NULL)
      roast_recording_add_gap (self->recording, roast_table_info_get_name (g_ptr_array_index (self->infos, i)), -1,
                               FALSE, reason);
}

void
roast_run_peer_free (RoastRunPeer *self)
{
  self->is_row = FALSE;
  if (self->buffers)
    add_gaps (self, "a process ended without sending its last rows, because it was killed or called _exit ()");
  g_debug ("%s (pid %" G_GINT64_FORMAT ") closed: %" G_GUINT64_FORMAT " rows, %" G_GUINT64_FORMAT
           " messages, %" G_GUINT64_FORMAT " faults",
           run_protocol_get_name (self), self->pid, self->n_rows, self->n_messages, self->n_faults);
  g_ptr_array_unref (self->tables);
  g_ptr_array_unref (self->infos);
  g_object_unref (self->recording);
  g_object_unref (self->parser);
  g_object_unref (self->reader);
  g_free (self->source);
  g_free (self->token);
  g_free (self->program);
  g_free (self->backend);
  g_free (self);
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

static void
add_fault (RoastRunPeer *self, RoastRunFault fault, const char *reason)
{
  self->n_faults++;
  roast_run_faults_add (self->faults, fault, self->program, self->pid, reason);
}

static void
note_remark (RoastRunPeer *self, RoastRunTable *table)
{
  g_autofree char *remark = roast_run_table_steal_remark (table);

  if (G_UNLIKELY (remark != NULL))
    add_fault (self, ROAST_RUN_FAULT_CELL, remark);
}

void
roast_run_peer_refuse (RoastRunPeer *self, const char *reason)
{
  self->greeted = FALSE;
  add_fault (self, ROAST_RUN_FAULT_REFUSED, reason);
}

#define run_protocol_refuse(error, ...)                                                                                \
  roast_fail (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL, __VA_ARGS__)

/* ---- rows ---- */

static gboolean
is_for_programs (RoastTableInfo *info)
{
  return roast_table_info_get_from (info) == ROAST_TABLE_FROM_PROGRAM &&
         roast_table_info_get_origin (info) == ROAST_TABLE_ORIGIN_MEASURED;
}

/* Tell the reader of the wire which tables programs may write. A column has the same number as its slot. */
static void
prepare_tables (RoastRunPeer *self)
{
  g_autoptr (GPtrArray) infos = roast_schema_list_tables (roast_recording_get_schema (self->recording));

  for (guint i = 0; i < infos->len; i++)
    {
      RoastTableInfo *info = g_ptr_array_index (infos, i);

      if (!is_for_programs (info))
        continue;
      roast_wire_reader_add_table (self->reader, roast_table_info_get_name (info),
                                   roast_table_info_get_column_names (info));
      g_ptr_array_add (self->infos, g_object_ref (info));
    }
  g_ptr_array_set_size (self->tables, (int) self->infos->len);
}

static RoastRunTable *
run_protocol_open_table (RoastRunPeer *self, guint number, GError **error)
{
  gpointer *table = &g_ptr_array_index (self->tables, number);
  RoastTableInfo *info = g_ptr_array_index (self->infos, number);

  if (*table == NULL)
    {
      *table = roast_run_table_new (self->recording, info, self->source, self->pid,
                                    roast_run_quota_get_share (self->quota, self->recording, info), error);
      g_debug ("%s (pid %" G_GINT64_FORMAT ") writes table %s", run_protocol_get_name (self), self->pid,
               roast_table_info_get_name (info));
    }

  return *table;
}

static gboolean
on_row (RoastRunPeer *self, GError **error)
{
  RoastRunTable *table = run_protocol_open_table (self, roast_wire_reader_get_table (self->reader), error);

  self->n_rows++;

  if (table == NULL || !roast_run_table_add (table, roast_wire_reader_peek_values (self->reader), error))
    return FALSE;
  note_remark (self, table);

  return TRUE;
}

/* ---- messages ---- */

static void
note_unknown (RoastRunPeer *self, const char *kind, const char *name)
{
  g_autofree char *shown = g_utf8_substring (name, 0, MIN (g_utf8_strlen (name, -1), RUN_PROTOCOL_MAX_NAME));
  g_autofree char *reason = g_strdup_printf ("this version of roast does not know the %s “%s”", kind, shown);

  add_fault (self, ROAST_RUN_FAULT_UNKNOWN, reason);
}

/* Get an optional string member. Fail if the member has another type. */
static gboolean
get_string (JsonObject *object, const char *name, const char **value, GError **error)
{
  JsonNode *node = json_object_get_member (object, name);

  *value = NULL;
  if (node == NULL || JSON_NODE_HOLDS_NULL (node))
    return TRUE;
  if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_STRING)
    return run_protocol_refuse (error, "member “%s” must be text", name);
  *value = json_node_get_string (node);
  /* Treat empty text as missing, because a shell script sends empty text for a variable that is not set. */
  if (**value == '\0')
    *value = NULL;

  return TRUE;
}

static void
note_unknown_members (RoastRunPeer *self, JsonObject *object, const char *const *known)
{
  JsonObjectIter iter;
  const char *name = NULL;

  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &name, NULL))
    if (!g_strv_contains (known, name))
      note_unknown (self, "member", name);
}

static gboolean
add_remark (RoastRunPeer *self, JsonObject *object, GError **error)
{
  static const char *const members[] = { "type", "severity", "message", NULL };
  const char *severity = NULL;
  const char *message = NULL;
  guint level = ROAST_SEVERITY_INFO;

  if (!get_string (object, "severity", &severity, error) || !get_string (object, "message", &message, error))
    return FALSE;
  if (message == NULL)
    return run_protocol_refuse (error, "a message of the type “message” has no text in the member “message”");
  while (severity != NULL && level < ROAST_SEVERITY_N_WORDS && !g_str_equal (roast_severity_words[level], severity))
    level++;
  if (level == ROAST_SEVERITY_N_WORDS)
    return run_protocol_refuse (error, "member “severity” of a message must be info, warning or error");
  if (roast_run_quota_take_remark (self->quota))
    roast_recording_add_event (self->recording, self->source, -1, (RoastSeverity) level, "message", message);
  note_unknown_members (self, object, members);

  return TRUE;
}

/* Return the number of the table with a name, or the number of all tables if there is no such table. */
static guint
run_protocol_find_table (RoastRunPeer *self, const char *name)
{
  guint number = 0;

  while (number < self->infos->len &&
         !g_str_equal (roast_table_info_get_name (g_ptr_array_index (self->infos, number)), name))
    number++;

  return number;
}

static gboolean
add_message (RoastRunPeer *self, const RoastRunMessage *message, JsonObject *object, GError **error)
{
  RoastRunTable *table =
      run_protocol_open_table (self, run_protocol_find_table (self, roast_run_message_get_table (message)), error);
  g_autoptr (GPtrArray) unknown = g_ptr_array_new ();

  if (table == NULL || !roast_run_message_add (message, object, table, unknown, error))
    return FALSE;
  note_remark (self, table);
  for (guint i = 0; i < unknown->len; i++)
    note_unknown (self, "member", g_ptr_array_index (unknown, i));

  return TRUE;
}

/* Count rows that the program could not send, so that numbers from the table are reported as lower bounds. */
static gboolean
add_dropped (RoastRunPeer *self, JsonObject *object, GError **error)
{
  static const char *const members[] = { "type", "table", "rows", NULL };
  JsonNode *rows = json_object_get_member (object, "rows");
  const char *name = NULL;
  guint number;

  if (!get_string (object, "table", &name, error))
    return FALSE;
  number = name != NULL ? run_protocol_find_table (self, name) : self->infos->len;
  if (number == self->infos->len)
    return run_protocol_refuse (error, "member “table” of message “dropped” must name a table that programs may write");
  if (rows == NULL || !JSON_NODE_HOLDS_VALUE (rows) || json_node_get_value_type (rows) != G_TYPE_INT64 ||
      json_node_get_int (rows) <= 0)
    return run_protocol_refuse (error, "member “rows” of message “dropped” must be a positive whole number");
  roast_run_share_add_dropped (roast_run_quota_get_share (self->quota, self->recording,
                                                          g_ptr_array_index (self->infos, number)),
                               (guint64) json_node_get_int (rows));
  note_unknown_members (self, object, members);

  return TRUE;
}

static gboolean
run_protocol_on_message (RoastRunPeer *self, JsonObject *object, GError **error)
{
  const RoastRunMessage *message = NULL;
  const char *type = NULL;

  if (!get_string (object, "type", &type, error))
    return FALSE;
  if (type == NULL)
    return run_protocol_refuse (error, "a message has no member “type”");
  self->n_messages++;
  if (g_str_equal (type, "message"))
    return add_remark (self, object, error);
  if (g_str_equal (type, "dropped"))
    return add_dropped (self, object, error);
  if (g_str_equal (type, "buffers") || g_str_equal (type, "sent"))
    {
      self->buffers = g_str_equal (type, "buffers");
      return TRUE;
    }
  message = roast_run_message_find (type);
  if (message != NULL)
    return add_message (self, message, object, error);
  note_unknown (self, "type of message", type);

  return TRUE;
}

/* ---- the greeting ---- */

static gboolean
check_version (JsonObject *object, GError **error)
{
  JsonNode *node = json_object_get_member (object, "roast");
  GType type = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_NONE;

  if (type != G_TYPE_INT64)
    return run_protocol_refuse (error, FIRST_LINE, ROAST_RUN_PROTOCOL_VERSION);
  if (json_node_get_int (node) != ROAST_RUN_PROTOCOL_VERSION)
    return run_protocol_refuse (error,
                                "the program uses version %" G_GINT64_FORMAT
                                " of the protocol, but this roast supports only version %d: see "
                                "docs/protocol.md",
                                json_node_get_int (node), ROAST_RUN_PROTOCOL_VERSION);

  return TRUE;
}

static gboolean
on_greeting (RoastRunPeer *self, JsonObject *object, GError **error)
{
  const char *token = NULL;
  const char *program = NULL;
  const char *backend = NULL;

  g_clear_pointer (&self->program, g_free);
  if (get_string (object, "program", &program, NULL) && program != NULL)
    self->program = g_utf8_substring (program, 0, MIN (g_utf8_strlen (program, -1), RUN_PROTOCOL_MAX_NAME));
  if (!check_version (object, error) || !get_string (object, "token", &token, error) ||
      !get_string (object, "backend", &backend, error))
    return FALSE;
  if (g_strcmp0 (token, self->token) != 0)
    return run_protocol_refuse (error, "the token in the first line is not the token of this run: send $ROAST_TOKEN");
  self->greeted = TRUE;
  self->backend = g_strdup (backend);
  if (backend == NULL)
    prepare_tables (self);
  g_debug ("%s (pid %" G_GINT64_FORMAT ") connected%s%s", run_protocol_get_name (self), self->pid,
           backend != NULL ? " to the backend " : "", backend != NULL ? backend : "");

  return TRUE;
}

/* ---- lines ---- */

/* Return the number of members of an object, counting each member with a repeated name. The reader has checked that
 * @line is JSON. */
static guint
count_members (const char *line, gsize length)
{
  RoastJsonScan scan = { .at = line, .end = line + length };
  guint n = 0;

  roast_json_scan_space (&scan);
  while (roast_json_scan_take (&scan, n == 0 ? '{' : ',') && roast_json_scan_key (&scan, NULL, NULL) &&
         roast_json_scan_value (&scan, ROAST_JSON_MAX_DEPTH))
    {
      roast_json_scan_space (&scan);
      n++;
    }

  return n;
}

static gboolean
on_object (RoastRunPeer *self, GError **error)
{
  gsize length;
  const char *line = roast_wire_reader_get_line (self->reader, &length);
  JsonNode *root = NULL;

  if (!json_parser_load_from_data (self->parser, line, (gssize) length, error))
    return FALSE;
  root = json_parser_get_root (self->parser);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return run_protocol_refuse (error, "a line is neither a JSON object nor a row");
  if (count_members (line, length) != json_object_get_size (json_node_get_object (root)))
    return run_protocol_refuse (error, "two members of an object have the same name");

  return self->greeted ? run_protocol_on_message (self, json_node_get_object (root), error)
                       : on_greeting (self, json_node_get_object (root), error);
}

static gboolean
run_protocol_take_line (RoastRunPeer *self, char *line, gsize length, GError **error)
{
  self->is_row = FALSE;
  if (!roast_wire_reader_read (self->reader, line, length, error))
    {
      if (!self->greeted)
        g_prefix_error (error, FIRST_LINE ": ", ROAST_RUN_PROTOCOL_VERSION);
      return FALSE;
    }
  /* Do nothing more with a line for a backend, because the backend gets the line from the reader. */
  if (self->greeted && self->backend != NULL)
    return TRUE;
  if (!self->greeted && roast_wire_reader_get_line_type (self->reader) != ROAST_WIRE_LINE_MESSAGE)
    return run_protocol_refuse (error, FIRST_LINE, ROAST_RUN_PROTOCOL_VERSION);
  self->is_row = roast_wire_reader_get_line_type (self->reader) == ROAST_WIRE_LINE_ROW;
  switch (roast_wire_reader_get_line_type (self->reader))
    {
    case ROAST_WIRE_LINE_ROW:
      return on_row (self, error);
    case ROAST_WIRE_LINE_DECLARATION:
      return TRUE;
    case ROAST_WIRE_LINE_MESSAGE:
    default:
      return on_object (self, error);
    }
}

/* Count a line that is not valid, and record a gap. */
static void
lose_line (RoastRunPeer *self, const char *reason)
{
  g_autofree char *why = g_strdup_printf ("some lines of the program were not counted, for example: %s", reason);

  add_fault (self, self->greeted ? ROAST_RUN_FAULT_LINE : ROAST_RUN_FAULT_REFUSED, reason);
  add_gaps (self, why);
}

gboolean
roast_run_peer_read_line (RoastRunPeer *self, char *line, gsize length)
{
  g_autoptr (GError) error = NULL;

  if (run_protocol_take_line (self, line, length, &error))
    return TRUE;
  lose_line (self, error->message);

  return FALSE;
}

void
roast_run_peer_skip_line (RoastRunPeer *self)
{
  g_autofree char *reason = g_strdup_printf ("a line is longer than %d KiB", ROAST_RUN_PROTOCOL_MAX_LINE / 1024);

  self->is_row = FALSE;
  lose_line (self, reason);
}
