/* SPDX-License-Identifier: BSD-3-Clause */

/* Account for the cores of a process tree. The CPU time of each command is exact, because it comes from the accounting
 * of processes. Samples show how long processes waited for a core while other cores were free. The remaining core time
 * was idle. */

#include "core-tree.h"
#include "coverage.h"
#include "each.h"
#include "metadata.h"
#include "order.h"
#include "partial-sum.h"
#include "time-search.h"

/* Largest number of commands with a row of their own. All other commands share one row. */
#define MAX_COMMANDS 20

/* Interval between two samples of the whole tree. */
typedef struct
{
  double from, to, cpu; /* from, to: µs; cpu: s of CPU time in the interval */
  double run_queue;     /* s: time that processes waited for a core, summed over all processes */
} TreeInterval;

typedef struct
{
  RoastRecordingSnapshot *recording;
  CoreSource *source;
  double cores, elapsed;
  GArray *intervals; /* elements are TreeInterval */
} Tree;

/* ---- commands ---- */

static int
tree_compare_commands (gconstpointer a, gconstpointer b)
{
  const CoreCommand *first = a;
  const CoreCommand *second = b;

  return order_rows (first->seconds, second->seconds, first->name, second->name);
}

static void
tree_collect_commands (CoreSource *self, GHashTable *sums)
{
  GHashTableIter iter;
  const char *name = NULL;
  const double *seconds = NULL;

  g_hash_table_iter_init (&iter, sums);
  while (g_hash_table_iter_next (&iter, (gpointer *) &name, (gpointer *) &seconds))
    {
      CoreCommand command = { g_strdup (name), *seconds };

      if (command.seconds > 0)
        g_array_append_val (self->commands, command);
      else
        g_free (command.name);
    }
  g_array_sort (self->commands, tree_compare_commands);
  if (self->commands->len > MAX_COMMANDS)
    {
      CoreCommand others = { g_strdup ("(others)"), 0 };

      for (guint i = MAX_COMMANDS; i < self->commands->len; i++)
        others.seconds += g_array_index (self->commands, CoreCommand, i).seconds;
      g_array_set_size (self->commands, MAX_COMMANDS);
      g_array_append_val (self->commands, others);
    }
}

static double
tree_get_cpu (RoastTableReader *processes)
{
  double cpu = NAN;

  partial_sum_add (&cpu, roast_table_reader_get_double (processes, ROAST_PROCESSES_CPU_USER));
  partial_sum_add (&cpu, roast_table_reader_get_double (processes, ROAST_PROCESSES_CPU_SYSTEM));
  partial_sum_add (&cpu, roast_table_reader_get_double (processes, ROAST_PROCESSES_CPU_UNSPLIT));

  return cpu;
}

static void
add_command (GHashTable *sums, const char *command, double cpu)
{
  double *sum = g_hash_table_lookup (sums, command);

  if (sum == NULL)
    {
      sum = g_new0 (double, 1);
      g_hash_table_insert (sums, g_strdup (command), sum);
    }
  partial_sum_add (sum, cpu);
}

/* Return the CPU time of all processes; NaN if unknown. @reported is the CPU time in the report. If the measurement was
 * interrupted, @reported comes from samples, and includes processes that had not ended. */
static double
read_commands (Tree *self, double reported)
{
  g_autoptr (RoastTableReader) processes = roast_processes_read (self->recording);
  g_autoptr (GHashTable) sums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  double total = NAN;

  while (roast_table_reader_next (processes))
    {
      const char *name = roast_table_reader_get_string (processes, ROAST_PROCESSES_COMMAND);
      double cpu = tree_get_cpu (processes);

      add_command (sums, name != NULL && *name != '\0' ? name : "(too short-lived to observe)", cpu);
      partial_sum_add (&total, cpu);
    }
  if (self->source->missing != NULL && reported > (isnan (total) ? 0 : total))
    {
      add_command (sums, "(running at the end of the data)", reported - (isnan (total) ? 0 : total));
      total = reported;
    }
  tree_collect_commands (self->source, sums);

  return total;
}

/* ---- samples ---- */

