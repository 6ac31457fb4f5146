/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "executor-samples.h"

/* Returns the value of a statistic, or NaN if there is no statistic of that name. */
typedef double (*VineManagerStatsFunction) (const char *name, gpointer user_data);

/* Write the statistics that a manager keeps about itself. Most of them have the same names in the performance log and
 * in the status of the manager. */
void vine_manager_stats_write (ExecutorSamples *samples, gint64 time, VineManagerStatsFunction get, gpointer user_data);
