/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-run-table-private.h"

#include "recording/roast-recording-private.h"

#include <math.h>

#include "base/roast-suggest-private.h"
#include "roast/roast-error.h"
#include "roast/roast-tables.h"
#include "table/roast-table-writer-private.h"

#define MAX_EXACT 9007199254740992.0                 /* 2^53: beyond, a double may stand for another integer */
#define MIN_TIME G_GINT64_CONSTANT (100000000000000) /* us since the epoch: 1973; less is in another unit */
#define MAX_TIME G_GINT64_CONSTANT (9007199254740992)
#define NO_SLOT G_MAXUINT

typedef struct
{
  RoastColumnType type;
  gboolean time;
  gboolean negative; /* allowed */
} Slot;

struct _RoastRunTable
{
  RoastTableWriter *writer;
  char *name;
  GStrv columns;
  Slot *slots;
  guint n_slots;  /* those of the program */
  guint pid_slot; /* NO_SLOT if the table has no such column */
  guint time_slot;
  gint64 pid;
  guint orders[2][2]; /* slots of which the second must not be less than the first */
  guint kind_slot;    /* of a section */
  guint value_slot;
};

static gboolean refuse (GError **error, int code, const char *format, ...) G_GNUC_PRINTF (3, 4);

static gboolean
refuse (GError **error, int code, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (error != NULL)
    *error = g_error_new_valist (ROAST_TABLE_ERROR, code, format, arguments);
  va_end (arguments);

  return FALSE;
}

/* ---- binding ---- */

/* The tables that programs may write, as in "it may write: chunks, sections. Did you mean chunks?" */
static char *
dup_sentence (RoastRecording *recording, const char *name)
{
  g_autoptr (GPtrArray) infos = roast_schema_list_tables (roast_recording_get_schema (recording));
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < infos->len; i++)
    {
      RoastTableInfo *info = g_ptr_array_index (infos, i);

      if (roast_table_info_get_from (info) == ROAST_TABLE_FROM_PROGRAM &&
          roast_table_info_get_origin (info) == ROAST_TABLE_ORIGIN_MEASURED)
        g_ptr_array_add (names, (char *) roast_table_info_get_name (info));
    }
  g_ptr_array_add (names, NULL);

  return roast_suggest_sentence (name, (const char *const *) names->pdata, "it may write", "there are no others");
}

static gboolean
check_table (RoastRecording *recording, const char *name, GError **error)
{
  RoastTableInfo *info = roast_schema_lookup_table (roast_recording_get_schema (recording), name);
  g_autofree char *sentence = NULL;

  if (info != NULL && roast_table_info_get_from (info) == ROAST_TABLE_FROM_PROGRAM &&
      roast_table_info_get_origin (info) == ROAST_TABLE_ORIGIN_MEASURED)
    return TRUE;
  sentence = dup_sentence (recording, name);
  if (info != NULL)
    return refuse (error, ROAST_TABLE_ERROR_TABLE, "a program may not write table “%s”; %s", name, sentence);

  return refuse (error, ROAST_TABLE_ERROR_TABLE, "there is no table “%s”; %s", name, sentence);
}

static guint
find_slot (const char *const *columns, const char *name)
{
  for (guint i = 0; columns[i] != NULL; i++)
    if (g_str_equal (columns[i], name))
      return i;

  return NO_SLOT;
}

/* The slot of a column that the program may leave to roast; NO_SLOT if the table has none such. */
static guint
take_slot (RoastTableInfo *info, GPtrArray *columns, const char *name)
{
  for (guint i = 0; i < columns->len; i++)
    if (g_str_equal (g_ptr_array_index (columns, i), name))
      return i;
  if (!roast_table_info_find_column (info, name, NULL))
    return NO_SLOT;
  g_ptr_array_add (columns, (char *) name);

  return columns->len - 1;
}

