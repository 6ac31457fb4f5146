/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "json-walk.h"
#include "roastcoffea-words.h"

G_BEGIN_DECLS

/* The import of a measurement of roastcoffea: a directory with metrics.json, start_end_time.txt and metadata.json. */

/* Members of metrics.json that have rows. All others are numbers computed from these, or from the report of coffea. */
typedef enum
{
  ROASTCOFFEA_TRACKING,
  ROASTCOFFEA_CHUNKS,
  ROASTCOFFEA_SECTIONS,
  ROASTCOFFEA_SPANS,
  ROASTCOFFEA_CHUNK_INFO,
  ROASTCOFFEA_FILES,
  ROASTCOFFEA_N_PARTS,
} RoastcoffeaPart;

/* Numbers of metrics.json that no row gives. */
typedef enum
{
  ROASTCOFFEA_EVENTS,
  ROASTCOFFEA_BYTES,
  ROASTCOFFEA_TIME, /* summed over chunks, s */
  ROASTCOFFEA_N_CHUNKS,
  ROASTCOFFEA_PROCESSOR_CPU,
  ROASTCOFFEA_PROCESSOR_WAIT,
  ROASTCOFFEA_N_NUMBERS,
} RoastcoffeaNumber;

typedef struct
{
  RoastRecording *recording;
  char *source;
  const char *text; /* metrics.json */
  const char *end;
  const char *parts[ROASTCOFFEA_N_PARTS]; /* where each begins; NULL if it is missing, null, or empty */
  double numbers[ROASTCOFFEA_N_NUMBERS];  /* NaN if missing */
  gint64 zone;                            /* what the times of tracking are ahead of UTC, µs */
  gint64 first;                           /* the earliest time that was seen, µs since the epoch; G_MAXINT64 */
  gint64 last;                            /* the latest one; -1 */
  GHashTable *left_out;                   /* of names: what has no place */
  guint64 n_chunks, n_events, n_bytes;    /* chunks, those with events, and those with bytes */
  double events, bytes;                   /* their sums */
  GError *error;                          /* why the import fails; the first reason counts */
} Roastcoffea;

/* Reads a measurement. @times: start_end_time.txt. @metadata: metadata.json, or NULL. @left_out gets names. The error
 * is about the file that it names. */
gboolean roastcoffea_take (RoastRecording *recording, const char *metrics, gsize length, const char *times,
                           const char *metadata, GPtrArray *left_out, GError **error);

/* Reads what begins at @at, unless that is NULL, by json_walk_each (). FALSE: the error is set. */
gboolean roastcoffea_walk (Roastcoffea *self, const char *at, char bracket, JsonWalkTake take, gpointer data);
/* Sets the error to the fault of a scan, unless it is set. Returns FALSE. */
gboolean roastcoffea_fail (Roastcoffea *self, const RoastJsonScan *scan);
/* Ends a row. FALSE: the error is set. */
gboolean roastcoffea_end_row (Roastcoffea *self, RoastTableWriter *rows);
/* A writer of a table. */
RoastTableWriter *roastcoffea_write (Roastcoffea *self, const char *table, const char *const *columns);
void roastcoffea_leave_out (Roastcoffea *self, const char *name);
/* From seconds since the epoch; -1 if it is out of range. Also remembers first and last. */
gint64 roastcoffea_time (Roastcoffea *self, double seconds);
/* Sets a cell if the value is one. Counts and sizes are never negative. */
void roastcoffea_set_count (RoastTableWriter *writer, guint slot, double value, double factor);

/* Each reads its part, if it is there. FALSE: the error is set. */
gboolean roastcoffea_take_tracking (Roastcoffea *self);
gboolean roastcoffea_take_chunks (Roastcoffea *self);
gboolean roastcoffea_take_sections (Roastcoffea *self, gint64 ended);
gboolean roastcoffea_take_files (Roastcoffea *self);
gboolean roastcoffea_take_spans (Roastcoffea *self, gint64 ended);

G_END_DECLS
