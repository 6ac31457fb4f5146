/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "vine-discovery.h"
#include "vine-replay.h"

G_BEGIN_DECLS

/* One manager that is measured from its logs: a source of the recording. While it runs, its status adds what the logs
 * lack. */
typedef struct _VineManager VineManager;

typedef struct
{
  VineReplayOptions replay;
  double quiet;           /* s of silence after which a manager whose process is not visible counts as dead */
  gint64 status_interval; /* between two requests for its status, µs; 0: never */
} VineManagerOptions;

/* Takes the files of @logs. NULL if a table cannot be written. */
VineManager *vine_manager_new (RoastRecording *recording, VineLogs *logs, const VineManagerOptions *options);
void vine_manager_free (VineManager *self);

/* Reads about @bytes of each log. FALSE if everything was read. */
gboolean vine_manager_read (VineManager *self, gsize bytes);
/* Adds the bytes of its logs that were read, and all of them. */
void vine_manager_add_progress (VineManager *self, guint64 *read, guint64 *all);
/* If another manager has overwritten the log: ends this one and returns the logs of the other. Else NULL. */
VineLogs *vine_manager_find_successor (VineManager *self);
/* Writes what is not written with each line. */
void vine_manager_flush (VineManager *self);
/* Asks for the status if it is time (@now: monotonic, µs). */
void vine_manager_ask (VineManager *self, gint64 now);
/* Finishes a manager that has ended. FALSE if it may still write. @why: why its log may have no end */
gboolean vine_manager_finish_ended (VineManager *self, const char *why);
/* Stops the measurement. @late: the logs were not read to their ends */
void vine_manager_finish (VineManager *self, const char *why, gboolean late);

gboolean vine_manager_has_log (VineManager *self, VineLog *transactions);
/* Times of its start and end, or of the first and last line; -1 without lines. */
void vine_manager_get_times (VineManager *self, gint64 *started, gint64 *ended);
/* Whether it is known when the manager ended: from its log, or since its process ended. It is not if the clock was set
 * back. */
gboolean vine_manager_has_end (VineManager *self);
/* Whether it ran on this machine when its log was found. */
gboolean vine_manager_runs_here (VineManager *self);
/* Adds the sums so far to @totals, a table of span_totals_totals_new(). */
void vine_manager_add_totals (VineManager *self, GHashTable *totals);

G_END_DECLS
