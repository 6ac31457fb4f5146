/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-recording.h"
#include "table/roast-table-private.h"

/* Lists the tables that have been used, in the order of the schema. */
GPtrArray *roast_recording_list_tables (RoastRecording *self);
/* Gets a measured table of the schema. Creates the table if it does not exist yet. */
RoastTable *roast_recording_get_table (RoastRecording *self, const char *name);

/* Records that rows of @table are missing, or rows of any table if @table is NULL. Only the first reason for a table is
 * kept. @from: time from which rows are missing, in µs since the epoch, or -1. @is_end: whether only rows of the end of
 * the run are missing. */
void roast_recording_add_gap (RoastRecording *self, const char *table, gint64 from, gboolean is_end,
                              const char *reason);
/* Records that cells of a column are missing. Only the first reason for a column is kept. */
void roast_recording_add_lost_cells (RoastRecording *self, const char *table, const char *column, const char *reason);
