/* SPDX-License-Identifier: BSD-3-Clause */

/* Workers of executors as roastcoffea counts them: straight lines between samples, each worker with the same weight,
 * and the cores of all workers that ever were. */

#include "compat.h"

#include <math.h>

#define NO_WORKER "no worker of an executor was seen"

/* The memory of one worker. */
typedef struct
{
  gboolean is_process; /* of the program, and not a worker */
  guint64 n;
  double last, time; /* of the last sample */
  double integral, duration;
} Memory;

typedef struct
{
  double time, workers;
} Count;

/* Names of the sources whose workers are processes. @all: whether there are no other sources. */
static GHashTable *
read_process_sources (RoastRecordingSnapshot *recording, gboolean *all)
{
  g_autoptr (RoastTableReader) sources =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_SOURCES, roast_sources_columns, NULL);
  GHashTable *found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  while (roast_table_reader_next (sources))
    if (roast_table_reader_get_word (sources, ROAST_SOURCES_WORKER_KIND) == ROAST_WORKER_KIND_PROCESS)
      g_hash_table_add (found, g_strdup (roast_table_reader_get_string (sources, ROAST_SOURCES_SOURCE)));
  *all = g_hash_table_size (found) > 0 && g_hash_table_size (found) == roast_table_reader_get_n_rows (sources);

  return found;
}

static gboolean
is_process (GHashTable *process_sources, const char *source)
{
  return source != NULL && g_hash_table_contains (process_sources, source);
}

/* ---- the number of workers ---- */

static int
compare_counts (const Count *a, const Count *b)
{
  return (a->time > b->time) - (a->time < b->time);
}

/* NaN if no time passed between several samples. */
static double
get_average (GArray *counts)
{
  double integral = 0, duration = 0;

  g_array_sort (counts, (GCompareFunc) compare_counts);
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
add_average (RoastRecordingSnapshot *recording, RoastReport *report, GHashTable *process_sources)
{
  g_autoptr (RoastTableReader) samples =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_CLUSTER_SAMPLES, roast_cluster_samples_columns, NULL);
  g_autoptr (GArray) counts = g_array_new (FALSE, FALSE, sizeof (Count));
  g_autofree char *first = NULL;
  const char *reason = "no executor recorded samples of the number of its workers";
  double average = NAN;

  while (roast_table_reader_next (samples))
    {
      const char *source = roast_table_reader_get_string (samples, ROAST_CLUSTER_SAMPLES_SOURCE);
      Count count = { roast_table_reader_get_double (samples, ROAST_CLUSTER_SAMPLES_TIME),
                      roast_table_reader_get_double (samples, ROAST_CLUSTER_SAMPLES_WORKERS) };

      if (isnan (count.time) || isnan (count.workers) || is_process (process_sources, source))
        continue;
      if (counts->len > 0 && g_strcmp0 (first, source) != 0)
        {
          roast_report_add_unavailable (report, "avg_workers",
                                        "several executors recorded workers, and roastcoffea knows one only");
          return;
        }
      if (counts->len == 0)
        first = g_strdup (source);
      g_array_append_val (counts, count);
    }
  if (counts->len > 0)
    {
      average = get_average (counts);
      reason = "no time passed between the samples of the number of workers";
    }
  if (isnan (average))
    roast_report_add_unavailable (report, "avg_workers", reason);
  else
    roast_report_add_double (report, "avg_workers", average, ROAST_COMPLETENESS_COMPLETE, NULL);
}

/* ---- cores ---- */

static void
add_cores (RoastRecordingSnapshot *recording, RoastReport *report, GHashTable *process_sources)
{
  g_autoptr (RoastTableReader) workers =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_WORKERS, roast_workers_columns, NULL);
  g_autofree char *note = NULL;
  double sum = 0;
  guint n = 0, n_unknown = 0;

  while (roast_table_reader_next (workers))
    {
      double cores = roast_table_reader_get_double (workers, ROAST_WORKERS_CORES);

      if (is_process (process_sources, roast_table_reader_get_string (workers, ROAST_WORKERS_SOURCE)))
        continue;
      n++;
      if (isnan (cores))
        n_unknown++;
      else
        sum += cores;
    }
  if (n_unknown > 0)
    note = g_strdup_printf ("%u of %u workers did not report their cores", n_unknown, n);
  if (sum > 0)
    roast_report_add_double (report, "total_cores", sum,
                             n_unknown > 0 ? ROAST_COMPLETENESS_PARTIAL : ROAST_COMPLETENESS_COMPLETE, note);
  else
    roast_report_add_unavailable (report, "total_cores", n > 0 ? "no worker reported its cores" : NO_WORKER);
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
get_memory (GArray *memories, RoastTableReader *samples, GHashTable *process_sources)
{
  guint group = roast_table_reader_get_group (samples);

  if (group >= memories->len)
    {
      guint old = memories->len;

      g_array_set_size (memories, group + 1); /* zeros */
      for (guint i = old; i <= group; i++)
        g_array_index (memories, Memory, i).is_process =
            i == group &&
            is_process (process_sources, roast_table_reader_get_string (samples, ROAST_WORKER_SAMPLES_SOURCE));
    }

  return &g_array_index (memories, Memory, group);
}

/* Returns the largest sample; NaN if there is none. */
static double
read_memories (RoastRecordingSnapshot *recording, GHashTable *process_sources, GArray *memories)
{
  static const guint key[] = { ROAST_WORKER_SAMPLES_SOURCE, ROAST_WORKER_SAMPLES_WORKER };
  g_autoptr (RoastTableReader) samples =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_WORKER_SAMPLES, roast_worker_samples_columns, NULL);
  double peak = NAN;

  roast_table_reader_group_by (samples, key, G_N_ELEMENTS (key));
  while (roast_table_reader_next (samples))
    {
      Memory *memory = get_memory (memories, samples, process_sources);
      double value, time;

      if (memory->is_process)
        continue;
      value = roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_MEMORY);
      time = roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_TIME);
      if (isnan (value) || isnan (time))
        continue;
      memory_add (memory, time, value);
      peak = fmax (peak, value); /* the other one if one is NaN */
    }

  return peak;
}

/* @none_counts: a recording may have very many samples of processes, which need not be read. */
static void
add_memory (RoastRecordingSnapshot *recording, RoastReport *report, GHashTable *process_sources, gboolean none_counts)
{
  static const char none[] = "no executor recorded samples of its workers' memory";
  g_autoptr (GArray) memories = g_array_new (FALSE, TRUE, sizeof (Memory));
  double peak = none_counts ? NAN : read_memories (recording, process_sources, memories);
  double sum = 0;
  guint n = 0;

  for (guint i = 0; i < memories->len; i++)
    {
      const Memory *memory = &g_array_index (memories, Memory, i);

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
  if (isnan (sum))
    roast_report_add_unavailable (report, "avg_memory_per_worker_bytes",
                                  "all samples of a worker's memory have the same time");
  else
    roast_report_add_double (report, "avg_memory_per_worker_bytes", sum / n, ROAST_COMPLETENESS_COMPLETE, NULL);
}

void
compat_add_workers (RoastRecordingSnapshot *recording, RoastReport *report)
{
  gboolean none_counts = FALSE;
  g_autoptr (GHashTable) process_sources = read_process_sources (recording, &none_counts);

  add_average (recording, report, process_sources);
  add_cores (recording, report, process_sources);
  add_memory (recording, report, process_sources, none_counts);
}
