/* SPDX-License-Identifier: BSD-3-Clause */

/* Estimates how long processes of this machine waited for a core, from samples and from counters of the kernel: within
 * one task or chunk, and in all tasks of a worker. On a busy machine, how long a process waits depends on other
 * programs. So this time does not show whether a file, or one of several workers on this machine, is slow. */

#include "findings.h"
#include "time-search.h"

#define WAITS_MOST 0.5 /* minimum share of the program's waiting in workers; else other processes compute for tasks */

typedef struct
{
  double time, queue; /* time: µs; queue: total time that the process had waited for a core at @time, s */
} WaitsSample;

/* A process of the tree, or a process in which workers of an executor run. */
struct _FindingsCoreWait
{
  const RoastRunProcess *observed; /* the process in the model of the run; NULL if unknown */
  double since;                    /* when the process was first seen, µs */
  GArray *samples;                 /* elements are WaitsSample, sorted by time */
  gboolean is_counted;             /* the process contains workers, and how long it waited is known */
  double joined;                   /* time at which the process was ready for tasks, µs; NaN if unknown */
  double first;                    /* start of the first task of the process, µs; NaN if it had no task */
  double tasks;                    /* total CPU time of the tasks of the process, s */
};

struct _FindingsCoreWaits
{
  GPtrArray *all;          /* elements are FindingsCoreWait */
  GHashTable *by_observed; /* keys are RoastRunProcess */
  GHashTable *by_sampled;  /* keys are the names of processes in samples */
  GHashTable *by_pid;      /* keys are pids; values are the last process that had this pid */
  GHashTable *by_worker;   /* keys are the executor's names of workers */
  const char *host;
  guint n;             /* number of counted processes; 0 if the process of a worker with tasks is unknown */
  double total, tasks; /* total: time that counted processes waited, s; tasks: part of this time during tasks */
};

static void
core_wait_free (gpointer data)
{
  FindingsCoreWait *self = data;

  g_array_unref (self->samples);
  g_free (self);
}

void
findings_clear_core_waits (Findings *self)
{
  if (self->waits == NULL)
    return;
  g_ptr_array_unref (self->waits->all);
  g_hash_table_unref (self->waits->by_observed);
  g_hash_table_unref (self->waits->by_sampled);
  g_hash_table_unref (self->waits->by_pid);
  g_hash_table_unref (self->waits->by_worker);
  g_clear_pointer (&self->waits, g_free);
}

/* Returns the process of a row of the table workers. Workers in the same process share one FindingsCoreWait. */
static FindingsCoreWait *
waits_get_process (FindingsCoreWaits *self, const RoastRunWorker *worker)
{
  const RoastRunProcess *observed = roast_run_worker_get_process (worker);
  FindingsCoreWait *process = observed != NULL ? g_hash_table_lookup (self->by_observed, observed) : NULL;
  const WaitsSample start = { worker->joined, 0 };

  if (process != NULL)
    return process;
  process = g_new (FindingsCoreWait, 1);
  *process = (FindingsCoreWait) { .observed = observed,
                                  .since = worker->joined,
                                  .samples = g_array_new (FALSE, FALSE, sizeof (WaitsSample)),
                                  .joined = NAN,
                                  .first = NAN };
  g_array_append_val (process->samples, start);
  g_ptr_array_add (self->all, process);
  if (observed != NULL)
    g_hash_table_insert (self->by_observed, (gpointer) observed, process);

  return process;
}

/* Adds the waits of one process of the process tree to the facts. */
static void
waits_add_process (FindingsCoreWaits *self, const RoastRunWorker *worker)
{
  FindingsCoreWait *process = waits_get_process (self, worker);

  g_hash_table_replace (self->by_sampled, (gpointer) worker->worker, process);
  g_hash_table_replace (self->by_pid, (gpointer) &worker->pid, process);
  if (self->host == NULL)
    self->host = worker->host;
}

/* Adds a worker of an executor. */
static void
waits_add_worker (FindingsCoreWaits *self, const RoastRunWorker *worker, const FindingsPlace *place)
{
  FindingsCoreWait *process = waits_get_process (self, worker);

  g_hash_table_replace (self->by_worker, (gpointer) worker->worker, process);
  if (isnan (process->observed->cpu + process->observed->run_queue) || isnan (worker->cores))
    return;
  self->n += process->is_counted ? 0 : 1;
  process->is_counted = TRUE;
  process->joined = fmax (process->joined, worker->joined);
  if (place == NULL)
    return;
  process->first = fmin (process->first, place->started);
  process->tasks += place->cpu;
}

