/* SPDX-License-Identifier: BSD-3-Clause */

/* Events, bytes and time: in all, and of each dataset. */

#include <math.h>

#include "partial-sum.h"
#include "workload-tables.h"
#include "workload.h"

#define NOT_REPORTED(what) "the program reported no " what " to roast (docs/protocol.md explains how)"
#define UNNAMED "(no dataset)"

/* What was processed of one dataset, or of all. NaN if nothing was reported. */
typedef struct
{
  const char *name;
  double events, bytes_read, processing;
  gint64 chunks, failed, timed;         /* chunks: -1 if none were reported */
  gint64 no_events, no_bytes, no_times; /* chunks that did not report theirs */
  double chunk_time, chunk_min, chunk_max;
} Work;

typedef struct
{
  Work all;
  GPtrArray *datasets; /* of Work, in order of appearance */
  GHashTable *names;   /* to an element of datasets */
} Workload;

static void
work_init (Work *work, const char *name)
{
  *work = (Work) {
    .name = name, .events = NAN, .bytes_read = NAN, .processing = NAN, .chunks = -1, .chunk_min = NAN, .chunk_max = NAN
  };
}

static Work *
get_work (Workload *self, const char *name)
{
  Work *work = NULL;

  if (name == NULL)
    name = UNNAMED;
  work = g_hash_table_lookup (self->names, name);
  if (work == NULL)
    {
      work = g_new (Work, 1);
      work_init (work, name);
      g_hash_table_insert (self->names, (char *) work->name, work);
      g_ptr_array_add (self->datasets, work);
    }

  return work;
}

/* A failed chunk took its time, but its events were not processed. */
static void
work_add_chunk (Work *work, double events, double bytes, double seconds, gboolean failed)
{
  work->chunks = MAX (work->chunks, 0) + 1;
  work->failed += failed ? 1 : 0;
  work->no_bytes += isnan (bytes) ? 1 : 0;
  work->no_times += isnan (seconds) ? 1 : 0;
  partial_sum_add (&work->bytes_read, bytes);
  partial_sum_add (&work->processing, seconds);
  if (failed)
    return;
  work->no_events += isnan (events) ? 1 : 0;
  partial_sum_add (&work->events, events);
  if (isnan (seconds))
    return;
  work->timed++;
  work->chunk_time += seconds;
  work->chunk_min = fmin (work->chunk_min, seconds);
  work->chunk_max = fmax (work->chunk_max, seconds);
}

static void
work_add_dataset (Work *work, double events, double bytes, double seconds, gint64 chunks)
{
  partial_sum_add (&work->events, events);
  partial_sum_add (&work->bytes_read, bytes);
  partial_sum_add (&work->processing, seconds);
  if (chunks >= 0)
    work->chunks = MAX (work->chunks, 0) + chunks;
}

static void
collect_chunks (Workload *self, RoastTableReader *chunks)
{
  while (roast_table_reader_next (chunks))
    {
      double events = roast_table_reader_get_double (chunks, ROAST_CHUNKS_EVENTS);
      double bytes = roast_table_reader_get_double (chunks, ROAST_CHUNKS_BYTES_READ);
      double seconds = (roast_table_reader_get_double (chunks, ROAST_CHUNKS_ENDED) -
                        roast_table_reader_get_double (chunks, ROAST_CHUNKS_STARTED)) /
                       G_USEC_PER_SEC;
      gboolean failed = roast_table_reader_has (chunks, ROAST_CHUNKS_ERROR);
      Work *work = get_work (self, roast_table_reader_get_string (chunks, ROAST_CHUNKS_DATASET));

      work_add_chunk (&self->all, events, bytes, seconds, failed);
      work_add_chunk (work, events, bytes, seconds, failed);
    }
}

static void
collect_datasets (Workload *self, RoastTableReader *datasets)
{
  while (roast_table_reader_next (datasets))
    {
      double events = roast_table_reader_get_double (datasets, ROAST_DATASETS_EVENTS);
      double bytes = roast_table_reader_get_double (datasets, ROAST_DATASETS_BYTES_READ);
      double seconds = roast_table_reader_get_double (datasets, ROAST_DATASETS_DURATION);
      gint64 chunks = roast_table_reader_get_int64 (datasets, ROAST_DATASETS_CHUNKS, -1);
      Work *work = get_work (self, roast_table_reader_get_string (datasets, ROAST_DATASETS_DATASET));

      work_add_dataset (&self->all, events, bytes, seconds, chunks);
      work_add_dataset (work, events, bytes, seconds, chunks);
    }
}

