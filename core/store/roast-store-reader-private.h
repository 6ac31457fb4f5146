/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-blocks-private.h"
#include "roast/roast-recording.h"

G_BEGIN_DECLS

/* Connects to a file and gets its metadata, as key and text. */
gboolean roast_store_reader_open (RoastStoreFile *file, GHashTable *meta, GError **error);
/* The recording as it is in the file now. */
RoastRecording *roast_store_reader_read (RoastStoreFile *file, GHashTable *meta, GError **error);

G_END_DECLS
