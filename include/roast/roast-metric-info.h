/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib-object.h>

#include <roast/roast-version-macros.h>

G_BEGIN_DECLS

#define ROAST_TYPE_METRIC_INFO (roast_metric_info_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastMetricInfo, roast_metric_info, ROAST, METRIC_INFO, GObject)

ROAST_AVAILABLE_IN_0_9
const char *roast_metric_info_get_name (RoastMetricInfo *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_metric_info_get_label (RoastMetricInfo *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_metric_info_get_group (RoastMetricInfo *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_metric_info_get_unit (RoastMetricInfo *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_metric_info_get_format (RoastMetricInfo *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_metric_info_get_show (RoastMetricInfo *self);
ROAST_AVAILABLE_IN_0_9
int roast_metric_info_get_page (RoastMetricInfo *self, const char **condition, const char **topic);
ROAST_AVAILABLE_IN_0_9
const char *roast_metric_info_get_description (RoastMetricInfo *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_metric_info_get_formula (RoastMetricInfo *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_metric_info_get_value (RoastMetricInfo *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_metric_info_get_source (RoastMetricInfo *self);
ROAST_AVAILABLE_IN_0_9
char **roast_metric_info_dup_aliases (RoastMetricInfo *self);
ROAST_AVAILABLE_IN_0_9
gboolean roast_metric_info_is_compat (RoastMetricInfo *self);

G_END_DECLS
