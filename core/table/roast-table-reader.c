/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-table-reader-private.h"

#include <math.h>
#include <string.h>

#include "base/roast-fail-private.h"
#include "base/roast-suggest-private.h"
#include "base/roast-type-private.h"
#include "roast-block-limits-private.h"
#include "roast-column-private.h"
#include "roast-grouping-private.h"
#include "roast-table-info-private.h"
#include "roast-table-struct-private.h"

/**
 * RoastTableReader:
 *
 * Reads the rows of one table, for aggregators, exporters and applications.
 *
 * A reader is bound once to a list of columns. After that, a column is identified by its slot: its position in this
 * list. The enums that `roast-schema` generates from a schema name the slots:
 *
 * ```c
 * g_autoptr (RoastTableReader) tasks =
 *     roast_recording_snapshot_read_table (recording, ROAST_TABLE_TASKS, roast_tasks_columns, error);
 *
 * while (tasks != NULL && roast_table_reader_next (tasks))
 *   if (roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS) == ROAST_STATUS_FAILED)
 *     g_print ("%s\n", roast_table_reader_get_string (tasks, ROAST_TASKS_TASK));
 * ```
 *
 * The rows that a reader sees never change: they are the rows that the table had when the reader was made. A reader
 * goes through the table block by block, whether the blocks are in memory or in a file. Only one thread at a time may
 * use a reader.
 *
 * Since: 0.9
 */

typedef struct
{
  /* Members for the current block. The column is loaded on first use. */
  const guint8 *validity; /* validity of the cells, one bit per row; NULL if all cells are missing */
  gconstpointer data;
  RoastChunk *late;   /* chunk with only this column, if the column was loaded after the block; otherwise NULL */
  gboolean is_loaded; /* the column was loaded together with the block */
  gboolean is_bound;  /* the members above are set */

  guint column;
  gboolean is_watched; /* whether the watch of the reader asks for missing cells */
  RoastColumnType type;
  GPtrArray *texts; /* texts of a category, indexed by code; owned by the blocks */
  int *words;       /* number of the vocabulary word, indexed by code */
} ReaderSlot;

typedef struct
{
  guint *slots;
  guint n_slots;
  guint range; /* number of possible combinations of codes; 0 if the number is too large, or a column is no category */
  RoastGrouping *grouping; /* numbers the combinations of codes; NULL if the rows are not grouped */
  guint *numbers;          /* number of each row's combination of codes in a block, from 0; unused if range is 0 */
  guint n_numbers;         /* allocated length of numbers */
  guint block; /* number + 1 of the block to which the member numbers belongs; 0 if there is no such block */
} Groups;

struct _RoastTableReader
{
  GObject parent_instance;

  RoastTableSnapshot *blocks;
  RoastTableInfo *info;
  guint64 n_rows;

  ReaderSlot *slots;
  guint n_slots;
  guint *columns; /* buffer for the numbers of the columns to load */

  RoastChunk *chunk; /* current block, loaded with the columns that were used in the previous block; or NULL */
  guint block;       /* number of the current block */
  guint64 first;     /* number of the first row of the current block */
  guint length;      /* number of rows of the current block */
  guint at;          /* position of the current row in the block, + 1; 0 before the first row */

  GArray *limits; /* ranges of columns; a block without a value within a range is skipped */
  Groups groups;
  GArray *visited; /* numbers of the only rows to visit, of guint64; NULL to visit all rows */
  guint next_visited;

  RoastTableReaderWatch watch; /* function to call for columns that lack cells, or NULL */
  GObject *watcher;
};

ROAST_DEFINE_TYPE (RoastTableReader, roast_table_reader)
ROAST_DEFINE_NO_INIT (RoastTableReader, roast_table_reader)

static void
clear_groups (Groups *groups)
{
  g_clear_pointer (&groups->slots, g_free);
  g_clear_pointer (&groups->grouping, roast_grouping_free);
  g_clear_pointer (&groups->numbers, g_free);
  groups->n_numbers = groups->block = 0;
}

static void
roast_table_reader_release (RoastTableReader *self)
{
  for (guint i = 0; i < self->n_slots; i++)
    {
      g_free (self->slots[i].words);
      g_clear_pointer (&self->slots[i].late, roast_chunk_unref);
    }
  g_free (self->slots);
  g_free (self->columns);
  clear_groups (&self->groups);
  g_clear_pointer (&self->limits, g_array_unref);
  g_clear_pointer (&self->visited, g_array_unref);
  g_clear_pointer (&self->chunk, roast_chunk_unref);
  g_clear_object (&self->info);
  g_clear_object (&self->blocks);
  g_clear_object (&self->watcher);
}

