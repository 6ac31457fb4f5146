/* SPDX-License-Identifier: BSD-3-Clause */
#include "sampled-cpu.h"

#include <math.h>

#include "time-search.h"

typedef struct
{
  double time, cpu; /* time: µs; cpu: s since the start of the run */
} SampledCpuSample;

struct _SampledCpu
{
  char *source;
  GArray *samples; /* elements are SampledCpuSample, in order of time */
};

/* Choose the source whose samples are used: the process tree, which is the only source with proportional set sizes. If
 * the program measured none of these, choose the first source with CPU time. */
static void
choose_source (SampledCpu *self, RoastTableReader *table)
{
  gboolean is_tree = FALSE;

  while (!is_tree && roast_table_reader_next (table))
    {
      is_tree = roast_table_reader_has (table, ROAST_CLUSTER_SAMPLES_MEMORY_PSS);
      if (!roast_table_reader_has (table, ROAST_CLUSTER_SAMPLES_CPU) || (self->source != NULL && !is_tree))
        {
          is_tree = FALSE;
          continue;
        }
      g_free (self->source);
      self->source = g_strdup (roast_table_reader_get_string (table, ROAST_CLUSTER_SAMPLES_SOURCE));
    }
}

/* Add a sample. Skip it if it has no CPU time, or if it is not later than the previous sample, because the clock was
 * set back. */
static void
sampled_cpu_add_sample (SampledCpu *self, double time, double cpu)
{
  const SampledCpuSample sample = { time, cpu };

  if (isnan (time) || isnan (cpu))
    return;
  if (self->samples->len > 0 && time <= g_array_index (self->samples, SampledCpuSample, self->samples->len - 1).time)
    return;
  g_array_append_val (self->samples, sample);
}

static void
collect (SampledCpu *self, RoastTableReader *table, double started)
{
  roast_table_reader_rewind (table);
  while (roast_table_reader_next (table))
    {
      double time = roast_table_reader_get_double (table, ROAST_CLUSTER_SAMPLES_TIME);

      if (g_strcmp0 (roast_table_reader_get_string (table, ROAST_CLUSTER_SAMPLES_SOURCE), self->source) != 0)
        continue;
      if (self->samples->len == 0 && started < time)
        sampled_cpu_add_sample (self, started, 0);
      sampled_cpu_add_sample (self, time, roast_table_reader_get_double (table, ROAST_CLUSTER_SAMPLES_CPU));
    }
}

SampledCpu *
sampled_cpu_new (RoastRecordingSnapshot *recording)
{
  SampledCpu *self = g_new0 (SampledCpu, 1);
  g_autoptr (RoastTableReader) table = roast_cluster_samples_read (recording);
  double started, ended;

  self->samples = g_array_new (FALSE, FALSE, sizeof (SampledCpuSample));
  choose_source (self, table);
  if (self->source != NULL)
    {
      roast_run_model_get_times (roast_run_model_get (recording), &started, &ended);
      collect (self, table, started);
    }

  return self;
}

void
sampled_cpu_free (SampledCpu *self)
{
  g_array_unref (self->samples);
  g_free (self->source);
  g_free (self);
}

double
sampled_cpu_get_tree_total (RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) table = roast_cluster_samples_read (recording);
  RoastRunModel *model = roast_run_model_get (recording);
  double total = NAN;

  while (roast_table_reader_next (table))
    if (roast_run_model_is_process_tree (model, roast_table_reader_get_string (table, ROAST_CLUSTER_SAMPLES_SOURCE)))
      total = fmax (total, roast_table_reader_get_double (table, ROAST_CLUSTER_SAMPLES_CPU));

  return total;
}

const char *
sampled_cpu_get_source (const SampledCpu *self)
{
  return self->source;
}

/* Return the index of the first sample at or after @time. */
static guint
find_sample (GArray *samples, double time)
{
  return time_search (samples, G_STRUCT_OFFSET (SampledCpuSample, time), time);
}

/* Find the samples before and after @time. Both are the same sample if it was taken at @time. */
static gboolean
find_samples (const SampledCpu *self, double time, const SampledCpuSample **before, const SampledCpuSample **after)
{
  guint i = find_sample (self->samples, time);

  if (isnan (time) || i == self->samples->len)
    return FALSE;
  *before = *after = &g_array_index (self->samples, SampledCpuSample, i);
  if ((*after)->time == time)
    return TRUE;
  if (i == 0)
    return FALSE;
  *before = *after - 1;

  return TRUE;
}

double
sampled_cpu_get_at (const SampledCpu *self, double time)
{
  const SampledCpuSample *a, *b;

  if (!find_samples (self, time, &a, &b))
    return NAN;
  if (a == b)
    return a->cpu;

  return a->cpu + (b->cpu - a->cpu) * (time - a->time) / (b->time - a->time);
}

double
sampled_cpu_get_doubt (const SampledCpu *self, double started, double ended)
{
  double used = sampled_cpu_get_at (self, ended) - sampled_cpu_get_at (self, started);
  const SampledCpuSample *start[2], *end[2];

  if (isnan (used) || !find_samples (self, started, &start[0], &start[1]) ||
      !find_samples (self, ended, &end[0], &end[1]))
    return NAN;

  return fmax (end[1]->cpu - start[0]->cpu - used, used - fmax (end[0]->cpu - start[1]->cpu, 0));
}

guint
sampled_cpu_count (const SampledCpu *self, double started, double ended)
{
  guint first = find_sample (self->samples, started);
  guint end = find_sample (self->samples, ended);

  if (end < self->samples->len && g_array_index (self->samples, SampledCpuSample, end).time == ended)
    end++;

  return end > first ? end - first : 0;
}
