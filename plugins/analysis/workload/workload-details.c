/* SPDX-License-Identifier: BSD-3-Clause */
#include "workload-details.h"

#include "chunk-time.h"
#include "notes.h"
#include "percentile.h"
#include "workload-metric.h"
#include "workload-sum.h"
#include "workload-tables.h"

#define NOT_INSTRUMENTED "no chunk reported it to roast (docs/protocol.md explains how)"

enum
{
  OPEN_TIME,
  FUNCTION_TIME,
  THREAD_CPU,
  REQUESTS,
  N_SUMS
};

static const struct
{
  guint column;
  const char *metric;
  gboolean is_integer;
} sums[N_SUMS] = {
  [OPEN_TIME] = { ROAST_CHUNKS_OPEN_TIME, "chunk_open_time_seconds", FALSE },
  [FUNCTION_TIME] = { ROAST_CHUNKS_PROCESS_TIME, "chunk_function_time_seconds", FALSE },
  [THREAD_CPU] = { ROAST_CHUNKS_THREAD_CPU, "chunk_thread_cpu_seconds", FALSE },
  [REQUESTS] = { ROAST_CHUNKS_REQUESTS, "read_requests_total", TRUE },
};

/* What one event took, of chunks that have events. */
typedef struct
{
  double sum, events;   /* of all these chunks */
  gint64 n, missing;    /* chunks that report it, and that do not */
  double mean, squares; /* of the quotients of each chunk: Welford's */
} PerEvent;

struct _WorkloadDetails
{
  GArray *times;  /* s, of counted chunks */
  gint64 untimed; /* those without */
  WorkloadSum sums[N_SUMS];
  double instrumented_time; /* of chunks that report the time of their function */
  double timed_events;      /* of chunks that report their thread's CPU time */
  PerEvent time_per_event, memory_per_event;
  WorkloadSum memory;
  double memory_least, memory_most;
  gint64 cached;
  gint64 prepared, prepared_failed; /* attempts at preparing a file */
  WorkloadSum prepared_time, prepared_bytes;
};

WorkloadDetails *
workload_details_new (void)
{
  WorkloadDetails *self = g_new0 (WorkloadDetails, 1);

  self->times = g_array_new (FALSE, FALSE, sizeof (double));
  self->memory_least = self->memory_most = NAN;

  return self;
}

void
workload_details_free (WorkloadDetails *self)
{
  g_array_unref (self->times);
  g_free (self);
}

static void
add_memory (WorkloadDetails *self, double change)
{
  workload_sum_add (&self->memory, change);
  self->memory_least = fmin (self->memory_least, change);
  self->memory_most = fmax (self->memory_most, change);
}

static void
add_per_event (PerEvent *self, double value, double events)
{
  double change;

  if (!(events > 0))
    return;
  if (isnan (value))
    {
      self->missing++;
      return;
    }
  self->sum += value;
  self->events += events;
  self->n++;
  change = value / events - self->mean;
  self->mean += change / (double) self->n;
  self->squares += change * (value / events - self->mean);
}

static void
add_counted (WorkloadDetails *self, CellCursor *chunks)
{
  double seconds = chunk_time_get_at (chunks);

  if (cell_cursor_get_boolean (chunks, ROAST_CHUNKS_CACHED))
    {
      self->cached++;
      return;
    }
  if (!isnan (seconds))
    g_array_append_val (self->times, seconds);
  else
    self->untimed++;
  for (guint i = 0; i < N_SUMS; i++)
    workload_sum_add (&self->sums[i], cell_cursor_get_double (chunks, sums[i].column));
  if (!isnan (seconds) && !isnan (cell_cursor_get_double (chunks, ROAST_CHUNKS_PROCESS_TIME)))
    self->instrumented_time += seconds;
  if (!isnan (cell_cursor_get_double (chunks, ROAST_CHUNKS_THREAD_CPU)))
    self->timed_events += (double) cell_cursor_get_int64 (chunks, ROAST_CHUNKS_EVENTS, 0);
  add_memory (self, cell_cursor_get_double (chunks, ROAST_CHUNKS_MEMORY));
  add_per_event (&self->time_per_event, seconds, cell_cursor_get_double (chunks, ROAST_CHUNKS_EVENTS));
  add_per_event (&self->memory_per_event, cell_cursor_get_double (chunks, ROAST_CHUNKS_MEMORY),
                 cell_cursor_get_double (chunks, ROAST_CHUNKS_EVENTS));
}

static void
add_prepared (WorkloadDetails *self, CellCursor *chunks)
{
  self->prepared++;
  self->prepared_failed += roast_table_reader_has (cell_cursor_get_reader (chunks), ROAST_CHUNKS_ERROR) ? 1 : 0;
  workload_sum_add (&self->prepared_time, chunk_time_get_at (chunks));
  workload_sum_add (&self->prepared_bytes, cell_cursor_get_double (chunks, ROAST_CHUNKS_BYTES_READ));
}

