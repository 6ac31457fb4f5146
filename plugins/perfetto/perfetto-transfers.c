/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes intervals of workers other than tasks: lifetimes of workers, transfers and libraries. These intervals may
 * overlap. */

#include "perfetto-intervals.h"

static guint64
add_life (Export *export, const IntervalKind *kind, LaneTracks *tracks, RoastTableReader *table, gsize row,
          gpointer data, guint *group)
{
  guint worker = workers_find (export->workers, table, ROAST_WORKERS_SOURCE, ROAST_WORKERS_WORKER);

  return trace_add_track (export->trace, workers_get_track (export->workers, worker), "worker");
}

static guint64
place_transfers (Export *export, const IntervalKind *kind, LaneTracks *tracks, RoastTableReader *table, gsize row,
                 gpointer data, guint *group)
{
  guint worker = workers_find (export->workers, table, ROAST_TRANSFERS_SOURCE, ROAST_TRANSFERS_WORKER);
  const char *direction = roast_table_reader_get_string (table, ROAST_TRANSFERS_DIRECTION);
  g_autofree char *name = direction != NULL ? g_strdup_printf ("%s %s", kind->category, direction) : NULL;

  *group = lane_tracks_get_group (tracks, worker, name != NULL ? name : kind->category);

  return 0;
}

static guint64
place_libraries (Export *export, const IntervalKind *kind, LaneTracks *tracks, RoastTableReader *table, gsize row,
                 gpointer data, guint *group)
{
  guint worker = workers_find (export->workers, table, ROAST_LIBRARIES_SOURCE, ROAST_LIBRARIES_WORKER);

  *group = lane_tracks_get_group (tracks, worker, kind->category);

  return 0;
}

static const IntervalKind lives = {
  .table = ROAST_TABLE_WORKERS,
  .columns = roast_workers_columns,
  .started = ROAST_WORKERS_JOINED,
  .ended = ROAST_WORKERS_LEFT,
  .missing = INTERVAL_IS_OPEN,
  .name = -1,
  .category = "worker",
  .arguments = { ROAST_WORKERS_WORKER, ROAST_WORKERS_HOST, ROAST_WORKERS_PID, ROAST_WORKERS_CORES,
                 ROAST_WORKERS_MEMORY_LIMIT, ROAST_WORKERS_CPU, ROAST_WORKERS_MEMORY_PEAK, ROAST_WORKERS_LEAVE_REASON,
                 ROAST_WORKERS_CAUSE, ROAST_WORKERS_EXIT_CODE, ROAST_WORKERS_SIGNAL, ROAST_WORKERS_OOM_KILLED,
                 ROAST_WORKERS_MISSING, ARGUMENTS_END },
  .place = add_life,
};

static const IntervalKind transfers = {
  .table = ROAST_TABLE_TRANSFERS,
  .columns = roast_transfers_columns,
  .started = ROAST_TRANSFERS_STARTED,
  .ended = ROAST_TRANSFERS_ENDED,
  .missing = INTERVAL_IS_INSTANT,
  .name = ROAST_TRANSFERS_DIRECTION,
  .category = "transfers",
  .arguments = { ROAST_TRANSFERS_NAME, ROAST_TRANSFERS_BYTES, ARGUMENTS_END },
  .place = place_transfers,
};

static const IntervalKind libraries = {
  .table = ROAST_TABLE_LIBRARIES,
  .columns = roast_libraries_columns,
  .started = ROAST_LIBRARIES_SENT,
  .ended = ROAST_LIBRARIES_ENDED,
  .missing = INTERVAL_LASTS,
  .name = -1,
  .category = "library",
  .arguments = { ROAST_LIBRARIES_LIBRARY, ROAST_LIBRARIES_STATUS, ROAST_LIBRARIES_RESULT, ROAST_LIBRARIES_CORES,
                 ROAST_LIBRARIES_CALLS, ARGUMENTS_END },
  .place = place_libraries,
};

void
workers_write_lives (Export *export)
{
  intervals_write (export, &lives, NULL);
}

void
transfers_write (Export *export)
{
  intervals_write (export, &libraries, NULL);
  intervals_write (export, &transfers, NULL);
}
