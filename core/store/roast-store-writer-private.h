/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-table-private.h"
#include "roast/roast-recording.h"

G_BEGIN_DECLS

/* Writes a recording into a run file, in the store's thread. The functions of the writer may be called from any thread.
 */
typedef struct _RoastStoreWriter RoastStoreWriter;

struct _RoastStoreWriter
{
  RoastStoreFile *file;
  RoastRecording *recording;
  RoastEncoder *encoder;
  GPtrArray *tables;   /* RoastStoredTable */
  GHashTable *written; /* metadata of the recording as it is in the file, key to text; perhaps not all of it */
  GSource *timer;
  gint64 started;
  gboolean is_synced;
  gboolean is_begun;  /* the file is a database, */
  gboolean is_logged; /* in WAL mode */
  gboolean is_laid_out;
  gboolean has_schema;
  gboolean is_closed;
  gboolean is_complete; /* it is closed, and all rows are there, perhaps not in one plain file */
  guint64 pages;        /* that the file may have; 0 for any number */
  gboolean is_stuck;    /* the last transaction failed, and the recording has an event about it */
  gboolean gave_up;     /* rows that were in memory */
  gint64 delay;         /* from then on to the next one, in µs */
  gint64 retry_at;

  gint hurry;    /* atomic: a transaction has been asked for */
  gssize n_full; /* atomic: bytes of chunks that became full since the last transaction */

  GMutex mutex;     /* of what follows */
  GHashTable *meta; /* of the file: key to text, or to NULL for one that was removed */
  gint64 reach;     /* until when all rows are in the file, in µs since the epoch; -1 if there is none yet */
  gint64 missing_since;
  gsize bound; /* bytes of rows that stay in memory if the file cannot grow */
  guint64
      max_size; /* of the file; 0 for no limit: rows of small tables, and sums, are written all the same at the end */
};

RoastStoreWriter *roast_store_writer_new (RoastStoreFile *file);
/* The recording is no longer followed. Call close first. */
void roast_store_writer_free (RoastStoreWriter *self);
void roast_store_writer_attach (RoastStoreWriter *self, RoastRecording *recording);
gboolean roast_store_writer_flush (RoastStoreWriter *self, GError **error);
gboolean roast_store_writer_close (RoastStoreWriter *self, GError **error);
/* Gets “reach” or “missing_since”. */
gint64 roast_store_writer_get_time (RoastStoreWriter *self, const gint64 *time);

/* ---- parts of the writer, in the store's thread ---- */

/* Writes all that is new, in one transaction. @full is called when a chunk is full, under the lock of its table. @end
 * is NULL if more will come. */
gboolean roast_store_transact (RoastStoreWriter *self, RoastTableFullFunc full, RoastStoreEnd *end, GError **error);

/* The earliest of all such times counts. */
void roast_store_set_missing_since (RoastStoreWriter *self, gint64 since);

/* ---- for readers ---- */

/* A text about it. @by_limit: the file was at its limit when the run ended; otherwise rows were given up before. */
char *roast_store_describe_missing (gint64 since, gboolean by_limit);

G_END_DECLS
