/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "each.h"

/* Write the table workers_over_time, if an executor recorded samples of its workers. */
void workers_write_over_time (RoastRecordingSnapshot *recording, RoastReport *report);

/* Add the metrics of executors' workers that roastcoffea defines. Processes of process trees are left out. */
void workers_add_sampled (RoastRecordingSnapshot *recording, RoastReport *report);
