/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-table-snapshot-private.h"

#include <math.h>
#include <string.h>

#include "roast-dictionary-private.h"
#include "roast-table-blocks-private.h"

/**
 * RoastTableSnapshot:
 *
 * A [class@Roast.Table] as it was at one time. Immutable, and readable from any thread.
 *
 * Bulk data come as bytes per chunk and column, in the order of this machine: 64-bit integers (numpy `i8`), doubles
 * (`f8`), booleans (`u1`), codes of categories (`i4`, an index into the dictionary). Cells that are missing read as 0,
 * NaN, 0 and -1. Strings are UTF-8, each with a NUL after it, and offsets of where each starts.
 *
 * Since: 0.9
 */
struct _RoastTableSnapshot
{
  GObject parent_instance;

  RoastTableInfo *info;
  char *name;
  char *description;
  guint64 serial;
  guint64 n_rows;
  GPtrArray *chunks;
  GArray *first_rows;
  GPtrArray *columns;
  GPtrArray *dictionaries;
  guint *n_texts;    /* by column: how many texts its dictionary had */
  GPtrArray **texts; /* by column, made when first asked for */
};

static void blocks_iface_init (RoastTableBlocksInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (RoastTableSnapshot, roast_table_snapshot, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_TABLE_BLOCKS, blocks_iface_init))

static void
roast_table_snapshot_finalize (GObject *object)
{
  RoastTableSnapshot *self = ROAST_TABLE_SNAPSHOT (object);

  for (guint i = 0; i < self->columns->len; i++)
    g_clear_pointer (&self->texts[i], g_ptr_array_unref);
  g_free (self->texts);
  g_free (self->n_texts);
  g_ptr_array_unref (self->chunks);
  g_array_unref (self->first_rows);
  g_ptr_array_unref (self->columns);
  g_ptr_array_unref (self->dictionaries);
  g_clear_object (&self->info);
  g_free (self->name);
  g_free (self->description);

  G_OBJECT_CLASS (roast_table_snapshot_parent_class)->finalize (object);
}

static void
roast_table_snapshot_class_init (RoastTableSnapshotClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_table_snapshot_finalize;
}

static void
roast_table_snapshot_init (RoastTableSnapshot *self)
{
}

RoastTableSnapshot *
roast_table_snapshot_new (RoastTableInfo *info, const char *name, const char *description, guint64 serial,
                          guint64 n_rows, GPtrArray *chunks, GArray *first_rows, GPtrArray *columns,
                          GPtrArray *dictionaries)
{
  RoastTableSnapshot *self = g_object_new (ROAST_TYPE_TABLE_SNAPSHOT, NULL);

  self->info = info != NULL ? g_object_ref (info) : NULL;
  self->name = g_strdup (name);
  self->description = g_strdup (description);
  self->serial = serial;
  self->n_rows = n_rows;
  self->chunks = chunks;
  self->first_rows = first_rows;
  self->columns = columns;
  self->dictionaries = dictionaries;
  self->texts = g_new0 (GPtrArray *, MAX (columns->len, 1));
  self->n_texts = g_new0 (guint, MAX (columns->len, 1));
  for (guint i = 0; i < columns->len; i++)
    {
      if (g_ptr_array_index (dictionaries, i) != NULL)
        self->n_texts[i] = roast_dictionary_get_length (g_ptr_array_index (dictionaries, i));
    }

  return self;
}

static RoastColumnType
type_of (RoastTableSnapshot *self, guint column)
{
  return roast_column_get_column_type (g_ptr_array_index (self->columns, column));
}

static guint64
first_row (RoastTableSnapshot *self, guint chunk)
{
  return g_array_index (self->first_rows, guint64, chunk);
}

static guint
chunk_rows (RoastTableSnapshot *self, guint chunk)
{
  guint64 end = chunk + 1 < self->chunks->len ? first_row (self, chunk + 1) : self->n_rows;

  return (guint) (end - first_row (self, chunk));
}

static RoastChunk *
find (RoastTableSnapshot *self, guint64 row, guint *in_chunk)
{
  guint low = 0;
  guint high = self->chunks->len;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (first_row (self, middle) <= row)
        low = middle;
      else
        high = middle;
    }
  *in_chunk = (guint) (row - first_row (self, low));

  return g_ptr_array_index (self->chunks, low);
}

/* The cell if it is there. */
static gboolean
get_cell (RoastTableSnapshot *self, guint64 row, guint column, RoastCell *cell)
{
  guint in_chunk = 0;
  RoastChunk *chunk = NULL;

  if (row >= self->n_rows || column >= self->columns->len)
    return FALSE;
  chunk = find (self, row, &in_chunk);
  if (!roast_chunk_is_valid (chunk, in_chunk, column))
    return FALSE;
  *cell = roast_chunk_get (chunk, in_chunk, column);

  return TRUE;
}

