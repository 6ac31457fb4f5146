/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast/roast-table.h"

#include "base/roast-suggest-private.h"
#include "roast-column-private.h"
#include "roast-dictionary-private.h"
#include "roast-key-index-private.h"
#include "roast-row-private.h"
#include "roast-table-chunk-private.h"
#include "roast-table-info-private.h"
#include "roast-table-private.h"
#include "roast-table-snapshot-private.h"
#include "roast/roast-error.h"

#define FIRST_CHUNK_ROWS 64
#define MAX_CHUNK_ROWS 4096

/**
 * RoastTable:
 *
 * Rows of typed columns, in memory: everything that is measured is one.
 *
 * Rows may be added from any thread; a cell may be missing, which is not the same as 0. Rows are kept in chunks of up
 * to 4096, column by column. Readers take a [class@Roast.TableSnapshot], which never changes.
 *
 * Since: 0.9
 */
struct _RoastTable
{
  GObject parent_instance;

  char *name;
  RoastTableKind kind;
  char *description;

  GMutex mutex; /* of all below */
  GPtrArray *columns;
  GHashTable *column_index; /* name, owned by the column, to index + 1 */
  GPtrArray *dictionaries;  /* by column; NULL where it has none */
  GPtrArray *chunks;        /* all are full but the last */
  GArray *first_rows;       /* guint64, by chunk */
  RoastChunk *tail;         /* the last of chunks, or NULL */
  guint tail_rows;
  guint64 n_rows;
  guint64 serial;
  RoastKeyIndex *keys; /* of open rows; NULL if it is a log */
  RoastTableInfo *info;
  gboolean sealed; /* nothing is written any more */
};

G_DEFINE_FINAL_TYPE (RoastTable, roast_table, G_TYPE_OBJECT)

static void
dictionary_free (gpointer dictionary)
{
  if (dictionary != NULL)
    roast_dictionary_unref (dictionary);
}

static void
roast_table_finalize (GObject *object)
{
  RoastTable *self = ROAST_TABLE (object);

  g_free (self->name);
  g_free (self->description);
  g_ptr_array_unref (self->columns);
  g_hash_table_unref (self->column_index);
  g_ptr_array_unref (self->dictionaries);
  g_ptr_array_unref (self->chunks);
  g_array_unref (self->first_rows);
  g_clear_pointer (&self->keys, roast_key_index_free);
  g_clear_object (&self->info);
  g_mutex_clear (&self->mutex);

  G_OBJECT_CLASS (roast_table_parent_class)->finalize (object);
}

static void
roast_table_class_init (RoastTableClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_table_finalize;
}

static void
roast_table_init (RoastTable *self)
{
  g_mutex_init (&self->mutex);
  self->columns = g_ptr_array_new_with_free_func (g_object_unref);
  self->column_index = g_hash_table_new (g_str_hash, g_str_equal);
  self->dictionaries = g_ptr_array_new_with_free_func (dictionary_free);
  self->chunks = g_ptr_array_new_with_free_func ((GDestroyNotify) roast_chunk_unref);
  self->first_rows = g_array_new (FALSE, FALSE, sizeof (guint64));
}

/**
 * roast_table_new:
 * @name: its name
 * @kind: how it grows
 * @description: (nullable): what a row of it is, in one line
 *
 * Makes an empty table without columns.
 *
 * Returns: (transfer full): a table
 *
 * Since: 0.9
 */
RoastTable *
roast_table_new (const char *name, RoastTableKind kind, const char *description)
{
  RoastTable *self = NULL;

  g_return_val_if_fail (name != NULL && *name != '\0', NULL);

  self = g_object_new (ROAST_TYPE_TABLE, NULL);
  self->name = g_strdup (name);
  self->kind = kind;
  self->description = g_strdup (description);
  if (kind == ROAST_TABLE_KIND_ENTITY)
    self->keys = roast_key_index_new ();

  return self;
}

/**
 * roast_table_get_name:
 * @self: a table
 *
 * Tells the name of a table.
 *
 * Returns: (transfer none): its name
 *
 * Since: 0.9
 */
const char *
roast_table_get_name (RoastTable *self)
{
  g_return_val_if_fail (ROAST_IS_TABLE (self), NULL);

  return self->name;
}

