/* SPDX-License-Identifier: BSD-3-Clause */

/* Counts the threads of a program without an executor that computed or waited for a core between two samples of its
 * process tree. Waiting for a core counts as demand, because the program would otherwise look idle while other programs
 * use the machine. */

#include "events.h"
#include "findings.h"
#include "group-element.h"
#include "time-search.h"

#define DEMAND_NONE 0.2 /* a smaller average number of active threads counts as no active thread */
#define ONE 0.5         /* from this average number on, one thread was active for most of the interval */
#define TWO 1.25        /* from this average number on, several threads were active */

typedef struct
{
  double queue; /* time for which the process had waited for a core until its last sample, s */
  double last;  /* CPU time plus waiting for a core of the process until its last sample, s */
  double alone; /* active time in intervals in which only one thread was active, s */
  double threads;
  const char *name;
} DemandProcess;

/* Time in s for which a process computed or waited for a core during an interval. */
typedef struct
{
  guint process;
  double used, threads;
} DemandUse;

typedef struct
{
  double from, to; /* µs */
  double demand;   /* CPU time plus waiting for a core, summed over all processes, s */
} DemandInterval;

/* A process is sampled only if it has changed. So the time that the process used since its previous sample belongs to
 * the interval that ends with the new sample. */
static GArray *
demand_read_intervals (Findings *self)
{
  g_autoptr (RoastTableReader) samples = roast_cluster_samples_read (self->recording);
  GArray *intervals = g_array_new (FALSE, FALSE, sizeof (DemandInterval));
  double from = NAN;
  double cpu = 0;

  /* A run may lack some stretches. Their bounds are NaN, which fmin () ignores. */
  for (guint i = 0; i < ROAST_STRETCH_N_WORDS; i++)
    from = fmin (from, self->bounds[i][0]);
  while (roast_table_reader_next (samples))
    {
      DemandInterval interval = { from, roast_table_reader_get_double (samples, ROAST_CLUSTER_SAMPLES_TIME), 0 };
      double now = roast_table_reader_get_double (samples, ROAST_CLUSTER_SAMPLES_CPU);

      if (g_strcmp0 (roast_table_reader_get_string (samples, ROAST_CLUSTER_SAMPLES_SOURCE), self->tree) != 0 ||
          isnan (now))
        continue;
      /* Use the sum over all processes, because short-lived processes have no samples of their own. */
      interval.demand = fmax (now - cpu, 0);
      cpu = now;
      from = interval.to;
      if (interval.to > interval.from)
        g_array_append_val (intervals, interval);
    }

  return intervals;
}

static DemandInterval *
demand_find_interval (GArray *intervals, double time)
{
  guint i = time_search (intervals, G_STRUCT_OFFSET (DemandInterval, to), time);

  return i < intervals->len ? &g_array_index (intervals, DemandInterval, i) : NULL;
}

static double
get_threads (const DemandInterval *interval)
{
  return interval->demand / ((interval->to - interval->from) / G_USEC_PER_SEC);
}

static gboolean
is_one (const DemandInterval *interval)
{
  double threads = get_threads (interval);

  return threads >= ONE && threads < TWO;
}

/* If only one thread was active in the interval, adds @uses to the processes. Clears @uses in any case. The demand of
 * the interval must be complete. */
static void
end_interval (const DemandInterval *interval, GArray *processes, GArray *uses)
{
  for (guint i = 0; interval != NULL && is_one (interval) && i < uses->len; i++)
    {
      const DemandUse *use = &g_array_index (uses, DemandUse, i);
      DemandProcess *process = &g_array_index (processes, DemandProcess, use->process);

      process->alone += use->used;
      process->threads = fmax (process->threads, use->threads);
    }
  g_array_set_size (uses, 0);
}

