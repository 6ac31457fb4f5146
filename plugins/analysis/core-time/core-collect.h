/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "core-time.h"

/* State of reading the tables of a recording, shared by the functions below. */
typedef struct
{
  RoastRecordingSnapshot *recording;
  RoastRunModel *model;
  GPtrArray *sources;    /* elements are CoreSource * */
  GHashTable *by_name;   /* Maps the name of a source to its CoreSource. */
  GArray *places;        /* Maps the index of a worker in the model to its index (guint) in CoreSource.workers. */
  gint64 started, ended; /* start and end of the run; ended is -1 if the recording has no end */
} CoreCollection;

/* Return NULL if the source has no workers with slots. */
CoreSource *core_collection_get_source (CoreCollection *self, const char *source);
/* Return CORE_TIME_NO_WORKER if the worker has no slots. */
guint core_collection_get_worker (CoreCollection *self, const char *source, const char *worker);
gint32 core_cores_to_amount (double cores);

/* Add the events of the table libraries. */
void core_collect_libraries (CoreCollection *self);
/* Add the events of the table tasks. Then find the stretches of all sources, and divide the CPU time of attempts among
 * these stretches. Call this function after core_collect_libraries(), because the stretches depend on all events. */
void core_collect_tasks (CoreCollection *self);
/* Add the time that workers report in the table activities: the CPU time of their processes, and the time of work
 * outside the threads of tasks. */
void core_collect_activities (CoreCollection *self);
