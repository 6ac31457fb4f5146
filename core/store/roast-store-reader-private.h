/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-blocks-private.h"
#include "roast/roast-recording.h"

G_BEGIN_DECLS

/* Connects to a file and gets its metadata, as key and text. */
gboolean roast_store_reader_open (RoastStoreFile *file, gboolean is_written, GHashTable *meta, GError **error);
/* The recording as it is in the file now, and what an older file lacks, as roast_schema_complete () says it. Texts
 * about what is damaged are added to @problems. @check_blocks: decode each block, since pages lack checksums. */
RoastRecording *roast_store_reader_read (RoastStoreFile *file, gboolean is_written, gboolean check_blocks,
                                         GHashTable *meta, GPtrArray *problems, GPtrArray **lacking, GError **error);

G_END_DECLS
