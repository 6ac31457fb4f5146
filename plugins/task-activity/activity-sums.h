/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* What tasks of one kind, or of one worker, did. */
typedef struct
{
  const char *name;
  const char *source; /* of a worker */
  gboolean is_processor;
  gboolean has_tasks;
  gint64 tasks, failed;
  gint64 timed;             /* tasks of which it is known how long they took */
  double busy;              /* s: all that was done in the context of tasks */
  double cpu, wait;         /* s: of it in threads, computing and not */
  double longest, in_tasks; /* s: by the rows of tasks */
  double bytes_out;
  double disk_read, disk_write; /* bytes */
} ActivitySum;

/* Where something was done. Times of different places overlap: they have no sum. */
typedef enum
{
  ACTIVITY_IN_TASKS = 1 << 0, /* execute */
  ACTIVITY_SHUFFLE = 1 << 1,  /* p2p: what Dask's shuffle did beside tasks */
  ACTIVITY_TWICE = 1 << 2,    /* p2p: what its tasks did, which is in execute as well */
  ACTIVITY_BETWEEN = 1 << 3,  /* what workers did between tasks */
} ActivityPlace;

/* One kind of activity of all workers. */
typedef struct
{
  const char *context, *activity, *unit;
  ActivityPlace place;
  const char *label; /* the activity, without where in a shuffle it was */
  double value;
} Activity;

typedef struct
{
  GPtrArray *prefixes;   /* of ActivitySum */
  GPtrArray *workers;    /* of ActivitySum */
  GPtrArray *activities; /* of Activity */
  GHashTable *sources;   /* names of those that tell of tasks or activities */
  gboolean has_activities;
  gboolean has_cpu;    /* somebody told of computing and waiting in tasks */
  gboolean is_limited; /* somebody tells of some activities only: what is not told is not known, rather than 0 */
  double unmeasured;   /* s of tasks of which it is not known whether they computed */
  double vague;        /* s of tasks of which it is not known when they began or end */
  guint64 n_tasks;

  /*< private >*/
  GHashTable *by_prefix, *by_worker, *by_activity;
} ActivitySums;

ActivitySums *activity_sums_new (RoastRecordingSnapshot *recording);
void activity_sums_free (ActivitySums *self);
/* Of all @places. 0 if there is none. */
double activity_sums_activity (ActivitySums *self, ActivityPlace places, const char *label, const char *unit);
gboolean activity_sums_tells (ActivitySums *self, ActivityPlace places, const char *label, const char *unit);
/* NULL if there is none. */
ActivitySum *activity_sums_find_worker (ActivitySums *self, const char *source, const char *worker);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ActivitySums, activity_sums_free)

G_END_DECLS
