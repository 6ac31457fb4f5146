/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-recording-snapshot.h"
#include "roast/roast-table-info.h"
#include "roast/roast-table-reader.h"

G_BEGIN_DECLS

/* Finds the holder of the value in a row of samples. All category columns of the row together name the holder, for
 * example the columns source and worker. */
typedef struct _RoastChartHolders RoastChartHolders;

/* Add the names of the columns that a reader needs, one slot each. */
void roast_chart_holders_add_columns (RoastTableInfo *table, GPtrArray *columns);
/* These columns are @n slots of @reader from @first on. */
RoastChartHolders *roast_chart_holders_new (RoastTableReader *reader, RoastRecordingSnapshot *recording, guint first,
                                            guint n);
void roast_chart_holders_free (RoastChartHolders *self);
/* Get the holders of the kept rows of the current block, or of all rows if @kept is NULL. If there are @groups, the
 * group is part of the name of a holder. */
void roast_chart_holders_load (RoastChartHolders *self, const guint *kept, guint n_kept, const guint *groups,
                               guint *holders);
guint roast_chart_holders_count (RoastChartHolders *self);
/* Return when a worker left, in µs since the epoch; NaN if it did not leave, or if the holder is not a worker. */
double roast_chart_holders_get_end (RoastChartHolders *self, guint holder);

G_END_DECLS
