/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-exporter.h"
#include "roast/roast-plugin.h"

#define ROAST_TYPE_LATE_EXPORTER (roast_late_exporter_get_type ())
G_DECLARE_FINAL_TYPE (RoastLateExporter, roast_late_exporter, ROAST, LATE_EXPORTER, GObject)

/* An exporter whose plugin is opened when it is to write. Until then it is what the key file says of it. @options: all
 * of them, checked by their declarations */
RoastExporter *roast_late_exporter_new (RoastPlugin *plugin, const char *name, RoastExporterFlags flags,
                                        GVariant *options);
