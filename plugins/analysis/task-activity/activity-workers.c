/* SPDX-License-Identifier: BSD-3-Clause */

/* Write the table per_worker. Add the metrics of workers: how many cores they offered, and what they did. */

#include <math.h>

#include "activity-end.h"
#include "activity-memory.h"
#include "core-parts.h"
#include "coverage.h"
#include "group-element.h"
#include "notes.h"
#include "report-coverage.h"
#include "row-copy.h"
#include "task-activity-tables.h"

#define NOT_BY_WORKER "the time in tasks is known only for all workers together"

/* Sums over all workers. */
typedef struct
{
  guint n;
  double core_seconds;
  ActivityMemory memory;
  guint n_without_process;
  ActivityShutdown shutdown;
  char *computing_note; /* note on CPU time of task threads, or NULL */
  char *shutdown_note;  /* note on CPU time after the workers' last data, or NULL */

  /* sums over workers with known cores and lifetime: */
  double busy_of_known;
  double first, last; /* µs: first arrival and last departure of these workers; NaN if there is none */
  guint n_unknown;    /* workers with unknown cores or lifetime */
} All;

/* Part of the measurement during which a worker was present, and the worker's cores. */
typedef struct
{
  double from, to;
  double lifetime; /* s; NaN if unknown */
  double cores;    /* NaN if unknown */
  double busy;
} ActivityLife;

/* Group of the samples of one worker. */
typedef struct
{
  gboolean is_known;
  ActivitySum *sum; /* sum of the worker; NULL unless it is a worker of an executor */
} PeakGroup;

static void
workers_find (ActivityReport *self, RoastTableReader *samples, PeakGroup *group)
{
  const char *source = roast_table_reader_get_string (samples, ROAST_WORKER_SAMPLES_SOURCE);
  const char *worker = roast_table_reader_get_string (samples, ROAST_WORKER_SAMPLES_WORKER);

  group->is_known = TRUE;
  if (source != NULL && worker != NULL && g_hash_table_contains (self->sums->sources, source))
    group->sum = activity_sums_get_worker (self->sums, source, worker);
}

/* Read the memory peaks of workers from samples. Look up each worker by name only once, because each has one sample per
 * second. */
static void
read_peaks (ActivityReport *self)
{
  g_autoptr (RoastTableReader) samples = roast_worker_samples_read (self->recording);
  g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (PeakGroup));

  GROUP_BY (samples, ROAST_WORKER_SAMPLES_SOURCE, ROAST_WORKER_SAMPLES_WORKER);
  while (roast_table_reader_next (samples))
    {
      PeakGroup *group = group_element (groups, samples);

      if (!group->is_known)
        workers_find (self, samples, group);
      if (group->sum == NULL)
        continue;
      group->sum->memory_peak =
          MAX (group->sum->memory_peak, roast_table_reader_get_int64 (samples, ROAST_WORKER_SAMPLES_MEMORY, -1));
      group->sum->spilled_peak =
          MAX (group->sum->spilled_peak, roast_table_reader_get_int64 (samples, ROAST_WORKER_SAMPLES_SPILLED_DISK, -1));
    }
}

static ActivityLife
get_life (ActivityReport *self, const RoastRunWorker *worker, const ActivitySum *sum)
{
  ActivityLife life = { .cores = worker->cores, .busy = self->sums->has_activities ? sum->busy : sum->in_tasks };

  roast_run_model_get_times (self->model, &life.from, &life.to);
  life.from = fmax (life.from, worker->joined);
  life.to = isnan (worker->left) ? life.to : worker->left;
  if (life.to < life.from)
    life.to = life.from;
  life.lifetime = isnan (worker->joined) ? NAN : (life.to - life.from) / G_USEC_PER_SEC;

  return life;
}

static void
add_to_all (All *all, const ActivityLife *life, const ActivitySum *sum)
{
  all->n++;
  if (isfinite (life->lifetime) && isfinite (life->cores))
    {
      all->core_seconds += life->lifetime * life->cores;
      all->busy_of_known += life->busy;
      all->first = fmin (all->first, life->from);
      all->last = fmax (all->last, life->to);
    }
  else
    {
      all->n_unknown++;
    }
  if (!sum->has_process)
    all->n_without_process++;
}

/* Return whether the time in tasks is known for each single worker. Some executors record only sums over all
 * workers. */
static gboolean
knows_busy (ActivityReport *self)
{
  return self->sums->has_activities ? self->sums->has_activities_by_worker : self->sums->n_tasks > 0;
}

/* ---- the table ---- */

