/* SPDX-License-Identifier: BSD-3-Clause */

/* What takes time at a worker beside its tasks, and may overlap: transfers, libraries. */

#include "perfetto.h"

typedef struct
{
  guint worker;
  char *name;
  GArray *tracks; /* guint64, by lane */
} Group;

static void
clear_group (gpointer data)
{
  g_free (((Group *) data)->name);
  g_array_unref (((Group *) data)->tracks);
}

void
lane_tracks_init (LaneTracks *self)
{
  self->lanes = lanes_new ();
  self->groups = g_array_new (FALSE, FALSE, sizeof (Group));
  g_array_set_clear_func (self->groups, clear_group);
  self->by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

void
lane_tracks_clear (LaneTracks *self)
{
  lanes_free (self->lanes);
  g_array_unref (self->groups);
  g_hash_table_unref (self->by_key);
}

guint
lane_tracks_get_group (LaneTracks *self, guint worker, const char *name)
{
  g_autofree char *key = g_strdup_printf ("%u %s", worker, name);
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_key, key));

  if (place == 0)
    {
      Group group = { worker, g_strdup (name), g_array_new (FALSE, TRUE, sizeof (guint64)) };

      g_array_append_val (self->groups, group);
      place = self->groups->len;
      g_hash_table_insert (self->by_key, g_steal_pointer (&key), GUINT_TO_POINTER (place));
    }

  return place - 1;
}

guint64
lane_tracks_get (LaneTracks *self, Export *export, guint place, guint lane)
{
  Group *group = &g_array_index (self->groups, Group, place);

  if (lane >= group->tracks->len)
    g_array_set_size (group->tracks, lane + 1);
  if (g_array_index (group->tracks, guint64, lane) == 0)
    {
      g_autofree char *name = g_strdup_printf ("%s %u", group->name, lane + 1);

      g_array_index (group->tracks, guint64, lane) =
          trace_add_track (export->trace, workers_get_track (export->workers, group->worker), name);
    }

  return g_array_index (group->tracks, guint64, lane);
}

/* ---- tables of intervals ---- */

#define MOST_ARGUMENTS 8

typedef struct
{
  const char *table;
  const char *const *columns;
  guint source, worker, started, ended;
  gboolean may_last; /* until the end of the recording, if the end is missing */
  int by;            /* column of a vocabulary: a track for each word, and the name of slices; -1: none */
  const char *name;  /* of tracks, and of slices if @by is -1 */
  guint arguments[MOST_ARGUMENTS];
  guint n_arguments;
} Kind;

static const Kind transfers = {
  .table = ROAST_TABLE_TRANSFERS,
  .columns = roast_transfers_columns,
  .source = ROAST_TRANSFERS_SOURCE,
  .worker = ROAST_TRANSFERS_WORKER,
  .started = ROAST_TRANSFERS_STARTED,
  .ended = ROAST_TRANSFERS_ENDED,
  .by = ROAST_TRANSFERS_DIRECTION,
  .name = "transfers",
  .arguments = { ROAST_TRANSFERS_NAME, ROAST_TRANSFERS_BYTES },
  .n_arguments = 2,
};

static const Kind libraries = {
  .table = ROAST_TABLE_LIBRARIES,
  .columns = roast_libraries_columns,
  .source = ROAST_LIBRARIES_SOURCE,
  .worker = ROAST_LIBRARIES_WORKER,
  .started = ROAST_LIBRARIES_SENT,
  .ended = ROAST_LIBRARIES_ENDED,
  .may_last = TRUE,
  .by = -1,
  .name = "library",
  .arguments = { ROAST_LIBRARIES_LIBRARY, ROAST_LIBRARIES_STATUS, ROAST_LIBRARIES_RESULT, ROAST_LIBRARIES_CORES,
                 ROAST_LIBRARIES_CALLS },
  .n_arguments = 5,
};

/* FALSE if it cannot be drawn. Something that was over at once is an instant. */
static gboolean
get_times (const Kind *kind, RoastTableReader *table, gint64 *started, gint64 *ended)
{
  *started = roast_table_reader_get_int64 (table, kind->started, -1);
  *ended = roast_table_reader_get_int64 (table, kind->ended, -1);
  if (*ended < 0 && kind->may_last)
    *ended = G_MAXINT64;
  else if (*ended < 0)
    *ended = *started;
  else if (*started < 0)
    *started = *ended;

  return trace_is_time (*started) && *ended >= *started && (*ended == G_MAXINT64 || trace_is_time (*ended));
}

static guint
find_group (LaneTracks *tracks, Export *export, const Kind *kind, WorkerCodes *codes, RoastTableReader *table)
{
  guint worker = workers_find (export->workers, codes, table, kind->source, kind->worker);
  const char *word = kind->by >= 0 ? roast_table_reader_get_string (table, (guint) kind->by) : NULL;
  g_autofree char *name = word != NULL ? g_strdup_printf ("%s %s", kind->name, word) : NULL;

  return lane_tracks_get_group (tracks, worker, name != NULL ? name : kind->name);
}

static void
write_interval (Export *export, const Kind *kind, RoastTableReader *table, guint64 track, TraceTexts *texts)
{
  gint64 started, ended;
  guint name, category = trace_get_text (export->trace, TRACE_CATEGORY, kind->name);

  if (!get_times (kind, table, &started, &ended))
    return;
  name =
      kind->by >= 0 ? trace_texts_get (&texts[MOST_ARGUMENTS], export->trace, TRACE_NAME, table, (guint) kind->by) : 0;
  if (name == 0)
    name = trace_get_text (export->trace, TRACE_NAME, kind->name);
  if (ended == started)
    trace_begin_instant (export->trace, started, track, name, category);
  else
    trace_begin_slice (export->trace, started, track, name, category);
  export_put_cells (export, table, kind->arguments, kind->n_arguments, texts);
  trace_end_event (export->trace);
  if (ended > started && ended != G_MAXINT64)
    trace_end_slice (export->trace, ended, track);
}

static void
write_table (Export *export, const Kind *kind)
{
  g_autoptr (RoastTableReader) table =
      roast_recording_snapshot_read_table (export->recording, kind->table, kind->columns, NULL);
  g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (guint32));
  TraceTexts texts[MOST_ARGUMENTS + 1] = { 0 };
  WorkerCodes codes = { 0 };
  LaneTracks tracks;
  gint64 started, ended;

  if (table == NULL)
    return;
  lane_tracks_init (&tracks);
  while (roast_table_reader_next (table))
    {
      guint32 group =
          get_times (kind, table, &started, &ended) ? find_group (&tracks, export, kind, &codes, table) : LANES_NONE;

      if (group == LANES_NONE)
        export_leave_out (export, kind->table, 1);
      lanes_add (tracks.lanes, group, started, ended);
      g_array_append_val (groups, group);
    }
  lanes_pack (tracks.lanes);
  roast_table_reader_rewind (table);
  for (guint i = 0; roast_table_reader_next (table) && !trace_has_failed (export->trace); i++)
    {
      guint group = g_array_index (groups, guint32, i);

      if (group != LANES_NONE)
        write_interval (export, kind, table, lane_tracks_get (&tracks, export, group, lanes_get (tracks.lanes, i)),
                        texts);
    }
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    trace_texts_clear (&texts[i]);
  worker_codes_clear (&codes);
  lane_tracks_clear (&tracks);
}

void
intervals_write_transfers (Export *export)
{
  write_table (export, &transfers);
}

void
intervals_write_libraries (Export *export)
{
  write_table (export, &libraries);
}
