/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-table-private.h"
#include "roast/roast-recording.h"

/* Writes a recording into a run file, in the store's thread. Any thread may call the functions of the writer. */
typedef struct _RoastStoreWriter RoastStoreWriter;

struct _RoastStoreWriter
{
  RoastStoreFile *file;
  RoastRecording *recording;
  RoastEncoder *encoder;
  GPtrArray *tables;   /* tables being written, of RoastStoredTable */
  GHashTable *written; /* metadata of the recording that are already in the file; maps a key to its text */
  GSource *timer;
  gint64 started;
  gboolean is_synced;
  gboolean is_begun;  /* the file has the header of a database */
  gboolean is_logged; /* the file is in WAL mode */
  gboolean is_laid_out;
  gboolean has_schema;
  gboolean is_closed;
  gboolean is_complete; /* the file is closed and has all rows; its log may still exist */
  guint64 pages;        /* maximum number of pages that is set in SQLite; 0 for no limit */
  gboolean is_stuck;    /* the last transaction failed, and an event of the recording reports the failure */
  gboolean gave_up;     /* rows have been dropped from memory because the file could not grow */
  gint64 delay;         /* µs from the failed transaction to the next attempt */
  gint64 retry_at;

  gint hurry;    /* whether a transaction before the next timer was requested; accessed atomically */
  gssize n_full; /* bytes of the chunks that became full since the last transaction; accessed atomically */

  GMutex mutex;     /* guards the members below */
  GHashTable *meta; /* metadata of the file; maps a key to its text, or to NULL if the key was removed */
  gint64 reach;     /* time in µs since the epoch before which all rows are in the file; -1 if no rows are in the file
                     * yet */
  gint64 missing_since;
  gsize bound;      /* bytes of rows that may stay in memory if the file cannot grow */
  guint64 max_size; /* maximum size of the file in bytes; 0 for no limit. Small tables and sums of the final transaction
                       may exceed the limit */
};

RoastStoreWriter *roast_store_writer_new (RoastStoreFile *file);
/* Stop following the recording and free the writer. Before this call, call roast_store_writer_close(). */
void roast_store_writer_free (RoastStoreWriter *self);
void roast_store_writer_attach (RoastStoreWriter *self, RoastRecording *recording);
/* Lock the mutex and return a time that the mutex guards: @time points to the member “reach” or “missing_since”. */
gint64 roast_store_writer_get_time (RoastStoreWriter *self, const gint64 *time);

/* ---- parts of the writer that run in the store's thread ---- */

/* Functions for roast_store_thread_call (). @self: a RoastStoreWriter */
gboolean roast_store_writer_flush (gpointer self, GError **error);
gboolean roast_store_writer_close (gpointer self, GError **error);

/* Write all new data of the recording in one transaction. @full: called when a chunk becomes full, under the lock of
 * its table. @end: NULL unless this is the final transaction. */
gboolean roast_store_transact (RoastStoreWriter *self, RoastTableFullFunc full, RoastStoreEnd *end, GError **error);

/* Note that rows are missing from the time @since on. After several calls, the earliest time is kept. */
void roast_store_set_missing_since (RoastStoreWriter *self, gint64 since);

/* ---- for readers ---- */

/* Return a message about missing rows. @by_limit: TRUE if the file was at its limit when the run ended, FALSE if rows
 * were dropped during the run. */
char *roast_store_describe_missing (gint64 since, gboolean by_limit);