static gboolean
reader_bind (RoastTableReader *self, const char *const *columns, GError **error)
{
  for (guint i = 0; i < self->n_slots; i++)
    {
      ReaderSlot *slot = &self->slots[i];
      guint column = i;

      if (columns != NULL && !roast_table_info_find_near (self->info, columns[i], &column))
        {
          g_autofree char *known = roast_suggest_sentence (columns[i], roast_table_info_get_column_names (self->info),
                                                           "the columns are", "the table has no columns");

          return roast_fail (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_COLUMN, "table “%s” has no column “%s”; %s",
                             roast_table_info_get_name (self->info), columns[i], known);
        }
      slot->column = column;
      slot->type = roast_column_get_column_type (roast_table_info_get_column (self->info, column));
      if (slot->type == ROAST_COLUMN_TYPE_CATEGORY)
        slot->texts = roast_table_snapshot_get_texts (self->blocks, column);
    }

  return TRUE;
}

RoastTableReader *
roast_table_reader_new (RoastTableSnapshot *blocks, const char *const *columns, GError **error)
{
  g_autoptr (RoastTableReader) self = g_object_new (ROAST_TYPE_TABLE_READER, NULL);

  self->blocks = g_object_ref (blocks);
  self->info = g_object_ref (roast_table_snapshot_get_info (blocks));
  self->n_rows = roast_table_snapshot_get_n_rows (blocks);
  self->n_slots = columns != NULL ? g_strv_length ((char **) columns) : roast_table_info_get_n_columns (self->info);
  self->slots = g_new0 (ReaderSlot, MAX (self->n_slots, 1));
  self->columns = g_new0 (guint, MAX (self->n_slots, 1));

  return reader_bind (self, columns, error) ? g_steal_pointer (&self) : NULL;
}

void
roast_table_reader_set_watch (RoastTableReader *self, RoastTableReaderWatch watch, GObject *watcher,
                              gboolean watches_all)
{
  self->watch = watch;
  self->watcher = g_object_ref (watcher);
  for (guint i = 0; i < self->n_slots; i++)
    self->slots[i].is_watched =
        watches_all ||
        roast_column_get_expected (roast_table_info_get_column (self->info, self->slots[i].column)) != NULL;
}

/**
 * roast_table_reader_narrow:
 * @self: a reader
 * @columns: (array zero-terminated=1): names of columns, by slot
 * @error: return location for an error
 *
 * Makes a reader of the same rows with other columns. The new reader is before the first row. If a reader of a run file
 * needs few columns, bind the reader only to these columns, because it may load all columns that it is bound to.
 *
 * Returns: (transfer full): a reader; %NULL with %ROAST_TABLE_ERROR_COLUMN if the table has no such column
 *
 * Since: 0.9
 */
RoastTableReader *
roast_table_reader_narrow (RoastTableReader *self, const char *const *columns, GError **error)
{
  g_return_val_if_fail (ROAST_IS_TABLE_READER (self), NULL);
  g_return_val_if_fail (columns != NULL, NULL);

  return roast_table_reader_new (self->blocks, columns, error);
}

/**
 * roast_table_reader_get_info:
 * @self: a reader
 *
 * Gets the schema's declaration of the table.
 *
 * Returns: (transfer none): the declaration
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (TableReader, TABLE_READER, RoastTableInfo *, roast_table_reader_get_info, NULL, self->info)

/**
 * roast_table_reader_get_n_rows:
 * @self: a reader
 *
 * Counts the rows of the table.
 *
 * Returns: the number of rows
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (TableReader, TABLE_READER, guint64, roast_table_reader_get_n_rows, 0, self->n_rows)

/**
 * roast_table_reader_get_n_columns:
 * @self: a reader
 *
 * Counts the columns that the reader is bound to.
 *
 * Returns: the number of slots
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (TableReader, TABLE_READER, guint, roast_table_reader_get_n_columns, 0, self->n_slots)

/**
 * roast_table_reader_get_column:
 * @self: a reader
 * @slot: a slot
 *
 * Gets the column that a slot is bound to.
 *
 * Returns: (transfer none): the column
 *
 * Since: 0.9
 */
RoastColumn *
roast_table_reader_get_column (RoastTableReader *self, guint slot)
{
  g_return_val_if_fail (ROAST_IS_TABLE_READER (self), NULL);
  g_return_val_if_fail (slot < self->n_slots, NULL);

  return roast_table_info_get_column (self->info, self->slots[slot].column);
}

/* ---- blocks ---- */

static void
leave_block (RoastTableReader *self)
{
  g_clear_pointer (&self->chunk, roast_chunk_unref);
  self->length = 0;
  self->at = 0;
  for (guint i = 0; i < self->n_slots; i++)
    {
      ReaderSlot *slot = &self->slots[i];

      g_clear_pointer (&slot->late, roast_chunk_unref);
      slot->is_bound = FALSE;
      slot->data = slot->validity = NULL;
    }
}

/* List the columns that were used in the current block. The next block is loaded with these columns, because they will
 * probably be used again. */
static guint
list_used (RoastTableReader *self)
{
  guint n = 0;

  for (guint i = 0; i < self->n_slots; i++)
    {
      self->slots[i].is_loaded = self->slots[i].is_bound;
      if (self->slots[i].is_loaded)
        self->columns[n++] = self->slots[i].column;
    }

  return n;
}

