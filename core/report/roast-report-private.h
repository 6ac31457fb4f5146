/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-report.h"

G_BEGIN_DECLS

/* @plugin: (nullable): the plugin that errors of writers name from now on */
void roast_report_set_plugin (RoastReport *self, const char *plugin);

/* Gives a metric that is not available another reason. */
void roast_report_replace_reason (RoastReport *self, const char *name, const char *reason);

G_END_DECLS
