/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-exporter.h"
#include "roast/roast-plugin.h"

#define ROAST_TYPE_LATE_EXPORTER (roast_late_exporter_get_type ())
G_DECLARE_FINAL_TYPE (RoastLateExporter, roast_late_exporter, ROAST, LATE_EXPORTER, GObject)

/* Creates a proxy for an exporter. The proxy opens the plugin only when it has to write. Until then, the proxy uses the
 * declarations in the key file. @options: all options, already checked against their declarations. */
RoastExporter *roast_late_exporter_new (RoastPlugin *plugin, const char *name, RoastExporterFlags flags,
                                        GVariant *options);