static void
bind_slots (RoastRunTable *self, RoastTableInfo *info)
{
  for (guint i = 0; i < self->n_slots; i++)
    {
      RoastColumn *column = NULL;
      guint index = 0;

      if (!roast_table_info_find_column (info, self->columns[i], &index))
        continue;
      column = roast_table_info_get_column (info, index);
      self->slots[i].type = roast_column_get_column_type (column);
      self->slots[i].time = g_strcmp0 (roast_column_get_unit (column), "us") == 0;
      self->slots[i].negative = (g_str_equal (self->name, ROAST_TABLE_CHUNKS) && index == ROAST_CHUNKS_MEMORY) ||
                                (g_str_equal (self->name, ROAST_TABLE_SECTIONS) && index == ROAST_SECTIONS_VALUE);
    }
}

/* Columns whose values depend on each other. */
static void
bind_rules (RoastRunTable *self)
{
  const char *const *columns = (const char *const *) self->columns;

  if (g_str_equal (self->name, ROAST_TABLE_CHUNKS))
    {
      self->orders[0][0] = find_slot (columns, roast_chunks_columns[ROAST_CHUNKS_STARTED]);
      self->orders[0][1] = find_slot (columns, roast_chunks_columns[ROAST_CHUNKS_ENDED]);
      self->orders[1][0] = find_slot (columns, roast_chunks_columns[ROAST_CHUNKS_ENTRY_START]);
      self->orders[1][1] = find_slot (columns, roast_chunks_columns[ROAST_CHUNKS_ENTRY_STOP]);
    }
  if (g_str_equal (self->name, ROAST_TABLE_SECTIONS))
    {
      self->kind_slot = find_slot (columns, roast_sections_columns[ROAST_SECTIONS_KIND]);
      self->value_slot = find_slot (columns, roast_sections_columns[ROAST_SECTIONS_VALUE]);
    }
}

RoastRunTable *
roast_run_table_new (RoastRecording *recording, const char *name, const char *source, gint64 pid,
                     const char *const *columns, GError **error)
{
  g_autoptr (RoastRunTable) self = g_new0 (RoastRunTable, 1);
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  RoastTable *table = NULL;
  RoastTableInfo *info = NULL;

  self->name = g_strdup (name);
  self->columns = g_strdupv ((char **) columns);
  self->n_slots = g_strv_length (self->columns);
  self->slots = g_new0 (Slot, self->n_slots);
  self->pid = pid;
  self->orders[0][0] = self->orders[1][0] = self->kind_slot = NO_SLOT;
  if (!check_table (recording, name, error))
    return NULL;
  if (find_slot (columns, roast_chunks_columns[ROAST_CHUNKS_SOURCE]) != NO_SLOT)
    {
      refuse (error, ROAST_TABLE_ERROR_COLUMN, "column “%s” of table “%s” is filled in by roast",
              roast_chunks_columns[ROAST_CHUNKS_SOURCE], name);
      return NULL;
    }
  table = roast_recording_get_table (recording, name);
  info = roast_schema_lookup_table (roast_recording_get_schema (recording), name);
  for (guint i = 0; i < self->n_slots; i++)
    g_ptr_array_add (all, self->columns[i]);
  self->pid_slot = take_slot (info, all, roast_sections_columns[ROAST_SECTIONS_PID]);
  self->time_slot = take_slot (info, all, roast_sections_columns[ROAST_SECTIONS_TIME]);
  g_ptr_array_add (all, NULL);
  self->writer = roast_table_writer_new (table, source, NULL, (const char *const *) all->pdata, NULL, NULL, error);
  if (self->writer == NULL)
    return NULL;
  bind_slots (self, info);
  bind_rules (self);

  return g_steal_pointer (&self);
}

void
roast_run_table_free (RoastRunTable *self)
{
  g_clear_object (&self->writer);
  g_free (self->name);
  g_strfreev (self->columns);
  g_free (self->slots);
  g_free (self);
}

/* ---- rows ---- */

static gboolean
refuse_cell (RoastRunTable *self, guint slot, const char *fault, GError **error)
{
  return refuse (error, ROAST_TABLE_ERROR_TYPE, "column “%s” of table “%s” %s", self->columns[slot], self->name, fault);
}

static gboolean
check_number (RoastRunTable *self, guint slot, double value, GError **error)
{
  if (self->slots[slot].time && (value < MIN_TIME || value > MAX_TIME))
    return refuse_cell (self, slot, "is not a time since 1973 (rows have microseconds, messages seconds)", error);
  if (value < 0 && !self->slots[slot].negative)
    return refuse_cell (self, slot, "cannot be negative", error);

  return TRUE;
}

