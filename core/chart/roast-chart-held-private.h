/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Adds up samples of several holders, such as workers. For each series and column of pixels, the result is the sum of
 * the values that all holders have at the end of the column. */
typedef struct _RoastChartHeld RoastChartHeld;

RoastChartHeld *roast_chart_held_new (guint n_series, guint n_holders, guint n_columns, double min, double max);
void roast_chart_held_free (RoastChartHeld *self);
/* Set the value that @holder has from @x until its next sample. If a holder has several samples at the same x, their
 * values are added up. */
void roast_chart_held_add (RoastChartHeld *self, guint series, guint holder, double x, double y);
/* Set the time @x at which the value of @holder ends; NaN if the value does not end. Call this function after the last
 * row of @holder. */
void roast_chart_held_leave (RoastChartHeld *self, guint holder, double x);
/* Call this function after the last row. */
void roast_chart_held_end (RoastChartHeld *self);
/* Return whether the series has a value in this column or in an earlier column. */
gboolean roast_chart_held_has (RoastChartHeld *self, guint series, guint column);
double roast_chart_held_get (RoastChartHeld *self, guint series, guint column);
