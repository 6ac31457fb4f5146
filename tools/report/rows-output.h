/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "report-options.h"

/* Writes rows to standard output, as an aligned table, as CSV, or as a JSON array of objects. */
typedef struct _RowsOutput RowsOutput;

typedef enum
{
  ROWS_CELL_MISSING,
  ROWS_CELL_NUMBER, /* the text is a number */
  ROWS_CELL_TEXT,
} RowsCell;

RowsOutput *rows_output_new (ReportFormat format, const char *const *columns);
void rows_output_add_cell (RowsOutput *self, RowsCell type, const char *text);
/* Adds a text. If @text is NULL, the cell is missing. */
void rows_output_add_text (RowsOutput *self, const char *text);
gboolean rows_output_end_row (RowsOutput *self, GError **error);
gboolean rows_output_end (RowsOutput *self, GError **error);
void rows_output_free (RowsOutput *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RowsOutput, rows_output_free)
