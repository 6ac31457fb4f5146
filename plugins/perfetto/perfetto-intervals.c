/* SPDX-License-Identifier: BSD-3-Clause */

/* Rows that take time and may overlap: on a track that is known, or spread over tracks of their own. */

#include "perfetto-intervals.h"

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

static void
lane_tracks_init (LaneTracks *self)
{
  self->lanes = lanes_new ();
  self->groups = g_array_new (FALSE, FALSE, sizeof (Group));
  g_array_set_clear_func (self->groups, clear_group);
  self->by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

static void
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

static guint64
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

/* FALSE if it cannot be drawn. */
static gboolean
get_times (const IntervalKind *kind, RoastTableReader *table, gint64 *started, gint64 *ended)
{
  *started = roast_table_reader_get_int64 (table, kind->started, -1);
  *ended = roast_table_reader_get_int64 (table, kind->ended, -1);
  if (*ended < 0 && kind->missing == INTERVAL_LASTS)
    *ended = G_MAXINT64;
  else if (*ended < 0 && kind->missing == INTERVAL_IS_INSTANT)
    *ended = *started;
  else if (*started < 0 && kind->missing != INTERVAL_IS_LEFT_OUT)
    *started = *ended;

  return trace_is_time (*started) && *ended >= *started && (*ended == G_MAXINT64 || trace_is_time (*ended));
}

static void
write_interval (Export *export, const IntervalKind *kind, RoastTableReader *table, guint64 track, TraceTexts *texts)
{
  Trace *trace = export->trace;
  guint name = 0, category = trace_get_text (trace, TRACE_CATEGORY, kind->category);
  gint64 started, ended;
  gboolean is_instant;

  get_times (kind, table, &started, &ended);
  is_instant = ended == started && kind->missing != INTERVAL_IS_LEFT_OUT;
  if (kind->name >= 0)
    name = trace_texts_get (&texts[INTERVAL_MOST_ARGUMENTS], trace, TRACE_NAME, table, (guint) kind->name);
  if (name == 0)
    name = trace_get_text (trace, TRACE_NAME, kind->category);
  if (is_instant)
    trace_begin_instant (trace, started, track, name, category);
  else
    trace_begin_slice (trace, started, track, name, category);
  export_put_cells (export, table, kind->arguments, kind->n_arguments, texts);
  trace_end_event (trace);
  if (!is_instant && ended != G_MAXINT64)
    trace_end_slice (trace, ended, track);
}

/* The groups of rows that are not on a track that is known; LANES_NONE for others, and for those that are left out. */
static GArray *
pack (Export *export, const IntervalKind *kind, RoastTableReader *table, LaneTracks *tracks, gpointer data)
{
  GArray *groups = g_array_new (FALSE, FALSE, sizeof (guint32));
  gint64 started, ended;

  for (gsize row = 0; roast_table_reader_next (table); row++)
    {
      gboolean is_drawn = get_times (kind, table, &started, &ended);
      gboolean is_placed = is_drawn && kind->get_track != NULL && kind->get_track (data, row) != 0;
      guint32 group = is_drawn && !is_placed ? kind->find_group (export, kind, tracks, table, row, data) : LANES_NONE;

      if (!is_placed && group == LANES_NONE)
        export_leave_out (export, kind->table, 1);
      lanes_add (tracks->lanes, group, started, ended);
      g_array_append_val (groups, group);
    }
  lanes_pack (tracks->lanes);
  roast_table_reader_rewind (table);

  return groups;
}

void
intervals_write (Export *export, const IntervalKind *kind, gpointer data)
{
  g_autoptr (RoastTableReader) table =
      roast_recording_snapshot_read_table (export->recording, kind->table, kind->columns, NULL);
  g_autoptr (GArray) groups = NULL;
  TraceTexts texts[INTERVAL_MOST_ARGUMENTS + 1] = { 0 };
  LaneTracks tracks;

  if (table == NULL)
    return;
  lane_tracks_init (&tracks);
  groups = pack (export, kind, table, &tracks, data);
  for (guint row = 0; roast_table_reader_next (table) && !trace_has_failed (export->trace); row++)
    {
      guint group = g_array_index (groups, guint32, row);
      guint64 track = 0;

      if (group != LANES_NONE)
        track = lane_tracks_get (&tracks, export, group, lanes_get (tracks.lanes, row));
      else if (kind->get_track != NULL)
        track = kind->get_track (data, row);
      if (track != 0)
        write_interval (export, kind, table, track, texts);
    }
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    trace_texts_clear (&texts[i]);
  lane_tracks_clear (&tracks);
}
