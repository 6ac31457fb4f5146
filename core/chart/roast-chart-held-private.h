/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Sums, by series, of the last value of each holder, at the end of each column of pixels. */
typedef struct _RoastChartHeld RoastChartHeld;

RoastChartHeld *roast_chart_held_new (guint n_series, guint n_holders, guint n_columns, double min, double max);
void roast_chart_held_free (RoastChartHeld *self);
/* Add a value, which @holder keeps until its next x. Values at the same x are added up. */
void roast_chart_held_add (RoastChartHeld *self, guint series, guint holder, double x, double y);
/* Call this after the last row of @holder: it has no value from x on. */
void roast_chart_held_leave (RoastChartHeld *self, guint holder, double x);
/* Call this after the last row. */
void roast_chart_held_end (RoastChartHeld *self);
/* Return whether the series has had a value up to this column. */
gboolean roast_chart_held_has (RoastChartHeld *self, guint series, guint column);
double roast_chart_held_get (RoastChartHeld *self, guint series, guint column);

G_END_DECLS
