/* SPDX-License-Identifier: BSD-3-Clause */

/* Loaders for plugins in other languages. Each loader is a separate module, so that users need an interpreter only for
 * the languages that their plugins use. */

#include "roast-plugin-loader-private.h"

#include <gmodule.h>
#include <string.h>

#include "base/roast-fail-private.h"
#include "roast-plugin-module-private.h"
#include "roast-plugin-path-private.h"

/* Upper limit for struct_size. A loader with a larger value was not defined with roast's macro, and is refused. */
#define LARGEST_LOADER 4096

static GMutex plugin_loader_lock;
static GHashTable *loaders; /* maps the name of an open loader to its RoastPluginLoader */

static char *
find_in (const char *directory, const char *name)
{
  g_autofree char *path =
      g_strdup_printf ("%s" G_DIR_SEPARATOR_S "libroast-loader-%s." G_MODULE_SUFFIX, directory, name);

  return g_file_test (path, G_FILE_TEST_EXISTS) ? g_steal_pointer (&path) : NULL;
}

static char *
find_loader (const char *name, const char *plugin_path, GError **error)
{
  g_autofree char *beside = g_path_get_dirname (plugin_path);
  g_auto (GStrv) directories = roast_plugin_path_dup_default ();
  char *path = find_in (beside, name);

  for (char **directory = directories; path == NULL && *directory != NULL; directory++)
    path = find_in (*directory, name);
  if (path == NULL)
    g_set_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_LOADER,
                 "there is no loader '%s': no plugin directory contains libroast-loader-%s." G_MODULE_SUFFIX
                 ". Install the loader (Debian: the package roast-plugin-%s), or correct Loader in the key file",
                 name, name, name);
  return path;
}

static gboolean
check_loader (const RoastPluginLoader *loader, const char *path, const char *name, GError **error)
{
  if (loader->struct_size < sizeof *loader || loader->struct_size > LARGEST_LOADER)
    return roast_fail (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_LOADER,
                       "the symbol " ROAST_PLUGIN_LOADER_SYMBOL
                       " of %s is not a loader. Define the loader with ROAST_DEFINE_PLUGIN_LOADER",
                       path);
  if (!roast_plugin_module_check_api (loader->api_major, loader->api_minor, error))
    {
      g_prefix_error (error, "the loader %s cannot be used: ", path);
      return FALSE;
    }
  if (loader->get_type == NULL || g_strcmp0 (loader->name, name) != 0)
    return roast_fail (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_LOADER,
                       "the file %s is not the loader '%s'. Install the loader again", path, name);
  return TRUE;
}

static const RoastPluginLoader *
open_loader (const char *name, const char *plugin_path, GError **error)
{
  g_autofree char *path = find_loader (name, plugin_path, error);
  GModule *module;
  gpointer symbol = NULL;

  if (path == NULL)
    return NULL;
  module = g_module_open (path, G_MODULE_BIND_LOCAL);
  if (module == NULL || !g_module_symbol (module, ROAST_PLUGIN_LOADER_SYMBOL, &symbol) || symbol == NULL)
    {
      g_set_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_LOADER,
                   "cannot open the loader '%s': %s. Install the loader again", name,
                   module == NULL ? g_module_error () : "the module exports no symbol " ROAST_PLUGIN_LOADER_SYMBOL);
      g_clear_pointer (&module, g_module_close);
      return NULL;
    }
  if (!check_loader (symbol, path, name, error))
    {
      g_module_close (module);
      return NULL;
    }
  /* Keep the loader open, because the plugins that it loads also stay loaded. */
  g_module_make_resident (module);
  return symbol;
}

gboolean
roast_plugin_loader_exists (const char *name, const char *plugin_path, GError **error)
{
  g_autofree char *path = NULL;

  if (!roast_plugin_name_is_valid (name))
    return roast_fail (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_LOADER,
                       "'%s' is not the name of a loader. Write Loader=c, Loader=python or the name of another loader",
                       name);
  path = find_loader (name, plugin_path, error);

  return path != NULL;
}

const RoastPluginLoader *
roast_plugin_loader_get (const char *name, const char *plugin_path, GError **error)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&plugin_loader_lock);
  const RoastPluginLoader *loader;

  if (loaders == NULL)
    loaders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  loader = g_hash_table_lookup (loaders, name);
  if (loader == NULL)
    {
      loader = open_loader (name, plugin_path, error);
      if (loader != NULL)
        g_hash_table_insert (loaders, g_strdup (name), (gpointer) loader);
    }
  return loader;
}

char *
roast_plugin_loader_find_module (const char *name, const char *plugin_path, const char *module)
{
  g_autofree char *directory = g_path_get_dirname (plugin_path);
  const char *suffix = strchr (module, '.') != NULL ? "" : g_str_equal (name, "python") ? ".py" : ".";

  /* If the module has no suffix, add the suffix of the loader's language. If the suffix is not known, use the loader's
   * name as the suffix. */
  return g_strconcat (directory, G_DIR_SEPARATOR_S, module, suffix, g_str_equal (suffix, ".") ? name : NULL, NULL);
}

GType
roast_plugin_loader_get_type (const RoastPluginLoader *self, const char *module_path, const char *plugin,
                              RoastRole role, const char *name, GError **error)
{
  g_autoptr (GError) local = NULL;
  GType type;

  if (!g_file_test (module_path, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_OPEN,
                   "the file %s of the plugin does not exist. Install the plugin again, or correct Module in the key "
                   "file",
                   module_path);
      return G_TYPE_INVALID;
    }
  type = self->get_type (module_path, plugin, role, name, &local);
  if (type != G_TYPE_INVALID)
    return roast_plugin_module_check_type (type, role, name, error) ? type : G_TYPE_INVALID;
  if (local == NULL)
    g_set_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_LOADER,
                 "the loader '%s' returned neither a type nor an error (a bug in the loader)", self->name);
  else
    g_propagate_error (error, g_steal_pointer (&local));
  return G_TYPE_INVALID;
}