static gboolean
enter_block (RoastTableReader *self, guint block)
{
  guint n_used = list_used (self);

  leave_block (self);
  self->block = block;
  if (block >= roast_table_snapshot_get_n_blocks (self->blocks))
    return FALSE;
  self->chunk = roast_table_snapshot_load (self->blocks, block, self->columns, n_used);
  self->first = roast_table_snapshot_get_first_row (self->blocks, block);
  self->length = (guint) (roast_table_snapshot_get_first_row (self->blocks, block + 1) - self->first);

  return TRUE;
}

/* Enter the next block that is not skipped. */
static gboolean
enter_next_block (RoastTableReader *self)
{
  guint block = self->chunk != NULL ? self->block + 1 : 0;

  return enter_block (self, roast_block_limits_skip (self->limits, self->blocks, block));
}

/**
 * roast_table_reader_skip_outside:
 * @self: a reader
 * @slot: slot of a column of numbers or booleans, or of a category
 * @min: the least wanted value; -INFINITY for no lower bound
 * @max: the greatest wanted value; INFINITY for no upper bound
 *
 * Makes [method@Roast.TableReader.next] and [method@Roast.TableReader.next_block] skip blocks without a value in this
 * range. Only blocks of a run file are skipped, because only the file contains the range of each block. In blocks that
 * are not skipped, all rows are visited, whatever their values. The values of a category are its codes
 * ([method@Roast.TableReader.dup_dictionary]). A range replaces an earlier range of the same column. A range without
 * bounds removes the earlier range.
 *
 * Since: 0.9
 */
void
roast_table_reader_skip_outside (RoastTableReader *self, guint slot, double min, double max)
{
  g_return_if_fail (ROAST_IS_TABLE_READER (self));
  g_return_if_fail (slot < self->n_slots && self->slots[slot].type != ROAST_COLUMN_TYPE_STRING);

  roast_block_limits_set (&self->limits, self->slots[slot].column, min, max);
}

/* @validity: one bit per row, or NULL if all cells are missing */
static gboolean
lacks_cells (const guint8 *validity, guint n_rows)
{
  gboolean lacks = validity == NULL && n_rows > 0;

  for (guint i = 0; !lacks && i < n_rows / 8; i++)
    lacks = validity[i] != 0xff;
  if (!lacks && n_rows % 8 > 0)
    lacks = (~validity[n_rows / 8] & ((1 << n_rows % 8) - 1)) != 0;

  return lacks;
}

/* Bind a slot to its column in the current block. Load the column if necessary. */
static void
bind_block (RoastTableReader *self, ReaderSlot *slot)
{
  slot->is_bound = TRUE;
  slot->data = roast_chunk_peek (self->chunk, slot->column, &slot->validity);
  if (!slot->is_loaded && slot->data == NULL)
    {
      slot->late = roast_table_snapshot_load (self->blocks, self->block, &slot->column, 1);
      slot->data = roast_chunk_peek (slot->late, slot->column, &slot->validity);
    }
  if (slot->is_watched && lacks_cells (slot->validity, self->length))
    self->watch (self->watcher, roast_table_info_get_name (self->info),
                 roast_column_get_name (roast_table_info_get_column (self->info, slot->column)));
}

/* Return the chunk that has the column of a slot. */
static RoastChunk *
get_chunk (RoastTableReader *self, guint slot)
{
  if (!self->slots[slot].is_bound)
    bind_block (self, &self->slots[slot]);

  return self->slots[slot].late != NULL ? self->slots[slot].late : self->chunk;
}

/**
 * roast_table_reader_next_block:
 * @self: a reader
 *
 * Goes to the next block; the first call goes to the first block. Afterwards the reader is before the first row of the
 * block. Do not combine this method with [method@Roast.TableReader.last_per], because a loop over blocks visits all
 * rows.
 *
 * Returns: %TRUE if the reader is at a block; %FALSE if there is no further block
 *
 * Since: 0.9
 */
gboolean
roast_table_reader_next_block (RoastTableReader *self)
{
  g_return_val_if_fail (ROAST_IS_TABLE_READER (self), FALSE);

  return enter_next_block (self);
}

/**
 * roast_table_reader_get_block_n_rows:
 * @self: a reader
 *
 * Counts the rows of the current block.
 *
 * Returns: the number of rows; 0 if there is no current block
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (TableReader, TABLE_READER, guint, roast_table_reader_get_block_n_rows, 0, self->length)

#define CHECK_BLOCK(self, slot)                                                                                        \
  g_return_val_if_fail (ROAST_IS_TABLE_READER (self), NULL);                                                           \
  g_return_val_if_fail ((self)->chunk != NULL && (slot) < (self)->n_slots, NULL)

/**
 * roast_table_reader_dup_block_data:
 * @self: a reader in a block
 * @slot: a slot
 *
 * Gets the cells of a column in the current block as bytes: 8 for an integer or a double, 1 for a boolean, 4 for the
 * code of a category. Strings follow one another, each zero-terminated. Missing cells are 0, NaN, FALSE, -1 and "".
 *
 * Returns: (transfer full): the bytes, which are not copied if possible
 *
 * Since: 0.9
 */
