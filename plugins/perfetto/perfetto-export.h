/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "perfetto-trace.h"

typedef struct _Workers Workers;

/* Number of rows of a table that are left out of the trace. */
typedef struct
{
  const char *table;
  gint64 n;
} LeftOut;

/* State shared by the parts of the exporter. */
typedef struct
{
  RoastRecordingSnapshot *recording;
  RoastReport *report;
  Trace *trace;
  Workers *workers;
  GArray *left_out; /* elements are LeftOut */
  gint64 started;   /* start of the run, µs */
} Export;

/* Counts a row of @table that is left out. Count all rows of one table before those of the next. @table must be a
 * literal, or a string that exists as long as the schema. */
void export_leave_out (Export *self, const char *table);

#define ARGUMENTS_END G_MAXUINT

/* Puts cells of the current row as arguments of an event. The arguments have the names of the columns. Missing cells
 * are skipped. @slots ends with ARGUMENTS_END. */
void export_put_cell (Export *self, RoastTableReader *table, guint slot);
void export_put_cells (Export *self, RoastTableReader *table, const guint *slots);
