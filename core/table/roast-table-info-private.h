/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-table-info.h"

/* The declaration of a table. The strings are parts of @text, memory from g_atomic_rc_box_alloc(). */
typedef struct
{
  char *text;
  const char *declared_by; /* origin of the text; the creator keeps this string valid */
  const char *name;
  const char *description;
  RoastTableKind kind;
  RoastTableOrigin origin;
  RoastTableStorage storage;
  RoastTableFrom from;
} RoastTableDeclaration;

RoastTableInfo *roast_table_info_new (const RoastTableDeclaration *declaration);
const char *roast_table_info_get_declared_by (RoastTableInfo *self);
/* Add a column, whose name must be unique. Add all columns before the declaration is used, because the declaration must
 * not change later. */
void roast_table_info_take_column (RoastTableInfo *self, RoastColumn *column);
RoastTableInfo *roast_table_info_copy (RoastTableInfo *self);
const char *const *roast_table_info_get_column_names (RoastTableInfo *self);
/* Find the number of a column and store it in *@column. Before the call, *@column must be a guess, which is tried
 * first. If @name is from a list of names, its position in the list is a good guess, because such lists mostly have the
 * order of the table. */
gboolean roast_table_info_find_near (RoastTableInfo *self, const char *name, guint *column);

static inline RoastColumnType
roast_table_info_type_of (RoastTableInfo *self, guint column)
{
  return roast_column_get_column_type (roast_table_info_get_column (self, column));
}
