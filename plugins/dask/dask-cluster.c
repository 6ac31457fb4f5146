/* SPDX-License-Identifier: BSD-3-Clause */
#include "dask-cluster.h"

#include <math.h>

#include "dask-row.h"

enum
{
  COST_SAMPLES,
  COST_HOOKS,
};
const char *const dask_cost_columns[] = { "samples", "hooks", NULL };

struct _DaskCluster
{
  double cost; /* s of CPU time; NaN if not known */
  RoastTableWriter *samples, *times;
};

DaskCluster *
dask_cluster_new (RoastRecording *recording, const char *source, GError **error)
{
  g_autoptr (DaskCluster) self = g_new0 (DaskCluster, 1);

  self->cost = NAN;
  self->samples = roast_recording_write_table (recording, ROAST_TABLE_CLUSTER_SAMPLES, source,
                                               roast_cluster_samples_columns, error);
  if (self->samples == NULL)
    return NULL;
  self->times =
      roast_recording_write_table (recording, ROAST_TABLE_EXECUTOR_TIMES, source, roast_executor_times_columns, error);

  return self->times != NULL ? g_steal_pointer (&self) : NULL;
}

void
dask_cluster_free (DaskCluster *self)
{
  g_clear_object (&self->samples);
  g_clear_object (&self->times);
  g_free (self);
}

gboolean
dask_cluster_take (DaskCluster *self, RoastWireReader *row, gint64 now, GError **error)
{
  dask_row_copy (row, self->samples, ROAST_CLUSTER_SAMPLES_N_COLUMNS,
                 1 << ROAST_CLUSTER_SAMPLES_SOURCE | 1 << ROAST_CLUSTER_SAMPLES_TIME);
  roast_table_writer_set_int64 (self->samples, ROAST_CLUSTER_SAMPLES_TIME, now);

  return dask_row_end (row, self->samples, error);
}

gboolean
dask_cluster_take_cost (DaskCluster *self, RoastWireReader *row, GError **error)
{
  double cost = roast_wire_reader_get_double (row, COST_SAMPLES) + roast_wire_reader_get_double (row, COST_HOOKS);

  if (!roast_wire_reader_check_row (row, error))
    return FALSE;
  self->cost = cost;

  return TRUE;
}

void
dask_cluster_finish (DaskCluster *self, gint64 now)
{
  if (isnan (self->cost))
    return;
  roast_table_writer_set_int64 (self->times, ROAST_EXECUTOR_TIMES_TIME, now);
  roast_table_writer_set_word (self->times, ROAST_EXECUTOR_TIMES_PART, ROAST_EXECUTOR_PART_ROAST);
  roast_table_writer_set_double (self->times, ROAST_EXECUTOR_TIMES_VALUE, self->cost);
  roast_table_writer_end (self->times, NULL);
}
