/* SPDX-License-Identifier: BSD-3-Clause */

/* Add up events, bytes and time of chunks, in total and for each dataset. */

#include <math.h>

#include "chunk-time.h"
#include "chunk-verdicts.h"
#include "group-element.h"
#include "notes.h"
#include "partial-sum.h"
#include "report-coverage.h"
#include "workload-details.h"
#include "workload-files.h"
#include "workload-lost.h"
#include "workload-needed.h"
#include "workload-tables.h"
#include "workload-values.h"
#include "workload.h"

#define UNNAMED "(no dataset)"

/* Sums over the chunks of one dataset, or of all datasets. A sum is NaN if no chunk reported the value. */
typedef struct
{
  const char *name;
  double events, bytes_read, processing;
  gint64 chunks, failed, timed;         /* chunks: -1 if none were reported */
  gint64 no_events, no_bytes, no_times; /* numbers of chunks that did not report events, bytes or times */
  double chunk_time, chunk_min, chunk_max;
  gint64 wasted; /* attempts that succeeded but are not in the result, or that failed during a call */
  double wasted_time, wasted_bytes;
} Work;

typedef struct
{
  Work all;
  ChunkVerdicts *verdicts;
  WorkloadDetails *details;
  WorkloadFiles *files;
  WorkloadNeeded *needed;
  GPtrArray *datasets; /* elements are Work *, in order of appearance */
  GHashTable *names;   /* maps the name of a dataset to its element of @datasets */
  gint64 dropped;      /* number of rows of chunks and datasets that the program could not send */
} Workload;

static void
work_init (Work *work, const char *name)
{
  *work = (Work) {
    .name = name,
    .events = NAN,
    .bytes_read = NAN,
    .processing = NAN,
    .chunks = -1,
    .chunk_min = NAN,
    .chunk_max = NAN,
    .wasted_time = NAN,
    .wasted_bytes = NAN,
  };
}

static Work *
datasets_get_work (Workload *self, const char *name)
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

/* Add a chunk. For a failed chunk, add its time and bytes, but not its events, because the events were not
 * processed. */
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

/* Add an attempt that is not in the result, but cost time and bytes. */
static void
work_add_waste (Work *work, double bytes, double seconds, gboolean failed)
{
  work->chunks = MAX (work->chunks, 0);
  work->failed += failed ? 1 : 0;
  work->wasted++;
  partial_sum_add (&work->wasted_bytes, bytes);
  partial_sum_add (&work->wasted_time, seconds);
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
work_add (Work *work, double events, double bytes, double seconds, ChunkVerdict verdict)
{
  if (verdict == CHUNK_WASTED || verdict == CHUNK_LOST)
    work_add_waste (work, bytes, seconds, verdict == CHUNK_LOST);
  else
    work_add_chunk (work, events, bytes, seconds, verdict == CHUNK_FAILED);
}

/* Return the dataset of the current row. All rows of a group have the same dataset. */
static Work *
get_group_work (Workload *self, GPtrArray *groups, RoastTableReader *chunks)
{
  guint group = roast_table_reader_get_group (chunks);

  if (group >= groups->len)
    g_ptr_array_set_size (groups, (int) group + 1);
  if (g_ptr_array_index (groups, group) == NULL)
    g_ptr_array_index (groups, group) =
        datasets_get_work (self, roast_table_reader_get_string (chunks, ROAST_CHUNKS_DATASET));

  return g_ptr_array_index (groups, group);
}

/* Add a chunk to its dataset and to the totals. */
static void
add_work (Workload *self, Work *work, RoastTableReader *chunks, ChunkVerdict verdict)
{
  double events = roast_table_reader_get_double (chunks, ROAST_CHUNKS_EVENTS);
  double bytes = roast_table_reader_get_double (chunks, ROAST_CHUNKS_BYTES_READ);
  double seconds = chunk_time_get (chunks);

  work_add (&self->all, events, bytes, seconds, verdict);
  work_add (work, events, bytes, seconds, verdict);
}

static void
datasets_collect_chunks (Workload *self, RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) chunks = roast_chunks_read (recording);
  g_autoptr (GPtrArray) groups = g_ptr_array_new ();

  GROUP_BY (chunks, ROAST_CHUNKS_DATASET, ROAST_CHUNKS_FILE);
  while (roast_table_reader_next (chunks))
    {
      ChunkVerdict verdict = chunk_verdicts_judge (self->verdicts, roast_table_reader_get_row (chunks));

      if (verdict == CHUNK_REPEATED)
        continue;
      workload_details_add (self->details, chunks, verdict);
      workload_files_add (self->files, chunks, verdict);
      if (verdict == CHUNK_COUNTED && !roast_table_reader_get_boolean (chunks, ROAST_CHUNKS_CACHED))
        workload_needed_add (self->needed, chunks);
      if (verdict == CHUNK_PREPARATION)
        continue;
      add_work (self, get_group_work (self, groups, chunks), chunks, verdict);
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
      Work *work = NULL;

      if (isnan (events) && isnan (bytes) && isnan (seconds) && chunks < 0) /* The row contains only metadata. */
        continue;
      work = datasets_get_work (self, roast_table_reader_get_string (datasets, ROAST_DATASETS_DATASET));
      work_add_dataset (&self->all, events, bytes, seconds, chunks);
      work_add_dataset (work, events, bytes, seconds, chunks);
    }
}

