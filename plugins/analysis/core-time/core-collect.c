/* SPDX-License-Identifier: BSD-3-Clause */

/* Collect sources and their workers. */

#include "core-collect.h"
#include "core-claims.h"
#include "coverage.h"
#include "metadata.h"
#include "names-key.h"
#include "notes.h"
#include "process-trees.h"

#define MAX_CORES 2000

/* Tolerated excess of the workers' own sums of time over the time of attempts that have a row. */
#define MISSING_SHARE 0.05
#define MISSING_SECONDS 1.0

static CoreSource *
add_source (CoreCollection *self, const char *name)
{
  CoreSource *source = core_source_new (name, self->started, self->ended);

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
  g_autofree char *key = names_key_join (source, worker);
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_worker, key));

  return index > 0 ? index - 1 : CORE_TIME_NO_WORKER;
}

gint32
core_cores_to_amount (double cores)
{
  return (gint32) lround (CLAMP (cores, 0, MAX_CORES) * CORE_EVENTS_PER_CORE);
}

/* ---- workers ---- */

/* Add the capacity of a worker during its life. For a lost worker, mark the time before its end from which no data
 * arrived. */
static void
add_life (CoreCollection *self, CoreSource *source, RoastTableReader *workers, guint index)
{
  gint64 joined = roast_table_reader_get_int64 (workers, ROAST_WORKERS_JOINED, self->started);
  gint64 left = roast_table_reader_get_int64 (workers, ROAST_WORKERS_LEFT, self->ended);
  gint32 cores = core_cores_to_amount (roast_table_reader_get_double (workers, ROAST_WORKERS_CORES));
  double tail = roast_table_reader_get_double (workers, ROAST_WORKERS_TAIL_LOST);

  if (left <= joined)
    return;
  core_source_add_line (source, CORE_LINE_WORKERS, joined, left);
  core_events_add (source->events, joined, CHANGE_CAPACITY, index, cores);
  core_events_add (source->events, left, CHANGE_CAPACITY, index, -cores);
  if (tail > 0)
    {
      gint64 silent = MAX (joined, left - (gint64) (tail * G_USEC_PER_SEC));

      core_events_add (source->events, silent, CHANGE_BLIND, index, 1);
      core_events_add (source->events, left, CHANGE_BLIND, index, -1);
    }
}

static void
read_workers (CoreCollection *self)
{
  g_autoptr (RoastTableReader) workers =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_WORKERS, roast_workers_columns, NULL);
  g_auto (ProcessTrees) trees = { NULL };

  process_trees_init (&trees, self->recording);
  while (roast_table_reader_next (workers))
    {
      const char *name = roast_table_reader_get_string (workers, ROAST_WORKERS_SOURCE);
      const char *worker = roast_table_reader_get_string (workers, ROAST_WORKERS_WORKER);
      const CoreWorker first = { .other_cpu = NAN };
      CoreSource *source = NULL;

      /* Processes offer no slots. */
      if (name == NULL || process_trees_contain (&trees, name))
        continue;
      source = core_collection_get_source (self, name);
      if (source == NULL)
        source = add_source (self, name);
      if (!(roast_table_reader_get_double (workers, ROAST_WORKERS_CORES) > 0) ||
          !roast_table_reader_has (workers, ROAST_WORKERS_JOINED))
        {
          source->n_without_cores++;
          continue;
        }
      g_array_append_val (source->workers, first);
      g_hash_table_insert (self->by_worker, names_key_join (name, worker), GUINT_TO_POINTER (source->workers->len));
      add_life (self, source, workers, source->workers->len - 1);
    }
}

/* ---- windows ---- */

static void
read_windows (CoreCollection *self, RoastReport *report)
{
  g_autoptr (RoastTableReader) windows =
      roast_report_read_table (report, ROAST_TABLE_WINDOWS, roast_windows_columns, NULL);

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
extend (gint64 *first, gint64 *last, RoastTableReader *table, guint from, guint to)
{
  gint64 started = roast_table_reader_get_int64 (table, from, -1);
  gint64 ended = roast_table_reader_get_int64 (table, to, started);

  if (started >= 0)
    *first = MIN (*first, started);
  *last = MAX (*last, MAX (started, ended));
}

/* Find the start and the end of the run. A recording that goes on ends with its last row. */
static gboolean
find_run (CoreCollection *self)
{
  gint64 first = G_MAXINT64;
  gint64 last = -1;
  gboolean has_start = metadata_get_int64 (self->recording, "started", &self->started);
  gboolean has_end = metadata_get_int64 (self->recording, "ended", &self->ended);

  if (!has_start || !has_end)
    {
      g_autoptr (RoastTableReader) workers =
          roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_WORKERS, roast_workers_columns, NULL);
      g_autoptr (RoastTableReader) tasks =
          roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_TASKS, roast_tasks_columns, NULL);

      while (roast_table_reader_next (workers))
        extend (&first, &last, workers, ROAST_WORKERS_JOINED, ROAST_WORKERS_LEFT);
      while (roast_table_reader_next (tasks))
        extend (&first, &last, tasks, ROAST_TASKS_SUBMITTED, ROAST_TASKS_ENDED);
    }
  if (!has_start)
    self->started = first;
  if (!has_end)
    self->ended = last;

  return self->ended > self->started;
}

