/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-recording-snapshot.h"
#include "roast/roast-table-reader.h"

G_BEGIN_DECLS

/* The holders of the values in rows of samples, numbered in order of first appearance. All category columns of the row
 * together name the holder, for example the columns source and worker. */
typedef struct _RoastChartHolders RoastChartHolders;

/* @slots: the slots of @reader, of guint, that name a holder */
RoastChartHolders *roast_chart_holders_new (RoastTableReader *reader, RoastRecordingSnapshot *recording,
                                            const GArray *slots);
void roast_chart_holders_free (RoastChartHolders *self);
/* Find the holder of the reader's current row. */
guint roast_chart_holders_find (RoastChartHolders *self);
guint roast_chart_holders_count (RoastChartHolders *self);
/* Return when a worker left, in µs since the epoch; NaN if it did not leave, or if the holder is not a worker. */
double roast_chart_holders_get_end (RoastChartHolders *self, guint holder);

G_END_DECLS
