/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#if !defined(__ROAST_INSIDE__) && !defined(ROAST_COMPILATION)
#error "Only <roast/roast.h> can be included directly."
#endif

#include <gio/gio.h>

#include <roast/roast-metric-info.h>

G_BEGIN_DECLS

#define ROAST_TYPE_CATALOGUE (roast_catalogue_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastCatalogue, roast_catalogue, ROAST, CATALOGUE, GObject)

ROAST_AVAILABLE_IN_0_9
RoastCatalogue *roast_catalogue_new (void);
ROAST_AVAILABLE_IN_0_9
gboolean roast_catalogue_load_file (RoastCatalogue *self, const char *path, GError **error);
ROAST_AVAILABLE_IN_0_9
gboolean roast_catalogue_load_data (RoastCatalogue *self, GBytes *data, const char *origin, GError **error);
ROAST_AVAILABLE_IN_0_9
RoastMetricInfo *roast_catalogue_lookup (RoastCatalogue *self, const char *name, double *scale);
ROAST_AVAILABLE_IN_0_9
GPtrArray *roast_catalogue_list (RoastCatalogue *self);

G_END_DECLS
