/* SPDX-License-Identifier: BSD-3-Clause */

/* Metrics and tables of what workers and tasks of an executor did. */

#include <gmodule.h>
#include <math.h>
#include <roast/roast.h>
#include <string.h>

#include "activity-rules.h"
#include "activity-sums.h"

typedef struct
{
  GObject parent_instance;
} RoastTaskActivityAggregator;

/* Where tasks do something, and what goes on beside them for their sake. */
#define WORK (ACTIVITY_IN_TASKS | ACTIVITY_SHUFFLE)

/* Sums of one activity, or of a pair of them. */
static const struct
{
  const char *metric, *activity, *other, *unit;
  ActivityPlace places;
} simple[] = {
  { "disk_read_bytes", "disk-read", NULL, "bytes", WORK },
  { "disk_write_bytes", "disk-write", NULL, "bytes", WORK },
  { "disk_read_seconds", "disk-read", NULL, "seconds", WORK },
  { "disk_write_seconds", "disk-write", NULL, "seconds", WORK },
  { "memory_read_bytes", "memory-read", NULL, "bytes", ACTIVITY_IN_TASKS },
  { "serialization_seconds", "serialize", NULL, "seconds", WORK },
  { "deserialization_seconds", "deserialize", NULL, "seconds", WORK },
  { "serialization_overhead_seconds", "serialize", "deserialize", "seconds", WORK },
  { "compression_seconds", "compress", NULL, "seconds", WORK },
  { "decompression_seconds", "decompress", NULL, "seconds", WORK },
  { "compression_overhead_seconds", "compress", "decompress", "seconds", WORK },
  { "executor_seconds", "executor", NULL, "seconds", ACTIVITY_IN_TASKS },
  { "offload_seconds", "offload", NULL, "seconds", ACTIVITY_IN_TASKS },
  { "other_seconds", "other", NULL, "seconds", ACTIVITY_IN_TASKS },
  { "failed_seconds", "failed", NULL, "seconds", ACTIVITY_IN_TASKS },
  { "cancelled_seconds", "cancelled", NULL, "seconds", ACTIVITY_IN_TASKS },
  { "network_seconds", "network", NULL, "seconds", ACTIVITY_BETWEEN },
  { "spill_read_bytes", "disk-read", NULL, "bytes", ACTIVITY_BETWEEN },
  { "spill_write_bytes", "disk-write", NULL, "bytes", ACTIVITY_BETWEEN },
  { "spill_read_seconds", "disk-read", NULL, "seconds", ACTIVITY_BETWEEN },
  { "spill_write_seconds", "disk-write", NULL, "seconds", ACTIVITY_BETWEEN },
};

/* Those of the list above are added to these. */
static const char *const provided[] = {
  "processor_cpu_time_seconds",
  "processor_wait_time_seconds",
  "processor_cpu_ratio",
  "processor_wait_ratio",
  "overhead_cpu_time_seconds",
  "overhead_wait_time_seconds",
  "overhead_cpu_ratio",
  "overhead_wait_ratio",
  "tasks_total",
  "tasks_failed_total",
  "task_time_mean_seconds",
  "task_time_max_seconds",
  "worker_balance_ratio",
  "worker_memory_peak_bytes",
  "worker_memory_peak_ratio",
  "worker_core_seconds",
  "worker_cores_average",
  "worker_cores_mean",
  "core_efficiency_ratio",
  "scheduler_lateness_max_seconds",
  "probe_cpu_seconds",
};

/* What is known of how complete the numbers are. */
typedef struct
{
  RoastReport *report;
  ActivitySums *sums;
  char *fine_note;   /* why fine metrics are partial, or NULL */
  char *tasks_note;  /* why counts of tasks are partial, or NULL */
  char *states_note; /* why counts by state are, or NULL */
  char *cores_note;  /* why the use of cores is not exact, or NULL */
  char *no_fine;     /* why there are none */
} Context;

/* Both, if there are two. */
static char *
dup_joined (const char *a, const char *b)
{
  return a != NULL && b != NULL ? g_strconcat (a, "; ", b, NULL) : g_strdup (a != NULL ? a : b);
}

/* ---- metrics ---- */

/* Scripts may tell of activities what they like: greater than an integer can be, too. */
static gint64
to_integer (double value)
{
  return (gint64) CLAMP (value, -9e18, 9e18);
}

static void
add (Context *context, const char *name, double value, gboolean integer, const char *note)
{
  g_autoptr (RoastMetric) metric =
      integer ? roast_metric_new_int64 (name, to_integer (value)) : roast_metric_new_double (name, value);

  if (note != NULL)
    roast_metric_set_completeness (metric, ROAST_COMPLETENESS_PARTIAL, note);
  roast_report_add_metric (context->report, metric);
}

static void
add_unavailable (Context *context, const char *name, const char *reason)
{
  g_autoptr (RoastMetric) metric = roast_metric_new_unavailable (name, reason);

  roast_report_add_metric (context->report, metric);
}

/* Whether it is known what tasks computed and waited. */
static gboolean
knows_cpu (const ActivitySums *sums)
{
  return sums->has_activities && (sums->has_cpu || !sums->is_limited);
}