GBytes *
roast_table_reader_dup_block_data (RoastTableReader *self, guint slot)
{
  CHECK_BLOCK (self, slot);

  return roast_chunk_dup_data (get_chunk (self, slot), self->slots[slot].column, self->slots[slot].type, self->length);
}

/**
 * roast_table_reader_dup_block_offsets:
 * @self: a reader in a block
 * @slot: a slot
 *
 * Gets the offset of each string of the current block in the bytes of [method@Roast.TableReader.dup_block_data].
 *
 * Returns: (transfer full) (nullable): 64-bit integers, one more than the number of rows; %NULL if the column does not
 * contain strings
 *
 * Since: 0.9
 */
GBytes *
roast_table_reader_dup_block_offsets (RoastTableReader *self, guint slot)
{
  CHECK_BLOCK (self, slot);

  if (self->slots[slot].type != ROAST_COLUMN_TYPE_STRING)
    return NULL;

  return roast_chunk_dup_offsets (get_chunk (self, slot), self->slots[slot].column, self->length);
}

/**
 * roast_table_reader_dup_block_validity:
 * @self: a reader in a block
 * @slot: a slot
 *
 * Gets which cells of the current block are not missing.
 *
 * Returns: (transfer full) (nullable): one bit per row, the least significant bit first; %NULL if no cell is missing
 *
 * Since: 0.9
 */
GBytes *
roast_table_reader_dup_block_validity (RoastTableReader *self, guint slot)
{
  CHECK_BLOCK (self, slot);

  return roast_chunk_dup_validity (get_chunk (self, slot), self->slots[slot].column, self->length);
}

/* ---- rows ---- */

/* Recognize a reader by a function pointer in its class. ROAST_IS_TABLE_READER () would take as long as reading a cell,
 * because it calls a function. */
static inline gboolean
is_reader (RoastTableReader *self)
{
  return self != NULL && G_OBJECT_GET_CLASS (self)->finalize == roast_table_reader_finalize;
}

/**
 * roast_table_reader_rewind:
 * @self: a reader
 *
 * Goes back to before the first row. The rows that [method@Roast.TableReader.last_per] selected stay selected.
 *
 * Since: 0.9
 */
void
roast_table_reader_rewind (RoastTableReader *self)
{
  g_return_if_fail (ROAST_IS_TABLE_READER (self));

  leave_block (self);
  self->next_visited = 0;
}

/* Find the block that contains a row, by bisection. */
static guint
find_block (RoastTableReader *self, guint64 row)
{
  guint low = 0;
  guint high = roast_table_snapshot_get_n_blocks (self->blocks);

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (roast_table_snapshot_get_first_row (self->blocks, middle) <= row)
        low = middle;
      else
        high = middle;
    }

  return low;
}

/**
 * roast_table_reader_seek:
 * @self: a reader
 * @row: number of a row, from 0
 *
 * Goes to a row. The next call of [method@Roast.TableReader.next] goes to the row after @row.
 *
 * Returns: %TRUE if the reader is at the row; %FALSE if the table has no such row
 *
 * Since: 0.9
 */
gboolean
roast_table_reader_seek (RoastTableReader *self, guint64 row)
{
  g_return_val_if_fail (ROAST_IS_TABLE_READER (self), FALSE);

  if (row >= self->n_rows)
    return FALSE;
  if (self->chunk == NULL || row < self->first || row >= self->first + self->length)
    enter_block (self, find_block (self, row));
  self->at = (guint) (row - self->first) + 1;

  return TRUE;
}

/**
 * roast_table_reader_next:
 * @self: a reader
 *
 * Goes to the next row; the first call goes to the first row. After the last row, the reader is before the first row
 * again.
 *
 * Returns: %TRUE if the reader is at a row; %FALSE if there is no further row
 *
 * Since: 0.9
 */
gboolean
roast_table_reader_next (RoastTableReader *self)
{
  g_return_val_if_fail (is_reader (self), FALSE);

  if (G_UNLIKELY (self->visited != NULL))
    {
      if (self->next_visited < self->visited->len)
        return roast_table_reader_seek (self, g_array_index (self->visited, guint64, self->next_visited++));
      leave_block (self);
      return FALSE;
    }
  while (self->at >= self->length)
    if (!enter_next_block (self))
      return FALSE;
  self->at++;

  return TRUE;
}

/**
 * roast_table_reader_get_row:
 * @self: a reader at a row
 *
 * Gets the number of the current row.
 *
 * Returns: the number, from 0
 *
 * Since: 0.9
 */
guint64
roast_table_reader_get_row (RoastTableReader *self)
{
  g_return_val_if_fail (is_reader (self), 0);

  return self->first + MAX (self->at, 1) - 1;
}

