/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "vine-discovery.h"
#include "vine-replay.h"
#include "vine-status-poller.h"

typedef struct
{
  VineReplayOptions replay;
  double quiet;           /* s; a manager on another machine counts as dead after this time without new lines */
  gint64 status_interval; /* µs between two requests of the status; 0: no requests */
} VineManagerOptions;

/* One manager that is measured from its logs, and is a source of the recording. While the manager runs, roast also
 * requests its status, which contains facts that the logs lack. */
typedef struct
{
  RoastRecording *recording;
  VineManagerOptions options;
  char *source, *directory, *version;
  int pid;
  VineLog *transactions, *performance; /* performance may be NULL */
  VineReplay *replay;
  VinePerformance *statistics;
  VineStatusPoller *poller; /* NULL if the status of the manager is not requested */
  gboolean finished, truncated, broken;
  gboolean late;      /* the measurement was stopped before the log was read to its end */
  gboolean runs_here; /* the manager ran on this machine when its log was found */
  guint64 lines;      /* number of lines in the log when roast last checked whether the manager was alive */
  gint64 checked;     /* time when roast last checked whether the manager was alive, monotonic, µs */
  gint64 died;        /* time when the manager died, µs since the epoch; -1 if it may still be alive */
} VineManager;

/* Create a manager. Takes ownership of the files of @logs. Returns NULL if a table cannot be written. */
VineManager *vine_manager_new (RoastRecording *recording, VineLogs *logs, const VineManagerOptions *options);
void vine_manager_free (VineManager *self);

/* Read about @bytes of each log. Returns FALSE if both logs were read to their ends. */
gboolean vine_manager_read (VineManager *self, gsize bytes);
/* Add to @read the number of bytes that were read from the manager's logs, and to @all the size of these logs. */
void vine_manager_add_progress (VineManager *self, guint64 *read, guint64 *all);
/* If another manager has overwritten the log, end this manager and return the logs of the other manager. Otherwise
 * return NULL. */
VineLogs *vine_manager_find_successor (VineManager *self);
/* Write sums and counts. They are not written with each line of the log. */
void vine_manager_flush (VineManager *self, gboolean with_sums);
/* Request the manager's status if it is time for a request. @now: monotonic time, µs */
void vine_manager_ask (VineManager *self, gint64 now);
/* Finish the manager if it has ended. Returns FALSE if it may still write to its log. @why: reason why the log may lack
 * the record of the manager's end */
gboolean vine_manager_finish_ended (VineManager *self, const char *why);
/* Stop the measurement of the manager. @why: as in the previous function; @late: whether the logs were not read to
 * their ends */
void vine_manager_finish (VineManager *self, const char *why, gboolean late);

/* Get the times of the manager's start and end. Instead of an unknown time, get the time of the first or last line; -1
 * if there are no lines. Return whether the end is known, either from the log or from the end of the process. The end
 * is unknown if the clock was set back. */
gboolean vine_manager_get_times (VineManager *self, gint64 *started, gint64 *ended);
