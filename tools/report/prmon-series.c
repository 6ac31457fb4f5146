/* SPDX-License-Identifier: BSD-3-Clause */

/* The series of a run's process tree in prmon's units and fields. */

#include <math.h>
#include <string.h>

#include "prmon-export.h"
#include "prmon-io.h"

typedef struct
{
  PrmonSeries *series;
  RoastTableReader *samples;
  PrmonIo *io;
  gint64 started; /* µs since the epoch */
  double sums[PRMON_N_FIELDS];
  guint64 counts[PRMON_N_FIELDS];
} Reading;

void
prmon_series_free (PrmonSeries *self)
{
  g_array_unref (self->samples);
  g_free (self);
}

/* The first source whose workers are processes. */
static char *
find_source (RoastRecording *recording)
{
  g_autoptr (RoastTableReader) sources =
      roast_recording_read_table (recording, ROAST_TABLE_SOURCES, roast_sources_columns, NULL);

  while (roast_table_reader_next (sources))
    if (roast_table_reader_get_word (sources, ROAST_SOURCES_WORKER_KIND) == ROAST_WORKER_KIND_PROCESS)
      return g_strdup (roast_table_reader_get_string (sources, ROAST_SOURCES_SOURCE));

  return NULL;
}

static gint64
get_scaled (RoastTableReader *reader, guint slot, gint64 divisor)
{
  gint64 value = roast_table_reader_get_int64 (reader, slot, -1);

  return value < 0 ? -1 : value / divisor;
}

/* When all processes have ended, they have no memory and no threads. */
static void
fill_gauges (RoastTableReader *samples, gint64 *values)
{
  gboolean is_over;

  values[PRMON_NPROCS] = get_scaled (samples, ROAST_CLUSTER_SAMPLES_WORKERS, 1);
  values[PRMON_NTHREADS] = get_scaled (samples, ROAST_CLUSTER_SAMPLES_THREADS, 1);
  values[PRMON_RSS] = get_scaled (samples, ROAST_CLUSTER_SAMPLES_MEMORY, PRMON_KB);
  values[PRMON_PSS] = get_scaled (samples, ROAST_CLUSTER_SAMPLES_MEMORY_PSS, PRMON_KB);
  is_over = values[PRMON_NPROCS] == 0 && values[PRMON_NTHREADS] < 0;
  for (guint i = 0; i < PRMON_N_FIELDS; i++)
    if (is_over && !prmon_is_sum (i))
      values[i] = 0;
}

static void
fill_sums (Reading *self, gint64 time, gint64 *values)
{
  double cpu = roast_table_reader_get_double (self->samples, ROAST_CLUSTER_SAMPLES_CPU);
  double system = roast_table_reader_get_double (self->samples, ROAST_CLUSTER_SAMPLES_CPU_SYSTEM);
  gint64 io[PRMON_N_IO];

  values[PRMON_WTIME] = MAX (time - self->started, 0) / G_USEC_PER_SEC;
  if (!isnan (system))
    values[PRMON_STIME] = (gint64) system;
  if (!isnan (system) && cpu >= system)
    values[PRMON_UTIME] = (gint64) (cpu - system);
  prmon_io_advance (self->io, time, io);
  for (guint i = 0; i < PRMON_N_IO; i++)
    values[prmon_io_columns[i].field] = io[i];
}

/* prmon stamps whole seconds: of several samples in one, the last is written. All of them count for peaks. */
static void
add_sample (Reading *self, gint64 time)
{
  GArray *samples = self->series->samples;
  PrmonSample sample = { .time = time / G_USEC_PER_SEC };

  memset (sample.values, 0xff, sizeof sample.values); /* -1 in each */
  fill_gauges (self->samples, sample.values);
  fill_sums (self, time, sample.values);
  self->series->n_read++;
  for (guint i = 0; i < PRMON_N_FIELDS; i++)
    {
      if (sample.values[i] < 0)
        continue;
      self->series->max[i] = MAX (self->series->max[i], sample.values[i]);
      self->sums[i] += sample.values[PRMON_NPROCS] != 0 ? (double) sample.values[i] : 0;
      self->counts[i] += sample.values[PRMON_NPROCS] != 0;
    }
  if (samples->len > 0 && g_array_index (samples, PrmonSample, samples->len - 1).time >= sample.time)
    g_array_set_size (samples, samples->len - 1);
  g_array_append_val (samples, sample);
}

static void
take_sum (PrmonSeries *self, RoastTableReader *processes, PrmonField field, guint slot)
{
  double sum = 0;

  if (roast_table_reader_sum (processes, slot, &sum, NULL) > 0)
    self->max[field] = MAX (self->max[field], (gint64) sum);
}

