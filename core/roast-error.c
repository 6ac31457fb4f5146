/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast/roast-error.h"

/**
 * roast_plugin_error_quark:
 *
 * Gets the domain of [error@Roast.PluginError].
 *
 * Returns: the domain
 *
 * Since: 1.0
 */
G_DEFINE_QUARK (roast-plugin-error-quark, roast_plugin_error)

/**
 * roast_option_error_quark:
 *
 * Gets the domain of [error@Roast.OptionError].
 *
 * Returns: the domain
 *
 * Since: 1.0
 */
G_DEFINE_QUARK (roast-option-error-quark, roast_option_error)

/**
 * roast_backend_error_quark:
 *
 * Gets the domain of [error@Roast.BackendError].
 *
 * Returns: the domain
 *
 * Since: 1.0
 */
G_DEFINE_QUARK (roast-backend-error-quark, roast_backend_error)

/**
 * roast_launch_error_quark:
 *
 * Gets the domain of [error@Roast.LaunchError].
 *
 * Returns: the domain
 *
 * Since: 1.0
 */
G_DEFINE_QUARK (roast-launch-error-quark, roast_launch_error)

/**
 * roast_table_error_quark:
 *
 * Gets the domain of [error@Roast.TableError].
 *
 * Returns: the domain
 *
 * Since: 1.0
 */
G_DEFINE_QUARK (roast-table-error-quark, roast_table_error)

/**
 * roast_aggregate_error_quark:
 *
 * Gets the domain of [error@Roast.AggregateError].
 *
 * Returns: the domain
 *
 * Since: 1.0
 */
G_DEFINE_QUARK (roast-aggregate-error-quark, roast_aggregate_error)

/**
 * roast_export_error_quark:
 *
 * Gets the domain of [error@Roast.ExportError].
 *
 * Returns: the domain
 *
 * Since: 1.0
 */
G_DEFINE_QUARK (roast-export-error-quark, roast_export_error)

/**
 * roast_catalogue_error_quark:
 *
 * Gets the domain of [error@Roast.CatalogueError].
 *
 * Returns: the domain
 *
 * Since: 1.0
 */
G_DEFINE_QUARK (roast-catalogue-error-quark, roast_catalogue_error)
