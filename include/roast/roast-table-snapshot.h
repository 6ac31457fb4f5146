/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#if !defined(__ROAST_INSIDE__) && !defined(ROAST_COMPILATION)
#error "Only <roast/roast.h> can be included directly."
#endif

#include <glib-object.h>

#include <roast/roast-column.h>

G_BEGIN_DECLS

#define ROAST_TYPE_TABLE_SNAPSHOT (roast_table_snapshot_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastTableSnapshot, roast_table_snapshot, ROAST, TABLE_SNAPSHOT, GObject)

ROAST_AVAILABLE_IN_0_9
const char *roast_table_snapshot_get_name (RoastTableSnapshot *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_table_snapshot_get_description (RoastTableSnapshot *self);
ROAST_AVAILABLE_IN_0_9
guint64 roast_table_snapshot_get_serial (RoastTableSnapshot *self);
ROAST_AVAILABLE_IN_0_9
guint roast_table_snapshot_get_n_columns (RoastTableSnapshot *self);
ROAST_AVAILABLE_IN_0_9
RoastColumn *roast_table_snapshot_get_column (RoastTableSnapshot *self, guint column);
ROAST_AVAILABLE_IN_0_9
int roast_table_snapshot_find_column (RoastTableSnapshot *self, const char *name);
ROAST_AVAILABLE_IN_0_9
guint64 roast_table_snapshot_get_n_rows (RoastTableSnapshot *self);
ROAST_AVAILABLE_IN_0_9
guint roast_table_snapshot_get_n_chunks (RoastTableSnapshot *self);
ROAST_AVAILABLE_IN_0_9
guint roast_table_snapshot_get_chunk_n_rows (RoastTableSnapshot *self, guint chunk);
ROAST_AVAILABLE_IN_0_9
GBytes *roast_table_snapshot_dup_chunk_data (RoastTableSnapshot *self, guint chunk, guint column);
ROAST_AVAILABLE_IN_0_9
GBytes *roast_table_snapshot_dup_chunk_offsets (RoastTableSnapshot *self, guint chunk, guint column);
ROAST_AVAILABLE_IN_0_9
GBytes *roast_table_snapshot_dup_chunk_validity (RoastTableSnapshot *self, guint chunk, guint column);
ROAST_AVAILABLE_IN_0_9
GBytes *roast_table_snapshot_dup_column (RoastTableSnapshot *self, guint column);
ROAST_AVAILABLE_IN_0_9
GBytes *roast_table_snapshot_dup_column_validity (RoastTableSnapshot *self, guint column);
ROAST_AVAILABLE_IN_0_9
char **roast_table_snapshot_dup_dictionary (RoastTableSnapshot *self, guint column);
ROAST_AVAILABLE_IN_0_9
gboolean roast_table_snapshot_is_valid (RoastTableSnapshot *self, guint64 row, guint column);
ROAST_AVAILABLE_IN_0_9
gint64 roast_table_snapshot_get_int64 (RoastTableSnapshot *self, guint64 row, guint column);
ROAST_AVAILABLE_IN_0_9
double roast_table_snapshot_get_double (RoastTableSnapshot *self, guint64 row, guint column);
ROAST_AVAILABLE_IN_0_9
gboolean roast_table_snapshot_get_boolean (RoastTableSnapshot *self, guint64 row, guint column);
ROAST_AVAILABLE_IN_0_9
const char *roast_table_snapshot_get_string (RoastTableSnapshot *self, guint64 row, guint column);
ROAST_AVAILABLE_IN_0_9
GVariant *roast_table_snapshot_dup_value (RoastTableSnapshot *self, guint64 row, guint column);

G_END_DECLS
