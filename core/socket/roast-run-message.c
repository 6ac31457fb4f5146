/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-run-message-private.h"

#include <math.h>
#include <string.h>

#include "base/roast-fail-private.h"
#include "roast/roast-tables.h"

struct _RoastRunMessage
{
  const char *type;
  const char *table;
  const char *needed[4]; /* names of required members */
};

static const RoastRunMessage messages[] = {
  { "events", ROAST_TABLE_DATASETS, { "events" } },
  { "bytes_read", ROAST_TABLE_DATASETS, { "bytes" } },
  { "dataset", ROAST_TABLE_DATASETS, { "dataset" } },
  { "chunk", ROAST_TABLE_CHUNKS },
  { "section", ROAST_TABLE_SECTIONS, { "name", "kind", "value" } },
  { "processing", ROAST_TABLE_PROCESSING, { "call" } },
  { "confirm", ROAST_TABLE_CHUNK_RESULTS, { "chunks" } },
};

/* Members that have no column of the same name. */
static const char member_type[] = "type";
static const char member_bytes[] = "bytes";
static const char member_duration[] = "duration";
static const char member_chunks[] = "chunks"; /* list of chunks in a confirmation; each item becomes a row */

const RoastRunMessage *
roast_run_message_find (const char *type)
{
  for (guint i = 0; i < G_N_ELEMENTS (messages); i++)
    if (g_str_equal (messages[i].type, type))
      return &messages[i];

  return NULL;
}

const char *
roast_run_message_get_table (const RoastRunMessage *self)
{
  return self->table;
}

static gboolean
run_message_refuse (const RoastRunMessage *self, const char *member, const char *fault, GError **error)
{
  return roast_fail (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL, "member “%s” of message “%s”: %s",
                     member, self->type, fault);
}

/* ---- members ---- */

static gboolean
read_member (const RoastRunMessage *self, const char *name, JsonNode *node, RoastWireValue *value, GError **error)
{
  GType type = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_NONE;

  value->type = ROAST_WIRE_CELL_MISSING;
  if (type == G_TYPE_STRING)
    *value = (RoastWireValue) { .type = ROAST_WIRE_CELL_STRING,
                                .text = json_node_get_string (node),
                                .length = strlen (json_node_get_string (node)) };
  else if (type == G_TYPE_INT64)
    *value = (RoastWireValue) { .type = ROAST_WIRE_CELL_INT64, .integer = json_node_get_int (node) };
  else if (type == G_TYPE_DOUBLE)
    *value = (RoastWireValue) { .type = ROAST_WIRE_CELL_DOUBLE, .real = json_node_get_double (node) };
  else if (type == G_TYPE_BOOLEAN)
    *value = (RoastWireValue) { .type = ROAST_WIRE_CELL_BOOLEAN, .boolean = json_node_get_boolean (node) };
  else if (node != NULL && !JSON_NODE_HOLDS_NULL (node))
    return run_message_refuse (self, name, "the value cannot be an array or object", error);
  if (type == G_TYPE_DOUBLE && !isfinite (value->real))
    return run_message_refuse (self, name, "the number is out of range", error);

  return TRUE;
}

/* Convert a time in seconds to microseconds. Leave a value that is not a number unchanged, because the column refuses
 * the value later. */
static void
set_time (RoastWireValue *value, double seconds)
{
  double time = seconds * G_USEC_PER_SEC;

  if (!isnan (time))
    *value = (RoastWireValue) { .type = ROAST_WIRE_CELL_INT64,
                                .integer = fabs (time) < (double) G_MAXINT64 / 2 ? llround (time) : -1 };
}

/* Compute the missing start or end of a chunk from its duration and the other time. If only the duration is known,
 * assume that the chunk ended when the message arrived. */
static void
complete_chunk (RoastWireValue *values, double duration)
{
  RoastWireValue *started = &values[ROAST_CHUNKS_STARTED];
  RoastWireValue *ended = &values[ROAST_CHUNKS_ENDED];

  if (started->type == ROAST_WIRE_CELL_MISSING && ended->type == ROAST_WIRE_CELL_MISSING)
    set_time (ended, (double) g_get_real_time () / G_USEC_PER_SEC);
  if (ended->type == ROAST_WIRE_CELL_MISSING)
    set_time (ended, roast_wire_value_get_number (started) / G_USEC_PER_SEC + duration);
  else if (started->type == ROAST_WIRE_CELL_MISSING)
    set_time (started, roast_wire_value_get_number (ended) / G_USEC_PER_SEC - duration);
}

static gboolean
read_duration (const RoastRunMessage *self, JsonObject *object, RoastWireValue *values, GError **error)
{
  RoastWireValue value;
  double duration;

  if (!read_member (self, member_duration, json_object_get_member (object, member_duration), &value, error))
    return FALSE;
  duration = roast_wire_value_get_number (&value);
  if (duration < 0 || (isnan (duration) && value.type != ROAST_WIRE_CELL_MISSING))
    return run_message_refuse (self, member_duration, "the value must be a number of seconds", error);
  if (!isnan (duration))
    complete_chunk (values, duration);

  return TRUE;
}

