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

/* The attempts under way, from TASK and LIBRARY records. An attempt that has ended is added to the totals, written as a
 * row and forgotten. */
typedef struct _VineAttempts VineAttempts;

typedef struct
{
  guint64 submitted; /* tasks */
  guint64 attempts, dispatched, returned, lost;
  guint64 unfinished, never_ran; /* at the end of the log; never_ran: tasks that were never given to a worker */
  guint64 waiting_again;         /* at the end of the log: tasks that had an attempt and were waiting for another */
  guint64 libraries;
  guint64 measured, unmeasured; /* done attempts with and without CPU time */
  guint64 given_back;           /* attempts given back by a worker that stayed */
  guint64 noticed;              /* attempts timed from when the manager had sent them until it noticed their end */
  guint64 calls;                /* function calls that are done */
  guint64 forked, ready; /* libraries that started; those among them for which a call shows when they were ready */
  guint64 coreless;      /* attempts that were given no cores, such as function calls */
  guint64 reused;        /* tasks that were submitted again after they were done */
  guint64 repeated;      /* attempts that were given to a worker twice */
  guint64 silent;        /* unfinished attempts whose workers may be dead */
  double execute;        /* execution time of retrieved attempts, s */
  gint64 skew;           /* greatest difference between clocks, µs */
} VineAttemptCounts;

/* Objects that attempts refer to, or are added to. */
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

/* Take the rest of a TASK record. Returns FALSE if it is malformed. */
gboolean vine_attempts_take_ready (VineAttempts *self, gint64 id, VineToken rest, gint64 time);
gboolean vine_attempts_take_running (VineAttempts *self, gint64 id, VineToken rest, gint64 time);
void vine_attempts_take_executed (VineAttempts *self, gint64 id, gint64 time);
gboolean vine_attempts_take_retrieved (VineAttempts *self, gint64 id, VineToken rest, gint64 time);
gboolean vine_attempts_take_done (VineAttempts *self, gint64 id, VineToken rest, gint64 time);
/* Take the state in a LIBRARY record. */
void vine_attempts_take_library (VineAttempts *self, gint64 id, VineToken state, gint64 time);
/* Write rows for attempts that have been running for a while. */
void vine_attempts_tell (VineAttempts *self, gint64 now);
/* End all attempts. @last: time of the last record */
void vine_attempts_finish (VineAttempts *self, gint64 time, gint64 last, gboolean is_over);

const VineAttemptCounts *vine_attempts_get_counts (VineAttempts *self);

G_END_DECLS