static void
waits_read_samples (FindingsCoreWaits *self, Findings *findings)
{
  g_autoptr (RoastTableReader) samples = roast_worker_samples_read (findings->recording);

  while (g_hash_table_size (self->by_sampled) > 0 && roast_table_reader_next (samples))
    {
      const char *name = roast_table_reader_get_string (samples, ROAST_WORKER_SAMPLES_WORKER);
      WaitsSample sample = { roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_TIME),
                             roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_RUN_QUEUE) };
      FindingsCoreWait *process = name != NULL ? g_hash_table_lookup (self->by_sampled, name) : NULL;

      if (process != NULL && !isnan (sample.queue) &&
          sample.time > g_array_index (process->samples, WaitsSample, process->samples->len - 1).time)
        g_array_append_val (process->samples, sample);
    }
}

/* ---- within one task or chunk ---- */

/* Returns how long in s the process had waited for a core until @time. Interpolates between samples. Assumes that the
 * process did not wait after its last sample. */
static double
get_at (const FindingsCoreWait *self, double time)
{
  guint i = time_search (self->samples, G_STRUCT_OFFSET (WaitsSample, time), time);
  const WaitsSample *after = &g_array_index (self->samples, WaitsSample, MIN (i, self->samples->len - 1));

  if (i == 0 || i == self->samples->len)
    return after->queue;

  return after[-1].queue + (after->queue - after[-1].queue) * (time - after[-1].time) / (after->time - after[-1].time);
}

/* Never subtract the time in which this thread computed: the samples also count the waiting of other threads. */
double
findings_core_wait_subtract (const FindingsCoreWait *process, double from, double time, double cpu)
{
  if (process == NULL || !(cpu > 0))
    return time;

  return fmax (time - (get_at (process, from + time * G_USEC_PER_SEC) - get_at (process, from)), fmin (cpu, time));
}

/* ---- in all tasks ---- */

/* Returns how long in s the process waited for a core while it had tasks. The waiting during its start-up is
 * subtracted: after the start-up, the process sleeps until its first task arrives, so the first sample after the
 * start-up includes all earlier waiting. This sample is limited to the time of the start-up minus its CPU time, because
 * a starting worker has one thread. */
static double
get_queue (const FindingsCoreWait *self)
{
  double ready = self->joined < self->first ? self->joined : self->first;
  double start_up = (ready - self->observed->started) / G_USEC_PER_SEC;
  double most = fmax (start_up - (self->observed->cpu - self->tasks), 0);
  guint next = MAX (time_search (self->samples, G_STRUCT_OFFSET (WaitsSample, time), ready), 1);
  double early = next < self->samples->len ? g_array_index (self->samples, WaitsSample, next).queue : NAN;

  return isnan (start_up) ? 0 : fmax (self->observed->run_queue - fmin (most, early), 0);
}

static gboolean
is_counted (const FindingsCoreWait *process)
{
  return process != NULL && process->is_counted;
}

/* Returns whether an attempt started on a worker for which it is unknown how long the worker waited for a core. */
static gboolean
has_strangers (FindingsCoreWaits *self, GHashTable *places)
{
  GHashTableIter iter;
  gpointer name, place;

  g_hash_table_iter_init (&iter, places);
  while (g_hash_table_iter_next (&iter, &name, &place))
    if (!isnan (((const FindingsPlace *) place)->started) && !is_counted (g_hash_table_lookup (self->by_worker, name)))
      return TRUE;

  return FALSE;
}

