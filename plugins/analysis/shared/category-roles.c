/* SPDX-License-Identifier: BSD-3-Clause */
#include "category-roles.h"

#include "names-key.h"

struct _CategoryRoles
{
  GHashTable *framework; /* joined keys of source and category */
};

CategoryRoles *
category_roles_new (RoastRecordingSnapshot *recording)
{
  CategoryRoles *self = g_new0 (CategoryRoles, 1);
  g_autoptr (RoastTableReader) table =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_CATEGORIES, roast_categories_columns, NULL);

  self->framework = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  while (roast_table_reader_next (table))
    if (roast_table_reader_get_word (table, ROAST_CATEGORIES_ROLE) == ROAST_ROLE_FRAMEWORK)
      g_hash_table_add (self->framework,
                        names_key_join (roast_table_reader_get_string (table, ROAST_CATEGORIES_SOURCE),
                                        roast_table_reader_get_string (table, ROAST_CATEGORIES_CATEGORY)));

  return self;
}

void
category_roles_free (CategoryRoles *self)
{
  g_hash_table_unref (self->framework);
  g_free (self);
}

guint
category_roles_get (CategoryRoles *self, const char *source, const char *category)
{
  g_autofree char *key = names_key_join (source, category);

  return g_hash_table_contains (self->framework, key) ? ROAST_ROLE_FRAMEWORK : ROAST_ROLE_ANALYSIS;
}

guint
category_roles_get_of_task (CategoryRoles *self, RoastTableReader *tasks)
{
  int role = roast_table_reader_get_word (tasks, ROAST_TASKS_ROLE);

  return role >= 0 ? (guint) role
                   : category_roles_get (self, roast_table_reader_get_string (tasks, ROAST_TASKS_SOURCE),
                                         roast_table_reader_get_string (tasks, ROAST_TASKS_CATEGORY));
}
