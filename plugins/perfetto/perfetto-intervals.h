/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "perfetto.h"

/* ---- tracks of intervals that may overlap ---- */

/* Groups of lanes. The rows of a group are distributed over its lanes, because rows on the same track must not overlap.
 * Each lane becomes a track of the group's worker. The track is named after the group. */
typedef struct
{
  Lanes *lanes;
  GArray *groups;
  GHashTable *by_key;
} LaneTracks;

/* Returns the group of @worker that is called @name. Creates the group with a copy of @name if there is none. */
guint lane_tracks_get_group (LaneTracks *self, guint worker, const char *name);

/* ---- tables of intervals ---- */

#define INTERVAL_MOST_ARGUMENTS 16

/* What is drawn for a row without a start or an end. */
typedef enum
{
  INTERVAL_IS_LEFT_OUT,
  INTERVAL_IS_INSTANT,
  INTERVAL_LASTS,   /* if the end is missing, the row lasts until the end of the recording */
  INTERVAL_IS_OPEN, /* like INTERVAL_LASTS, but a row without a start is left out */
} IntervalMissing;

typedef struct _IntervalKind IntervalKind;

struct _IntervalKind
{
  const char *table;
  gboolean is_in_report; /* FALSE if the table is in the recording */
  const char *const *columns;
  guint started, ended, source; /* slots of the start, end and source; only run_write () uses @source */
  IntervalMissing missing;
  int name;                                     /* column with the names of slices; -1 to use @category as the name */
  const char *category;                         /* category of all slices; also the name of slices without a name */
  guint arguments[INTERVAL_MOST_ARGUMENTS + 1]; /* slots of the arguments; ends with ARGUMENTS_END */

  /* Returns the track for the current row of @table. If the row has no given track, returns 0 and sets @group to the
   * group over whose lanes such rows are distributed. */
  guint64 (*place) (Export *export, const IntervalKind *kind, LaneTracks *tracks, RoastTableReader *table, gsize row,
                    gpointer data, guint *group);
};

/* Gets the start and end of the current row of @table. Returns FALSE if the row cannot be drawn. */
gboolean intervals_get_times (const IntervalKind *kind, RoastTableReader *table, gint64 *started, gint64 *ended);
void intervals_write (Export *export, const IntervalKind *kind, gpointer data);
