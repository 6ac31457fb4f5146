/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-recording-snapshot.h"
#include "roast/roast-report.h"
#include "roast/roast-table-writer.h"

/* Where the numbers of one run go. */
typedef struct
{
  RoastTableWriter *runs, *values;
  const char *side;
  gint64 run;
  RoastRecordingSnapshot *recording;
  RoastReport *report;
  double *slots; /* of each run, from the first one on; 0 if unknown */
} Facts;

/* value: NaN if it is a text. completeness: -1 if it has none. */
void compared_put (Facts *self, int kind, const char *name, double value, const char *text, int completeness);

/* roast-session-compare-categories.c */
void compared_put_categories (Facts *self);

/* roast-session-compare-parts.c */
void compared_put_parts (Facts *self);