/**
 * roast_table_get_kind:
 * @self: a table
 *
 * Tells a log from an entity table.
 *
 * Returns: how it grows
 *
 * Since: 0.9
 */
RoastTableKind
roast_table_get_kind (RoastTable *self)
{
  g_return_val_if_fail (ROAST_IS_TABLE (self), ROAST_TABLE_KIND_LOG);

  return self->kind;
}

/**
 * roast_table_get_description:
 * @self: a table
 *
 * Tells what the table is about.
 *
 * Returns: (transfer none) (nullable): what a row of it is
 *
 * Since: 0.9
 */
const char *
roast_table_get_description (RoastTable *self)
{
  g_return_val_if_fail (ROAST_IS_TABLE (self), NULL);

  return self->description;
}

static int
find_column (RoastTable *self, const char *name)
{
  return GPOINTER_TO_INT (g_hash_table_lookup (self->column_index, name)) - 1;
}

/* A column of that name that will do for the one that was asked for. */
static int
reuse_column (RoastTable *self, int index, RoastColumn *column, GError **error)
{
  RoastColumn *existing = g_ptr_array_index (self->columns, index);

  if (roast_column_get_column_type (existing) != roast_column_get_column_type (column))
    {
      g_set_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_COLUMN,
                   "table “%s” has a column “%s” of another type already: choose another name", self->name,
                   roast_column_get_name (column));
      return -1;
    }
  if (roast_column_is_key (column) && !roast_column_is_key (existing))
    {
      g_set_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_KEY,
                   "table “%s” has a column “%s” already, which is no key: choose another name", self->name,
                   roast_column_get_name (column));
      return -1;
    }

  return index;
}

static int
add_column (RoastTable *self, RoastColumn *column, GError **error)
{
  const char *name = roast_column_get_name (column);
  RoastColumnType type = roast_column_get_column_type (column);
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  int index = find_column (self, name);

  if (index >= 0)
    return reuse_column (self, index, column, error);
  if (roast_column_is_key (column) && (self->kind != ROAST_TABLE_KIND_ENTITY || self->n_rows > 0))
    {
      g_set_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_KEY,
                   "column “%s” cannot be a key of table “%s”: keys are columns of entity tables, made before the "
                   "first "
                   "row",
                   name, self->name);
      return -1;
    }

  g_ptr_array_add (self->columns, g_object_ref (column));
  g_ptr_array_add (self->dictionaries, type == ROAST_COLUMN_TYPE_CATEGORY ? roast_dictionary_new () : NULL);
  g_hash_table_insert (self->column_index, (char *) name, GINT_TO_POINTER (self->columns->len));
  self->serial++;

  return (int) self->columns->len - 1;
}

/**
 * roast_table_add_column:
 * @self: a table
 * @name: name of the column
 * @type: what its cells hold
 * @unit: (nullable): their unit
 * @description: (nullable): what they mean, in one line
 * @error: return location for an error
 *
 * Adds a column. Rows that are there already lack it. If there is a column of that name and type, key or not, that one
 * is meant: its unit and description stay.
 *
 * Returns: the index of the column, or -1 with %ROAST_TABLE_ERROR_COLUMN if there is one of the name with another type
 *
 * Since: 0.9
 */
int
roast_table_add_column (RoastTable *self, const char *name, RoastColumnType type, const char *unit,
                        const char *description, GError **error)
{
  g_autoptr (RoastColumn) column = NULL;

  g_return_val_if_fail (ROAST_IS_TABLE (self), -1);
  g_return_val_if_fail (name != NULL && *name != '\0', -1);

  column = roast_column_new (name, type, unit, description, FALSE, NULL);

  return add_column (self, column, error);
}

/**
 * roast_table_add_key_column:
 * @self: an entity table without rows
 * @name: name of the column
 * @type: what its cells hold
 * @unit: (nullable): their unit
 * @description: (nullable): what they mean, in one line
 * @error: return location for an error
 *
 * Adds a column that is part of the key: all key columns together identify a row.
 *
 * Returns: the index of the column, or -1 with %ROAST_TABLE_ERROR_KEY or %ROAST_TABLE_ERROR_COLUMN
 *
 * Since: 0.9
 */
