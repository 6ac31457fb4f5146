/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes prmon's measurements as rows: cluster_samples for the whole tree, worker_samples for its input and output as a
 * single worker, and one row of processes with the last values. */

#include <string.h>

#include "core/base/roast-fail-private.h"
#include "exchange.h"
#include "prmon.h"

#define TREE "tree"

const PrmonFieldInfo prmon_fields[PRMON_N_FIELDS] = {
  [PRMON_WTIME] = { "wtime", .is_sum = TRUE, .unit = "s" },
  [PRMON_PSS] = { "pss", .factor = PRMON_KB, .tree = ROAST_CLUSTER_SAMPLES_MEMORY_PSS,
                  .peak = "samples-memory-pss-peak", .mean = "samples-memory-pss-average", .unit = "kB", .rate = "kB" },
  [PRMON_RSS] = { "rss", .factor = PRMON_KB, .tree = ROAST_CLUSTER_SAMPLES_MEMORY, .peak = "samples-memory-peak",
                  .unit = "kB", .rate = "kB" },
  [PRMON_RCHAR] = { "rchar", .is_sum = TRUE, .sample = ROAST_WORKER_SAMPLES_READ_CHARS,
                    .process = ROAST_PROCESSES_READ_CHARS, .unit = "B", .rate = "B/s" },
  [PRMON_READ_BYTES] = { "read_bytes", .is_sum = TRUE, .sample = ROAST_WORKER_SAMPLES_DISK_READ,
                         .process = ROAST_PROCESSES_DISK_READ, .unit = "B", .rate = "B/s" },
  [PRMON_WCHAR] = { "wchar", .is_sum = TRUE, .sample = ROAST_WORKER_SAMPLES_WRITE_CHARS,
                    .process = ROAST_PROCESSES_WRITE_CHARS, .unit = "B", .rate = "B/s" },
  [PRMON_WRITE_BYTES] = { "write_bytes", .is_sum = TRUE, .sample = ROAST_WORKER_SAMPLES_DISK_WRITE,
                          .process = ROAST_PROCESSES_DISK_WRITE, .unit = "B", .rate = "B/s" },
  [PRMON_STIME] = { "stime", .is_sum = TRUE, .process = ROAST_PROCESSES_CPU_SYSTEM, .unit = "s" },
  [PRMON_UTIME] = { "utime", .is_sum = TRUE, .process = ROAST_PROCESSES_CPU_USER, .unit = "s" },
  [PRMON_NPROCS] = { "nprocs", .factor = 1, .tree = ROAST_CLUSTER_SAMPLES_WORKERS, .unit = "1", .rate = "1" },
  [PRMON_NTHREADS] = { "nthreads", .factor = 1, .tree = ROAST_CLUSTER_SAMPLES_THREADS, .peak = "samples-threads-peak",
                       .unit = "1", .rate = "1" },
};

struct _PrmonRows
{
  RoastRecording *recording;
  char *source;
  RoastTableWriter *tree; /* cluster_samples */
  RoastTableWriter *io;   /* worker_samples */
  guint64 n;
  gint64 time;                   /* time of the last sample, s since the epoch */
  gint64 first;                  /* start of the tree by the first sample, s since the epoch */
  gint64 values[PRMON_N_FIELDS]; /* last known values */
};

int
prmon_find (const char *name, gsize length)
{
  for (guint i = 0; i < PRMON_N_FIELDS; i++)
    if (strlen (prmon_fields[i].name) == length && memcmp (prmon_fields[i].name, name, length) == 0)
      return (int) i;

  return -1;
}

/* Leaves the cell empty if the value is missing. */
static void
set_value (RoastTableWriter *writer, guint slot, gint64 value, gint64 factor)
{
  if (value >= 0)
    roast_table_writer_set_int64 (writer, slot, value * factor);
}

char *
prmon_begin (RoastRecording *recording, const char *capabilities, const char *version)
{
  const ExchangeSource source = {
    .name = "prmon",
    .version = version,
    .capabilities = capabilities,
    .worker_kind = ROAST_WORKER_KIND_PROCESS,
    .tasks_missing = "prmon's files have no tasks",
    .activities_missing = "prmon's files have no tasks",
    .processes_missing = "prmon's files do not have it",
  };

  roast_recording_set_metadata (recording, "processes-partial", g_variant_new_string ("up to prmon's last sample"));
  roast_recording_set_metadata (recording, "processes-cpu-partial",
                                g_variant_new_string ("up to prmon's last sample; prmon cuts user and system time "
                                                      "to whole seconds"));

  return exchange_add_source (recording, &source);
}

