/* SPDX-License-Identifier: BSD-3-Clause */

/* Implements --broken and --load, which find plugins that cannot be loaded. */

#include "inspect.h"

static void
load_one (gpointer data)
{
  inspect_child_load (data);
}

/* Loads all plugins in the same process: plugins that can be loaded one by one may still define the same type names. */
static void
load_all (gpointer data)
{
  GPtrArray *plugins = data;

  for (guint i = 0; i < plugins->len; i++)
    inspect_child_load (g_ptr_array_index (plugins, i));
}

static GPtrArray *
find_broken (RoastRegistry *registry)
{
  g_autoptr (GPtrArray) plugins = inspect_list_plugins (registry);
  g_autoptr (GPtrArray) working = g_ptr_array_new ();
  GPtrArray *findings = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);

  /* Read the schemas of all plugins. This marks each plugin with an invalid schema as broken. */
  roast_registry_get_schema (registry);
  for (guint i = 0; i < plugins->len; i++)
    {
      RoastPlugin *plugin = g_ptr_array_index (plugins, i);
      GPtrArray *found = inspect_run_in_child (load_one, plugin, roast_plugin_get_path (plugin));

      if (found->len == 0)
        g_ptr_array_add (working, plugin);
      inspect_take_findings (findings, found);
    }
  if (plugins->len > 0)
    inspect_take_findings (findings, inspect_run_in_child (load_all, working, "all plugins together"));

  return findings;
}

int
inspect_broken (RoastRegistry *registry, gboolean json)
{
  g_autoptr (GPtrArray) findings = find_broken (registry);

  return inspect_end_findings (findings, json, "No plugin is broken.");
}

/* Finds a plugin by the path of its key file, or by its name. */
static RoastPlugin *
broken_find_plugin (RoastRegistry *registry, const char *text)
{
  RoastPlugin *plugin;

  if (g_str_has_suffix (text, ".roast-plugin") || g_file_test (text, G_FILE_TEST_IS_REGULAR))
    return roast_plugin_new_from_file (text);
  plugin = roast_registry_lookup_plugin (registry, text);
  return plugin != NULL ? g_object_ref (plugin) : NULL;
}

int
inspect_load (RoastRegistry *registry, const char *text, gboolean json)
{
  g_autoptr (RoastPlugin) plugin = broken_find_plugin (registry, text);
  g_autoptr (GPtrArray) findings = NULL;
  g_autofree char *none = NULL;

  if (plugin == NULL)
    {
      inspect_complain ("there is no plugin '%s': give the name of an installed plugin, or a key file", text);
      return INSPECT_BROKEN;
    }
  findings = inspect_run_in_child (load_one, plugin, roast_plugin_get_path (plugin));

  none = g_strdup_printf ("%s: the plugin loads.", roast_plugin_get_path (plugin));

  return inspect_end_findings (findings, json, none);
}
