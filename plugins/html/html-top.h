/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* The rows of a table that are worth showing where not all can be: the largest of a column, or the first ones. */
typedef struct
{
  GArray *rows; /* guint64, in the order in which to show them */
  char *column; /* by which they were chosen; NULL: in the order of the table */
} HtmlTop;

void html_top_init (HtmlTop *self, RoastTableReader *table, guint64 n);
void html_top_clear (HtmlTop *self);
