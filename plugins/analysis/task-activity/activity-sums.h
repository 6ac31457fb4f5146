/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "activity-split.h"
#include "names-key.h"

G_BEGIN_DECLS

/* Uses of the CPU time of a worker's process. */
typedef enum
{
  ACTIVITY_PROCESS_STARTUP,
  ACTIVITY_PROCESS_EVENT_LOOP,
  ACTIVITY_PROCESS_TASK_THREADS,
  ACTIVITY_PROCESS_OTHER_THREADS,
  ACTIVITY_PROCESS_CHILDREN,
  ACTIVITY_PROCESS_N,
} ActivityProcess;

/* Activity of the tasks of one category or of one worker. */
struct _ActivitySum
{
  NamesKey key;
  int role; /* word of the vocabulary role; for a category */
  gboolean has_tasks;
  gint64 tasks, failed;
  gint64 timed;             /* tasks with a known duration */
  double busy;              /* s: in tasks, without the executor's work around them */
  double cpu, noncpu;       /* s: part of busy in threads, computing and not computing */
  double unsplit;           /* s: part of noncpu in which other threads may have computed */
  double unknown;           /* s: in failed or cancelled attempts with unknown CPU time */
  double longest, in_tasks; /* s: from the rows of tasks */
  double bytes_out;
  double disk_read, disk_write;      /* bytes */
  double serialization, compression; /* s: in both directions */

  /* for a worker only: */
  gint64 memory_peak, spilled_peak; /* -1 if unknown */
  gboolean has_process;
  double process[ACTIVITY_PROCESS_N]; /* s of CPU time */
  gboolean is_asynchronous;           /* the worker ran tasks in its event loop */
};

/* Place of an activity. Times of different places overlap, so they must not be added. */
typedef enum
{
  ACTIVITY_IN_TASKS = 1 << 0,
  ACTIVITY_SHUFFLE = 1 << 1,    /* for a shuffle, beside tasks */
  ACTIVITY_TWICE = 1 << 2,      /* also counted in tasks */
  ACTIVITY_BETWEEN = 1 << 3,    /* between tasks */
  ACTIVITY_OF_PROCESS = 1 << 4, /* CPU time of processes, which includes that of tasks */
} ActivityPlace;

/* One kind of activity of all workers. */
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
  gboolean has_activities_by_worker; /* at least one activity has a worker */
  gboolean has_cpu;                  /* CPU time in tasks was recorded */
  gboolean is_limited;               /* a source records only some activities; the others are unknown, not 0 */
  double unmeasured;                 /* s of tasks with unknown CPU time */
  double vague;                      /* s of tasks with an unknown start or end */
  guint64 n_tasks;
  guint64 untimed;                    /* attempts that ran, without a start or an end */
  double unsplit[ROAST_ROLE_N_WORDS]; /* s, over all tasks of a role */

  /*< private >*/
  ActivitySplit *split;
  GHashTable *by_category, *by_worker;
} ActivitySums;

ActivitySums *activity_sums_new (RoastRecordingSnapshot *recording);
void activity_sums_free (ActivitySums *self);
ActivitySum *activity_sums_get_worker (ActivitySums *self, const char *source, const char *worker);
/* Return the CPU time in s of a worker's process without its children, as the worker reported it. */
double activity_sum_get_own_cpu (const ActivitySum *sum);
/* Return whether CPU time in tasks is known, even if it is 0. */
gboolean activity_sums_knows_cpu (ActivitySums *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ActivitySums, activity_sums_free)

G_END_DECLS