static void
note_missing (CoreSource *source, const Coverage *coverage)
{
  if (source->missing == NULL)
    source->missing = g_strdup (coverage->reason);
  source->has_missing |= coverage->state == ROAST_COVERAGE_STATE_NONE || !coverage->is_end;
}

/* Mark sources with missing rows. Slots that seem free may have been held by attempts without a row. If rows are
 * missing only at the end, everything before them is complete. */
static void
read_missing (CoreCollection *self)
{
  g_autoptr (GPtrArray) all = coverage_list (self->recording, ROAST_TABLE_TASKS, NULL);

  for (guint i = 0; i < all->len; i++)
    {
      const Coverage *one = g_ptr_array_index (all, i);

      for (guint k = 0; k < self->sources->len; k++)
        {
          CoreSource *source = g_ptr_array_index (self->sources, k);

          if (one->source == NULL ? !one->is_end : g_str_equal (one->source, source->name))
            note_missing (source, one);
        }
    }
}

/* Mark sources whose workers were there for another time, or with other cores, than their rows say. */
static void
read_rough (CoreCollection *self, const char *column)
{
  g_autoptr (GPtrArray) all = coverage_list (self->recording, ROAST_TABLE_WORKERS, column);

  for (guint i = 0; i < all->len; i++)
    {
      const Coverage *one = g_ptr_array_index (all, i);
      CoreSource *source = core_collection_get_source (self, one->source);

      if (source != NULL && source->rough == NULL)
        source->rough = g_strdup (one->reason);
    }
}

static void
describe_missing (CoreCollection *self)
{
  for (guint i = 0; i < self->sources->len; i++)
    {
      CoreSource *source = g_ptr_array_index (self->sources, i);
      g_autofree char *unseen = NULL;
      g_autofree char *coreless = NULL;
      g_autofree char *given = g_steal_pointer (&source->missing);
      g_autofree char *both = NULL;

      /* Their workers may be those that are left out. */
      if (source->n_without_cores > 0)
        source->n_unplaced = 0;
      source->has_missing |= source->n_unplaced > 0 || source->n_counted > (gint64) source->n_attempts ||
                             source->in_threads > (1 + MISSING_SHARE) * source->in_rows + MISSING_SECONDS;
      if (source->n_counted > (gint64) source->n_attempts)
        unseen = g_strdup_printf ("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " attempts have no row",
                                  source->n_counted - (gint64) source->n_attempts, source->n_counted);
      else if (source->in_threads > (1 + MISSING_SHARE) * source->in_rows + MISSING_SECONDS)
        unseen = g_strdup_printf ("workers report %.3g s in threads of tasks, but rows of attempts have only %.3g s",
                                  source->in_threads, source->in_rows);
      else if (source->n_unplaced > 0)
        unseen =
            g_strdup_printf ("%" G_GUINT64_FORMAT " attempts have no known worker, start or end", source->n_unplaced);
      else if (source->n_unfinished > 0)
        unseen =
            source->n_unfinished == 1
                ? g_strdup ("1 attempt that was under way at the end has no known start")
                : g_strdup_printf ("%" G_GINT64_FORMAT " attempts that were under way at the end have no known start",
                                   source->n_unfinished);
      if (source->n_without_cores > 0)
        coreless = g_strdup_printf ("cores or arrival unknown for %u of %u workers, which are left out",
                                    source->n_without_cores, source->n_without_cores + source->workers->len);
      both = notes_join (given, unseen);
      source->missing = notes_join (both, coreless);
    }
}

GPtrArray *
core_sources_new (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) by_worker = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  CoreCollection self = { .recording = recording,
                          .sources = g_ptr_array_new_with_free_func ((GDestroyNotify) core_source_free),
                          .by_name = by_name,
                          .by_worker = by_worker };

  if (!find_run (&self))
    return self.sources;
  read_workers (&self);
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
  for (guint i = 0; i < self.sources->len; i++)
    core_source_find_stretches (g_ptr_array_index (self.sources, i));
  core_collect_cpu (&self);
  core_collect_activities (&self);
  describe_missing (&self);

  return self.sources;
}
