/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-recording-snapshot.h"
#include "roast/roast-recording.h"
#include "roast/roast-report.h"
#include "roast/roast-table-writer.h"

/* The run whose numbers are being collected, and the writers for these numbers. */
typedef struct
{
  RoastTableWriter *runs, *values;
  const char *side;
  gint64 run;
  RoastRecordingSnapshot *recording;
  RoastReport *report;
  double started, elapsed; /* start and elapsed time of the current run, in s */
  GPtrArray *lines;        /* attempts over time: one line for each run and category so far */
  double *slots;           /* number of slots of each run; 0 if unknown */
} Facts;

/* Adds a row to `compared_values`. @value: NaN if the row has a text instead. @completeness: -1 if it does not
 * apply. */
void compared_put (Facts *self, int kind, const char *name, double value, const char *text, int completeness);

/* Gets the earliest start and the latest end of the windows of a kind, in µs; NaN if unknown. */
void compared_find_window (Facts *self, int kind, double *started, double *ended);

/* roast-session-compare-categories.c */
void compared_put_categories (Facts *self);

/* roast-session-compare-over-time.c */
#define COMPARED_BINS 240 /* number of bins of equal length from the start to the end of a run */
/* Adds an attempt to the bins of its category. Times are in s since the start of the run. */
void compared_add_busy (double *bins, double elapsed, double from, double to);
void compared_line_free (gpointer line);
/* Adds the attempts of one category of the current run. @category is NULL for all merged categories. */
void compared_add_line (Facts *self, const char *category, const double *bins);
void compared_put_over_time (Facts *self, RoastRecording *recording, guint n_new, guint n_reference);

/* roast-session-compare-parts.c */
void compared_put_parts (Facts *self);
