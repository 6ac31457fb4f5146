/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-table-writer-private.h"

#include <math.h>
#include <string.h>

#include "base/roast-suggest-private.h"
#include "base/roast-type-private.h"
#include "base/roast-variant-private.h"
#include "roast-column-private.h"
#include "roast-schema-private.h"
#include "roast-table-info-private.h"
#include "roast-vocabulary-private.h"
#include "roast/roast-error.h"

/**
 * RoastTableWriter:
 *
 * Writes rows of one table, for backends and aggregators.
 *
 * A writer is bound once to a list of columns. After that, a column is identified by its slot: its position in this
 * list. The enums that `roast-schema` generates from a schema name the slots:
 *
 * ```c
 * g_autoptr (RoastTableWriter) writer =
 *     roast_recording_write_table (recording, ROAST_TABLE_WORKERS, source, roast_workers_columns, &error);
 *
 * roast_table_writer_set_string (writer, ROAST_WORKERS_WORKER, "w-1");
 * roast_table_writer_set_double (writer, ROAST_WORKERS_CORES, 4);
 * roast_table_writer_end (writer, NULL);
 * ```
 *
 * Cells that are not set are missing, which is not the same as 0. If the table cannot hold a row, the whole row is
 * refused when it ends. The caller gets an error. The recording counts refused rows and reports the first refused row
 * as an event.
 *
 * In an entity table [method@Roast.TableWriter.end] adds a row, or completes the open row with the same key.
 * [method@Roast.TableWriter.close] also closes the row. A closed row never changes, so close a row only when all its
 * data have been written.
 *
 * Only one thread at a time may use a writer. Several writers may write the same table at the same time.
 *
 * Since: 0.9
 */

#define RECENT_BITS 6      /* log2 of the initial number of cached texts */
#define MAX_RECENT_BITS 16 /* log2 of the maximum number of cached texts */
#define MAX_MISSES 4       /* the cache doubles after more misses than this times its size */
#define TEXT_ROOM 256      /* size in bytes of the buffer for the strings of one row */

/* Pairs of columns with times. In each row, the time in @later must not be before the time in @earlier, minus @slack: a
 * tolerance for times from two clocks. */
static const struct
{
  const char *earlier, *later;
  gint64 slack;
} orders[] = {
  { "started", "ended", 0 },
  { "joined", "left", 0 },
  { "submitted", "started", G_TIME_SPAN_SECOND },
};
#define N_ORDERS G_N_ELEMENTS (orders)

/* A category text that was written, and its code. */
typedef struct
{
  char *text;
  gsize length;
  gint32 code;
} RecentText;

typedef struct
{
  guint column;
  RoastColumnType type;
  RoastVocabulary *vocabulary; /* words of the column, owned by the column */
  GArray *codes;               /* code of each vocabulary word, of gint32; -1 if the code is not known yet */
  RecentText *recent;          /* cache of category texts, which often repeat, indexed by hash; NULL before the first */
  guint recent_bits;
  guint n_misses;     /* number of cache misses since the cache got its current size */
  double least, most; /* least and greatest possible value */
} WriterSlot;

struct _RoastTableWriter
{
  GObject parent_instance;

  RoastTable *table;
  RoastTableInfo *info;
  char *plugin;
  GObject *owner;
  RoastRefusedFunc refused;

  WriterSlot *slots;
  guint n_slots;
  int *slot_of_cell; /* for each slot, the index of its cell in cells; -1 if the cell is missing */
  RoastRowCell *cells;
  guint n_cells;
  char room[TEXT_ROOM]; /* buffer for the strings of the current row */
  gsize room_used;
  GPtrArray *texts; /* strings that do not fit into room */
  RoastRowCell source;
  gboolean has_source;
  int orders[N_ORDERS][2]; /* slots of the earlier and the later column of each pair; -1 for an unbound column */

  guint64 row; /* number of the last written row + 1; 0 if no row was written */
  guint64 selected;
  int bad_slot; /* first slot with a value that the table cannot hold; -1 if there is no such slot */
  char *bad_value;
};

ROAST_DEFINE_TYPE (RoastTableWriter, roast_table_writer)

static void
clear_recent (WriterSlot *slot)
{
  for (guint i = 0; slot->recent != NULL && i < 1u << slot->recent_bits; i++)
    g_free (slot->recent[i].text);
  g_clear_pointer (&slot->recent, g_free);
}

