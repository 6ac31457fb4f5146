/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-recording-snapshot.h"

/* Takes ownership of @tables. */
RoastRecordingSnapshot *roast_recording_snapshot_new (RoastSchema *schema, GPtrArray *tables, GVariant *metadata);

/* Metadata about missing rows. The first key has an a{sv} that maps a table's name, or "" for all tables, to the
 * reason. The second key has a boolean: whether only the end of the run is missing. */
#define ROAST_GAPS "incomplete"
#define ROAST_GAPS_END "incomplete-end"

/* Starts to watch which tables are read, with NULL or an earlier gap. */
void roast_recording_snapshot_set_gap (RoastRecordingSnapshot *self, const char *gap, gboolean lacks_cells);
/* Counts a table as read since then. */
void roast_recording_snapshot_notice_gap (RoastRecordingSnapshot *self, const char *table);
/* Counts cells of a column as read. Readers do this. */
void roast_recording_snapshot_notice_column (RoastRecordingSnapshot *self, const char *table, const char *column);
/* Returns why a table that was read since then lacks rows, or a column cells; NULL if none does. */
const char *roast_recording_snapshot_get_gap (RoastRecordingSnapshot *self);
/* Returns whether a column that was read since then lacks cells, so that what existing rows say may be wrong. */
gboolean roast_recording_snapshot_lacks_cells (RoastRecordingSnapshot *self);
/* Returns why rows of a table may be missing; NULL if the table is complete. */
const char *roast_recording_snapshot_find_gap (RoastRecordingSnapshot *self, const char *table);
/* Returns why cells of a column may be missing in existing rows. For the column “”, returns why a source has no
 * rows. */
const char *roast_recording_snapshot_find_column_gap (RoastRecordingSnapshot *self, const char *table,
                                                      const char *column);
/* Returns whether only the end of the run is missing. */
gboolean roast_recording_snapshot_lacks_end (RoastRecordingSnapshot *self);
