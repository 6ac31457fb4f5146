/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "vine-categories.h"
#include "vine-clock.h"
#include "vine-spans.h"
#include "vine-task-rows.h"
#include "vine-totals.h"
#include "vine-workers.h"

G_BEGIN_DECLS

/* The attempts that are under way, from TASK and LIBRARY records. An attempt that is over is added to the totals,
 * written as a row and forgotten. */
typedef struct _VineAttempts VineAttempts;

typedef struct
{
  guint64 submitted; /* tasks */
  guint64 attempts, dispatched, returned, lost;
  guint64 unfinished, never_ran; /* at the end of the log; never_ran: tasks that were given to no worker */
  guint64 waiting_again;         /* then: tasks that had an attempt, and waited for another one */
  guint64 libraries;
  guint64 measured, unmeasured; /* of those done: with and without CPU time */
  guint64 given_back;           /* by a worker that stayed */
  guint64 noticed;              /* that count from when the manager had sent them to when it heard of their end */
  guint64 calls;                /* of functions that are done */
  guint64 coreless;             /* that were given no cores, such as function calls */
  guint64 reused;               /* tasks that were submitted again after they were done */
  guint64 repeated;             /* attempts that were given to a worker twice */
  guint64 silent;               /* unfinished ones whose workers may be dead */
  double execute;               /* s: execution time of those that were retrieved */
  gint64 skew;                  /* greatest difference between clocks, µs */
} VineAttemptCounts;

/* What attempts refer to, and what they are added to. */
typedef struct
{
  const VineClock *clock;
  VineWorkers *workers;
  VineCategories *categories;
  VineSpans *spans;
  VineTotals *totals;
  VineTaskRows *rows;
} VineAttemptsContext;

VineAttempts *vine_attempts_new (const VineAttemptsContext *context);
void vine_attempts_free (VineAttempts *self);

/* Read the rest of a TASK record. FALSE if it is malformed. */
gboolean vine_attempts_take_ready (VineAttempts *self, gint64 id, VineToken rest, gint64 time);
gboolean vine_attempts_take_running (VineAttempts *self, gint64 id, VineToken rest, gint64 time);
void vine_attempts_take_executed (VineAttempts *self, gint64 id, gint64 time);
gboolean vine_attempts_take_retrieved (VineAttempts *self, gint64 id, VineToken rest, gint64 time);
gboolean vine_attempts_take_done (VineAttempts *self, gint64 id, VineToken rest, gint64 time);
/* Reads the state in a LIBRARY record. */
void vine_attempts_take_library (VineAttempts *self, gint64 id, VineToken state, gint64 time);
/* Writes that attempts run that have not ended for a while. */
void vine_attempts_tell (VineAttempts *self, gint64 now);
/* Ends all. @last: time of the last record */
void vine_attempts_finish (VineAttempts *self, gint64 time, gint64 last, gboolean is_over);

const VineAttemptCounts *vine_attempts_get_counts (VineAttempts *self);

G_END_DECLS