/* Add the sums of rows that are missing from the tables chunks and datasets, because the program exceeded its quota of
 * rows. */
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
      if (roast_table_reader_has (sums, ROAST_PROGRAM_SUMS_DROPPED))
        {
          self->dropped += roast_table_reader_get_int64 (sums, ROAST_PROGRAM_SUMS_DROPPED, 0);
          continue;
        }
      work_add_sums (&self->all, sums);
      work_add_sums (datasets_get_work (self, roast_table_reader_get_string (sums, ROAST_PROGRAM_SUMS_DATASET)), sums);
    }
}

/* ---- the report ---- */

static char *
dup_doubt_of_dropped (gint64 dropped)
{
  if (dropped == 0)
    return NULL;

  return g_strdup_printf ("a lower bound: the program dropped %" G_GINT64_FORMAT " %s", dropped,
                          dropped == 1 ? "row of chunks" : "rows of chunks");
}

/* Reasons why totals are not exact. Each of them may be NULL. */
typedef struct
{
  char *least; /* reason why totals are lower bounds */
  char *again; /* reason why totals are estimates: chunks may count twice */
} Doubts;

static WorkloadSum
make_sum (double value, gint64 missing)
{
  return (WorkloadSum) { value, isnan (value) ? 0 : WORKLOAD_SUM_ONLY, missing };
}

static void
add_doubtful (WorkloadValues *values, guint word, double value, gint64 missing, const Doubts *doubts)
{
  g_autofree char *doubt = notes_join (doubts->least, doubts->again);
  WorkloadSum sum = make_sum (value, missing);

  workload_values_add (values, word, &sum,
                       doubts->again != NULL ? ROAST_COMPLETENESS_ESTIMATED : ROAST_COMPLETENESS_PARTIAL, doubt);
}

/* Return the reason why totals are lower bounds; NULL if they are not lower bounds. */
static char *
datasets_dup_doubt (ChunkVerdicts *verdicts, gint64 dropped)
{
  gint64 unreported = verdicts->n_unreported;
  gint64 open = verdicts->n_open;
  g_autofree char *lost = NULL;
  g_autofree char *unsure = NULL;
  g_autofree char *both = NULL;
  g_autofree char *unsent = dup_doubt_of_dropped (dropped);

  if (unreported > 0)
    lost = g_strdup_printf ("a lower bound: for %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
                            " chunks in the result, only the identity is known",
                            unreported, verdicts->n_results);
  if (open > 0)
    unsure = g_strdup_printf ("a lower bound: no result came back for the call of %" G_GINT64_FORMAT " %s", open,
                              open == 1 ? "chunk" : "chunks");

  both = notes_join (lost, unsure);

  return notes_join (both, unsent);
}

