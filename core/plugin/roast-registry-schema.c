/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-registry-schema-private.h"

#include <string.h>

#include "roast-plugin-key-file-private.h"
#include "roast-plugin-private.h"
#include "roast/roast-error.h"

#define SCHEMA_SUFFIX ".roast-schema"

static void
add_plugin (RoastSchema *schema, RoastPlugin *plugin)
{
  const char *key_file = roast_plugin_get_path (plugin);
  g_autofree char *stem = g_strndup (key_file, strlen (key_file) - strlen (ROAST_PLUGIN_KEY_FILE_SUFFIX));
  g_autofree char *path = g_strconcat (stem, SCHEMA_SUFFIX, NULL);
  g_autoptr (GError) error = NULL;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return;
  if (roast_schema_load (schema, path, &error))
    {
      g_debug ("plugin %s: read its schema %s", roast_plugin_get_name (plugin), path);
      return;
    }
  g_debug ("plugin %s is broken: %s", roast_plugin_get_name (plugin), error->message);
  roast_plugin_take_error (plugin,
                           g_error_new (ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_METADATA,
                                        "its schema cannot be used: %s. Correct it, or install the plugin again",
                                        error->message));
}

static int
compare_plugins (gconstpointer a, gconstpointer b)
{
  return strcmp (roast_plugin_get_name (*(RoastPlugin *const *) a), roast_plugin_get_name (*(RoastPlugin *const *) b));
}

RoastSchema *
roast_registry_schema_new (GPtrArray *plugins)
{
  RoastSchema *schema = roast_schema_new ();
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();

  /* The order of tables and metrics does not depend on the directories in which plugins are. */
  for (guint i = 0; i < plugins->len; i++)
    g_ptr_array_add (sorted, g_ptr_array_index (plugins, i));
  g_ptr_array_sort (sorted, compare_plugins);
  for (guint i = 0; i < sorted->len; i++)
    if (roast_plugin_get_state (g_ptr_array_index (sorted, i)) != ROAST_PLUGIN_STATE_BROKEN)
      add_plugin (schema, g_ptr_array_index (sorted, i));

  return schema;
}
