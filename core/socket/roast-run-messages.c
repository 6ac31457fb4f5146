/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-run-messages-private.h"

#include <math.h>
#include <string.h>

#include "roast/roast-error.h"
#include "roast/roast-tables.h"

#define MAX_MEMBERS 16

typedef enum
{
  PLAIN,
  NEEDED,
  SECONDS, /* since the epoch, to microseconds */
} MemberKind;

typedef struct
{
  const char *name;
  guint column;
  MemberKind kind;
} Member;

struct _RoastRunMessage
{
  const char *type;
  const char *table;
  const char *const *columns;
  Member members[MAX_MEMBERS];
  gboolean (*complete) (JsonObject *object, RoastWireValue *values, GError **error);
};

static gboolean complete_chunk (JsonObject *object, RoastWireValue *values, GError **error);

/* By their place among the members of a chunk. */
enum
{
  CHUNK_STARTED,
  CHUNK_ENDED
};

static const RoastRunMessage messages[] = {
  { "events",
    ROAST_TABLE_DATASETS,
    roast_datasets_columns,
    { { "events", ROAST_DATASETS_EVENTS, NEEDED }, { "dataset", ROAST_DATASETS_DATASET, PLAIN } } },
  { "bytes_read",
    ROAST_TABLE_DATASETS,
    roast_datasets_columns,
    { { "bytes", ROAST_DATASETS_BYTES_READ, NEEDED }, { "dataset", ROAST_DATASETS_DATASET, PLAIN } } },
  { "dataset",
    ROAST_TABLE_DATASETS,
    roast_datasets_columns,
    { { "dataset", ROAST_DATASETS_DATASET, NEEDED },
      { "events", ROAST_DATASETS_EVENTS, PLAIN },
      { "bytes_read", ROAST_DATASETS_BYTES_READ, PLAIN },
      { "duration", ROAST_DATASETS_DURATION, PLAIN },
      { "chunks", ROAST_DATASETS_CHUNKS, PLAIN } } },
  { "chunk",
    ROAST_TABLE_CHUNKS,
    roast_chunks_columns,
    { { "started", ROAST_CHUNKS_STARTED, SECONDS },
      { "ended", ROAST_CHUNKS_ENDED, SECONDS },
      { "chunk", ROAST_CHUNKS_CHUNK, PLAIN },
      { "task", ROAST_CHUNKS_TASK, PLAIN },
      { "dataset", ROAST_CHUNKS_DATASET, PLAIN },
      { "file", ROAST_CHUNKS_FILE, PLAIN },
      { "tree", ROAST_CHUNKS_TREE, PLAIN },
      { "entry_start", ROAST_CHUNKS_ENTRY_START, PLAIN },
      { "entry_stop", ROAST_CHUNKS_ENTRY_STOP, PLAIN },
      { "events", ROAST_CHUNKS_EVENTS, PLAIN },
      { "bytes_read", ROAST_CHUNKS_BYTES_READ, PLAIN },
      { "memory", ROAST_CHUNKS_MEMORY, PLAIN },
      { "error", ROAST_CHUNKS_ERROR, PLAIN } },
    complete_chunk },
  { "section",
    ROAST_TABLE_SECTIONS,
    roast_sections_columns,
    { { "name", ROAST_SECTIONS_NAME, NEEDED },
      { "kind", ROAST_SECTIONS_KIND, NEEDED },
      { "value", ROAST_SECTIONS_VALUE, NEEDED },
      { "chunk", ROAST_SECTIONS_CHUNK, PLAIN } } },
};

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

const RoastRunMessage *
roast_run_message_find (const char *type)
{
  for (guint i = 0; i < G_N_ELEMENTS (messages); i++)
    if (g_str_equal (messages[i].type, type))
      return &messages[i];

  return NULL;
}

RoastRunTable *
roast_run_message_open_table (const RoastRunMessage *self, RoastRecording *recording, const char *source, gint64 pid,
                              GError **error)
{
  const char *columns[MAX_MEMBERS + 1] = { NULL };

  for (guint i = 0; self->members[i].name != NULL; i++)
    columns[i] = self->columns[self->members[i].column];

  return roast_run_table_new (recording, self->table, source, pid, columns, error);
}

/* ---- members ---- */

static gboolean
read_number (double number, RoastWireValue *value)
{
  value->type = ROAST_WIRE_CELL_DOUBLE;
  value->real = number;

  return isfinite (number);
}

