/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-recording-snapshot.h"

/* Takes over the tables. */
RoastRecordingSnapshot *roast_recording_snapshot_new (RoastSchema *schema, GPtrArray *tables, GVariant *metadata);

/* Metadata about rows that are missing: a{sv} from the name of a table, or "" for all, to the reason; and whether only
 * the end of the run is missing. */
#define ROAST_GAPS "incomplete"
#define ROAST_GAPS_END "incomplete-end"

/* From now on it notices which tables are read. */
void roast_recording_snapshot_watch (RoastRecordingSnapshot *self);
/* Why a table that was read since then lacks rows; NULL if none does. */
const char *roast_recording_snapshot_get_gap (RoastRecordingSnapshot *self);
/* Why rows of a table may be missing, NULL if all are there. */
const char *roast_recording_snapshot_find_gap (RoastRecordingSnapshot *self, const char *table);
/* Why cells of a column may be missing in rows that are there; of the column “”, why a source has no row. */
const char *roast_recording_snapshot_find_column_gap (RoastRecordingSnapshot *self, const char *table,
                                                      const char *column);
/* Whether nothing is missing but the end of the run. */
gboolean roast_recording_snapshot_lacks_end (RoastRecordingSnapshot *self);
