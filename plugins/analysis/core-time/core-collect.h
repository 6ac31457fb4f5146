/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "core-time.h"

G_BEGIN_DECLS

/* State needed while the tables are read. */
typedef struct
{
  RoastRecordingSnapshot *recording;
  RoastRunModel *model;
  GPtrArray *sources;    /* elements are CoreSource * */
  GHashTable *by_name;   /* source name to CoreSource */
  GArray *places;        /* elements are guint: the place among the workers of its source, by worker of the model */
  gint64 started, ended; /* start and end of the run; ended is -1 if the recording has no end */
} CoreCollection;

/* Return NULL if the source has no workers with slots. */
CoreSource *core_collection_get_source (CoreCollection *self, const char *source);
/* Return CORE_TIME_NO_WORKER if the worker has no slots. */
guint core_collection_get_worker (CoreCollection *self, const char *source, const char *worker);
gint32 core_cores_to_amount (double cores);

/* Each adds the events of one table. */
void core_collect_libraries (CoreCollection *self);
/* Also finds the stretches of the sources, by which it adds the CPU time of attempts. Call it last but for the
 * activities. */
void core_collect_tasks (CoreCollection *self);
/* Add activities that workers report for their processes and outside the threads of tasks. */
void core_collect_activities (CoreCollection *self);

G_END_DECLS
