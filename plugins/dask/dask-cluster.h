/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* One scheduler as a whole: tables cluster_samples and executor_times. */
typedef struct _DaskCluster DaskCluster;

/* Columns of the wire's table of the probe's own CPU time. That of samples has those of cluster_samples. */
extern const char *const dask_cost_columns[];

DaskCluster *dask_cluster_new (RoastRecording *recording, const char *source, GError **error);
void dask_cluster_free (DaskCluster *self);

gboolean dask_cluster_take (DaskCluster *self, RoastWireReader *row, gint64 now, GError **error);
gboolean dask_cluster_take_cost (DaskCluster *self, RoastWireReader *row, GError **error);
/* No more rows will come after @now. */
void dask_cluster_finish (DaskCluster *self, gint64 now);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DaskCluster, dask_cluster_free)

G_END_DECLS
