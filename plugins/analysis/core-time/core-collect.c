/* SPDX-License-Identifier: BSD-3-Clause */

/* Collect sources, their workers, and the reasons why the data of a source are incomplete. */

#include "core-collect.h"
#include "core-claims.h"
#include "coverage.h"
#include "each.h"
#include "notes.h"

#define MAX_CORES 2000

/* Workers also report how long their task threads ran, as a sum. Attempts count as missing if this sum exceeds the time
 * of all attempts that have a row by more than this share plus MISSING_SECONDS. */
#define MISSING_SHARE 0.05
#define MISSING_SECONDS 1.0

static CoreSource *
add_source (CoreCollection *self, const char *name)
{
  CoreSource *source = core_source_new (name, (double) self->started, (double) self->ended);

  g_ptr_array_add (self->sources, source);
  g_hash_table_insert (self->by_name, source->name, source);

  return source;
}

CoreSource *
core_collection_get_source (CoreCollection *self, const char *source)
{
  return source != NULL ? g_hash_table_lookup (self->by_name, source) : NULL;
}

guint
core_collection_get_worker (CoreCollection *self, const char *source, const char *worker)
{
  const RoastRunWorker *found = roast_run_model_find_worker (self->model, source, worker);

  return found != NULL ? g_array_index (self->places, guint, found->index) : CORE_TIME_NO_WORKER;
}

gint32
core_cores_to_amount (double cores)
{
  return (gint32) lround (CLAMP (cores, 0, MAX_CORES) * CORE_EVENTS_PER_CORE);
}

/* ---- workers ---- */

/* Add the capacity of a worker from the time when it joined until it left. If the worker was lost, also mark the last
 * part of this time, for which no data arrived. */
static void
collect_add_life (CoreCollection *self, CoreSource *source, const RoastRunWorker *worker, guint index)
{
  gint64 joined = (gint64) worker->joined;
  gint64 left = isnan (worker->left) ? self->ended : (gint64) worker->left;
  gint32 cores = core_cores_to_amount (worker->cores);
  CoreWorker *life = &g_array_index (source->workers, CoreWorker, index);

  life->joined = joined;
  life->left = left;
  if (left <= joined)
    return;
  core_source_add_line (source, CORE_LINE_WORKERS, joined, left);
  core_events_add (source->events, joined, CHANGE_CAPACITY, index, cores);
  core_events_add (source->events, left, CHANGE_CAPACITY, index, -cores);
  if (worker->tail_lost > 0)
    {
      gint64 silent = MAX (joined, left - (gint64) (worker->tail_lost * G_USEC_PER_SEC));

      core_events_add (source->events, silent, CHANGE_BLIND, index, 1);
      core_events_add (source->events, left, CHANGE_BLIND, index, -1);
    }
}

/* Add the workers of the model to their sources. Leave out processes, because they offer no slots. */
static void
collect_read_workers (CoreCollection *self)
{
  guint n;
  const RoastRunWorker *workers = roast_run_model_get_workers (self->model, &n);

  for (guint i = 0; i < n; i++)
    {
      const CoreWorker first = { .other_cpu = NAN };
      guint place = CORE_TIME_NO_WORKER;
      CoreSource *source = NULL;

      if (workers[i].source != NULL && !workers[i].is_process)
        {
          source = core_collection_get_source (self, workers[i].source);
          if (source == NULL)
            source = add_source (self, workers[i].source);
          if (workers[i].cores > 0 && !isnan (workers[i].joined))
            place = source->workers->len;
          else
            source->n_without_cores++;
          source->most_cores = fmax (source->most_cores, workers[i].cores);
        }
      g_array_append_val (self->places, place);
      if (place == CORE_TIME_NO_WORKER)
        continue;
      g_array_append_val (source->workers, first);
      collect_add_life (self, source, &workers[i], place);
    }
}

/* ---- windows ---- */

static void
read_windows (CoreCollection *self, RoastReport *report)
{
  g_autoptr (RoastTableReader) windows = roast_windows_read (report);

  while (roast_table_reader_next (windows))
    {
      CoreSource *source =
          core_collection_get_source (self, roast_table_reader_get_string (windows, ROAST_WINDOWS_SOURCE));

      if (source == NULL || roast_table_reader_get_word (windows, ROAST_WINDOWS_KIND) != ROAST_WINDOW_KIND_WORK)
        continue;
      source->work_started = roast_table_reader_get_double (windows, ROAST_WINDOWS_STARTED);
      source->work_ended = roast_table_reader_get_double (windows, ROAST_WINDOWS_ENDED);
      if (isnan (source->work_ended))
        source->work_ended = source->ended;
    }
}

/* ---- the run ---- */

static void
collect_extend (CoreCollection *self, double started, double ended)
{
  if (!isnan (started))
    self->started = MIN (self->started, (gint64) started);
  self->ended = MAX (self->ended, (gint64) fmax (fmax (started, ended), -1));
}

