/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "perfetto-trace.h"

G_BEGIN_DECLS

typedef struct _Workers Workers;

/* The data that the parts of the exporter share. */
typedef struct
{
  RoastRecordingSnapshot *recording;
  RoastReport *report;
  Trace *trace;
  Workers *workers;
  GArray *left_out; /* gpointer: rows that could not be drawn, as pairs of a table's name and a number */
  gint64 started;   /* of the run */
} Export;

/* Counts a row of @table, which is a literal or lives as long as its schema, as not drawn. */
void export_leave_out (Export *self, const char *table);

#define ARGUMENTS_END G_MAXUINT

/* Puts the cells of @slots, up to ARGUMENTS_END, that are there as arguments, named as their columns. */
void export_put_cells (Export *self, RoastTableReader *table, const guint *slots);

G_END_DECLS
