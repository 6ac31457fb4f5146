/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "analysis.h"

G_BEGIN_DECLS

/* An attempt that ended with a result. Times in s since the first submission of the run. */
typedef struct
{
  double submitted, ready, started, ended, noticed;
  guint32 row; /* in the table tasks */
  guint32 category, worker;
  float cores; /* that it holds */
} Attempt;

/* From then on there are so many more slots, or fewer. */
typedef struct
{
  double at;
  gint64 change;
} Step;

/* When the program submits a task: a time, or so long after the result with that number, from 1. */
typedef struct
{
  double delay;
  guint32 after; /* 0: @delay is a time */
} Release;

/* What the program waits for before it submits. */
typedef enum
{
  HABIT_OPEN,    /* nothing: the times of submission are its own */
  HABIT_KEEPS,   /* a result: it submits one task for each that ended */
  HABIT_WAITS,   /* all results of what it submitted before */
  HABIT_UNCLEAR, /* nothing, or all results: too few submissions to tell */
} Habit;

#define NO_TASK G_MAXUINT32

/* One executor's run, from which others are computed. */
typedef struct
{
  RoastRecordingSnapshot *recording;
  char *source;
  GArray *attempts; /* of Attempt, by their start */
  float *seconds;   /* that each ran */
  guint32 *slots;   /* that each holds */
  GArray *steps;    /* of Step, by time */
  GArray *joined;   /* of double, by worker of the attempts: when it joined */
  double unit;      /* cores of one slot: those of the smallest attempt */
  guint n_slots;    /* the most at a time */
  guint per_worker; /* slots; 0: workers differ */
  double elapsed;   /* s, until the last result was known */

  /* Medians, s: from a slot's end of one task to its next one, from ready to start where a slot was free, from the end
   * of a task until the executor knew of it. */
  double handover, wait, notice;
  guint32 *order;     /* attempts by submission */
  guint32 *releasers; /* the attempt whose end made each ready, or NO_TASK */
  Habit habit;
  Release *releases;  /* by attempt */
  Release *otherwise; /* the same without waiting for results, for HABIT_UNCLEAR; else NULL */
} Run;

/* FALSE if there is nothing to compute from; then @reason says why. */
gboolean run_read (Run *self, RoastRecordingSnapshot *recording, char **reason);
void run_clear (Run *self);

/* What the recorded times say of the executor and of the program. */
void run_infer (Run *self);

#define ENDLESS 0 /* slots: as many as there are tasks */

/* s until the last result is known, on so many slots. @seconds: how long each attempt runs. NaN if not all can run. */
double run_replay (const Run *self, guint n_slots, const Release *releases, const float *seconds);

/* Numbers of those that are much longer than others of their category, the longest first; @seconds gets what all
 * would take if these were no longer than the median. */
GArray *run_find_stragglers (const Run *run, float *seconds);
/* "without “x” (12 s), “y” (9 s) and 3 more" */
char *run_name_stragglers (const Run *run, const GArray *stragglers);

G_END_DECLS
