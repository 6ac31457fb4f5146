/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-wire-reader-private.h"

#include <math.h>
#include <string.h>

#include "base/roast-fail-private.h"
#include "base/roast-json-scan-private.h"
#include "base/roast-suggest-private.h"
#include "base/roast-type-private.h"

#define WIRE_READER_MAX_NAME 60 /* bytes; longer names from programs are cut in messages */

/**
 * RoastWireReader:
 *
 * Reads the lines of the run's socket (docs/protocol.md): declarations of tables, rows of these tables, and messages.
 *
 * A line is checked and decoded in place and in one pass, without a copy of the line and without a tree of nodes. A
 * plugin that receives such lines in another way, for example over HTTP or from a pipe, can create its own reader.
 *
 * The names of the accepted tables and columns are given to the reader once. A line that declares another table or
 * column is an error. The order of the cells in a row may differ from the order of the given columns. Cells are read by
 * slot: the index of the column in the given names.
 *
 * ```c
 * enum { SAMPLE_WORKER, SAMPLE_MEMORY };
 * static const char *const sample_columns[] = { "worker", "memory", NULL };
 *
 * guint samples = roast_wire_reader_add_table (reader, "samples", sample_columns);
 * …
 * if (!roast_wire_reader_read (reader, line, length, &error))
 *   return FALSE;
 * if (roast_wire_reader_get_line_type (reader) == ROAST_WIRE_LINE_ROW &&
 *     roast_wire_reader_get_table (reader) == samples)
 *   add_sample (self, roast_wire_reader_get_string (reader, SAMPLE_WORKER),
 *               roast_wire_reader_get_count (reader, SAMPLE_MEMORY));
 * return roast_wire_reader_check_row (reader, &error);
 * ```
 *
 * Since: 0.9
 */

typedef struct
{
  char *name;
  gsize name_length;
  char **names; /* names of the columns by slot */
  guint n_slots;
  guint *slots; /* slot of each cell of a row, in the order of the message; at most @n_slots */
  guint n_cells;
  gboolean declared;
} Table;

struct _RoastWireReader
{
  GObject parent_instance;

  gsize max_line;
  guint max_depth;
  GPtrArray *tables;

  RoastWireLine type;
  const char *line; /* the last line */
  gsize length;
  guint table; /* number of the table of the last declaration or row */
  GArray *values;
  guint bad_slot; /* slot of the first cell that was read as a wrong type; G_MAXUINT if there is no such cell */
  const char *wanted;
};

ROAST_DEFINE_TYPE (RoastWireReader, roast_wire_reader)

static void
table_free (Table *table)
{
  g_free (table->name);
  g_strfreev (table->names);
  g_free (table->slots);
  g_free (table);
}

static void
roast_wire_reader_release (RoastWireReader *self)
{
  g_ptr_array_unref (self->tables);
  g_array_unref (self->values);
}

static void
roast_wire_reader_init (RoastWireReader *self)
{
  self->tables = g_ptr_array_new_with_free_func ((GDestroyNotify) table_free);
  self->values = g_array_new (FALSE, TRUE, sizeof (RoastWireValue));
  self->bad_slot = G_MAXUINT;
}

/**
 * roast_wire_reader_new:
 * @max_line: maximum length of a line in bytes
 * @max_depth: maximum nesting of objects and arrays, at most 64
 *
 * Creates a reader for one connection.
 *
 * Returns: (transfer full): a reader
 *
 * Since: 0.9
 */
RoastWireReader *
roast_wire_reader_new (gsize max_line, guint max_depth)
{
  RoastWireReader *self = NULL;

  g_return_val_if_fail (max_depth > 0 && max_depth <= ROAST_JSON_MAX_DEPTH, NULL);

  self = g_object_new (ROAST_TYPE_WIRE_READER, NULL);
  self->max_line = max_line;
  self->max_depth = max_depth;

  return self;
}