int
roast_table_add_key_column (RoastTable *self, const char *name, RoastColumnType type, const char *unit,
                            const char *description, GError **error)
{
  g_autoptr (RoastColumn) column = NULL;

  g_return_val_if_fail (ROAST_IS_TABLE (self), -1);
  g_return_val_if_fail (name != NULL && *name != '\0', -1);

  column = roast_column_new (name, type, unit, description, TRUE, NULL);

  return add_column (self, column, error);
}

/**
 * roast_table_get_n_columns:
 * @self: a table
 *
 * Counts the columns.
 *
 * Returns: how many columns it has; their number only grows
 *
 * Since: 0.9
 */
guint
roast_table_get_n_columns (RoastTable *self)
{
  g_autoptr (GMutexLocker) locker = NULL;

  g_return_val_if_fail (ROAST_IS_TABLE (self), 0);

  locker = g_mutex_locker_new (&self->mutex);

  return self->columns->len;
}

/**
 * roast_table_get_column:
 * @self: a table
 * @column: index of a column
 *
 * Gives a column by its index.
 *
 * Returns: (transfer none): the column; it lives as long as the table
 *
 * Since: 0.9
 */
RoastColumn *
roast_table_get_column (RoastTable *self, guint column)
{
  g_autoptr (GMutexLocker) locker = NULL;

  g_return_val_if_fail (ROAST_IS_TABLE (self), NULL);

  locker = g_mutex_locker_new (&self->mutex);
  g_return_val_if_fail (column < self->columns->len, NULL);

  return g_ptr_array_index (self->columns, column);
}

/**
 * roast_table_find_column:
 * @self: a table
 * @name: name of a column
 *
 * Finds a column by its name.
 *
 * Returns: its index, or -1 if there is none
 *
 * Since: 0.9
 */
int
roast_table_find_column (RoastTable *self, const char *name)
{
  g_autoptr (GMutexLocker) locker = NULL;

  g_return_val_if_fail (ROAST_IS_TABLE (self), -1);
  g_return_val_if_fail (name != NULL, -1);

  locker = g_mutex_locker_new (&self->mutex);

  return find_column (self, name);
}

/**
 * roast_table_get_n_rows:
 * @self: a table
 *
 * Counts the rows.
 *
 * Returns: how many rows it has now
 *
 * Since: 0.9
 */
guint64
roast_table_get_n_rows (RoastTable *self)
{
  g_autoptr (GMutexLocker) locker = NULL;

  g_return_val_if_fail (ROAST_IS_TABLE (self), 0);

  locker = g_mutex_locker_new (&self->mutex);

  return self->n_rows;
}

/**
 * roast_table_get_serial:
 * @self: a table
 *
 * Tells whether something changed since it was last asked.
 *
 * Returns: a number that grows with each change, of rows that are there already too
 *
 * Since: 0.9
 */
guint64
roast_table_get_serial (RoastTable *self)
{
  g_autoptr (GMutexLocker) locker = NULL;

  g_return_val_if_fail (ROAST_IS_TABLE (self), 0);

  locker = g_mutex_locker_new (&self->mutex);

  return self->serial;
}

/**
 * roast_table_get_memory:
 * @self: a table
 *
 * Tells how much memory the table takes.
 *
 * Returns: bytes that its rows take, room for more in the last chunk included; what the allocator adds is not, nor what
 *   only snapshots still hold
 *
 * Since: 0.9
 */
gsize
roast_table_get_memory (RoastTable *self)
{
  g_autoptr (GMutexLocker) locker = NULL;
  gsize memory = 0;

  g_return_val_if_fail (ROAST_IS_TABLE (self), 0);

  locker = g_mutex_locker_new (&self->mutex);
  for (guint i = 0; i < self->chunks->len; i++)
    memory += roast_chunk_get_memory (g_ptr_array_index (self->chunks, i));
  for (guint i = 0; i < self->dictionaries->len; i++)
    if (g_ptr_array_index (self->dictionaries, i) != NULL)
      memory += roast_dictionary_get_memory (g_ptr_array_index (self->dictionaries, i));
  if (self->keys != NULL)
    memory += roast_key_index_get_memory (self->keys);

  return memory;
}

