/* SPDX-License-Identifier: BSD-3-Clause */
#include "workload-details.h"

#include "chunk-time.h"
#include "id-set.h"
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
  NEEDED,
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
  [NEEDED] = { ROAST_CHUNKS_NEEDED_BYTES_OWN, "needed_bytes_total", TRUE },
};

/* A chunk whose first baskets begin before it. */
typedef struct
{
  guint64 start; /* identity of the entry where it starts */
  double shared; /* bytes of these baskets */
  gboolean read; /* it reports what it read, too */
} Shared;

struct _WorkloadDetails
{
  GArray *times;  /* s, of counted chunks */
  GArray *shared; /* of Shared */
  IdSet stops;    /* identities of the entries where counted chunks stop */
  WorkloadSum sums[N_SUMS];
  double instrumented_time; /* of chunks that report the time of their function */
  double timed_events;      /* of chunks that report their thread's CPU time */
  double amplified_bytes;   /* read by chunks that report what they needed */
  WorkloadSum amplified;    /* what these needed, of baskets that begin within */
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
  self->shared = g_array_new (FALSE, FALSE, sizeof (Shared));
  self->memory_least = self->memory_most = NAN;

  return self;
}

void
workload_details_free (WorkloadDetails *self)
{
  g_array_unref (self->times);
  g_array_unref (self->shared);
  id_set_clear (&self->stops);
  g_free (self);
}

/* An entry of a tree. */
static guint64
hash_entry (CellCursor *chunks, guint column)
{
  guint64 hash = id_set_hash_number (ID_SET_START, cell_cursor_get_group (chunks));

  hash = id_set_hash_number (hash, (guint64) cell_cursor_get_code (chunks, ROAST_CHUNKS_TREE));

  return id_set_hash_number (hash, (guint64) cell_cursor_get_int64 (chunks, column, -1));
}

/* Chunks cut baskets. One that two chunks of a file share was needed once: it belongs to the chunk where it begins, and
 * to the later one only if that chunk was not processed. */
static void
add_needed (WorkloadDetails *self, CellCursor *chunks)
{
  double needed = cell_cursor_get_double (chunks, ROAST_CHUNKS_NEEDED_BYTES);
  double own = cell_cursor_get_double (chunks, ROAST_CHUNKS_NEEDED_BYTES_OWN);
  double bytes = cell_cursor_get_double (chunks, ROAST_CHUNKS_BYTES_READ);

  if (isnan (needed) || isnan (own))
    return;
  if (!isnan (bytes))
    {
      self->amplified_bytes += bytes;
      workload_sum_add (&self->amplified, own);
    }
  id_set_add (&self->stops, hash_entry (chunks, ROAST_CHUNKS_ENTRY_STOP));
  if (needed > own)
    {
      Shared shared = { hash_entry (chunks, ROAST_CHUNKS_ENTRY_START), needed - own, !isnan (bytes) };

      g_array_append_val (self->shared, shared);
    }
}

