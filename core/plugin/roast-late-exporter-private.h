/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-exporter.h"
#include "roast/roast-plugin.h"

#define ROAST_TYPE_LATE_EXPORTER (roast_late_exporter_get_type ())
G_DECLARE_FINAL_TYPE (RoastLateExporter, roast_late_exporter, ROAST, LATE_EXPORTER, GObject)

/* An exporter whose plugin is opened only when it has to write. Until then, the key file describes it. @options: all
 * options, checked against their declarations */
RoastExporter *roast_late_exporter_new (RoastPlugin *plugin, const char *name, RoastExporterFlags flags,
                                        GVariant *options);