static void
add_fine (Context *context, const char *name, double value, gboolean integer, gboolean known)
{
  if (known)
    add (context, name, value, integer, context->fine_note);
  else
    add_unavailable (context, name, context->no_fine);
}

static void
add_ratio (Context *context, const char *name, double numerator, double denominator, const char *note,
           const char *reason)
{
  g_autoptr (RoastMetric) metric = NULL;

  if (!(denominator > 0))
    {
      add_unavailable (context, name, reason);
      return;
    }
  /* What is missing may have made it greater or less: not "at least". */
  metric = roast_metric_new_double (name, numerator / denominator);
  if (note != NULL)
    roast_metric_set_completeness (metric, ROAST_COMPLETENESS_ESTIMATED, note);
  roast_report_add_metric (context->report, metric);
}

static const char *
get_processor (RoastRecordingSnapshot *recording)
{
  g_autoptr (GVariant) value = roast_recording_snapshot_lookup_metadata (recording, "processor", G_VARIANT_TYPE_STRING);

  return value != NULL ? g_intern_string (g_variant_get_string (value, NULL)) : NULL;
}

static void
classify (ActivitySums *sums, const char *processor, RoastReport *report)
{
  gboolean named = FALSE;

  for (guint i = 0; i < sums->prefixes->len; i++)
    named |= activity_rules_names_it (((ActivitySum *) g_ptr_array_index (sums->prefixes, i))->name, processor);
  if (processor != NULL && !named && sums->prefixes->len > 0)
    {
      g_autofree char *note =
          g_strdup_printf ("no task is of the kind “%s” (the option processor): all count as the framework's",
                           processor);

      roast_report_add_note (report, note);
    }
  for (guint i = 0; i < sums->prefixes->len; i++)
    {
      ActivitySum *sum = g_ptr_array_index (sums->prefixes, i);

      sum->is_processor = activity_rules_is_processor (sum->name, processor, named);
    }
}

static void
add_part (Context *context, const char *part, const ActivitySum *sum, const char *idle)
{
  g_autofree char *cpu = g_strconcat (part, "_cpu_time_seconds", NULL);
  g_autofree char *wait = g_strconcat (part, "_wait_time_seconds", NULL);
  g_autofree char *cpu_ratio = g_strconcat (part, "_cpu_ratio", NULL);
  g_autofree char *wait_ratio = g_strconcat (part, "_wait_ratio", NULL);
  gboolean known = knows_cpu (context->sums);
  const char *reason = known ? idle : context->no_fine;

  add_fine (context, cpu, sum->cpu, FALSE, known);
  add_fine (context, wait, sum->wait, FALSE, known);
  add_ratio (context, cpu_ratio, sum->cpu, sum->cpu + sum->wait, context->fine_note, reason);
  add_ratio (context, wait_ratio, sum->wait, sum->cpu + sum->wait, context->fine_note, reason);
}

static void
add_processor (Context *context)
{
  ActivitySum parts[2] = { { 0 }, { 0 } };

  for (guint i = 0; i < context->sums->prefixes->len; i++)
    {
      const ActivitySum *sum = g_ptr_array_index (context->sums->prefixes, i);

      parts[sum->is_processor].cpu += sum->cpu;
      parts[sum->is_processor].wait += sum->wait;
    }
  add_part (context, "processor", &parts[1], "no task of the analysis ran in a thread");
  add_part (context, "overhead", &parts[0], "no task of the framework ran in a thread");
}

static void
add_simple (Context *context)
{
  for (guint i = 0; i < G_N_ELEMENTS (simple); i++)
    {
      double value = activity_sums_activity (context->sums, simple[i].places, simple[i].activity, simple[i].unit);
      gboolean status = g_str_equal (simple[i].activity, "failed") || g_str_equal (simple[i].activity, "cancelled");
      gboolean known = context->sums->has_activities &&
                       (!context->sums->is_limited || (status && context->sums->n_tasks > 0) ||
                        activity_sums_tells (context->sums, simple[i].places, simple[i].activity, simple[i].unit));

      if (simple[i].other != NULL)
        value += activity_sums_activity (context->sums, simple[i].places, simple[i].other, simple[i].unit);
      if (!known && context->sums->has_activities)
        add_unavailable (context, simple[i].metric, "no executor here tells of it");
      else
        add_fine (context, simple[i].metric, value, g_str_equal (simple[i].unit, "bytes"), known);
    }
}

/* ---- tasks ---- */