static inline gboolean
is_set (const guint8 *validity, guint row)
{
  return __atomic_load_n (&validity[row / 8], __ATOMIC_ACQUIRE) >> (row % 8) & 1;
}

/* Return the cell of a slot in the current row, or NULL if the cell is missing. */
static inline gconstpointer
reader_peek (RoastTableReader *self, guint slot, gsize width)
{
  ReaderSlot *bound = &self->slots[slot];
  guint row = self->at - 1;

  if (G_UNLIKELY (self->at == 0))
    return NULL;
  if (bound->validity == NULL)
    {
      if (bound->is_bound)
        return NULL;
      bind_block (self, bound);
      if (bound->validity == NULL)
        return NULL;
    }

  return is_set (bound->validity, row) ? (const guint8 *) bound->data + row * width : NULL;
}

#define CHECK_CELL(self, slot, otherwise)                                                                              \
  g_return_val_if_fail (is_reader (self), otherwise);                                                                  \
  g_return_val_if_fail ((slot) < (self)->n_slots, otherwise)

/**
 * roast_table_reader_has:
 * @self: a reader at a row
 * @slot: a slot
 *
 * Checks whether a cell of the current row has a value.
 *
 * Returns: %TRUE if the cell has a value; %FALSE if the cell is missing
 *
 * Since: 0.9
 */
gboolean
roast_table_reader_has (RoastTableReader *self, guint slot)
{
  CHECK_CELL (self, slot, FALSE);

  return reader_peek (self, slot, 0) != NULL;
}

/**
 * roast_table_reader_get_int64:
 * @self: a reader at a row
 * @slot: slot of a column of integers
 * @missing: value to return if the cell is missing
 *
 * Gets a cell of the current row.
 *
 * Returns: the value of the cell, in the unit of the column
 *
 * Since: 0.9
 */
gint64
roast_table_reader_get_int64 (RoastTableReader *self, guint slot, gint64 missing)
{
  const gint64 *cell = NULL;

  CHECK_CELL (self, slot, missing);
  g_return_val_if_fail (self->slots[slot].type == ROAST_COLUMN_TYPE_INT64, missing);

  cell = reader_peek (self, slot, sizeof *cell);

  return cell != NULL ? *cell : missing;
}

static double
bind_double (RoastTableReader *self, guint slot)
{
  bind_block (self, &self->slots[slot]);

  return roast_table_reader_get_double (self, slot);
}

/**
 * roast_table_reader_get_double:
 * @self: a reader at a row
 * @slot: slot of a column of doubles, integers or booleans
 *
 * Gets a cell of the current row as a number.
 *
 * Returns: the value of the cell, in the unit of the column; NaN if the cell is missing
 *
 * Since: 0.9
 */
double
roast_table_reader_get_double (RoastTableReader *self, guint slot)
{
  const ReaderSlot *bound = NULL;
  guint row;

  CHECK_CELL (self, slot, NAN);

  /* Do not call reader_peek (), which is slower, because this reader function is called most often. */
  bound = &self->slots[slot];
  row = self->at - 1;
  if (self->at == 0)
    return NAN;
  if (G_UNLIKELY (!bound->is_bound))
    return bind_double (self, slot);
  if (bound->validity == NULL || !is_set (bound->validity, row))
    return NAN;
  switch (bound->type)
    {
    case ROAST_COLUMN_TYPE_DOUBLE:
      return ((const double *) bound->data)[row];
    case ROAST_COLUMN_TYPE_INT64:
      return (double) ((const gint64 *) bound->data)[row];
    case ROAST_COLUMN_TYPE_BOOLEAN:
      return ((const guint8 *) bound->data)[row];
    case ROAST_COLUMN_TYPE_STRING:
    case ROAST_COLUMN_TYPE_CATEGORY:
    default:
      g_return_val_if_reached (NAN);
    }
}

/**
 * roast_table_reader_get_boolean:
 * @self: a reader at a row
 * @slot: slot of a column of booleans
 *
 * Gets a cell of the current row.
 *
 * Returns: the value of the cell; %FALSE if the cell is missing
 *
 * Since: 0.9
 */
gboolean
roast_table_reader_get_boolean (RoastTableReader *self, guint slot)
{
  const guint8 *cell = NULL;

  CHECK_CELL (self, slot, FALSE);
  g_return_val_if_fail (self->slots[slot].type == ROAST_COLUMN_TYPE_BOOLEAN, FALSE);

  cell = reader_peek (self, slot, sizeof *cell);

  return cell != NULL && *cell != 0;
}

/* Return the code of a category cell in the current row, or -1 if the cell is missing. */
static inline int
reader_get_code (RoastTableReader *self, guint slot)
{
  const gint32 *cell = reader_peek (self, slot, sizeof *cell);

  return cell != NULL && (guint) *cell < self->slots[slot].texts->len ? *cell : -1;
}

