/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-chart-rows-private.h"

#define ROAST_CHART_OTHERS G_MAXUINT

typedef enum
{
  ROAST_CHART_ORDER_NAME,
  ROAST_CHART_ORDER_SIZE,   /* names with the largest sums first */
  ROAST_CHART_ORDER_SPREAD, /* names in alphabetical order; half of them are the largest, the other half are taken at
                               even distances from the rest */
} RoastChartOrder;

/* Chooses the names of a column that are shown individually. A zeroed structure is an empty selection. */
typedef struct
{
  double *sums; /* sum or maximum of the values of each name; NaN if the name has no value */
  guint n_sums;

  /* Set when names are chosen: */
  guint n;         /* number of shown names */
  guint n_names;   /* number of names that have a value */
  guint *names;    /* shown names in the order of display; the index of a name in this array is its place */
  guint *places;   /* place of each name; ROAST_CHART_OTHERS if the name is not shown */
  guint *palettes; /* number of the colour at each place; words of a vocabulary have fixed colours */
  char *all;       /* plural noun for the names, such as "workers" */
  guint n_spread;  /* number of shown names that were chosen at even distances from the smaller names */
} RoastChartSelection;

/* Make room for @n_names names. */
void roast_chart_selection_grow (RoastChartSelection *self, guint n_names);

static inline void
roast_chart_selection_add (RoastChartSelection *self, guint name, double value)
{
  if (G_UNLIKELY (name >= self->n_sums))
    roast_chart_selection_grow (self, name + 1);
  if (value - value == 0) /* add only finite numbers */
    self->sums[name] = self->sums[name] == self->sums[name] ? self->sums[name] + value : value;
}

/* Set the sum of a name to @value if @value is greater. A caller that uses only this function selects by maxima instead
 * of sums. */
static inline void
roast_chart_selection_raise (RoastChartSelection *self, guint name, double value)
{
  if (G_UNLIKELY (name >= self->n_sums))
    roast_chart_selection_grow (self, name + 1);
  if (value - value == 0 && !(self->sums[name] >= value))
    self->sums[name] = value;
}

gboolean roast_chart_selection_has (const RoastChartSelection *self, guint name);
/* Choose up to @most names of @cell. If the chart does not use the cell, choose name 0, which all rows have. Words of a
 * vocabulary are shown in the order of the vocabulary. */
void roast_chart_selection_choose (RoastChartSelection *self, RoastChartRows *rows, RoastChartCell cell, guint most,
                                   RoastChartOrder order);
void roast_chart_selection_clear (RoastChartSelection *self);
guint roast_chart_selection_count_others (const RoastChartSelection *self);
/* Make a plural, such as "categories" from "category". */
char *roast_chart_selection_make_plural (const char *label);
/* Return a note such as "10 of 240 workers, those with the highest values"; NULL if all names are shown. @most
 * describes what the largest names have, such as "the highest values". */
char *roast_chart_selection_dup_note (const RoastChartSelection *self, const char *most);
/* Return a text such as "230 others". */
char *roast_chart_selection_dup_others (const RoastChartSelection *self);
