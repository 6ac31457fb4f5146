/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* A manager's own statistics: rows of cluster_samples and executor_times. They have the same names in its performance
 * log and in its status, with few exceptions. */
typedef struct _VineManagerStats VineManagerStats;

/* The value of a statistic; NaN if there is none of that name. */
typedef double (*VineManagerStatsFunction) (const char *name, gpointer user_data);

VineManagerStats *vine_manager_stats_new (RoastRecording *recording, const char *source, GError **error);
void vine_manager_stats_free (VineManagerStats *self);
void vine_manager_stats_write (VineManagerStats *self, gint64 time, VineManagerStatsFunction get, gpointer user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (VineManagerStats, vine_manager_stats_free)

G_END_DECLS
