/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-blocks-private.h"
#include "roast/roast-recording.h"

G_BEGIN_DECLS

/* Reads a table of a run file into a recording: its dictionaries, its rows, and the places of its blocks. @schema is
 * that of the file; the recording's may have more columns. In the store's thread. */
gboolean roast_store_table_reader_read (RoastStoreFile *file, RoastRecording *recording, RoastSchema *schema, gint64 id,
                                        const char *name, gboolean by_rows, GError **error);

G_END_DECLS
