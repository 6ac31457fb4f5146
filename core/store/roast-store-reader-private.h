/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-blocks-private.h"
#include "roast/roast-recording.h"

/* Connect to a file and read its metadata into @meta, which maps keys to texts. */
gboolean roast_store_reader_open (RoastStoreFile *file, gboolean is_written, GHashTable *meta, GError **error);
/* Return the recording with the current contents of the file. Set @lacking to the tables and columns that an older file
 * lacks, in the wording of roast_schema_complete (). Add messages about damage to @problems. @check_blocks: whether to
 * decode each block to find damage, because the pages have no checksums. */
RoastRecording *roast_store_reader_read (RoastStoreFile *file, gboolean is_written, gboolean check_blocks,
                                         GHashTable *meta, GPtrArray *problems, GPtrArray **lacking, GError **error);
