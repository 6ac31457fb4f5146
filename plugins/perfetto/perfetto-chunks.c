/* SPDX-License-Identifier: BSD-3-Clause */

/* Phases that have rows of their own, and chunks: inside of the attempt that they belong to, or else on tracks beside
 * the slots of their worker or process. */

#include "perfetto.h"

#define MOST_ARGUMENTS 20

typedef struct
{
  const char *table;
  const char *const *columns;
  guint started, ended, name;
  const char *category; /* of slices, and name of tracks */
  guint arguments[MOST_ARGUMENTS];
  guint n_arguments;
} Kind;

static const Kind phases = {
  .table = ROAST_TABLE_TASK_PHASES,
  .columns = roast_task_phases_columns,
  .started = ROAST_TASK_PHASES_STARTED,
  .ended = ROAST_TASK_PHASES_ENDED,
  .name = ROAST_TASK_PHASES_PHASE,
  .category = "phase",
  .arguments = { ROAST_TASK_PHASES_TASK, ROAST_TASK_PHASES_ATTEMPT, ROAST_TASK_PHASES_BYTES },
  .n_arguments = 3,
};

static const Kind chunks = {
  .table = ROAST_TABLE_CHUNKS,
  .columns = roast_chunks_columns,
  .started = ROAST_CHUNKS_STARTED,
  .ended = ROAST_CHUNKS_ENDED,
  .name = ROAST_CHUNKS_DATASET,
  .category = "chunk",
  .arguments = { ROAST_CHUNKS_CHUNK, ROAST_CHUNKS_TASK, ROAST_CHUNKS_DATASET, ROAST_CHUNKS_FILE, ROAST_CHUNKS_TREE,
                 ROAST_CHUNKS_ENTRY_START, ROAST_CHUNKS_ENTRY_STOP, ROAST_CHUNKS_EVENTS, ROAST_CHUNKS_BYTES_READ,
                 ROAST_CHUNKS_ERROR, ROAST_CHUNKS_ERROR_MESSAGE, ROAST_CHUNKS_OPEN_TIME, ROAST_CHUNKS_PROCESS_TIME,
                 ROAST_CHUNKS_THREAD_CPU, ROAST_CHUNKS_MEMORY_PEAK, ROAST_CHUNKS_CACHED },
  .n_arguments = 16,
};

static gboolean
get_times (const Kind *kind, RoastTableReader *table, gint64 *started, gint64 *ended)
{
  *started = roast_table_reader_get_int64 (table, kind->started, -1);
  *ended = roast_table_reader_get_int64 (table, kind->ended, -1);

  return trace_is_time (*started) && trace_is_time (*ended) && *ended >= *started;
}

/* Of a row that is not inside of an attempt; LANES_NONE if it has no place. */
static guint
find_group (LaneTracks *tracks, Export *export, const Kind *kind, RoastTableReader *table, guint worker)
{
  const char *name = kind->category;

  if (kind == &phases)
    name = roast_table_reader_get_string (table, ROAST_TASK_PHASES_PHASE);
  else if (worker == LANES_NONE)
    worker = workers_find_process (export->workers, roast_table_reader_get_string (table, ROAST_CHUNKS_HOST),
                                   roast_table_reader_get_int64 (table, ROAST_CHUNKS_PID, 0));

  return worker != LANES_NONE ? lane_tracks_get_group (tracks, worker, name != NULL ? name : kind->category)
                              : LANES_NONE;
}

static void
write_row (Export *export, const Kind *kind, RoastTableReader *table, guint64 track, TraceTexts *texts)
{
  Trace *trace = export->trace;
  guint name = trace_texts_get (&texts[MOST_ARGUMENTS], trace, TRACE_NAME, table, kind->name);
  gint64 started, ended;

  get_times (kind, table, &started, &ended);
  trace_begin_slice (trace, started, track, name != 0 ? name : trace_get_text (trace, TRACE_NAME, kind->category),
                     trace_get_text (trace, TRACE_CATEGORY, kind->category));
  export_put_cells (export, table, kind->arguments, kind->n_arguments, texts);
  trace_end_event (trace);
  trace_end_slice (trace, ended, track);
}

static void
write_table (Export *export, Details *details, gsize first, const Kind *kind)
{
  g_autoptr (RoastTableReader) table =
      roast_recording_snapshot_read_table (export->recording, kind->table, kind->columns, NULL);
  g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (guint32));
  TraceTexts texts[MOST_ARGUMENTS + 1] = { 0 };
  LaneTracks tracks;
  guint worker;
  gint64 started, ended;

  if (table == NULL)
    return;
  lane_tracks_init (&tracks);
  for (guint i = 0; roast_table_reader_next (table); i++)
    {
      guint64 track = details_get_track (details, first + i, &worker);
      gboolean is_drawn = get_times (kind, table, &started, &ended);
      guint32 group = is_drawn && track == 0 ? find_group (&tracks, export, kind, table, worker) : LANES_NONE;

      if (track == 0 && group == LANES_NONE)
        export_leave_out (export, kind->table, 1);
      lanes_add (tracks.lanes, group, started, ended);
      g_array_append_val (groups, group);
    }
  lanes_pack (tracks.lanes);
  roast_table_reader_rewind (table);
  for (guint i = 0; roast_table_reader_next (table) && !trace_has_failed (export->trace); i++)
    {
      guint64 track = details_get_track (details, first + i, &worker);
      guint group = g_array_index (groups, guint32, i);

      if (track == 0 && group != LANES_NONE)
        track = lane_tracks_get (&tracks, export, group, lanes_get (tracks.lanes, i));
      if (track != 0)
        write_row (export, kind, table, track, texts);
    }
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    trace_texts_clear (&texts[i]);
  lane_tracks_clear (&tracks);
}

void
chunks_write_phases (Export *export, Details *details)
{
  write_table (export, details, 0, &phases);
}

void
chunks_write (Export *export, Details *details)
{
  write_table (export, details, details_get_n_phases (details), &chunks);
}
