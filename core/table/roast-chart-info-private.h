/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-chart-info.h"
#include "roast/roast-table-info.h"

G_BEGIN_DECLS

#define ROAST_CHART_MAX_Y 4
#define ROAST_CHART_MAX_X 2
#define ROAST_CHART_MAX_GUIDES 8
#define ROAST_CHART_MAX_WHERE 8

/* How rows are turned into points. */
typedef enum
{
  ROAST_CHART_COMBINE_ROWS, /* each row is a point of its series */
  ROAST_CHART_COMBINE_SUM,  /* each point is a sum over all rows with the same x */
  ROAST_CHART_COMBINE_MEAN,
} RoastChartCombine;

/* Indices of the keys of a group [chart NAME]. */
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

/* Prefix of the column name in a condition on the source of a row. */
#define ROAST_CHART_OF_SOURCE "source."

extern const char *const roast_chart_info_keys[ROAST_CHART_N_KEYS + 1];
/* Values of the key Kind, indexed by RoastChartKind. */
extern const char *const roast_chart_info_kinds[];

/* A condition: only rows whose column has one of the words are drawn. An empty word matches a missing cell; the words
 * of a boolean column are true and false. “source.COLUMN” names a column of the table of sources: the condition is
 * about that column's cell for the source of the row. */
typedef struct
{
  char *column;
  char **words; /* words of the condition, at least one */
} RoastChartWhere;

typedef enum
{
  ROAST_CHART_GUIDE_VALUE,      /* a horizontal line at y = value */
  ROAST_CHART_GUIDE_COLUMN,     /* a step line from another column of the table */
  ROAST_CHART_GUIDE_PER_SECOND, /* in a scatter of seconds against a number: y = x / value */
  ROAST_CHART_GUIDE_MEAN,       /* in a histogram: a line at the mean of the values */
  ROAST_CHART_GUIDE_MEDIAN,     /* in a histogram: a line at the median of the values */
} RoastChartGuideKind;

typedef struct
{
  RoastChartGuideKind kind;
  double value; /* for the guide VALUE: its y, in the unit of y; for the guide PER_SECOND: a rate in 1/s */
  char *column; /* for the guide COLUMN: its column; otherwise NULL */
  char *label;  /* label of the guide, never NULL; “mean” and “median” by default */
} RoastChartGuide;

/* A term of X or Y, bound to a table: a column, or the difference of two columns, such as “ended-started”. The
 * difference of two times is in seconds. A row whose cell is missing in one of the columns has no value. */
typedef struct
{
  RoastColumn *column;
  RoastColumn *minus; /* second column of a difference, or NULL */
  double factor;      /* factor that converts the difference to the unit; 1 for a single column */
  const char *unit;   /* unit of the value, or NULL */
} RoastChartTerm;

/* Bind a term to the columns of a table. Return FALSE if the table lacks a column of the term. */
gboolean roast_chart_term_find (const char *text, RoastTableInfo *table, RoastChartTerm *term);

/* The values of a group [chart NAME]. Each key that has a value is allowed for the kind of the chart. */
typedef struct
{
  const char *values[ROAST_CHART_N_KEYS]; /* value of each key, or NULL */
  RoastChartKind kind;
  RoastChartCombine combine;
  gboolean log_scale;
  gboolean share_scale;
  gboolean fit;
  gboolean show_detail;
  guint top;
  guint needs;
  char **x; /* columns along x, at least one; several only for bars */
  char **y; /* columns along y; empty if charts of this kind have no Y */
  RoastChartWhere where[ROAST_CHART_MAX_WHERE];
  guint n_where;
  RoastChartWhere late; /* condition for rows whose end was noticed by sampling, so they may have ended up to a sampling
                           interval before End; its column is NULL if the chart has no such condition */
  RoastChartGuide guides[ROAST_CHART_MAX_GUIDES];
  guint n_guides;
} RoastChartDeclaration;

/* In roast-chart-text.c: read a declaration. @values has, for each key, a value or NULL. Return FALSE with
 * ROAST_SCHEMA_ERROR. After success and after an error, the caller frees the members with roast_chart_declaration_clear
 * (). */
gboolean roast_chart_declaration_read (RoastChartDeclaration *self, const char *name, const char *const *values,
                                       GError **error);
void roast_chart_declaration_clear (RoastChartDeclaration *self);

/* Make a chart. @name and @values are parts of @text, memory from g_atomic_rc_box_alloc(). @declared_by is the origin
 * of the text; the caller must keep this string valid. */
RoastChartInfo *roast_chart_info_new (char *text, const char *declared_by, const char *name, const char *const *values,
                                      GError **error);
const RoastChartDeclaration *roast_chart_info_get_declaration (RoastChartInfo *self);

/* In roast-chart-check.c: check that a table has the columns that the chart needs, with matching types. Return FALSE
 * with ROAST_SCHEMA_ERROR_UNKNOWN or ROAST_SCHEMA_ERROR_SYNTAX. */
gboolean roast_chart_info_check_table (RoastChartInfo *self, RoastTableInfo *table, GError **error);

G_END_DECLS
