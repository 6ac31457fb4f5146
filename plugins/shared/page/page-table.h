/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "page.h"

/* Display of tables of reports and recordings. */

/* Returns the format with which roast_format_value () must format values with @unit; NULL if the unit needs no special
 * format. */
const char *page_unit_format (const char *unit);
/* Returns the text of a cell; “-” if the cell is missing. A recorded text is returned as it is; make it printable
 * before you show it. */
char *page_cell_text (const PageSource *source, RoastTableReader *table, guint slot);
char *page_human_name (const PageSource *source, const char *name);
/* Returns the backend to which all rows belong; NULL if rows belong to different backends. */
const char *page_table_backend (const PageSource *source, RoastTableReader *table);
/* Returns the heading of a column. Uses the name of the column in the executor of @backend, because users know that
 * name. */
char *page_column_heading (const PageSource *source, const char *name, const char *backend);
/* Returns whether a plugin declared the table or one of its columns. */
gboolean page_table_is_added (RoastSchema *core, RoastTableInfo *info);