/* Counts by prefix and state are exact also where no rows were kept: the last of each counts. */
static gboolean
count_state (RoastTableSnapshot *table, const char *const *names, gint64 *sum)
{
  g_autoptr (GHashTable) last = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  guint64 n_rows = table != NULL ? roast_table_snapshot_get_n_rows (table) : 0;
  guint source, prefix, states, tasks;
  GHashTableIter iter;
  gint64 *value;

  *sum = 0;
  if (n_rows == 0)
    return FALSE;
  source = (guint) roast_table_snapshot_find_column (table, "source");
  prefix = (guint) roast_table_snapshot_find_column (table, "category");
  states = (guint) roast_table_snapshot_find_column (table, "state");
  tasks = (guint) roast_table_snapshot_find_column (table, "tasks");
  for (guint64 row = 0; row < n_rows; row++)
    {
      gint64 n = roast_table_snapshot_get_int64 (table, row, tasks);
      char *key = NULL;

      const char *state = roast_table_snapshot_get_string (table, row, states);

      if (state == NULL || !g_strv_contains (names, state))
        continue;
      key = g_strdup_printf ("%s\n%s", roast_table_snapshot_get_string (table, row, source),
                             roast_table_snapshot_get_string (table, row, prefix));
      g_hash_table_insert (last, key, g_memdup2 (&n, sizeof n));
    }
  g_hash_table_iter_init (&iter, last);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &value))
    *sum += *value;

  return TRUE;
}

/* As executors call them. Lost ones are attempts as well. */
static gboolean
count_states (RoastTableSnapshot *table, gint64 *done, gint64 *failed)
{
  static const char *const lost_names[] = { "lost", NULL };
  gint64 lost = 0;
  static const char *const done_names[] = { "memory", "done", NULL };
  static const char *const failed_names[] = { "erred", "failed", NULL };

  if (!count_state (table, done_names, done) || !count_state (table, failed_names, failed) ||
      !count_state (table, lost_names, &lost))
    return FALSE;
  *done += lost;

  return TRUE;
}

static void
add_task_counts (Context *context, RoastRecordingSnapshot *recording)
{
  RoastTableSnapshot *states = roast_recording_snapshot_get_table (recording, "category_states");
  gint64 done = 0, failed = 0;

  for (guint i = 0; i < context->sums->prefixes->len; i++)
    {
      const ActivitySum *sum = g_ptr_array_index (context->sums->prefixes, i);

      done += sum->tasks;
      failed += sum->failed;
    }
  if (done == 0 && count_states (states, &done, &failed))
    {
      done += failed;
      add (context, "tasks_total", (double) done, TRUE, context->states_note);
      add (context, "tasks_failed_total", (double) failed, TRUE, context->states_note);
      return;
    }
  if (done > 0)
    {
      add (context, "tasks_total", (double) done, TRUE, context->tasks_note);
      add (context, "tasks_failed_total", (double) failed, TRUE, context->tasks_note);
      return;
    }
  add_unavailable (context, "tasks_total", "no task was seen");
  add_unavailable (context, "tasks_failed_total", "no task was seen");
}

static void
add_task_times (Context *context)
{
  double total = 0, longest = 0, n = 0;

  for (guint i = 0; i < context->sums->prefixes->len; i++)
    {
      const ActivitySum *sum = g_ptr_array_index (context->sums->prefixes, i);

      total += sum->in_tasks;
      n += (double) sum->timed;
      longest = MAX (longest, sum->longest);
    }
  add_ratio (context, "task_time_mean_seconds", total, n, context->tasks_note,
             "no row of a task tells when it started and ended");
  if (n > 0)
    add (context, "task_time_max_seconds", longest, FALSE, context->tasks_note);
  else
    add_unavailable (context, "task_time_max_seconds", "no row of a task tells when it started and ended");
}

/* ---- workers ---- */

typedef struct
{
  gint64 memory_peak; /* -1 if not known */
  gint64 spilled_peak;
} Peaks;

static GHashTable *
read_peaks (ActivitySums *sums, RoastTableSnapshot *samples)
{
  GHashTable *peaks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  guint64 n_rows = samples != NULL ? roast_table_snapshot_get_n_rows (samples) : 0;
  guint source, worker, memory, spilled;

  if (n_rows == 0)
    return peaks;
  source = (guint) roast_table_snapshot_find_column (samples, "source");
  worker = (guint) roast_table_snapshot_find_column (samples, "worker");
  memory = (guint) roast_table_snapshot_find_column (samples, "memory");
  spilled = (guint) roast_table_snapshot_find_column (samples, "spilled_disk");
  for (guint64 row = 0; row < n_rows; row++)
    {
      const char *name = roast_table_snapshot_get_string (samples, row, source);
      g_autofree char *key = NULL;
      Peaks *peak = NULL;

      if (name == NULL || !g_hash_table_contains (sums->sources, name))
        continue;
      key = g_strjoin ("\n", name, roast_table_snapshot_get_string (samples, row, worker), NULL);
      peak = g_hash_table_lookup (peaks, key);
      if (peak == NULL)
        {
          peak = g_new (Peaks, 1);
          peak->memory_peak = peak->spilled_peak = -1;
          g_hash_table_insert (peaks, g_steal_pointer (&key), peak);
        }
      if (roast_table_snapshot_is_valid (samples, row, memory))
        peak->memory_peak = MAX (peak->memory_peak, roast_table_snapshot_get_int64 (samples, row, memory));
      if (roast_table_snapshot_is_valid (samples, row, spilled))
        peak->spilled_peak = MAX (peak->spilled_peak, roast_table_snapshot_get_int64 (samples, row, spilled));
    }

  return peaks;
}

