/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-recording-snapshot.h"
#include "roast/roast-report.h"
#include "roast/roast-table-writer.h"

/* The current run, and the writers for its numbers. */
typedef struct
{
  RoastTableWriter *runs, *values;
  const char *side;
  gint64 run;
  RoastRecordingSnapshot *recording;
  RoastReport *report;
  double *slots; /* slots of each run, starting with the first run; 0 if unknown */
} Facts;

/* Adds a row to `compared_values`. value: NaN for a text. completeness: -1 if it does not apply. */
void compared_put (Facts *self, int kind, const char *name, double value, const char *text, int completeness);

/* roast-session-compare-categories.c */
void compared_put_categories (Facts *self);

/* roast-session-compare-parts.c */
void compared_put_parts (Facts *self);