static GPtrArray *
texts_of (RoastTableSnapshot *self, guint column)
{
  GPtrArray *texts = g_atomic_pointer_get (&self->texts[column]);

  if (texts == NULL)
    {
      texts = roast_dictionary_list (g_ptr_array_index (self->dictionaries, column), self->n_texts[column]);
      if (!g_atomic_pointer_compare_and_exchange (&self->texts[column], NULL, texts))
        {
          g_ptr_array_unref (texts);
          texts = g_atomic_pointer_get (&self->texts[column]);
        }
    }

  return texts;
}

/**
 * roast_table_snapshot_get_name:
 * @self: a snapshot
 *
 * Tells of which table it is.
 *
 * Returns: (transfer none): the name of the table
 *
 * Since: 0.9
 */
const char *
roast_table_snapshot_get_name (RoastTableSnapshot *self)
{
  g_return_val_if_fail (ROAST_IS_TABLE_SNAPSHOT (self), NULL);

  return self->name;
}

/**
 * roast_table_snapshot_get_description:
 * @self: a snapshot
 *
 * Tells what the table is about.
 *
 * Returns: (transfer none) (nullable): what a row of the table is
 *
 * Since: 0.9
 */
const char *
roast_table_snapshot_get_description (RoastTableSnapshot *self)
{
  g_return_val_if_fail (ROAST_IS_TABLE_SNAPSHOT (self), NULL);

  return self->description;
}

/**
 * roast_table_snapshot_get_serial:
 * @self: a snapshot
 *
 * Tells which state of the table it is.
 *
 * Returns: the serial of the table when the snapshot was taken: see [method@Roast.Table.get_serial]
 *
 * Since: 0.9
 */
guint64
roast_table_snapshot_get_serial (RoastTableSnapshot *self)
{
  g_return_val_if_fail (ROAST_IS_TABLE_SNAPSHOT (self), 0);

  return self->serial;
}

/**
 * roast_table_snapshot_get_n_columns:
 * @self: a snapshot
 *
 * Counts the columns.
 *
 * Returns: how many columns there are
 *
 * Since: 0.9
 */
guint
roast_table_snapshot_get_n_columns (RoastTableSnapshot *self)
{
  g_return_val_if_fail (ROAST_IS_TABLE_SNAPSHOT (self), 0);

  return self->columns->len;
}

/**
 * roast_table_snapshot_get_column:
 * @self: a snapshot
 * @column: index of a column
 *
 * Gives a column by its index.
 *
 * Returns: (transfer none): the column
 *
 * Since: 0.9
 */
RoastColumn *
roast_table_snapshot_get_column (RoastTableSnapshot *self, guint column)
{
  g_return_val_if_fail (ROAST_IS_TABLE_SNAPSHOT (self), NULL);
  g_return_val_if_fail (column < self->columns->len, NULL);

  return g_ptr_array_index (self->columns, column);
}

/**
 * roast_table_snapshot_find_column:
 * @self: a snapshot
 * @name: name of a column
 *
 * Finds a column by its name.
 *
 * Returns: its index, or -1 if there is none
 *
 * Since: 0.9
 */
int
roast_table_snapshot_find_column (RoastTableSnapshot *self, const char *name)
{
  g_return_val_if_fail (ROAST_IS_TABLE_SNAPSHOT (self), -1);
  g_return_val_if_fail (name != NULL, -1);

  for (guint i = 0; i < self->columns->len; i++)
    {
      if (g_str_equal (roast_column_get_name (g_ptr_array_index (self->columns, i)), name))
        return (int) i;
    }

  return -1;
}

/**
 * roast_table_snapshot_get_n_rows:
 * @self: a snapshot
 *
 * Counts the rows.
 *
 * Returns: how many rows there are
 *
 * Since: 0.9
 */
guint64
roast_table_snapshot_get_n_rows (RoastTableSnapshot *self)
{
  g_return_val_if_fail (ROAST_IS_TABLE_SNAPSHOT (self), 0);

  return self->n_rows;
}

/**
 * roast_table_snapshot_get_n_chunks:
 * @self: a snapshot
 *
 * Counts the chunks.
 *
 * Returns: in how many chunks the rows are
 *
 * Since: 0.9
 */
guint
roast_table_snapshot_get_n_chunks (RoastTableSnapshot *self)
{
  g_return_val_if_fail (ROAST_IS_TABLE_SNAPSHOT (self), 0);

  return self->chunks->len;
}