enum
{
  W_SOURCE,
  W_WORKER,
  W_NAME,
  W_HOST,
  W_CORES,
  W_TASKS,
  W_FAILED,
  W_LIFETIME,
  W_BUSY,
  W_CPU,
  W_WAIT,
  W_MEMORY,
  W_LIMIT,
  W_SPILLED,
  W_TAIL
};

static RoastTable *
new_worker_table (void)
{
  RoastTable *table = roast_table_new ("per_worker", ROAST_TABLE_KIND_LOG, "Workers, and what they did");

  roast_table_add_column (table, "source", ROAST_COLUMN_TYPE_CATEGORY, NULL, "executor that it belongs to", NULL);
  roast_table_add_column (table, "worker", ROAST_COLUMN_TYPE_STRING, NULL, "worker", NULL);
  roast_table_add_column (table, "name", ROAST_COLUMN_TYPE_STRING, NULL, "name for a person", NULL);
  roast_table_add_column (table, "host", ROAST_COLUMN_TYPE_CATEGORY, NULL, "machine it ran on", NULL);
  roast_table_add_column (table, "cores", ROAST_COLUMN_TYPE_DOUBLE, "cores", "cores it might use", NULL);
  roast_table_add_column (table, "tasks", ROAST_COLUMN_TYPE_INT64, NULL, "tasks it ran", NULL);
  roast_table_add_column (table, "failed", ROAST_COLUMN_TYPE_INT64, NULL, "of these, failed ones", NULL);
  roast_table_add_column (table, "lifetime", ROAST_COLUMN_TYPE_DOUBLE, "s", "how long it was there while it was measured",
                          NULL);
  roast_table_add_column (table, "busy", ROAST_COLUMN_TYPE_DOUBLE, "s", "time in tasks, summed over its threads", NULL);
  roast_table_add_column (table, "cpu", ROAST_COLUMN_TYPE_DOUBLE, "s", "CPU time of its tasks", NULL);
  roast_table_add_column (table, "waiting", ROAST_COLUMN_TYPE_DOUBLE, "s", "time in which threads of tasks did not compute",
                          NULL);
  roast_table_add_column (table, "memory_peak", ROAST_COLUMN_TYPE_INT64, "B", "greatest resident memory that was sampled",
                          NULL);
  roast_table_add_column (table, "memory_limit", ROAST_COLUMN_TYPE_INT64, "B", "memory it might use", NULL);
  roast_table_add_column (table, "spilled_peak", ROAST_COLUMN_TYPE_INT64, "B", "most that was spilled to disk", NULL);
  roast_table_add_column (table, "tail_lost", ROAST_COLUMN_TYPE_DOUBLE, "s", "time before its end of which nothing is known",
                          NULL);

  return table;
}

/* Of the table of workers. */
typedef struct
{
  RoastTableSnapshot *table;
  guint source, worker, name, host, cores, limit, joined, left, tail;
  gint64 from, to;
} Workers;

static gboolean
open_workers (Workers *workers, RoastRecordingSnapshot *recording)
{
  g_autoptr (GVariant) from = roast_recording_snapshot_lookup_metadata (recording, "started", G_VARIANT_TYPE_INT64);
  g_autoptr (GVariant) to = roast_recording_snapshot_lookup_metadata (recording, "ended", G_VARIANT_TYPE_INT64);
  RoastTableSnapshot *table = roast_recording_snapshot_get_table (recording, "workers");

  if (table == NULL)
    return FALSE;
  workers->table = table;
  workers->source = (guint) roast_table_snapshot_find_column (table, "source");
  workers->worker = (guint) roast_table_snapshot_find_column (table, "worker");
  workers->name = (guint) roast_table_snapshot_find_column (table, "name");
  workers->host = (guint) roast_table_snapshot_find_column (table, "host");
  workers->cores = (guint) roast_table_snapshot_find_column (table, "cores");
  workers->limit = (guint) roast_table_snapshot_find_column (table, "memory_limit");
  workers->joined = (guint) roast_table_snapshot_find_column (table, "joined");
  workers->left = (guint) roast_table_snapshot_find_column (table, "left");
  workers->tail = (guint) roast_table_snapshot_find_column (table, "tail_lost");
  workers->from = from != NULL ? g_variant_get_int64 (from) : 0;
  workers->to = to != NULL ? g_variant_get_int64 (to) : G_MAXINT64;

  return TRUE;
}

/* From when to when a worker was there while it was measured, if that is known. */
static gboolean
life_of (const Workers *workers, guint64 row, gint64 *from, gint64 *to)
{
  if (!roast_table_snapshot_is_valid (workers->table, row, workers->joined))
    return FALSE;
  *from = MAX (roast_table_snapshot_get_int64 (workers->table, row, workers->joined), workers->from);
  *to = workers->to;
  if (roast_table_snapshot_is_valid (workers->table, row, workers->left))
    *to = roast_table_snapshot_get_int64 (workers->table, row, workers->left);
  if (*to == G_MAXINT64)
    return FALSE;
  *to = MAX (*from, *to);

  return TRUE;
}