static gboolean
is_confirmation (const RoastRunMessage *self)
{
  return g_str_equal (self->table, ROAST_TABLE_CHUNK_RESULTS);
}

/* Return whether a member is known although it is not a column. */
static gboolean
is_special (const RoastRunMessage *self, const char *name)
{
  return g_str_equal (name, member_type) ||
         (g_str_equal (self->table, ROAST_TABLE_CHUNKS) && g_str_equal (name, member_duration)) ||
         (is_confirmation (self) && g_str_equal (name, member_chunks));
}

/* Find the column of a member. Return FALSE if the member has no column. */
static gboolean
run_message_find_column (const RoastRunMessage *self, RoastTableInfo *info, const char *name, guint *column)
{
  if (g_str_equal (name, member_bytes) && g_strcmp0 (self->needed[0], member_bytes) == 0)
    name = roast_datasets_columns[ROAST_DATASETS_BYTES_READ];

  return roast_table_info_find_column (info, name, column);
}

static gboolean
read_members (const RoastRunMessage *self, JsonObject *object, RoastTableInfo *info, RoastWireValue *values,
              GPtrArray *unknown, GError **error)
{
  JsonObjectIter iter;
  const char *name = NULL;
  JsonNode *node = NULL;
  guint column;

  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &name, &node))
    if (run_message_find_column (self, info, name, &column))
      {
        if (!read_member (self, name, node, &values[column], error))
          return FALSE;
        if (g_strcmp0 (roast_column_get_unit (roast_table_info_get_column (info, column)), "us") == 0)
          set_time (&values[column], roast_wire_value_get_number (&values[column]));
      }
    else if (!is_special (self, name))
      {
        g_ptr_array_add (unknown, (char *) name);
      }

  return TRUE;
}

static gboolean
check_needed (const RoastRunMessage *self, JsonObject *object, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->needed) && self->needed[i] != NULL; i++)
    {
      JsonNode *node = json_object_get_member (object, self->needed[i]);

      /* Treat empty text as missing, because a shell script sends empty text for a variable that is not set. */
      if (node == NULL || JSON_NODE_HOLDS_NULL (node) ||
          (JSON_NODE_HOLDS_VALUE (node) && g_strcmp0 (json_node_get_string (node), "") == 0))
        return run_message_refuse (self, self->needed[i], "the value is missing", error);
    }

  return TRUE;
}

/* Check all chunks of a confirmation before the first row is added, so that either all chunks are added or no chunk is
 * added. */
static gboolean
check_chunks (const RoastRunMessage *self, JsonNode *node, GError **error)
{
  JsonArray *chunks = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  gboolean are_texts = chunks != NULL;

  for (guint i = 0; are_texts && i < json_array_get_length (chunks); i++)
    {
      JsonNode *chunk = json_array_get_element (chunks, i);
      const char *text = JSON_NODE_HOLDS_VALUE (chunk) ? json_node_get_string (chunk) : NULL;

      are_texts = text != NULL && *text != '\0';
    }

  return are_texts || run_message_refuse (self, member_chunks,
                                          "the value must be an array of chunk identities, which are texts", error);
}

/* Add one row for each chunk of a confirmation. All rows get the same values of the other members. */
static gboolean
add_confirmation (const RoastRunMessage *self, JsonNode *node, RoastRunTable *table, RoastWireValue *values,
                  GError **error)
{
  JsonArray *chunks = NULL;

  if (!check_chunks (self, node, error))
    return FALSE;
  chunks = json_node_get_array (node);
  for (guint i = 0; i < json_array_get_length (chunks); i++)
    if (!read_member (self, member_chunks, json_array_get_element (chunks, i), &values[ROAST_CHUNK_RESULTS_CHUNK],
                      error) ||
        !roast_run_table_add (table, values, error))
      return FALSE;

  return TRUE;
}

gboolean
roast_run_message_add (const RoastRunMessage *self, JsonObject *object, RoastRunTable *table, GPtrArray *unknown,
                       GError **error)
{
  RoastTableInfo *info = roast_run_table_get_info (table);
  g_autofree RoastWireValue *values = g_new0 (RoastWireValue, roast_table_info_get_n_columns (info));

  if (!check_needed (self, object, error) || !read_members (self, object, info, values, unknown, error))
    return FALSE;
  if (g_str_equal (self->table, ROAST_TABLE_CHUNKS) && !read_duration (self, object, values, error))
    return FALSE;
  if (is_confirmation (self))
    return add_confirmation (self, json_object_get_member (object, member_chunks), table, values, error);

  return roast_run_table_add (table, values, error);
}
