/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes rows that have a start and an end. Rows may overlap in time. Each row is drawn on a given track, or on one of
 * the tracks of its group. */

#include "perfetto-intervals.h"

typedef struct
{
  guint worker;
  char *name;
  GArray *tracks; /* elements are guint64: for each lane, the track on which its rows are drawn */
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

gboolean
intervals_get_times (const IntervalKind *kind, RoastTableReader *table, gint64 *started, gint64 *ended)
{
  *started = roast_table_reader_get_int64 (table, kind->started, -1);
  *ended = roast_table_reader_get_int64 (table, kind->ended, -1);
  if (*ended < 0 && (kind->missing == INTERVAL_LASTS || kind->missing == INTERVAL_IS_OPEN))
    *ended = G_MAXINT64;
  else if (*ended < 0 && kind->missing == INTERVAL_IS_INSTANT)
    *ended = *started;
  else if (*started < 0 && (kind->missing == INTERVAL_LASTS || kind->missing == INTERVAL_IS_INSTANT))
    *started = *ended;

  return trace_is_interval (*started, *ended);
}

static void
write_interval (Export *export, const IntervalKind *kind, RoastTableReader *table, guint64 track)
{
  Trace *trace = export->trace;
  guint category = trace_get_text (trace, TRACE_CATEGORY, kind->category);
  const char *text = kind->name >= 0 ? roast_table_reader_get_string (table, (guint) kind->name) : NULL;
  guint name = trace_get_text (trace, TRACE_NAME, text != NULL ? text : kind->category);
  gint64 started, ended;
  gboolean is_instant;

  intervals_get_times (kind, table, &started, &ended);
  is_instant = ended == started && (kind->missing == INTERVAL_IS_INSTANT || kind->missing == INTERVAL_LASTS);
  if (is_instant)
    trace_begin_instant (trace, started, track, name, category);
  else
    trace_begin_slice (trace, started, track, name, category);
  export_put_cells (export, table, kind->arguments);
  trace_end_event (trace);
  if (!is_instant && ended != G_MAXINT64)
    trace_end_slice (trace, ended, track);
}

/* Where a row is drawn: on @track; if @track is 0, in any lane of @group. */
typedef struct
{
  guint64 track;
  guint group;
} RowPlace;

static GArray *
place_rows (Export *export, const IntervalKind *kind, RoastTableReader *table, LaneTracks *tracks, gpointer data)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (RowPlace));
  gint64 started, ended;

  for (gsize row = 0; roast_table_reader_next (table); row++)
    {
      RowPlace place = { 0, LANES_NONE };

      if (intervals_get_times (kind, table, &started, &ended))
        place.track = kind->place (export, kind, tracks, table, row, data, &place.group);
      lanes_add (tracks->lanes, place.group, started, ended);
      g_array_append_val (places, place);
    }
  lanes_pack (tracks->lanes);
  roast_table_reader_rewind (table);

  return places;
}

static RoastTableReader *
read_table (Export *export, const IntervalKind *kind)
{
  if (kind->is_in_report)
    return roast_report_read_table (export->report, kind->table, kind->columns, NULL);

  return roast_recording_snapshot_read_table (export->recording, kind->table, kind->columns, NULL);
}

void
intervals_write (Export *export, const IntervalKind *kind, gpointer data)
{
  g_autoptr (RoastTableReader) table = read_table (export, kind);
  g_autoptr (GArray) places = NULL;
  LaneTracks tracks;

  if (table == NULL)
    return;
  lane_tracks_init (&tracks);
  places = place_rows (export, kind, table, &tracks, data);
  for (guint row = 0; roast_table_reader_next (table) && !trace_has_failed (export->trace); row++)
    {
      const RowPlace *place = &g_array_index (places, RowPlace, row);
      guint64 track = place->group == LANES_NONE
                          ? place->track
                          : lane_tracks_get (&tracks, export, place->group, lanes_get (tracks.lanes, row));

      if (track != 0)
        write_interval (export, kind, table, track);
      else
        export_leave_out (export, kind->table);
    }
  lane_tracks_clear (&tracks);
}