static void
set_count (RoastRow *row, guint column, gint64 value)
{
  if (value >= 0)
    roast_row_set_int64 (row, column, value);
}

static void
set_number (RoastRow *row, guint column, double value)
{
  if (isfinite (value))
    roast_row_set_double (row, column, value);
}

static gint64
count_at (const Workers *workers, guint64 row, guint column)
{
  return roast_table_snapshot_is_valid (workers->table, row, column)
             ? roast_table_snapshot_get_int64 (workers->table, row, column)
             : -1;
}

static double
number_at (const Workers *workers, guint64 row, guint column)
{
  return roast_table_snapshot_is_valid (workers->table, row, column)
             ? roast_table_snapshot_get_double (workers->table, row, column)
             : NAN;
}

/* What all workers have together. */
typedef struct
{
  gboolean told; /* what they did */
  double core_seconds, busiest, busy;
  /* of those whose core_seconds are known */
  double busy_of_known, cores;
  gint64 first, last;
  guint n_unknown; /* the others */
  gint64 memory_peak;
  double memory_ratio;
  guint n;
} All;

static void
add_worker (Context *context, const Workers *workers, guint64 row, GHashTable *peaks, RoastRow *out, All *all)
{
  const char *source = roast_table_snapshot_get_string (workers->table, row, workers->source);
  const char *worker = roast_table_snapshot_get_string (workers->table, row, workers->worker);
  const ActivitySum *sum = activity_sums_find_worker (context->sums, source, worker);
  g_autofree char *key = g_strjoin ("\n", source, worker, NULL);
  const Peaks *peak = g_hash_table_lookup (peaks, key);
  gint64 from = 0, to = 0;
  double lifetime = life_of (workers, row, &from, &to) ? (double) (to - from) / G_USEC_PER_SEC : NAN;
  double cores = number_at (workers, row, workers->cores);
  gint64 limit = count_at (workers, row, workers->limit);
  gboolean told = context->sums->has_activities || context->sums->n_tasks > 0;
  double busy = sum == NULL ? 0 : context->sums->has_activities ? sum->busy : sum->in_tasks;

  all->n++;
  all->told |= told;
  all->busy += busy;
  all->busiest = MAX (all->busiest, busy);
  if (isfinite (lifetime * cores))
    {
      all->core_seconds += lifetime * cores;
      all->busy_of_known += busy;
      all->cores += cores;
      all->first = MIN (all->first, from);
      all->last = MAX (all->last, to);
    }
  else
    all->n_unknown++;
  if (peak != NULL)
    all->memory_peak = MAX (all->memory_peak, peak->memory_peak);
  if (peak != NULL && limit > 0)
    all->memory_ratio = MAX (all->memory_ratio, (double) peak->memory_peak / (double) limit);

  roast_row_clear (out);
  roast_row_set_string (out, W_SOURCE, source);
  roast_row_set_string (out, W_WORKER, worker);
  roast_row_set_string (out, W_NAME, roast_table_snapshot_get_string (workers->table, row, workers->name));
  roast_row_set_string (out, W_HOST, roast_table_snapshot_get_string (workers->table, row, workers->host));
  set_number (out, W_CORES, cores);
  set_number (out, W_LIFETIME, lifetime);
  set_number (out, W_TAIL, number_at (workers, row, workers->tail));
  set_count (out, W_LIMIT, limit);
  if (sum != NULL && sum->has_tasks)
    {
      set_count (out, W_TASKS, sum->tasks);
      set_count (out, W_FAILED, sum->failed);
    }
  set_number (out, W_BUSY, told ? busy : NAN);
  if (knows_cpu (context->sums))
    {
      set_number (out, W_CPU, sum != NULL ? sum->cpu : 0);
      set_number (out, W_WAIT, sum != NULL ? sum->wait : 0);
    }
  if (peak != NULL)
    {
      set_count (out, W_MEMORY, peak->memory_peak);
      set_count (out, W_SPILLED, peak->spilled_peak);
    }
}

static void
add_core_metrics (Context *context, const All *all, const char *none)
{
  double duration = all->last > all->first ? (double) (all->last - all->first) / G_USEC_PER_SEC : 0;
  g_autofree char *unknown = NULL;
  g_autofree char *note = NULL;

  if (all->n_unknown > 0)
    unknown = g_strdup_printf ("of %u of %u workers it is not known how many cores they had, or for how long",
                               all->n_unknown, all->n);
  if (unknown != NULL)
    none = unknown;
  else if (all->n > 0)
    none = "no worker was there while it was measured";
  note = dup_joined (unknown, context->cores_note);
  if (all->core_seconds > 0)
    add (context, "worker_core_seconds", all->core_seconds, FALSE, unknown);
  else
    add_unavailable (context, "worker_core_seconds", none);
  add_ratio (context, "worker_cores_average", all->core_seconds, duration, unknown, none);
  add_ratio (context, "worker_cores_mean", all->cores, all->n - all->n_unknown, unknown, none);
  if (all->told || all->n == 0)
    add_ratio (context, "core_efficiency_ratio", all->busy_of_known, all->core_seconds, note, none);
  else
    add_unavailable (context, "core_efficiency_ratio", "no executor told how long tasks took");
}