static void
roast_table_writer_release (RoastTableWriter *self)
{
  for (guint i = 0; i < self->n_slots; i++)
    {
      g_clear_pointer (&self->slots[i].codes, g_array_unref);
      clear_recent (&self->slots[i]);
    }
  g_free (self->slots);
  g_free (self->slot_of_cell);
  g_free (self->cells);
  g_ptr_array_unref (self->texts);
  g_free (self->bad_value);
  g_free (self->plugin);
  g_clear_object (&self->info);
  g_clear_object (&self->table);
  g_clear_object (&self->owner);
}

static void
roast_table_writer_init (RoastTableWriter *self)
{
  self->texts = g_ptr_array_new_with_free_func (g_free);
  self->bad_slot = -1;
}

/* ---- errors ---- */

static char *
name_plugin (RoastTableWriter *self)
{
  return self->plugin != NULL ? g_strdup_printf (" (plugin %s)", self->plugin) : g_strdup ("");
}

static void
report (RoastTableWriter *self, const char *column, const GError *error)
{
  if (self->refused != NULL)
    self->refused (self->owner, self->plugin, roast_table_info_get_name (self->info), column, TRUE, error);
}

static const char *
column_name (RoastTableWriter *self, guint slot)
{
  return roast_column_get_name (roast_table_info_get_column (self->info, self->slots[slot].column));
}

/* Make an error about an impossible value. The message of the error ends with the name of the plugin. */
static GError *
make_impossible (RoastTableWriter *self, guint slot, const char *fault)
{
  g_autofree char *plugin = name_plugin (self);

  return g_error_new (ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_TYPE,
                      "column “%s” of table “%s”: %s; roast leaves this value out%s", column_name (self, slot),
                      roast_table_info_get_name (self->info), fault, plugin);
}

/* Refuse the row that is being written. */
static gboolean
writer_refuse (RoastTableWriter *self, const char *column, GError *reason, GError **error)
{
  g_autofree char *message = reason->message;
  g_autofree char *plugin = name_plugin (self);

  reason->message = g_strconcat (message, plugin, NULL);
  report (self, column, reason);
  roast_table_writer_clear (self);
  self->row = 0;
  g_propagate_error (error, reason);

  return FALSE;
}

static gboolean
is_measured_by_core (RoastTableWriter *self, RoastColumn *column)
{
  return roast_table_info_get_origin (self->info) == ROAST_TABLE_ORIGIN_MEASURED &&
         g_strcmp0 (roast_column_get_declared_by (column), ROAST_SCHEMA_ORIGIN_CORE) == 0;
}

/* Return the slot of the column @name if it is a column of times, otherwise -1. Only columns of times have an upper
 * limit. */
static int
find_time (RoastTableWriter *self, const char *name)
{
  for (guint i = 0; i < self->n_slots; i++)
    if (isfinite (self->slots[i].most) && g_str_equal (column_name (self, i), name))
      return (int) i;

  return -1;
}

/* Set the limits of a column's values. Only columns that roast itself declares with a unit have limits, because values
 * of plugins' columns may be negative. */
static void
set_limits (RoastTableWriter *self, WriterSlot *slot, RoastColumn *column)
{
  const char *unit = roast_column_get_unit (column);

  slot->least = -INFINITY;
  slot->most = INFINITY;
  if (unit == NULL || !is_measured_by_core (self, column))
    return;
  if (g_str_equal (unit, "us"))
    slot->most = (double) (g_get_real_time () + ROAST_TIME_AHEAD);
  else if (!roast_column_may_be_negative (column))
    slot->least = 0;
}

static gboolean
writer_bind (RoastTableWriter *self, const char *const *columns, GError **error)
{
  for (guint i = 0; i < self->n_slots; i++)
    {
      WriterSlot *slot = &self->slots[i];
      RoastColumn *column = NULL;
      guint index = i;

      if (columns != NULL && !roast_table_info_find_near (self->info, columns[i], &index))
        {
          g_autofree char *known = roast_suggest_sentence (columns[i], roast_table_info_get_column_names (self->info),
                                                           "the columns are", "the table has no columns");
          g_autofree char *plugin = name_plugin (self);
          GError *local =
              g_error_new (ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_COLUMN, "table “%s” has no column “%s”%s; %s",
                           roast_table_info_get_name (self->info), columns[i], plugin, known);

          report (self, columns[i], local);
          g_propagate_error (error, local);
          return FALSE;
        }
      column = roast_table_info_get_column (self->info, index);
      slot->column = index;
      slot->type = roast_column_get_column_type (column);
      slot->vocabulary = roast_column_get_vocabulary (column);
      set_limits (self, slot, column);
    }
  for (guint i = 0; i < N_ORDERS; i++)
    {
      self->orders[i][0] = find_time (self, orders[i].earlier);
      self->orders[i][1] = find_time (self, orders[i].later);
    }

  return TRUE;
}