static gboolean
set_integer (RoastRunTable *self, guint slot, gint64 value, GError **error)
{
  roast_table_writer_set_int64 (self->writer, slot, value);

  return check_number (self, slot, (double) value, error);
}

static gboolean
set_cell (RoastRunTable *self, guint slot, const RoastWireValue *value, GError **error)
{
  switch (value->type)
    {
    case ROAST_WIRE_CELL_BOOLEAN:
      roast_table_writer_set_boolean (self->writer, slot, value->boolean);
      return TRUE;

    case ROAST_WIRE_CELL_INT64:
      return set_integer (self, slot, value->integer, error);

    case ROAST_WIRE_CELL_DOUBLE:
      /* Some languages write integers with a point. */
      if (self->slots[slot].type == ROAST_COLUMN_TYPE_INT64 && value->real == floor (value->real) &&
          fabs (value->real) <= MAX_EXACT)
        return set_integer (self, slot, (gint64) value->real, error);
      roast_table_writer_set_double (self->writer, slot, value->real);
      return check_number (self, slot, value->real, error);

    case ROAST_WIRE_CELL_STRING:
      /* A shell's empty variable holds nothing. */
      if (value->length > 0)
        roast_table_writer_set_text (self->writer, slot, value->text, value->length);
      return TRUE;

    case ROAST_WIRE_CELL_JSON:
      return refuse_cell (self, slot, "cannot hold an array or object", error);

    case ROAST_WIRE_CELL_MISSING:
    default:
      return TRUE;
    }
}

static gboolean
check_order (RoastRunTable *self, const RoastWireValue *values, const guint *slots, GError **error)
{
  if (slots[0] == NO_SLOT || slots[1] == NO_SLOT ||
      !(roast_wire_value_get_number (&values[slots[1]]) < roast_wire_value_get_number (&values[slots[0]])))
    return TRUE;

  return refuse (error, ROAST_TABLE_ERROR_TYPE, "column “%s” of table “%s” is before “%s”", self->columns[slots[1]],
                 self->name, self->columns[slots[0]]);
}

/* Only changes of memory and numbers of the program's own may be negative. */
static gboolean
check_section (RoastRunTable *self, const RoastWireValue *values, GError **error)
{
  const char *kind = NULL;

  if (self->kind_slot == NO_SLOT || self->value_slot == NO_SLOT ||
      !(roast_wire_value_get_number (&values[self->value_slot]) < 0) ||
      values[self->kind_slot].type != ROAST_WIRE_CELL_STRING)
    return TRUE;
  kind = values[self->kind_slot].text;
  if (!g_str_equal (kind, roast_section_kind_words[ROAST_SECTION_KIND_TIME]) &&
      !g_str_equal (kind, roast_section_kind_words[ROAST_SECTION_KIND_BYTES]))
    return TRUE;

  return refuse_cell (self, self->value_slot, "cannot be negative", error);
}

static gboolean
set_cells (RoastRunTable *self, const RoastWireValue *values, GError **error)
{
  for (guint i = 0; i < self->n_slots; i++)
    if (!set_cell (self, i, &values[i], error))
      return FALSE;

  return check_order (self, values, self->orders[0], error) && check_order (self, values, self->orders[1], error) &&
         check_section (self, values, error);
}

static gboolean
is_given (RoastRunTable *self, const RoastWireValue *values, guint slot)
{
  return slot == NO_SLOT || (slot < self->n_slots && values[slot].type != ROAST_WIRE_CELL_MISSING);
}

gboolean
roast_run_table_add (RoastRunTable *self, const RoastWireValue *values, GError **error)
{
  if (!set_cells (self, values, error))
    {
      roast_table_writer_clear (self->writer);
      return FALSE;
    }
  if (self->pid > 0 && !is_given (self, values, self->pid_slot))
    roast_table_writer_set_int64 (self->writer, self->pid_slot, self->pid);
  if (!is_given (self, values, self->time_slot))
    roast_table_writer_set_int64 (self->writer, self->time_slot, g_get_real_time ());

  return roast_table_writer_end (self->writer, error);
}
