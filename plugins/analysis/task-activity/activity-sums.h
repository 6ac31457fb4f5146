/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "activity-split.h"
#include "names-key.h"

G_BEGIN_DECLS

/* What used the CPU time of a worker's process. */
typedef enum
{
  ACTIVITY_PROCESS_STARTUP,
  ACTIVITY_PROCESS_EVENT_LOOP,
  ACTIVITY_PROCESS_TASK_THREADS,
  ACTIVITY_PROCESS_OTHER_THREADS,
  ACTIVITY_PROCESS_CHILDREN,
  ACTIVITY_PROCESS_N,
} ActivityProcess;

/* What tasks of one category, or of one worker, did. */
struct _ActivitySum
{
  NamesKey key;
  int role; /* of a category: a word of the vocabulary role */
  gboolean has_tasks;
  gint64 tasks, failed;
  gint64 timed;             /* tasks with a known duration */
  double busy;              /* s: in tasks, without what the executor does around them */
  double cpu, noncpu;       /* s: of it in threads, computing and not */
  double unsplit;           /* s: of noncpu, in which other threads may have computed */
  double unknown;           /* s: in attempts that failed or were cancelled, with unknown CPU time */
  double longest, in_tasks; /* s: by the rows of tasks */
  double bytes_out;
  double disk_read, disk_write;      /* bytes */
  double serialization, compression; /* s: both ways */

  /* of a worker */
  gint64 memory_peak, spilled_peak; /* -1 if not known */
  gboolean has_process;
  double process[ACTIVITY_PROCESS_N]; /* s of CPU time */
  gboolean is_asynchronous;           /* it ran tasks in its event loop */
};

/* Where something was done. Times of different places overlap and have no sum. */
typedef enum
{
  ACTIVITY_IN_TASKS = 1 << 0,
  ACTIVITY_SHUFFLE = 1 << 1,    /* beside tasks, for a shuffle */
  ACTIVITY_TWICE = 1 << 2,      /* counted among those in tasks as well */
  ACTIVITY_BETWEEN = 1 << 3,    /* between tasks */
  ACTIVITY_OF_PROCESS = 1 << 4, /* CPU time of processes, in which that of tasks is counted again */
} ActivityPlace;

/* One kind of activity of all workers. */
typedef struct
{
  const char *context, *activity, *unit;
  int activity_word, unit_word; /* -1 if it is not in the vocabulary */
  ActivityPlace place;
  double value;
} Activity;

typedef struct
{
  GPtrArray *categories; /* of ActivitySum */
  GArray *activities;    /* of Activity */
  GHashTable *sources;   /* names of those that recorded tasks or activities */
  gboolean has_activities;
  gboolean has_activities_by_worker; /* a worker is known of some of them */
  gboolean has_cpu;                  /* CPU time in tasks was recorded */
  gboolean is_limited;               /* a source records some activities only: others are unknown, not 0 */
  double unmeasured;                 /* s of tasks with unknown CPU time */
  double vague;                      /* s of tasks with an unknown start or end */
  guint64 n_tasks;
  double unsplit[ROAST_ROLE_N_WORDS]; /* s, of all tasks of a role */

  /*< private >*/
  ActivitySplit *split;
  GHashTable *by_category, *by_worker;
} ActivitySums;

ActivitySums *activity_sums_new (RoastRecordingSnapshot *recording);
void activity_sums_free (ActivitySums *self);
ActivitySum *activity_sums_get_worker (ActivitySums *self, const char *source, const char *worker);
/* CPU time of a worker's process without its children, s, as the worker reported it. */
double activity_sum_get_own_cpu (const ActivitySum *sum);
/* Whether CPU time in tasks is known, if only to be 0. */
gboolean activity_sums_knows_cpu (ActivitySums *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ActivitySums, activity_sums_free)

G_END_DECLS
