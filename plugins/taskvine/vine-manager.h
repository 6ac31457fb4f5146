/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "vine-discovery.h"
#include "vine-replay.h"
#include "vine-status-poller.h"

G_BEGIN_DECLS

typedef struct
{
  VineReplayOptions replay;
  double quiet;           /* s without new lines after which a manager on another machine counts as dead */
  gint64 status_interval; /* µs between two status requests; 0 for none */
} VineManagerOptions;

/* One manager that is measured from its logs. It is a source of the recording. While the manager runs, its status adds
 * facts that the logs lack. */
typedef struct
{
  RoastRecording *recording;
  VineManagerOptions options;
  char *source, *directory, *version;
  int pid;
  VineLog *transactions, *performance; /* performance may be NULL */
  VineReplay *replay;
  VinePerformance *statistics;
  VineStatusPoller *poller; /* NULL if the manager's status is not requested */
  gboolean finished, truncated, broken;
  gboolean late;      /* whether the measurement was stopped before the log was read to its end */
  gboolean runs_here; /* the manager ran on this machine when its log was found */
  guint64 lines;      /* number of lines when the manager was last checked to be alive */
  gint64 checked;     /* time when the manager was last checked to be alive, monotonic, µs */
  gint64 died;        /* time when the manager died, µs since the epoch; -1 if it may still be running */
} VineManager;

/* Create a manager and take over the files of @logs. Returns NULL if a table cannot be written. */
VineManager *vine_manager_new (RoastRecording *recording, VineLogs *logs, const VineManagerOptions *options);
void vine_manager_free (VineManager *self);

/* Read about @bytes of each log. Returns FALSE if everything was read. */
gboolean vine_manager_read (VineManager *self, gsize bytes);
/* Add the number of bytes read from the manager's logs to @read, and the size of these logs to @all. */
void vine_manager_add_progress (VineManager *self, guint64 *read, guint64 *all);
/* If another manager has overwritten the log, end this manager and return the logs of the other manager. Else return
 * NULL. */
VineLogs *vine_manager_find_successor (VineManager *self);
/* Write the sums and counts, because they are not written with each line. */
void vine_manager_flush (VineManager *self);
/* Request the manager's status if the request is due. @now: monotonic time, µs */
void vine_manager_ask (VineManager *self, gint64 now);
/* Finish a manager that has ended. Returns FALSE if the manager may still write to its log. @why: reason why the log
 * may lack the record of the manager's end */
gboolean vine_manager_finish_ended (VineManager *self, const char *why);
/* Stop the measurement of the manager. @late: whether the logs were not read to their ends */
void vine_manager_finish (VineManager *self, const char *why, gboolean late);

/* Get the times of the manager's start and end. If they are unknown, get the times of the first and last line; -1 if
 * there are no lines. Return whether the end is known, from the log or from the end of the process. It is unknown if
 * the clock was set back. */
gboolean vine_manager_get_times (VineManager *self, gint64 *started, gint64 *ended);

G_END_DECLS
