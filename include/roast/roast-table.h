/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#if !defined(__ROAST_INSIDE__) && !defined(ROAST_COMPILATION)
#error "Only <roast/roast.h> can be included directly."
#endif

#include <gio/gio.h>

#include <roast/roast-column.h>
#include <roast/roast-row.h>
#include <roast/roast-table-info.h>
#include <roast/roast-table-snapshot.h>

G_BEGIN_DECLS

#define ROAST_TYPE_TABLE (roast_table_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastTable, roast_table, ROAST, TABLE, GObject)

ROAST_AVAILABLE_IN_0_9
RoastTable *roast_table_new (const char *name, RoastTableKind kind, const char *description);
ROAST_AVAILABLE_IN_0_9
const char *roast_table_get_name (RoastTable *self);
ROAST_AVAILABLE_IN_0_9
RoastTableKind roast_table_get_kind (RoastTable *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_table_get_description (RoastTable *self);
ROAST_AVAILABLE_IN_0_9
int roast_table_add_column (RoastTable *self, const char *name, RoastColumnType type, const char *unit,
                            const char *description, GError **error);
ROAST_AVAILABLE_IN_0_9
int roast_table_add_key_column (RoastTable *self, const char *name, RoastColumnType type, const char *unit,
                                const char *description, GError **error);
ROAST_AVAILABLE_IN_0_9
guint roast_table_get_n_columns (RoastTable *self);
ROAST_AVAILABLE_IN_0_9
RoastColumn *roast_table_get_column (RoastTable *self, guint column);
ROAST_AVAILABLE_IN_0_9
int roast_table_find_column (RoastTable *self, const char *name);
ROAST_AVAILABLE_IN_0_9
guint64 roast_table_get_n_rows (RoastTable *self);
ROAST_AVAILABLE_IN_0_9
guint64 roast_table_get_serial (RoastTable *self);
ROAST_AVAILABLE_IN_0_9
gsize roast_table_get_memory (RoastTable *self);
ROAST_AVAILABLE_IN_0_9
gboolean roast_table_append (RoastTable *self, RoastRow *row, GError **error);
ROAST_AVAILABLE_IN_0_9
gboolean roast_table_merge (RoastTable *self, RoastRow *row, GError **error);
ROAST_AVAILABLE_IN_0_9
gboolean roast_table_add_variant (RoastTable *self, GVariant *row, GError **error);
ROAST_AVAILABLE_IN_0_9
gboolean roast_table_append_column (RoastTable *self, const char *column, GBytes *values, GError **error);
ROAST_AVAILABLE_IN_0_9
RoastTableSnapshot *roast_table_snapshot (RoastTable *self);

G_END_DECLS
