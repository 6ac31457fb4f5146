/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

#define SHEET_MAX 24

/* A table that is written to, with the columns that are, in an order of ours. The first is the source. */
typedef struct
{
  RoastTable *table; /* of the recording */
  RoastRow *row;
  guint columns[SHEET_MAX];
} Sheet;

/* @columns ends with NULL. */
void sheet_open (Sheet *self, RoastRecording *recording, const char *name, const char *const *columns);
void sheet_clear (Sheet *self);

void sheet_begin (Sheet *self, const char *source);
/* What is missing (negative, NaN, NULL) stays so. */
void sheet_set_count (Sheet *self, guint column, gint64 value);
void sheet_set_number (Sheet *self, guint column, double value);
void sheet_set_text (Sheet *self, guint column, const char *value);
/* Appends a row, or completes that with the same key; FALSE if that says otherwise. */
gboolean sheet_end (Sheet *self);

G_END_DECLS
