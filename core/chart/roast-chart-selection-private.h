/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-chart-rows-private.h"

G_BEGIN_DECLS

#define ROAST_CHART_OTHERS G_MAXUINT

/* Which names of a column are shown by themselves. */
typedef struct
{
  guint n;         /* that are shown */
  guint n_names;   /* that have anything to show */
  guint *names;    /* by place, in the order in which they are shown */
  guint *places;   /* by name; ROAST_CHART_OTHERS of those that are not shown */
  guint *palettes; /* by place: numbers of colours, which words of a vocabulary always have */
  char *all;       /* what they are: "workers" */
  guint n_spread;  /* of those that are shown: chosen evenly from all but the largest */
} RoastChartSelection;

typedef enum
{
  ROAST_CHART_ORDER_NAME,
  ROAST_CHART_ORDER_SIZE,   /* the largest first */
  ROAST_CHART_ORDER_SPREAD, /* by name; only half of those that are shown are the largest ones */
} RoastChartOrder;

/* What a name counts, by name: sums that grow with the names; NaN of a name that has nothing to show. */
typedef struct
{
  GArray *sums; /* of double */
} RoastChartTotals;

void roast_chart_totals_init (RoastChartTotals *self);
void roast_chart_totals_clear (RoastChartTotals *self);
/* Makes room for @n_names. */
void roast_chart_totals_grow (RoastChartTotals *self, guint n_names);

static inline void
roast_chart_totals_add (RoastChartTotals *self, guint name, double value)
{
  double *sum = NULL;

  if (G_UNLIKELY (name >= self->sums->len))
    roast_chart_totals_grow (self, name + 1);
  sum = &g_array_index (self->sums, double, name);
  if (value - value == 0) /* finite */
    *sum = *sum == *sum ? *sum + value : value;
}

/* The greatest value instead of the sum. */
static inline void
roast_chart_totals_raise (RoastChartTotals *self, guint name, double value)
{
  double *most = NULL;

  if (G_UNLIKELY (name >= self->sums->len))
    roast_chart_totals_grow (self, name + 1);
  most = &g_array_index (self->sums, double, name);
  if (value - value == 0 && !(*most >= value))
    *most = value;
}

/* @most names; without a column, which one name stands for, there is one. Words of a vocabulary keep their order. */
void roast_chart_selection_init (RoastChartSelection *self, RoastChartRows *rows, RoastChartCell cell,
                                 const RoastChartTotals *totals, guint most, RoastChartOrder order);
void roast_chart_selection_clear (RoastChartSelection *self);
guint roast_chart_selection_count_others (const RoastChartSelection *self);
/* "category" → "categories" */
char *roast_chart_selection_make_plural (const char *label);
/* "10 of 240 workers, those with the highest values"; NULL if all are shown. @most is what the largest have. */
char *roast_chart_selection_dup_note (const RoastChartSelection *self, const char *most);
/* "230 others". */
char *roast_chart_selection_dup_others (const RoastChartSelection *self);

G_END_DECLS
