/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#if !defined(__ROAST_INSIDE__) && !defined(ROAST_COMPILATION)
#error "Only <roast/roast.h> can be included directly."
#endif

#include <gio/gio.h>

#include <roast/roast-table.h>

G_BEGIN_DECLS

#define ROAST_TYPE_ROW_MODEL (roast_row_model_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastRowModel, roast_row_model, ROAST, ROW_MODEL, GObject)

#define ROAST_TYPE_ROW_ITEM (roast_row_item_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastRowItem, roast_row_item, ROAST, ROW_ITEM, GObject)

ROAST_AVAILABLE_IN_0_9
RoastRowModel *roast_row_model_new (RoastTable *table);
ROAST_AVAILABLE_IN_0_9
void roast_row_model_refresh (RoastRowModel *self);
ROAST_AVAILABLE_IN_0_9
RoastTableSnapshot *roast_row_item_get_snapshot (RoastRowItem *self);
ROAST_AVAILABLE_IN_0_9
guint64 roast_row_item_get_row (RoastRowItem *self);
ROAST_AVAILABLE_IN_0_9
GVariant *roast_row_item_dup_value (RoastRowItem *self, const char *column);

G_END_DECLS
