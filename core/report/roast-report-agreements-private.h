/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-report.h"

/* Evaluates the groups [agree NAME] of the schema whose metrics are all there, each once, and writes the table
 * agreements. Metrics that another measurement contradicts say so from then on. */
void roast_report_check_agreements (RoastReport *report, RoastRecordingSnapshot *recording);
