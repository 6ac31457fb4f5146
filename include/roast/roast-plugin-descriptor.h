/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib-object.h>

#include <roast/roast-version-macros.h>

G_BEGIN_DECLS

/**
 * RoastRole:
 * @ROAST_ROLE_BACKEND: a #RoastMetricsBackend
 * @ROAST_ROLE_AGGREGATOR: a #RoastAggregator
 * @ROAST_ROLE_EXPORTER: a #RoastExporter
 *
 * The role of a type that a plugin or an application offers.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_ROLE_BACKEND,
  ROAST_ROLE_AGGREGATOR,
  ROAST_ROLE_EXPORTER,
} RoastRole;

/**
 * RoastPluginEntry: (skip)
 * @role: a #RoastRole
 * @name: the name by which users select the type
 * @get_type: the type function
 *
 * A type that a plugin offers. A list of entries ends with %ROAST_PLUGIN_END.
 *
 * Since: 0.9
 */
typedef struct
{
  RoastRole role;
  const char *name;
  GType (*get_type) (void);
} RoastPluginEntry;

/**
 * RoastPluginDescriptor: (skip)
 * @struct_size: `sizeof (RoastPluginDescriptor)` of the headers that the plugin was built with
 * @api_major: %ROAST_API_MAJOR of these headers
 * @api_minor: %ROAST_API_MINOR of these headers
 * @name: name of the plugin, as in its key file
 * @version: version of the plugin, as in its key file
 * @entries: the types that the plugin offers
 *
 * Describes a plugin. The descriptor is the only symbol that a plugin exports. Define it with ROAST_DEFINE_PLUGIN.
 *
 * Since: 0.9
 */
typedef struct
{
  guint32 struct_size;
  guint16 api_major;
  guint16 api_minor;
  const char *name;
  const char *version;
  const RoastPluginEntry *entries;
} RoastPluginDescriptor;

/**
 * ROAST_PLUGIN_SYMBOL:
 *
 * The name of the symbol that a plugin exports.
 *
 * Since: 0.9
 */
#define ROAST_PLUGIN_SYMBOL "roast_plugin_descriptor"

/**
 * ROAST_PLUGIN_BACKEND: (skip)
 * @name: the name by which users select the type, as in `Provides` of the key file
 * @get_type: the type function of a #RoastMetricsBackend
 *
 * Defines one entry of ROAST_DEFINE_PLUGIN.
 *
 * Since: 0.9
 */
#define ROAST_PLUGIN_BACKEND(name, get_type) { ROAST_ROLE_BACKEND, name, get_type }

/**
 * ROAST_PLUGIN_AGGREGATOR: (skip)
 * @name: the name by which users select the type, as in `Provides` of the key file
 * @get_type: the type function of a #RoastAggregator
 *
 * Defines one entry of ROAST_DEFINE_PLUGIN.
 *
 * Since: 0.9
 */
#define ROAST_PLUGIN_AGGREGATOR(name, get_type) { ROAST_ROLE_AGGREGATOR, name, get_type }

/**
 * ROAST_PLUGIN_EXPORTER: (skip)
 * @name: the name by which users select the type, as in `Provides` of the key file
 * @get_type: the type function of a #RoastExporter
 *
 * Defines one entry of ROAST_DEFINE_PLUGIN.
 *
 * Since: 0.9
 */
#define ROAST_PLUGIN_EXPORTER(name, get_type) { ROAST_ROLE_EXPORTER, name, get_type }

/**
 * ROAST_PLUGIN_END: (skip)
 *
 * Marks the end of a list of entries. ROAST_DEFINE_PLUGIN adds this mark to the list.
 *
 * Since: 0.9
 */
#define ROAST_PLUGIN_END { ROAST_ROLE_BACKEND, NULL, NULL }

/* Export the descriptor even if the module is built with -fvisibility=hidden, which is recommended. */
#if defined(__GNUC__) || defined(__clang__)
#define _ROAST_PLUGIN_EXPORT __attribute__ ((visibility ("default")))
#else
#define _ROAST_PLUGIN_EXPORT
#endif

/**
 * ROAST_DEFINE_PLUGIN: (skip)
 * @plugin_name: name of the plugin, as in its key file
 * @plugin_version: version of the plugin, as in its key file
 * @...: the types that the plugin offers: ROAST_PLUGIN_BACKEND (name, get_type) and similar entries, separated by
 *   commas
 *
 * Defines the descriptor that makes a module a plugin. The descriptor is the only symbol that the module needs to
 * export. Use the macro once, in C, outside of functions.
 *
 * Since: 0.9
 */
#define ROAST_DEFINE_PLUGIN(plugin_name, plugin_version, ...)                                                          \
  static const RoastPluginEntry roast_plugin_entries[] = { __VA_ARGS__, ROAST_PLUGIN_END };                            \
  _ROAST_PLUGIN_EXPORT extern const RoastPluginDescriptor roast_plugin_descriptor;                                     \
  const RoastPluginDescriptor                                                                                          \
      roast_plugin_descriptor = {                                                                                      \
        sizeof (RoastPluginDescriptor), ROAST_API_MAJOR, ROAST_API_MINOR, plugin_name, plugin_version,                 \
        roast_plugin_entries,                                                                                          \
      };

G_END_DECLS