#define wire_reader_refuse(error, ...)                                                                                 \
  roast_fail (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL, __VA_ARGS__)

/* Copy an external name so that it can be shown in a message. */
static char *
dup_shown (const char *name, gsize length)
{
  return g_utf8_make_valid (name, (gssize) MIN (length, WIRE_READER_MAX_NAME));
}

/* ---- tables ---- */

static Table *
wire_reader_get_table (RoastWireReader *self, guint number)
{
  return g_ptr_array_index (self->tables, number);
}

static Table *
wire_reader_find_table (RoastWireReader *self, const char *name, gsize length, guint *number)
{
  for (guint i = 0; i < self->tables->len; i++)
    {
      Table *table = wire_reader_get_table (self, i);

      if (table->name_length == length && memcmp (table->name, name, length) == 0)
        {
          *number = i;
          return table;
        }
    }

  return NULL;
}

/**
 * roast_wire_reader_add_table:
 * @self: a reader
 * @name: name of a table
 * @columns: (array zero-terminated=1): names of the accepted columns
 *
 * Adds a table that the reader accepts. Call this function once for each table, before the first line is read.
 *
 * Returns: number of the table, from 0
 *
 * Since: 0.9
 */
guint
roast_wire_reader_add_table (RoastWireReader *self, const char *name, const char *const *columns)
{
  Table *table = NULL;
  guint number = 0;

  g_return_val_if_fail (ROAST_IS_WIRE_READER (self), 0);
  g_return_val_if_fail (name != NULL && columns != NULL, 0);
  g_return_val_if_fail (wire_reader_find_table (self, name, strlen (name), &number) == NULL, number);

  table = g_new0 (Table, 1);
  table->name = g_strdup (name);
  table->name_length = strlen (name);
  table->names = g_strdupv ((char **) columns);
  table->n_slots = g_strv_length (table->names);
  table->slots = g_new0 (guint, table->n_slots);
  g_ptr_array_add (self->tables, table);
  /* Make room in the array of values for the slots of any table. */
  if (self->values->len < table->n_slots)
    g_array_set_size (self->values, table->n_slots);

  return self->tables->len - 1;
}

/* ---- declarations ---- */

/* Positions of the members “table” and “columns” of an object. An object that has both members is a declaration. */
typedef struct
{
  const char *table; /* member “table”, or NULL */
  const char *columns;
  gboolean message; /* the object has a member “type” */
} Members;

static gboolean
is_key (const char *begin, const char *end, const char *key)
{
  return (gsize) (end - begin) == strlen (key) && memcmp (begin, key, (gsize) (end - begin)) == 0;
}

static gboolean
scan_member (RoastWireReader *self, RoastJsonScan *scan, Members *members)
{
  const char *key = NULL;
  const char *key_end = NULL;

  if (!roast_json_scan_key (scan, &key, &key_end))
    return FALSE;
  if (scan->at < scan->end && *scan->at == '"' && is_key (key, key_end, "table"))
    members->table = scan->at;
  else if (scan->at < scan->end && *scan->at == '[' && is_key (key, key_end, "columns"))
    members->columns = scan->at;
  else if (is_key (key, key_end, "type"))
    members->message = TRUE;

  return roast_json_scan_value (scan, self->max_depth - 1);
}

/* Scan an object, from its opening brace to the end of the line. */
static gboolean
scan_object (RoastWireReader *self, RoastJsonScan *scan, Members *members)
{
  scan->at++;
  roast_json_scan_space (scan);
  if (roast_json_scan_take (scan, '}'))
    return roast_json_scan_end (scan);
  do
    {
      if (!scan_member (self, scan, members))
        return FALSE;
      roast_json_scan_space (scan);
    }
  while (roast_json_scan_take (scan, ','));
  if (!roast_json_scan_take (scan, '}'))
    return roast_json_scan_fail (scan, scan->at == scan->end ? "not JSON: the text ends too early" : "not JSON");

  return roast_json_scan_end (scan);
}

