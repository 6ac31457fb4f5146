/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-table-chunk-private.h"

#include <math.h>
#include <string.h>

#define TEXT_PER_ROW 8 /* bytes of text that are allocated at once for each row that fits into the chunk */

/* The texts of a column. A copied chunk can share the texts, because their addresses never change. */
typedef struct
{
  GStringChunk *strings;
  gsize memory;
} ChunkText;

typedef struct
{
  RoastColumnType type;
  gboolean is_loaded; /* whether the column was loaded from a store; also TRUE if all cells of the column are missing */
  guint8 *validity;   /* one bit per row, the least significant bit first; NULL, like data, until the first cell is
                       * set */
  guint8 *data;       /* cells of all rows up to the capacity of the chunk; strings are pointers into text */
  ChunkText *text;    /* texts of the strings, in memory from g_atomic_rc_box_alloc() */
} ChunkColumn;

struct _RoastChunk
{
  gatomicrefcount refs;
  guint capacity;
  guint n_columns;
  gsize memory;
  GObject *store; /* store that has the rows, or NULL if the rows are in memory */
  RoastChunkLoad load;
  RoastChunkRange range;
  guint64 address; /* address of the rows in the store */
  ChunkColumn columns[];
};

gsize
roast_column_type_size (RoastColumnType type)
{
  switch (type)
    {
    case ROAST_COLUMN_TYPE_BOOLEAN:
      return sizeof (guint8);
    case ROAST_COLUMN_TYPE_CATEGORY:
      return sizeof (gint32);
    case ROAST_COLUMN_TYPE_STRING:
      return sizeof (char *);
    case ROAST_COLUMN_TYPE_INT64:
    case ROAST_COLUMN_TYPE_DOUBLE:
    default:
      return sizeof (gint64);
    }
}

static gsize
validity_size (guint rows)
{
  return (rows + 7) / 8;
}

static void
chunk_text_clear (gpointer data)
{
  g_string_chunk_free (((ChunkText *) data)->strings);
}

static void
text_unref (ChunkText *text)
{
  g_atomic_rc_box_release_full (text, chunk_text_clear);
}

static const char *
text_insert (ChunkText **text, const char *string, gsize block)
{
  if (*text == NULL)
    {
      *text = g_atomic_rc_box_new0 (ChunkText);
      (*text)->strings = g_string_chunk_new (block);
    }
  (*text)->memory += strlen (string) + 1;

  return g_string_chunk_insert ((*text)->strings, string);
}

RoastChunk *
roast_chunk_new (guint capacity, RoastTableInfo *info)
{
  guint n_columns = roast_table_info_get_n_columns (info);
  RoastChunk *self = g_malloc0 (sizeof (RoastChunk) + n_columns * sizeof (ChunkColumn));

  g_atomic_ref_count_init (&self->refs);
  self->capacity = capacity;
  self->n_columns = n_columns;
  self->memory = sizeof (RoastChunk) + n_columns * sizeof (ChunkColumn);
  for (guint i = 0; i < n_columns; i++)
    self->columns[i].type = roast_column_get_column_type (roast_table_info_get_column (info, i));

  return self;
}

RoastChunk *
roast_chunk_new_stored (RoastTableInfo *info, guint n_rows, GObject *store, guint64 address, RoastChunkLoad load,
                        RoastChunkRange range)
{
  RoastChunk *self = g_malloc0 (sizeof (RoastChunk));

  g_atomic_ref_count_init (&self->refs);
  self->capacity = n_rows;
  self->memory = sizeof (RoastChunk);
  self->store = g_object_ref (store);
  self->address = address;
  self->load = load;
  self->range = range;

  return self;
}

gboolean
roast_chunk_is_stored (RoastChunk *self)
{
  return self->store != NULL;
}

RoastChunk *
roast_chunk_load (RoastChunk *self, const guint *columns, guint n_columns)
{
  if (self->store == NULL)
    return roast_chunk_ref (self);

  return self->load (self->store, self->address, self->capacity, columns, n_columns);
}