/**
 * roast_table_snapshot_get_chunk_n_rows:
 * @self: a snapshot
 * @chunk: index of a chunk
 *
 * Counts the rows of a chunk.
 *
 * Returns: how many rows are in the chunk
 *
 * Since: 0.9
 */
guint
roast_table_snapshot_get_chunk_n_rows (RoastTableSnapshot *self, guint chunk)
{
  g_return_val_if_fail (ROAST_IS_TABLE_SNAPSHOT (self), 0);
  g_return_val_if_fail (chunk < self->chunks->len, 0);

  return chunk_rows (self, chunk);
}

/**
 * roast_table_snapshot_dup_chunk_data:
 * @self: a snapshot
 * @chunk: index of a chunk
 * @column: index of a column
 *
 * Gives the cells of one column in one chunk: see [class@Roast.TableSnapshot] for how they are laid out. Nothing is
 * copied but strings.
 *
 * Returns: (transfer full): the cells
 *
 * Since: 0.9
 */
GBytes *
roast_table_snapshot_dup_chunk_data (RoastTableSnapshot *self, guint chunk, guint column)
{
  g_return_val_if_fail (ROAST_IS_TABLE_SNAPSHOT (self), NULL);
  g_return_val_if_fail (chunk < self->chunks->len && column < self->columns->len, NULL);

  return roast_chunk_dup_data (g_ptr_array_index (self->chunks, chunk), column, type_of (self, column),
                               chunk_rows (self, chunk));
}

/**
 * roast_table_snapshot_dup_chunk_offsets:
 * @self: a snapshot
 * @chunk: index of a chunk
 * @column: index of a column of strings
 *
 * Says where in [method@Roast.TableSnapshot.dup_chunk_data] each string starts: one 64-bit integer a row and one more
 * for the end. The byte before the next start is a NUL.
 *
 * Returns: (transfer full) (nullable): the offsets; %NULL for columns of another type
 *
 * Since: 0.9
 */
GBytes *
roast_table_snapshot_dup_chunk_offsets (RoastTableSnapshot *self, guint chunk, guint column)
{
  g_return_val_if_fail (ROAST_IS_TABLE_SNAPSHOT (self), NULL);
  g_return_val_if_fail (chunk < self->chunks->len && column < self->columns->len, NULL);

  if (type_of (self, column) != ROAST_COLUMN_TYPE_STRING)
    return NULL;

  return roast_chunk_dup_offsets (g_ptr_array_index (self->chunks, chunk), column, chunk_rows (self, chunk));
}

/**
 * roast_table_snapshot_dup_chunk_validity:
 * @self: a snapshot
 * @chunk: index of a chunk
 * @column: index of a column
 *
 * Says which cells are there: one bit a row, the least significant first.
 *
 * Returns: (transfer full) (nullable): the bits; %NULL if no cell is missing
 *
 * Since: 0.9
 */
GBytes *
roast_table_snapshot_dup_chunk_validity (RoastTableSnapshot *self, guint chunk, guint column)
{
  g_return_val_if_fail (ROAST_IS_TABLE_SNAPSHOT (self), NULL);
  g_return_val_if_fail (chunk < self->chunks->len && column < self->columns->len, NULL);

  return roast_chunk_dup_validity (g_ptr_array_index (self->chunks, chunk), column, chunk_rows (self, chunk));
}

/**
 * roast_table_snapshot_dup_column:
 * @self: a snapshot
 * @column: index of a column of any type but strings
 *
 * Copies a whole column: for numpy, `numpy.frombuffer (bytes.get_data (), dtype)`. Who takes a large column only once
 * is faster by chunks, into memory of their own: most of the time goes into memory that is new to the process.
 *
 * Returns: (transfer full) (nullable): the cells; %NULL for a column of strings
 *
 * Since: 0.9
 */
GBytes *
roast_table_snapshot_dup_column (RoastTableSnapshot *self, guint column)
{
  RoastColumnType type;
  gsize width = 0;
  guint8 *data = NULL;

  g_return_val_if_fail (ROAST_IS_TABLE_SNAPSHOT (self), NULL);
  g_return_val_if_fail (column < self->columns->len, NULL);

  type = type_of (self, column);
  if (type == ROAST_COLUMN_TYPE_STRING)
    return NULL;

  width = roast_column_type_size (type);
  data = g_malloc (MAX (self->n_rows * width, 1));
  for (guint i = 0; i < self->chunks->len; i++)
    roast_chunk_copy_cells (g_ptr_array_index (self->chunks, i), column, type, chunk_rows (self, i),
                            data + first_row (self, i) * width);

  return g_bytes_new_take (data, self->n_rows * width);
}