/* Copy a string, from its opening quote. The string must have been scanned before. */
static char *
wire_reader_take_name (RoastJsonScan *scan)
{
  const char *begin = ++scan->at;
  char *name = NULL;

  roast_json_scan_string (scan, NULL);
  name = g_strndup (begin, (gsize) (scan->at - 1 - begin));
  name[roast_json_unescape (name, strlen (name))] = '\0';

  return name;
}

static gboolean
wire_reader_find_slot (const Table *table, const char *name, guint *slot)
{
  for (*slot = 0; *slot < table->n_slots; (*slot)++)
    if (g_str_equal (table->names[*slot], name))
      return TRUE;

  return FALSE;
}

static gboolean
wire_reader_bind_column (Table *table, const char *name, GError **error)
{
  g_autofree char *shown = dup_shown (name, strlen (name));
  g_autofree char *sentence = NULL;
  guint slot;

  if (!wire_reader_find_slot (table, name, &slot))
    {
      sentence = roast_suggest_sentence (shown, (const char *const *) table->names, "the columns are",
                                         "the table has no columns");
      return wire_reader_refuse (error, "table “%s” has no column “%s”; %s", table->name, shown, sentence);
    }
  for (guint i = 0; i < table->n_cells; i++)
    if (table->slots[i] == slot)
      return wire_reader_refuse (error, "column “%s” of table “%s” is declared twice", shown, table->name);
  table->slots[table->n_cells++] = slot;

  return TRUE;
}

/* Assign the columns of a declaration to slots. @scan is at the opening bracket of the columns, which must have been
 * scanned before. */
static gboolean
wire_reader_bind (Table *table, RoastJsonScan *scan, GError **error)
{
  table->declared = FALSE;
  table->n_cells = 0;
  do
    {
      g_autofree char *name = NULL;

      scan->at++;
      roast_json_scan_space (scan);
      if (*scan->at != '"')
        return wire_reader_refuse (error, "the array “columns” of table “%s” must hold one or more names", table->name);
      name = wire_reader_take_name (scan);
      if (!wire_reader_bind_column (table, name, error))
        return FALSE;
      roast_json_scan_space (scan);
    }
  while (*scan->at == ',');
  table->declared = TRUE;

  return TRUE;
}

static gboolean
refuse_table (RoastWireReader *self, const char *name, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *shown = dup_shown (name, strlen (name));
  g_autofree char *sentence = NULL;

  for (guint i = 0; i < self->tables->len; i++)
    g_ptr_array_add (names, wire_reader_get_table (self, i)->name);
  g_ptr_array_add (names, NULL);
  sentence =
      roast_suggest_sentence (shown, (const char *const *) names->pdata, "the tables are", "there are no tables");

  return wire_reader_refuse (error, "rows of table “%s” are not accepted here; %s", shown, sentence);
}

static gboolean
take_declaration (RoastWireReader *self, const Members *members, const char *end, GError **error)
{
  RoastJsonScan name_scan = { members->table, end, NULL };
  RoastJsonScan columns_scan = { members->columns, end, NULL };
  g_autofree char *name = wire_reader_take_name (&name_scan);
  Table *table = wire_reader_find_table (self, name, strlen (name), &self->table);

  if (table == NULL)
    return refuse_table (self, name, error);
  if (members->columns == NULL)
    return wire_reader_refuse (error, "the declaration of table “%s” has no array “columns”", name);

  return wire_reader_bind (table, &columns_scan, error);
}

/* ---- rows ---- */

static void
take_text (RoastWireValue *value, char *begin, const char *end, gboolean escaped)
{
  value->type = ROAST_WIRE_CELL_STRING;
  value->text = begin;
  value->length = (gsize) (end - begin);
  if (escaped)
    value->length = roast_json_unescape (begin, value->length);
  begin[value->length] = '\0'; /* put the NUL on the closing quote, or before it if the text has escapes */
}