RoastTableWriter *
roast_table_writer_new (RoastTable *table, const char *source, const char *plugin, const char *const *columns,
                        GObject *owner, RoastRefusedFunc refused, GError **error)
{
  g_autoptr (RoastTableWriter) self = g_object_new (ROAST_TYPE_TABLE_WRITER, NULL);
  guint column;

  self->table = g_object_ref (table);
  self->info = g_object_ref (roast_table_get_info (table));
  self->plugin = g_strdup (plugin);
  self->owner = owner != NULL ? g_object_ref (owner) : NULL;
  self->refused = refused;
  self->n_slots = columns != NULL ? g_strv_length ((char **) columns) : roast_table_info_get_n_columns (self->info);
  self->slots = g_new0 (WriterSlot, self->n_slots);
  self->slot_of_cell = g_new (int, self->n_slots);
  self->cells = g_new0 (RoastRowCell, self->n_slots + 1);
  for (guint i = 0; i < self->n_slots; i++)
    self->slot_of_cell[i] = -1;
  if (!writer_bind (self, columns, error))
    return NULL;
  if (source != NULL)
    roast_table_refuse_repeated (table);
  if (source != NULL && roast_table_info_find_column (self->info, "source", &column))
    {
      self->has_source = TRUE;
      self->source = (RoastRowCell) { .column = column, .type = ROAST_COLUMN_TYPE_CATEGORY };
      self->source.cell.code = roast_table_encode (table, column, source);
    }

  return g_steal_pointer (&self);
}

void
roast_table_writer_set_earliest (RoastTableWriter *self, gint64 earliest)
{
  for (guint i = 0; i < self->n_slots; i++)
    if (isfinite (self->slots[i].most))
      self->slots[i].least = (double) earliest;
}

/**
 * roast_table_writer_get_info:
 * @self: a writer
 *
 * Gets the schema's declaration of the table.
 *
 * Returns: (transfer none): the declaration
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (TableWriter, TABLE_WRITER, RoastTableInfo *, roast_table_writer_get_info, NULL, self->info)

/* ---- cells ---- */

static void
refuse_cell (RoastTableWriter *self, guint slot, const char *value)
{
  if (self->bad_slot >= 0)
    return;
  self->bad_slot = (int) slot;
  self->bad_value = g_strdup (value);
}

/* Return the cell of a slot, to be filled with a value. A later value replaces an earlier value. */
static RoastRowCell *
get_cell (RoastTableWriter *self, guint slot)
{
  int at = self->slot_of_cell[slot];

  if (at < 0)
    {
      at = (int) self->n_cells++;
      self->slot_of_cell[slot] = at;
      self->cells[at].column = self->slots[slot].column;
      self->cells[at].type = self->slots[slot].type;
    }

  return &self->cells[at];
}

/* Make the cell of a slot missing again. Move the last element of cells into the free element. */
static void
drop_cell (RoastTableWriter *self, guint slot)
{
  int at = self->slot_of_cell[slot];

  if (at < 0)
    return;
  self->n_cells--;
  self->cells[at] = self->cells[self->n_cells];
  self->slot_of_cell[slot] = -1;
  for (guint i = 0; i < self->n_slots; i++)
    if (self->slot_of_cell[i] == (int) self->n_cells)
      self->slot_of_cell[i] = at;
}

/* Leave a cell out, and report this cell as an event. The other cells of the row are kept. */
static void
leave_out (RoastTableWriter *self, guint slot, const char *fault)
{
  g_autoptr (GError) error = make_impossible (self, slot, fault);

  drop_cell (self, slot);
  if (self->refused != NULL)
    self->refused (self->owner, self->plugin, roast_table_info_get_name (self->info), column_name (self, slot), FALSE,
                   error);
}

