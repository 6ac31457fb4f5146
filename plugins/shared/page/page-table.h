/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "page.h"

/* Display of tables of reports and recordings. */

/* Returns the format for roast_format_value (); NULL if the unit has no special format. */
const char *page_unit_format (const char *unit);
/* Returns the text as recorded (not printable), or “-” if the cell is missing. */
char *page_cell_text (const PageSource *source, RoastTableReader *table, guint slot);
char *page_human_name (const PageSource *source, const char *name);
/* Returns the backend of all rows; NULL if there are several. */
const char *page_table_backend (const PageSource *source, RoastTableReader *table);
/* Uses the executor's own name for a column, which its users know. */
char *page_column_heading (const PageSource *source, const char *name, const char *backend);
/* Whether a plugin declared the table or one of its columns. */
gboolean page_table_is_added (RoastSchema *core, RoastTableInfo *info);