gboolean
roast_chunk_get_range (RoastChunk *self, guint column, double *min, double *max)
{
  return self->range != NULL && self->range (self->store, self->address, column, min, max);
}

RoastChunk *
roast_chunk_ref (RoastChunk *self)
{
  g_atomic_ref_count_inc (&self->refs);

  return self;
}

void
roast_chunk_unref (RoastChunk *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;

  for (guint i = 0; i < self->n_columns; i++)
    {
      g_free (self->columns[i].data);
      g_free (self->columns[i].validity);
      g_clear_pointer (&self->columns[i].text, text_unref);
    }
  g_clear_object (&self->store);
  g_free (self);
}

RoastChunk *
roast_chunk_copy (RoastChunk *self)
{
  RoastChunk *copy = g_memdup2 (self, sizeof (RoastChunk) + self->n_columns * sizeof (ChunkColumn));

  g_atomic_ref_count_init (&copy->refs);
  for (guint i = 0; i < self->n_columns; i++)
    {
      const ChunkColumn *from = &self->columns[i];
      ChunkColumn *to = &copy->columns[i];

      if (from->data == NULL)
        continue;
      to->validity = g_memdup2 (from->validity, validity_size (self->capacity));
      to->data = g_memdup2 (from->data, self->capacity * roast_column_type_size (from->type));
      if (from->text != NULL)
        to->text = g_atomic_rc_box_acquire (from->text);
    }

  return copy;
}

gboolean
roast_chunk_is_shared (RoastChunk *self)
{
  return !g_atomic_ref_count_compare (&self->refs, 1);
}

guint
roast_chunk_get_capacity (RoastChunk *self)
{
  return self->capacity;
}

gsize
roast_chunk_get_memory (RoastChunk *self)
{
  gsize memory = self->memory;

  for (guint i = 0; i < self->n_columns; i++)
    {
      if (self->columns[i].text != NULL)
        memory += self->columns[i].text->memory;
    }

  return memory;
}

static void
allocate (RoastChunk *self, ChunkColumn *c)
{
  gsize size = self->capacity * roast_column_type_size (c->type);
  guint8 *data = g_malloc (size);

  roast_chunk_fill_missing (c->type, data, self->capacity);
  /* Set data last, because a reader that finds data set also needs validity. */
  c->validity = g_malloc0 (validity_size (self->capacity));
  g_atomic_pointer_set (&c->data, data);
  self->memory += size + validity_size (self->capacity);
}

void
roast_chunk_take_cells (RoastChunk *self, guint column, gpointer data, guint8 *validity)
{
  ChunkColumn *c = &self->columns[column];

  /* Set data last, for the same reason as in allocate (). */
  c->validity = validity;
  g_atomic_pointer_set (&c->data, data);
  self->memory += self->capacity * roast_column_type_size (c->type) + validity_size (self->capacity);
}

gboolean
roast_chunk_take_texts (RoastChunk *self, guint column, const char *texts, gsize length, guint8 *validity)
{
  ChunkColumn *c = &self->columns[column];
  g_autofree const char **cells = g_new (const char *, MAX (self->capacity, 1));
  const char *at = NULL;
  gsize left = length;

  c->text = g_atomic_rc_box_new0 (ChunkText);
  c->text->strings = g_string_chunk_new (MAX (length, 1));
  c->text->memory = length;
  at = g_string_chunk_insert_len (c->text->strings, texts, (gssize) length);
  for (guint i = 0; i < self->capacity; i++)
    {
      const char *end = left > 0 ? memchr (at, '\0', left) : NULL;

      if (end == NULL || !g_utf8_validate_len (at, (gsize) (end - at), NULL))
        {
          g_clear_pointer (&c->text, text_unref);
          g_free (validity);
          return FALSE;
        }
      cells[i] = at;
      left -= (gsize) (end + 1 - at);
      at = end + 1;
    }
  roast_chunk_take_cells (self, column, g_steal_pointer (&cells), validity);

  return TRUE;
}

gboolean
roast_chunk_is_loaded (RoastChunk *self, guint column)
{
  return self->columns[column].is_loaded;
}

