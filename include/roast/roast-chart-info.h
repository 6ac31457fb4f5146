/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib-object.h>

#include <roast/roast-version-macros.h>

G_BEGIN_DECLS

/**
 * RoastChartKind:
 * @ROAST_CHART_KIND_LINE: points that are connected by lines
 * @ROAST_CHART_KIND_STEP: steps: each value stays until the next value
 * @ROAST_CHART_KIND_AREA: lines, with the area between the line and zero filled
 * @ROAST_CHART_KIND_HISTOGRAM: bars that show how often values occur
 * @ROAST_CHART_KIND_SCATTER: a point per row
 * @ROAST_CHART_KIND_BARS: bars, side by side or divided into parts
 * @ROAST_CHART_KIND_LANES: bars from a start to an end, in lanes
 *
 * The kind of a chart.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_CHART_KIND_LINE,
  ROAST_CHART_KIND_STEP,
  ROAST_CHART_KIND_AREA,
  ROAST_CHART_KIND_HISTOGRAM,
  ROAST_CHART_KIND_SCATTER,
  ROAST_CHART_KIND_BARS,
  ROAST_CHART_KIND_LANES,
} RoastChartKind;

#define ROAST_TYPE_CHART_INFO (roast_chart_info_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastChartInfo, roast_chart_info, ROAST, CHART_INFO, GObject)

ROAST_AVAILABLE_IN_0_9
const char *roast_chart_info_get_name (RoastChartInfo *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_chart_info_get_title (RoastChartInfo *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_chart_info_get_description (RoastChartInfo *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_chart_info_get_table (RoastChartInfo *self);
ROAST_AVAILABLE_IN_0_9
RoastChartKind roast_chart_info_get_kind (RoastChartInfo *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_chart_info_get_text (RoastChartInfo *self, const char *key);
ROAST_AVAILABLE_IN_0_9
const char *const *roast_chart_info_get_y (RoastChartInfo *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_chart_info_get_heading (RoastChartInfo *self);
ROAST_AVAILABLE_IN_0_9
gboolean roast_chart_info_get_show_detail (RoastChartInfo *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_chart_info_get_declared_by (RoastChartInfo *self);

G_END_DECLS
