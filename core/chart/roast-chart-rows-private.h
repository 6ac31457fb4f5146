/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-chart-info.h"
#include "roast/roast-recording-snapshot.h"
#include "roast/roast-report.h"
#include "table/roast-chart-info-private.h"

G_BEGIN_DECLS

/* What a chart uses a column for. */
typedef enum
{
  ROAST_CHART_CELL_X, /* numbers, of bars names */
  ROAST_CHART_CELL_END,
  ROAST_CHART_CELL_Y, /* up to ROAST_CHART_MAX_Y */
  ROAST_CHART_CELL_Y2 = ROAST_CHART_CELL_Y + ROAST_CHART_MAX_Y,
  ROAST_CHART_CELL_PER,
  ROAST_CHART_CELL_GROUP, /* names */
  ROAST_CHART_CELL_LANE,  /* names */
  ROAST_CHART_CELL_COUNT,
  ROAST_CHART_CELL_LATE,  /* names: see roast_chart_rows_is_late () */
  ROAST_CHART_CELL_GUIDE, /* up to ROAST_CHART_MAX_GUIDES, by number of the guide */
  ROAST_CHART_N_CELLS = ROAST_CHART_CELL_GUIDE + ROAST_CHART_MAX_GUIDES,
} RoastChartCell;

typedef struct _RoastChartRows RoastChartRows;

/* The rows of a chart's table that it shows, block by block. NULL with ROAST_CHART_ERROR_NOT_AVAILABLE. */
RoastChartRows *roast_chart_rows_new (RoastChartInfo *chart, RoastRecordingSnapshot *recording, RoastReport *report,
                                      GError **error);
void roast_chart_rows_free (RoastChartRows *self);
void roast_chart_rows_rewind (RoastChartRows *self);
/* From now on, rows whose name in @cell has no place, but G_MAXUINT, are passed over: their other cells are not even
 * read where a block has no others. @places are by name, borrowed. */
void roast_chart_rows_select (RoastChartRows *self, RoastChartCell cell, const guint *places);
/* The next rows; FALSE after the last. */
gboolean roast_chart_rows_next (RoastChartRows *self, guint *n_rows);

/* Cells of these rows as numbers in their base unit, NaN where they are missing; times are seconds since the start of
 * the run. NULL if the chart does not use it. */
const double *roast_chart_rows_get_numbers (RoastChartRows *self, RoastChartCell cell);
/* The same as numbers of names, from 0 on in the order in which names first appear; a missing cell has a name, too. */
const guint *roast_chart_rows_get_names (RoastChartRows *self, RoastChartCell cell);
guint roast_chart_rows_count_names (RoastChartRows *self, RoastChartCell cell);
const char *roast_chart_rows_get_name (RoastChartRows *self, RoastChartCell cell, guint name);
/* Where a name stands among the words of its vocabulary; -1 if it is not one. */
int roast_chart_rows_get_word (RoastChartRows *self, RoastChartCell cell, guint name);
/* The number of the colour that a word always has; -1 if it is not one. */
int roast_chart_rows_get_palette (RoastChartRows *self, RoastChartCell cell, guint name);
/* Whether the name stands for rows that have none. */
gboolean roast_chart_rows_is_missing (RoastChartRows *self, RoastChartCell cell, guint name);
/* Whether names are pairs of names of two columns, which have an order of their own. */
gboolean roast_chart_rows_is_pair (RoastChartRows *self, RoastChartCell cell);
int roast_chart_rows_compare_pairs (RoastChartRows *self, RoastChartCell cell, guint a, guint b);
/* Whether names are those of numbers. */
gboolean roast_chart_rows_has_numbers (RoastChartRows *self, RoastChartCell cell);

/* Whether rows of this name of CELL_GROUP have a Y, but nothing that it could be divided by. */
gboolean roast_chart_rows_is_undivided (RoastChartRows *self, guint name);

gboolean roast_chart_rows_is_used (RoastChartRows *self, RoastChartCell cell);
gboolean roast_chart_rows_is_time (RoastChartRows *self, RoastChartCell cell);
/* A format of roast_format_number (). */
const char *roast_chart_rows_get_format (RoastChartRows *self, RoastChartCell cell);
/* "memory limit". */
char *roast_chart_rows_dup_label (RoastChartRows *self, RoastChartCell cell);
/* Whether each row is about the time from x to CELL_END. */
gboolean roast_chart_rows_is_interval (RoastChartRows *self);
/* Of samples that are added up: whose value a row has, such as a worker's. It holds until the next row of the same, at
 * most until the end of the holder: NaN if it has none. NULL if rows are added up that have the same x. */
const guint *roast_chart_rows_get_holders (RoastChartRows *self);
guint roast_chart_rows_count_holders (RoastChartRows *self);
double roast_chart_rows_get_end_of_holder (RoastChartRows *self, guint holder);
/* Whether the end of a row with this name in CELL_LATE may be late, by up to the time between samples; that is NaN if
 * it is unknown. */
gboolean roast_chart_rows_is_late (RoastChartRows *self, guint name);
double roast_chart_rows_get_interval (RoastChartRows *self);
/* When the run ended, in seconds since its start; NaN if that is unknown, or it still runs. */
double roast_chart_rows_get_end (RoastChartRows *self);

G_END_DECLS