static gboolean
is_possible (RoastTableWriter *self, guint slot, double value)
{
  if (G_LIKELY (value >= self->slots[slot].least && value <= self->slots[slot].most))
    return TRUE;
  if (value > self->slots[slot].most)
    leave_out (self, slot, ROAST_TIME_TOO_LATE);
  else if (isfinite (self->slots[slot].most))
    leave_out (self, slot, ROAST_TIME_TOO_EARLY);
  else
    leave_out (self, slot, "the value cannot be negative");

  return FALSE;
}

#define CHECK_SLOT(self, slot)                                                                                         \
  g_return_if_fail (ROAST_IS_TABLE_WRITER (self));                                                                     \
  if (G_UNLIKELY ((slot) >= (self)->n_slots))                                                                          \
    {                                                                                                                  \
      refuse_cell (self, slot, "a cell");                                                                              \
      return;                                                                                                          \
    }

/**
 * roast_table_writer_set_int64:
 * @self: a writer
 * @slot: slot of a column of integers or doubles
 * @value: the value, in the unit of the column
 *
 * Sets a cell of the row that is being written. If the value is impossible, such as a negative duration, the cell is
 * missing, and an event of the recording reports the value.
 *
 * Since: 0.9
 */
void
roast_table_writer_set_int64 (RoastTableWriter *self, guint slot, gint64 value)
{
  CHECK_SLOT (self, slot)

  if (G_UNLIKELY (!is_possible (self, slot, (double) value)))
    return;
  if (self->slots[slot].type == ROAST_COLUMN_TYPE_INT64)
    get_cell (self, slot)->cell.int64 = value;
  else if (self->slots[slot].type == ROAST_COLUMN_TYPE_DOUBLE)
    get_cell (self, slot)->cell.real = (double) value;
  else
    refuse_cell (self, slot, "an integer");
}

/**
 * roast_table_writer_set_count:
 * @self: a writer
 * @slot: slot of a column of integers or doubles
 * @value: the value, in the unit of the column; negative if unknown
 *
 * Sets a cell of the row that is being written. If @value is negative, the call does nothing, so that the cell stays
 * missing.
 *
 * Since: 0.9
 */
void
roast_table_writer_set_count (RoastTableWriter *self, guint slot, gint64 value)
{
  if (value >= 0)
    roast_table_writer_set_int64 (self, slot, value);
}

/**
 * roast_table_writer_set_double:
 * @self: a writer
 * @slot: slot of a column of doubles
 * @value: the value, in the unit of the column; if it is NaN, the cell is missing
 *
 * Sets a cell of the row that is being written. An infinite value is impossible: the cell is missing, and an event
 * tells the reader of the report.
 *
 * Since: 0.9
 */
void
roast_table_writer_set_double (RoastTableWriter *self, guint slot, double value)
{
  CHECK_SLOT (self, slot)

  if (self->slots[slot].type != ROAST_COLUMN_TYPE_DOUBLE)
    refuse_cell (self, slot, "a double");
  else if (isnan (value))
    drop_cell (self, slot);
  else if (isinf (value))
    leave_out (self, slot, "the value cannot be infinite");
  else if (G_LIKELY (is_possible (self, slot, value)))
    get_cell (self, slot)->cell.real = value;
}

/**
 * roast_table_writer_set_boolean:
 * @self: a writer
 * @slot: slot of a column of booleans
 * @value: the value
 *
 * Sets a cell of the row that is being written.
 *
 * Since: 0.9
 */
void
roast_table_writer_set_boolean (RoastTableWriter *self, guint slot, gboolean value)
{
  CHECK_SLOT (self, slot)

  if (self->slots[slot].type == ROAST_COLUMN_TYPE_BOOLEAN)
    get_cell (self, slot)->cell.boolean = value != FALSE;
  else
    refuse_cell (self, slot, "a boolean");
}

static gboolean
is_allowed (RoastTableWriter *self, guint slot, const char *text)
{
  RoastVocabulary *vocabulary = self->slots[slot].vocabulary;
  g_autofree char *words = NULL;
  g_autofree char *value = NULL;

  if (vocabulary == NULL || !roast_vocabulary_is_closed (vocabulary) || roast_vocabulary_find (vocabulary, text, NULL))
    return TRUE;
  words = roast_vocabulary_dup_words (vocabulary);
  value = g_strdup_printf ("“%s”, which is not a word of the vocabulary “%s”: write one of %s", text,
                           roast_vocabulary_get_name (vocabulary), words);
  refuse_cell (self, slot, value);

  return FALSE;
}

