/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-codec-private.h"
#include "roast-store-table-private.h"
#include "roast-store-writer-private.h"
#include "table/roast-table-follow-private.h"

G_BEGIN_DECLS

/* What the parts of the writer share. All of it is done in the store's thread. */

struct _RoastStoreWriter
{
  RoastStoreFile *file;
  RoastRecording *recording;
  RoastEncoder *encoder;
  GPtrArray *tables;   /* RoastStoredTable */
  GHashTable *written; /* metadata of the recording as it is in the file: key to text */
  GSource *timer;
  gint64 started;
  gboolean is_synced;
  gboolean is_begun;  /* the file is a database, */
  gboolean is_logged; /* in WAL mode */
  gboolean is_laid_out;
  gboolean has_schema;
  gboolean is_closed;
  gboolean is_complete; /* the last transaction is in the file */
  guint64 pages;        /* that the file may have; 0 for any number */
  gboolean is_stuck;    /* the last transaction failed, and the recording has an event about it */
  gboolean gave_up;     /* rows that were in memory */
  gint64 delay;         /* from then on to the next one, in µs */
  gint64 retry_at;

  gint hurry;    /* atomic: a transaction has been asked for */
  gssize n_full; /* atomic: bytes of chunks that became full since the last transaction */

  GMutex mutex;     /* of what follows */
  GHashTable *meta; /* key to text, or to NULL for one that was removed, since the last transaction */
  gint64 reach;
  gint64 missing_since;
  gsize bound;
  guint64 max_size;
};

/* Metadata of the file that has changed: key to text, or to NULL for one that was removed. */
gboolean roast_store_write_meta (RoastStoreWriter *self, const char *key, const char *value, GError **error);
gboolean roast_store_write_all_meta (RoastStoreWriter *self, GHashTable *meta, GError **error);
gboolean roast_store_write_time (RoastStoreWriter *self, const char *key, gint64 time, GError **error);
/* Metadata of the recording that has changed; adds it to @written. */
gboolean roast_store_write_metadata (RoastStoreWriter *self, GHashTable *written, GError **error);
gboolean roast_store_write_schema (RoastStoreWriter *self, GError **error);

/* Writes all that is new, in one transaction. @full is called when a chunk is full, under the lock of its table. @end
 * is NULL if more will come. */
gboolean roast_store_transact (RoastStoreWriter *self, RoastTableFullFunc full, RoastStoreEnd *end, GError **error);
/* Pairs of texts. */
GHashTable *roast_store_new_pairs (void);

/* What follows from a transaction, of which @error is the result: events, and rows that are given up. */
void roast_store_report_growth (RoastStoreWriter *self, const GError *error);
/* Rows that came since then are given up, too, if they are beyond the bound. */
void roast_store_give_up (RoastStoreWriter *self);
void roast_store_set_missing_since (RoastStoreWriter *self, gint64 since);

G_END_DECLS