/**
 * roast_table_snapshot_dup_column_validity:
 * @self: a snapshot
 * @column: index of a column
 *
 * Says which cells of a whole column are there: one byte a row, 1 or 0.
 *
 * Returns: (transfer full) (nullable): the bytes; %NULL if no cell is missing
 *
 * Since: 0.9
 */
GBytes *
roast_table_snapshot_dup_column_validity (RoastTableSnapshot *self, guint column)
{
  g_autofree guint8 *valid = NULL;
  guint64 n_valid = 0;

  g_return_val_if_fail (ROAST_IS_TABLE_SNAPSHOT (self), NULL);
  g_return_val_if_fail (column < self->columns->len, NULL);

  valid = g_malloc (MAX (self->n_rows, 1));
  for (guint i = 0; i < self->chunks->len; i++)
    n_valid += roast_chunk_copy_validity (g_ptr_array_index (self->chunks, i), column, chunk_rows (self, i),
                                          valid + first_row (self, i));
  if (n_valid == self->n_rows)
    return NULL;

  return g_bytes_new_take (g_steal_pointer (&valid), self->n_rows);
}

/**
 * roast_table_snapshot_dup_dictionary:
 * @self: a snapshot
 * @column: index of a column
 *
 * Gives the texts of a column of categories: that of code i is the i-th.
 *
 * Returns: (transfer full) (nullable): the texts; %NULL for columns of another type
 *
 * Since: 0.9
 */
char **
roast_table_snapshot_dup_dictionary (RoastTableSnapshot *self, guint column)
{
  GPtrArray *texts = NULL;
  char **copy = NULL;

  g_return_val_if_fail (ROAST_IS_TABLE_SNAPSHOT (self), NULL);
  g_return_val_if_fail (column < self->columns->len, NULL);

  if (type_of (self, column) != ROAST_COLUMN_TYPE_CATEGORY)
    return NULL;

  texts = texts_of (self, column);
  copy = g_new0 (char *, texts->len + 1);
  for (guint i = 0; i < texts->len; i++)
    copy[i] = g_strdup (g_ptr_array_index (texts, i));

  return copy;
}

/**
 * roast_table_snapshot_is_valid:
 * @self: a snapshot
 * @row: number of a row
 * @column: index of a column
 *
 * Tells a cell that was measured from one that is missing.
 *
 * Returns: whether the cell is there; %FALSE if it is missing
 *
 * Since: 0.9
 */
gboolean
roast_table_snapshot_is_valid (RoastTableSnapshot *self, guint64 row, guint column)
{
  RoastCell cell;

  g_return_val_if_fail (ROAST_IS_TABLE_SNAPSHOT (self), FALSE);

  return get_cell (self, row, column, &cell);
}

/**
 * roast_table_snapshot_get_int64:
 * @self: a snapshot
 * @row: number of a row
 * @column: index of a column of integers
 *
 * Gives a cell of a column of integers.
 *
 * Returns: the cell; 0 if it is missing
 *
 * Since: 0.9
 */
gint64
roast_table_snapshot_get_int64 (RoastTableSnapshot *self, guint64 row, guint column)
{
  RoastCell cell;

  g_return_val_if_fail (ROAST_IS_TABLE_SNAPSHOT (self), 0);

  if (!get_cell (self, row, column, &cell) || type_of (self, column) != ROAST_COLUMN_TYPE_INT64)
    return 0;

  return cell.int64;
}

/**
 * roast_table_snapshot_get_double:
 * @self: a snapshot
 * @row: number of a row
 * @column: index of a column of doubles, integers or booleans
 *
 * Gives a cell of a column of doubles.
 *
 * Returns: the cell; NaN if it is missing
 *
 * Since: 0.9
 */
double
roast_table_snapshot_get_double (RoastTableSnapshot *self, guint64 row, guint column)
{
  RoastCell cell;

  g_return_val_if_fail (ROAST_IS_TABLE_SNAPSHOT (self), NAN);

  if (!get_cell (self, row, column, &cell))
    return NAN;

  switch (type_of (self, column))
    {
    case ROAST_COLUMN_TYPE_DOUBLE:
      return cell.real;
    case ROAST_COLUMN_TYPE_INT64:
      return (double) cell.int64;
    case ROAST_COLUMN_TYPE_BOOLEAN:
      return cell.boolean;
    case ROAST_COLUMN_TYPE_STRING:
    case ROAST_COLUMN_TYPE_CATEGORY:
    default:
      return NAN;
    }
}

