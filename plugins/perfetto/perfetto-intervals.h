/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "perfetto.h"

G_BEGIN_DECLS

/* ---- tracks of intervals that may overlap ---- */

/* Groups of lanes. Each group has a parent and a name. */
typedef struct
{
  Lanes *lanes;
  GArray *groups;
  GHashTable *by_key;
} LaneTracks;

/* Returns the group with this name at @worker. Creates it if needed, copying @name. */
guint lane_tracks_get_group (LaneTracks *self, guint worker, const char *name);

/* ---- tables of intervals ---- */

#define INTERVAL_MOST_ARGUMENTS 16

/* How to draw a row whose start or end is missing. */
typedef enum
{
  INTERVAL_IS_LEFT_OUT,
  INTERVAL_IS_INSTANT,
  INTERVAL_LASTS,   /* without an end: until the end of the recording */
  INTERVAL_IS_OPEN, /* same, but left out if the start is missing */
} IntervalMissing;

typedef struct _IntervalKind IntervalKind;

struct _IntervalKind
{
  const char *table;
  gboolean is_in_report; /* else in the recording */
  const char *const *columns;
  guint started, ended, source; /* @source: only for run_write () */
  IntervalMissing missing;
  int name;                                     /* column with names of slices; -1: @category */
  const char *category;                         /* category of slices, and name of unnamed slices */
  guint arguments[INTERVAL_MOST_ARGUMENTS + 1]; /* up to ARGUMENTS_END */

  /* Returns the track of the current row of @table; or 0, and sets @group to the group over whose lanes such rows are
   * spread. */
  guint64 (*place) (Export *export, const IntervalKind *kind, LaneTracks *tracks, RoastTableReader *table, gsize row,
                    gpointer data, guint *group);
};

/* Returns FALSE if the current row of @table cannot be drawn. */
gboolean intervals_get_times (const IntervalKind *kind, RoastTableReader *table, gint64 *started, gint64 *ended);
void intervals_write (Export *export, const IntervalKind *kind, gpointer data);

G_END_DECLS
