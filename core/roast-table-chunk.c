/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-table-chunk-private.h"

#include <math.h>
#include <string.h>

typedef struct
{
  RoastColumnType type;
  guint8 *validity; /* one bit a row, least significant first; NULL, as data, until the first valid cell */
  guint8 *data;     /* capacity cells; in strings, pointers into text */
  GStringChunk *text;
} ChunkColumn;

struct _RoastChunk
{
  gatomicrefcount refs;
  guint capacity;
  guint n_columns;
  gsize memory;
  ChunkColumn columns[];
};

gsize
roast_column_type_size (RoastColumnType type)
{
  switch (type)
    {
    case ROAST_COLUMN_BOOLEAN:
      return sizeof (guint8);
    case ROAST_COLUMN_CATEGORY:
      return sizeof (gint32);
    case ROAST_COLUMN_STRING:
      return sizeof (char *);
    case ROAST_COLUMN_INT64:
    case ROAST_COLUMN_DOUBLE:
    default:
      return sizeof (gint64);
    }
}

static gsize
validity_size (guint rows)
{
  return (rows + 7) / 8;
}

RoastChunk *
roast_chunk_new (guint capacity, GPtrArray *columns)
{
  RoastChunk *self = g_malloc0 (sizeof (RoastChunk) + columns->len * sizeof (ChunkColumn));

  g_atomic_ref_count_init (&self->refs);
  self->capacity = capacity;
  self->n_columns = columns->len;
  self->memory = sizeof (RoastChunk) + columns->len * sizeof (ChunkColumn);
  for (guint i = 0; i < columns->len; i++)
    self->columns[i].type = roast_column_get_column_type (g_ptr_array_index (columns, i));

  return self;
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
      g_clear_pointer (&self->columns[i].text, g_string_chunk_free);
    }
  g_free (self);
}

/* An unshared chunk with the same first rows, and with the columns that the table has by now. */
RoastChunk *
roast_chunk_copy (RoastChunk *self, guint n_rows, GPtrArray *columns)
{
  RoastChunk *copy = roast_chunk_new (self->capacity, columns);

  for (guint i = 0; i < self->n_columns; i++)
    {
      ChunkColumn *from = &self->columns[i];
      ChunkColumn *to = &copy->columns[i];
      gsize size = self->capacity * roast_column_type_size (from->type);

      if (from->data == NULL)
        continue;
      to->validity = g_memdup2 (from->validity, validity_size (self->capacity));
      to->data = g_memdup2 (from->data, size);
      copy->memory += size + validity_size (self->capacity);
      for (guint row = 0; from->type == ROAST_COLUMN_STRING && row < n_rows; row++)
        {
          if (roast_chunk_is_valid (self, row, i))
            roast_chunk_set (copy, row, i, roast_chunk_get (self, row, i));
        }
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

guint
roast_chunk_get_n_columns (RoastChunk *self)
{
  return self->n_columns;
}

gsize
roast_chunk_get_memory (RoastChunk *self)
{
  return self->memory;
}

static void
allocate (RoastChunk *self, ChunkColumn *c)
{
  gsize size = self->capacity * roast_column_type_size (c->type);
  guint8 *data = g_malloc (size);

  roast_chunk_fill_missing (c->type, data, self->capacity);
  /* A reader looks at data first: when it sees it, it must see validity. */
  c->validity = g_malloc0 (validity_size (self->capacity));
  g_atomic_pointer_set (&c->data, data);
  self->memory += size + validity_size (self->capacity);
}

void
roast_chunk_set (RoastChunk *self, guint row, guint column, RoastCell cell)
{
  ChunkColumn *c = &self->columns[column];
  guint8 bits;

  if (G_UNLIKELY (c->data == NULL))
    allocate (self, c);

  switch (c->type)
    {
    case ROAST_COLUMN_BOOLEAN:
      c->data[row] = cell.boolean;
      break;
    case ROAST_COLUMN_CATEGORY:
      ((gint32 *) (gpointer) c->data)[row] = cell.code;
      break;
    case ROAST_COLUMN_STRING:
      if (c->text == NULL)
        c->text = g_string_chunk_new (1024);
      ((const char **) (gpointer) c->data)[row] = g_string_chunk_insert (c->text, cell.string);
      self->memory += strlen (cell.string) + 1;
      break;
    case ROAST_COLUMN_INT64:
    case ROAST_COLUMN_DOUBLE:
    default:
      ((RoastCell *) (gpointer) c->data)[row] = cell;
      break;
    }

  bits = __atomic_load_n (&c->validity[row / 8], __ATOMIC_RELAXED);
  __atomic_store_n (&c->validity[row / 8], bits | (guint8) (1u << (row % 8)), __ATOMIC_RELEASE);
}

/* The column if it has any data yet; NULL if all its cells are missing. */
static ChunkColumn *
peek (RoastChunk *self, guint column)
{
  if (column >= self->n_columns || g_atomic_pointer_get (&self->columns[column].data) == NULL)
    return NULL;

  return &self->columns[column];
}

gboolean
roast_chunk_is_valid (RoastChunk *self, guint row, guint column)
{
  ChunkColumn *c = peek (self, column);

  return c != NULL && (__atomic_load_n (&c->validity[row / 8], __ATOMIC_ACQUIRE) >> (row % 8) & 1) != 0;
}

/* Of a valid cell only. */
RoastCell
roast_chunk_get (RoastChunk *self, guint row, guint column)
{
  ChunkColumn *c = &self->columns[column];
  RoastCell cell = { 0 };

  switch (c->type)
    {
    case ROAST_COLUMN_BOOLEAN:
      cell.boolean = c->data[row];
      break;
    case ROAST_COLUMN_CATEGORY:
      cell.code = ((gint32 *) (gpointer) c->data)[row];
      break;
    case ROAST_COLUMN_STRING:
      cell.string = ((const char **) (gpointer) c->data)[row];
      break;
    case ROAST_COLUMN_INT64:
    case ROAST_COLUMN_DOUBLE:
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

  if (type == ROAST_COLUMN_DOUBLE)
    for (guint i = 0; i < n_rows; i++)
      reals[i] = NAN;
  else if (type == ROAST_COLUMN_CATEGORY)
    for (guint i = 0; i < n_rows; i++)
      codes[i] = -1;
  else
    memset (to, 0, n_rows * roast_column_type_size (type));
}

void
roast_chunk_copy_cells (RoastChunk *self, guint column, RoastColumnType type, guint n_rows, gpointer to)
{
  ChunkColumn *c = peek (self, column);

  if (c != NULL)
    memcpy (to, c->data, n_rows * roast_column_type_size (type));
  else
    roast_chunk_fill_missing (type, to, n_rows);
}

static GBytes *
dup_text (RoastChunk *self, guint column, guint n_rows)
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
  ChunkColumn *c = peek (self, column);
  gsize size = n_rows * roast_column_type_size (type);
  gpointer missing = NULL;

  if (type == ROAST_COLUMN_STRING)
    return dup_text (self, column, n_rows);
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

GBytes *
roast_chunk_dup_validity (RoastChunk *self, guint column, guint n_rows)
{
  guint8 *bits = g_malloc0 (MAX (validity_size (n_rows), 1));
  gboolean all = TRUE;

  for (guint i = 0; i < n_rows; i++)
    {
      if (roast_chunk_is_valid (self, i, column))
        bits[i / 8] |= (guint8) (1u << (i % 8));
      else
        all = FALSE;
    }
  if (all)
    {
      g_free (bits);
      return NULL;
    }

  return g_bytes_new_take (bits, validity_size (n_rows));
}
