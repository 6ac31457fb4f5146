/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast/roast-error.h"

G_DEFINE_QUARK (roast-plugin-error-quark, roast_plugin_error)
G_DEFINE_QUARK (roast-option-error-quark, roast_option_error)
G_DEFINE_QUARK (roast-backend-error-quark, roast_backend_error)
G_DEFINE_QUARK (roast-launch-error-quark, roast_launch_error)
G_DEFINE_QUARK (roast-table-error-quark, roast_table_error)
G_DEFINE_QUARK (roast-aggregate-error-quark, roast_aggregate_error)
G_DEFINE_QUARK (roast-export-error-quark, roast_export_error)
G_DEFINE_QUARK (roast-catalogue-error-quark, roast_catalogue_error)
