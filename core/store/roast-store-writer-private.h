/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-blocks-private.h"
#include "roast/roast-recording.h"

G_BEGIN_DECLS

/* Writes a recording into a run file, in the store's thread. Its functions may be called from any thread. */
typedef struct _RoastStoreWriter RoastStoreWriter;

RoastStoreWriter *roast_store_writer_new (RoastStoreFile *file);
/* The recording is no longer followed. Call close first. */
void roast_store_writer_free (RoastStoreWriter *self);
void roast_store_writer_attach (RoastStoreWriter *self, RoastRecording *recording);
void roast_store_writer_set_meta (RoastStoreWriter *self, const char *key, const char *value);
gboolean roast_store_writer_flush (RoastStoreWriter *self, GError **error);
gboolean roast_store_writer_close (RoastStoreWriter *self, GError **error);
/* After that: whether all rows are there, perhaps not in one plain file. */
gboolean roast_store_writer_is_complete (RoastStoreWriter *self);
/* Time until which all rows are in the file, in µs since the epoch; -1 if there is none yet. */
gint64 roast_store_writer_get_reach (RoastStoreWriter *self);
gint64 roast_store_writer_get_missing_since (RoastStoreWriter *self);
/* A text about it. @by_limit: the file was at its limit when the run ended; otherwise rows were given up before. */
char *roast_store_describe_missing (gint64 since, gboolean by_limit);
/* Bytes of rows that stay in memory if the file cannot grow. */
void roast_store_writer_set_bound (RoastStoreWriter *self, gsize bound);
/* Bytes of the file; 0 for no limit. Rows of small tables, and sums, are written all the same at the end. */
void roast_store_writer_set_max_size (RoastStoreWriter *self, guint64 size);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastStoreWriter, roast_store_writer_free)

G_END_DECLS
