/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Chooses the charts to draw, and makes the texts about them. */

typedef struct
{
  RoastChartInfo *chart;
  gboolean asked;     /* TRUE if the chart was requested by name; if it is not available, its figure shows the reason */
  gboolean is_detail; /* TRUE if the chart is left out because it is drawn only on request */
  char *reason;       /* reason why the chart is not available or not worth drawing; NULL if there is no reason */
  char **lines;       /* lines of text below the picture, or NULL */
  gboolean drawn;
} PlotsFigure;

typedef struct
{
  const char *charts; /* value of the option charts: NAME;NAME or "all"; NULL if the option is not set */
  gboolean is_200gbps;
} PlotsChoice;

/* Returns all charts, or only the charts requested by name. A chart with a `reason`, or with `is_detail`, is not to be
 * drawn. Returns NULL with an error if no chart has a requested name. */
GPtrArray *plots_figures_list (const PlotsChoice *choice, RoastRecordingSnapshot *recording, RoastReport *report,
                               GError **error);
/* Returns lines of text with the factor by which the data rate of the run must grow to reach 200 Gbps. If the factor is
 * not available, the text gives the reason. */
char **plots_rate_dup_lines (RoastReport *report);
/* Returns the text of index.txt. It has the captions of the figures, and the names of the charts that were not drawn,
 * with the reasons. */
char *plots_index_make (GPtrArray *figures, const char *suffix, RoastRecordingSnapshot *recording);