static gboolean
scan_number (RoastJsonScan *scan, RoastWireValue *value)
{
  RoastJsonNumber number;

  if (!roast_json_scan_number (scan, &number))
    return FALSE;
  if (!isfinite (number.real))
    return roast_json_scan_fail (scan, "a number is out of range");
  value->type = number.integer ? ROAST_WIRE_CELL_INT64 : ROAST_WIRE_CELL_DOUBLE;
  if (number.integer)
    value->integer = number.whole;
  else
    value->real = number.real;

  return TRUE;
}

static gboolean
scan_cell (RoastJsonScan *scan, RoastWireValue *value)
{
  char *begin = (char *) scan->at;
  gboolean escaped;

  switch (scan->at < scan->end ? *begin : '\0')
    {
    case '"':
      scan->at++;
      if (!roast_json_scan_string (scan, &escaped))
        return FALSE;
      take_text (value, begin + 1, scan->at - 1, escaped);
      return TRUE;

    case 't':
    case 'f':
    case 'n':
      value->type = *begin == 'n' ? ROAST_WIRE_CELL_MISSING : ROAST_WIRE_CELL_BOOLEAN;
      value->boolean = *begin == 't';
      return roast_json_scan_word (scan);

    case '[':
    case '{':
      return roast_json_scan_fail (scan, "a cell cannot hold an array or object");

    default:
      return scan_number (scan, value);
    }
}

static gboolean
scan_cells (RoastWireReader *self, RoastJsonScan *scan, const Table *table)
{
  RoastWireValue *values = (RoastWireValue *) (gpointer) self->values->data;

  memset (values, 0, table->n_slots * sizeof *values);
  for (guint i = 0; roast_json_scan_take (scan, ','); i++)
    {
      if (i == table->n_cells)
        return roast_json_scan_fail (scan, "the row has more cells than declared columns");
      roast_json_scan_space (scan);
      if (!scan_cell (scan, &values[table->slots[i]]))
        {
          self->bad_slot = table->slots[i];
          return FALSE;
        }
      roast_json_scan_space (scan);
    }
  if (!roast_json_scan_take (scan, ']'))
    return roast_json_scan_fail (scan, scan->at == scan->end ? "not JSON: the text ends too early" : "not JSON");

  return roast_json_scan_end (scan);
}

/* Read a row, from after the opening quote of the table's name. */
static gboolean
wire_reader_take_row (RoastWireReader *self, RoastJsonScan *scan, GError **error)
{
  RoastWireValue name = { 0 };
  char *begin = (char *) scan->at;
  gboolean escaped;
  Table *table = NULL;

  if (!roast_json_scan_string (scan, &escaped))
    return wire_reader_refuse (error, "%s", scan->fault);
  take_text (&name, begin, scan->at - 1, escaped);
  table = wire_reader_find_table (self, name.text, name.length, &self->table);
  if (table == NULL || !table->declared)
    {
      g_autofree char *shown = dup_shown (name.text, name.length);

      return wire_reader_refuse (error, "a row belongs to table “%s”, which no earlier line declares", shown);
    }
  roast_json_scan_space (scan);

  if (scan_cells (self, scan, table))
    return TRUE;
  if (self->bad_slot != G_MAXUINT)
    return wire_reader_refuse (error, "column “%s” of table “%s”: %s", table->names[self->bad_slot], table->name,
                               scan->fault);

  return wire_reader_refuse (error, "invalid row of table “%s”: %s", table->name, scan->fault);
}

/* ---- lines ---- */

static gboolean
wire_reader_take_object (RoastWireReader *self, RoastJsonScan *scan, GError **error)
{
  Members members = { 0 };

  if (!scan_object (self, scan, &members))
    return wire_reader_refuse (error, "%s", scan->fault);
  if (members.message || members.table == NULL)
    return TRUE;
  self->type = ROAST_WIRE_LINE_DECLARATION;

  return take_declaration (self, &members, scan->end, error);
}

