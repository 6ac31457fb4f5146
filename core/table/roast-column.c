/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-column-private.h"

/**
 * RoastColumn:
 *
 * Name, type, unit and meaning of a column of a table. Immutable.
 *
 * Since: 0.9
 */
struct _RoastColumn
{
  GObject parent_instance;

  char *text; /* what the strings are parts of */
  const char *declared_by;
  const char *name;
  RoastColumnType type;
  const char *unit;
  const char *description;
  gboolean key;
  RoastVocabulary *vocabulary; /* NULL if it may hold any text */
};

G_DEFINE_FINAL_TYPE (RoastColumn, roast_column, G_TYPE_OBJECT)

static void
roast_column_finalize (GObject *object)
{
  RoastColumn *self = ROAST_COLUMN (object);

  g_clear_object (&self->vocabulary);
  g_atomic_rc_box_release (self->text);

  G_OBJECT_CLASS (roast_column_parent_class)->finalize (object);
}

static void
roast_column_class_init (RoastColumnClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_column_finalize;
}

static void
roast_column_init (RoastColumn *self)
{
}

RoastColumn *
roast_column_new (const RoastColumnDeclaration *declaration)
{
  RoastColumn *self = g_object_new (ROAST_TYPE_COLUMN, NULL);

  self->text = g_atomic_rc_box_acquire (declaration->text);
  self->declared_by = declaration->declared_by;
  self->name = declaration->name;
  self->type = declaration->type;
  self->unit = declaration->unit;
  self->description = declaration->description;
  self->key = declaration->key;
  self->vocabulary = declaration->vocabulary != NULL ? g_object_ref (declaration->vocabulary) : NULL;

  return self;
}

const char *
roast_column_get_declared_by (RoastColumn *self)
{
  return self->declared_by;
}

/**
 * roast_column_get_name:
 * @self: a column
 *
 * Tells the name of a column.
 *
 * Returns: (transfer none): its name, unique in its table
 *
 * Since: 0.9
 */
const char *
roast_column_get_name (RoastColumn *self)
{
  g_return_val_if_fail (ROAST_IS_COLUMN (self), NULL);

  return self->name;
}

/**
 * roast_column_get_column_type:
 * @self: a column
 *
 * Tells the type of a column.
 *
 * Returns: what its cells hold
 *
 * Since: 0.9
 */
RoastColumnType
roast_column_get_column_type (RoastColumn *self)
{
  g_return_val_if_fail (ROAST_IS_COLUMN (self), ROAST_COLUMN_TYPE_INT64);

  return self->type;
}

/**
 * roast_column_get_unit:
 * @self: a column
 *
 * Tells the unit of a column.
 *
 * Returns: (transfer none) (nullable): the unit of its cells, as `s`, `us`, `B`; %NULL for plain numbers and text
 *
 * Since: 0.9
 */
const char *
roast_column_get_unit (RoastColumn *self)
{
  g_return_val_if_fail (ROAST_IS_COLUMN (self), NULL);

  return self->unit;
}

/**
 * roast_column_get_description:
 * @self: a column
 *
 * Gets the meaning of a column.
 *
 * Returns: (transfer none) (nullable): what its cells mean, in one line
 *
 * Since: 0.9
 */
const char *
roast_column_get_description (RoastColumn *self)
{
  g_return_val_if_fail (ROAST_IS_COLUMN (self), NULL);

  return self->description;
}

/**
 * roast_column_is_key:
 * @self: a column
 *
 * Tells key columns from others.
 *
 * Returns: whether it is part of the key of an entity table
 *
 * Since: 0.9
 */
gboolean
roast_column_is_key (RoastColumn *self)
{
  g_return_val_if_fail (ROAST_IS_COLUMN (self), FALSE);

  return self->key;
}

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
RoastVocabulary *
roast_column_get_vocabulary (RoastColumn *self)
{
  g_return_val_if_fail (ROAST_IS_COLUMN (self), NULL);

  return self->vocabulary;
}