static void
add_worker_metrics (Context *context, const All *all)
{
  const char *none = "no worker of an executor was seen";

  add_ratio (context, "worker_balance_ratio", all->busiest * all->n, all->busy, context->fine_note,
             all->n > 0 ? "no worker was busy" : none);
  if (all->memory_peak >= 0)
    add (context, "worker_memory_peak_bytes", (double) all->memory_peak, TRUE, NULL);
  else
    add_unavailable (context, "worker_memory_peak_bytes", all->n > 0 ? "no worker told its memory" : none);
  if (all->memory_ratio > 0)
    add (context, "worker_memory_peak_ratio", all->memory_ratio, FALSE, NULL);
  else
    add_unavailable (context, "worker_memory_peak_ratio",
                     all->n == 0            ? none
                     : all->memory_peak < 0 ? "no worker told its memory"
                                            : "workers have no limit of memory");
  add_core_metrics (context, all, none);
}

static void
add_workers (Context *context, RoastRecordingSnapshot *recording)
{
  g_autoptr (GHashTable) peaks =
      read_peaks (context->sums, roast_recording_snapshot_get_table (recording, "worker_samples"));
  g_autoptr (RoastTable) table = new_worker_table ();
  g_autoptr (RoastRow) out = roast_row_new (table);
  Workers workers = { 0 };
  All all = { .memory_peak = -1, .first = G_MAXINT64, .last = G_MININT64 };
  gboolean found = open_workers (&workers, recording);
  guint64 n_rows = found ? roast_table_snapshot_get_n_rows (workers.table) : 0;

  for (guint64 row = 0; row < n_rows; row++)
    {
      if (!g_hash_table_contains (context->sums->sources,
                                  roast_table_snapshot_get_string (workers.table, row, workers.source)))
        continue;
      add_worker (context, &workers, row, peaks, out, &all);
      roast_table_append (table, out, NULL);
    }
  if (all.n > 0)
    roast_report_add_table (context->report, table);
  add_worker_metrics (context, &all);
}

/* ---- derived tables ---- */

static int
compare_busy (const ActivitySum **a, const ActivitySum **b)
{
  double x = MAX ((*a)->busy, (*a)->in_tasks);
  double y = MAX ((*b)->busy, (*b)->in_tasks);

  return x != y ? (x < y ? 1 : -1) : g_strcmp0 ((*a)->name, (*b)->name);
}

static void
add_per_prefix (Context *context)
{
  g_autoptr (RoastTable) table = roast_table_new ("per_category", ROAST_TABLE_KIND_LOG, "Kinds of tasks, and what they did");
  g_autoptr (RoastRow) row = NULL;

  roast_table_add_column (table, "category", ROAST_COLUMN_TYPE_CATEGORY, NULL, "kind of task", NULL);
  roast_table_add_column (table, "part", ROAST_COLUMN_TYPE_CATEGORY, NULL,
                          "processor: the analysis; overhead: the framework's own", NULL);
  roast_table_add_column (table, "tasks", ROAST_COLUMN_TYPE_INT64, NULL, "tasks that ran", NULL);
  roast_table_add_column (table, "failed", ROAST_COLUMN_TYPE_INT64, NULL, "of these, failed ones", NULL);
  roast_table_add_column (table, "busy", ROAST_COLUMN_TYPE_DOUBLE, "s", "all time in the context of such tasks", NULL);
  roast_table_add_column (table, "cpu", ROAST_COLUMN_TYPE_DOUBLE, "s", "CPU time", NULL);
  roast_table_add_column (table, "waiting", ROAST_COLUMN_TYPE_DOUBLE, "s", "time in which threads did not compute", NULL);
  roast_table_add_column (table, "mean", ROAST_COLUMN_TYPE_DOUBLE, "s", "mean time of one", NULL);
  roast_table_add_column (table, "max", ROAST_COLUMN_TYPE_DOUBLE, "s", "time of the slowest", NULL);
  roast_table_add_column (table, "bytes_out", ROAST_COLUMN_TYPE_INT64, "B", "size of their results", NULL);
  roast_table_add_column (table, "disk_read", ROAST_COLUMN_TYPE_INT64, "B", "read back from disk", NULL);
  roast_table_add_column (table, "disk_write", ROAST_COLUMN_TYPE_INT64, "B", "written to disk", NULL);
  row = roast_row_new (table);
  g_ptr_array_sort (context->sums->prefixes, (GCompareFunc) compare_busy);
  for (guint i = 0; i < context->sums->prefixes->len; i++)
    {
      const ActivitySum *sum = g_ptr_array_index (context->sums->prefixes, i);

      roast_row_clear (row);
      roast_row_set_string (row, 0, sum->name);
      roast_row_set_string (row, 1, sum->is_processor ? "processor" : "overhead");
      if (sum->has_tasks)
        {
          roast_row_set_int64 (row, 2, sum->tasks);
          roast_row_set_int64 (row, 3, sum->failed);
          if (sum->timed > 0)
            {
              roast_row_set_double (row, 7, sum->in_tasks / (double) sum->timed);
              roast_row_set_double (row, 8, sum->longest);
            }
          roast_row_set_int64 (row, 9, to_integer (sum->bytes_out));
        }
      if (context->sums->has_activities)
        roast_row_set_double (row, 4, sum->busy);
      if (knows_cpu (context->sums))
        {
          roast_row_set_double (row, 5, sum->cpu);
          roast_row_set_double (row, 6, sum->wait);
          roast_row_set_int64 (row, 10, to_integer (sum->disk_read));
          roast_row_set_int64 (row, 11, to_integer (sum->disk_write));
        }
      roast_table_append (table, row, NULL);
    }
  if (context->sums->prefixes->len > 0)
    roast_report_add_table (context->report, table);
}

