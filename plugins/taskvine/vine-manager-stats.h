/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "executor-samples.h"

G_BEGIN_DECLS

/* Returns the value of a statistic, or NaN if there is no statistic of that name. */
typedef double (*VineManagerStatsFunction) (const char *name, gpointer user_data);

/* Write a manager's own statistics. Most of them have the same names in the manager's performance log and in its
 * status. */
void vine_manager_stats_write (ExecutorSamples *samples, gint64 time, VineManagerStatsFunction get, gpointer user_data);

G_END_DECLS