/* A chunk that no snapshot holds, with all columns, in the place of the one that is there. */
static RoastChunk *
make_writable (RoastTable *self, guint index)
{
  RoastChunk *chunk = g_ptr_array_index (self->chunks, index);
  RoastChunk *copy = NULL;

  if (!roast_chunk_is_shared (chunk) && roast_chunk_get_n_columns (chunk) == self->columns->len)
    return chunk;

  copy = roast_chunk_copy (chunk, self->columns);
  self->chunks->pdata[index] = copy;
  if (chunk == self->tail)
    self->tail = copy;
  roast_chunk_unref (chunk);

  return copy;
}

/* Sees to it that the next row has a place in the last chunk, in all columns. */
static void
make_room (RoastTable *self)
{
  if (G_LIKELY (self->tail != NULL && self->tail_rows < roast_chunk_get_capacity (self->tail)))
    {
      if (G_UNLIKELY (roast_chunk_get_n_columns (self->tail) < self->columns->len))
        make_writable (self, self->chunks->len - 1);
      return;
    }

  self->tail = roast_chunk_new (CLAMP (self->n_rows, FIRST_CHUNK_ROWS, MAX_CHUNK_ROWS), self->columns);
  self->tail_rows = 0;
  g_ptr_array_add (self->chunks, self->tail);
  g_array_append_val (self->first_rows, self->n_rows);
}

static void
append_row (RoastTable *self, const RoastRowCell *cells, guint n_cells)
{
  make_room (self);
  for (guint i = 0; i < n_cells; i++)
    roast_chunk_set (self->tail, self->tail_rows, cells[i].column, cells[i].cell);
  self->tail_rows++;
  self->n_rows++;
  self->serial++;
}

static guint
find_chunk (RoastTable *self, guint64 row)
{
  guint low = 0;
  guint high = self->first_rows->len;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->first_rows, guint64, middle) <= row)
        low = middle;
      else
        high = middle;
    }

  return low;
}

static gboolean
cells_equal (RoastColumnType type, RoastCell a, RoastCell b)
{
  switch (type)
    {
    case ROAST_COLUMN_TYPE_STRING:
      return g_str_equal (a.string, b.string);
    case ROAST_COLUMN_TYPE_CATEGORY:
      return a.code == b.code;
    case ROAST_COLUMN_TYPE_BOOLEAN:
      return a.boolean == b.boolean;
    case ROAST_COLUMN_TYPE_INT64:
    case ROAST_COLUMN_TYPE_DOUBLE:
    default:
      return a.int64 == b.int64;
    }
}

/* Sets the cells that are missing. A cell that has another value stays: the column of the last such cell, or -1. */
static int
update_row (RoastTable *self, guint64 row, const RoastRowCell *cells, guint n_cells)
{
  guint index = find_chunk (self, row);
  RoastChunk *chunk = g_ptr_array_index (self->chunks, index);
  guint in_chunk = (guint) (row - g_array_index (self->first_rows, guint64, index));
  gboolean changed = FALSE;
  int conflict = -1;

  for (guint i = 0; i < n_cells; i++)
    {
      if (!roast_chunk_is_valid (chunk, in_chunk, cells[i].column))
        {
          chunk = make_writable (self, index);
          roast_chunk_set (chunk, in_chunk, cells[i].column, cells[i].cell);
          changed = TRUE;
        }
      else if (!cells_equal (cells[i].type, roast_chunk_get (chunk, in_chunk, cells[i].column), cells[i].cell))
        conflict = (int) cells[i].column;
    }
  if (changed)
    self->serial++;

  return conflict;
}

static gboolean
refuse (RoastTable *self, GError **error, RoastTableError code, const char *why, const char *column)
{
  if (column != NULL)
    g_set_error (error, ROAST_TABLE_ERROR, (int) code, "table “%s”, column “%s”: %s", self->name, column, why);
  else
    g_set_error (error, ROAST_TABLE_ERROR, (int) code, "table “%s”: %s", self->name, why);

  return FALSE;
}

