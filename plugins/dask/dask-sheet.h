/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

#define DASK_SHEET_MAX 24

/* A table that is written to, with the columns that are, in an order of ours. The first is the source. */
typedef struct
{
  RoastTable *table; /* of the recording */
  RoastRow *row;
  guint columns[DASK_SHEET_MAX];
} DaskSheet;

/* @columns ends with NULL. */
void dask_sheet_open      (DaskSheet *self, RoastRecording *recording, const char *name, const char *const *columns);
void dask_sheet_clear     (DaskSheet *self);

void dask_sheet_begin     (DaskSheet *self, const char *source);
/* What is missing (negative, NaN, NULL) stays so. */
void dask_sheet_set_count (DaskSheet *self, guint column, gint64 value);
void dask_sheet_set_number (DaskSheet *self, guint column, double value);
void dask_sheet_set_text  (DaskSheet *self, guint column, const char *value);
/* Appends a row, or completes that with the same key. */
void dask_sheet_end       (DaskSheet *self);

G_END_DECLS