static void
tree_read_intervals (Tree *self)
{
  g_autoptr (RoastTableReader) samples = roast_cluster_samples_read (self->recording);
  double from = self->source->started;
  double cpu = 0;

  while (roast_table_reader_next (samples))
    {
      TreeInterval interval = { from, roast_table_reader_get_double (samples, ROAST_CLUSTER_SAMPLES_TIME),
                                roast_table_reader_get_double (samples, ROAST_CLUSTER_SAMPLES_CPU), 0 };

      if (g_strcmp0 (roast_table_reader_get_string (samples, ROAST_CLUSTER_SAMPLES_SOURCE), self->source->name) != 0 ||
          isnan (interval.cpu) || !(interval.to > from))
        continue;
      from = interval.to;
      interval.cpu -= cpu;
      cpu += interval.cpu;
      interval.cpu = fmax (interval.cpu, 0);
      g_array_append_val (self->intervals, interval);
    }
}

/* Return the interval that contains @time; NULL if there is none. */
static TreeInterval *
tree_find_interval (Tree *self, double time)
{
  guint i = time_search (self->intervals, G_STRUCT_OFFSET (TreeInterval, to), time);

  return i < self->intervals->len ? &g_array_index (self->intervals, TreeInterval, i) : NULL;
}

static void
read_run_queues (Tree *self)
{
  g_autoptr (RoastTableReader) samples = roast_worker_samples_read (self->recording);
  g_autofree double *last = NULL;
  guint n = 0;

  while (roast_table_reader_next (samples))
    {
      double queue = roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_RUN_QUEUE);
      guint process = (guint) MAX (roast_table_reader_get_code (samples, ROAST_WORKER_SAMPLES_WORKER), 0);
      TreeInterval *interval =
          tree_find_interval (self, roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_TIME));

      if (isnan (queue) || interval == NULL ||
          g_strcmp0 (roast_table_reader_get_string (samples, ROAST_WORKER_SAMPLES_SOURCE), self->source->name) != 0)
        continue;
      for (; n <= process; n++)
        {
          last = g_renew (double, last, n + 1);
          last[n] = 0;
        }
      interval->run_queue += fmax (queue - last[process], 0);
      last[process] = queue;
    }
}

/* ---- stretches ---- */

static void
find_stretches (CoreSource *self, RoastReport *report)
{
  g_autoptr (RoastTableReader) windows = roast_windows_read (report);
  double started = NAN;
  double ended = NAN;

  while (roast_table_reader_next (windows))
    if (roast_table_reader_get_word (windows, ROAST_WINDOWS_KIND) == ROAST_WINDOW_KIND_WORK &&
        roast_table_reader_has (windows, ROAST_WINDOWS_SOURCE))
      {
        started = fmin (started, roast_table_reader_get_double (windows, ROAST_WINDOWS_STARTED));
        ended = fmax (ended, roast_table_reader_get_double (windows, ROAST_WINDOWS_ENDED));
      }
  started = isnan (started) ? self->started : CLAMP (started, self->started, self->ended);
  ended = isnan (ended) ? self->ended : CLAMP (ended, started, self->ended);
  self->bounds[ROAST_STRETCH_STARTUP] = self->started;
  self->bounds[ROAST_STRETCH_RAMP] = self->bounds[ROAST_STRETCH_STEADY] = started;
  self->bounds[ROAST_STRETCH_TAIL] = self->bounds[ROAST_STRETCH_SHUTDOWN] = ended;
  self->bounds[CORE_TIME_N_STRETCHES] = self->ended;
  self->reasons[ROAST_STRETCH_STARTUP] = g_strdup ("the run started");
  self->reasons[ROAST_STRETCH_STEADY] =
      g_strdup (started > self->started ? "the first task or chunk of the analysis started"
                                        : "the run has no tasks or chunks of an analysis, so it is one phase");
  self->reasons[ROAST_STRETCH_SHUTDOWN] = g_strdup ("the last task or chunk of the analysis ended");
}

static double
tree_get_overlap (const CoreSource *self, guint stretch, double from, double to)
{
  return fmax (fmin (to, self->bounds[stretch + 1]) - fmax (from, self->bounds[stretch]), 0);
}