/**
 * roast_table_reader_get_code:
 * @self: a reader at a row
 * @slot: slot of a category column
 *
 * Gets the code of a cell. Equal texts of a column have equal codes, which count from 0.
 *
 * Returns: the code; -1 if the cell is missing
 *
 * Since: 0.9
 */
int
roast_table_reader_get_code (RoastTableReader *self, guint slot)
{
  CHECK_CELL (self, slot, -1);
  g_return_val_if_fail (self->slots[slot].type == ROAST_COLUMN_TYPE_CATEGORY, -1);

  return reader_get_code (self, slot);
}

/**
 * roast_table_reader_get_string:
 * @self: a reader at a row
 * @slot: slot of a column of strings or categories
 *
 * Gets a cell of the current row.
 *
 * Returns: (transfer none) (nullable): the text, which lives as long as the snapshot; %NULL if the cell is missing.
 * Equal texts of a category column are the same pointer.
 *
 * Since: 0.9
 */
const char *
roast_table_reader_get_string (RoastTableReader *self, guint slot)
{
  const char *const *cell = NULL;
  int code = -1;

  CHECK_CELL (self, slot, NULL);

  if (self->slots[slot].type == ROAST_COLUMN_TYPE_CATEGORY)
    {
      code = reader_get_code (self, slot);
      return code >= 0 ? g_ptr_array_index (self->slots[slot].texts, code) : NULL;
    }
  g_return_val_if_fail (self->slots[slot].type == ROAST_COLUMN_TYPE_STRING, NULL);
  cell = reader_peek (self, slot, sizeof *cell);

  return cell != NULL ? *cell : NULL;
}

static void
number_words (RoastTableReader *self, ReaderSlot *slot)
{
  RoastVocabulary *vocabulary = roast_column_get_vocabulary (roast_table_info_get_column (self->info, slot->column));

  slot->words = g_new (int, MAX (slot->texts->len, 1));
  for (guint i = 0; i < slot->texts->len; i++)
    {
      guint word = 0;

      slot->words[i] =
          vocabulary != NULL && roast_vocabulary_find (vocabulary, g_ptr_array_index (slot->texts, i), &word)
              ? (int) word
              : -1;
    }
}

/**
 * roast_table_reader_get_word:
 * @self: a reader at a row
 * @slot: slot of a column that has a vocabulary
 *
 * Gets a cell of the current row as the number of a word, a value of the generated enums.
 *
 * Returns: the number of the word; -1 if the cell is missing, or contains a word that the schema does not declare
 *
 * Since: 0.9
 */
int
roast_table_reader_get_word (RoastTableReader *self, guint slot)
{
  int code;

  CHECK_CELL (self, slot, -1);
  g_return_val_if_fail (self->slots[slot].type == ROAST_COLUMN_TYPE_CATEGORY, -1);

  code = reader_get_code (self, slot);
  if (code < 0)
    return -1;
  if (self->slots[slot].words == NULL)
    number_words (self, &self->slots[slot]);

  return self->slots[slot].words[code];
}

/**
 * roast_table_reader_dup_value:
 * @self: a reader at a row
 * @slot: a slot
 *
 * Gets a cell of the current row as a variant, for languages with dynamic types.
 *
 * Returns: (transfer full) (nullable): the value of the cell; %NULL if the cell is missing
 *
 * Since: 0.9
 */
GVariant *
roast_table_reader_dup_value (RoastTableReader *self, guint slot)
{
  GVariant *value = NULL;

  CHECK_CELL (self, slot, NULL);

  if (!roast_table_reader_has (self, slot))
    return NULL;
  switch (self->slots[slot].type)
    {
    case ROAST_COLUMN_TYPE_INT64:
      value = g_variant_new_int64 (roast_table_reader_get_int64 (self, slot, 0));
      break;
    case ROAST_COLUMN_TYPE_DOUBLE:
      value = g_variant_new_double (roast_table_reader_get_double (self, slot));
      break;
    case ROAST_COLUMN_TYPE_BOOLEAN:
      value = g_variant_new_boolean (roast_table_reader_get_boolean (self, slot));
      break;
    case ROAST_COLUMN_TYPE_STRING:
    case ROAST_COLUMN_TYPE_CATEGORY:
    default:
      value = g_variant_new_string (roast_table_reader_get_string (self, slot));
      break;
    }

  return g_variant_ref_sink (value);
}

/* ---- groups ---- */

/* Return a number for a cell of the current row. Equal cells of a column have equal numbers. The cell must not be
 * missing. */
static guint64
cell_number (RoastTableReader *self, RoastGrouping *grouping, guint slot)
{
  switch (self->slots[slot].type)
    {
    case ROAST_COLUMN_TYPE_CATEGORY:
      return (guint64) reader_get_code (self, slot);
    case ROAST_COLUMN_TYPE_BOOLEAN:
      return roast_table_reader_get_boolean (self, slot);
    case ROAST_COLUMN_TYPE_STRING:
      return roast_grouping_intern (grouping, roast_table_reader_get_string (self, slot));
    case ROAST_COLUMN_TYPE_INT64:
    case ROAST_COLUMN_TYPE_DOUBLE:
    default:
      return *(const guint64 *) reader_peek (self, slot, sizeof (guint64));
    }
}

