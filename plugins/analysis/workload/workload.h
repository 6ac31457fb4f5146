/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Each function adds its metrics and tables to the report. */
void workload_add_datasets (RoastRecordingSnapshot *recording, RoastReport *report);
void workload_add_sections (RoastRecordingSnapshot *recording, RoastReport *report);
