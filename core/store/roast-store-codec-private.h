/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "table/roast-table-chunk-private.h"
#include "table/roast-table-info-private.h"

/* Converts the cells of a column in a block to bytes and back. docs/store.md describes the encodings. */

#define ROAST_ENCODING_MISSING "missing" /* all cells are missing */
#define ROAST_ENCODING_DELTA "delta"     /* integers, or doubles with few decimal places */
#define ROAST_ENCODING_XOR "xor"         /* other doubles */
#define ROAST_ENCODING_TEXT "text"       /* strings */

#define ROAST_STORE_MAX_ROWS 65536 /* maximum number of rows per block */
#define ROAST_STORE_MAX_DECIMAL 6  /* maximum number of decimal places of doubles that are stored as integers */

/* Header of the planes, little-endian. */
typedef struct
{
  guint64 first;   /* value of the first cell */
  guint32 stride;  /* number of rows between a cell and the earlier cell from which the cell is predicted */
  guint32 decimal; /* exponent of the power of ten by which the decoder divides the stored integers */
} RoastPlaneHeader;

/* One encoded column of a block. The encoder owns the bytes, which are valid until it encodes the next column. */
typedef struct
{
  const char *encoding;
  gconstpointer data;
  gsize size;
  gconstpointer valid; /* validity of the cells, compressed; NULL if all or no cells are valid */
  gsize valid_size;
  guint n_valid;
  gboolean has_range; /* @min and @max are set, as for numbers, booleans and codes */
  gboolean has_sums;  /* @sum is set, as for numbers and booleans */
  double min, max, sum;
} RoastEncodedColumn;

typedef struct _RoastEncoder RoastEncoder;

RoastEncoder *roast_encoder_new (void);
void roast_encoder_free (RoastEncoder *self);
/* Return the period in rows after which the values of a column repeat, such as the names of workers; 0 if the values do
 * not repeat. The cells of other columns can be predicted from the row one period earlier. */
guint roast_encoder_find_stride (RoastChunk *chunk, guint column, guint n_rows);
void roast_encoder_encode (RoastEncoder *self, RoastChunk *chunk, guint column, RoastColumnType type, guint n_rows,
                           guint stride, RoastEncodedColumn *to);
/* Compress bytes that are not cells of a column, with zstd. */
gconstpointer roast_encoder_compress (RoastEncoder *self, gconstpointer data, gsize size, gsize *compressed);

typedef struct _RoastDecoder RoastDecoder;

RoastDecoder *roast_decoder_new (void);
void roast_decoder_free (RoastDecoder *self);
/* Decode the cells of a column into a chunk that is being loaded. Category cells with codes of @n_texts or more become
 * missing. Return FALSE if the bytes are not valid output of an encoder. */
gboolean roast_decoder_decode (RoastDecoder *self, RoastChunk *chunk, guint column, RoastColumnType type, guint n_texts,
                               guint n_rows, const RoastEncodedColumn *from);
/* Decompress the output of roast_encoder_compress (). Return NULL if the bytes are damaged, or if the result would have
 * more than @max bytes. */
GBytes *roast_decoder_decompress (RoastDecoder *self, gconstpointer data, gsize size, gsize max);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastEncoder, roast_encoder_free)
