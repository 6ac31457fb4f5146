/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-table-private.h"
#include "roast/roast-table-writer.h"

/* Called for each refused row, table or column. @column may be NULL. Unless @is_row, only this cell is left out. */
typedef void (*RoastRefusedFunc) (GObject *owner, const char *plugin, const char *table, const char *column,
                                  gboolean is_row, const GError *error);

/* Make a writer of a table. @source is written into each row, @plugin is named in errors; both may be NULL.
 * @columns: NULL for all columns. The writer keeps a reference to @owner, which is passed to @refused. */
RoastTableWriter *roast_table_writer_new (RoastTable *table, const char *source, const char *plugin,
                                          const char *const *columns, GObject *owner, RoastRefusedFunc refused,
                                          GError **error);
/* Leave out times before @earliest, in µs since the epoch. */
void roast_table_writer_set_earliest (RoastTableWriter *self, gint64 earliest);
