/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-chart-info-private.h"
#include "roast/roast-table-reader.h"

G_BEGIN_DECLS

/* Where=: the rows of a block that a chart shows. */
typedef struct _RoastChartFilter RoastChartFilter;

/* The columns of @where are the slots from @first on. */
RoastChartFilter *roast_chart_filter_new (RoastTableReader *reader, const RoastChartWhere *where, guint n_where,
                                          guint first);
void roast_chart_filter_free (RoastChartFilter *self);
/* Numbers of rows within the current block, ascending, until the next call. */
const guint *roast_chart_filter_keep (RoastChartFilter *self, RoastTableReader *reader, guint *n_kept);

G_END_DECLS