/* Return the number of possible combinations of codes in these slots. A missing cell counts as one more code. Return 0
 * if a column is not a category, or if the number is too large. */
static guint
reader_get_range (RoastTableReader *self, const guint *slots, guint n_slots)
{
  guint64 range = 1;

  for (guint i = 0; i < n_slots; i++)
    {
      const ReaderSlot *slot = &self->slots[slots[i]];

      if (slot->type != ROAST_COLUMN_TYPE_CATEGORY)
        return 0;
      range *= slot->texts->len + 1;
      if (range > ROAST_GROUPING_MAX_RANGE)
        return 0;
    }

  return (guint) range;
}

static void
group_by (RoastTableReader *self, Groups *groups, const guint *slots, guint n_slots)
{
  groups->slots = g_memdup2 (slots, n_slots * sizeof *slots);
  groups->n_slots = n_slots;
  groups->range = reader_get_range (self, slots, n_slots);
  groups->grouping =
      groups->range > 0 ? roast_grouping_new_for_range (groups->range) : roast_grouping_new (2 * n_slots);
}

/* Add the codes of a column to the combinations of all rows of the current block. Missing cells have code 0 here. */
static void
groups_add_codes (Groups *self, RoastTableReader *reader, guint slot)
{
  const ReaderSlot *bound = &reader->slots[slot];
  const gint32 *codes = NULL;
  guint n_texts = bound->texts->len;

  get_chunk (reader, slot);
  codes = bound->data;
  for (guint row = 0; row < reader->length; row++)
    {
      gboolean has_code = bound->validity != NULL && is_set (bound->validity, row) && (guint) codes[row] < n_texts;

      self->numbers[row] = self->numbers[row] * (n_texts + 1) + (has_code ? (guint) codes[row] + 1 : 0);
    }
}

/* Number the combinations of all rows of the current block, column by column. */
static void
groups_enter_block (Groups *self, RoastTableReader *reader)
{
  if (self->n_numbers < reader->length)
    {
      g_free (self->numbers);
      self->numbers = g_new (guint, reader->length);
      self->n_numbers = reader->length;
    }
  memset (self->numbers, 0, reader->length * sizeof *self->numbers);
  for (guint i = 0; i < self->n_slots; i++)
    groups_add_codes (self, reader, self->slots[i]);
  self->block = reader->block + 1;
}

static guint
reader_find_group (RoastTableReader *self, Groups *groups)
{
  guint64 cells[2 * ROAST_TABLE_READER_MAX_KEY];

  if (groups->range > 0)
    {
      if (self->at > 0 && groups->block != self->block + 1)
        groups_enter_block (groups, self);
      return roast_grouping_find_number (groups->grouping, self->at > 0 ? groups->numbers[self->at - 1] : 0);
    }
  for (guint i = 0; i < groups->n_slots; i++)
    {
      gboolean is_there = reader_peek (self, groups->slots[i], 0) != NULL;

      cells[2 * i] = is_there ? cell_number (self, groups->grouping, groups->slots[i]) : 0;
      cells[2 * i + 1] = is_there;
    }

  return roast_grouping_find (groups->grouping, cells);
}

/**
 * roast_table_reader_group_by:
 * @self: a reader
 * @slots: (array length=n_slots): slots of the columns that define the groups
 * @n_slots: number of slots, at most 16
 *
 * Makes [method@Roast.TableReader.get_group] number the groups of rows with equal cells in these columns. Missing cells
 * are equal to each other.
 *
 * Since: 0.9
 */
void
roast_table_reader_group_by (RoastTableReader *self, const guint *slots, guint n_slots)
{
  g_return_if_fail (ROAST_IS_TABLE_READER (self));
  g_return_if_fail (n_slots <= ROAST_TABLE_READER_MAX_KEY);

  clear_groups (&self->groups);
  group_by (self, &self->groups, slots, n_slots);
}

/**
 * roast_table_reader_get_group:
 * @self: a reader at a row, for which [method@Roast.TableReader.group_by] was called
 *
 * Gets the group of the current row.
 *
 * Returns: the number of the group, from 0 on, in order of first appearance
 *
 * Since: 0.9
 */
guint
roast_table_reader_get_group (RoastTableReader *self)
{
  g_return_val_if_fail (is_reader (self), 0);
  g_return_val_if_fail (self->groups.grouping != NULL, 0);

  return reader_find_group (self, &self->groups);
}

/**
 * roast_table_reader_last_per:
 * @self: a reader
 * @slots: (array length=n_slots): slots of the columns of the key
 * @n_slots: number of slots, at most 16
 *
 * Makes [method@Roast.TableReader.next] visit only the last row of each key, in the order of rows. In a table of
 * cumulative values, this row has the final values of its key. The call also moves the reader back to before the first
 * row.
 *
 * Since: 0.9
 */
