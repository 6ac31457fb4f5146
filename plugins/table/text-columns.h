/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "text-renderer.h"

/* The columns of a table as it is shown, for any table of a page: fitted into a width, so that names still differ. */
typedef struct
{
  char *heading;
  gboolean is_text;
  guint rank;        /* columns of a lower one are left out first; 0: rather than to narrow others */
  gboolean is_fixed; /* all rows have the value of the first one, also those that are not shown */
  GPtrArray *cells;
  gsize width;
  gsize least; /* a width in which cells that differ still differ; 0: not known yet */
} TextColumn;

GPtrArray *text_columns_new (void);
TextColumn *text_columns_add (GPtrArray *columns, const char *heading, gboolean is_text);
void text_columns_add_cell (TextColumn *column, char *text);

/* Takes columns that are the same in all rows away, and says what they were, for the title. */
char *text_columns_take_fixed (GPtrArray *columns);
/* Gives the number of columns that do not fit. */
guint text_columns_fit (const TextRenderer *page, GPtrArray *columns, gsize width);
void text_columns_print (TextRenderer *page, GPtrArray *columns, guint64 n_rows);
