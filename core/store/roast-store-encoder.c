/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-codec-private.h"

#include <math.h>
#include <string.h>
#include <zstd.h>

#include "base/roast-json-scan-private.h"

#define LEVEL 1

struct _RoastEncoder
{
  ZSTD_CCtx *context;
  gint64 *values;   /* cells as integers */
  guint64 *changes; /* difference between the predicted and the actual value of each cell */
  GByteArray *planes;
  GByteArray *compressed;
  GByteArray *valid;
};

RoastEncoder *
roast_encoder_new (void)
{
  RoastEncoder *self = g_new0 (RoastEncoder, 1);

  self->context = ZSTD_createCCtx ();
  ZSTD_CCtx_setParameter (self->context, ZSTD_c_compressionLevel, LEVEL);
  ZSTD_CCtx_setParameter (self->context, ZSTD_c_checksumFlag, 1);
  self->values = g_new (gint64, ROAST_STORE_MAX_ROWS);
  self->changes = g_new (guint64, ROAST_STORE_MAX_ROWS);
  self->planes = g_byte_array_new ();
  self->compressed = g_byte_array_new ();
  self->valid = g_byte_array_new ();

  return self;
}

void
roast_encoder_free (RoastEncoder *self)
{
  ZSTD_freeCCtx (self->context);
  g_free (self->values);
  g_free (self->changes);
  g_byte_array_unref (self->planes);
  g_byte_array_unref (self->compressed);
  g_byte_array_unref (self->valid);
  g_free (self);
}

static gsize
compress (RoastEncoder *self, GByteArray *to, gconstpointer data, gsize size)
{
  gsize written = 0;

  g_byte_array_set_size (to, (guint) ZSTD_compressBound (size));
  written = ZSTD_compress2 (self->context, to->data, to->len, data, size);
  /* Abort, as GLib does when memory is exhausted. The buffer is big enough for any result, so only an allocation can
   * fail. */
  if (ZSTD_isError (written))
    g_error ("zstd: %s", ZSTD_getErrorName (written));

  return written;
}

gconstpointer
roast_encoder_compress (RoastEncoder *self, gconstpointer data, gsize size, gsize *compressed)
{
  *compressed = compress (self, self->compressed, data, size);

  return self->compressed->data;
}

/* Return whether the cell of a row is valid. @validity: one bit per row, or NULL if all cells are valid. */
static inline gboolean
store_encoder_is_there (const guint8 *validity, guint row)
{
  return validity == NULL || (__atomic_load_n (&validity[row / 8], __ATOMIC_ACQUIRE) >> (row % 8) & 1) != 0;
}

/* ---- validity of cells ---- */

static void
encode_validity (RoastEncoder *self, const guint8 *validity, guint n_rows, RoastEncodedColumn *to)
{
  g_autofree guint8 *bits = g_memdup2 (validity, (n_rows + 7) / 8);

  if (n_rows % 8 != 0)
    bits[n_rows / 8] &= (guint8) ((1u << (n_rows % 8)) - 1);
  to->n_valid = 0;
  for (guint i = 0; i < (n_rows + 7) / 8; i++)
    to->n_valid += (guint) __builtin_popcount (bits[i]);
  if (to->n_valid == n_rows || to->n_valid == 0)
    return;
  to->valid_size = compress (self, self->valid, bits, (n_rows + 7) / 8);
  to->valid = self->valid->data;
}

/* ---- numbers ---- */

/* Multiply the cells by @factor, a power of ten, and round the products to the integers @values. Return FALSE if the
 * integer of a valid cell divided by @factor is not exactly the cell. */
static gboolean
scale (const double *cells, const guint8 *validity, guint n_rows, double factor, gint64 *values)
{
  for (guint i = 0; i < n_rows; i++)
    {
      double scaled = cells[i] * factor;
      gint64 value = 0;
      double back = 0;

      if (!store_encoder_is_there (validity, i))
        continue;
      if (!(fabs (scaled) < ROAST_MAX_EXACT))
        return FALSE;
      value = (gint64) (scaled < 0 ? scaled - 0.5 : scaled + 0.5);
      back = (double) value / factor;
      if (memcmp (&back, &cells[i], sizeof back) != 0)
        return FALSE;
      values[i] = value;
    }

  return TRUE;
}