void
roast_table_reader_last_per (RoastTableReader *self, const guint *slots, guint n_slots)
{
  Groups groups = { 0 };
  GArray *last = NULL;

  g_return_if_fail (ROAST_IS_TABLE_READER (self));
  g_return_if_fail (n_slots <= ROAST_TABLE_READER_MAX_KEY);

  group_by (self, &groups, slots, n_slots);
  last = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_clear_pointer (&self->visited, g_array_unref);
  roast_table_reader_rewind (self);
  while (roast_table_reader_next (self))
    {
      guint group = reader_find_group (self, &groups);
      guint64 row = roast_table_reader_get_row (self);

      if (group == last->len)
        g_array_append_val (last, row);
      else
        g_array_index (last, guint64, group) = row;
    }
  clear_groups (&groups);
  g_array_sort (last, roast_table_compare_rows);
  self->visited = last;
  roast_table_reader_rewind (self);
}

/* ---- columns ---- */

/* A sum of doubles that keeps and adds back the rounding error of each addition (Kahan 1965). Cells are added to four
 * separate sums, so that the processor can overlap the additions. */
typedef struct
{
  double sum[4], lost[4], max;
  guint64 n;
} ReaderSums;

static inline void
reader_add (ReaderSums *sums, guint lane, double value)
{
  double term = value - sums->lost[lane];
  double sum = sums->sum[lane] + term;

  sums->lost[lane] = (sum - sums->sum[lane]) - term;
  sums->sum[lane] = sum;
}

static void
add_doubles (ReaderSums *sums, const double *cells, guint n_rows)
{
  double max = sums->max;
  guint64 n = 0;

  for (guint i = 0; i + 4 <= n_rows; i += 4)
    {
      /* Add 0 for a missing cell, whose value is NaN. */
      for (guint lane = 0; lane < 4; lane++)
        {
          double value = cells[i + lane];
          gboolean there = value == value;

          reader_add (sums, lane, there ? value : 0);
          max = value > max ? value : max;
          n += there;
        }
    }
  for (guint i = n_rows & ~3u; i < n_rows; i++)
    {
      double value = cells[i];
      gboolean there = value == value;

      reader_add (sums, i & 3, there ? value : 0);
      max = value > max ? value : max;
      n += there;
    }
  sums->max = max;
  sums->n += n;
}

static void
add_block (RoastTableReader *self, guint slot, ReaderSums *sums)
{
  get_chunk (self, slot);
  if (self->slots[slot].type == ROAST_COLUMN_TYPE_DOUBLE && self->slots[slot].data != NULL)
    add_doubles (sums, self->slots[slot].data, self->length);
  else if (self->slots[slot].data != NULL)
    for (self->at = 1; self->at <= self->length; self->at++)
      {
        double value = roast_table_reader_get_double (self, slot);

        if (!isnan (value))
          add_doubles (sums, &value, 1);
      }
}

/**
 * roast_table_reader_sum:
 * @self: a reader
 * @slot: slot of a column of doubles, integers or booleans
 * @sum: (out) (optional): the sum of the cells; rounding errors do not accumulate
 * @max: (out) (optional): the greatest cell; NaN if all cells are missing
 *
 * Adds up a column over all rows, and goes back to before the first row.
 *
 * Returns: the number of cells that are not missing
 *
 * Since: 0.9
 */
guint64
roast_table_reader_sum (RoastTableReader *self, guint slot, double *sum, double *max)
{
  ReaderSums sums = { .max = -INFINITY };
  double total = 0;
  double lost = 0;

  CHECK_CELL (self, slot, 0);

  leave_block (self);
  while (roast_table_reader_next_block (self))
    add_block (self, slot, &sums);
  roast_table_reader_rewind (self);
  for (guint lane = 0; lane < 4; lane++)
    {
      double term = sums.sum[lane] - lost;
      double next = total + term;

      lost = (next - total) - term + sums.lost[lane];
      total = next;
    }
  if (sum != NULL)
    *sum = total - lost;
  if (max != NULL)
    *max = sums.n > 0 ? sums.max : NAN;

  return sums.n;
}

/**
 * roast_table_reader_dup_dictionary:
 * @self: a reader
 * @slot: slot of a category column
 *
 * Gets the texts of a category column, indexed by code.
 *
 * Returns: (transfer full) (nullable): the texts; %NULL if the column is not a category
 *
 * Since: 0.9
 */
char **
roast_table_reader_dup_dictionary (RoastTableReader *self, guint slot)
{
  GPtrArray *texts = NULL;
  char **copy = NULL;

  CHECK_CELL (self, slot, NULL);

  texts = self->slots[slot].texts;
  if (texts == NULL)
    return NULL;
  copy = g_new0 (char *, texts->len + 1);
  for (guint i = 0; i < texts->len; i++)
    copy[i] = g_strdup (g_ptr_array_index (texts, i));

  return copy;
}
