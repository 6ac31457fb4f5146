/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-recording-snapshot.h"

/* Creates a snapshot. Takes ownership of @tables. */
RoastRecordingSnapshot *roast_recording_snapshot_new (RoastSchema *schema, GPtrArray *tables, GVariant *metadata);

/* Metadata keys about missing rows. The value of the first key is an a{sv}, which maps the name of a table, or "" for
 * all tables, to the reason. The value of the second key is a boolean: whether only rows of the end of the run are
 * missing. */
#define ROAST_GAPS "incomplete"
#define ROAST_GAPS_END "incomplete-end"

/* States whether the columns that were read lack cells. */
typedef enum
{
  ROAST_CELLS_WHOLE,
  ROAST_CELLS_UNSAID,  /* cells are missing, but nothing in the table coverage says so, and no rows are missing. An
                        * aggregator may have seen it and set bounds itself */
  ROAST_CELLS_LACKING, /* cells are missing, so that results from existing rows may be wrong */
} RoastCells;

/* Starts to watch whether incomplete tables are read. @gap and @cells are the initial state: NULL and
 * ROAST_CELLS_WHOLE, or the results of an earlier watch to be continued. */
void roast_recording_snapshot_set_gap (RoastRecordingSnapshot *self, const char *gap, RoastCells cells);
/* Records that a table was read. If rows of the table are missing, remembers the reason for the watch. */
void roast_recording_snapshot_notice_gap (RoastRecordingSnapshot *self, const char *table);
/* Records that cells of a column were read. Table readers call this function. */
void roast_recording_snapshot_notice_column (RoastRecordingSnapshot *self, const char *table, const char *column);
/* Returns why a table that was read during the watch lacks rows, or why a column that was read lacks cells. Returns
 * NULL if nothing is missing. */
const char *roast_recording_snapshot_get_gap (RoastRecordingSnapshot *self);
RoastCells roast_recording_snapshot_get_cells (RoastRecordingSnapshot *self);
/* Returns why rows of a table may be missing; NULL if the table is complete. */
const char *roast_recording_snapshot_find_gap (RoastRecordingSnapshot *self, const char *table);
/* Returns why cells of a column may be missing in existing rows, or NULL. For the column “”, returns why the table has
 * no rows of one of the sources, or NULL. */
const char *roast_recording_snapshot_find_column_gap (RoastRecordingSnapshot *self, const char *table,
                                                      const char *column);
/* Returns whether only rows from the end of the run are missing. */
gboolean roast_recording_snapshot_lacks_end (RoastRecordingSnapshot *self);
