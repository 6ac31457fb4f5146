/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-recording-snapshot.h"

/* Creates a snapshot. Takes ownership of @tables. */
RoastRecordingSnapshot *roast_recording_snapshot_new (RoastSchema *schema, GPtrArray *tables, GVariant *metadata);

/* Metadata keys about missing rows. The first key has an a{sv} that maps the name of a table, or "" for all tables, to
 * the reason. The second key has a boolean: whether only rows from the end of the run are missing. */
#define ROAST_GAPS "incomplete"
#define ROAST_GAPS_END "incomplete-end"

/* Starts to watch whether incomplete tables are read. @gap and @lacks_cells are the state to start with: NULL and
 * FALSE, or the state from an earlier watch. */
void roast_recording_snapshot_set_gap (RoastRecordingSnapshot *self, const char *gap, gboolean lacks_cells);
/* Records that a table was read. If rows of the table are missing, the watch keeps the reason. */
void roast_recording_snapshot_notice_gap (RoastRecordingSnapshot *self, const char *table);
/* Records that cells of a column were read. Table readers call this. */
void roast_recording_snapshot_notice_column (RoastRecordingSnapshot *self, const char *table, const char *column);
/* Returns why rows are missing in a table, or cells in a column, that was read during the watch. Returns NULL if
 * nothing is missing. */
const char *roast_recording_snapshot_get_gap (RoastRecordingSnapshot *self);
/* Returns whether a column that was read during the watch lacks cells. Results from existing rows may then be wrong. */
gboolean roast_recording_snapshot_lacks_cells (RoastRecordingSnapshot *self);
/* Returns why rows of a table may be missing; NULL if the table is complete. */
const char *roast_recording_snapshot_find_gap (RoastRecordingSnapshot *self, const char *table);
/* Returns why cells of a column may be missing in existing rows, or NULL. The column “” stands for whole rows: returns
 * why one source has no rows. */
const char *roast_recording_snapshot_find_column_gap (RoastRecordingSnapshot *self, const char *table,
                                                      const char *column);
/* Returns whether only rows from the end of the run are missing. */
gboolean roast_recording_snapshot_lacks_end (RoastRecordingSnapshot *self);
