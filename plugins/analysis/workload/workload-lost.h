/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "chunk-verdicts.h"

/* Return the reason why the number of wasted attempts is a lower bound; NULL if no attempts are known to be missing. */
char *workload_dup_doubt_of_waste (RoastRecordingSnapshot *recording);

/* Return the reason why totals are estimates, because a task may have been executed twice; NULL if totals are not
 * estimates. */
char *workload_dup_doubt_of_calls (RoastRecordingSnapshot *recording);
