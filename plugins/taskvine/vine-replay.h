/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "framework-tasks.h"
#include "vine-attempts.h"
#include "vine-performance.h"

G_BEGIN_DECLS

/*
 * Reads the transactions log of a manager line by line and hands each record to the object that it concerns. It opens
 * nothing and waits for nothing: a log that is followed, one that is joined late and one that is finished give the same
 * rows.
 */
typedef struct _VineReplay VineReplay;

typedef struct
{
  gint64 interval;       /* between samples, µs */
  VineTaskLimit *tasks;  /* for rows of tasks */
  gboolean transfers;    /* whether to write rows of transfers */
  FrameworkTasks *roles; /* of categories; may be NULL */
} VineReplayOptions;

typedef struct
{
  guint64 lines;
  guint64 unusable; /* malformed lines */
  guint64 unknown;  /* records of a kind that roast does not know */
  VineAttemptCounts tasks;
  VineWorkerCounts workers;
} VineCounts;

/* µs since the epoch; -1 if unknown */
typedef struct
{
  gint64 started, ended; /* records of the manager */
  gint64 first, last;    /* lines */
  guint steps;           /* how often the clock was set back: all may be longer by the time that is lost then */
} VineTimes;

VineReplay *vine_replay_new (RoastRecording *recording, const char *source, const VineReplayOptions *options);
void vine_replay_free (VineReplay *self);

/* @line: without the newline */
void vine_replay_take_line (VineReplay *self, const char *line, gsize length);
/* Writes sums and counts, which are not written with each line. */
void vine_replay_flush (VineReplay *self);
/* Writes which attempts run at @now, µs since the epoch. */
void vine_replay_tell (VineReplay *self, gint64 now);
/* Ends what is open, at the last time in the log; or, if the manager goes on, at @now (µs since the epoch, else -1).
 * @performance: compared with the sums; may be NULL */
void vine_replay_finish (VineReplay *self, VinePerformance *performance, gint64 now);

/* The manager is known to have died at @time, µs since the epoch: what is open then ends, if the log has no end of it.
 */
void vine_replay_set_died (VineReplay *self, gint64 time);

VineCounts vine_replay_get_counts (VineReplay *self);
VineTimes vine_replay_get_times (VineReplay *self);
/* To add what only the manager's status has. */
VineWorkers *vine_replay_get_workers (VineReplay *self);
/* Adds the sums so far to @totals, a table of span_totals_totals_new(). */
void vine_replay_add_totals (VineReplay *self, GHashTable *totals);

G_END_DECLS