void
roast_chunk_set_loaded (RoastChunk *self, guint column)
{
  self->columns[column].is_loaded = TRUE;
}

gsize
roast_chunk_measure_numbers (RoastChunk *self, guint column)
{
  const ChunkColumn *c = &self->columns[column];

  return c->data != NULL && c->text == NULL ? self->capacity * roast_column_type_size (c->type) : 0;
}

void
roast_chunk_share (RoastChunk *self, RoastChunk *from, guint column)
{
  const ChunkColumn *c = &from->columns[column];

  if (!c->is_loaded || self->columns[column].is_loaded)
    return;
  self->columns[column].is_loaded = TRUE;
  if (c->text != NULL)
    self->columns[column].text = g_atomic_rc_box_acquire (c->text);
  if (c->data != NULL)
    roast_chunk_take_cells (self, column, g_memdup2 (c->data, self->capacity * roast_column_type_size (c->type)),
                            g_memdup2 (c->validity, validity_size (self->capacity)));
}

/* Mark the cell of a row as valid. Store the byte atomically, because other threads may read the bits of other rows in
 * the same byte. */
static inline void
set_valid (ChunkColumn *c, guint row)
{
  guint8 bits = __atomic_load_n (&c->validity[row / 8], __ATOMIC_RELAXED);

  __atomic_store_n (&c->validity[row / 8], bits | (guint8) (1u << (row % 8)), __ATOMIC_RELEASE);
}

static inline void
chunk_set_cell (RoastChunk *self, guint row, guint column, RoastCell cell)
{
  ChunkColumn *c = &self->columns[column];

  if (G_UNLIKELY (c->data == NULL))
    allocate (self, c);

  switch (c->type)
    {
    case ROAST_COLUMN_TYPE_BOOLEAN:
      c->data[row] = cell.boolean;
      break;
    case ROAST_COLUMN_TYPE_CATEGORY:
      ((gint32 *) (gpointer) c->data)[row] = cell.code;
      break;
    case ROAST_COLUMN_TYPE_STRING:
      ((const char **) (gpointer) c->data)[row] = text_insert (&c->text, cell.string, self->capacity * TEXT_PER_ROW);
      break;
    case ROAST_COLUMN_TYPE_INT64:
    case ROAST_COLUMN_TYPE_DOUBLE:
    default:
      ((RoastCell *) (gpointer) c->data)[row] = cell;
      break;
    }

  set_valid (c, row);
}

void
roast_chunk_set (RoastChunk *self, guint row, guint column, RoastCell cell)
{
  chunk_set_cell (self, row, column, cell);
}

void
roast_chunk_set_row (RoastChunk *self, guint row, const RoastRowCell *cells, guint n_cells)
{
  for (guint i = 0; i < n_cells; i++)
    chunk_set_cell (self, row, cells[i].column, cells[i].cell);
}

/* Return a column of the chunk, or NULL if all cells of the column are missing. */
static ChunkColumn *
chunk_peek (RoastChunk *self, guint column)
{
  if (column >= self->n_columns || g_atomic_pointer_get (&self->columns[column].data) == NULL)
    return NULL;

  return &self->columns[column];
}

gconstpointer
roast_chunk_peek (RoastChunk *self, guint column, const guint8 **validity)
{
  ChunkColumn *c = chunk_peek (self, column);

  *validity = c != NULL ? c->validity : NULL;

  return c != NULL ? c->data : NULL;
}

gboolean
roast_chunk_is_valid (RoastChunk *self, guint row, guint column)
{
  ChunkColumn *c = chunk_peek (self, column);

  return c != NULL && (__atomic_load_n (&c->validity[row / 8], __ATOMIC_ACQUIRE) >> (row % 8) & 1) != 0;
}

