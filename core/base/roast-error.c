/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast/roast-error.h"

/* G_DEFINE_QUARK turns its first argument into a string. Spaces that clang-format adds would become part of that
 * string. */
/* clang-format off */

/**
 * roast_plugin_error_quark:
 *
 * Gets the error domain for plugins that cannot be used: [error@Roast.PluginError].
 *
 * Returns: the quark
 *
 * Since: 0.9
 */
G_DEFINE_QUARK (roast-plugin-error-quark, roast_plugin_error)

/**
 * roast_option_error_quark:
 *
 * Gets the error domain for rejected options: [error@Roast.OptionError].
 *
 * Returns: the quark
 *
 * Since: 0.9
 */
G_DEFINE_QUARK (roast-option-error-quark, roast_option_error)

/**
 * roast_backend_error_quark:
 *
 * Gets the error domain for backend failures: [error@Roast.BackendError].
 *
 * Returns: the quark
 *
 * Since: 0.9
 */
G_DEFINE_QUARK (roast-backend-error-quark, roast_backend_error)

/**
 * roast_launch_error_quark:
 *
 * Gets the error domain for programs that cannot be launched or followed: [error@Roast.LaunchError].
 *
 * Returns: the quark
 *
 * Since: 0.9
 */
G_DEFINE_QUARK (roast-launch-error-quark, roast_launch_error)

/**
 * roast_table_error_quark:
 *
 * Gets the error domain for rows that cannot be added to a table: [error@Roast.TableError].
 *
 * Returns: the quark
 *
 * Since: 0.9
 */
G_DEFINE_QUARK (roast-table-error-quark, roast_table_error)

/**
 * roast_aggregate_error_quark:
 *
 * Gets the error domain for aggregator failures: [error@Roast.AggregateError].
 *
 * Returns: the quark
 *
 * Since: 0.9
 */
G_DEFINE_QUARK (roast-aggregate-error-quark, roast_aggregate_error)

/**
 * roast_export_error_quark:
 *
 * Gets the error domain for exporter failures: [error@Roast.ExportError].
 *
 * Returns: the quark
 *
 * Since: 0.9
 */
G_DEFINE_QUARK (roast-export-error-quark, roast_export_error)

/**
 * roast_schema_error_quark:
 *
 * Gets the error domain for schemas that cannot be read: [error@Roast.SchemaError].
 *
 * Returns: the quark
 *
 * Since: 0.9
 */
G_DEFINE_QUARK (roast-schema-error-quark, roast_schema_error)

/**
 * roast_store_error_quark:
 *
 * Gets the error domain for run files that cannot be written or read: [error@Roast.StoreError].
 *
 * Returns: the quark
 *
 * Since: 0.9
 */
G_DEFINE_QUARK (roast-store-error-quark, roast_store_error)

/**
 * roast_chart_error_quark:
 *
 * Gets the error domain for charts that cannot be drawn: [error@Roast.ChartError].
 *
 * Returns: the quark
 *
 * Since: 0.9
 */
G_DEFINE_QUARK (roast-chart-error-quark, roast_chart_error)
