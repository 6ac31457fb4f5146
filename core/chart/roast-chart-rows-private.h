/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-chart-names-private.h"
#include "roast/roast-chart-info.h"
#include "roast/roast-recording-snapshot.h"
#include "roast/roast-report.h"
#include "table/roast-chart-info-private.h"

/* The uses of columns in a chart. A row of the chart has one cell for each use. */
typedef enum
{
  ROAST_CHART_CELL_X, /* position along x: a number, but a name in charts of bars */
  ROAST_CHART_CELL_END,
  ROAST_CHART_CELL_Y, /* first of ROAST_CHART_MAX_Y cells, one for each column in Y */
  ROAST_CHART_CELL_Y2 = ROAST_CHART_CELL_Y + ROAST_CHART_MAX_Y,
  ROAST_CHART_CELL_PER,
  ROAST_CHART_CELL_GROUP, /* name of the group */
  ROAST_CHART_CELL_LANE,  /* name of the lane */
  ROAST_CHART_CELL_COUNT,
  ROAST_CHART_CELL_GUIDE, /* first of ROAST_CHART_MAX_GUIDES cells, one for each guide */
  ROAST_CHART_N_CELLS = ROAST_CHART_CELL_GUIDE + ROAST_CHART_MAX_GUIDES,
} RoastChartCell;

/* Describes a cell, whose value is the value of a column or the difference of two columns, such as “ended-started”. */
typedef struct
{
  gboolean is_used, is_time;
  gboolean has_numbers;   /* TRUE if the column has numbers, even if the chart uses the numbers as names */
  const char *format;     /* format of the numbers, for roast_format_number () */
  char *label;            /* label for users, such as "memory limit" */
  RoastChartNames *names; /* all names in the cell; NULL for cells of numbers, and for cells that the chart lacks */

  /*< private >*/
  int slot, minus; /* slots of the column and of the subtracted column in the reader; -1 if there is no such column */
  double origin, factor;
  int second; /* slot of the second column of names, such as the source of a worker; -1 if names are from one column */
} RoastChartCellInfo;

/* A condition on rows. A row meets the condition if the cell of the column has one of the words. An empty word stands
 * for a missing value. */
typedef struct
{
  int slot;
  char **words;
} RoastChartCondition;

/* A row that the chart shows. Numbers are in their base unit; times are in seconds since the start of the run. Numbers
 * are NaN if they are missing, or if the chart does not use their cell. Names are represented by numbers from 0, in the
 * order in which the names first appear. Missing values have a name, too. In cells that the chart does not use, the
 * number of the name is 0. */
typedef struct
{
  double numbers[ROAST_CHART_N_CELLS];
  guint names[ROAST_CHART_N_CELLS];
  gboolean is_late; /* TRUE if the time in CELL_END may be too late by up to the interval between samples */
  /* Number of the holder of the value, such as a worker; set only if samples are added up. The value is valid until the
   * next row of the same holder, or until the holder ends. */
  guint holder;
} RoastChartRow;

/* Reads the rows that a chart shows. Times are in seconds since the start of the run; unknown times are NaN. */
typedef struct
{
  RoastChartCellInfo cells[ROAST_CHART_N_CELLS]; /* all cells; is_used is TRUE for cells that the chart uses */
  gboolean is_interval;                          /* TRUE if each row describes the time from CELL_X to CELL_END */
  double interval;                               /* time between samples, in seconds */
  double end;                                    /* end of the run; NaN if the run goes on */
  GHashTable *undivided; /* set of names in CELL_GROUP that have rows with Y, but without a denominator */
  /* For each holder, the time when it left. The time is NaN if the holder did not leave, or is not a worker. The array
   * is NULL if samples are not added up. The category columns of a row, for example source and worker, identify its
   * holder. Holders are numbered in the order in which they first appear. */
  GArray *ends;

  /*< private >*/
  RoastTableReader *reader;
  RoastColumnType *types; /* types of the columns, by slot */
  RoastChartRow row;
  guint used[ROAST_CHART_N_CELLS]; /* the cells that the chart uses */
  guint n_used;
  RoastChartCondition where[ROAST_CHART_MAX_WHERE];
  guint n_where;
  RoastChartCondition late;     /* condition that sets is_late; its words are NULL if the chart has no such condition */
  GPtrArray *sources;           /* owner of the words of conditions on the name of the source, of char ** */
  double started;               /* start of the run, in µs since the epoch; NaN if unknown */
  int source_slot, worker_slot; /* slots of the columns source and worker; -1 if the table lacks the column */
  GHashTable *leaves;           /* maps source and worker to the time when the worker left (double *, µs since the
                                 * epoch); NULL if the table lacks source or worker */
} RoastChartRows;

/* Open the rows that a chart shows. Return NULL with ROAST_CHART_ERROR_NOT_AVAILABLE if the rows are not available. */
RoastChartRows *roast_chart_rows_new (RoastChartInfo *chart, RoastRecordingSnapshot *recording, RoastReport *report,
                                      GError **error);
void roast_chart_rows_free (RoastChartRows *self);
void roast_chart_rows_rewind (RoastChartRows *self);
/* Return the next row, or NULL after the last row. */
const RoastChartRow *roast_chart_rows_next (RoastChartRows *self);

guint roast_chart_rows_count_names (RoastChartRows *self, RoastChartCell cell);
const char *roast_chart_rows_get_name (RoastChartRows *self, RoastChartCell cell, guint name);
/* Return the median of the finite numbers that all rows have in @cell; NaN if there are no such numbers. */
double roast_chart_rows_find_median (RoastChartRows *self, RoastChartCell cell);