void
workload_details_add (WorkloadDetails *self, CellCursor *chunks, ChunkVerdict verdict)
{
  if (verdict == CHUNK_COUNTED)
    add_counted (self, chunks);
  else if (verdict == CHUNK_PREPARATION)
    add_prepared (self, chunks);
}

/* ---- the report ---- */

/* NaN without any. */
static double
get_quantile (GArray *times, double share)
{
  return times->len > 0 ? percentile_get ((double *) (gpointer) times->data, times->len, share) : NAN;
}

/* With n - 1, as of a sample: 0 for a single chunk. */
static double
get_deviation (GArray *times)
{
  double mean = 0, squares = 0;

  for (guint i = 0; i < times->len; i++)
    mean += g_array_index (times, double, i) / times->len;
  for (guint i = 0; i < times->len; i++)
    squares += pow (g_array_index (times, double, i) - mean, 2);
  if (times->len == 0)
    return NAN;

  return times->len > 1 ? sqrt (squares / (times->len - 1)) : 0;
}

/* Why numbers lack chunks; NULL if they do not. Of chunks beyond the quota of a program, only sums of what each of them
 * has are known. */
static char *
dup_doubt (RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) beyond =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_PROGRAM_SUMS, roast_program_sums_columns, NULL);
  gint64 n = 0;

  while (roast_table_reader_next (beyond))
    if (g_strcmp0 (roast_table_reader_get_string (beyond, ROAST_PROGRAM_SUMS_TABLE), ROAST_TABLE_CHUNKS) == 0)
      n += roast_table_reader_get_int64 (beyond, ROAST_PROGRAM_SUMS_CHUNKS, 0);

  return n > 0 ? g_strdup_printf ("without %" G_GINT64_FORMAT " %s beyond the program's quota", n,
                                  n == 1 ? "chunk" : "chunks")
               : NULL;
}

static void
add_distribution (WorkloadDetails *self, RoastReport *report, const char *doubt)
{
  static const char no_times[] = "no chunk that succeeded reported when it started and ended";

  workload_metric_add_estimated (report, "chunk_time_deviation_seconds", get_deviation (self->times), FALSE,
                                 self->untimed, doubt, no_times);
  workload_metric_add_estimated (report, "chunk_time_p50_seconds", get_quantile (self->times, 0.5), FALSE,
                                 self->untimed, doubt, no_times);
  workload_metric_add_estimated (report, "chunk_time_p90_seconds", get_quantile (self->times, 0.9), FALSE,
                                 self->untimed, doubt, no_times);
  workload_metric_add_estimated (report, "chunk_time_p99_seconds", get_quantile (self->times, 0.99), FALSE,
                                 self->untimed, doubt, no_times);
}

static void
add_sums (WorkloadDetails *self, RoastReport *report, const char *doubt)
{
  for (guint i = 0; i < N_SUMS; i++)
    workload_metric_add (report, sums[i].metric, workload_sum_get (&self->sums[i]), sums[i].is_integer,
                         self->sums[i].missing, doubt, NOT_INSTRUMENTED);
}

/* Each of the same chunks in numerator and denominator. */
static void
add_ratios (WorkloadDetails *self, RoastReport *report, const char *doubt)
{
  double function = workload_sum_get (&self->sums[FUNCTION_TIME]);
  double cpu = workload_sum_get (&self->sums[THREAD_CPU]);
  gint64 missing = self->sums[FUNCTION_TIME].missing;

  workload_metric_add_estimated (report, "chunk_outside_function_ratio",
                                 self->instrumented_time > 0 ? 1 - function / self->instrumented_time : NAN, FALSE,
                                 missing, doubt, NOT_INSTRUMENTED);
  workload_metric_add_estimated (report, "chunk_cpu_ratio",
                                 self->instrumented_time > 0 ? cpu / self->instrumented_time : NAN, FALSE, missing,
                                 doubt, NOT_INSTRUMENTED);
  workload_metric_add_estimated (report, "event_rate_thread_cpu_per_second", cpu > 0 ? self->timed_events / cpu : NAN,
                                 FALSE, self->sums[THREAD_CPU].missing, doubt, NOT_INSTRUMENTED);
}

static void
add_needed (WorkloadNeeded *needed, RoastReport *report, const char *beyond)
{
  WorkloadNeed all = workload_needed_get_all (needed);
  g_autofree char *doubt =
      notes_join (beyond, all.estimated ? "chunks did not report which baskets they have in common" : NULL);

  workload_metric_add_estimated (report, "needed_bytes_total", all.needed, TRUE, all.missing, doubt, NOT_INSTRUMENTED);
  workload_metric_add_estimated (report, "read_amplification_ratio",
                                 all.amplified > 0 ? all.bytes / all.amplified : NAN, FALSE, all.missing + all.unread,
                                 doubt, NOT_INSTRUMENTED);
}