/* The open row that the cells belong to, or a new one. @row: number + 1, or 0 if the cells have its key. */
static gboolean
write_entity (RoastTable *self, const RoastRowCell *cells, guint n_cells, gboolean close, guint64 *row,
              const char **column, GError **error)
{
  g_autofree char *key = NULL;
  RoastColumn *missing = NULL;
  guint64 found = *row - 1;
  int conflict = -1;

  if (*row != 0 && !roast_key_index_contains (self->keys, found))
    return refuse (self, error, ROAST_TABLE_ERROR_CLOSED, "the row is closed: nothing can be written to it", NULL);
  if (*row == 0)
    {
      key = roast_key_index_make_key (self->columns, cells, n_cells, &missing);
      if (key == NULL)
        {
          *column = roast_column_get_name (missing);
          return refuse (self, error, ROAST_TABLE_ERROR_KEY, "the column is part of the key and is not set", *column);
        }
    }
  if (key != NULL && *key == '\0')
    return refuse (self, error, ROAST_TABLE_ERROR_KEY, "the table has no key", NULL);
  if (*row != 0 || roast_key_index_lookup (self->keys, key, &found))
    conflict = update_row (self, found, cells, n_cells);
  else
    {
      found = self->n_rows;
      append_row (self, cells, n_cells);
      if (!close)
        roast_key_index_insert (self->keys, g_steal_pointer (&key), found);
    }
  if (close)
    roast_key_index_remove (self->keys, found);
  *row = found + 1;
  if (conflict < 0)
    return TRUE;
  *column = roast_column_get_name (g_ptr_array_index (self->columns, conflict));

  return refuse (self, error, ROAST_TABLE_ERROR_CONFLICT, "the cell has another value already, which is kept", *column);
}

/* Writes a row whose categories are encoded. @row: which open row is meant, as number + 1, or 0; then which it was.
 * @column: the one that an error is about, or NULL. */
gboolean
roast_table_write (RoastTable *self, const RoastRowCell *cells, guint n_cells, gboolean close, guint64 *row,
                   const char **column, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  *column = NULL;
  if (G_UNLIKELY (self->sealed))
    return refuse (self, error, ROAST_TABLE_ERROR_LATE, "the row comes after the end of the recording", NULL);
  if (self->kind == ROAST_TABLE_KIND_ENTITY)
    return write_entity (self, cells, n_cells, close, row, column, error);
  if (*row != 0)
    return refuse (self, error, ROAST_TABLE_ERROR_CLOSED, "rows of a log cannot be changed", NULL);
  append_row (self, cells, n_cells);
  *row = self->n_rows;

  return TRUE;
}

gint32
roast_table_encode (RoastTable *self, guint column, const char *text)
{
  return roast_dictionary_encode (g_ptr_array_index (self->dictionaries, column), text);
}

/* Of a table that no schema declares it follows from the columns. */
RoastTableInfo *
roast_table_get_info (RoastTable *self)
{
  if (self->info == NULL || roast_table_info_get_n_columns (self->info) < self->columns->len)
    {
      g_clear_object (&self->info);
      self->info = roast_table_info_new (self->name, self->description, self->kind, ROAST_TABLE_ORIGIN_MEASURED,
                                         ROAST_TABLE_STORAGE_BLOCKS, ROAST_TABLE_FROM_BACKEND);
      for (guint i = 0; i < self->columns->len; i++)
        roast_table_info_add_column (self->info, g_ptr_array_index (self->columns, i));
    }

  return self->info;
}

void
roast_table_seal (RoastTable *self)
{
  g_mutex_lock (&self->mutex);
  self->sealed = TRUE;
  g_mutex_unlock (&self->mutex);
}

RoastTable *
roast_table_new_for_info (RoastTableInfo *info)
{
  RoastTable *self = roast_table_new (roast_table_info_get_name (info), roast_table_info_get_kind (info),
                                      roast_table_info_get_description (info));

  self->info = g_object_ref (info);
  for (guint i = 0; i < roast_table_info_get_n_columns (info); i++)
    add_column (self, roast_table_info_get_column (info, i), NULL);

  return self;
}

/* ---- rows of the former API ---- */

static gboolean
write_old (RoastTable *self, RoastRow *row, RoastTableKind kind, GError **error)
{
  const RoastRowCell *cells = NULL;
  const char *column = NULL;
  g_autofree RoastRowCell *encoded = NULL;
  guint64 number = 0;
  guint n_cells = 0;

  if (self->kind != kind)
    return refuse (self, error, ROAST_TABLE_ERROR_KEY,
                   self->kind == ROAST_TABLE_KIND_ENTITY ? "rows are merged into an entity table, not appended"
                                                         : "rows are appended to a log, not merged",
                   NULL);
  if (!roast_row_check (row, error))
    return FALSE;
  cells = roast_row_get_cells (row, &n_cells);
  encoded = g_memdup2 (cells, n_cells * sizeof *cells);
  for (guint i = 0; i < n_cells; i++)
    if (cells[i].type == ROAST_COLUMN_TYPE_CATEGORY)
      encoded[i].cell.code = roast_table_encode (self, cells[i].column, cells[i].cell.string);

  return roast_table_write (self, encoded, n_cells, FALSE, &number, &column, error);
}

