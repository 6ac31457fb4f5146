/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "activity-split.h"
#include "names-key.h"

/* Parts of the CPU time of a worker's process. */
typedef enum
{
  ACTIVITY_PROCESS_STARTUP,
  ACTIVITY_PROCESS_EVENT_LOOP,
  ACTIVITY_PROCESS_TASK_THREADS,
  ACTIVITY_PROCESS_OTHER_THREADS,
  ACTIVITY_PROCESS_CHILDREN,
  ACTIVITY_PROCESS_N,
} ActivityProcess;

/* Sums over the tasks of one category, or over the tasks of one worker. */
struct _ActivitySum
{
  NamesKey key;
  int role; /* word of the vocabulary role; set only for a category */
  gboolean has_tasks;
  gint64 tasks, failed;
  gint64 timed;             /* number of tasks with a known duration */
  double busy;              /* s: time in tasks, without the executor's work before and after them */
  double cpu, noncpu;       /* s: parts of @busy in which threads computed, and did not compute */
  double unsplit;           /* s: part of @noncpu in which other threads may have computed for the tasks */
  double unused;            /* s: core time that tasks with several cores held in addition to @cpu and @noncpu */
  double unknown;           /* s: time of failed or cancelled attempts with unknown CPU time */
  double longest, in_tasks; /* s: from the rows of tasks: longest duration, and sum of durations */
  double bytes_out;
  double disk_read, disk_write;      /* bytes */
  double serialization, compression; /* s: serializing and deserializing; compressing and decompressing */

  /* for a worker only: */
  gint64 memory_peak, spilled_peak; /* -1 if unknown */
  gboolean has_process;
  double process[ACTIVITY_PROCESS_N]; /* CPU time in s, by part */
  gboolean is_asynchronous;           /* the worker ran some tasks in its event loop */
};

/* Where an activity takes place. Times in different places must not be added up, because they overlap. */
typedef enum
{
  ACTIVITY_IN_TASKS = 1 << 0,
  ACTIVITY_SHUFFLE = 1 << 1,    /* work of a shuffle outside tasks */
  ACTIVITY_TWICE = 1 << 2,      /* time that is also contained in ACTIVITY_IN_TASKS */
  ACTIVITY_BETWEEN = 1 << 3,    /* work of workers between tasks */
  ACTIVITY_OF_PROCESS = 1 << 4, /* CPU time of processes, which includes the CPU time of tasks */
} ActivityPlace;

/* Sum of one kind of activity over all workers. */
typedef struct
{
  const char *context, *activity, *unit;
  int activity_word, unit_word; /* -1 if not in the vocabulary */
  ActivityPlace place;
  double value;
} Activity;

typedef struct
{
  GPtrArray *categories; /* elements are ActivitySum * */
  GArray *activities;    /* elements are Activity */
  GHashTable *sources;   /* names of the sources that recorded tasks or activities */
  gboolean has_activities;
  gboolean has_activities_by_worker; /* at least one activity names its worker */
  gboolean has_cpu;                  /* the CPU time of at least one task is known */
  gboolean is_limited;               /* a source records only some activities; other times are unknown, not 0 */
  double unmeasured;                 /* s: time of tasks whose CPU time is unknown */
  double vague;                      /* s: time of tasks whose start or end is unknown */
  guint64 n_tasks;
  guint64 untimed;                    /* number of attempts that ran but have no start or no end */
  double unsplit[ROAST_ROLE_N_WORDS]; /* s: unsplit time of all tasks of a role */

  /*< private >*/
  ActivitySplit *split;
  GHashTable *by_category, *by_worker;
} ActivitySums;

ActivitySums *activity_sums_new (RoastRecordingSnapshot *recording);
void activity_sums_free (ActivitySums *self);
ActivitySum *activity_sums_get_worker (ActivitySums *self, const char *source, const char *worker);
/* Return the CPU time in s of a worker's process without its children, as the worker reported it. */
double activity_sum_get_own_cpu (const ActivitySum *sum);
/* Return whether the CPU time of tasks was measured, even if it is 0. */
gboolean activity_sums_knows_cpu (ActivitySums *self);
