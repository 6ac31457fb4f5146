/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-codec-private.h"

#include <math.h>
#include <string.h>
#include <zstd.h>

#define MAX_TEXT ((gsize) 256 << 20) /* bytes of strings in a block */
#define MAX_DECIMAL 6

GBytes *
roast_decompress (gconstpointer data, gsize size, gsize max)
{
  unsigned long long length = ZSTD_getFrameContentSize (data, size);
  g_autofree guint8 *to = NULL;
  gsize written = 0;

  if (length == ZSTD_CONTENTSIZE_UNKNOWN || length == ZSTD_CONTENTSIZE_ERROR || length > max)
    return NULL;
  to = g_try_malloc (MAX (length, 1));
  if (to == NULL)
    return NULL;
  written = ZSTD_decompress (to, length, data, size);
  if (ZSTD_isError (written) || written != length)
    return NULL;

  return g_bytes_new_take (g_steal_pointer (&to), written);
}

/* The validity of a block, one bit a row; NULL if the bytes are damaged. */
static guint8 *
decode_validity (guint n_rows, const RoastEncodedColumn *from)
{
  gsize size = (n_rows + 7) / 8;
  g_autoptr (GBytes) bits = NULL;
  guint8 *validity = NULL;

  if (from->valid == NULL)
    {
      validity = g_malloc (MAX (size, 1));
      memset (validity, 0xff, size);
      return validity;
    }
  bits = roast_decompress (from->valid, from->valid_size, size);

  return bits != NULL && g_bytes_get_size (bits) == size ? g_memdup2 (g_bytes_get_data (bits, NULL), size) : NULL;
}

/* The changes of all cells but the first, from their planes. */
static gboolean
join_planes (const guint8 *planes, gsize size, guint n_changes, guint64 *changes)
{
  gsize n_planes = n_changes > 0 ? size / n_changes : 0;

  if (n_planes > 8 || n_planes * n_changes != size)
    return FALSE;
  memset (changes, 0, n_changes * sizeof *changes);
  for (gsize plane = 0; plane < n_planes; plane++, planes += n_changes)
    for (guint i = 0; i < n_changes; i++)
      changes[i] |= (guint64) planes[i] << (8 * plane);

  return TRUE;
}

static void
add_up (guint64 *cells, guint n_rows, guint stride)
{
  for (guint i = 1; i < n_rows; i++)
    {
      guint64 delta = cells[i] >> 1 ^ -(cells[i] & 1);

      cells[i] = cells[i >= stride ? i - stride : i - 1] + delta;
    }
}

static void
include (guint64 *cells, guint n_rows, guint stride)
{
  for (guint i = 1; i < n_rows; i++)
    cells[i] ^= cells[i >= stride ? i - stride : i - 1];
}

/* The cells as integers, or as the bits of doubles; NULL if the bytes are damaged. */
static guint64 *
decode_numbers (guint n_rows, const RoastEncodedColumn *from, guint32 *decimal)
{
  g_autoptr (GBytes) bytes = roast_decompress (from->data, from->size, sizeof (RoastPlaneHeader) + 8 * n_rows);
  g_autofree guint64 *cells = g_new (guint64, MAX (n_rows, 1));
  RoastPlaneHeader header;
  gsize size = 0;
  const guint8 *data = bytes != NULL ? g_bytes_get_data (bytes, &size) : NULL;

  if (data == NULL || size < sizeof header)
    return NULL;
  memcpy (&header, data, sizeof header);
  if (header.stride == 0 || header.decimal > MAX_DECIMAL ||
      !join_planes (data + sizeof header, size - sizeof header, n_rows - 1, cells + 1))
    return NULL;
  cells[0] = header.first;
  if (g_str_equal (from->encoding, ROAST_ENCODING_XOR))
    include (cells, n_rows, header.stride);
  else
    add_up (cells, n_rows, header.stride);
  *decimal = header.decimal;

  return g_steal_pointer (&cells);
}

/* Cells that are missing have what a reader gets for them. */
static gpointer
make_cells (const guint64 *values, RoastColumnType type, guint n_rows, const guint8 *validity, gboolean is_xor,
            guint32 decimal)
{
  static const double factors[MAX_DECIMAL + 1] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6 };
  gpointer to = g_malloc (n_rows * roast_column_type_size (type));
  RoastCell *cells = to;
  gint32 *codes = to;
  guint8 *booleans = to;

  roast_chunk_fill_missing (type, to, n_rows);
  for (guint i = 0; i < n_rows; i++)
    {
      if ((validity[i / 8] >> (i % 8) & 1) == 0)
        continue;
      if (type == ROAST_COLUMN_TYPE_CATEGORY)
        codes[i] = (gint32) values[i];
      else if (type == ROAST_COLUMN_TYPE_BOOLEAN)
        booleans[i] = values[i] != 0;
      else if (type == ROAST_COLUMN_TYPE_DOUBLE && !is_xor)
        cells[i].real = (double) (gint64) values[i] / factors[decimal];
      else
        cells[i].int64 = (gint64) values[i];
    }

  return to;
}

static gboolean
decode_strings (RoastChunk *chunk, guint column, const RoastEncodedColumn *from, guint8 *validity)
{
  g_autoptr (GBytes) bytes = roast_decompress (from->data, from->size, MAX_TEXT);
  gsize size = 0;
  const char *texts = bytes != NULL ? g_bytes_get_data (bytes, &size) : NULL;

  if (texts == NULL)
    {
      g_free (validity);
      return FALSE;
    }

  return roast_chunk_take_texts (chunk, column, texts, size, validity);
}

gboolean
roast_decode_column (RoastChunk *chunk, guint column, RoastColumnType type, guint n_rows,
                     const RoastEncodedColumn *from)
{
  gboolean is_xor = g_str_equal (from->encoding, ROAST_ENCODING_XOR);
  gboolean is_text = g_str_equal (from->encoding, ROAST_ENCODING_TEXT);
  g_autofree guint8 *validity = NULL;
  g_autofree guint64 *values = NULL;
  guint32 decimal = 0;
  gpointer cells = NULL;

  if (g_str_equal (from->encoding, ROAST_ENCODING_MISSING))
    return TRUE;
  if (n_rows == 0 || n_rows > ROAST_STORE_MAX_ROWS || from->data == NULL ||
      is_text != (type == ROAST_COLUMN_TYPE_STRING) || (is_xor && type != ROAST_COLUMN_TYPE_DOUBLE) ||
      !(is_xor || is_text || g_str_equal (from->encoding, ROAST_ENCODING_DELTA)))
    return FALSE;
  validity = decode_validity (n_rows, from);
  if (validity == NULL)
    return FALSE;
  if (is_text)
    return decode_strings (chunk, column, from, g_steal_pointer (&validity));
  values = decode_numbers (n_rows, from, &decimal);
  if (values == NULL)
    return FALSE;
  cells = make_cells (values, type, n_rows, validity, is_xor, decimal);
  roast_chunk_take_cells (chunk, column, cells, g_steal_pointer (&validity));

  return TRUE;
}
