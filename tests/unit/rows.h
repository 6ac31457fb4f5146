/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Rows of recordings and reports as text, to be compared or to be written; and metrics. */

/* @row: a dictionary, as g_variant_parse() reads it */
void rows_add (RoastRecording *recording, const char *table, const char *row);
/* What aggregators make of it, one after the other: names with spaces between them. “formulas” stands for the metrics
 * that schemas define without an aggregator. */
RoastReport *rows_aggregate (RoastRecording *recording, const char *aggregators);

/* "column=value column=value …" of all cells but missing ones and the source, in the order of the table. */
char *rows_show (RoastRecording *recording, const char *table, guint64 row);
guint64 rows_count (RoastRecording *recording, const char *table);
/* NULL if it is missing. */
char *rows_show_cell (RoastRecording *recording, const char *table, guint64 row, const char *column);
/* With that text in that column; NULL if the cell is missing. */
guint64 rows_count_with (RoastRecording *recording, const char *table, const char *column, const char *value);
gboolean rows_has_event (RoastRecording *recording, const char *kind, const char *part);

/* Of a derived table. */
gboolean rows_has_derived (RoastReport *report, const char *table);
guint64 rows_count_derived (RoastReport *report, const char *table);
char *rows_show_derived (RoastReport *report, const char *table, guint64 row, const char *column);
char *rows_show_derived_row (RoastReport *report, const char *table, guint64 row);

/* All of a metric: "2.5", "2.5: NOTE", "2.5 partial: NOTE", "2.5 estimated: NOTE", or "n/a: REASON". 2 is an integer,
 * and 2.0 is not. */
char *rows_show_metric (RoastReport *report, const char *name);

/* A metric that must be in the report. */
RoastMetric *rows_get_metric (RoastReport *report, const char *name);
void rows_assert_value (RoastReport *report, const char *name, double expected);
/* With a reason that contains @part. */
void rows_assert_unavailable (RoastReport *report, const char *name, const char *part);
/* With a note that contains @part, or none. */
void rows_assert_note (RoastReport *report, const char *name, RoastCompleteness completeness, const char *part);

#define assert_row(recording, table, row, expected)                                                                    \
  G_STMT_START                                                                                                         \
  {                                                                                                                    \
    g_autofree char *shown_ = rows_show (recording, table, row);                                                       \
    g_assert_cmpstr (shown_, ==, expected);                                                                            \
  }                                                                                                                    \
  G_STMT_END

#define assert_metric(report, name, expected)                                                                          \
  G_STMT_START                                                                                                         \
  {                                                                                                                    \
    g_autofree char *shown_ = rows_show_metric (report, name);                                                         \
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

/* All of a row but its source. */
#define assert_derived_row(report, table, row, expected)                                                               \
  G_STMT_START                                                                                                         \
  {                                                                                                                    \
    g_autofree char *shown_ = rows_show_derived_row (report, table, row);                                              \
    g_assert_cmpstr (shown_, ==, expected);                                                                            \
  }                                                                                                                    \
  G_STMT_END

#define assert_derived(report, table, row, column, expected)                                                           \
  G_STMT_START                                                                                                         \
  {                                                                                                                    \
    g_autofree char *shown_ = rows_show_derived (report, table, row, column);                                          \
    g_assert_cmpstr (shown_, ==, expected);                                                                            \
  }                                                                                                                    \
  G_STMT_END

G_END_DECLS
