/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

#define ROAST_TYPE_COFFEA_FAILED_EXPORTER (roast_coffea_failed_exporter_get_type ())
G_DECLARE_FINAL_TYPE (RoastCoffeaFailedExporter, roast_coffea_failed_exporter, ROAST, COFFEA_FAILED_EXPORTER, GObject)

G_END_DECLS