static gboolean
wire_reader_take_line (RoastWireReader *self, char *line, gsize length, GError **error)
{
  RoastJsonScan scan = { line, line + length, NULL };
  RoastJsonScan row = scan;

  roast_json_scan_space (&scan);
  if (scan.at < scan.end && *scan.at == '{')
    return wire_reader_take_object (self, &scan, error);
  row = scan;
  if (roast_json_scan_take (&row, '['))
    {
      roast_json_scan_space (&row);
      if (roast_json_scan_take (&row, '"'))
        {
          self->type = ROAST_WIRE_LINE_ROW;
          return wire_reader_take_row (self, &row, error);
        }
    }

  return (roast_json_scan_value (&scan, self->max_depth) && roast_json_scan_end (&scan)) ||
         wire_reader_refuse (error, "%s", scan.fault);
}

/**
 * roast_wire_reader_read: (skip)
 * @self: a reader
 * @line: a line, without its line feed; overwritten if it is a row
 * @length: length of the line in bytes
 * @error: return location for an error
 *
 * Reads a line. The line must be one JSON value (RFC 8259) in UTF-8, within the limits of the reader. Integers must fit
 * in 64 bits. The table of a row must have been declared.
 *
 * All texts that the reader returns for this line are parts of @line. They are valid until @line is changed or freed.
 *
 * Fails with %ROAST_BACKEND_ERROR_PROTOCOL. The reader can still read the next line.
 *
 * Returns: whether the line is good
 *
 * Since: 0.9
 */
gboolean
roast_wire_reader_read (RoastWireReader *self, char *line, gsize length, GError **error)
{
  g_return_val_if_fail (ROAST_IS_WIRE_READER (self), FALSE);
  g_return_val_if_fail (line != NULL, FALSE);

  self->type = ROAST_WIRE_LINE_MESSAGE;
  self->line = line;
  self->length = length;
  self->bad_slot = G_MAXUINT;
  if (length > self->max_line)
    return wire_reader_refuse (error, "a line is longer than %" G_GSIZE_FORMAT " KiB", self->max_line / 1024);

  if (wire_reader_take_line (self, line, length, error))
    return TRUE;
  self->type = ROAST_WIRE_LINE_MESSAGE;
  self->bad_slot = G_MAXUINT;

  return FALSE;
}

/**
 * roast_wire_reader_get_line_type:
 * @self: a reader
 *
 * Gets the type of the last line.
 *
 * Returns: the type
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (WireReader, WIRE_READER, RoastWireLine, roast_wire_reader_get_line_type, ROAST_WIRE_LINE_MESSAGE,
                     self->type)

/**
 * roast_wire_reader_get_line:
 * @self: a reader
 * @length: (out): length of the line in bytes
 *
 * Gets the last line. A message is valid JSON, which a parser can read. The line need not end with NUL.
 *
 * Returns: (transfer none) (array length=length) (element-type guint8): the line
 *
 * Since: 0.9
 */
const char *
roast_wire_reader_get_line (RoastWireReader *self, gsize *length)
{
  g_return_val_if_fail (ROAST_IS_WIRE_READER (self), NULL);
  g_return_val_if_fail (length != NULL, NULL);

  *length = self->length;

  return self->line;
}

/**
 * roast_wire_reader_get_table:
 * @self: a reader
 *
 * Gets the table of the last line, which must be a declaration or a row.
 *
 * Returns: the number of the table, from [method@Roast.WireReader.add_table]
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (WireReader, WIRE_READER, guint, roast_wire_reader_get_table, 0, self->table)

/**
 * roast_wire_reader_get_table_name:
 * @self: a reader
 *
 * Gets the name of the table of the last line, which must be a declaration or a row.
 *
 * Returns: (transfer none): the name
 *
 * Since: 0.9
 */