/* A local recording has the final account of all processes. What cannot be divided is in neither part. */
static void
take_account (PrmonSeries *self, RoastRecording *recording)
{
  g_autoptr (RoastTableReader) processes =
      roast_recording_read_table (recording, ROAST_TABLE_PROCESSES, roast_processes_columns, NULL);

  take_sum (self, processes, PRMON_UTIME, ROAST_PROCESSES_CPU_USER);
  take_sum (self, processes, PRMON_STIME, ROAST_PROCESSES_CPU_SYSTEM);
  for (guint i = 0; i < PRMON_N_IO; i++)
    take_sum (self, processes, prmon_io_columns[i].field, prmon_io_columns[i].process);
}

/* Of samples that are not there, as in an imported summary. */
static void
take_metadata (PrmonSeries *self, RoastRecording *recording)
{
  g_autoptr (GVariant) metadata = roast_recording_dup_metadata (recording);
  gint64 value;
  gint64 ended;

  self->cores = NAN;
  self->host_memory = -1;
  g_variant_lookup (metadata, "tree-cores", "d", &self->cores);
  g_variant_lookup (metadata, "tree-host-memory", "x", &self->host_memory);
  for (guint i = 0; i < PRMON_N_PEAKS; i++)
    {
      PrmonField field = prmon_peaks[i].field;

      if (prmon_peaks[i].is_average && g_variant_lookup (metadata, prmon_peaks[i].key, "d", &self->average[field]))
        self->average[field] /= (double) prmon_peaks[i].factor;
      else if (!prmon_peaks[i].is_average && self->max[field] < 0 &&
               g_variant_lookup (metadata, prmon_peaks[i].key, "x", &value))
        self->max[field] = value / prmon_peaks[i].factor;
    }
  if (g_variant_lookup (metadata, "started", "x", &value) && g_variant_lookup (metadata, "ended", "x", &ended))
    self->max[PRMON_WTIME] = MAX (self->max[PRMON_WTIME], (ended - value) / G_USEC_PER_SEC);
}

static void
set_averages (Reading *self)
{
  PrmonSeries *series = self->series;
  gint64 elapsed = MAX (series->max[PRMON_WTIME], 1);

  for (guint i = 0; i < PRMON_N_FIELDS; i++)
    if (prmon_is_sum (i) && series->max[i] >= 0)
      series->average[i] = (double) series->max[i] / (double) elapsed;
    else if (!prmon_is_sum (i) && self->counts[i] > 0)
      series->average[i] = self->sums[i] / (double) self->counts[i];
}

static PrmonSeries *
series_alloc (void)
{
  PrmonSeries *self = g_new0 (PrmonSeries, 1);

  self->samples = g_array_new (FALSE, FALSE, sizeof (PrmonSample));
  memset (self->max, 0xff, sizeof self->max); /* -1 in each */
  for (guint i = 0; i < PRMON_N_FIELDS; i++)
    self->average[i] = NAN;

  return self;
}

PrmonSeries *
prmon_series_new (RoastRecording *recording, GError **error)
{
  g_autoptr (PrmonSeries) self = series_alloc ();
  g_autofree char *source = find_source (recording);
  g_autoptr (GVariant) metadata = roast_recording_dup_metadata (recording);
  g_autoptr (PrmonIo) io = NULL;
  g_autoptr (RoastTableReader) samples = NULL;
  Reading reading = { .series = self };

  if (source == NULL)
    {
      g_set_error_literal (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT,
                           "prmon's files contain samples of a process tree, and this run has none: measure with "
                           "--backend=local, alone or beside another one");
      return NULL;
    }
  reading.io = io = prmon_io_new (recording, source);
  reading.samples = samples =
      roast_recording_read_table (recording, ROAST_TABLE_CLUSTER_SAMPLES, roast_cluster_samples_columns, NULL);
  g_variant_lookup (metadata, "started", "x", &reading.started);
  while (roast_table_reader_next (samples))
    {
      gint64 time = roast_table_reader_get_int64 (samples, ROAST_CLUSTER_SAMPLES_TIME, -1);

      if (time >= 0 && g_strcmp0 (roast_table_reader_get_string (samples, ROAST_CLUSTER_SAMPLES_SOURCE), source) == 0)
        add_sample (&reading, time);
    }
  take_account (self, recording);
  take_metadata (self, recording);
  set_averages (&reading);

  return g_steal_pointer (&self);
}

GPtrArray *
prmon_series_list_missing (PrmonSeries *self)
{
  GPtrArray *missing = g_ptr_array_new ();

  for (guint i = 0; i < PRMON_N_FIELDS; i++)
    if (self->max[i] < 0)
      g_ptr_array_add (missing, (char *) prmon_names[i]);

  return missing;
}