static FindingsCoreWaits *
get_waits (Findings *findings)
{
  FindingsCoreWaits *self = findings->waits;
  guint n;
  const RoastRunWorker *workers;

  if (self != NULL)
    return self;
  workers = roast_run_model_get_workers (findings->model, &n);
  findings->waits = self = g_new0 (FindingsCoreWaits, 1);
  self->all = g_ptr_array_new_with_free_func (core_wait_free);
  self->by_observed = g_hash_table_new (NULL, NULL);
  self->by_sampled = g_hash_table_new (g_str_hash, g_str_equal);
  self->by_pid = g_hash_table_new (g_int64_hash, g_int64_equal);
  self->by_worker = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; findings->tree != NULL && i < n; i++)
    if (workers[i].worker != NULL && workers[i].pid >= 0 && g_strcmp0 (workers[i].source, findings->tree) == 0)
      waits_add_process (self, &workers[i]);
  for (guint i = 0; i < n; i++)
    if (workers[i].worker != NULL && !workers[i].is_process && roast_run_worker_get_process (&workers[i]) != NULL)
      waits_add_worker (self, &workers[i], findings_find_place (findings, workers[i].worker));
  waits_read_samples (self, findings);
  if (has_strangers (self, findings->places))
    self->n = 0;
  for (guint i = 0; self->n > 0 && i < self->all->len; i++)
    {
      const FindingsCoreWait *process = g_ptr_array_index (self->all, i);

      self->total += process->is_counted ? process->observed->run_queue : 0;
      self->tasks += process->is_counted ? get_queue (process) : 0;
    }

  return self;
}

const FindingsCoreWait *
findings_find_core_wait (Findings *self, const char *host, gint64 pid, double time)
{
  const FindingsCoreWaits *waits = get_waits (self);
  const FindingsCoreWait *process = g_hash_table_lookup (waits->by_pid, &pid);

  return process != NULL && time >= process->since && (host == NULL || g_strcmp0 (host, waits->host) == 0) ? process
                                                                                                           : NULL;
}

const FindingsCoreWait *
findings_find_core_wait_of_worker (Findings *self, const char *worker)
{
  return worker != NULL ? g_hash_table_lookup (get_waits (self)->by_worker, worker) : NULL;
}

double
findings_get_queue_of_tasks (Findings *self, double queue)
{
  const FindingsCoreWaits *waits = get_waits (self);

  return waits->n > 0 && waits->total >= WAITS_MOST * queue ? waits->tasks : NAN;
}

/* ---- in child processes of workers ---- */

static gpointer
get_number (RoastTableReader *processes, guint slot)
{
  return GINT_TO_POINTER ((int) roast_table_reader_get_int64 (processes, slot, 0));
}

double
findings_get_queue_of_children (Findings *self)
{
  const FindingsCoreWaits *waits = get_waits (self);
  g_autoptr (RoastTableReader) table = roast_processes_read (self->recording);
  g_autoptr (GHashTable) parents = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) workers = g_hash_table_new (NULL, NULL);
  double sum = 0;

  while (roast_table_reader_next (table))
    g_hash_table_insert (parents, get_number (table, ROAST_PROCESSES_PROCESS),
                         get_number (table, ROAST_PROCESSES_PARENT));
  FOR_EACH_POINTER (const FindingsCoreWait, process, waits->all)
    if (process->is_counted && roast_table_reader_seek (table, process->observed->row))
      g_hash_table_insert (workers, get_number (table, ROAST_PROCESSES_PROCESS), (gpointer) process);
  for (roast_table_reader_rewind (table); roast_table_reader_next (table);)
    {
      double queue = roast_table_reader_get_double (table, ROAST_PROCESSES_RUN_QUEUE);
      gpointer number = get_number (table, ROAST_PROCESSES_PROCESS);
      const FindingsCoreWait *worker = g_hash_table_lookup (workers, number);

      if (worker != NULL || isnan (queue))
        continue;
      for (guint i = 0; worker == NULL && number != NULL && i < g_hash_table_size (parents); i++)
        {
          number = g_hash_table_lookup (parents, number);
          worker = number != NULL ? g_hash_table_lookup (workers, number) : NULL;
        }
      /* Leave out child processes that started before the worker's first task, because no task can have started
       * them. */
      if (worker != NULL && roast_table_reader_get_double (table, ROAST_PROCESSES_STARTED) >= worker->first)
        sum += queue;
    }

  return sum;
}

const char *
findings_find_queue (Findings *self, double *own, double *others, guint *n_others)
{
  const FindingsCoreWaits *waits = get_waits (self);
  const char *found = NULL;
  guint n = 0;
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, waits->by_worker);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      const FindingsCoreWait *process = value;

      if (!is_counted (process) || isnan (process->first))
        continue;
      n++;
      if (found != NULL && get_queue (process) <= *own)
        continue;
      found = key;
      *own = get_queue (process);
    }
  *others = waits->tasks - *own;
  *n_others = n - 1;

  return n > 1 ? found : NULL;
}
