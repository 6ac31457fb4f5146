/* SPDX-License-Identifier: BSD-3-Clause */

/* Subtracts the waiting for a core from the time of tasks and chunks. On a busy machine, this waiting depends on what
 * other programs do meanwhile, so that it says nothing about a file, or about one of several workers there. */

#include "findings.h"
#include "time-search.h"

typedef struct
{
  double time, queue; /* µs; s so far */
} Sample;

struct _FindingsCoreWait
{
  gint64 pid;
  double joined;   /* µs */
  GArray *samples; /* of Sample, in order of time */
};

struct _FindingsCoreWaits
{
  GHashTable *by_sampled; /* FindingsCoreWait by the name of a process in samples */
  GHashTable *by_pid;     /* the same, or the last process with this number */
  GHashTable *by_worker;  /* the same by the executor's name of a worker */
  char *host;
};

static FindingsCoreWait *
core_wait_new (gint64 pid, double joined)
{
  const Sample start = { joined, 0 };
  FindingsCoreWait *self = g_new (FindingsCoreWait, 1);

  *self = (FindingsCoreWait) { pid, joined, g_array_new (FALSE, FALSE, sizeof (Sample)) };
  g_array_append_val (self->samples, start);

  return self;
}

static void
core_wait_free (gpointer data)
{
  FindingsCoreWait *self = data;

  g_array_unref (self->samples);
  g_free (self);
}

/* Adds the processes of the tree, then the workers that run in them. */
static void
read_workers (FindingsCoreWaits *self, Findings *findings)
{
  const char *tree = roast_run_model_get_process_tree (findings->model);
  guint n;
  const RoastRunWorker *workers = roast_run_model_get_workers (findings->model, &n);
  g_autoptr (GHashTable) by_process = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < n; i++)
    {
      const RoastRunProcess *process = roast_run_worker_get_process (&workers[i]);
      FindingsCoreWait *wait = NULL;

      if (workers[i].worker == NULL || workers[i].pid < 0 || g_strcmp0 (workers[i].source, tree) != 0)
        continue;
      wait = core_wait_new (workers[i].pid, workers[i].joined);
      g_hash_table_replace (self->by_sampled, g_strdup (workers[i].worker), wait);
      g_hash_table_replace (self->by_pid, g_memdup2 (&workers[i].pid, sizeof workers[i].pid), wait);
      if (self->host == NULL)
        self->host = g_strdup (workers[i].host);
      if (process != NULL)
        g_hash_table_insert (by_process, (gpointer) process, wait);
    }
  for (guint i = 0; i < n; i++)
    {
      const RoastRunProcess *process = roast_run_worker_get_process (&workers[i]);
      gpointer wait = process != NULL && !workers[i].is_process ? g_hash_table_lookup (by_process, process) : NULL;

      if (wait != NULL && workers[i].worker != NULL)
        g_hash_table_replace (self->by_worker, g_strdup (workers[i].worker), wait);
    }
}

static void
read_samples (FindingsCoreWaits *self, Findings *findings)
{
  g_autoptr (RoastTableReader) samples =
      findings_read (findings, ROAST_TABLE_WORKER_SAMPLES, roast_worker_samples_columns);

  while (g_hash_table_size (self->by_sampled) > 0 && roast_table_reader_next (samples))
    {
      const char *name = roast_table_reader_get_string (samples, ROAST_WORKER_SAMPLES_WORKER);
      Sample sample = { roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_TIME),
                        roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_RUN_QUEUE) };
      FindingsCoreWait *wait = name != NULL ? g_hash_table_lookup (self->by_sampled, name) : NULL;

      if (wait != NULL && !isnan (sample.queue) &&
          sample.time > g_array_index (wait->samples, Sample, wait->samples->len - 1).time)
        g_array_append_val (wait->samples, sample);
    }
}

FindingsCoreWaits *
findings_core_waits_new (Findings *findings)
{
  FindingsCoreWaits *self = g_new0 (FindingsCoreWaits, 1);

  self->by_sampled = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, core_wait_free);
  self->by_pid = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->by_worker = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (roast_run_model_get_process_tree (findings->model) != NULL)
    read_workers (self, findings);
  read_samples (self, findings);

  return self;
}

void
findings_core_waits_free (FindingsCoreWaits *self)
{
  g_hash_table_unref (self->by_sampled);
  g_hash_table_unref (self->by_pid);
  g_hash_table_unref (self->by_worker);
  g_free (self->host);
  g_free (self);
}

const FindingsCoreWait *
findings_core_waits_find (FindingsCoreWaits *self, const char *host, gint64 pid, double time)
{
  const FindingsCoreWait *wait = g_hash_table_lookup (self->by_pid, &pid);

  return wait != NULL && time >= wait->joined && (host == NULL || g_strcmp0 (host, self->host) == 0) ? wait : NULL;
}

const FindingsCoreWait *
findings_core_waits_find_worker (FindingsCoreWaits *self, const char *worker)
{
  return worker != NULL ? g_hash_table_lookup (self->by_worker, worker) : NULL;
}

/* Interpolates. The process did not wait after its last sample. */
static double
get_at (const FindingsCoreWait *self, double time)
{
  guint i = time_search (self->samples, G_STRUCT_OFFSET (Sample, time), time);
  const Sample *after = &g_array_index (self->samples, Sample, MIN (i, self->samples->len - 1));

  if (i == 0 || i == self->samples->len)
    return after->queue;

  return after[-1].queue + (after->queue - after[-1].queue) * (time - after[-1].time) / (after->time - after[-1].time);
}

/* Other threads of the process wait too, but no thread waits while it computes. */
double
findings_core_wait_subtract (const FindingsCoreWait *process, double from, double time, double cpu)
{
  if (process == NULL || !(cpu > 0))
    return time;

  return fmax (time - (get_at (process, from + time * G_USEC_PER_SEC) - get_at (process, from)), fmin (cpu, time));
}
