/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "sheet.h"

G_BEGIN_DECLS

/* A manager's own statistics, which have nearly the same names in its performance log and in its status: rows of
 * cluster_samples and of executor_times. */
typedef struct
{
  char *source;
  Sheet samples, executor_times;
} VineManagerStats;

/* NaN if there is none of that name. */
typedef double (*VineManagerStatsFunction) (const char *name, gpointer user_data);

void vine_manager_stats_init (VineManagerStats *self, RoastRecording *recording, const char *source);
void vine_manager_stats_clear (VineManagerStats *self);
void vine_manager_stats_write (VineManagerStats *self, gint64 time, VineManagerStatsFunction get, gpointer user_data);

G_END_DECLS
