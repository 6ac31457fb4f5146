/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "page.h"

/* How a table of a report or a recording is shown. */

/* As roast_format_value () takes it; NULL if a unit is shown as it is. */
const char *page_unit_format (const char *unit);
const char *page_column_format (RoastColumn *column);
/* “-” if the cell is missing. As it was recorded, not printable. */
char *page_cell_text (const PageSource *source, RoastTableReader *table, guint slot);
char *page_human_name (const PageSource *source, const char *name);
/* The backend that all rows come from; NULL if there are several. */
const char *page_table_backend (const PageSource *source, RoastTableReader *table);
/* Users of an executor know a column by the executor's own name for it. */
char *page_column_heading (const PageSource *source, const char *name, const char *backend);
/* A plugin declared the table, or one of its columns. */
gboolean page_table_is_added (RoastSchema *core, RoastTableInfo *info);