static int
compare_activities (const Activity **a, const Activity **b)
{
  int order = g_strcmp0 ((*a)->context, (*b)->context);

  if (order == 0)
    order = g_strcmp0 ((*a)->unit, (*b)->unit);

  if (order == 0 && (*a)->value != (*b)->value)
    order = (*a)->value < (*b)->value ? 1 : -1;

  return order != 0 ? order : g_strcmp0 ((*a)->activity, (*b)->activity);
}

static void
add_per_activity (Context *context)
{
  g_autoptr (RoastTable) table =
      roast_table_new ("per_activity", ROAST_TABLE_KIND_LOG, "What time and bytes went into, all workers together");
  g_autoptr (RoastRow) row = NULL;

  roast_table_add_column (table, "context", ROAST_COLUMN_TYPE_CATEGORY, NULL,
                          "execute: in tasks; all others: between and around them", NULL);
  roast_table_add_column (table, "activity", ROAST_COLUMN_TYPE_CATEGORY, NULL,
                          "thread-cpu, disk-read, ... and the script's own", NULL);
  roast_table_add_column (table, "unit", ROAST_COLUMN_TYPE_CATEGORY, NULL, "unit of value", NULL);
  roast_table_add_column (table, "value", ROAST_COLUMN_TYPE_DOUBLE, NULL, "sum of all workers", NULL);
  row = roast_row_new (table);
  g_ptr_array_sort (context->sums->activities, (GCompareFunc) compare_activities);
  for (guint i = 0; i < context->sums->activities->len; i++)
    {
      const Activity *activity = g_ptr_array_index (context->sums->activities, i);

      roast_row_clear (row);
      roast_row_set_string (row, 0, activity->context);
      roast_row_set_string (row, 1, activity->activity);
      roast_row_set_string (row, 2, activity->unit);
      roast_row_set_double (row, 3, activity->value);
      roast_table_append (table, row, NULL);
    }
  if (context->sums->activities->len > 0)
    roast_report_add_table (context->report, table);
}

/* ---- the executor itself ---- */

static void
add_lateness (Context *context, RoastTableSnapshot *table)
{
  guint64 n_rows = table != NULL ? roast_table_snapshot_get_n_rows (table) : 0;
  double worst = NAN;

  for (guint64 row = 0; row < n_rows; row++)
    {
      guint column = (guint) roast_table_snapshot_find_column (table, "lateness");

      if (roast_table_snapshot_is_valid (table, row, column))
        worst = fmax (worst, roast_table_snapshot_get_double (table, row, column));
    }
  if (isnan (worst))
    add_unavailable (context, "scheduler_lateness_max_seconds", "no executor told how late its loop was");
  else
    add (context, "scheduler_lateness_max_seconds", worst, FALSE, NULL);
}

static void
add_probe (Context *context, RoastTableSnapshot *table)
{
  guint64 n_rows = table != NULL ? roast_table_snapshot_get_n_rows (table) : 0;
  gboolean found = FALSE;
  double sum = 0;

  for (guint64 row = 0; row < n_rows; row++)
    {
      const char *part =
          roast_table_snapshot_get_string (table, row, (guint) roast_table_snapshot_find_column (table, "part"));

      if (part == NULL || !g_str_has_prefix (part, "roast"))
        continue;
      found = TRUE;
      sum += roast_table_snapshot_get_double (table, row, (guint) roast_table_snapshot_find_column (table, "value"));
    }
  if (found)
    add (context, "probe_cpu_seconds", sum, FALSE, NULL);
  else
    add_unavailable (context, "probe_cpu_seconds", "nothing of roast ran inside an executor");
}

/* ---- completeness ---- */

/* Of workers whose last data are not known. */
static char *
dup_tail_note (ActivitySums *sums, RoastRecordingSnapshot *recording)
{
  Workers workers = { 0 };
  gboolean found = open_workers (&workers, recording);
  guint64 n_rows = found ? roast_table_snapshot_get_n_rows (workers.table) : 0;
  double longest = 0;
  guint n = 0;

  for (guint64 row = 0; row < n_rows; row++)
    {
      double tail = number_at (&workers, row, workers.tail);

      if (!(tail > 0) ||
          !g_hash_table_contains (sums->sources, roast_table_snapshot_get_string (workers.table, row, workers.source)))
        continue;
      n++;
      longest = fmax (longest, tail);
    }

  return n > 0 ? g_strdup_printf ("%u worker(s) were lost with up to %.1f s of which nothing is known", n, longest)
               : NULL;
}

