/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_DECLARE_FINAL_TYPE (RoastCoffeaFailedExporter, roast_coffea_failed_exporter, ROAST, COFFEA_FAILED_EXPORTER, GObject)
