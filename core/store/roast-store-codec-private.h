/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "table/roast-table-chunk-private.h"
#include "table/roast-table-info-private.h"

G_BEGIN_DECLS

/* How the cells of a column in a block are turned into bytes and back. docs/store.md describes the encodings. */

#define ROAST_ENCODING_MISSING "missing" /* all cells are missing */
#define ROAST_ENCODING_DELTA "delta"     /* integers, or doubles with few decimal places */
#define ROAST_ENCODING_XOR "xor"         /* other doubles */
#define ROAST_ENCODING_TEXT "text"       /* strings */

#define ROAST_STORE_MAX_ROWS 65536 /* per block */
#define ROAST_STORE_MAX_DECIMAL 6  /* decimal places of doubles that are stored as integers */

/* Header of the planes, little-endian. */
typedef struct
{
  guint64 first;   /* the first cell */
  guint32 stride;  /* each row is predicted from the row @stride rows before */
  guint32 decimal; /* cells are integers divided by this power of ten */
} RoastPlaneHeader;

/* One encoded column of a block. The encoder owns the bytes, which are valid until the next column. */
typedef struct
{
  const char *encoding;
  gconstpointer data;
  gsize size;
  gconstpointer valid; /* NULL if all or no cells are valid */
  gsize valid_size;
  guint n_valid;
  gboolean has_range; /* @min and @max are set: numbers, booleans and codes */
  gboolean has_sums;  /* @sum is set: numbers and booleans */
  double min, max, sum;
} RoastEncodedColumn;

typedef struct _RoastEncoder RoastEncoder;

RoastEncoder *roast_encoder_new (void);
void roast_encoder_free (RoastEncoder *self);
/* Find the period with which a column such as the worker repeats, so that other columns can be predicted from the
 * row one period before. Return 0 if it does not repeat. */
guint roast_encoder_find_stride (RoastChunk *chunk, guint column, guint n_rows);
void roast_encoder_encode (RoastEncoder *self, RoastChunk *chunk, guint column, RoastColumnType type, guint n_rows,
                           guint stride, RoastEncodedColumn *to);
/* Compress other bytes with zstd. */
gconstpointer roast_encoder_compress (RoastEncoder *self, gconstpointer data, gsize size, gsize *compressed);

typedef struct _RoastDecoder RoastDecoder;

RoastDecoder *roast_decoder_new (void);
void roast_decoder_free (RoastDecoder *self);
/* Decode the cells of a column into a chunk that is being loaded. Category cells with codes of @n_texts or more
 * become missing. Return FALSE if no encoder made these bytes. */
gboolean roast_decoder_decode (RoastDecoder *self, RoastChunk *chunk, guint column, RoastColumnType type, guint n_texts,
                               guint n_rows, const RoastEncodedColumn *from);
/* Decompress other bytes. Return NULL if they are damaged, or would be more than @max. */
GBytes *roast_decoder_decompress (RoastDecoder *self, gconstpointer data, gsize size, gsize max);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastEncoder, roast_encoder_free)

G_END_DECLS