static void
add_chunk_memory (WorkloadDetails *self, RoastReport *report, const char *doubt)
{
  static const char no_memory[] = "no chunk reported how its process's memory changed";

  workload_metric_add_estimated (report, "chunk_memory_change_mean_bytes", self->memory.sum / (double) self->memory.n,
                                 FALSE, self->memory.missing, doubt, no_memory);
  workload_metric_add_estimated (report, "chunk_memory_change_min_bytes", self->memory_least, TRUE,
                                 self->memory.missing, doubt, no_memory);
  workload_metric_add (report, "chunk_memory_change_max_bytes", self->memory_most, TRUE, self->memory.missing, doubt,
                       no_memory);
}

/* With n - 1, as of a sample: 0 for a single chunk. */
static void
add_one_per_event (const PerEvent *self, RoastReport *report, const char *mean, const char *deviation,
                   const char *reason)
{
  double variance = self->n > 1 ? self->squares / (double) (self->n - 1) : 0;

  workload_metric_add_estimated (report, mean, self->sum / self->events, FALSE, self->missing, NULL, reason);
  workload_metric_add_estimated (report, deviation, self->n > 0 ? sqrt (variance) : NAN, FALSE, self->missing, NULL,
                                 reason);
}

static void
add_preparation (WorkloadDetails *self, RoastReport *report)
{
  static const char none[] = "the program reported no preparation of files";
  gboolean any = self->prepared > 0;

  workload_metric_add (report, "preprocessing_files_total", any ? (double) self->prepared : NAN, TRUE, 0, NULL, none);
  workload_metric_add (report, "preprocessing_files_failed_total", any ? (double) self->prepared_failed : NAN, TRUE, 0,
                       NULL, none);
  workload_metric_add (report, "preprocessing_time_seconds", workload_sum_get (&self->prepared_time), FALSE,
                       self->prepared_time.missing, NULL, none);
  workload_metric_add (report, "preprocessing_bytes_total", workload_sum_get (&self->prepared_bytes), TRUE,
                       self->prepared_bytes.missing, NULL, none);
}

/* Chunks that calls of a confirmed result were given, and that are not in it. */
static gint64
count_skipped (RoastRecordingSnapshot *recording)
{
  g_autoptr (ChunkVerdicts) verdicts = chunk_verdicts_get (recording);
  g_autoptr (RoastTableReader) calls =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_PROCESSING, roast_processing_columns, NULL);
  g_autoptr (RoastTableReader) results =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_CHUNK_RESULTS, roast_chunk_results_columns, NULL);
  g_autoptr (GHashTable) confirmed = g_hash_table_new (g_str_hash, g_str_equal);
  gint64 skipped = 0;

  while (roast_table_reader_next (calls))
    if (roast_table_reader_get_word (calls, ROAST_PROCESSING_KIND) == ROAST_PROCESSING_KIND_PROCESSING &&
        roast_table_reader_get_boolean (calls, ROAST_PROCESSING_CONFIRMED) &&
        !chunk_verdicts_is_superseded (verdicts, roast_table_reader_get_string (calls, ROAST_PROCESSING_CALL)) &&
        roast_table_reader_has (calls, ROAST_PROCESSING_ITEMS))
      {
        g_hash_table_add (confirmed, (char *) roast_table_reader_get_string (calls, ROAST_PROCESSING_CALL));
        skipped += roast_table_reader_get_int64 (calls, ROAST_PROCESSING_ITEMS, 0);
      }
  if (g_hash_table_size (confirmed) == 0)
    return -1;
  while (roast_table_reader_next (results))
    {
      const char *call = roast_table_reader_get_string (results, ROAST_CHUNK_RESULTS_CALL);

      skipped -= call != NULL && g_hash_table_contains (confirmed, call) ? 1 : 0;
    }

  return MAX (skipped, 0);
}

gboolean
workload_details_report (WorkloadDetails *self, WorkloadNeeded *needed, RoastRecordingSnapshot *recording,
                         RoastReport *report, GError **error)
{
  gint64 skipped = count_skipped (recording);
  g_autofree char *doubt = dup_doubt (recording);

  add_distribution (self, report, doubt);
  add_sums (self, report, doubt);
  add_ratios (self, report, doubt);
  add_needed (needed, report, doubt);
  add_chunk_memory (self, report, doubt);
  add_one_per_event (&self->time_per_event, report, "time_per_event_seconds", "time_per_event_deviation_seconds",
                     "no chunk with events reported when it started and ended");
  add_one_per_event (&self->memory_per_event, report, "memory_per_event_bytes", "memory_per_event_deviation_bytes",
                     "no chunk with events reported how its process's memory changed");
  add_preparation (self, report);
  workload_metric_add (report, "chunks_cached_total", self->cached > 0 || skipped >= 0 ? (double) self->cached : NAN,
                       TRUE, 0, NULL, NOT_INSTRUMENTED);
  workload_metric_add (report, "chunks_skipped_total", skipped >= 0 ? (double) skipped : NAN, TRUE, 0, NULL,
                       "the program did not report how many chunks its executor was given");

  return TRUE;
}
