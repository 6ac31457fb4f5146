/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

#include <roast/roast-table-info.h>

G_BEGIN_DECLS

#define ROAST_TYPE_TABLE_WRITER (roast_table_writer_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastTableWriter, roast_table_writer, ROAST, TABLE_WRITER, GObject)

ROAST_AVAILABLE_IN_0_9
RoastTableInfo *roast_table_writer_get_info (RoastTableWriter *self);
ROAST_AVAILABLE_IN_0_9
void roast_table_writer_set_int64 (RoastTableWriter *self, guint slot, gint64 value);
ROAST_AVAILABLE_IN_0_9
void roast_table_writer_set_double (RoastTableWriter *self, guint slot, double value);
ROAST_AVAILABLE_IN_0_9
void roast_table_writer_set_boolean (RoastTableWriter *self, guint slot, gboolean value);
ROAST_AVAILABLE_IN_0_9
void roast_table_writer_set_string (RoastTableWriter *self, guint slot, const char *value);
ROAST_AVAILABLE_IN_0_9
void roast_table_writer_set_text (RoastTableWriter *self, guint slot, const char *text, gsize length);
ROAST_AVAILABLE_IN_0_9
void roast_table_writer_set_word (RoastTableWriter *self, guint slot, guint word);
ROAST_AVAILABLE_IN_0_9
void roast_table_writer_set_variant (RoastTableWriter *self, guint slot, GVariant *value);
ROAST_AVAILABLE_IN_0_9
void roast_table_writer_set_count (RoastTableWriter *self, guint slot, gint64 value);
ROAST_AVAILABLE_IN_0_9
void roast_table_writer_clear (RoastTableWriter *self);
ROAST_AVAILABLE_IN_0_9
gboolean roast_table_writer_end (RoastTableWriter *self, GError **error);
ROAST_AVAILABLE_IN_0_9
gboolean roast_table_writer_close (RoastTableWriter *self, GError **error);
ROAST_AVAILABLE_IN_0_9
guint64 roast_table_writer_get_row (RoastTableWriter *self);
ROAST_AVAILABLE_IN_0_9
void roast_table_writer_select_row (RoastTableWriter *self, guint64 row);

G_END_DECLS