const char *
roast_wire_reader_get_table_name (RoastWireReader *self)
{
  g_return_val_if_fail (ROAST_IS_WIRE_READER (self), NULL);
  g_return_val_if_fail (self->table < self->tables->len, NULL);

  return wire_reader_get_table (self, self->table)->name;
}

/**
 * roast_wire_reader_get_columns:
 * @self: a reader
 *
 * Gets the names of the columns, by slot, of the table of the last line. The line must be a declaration or a row.
 *
 * Returns: (transfer none) (array zero-terminated=1): names of columns
 *
 * Since: 0.9
 */
const char *const *
roast_wire_reader_get_columns (RoastWireReader *self)
{
  g_return_val_if_fail (ROAST_IS_WIRE_READER (self), NULL);
  g_return_val_if_fail (self->table < self->tables->len, NULL);

  return (const char *const *) wire_reader_get_table (self, self->table)->names;
}

/* ---- cells ---- */

const RoastWireValue *
roast_wire_reader_peek_values (RoastWireReader *self)
{
  return (const RoastWireValue *) (gconstpointer) self->values->data;
}

double
roast_wire_value_get_number (const RoastWireValue *self)
{
  return self->type == ROAST_WIRE_CELL_INT64    ? (double) self->integer
         : self->type == ROAST_WIRE_CELL_DOUBLE ? self->real
                                                : NAN;
}

gboolean
roast_wire_value_get_integer (const RoastWireValue *self, gint64 *integer)
{
  if (self->type == ROAST_WIRE_CELL_INT64)
    *integer = self->integer;
  else if (self->type == ROAST_WIRE_CELL_DOUBLE && fabs (self->real) <= ROAST_MAX_EXACT &&
           self->real == floor (self->real))
    *integer = (gint64) self->real;
  else
    return FALSE;

  return TRUE;
}

static const RoastWireValue *
wire_reader_get_value (RoastWireReader *self, guint slot)
{
  static const RoastWireValue missing = { ROAST_WIRE_CELL_MISSING };

  g_return_val_if_fail (ROAST_IS_WIRE_READER (self), &missing);
  g_return_val_if_fail (self->type == ROAST_WIRE_LINE_ROW, &missing);
  g_return_val_if_fail (slot < wire_reader_get_table (self, self->table)->n_slots, &missing);

  return &g_array_index (self->values, RoastWireValue, slot);
}

/* Remember the first cell that was requested as a wrong type, and the requested type. */
static void
note_bad (RoastWireReader *self, guint slot, const char *wanted)
{
  if (self->bad_slot != G_MAXUINT)
    return;
  self->bad_slot = slot;
  self->wanted = wanted;
}

/**
 * roast_wire_reader_get_cell_type:
 * @self: a reader that read a row
 * @slot: a slot
 *
 * Gets the type of a cell.
 *
 * Returns: the type
 *
 * Since: 0.9
 */
RoastWireCell
roast_wire_reader_get_cell_type (RoastWireReader *self, guint slot)
{
  return wire_reader_get_value (self, slot)->type;
}

/**
 * roast_wire_reader_has:
 * @self: a reader that read a row
 * @slot: a slot
 *
 * Checks whether a cell has a value.
 *
 * Returns: %TRUE if the cell has a value; %FALSE if the cell is missing
 *
 * Since: 0.9
 */
gboolean
roast_wire_reader_has (RoastWireReader *self, guint slot)
{
  return wire_reader_get_value (self, slot)->type != ROAST_WIRE_CELL_MISSING;
}

/**
 * roast_wire_reader_get_int64:
 * @self: a reader that read a row
 * @slot: a slot
 * @missing: the value to return if the cell is missing or not an integer
 *
 * Gets a cell as an integer. An integer up to 2^53 may also be written with a decimal point or an exponent.
 *
 * Returns: the value
 *
 * Since: 0.9
 */
