/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "text-renderer.h"

/* A column of a table that is displayed. If columns are narrowed, different names still look different. */
typedef struct
{
  char *heading;
  gboolean is_text;
  guint rank; /* columns with lower ranks are left out first; columns of rank 0 even before columns are narrowed */
  gboolean is_fixed; /* all rows have the same value, including rows that are not shown */
  GPtrArray *cells;
  gsize width;
  gsize least; /* minimum width at which different cells still look different; 0 until it is computed */
} TextColumn;

GPtrArray *text_columns_new (void);
TextColumn *text_columns_add (GPtrArray *columns, const char *heading, gboolean is_text);
void text_columns_add_cell (TextColumn *column, char *text);

/* Removes the columns that have the same value in all rows. Returns their names and values, which go into the title of
 * the table. */
char *text_columns_take_fixed (GPtrArray *columns);
/* Fits the columns into @width. Returns how many columns had to be left out. */
guint text_columns_fit (const TextRenderer *page, GPtrArray *columns, gsize width);
void text_columns_print (TextRenderer *page, GPtrArray *columns, guint64 n_rows);
