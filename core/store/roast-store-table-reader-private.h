/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-blocks-private.h"
#include "roast/roast-recording.h"

G_BEGIN_DECLS

/* What is read of a file. */
typedef struct
{
  RoastStoreFile *file;
  RoastRecording *recording;
  RoastSchema *schema; /* of the file: the recording's may have more columns */
  GHashTable *meta;
  gboolean check_blocks; /* decode each block, since pages lack checksums */
} RoastStoreSource;

/* Reads a table of a run file into a recording: its dictionaries, its rows, and the places of its blocks. With an
 * error, too, the recording has what is sound. In the store's thread. */
gboolean roast_store_table_reader_read (const RoastStoreSource *source, gint64 id, const char *name, gboolean by_rows,
                                        GError **error);

G_END_DECLS
