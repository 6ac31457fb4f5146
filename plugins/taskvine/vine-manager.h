/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "vine-discovery.h"
#include "vine-replay.h"
#include "vine-status-poller.h"

G_BEGIN_DECLS

typedef struct
{
  VineReplayOptions replay;
  double quiet;           /* s of silence after which a manager whose process is not visible counts as dead */
  gint64 status_interval; /* µs between two status requests; 0 for none */
} VineManagerOptions;

/* One manager measured from its logs: a source of the recording. While the manager runs, its status adds facts that the
 * logs lack. */
typedef struct
{
  RoastRecording *recording;
  VineManagerOptions options;
  char *source, *directory, *version;
  int pid;
  VineLog *transactions, *performance; /* performance may be NULL */
  VineReplay *replay;
  VinePerformance *statistics;
  VineStatusPoller *poller; /* NULL if its status is not requested */
  gboolean finished, truncated, broken;
  gboolean late;      /* the log was not read to its end */
  gboolean runs_here; /* it ran on this machine when its log was found */
  guint64 lines;      /* lines at the last check whether it is alive */
  gint64 checked;     /* monotonic, µs */
  gint64 died;        /* µs since the epoch; -1 if it may still be running */
} VineManager;

/* Take over the files of @logs. Returns NULL if a table cannot be written. */
VineManager *vine_manager_new (RoastRecording *recording, VineLogs *logs, const VineManagerOptions *options);
void vine_manager_free (VineManager *self);

/* Read about @bytes of each log. Returns FALSE if everything was read. */
gboolean vine_manager_read (VineManager *self, gsize bytes);
/* Add the number of bytes read from its logs, and the size of the logs. */
void vine_manager_add_progress (VineManager *self, guint64 *read, guint64 *all);
/* If another manager has overwritten the log, end this manager and return the logs of the other. Else return NULL. */
VineLogs *vine_manager_find_successor (VineManager *self);
/* Write sums and counts, which are not written with each line. */
void vine_manager_flush (VineManager *self);
/* Request the status if it is due (@now: monotonic, µs). */
void vine_manager_ask (VineManager *self, gint64 now);
/* Finish a manager that has ended. Returns FALSE if it may still write. @why: why its log may have no end */
gboolean vine_manager_finish_ended (VineManager *self, const char *why);
/* Stop the measurement. @late: the logs were not read to their ends */
void vine_manager_finish (VineManager *self, const char *why, gboolean late);

/* Get the times of its start and end, or of the first and last line; -1 if there are no lines. Return whether the end
 * is known, from the log or from the end of the process. It is unknown if the clock was set back. */
gboolean vine_manager_get_times (VineManager *self, gint64 *started, gint64 *ended);

G_END_DECLS
