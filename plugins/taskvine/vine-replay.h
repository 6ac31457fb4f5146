/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "vine-performance.h"

G_BEGIN_DECLS

/*
 * A manager's transactions, played again: its lines in, rows out. Pure: it opens nothing and waits for nothing, so that
 * a log that is followed, one that is joined late and one that was over give the same rows.
 */
typedef struct _VineReplay VineReplay;

typedef struct
{
  gint64 interval;    /* of samples that are kept, µs */
  guint64 max_tasks;  /* rows of tasks at most */
  gboolean transfers; /* rows of transfers */
} VineReplayOptions;

/* What was counted, rows or not. */
typedef struct
{
  guint64 lines;
  guint64 unusable, unknown;
  guint64 submitted, attempts, dispatched, returned, lost, interrupted, waiting;
  guint64 joined, left;
  guint64 unnamed; /* of those that joined: no connection was told */
  guint64 libraries;
  double execute; /* s: of all attempts that were retrieved */
} VineCounts;

VineReplay *vine_replay_new (RoastRecording *recording, const char *source, const VineReplayOptions *options);
void vine_replay_free (VineReplay *self);

/* Without the end of the line. */
void vine_replay_take_line (VineReplay *self, const char *line, gsize length);
/* Writes what has changed of sums and counts, which are not written with each line. */
void vine_replay_flush (VineReplay *self);
/* Nothing more comes, since it is over (@still: -1; what is open is closed with the last time that was told), or since
 * nobody listens any more (@still: when that was). @performance may be NULL: it is compared with. */
void vine_replay_finish (VineReplay *self, VinePerformance *performance, gint64 still);

const VineCounts *vine_replay_get_counts (VineReplay *self);
/* Process of the manager; 0 before its first line. */
gint64 vine_replay_get_pid (VineReplay *self);
/* When the manager started and when it ended; -1 as long as it is not said. */
gint64 vine_replay_get_started (VineReplay *self);
gint64 vine_replay_get_ended (VineReplay *self);
/* Of the first line, and of the last; -1 before. */
gint64 vine_replay_get_first (VineReplay *self);
gint64 vine_replay_get_last (VineReplay *self);
/* "all", "some" or "none" of the attempts that ended well have measured CPU time. */
gboolean vine_replay_is_measured (VineReplay *self, gboolean *all);
void vine_replay_add_totals (VineReplay *self, GHashTable *totals);

/* What only the manager's status tells of who is connected from @address. */
void vine_replay_set_host (VineReplay *self, const char *address, const char *host);
/* Bytes; -1 if it is not known. */
void vine_replay_set_disk (VineReplay *self, const char *address, gint64 time, gint64 disk_used);

G_END_DECLS
