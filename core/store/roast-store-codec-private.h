/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "table/roast-table-chunk-private.h"

G_BEGIN_DECLS

/* How the cells of a column of a block become bytes, and bytes cells. docs/store.md describes the encodings. */

#define ROAST_ENCODING_MISSING "missing" /* no cell is there */
#define ROAST_ENCODING_DELTA "delta"     /* integers, or doubles with few decimal places */
#define ROAST_ENCODING_XOR "xor"         /* other doubles */
#define ROAST_ENCODING_TEXT "text"       /* strings */

#define ROAST_STORE_MAX_ROWS 65536 /* of a block */

static inline RoastColumnType
roast_store_type_of (RoastTableInfo *info, guint column)
{
  return roast_column_get_column_type (roast_table_info_get_column (info, column));
}

/* In front of the planes, little-endian. */
typedef struct
{
  guint64 first;   /* the first cell */
  guint32 stride;  /* a row is predicted by the one so many rows before */
  guint32 decimal; /* cells are integers divided by ten to this power */
} RoastPlaneHeader;

/* One column of a block, as it is stored; the bytes belong to the encoder until the next column. */
typedef struct
{
  const char *encoding;
  gconstpointer data;
  gsize size;
  gconstpointer valid; /* NULL if all or no cells are there */
  gsize valid_size;
  guint n_valid;
  gboolean has_range; /* of numbers, booleans and codes, if there is one */
  gboolean has_sums;  /* of numbers and booleans, if there is one */
  double min, max, sum;
} RoastEncodedColumn;

typedef struct _RoastEncoder RoastEncoder;

RoastEncoder *roast_encoder_new (void);
void roast_encoder_free (RoastEncoder *self);
/* Takes a column by whose repetition others are predicted, as workers in turn: 0 if it does not repeat. */
guint roast_encoder_find_stride (RoastChunk *chunk, guint column, guint n_rows);
void roast_encoder_encode (RoastEncoder *self, RoastChunk *chunk, guint column, RoastColumnType type, guint n_rows,
                           guint stride, RoastEncodedColumn *to);
/* zstd, for other bytes. */
gconstpointer roast_encoder_compress (RoastEncoder *self, gconstpointer data, gsize size, gsize *compressed);

typedef struct _RoastDecoder RoastDecoder;

RoastDecoder *roast_decoder_new (void);
void roast_decoder_free (RoastDecoder *self);
/* The cells of a column into a chunk that is being loaded. Cells of a category with a code from @n_texts on are
 * missing. FALSE if the bytes are not those of an encoder. */
gboolean roast_decoder_decode (RoastDecoder *self, RoastChunk *chunk, guint column, RoastColumnType type, guint n_texts,
                               guint n_rows, const RoastEncodedColumn *from);
/* Other bytes. NULL if they are damaged, or would be more than @max. */
GBytes *roast_decoder_decompress (RoastDecoder *self, gconstpointer data, gsize size, gsize max);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastEncoder, roast_encoder_free)

G_END_DECLS
