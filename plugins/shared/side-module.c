/* SPDX-License-Identifier: BSD-3-Clause */
#include "side-module.h"

#include <dlfcn.h>
#include <gmodule.h>

/* Looks only in the directory of the plugin, because roast trusts this directory: it has already loaded the plugin from
 * there. */
char *
side_module_dup_path (const char *file)
{
  g_autofree char *directory = NULL;
  Dl_info info = { 0 };

  if (dladdr (side_module_dup_path, &info) == 0 || info.dli_fname == NULL)
    return g_strdup (file);
  directory = g_path_get_dirname (info.dli_fname);

  return g_canonicalize_filename (file, directory);
}

static gconstpointer
refuse (const SideModule *self, const char *why, GError **error)
{
  g_set_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_OPEN,
               "%s needs the module %s, which %s. On Debian, install the package %s; %s", self->what, self->file, why,
               self->package, self->instead);

  return NULL;
}

gconstpointer
side_module_open (const SideModule *self, GError **error)
{
  g_autofree char *path = side_module_dup_path (self->file);
  g_autofree char *why = NULL;
  const char *const *version = NULL;
  gpointer symbol = NULL;
  GModule *module = NULL;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return refuse (self, "is not installed", error);
  module = g_module_open (path, G_MODULE_BIND_LOCAL);
  if (module == NULL || !g_module_symbol (module, self->symbol, &symbol))
    {
      why = g_strdup_printf ("cannot be used: %s", g_module_error ());
      return refuse (self, why, error);
    }
  version = symbol;
  if (g_str_equal (*version, PLUGIN_VERSION))
    return symbol;
  why = g_strdup_printf (
      "cannot be used: the module belongs to roast %s, but the exporter belongs to roast " PLUGIN_VERSION, *version);

  return refuse (self, why, error);
}
