/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-codec-private.h"

#include <string.h>
#include <zstd.h>

#define MAX_TEXT ((gsize) 256 << 20) /* maximum number of bytes of the strings in a block */

/* Reusable buffers for decoding. */
struct _RoastDecoder
{
  ZSTD_DCtx *context;
  guint8 *planes; /* buffer for the bytes of the column being decoded */
  gsize planes_room;
};

RoastDecoder *
roast_decoder_new (void)
{
  RoastDecoder *self = g_new0 (RoastDecoder, 1);

  self->context = ZSTD_createDCtx ();

  return self;
}

void
roast_decoder_free (RoastDecoder *self)
{
  ZSTD_freeDCtx (self->context);
  g_free (self->planes);
  g_free (self);
}

/* Get the decompressed size. Return FALSE if the data are damaged, or if the size is more than @max. */
static gboolean
get_length (gconstpointer data, gsize size, gsize max, gsize *length)
{
  unsigned long long content = ZSTD_getFrameContentSize (data, size);

  if (content == ZSTD_CONTENTSIZE_UNKNOWN || content == ZSTD_CONTENTSIZE_ERROR || content > max)
    return FALSE;
  *length = (gsize) content;

  return TRUE;
}

static gboolean
decompress (RoastDecoder *self, gpointer to, gsize length, gconstpointer data, gsize size)
{
  gsize written = ZSTD_decompressDCtx (self->context, to, length, data, size);

  return !ZSTD_isError (written) && written == length;
}

GBytes *
roast_decoder_decompress (RoastDecoder *self, gconstpointer data, gsize size, gsize max)
{
  g_autofree guint8 *to = NULL;
  gsize length = 0;

  if (!get_length (data, size, max, &length))
    return NULL;
  to = g_try_malloc (MAX (length, 1));
  if (to == NULL || !decompress (self, to, length, data, size))
    return NULL;

  return g_bytes_new_take (g_steal_pointer (&to), length);
}

/* ---- validity of cells ---- */

/* Return the validity of a block, one bit per row, or NULL if the bytes are damaged. */
static guint8 *
decode_validity (RoastDecoder *self, guint n_rows, const RoastEncodedColumn *from)
{
  gsize size = (n_rows + 7) / 8;
  g_autofree guint8 *validity = g_malloc (MAX (size, 1));
  gsize length = 0;

  if (from->valid == NULL)
    memset (validity, 0xff, size);
  else if (!get_length (from->valid, from->valid_size, size, &length) || length != size ||
           !decompress (self, validity, size, from->valid, from->valid_size))
    return NULL;

  return g_steal_pointer (&validity);
}

static inline gboolean
store_decoder_is_there (const guint8 *validity, guint row)
{
  return (validity[row / 8] >> (row % 8) & 1) != 0;
}

/* ---- numbers ---- */

/* Rebuild the changes from one cell to the next from planes: plane 0 has byte 0 of all changes, plane 1 has byte 1, and
 * so on. The first cell has no change. */
static gboolean
join_planes (const guint8 *planes, gsize size, guint n_changes, guint64 *changes)
{
  gsize n_planes = n_changes > 0 ? size / n_changes : 0;

  if (n_planes > 8 || n_planes * n_changes != size)
    return FALSE;
  if (n_planes == 0)
    memset (changes, 0, n_changes * sizeof *changes);
  for (guint i = 0; n_planes > 0 && i < n_changes; i++)
    changes[i] = planes[i];
  for (gsize plane = 1; plane < n_planes; plane++)
    {
      planes += n_changes;
      for (guint i = 0; i < n_changes; i++)
        changes[i] |= (guint64) planes[i] << (8 * plane);
    }

  return TRUE;
}

static inline guint64
get_delta (guint64 change)
{
  return change >> 1 ^ -(change & 1);
}

static void
add_up (guint64 *cells, guint n_rows, guint stride)
{
  guint64 last = cells[0];

  for (guint i = 1; i < MIN (stride, n_rows); i++)
    cells[i] = last += get_delta (cells[i]);
  if (stride > 1)
    for (guint i = stride; i < n_rows; i++)
      cells[i] = cells[i - stride] + get_delta (cells[i]);
  else
    for (guint i = 1; i < n_rows; i++)
      cells[i] = last += get_delta (cells[i]);
}

static void
include (guint64 *cells, guint n_rows, guint stride)
{
  for (guint i = 1; i < n_rows; i++)
    cells[i] ^= cells[i >= stride ? i - stride : i - 1];
}

static const guint8 *
decode_planes (RoastDecoder *self, guint n_rows, const RoastEncodedColumn *from, gsize *size)
{
  if (!get_length (from->data, from->size, sizeof (RoastPlaneHeader) + 8 * n_rows, size) ||
      *size < sizeof (RoastPlaneHeader))
    return NULL;
  if (*size > self->planes_room)
    {
      self->planes = g_realloc (self->planes, *size);
      self->planes_room = *size;
    }

  return decompress (self, self->planes, *size, from->data, from->size) ? self->planes : NULL;
}

