/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

#include <roast/roast-table-info.h>

G_BEGIN_DECLS

/**
 * ROAST_TABLE_READER_MAX_KEY:
 *
 * The maximum number of columns by which rows can be grouped.
 *
 * Since: 0.9
 */
#define ROAST_TABLE_READER_MAX_KEY 16

#define ROAST_TYPE_TABLE_READER (roast_table_reader_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastTableReader, roast_table_reader, ROAST, TABLE_READER, GObject)

/* The table, rows and columns that are read. */
ROAST_AVAILABLE_IN_0_9
RoastTableReader *roast_table_reader_narrow (RoastTableReader *self, const char *const *columns, GError **error);
ROAST_AVAILABLE_IN_0_9
RoastTableInfo *roast_table_reader_get_info (RoastTableReader *self);
ROAST_AVAILABLE_IN_0_9
guint64 roast_table_reader_get_n_rows (RoastTableReader *self);
ROAST_AVAILABLE_IN_0_9
guint roast_table_reader_get_n_columns (RoastTableReader *self);
ROAST_AVAILABLE_IN_0_9
RoastColumn *roast_table_reader_get_column (RoastTableReader *self, guint slot);

/* Reading row by row. */
ROAST_AVAILABLE_IN_0_9
gboolean roast_table_reader_next (RoastTableReader *self);
ROAST_AVAILABLE_IN_0_9
void roast_table_reader_rewind (RoastTableReader *self);
ROAST_AVAILABLE_IN_0_9
gboolean roast_table_reader_seek (RoastTableReader *self, guint64 row);
ROAST_AVAILABLE_IN_0_9
guint64 roast_table_reader_get_row (RoastTableReader *self);
ROAST_AVAILABLE_IN_0_9
gboolean roast_table_reader_has (RoastTableReader *self, guint slot);
ROAST_AVAILABLE_IN_0_9
gint64 roast_table_reader_get_int64 (RoastTableReader *self, guint slot, gint64 missing);
ROAST_AVAILABLE_IN_0_9
double roast_table_reader_get_double (RoastTableReader *self, guint slot);
ROAST_AVAILABLE_IN_0_9
gboolean roast_table_reader_get_boolean (RoastTableReader *self, guint slot);
ROAST_AVAILABLE_IN_0_9
const char *roast_table_reader_get_string (RoastTableReader *self, guint slot);
ROAST_AVAILABLE_IN_0_9
int roast_table_reader_get_word (RoastTableReader *self, guint slot);
ROAST_AVAILABLE_IN_0_9
int roast_table_reader_get_code (RoastTableReader *self, guint slot);
ROAST_AVAILABLE_IN_0_9
GVariant *roast_table_reader_dup_value (RoastTableReader *self, guint slot);

/* Grouping rows. */
ROAST_AVAILABLE_IN_0_9
void roast_table_reader_group_by (RoastTableReader *self, const guint *slots, guint n_slots);
ROAST_AVAILABLE_IN_0_9
guint roast_table_reader_get_group (RoastTableReader *self);
ROAST_AVAILABLE_IN_0_9
void roast_table_reader_last_per (RoastTableReader *self, const guint *slots, guint n_slots);

/* Reading column by column. */
ROAST_AVAILABLE_IN_0_9
guint64 roast_table_reader_sum (RoastTableReader *self, guint slot, double *sum, double *max);
ROAST_AVAILABLE_IN_0_9
gboolean roast_table_reader_next_block (RoastTableReader *self);
ROAST_AVAILABLE_IN_0_9
void roast_table_reader_skip_outside (RoastTableReader *self, guint slot, double min, double max);
ROAST_AVAILABLE_IN_0_9
guint roast_table_reader_get_block_n_rows (RoastTableReader *self);
ROAST_AVAILABLE_IN_0_9
GBytes *roast_table_reader_dup_block_data (RoastTableReader *self, guint slot);
ROAST_AVAILABLE_IN_0_9
GBytes *roast_table_reader_dup_block_offsets (RoastTableReader *self, guint slot);
ROAST_AVAILABLE_IN_0_9
GBytes *roast_table_reader_dup_block_validity (RoastTableReader *self, guint slot);
ROAST_AVAILABLE_IN_0_9
char **roast_table_reader_dup_dictionary (RoastTableReader *self, guint slot);

G_END_DECLS
