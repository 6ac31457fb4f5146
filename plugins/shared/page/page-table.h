/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "page.h"

/* Display of tables of reports and recordings. */

/* Returns the format that roast_format_value () needs for values with @unit; NULL if the unit has no special format. */
const char *page_unit_format (const char *unit);
/* Returns the text of a cell, or “-” if the cell is missing. Recorded texts are returned as they are, not made
 * printable. */
char *page_cell_text (const PageSource *source, RoastTableReader *table, guint slot);
char *page_human_name (const PageSource *source, const char *name);
/* Returns the backend to which all rows belong; NULL if they belong to several. */
const char *page_table_backend (const PageSource *source, RoastTableReader *table);
/* Returns the heading of a column. Uses the name that the executor of @backend has for it, which its users know. */
char *page_column_heading (const PageSource *source, const char *name, const char *backend);
/* Returns whether a plugin declared the table or one of its columns. */
gboolean page_table_is_added (RoastSchema *core, RoastTableInfo *info);
