/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-chart-info-private.h"
#include "roast-chart-names-private.h"
#include "roast/roast-chart-info.h"
#include "roast/roast-recording-snapshot.h"
#include "roast/roast-report.h"

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

typedef struct
{
  gboolean is_used, is_time;
  const char *format; /* of roast_format_number () */
  char *label;        /* "memory limit" */
} RoastChartCellInfo;

typedef struct _RoastChartRows RoastChartRows;

/* The next rows that the chart shows. Cells are numbers in their base unit, NaN where they are missing; times are
 * seconds since the start of the run. Names are numbers from 0 on, in the order in which they first appear; a missing
 * cell has a name, too. NULL if the chart does not use the cell. */
typedef struct
{
  guint n;
  const double *x, *end, *y2, *per, *count;
  const double *y[ROAST_CHART_MAX_Y];
  const double *guides[ROAST_CHART_MAX_GUIDES];
  const guint *bars, *group, *lane, *late;
  /* Of samples that are added up: whose value a row has, such as a worker's. It holds until the next row of the same,
   * at most until the end of the holder: NaN if it has none. NULL if rows are added up that have the same x. */
  const guint *holders;
} RoastChartBlock;

static inline guint
roast_chart_block_get_group (const RoastChartBlock *self, guint row)
{
  return self->group != NULL ? self->group[row] : 0;
}

/* The rows of a chart's table that it shows, block by block. NULL with ROAST_CHART_ERROR_NOT_AVAILABLE. */
RoastChartRows *roast_chart_rows_new (RoastChartInfo *chart, RoastRecordingSnapshot *recording, RoastReport *report,
                                      GError **error);
void roast_chart_rows_free (RoastChartRows *self);
void roast_chart_rows_rewind (RoastChartRows *self);
/* From now on, rows whose name in @cell has no place, but G_MAXUINT, are passed over: their other cells are not even
 * read where a block has no others. @places are by name, borrowed. */
void roast_chart_rows_select (RoastChartRows *self, RoastChartCell cell, const guint *places);
/* NULL after the last. */
const RoastChartBlock *roast_chart_rows_next (RoastChartRows *self);

/* Cells of these rows. */
const double *roast_chart_rows_get_numbers (RoastChartRows *self, RoastChartCell cell);
const RoastChartCellInfo *roast_chart_rows_get_cell (RoastChartRows *self, RoastChartCell cell);
guint roast_chart_rows_count_names (RoastChartRows *self, RoastChartCell cell);
const char *roast_chart_rows_get_name (RoastChartRows *self, RoastChartCell cell, guint name);
/* All these names; NULL if the chart does not use the cell. */
RoastChartNames *roast_chart_rows_get_dictionary (RoastChartRows *self, RoastChartCell cell);
/* Whether names are those of numbers. */
gboolean roast_chart_rows_has_numbers (RoastChartRows *self, RoastChartCell cell);

/* Whether rows of this name of CELL_GROUP have a Y, but nothing that it could be divided by. */
gboolean roast_chart_rows_is_undivided (RoastChartRows *self, guint name);

/* Whether each row is about the time from x to CELL_END. */
gboolean roast_chart_rows_is_interval (RoastChartRows *self);
/* Whether samples are added up. */
gboolean roast_chart_rows_has_holders (RoastChartRows *self);
guint roast_chart_rows_count_holders (RoastChartRows *self);
double roast_chart_rows_get_end_of_holder (RoastChartRows *self, guint holder);
/* Whether the end of a row with this name in CELL_LATE may be late, by up to the time between samples; that is NaN if
 * it is unknown. */
gboolean roast_chart_rows_is_late (RoastChartRows *self, guint name);
double roast_chart_rows_get_interval (RoastChartRows *self);
/* When the run ended, in seconds since its start; NaN if that is unknown, or it still runs. */
double roast_chart_rows_get_end (RoastChartRows *self);

G_END_DECLS