static void
datasets_add_times (const Work *all, WorkloadValues *values, const Doubts *doubts)
{
  WorkloadSum sum = { all->chunk_time, all->timed, all->no_times };
  RoastTableWriter *table = NULL;

  add_doubtful (values, ROAST_CHUNK_VALUE_ALL_TIME, all->processing, all->no_times, doubts);
  table =
      workload_values_begin (values, ROAST_CHUNK_VALUE_SUCCEEDED_TIME, &sum, ROAST_COMPLETENESS_PARTIAL, doubts->least);
  if (table == NULL)
    return;
  roast_table_writer_set_double (table, ROAST_CHUNK_VALUES_LEAST, all->chunk_min);
  roast_table_writer_set_double (table, ROAST_CHUNK_VALUES_MOST, all->chunk_max);
  roast_table_writer_end (table, NULL);
}

/* Add the metrics of attempts that are not in the result. If the program reported neither calls nor results, the number
 * of these attempts is unknown. These metrics get their own lower bound, because that of @doubts does not apply to
 * them. */
static void
add_waste (const Work *all, ChunkVerdicts *verdicts, RoastRecordingSnapshot *recording, WorkloadValues *values,
           const Doubts *doubts)
{
  static const char *const metrics[] = { "chunks_wasted_total", "chunks_wasted_time_seconds",
                                         "chunks_wasted_bytes_total", NULL };
  static const Doubts none = { NULL, NULL };
  g_autofree char *least = workload_dup_doubt_of_waste (recording);
  g_autofree char *doubt = notes_join (least, doubts->again);

  if (!verdicts->known && all->wasted == 0)
    {
      report_coverage_add_metrics (values->report, metrics, ROAST_COMPLETENESS_UNAVAILABLE,
                                   "the program did not report which chunks are in its result");
      return;
    }
  if (doubt != NULL)
    report_coverage_add_metrics (values->report, metrics,
                                 doubts->again != NULL ? ROAST_COMPLETENESS_ESTIMATED : ROAST_COMPLETENESS_PARTIAL,
                                 doubt);
  add_doubtful (values, ROAST_CHUNK_VALUE_WASTED, (double) all->wasted, 0, &none);
  add_doubtful (values, ROAST_CHUNK_VALUE_WASTED_TIME, all->wasted == 0 ? 0 : all->wasted_time, 0, &none);
  add_doubtful (values, ROAST_CHUNK_VALUE_WASTED_BYTES, all->wasted == 0 ? 0 : all->wasted_bytes, 0, &none);
}

static gboolean
has_python (RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) processes = roast_processes_read (recording);

  while (roast_table_reader_next (processes))
    {
      const char *command = roast_table_reader_get_string (processes, ROAST_PROCESSES_COMMAND);

      if (command != NULL && (g_str_has_prefix (command, "python") || g_str_has_prefix (command, "ipython")))
        return TRUE;
    }

  return FALSE;
}

/* Hints that are printed if a program reported no chunks. A Python program is measured without changes to it, so
 * something may have prevented the hook of roast from loading. */
#define HOW "docs/protocol.md explains how"
#define HINT                                                                                                           \
  HOW "; if it uses coffea, see \"What is not measured\" in docs/coffea.md" /* check-source: allow executors: a page   \
                                                                             */

static const char *
get_hint (RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) chunks = roast_chunks_read (recording);

  /* All rows of the table chunks are rows of prepared files, because no chunks were reported. */
  if (roast_table_reader_get_n_rows (chunks) > 0)
    return "the program only prepared files";

  return has_python (recording) ? HINT : HOW;
}

static void
add_reason (RoastReport *report, const char *metric, const char *what, const char *hint)
{
  g_autofree char *reason = g_strdup_printf ("the program reported no %s to roast (%s)", what, hint);

  report_coverage_add_metric (report, metric, ROAST_COMPLETENESS_UNAVAILABLE, reason);
}

