/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-chart-names-private.h"
#include "roast/roast-chart-info.h"
#include "roast/roast-recording-snapshot.h"
#include "roast/roast-report.h"
#include "table/roast-chart-info-private.h"

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

/* A column, or the difference of two columns, such as “ended-started”. */
typedef struct
{
  gboolean is_used, is_time;
  gboolean has_numbers;   /* the column has numbers, even if the cell uses them as names */
  const char *format;     /* for roast_format_number () */
  char *label;            /* such as "memory limit" */
  RoastChartNames *names; /* all names in the cell; NULL if it has numbers, or if the chart does not use it */

  /*< private >*/
  int slot, minus; /* slots of the reader; -1 if there is none */
  double origin, factor;
  int second; /* slot of the second column of names; -1 if there is none */
} RoastChartCellInfo;

/* Only rows whose column has one of the words meet the condition. An empty word matches a missing cell. */
typedef struct
{
  int slot;
  char **words;
} RoastChartCondition;

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

/* The rows that a chart shows. Times are in seconds since the start of the run, and NaN if they are unknown. */
typedef struct
{
  RoastChartCellInfo cells[ROAST_CHART_N_CELLS]; /* the cells that the chart uses */
  gboolean is_interval;                          /* each row describes the time from x to CELL_END */
  double interval;                               /* between samples, in seconds */
  double end;                                    /* of the run; NaN also if the run goes on */
  GHashTable *undivided;                         /* names in CELL_GROUP of rows that have a Y, but no denominator */
  /* For samples that are added up, by holder: the time when a worker left; NaN if it did not leave, or if the holder
   * is not a worker. NULL if the chart adds up rows with the same x instead. Holders are numbered in order of first
   * appearance. All category columns of the row together name its holder, for example source and worker. */
  GArray *ends;

  /*< private >*/
  RoastTableReader *reader;
  RoastColumnType *types; /* by slot */
  RoastChartRow row;
  guint used[ROAST_CHART_N_CELLS]; /* the cells that the chart uses */
  guint n_used;
  RoastChartCondition where[ROAST_CHART_MAX_WHERE];
  guint n_where;
  RoastChartCondition late;     /* the words are NULL if there is none */
  GPtrArray *sources;           /* of char **: words of conditions on the name of the source */
  double started;               /* of the run, in µs since the epoch; NaN if unknown */
  int source_slot, worker_slot; /* of samples; -1 if there is none */
  GHashTable *leaves;           /* source and worker → double *, in µs since the epoch; NULL without workers */
} RoastChartRows;

/* Open the rows that a chart shows. Return NULL with ROAST_CHART_ERROR_NOT_AVAILABLE. */
RoastChartRows *roast_chart_rows_new (RoastChartInfo *chart, RoastRecordingSnapshot *recording, RoastReport *report,
                                      GError **error);
void roast_chart_rows_free (RoastChartRows *self);
void roast_chart_rows_rewind (RoastChartRows *self);
/* Return the next row, or NULL after the last row. */
const RoastChartRow *roast_chart_rows_next (RoastChartRows *self);

guint roast_chart_rows_count_names (RoastChartRows *self, RoastChartCell cell);
const char *roast_chart_rows_get_name (RoastChartRows *self, RoastChartCell cell, guint name);
/* Return the median of the finite numbers in a cell of all rows, NaN if there are none. */
double roast_chart_rows_find_median (RoastChartRows *self, RoastChartCell cell);

G_END_DECLS
