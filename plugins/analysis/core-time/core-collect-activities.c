/* SPDX-License-Identifier: BSD-3-Clause */

/* Collect the work that workers do outside the threads of tasks: CPU time of other threads and child processes, and
 * time that other threads spend for attempts. */

#include "activity-key.h"
#include "core-collect.h"
#include "partial-sum.h"

static gboolean
is_seconds (RoastTableReader *activities)
{
  return roast_table_reader_get_word (activities, ROAST_ACTIVITIES_UNIT) == ROAST_UNIT_SECONDS &&
         roast_table_reader_has (activities, ROAST_ACTIVITIES_VALUE);
}

static void
collect_activities_add_to_process (CoreSource *source, CoreWorker *worker, int activity, double seconds)
{
  source->has_other_cpu = TRUE;
  partial_sum_add (&worker->other_cpu,
                   activity == ROAST_ACTIVITY_OTHER_THREADS || activity == ROAST_ACTIVITY_CHILDREN ? seconds : 0);
}

static void
add_to_tasks (CoreSource *source, CoreWorker *worker, int activity, double seconds)
{
  switch (activity)
    {
    case ROAST_ACTIVITY_THREAD_CPU:
    case ROAST_ACTIVITY_THREAD_NONCPU:
      source->in_threads += seconds;
      break;
    case ROAST_ACTIVITY_SERIALIZE:
    case ROAST_ACTIVITY_DESERIALIZE:
    case ROAST_ACTIVITY_COMPRESS:
    case ROAST_ACTIVITY_DECOMPRESS:
    case ROAST_ACTIVITY_OFFLOAD:
      worker->serialise += seconds;
      break;
    case ROAST_ACTIVITY_DISK_READ:
    case ROAST_ACTIVITY_DISK_WRITE:
      worker->spill += seconds;
      break;
    case ROAST_ACTIVITY_CANCELLED:
      worker->cancelled += seconds;
      break;
    default:
      break;
    }
}

static gboolean
is_serialising (int activity)
{
  return activity == ROAST_ACTIVITY_SERIALIZE || activity == ROAST_ACTIVITY_DESERIALIZE ||
         activity == ROAST_ACTIVITY_COMPRESS || activity == ROAST_ACTIVITY_DECOMPRESS;
}

static void
add_to_transfers (CoreWorker *worker, int context, int activity, double seconds)
{
  if (context == ROAST_CONTEXT_FETCH)
    worker->fetch += seconds;
  if (context == ROAST_CONTEXT_FETCH && is_serialising (activity))
    worker->fetch_serialise += seconds;
  if (context == ROAST_CONTEXT_SERVE && is_serialising (activity))
    worker->serve_serialise += seconds;
}

static void
add_to_actors (CoreWorker *worker, int activity, double seconds)
{
  if (activity == ROAST_ACTIVITY_THREAD_CPU)
    worker->actor_cpu += seconds;
  if (activity == ROAST_ACTIVITY_THREAD_NONCPU)
    worker->actor_wait += seconds;
}

/* Clear knows_fetch of each source that lacks some activities: one of those may have been a fetch of data. */
static void
read_coverage (CoreCollection *self)
{
  g_autoptr (RoastTableReader) sources = roast_sources_read (self->recording);

  while (roast_table_reader_next (sources))
    {
      CoreSource *source =
          core_collection_get_source (self, roast_table_reader_get_string (sources, ROAST_SOURCES_SOURCE));
      int coverage = roast_table_reader_get_word (sources, ROAST_SOURCES_ACTIVITIES);

      if (source != NULL && coverage >= 0 && coverage != ROAST_COVERAGE_ALL)
        source->knows_fetch = FALSE;
    }
}

/* Read only the last row of each key, because the values of activities are cumulative. */
void
core_collect_activities (CoreCollection *self)
{
  g_autoptr (RoastTableReader) activities = roast_activities_read (self->recording);

  roast_table_reader_last_per (activities, activity_key, G_N_ELEMENTS (activity_key));
  while (roast_table_reader_next (activities))
    {
      const char *name = roast_table_reader_get_string (activities, ROAST_ACTIVITIES_SOURCE);
      int context = roast_table_reader_get_word (activities, ROAST_ACTIVITIES_CONTEXT);
      int activity = roast_table_reader_get_word (activities, ROAST_ACTIVITIES_ACTIVITY);
      double seconds = roast_table_reader_get_double (activities, ROAST_ACTIVITIES_VALUE);
      CoreSource *source = core_collection_get_source (self, name);
      CoreWorker *worker = NULL;
      guint index;

      if (source == NULL || !is_seconds (activities) ||
          (context != ROAST_CONTEXT_PROCESS && context != ROAST_CONTEXT_EXECUTE && context != ROAST_CONTEXT_FETCH &&
           context != ROAST_CONTEXT_SERVE && context != ROAST_CONTEXT_ACTORS))
        continue;
      index =
          core_collection_get_worker (self, name, roast_table_reader_get_string (activities, ROAST_ACTIVITIES_WORKER));
      if (index == CORE_TIME_NO_WORKER)
        continue;
      worker = &g_array_index (source->workers, CoreWorker, index);
      if (context == ROAST_CONTEXT_PROCESS)
        collect_activities_add_to_process (source, worker, activity, seconds);
      else if (context == ROAST_CONTEXT_EXECUTE)
        add_to_tasks (source, worker, activity, seconds);
      else if (context == ROAST_CONTEXT_ACTORS)
        add_to_actors (worker, activity, seconds);
      else
        add_to_transfers (worker, context, activity, seconds);
      source->knows_fetch |= context != ROAST_CONTEXT_PROCESS;
    }
  read_coverage (self);
}