/* Rows that are not in these tables, since the program sent more than its quota. */
static void
work_add_sums (Work *work, RoastTableReader *sums)
{
  work_add_dataset (work, roast_table_reader_get_double (sums, ROAST_PROGRAM_SUMS_EVENTS),
                    roast_table_reader_get_double (sums, ROAST_PROGRAM_SUMS_BYTES_READ),
                    roast_table_reader_get_double (sums, ROAST_PROGRAM_SUMS_DURATION),
                    roast_table_reader_get_int64 (sums, ROAST_PROGRAM_SUMS_CHUNKS, -1));
  work->failed += roast_table_reader_get_int64 (sums, ROAST_PROGRAM_SUMS_FAILED, 0);
  work->no_events += roast_table_reader_get_int64 (sums, ROAST_PROGRAM_SUMS_NO_EVENTS, 0);
  work->no_bytes += roast_table_reader_get_int64 (sums, ROAST_PROGRAM_SUMS_NO_BYTES, 0);
  work->no_times += roast_table_reader_get_int64 (sums, ROAST_PROGRAM_SUMS_NO_TIMES, 0);
  if (!roast_table_reader_has (sums, ROAST_PROGRAM_SUMS_VALUE))
    return;
  work->timed += roast_table_reader_get_int64 (sums, ROAST_PROGRAM_SUMS_VALUES, 0);
  work->chunk_time += roast_table_reader_get_double (sums, ROAST_PROGRAM_SUMS_VALUE);
  work->chunk_min = fmin (work->chunk_min, roast_table_reader_get_double (sums, ROAST_PROGRAM_SUMS_LEAST));
  work->chunk_max = fmax (work->chunk_max, roast_table_reader_get_double (sums, ROAST_PROGRAM_SUMS_MOST));
}

static void
collect_sums (Workload *self, RoastTableReader *sums)
{
  while (roast_table_reader_next (sums))
    {
      const char *table = roast_table_reader_get_string (sums, ROAST_PROGRAM_SUMS_TABLE);

      if (g_strcmp0 (table, ROAST_TABLE_CHUNKS) != 0 && g_strcmp0 (table, ROAST_TABLE_DATASETS) != 0)
        continue;
      work_add_sums (&self->all, sums);
      work_add_sums (get_work (self, roast_table_reader_get_string (sums, ROAST_PROGRAM_SUMS_DATASET)), sums);
    }
}

/* ---- the report ---- */

/* @silent: chunks without a value */
static void
add (RoastReport *report, const char *name, double value, gboolean is_integer, gint64 silent, const char *missing)
{
  g_autofree char *note =
      silent > 0 ? g_strdup_printf ("missing for %" G_GINT64_FORMAT " %s", silent, silent == 1 ? "chunk" : "chunks")
                 : NULL;
  RoastCompleteness completeness = silent > 0 ? ROAST_COMPLETENESS_PARTIAL : ROAST_COMPLETENESS_COMPLETE;

  if (isnan (value))
    roast_report_add_unavailable (report, name, missing);
  else if (is_integer)
    roast_report_add_int64 (report, name, (gint64) llround (value), completeness, note);
  else
    roast_report_add_double (report, name, value, completeness, note);
}

