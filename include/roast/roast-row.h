/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#if !defined(__ROAST_INSIDE__) && !defined(ROAST_COMPILATION)
#error "Only <roast/roast.h> can be included directly."
#endif

#include <glib-object.h>

#include <roast/roast-version-macros.h>

G_BEGIN_DECLS

typedef struct _RoastTable RoastTable;

/**
 * RoastRow:
 *
 * One row being written: cells not set are missing. Made for one table, filled, added, cleared and filled again;
 * used by one thread at a time.
 *
 * Since: 0.9
 */
typedef struct _RoastRow RoastRow;

#define ROAST_TYPE_ROW (roast_row_get_type ())

ROAST_AVAILABLE_IN_0_9
GType roast_row_get_type (void) G_GNUC_CONST;
ROAST_AVAILABLE_IN_0_9
RoastRow *roast_row_new (RoastTable *table);
ROAST_AVAILABLE_IN_0_9
RoastRow *roast_row_ref (RoastRow *self);
ROAST_AVAILABLE_IN_0_9
void roast_row_unref (RoastRow *self);
ROAST_AVAILABLE_IN_0_9
void roast_row_clear (RoastRow *self);
ROAST_AVAILABLE_IN_0_9
void roast_row_set_int64 (RoastRow *self, guint column, gint64 value);
ROAST_AVAILABLE_IN_0_9
void roast_row_set_double (RoastRow *self, guint column, double value);
ROAST_AVAILABLE_IN_0_9
void roast_row_set_boolean (RoastRow *self, guint column, gboolean value);
ROAST_AVAILABLE_IN_0_9
void roast_row_set_string (RoastRow *self, guint column, const char *value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastRow, roast_row_unref)

G_END_DECLS
