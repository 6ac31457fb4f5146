/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Sums of y, and of what it is divided by, of the rows that have one x. */
typedef struct
{
  double x, y, per;
} RoastChartSum;

/* Sums that may still grow: of the last thousand x, so that rows of the same times may come source by source. Its size
 * does not depend on the number of rows. */
typedef struct _RoastChartSums RoastChartSums;

RoastChartSums *roast_chart_sums_new (void);
void roast_chart_sums_free (RoastChartSums *self);
/* The sum of this x, to which the row is added. NULL if that is one x too many: flush the others and ask again. */
RoastChartSum *roast_chart_sums_get (RoastChartSums *self, double x);
/* All sums in the order in which they began; then there are none. */
const RoastChartSum *roast_chart_sums_flush (RoastChartSums *self, guint *n);

G_END_DECLS