static void
write_end (RoastTableWriter *table, RoastTableReader *workers, const ActivityEnd *end)
{
  if (end->cause >= 0)
    roast_table_writer_set_word (table, ROAST_PER_WORKER_CAUSE, (guint) end->cause);
  if (end->memory_bound >= 0)
    roast_table_writer_set_word (table, ROAST_PER_WORKER_MEMORY_PEAK_BOUND, (guint) end->memory_bound);
  roast_table_writer_set_count (table, ROAST_PER_WORKER_EXIT_CODE, end->exit_code);
  roast_table_writer_set_count (table, ROAST_PER_WORKER_SIGNAL, end->signal);
  roast_table_writer_set_string (table, ROAST_PER_WORKER_MISSING, end->missing);
  roast_table_writer_set_count (table, ROAST_PER_WORKER_CHILD_MEMORY_PEAK,
                                roast_table_reader_get_int64 (workers, ROAST_WORKERS_CHILD_MEMORY_PEAK, -1));
}

static void
write_worker (RoastTableWriter *table, ActivityReport *self, RoastTableReader *workers, const RoastRunWorker *worker,
              const ActivityLife *life, const ActivitySum *sum, const ActivityEnd *end, double shutdown)
{
  static const RowCell copied[] = {
    { ROAST_PER_WORKER_SOURCE, ROAST_WORKERS_SOURCE },
    { ROAST_PER_WORKER_WORKER, ROAST_WORKERS_WORKER },
    { ROAST_PER_WORKER_NAME, ROAST_WORKERS_NAME },
    { ROAST_PER_WORKER_HOST, ROAST_WORKERS_HOST },
  };

  row_copy_texts (table, workers, copied, G_N_ELEMENTS (copied));
  write_end (table, workers, end);
  roast_table_writer_set_double (table, ROAST_PER_WORKER_PROCESS_CPU,
                                 roast_table_reader_get_double (workers, ROAST_WORKERS_CPU));
  roast_table_writer_set_double (table, ROAST_PER_WORKER_SHUTDOWN_CPU, shutdown);
  roast_table_writer_set_double (table, ROAST_PER_WORKER_CORES, life->cores);
  roast_table_writer_set_double (table, ROAST_PER_WORKER_LIFETIME, life->lifetime);
  roast_table_writer_set_double (table, ROAST_PER_WORKER_TAIL_LOST, worker->tail_lost);
  roast_table_writer_set_count (table, ROAST_PER_WORKER_MEMORY_LIMIT, worker->memory_limit);
  roast_table_writer_set_count (table, ROAST_PER_WORKER_MEMORY_PEAK, sum->memory_peak);
  roast_table_writer_set_count (table, ROAST_PER_WORKER_SPILLED_PEAK, sum->spilled_peak);
  if (sum->has_tasks)
    {
      roast_table_writer_set_int64 (table, ROAST_PER_WORKER_TASKS, sum->tasks);
      roast_table_writer_set_int64 (table, ROAST_PER_WORKER_FAILED, sum->failed);
    }
  if (knows_busy (self))
    roast_table_writer_set_double (table, ROAST_PER_WORKER_BUSY, life->busy);
  if (knows_busy (self) && activity_sums_knows_cpu (self->sums))
    {
      roast_table_writer_set_double (table, ROAST_PER_WORKER_CPU, sum->cpu);
      roast_table_writer_set_double (table, ROAST_PER_WORKER_WAITING, sum->noncpu - sum->unsplit);
      roast_table_writer_set_double (table, ROAST_PER_WORKER_UNSPLIT, sum->unsplit);
    }
  roast_table_writer_end (table, NULL);
}

static void
workers_read (ActivityReport *self, All *all)
{
  g_autoptr (RoastTableReader) rows = roast_workers_read (self->recording);
  g_autoptr (RoastTableWriter) table = NULL;
  ActivityKills kills;
  guint n;
  const RoastRunWorker *worker = roast_run_model_get_workers (self->model, &n);

  activity_kills_init (&kills, self->recording);
  for (; roast_table_reader_next (rows); worker++)
    {
      g_auto (ActivityEnd) end = { 0 };
      ActivitySum *sum = NULL;
      gint64 sampled;
      ActivityLife life;

      if (!g_hash_table_contains (self->sums->sources, worker->source))
        continue;
      if (table == NULL)
        table = roast_per_worker_write (self->report);
      sum = activity_sums_get_worker (self->sums, worker->source, worker->worker);
      life = get_life (self, worker, sum);
      /* If several workers share a process, its sampled memory belongs to all of them. In this case, do not write the
       * memory for a single worker. */
      sampled = worker->process_workers > 1 ? -1 : sum->memory_peak;
      activity_end_init (&end, worker, sum, &kills);
      activity_memory_add (&all->memory, sum->memory_peak, end.memory_bound, sampled, worker->memory_limit);
      add_to_all (all, &life, sum);
      write_worker (table, self, rows, worker, &life, sum, &end, activity_shutdown_add (&all->shutdown, worker, sum));
    }
  all->computing_note = activity_shutdown_dup_computing_note (&all->shutdown, self->recording);
  all->shutdown_note = activity_shutdown_dup_note (&all->shutdown, self->recording);
}