/* For each stretch, add up the sampled CPU time, and the time that processes waited for a core. The caller uses @cpu
 * only for proportions. */
static void
divide_samples (Tree *self, double cpu[CORE_TIME_N_STRETCHES], double waiting[CORE_TIME_N_STRETCHES])
{
  FOR_EACH (const TreeInterval, interval, self->intervals)
    {
      double length = interval->to - interval->from;
      double free = fmax (self->cores * length / G_USEC_PER_SEC - interval->cpu, 0);

      for (guint i = 0; i < CORE_TIME_N_STRETCHES; i++)
        {
          double share = tree_get_overlap (self->source, i, interval->from, interval->to) / length;

          cpu[i] += share * interval->cpu;
          waiting[i] += share * fmin (interval->run_queue, free);
        }
    }
}

/* Divide core time among the stretches. @total is the CPU time until the program ended. @after is the CPU time after
 * that, of processes that the program left behind. */
static void
tree_divide (Tree *self, double total, double after)
{
  CoreSource *source = self->source;
  double cpu[CORE_TIME_N_STRETCHES] = { 0 };
  double waiting[CORE_TIME_N_STRETCHES] = { 0 };
  double sampled = 0;
  double rest = 0;

  divide_samples (self, cpu, waiting);
  for (guint i = 0; i < CORE_TIME_N_STRETCHES; i++)
    sampled += cpu[i];
  for (guint i = 0; i < CORE_TIME_N_STRETCHES; i++)
    {
      double length = (source->bounds[i + 1] - source->bounds[i]) / (source->ended - source->started);
      double offered = self->cores * self->elapsed * length;
      double used = total * (sampled > 0 ? cpu[i] / sampled : length);
      double fitting = fmin (used, offered);
      double queue = fmin (waiting[i], offered - fitting);

      rest += used - fitting;
      source->parts[i][ROAST_CORE_PART_TASK_CPU] = fitting;
      source->parts[i][ROAST_CORE_PART_TASK_WAIT] = queue;
      source->parts[i][ROAST_CORE_PART_IDLE_NO_WORK] = offered - fitting - queue;
    }
  source->extra = rest + after;
}

CoreSource *
core_tree_new (RoastRecordingSnapshot *recording, RoastReport *report)
{
  RoastRunModel *model = roast_run_model_get (recording);
  const char *tree = roast_run_model_get_process_tree (model);
  g_autoptr (GArray) intervals = g_array_new (FALSE, FALSE, sizeof (TreeInterval));
  Tree self = { .recording = recording, .intervals = intervals };
  RoastMetric *metric = roast_report_lookup (report, "process_cpu_time_seconds");
  gint64 main_cpu;
  double reported = NAN;
  double started, ended, total, within;

  /* Use the source whose workers are the processes, because the samples belong to this source, not to the accounting of
   * processes. */
  if (tree == NULL || !roast_report_get_double (report, "cores_available", &self.cores) || !(self.cores > 0) ||
      !roast_report_get_double (report, "elapsed_time_seconds", &self.elapsed) || !(self.elapsed > 0) ||
      !roast_run_model_get_times (model, &started, &ended))
    return NULL;
  self.source = core_source_new (tree, started, ended);
  self.source->is_tree = TRUE;
  if (metric != NULL && roast_metric_get_completeness (metric) == ROAST_COMPLETENESS_PARTIAL)
    self.source->missing = g_strdup (roast_metric_get_note (metric));
  /* If a source lacks all rows of tasks, its tasks may have run at other times, so the windows may be wrong. */
  self.source->rough = coverage_dup_none (recording, ROAST_TABLE_TASKS);
  find_stretches (self.source, report);
  tree_read_intervals (&self);
  read_run_queues (&self);
  roast_report_get_double (report, "process_cpu_time_seconds", &reported);
  total = read_commands (&self, reported);
  if (isnan (total))
    {
      core_source_free (self.source);
      return NULL;
    }
  within = total;
  if (metadata_get_int64 (recording, "tree-main-cpu", &main_cpu))
    within = fmin (total, (double) main_cpu / G_USEC_PER_SEC);
  tree_divide (&self, within, total - within);

  return self.source;
}
