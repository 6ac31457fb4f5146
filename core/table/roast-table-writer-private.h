/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-table-private.h"
#include "roast/roast-table-writer.h"

/* Called when a writer refuses a row, a column or a cell. @column may be NULL. @is_row: whether the whole row is
 * refused; FALSE if only the cell of @column is left out. */
typedef void (*RoastRefusedFunc) (GObject *owner, const char *plugin, const char *table, const char *column,
                                  gboolean is_row, const GError *error);

/* Make a writer of a table. @source: source to write into each row, or NULL. @plugin: name of the plugin for error
 * messages, or NULL. @columns: names of the columns to write, or NULL for all columns. The writer keeps a reference to
 * @owner, and calls @refused with @owner. */
#define ROAST_TIME_AHEAD (366 * G_TIME_SPAN_DAY) /* later times, from now on, are impossible */
#define ROAST_TIME_TOO_LATE "a time cannot be more than a year in the future"
#define ROAST_TIME_TOO_EARLY "a time cannot be before the year 2000 (times are microseconds since 1970)"

RoastTableWriter *roast_table_writer_new (RoastTable *table, const char *source, const char *plugin,
                                          const char *const *columns, GObject *owner, RoastRefusedFunc refused,
                                          GError **error);
/* Make the writer leave out times before @earliest, in µs since the epoch. */
void roast_table_writer_set_earliest (RoastTableWriter *self, gint64 earliest);
