/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast-aggregator.h>
#include <roast/roast-exporter.h>
#include <roast/roast-metrics-backend.h>

G_BEGIN_DECLS

/* Defines a type that needs neither its own class nor its own constructor. For other types, use
 * G_DEFINE_TYPE_WITH_CODE(). G_DEFINE_FINAL_TYPE_WITH_CODE() is not used, because plugins may be built with GLib 2.66,
 * which does not have it. */
#define _ROAST_DEFINE_TYPE(TypeName, type_name, INTERFACE_TYPE, Interface, ...)                                        \
  typedef GObjectClass TypeName##Class;                                                                                \
  GType type_name##_get_type (void) G_GNUC_CONST;                                                                      \
  static void type_name##_iface_init (Interface *iface)                                                                \
  {                                                                                                                    \
    __VA_ARGS__;                                                                                                       \
  }                                                                                                                    \
  G_DEFINE_TYPE_WITH_CODE (TypeName, type_name, G_TYPE_OBJECT,                                                         \
                           G_IMPLEMENT_INTERFACE (INTERFACE_TYPE, type_name##_iface_init))                             \
  static void type_name##_class_init (TypeName##Class *klass G_GNUC_UNUSED)                                            \
  {                                                                                                                    \
  }                                                                                                                    \
  static void type_name##_init (TypeName *self G_GNUC_UNUSED)                                                          \
  {                                                                                                                    \
  }

/**
 * ROAST_DEFINE_BACKEND: (skip)
 * @TypeName: a struct whose first member is a #GObject. Name the struct after the plugin, because type names must be
 *   unique in the process
 * @type_name: the same name in lower case, with `_` between words
 * @...: statements that fill the virtual methods, such as `iface->start_tracking = start_tracking; iface->stop_tracking
 *   = stop_tracking`
 *
 * Defines the type of a small #RoastMetricsBackend, with its type function.
 *
 * Since: 0.9
 */
#define ROAST_DEFINE_BACKEND(TypeName, type_name, ...)                                                                 \
  _ROAST_DEFINE_TYPE (TypeName, type_name, ROAST_TYPE_METRICS_BACKEND, RoastMetricsBackendInterface, __VA_ARGS__)

/**
 * ROAST_DEFINE_AGGREGATOR: (skip)
 * @TypeName: a struct whose first member is a #GObject, named after the plugin
 * @type_name: the same name in lower case, with `_` between words
 * @...: statements that fill the virtual methods, such as `iface->aggregate = aggregate`
 *
 * Defines the type of a small #RoastAggregator, with its type function.
 *
 * Since: 0.9
 */
#define ROAST_DEFINE_AGGREGATOR(TypeName, type_name, ...)                                                              \
  _ROAST_DEFINE_TYPE (TypeName, type_name, ROAST_TYPE_AGGREGATOR, RoastAggregatorInterface, __VA_ARGS__)

/**
 * ROAST_DEFINE_EXPORTER: (skip)
 * @TypeName: a struct whose first member is a #GObject, named after the plugin
 * @type_name: the same name in lower case, with `_` between words
 * @...: statements that fill the virtual methods, such as `iface->export_report = export_report`
 *
 * Defines the type of a small #RoastExporter, with its type function.
 *
 * Since: 0.9
 */
#define ROAST_DEFINE_EXPORTER(TypeName, type_name, ...)                                                                \
  _ROAST_DEFINE_TYPE (TypeName, type_name, ROAST_TYPE_EXPORTER, RoastExporterInterface, __VA_ARGS__)

G_END_DECLS
