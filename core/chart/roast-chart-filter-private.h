/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-chart-info-private.h"
#include "roast/roast-table-reader.h"

G_BEGIN_DECLS

/* Selects the rows of a block that match the conditions in Where=. */
typedef struct _RoastChartFilter RoastChartFilter;

/* Make a filter. The columns of @where are the slots of @reader from @first on. */
RoastChartFilter *roast_chart_filter_new (RoastTableReader *reader, const RoastChartWhere *where, guint n_where,
                                          guint first);
void roast_chart_filter_free (RoastChartFilter *self);
/* Return the numbers of matching rows within the current block, in ascending order, valid until the next call. */
const guint *roast_chart_filter_keep (RoastChartFilter *self, RoastTableReader *reader, guint *n_kept);

G_END_DECLS