/* Adds the time that processes waited for a core to the demand of the intervals. Returns the processes. */
static GArray *
add_processes (Findings *self, GArray *intervals)
{
  g_autoptr (RoastTableReader) samples = roast_worker_samples_read (self->recording);
  g_autoptr (GArray) uses = g_array_new (FALSE, FALSE, sizeof (DemandUse));
  GArray *processes = g_array_new (FALSE, TRUE, sizeof (DemandProcess));
  DemandInterval *last = NULL;

  while (roast_table_reader_next (samples))
    {
      int code = roast_table_reader_get_code (samples, ROAST_WORKER_SAMPLES_WORKER);
      double queue = roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_RUN_QUEUE);
      double cpu = roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_CPU);
      DemandInterval *interval =
          demand_find_interval (intervals, roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_TIME));
      DemandProcess *process;
      DemandUse use = { (guint) code, 0, roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_THREADS) };

      if (code < 0 || interval == NULL ||
          g_strcmp0 (roast_table_reader_get_string (samples, ROAST_WORKER_SAMPLES_SOURCE), self->tree) != 0)
        continue;
      if (interval != last)
        end_interval (last, processes, uses);
      last = interval;
      process = group_element_at (processes, use.process);
      if (process->name == NULL)
        process->name = findings_keep (self, roast_table_reader_get_string (samples, ROAST_WORKER_SAMPLES_WORKER));
      if (!isnan (queue))
        {
          interval->demand += fmax (queue - process->queue, 0);
          process->queue = queue;
        }
      if (isnan (cpu))
        continue;
      cpu += isnan (queue) ? 0 : queue;
      use.used = fmax (cpu - process->last, 0);
      process->last = cpu;
      g_array_append_val (uses, use);
    }
  end_interval (last, processes, uses);

  return processes;
}

/* Finds the process that was the only active one for the longest time. */
static void
find_process (GArray *processes, FindingsDemand *demand)
{
  DemandProcess *most = NULL;

  FOR_EACH (DemandProcess, process, processes)
    if (process->alone > (most != NULL ? most->alone : 0))
      most = process;
  if (most == NULL)
    return;
  demand->alone = most->alone;
  demand->threads = most->threads;
  demand->process = most->name;
}

/* Sets the command of demand->process, and whether this process is the program's main process, which is the first
 * process of the tree. */
static void
name_process (Findings *self, FindingsDemand *demand)
{
  const RoastRunWorker *process =
      demand->process != NULL ? roast_run_model_find_worker (self->model, self->tree, demand->process) : NULL;
  guint n, first = 0;
  const RoastRunWorker *workers = roast_run_model_get_workers (self->model, &n);

  if (process == NULL)
    return;
  while (g_strcmp0 (workers[first].source, self->tree) != 0)
    first++;
  demand->command = process->name;
  demand->pid = process->pid;
  demand->is_main = process->index == first;
}

const char *
findings_describe_stop (Findings *self, double least)
{
  double stopped = findings_get_metric (self, "stopped_time_seconds");
  g_autofree char *sampled = events_describe (self->recording, "stopped");

  return stopped >= least
             ? findings_text (self, "a signal, such as SIGSTOP, had stopped processes of the program for %s%s",
                              sampled != NULL ? "at least " : "", findings_duration (self, stopped))
             : NULL;
}

const char *
findings_describe_stop_of (Findings *self, const char *worker, double least)
{
  guint n;
  const RoastRunWorker *all = roast_run_model_get_workers (self->model, &n);

  for (guint i = 0; i < n; i++)
    if (!all[i].is_process && roast_run_worker_get_process (&all[i]) != NULL &&
        (worker == NULL || g_strcmp0 (all[i].worker, worker) == 0))
      return findings_describe_stop (self, least);

  return NULL;
}

gboolean
findings_read_demand (Findings *self, FindingsDemand *demand)
{
  g_autoptr (GArray) intervals = NULL;
  g_autoptr (GArray) processes = NULL;
  double elapsed = findings_get_metric (self, "elapsed_time_seconds");

  *demand = (FindingsDemand) { .pid = -1 };
  if (self->tree == NULL)
    return FALSE;
  intervals = demand_read_intervals (self);
  processes = add_processes (self, intervals);
  FOR_EACH (const DemandInterval, interval, intervals)
    {
      /* The last sample is taken after the end of the program. */
      double length = fmin ((interval->to - interval->from) / G_USEC_PER_SEC, elapsed - demand->all);

      demand->all += length;
      if (is_one (interval))
        {
          demand->one += length;
          demand->demand += interval->demand;
        }
      else if (get_threads (interval) < DEMAND_NONE)
        demand->none += length - interval->demand;
      else if (get_threads (interval) >= TWO)
        demand->more += length;
    }
  find_process (processes, demand);
  name_process (self, demand);

  return intervals->len > 0;
}
