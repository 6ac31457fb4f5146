/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* What is in the tables of a recording, as text: to be compared, or to be put there. */

/* @row: a dictionary, as g_variant_parse() reads it */
void rows_add (RoastRecording *recording, const char *table, const char *row);
/* What the aggregator of that name makes of it. */
RoastReport *rows_aggregate (RoastRecording *recording, const char *aggregator);

/* "column=value column=value …" of all cells that are set but those of the source, in the order of the table. */
char *rows_show (RoastRecording *recording, const char *table, guint64 row);
guint64 rows_count (RoastRecording *recording, const char *table);
/* NULL if it is missing. */
char *rows_show_cell (RoastRecording *recording, const char *table, guint64 row, const char *column);
/* With that text in that column; NULL if the cell is missing. */
guint64 rows_count_with (RoastRecording *recording, const char *table, const char *column, const char *value);
gboolean rows_has_event (RoastRecording *recording, const char *kind, const char *part);

#define assert_row(recording, table, row, expected)                                                                    \
  G_STMT_START                                                                                                         \
  {                                                                                                                    \
    g_autofree char *shown_ = rows_show (recording, table, row);                                                       \
    g_assert_cmpstr (shown_, ==, expected);                                                                            \
  }                                                                                                                    \
  G_STMT_END

#define assert_cell(recording, table, row, column, expected)                                                           \
  G_STMT_START                                                                                                         \
  {                                                                                                                    \
    g_autofree char *shown_ = rows_show_cell (recording, table, row, column);                                          \
    g_assert_cmpstr (shown_, ==, expected);                                                                            \
  }                                                                                                                    \
  G_STMT_END

G_END_DECLS