/* Return a cell, which must be valid. */
RoastCell
roast_chunk_get (RoastChunk *self, guint row, guint column)
{
  ChunkColumn *c = &self->columns[column];
  RoastCell cell = { 0 };

  switch (c->type)
    {
    case ROAST_COLUMN_TYPE_BOOLEAN:
      cell.boolean = c->data[row];
      break;
    case ROAST_COLUMN_TYPE_CATEGORY:
      cell.code = ((gint32 *) (gpointer) c->data)[row];
      break;
    case ROAST_COLUMN_TYPE_STRING:
      cell.string = ((const char **) (gpointer) c->data)[row];
      break;
    case ROAST_COLUMN_TYPE_INT64:
    case ROAST_COLUMN_TYPE_DOUBLE:
    default:
      cell = ((RoastCell *) (gpointer) c->data)[row];
      break;
    }

  return cell;
}

void
roast_chunk_fill_missing (RoastColumnType type, gpointer to, guint n_rows)
{
  double *reals = to;
  gint32 *codes = to;

  if (type == ROAST_COLUMN_TYPE_DOUBLE)
    for (guint i = 0; i < n_rows; i++)
      reals[i] = NAN;
  else if (type == ROAST_COLUMN_TYPE_CATEGORY)
    for (guint i = 0; i < n_rows; i++)
      codes[i] = -1;
  else
    memset (to, 0, n_rows * roast_column_type_size (type));
}

static GBytes *
chunk_dup_text (RoastChunk *self, guint column, guint n_rows)
{
  g_autoptr (GByteArray) text = g_byte_array_new ();

  for (guint i = 0; i < n_rows; i++)
    {
      const char *string = roast_chunk_is_valid (self, i, column) ? roast_chunk_get (self, i, column).string : "";

      g_byte_array_append (text, (const guint8 *) string, strlen (string) + 1);
    }

  return g_byte_array_free_to_bytes (g_steal_pointer (&text));
}

GBytes *
roast_chunk_dup_data (RoastChunk *self, guint column, RoastColumnType type, guint n_rows)
{
  ChunkColumn *c = chunk_peek (self, column);
  gsize size = n_rows * roast_column_type_size (type);
  gpointer missing = NULL;

  if (type == ROAST_COLUMN_TYPE_STRING)
    return chunk_dup_text (self, column, n_rows);
  if (c != NULL)
    return g_bytes_new_with_free_func (c->data, size, (GDestroyNotify) roast_chunk_unref, roast_chunk_ref (self));

  missing = g_malloc (MAX (size, 1));
  roast_chunk_fill_missing (type, missing, n_rows);

  return g_bytes_new_take (missing, size);
}

GBytes *
roast_chunk_dup_offsets (RoastChunk *self, guint column, guint n_rows)
{
  gint64 *offsets = g_new (gint64, n_rows + 1);

  offsets[0] = 0;
  for (guint i = 0; i < n_rows; i++)
    {
      const char *string = roast_chunk_is_valid (self, i, column) ? roast_chunk_get (self, i, column).string : "";

      offsets[i + 1] = offsets[i] + (gint64) strlen (string) + 1;
    }

  return g_bytes_new_take (offsets, (n_rows + 1) * sizeof (gint64));
}

/* Return the validity of the eight rows that share a byte. Rows from n_rows on are regarded as missing. */
static guint8
get_bits (ChunkColumn *c, guint byte, guint n_rows)
{
  guint8 bits = c != NULL ? __atomic_load_n (&c->validity[byte], __ATOMIC_ACQUIRE) : 0;
  guint rows = n_rows - byte * 8;

  return rows < 8 ? bits & (guint8) ((1u << rows) - 1) : bits;
}

GBytes *
roast_chunk_dup_validity (RoastChunk *self, guint column, guint n_rows)
{
  ChunkColumn *c = chunk_peek (self, column);
  gsize size = validity_size (n_rows);
  g_autofree guint8 *bits = g_malloc (MAX (size, 1));
  guint n_valid = 0;

  for (guint i = 0; i < size; i++)
    {
      bits[i] = get_bits (c, i, n_rows);
      n_valid += (guint) __builtin_popcount (bits[i]);
    }
  if (n_valid == n_rows)
    return NULL;

  return g_bytes_new_take (g_steal_pointer (&bits), size);
}