gboolean
prmon_add_sums (RoastRecording *recording, const char *source, const gint64 *values, gint64 started, GError **error)
{
  g_autoptr (RoastTableWriter) writer =
      roast_recording_write_table (recording, ROAST_TABLE_PROCESSES, source, roast_processes_columns, NULL);

  roast_table_writer_set_int64 (writer, ROAST_PROCESSES_PROCESS, -1);
  roast_table_writer_set_string (writer, ROAST_PROCESSES_COMMAND, "(all processes)");
  roast_table_writer_set_word (writer, ROAST_PROCESSES_ORIGIN, ROAST_PROCESS_ORIGIN_SAMPLED);
  roast_table_writer_set_int64 (writer, ROAST_PROCESSES_STARTED, started);
  for (guint i = 0; i < PRMON_N_FIELDS; i++)
    if (prmon_fields[i].process != 0 && prmon_fields[i].sample != 0)
      set_value (writer, prmon_fields[i].process, values[i], 1);
    else if (prmon_fields[i].process != 0 && values[i] >= 0)
      roast_table_writer_set_double (writer, prmon_fields[i].process, (double) values[i]);

  return roast_table_writer_end (writer, error);
}

PrmonRows *
prmon_rows_new (RoastRecording *recording)
{
  PrmonRows *self = g_new0 (PrmonRows, 1);

  self->recording = g_object_ref (recording);
  memset (self->values, 0xff, sizeof self->values); /* -1 in each */

  return self;
}

void
prmon_rows_free (PrmonRows *self)
{
  g_clear_object (&self->tree);
  g_clear_object (&self->io);
  g_object_unref (self->recording);
  g_free (self->source);
  g_free (self);
}

static void
begin (PrmonRows *self)
{
  self->source = prmon_begin (self->recording,
                              "samples of a process tree: CPU, memory, I/O and threads, in whole seconds; prmon's text "
                              "has no single processes and no exit status",
                              NULL);
  self->tree = roast_recording_write_table (self->recording, ROAST_TABLE_CLUSTER_SAMPLES, self->source,
                                            roast_cluster_samples_columns, NULL);
  self->io = roast_recording_write_table (self->recording, ROAST_TABLE_WORKER_SAMPLES, self->source,
                                          roast_worker_samples_columns, NULL);
}

static void
set_cpu (PrmonRows *self, const gint64 *values)
{
  if (values[PRMON_STIME] >= 0)
    roast_table_writer_set_double (self->tree, ROAST_CLUSTER_SAMPLES_CPU_SYSTEM, (double) values[PRMON_STIME]);
  if (values[PRMON_STIME] >= 0 && values[PRMON_UTIME] >= 0)
    roast_table_writer_set_double (self->tree, ROAST_CLUSTER_SAMPLES_CPU,
                                   (double) (values[PRMON_STIME] + values[PRMON_UTIME]));
}

static gboolean
has_io (const gint64 *values)
{
  for (guint i = 0; i < PRMON_N_FIELDS; i++)
    if (prmon_fields[i].sample != 0 && values[i] >= 0)
      return TRUE;

  return FALSE;
}

gboolean
prmon_rows_add (PrmonRows *self, gint64 time, const gint64 *values, GError **error)
{
  if (self->source == NULL)
    begin (self);
  if (self->n++ == 0)
    {
      self->first = time - MAX (values[PRMON_WTIME], 0);
      self->time = time;
    }
  /* The clock may have been set back. */
  self->time = MAX (self->time, time);
  for (guint i = 0; i < PRMON_N_FIELDS; i++)
    if (values[i] >= 0)
      self->values[i] = values[i];

  roast_table_writer_set_int64 (self->tree, ROAST_CLUSTER_SAMPLES_TIME, time * G_USEC_PER_SEC);
  for (guint i = 0; i < PRMON_N_FIELDS; i++)
    if (prmon_fields[i].tree != 0)
      set_value (self->tree, prmon_fields[i].tree, values[i], prmon_fields[i].factor);
  set_value (self->tree, ROAST_CLUSTER_SAMPLES_MEMORY_PSS_READ, values[PRMON_PSS], PRMON_KB);
  set_cpu (self, values);
  if (!roast_table_writer_close (self->tree, error))
    return FALSE;
  if (!has_io (values))
    return TRUE;
  roast_table_writer_set_int64 (self->io, ROAST_WORKER_SAMPLES_TIME, time * G_USEC_PER_SEC);
  roast_table_writer_set_string (self->io, ROAST_WORKER_SAMPLES_WORKER, TREE);
  for (guint i = 0; i < PRMON_N_FIELDS; i++)
    if (prmon_fields[i].sample != 0)
      set_value (self->io, prmon_fields[i].sample, values[i], 1);

  return roast_table_writer_close (self->io, error);
}

gboolean
prmon_rows_finish (PrmonRows *self, GError **error)
{
  gint64 started;

  if (self->n == 0)
    return roast_fail (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_DAMAGED,
                       "the file has no sample: prmon was killed before its first sample, or the file was cut");
  /* wtime counts from the tree's first process. */
  started = self->values[PRMON_WTIME] >= 0 ? MAX (self->time - self->values[PRMON_WTIME], 0) : self->first;
  roast_recording_set_times (self->recording, started * G_USEC_PER_SEC, self->time * G_USEC_PER_SEC);
  roast_recording_set_metadata (self->recording, "ended-at-least", g_variant_new_boolean (TRUE));

  return prmon_add_sums (self->recording, self->source, self->values, started * G_USEC_PER_SEC, error);
}