/* Find the start and the end of the run. If the recording still goes on, use the time of its last row as the end. */
static gboolean
find_run (CoreCollection *self)
{
  double started, ended;
  guint n;
  const RoastRunWorker *workers;

  self->started = G_MAXINT64;
  self->ended = -1;
  if (!roast_run_model_get_times (self->model, &started, &ended))
    {
      g_autoptr (RoastTableReader) tasks = roast_tasks_read (self->recording);

      workers = roast_run_model_get_workers (self->model, &n);
      for (guint i = 0; i < n; i++)
        collect_extend (self, workers[i].joined, workers[i].left);
      while (roast_table_reader_next (tasks))
        collect_extend (self, roast_table_reader_get_double (tasks, ROAST_TASKS_SUBMITTED),
                        roast_table_reader_get_double (tasks, ROAST_TASKS_ENDED));
    }
  if (!isnan (started))
    self->started = (gint64) started;
  if (!isnan (ended))
    self->ended = (gint64) ended;

  return self->ended > self->started;
}

static void
note_missing (CoreSource *source, const Coverage *coverage)
{
  if (source->missing == NULL)
    source->missing = g_strdup (coverage->reason);
  source->has_missing |= coverage->state == ROAST_COVERAGE_STATE_NONE || !coverage->is_end;
}

/* Mark sources that lack rows of attempts, because such attempts may have held slots that seem free. If rows are
 * missing only at the end of the run, the time before is complete. */
static void
read_missing (CoreCollection *self)
{
  g_autoptr (GPtrArray) all = coverage_list (self->recording, ROAST_TABLE_TASKS, NULL);

  FOR_EACH_POINTER (const Coverage, one, all)
    FOR_EACH_POINTER (CoreSource, source, self->sources)
      if (one->source == NULL ? !one->is_end : g_str_equal (one->source, source->name))
        note_missing (source, one);
}

/* Mark sources for which the table workers lacks exact values of @column: the times at which workers joined and left,
 * or their numbers of cores. */
static void
read_rough (CoreCollection *self, const char *column)
{
  g_autoptr (GPtrArray) all = coverage_list (self->recording, ROAST_TABLE_WORKERS, column);

  FOR_EACH_POINTER (const Coverage, one, all)
    {
      CoreSource *source = core_collection_get_source (self, one->source);

      if (source != NULL && source->rough == NULL)
        source->rough = g_strdup (one->reason);
    }
}

static void
describe_missing (CoreCollection *self)
{
  FOR_EACH_POINTER (CoreSource, source, self->sources)
    {
      g_autofree char *unseen = NULL;
      g_autofree char *coreless = NULL;
      g_autofree char *given = g_steal_pointer (&source->missing);
      g_autofree char *both = NULL;

      /* Attempts that are not placed may have run at workers without known cores, which have no slots here. */
      if (source->n_without_cores > 0)
        source->n_unplaced = 0;
      source->has_missing |= source->n_unplaced + source->n_misplaced > 0 ||
                             source->n_counted > (gint64) source->n_attempts ||
                             source->in_threads > (1 + MISSING_SHARE) * source->in_rows + MISSING_SECONDS;
      if (source->n_counted > (gint64) source->n_attempts)
        unseen = g_strdup_printf ("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " attempts have no row",
                                  source->n_counted - (gint64) source->n_attempts, source->n_counted);
      else if (source->in_threads > (1 + MISSING_SHARE) * source->in_rows + MISSING_SECONDS)
        unseen = g_strdup_printf ("workers report %.3g s in threads of tasks, but rows of attempts have only %.3g s",
                                  source->in_threads, source->in_rows);
      else if (source->n_unplaced > 0)
        unseen = g_strdup_printf ("%" G_GUINT64_FORMAT " attempt%s no known worker, start or end", source->n_unplaced,
                                  source->n_unplaced == 1 ? " has" : "s have");
      else if (source->n_misplaced > 0)
        unseen = g_strdup_printf ("%" G_GUINT64_FORMAT
                                  " attempt%s ran before the worker joined or after it left: clocks differ",
                                  source->n_misplaced, source->n_misplaced == 1 ? "" : "s");
      else if (source->n_unfinished > 0)
        unseen =
            source->n_unfinished == 1
                ? g_strdup ("1 attempt that was under way at the end has no known start")
                : g_strdup_printf ("%" G_GINT64_FORMAT " attempts that were under way at the end have no known start",
                                   source->n_unfinished);
      if (source->n_without_cores > 0)
        coreless =
            g_strdup_printf ("number of cores or time of arrival unknown for %u of %u workers, which are left out",
                             source->n_without_cores, source->n_without_cores + source->workers->len);
      both = notes_join (given, unseen);
      source->missing = notes_join (both, coreless);
    }
}

GPtrArray *
core_sources_new (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (guint));
  CoreCollection self = { .recording = recording,
                          .model = roast_run_model_get (recording),
                          .sources = g_ptr_array_new_with_free_func ((GDestroyNotify) core_source_free),
                          .by_name = by_name,
                          .places = places };

  if (!find_run (&self))
    return self.sources;
  collect_read_workers (&self);
  for (guint i = self.sources->len; i-- > 0;)
    {
      CoreSource *source = g_ptr_array_index (self.sources, i);

      if (source->workers->len > 0)
        continue;
      g_hash_table_remove (by_name, source->name);
      g_ptr_array_remove_index (self.sources, i);
    }
  if (self.sources->len == 0)
    return self.sources;
  read_windows (&self, report);
  read_missing (&self);
  read_rough (&self, "cores");
  read_rough (&self, "left");
  core_collect_libraries (&self);
  core_collect_tasks (&self);
  core_collect_activities (&self);
  describe_missing (&self);

  return self.sources;
}
