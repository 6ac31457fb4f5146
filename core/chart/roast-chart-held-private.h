/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Sums of what each holder had last, by series, at the end of each column of pixels. */
typedef struct _RoastChartHeld RoastChartHeld;

RoastChartHeld *roast_chart_held_new (guint n_series, guint n_holders, guint n_columns, double min, double max);
void roast_chart_held_free (RoastChartHeld *self);
/* @holder keeps this value until its next x; values of one x are added up. */
void roast_chart_held_add (RoastChartHeld *self, guint series, guint holder, double x, double y);
/* After its last row: @holder has nothing from x on. */
void roast_chart_held_leave (RoastChartHeld *self, guint holder, double x);
/* After the last row. */
void roast_chart_held_end (RoastChartHeld *self);
/* Whether the series has had a value. */
gboolean roast_chart_held_has (RoastChartHeld *self, guint series, guint column);
double roast_chart_held_get (RoastChartHeld *self, guint series, guint column);

G_END_DECLS
