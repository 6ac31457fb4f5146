/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What each series is at the end of each column of pixels. */
typedef struct _RoastChartStack RoastChartStack;

RoastChartStack *roast_chart_stack_new (guint n_series, guint n_names, guint n_columns, double min, double max,
                                        gboolean is_sum, gboolean is_ratio);
void roast_chart_stack_free (RoastChartStack *self);
/* @name keeps this value, divided by @per for a ratio, until its next x. */
void roast_chart_stack_add (RoastChartStack *self, guint series, guint name, double x, double y, double per);
/* After its last row: @name has nothing from x on. */
void roast_chart_stack_leave (RoastChartStack *self, guint name, double x);
/* After the last row. */
void roast_chart_stack_end (RoastChartStack *self);
/* Whether the series has had a value. */
gboolean roast_chart_stack_has (RoastChartStack *self, guint series, guint column);
double roast_chart_stack_get (RoastChartStack *self, guint series, guint column);

G_END_DECLS
