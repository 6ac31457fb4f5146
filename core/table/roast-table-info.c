/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-table-info-private.h"

#include "base/roast-type-private.h"

/**
 * RoastTableInfo:
 *
 * The declaration of a table in a schema: its name, the meaning of a row, and its columns.
 *
 * ```c
 * RoastTableInfo *workers = roast_schema_lookup_table (schema, "workers");
 *
 * for (guint i = 0; i < roast_table_info_get_n_columns (workers); i++)
 *   g_print ("%s\n", roast_column_get_name (roast_table_info_get_column (workers, i)));
 * ```
 *
 * Since: 0.9
 */
struct _RoastTableInfo
{
  GObject parent_instance;

  RoastTableDeclaration declaration;
  GPtrArray *columns;
  /* Members that are made on first use, because most tables of a run never need them: */
  const char **names;  /* names of the columns, NULL-terminated */
  GHashTable *numbers; /* maps the name of a column, owned by the column, to the column's number + 1 */
};

ROAST_DEFINE_TYPE (RoastTableInfo, roast_table_info)

static void
roast_table_info_release (RoastTableInfo *self)
{
  g_clear_pointer (&self->numbers, g_hash_table_unref);
  g_free (self->names);
  g_ptr_array_unref (self->columns);
  g_atomic_rc_box_release (self->declaration.text);
}

static void
roast_table_info_init (RoastTableInfo *self)
{
  self->columns = g_ptr_array_new_with_free_func (g_object_unref);
}

RoastTableInfo *
roast_table_info_new (const RoastTableDeclaration *declaration)
{
  RoastTableInfo *self = g_object_new (ROAST_TYPE_TABLE_INFO, NULL);

  self->declaration = *declaration;
  self->declaration.text = g_atomic_rc_box_acquire (declaration->text);

  return self;
}

ROAST_DEFINE_GETTER (TableInfo, TABLE_INFO, const char *, roast_table_info_get_declared_by, NULL,
                     self->declaration.declared_by)

void
roast_table_info_take_column (RoastTableInfo *self, RoastColumn *column)
{
  g_ptr_array_add (self->columns, column);
}

RoastTableInfo *
roast_table_info_copy (RoastTableInfo *self)
{
  RoastTableInfo *copy = roast_table_info_new (&self->declaration);

  for (guint i = 0; i < self->columns->len; i++)
    roast_table_info_take_column (copy, g_object_ref (g_ptr_array_index (self->columns, i)));

  return copy;
}

/* The first call in any thread makes the array. */
const char *const *
roast_table_info_get_column_names (RoastTableInfo *self)
{
  if (g_once_init_enter (&self->names))
    {
      const char **names = g_new0 (const char *, self->columns->len + 1);

      for (guint i = 0; i < self->columns->len; i++)
        names[i] = roast_column_get_name (g_ptr_array_index (self->columns, i));
      g_once_init_leave (&self->names, names);
    }

  return self->names;
}

gboolean
roast_table_info_find_near (RoastTableInfo *self, const char *name, guint *column)
{
  return (*column < self->columns->len &&
          g_str_equal (roast_column_get_name (g_ptr_array_index (self->columns, *column)), name)) ||
         roast_table_info_find_column (self, name, column);
}

static GHashTable *
info_get_numbers (RoastTableInfo *self)
{
  if (g_once_init_enter (&self->numbers))
    {
      GHashTable *numbers = g_hash_table_new (g_str_hash, g_str_equal);

      for (guint i = 0; i < self->columns->len; i++)
        g_hash_table_insert (numbers, (char *) roast_column_get_name (g_ptr_array_index (self->columns, i)),
                             GUINT_TO_POINTER (i + 1));
      g_once_init_leave (&self->numbers, numbers);
    }

  return self->numbers;
}

/**
 * roast_table_info_get_name:
 * @self: declaration of a table
 *
 * Gets the name of the table.
 *
 * Returns: (transfer none): the name
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (TableInfo, TABLE_INFO, const char *, roast_table_info_get_name, NULL, self->declaration.name)

/**
 * roast_table_info_get_description:
 * @self: declaration of a table
 *
 * Gets the meaning of a row of the table.
 *
 * Returns: (transfer none): a description of one line
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (TableInfo, TABLE_INFO, const char *, roast_table_info_get_description, NULL,
                     self->declaration.description)

/**
 * roast_table_info_get_kind:
 * @self: declaration of a table
 *
 * Gets the kind of the table, which determines how its rows are written.
 *
 * Returns: the kind of the table
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (TableInfo, TABLE_INFO, RoastTableKind, roast_table_info_get_kind, ROAST_TABLE_KIND_LOG,
                     self->declaration.kind)

/**
 * roast_table_info_get_origin:
 * @self: declaration of a table
 *
 * Gets the origin of the rows: backends and programs, or aggregators.
 *
 * Returns: the origin of the rows
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (TableInfo, TABLE_INFO, RoastTableOrigin, roast_table_info_get_origin, ROAST_TABLE_ORIGIN_MEASURED,
                     self->declaration.origin)

/**
 * roast_table_info_get_storage:
 * @self: declaration of a table
 *
 * Gets the kind of storage that run files use for the table.
 *
 * Returns: the kind of storage
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (TableInfo, TABLE_INFO, RoastTableStorage, roast_table_info_get_storage, ROAST_TABLE_STORAGE_BLOCKS,
                     self->declaration.storage)

/**
 * roast_table_info_get_from:
 * @self: declaration of a table
 *
 * Gets who may write rows of the table: only backends, or also the measured program through the run's socket.
 *
 * Returns: the allowed writers
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (TableInfo, TABLE_INFO, RoastTableFrom, roast_table_info_get_from, ROAST_TABLE_FROM_BACKEND,
                     self->declaration.from)

/**
 * roast_table_info_get_n_columns:
 * @self: declaration of a table
 *
 * Counts the columns.
 *
 * Returns: the number of columns
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (TableInfo, TABLE_INFO, guint, roast_table_info_get_n_columns, 0, self->columns->len)

/**
 * roast_table_info_get_column:
 * @self: declaration of a table
 * @column: number of a column, from 0
 *
 * Gets a column by its number.
 *
 * Returns: (transfer none): the column
 *
 * Since: 0.9
 */
RoastColumn *
roast_table_info_get_column (RoastTableInfo *self, guint column)
{
  g_return_val_if_fail (ROAST_IS_TABLE_INFO (self), NULL);
  g_return_val_if_fail (column < self->columns->len, NULL);

  return g_ptr_array_index (self->columns, column);
}

/**
 * roast_table_info_find_column:
 * @self: declaration of a table
 * @name: name of a column
 * @column: (out) (optional): the number of the column
 *
 * Looks up a column.
 *
 * Returns: whether the table has a column of this name
 *
 * Since: 0.9
 */
gboolean
roast_table_info_find_column (RoastTableInfo *self, const char *name, guint *column)
{
  guint found = 0;

  g_return_val_if_fail (ROAST_IS_TABLE_INFO (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);

  found = GPOINTER_TO_UINT (g_hash_table_lookup (info_get_numbers (self), name));
  if (found > 0 && column != NULL)
    *column = found - 1;

  return found > 0;
}
