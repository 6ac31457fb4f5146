/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-chart-info.h"
#include "roast/roast-table-info.h"

G_BEGIN_DECLS

#define ROAST_CHART_MAX_Y 4
#define ROAST_CHART_MAX_X 2
#define ROAST_CHART_MAX_GUIDES 8
#define ROAST_CHART_MAX_WHERE 8

/* How rows become points. */
typedef enum
{
  ROAST_CHART_COMBINE_ROWS, /* each row is a point of its series */
  ROAST_CHART_COMBINE_SUM,  /* the sum over all rows of one x */
  ROAST_CHART_COMBINE_MEAN,
} RoastChartCombine;

/* The keys of a group [chart NAME]. */
enum
{
  ROAST_CHART_TITLE,
  ROAST_CHART_DESCRIPTION,
  ROAST_CHART_TABLE,
  ROAST_CHART_KIND,
  ROAST_CHART_X,
  ROAST_CHART_END,
  ROAST_CHART_Y,
  ROAST_CHART_Y2,
  ROAST_CHART_GROUP,
  ROAST_CHART_LANE,
  ROAST_CHART_COMBINE,
  ROAST_CHART_PER,
  ROAST_CHART_SCALE,
  ROAST_CHART_WHERE,
  ROAST_CHART_GUIDES,
  ROAST_CHART_FIT,
  ROAST_CHART_TOP,
  ROAST_CHART_HEADING,
  ROAST_CHART_NEEDS,
  ROAST_CHART_SHOW,
  ROAST_CHART_MISSING,
  ROAST_CHART_COUNT,
  ROAST_CHART_LATE,
  ROAST_CHART_N_KEYS,
};

/* How a condition on the row's source begins. */
#define ROAST_CHART_OF_SOURCE "source."

extern const char *const roast_chart_info_keys[ROAST_CHART_N_KEYS + 1];
/* What Kind may be, by RoastChartKind. */
extern const char *const roast_chart_info_kinds[];

/* Only rows where the column has one of the words count. An empty word stands for a missing cell; the words of a
 * boolean column are true and false. “source.COLUMN” is what the table of sources has about the row's source. */
typedef struct
{
  char *column;
  char **words; /* at least one */
} RoastChartWhere;

typedef enum
{
  ROAST_CHART_GUIDE_VALUE,      /* a line across at y = value */
  ROAST_CHART_GUIDE_COLUMN,     /* a step line of another column of the table */
  ROAST_CHART_GUIDE_PER_SECOND, /* in a scatter of seconds against a number: y = x / value */
  ROAST_CHART_GUIDE_MEAN,       /* in a histogram: a line at the mean of the values */
  ROAST_CHART_GUIDE_MEDIAN,     /* the same at their median */
} RoastChartGuideKind;

typedef struct
{
  RoastChartGuideKind kind;
  double value; /* of a value and per-second, in the unit of y and of 1/s */
  char *column; /* of a column, else NULL */
  char *label;  /* never NULL: of mean and median these words */
} RoastChartGuide;

/* What X or Y stands for in a table: a column, or the difference of two, as in “ended-started”. The difference of two
 * times is in seconds. A row where one of the two is missing has no value. */
typedef struct
{
  RoastColumn *column;
  RoastColumn *minus; /* or NULL */
  guint place;        /* of the column in the table */
  guint minus_place;
  double factor;    /* of the difference; 1 for a column alone */
  const char *unit; /* of the value; NULL if it has none */
} RoastChartTerm;

/* FALSE if the table lacks a column. */
gboolean roast_chart_term_find (const char *text, RoastTableInfo *table, RoastChartTerm *term);

/* What the group says, once its keys are known to fit its kind. */
typedef struct
{
  const char *values[ROAST_CHART_N_KEYS]; /* or NULL */
  RoastChartKind kind;
  RoastChartCombine combine;
  gboolean log_scale;
  gboolean share_scale;
  gboolean fit;
  gboolean show_detail;
  guint top;
  guint needs;
  char **x; /* at least one; several of bars */
  char **y; /* of strings; empty where the kind has none */
  RoastChartWhere where[ROAST_CHART_MAX_WHERE];
  guint n_where;
  RoastChartWhere late; /* rows that end at most a sampling interval before End; its column is NULL if none do */
  RoastChartGuide guides[ROAST_CHART_MAX_GUIDES];
  guint n_guides;
} RoastChartDeclaration;

/* roast-chart-text.c: @values has a value or NULL for each key. FALSE with ROAST_SCHEMA_ERROR; what is read by then is
 * freed by roast_chart_declaration_clear (). */
gboolean roast_chart_declaration_read (RoastChartDeclaration *self, const char *name, const char *const *values,
                                       GError **error);
void roast_chart_declaration_clear (RoastChartDeclaration *self);

const RoastChartDeclaration *roast_chart_info_get_declaration (RoastChartInfo *self);

/* roast-chart-check.c: whether a table has the columns that the chart needs, with types that fit. FALSE with
 * ROAST_SCHEMA_ERROR_UNKNOWN or ROAST_SCHEMA_ERROR_SYNTAX. */
gboolean roast_chart_info_check_table (RoastChartInfo *self, RoastTableInfo *table, GError **error);

G_END_DECLS