/**
 * roast_table_snapshot_get_boolean:
 * @self: a snapshot
 * @row: number of a row
 * @column: index of a column of booleans
 *
 * Gives a cell of a column of booleans.
 *
 * Returns: the cell; %FALSE if it is missing
 *
 * Since: 0.9
 */
gboolean
roast_table_snapshot_get_boolean (RoastTableSnapshot *self, guint64 row, guint column)
{
  RoastCell cell;

  g_return_val_if_fail (ROAST_IS_TABLE_SNAPSHOT (self), FALSE);

  return get_cell (self, row, column, &cell) && type_of (self, column) == ROAST_COLUMN_TYPE_BOOLEAN && cell.boolean;
}

/**
 * roast_table_snapshot_get_string:
 * @self: a snapshot
 * @row: number of a row
 * @column: index of a column of strings or categories
 *
 * Gives a cell of a column of texts or categories.
 *
 * Returns: (transfer none) (nullable): the cell; %NULL if it is missing
 *
 * Since: 0.9
 */
const char *
roast_table_snapshot_get_string (RoastTableSnapshot *self, guint64 row, guint column)
{
  RoastCell cell;

  g_return_val_if_fail (ROAST_IS_TABLE_SNAPSHOT (self), NULL);

  if (!get_cell (self, row, column, &cell))
    return NULL;
  if (type_of (self, column) == ROAST_COLUMN_TYPE_STRING)
    return cell.string;
  if (type_of (self, column) == ROAST_COLUMN_TYPE_CATEGORY)
    {
      GPtrArray *texts = texts_of (self, column);

      return (guint) cell.code < texts->len ? g_ptr_array_index (texts, cell.code) : NULL;
    }

  return NULL;
}

/**
 * roast_table_snapshot_dup_value:
 * @self: a snapshot
 * @row: number of a row
 * @column: index of a column
 *
 * Gives a cell of any type.
 *
 * Returns: (transfer full) (nullable): the cell as `x`, `d`, `b` or `s`; %NULL if it is missing
 *
 * Since: 0.9
 */
GVariant *
roast_table_snapshot_dup_value (RoastTableSnapshot *self, guint64 row, guint column)
{
  RoastCell cell;
  GVariant *value = NULL;

  g_return_val_if_fail (ROAST_IS_TABLE_SNAPSHOT (self), NULL);

  if (!get_cell (self, row, column, &cell))
    return NULL;

  switch (type_of (self, column))
    {
    case ROAST_COLUMN_TYPE_INT64:
      value = g_variant_new_int64 (cell.int64);
      break;
    case ROAST_COLUMN_TYPE_DOUBLE:
      value = g_variant_new_double (cell.real);
      break;
    case ROAST_COLUMN_TYPE_BOOLEAN:
      value = g_variant_new_boolean (cell.boolean);
      break;
    case ROAST_COLUMN_TYPE_STRING:
    case ROAST_COLUMN_TYPE_CATEGORY:
    default:
      value = g_variant_new_string (roast_table_snapshot_get_string (self, row, column));
      break;
    }

  return g_variant_ref_sink (value);
}

/* ---- as blocks ---- */

static RoastTableInfo *
blocks_get_info (RoastTableBlocks *blocks)
{
  return ROAST_TABLE_SNAPSHOT (blocks)->info;
}

static guint64
blocks_get_n_rows (RoastTableBlocks *blocks)
{
  return ROAST_TABLE_SNAPSHOT (blocks)->n_rows;
}

static guint
blocks_get_n_blocks (RoastTableBlocks *blocks)
{
  return ROAST_TABLE_SNAPSHOT (blocks)->chunks->len;
}

static guint64
blocks_get_first_row (RoastTableBlocks *blocks, guint block)
{
  RoastTableSnapshot *self = ROAST_TABLE_SNAPSHOT (blocks);

  return block < self->chunks->len ? first_row (self, block) : self->n_rows;
}

static RoastChunk *
blocks_load (RoastTableBlocks *blocks, guint block)
{
  return roast_chunk_ref (g_ptr_array_index (ROAST_TABLE_SNAPSHOT (blocks)->chunks, block));
}

static GPtrArray *
blocks_get_texts (RoastTableBlocks *blocks, guint column)
{
  return texts_of (ROAST_TABLE_SNAPSHOT (blocks), column);
}

static void
blocks_iface_init (RoastTableBlocksInterface *iface)
{
  iface->get_info = blocks_get_info;
  iface->get_n_rows = blocks_get_n_rows;
  iface->get_n_blocks = blocks_get_n_blocks;
  iface->get_first_row = blocks_get_first_row;
  iface->load = blocks_load;
  iface->get_texts = blocks_get_texts;
}