static gboolean
find_decimal (const double *cells, const guint8 *validity, guint n_rows, gint64 *values, guint32 *decimal)
{
  static const double factors[ROAST_STORE_MAX_DECIMAL + 1] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6 };

  for (guint32 i = 0; i <= ROAST_STORE_MAX_DECIMAL; i++)
    if (scale (cells, validity, n_rows, factors[i], values))
      {
        *decimal = i;
        return TRUE;
      }

  return FALSE;
}

/* Replace each missing cell by a copy of the previous cell, because repeated values compress well. */
static void
fill_missing (gint64 *values, const guint8 *validity, guint n_rows)
{
  gint64 last = 0;

  for (guint i = 0; i < n_rows; i++)
    {
      if (store_encoder_is_there (validity, i))
        last = values[i];
      else
        values[i] = last;
    }
}

static void
subtract (const gint64 *values, guint n_rows, guint stride, guint64 *changes)
{
  for (guint i = 1; i < n_rows; i++)
    {
      guint before = i >= stride ? i - stride : i - 1;
      guint64 delta = (guint64) values[i] - (guint64) values[before];

      changes[i - 1] = delta << 1 ^ (guint64) ((gint64) delta >> 63);
    }
}

static void
exclude (const gint64 *values, guint n_rows, guint stride, guint64 *changes)
{
  for (guint i = 1; i < n_rows; i++)
    changes[i - 1] = (guint64) values[i] ^ (guint64) values[i >= stride ? i - stride : i - 1];
}

/* Estimate from a sample how many bits the cells would take with this stride. */
static guint
estimate (const gint64 *values, guint n_rows, guint stride, gboolean is_xor)
{
  guint bits = 0;

  for (guint i = stride; i < n_rows; i += 1 + n_rows / 128)
    {
      gint64 delta = (gint64) ((guint64) values[i] - (guint64) values[i - stride]);
      guint64 change = is_xor ? (guint64) values[i] ^ (guint64) values[i - stride]
                              : (guint64) (delta < 0 ? -(guint64) delta : (guint64) delta);

      bits += change != 0 ? 64 - (guint) __builtin_clzll (change) - (is_xor ? (guint) __builtin_ctzll (change) : 0) : 0;
    }

  return bits;
}

/* Write byte 0 of all changes, then byte 1 of all changes, and so on. Leave out high bytes that are zero in all
 * changes. */
static void
put_planes (RoastEncoder *self, guint n_changes, const RoastPlaneHeader *header)
{
  guint64 all = 0;
  guint n_planes = 0;
  guint8 *to = NULL;

  for (guint i = 0; i < n_changes; i++)
    all |= self->changes[i];
  while (n_planes < 8 && all >> (8 * n_planes) != 0)
    n_planes++;
  g_byte_array_set_size (self->planes, (guint) (sizeof *header + n_planes * n_changes));
  memcpy (self->planes->data, header, sizeof *header);
  to = self->planes->data + sizeof *header;
  for (guint plane = 0; plane < n_planes; plane++, to += n_changes)
    for (guint i = 0; i < n_changes; i++)
      to[i] = (guint8) (self->changes[i] >> (8 * plane));
}

static void
encode_numbers (RoastEncoder *self, const guint8 *validity, guint n_rows, guint stride, gboolean is_xor,
                guint32 decimal, RoastEncodedColumn *to)
{
  RoastPlaneHeader header = { .stride = 1, .decimal = decimal };

  if (to->n_valid < n_rows)
    fill_missing (self->values, validity, n_rows);
  if (stride > 1 && 2 * stride <= n_rows &&
      estimate (self->values, n_rows, stride, is_xor) < estimate (self->values, n_rows, 1, is_xor))
    header.stride = stride;
  header.first = (guint64) self->values[0];
  if (is_xor)
    exclude (self->values, n_rows, header.stride, self->changes);
  else
    subtract (self->values, n_rows, header.stride, self->changes);
  put_planes (self, n_rows - 1, &header);
  to->encoding = is_xor ? ROAST_ENCODING_XOR : ROAST_ENCODING_DELTA;
  to->data = roast_encoder_compress (self, self->planes->data, self->planes->len, &to->size);
}

static void
sum_up (const double *cells, const guint8 *validity, guint n_rows, RoastEncodedColumn *to)
{
  double lost = 0;

  to->has_range = to->has_sums = TRUE;
  to->min = INFINITY;
  to->max = -INFINITY;
  for (guint i = 0; i < n_rows; i++)
    if (store_encoder_is_there (validity, i))
      {
        double term = cells[i] - lost;
        double sum = to->sum + term;

        lost = (sum - to->sum) - term;
        to->sum = sum;
        to->min = MIN (to->min, cells[i]);
        to->max = MAX (to->max, cells[i]);
      }
}