static void
add_memory (WorkloadDetails *self, double change)
{
  workload_sum_add (&self->memory, change);
  self->memory_least = fmin (self->memory_least, change);
  self->memory_most = fmax (self->memory_most, change);
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
  for (guint i = 0; i < N_SUMS; i++)
    workload_sum_add (&self->sums[i], cell_cursor_get_double (chunks, sums[i].column));
  if (!isnan (seconds) && !isnan (cell_cursor_get_double (chunks, ROAST_CHUNKS_PROCESS_TIME)))
    self->instrumented_time += seconds;
  if (!isnan (cell_cursor_get_double (chunks, ROAST_CHUNKS_THREAD_CPU)))
    self->timed_events += (double) cell_cursor_get_int64 (chunks, ROAST_CHUNKS_EVENTS, 0);
  add_memory (self, cell_cursor_get_double (chunks, ROAST_CHUNKS_MEMORY));
  add_needed (self, chunks);
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

static void
swap (double *a, double *b)
{
  double value = *a;

  *a = *b;
  *b = value;
}

/* Quickselect: puts the value of a sorted array at @rank there, and none that is greater before it. */
static double
select_value (double *values, guint n, guint rank)
{
  guint low = 0;
  guint high = n;

  while (high - low > 1)
    {
      double pivot = values[low + (high - 1 - low) / 2];
      guint i = low;
      guint j = high - 1;

      for (;; i++, j--)
        {
          while (values[i] < pivot)
            i++;
          while (values[j] > pivot)
            j--;
          if (i >= j)
            break;
          swap (&values[i], &values[j]);
        }
      if (rank <= j)
        high = j + 1;
      else
        low = j + 1;
    }

  return values[rank];
}

/* The smallest time that @share of the chunks do not exceed. */
static double
get_quantile (GArray *times, double share)
{
  double rank = ceil (share * (double) times->len);

  return times->len > 0 ? select_value ((double *) (gpointer) times->data, times->len, (guint) fmax (rank, 1) - 1)
                        : NAN;
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

/* Of a number other than a sum: chunks that are missing may have made it smaller or larger. */
static void
add_estimate (RoastReport *report, const char *name, double value, gint64 missing, const char *doubt,
              const char *reason)
{
  if (doubt == NULL || isnan (value))
    workload_metric_add (report, name, value, FALSE, missing, NULL, reason);
  else
    roast_report_add_double (report, name, value, ROAST_COMPLETENESS_ESTIMATED, doubt);
}

static void
add_distribution (WorkloadDetails *self, RoastReport *report, const char *doubt)
{
  static const char no_times[] = "no chunk that succeeded reported when it started and ended";

  add_estimate (report, "chunk_time_deviation_seconds", get_deviation (self->times), 0, doubt, no_times);
  add_estimate (report, "chunk_time_p50_seconds", get_quantile (self->times, 0.5), 0, doubt, no_times);
  add_estimate (report, "chunk_time_p90_seconds", get_quantile (self->times, 0.9), 0, doubt, no_times);
  add_estimate (report, "chunk_time_p99_seconds", get_quantile (self->times, 0.99), 0, doubt, no_times);
}

/* Bytes of all baskets that any counted chunk needed, each once. @only_read: only of chunks that report what they read
 */
static double
get_needed (WorkloadDetails *self, gboolean only_read)
{
  double needed = workload_sum_get (only_read ? &self->amplified : &self->sums[NEEDED]);

  for (guint i = 0; i < self->shared->len; i++)
    {
      const Shared *shared = &g_array_index (self->shared, Shared, i);

      if ((shared->read || !only_read) && !id_set_contains (&self->stops, shared->start))
        needed += shared->shared;
    }

  return needed;
}

static void
add_sums (WorkloadDetails *self, RoastReport *report, const char *doubt)
{
  for (guint i = 0; i < N_SUMS; i++)
    {
      double value = i == NEEDED ? get_needed (self, FALSE) : workload_sum_get (&self->sums[i]);

      workload_metric_add (report, sums[i].metric, value, sums[i].is_integer, self->sums[i].missing, doubt,
                           NOT_INSTRUMENTED);
    }
}

/* Each of the same chunks in numerator and denominator. */
static void
add_ratios (WorkloadDetails *self, RoastReport *report, const char *doubt)
{
  double function = workload_sum_get (&self->sums[FUNCTION_TIME]);
  double cpu = workload_sum_get (&self->sums[THREAD_CPU]);
  double needed = get_needed (self, TRUE);
  gint64 missing = self->sums[FUNCTION_TIME].missing;

  add_estimate (report, "chunk_outside_function_ratio",
                self->instrumented_time > 0 ? 1 - function / self->instrumented_time : NAN, missing, doubt,
                NOT_INSTRUMENTED);
  add_estimate (report, "chunk_cpu_ratio", self->instrumented_time > 0 ? cpu / self->instrumented_time : NAN, missing,
                doubt, NOT_INSTRUMENTED);
  add_estimate (report, "event_rate_thread_cpu_per_second", cpu > 0 ? self->timed_events / cpu : NAN,
                self->sums[THREAD_CPU].missing, doubt, NOT_INSTRUMENTED);
  add_estimate (report, "read_amplification_ratio", needed > 0 ? self->amplified_bytes / needed : NAN,
                self->sums[NEEDED].missing + self->sums[NEEDED].n - self->amplified.n, doubt, NOT_INSTRUMENTED);
}

static void
add_chunk_memory (WorkloadDetails *self, RoastReport *report, const char *doubt)
{
  static const char no_memory[] = "no chunk reported how its process's memory changed";

  add_estimate (report, "chunk_memory_change_mean_bytes", self->memory.sum / (double) self->memory.n,
                self->memory.missing, doubt, no_memory);
  workload_metric_add (report, "chunk_memory_change_min_bytes", self->memory_least, TRUE, self->memory.missing, doubt,
                       no_memory);
  workload_metric_add (report, "chunk_memory_change_max_bytes", self->memory_most, TRUE, self->memory.missing, doubt,
                       no_memory);
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
  g_autoptr (RoastTableReader) calls =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_PROCESSING, roast_processing_columns, NULL);
  g_autoptr (RoastTableReader) results =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_CHUNK_RESULTS, roast_chunk_results_columns, NULL);
  g_autoptr (GHashTable) confirmed = g_hash_table_new (g_str_hash, g_str_equal);
  gint64 skipped = 0;

  while (roast_table_reader_next (calls))
    if (roast_table_reader_get_word (calls, ROAST_PROCESSING_KIND) == ROAST_PROCESSING_KIND_PROCESSING &&
        roast_table_reader_get_boolean (calls, ROAST_PROCESSING_CONFIRMED) &&
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
workload_details_report (WorkloadDetails *self, RoastRecordingSnapshot *recording, RoastReport *report, GError **error)
{
  gint64 skipped = count_skipped (recording);
  g_autofree char *doubt = dup_doubt (recording);

  add_distribution (self, report, doubt);
  add_sums (self, report, doubt);
  add_ratios (self, report, doubt);
  add_chunk_memory (self, report, doubt);
  add_preparation (self, report);
  workload_metric_add (report, "chunks_cached_total", self->cached > 0 || skipped >= 0 ? (double) self->cached : NAN,
                       TRUE, 0, NULL, NOT_INSTRUMENTED);
  workload_metric_add (report, "chunks_skipped_total", skipped >= 0 ? (double) skipped : NAN, TRUE, 0, NULL,
                       "the program did not report how many chunks its executor was given");

  return TRUE;
}
