/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-table-private.h"
#include "roast/roast-table-writer.h"

/* Hears of each row, table or column that is refused. @column may be NULL. */
typedef void (*RoastRefusedFunc) (GObject *owner, const char *plugin, const char *table, const char *column,
                                  const GError *error);

/* A writer of a table. @source is written into each row, @plugin is named in errors; both may be NULL. @columns may be
 * NULL for all. The writer keeps a reference to @owner, which hears what is refused. */
RoastTableWriter *roast_table_writer_new (RoastTable *table, const char *source, const char *plugin,
                                          const char *const *columns, GObject *owner, RoastRefusedFunc refused,
                                          GError **error);
