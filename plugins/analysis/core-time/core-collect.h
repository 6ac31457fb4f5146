/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "core-time.h"

G_BEGIN_DECLS

/* What is needed while the tables are read. */
typedef struct
{
  RoastRecordingSnapshot *recording;
  GPtrArray *sources;    /* of CoreSource */
  GHashTable *by_name;   /* of CoreSource */
  GHashTable *by_worker; /* "source\nworker" to the index of a worker + 1 */
  gint64 started, ended; /* of the run; ended -1 if the recording has no end */
} CoreCollection;

/* NULL if the source has no workers with slots. */
CoreSource *core_collection_get_source (CoreCollection *self, const char *source);
/* CORE_TIME_NO_WORKER if it has no slots. */
guint core_collection_get_worker (CoreCollection *self, const char *source, const char *worker);
gint32 core_cores_to_amount (double cores);

/* Each adds the events of one table. */
void core_collect_libraries (CoreCollection *self);
void core_collect_tasks (CoreCollection *self);
/* CPU time of attempts, by stretches, which must be known. */
void core_collect_cpu (CoreCollection *self);
/* What workers report of their processes and of activities beside the threads of tasks. */
void core_collect_activities (CoreCollection *self);

G_END_DECLS
