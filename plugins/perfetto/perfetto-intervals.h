/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "perfetto.h"

G_BEGIN_DECLS

/* ---- tracks of intervals that may overlap ---- */

/* Groups of lanes: each has a parent and a name. */
typedef struct
{
  Lanes *lanes;
  GArray *groups;
  GHashTable *by_key;
} LaneTracks;

/* @name is copied; groups of one worker have different names. */
guint lane_tracks_get_group (LaneTracks *self, guint worker, const char *name);

/* ---- tables of which each row takes time ---- */

#define INTERVAL_MOST_ARGUMENTS 16

/* What a row is whose start or end is missing. */
typedef enum
{
  INTERVAL_IS_LEFT_OUT,
  INTERVAL_IS_INSTANT,
  INTERVAL_LASTS,   /* until the end of the recording, if its end is missing */
  INTERVAL_IS_OPEN, /* the same, but it is left out if its start is missing */
} IntervalMissing;

typedef struct _IntervalKind IntervalKind;

struct _IntervalKind
{
  const char *table;
  gboolean is_in_report; /* else in the recording */
  const char *const *columns;
  guint started, ended;
  IntervalMissing missing;
  int name;                                     /* column of the names of slices; -1: @category */
  const char *category;                         /* of slices, and the name of those that have none */
  guint arguments[INTERVAL_MOST_ARGUMENTS + 1]; /* up to ARGUMENTS_END */

  /* The track of a row, which is the current one of @table; 0 if it has none. */
  guint64 (*get_track) (Export *export, const IntervalKind *kind, RoastTableReader *table, gsize row, gpointer data);

  /* The group of a row without a track: it is spread over lanes. LANES_NONE: it is left out. NULL: all are. If it is
   * set, get_track () is called twice for a row. */
  guint (*find_group) (Export *export, const IntervalKind *kind, LaneTracks *tracks, RoastTableReader *table, gsize row,
                       gpointer data);
};

/* FALSE if the current row of @table cannot be drawn. */
gboolean intervals_get_times (const IntervalKind *kind, RoastTableReader *table, gint64 *started, gint64 *ended);
void intervals_write (Export *export, const IntervalKind *kind, gpointer data);

G_END_DECLS
