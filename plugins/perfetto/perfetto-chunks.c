/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes the rows of the tables chunks and task_phases. If a row lies within the attempt of its task, it is drawn
 * inside that attempt. Otherwise it is drawn on a separate track next to the slots of its worker or process. */

#include "perfetto-intervals.h"

static guint64
place_phase (Export *export, const IntervalKind *kind, LaneTracks *tracks, RoastTableReader *table, gsize row,
             gpointer details, guint *group)
{
  const char *phase = roast_table_reader_get_string (table, ROAST_TASK_PHASES_PHASE);
  guint worker;
  guint64 track = details_get_track (details, row, &worker);

  if (track == 0 && worker != LANES_NONE)
    *group = lane_tracks_get_group (tracks, worker, phase != NULL ? phase : kind->category);

  return track;
}

static guint64
place_chunk (Export *export, const IntervalKind *kind, LaneTracks *tracks, RoastTableReader *table, gsize row,
             gpointer details, guint *group)
{
  guint worker;
  guint64 track = details_get_track (details, details_get_n_phases (details) + row, &worker);

  if (worker == LANES_NONE)
    worker = workers_find_process (export->workers, roast_table_reader_get_string (table, ROAST_CHUNKS_HOST),
                                   roast_table_reader_get_int64 (table, ROAST_CHUNKS_PID, 0));
  if (track == 0)
    *group = lane_tracks_get_group (tracks, worker, kind->category);

  return track;
}

static const IntervalKind phases = {
  .table = ROAST_TABLE_TASK_PHASES,
  .columns = roast_task_phases_columns,
  .started = ROAST_TASK_PHASES_STARTED,
  .ended = ROAST_TASK_PHASES_ENDED,
  .name = ROAST_TASK_PHASES_PHASE,
  .category = "phase",
  .arguments = { ROAST_TASK_PHASES_TASK, ROAST_TASK_PHASES_ATTEMPT, ROAST_TASK_PHASES_BYTES, ARGUMENTS_END },
  .place = place_phase,
};

static const IntervalKind chunks = {
  .table = ROAST_TABLE_CHUNKS,
  .columns = roast_chunks_columns,
  .started = ROAST_CHUNKS_STARTED,
  .ended = ROAST_CHUNKS_ENDED,
  .name = ROAST_CHUNKS_DATASET,
  .category = "chunk",
  .arguments = { ROAST_CHUNKS_CHUNK, ROAST_CHUNKS_TASK, ROAST_CHUNKS_DATASET, ROAST_CHUNKS_FILE, ROAST_CHUNKS_TREE,
                 ROAST_CHUNKS_ENTRY_START, ROAST_CHUNKS_ENTRY_STOP, ROAST_CHUNKS_EVENTS, ROAST_CHUNKS_BYTES_READ,
                 ROAST_CHUNKS_ERROR, ROAST_CHUNKS_ERROR_MESSAGE, ROAST_CHUNKS_OPEN_TIME, ROAST_CHUNKS_PROCESS_TIME,
                 ROAST_CHUNKS_THREAD_CPU, ROAST_CHUNKS_MEMORY_PEAK, ROAST_CHUNKS_CACHED, ARGUMENTS_END },
  .place = place_chunk,
};

void
chunks_write (Export *export, Details *details)
{
  intervals_write (export, &phases, details);
  intervals_write (export, &chunks, details);
}