/* What the first event of some kinds says, and how many there were. */
static char *
dup_event (RoastRecordingSnapshot *recording, const char *const *kinds)
{
  RoastTableSnapshot *events = roast_recording_snapshot_get_table (recording, "events");
  guint64 n_rows = events != NULL ? roast_table_snapshot_get_n_rows (events) : 0;
  guint kind = n_rows > 0 ? (guint) roast_table_snapshot_find_column (events, "kind") : 0;
  guint message = n_rows > 0 ? (guint) roast_table_snapshot_find_column (events, "message") : 0;
  const char *first = NULL;
  guint n = 0;

  for (guint64 row = 0; row < n_rows; row++)
    {
      const char *text = roast_table_snapshot_get_string (events, row, kind);

      if (text == NULL || !g_strv_contains (kinds, text))
        continue;
      n++;
      if (first == NULL)
        first = roast_table_snapshot_get_string (events, row, message);
    }

  return n > 1 ? g_strdup_printf ("%s (and %u more of that kind: see the table events)", first, n - 1)
               : g_strdup (first);
}

/* A source may say itself why it has none. */
static char *
dup_why_no_fine (RoastRecordingSnapshot *recording)
{
  static const char mark[] = "fine metrics not available: ";
  RoastTableSnapshot *sources = roast_recording_snapshot_get_table (recording, "sources");
  guint64 n_rows = sources != NULL ? roast_table_snapshot_get_n_rows (sources) : 0;

  for (guint64 row = 0; row < n_rows; row++)
    {
      const char *text =
          roast_table_snapshot_get_string (sources, row,
                                           (guint) roast_table_snapshot_find_column (sources, "capabilities"));
      const char *found = text != NULL ? strstr (text, mark) : NULL;

      if (found != NULL)
        return g_strndup (found + strlen (mark), strcspn (found + strlen (mark), ";,"));
    }

  return g_strdup ("no executor told what its tasks spent their time on");
}

static char *
dup_unmeasured (const ActivitySums *sums)
{
  if (!sums->has_cpu || !(sums->unmeasured > 0))
    return NULL;

  return g_strdup_printf ("of %.1f s of tasks it is not known whether they computed", sums->unmeasured);
}

static char *
dup_vague (const ActivitySums *sums)
{
  if (!(sums->vague > 0))
    return NULL;

  return g_strdup_printf ("of %.1f s of tasks it is not known when they began or how long they took in the end",
                          sums->vague);
}

static gboolean
activity_aggregate (RoastAggregator *aggregator, RoastRecordingSnapshot *recording, RoastReport *report,
                    GCancellable *cancellable, GError **error)
{
  static const char *const fine_kinds[] = { "workers-silent", "flush", NULL };
  static const char *const task_kinds[] = { "frames-dropped", NULL };
  g_autoptr (ActivitySums) sums = activity_sums_new (recording);
  g_autofree char *no_fine = dup_why_no_fine (recording);
  g_autofree char *tail = dup_tail_note (sums, recording);
  g_autofree char *silent = dup_event (recording, fine_kinds);
  g_autofree char *dropped = dup_event (recording, task_kinds);
  g_autofree char *lost = dup_joined (tail, silent);
  g_autofree char *unmeasured = dup_unmeasured (sums);
  g_autofree char *fine_note = dup_joined (lost, unmeasured);
  g_autofree char *tasks_note = dup_joined (dropped, tail);
  g_autofree char *vague = dup_vague (sums);
  g_autofree char *cores_note = dup_joined (fine_note, vague);
  Context context = { report, sums, fine_note, tasks_note, tail, cores_note, no_fine };

  classify (sums, get_processor (recording), report);
  add_processor (&context);
  add_simple (&context);
  add_task_counts (&context, recording);
  add_task_times (&context);
  add_workers (&context, recording);
  add_lateness (&context, roast_recording_snapshot_get_table (recording, "cluster_samples"));
  add_probe (&context, roast_recording_snapshot_get_table (recording, "executor_times"));
  add_per_prefix (&context);
  add_per_activity (&context);

  return TRUE;
}

static char **
activity_dup_provides (RoastAggregator *aggregator)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (guint i = 0; i < G_N_ELEMENTS (provided); i++)
    g_strv_builder_add (names, provided[i]);
  for (guint i = 0; i < G_N_ELEMENTS (simple); i++)
    g_strv_builder_add (names, simple[i].metric);

  return g_strv_builder_end (names);
}

ROAST_DEFINE_AGGREGATOR (RoastTaskActivityAggregator, roast_task_activity_aggregator,
                         iface->dup_provides = activity_dup_provides;
                         iface->aggregate = activity_aggregate)

ROAST_DEFINE_PLUGIN ("task-activity", PLUGIN_VERSION,
                     ROAST_PLUGIN_AGGREGATOR ("task-activity", roast_task_activity_aggregator_get_type))
