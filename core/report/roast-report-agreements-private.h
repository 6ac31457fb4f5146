/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-report.h"

/* Evaluate each group [agree NAME] of the schema once, as soon as all its metrics exist. Write the table agreements,
 * and mark metrics that another measurement contradicts. */
void roast_report_check_agreements (RoastReport *report, RoastRecordingSnapshot *recording);
