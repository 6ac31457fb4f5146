/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Which charts are drawn, and what is known of each. */

typedef struct
{
  RoastChartInfo *chart;
  gboolean asked;     /* by name: drawn in any case, if need be as the reason why not */
  gboolean is_detail; /* only drawn if it is asked for */
  char *reason;       /* why there is nothing to see, or NULL */
  char **lines;       /* of text below the picture, or NULL */
  gboolean drawn;
} PlotsFigure;

typedef struct
{
  const char *charts; /* NAME;NAME, "all" or NULL */
  gboolean is_200gbps;
} PlotsChoice;

/* Charts that are drawn, unless they have a reason or are details, and charts that might have been. NULL if a name is
 * not one of a chart. */
GPtrArray *plots_figures_list (const PlotsChoice *choice, RoastRecordingSnapshot *recording, RoastReport *report,
                               GError **error);
