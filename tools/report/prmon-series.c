/* SPDX-License-Identifier: BSD-3-Clause */

/* Computes the series of a run's process tree in prmon's units and fields. */

#include <math.h>
#include <string.h>

#include "prmon-export.h"

typedef struct
{
  PrmonSeries *series;
  RoastTableReader *samples;
  gint64 started;            /* µs since the epoch */
  GHashTable *last;          /* values already added to the sums, by process name */
  GArray *changes;           /* of Change, sorted by time */
  guint next;                /* next element of changes */
  gint64 io[PRMON_N_FIELDS]; /* sums over the tree; -1 if no process had the value */
  double sums[PRMON_N_FIELDS];
  guint64 counts[PRMON_N_FIELDS];
} Reading;

void
prmon_series_free (PrmonSeries *self)
{
  g_array_unref (self->samples);
  g_free (self);
}

/* Returns the first source whose workers are processes. */
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

/* ---- input and output ---- */

/* Cumulative input and output of a process at a time. */
typedef struct
{
  gint64 time;
  gint64 *last; /* last values of the process, owned by Reading.last */
  gint64 values[PRMON_N_FIELDS];
} Change;

static void
add_change (Reading *self, RoastTableReader *reader, guint time, gboolean is_sample, const char *worker)
{
  Change change = { .time = roast_table_reader_get_int64 (reader, time, -1) };
  gboolean is_known = FALSE;

  for (guint i = 0; i < PRMON_N_FIELDS; i++)
    {
      guint slot = is_sample ? prmon_fields[i].sample : prmon_fields[i].process;

      change.values[i] = prmon_fields[i].sample != 0 ? roast_table_reader_get_int64 (reader, slot, -1) : -1;
      is_known |= change.values[i] >= 0;
    }
  if (!is_known || change.time < 0)
    return;
  change.last = g_hash_table_lookup (self->last, worker);
  if (change.last == NULL)
    {
      change.last = g_new0 (gint64, PRMON_N_FIELDS);
      g_hash_table_insert (self->last, g_strdup (worker), change.last);
    }
  g_array_append_val (self->changes, change);
}

static int
compare_changes (const Change *a, const Change *b)
{
  return (a->time > b->time) - (a->time < b->time);
}

/* Reads input and output of each process: from worker_samples when it changed, and from processes when the process
 * ended. The local backend names workers PID.PROCESS. */
static void
read_changes (Reading *self, RoastRecording *recording, const char *source)
{
  g_autoptr (RoastTableReader) samples =
      roast_recording_read_table (recording, ROAST_TABLE_WORKER_SAMPLES, roast_worker_samples_columns, NULL);
  g_autoptr (RoastTableReader) processes =
      roast_recording_read_table (recording, ROAST_TABLE_PROCESSES, roast_processes_columns, NULL);

  while (roast_table_reader_next (samples))
    if (roast_table_reader_has (samples, ROAST_WORKER_SAMPLES_WORKER) &&
        g_strcmp0 (roast_table_reader_get_string (samples, ROAST_WORKER_SAMPLES_SOURCE), source) == 0)
      add_change (self, samples, ROAST_WORKER_SAMPLES_TIME, TRUE,
                  roast_table_reader_get_string (samples, ROAST_WORKER_SAMPLES_WORKER));
  while (roast_table_reader_next (processes))
    {
      gint64 process = roast_table_reader_get_int64 (processes, ROAST_PROCESSES_PROCESS, -1);
      g_autofree char *worker =
          g_strdup_printf ("%" G_GINT64_FORMAT ".%" G_GINT64_FORMAT,
                           roast_table_reader_get_int64 (processes, ROAST_PROCESSES_PID, 0), process);

      if (process > 0)
        add_change (self, processes, ROAST_PROCESSES_ENDED, FALSE, worker);
    }
  g_array_sort (self->changes, (GCompareFunc) compare_changes);
}