static void
add_totals (const Work *all, RoastReport *report)
{
  const char *no_times =
      all->chunks >= 0 ? "no chunk that succeeded reported when it started and ended" : NOT_REPORTED ("chunks");
  double chunks = all->chunks >= 0 ? (double) all->chunks : NAN;
  double failed = all->chunks >= 0 ? (double) all->failed : NAN;
  double mean = all->chunk_time / (double) all->timed; /* NaN without any */

  add (report, "bytes_read_total", all->bytes_read, TRUE, all->no_bytes, NOT_REPORTED ("bytes"));
  add (report, "events_total", all->events, TRUE, all->no_events, NOT_REPORTED ("events"));
  add (report, "processing_time_seconds", all->processing, FALSE, all->no_times, NOT_REPORTED ("times of chunks"));
  add (report, "chunks_total", chunks, TRUE, 0, NOT_REPORTED ("chunks"));
  add (report, "chunks_failed_total", failed, TRUE, 0, NOT_REPORTED ("chunks"));
  add (report, "chunk_time_mean_seconds", mean, FALSE, 0, no_times);
  add (report, "chunk_time_min_seconds", all->chunk_min, FALSE, 0, no_times);
  add (report, "chunk_time_max_seconds", all->chunk_max, FALSE, 0, no_times);
}

static void
add_rates (RoastReport *report)
{
  static const struct
  {
    const char *rate, *numerator, *denominator;
    double factor;
  } rates[] = {
    { "data_rate_bytes_per_second", "bytes_read_total", "elapsed_time_seconds", 1 },
    { "data_rate_bits_per_second", "bytes_read_total", "elapsed_time_seconds", 8 },
    { "event_rate_elapsed_per_second", "events_total", "elapsed_time_seconds", 1 },
    { "event_rate_cpu_per_second", "events_total", "process_cpu_time_seconds", 1 },
    { "event_rate_core_per_second", "event_rate_elapsed_per_second", "cores_available", 1 },
    { "event_rate_processing_per_second", "events_total", "processing_time_seconds", 1 },
    { "processing_concurrency_ratio", "processing_time_seconds", "elapsed_time_seconds", 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++)
    roast_report_add_ratio (report, rates[i].rate, rates[i].numerator, rates[i].denominator, rates[i].factor);
}

/* What is divided by 0 is a missing cell. */
static void
write_dataset (RoastTableWriter *table, const Work *work)
{
  roast_table_writer_set_string (table, ROAST_PER_DATASET_DATASET, work->name);
  roast_table_writer_set_count (table, ROAST_PER_DATASET_CHUNKS, work->chunks);
  roast_table_writer_set_count (table, ROAST_PER_DATASET_FAILED, work->chunks >= 0 ? work->failed : -1);
  partial_sum_write (table, ROAST_PER_DATASET_EVENTS, work->events);
  partial_sum_write (table, ROAST_PER_DATASET_BYTES_READ, work->bytes_read);
  roast_table_writer_set_double (table, ROAST_PER_DATASET_PROCESSING_TIME, work->processing);
  roast_table_writer_set_double (table, ROAST_PER_DATASET_CHUNK_TIME_MEAN, work->chunk_time / (double) work->timed);
  roast_table_writer_set_double (table, ROAST_PER_DATASET_EVENT_RATE, work->events / work->processing);
  roast_table_writer_end (table, NULL);
}

static gboolean
write_datasets (GPtrArray *datasets, RoastReport *report, GError **error)
{
  g_autoptr (RoastTableWriter) table = NULL;

  /* A single row without a name would repeat the totals. */
  if (datasets->len == 0 ||
      (datasets->len == 1 && g_str_equal (((const Work *) g_ptr_array_index (datasets, 0))->name, UNNAMED)))
    return TRUE;
  table = roast_report_write_table (report, ROAST_TABLE_PER_DATASET, roast_per_dataset_columns, error);
  for (guint i = 0; table != NULL && i < datasets->len; i++)
    write_dataset (table, g_ptr_array_index (datasets, i));

  return table != NULL;
}

gboolean
workload_add_datasets (RoastRecordingSnapshot *recording, RoastReport *report, GError **error)
{
  g_autoptr (GPtrArray) datasets = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (RoastTableReader) chunks =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_CHUNKS, roast_chunks_columns, NULL);
  g_autoptr (RoastTableReader) reported =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_DATASETS, roast_datasets_columns, NULL);
  g_autoptr (RoastTableReader) sums =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_PROGRAM_SUMS, roast_program_sums_columns, NULL);
  Workload self = { .datasets = datasets, .names = names };

  work_init (&self.all, NULL);
  collect_chunks (&self, chunks);
  collect_datasets (&self, reported);
  collect_sums (&self, sums);
  add_totals (&self.all, report);
  add_rates (report);

  return write_datasets (datasets, report, error);
}
