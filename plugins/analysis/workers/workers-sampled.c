/* SPDX-License-Identifier: BSD-3-Clause */

/* Compute metrics of workers in the same way as roastcoffea: interpolate linearly between samples, give all workers the
 * same weight, and add up the cores of all workers that existed at any time. */

#include "workers.h"

#include <math.h>

#include "coverage.h"
#include "group-element.h"
#include "metric-add.h"
#include "order.h"

#define NO_WORKER "no worker of an executor was seen"

/* Memory samples of one worker. */
typedef struct
{
  gboolean is_process; /* the samples belong to a process of the program, not to a worker */
  guint64 n;
  double last, time; /* value and time of the last sample */
  double integral, duration;
} Memory;

typedef struct
{
  double time, workers;
} Count;

/* ---- the number of workers ---- */

/* Return the number of workers, averaged over time; NaN if there are several samples and all have the same time. */
static double
get_average (GArray *counts)
{
  double integral = 0, duration = 0;

  g_array_sort (counts, order_doubles);
  for (guint i = 1; i < counts->len; i++)
    {
      const Count *a = &g_array_index (counts, Count, i - 1);
      const Count *b = &g_array_index (counts, Count, i);

      integral += (b->time - a->time) * (a->workers + b->workers) / 2;
      duration += b->time - a->time;
    }

  return counts->len == 1 ? g_array_index (counts, Count, 0).workers : integral / duration;
}

static void
add_average (RoastRecordingSnapshot *recording, RoastReport *report, RoastRunModel *model)
{
  g_autoptr (RoastTableReader) samples = roast_cluster_samples_read (recording);
  g_autoptr (GArray) counts = g_array_new (FALSE, FALSE, sizeof (Count));
  g_autofree char *first = NULL;
  const char *reason = "no executor recorded samples of the number of its workers";
  double average = NAN;

  while (roast_table_reader_next (samples))
    {
      const char *source = roast_table_reader_get_string (samples, ROAST_CLUSTER_SAMPLES_SOURCE);
      Count count = { roast_table_reader_get_double (samples, ROAST_CLUSTER_SAMPLES_TIME),
                      roast_table_reader_get_double (samples, ROAST_CLUSTER_SAMPLES_WORKERS) };

      if (isnan (count.time) || isnan (count.workers) || roast_run_model_is_process_tree (model, source))
        continue;
      if (counts->len > 0 && g_strcmp0 (first, source) != 0)
        {
          roast_report_add_unavailable (
              report, "avg_workers", "several executors recorded workers, but roastcoffea supports only one executor");
          return;
        }
      if (counts->len == 0)
        first = g_strdup (source);
      g_array_append_val (counts, count);
    }
  if (counts->len > 0)
    {
      average = get_average (counts);
      reason = "all samples of the number of workers have the same time";
    }
  metric_add (report, "avg_workers", average, ROAST_COMPLETENESS_COMPLETE, NULL, reason);
}

/* ---- cores ---- */

static void
add_cores (RoastRecordingSnapshot *recording, RoastReport *report, RoastRunModel *model)
{
  guint n_all, n = 0, n_unknown = 0;
  const RoastRunWorker *workers = roast_run_model_get_workers (model, &n_all);
  g_autoptr (GPtrArray) sizes = coverage_list (recording, ROAST_TABLE_WORKERS, "cores");
  g_autofree char *note = NULL;
  double sum = 0;

  for (guint i = 0; i < n_all; i++)
    if (!workers[i].is_process)
      {
        n++;
        n_unknown += isnan (workers[i].cores);
        sum += isnan (workers[i].cores) ? 0 : workers[i].cores;
      }
  if (n_unknown > 0)
    note = g_strdup_printf ("%u of %u workers did not report their cores", n_unknown, n);
  else if (sizes->len > 0)
    note = g_strdup (((const Coverage *) g_ptr_array_index (sizes, 0))->reason);
  metric_add (report, "total_cores", sum > 0 ? sum : NAN,
              n_unknown > 0 ? ROAST_COMPLETENESS_PARTIAL : ROAST_COMPLETENESS_ESTIMATED, note,
              n > 0 ? "no worker reported its cores" : NO_WORKER);
}

/* ---- memory ---- */

static void
memory_add (Memory *self, double time, double value)
{
  if (self->n++ > 0)
    {
      self->integral += (time - self->time) * (self->last + value) / 2;
      self->duration += time - self->time;
    }
  self->time = time;
  self->last = value;
}

static Memory *
get_memory (GArray *memories, RoastTableReader *samples, RoastRunModel *model)
{
  guint n = memories->len;
  Memory *memory = group_element (memories, samples);

  if (memories->len > n)
    memory->is_process =
        roast_run_model_is_process_tree (model, roast_table_reader_get_string (samples, ROAST_WORKER_SAMPLES_SOURCE));

  return memory;
}

/* Read the memory samples of each worker. Return the largest memory in a sample; NaN if there is none. */
static double
read_memories (RoastRecordingSnapshot *recording, RoastRunModel *model, GArray *memories)
{
  g_autoptr (RoastTableReader) samples = roast_worker_samples_read (recording);
  double peak = NAN;

  GROUP_BY (samples, ROAST_WORKER_SAMPLES_SOURCE, ROAST_WORKER_SAMPLES_WORKER);
  while (roast_table_reader_next (samples))
    {
      Memory *memory = get_memory (memories, samples, model);
      double value, time;

      if (memory->is_process)
        continue;
      value = roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_MEMORY);
      time = roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_TIME);
      if (isnan (value) || isnan (time))
        continue;
      memory_add (memory, time, value);
      peak = fmax (peak, value); /* fmax() ignores NaN */
    }

  return peak;
}

/* Add the metrics of memory. If all workers are processes, do not read the samples, because a recording may contain
 * very many samples of processes. */
static void
add_memory (RoastRecordingSnapshot *recording, RoastReport *report, RoastRunModel *model)
{
  static const char none[] = "no executor recorded samples of its workers' memory";
  g_autoptr (GArray) memories = g_array_new (FALSE, TRUE, sizeof (Memory));
  double peak = roast_run_model_has_only_processes (model) ? NAN : read_memories (recording, model, memories);
  double sum = 0;
  guint n = 0;

  FOR_EACH (const Memory, memory, memories)
    {
      if (memory->n == 0)
        continue;
      sum += memory->n == 1 ? memory->last : memory->integral / memory->duration; /* 0 / 0 is NaN */
      n++;
    }
  if (n == 0)
    {
      roast_report_add_unavailable (report, "peak_memory_bytes", none);
      roast_report_add_unavailable (report, "avg_memory_per_worker_bytes", none);
      return;
    }
  roast_report_add_int64 (report, "peak_memory_bytes", (gint64) peak, ROAST_COMPLETENESS_COMPLETE, NULL);
  metric_add (report, "avg_memory_per_worker_bytes", sum / n, ROAST_COMPLETENESS_COMPLETE, NULL,
              "all samples of a worker's memory have the same time");
}

void
workers_add_sampled (RoastRecordingSnapshot *recording, RoastReport *report)
{
  RoastRunModel *model = roast_run_model_get (recording);

  add_average (recording, report, model);
  add_cores (recording, report, model);
  add_memory (recording, report, model);
}
