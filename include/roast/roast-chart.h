/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

#include <roast/roast-chart-info.h>
#include <roast/roast-recording-snapshot.h>
#include <roast/roast-report.h>
#include <roast/roast-scene.h>

G_BEGIN_DECLS

ROAST_AVAILABLE_IN_0_9
RoastScene *roast_chart_draw (RoastChartInfo *chart, RoastRecordingSnapshot *recording, RoastReport *report,
                              double width, double height, GError **error);
ROAST_AVAILABLE_IN_0_9
gboolean roast_chart_is_worth (RoastChartInfo *chart, RoastRecordingSnapshot *recording, RoastReport *report);

G_END_DECLS
