/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-chart-rows-private.h"

G_BEGIN_DECLS

#define ROAST_CHART_OTHERS G_MAXUINT

typedef enum
{
  ROAST_CHART_ORDER_NAME,
  ROAST_CHART_ORDER_SIZE,   /* the largest first */
  ROAST_CHART_ORDER_SPREAD, /* by name; only half of those that are shown are the largest ones */
} RoastChartOrder;

/* Which names of a column are shown by themselves. All zero: empty. */
typedef struct
{
  double *sums; /* by name, what it counts; NaN of a name that has nothing to show */
  guint n_sums;

  /* once they are chosen */
  guint n;         /* that are shown */
  guint n_names;   /* that have anything to show */
  guint *names;    /* by place, in the order in which they are shown */
  guint *places;   /* by name; ROAST_CHART_OTHERS of those that are not shown */
  guint *palettes; /* by place: numbers of colours, which words of a vocabulary always have */
  char *all;       /* what they are: "workers" */
  guint n_spread;  /* of those that are shown: chosen evenly from all but the largest */
} RoastChartSelection;

/* Makes room for @n_names. */
void roast_chart_selection_grow (RoastChartSelection *self, guint n_names);

static inline void
roast_chart_selection_add (RoastChartSelection *self, guint name, double value)
{
  if (G_UNLIKELY (name >= self->n_sums))
    roast_chart_selection_grow (self, name + 1);
  if (value - value == 0) /* finite */
    self->sums[name] = self->sums[name] == self->sums[name] ? self->sums[name] + value : value;
}

/* The greatest value instead of the sum. */
static inline void
roast_chart_selection_raise (RoastChartSelection *self, guint name, double value)
{
  if (G_UNLIKELY (name >= self->n_sums))
    roast_chart_selection_grow (self, name + 1);
  if (value - value == 0 && !(self->sums[name] >= value))
    self->sums[name] = value;
}

gboolean roast_chart_selection_has (const RoastChartSelection *self, guint name);
/* @most names; without a column, which one name stands for, there is one. Words of a vocabulary keep their order. */
void roast_chart_selection_choose (RoastChartSelection *self, RoastChartRows *rows, RoastChartCell cell, guint most,
                                   RoastChartOrder order);
void roast_chart_selection_clear (RoastChartSelection *self);
guint roast_chart_selection_count_others (const RoastChartSelection *self);
/* "category" → "categories" */
char *roast_chart_selection_make_plural (const char *label);
/* "10 of 240 workers, those with the highest values"; NULL if all are shown. @most is what the largest have. */
char *roast_chart_selection_dup_note (const RoastChartSelection *self, const char *most);
/* "230 others". */
char *roast_chart_selection_dup_others (const RoastChartSelection *self);

G_END_DECLS