gint64
roast_wire_reader_get_int64 (RoastWireReader *self, guint slot, gint64 missing)
{
  const RoastWireValue *value = wire_reader_get_value (self, slot);

  gint64 integer = missing;

  if (!roast_wire_value_get_integer (value, &integer) && value->type != ROAST_WIRE_CELL_MISSING)
    note_bad (self, slot, "the cell must be an integer");

  return integer;
}

/**
 * roast_wire_reader_get_count:
 * @self: a reader that read a row
 * @slot: a slot
 *
 * Gets a cell as a count or a time: an integer that is not negative.
 *
 * Returns: the value; -1 if the cell is missing, negative or not an integer
 *
 * Since: 0.9
 */
gint64
roast_wire_reader_get_count (RoastWireReader *self, guint slot)
{
  gint64 count = roast_wire_reader_get_int64 (self, slot, -1);

  if (count < 0 && roast_wire_reader_has (self, slot))
    note_bad (self, slot, "the cell must be an integer that is not negative");

  return MAX (count, -1);
}

/**
 * roast_wire_reader_get_double:
 * @self: a reader that read a row
 * @slot: a slot
 *
 * Gets a cell as a number.
 *
 * Returns: the value; NaN if the cell is missing or not a number
 *
 * Since: 0.9
 */
double
roast_wire_reader_get_double (RoastWireReader *self, guint slot)
{
  const RoastWireValue *value = wire_reader_get_value (self, slot);

  if (value->type == ROAST_WIRE_CELL_DOUBLE)
    return value->real;
  if (value->type == ROAST_WIRE_CELL_INT64)
    return (double) value->integer;
  if (value->type != ROAST_WIRE_CELL_MISSING)
    note_bad (self, slot, "the cell must be a number");

  return NAN;
}

/**
 * roast_wire_reader_get_boolean:
 * @self: a reader that read a row
 * @slot: a slot
 *
 * Gets a cell as a boolean.
 *
 * Returns: the value; %FALSE if the cell is missing or not a boolean
 *
 * Since: 0.9
 */
gboolean
roast_wire_reader_get_boolean (RoastWireReader *self, guint slot)
{
  const RoastWireValue *value = wire_reader_get_value (self, slot);

  if (value->type == ROAST_WIRE_CELL_BOOLEAN)
    return value->boolean;
  if (value->type != ROAST_WIRE_CELL_MISSING)
    note_bad (self, slot, "the cell must be a boolean");

  return FALSE;
}

/**
 * roast_wire_reader_get_string:
 * @self: a reader that read a row
 * @slot: a slot
 *
 * Gets a cell as text.
 *
 * Returns: (transfer none) (nullable): the text, which is a part of the line; %NULL if the cell is missing or not text
 *
 * Since: 0.9
 */
const char *
roast_wire_reader_get_string (RoastWireReader *self, guint slot)
{
  const RoastWireValue *value = wire_reader_get_value (self, slot);

  if (value->type == ROAST_WIRE_CELL_STRING)
    return value->text;
  if (value->type != ROAST_WIRE_CELL_MISSING)
    note_bad (self, slot, "the cell must be text");

  return NULL;
}

/**
 * roast_wire_reader_check_row:
 * @self: a reader
 * @error: return location for an error
 *
 * Checks that each cell that was read from this row was missing or had the requested type. A line that is not a row
 * passes the check.
 *
 * Fails with %ROAST_BACKEND_ERROR_PROTOCOL; the message names the table and the first wrong column.
 *
 * Returns: whether the row passes
 *
 * Since: 0.9
 */
gboolean
roast_wire_reader_check_row (RoastWireReader *self, GError **error)
{
  g_return_val_if_fail (ROAST_IS_WIRE_READER (self), FALSE);

  if (self->bad_slot == G_MAXUINT)
    return TRUE;

  return wire_reader_refuse (error, "column “%s” of table “%s”: %s",
                             wire_reader_get_table (self, self->table)->names[self->bad_slot],
                             wire_reader_get_table (self, self->table)->name, self->wanted);
}
