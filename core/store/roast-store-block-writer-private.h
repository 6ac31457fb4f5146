/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-blocks-private.h"
#include "roast-store-codec-private.h"
#include "table/roast-table-follow-private.h"

G_BEGIN_DECLS

/* Writes the sealed chunks of one table as blocks. */
typedef struct _RoastBlockWriter RoastBlockWriter;

RoastBlockWriter *roast_block_writer_new (RoastStoreFile *file, RoastTableInfo *info, gint64 id);
void roast_block_writer_free (RoastBlockWriter *self);
gboolean roast_block_writer_write (RoastBlockWriter *self, RoastEncoder *encoder, const RoastSealedChunk *sealed,
                                   GError **error);
/* When the first and the last row of a chunk happened, by its column of time; the first is later if there is none. */
void roast_block_writer_find_times (RoastBlockWriter *self, RoastChunk *chunk, guint n_rows, gint64 *first,
                                    gint64 *last);
/* Keeps the sums of a chunk that is given up, until the file can grow again. */
void roast_block_writer_keep_sums (RoastBlockWriter *self, RoastEncoder *encoder, const RoastSealedChunk *sealed);
/* Writes the sums that are kept, */
gboolean roast_block_writer_write_lost (RoastBlockWriter *self, GError **error);
/* and forgets them, as they are in the file. */
void roast_block_writer_forget_lost (RoastBlockWriter *self);

G_END_DECLS