/* Find the cache element for a text. The hash is computed from the length and the end of the text, because many texts
 * begin alike. */
static RecentText *
find_recent (WriterSlot *slot, const char *text, gsize length)
{
  guint64 hash = 0;

  if (G_UNLIKELY (slot->recent == NULL))
    {
      slot->recent_bits = slot->recent_bits > 0 ? slot->recent_bits + 1 : RECENT_BITS;
      slot->recent = g_new0 (RecentText, (gsize) 1 << slot->recent_bits);
      slot->n_misses = 0;
    }
  if (length >= sizeof hash)
    memcpy (&hash, text + length - sizeof hash, sizeof hash);
  else
    memcpy (&hash, text, length);
  hash = (hash ^ length) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15); /* 2^64 / golden ratio */

  return &slot->recent[hash >> (64 - slot->recent_bits)];
}

/* Double the cache after many misses, because rows of thousands of workers in turn need a cache of thousands of
 * texts. */
static void
count_miss (WriterSlot *slot)
{
  slot->n_misses++;
  if (slot->n_misses > (guint) MAX_MISSES << slot->recent_bits && slot->recent_bits < MAX_RECENT_BITS)
    clear_recent (slot);
}

static void
set_category (RoastTableWriter *self, guint index, const char *text, gsize length)
{
  WriterSlot *slot = &self->slots[index];
  RecentText *recent = find_recent (slot, text, length);
  gboolean is_missing = recent->text == NULL || recent->length != length || memcmp (recent->text, text, length) != 0;

  if (G_UNLIKELY (is_missing))
    {
      g_autofree char *valid = g_utf8_make_valid (text, (gssize) length);

      if (!is_allowed (self, index, valid))
        return;
      g_free (recent->text);
      *recent =
          (RecentText) { g_strndup (text, length), length, roast_table_encode (self->table, slot->column, valid) };
    }
  get_cell (self, index)->cell.code = recent->code;
  if (G_UNLIKELY (is_missing))
    count_miss (slot);
}

/* Copy a text as valid UTF-8. The copy lives until the row ends. */
static const char *
keep_text (RoastTableWriter *self, const char *text, gsize length)
{
  char *copy = NULL;

  if (G_LIKELY (length < sizeof self->room - self->room_used && g_utf8_validate_len (text, length, NULL)))
    {
      copy = memcpy (self->room + self->room_used, text, length);
      copy[length] = '\0';
      self->room_used += length + 1;
      return copy;
    }
  copy = g_utf8_make_valid (text, (gssize) length);
  g_ptr_array_add (self->texts, copy);

  return copy;
}

/**
 * roast_table_writer_set_text:
 * @self: a writer
 * @slot: slot of a column of strings or categories
 * @text: (array length=length) (element-type guint8): the text, which need not end in a zero byte
 * @length: length of the text in bytes
 *
 * Sets a cell of the row that is being written. Bytes that are not UTF-8 are replaced.
 *
 * Since: 0.9
 */
void
roast_table_writer_set_text (RoastTableWriter *self, guint slot, const char *text, gsize length)
{
  CHECK_SLOT (self, slot)

  if (self->slots[slot].type == ROAST_COLUMN_TYPE_CATEGORY)
    set_category (self, slot, text, length);
  else if (self->slots[slot].type == ROAST_COLUMN_TYPE_STRING)
    get_cell (self, slot)->cell.string = keep_text (self, text, length);
  else
    refuse_cell (self, slot, "a string");
}

/**
 * roast_table_writer_set_string:
 * @self: a writer
 * @slot: slot of a column of strings or categories
 * @value: (nullable): the text; %NULL makes the cell missing
 *
 * Sets a cell of the row that is being written. Bytes that are not UTF-8 are replaced.
 *
 * Since: 0.9
 */
void
roast_table_writer_set_string (RoastTableWriter *self, guint slot, const char *value)
{
  CHECK_SLOT (self, slot)

  if (value != NULL)
    roast_table_writer_set_text (self, slot, value, strlen (value));
  else if (self->slots[slot].type != ROAST_COLUMN_TYPE_STRING && self->slots[slot].type != ROAST_COLUMN_TYPE_CATEGORY)
    refuse_cell (self, slot, "a string");
  else
    drop_cell (self, slot);
}

/**
 * roast_table_writer_set_word:
 * @self: a writer
 * @slot: slot of a column that has a vocabulary
 * @word: number of a word, a value of the generated enums
 *
 * Sets a cell of the row that is being written.
 *
 * Since: 0.9
 */
