/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast-plugin-descriptor.h>

G_BEGIN_DECLS

/**
 * RoastPluginLoader: (skip)
 * @struct_size: `sizeof (RoastPluginLoader)` of the headers that the loader was built with
 * @api_major: %ROAST_API_MAJOR of these headers
 * @api_minor: %ROAST_API_MINOR of these headers
 * @name: the language, as plugins write it in `Loader=` of their key files
 * @get_type: reads the plugin in the file @module_path, unless the plugin has already been read, and returns the
 *   plugin's type for @role and @name, or %G_TYPE_INVALID with an error of the domain #RoastPluginError. Only one
 *   thread at a time calls this function. After a success, it is not called again for the same type
 *
 * Reads plugins that are not written in C. This structure is the only symbol that `libroast-loader-NAME.so` exports.
 * Define it with ROAST_DEFINE_PLUGIN_LOADER.
 *
 * roast searches for a loader in the directory of the plugin, then in the plugin directories. A loader is opened when
 * the first plugin needs it, and stays open.
 *
 * Since: 0.9
 */
typedef struct
{
  guint32 struct_size;
  guint16 api_major;
  guint16 api_minor;
  const char *name;
  GType (*get_type) (const char *module_path, const char *plugin, RoastRole role, const char *name, GError **error);
} RoastPluginLoader;

/**
 * ROAST_PLUGIN_LOADER_SYMBOL:
 *
 * The name of the symbol that makes a module a loader.
 *
 * Since: 0.9
 */
#define ROAST_PLUGIN_LOADER_SYMBOL "roast_plugin_loader"

/**
 * ROAST_DEFINE_PLUGIN_LOADER: (skip)
 * @language: the language, as plugins write it in `Loader=`
 * @get_type_function: the function @get_type of #RoastPluginLoader
 *
 * Defines the symbol that makes a module a loader. Use the macro once, in C, outside of functions.
 *
 * Since: 0.9
 */
#define ROAST_DEFINE_PLUGIN_LOADER(language, get_type_function)                                                        \
  _ROAST_PLUGIN_EXPORT extern const RoastPluginLoader roast_plugin_loader;                                             \
  const RoastPluginLoader roast_plugin_loader = {                                                                      \
    sizeof (RoastPluginLoader), ROAST_API_MAJOR, ROAST_API_MINOR, language, get_type_function,                         \
  };

G_END_DECLS
