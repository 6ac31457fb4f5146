/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "executor-samples.h"

G_BEGIN_DECLS

/* The value of a statistic; NaN if there is none of that name. */
typedef double (*VineManagerStatsFunction) (const char *name, gpointer user_data);

/* Writes a manager's own statistics. They have the same names in its performance log and in its status, with few
 * exceptions. */
void vine_manager_stats_write (ExecutorSamples *samples, gint64 time, VineManagerStatsFunction get, gpointer user_data);

G_END_DECLS
