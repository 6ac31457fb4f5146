/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A stretch of a lane. */
typedef struct
{
  guint lane;
  guint colour;
  double start, end;
  double sure; /* until when it certainly lasted: its end, or earlier */
  guint row;   /* within its lane, from 0 on; set by packing */
} RoastChartStretch;

/* Sort stretches by lane and start. Put each into the first row of its lane that is free at its start. Set @n_rows
 * to the number of rows of each lane, at least one. */
void roast_chart_lanes_pack (GArray *stretches, guint n_lanes, guint *n_rows);

/* Folds more stretches than a picture can show: how much of each column of pixels each colour covers, by lane. */
typedef struct _RoastChartCover RoastChartCover;

RoastChartCover *roast_chart_cover_new (guint n_lanes, guint n_columns, guint n_colours, double min, double max);
void roast_chart_cover_free (RoastChartCover *self);
void roast_chart_cover_add (RoastChartCover *self, guint lane, guint colour, double start, double end);
void roast_chart_cover_end (RoastChartCover *self);
/* Merge pairs of columns. */
void roast_chart_cover_halve (RoastChartCover *self);
guint roast_chart_cover_count_columns (RoastChartCover *self);
/* Return how many stretches of a lane began in these columns. */
guint64 roast_chart_cover_count (RoastChartCover *self, guint lane, guint first, guint last);
/* Return the maximum number of simultaneous stretches in a lane, averaged over a column. */
guint roast_chart_cover_count_rows (RoastChartCover *self, guint lane);
/* Get the contents of a row of a lane in a column. The row shows this share of the stretches. Set @colour to the
 * colour that covers most of it, and return the covered part, from 0 to 1. */
double roast_chart_cover_get (RoastChartCover *self, guint lane, guint column, guint row, double share, guint *colour);

G_END_DECLS
