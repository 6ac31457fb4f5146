/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-aggregator.h"

/* Run aggregators in an order in which each aggregator finds the metrics that it requires. If an aggregator fails, only
 * its own metrics are not available, with the error as the reason. Return FALSE only if the requirements form a cycle,
 * or on cancellation. */
gboolean roast_aggregator_chain_run (GPtrArray *aggregators, RoastRecordingSnapshot *recording, RoastReport *report,
                                     GCancellable *cancellable, GError **error);
