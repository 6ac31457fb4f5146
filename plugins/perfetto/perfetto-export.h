/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "perfetto-trace.h"

G_BEGIN_DECLS

typedef struct _Workers Workers;

/* Rows of a table that are left out. */
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
  GArray *left_out; /* of LeftOut */
  gint64 started;   /* start of the run, µs */
} Export;

/* Counts a row of @table as left out, table after table. @table must be a literal or live as long as its schema. */
void export_leave_out (Export *self, const char *table);

#define ARGUMENTS_END G_MAXUINT

/* Put existing cells, those of @slots up to ARGUMENTS_END, as arguments named after their columns. */
void export_put_cell (Export *self, RoastTableReader *table, guint slot);
void export_put_cells (Export *self, RoastTableReader *table, const guint *slots);

G_END_DECLS
