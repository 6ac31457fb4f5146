/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-report.h"

G_BEGIN_DECLS

/* @plugin: (nullable): the plugin that errors of writers name from now on */
void roast_report_set_plugin (RoastReport *self, const char *plugin);

G_END_DECLS
