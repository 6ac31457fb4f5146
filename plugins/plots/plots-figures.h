/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Choice of the charts to draw. */

typedef struct
{
  RoastChartInfo *chart;
  gboolean asked;     /* requested by name: always drawn, if necessary as a text with the reason */
  gboolean is_detail; /* drawn only on request */
  char *reason;       /* why the chart is not worth drawing, or NULL */
  char **lines;       /* lines of text below the picture, or NULL */
  gboolean drawn;
} PlotsFigure;

typedef struct
{
  const char *charts; /* NAME;NAME, "all" or NULL */
  gboolean is_200gbps;
} PlotsChoice;

/* Returns the charts to draw, and the charts left out because they have a `reason` or are details. Returns NULL with
 * an error if a requested name is not a chart. */
GPtrArray *plots_figures_list (const PlotsChoice *choice, RoastRecordingSnapshot *recording, RoastReport *report,
                               GError **error);
/* Returns lines of text that give the factor by which the data rate of the run must grow to reach 200 Gbps, or why
 * the factor is not available. */
char **plots_rate_dup_lines (RoastReport *report);
/* Returns the text of index.txt: captions of the figures, and the charts not drawn with the reasons. */
char *plots_index_make (GPtrArray *figures, const char *suffix, RoastRecordingSnapshot *recording);