/**
 * roast_table_append:
 * @self: a log table
 * @row: a row made for it
 * @error: return location for an error
 *
 * Adds a row.
 *
 * Returns: %FALSE with an error of the domain #RoastTableError
 *
 * Since: 0.9
 */
gboolean
roast_table_append (RoastTable *self, RoastRow *row, GError **error)
{
  return write_old (self, row, ROAST_TABLE_KIND_LOG, error);
}

/**
 * roast_table_merge:
 * @self: an entity table
 * @row: a row made for it, with all key cells set
 * @error: return location for an error
 *
 * Adds a row, or completes the one with the same key.
 *
 * Returns: %FALSE with an error of the domain #RoastTableError
 *
 * Since: 0.9
 */
gboolean
roast_table_merge (RoastTable *self, RoastRow *row, GError **error)
{
  return write_old (self, row, ROAST_TABLE_KIND_ENTITY, error);
}

static gboolean
refuse_kind (RoastTable *self, GError **error)
{
  return refuse (self, error, ROAST_TABLE_ERROR_KEY, "rows are merged into an entity table, not appended", NULL);
}

static void
no_such_column (RoastTable *self, const char *name, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *sentence = NULL;

  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < self->columns->len; i++)
    g_ptr_array_add (names, (gpointer) roast_column_get_name (g_ptr_array_index (self->columns, i)));
  g_mutex_unlock (&self->mutex);
  g_ptr_array_add (names, NULL);

  sentence = roast_suggest_sentence (name, (const char *const *) names->pdata, "it has", "it has none yet");
  g_set_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_COLUMN, "table “%s” has no column “%s”; %s", self->name,
               name, sentence);
}

/**
 * roast_table_add_variant:
 * @self: a table
 * @row: a dictionary of type `a{sv}`: values by name of column
 * @error: return location for an error
 *
 * Adds a row, or merges it if the table is one of entities: for languages in which a [struct@Roast.Row] is too much.
 * Any kind of integer fits a column of integers or doubles. @row is consumed if it is floating. If a name is not that
 * of a column, nothing is added.
 *
 * Fails with an error of the domain #RoastTableError, as [method@Roast.Table.append] and [method@Roast.Table.merge] do.
 *
 * Returns: %TRUE if it was added
 *
 * Since: 0.9
 */
gboolean
roast_table_add_variant (RoastTable *self, GVariant *row, GError **error)
{
  g_autoptr (GVariant) owned = NULL;
  g_autoptr (RoastRow) cells = NULL;
  GVariantIter iter;
  const char *name = NULL;
  GVariant *value = NULL;

  g_return_val_if_fail (ROAST_IS_TABLE (self), FALSE);
  g_return_val_if_fail (row != NULL && g_variant_is_of_type (row, G_VARIANT_TYPE_VARDICT), FALSE);

  owned = g_variant_ref_sink (row);
  cells = roast_row_new (self);
  g_variant_iter_init (&iter, owned);
  while (g_variant_iter_loop (&iter, "{&sv}", &name, &value))
    {
      int column = roast_table_find_column (self, name);

      if (column < 0)
        {
          no_such_column (self, name, error);
          g_variant_unref (value);
          return FALSE;
        }
      roast_row_set_variant (cells, (guint) column, value);
    }

  return self->kind == ROAST_TABLE_KIND_LOG ? roast_table_append (self, cells, error)
                                            : roast_table_merge (self, cells, error);
}

