/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-registry-schema-private.h"

#include <string.h>

#include "base/roast-missing-private.h"
#include "roast-plugin-key-file-private.h"
#include "roast-plugin-private.h"
#include "roast/roast-error.h"
#include "table/roast-schema-private.h"

/* A plugin's schema file that has not been parsed yet. */
typedef struct
{
  RoastPlugin *plugin;
  char *path;
  GBytes *data; /* content of the file; NULL if the file cannot be read */
} RegistrySchemaText;

static void
registry_schema_text_clear (RegistrySchemaText *self)
{
  g_object_unref (self->plugin);
  g_free (self->path);
  g_clear_pointer (&self->data, g_bytes_unref);
}

/* Return whether a schema file cannot cause conflicts: it is missing, or it can be read and contains only labels. */
static gboolean
has_only_labels (const char *path)
{
  g_autofree char *text = NULL;
  g_autoptr (RoastSchema) alone = NULL;

  if (roast_is_missing (path))
    return TRUE;
  if (!g_file_get_contents (path, &text, NULL, NULL))
    return FALSE;
  for (const char *group = strchr (text, '['); group != NULL; group = strchr (group + 1, '['))
    if (!g_str_has_prefix (group, "[labels "))
      return FALSE;
  alone = roast_schema_new_empty ();

  return roast_schema_load (alone, path, NULL);
}

gboolean
roast_registry_schema_has_only_labels (RoastPlugin *plugin)
{
  g_auto (GStrv) paths = roast_plugin_dup_schema_paths (plugin);

  for (guint i = 0; paths[i] != NULL; i++)
    if (!has_only_labels (paths[i]))
      return FALSE;

  return TRUE;
}

/* Add the table names in groups [columns NAME] to @extended, because the schema adds columns to these tables. The
 * schema's own tables are added as well, which does no harm. */
static void
note_columns (const char *text, GHashTable *extended)
{
  static const char start[] = "[columns ";

  for (const char *found = strstr (text, start); found != NULL; found = strstr (found, start))
    {
      const char *end = NULL;

      found += strlen (start);
      end = found + strcspn (found, "]\n");
      g_hash_table_add (extended, g_strndup (found, (gsize) (end - found)));
    }
}

static void
find_text (RoastPlugin *plugin, const char *path, GArray *texts, GHashTable *extended)
{
  RegistrySchemaText text = { plugin, NULL, NULL };
  char *content = NULL;
  gsize length = 0;

  if (roast_is_missing (path))
    return;
  text.path = g_strdup (path);
  if (g_file_get_contents (path, &content, &length, NULL))
    {
      note_columns (content, extended);
      text.data = g_bytes_new_take (content, length);
    }
  g_object_ref (plugin);
  g_array_append_val (texts, text);
}

static void
registry_schema_read_text (RoastSchema *schema, RegistrySchemaText *text)
{
  g_autoptr (GError) error = NULL;

  if (roast_plugin_get_state (text->plugin) == ROAST_PLUGIN_STATE_BROKEN)
    return;
  /* If the file could not be read earlier, try to load it again, to get an error. */
  if (text->data != NULL ? roast_schema_load_data (schema, text->data, text->path, &error)
                         : roast_schema_load (schema, text->path, &error))
    {
      g_debug ("plugin %s: read the schema %s", roast_plugin_get_name (text->plugin), text->path);
      return;
    }
  g_debug ("plugin %s is broken: %s", roast_plugin_get_name (text->plugin), error->message);
  roast_plugin_take_error (text->plugin, g_error_new (ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_METADATA,
                                                      "the schema of this plugin cannot be used: %s. Correct the "
                                                      "schema, or install the plugin again",
                                                      error->message));
}

static void
registry_schema_read_texts (RoastSchema *schema, gpointer data)
{
  GArray *texts = data;

  for (guint i = 0; i < texts->len; i++)
    registry_schema_read_text (schema, &g_array_index (texts, RegistrySchemaText, i));
}

static void
registry_schema_list_texts (GPtrArray *list, gpointer data)
{
  GArray *texts = data;

  for (guint i = 0; i < texts->len; i++)
    {
      const RegistrySchemaText *text = &g_array_index (texts, RegistrySchemaText, i);

      if (text->data != NULL && roast_plugin_get_state (text->plugin) != ROAST_PLUGIN_STATE_BROKEN)
        g_ptr_array_add (list, roast_schema_text_new (text->path, text->data));
    }
}

static int
compare_texts (const RegistrySchemaText *a, const RegistrySchemaText *b)
{
  return strcmp (strrchr (a->path, G_DIR_SEPARATOR), strrchr (b->path, G_DIR_SEPARATOR));
}

RoastSchema *
roast_registry_schema_new (GPtrArray *plugins)
{
  static const RoastSchemaPending pending = { registry_schema_read_texts, registry_schema_list_texts,
                                              (GDestroyNotify) g_array_unref };
  RoastSchema *schema = roast_schema_new ();
  GHashTable *extended = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GArray *texts = g_array_new (FALSE, FALSE, sizeof (RegistrySchemaText));

  g_array_set_clear_func (texts, (GDestroyNotify) registry_schema_text_clear);
  for (guint i = 0; i < plugins->len; i++)
    {
      RoastPlugin *plugin = g_ptr_array_index (plugins, i);
      g_auto (GStrv) paths = roast_plugin_dup_schema_paths (plugin);

      for (guint j = 0; roast_plugin_get_state (plugin) != ROAST_PLUGIN_STATE_BROKEN && paths[j] != NULL; j++)
        find_text (plugin, paths[j], texts, extended);
    }
  /* Sort the schemas, so that the order of tables and metrics does not depend on the plugins' directories. */
  g_array_sort (texts, (GCompareFunc) compare_texts);
  roast_schema_set_pending (schema, extended, &pending, texts);

  return schema;
}