void
roast_table_writer_set_word (RoastTableWriter *self, guint slot, guint word)
{
  WriterSlot *bound = NULL;
  gint32 *code = NULL;

  CHECK_SLOT (self, slot)

  bound = &self->slots[slot];
  if (bound->vocabulary == NULL || word >= roast_vocabulary_get_n_words (bound->vocabulary))
    {
      refuse_cell (self, slot, "a word number that is not in the vocabulary");
      return;
    }
  if (bound->codes == NULL)
    bound->codes = g_array_new (FALSE, FALSE, sizeof (gint32));
  while (bound->codes->len <= word)
    g_array_append_val (bound->codes, (gint32) { -1 });
  code = &g_array_index (bound->codes, gint32, word);
  if (*code < 0)
    *code = roast_table_encode (self->table, bound->column, roast_vocabulary_get_word (bound->vocabulary, word));
  get_cell (self, slot)->cell.code = *code;
}

/**
 * roast_table_writer_set_variant:
 * @self: a writer
 * @slot: slot of a column
 * @value: a number, a boolean or a string
 *
 * Sets a cell of the row that is being written, for languages with dynamic types. A column of doubles takes integers as
 * well. @value is consumed if it is floating.
 *
 * Since: 0.9
 */
void
roast_table_writer_set_variant (RoastTableWriter *self, guint slot, GVariant *value)
{
  g_autoptr (GVariant) owned = NULL;
  gint64 integer = 0;

  g_return_if_fail (value != NULL);

  owned = g_variant_ref_sink (value);
  CHECK_SLOT (self, slot)
  if (roast_variant_get_integer (owned, &integer))
    roast_table_writer_set_int64 (self, slot, integer);
  else if (g_variant_is_of_type (owned, G_VARIANT_TYPE_UINT64) && self->slots[slot].type == ROAST_COLUMN_TYPE_DOUBLE)
    roast_table_writer_set_double (self, slot, (double) g_variant_get_uint64 (owned));
  else if (g_variant_is_of_type (owned, G_VARIANT_TYPE_UINT64))
    refuse_cell (self, slot, "an integer of more than 63 bits");
  else if (g_variant_is_of_type (owned, G_VARIANT_TYPE_DOUBLE) && !isfinite (g_variant_get_double (owned)))
    leave_out (self, slot, "the value cannot be infinite or NaN");
  else if (g_variant_is_of_type (owned, G_VARIANT_TYPE_DOUBLE))
    roast_table_writer_set_double (self, slot, g_variant_get_double (owned));
  else if (g_variant_is_of_type (owned, G_VARIANT_TYPE_BOOLEAN))
    roast_table_writer_set_boolean (self, slot, g_variant_get_boolean (owned));
  else if (g_variant_is_of_type (owned, G_VARIANT_TYPE_STRING))
    roast_table_writer_set_string (self, slot, g_variant_get_string (owned, NULL));
  else
    refuse_cell (self, slot, g_variant_get_type_string (owned));
}

/* ---- rows ---- */

/**
 * roast_table_writer_clear:
 * @self: a writer
 *
 * Discards the cells that were set since the last row.
 *
 * Since: 0.9
 */
void
roast_table_writer_clear (RoastTableWriter *self)
{
  g_return_if_fail (ROAST_IS_TABLE_WRITER (self));

  memset (self->slot_of_cell, 0xff, self->n_slots * sizeof *self->slot_of_cell); /* sets all elements to -1 */
  self->n_cells = 0;
  self->room_used = 0;
  self->selected = 0;
  self->bad_slot = -1;
  g_clear_pointer (&self->bad_value, g_free);
  if (self->texts->len > 0)
    g_ptr_array_set_size (self->texts, 0);
}

static gboolean
refuse_bad_cell (RoastTableWriter *self, GError **error)
{
  const char *table = roast_table_info_get_name (self->info);
  guint slot = (guint) self->bad_slot;

  if (slot >= self->n_slots)
    return writer_refuse (self, NULL,
                          g_error_new (ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_COLUMN,
                                       "table “%s”: slot %u was set, but the writer has %u columns", table, slot,
                                       self->n_slots),
                          error);

  return writer_refuse (self, column_name (self, slot),
                        g_error_new (ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_TYPE,
                                     "column “%s” of table “%s” cannot hold %s", column_name (self, slot), table,
                                     self->bad_value),
                        error);
}

