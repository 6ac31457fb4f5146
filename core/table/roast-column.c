/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-column-private.h"

#include "base/roast-type-private.h"

const char *const roast_column_type_words[] = { "int64", "double", "boolean", "string", "category", NULL };

/**
 * RoastColumn:
 *
 * The name, type, unit and meaning of a table column. Immutable.
 *
 * Since: 0.9
 */
struct _RoastColumn
{
  GObject parent_instance;

  RoastColumnDeclaration declaration;
};

ROAST_DEFINE_TYPE (RoastColumn, roast_column)
ROAST_DEFINE_NO_INIT (RoastColumn, roast_column)

static void
roast_column_release (RoastColumn *self)
{
  g_clear_object (&self->declaration.vocabulary);
  g_atomic_rc_box_release (self->declaration.text);
}

RoastColumn *
roast_column_new (const RoastColumnDeclaration *declaration)
{
  RoastColumn *self = g_object_new (ROAST_TYPE_COLUMN, NULL);

  self->declaration = *declaration;
  g_atomic_rc_box_acquire (declaration->text);
  if (declaration->vocabulary != NULL)
    g_object_ref (declaration->vocabulary);

  return self;
}

ROAST_DEFINE_GETTER (Column, COLUMN, const char *, roast_column_get_declared_by, NULL, self->declaration.declared_by)

ROAST_DEFINE_GETTER (Column, COLUMN, const char *, roast_column_get_expected, NULL, self->declaration.expected)

void
roast_column_set_expected (RoastColumn *self, const char *expected)
{
  self->declaration.expected = expected;
}

/**
 * roast_column_get_name:
 * @self: a column
 *
 * Gets the name of a column.
 *
 * Returns: (transfer none): the name, unique in its table
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Column, COLUMN, const char *, roast_column_get_name, NULL, self->declaration.name)

/**
 * roast_column_get_column_type:
 * @self: a column
 *
 * Gets the type of a column.
 *
 * Returns: the type of the cells
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Column, COLUMN, RoastColumnType, roast_column_get_column_type, ROAST_COLUMN_TYPE_INT64,
                     self->declaration.type)

/**
 * roast_column_get_unit:
 * @self: a column
 *
 * Gets the unit of a column.
 *
 * Returns: (transfer none) (nullable): the unit of the cells, such as `s`, `us`, `B`; %NULL for plain numbers and text
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Column, COLUMN, const char *, roast_column_get_unit, NULL, self->declaration.unit)

/**
 * roast_column_get_description:
 * @self: a column
 *
 * Gets the meaning of a column.
 *
 * Returns: (transfer none) (nullable): the meaning of the cells, in one line
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Column, COLUMN, const char *, roast_column_get_description, NULL, self->declaration.description)

/**
 * roast_column_is_key:
 * @self: a column
 *
 * Checks whether a column is part of the key of an entity table.
 *
 * Returns: whether the column is a key column
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Column, COLUMN, gboolean, roast_column_is_key, FALSE, self->declaration.key)

/**
 * roast_column_may_be_negative:
 * @self: a column
 *
 * Checks whether the table lists the column in the key `Negative` of its declaration. Other columns with a unit hold no
 * values less than zero.
 *
 * Returns: whether the values of the column may be negative
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Column, COLUMN, gboolean, roast_column_may_be_negative, FALSE, self->declaration.negative)

/**
 * roast_column_get_vocabulary:
 * @self: a column
 *
 * Gets the words that the cells of a column may hold.
 *
 * Returns: (transfer none) (nullable): the vocabulary; %NULL if the cells may hold any text, or no text
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Column, COLUMN, RoastVocabulary *, roast_column_get_vocabulary, NULL, self->declaration.vocabulary)