static void
sum_up_integers (const gint64 *values, const guint8 *validity, guint n_rows, RoastEncodedColumn *to)
{
  gint64 min = G_MAXINT64;
  gint64 max = G_MININT64;

  to->has_range = TRUE;
  for (guint i = 0; i < n_rows; i++)
    if (store_encoder_is_there (validity, i))
      {
        to->sum += (double) values[i];
        min = MIN (min, values[i]);
        max = MAX (max, values[i]);
      }
  to->min = (double) min;
  to->max = (double) max;
}

static void
encode_doubles (RoastEncoder *self, const double *cells, const guint8 *validity, guint n_rows, guint stride,
                RoastEncodedColumn *to)
{
  guint32 decimal = 0;
  gboolean is_decimal = find_decimal (cells, validity, n_rows, self->values, &decimal);

  sum_up (cells, validity, n_rows, to);
  if (!is_decimal)
    memcpy (self->values, cells, n_rows * sizeof *cells);
  encode_numbers (self, validity, n_rows, stride, !is_decimal, decimal, to);
}

static void
encode_integers (RoastEncoder *self, gconstpointer cells, RoastColumnType type, const guint8 *validity, guint n_rows,
                 guint stride, RoastEncodedColumn *to)
{
  const gint32 *codes = cells;
  const guint8 *booleans = cells;

  if (type == ROAST_COLUMN_TYPE_INT64)
    memcpy (self->values, cells, n_rows * sizeof *self->values);
  else
    for (guint i = 0; i < n_rows; i++)
      self->values[i] = type == ROAST_COLUMN_TYPE_CATEGORY ? codes[i] : booleans[i];
  sum_up_integers (self->values, validity, n_rows, to);
  to->has_sums = type != ROAST_COLUMN_TYPE_CATEGORY;
  encode_numbers (self, validity, n_rows, stride, FALSE, 0, to);
}

/* ---- strings ---- */

static void
encode_strings (RoastEncoder *self, const char *const *cells, const guint8 *validity, guint n_rows,
                RoastEncodedColumn *to)
{
  g_byte_array_set_size (self->planes, 0);
  for (guint i = 0; i < n_rows; i++)
    {
      const char *cell = store_encoder_is_there (validity, i) ? cells[i] : "";

      g_byte_array_append (self->planes, (const guint8 *) cell, (guint) strlen (cell) + 1);
    }
  to->encoding = ROAST_ENCODING_TEXT;
  to->data = roast_encoder_compress (self, self->planes->data, self->planes->len, &to->size);
}

void
roast_encoder_encode (RoastEncoder *self, RoastChunk *chunk, guint column, RoastColumnType type, guint n_rows,
                      guint stride, RoastEncodedColumn *to)
{
  const guint8 *validity = NULL;
  gconstpointer cells = roast_chunk_peek (chunk, column, &validity);

  *to = (RoastEncodedColumn) { .encoding = ROAST_ENCODING_MISSING };
  if (cells != NULL)
    encode_validity (self, validity, n_rows, to);
  if (to->n_valid == 0)
    return;
  if (to->n_valid == n_rows)
    validity = NULL;
  if (type == ROAST_COLUMN_TYPE_STRING)
    encode_strings (self, cells, validity, n_rows, to);
  else if (type == ROAST_COLUMN_TYPE_DOUBLE)
    encode_doubles (self, cells, validity, n_rows, stride, to);
  else
    encode_integers (self, cells, type, validity, n_rows, stride, to);
}

guint
roast_encoder_find_stride (RoastChunk *chunk, guint column, guint n_rows)
{
  const guint8 *validity = NULL;
  const gint32 *codes = roast_chunk_peek (chunk, column, &validity);
  guint stride = 1;
  guint alike = 0;

  while (codes != NULL && stride < n_rows / 2 && codes[stride] != codes[0])
    stride++;
  if (codes == NULL || stride >= n_rows / 2)
    return 0;
  for (guint i = stride; i < n_rows; i++)
    alike += codes[i] == codes[i - stride];

  return alike >= (n_rows - stride) / 10 * 9 ? stride : 0;
}