static void
add_reasons (const Work *all, RoastRecordingSnapshot *recording, RoastReport *report)
{
  static const char *const times[] = { "chunk_time_mean_seconds", "chunk_time_min_seconds", "chunk_time_max_seconds",
                                       NULL };
  const char *hint = all->chunks < 0 ? get_hint (recording) : all->chunks == 0 ? "no chunk is in a result" : HOW;

  if (isnan (all->bytes_read))
    add_reason (report, "bytes_read_total", "bytes", hint);
  if (isnan (all->events))
    add_reason (report, "events_total", "events", hint);
  if (all->chunks >= 0)
    return;
  report_coverage_add_metrics (report, times, ROAST_COMPLETENESS_UNAVAILABLE,
                               "the program reported no chunks to roast (" HOW ")");
  add_reason (report, "chunks_total", "chunks", hint);
  add_reason (report, "chunks_failed_total", "chunks", hint);
}

static void
add_totals (const Work *all, ChunkVerdicts *verdicts, RoastRecordingSnapshot *recording, WorkloadValues *values,
            const Doubts *doubts)
{
  add_reasons (all, recording, values->report);
  add_doubtful (values, ROAST_CHUNK_VALUE_ALL_BYTES, all->bytes_read, all->no_bytes, doubts);
  add_doubtful (values, ROAST_CHUNK_VALUE_ALL_EVENTS, all->events, all->no_events, doubts);
  if (all->chunks >= 0)
    {
      add_doubtful (values, ROAST_CHUNK_VALUE_ALL_CHUNKS, (double) all->chunks, 0, doubts);
      workload_values_add_count (values, ROAST_CHUNK_VALUE_ALL_FAILED, all->failed, doubts->least);
    }
  datasets_add_times (all, values, doubts);
  add_waste (all, verdicts, recording, values, doubts);
}

/* Write the row of a dataset. The result of a division by 0 is written as a missing cell. */
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
  if (work->wasted > 0)
    roast_table_writer_set_int64 (table, ROAST_PER_DATASET_WASTED, work->wasted);
  roast_table_writer_end (table, NULL);
}

static void
write_datasets (GPtrArray *datasets, RoastReport *report)
{
  g_autoptr (RoastTableWriter) table = NULL;

  /* Leave out a single row without a name, because it would repeat the totals. */
  if (datasets->len == 0 ||
      (datasets->len == 1 && g_str_equal (((const Work *) g_ptr_array_index (datasets, 0))->name, UNNAMED)))
    return;
  table = roast_per_dataset_write (report);
  for (guint i = 0; i < datasets->len; i++)
    write_dataset (table, g_ptr_array_index (datasets, i));
}

void
workload_add_datasets (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (GPtrArray) datasets = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (RoastTableReader) reported = roast_datasets_read (recording);
  g_autoptr (RoastTableReader) sums = roast_program_sums_read (recording);
  g_autoptr (ChunkVerdicts) verdicts = chunk_verdicts_get (recording);
  g_autofree char *least = NULL;
  g_autofree char *again = NULL;
  g_autofree char *doubt = NULL;
  g_autoptr (WorkloadDetails) details = workload_details_new ();
  g_autoptr (WorkloadFiles) files = workload_files_new ();
  g_autoptr (WorkloadNeeded) needed = workload_needed_new ();
  g_auto (WorkloadValues) values = { .report = report };
  Workload self = {
    .verdicts = verdicts, .details = details, .files = files, .needed = needed, .datasets = datasets, .names = names
  };

  work_init (&self.all, NULL);
  datasets_collect_chunks (&self, recording);
  collect_datasets (&self, reported);
  collect_sums (&self, sums);
  workload_needed_finish (needed, recording);
  least = datasets_dup_doubt (verdicts, self.dropped);
  again = workload_dup_doubt_of_calls (recording);
  doubt = notes_join (least, again);
  write_datasets (datasets, report);
  add_totals (&self.all, verdicts, recording, &values, &(Doubts) { least, again });
  workload_details_write (details, needed, recording, &values, doubt,
                          again != NULL ? ROAST_COMPLETENESS_ESTIMATED : ROAST_COMPLETENESS_PARTIAL);
  workload_files_report (files, needed, recording, report);
}
