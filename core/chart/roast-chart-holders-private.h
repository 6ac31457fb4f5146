/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-recording-snapshot.h"
#include "roast/roast-table-info.h"
#include "roast/roast-table-reader.h"

G_BEGIN_DECLS

/* Whose value a row of samples has: what all its columns of words name together, such as a worker of a source. */
typedef struct _RoastChartHolders RoastChartHolders;

/* The columns that a reader needs, one slot each. */
void roast_chart_holders_add_columns (RoastTableInfo *table, GPtrArray *columns);
/* These are @n slots from @first on. */
RoastChartHolders *roast_chart_holders_new (RoastTableReader *reader, RoastRecordingSnapshot *recording, guint first,
                                            guint n);
void roast_chart_holders_free (RoastChartHolders *self);
/* Of the kept rows of the current block; NULL: of all. @groups, if there are any, are part of what names a holder. */
void roast_chart_holders_load (RoastChartHolders *self, const guint *kept, guint n_kept, const guint *groups,
                               guint *holders);
guint roast_chart_holders_count (RoastChartHolders *self);
/* When a worker left, in µs since the epoch; NaN if it did not, or is not a worker. */
double roast_chart_holders_get_end (RoastChartHolders *self, guint holder);

G_END_DECLS