/* If the two times of a pair contradict each other, leave out both times, because it is unknown which time is wrong. If
 * the pair has a slack, which means that its times are from two clocks, keep the time in the column @later, which is a
 * start. */
static void
check_orders (RoastTableWriter *self)
{
  for (guint i = 0; i < N_ORDERS; i++)
    {
      int earlier = self->orders[i][0] >= 0 ? self->slot_of_cell[self->orders[i][0]] : -1;
      int later = self->orders[i][1] >= 0 ? self->slot_of_cell[self->orders[i][1]] : -1;
      g_autofree char *fault = NULL;

      if (G_LIKELY (earlier < 0 || later < 0 ||
                    self->cells[later].cell.int64 >= self->cells[earlier].cell.int64 - orders[i].slack))
        continue;
      fault = g_strdup_printf ("the time cannot be after “%s”", orders[i].later);
      leave_out (self, (guint) self->orders[i][0], fault);
      if (orders[i].slack == 0)
        drop_cell (self, (guint) self->orders[i][1]);
    }
}

static gboolean
finish_row (RoastTableWriter *self, gboolean close, GError **error)
{
  GError *local = NULL;
  const char *column = NULL;
  RoastRowCell *cells = self->cells;
  guint n_cells = 0;
  gboolean ok = FALSE;

  if (G_UNLIKELY (self->bad_slot >= 0))
    return refuse_bad_cell (self, error);
  check_orders (self);
  n_cells = self->n_cells;
  if (self->has_source && self->selected == 0)
    cells[n_cells++] = self->source;
  ok = roast_table_write (self->table, cells, n_cells, close, &self->selected, &column, &local);
  /* Do not refuse a row after a conflict, because its other cells are in the table. */
  if (G_UNLIKELY (!ok && !g_error_matches (local, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_CONFLICT)))
    return writer_refuse (self, column, local, error);
  self->row = self->selected;
  roast_table_writer_clear (self);
  if (!ok)
    g_propagate_error (error, local);

  return ok;
}

/**
 * roast_table_writer_end:
 * @self: a writer
 * @error: return location for an error
 *
 * Ends the row and adds it to the table. In an entity table, if a row with the same key is open, the cells are added to
 * the open row instead. Cells that are set afterwards belong to the next row, even after an error.
 *
 * If a cell of the open row already has a different value, that value is kept, the other cells are set, and the error
 * is %ROAST_TABLE_ERROR_CONFLICT.
 *
 * Fails with an error of the domain #RoastTableError, which names the table, the column and the plugin. A caller may
 * ignore the error: the recording counts refused rows, and reports them as an event, once per table and column.
 *
 * Returns: %TRUE if the row is in the table
 *
 * Since: 0.9
 */
gboolean
roast_table_writer_end (RoastTableWriter *self, GError **error)
{
  g_return_val_if_fail (ROAST_IS_TABLE_WRITER (self), FALSE);

  return finish_row (self, FALSE, error);
}

/**
 * roast_table_writer_close:
 * @self: a writer
 * @error: return location for an error
 *
 * Ends the row like [method@Roast.TableWriter.end] and closes it. Later writes to the row fail with
 * %ROAST_TABLE_ERROR_CLOSED. If the writer has a source, later rows with the same key fail with this error, too. Rows
 * of a log are always closed.
 *
 * Returns: %TRUE if the row is in the table
 *
 * Since: 0.9
 */
gboolean
roast_table_writer_close (RoastTableWriter *self, GError **error)
{
  g_return_val_if_fail (ROAST_IS_TABLE_WRITER (self), FALSE);

  return finish_row (self, TRUE, error);
}

/**
 * roast_table_writer_get_row:
 * @self: a writer
 *
 * Gets a handle of the last written row, for [method@Roast.TableWriter.select_row].
 *
 * Returns: the handle; 0 if no row was written
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (TableWriter, TABLE_WRITER, guint64, roast_table_writer_get_row, 0, self->row)

/**
 * roast_table_writer_select_row:
 * @self: a writer of an entity table
 * @row: handle of an open row
 *
 * Makes the cells that are set next belong to an earlier row. The key need not be set again.
 *
 * Since: 0.9
 */
void
roast_table_writer_select_row (RoastTableWriter *self, guint64 row)
{
  g_return_if_fail (ROAST_IS_TABLE_WRITER (self));

  self->selected = row;
}
