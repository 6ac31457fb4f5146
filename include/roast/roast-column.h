/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib-object.h>

#include <roast/roast-version-macros.h>
#include <roast/roast-vocabulary.h>

G_BEGIN_DECLS

/**
 * RoastColumnType:
 * @ROAST_COLUMN_TYPE_INT64: 64-bit signed integers
 * @ROAST_COLUMN_TYPE_DOUBLE: IEEE 754 doubles
 * @ROAST_COLUMN_TYPE_BOOLEAN: one byte each, 0 or 1
 * @ROAST_COLUMN_TYPE_STRING: UTF-8 text, stored for each row
 * @ROAST_COLUMN_TYPE_CATEGORY: UTF-8 text, stored in a dictionary, for names that occur in many rows
 *
 * The type of a column's cells.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_COLUMN_TYPE_INT64,
  ROAST_COLUMN_TYPE_DOUBLE,
  ROAST_COLUMN_TYPE_BOOLEAN,
  ROAST_COLUMN_TYPE_STRING,
  ROAST_COLUMN_TYPE_CATEGORY,
} RoastColumnType;

#define ROAST_TYPE_COLUMN (roast_column_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastColumn, roast_column, ROAST, COLUMN, GObject)

ROAST_AVAILABLE_IN_0_9
const char *roast_column_get_name (RoastColumn *self);
ROAST_AVAILABLE_IN_0_9
RoastColumnType roast_column_get_column_type (RoastColumn *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_column_get_unit (RoastColumn *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_column_get_description (RoastColumn *self);
ROAST_AVAILABLE_IN_0_9
gboolean roast_column_is_key (RoastColumn *self);
ROAST_AVAILABLE_IN_0_9
gboolean roast_column_may_be_negative (RoastColumn *self);
ROAST_AVAILABLE_IN_0_9
RoastVocabulary *roast_column_get_vocabulary (RoastColumn *self);

G_END_DECLS
