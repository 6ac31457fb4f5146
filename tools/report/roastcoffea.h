/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "json-walk.h"
#include "roastcoffea-words.h"

G_BEGIN_DECLS

/* Imports a roastcoffea measurement: a directory with metrics.json, start_end_time.txt and metadata.json. */

/* Members of metrics.json that become rows. All others are numbers computed from these, or come from coffea's report.
 */
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

/* Numbers of metrics.json that are not derived from rows. */
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
  const char *parts[ROASTCOFFEA_N_PARTS]; /* start of each part; NULL if it is missing, null or empty */
  double numbers[ROASTCOFFEA_N_NUMBERS];  /* NaN if missing */
  gint64 zone;                            /* offset of the tracking times from UTC, µs */
  gint64 first;                           /* earliest time seen, µs since the epoch; G_MAXINT64 if none */
  gint64 last;                            /* latest time seen; -1 if none */
  GHashTable *left_out;                   /* names of members that roast cannot store */
  guint64 n_chunks, n_events, n_bytes;    /* chunks, chunks with events, and chunks with bytes */
  double events, bytes;                   /* sums over chunks */
  GError *error;                          /* first reason why the import fails */
} Roastcoffea;

/* Reads a measurement. @times: text of start_end_time.txt. @metadata: text of metadata.json, or NULL. @left_out:
 * receives the names of members that roast cannot store. The error message names the faulty file. */
gboolean roastcoffea_take (RoastRecording *recording, const char *metrics, gsize length, const char *times,
                           const char *metadata, GPtrArray *left_out, GError **error);

/* Calls json_walk_each () on the value at @at. Does nothing if @at is NULL. Returns FALSE and sets the error on
 * failure. */
gboolean roastcoffea_walk (Roastcoffea *self, const char *at, char bracket, JsonWalkTake take, gpointer data);
/* Sets the error to the fault of a scan, unless the error is already set. Returns FALSE. */
gboolean roastcoffea_fail (Roastcoffea *self, const RoastJsonScan *scan);
/* Ends a row. Returns FALSE and sets the error on failure. */
gboolean roastcoffea_end_row (Roastcoffea *self, RoastTableWriter *rows);
/* Creates a writer of a table. */
RoastTableWriter *roastcoffea_write (Roastcoffea *self, const char *table, const char *const *columns);
void roastcoffea_leave_out (Roastcoffea *self, const char *name);
/* Converts seconds since the epoch to µs; returns -1 if out of range. Updates first and last. */
gint64 roastcoffea_time (Roastcoffea *self, double seconds);
/* Sets a cell to value * factor. Leaves it empty if the value is NaN, negative or too large. */
void roastcoffea_set_count (RoastTableWriter *writer, guint slot, double value, double factor);

/* Each function reads its part if the file has it. Returns FALSE and sets the error on failure. */
gboolean roastcoffea_take_tracking (Roastcoffea *self);
gboolean roastcoffea_take_chunks (Roastcoffea *self);
gboolean roastcoffea_take_sections (Roastcoffea *self, gint64 ended);
gboolean roastcoffea_take_files (Roastcoffea *self);
gboolean roastcoffea_take_spans (Roastcoffea *self, gint64 ended);

G_END_DECLS
