/* SPDX-License-Identifier: BSD-3-Clause */

/* The module for PNG and PDF is beside this one, in a directory from which modules are loaded anyway. */

#include "plots-module.h"

#include <dlfcn.h>
#include <gmodule.h>

#define MODULE "libroast-plots-cairo.so"
#define PACKAGE "roast-plugin-plots-cairo"

static char *
find_path (void)
{
  g_autofree char *directory = NULL;
  Dl_info info = { 0 };

  if (dladdr (find_path, &info) == 0 || info.dli_fname == NULL)
    return g_strdup (MODULE);
  directory = g_path_get_dirname (info.dli_fname);

  return g_build_filename (directory, MODULE, NULL);
}

static const PlotsCairo *
refuse (const char *format, const char *why, GError **error)
{
  g_set_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_OPEN,
               "format=%s needs the module " MODULE
               ", which cannot be used: %s. On Debian, install the package " PACKAGE "; format=svg needs nothing",
               format, why);

  return NULL;
}

const PlotsCairo *
plots_module_open (const char *format, GError **error)
{
  g_autofree char *path = find_path ();
  const PlotsCairo *cairo = NULL;
  gpointer symbol = NULL;
  GModule *module = NULL;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_OPEN,
                   "format=%s needs the module " MODULE
                   ", which is not installed. On Debian, install the package " PACKAGE "; format=svg needs nothing",
                   format);
      return NULL;
    }
  module = g_module_open (path, G_MODULE_BIND_LOCAL);
  if (module == NULL)
    return refuse (format, g_module_error (), error);
  if (!g_module_symbol (module, PLOTS_CAIRO_SYMBOL, &symbol))
    return refuse (format, g_module_error (), error);
  cairo = symbol;
  if (!g_str_equal (cairo->version, PLUGIN_VERSION))
    {
      g_autofree char *why =
          g_strdup_printf ("it is of roast %s, and the exporter of roast " PLUGIN_VERSION, cairo->version);

      return refuse (format, why, error);
    }

  return cairo;
}
