/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "framework-tasks.h"
#include "vine-attempts.h"
#include "vine-performance.h"

G_BEGIN_DECLS

/* Reads the transactions log of a manager line by line and passes each record to the object that it concerns. It opens
 * no files and waits for nothing, so a log gives the same rows whether it is followed from the start, joined late or
 * read after the end. */
typedef struct _VineReplay VineReplay;

typedef struct
{
  gint64 interval;       /* µs between samples */
  VineTaskLimit *tasks;  /* limit for rows of tasks */
  gboolean transfers;    /* whether to write rows of transfers */
  FrameworkTasks *roles; /* receives categories; may be NULL */
} VineReplayOptions;

typedef struct
{
  guint64 lines;
  guint64 unusable; /* malformed lines */
  guint64 unknown;  /* records of a kind unknown to roast */
  VineAttemptCounts tasks;
  VineWorkerCounts workers;
} VineCounts;

/* Times are µs since the epoch; -1 if unknown. */
typedef struct
{
  gint64 started, ended; /* from records of the manager */
  gint64 first, last;    /* times of lines */
  guint steps;           /* how often the clock was set back; each time an unknown duration is lost */
} VineTimes;

VineReplay *vine_replay_new (RoastRecording *recording, const char *source, const VineReplayOptions *options);
void vine_replay_free (VineReplay *self);

/* @line: without the newline */
void vine_replay_take_line (VineReplay *self, const char *line, gsize length);
/* Write sums and counts, which are not written with each line. */
void vine_replay_flush (VineReplay *self);
/* Write which attempts are running at @now, µs since the epoch. */
void vine_replay_tell (VineReplay *self, gint64 now);
/* End everything that is open, at the last time in the log, or at @now if the manager keeps running (µs since the
 * epoch, else -1). @performance: compared with the sums; may be NULL */
void vine_replay_finish (VineReplay *self, VinePerformance *performance, gint64 now);

/* Note that the manager died at @time, µs since the epoch. Everything still open ends then, unless the log has its end.
 */
void vine_replay_set_died (VineReplay *self, gint64 time);

/* Note that rows of all tables may be missing. */
void vine_replay_lose_rows (VineReplay *self, const char *reason);

VineCounts vine_replay_get_counts (VineReplay *self);
VineTimes vine_replay_get_times (VineReplay *self);
/* Return the workers, for adding facts that only the manager's status has. */
VineWorkers *vine_replay_get_workers (VineReplay *self);
/* Add the sums so far to @totals, a table from span_totals_totals_new(). */
void vine_replay_add_totals (VineReplay *self, GHashTable *totals);

G_END_DECLS