/* Return the cells as integers, or as the bits of doubles. Return NULL if the bytes are damaged. */
static guint64 *
decode_numbers (RoastDecoder *self, guint n_rows, const RoastEncodedColumn *from, guint32 *decimal)
{
  g_autofree guint64 *cells = g_new (guint64, MAX (n_rows, 1));
  RoastPlaneHeader header;
  gsize size = 0;
  const guint8 *data = decode_planes (self, n_rows, from, &size);

  if (data == NULL)
    return NULL;
  memcpy (&header, data, sizeof header);
  if (header.stride == 0 || header.decimal > ROAST_STORE_MAX_DECIMAL ||
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

/* Divide integers by a power of ten, in place. */
static void
divide (guint64 *values, guint n_rows, guint32 decimal)
{
  static const double factors[ROAST_STORE_MAX_DECIMAL + 1] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6 };
  double factor = factors[decimal];

  for (guint i = 0; i < n_rows; i++)
    {
      double value = (double) (gint64) values[i] / factor;

      memcpy (&values[i], &value, sizeof value);
    }
}

/* Convert values to codes of categories. A cell whose code has no text becomes missing. */
static gpointer
make_codes (const guint64 *values, guint n_texts, guint n_rows, guint8 *validity)
{
  gint32 *codes = g_new (gint32, n_rows);

  for (guint i = 0; i < n_rows; i++)
    {
      codes[i] = (gint32) values[i];
      if (G_UNLIKELY (values[i] >= n_texts))
        {
          codes[i] = -1;
          validity[i / 8] &= (guint8) ~(1u << (i % 8));
        }
    }

  return codes;
}

static gpointer
make_booleans (const guint64 *values, guint n_rows)
{
  guint8 *booleans = g_new (guint8, n_rows);

  for (guint i = 0; i < n_rows; i++)
    booleans[i] = values[i] != 0;

  return booleans;
}

/* Set each missing cell to the value that missing cells must have: NaN, 0, FALSE or -1. */
static void
clear_missing (gpointer cells, RoastColumnType type, guint n_rows, const guint8 *validity)
{
  gsize width = roast_column_type_size (type);
  guint64 missing = 0;

  roast_chunk_fill_missing (type, &missing, 1);
  for (guint i = 0; i < n_rows; i++)
    if (!store_decoder_is_there (validity, i))
      memcpy ((guint8 *) cells + i * width, &missing, width);
}

/* Convert the values to cells. Take ownership of @values, which may become the cells. */
static gpointer
make_cells (guint64 *values, RoastColumnType type, guint n_texts, guint n_rows, const RoastEncodedColumn *from,
            guint8 *validity, guint32 decimal)
{
  gpointer cells = values;

  if (type == ROAST_COLUMN_TYPE_DOUBLE && !g_str_equal (from->encoding, ROAST_ENCODING_XOR))
    divide (values, n_rows, decimal);
  if (type == ROAST_COLUMN_TYPE_CATEGORY)
    cells = make_codes (values, n_texts, n_rows, validity);
  else if (type == ROAST_COLUMN_TYPE_BOOLEAN)
    cells = make_booleans (values, n_rows);
  if (cells != values)
    g_free (values);
  if (from->valid != NULL)
    clear_missing (cells, type, n_rows, validity);

  return cells;
}

/* ---- columns ---- */

static gboolean
decode_strings (RoastDecoder *self, RoastChunk *chunk, guint column, const RoastEncodedColumn *from, guint8 *validity)
{
  g_autoptr (GBytes) bytes = roast_decoder_decompress (self, from->data, from->size, MAX_TEXT);
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
roast_decoder_decode (RoastDecoder *self, RoastChunk *chunk, guint column, RoastColumnType type, guint n_texts,
                      guint n_rows, const RoastEncodedColumn *from)
{
  gboolean is_xor = g_str_equal (from->encoding, ROAST_ENCODING_XOR);
  gboolean is_text = g_str_equal (from->encoding, ROAST_ENCODING_TEXT);
  g_autofree guint8 *validity = NULL;
  guint64 *values = NULL;
  guint32 decimal = 0;
  gpointer cells = NULL;

  if (g_str_equal (from->encoding, ROAST_ENCODING_MISSING))
    return TRUE;
  if (n_rows == 0 || n_rows > ROAST_STORE_MAX_ROWS || from->data == NULL ||
      is_text != (type == ROAST_COLUMN_TYPE_STRING) || (is_xor && type != ROAST_COLUMN_TYPE_DOUBLE) ||
      !(is_xor || is_text || g_str_equal (from->encoding, ROAST_ENCODING_DELTA)))
    return FALSE;
  validity = decode_validity (self, n_rows, from);
  if (validity == NULL)
    return FALSE;
  if (is_text)
    return decode_strings (self, chunk, column, from, g_steal_pointer (&validity));
  values = decode_numbers (self, n_rows, from, &decimal);
  if (values == NULL)
    return FALSE;
  cells = make_cells (values, type, n_texts, n_rows, from, validity, decimal);
  roast_chunk_take_cells (chunk, column, cells, g_steal_pointer (&validity));

  return TRUE;
}
