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
  double busy;        /* s: all that was done in the context of tasks */
  double cpu, wait;   /* s: of it in threads, computing and not */
  double longest, in_tasks; /* s: by the rows of tasks */
  double bytes_out;
} FineSum;

/* One kind of activity of all workers. */
typedef struct
{
  const char *context, *activity, *unit;
  double value;
} FineActivity;

typedef struct
{
  GPtrArray *prefixes;   /* of FineSum */
  GPtrArray *workers;    /* of FineSum */
  GPtrArray *activities; /* of FineActivity */
  GHashTable *sources;   /* names of those that tell of tasks or activities */
  gboolean has_activities;
  guint64 n_tasks;

  /*< private >*/
  GHashTable *by_prefix, *by_worker, *by_activity;
} FineSums;

FineSums *fine_sums_new      (RoastRecordingSnapshot *recording);
void      fine_sums_free     (FineSums *self);
/* Of what tasks did (execute, p2p) or, with @transfer, of what workers did between them. 0 if there is none. */
double    fine_sums_activity (FineSums *self, gboolean transfer, const char *activity, const char *unit);
/* NULL if there is none. */
FineSum  *fine_sums_find_worker (FineSums *self, const char *source, const char *worker);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FineSums, fine_sums_free)

G_END_DECLS
