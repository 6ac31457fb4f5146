/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "analysis.h"

G_BEGIN_DECLS

/* An attempt that ended with a result. Times are in s since the first submission of the run. */
typedef struct
{
  double submitted, ready, started, ended, noticed;
  guint32 row; /* row number in the table tasks */
  guint32 category, worker;
  float cores; /* cores held */
} Attempt;

/* A change of the number of slots. */
typedef struct
{
  double at;
  gint64 change;
} Step;

/* When the program submits a task: at a time, or some time after a result. */
typedef struct
{
  double delay;
  guint32 after; /* number of the result, from 1; 0 if @delay is a time */
} Release;

/* Event that the program waits for before it submits. */
typedef enum
{
  HABIT_OPEN,    /* nothing: the program submits at times of its own */
  HABIT_KEEPS,   /* a result: the program submits one task for each task that ended */
  HABIT_WAITS,   /* all results of the tasks submitted before */
  HABIT_UNCLEAR, /* nothing, or all results: too few submissions to tell */
} Habit;

#define NO_TASK G_MAXUINT32

/* The run of one executor, from which times on other slots are computed. */
typedef struct
{
  RoastRecordingSnapshot *recording;
  char *source;
  GArray *attempts; /* elements are Attempt, sorted by start */
  float *seconds;   /* run time of each attempt */
  guint32 *slots;   /* slots that each attempt holds */
  GArray *steps;    /* elements are Step, sorted by time */
  GArray *joined;   /* elements are double: when each worker joined */
  double unit;      /* cores of one slot: those of the smallest attempt */
  guint n_slots;    /* largest number at a time */
  guint per_worker; /* slots of each worker; 0 if workers differ */
  double elapsed;   /* s until the last result was known */

  /* Medians in s: from the end of a task to the start of the next task in its slot; from ready to start if a slot was
   * free; from the end of a task until the executor knew of it. */
  double handover, wait, notice;
  guint32 *order;     /* attempts in the order of submission */
  guint32 *results;   /* attempts in the order of notice */
  guint32 *releasers; /* attempt whose result made each attempt ready, or NO_TASK */
  Habit habit;
  Release *releases;  /* indexed by attempt */
  Release *otherwise; /* releases without waiting for results, for HABIT_UNCLEAR; else NULL */
} Run;

/* Return FALSE and set @reason if there is nothing to compute from. */
gboolean run_read (Run *self, RoastRecordingSnapshot *recording, char **reason);
void run_clear (Run *self);

/* Infer habits of the executor and of the program from the recorded times. */
void run_infer (Run *self);

#define ENDLESS 0 /* number of slots: as many as there are tasks */

/* Return the time in s until the last result is known, on @n_slots slots; NaN if not all attempts can run. @seconds has
 * the run time of each attempt. */
double run_replay (const Run *self, guint n_slots, const Release *releases, const float *seconds);

/* Return the time in s that attempts of a category would take without events; NaN with @reason if it is unknown. */
double run_find_start_up (const Run *run, guint32 category, const char **reason);
/* Set @merged to the run with up to @n neighbouring attempts of a category as one attempt, which saves @saved s for
 * each attempt fewer. Its attempts have no times of their own. Free it with run_clear (). */
void run_merge (const Run *self, guint32 category, guint n, double saved, Run *merged);

/* Return the indices of attempts that are much longer than others of their category, the longest first. Set @seconds to
 * the run times of all attempts, with these attempts at the median. */
GArray *run_find_stragglers (const Run *run, float *seconds);
/* Return a text such as "without “x” (12 s), “y” (9 s) and 3 more". */
char *run_name_stragglers (const Run *run, const GArray *stragglers);

G_END_DECLS
