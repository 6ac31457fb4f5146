/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "each.h"

/* Each function adds its metrics and tables to the report. */
void lifecycle_add_attempts (RoastReport *report, RoastRecordingSnapshot *recording);
void lifecycle_add_libraries (RoastReport *report, RoastRecordingSnapshot *recording);
void lifecycle_add_resources (RoastReport *report, RoastRecordingSnapshot *recording);
void lifecycle_add_transfers (RoastReport *report, RoastRecordingSnapshot *recording);
void lifecycle_add_executor (RoastReport *report, RoastRecordingSnapshot *recording);
