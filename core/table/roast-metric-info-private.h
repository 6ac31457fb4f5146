/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-metric-info.h"

G_BEGIN_DECLS

/* From a group of a schema; NULL with ROAST_SCHEMA_ERROR. */
RoastMetricInfo *roast_metric_info_new_from_group (GKeyFile *file, const char *group, const char *name, GError **error);
const char *const *roast_metric_info_get_aliases (RoastMetricInfo *self);

/* Its place in its group: metrics of a lower rank come first. */
int roast_metric_info_get_rank (RoastMetricInfo *self);

G_END_DECLS
