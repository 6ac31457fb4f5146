/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-chart-holders-private.h"
#include "roast-chart-info-private.h"
#include "roast-chart-names-private.h"
#include "roast/roast-chart-info.h"
#include "roast/roast-recording-snapshot.h"
#include "roast/roast-report.h"

G_BEGIN_DECLS

/* The uses of columns in a chart. */
typedef enum
{
  ROAST_CHART_CELL_X, /* numbers; names for bars */
  ROAST_CHART_CELL_END,
  ROAST_CHART_CELL_Y, /* up to ROAST_CHART_MAX_Y */
  ROAST_CHART_CELL_Y2 = ROAST_CHART_CELL_Y + ROAST_CHART_MAX_Y,
  ROAST_CHART_CELL_PER,
  ROAST_CHART_CELL_GROUP, /* names */
  ROAST_CHART_CELL_LANE,  /* names */
  ROAST_CHART_CELL_COUNT,
  ROAST_CHART_CELL_GUIDE, /* up to ROAST_CHART_MAX_GUIDES, by number of the guide */
  ROAST_CHART_N_CELLS = ROAST_CHART_CELL_GUIDE + ROAST_CHART_MAX_GUIDES,
} RoastChartCell;

typedef struct
{
  gboolean is_used, is_time;
  const char *format; /* for roast_format_number () */
  char *label;        /* such as "memory limit" */
} RoastChartCellInfo;

typedef struct _RoastChartRows RoastChartRows;

/* A row that the chart shows, by cell. Numbers are in their base unit; times are in seconds since the start of the
 * run. Missing numbers, and numbers that the chart does not use, are NaN. Names are numbered from 0 in order of first
 * appearance; a missing cell has a name, too. A name that the chart does not use is 0. */
typedef struct
{
  double numbers[ROAST_CHART_N_CELLS];
  guint names[ROAST_CHART_N_CELLS];
  gboolean is_late; /* CELL_END may be late, by up to the interval between samples */
  /* For samples that are added up: the holder of the value, such as a worker. The value holds until the next row of
   * the same holder, but at most until the end of the holder, if that is known. */
  guint holder;
} RoastChartRow;

/* Open the rows that a chart shows. Return NULL with ROAST_CHART_ERROR_NOT_AVAILABLE. */
RoastChartRows *roast_chart_rows_new (RoastChartInfo *chart, RoastRecordingSnapshot *recording, RoastReport *report,
                                      GError **error);
void roast_chart_rows_free (RoastChartRows *self);
void roast_chart_rows_rewind (RoastChartRows *self);
/* Return the next row, or NULL after the last row. */
const RoastChartRow *roast_chart_rows_next (RoastChartRows *self);

/* Return the cells that the chart uses, by RoastChartCell. */
const RoastChartCellInfo *roast_chart_rows_get_cells (RoastChartRows *self);
guint roast_chart_rows_count_names (RoastChartRows *self, RoastChartCell cell);
const char *roast_chart_rows_get_name (RoastChartRows *self, RoastChartCell cell, guint name);
/* Return all names in the cell; NULL if the chart does not use the cell. */
RoastChartNames *roast_chart_rows_get_dictionary (RoastChartRows *self, RoastChartCell cell);
/* Return whether the names come from a column of numbers. */
gboolean roast_chart_rows_has_numbers (RoastChartRows *self, RoastChartCell cell);

/* Return whether a row with this name in CELL_GROUP has a Y, but no denominator. */
gboolean roast_chart_rows_is_undivided (RoastChartRows *self, guint name);

/* Return whether each row describes the time from x to CELL_END. */
gboolean roast_chart_rows_is_interval (RoastChartRows *self);
/* Return the holders of samples that are added up; NULL if the chart adds up rows with the same x instead. */
RoastChartHolders *roast_chart_rows_get_holders (RoastChartRows *self);
double roast_chart_rows_get_end_of_holder (RoastChartRows *self, guint holder);
/* Return the interval between samples, in seconds; NaN if it is unknown. */
double roast_chart_rows_get_interval (RoastChartRows *self);
/* Return when the run ended, in seconds since its start; NaN if it is unknown, or if the run goes on. */
double roast_chart_rows_get_end (RoastChartRows *self);

G_END_DECLS
