/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "each.h"

/* Chooses the charts that are drawn, and makes the texts about them. */

typedef struct
{
  RoastChartInfo *chart;
  gboolean asked;     /* TRUE if the user named the chart; if it is not available, its figure then shows the reason */
  gboolean is_detail; /* TRUE if the chart is left out because charts of details are drawn only on request */
  char *reason;       /* reason why the chart is not available or not worth drawing; NULL if it is drawn */
  char **lines;       /* lines of text below the picture, or NULL */
  gboolean drawn;
} PlotsFigure;

typedef struct
{
  const char *charts; /* value of the option charts: NAME;NAME or "all"; NULL if it is not set */
  gboolean is_200gbps;
} PlotsChoice;

/* Returns all charts, or only those that were requested by name. A chart with a `reason`, or with `is_detail`, must not
 * be drawn. If no chart has one of the requested names, returns NULL with an error. */
GPtrArray *plots_figures_list (const PlotsChoice *choice, RoastRecordingSnapshot *recording, RoastReport *report,
                               GError **error);
/* Returns lines of text which say by what factor the data rate of the run must grow to reach 200 Gbps. If this factor
 * is not available, the text contains the reason. */
char **plots_rate_dup_lines (RoastReport *report);
/* Returns the text of index.txt. It contains the captions of the figures, and the names of the charts that were not
 * drawn, each with the reason. */
char *plots_index_make (GPtrArray *figures, const char *suffix, RoastRecordingSnapshot *recording);
