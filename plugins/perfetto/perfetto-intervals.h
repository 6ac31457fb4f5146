/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "perfetto.h"

G_BEGIN_DECLS

/* ---- tracks of intervals that may overlap ---- */

/* Groups of lanes. Each group has a name and the worker under which its tracks are shown. */
typedef struct
{
  Lanes *lanes;
  GArray *groups;
  GHashTable *by_key;
} LaneTracks;

/* Returns the group called @name of @worker. Creates the group if it does not exist, and copies @name. */
guint lane_tracks_get_group (LaneTracks *self, guint worker, const char *name);

/* ---- tables of intervals ---- */

#define INTERVAL_MOST_ARGUMENTS 16

/* Ways to draw a row that lacks its start or end. */
typedef enum
{
  INTERVAL_IS_LEFT_OUT,
  INTERVAL_IS_INSTANT,
  INTERVAL_LASTS,   /* a row without an end lasts until the end of the recording */
  INTERVAL_IS_OPEN, /* like INTERVAL_LASTS, but a row without a start is left out */
} IntervalMissing;

typedef struct _IntervalKind IntervalKind;

struct _IntervalKind
{
  const char *table;
  gboolean is_in_report; /* FALSE: the table is in the recording */
  const char *const *columns;
  guint started, ended, source; /* slots of the start, end and source; only run_write () uses @source */
  IntervalMissing missing;
  int name;                                     /* column with the names of slices; -1: @category is the name */
  const char *category;                         /* category of all slices, and name of slices without a name */
  guint arguments[INTERVAL_MOST_ARGUMENTS + 1]; /* slots of the arguments; ends with ARGUMENTS_END */

  /* Returns the track of the current row of @table. If the row has no track of its own, returns 0 and sets @group to
   * the group that spreads such rows over its lanes. */
  guint64 (*place) (Export *export, const IntervalKind *kind, LaneTracks *tracks, RoastTableReader *table, gsize row,
                    gpointer data, guint *group);
};

/* Gets the times of the current row of @table. Returns FALSE if the row cannot be drawn. */
gboolean intervals_get_times (const IntervalKind *kind, RoastTableReader *table, gint64 *started, gint64 *ended);
void intervals_write (Export *export, const IntervalKind *kind, gpointer data);

G_END_DECLS
