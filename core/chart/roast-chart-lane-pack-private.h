/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* A stretch of time in a lane, such as a task on a worker. */
typedef struct
{
  guint lane;
  guint colour;
  double start, end;
  double sure; /* earliest possible end; before @end if sampling may have noticed the end late */
  guint row;   /* number of the row within the lane, from 0; set by roast_chart_lanes_pack () */
} RoastChartStretch;

/* Sort stretches by lane and start time. Put each stretch into the first row of its lane in which no earlier stretch
 * overlaps it. Set @n_rows to the number of rows of each lane, at least 1. */
void roast_chart_lanes_pack (GArray *stretches, guint n_lanes, guint *n_rows);

/* A summary of stretches that are too many to be drawn one by one: for each lane, column of pixels and colour, how much
 * of the column the stretches with this colour cover. */
typedef struct _RoastChartCover RoastChartCover;

RoastChartCover *roast_chart_cover_new (guint n_lanes, guint n_columns, guint n_colours, double min, double max);
void roast_chart_cover_free (RoastChartCover *self);
void roast_chart_cover_add (RoastChartCover *self, guint lane, guint colour, double start, double end);
void roast_chart_cover_end (RoastChartCover *self);
/* Merge each pair of adjacent columns into one. */
void roast_chart_cover_halve (RoastChartCover *self);
guint roast_chart_cover_count_columns (RoastChartCover *self);
/* Return the number of stretches of @lane that began in the columns from @first to @last. */
guint64 roast_chart_cover_count (RoastChartCover *self, guint lane, guint first, guint last);
/* For each column, average the number of simultaneous stretches of @lane over the time of the column. Return the
 * highest average, rounded up. */
guint roast_chart_cover_count_rows (RoastChartCover *self, guint lane);
/* Get the contents of one row of @lane in @column. Each row shows up to @share simultaneous stretches. Set @colour to
 * the colour that covers most of the row, and return the part of the row that is covered, from 0 to 1. */
double roast_chart_cover_get (RoastChartCover *self, guint lane, guint column, guint row, double share, guint *colour);