static gboolean
read_text (const char *text, RoastWireValue *value)
{
  /* A shell's empty variable holds nothing. */
  value->type = *text != '\0' ? ROAST_WIRE_CELL_STRING : ROAST_WIRE_CELL_MISSING;
  value->text = text;
  value->length = strlen (text);

  return TRUE;
}

/* FALSE if it is out of range. */
static gboolean
read_node (JsonNode *node, RoastWireValue *value)
{
  GType type = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_NONE;

  value->type = node == NULL || JSON_NODE_HOLDS_NULL (node) ? ROAST_WIRE_CELL_MISSING : ROAST_WIRE_CELL_JSON;
  if (type == G_TYPE_STRING)
    return read_text (json_node_get_string (node), value);
  if (type == G_TYPE_DOUBLE)
    return read_number (json_node_get_double (node), value);
  if (type == G_TYPE_INT64)
    {
      value->type = ROAST_WIRE_CELL_INT64;
      value->integer = json_node_get_int (node);
    }
  if (type == G_TYPE_BOOLEAN)
    {
      value->type = ROAST_WIRE_CELL_BOOLEAN;
      value->boolean = json_node_get_boolean (node);
    }

  return TRUE;
}

/* Leaves other types as they are: the column refuses them. */
static void
set_time (RoastWireValue *value, double seconds)
{
  double time = seconds * G_USEC_PER_SEC;

  if (isnan (time))
    return;
  value->type = ROAST_WIRE_CELL_INT64;
  value->integer = fabs (time) < (double) G_MAXINT64 / 2 ? llround (time) : -1;
}

static gboolean
read_members (const RoastRunMessage *self, JsonObject *object, RoastWireValue *values, GError **error)
{
  for (guint i = 0; self->members[i].name != NULL; i++)
    {
      const Member *member = &self->members[i];

      if (!read_node (json_object_get_member (object, member->name), &values[i]))
        return refuse (error, "member “%s” of message “%s” is out of range", member->name, self->type);
      if (member->kind == NEEDED && values[i].type == ROAST_WIRE_CELL_MISSING)
        return refuse (error, "message “%s” without member “%s”", self->type, member->name);
      if (member->kind == SECONDS)
        set_time (&values[i], roast_wire_value_get_number (&values[i]));
    }

  return TRUE;
}

/* A chunk may give two of start, end and duration. With the duration alone it ended when the message came. */
static gboolean
complete_chunk (JsonObject *object, RoastWireValue *values, GError **error)
{
  RoastWireValue *started = &values[CHUNK_STARTED];
  RoastWireValue *ended = &values[CHUNK_ENDED];
  RoastWireValue value = { 0 };
  double duration;

  if (!read_node (json_object_get_member (object, "duration"), &value) || roast_wire_value_get_number (&value) < 0)
    return refuse (error, "member “duration” of message “chunk” is out of range");
  duration = roast_wire_value_get_number (&value);
  if (isnan (duration) && value.type != ROAST_WIRE_CELL_MISSING)
    return refuse (error, "member “duration” of message “chunk” must be a number");
  if (isnan (duration))
    return TRUE;
  if (started->type == ROAST_WIRE_CELL_MISSING && ended->type == ROAST_WIRE_CELL_MISSING)
    set_time (ended, (double) g_get_real_time () / G_USEC_PER_SEC);
  if (ended->type == ROAST_WIRE_CELL_MISSING)
    set_time (ended, roast_wire_value_get_number (started) / G_USEC_PER_SEC + duration);
  else if (started->type == ROAST_WIRE_CELL_MISSING)
    set_time (started, roast_wire_value_get_number (ended) / G_USEC_PER_SEC - duration);

  return TRUE;
}

gboolean
roast_run_message_add (const RoastRunMessage *self, JsonObject *object, RoastRunTable *table, GError **error)
{
  RoastWireValue values[MAX_MEMBERS] = { 0 };

  return read_members (self, object, values, error) &&
         (self->complete == NULL || self->complete (object, values, error)) &&
         roast_run_table_add (table, values, error);
}

gboolean
roast_run_message_has_member (const RoastRunMessage *self, const char *name)
{
  for (guint i = 0; self->members[i].name != NULL; i++)
    if (g_str_equal (self->members[i].name, name))
      return TRUE;

  return g_str_equal (name, "type") || (self->complete != NULL && g_str_equal (name, "duration"));
}
