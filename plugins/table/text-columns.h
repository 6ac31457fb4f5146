/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "text-renderer.h"

/* A column of a displayed table. When columns are fitted into a width, distinct names stay distinct. */
typedef struct
{
  char *heading;
  gboolean is_text;
  guint rank;        /* columns with lower ranks are left out first; rank 0: before other columns are narrowed */
  gboolean is_fixed; /* all rows, shown or not, have the same value */
  GPtrArray *cells;
  gsize width;
  gsize least; /* least width at which distinct cells stay distinct; 0: not computed yet */
} TextColumn;

GPtrArray *text_columns_new (void);
TextColumn *text_columns_add (GPtrArray *columns, const char *heading, gboolean is_text);
void text_columns_add_cell (TextColumn *column, char *text);

/* Removes the columns that have the same value in all rows. Returns their names and values for the title of the
 * table. */
char *text_columns_take_fixed (GPtrArray *columns);
/* Fits the columns into @width. Returns the number of columns that were left out because they do not fit. */
guint text_columns_fit (const TextRenderer *page, GPtrArray *columns, gsize width);
void text_columns_print (TextRenderer *page, GPtrArray *columns, guint64 n_rows);
