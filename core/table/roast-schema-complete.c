/* SPDX-License-Identifier: BSD-3-Clause */

/* Completes an older schema: collects the lines of the core's schema text that declare the names missing from the older
 * schema. */

#include <string.h>

#include "roast-column-private.h"
#include "roast-schema-private.h"
#include "roast/roast-tables.h"

typedef struct
{
  RoastSchema *schema;
  GString *text;
  GPtrArray *names;
  char *kind;       /* kind of the current section: table, columns, ... */
  char *name;       /* name of the current section */
  gboolean is_open; /* whether the heading of the current section has been added to the text */
} Completion;

static void
begin_section (Completion *self, const char *line)
{
  g_auto (GStrv) words = g_strsplit (line + 1, " ", 2);

  g_free (self->kind);
  g_free (self->name);
  self->kind = g_strdup (words[0]);
  self->name = g_strdup (words[1] != NULL ? words[1] : "");
  self->name[strcspn (self->name, "]")] = '\0';
  self->is_open = FALSE;
}

/* Add a table or column to the list of names that the recording lacks. Leave out derived tables, which aggregators make
 * for each report; tables of comparisons, which no run has; and the table coverage, because without its rows no data
 * are missing. */
static void
add_name (Completion *self, char *name)
{
  RoastTableInfo *known = roast_schema_lookup_table (roast_schema_get_core (), self->name);

  if ((known != NULL && roast_table_info_get_origin (known) == ROAST_TABLE_ORIGIN_DERIVED) ||
      g_str_equal (self->name, ROAST_TABLE_COVERAGE) || g_str_has_prefix (self->name, "compared_"))
    g_free (name);
  else
    g_ptr_array_add (self->names, name);
}

static gboolean
lacks_column (Completion *self, RoastTableInfo *info, const char *line)
{
  g_autofree char *column = g_strndup (line, strcspn (line, "="));

  if (roast_table_info_find_column (info, column, NULL))
    return FALSE;
  add_name (self, g_strdup_printf ("column %s of %s", column, self->name));

  return TRUE;
}

static gboolean
lacks (Completion *self, const char *line)
{
  RoastTableInfo *info = NULL;

  if (g_str_equal (self->kind, "vocabulary") || g_str_equal (self->kind, "words"))
    return roast_schema_lookup_vocabulary (self->schema, self->name) == NULL;
  if (g_str_equal (self->kind, "chart"))
    return roast_schema_get_chart (self->schema, self->name) == NULL;
  if (!g_str_equal (self->kind, "table") && !g_str_equal (self->kind, "columns"))
    return FALSE;
  info = roast_schema_lookup_table (self->schema, self->name);
  if (info != NULL)
    return g_str_equal (self->kind, "columns") && lacks_column (self, info, line);
  if (!self->is_open && g_str_equal (self->kind, "table"))
    add_name (self, g_strdup_printf ("table %s", self->name));

  return TRUE;
}

static void
schema_complete_take_line (Completion *self, const char *line)
{
  if (*line == '[')
    begin_section (self, line);
  else if (*line != '\0' && *line != '#' && self->kind != NULL && lacks (self, line))
    {
      if (!self->is_open)
        g_string_append_printf (self->text, "[%s %s]\n", self->kind, self->name);
      self->is_open = TRUE;
      g_string_append_printf (self->text, "%s\n", line);
    }
}

/* Tell the columns of an older file which of their cells must be there. */
static void
expect_cells (RoastSchema *self)
{
  g_autoptr (GPtrArray) tables = roast_schema_list_tables (roast_schema_get_core ());

  for (guint i = 0; i < tables->len; i++)
    {
      RoastTableInfo *known = g_ptr_array_index (tables, i);
      RoastTableInfo *info = roast_schema_lookup_table (self, roast_table_info_get_name (known));
      guint n = info != NULL && info != known ? roast_table_info_get_n_columns (known) : 0;

      for (guint j = 0, k = 0; j < n; j++)
        {
          RoastColumn *column = roast_table_info_get_column (known, j);

          if (roast_table_info_find_column (info, roast_column_get_name (column), &k))
            roast_column_set_expected (roast_table_info_get_column (info, k), roast_column_get_expected (column));
        }
    }
}

GPtrArray *
roast_schema_complete (RoastSchema *self)
{
  Completion completion = { self, g_string_new (NULL), g_ptr_array_new_with_free_func (g_free), NULL, NULL, FALSE };
  g_autoptr (GPtrArray) of_core = roast_schema_list_texts (roast_schema_get_core ());
  const RoastSchemaText *core = g_ptr_array_index (of_core, 0);
  g_autoptr (GPtrArray) texts = roast_schema_list_texts (self);
  g_autoptr (GBytes) added = NULL;

  if (texts->len == 0 || !g_bytes_equal (((RoastSchemaText *) g_ptr_array_index (texts, 0))->data, core->data))
    {
      g_autofree char *all = g_strndup (g_bytes_get_data (core->data, NULL), g_bytes_get_size (core->data));
      g_auto (GStrv) lines = g_strsplit (all, "\n", -1);

      for (guint i = 0; lines[i] != NULL; i++)
        schema_complete_take_line (&completion, lines[i]);
    }
  g_free (completion.kind);
  g_free (completion.name);
  added = g_string_free_to_bytes (completion.text);
  /* If the schema already declares one of the names differently, the whole text is refused, and the schema gets none of
   * the missing names. */
  if (!roast_schema_load_data (self, added, "roast " ROAST_VERSION_S ", which reads the file", NULL))
    g_ptr_array_set_size (completion.names, 0);
  expect_cells (self);

  return completion.names;
}
