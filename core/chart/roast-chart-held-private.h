/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Adds up samples of several holders, such as workers. For each series and column of pixels, the sum has the last value
 * of each holder at the end of the column. */
typedef struct _RoastChartHeld RoastChartHeld;

RoastChartHeld *roast_chart_held_new (guint n_series, guint n_holders, guint n_columns, double min, double max);
void roast_chart_held_free (RoastChartHeld *self);
/* Set the value of @holder from @x on, until its next sample. Values of a holder at the same x are added up. */
void roast_chart_held_add (RoastChartHeld *self, guint series, guint holder, double x, double y);
/* End the value of @holder at @x. Call this after the last row of @holder. NaN means that the value never ends. */
void roast_chart_held_leave (RoastChartHeld *self, guint holder, double x);
/* Call this after the last row. */
void roast_chart_held_end (RoastChartHeld *self);
/* Return whether the series has a value in this column or in an earlier one. */
gboolean roast_chart_held_has (RoastChartHeld *self, guint series, guint column);
double roast_chart_held_get (RoastChartHeld *self, guint series, guint column);

G_END_DECLS
