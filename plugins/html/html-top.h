/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* The rows to show of a table that is too long: the rows with the largest values of a column, or else the first rows.
 * */
typedef struct
{
  GArray *rows; /* guint64 row numbers in display order */
  char *column; /* column by which the rows were chosen; NULL: table order */
} HtmlTop;

void html_top_init (HtmlTop *self, RoastTableReader *table, guint64 n);
void html_top_clear (HtmlTop *self);
