/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "analysis.h"
#include "each.h"

/* An attempt that ended with a result. Times are in s since the first submission of the run. */
typedef struct
{
  double submitted, ready, started, ended, noticed;
  guint32 row; /* row number in the table tasks */
  guint32 category, worker;
  float cores; /* cores that the attempt held */
} Attempt;

/* A change in the number of slots at one time. */
typedef struct
{
  double at;
  gint64 change;
} Step;

/* Time at which the program submits a task: fixed, or @delay after a result is known. */
typedef struct
{
  double delay;
  guint32 after; /* number of the result, counted from 1; 0 if the time is fixed and is @delay */
} Release;

/* Event for which the program waits before it submits a task. */
typedef enum
{
  HABIT_OPEN,    /* no event: the submission times do not depend on results */
  HABIT_KEEPS,   /* a result: for each task that ended, the program submits one new task */
  HABIT_WAITS,   /* the results of all tasks submitted before */
  HABIT_UNCLEAR, /* unknown: either no event or all results; there are too few submissions to decide */
} Habit;

#define NO_TASK G_MAXUINT32

/* Attempts and slots of one executor. run_replay () computes how long the run would take with other slots. */
typedef struct
{
  RoastRecordingSnapshot *recording;
  char *source;
  GArray *attempts; /* elements are Attempt, sorted by start */
  float *seconds;   /* run time of each attempt */
  guint32 *slots;   /* slots that each attempt holds */
  GArray *steps;    /* elements are Step, sorted by time */
  GArray *joined;   /* elements are double: time at which each worker joined, s */
  double unit;      /* number of cores of one slot: the cores that the smallest attempt held */
  guint n_slots;    /* largest number of slots at one time */
  guint per_worker; /* number of slots of each worker; 0 if workers have different numbers */
  double elapsed;   /* time from the first submission until the last result was known, s */

  /* Medians in s. @handover: time from the end of a task to the start of the next task in the same slot. @wait: time
   * from when a task is ready until it starts, if a slot is free. @notice: time from the end of a task until the
   * executor knows that the task has ended. */
  double handover, wait, notice;
  guint32 *order;     /* attempts in the order of submission */
  guint32 *results;   /* attempts in the order in which the executor noticed their ends */
  guint32 *releasers; /* for each attempt, the attempt whose result made it ready, or NO_TASK */
  Habit habit;
  Release *releases;  /* release of each attempt */
  Release *otherwise; /* releases if the program does not wait for results; NULL unless habit is HABIT_UNCLEAR */
} Run;

/* Return FALSE and set @reason if the recording lacks the times of tasks or the cores of workers. */
gboolean run_read (Run *self, RoastRecordingSnapshot *recording, char **reason);
void run_clear (Run *self);

/* Infer habits of the executor and of the program from the recorded times. */
void run_infer (Run *self);

#define ENDLESS 0 /* value of @n_slots with which no task waits for a slot */

/* Return the time in s that the run would take with @n_slots slots, until its last result is known; NaN if an attempt
 * needs more slots than that. @seconds: run time of each attempt, s */
double run_replay (const Run *self, guint n_slots, const Release *releases, const float *seconds);

/* Return the time in s that an attempt of a category would take for no events, from a linear fit; NaN if this time is
 * unknown. @reason: set to the reason if the time is unknown */
double run_find_start_up (const Run *run, guint32 category, const char **reason);
/* Set @merged to a copy of the run in which up to @n neighbouring attempts of a category are merged into one attempt.
 * The merged attempt is shorter than the sum of its members by @saved s for each member but the first. The elements of
 * merged->attempts are empty. Free @merged with run_clear (). */
void run_merge (const Run *self, guint32 category, guint n, double saved, Run *merged);

/* Return the indices of attempts that took much longer than others of their category, longest first. Set @seconds to
 * the run times of all attempts, but for these attempts to the median of their category. */
GArray *run_find_stragglers (const Run *run, float *seconds);
/* Return a text such as "without “x” (12 s), “y” (9 s) and 3 more". */
char *run_name_stragglers (const Run *run, const GArray *stragglers);
