/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-aggregator.h"

/* Runs aggregators in an order in which each finds what it requires. One that fails costs its own metrics only: these
 * become "not available" with its error as the reason. FALSE only when the requirements form a cycle, or cancelled. */
gboolean roast_aggregator_chain_run (GPtrArray *aggregators, RoastRecordingSnapshot *recording, RoastReport *report,
                                     GCancellable *cancellable, GError **error);
