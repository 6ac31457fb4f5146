/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Add an event with a formatted message. @source: may be NULL; @time: µs since the epoch, -1 for now */
void vine_note (RoastRecording *recording, const char *source, gint64 time, RoastSeverity severity, const char *kind,
                const char *format, ...) G_GNUC_PRINTF (6, 7);

/* Add a row to the table coverage, which lists missing data. @column: NULL if whole rows are missing rather than
 * cells */
void vine_gap (RoastRecording *recording, const char *source, const char *table, const char *column, guint state,
               const char *reason);