/* Adds the changes up to @time to the sums over the tree. Call it with increasing times. */
static void
advance (Reading *self, gint64 time)
{
  for (; self->next < self->changes->len; self->next++)
    {
      const Change *change = &g_array_index (self->changes, Change, self->next);

      if (change->time > time)
        break;
      for (guint i = 0; i < PRMON_N_FIELDS; i++)
        if (change->values[i] >= 0)
          {
            self->io[i] = MAX (self->io[i], 0) + change->values[i] - change->last[i];
            change->last[i] = change->values[i];
          }
    }
}

/* ---- samples ---- */

/* Fills memory, threads and processes from a sample. Fills in 0 after all processes have ended. */
static void
fill_gauges (RoastTableReader *samples, gint64 *values)
{
  gboolean is_over;

  for (guint i = 0; i < PRMON_N_FIELDS; i++)
    if (prmon_fields[i].tree != 0 && roast_table_reader_get_int64 (samples, prmon_fields[i].tree, -1) >= 0)
      values[i] = roast_table_reader_get_int64 (samples, prmon_fields[i].tree, -1) / prmon_fields[i].factor;
  is_over = values[PRMON_NPROCS] == 0 && values[PRMON_NTHREADS] < 0;
  for (guint i = 0; i < PRMON_N_FIELDS; i++)
    if (is_over && !prmon_fields[i].is_sum)
      values[i] = 0;
}

static void
fill_sums (Reading *self, gint64 time, gint64 *values)
{
  double cpu = roast_table_reader_get_double (self->samples, ROAST_CLUSTER_SAMPLES_CPU);
  double system = roast_table_reader_get_double (self->samples, ROAST_CLUSTER_SAMPLES_CPU_SYSTEM);

  values[PRMON_WTIME] = MAX (time - self->started, 0) / G_USEC_PER_SEC;
  if (!isnan (system))
    values[PRMON_STIME] = (gint64) system;
  if (!isnan (system) && cpu >= system)
    values[PRMON_UTIME] = (gint64) (cpu - system);
  advance (self, time);
  for (guint i = 0; i < PRMON_N_FIELDS; i++)
    if (prmon_fields[i].sample != 0)
      values[i] = self->io[i];
}

/* prmon's times are whole seconds, so keep only the last sample of each second. All samples count for peaks. */
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

/* Raises the maxima to the final account of all processes, which a local recording has. CPU time that cannot be divided
 * is in neither user nor system time. */
static void
take_account (PrmonSeries *self, RoastRecording *recording)
{
  g_autoptr (RoastTableReader) processes =
      roast_recording_read_table (recording, ROAST_TABLE_PROCESSES, roast_processes_columns, NULL);

  for (guint i = 0; i < PRMON_N_FIELDS; i++)
    {
      guint slot = prmon_fields[i].process;
      double sum = 0;

      if (slot != 0 && roast_table_reader_sum (processes, slot, &sum, NULL) > 0)
        self->max[i] = MAX (self->max[i], (gint64) sum);
    }
}

/* Takes peaks and averages from metadata if there are no samples, as in an imported summary. */
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
  for (guint i = 0; i < PRMON_N_FIELDS; i++)
    {
      const PrmonFieldInfo *field = &prmon_fields[i];

      if (field->mean != NULL && g_variant_lookup (metadata, field->mean, "d", &self->average[i]))
        self->average[i] /= (double) field->factor;
      if (field->peak != NULL && self->max[i] < 0 && g_variant_lookup (metadata, field->peak, "x", &value))
        self->max[i] = value / field->factor;
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
    if (prmon_fields[i].is_sum && series->max[i] >= 0)
      series->average[i] = (double) series->max[i] / (double) elapsed;
    else if (!prmon_fields[i].is_sum && self->counts[i] > 0)
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
  g_autoptr (GHashTable) last = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (Change));
  g_autoptr (RoastTableReader) samples = NULL;
  Reading reading = { .series = self, .last = last, .changes = changes };

  if (source == NULL)
    {
      g_set_error_literal (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT,
                           "prmon's files contain samples of a process tree, and this run has none: measure with "
                           "--backend=local, alone or with another backend");
      return NULL;
    }
  memset (reading.io, 0xff, sizeof reading.io); /* -1 in each */
  read_changes (&reading, recording, source);
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