static gboolean
check_block (RoastTable *self, const char *name, gsize size, guint *column, GError **error)
{
  int index = roast_table_find_column (self, name);
  RoastColumnType type;

  if (self->kind != ROAST_TABLE_KIND_LOG)
    return refuse_kind (self, error);
  if (index < 0)
    {
      no_such_column (self, name, error);
      return FALSE;
    }

  *column = (guint) index;
  type = roast_column_get_column_type (roast_table_get_column (self, *column));
  if (size % sizeof (RoastCell) == 0 && (type == ROAST_COLUMN_TYPE_DOUBLE || type == ROAST_COLUMN_TYPE_INT64))
    return TRUE;

  g_set_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_TYPE,
               "column “%s” of table “%s” cannot take %" G_GSIZE_FORMAT
               " bytes at once: only columns of integers and doubles "
               "can, with 8 bytes each",
               name, self->name, size);
  return FALSE;
}

/**
 * roast_table_append_column:
 * @self: a log table
 * @column: name of a column of doubles or integers
 * @values: 8 bytes each, in the order of this machine: doubles or 64-bit integers
 * @error: return location for an error
 *
 * Adds many rows in which only @column is set. Doubles that are not finite are missing.
 *
 * Returns: %FALSE with %ROAST_TABLE_ERROR_COLUMN, %ROAST_TABLE_ERROR_TYPE, or %ROAST_TABLE_ERROR_KEY if the table is
 * one of entities
 *
 * Since: 0.9
 */
gboolean
roast_table_append_column (RoastTable *self, const char *column, GBytes *values, GError **error)
{
  g_autoptr (GMutexLocker) locker = NULL;
  const guint8 *data = NULL;
  gsize size = 0;
  guint index = 0;

  g_return_val_if_fail (ROAST_IS_TABLE (self), FALSE);
  g_return_val_if_fail (column != NULL && values != NULL, FALSE);

  data = g_bytes_get_data (values, &size);
  if (!check_block (self, column, size, &index, error))
    return FALSE;

  locker = g_mutex_locker_new (&self->mutex);
  for (gsize left = size / sizeof (RoastCell); left > 0;)
    {
      guint n_rows = 0;

      make_room (self);
      n_rows = (guint) MIN (left, roast_chunk_get_capacity (self->tail) - self->tail_rows);
      roast_chunk_set_run (self->tail, self->tail_rows, index, data, n_rows);
      self->tail_rows += n_rows;
      self->n_rows += n_rows;
      data += n_rows * sizeof (RoastCell);
      left -= n_rows;
    }
  if (size > 0)
    self->serial++;

  return TRUE;
}

void
roast_table_lock (RoastTable *self)
{
  g_mutex_lock (&self->mutex);
}

void
roast_table_unlock (RoastTable *self)
{
  g_mutex_unlock (&self->mutex);
}

RoastTableSnapshot *
roast_table_snapshot_locked (RoastTable *self)
{
  GPtrArray *chunks = g_ptr_array_new_full (self->chunks->len, (GDestroyNotify) roast_chunk_unref);
  GPtrArray *columns = g_ptr_array_new_full (self->columns->len, g_object_unref);
  GPtrArray *dictionaries = g_ptr_array_new_full (self->columns->len, dictionary_free);

  for (guint i = 0; i < self->chunks->len; i++)
    g_ptr_array_add (chunks, roast_chunk_ref (g_ptr_array_index (self->chunks, i)));
  for (guint i = 0; i < self->columns->len; i++)
    {
      RoastDictionary *dictionary = g_ptr_array_index (self->dictionaries, i);

      g_ptr_array_add (columns, g_object_ref (g_ptr_array_index (self->columns, i)));
      g_ptr_array_add (dictionaries, dictionary != NULL ? roast_dictionary_ref (dictionary) : NULL);
    }

  return roast_table_snapshot_new (roast_table_get_info (self), self->name, self->description, self->serial,
                                   self->n_rows, chunks, g_array_copy (self->first_rows), columns, dictionaries);
}

/**
 * roast_table_snapshot:
 * @self: a table
 *
 * Takes the table as it is now: cheap, since chunks are shared, not copied.
 *
 * Returns: (transfer full): a snapshot
 *
 * Since: 0.9
 */
RoastTableSnapshot *
roast_table_snapshot (RoastTable *self)
{
  g_autoptr (GMutexLocker) locker = NULL;

  g_return_val_if_fail (ROAST_IS_TABLE (self), NULL);

  locker = g_mutex_locker_new (&self->mutex);

  return roast_table_snapshot_locked (self);
}
