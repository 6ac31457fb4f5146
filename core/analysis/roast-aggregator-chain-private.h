/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-aggregator.h"

/* Runs aggregators in an order in which each finds the metrics that it requires. If an aggregator fails, only its own
 * metrics are lost: they become "not available" with its error as the reason. Returns FALSE only if the requirements
 * form a cycle, or on cancellation. */
gboolean roast_aggregator_chain_run (GPtrArray *aggregators, RoastRecordingSnapshot *recording, RoastReport *report,
                                     GCancellable *cancellable, GError **error);
