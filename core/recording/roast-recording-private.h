/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-recording.h"
#include "table/roast-table-private.h"

/* The tables that have been used, in the order of the schema. */
GPtrArray *roast_recording_list_tables (RoastRecording *self);
/* A measured table of the schema. */
RoastTable *roast_recording_get_table (RoastRecording *self, const char *name);

/* Rows are missing: of @table, or of any table if that is NULL. The first reason is kept for each. @from: those of that
 * time and later, µs since the epoch, or -1. @is_end: only the end of the run is missing, and all that came before is
 * there. */
void roast_recording_add_gap (RoastRecording *self, const char *table, gint64 from, gboolean is_end,
                              const char *reason);