/* ---- metrics ---- */

/* Compute the efficiency from core_time, and return TRUE. Return FALSE if core_time has no slots of an executor, or if
 * some attempts have no row: sums of activities are then more complete than core_time. */
static gboolean
workers_add_slots (ActivityReport *self, char **lacks)
{
  g_auto (CoreParts) parts = { 0 };
  g_autofree char *note = NULL;

  core_parts_init (&parts, self->recording, self->report);
  if (!parts.is_tree && parts.lacks_attempts && !self->sums->has_activities)
    *lacks = g_strdup (parts.reason);
  if (parts.offered <= 0 || parts.is_tree || parts.lacks_attempts)
    return FALSE;
  note = notes_join (self->cores_note, parts.reason);
  activity_report_add_ratio (self, "core_efficiency_ratio", core_parts_get_task_ratio (&parts), 1, note, NULL);

  return TRUE;
}

static void
add_core_metrics (ActivityReport *self, const All *all, const char *missing)
{
  double duration = all->last > all->first ? (all->last - all->first) / G_USEC_PER_SEC : 0;
  g_autoptr (GPtrArray) lives = coverage_list (self->recording, ROAST_TABLE_WORKERS, "left");
  g_autoptr (GPtrArray) sizes = coverage_list (self->recording, ROAST_TABLE_WORKERS, "cores");
  g_autofree char *unknown = NULL;
  g_autofree char *lacks = NULL;
  g_autofree char *both = NULL;
  g_autofree char *note = NULL;

  if (all->n_unknown > 0)
    unknown = g_strdup_printf ("core count or lifetime is unknown for %u of %u workers", all->n_unknown, all->n);
  else if (lives->len + sizes->len > 0)
    unknown = g_strdup (((const Coverage *) g_ptr_array_index (sizes->len > 0 ? sizes : lives, 0))->reason);
  if (unknown != NULL)
    missing = unknown;
  else if (all->n > 0)
    missing = "no worker was present during the measurement";
  report_coverage_add_metric (self->report, "worker_core_seconds",
                              all->core_seconds <= 0        ? ROAST_COMPLETENESS_UNAVAILABLE
                              : sizes->len + lives->len > 0 ? ROAST_COMPLETENESS_ESTIMATED
                                                            : ROAST_COMPLETENESS_PARTIAL,
                              all->core_seconds > 0 ? unknown : missing);
  activity_report_add_ratio (self, "worker_cores_average", all->core_seconds, duration, unknown, missing);
  report_coverage_add_metric (self->report, "worker_cores_mean",
                              all->n > all->n_unknown ? ROAST_COMPLETENESS_ESTIMATED : ROAST_COMPLETENESS_UNAVAILABLE,
                              all->n > all->n_unknown ? unknown : missing);
  if (all->n > 0 && !knows_busy (self))
    {
      roast_report_add_unavailable (self->report, "core_efficiency_ratio",
                                    self->sums->has_activities ? NOT_BY_WORKER
                                                               : "no executor recorded how long tasks took");
      return;
    }
  if (workers_add_slots (self, &lacks))
    return;
  both = notes_join (unknown, lacks != NULL ? lacks : self->untimed_note);
  note = notes_join (both, self->cores_note);
  activity_report_add_ratio (self, "core_efficiency_ratio", all->busy_of_known, all->core_seconds, note, missing);
}

void
activity_report_add_workers (ActivityReport *self)
{
  static const char none[] = "no worker of an executor was seen";
  All all = { .memory = { .peak = -1, .bound = -1 }, .first = NAN, .last = NAN };

  read_peaks (self);
  workers_read (self, &all);
  if (all.n == 0 || (self->sums->has_activities && !knows_busy (self)))
    report_coverage_add (self->report, ROAST_TABLE_PER_WORKER, "busy", ROAST_COMPLETENESS_UNAVAILABLE,
                         all.n == 0 ? none : NOT_BY_WORKER);
  report_coverage_add_note (self->report, ROAST_TABLE_PER_WORKER, "busy", ROAST_COMPLETENESS_ESTIMATED,
                            self->activities_note);
  activity_memory_report (&all.memory, self);
  activity_report_add_processes (self, all.n, all.n_without_process, &all.shutdown, all.computing_note,
                                 all.shutdown_note);
  g_free (all.computing_note);
  g_free (all.shutdown_note);
  add_core_metrics (self, &all, none);
}
