/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-blocks-private.h"
#include "roast/roast-recording.h"

/* The file being read, and the recording being filled. */
typedef struct
{
  RoastStoreFile *file;
  RoastRecording *recording;
  RoastSchema *schema; /* schema of the file; the schema of the recording may have more columns */
  GHashTable *meta;
  gboolean check_blocks; /* whether to decode each block to find damage, because the pages have no checksums */
} RoastStoreSource;

/* Read a table of a run file into a recording: its dictionaries, its rows, and the row numbers of its blocks. After an
 * error, the recording has the undamaged parts of the table. Call this function in the store's thread. */
gboolean roast_store_table_reader_read (const RoastStoreSource *source, gint64 id, const char *name, gboolean by_rows,
                                        GError **error);
