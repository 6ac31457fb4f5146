/* SPDX-License-Identifier: BSD-3-Clause */
#include "workload-details.h"

#include "chunk-time.h"
#include "group-element.h"
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

static const guint sums[N_SUMS] = {
  [OPEN_TIME] = ROAST_CHUNKS_OPEN_TIME,
  [FUNCTION_TIME] = ROAST_CHUNKS_PROCESS_TIME,
  [THREAD_CPU] = ROAST_CHUNKS_THREAD_CPU,
  [REQUESTS] = ROAST_CHUNKS_REQUESTS,
};

/* Time or memory per event, of chunks that have events. */
typedef struct
{
  double sum, events;   /* sums over all these chunks */
  gint64 n, missing;    /* chunks that report the value, and chunks that do not */
  double mean, squares; /* running values of Welford's method, over the quotients of single chunks */
} PerEvent;

/* Result of the attempts at preparing a file. */
typedef enum
{
  PREPARATION_NONE,
  PREPARATION_FAILED,
  PREPARATION_DONE,
} Preparation;

struct _WorkloadDetails
{
  GArray *times;  /* elements are double: s, of counted chunks */
  gint64 untimed; /* counted chunks without a time */
  WorkloadSum sums[N_SUMS];
  double instrumented_time; /* time of chunks that report the time of their function */
  double timed_events;      /* events of chunks that report their thread's CPU time */
  PerEvent time_per_event, memory_per_event;
  WorkloadSum memory;
  double memory_least, memory_most;
  gint64 cached;
  gint64 prepared;      /* attempts at preparing a file */
  GArray *preparations; /* elements are Preparation, by group of dataset and file */
  WorkloadSum prepared_time, prepared_bytes;
};

WorkloadDetails *
workload_details_new (void)
{
  WorkloadDetails *self = g_new0 (WorkloadDetails, 1);

  self->times = g_array_new (FALSE, FALSE, sizeof (double));
  self->preparations = g_array_new (FALSE, FALSE, sizeof (Preparation));
  self->memory_least = self->memory_most = NAN;

  return self;
}

void
workload_details_free (WorkloadDetails *self)
{
  g_array_unref (self->times);
  g_array_unref (self->preparations);
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
    workload_sum_add (&self->sums[i], cell_cursor_get_double (chunks, sums[i]));
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
  Preparation *preparation = group_element_at (self->preparations, cell_cursor_get_group (chunks));

  self->prepared++;
  if (!roast_table_reader_has (cell_cursor_get_reader (chunks), ROAST_CHUNKS_ERROR))
    *preparation = PREPARATION_DONE;
  else if (*preparation == PREPARATION_NONE)
    *preparation = PREPARATION_FAILED;
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

/* Return NaN if there are no times. */
static double
get_quantile (GArray *times, double share)
{
  return times->len > 0 ? percentile_get ((double *) (gpointer) times->data, times->len, share) : NAN;
}

/* Return the sample standard deviation (divided by n - 1); 0 for a single chunk. */
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

/* Return why numbers lack chunks; NULL if they do not. For chunks beyond the quota of a program, only sums are known of
 * the values that every chunk has. */
static char *
dup_doubt (RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) beyond =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_PROGRAM_SUMS, roast_program_sums_columns, NULL);
  gint64 n = 0;

  while (roast_table_reader_next (beyond))
    if (g_strcmp0 (roast_table_reader_get_string (beyond, ROAST_PROGRAM_SUMS_TABLE), ROAST_TABLE_CHUNKS) == 0)
      n += roast_table_reader_get_int64 (beyond, ROAST_PROGRAM_SUMS_CHUNKS, 0);

  return n > 0 ? g_strdup_printf ("excludes %" G_GINT64_FORMAT " %s beyond the program's quota", n,
                                  n == 1 ? "chunk" : "chunks")
               : NULL;
}

/* Begin a row. Return FALSE if there is no chunk that might have the value. @doubt is another reason why values are
 * missing, or NULL. */
static gboolean
set_value (RoastTableWriter *table, guint value, gint64 n, gint64 missing, double total, const char *doubt)
{
  g_autofree char *note = workload_metric_dup_note (missing, doubt);

  if (n + missing == 0)
    return FALSE;
  roast_table_writer_set_word (table, ROAST_CHUNK_VALUES_VALUE, value);
  roast_table_writer_set_int64 (table, ROAST_CHUNK_VALUES_CHUNKS, n);
  roast_table_writer_set_int64 (table, ROAST_CHUNK_VALUES_MISSING, missing);
  roast_table_writer_set_double (table, ROAST_CHUNK_VALUES_TOTAL, n > 0 ? total : NAN);
  roast_table_writer_set_word (table, ROAST_CHUNK_VALUES_COMPLETE,
                               note != NULL ? ROAST_COMPLETENESS_PARTIAL : ROAST_COMPLETENESS_COMPLETE);
  roast_table_writer_set_string (table, ROAST_CHUNK_VALUES_REASON, note);

  return TRUE;
}

static gboolean
set_sum (RoastTableWriter *table, guint value, const WorkloadSum *sum, const char *doubt)
{
  return set_value (table, value, sum->n, sum->missing, sum->sum, doubt);
}

static void
write_times (WorkloadDetails *self, RoastTableWriter *table, const char *doubt)
{
  double total = 0;

  for (guint i = 0; i < self->times->len; i++)
    total += g_array_index (self->times, double, i);
  if (!set_value (table, ROAST_CHUNK_VALUE_TIME, self->times->len, self->untimed, total, doubt))
    return;
  roast_table_writer_set_double (table, ROAST_CHUNK_VALUES_DEVIATION, get_deviation (self->times));
  roast_table_writer_set_double (table, ROAST_CHUNK_VALUES_MEDIAN, get_quantile (self->times, 0.5));
  roast_table_writer_set_double (table, ROAST_CHUNK_VALUES_P90, get_quantile (self->times, 0.9));
  roast_table_writer_set_double (table, ROAST_CHUNK_VALUES_P99, get_quantile (self->times, 0.99));
  roast_table_writer_end (table, NULL);
}

static void
write_sums (WorkloadDetails *self, RoastTableWriter *table, const char *doubt)
{
  static const guint words[N_SUMS] = {
    [OPEN_TIME] = ROAST_CHUNK_VALUE_OPEN_TIME,
    [FUNCTION_TIME] = ROAST_CHUNK_VALUE_FUNCTION_TIME,
    [THREAD_CPU] = ROAST_CHUNK_VALUE_THREAD_CPU,
    [REQUESTS] = ROAST_CHUNK_VALUE_REQUESTS,
  };

  for (guint i = 0; i < N_SUMS; i++)
    if (set_sum (table, words[i], &self->sums[i], doubt))
      {
        if (i == FUNCTION_TIME)
          roast_table_writer_set_double (table, ROAST_CHUNK_VALUES_TIME, self->instrumented_time);
        if (i == THREAD_CPU)
          roast_table_writer_set_double (table, ROAST_CHUNK_VALUES_EVENTS, self->timed_events);
        roast_table_writer_end (table, NULL);
      }
  if (set_sum (table, ROAST_CHUNK_VALUE_MEMORY, &self->memory, doubt))
    {
      roast_table_writer_set_double (table, ROAST_CHUNK_VALUES_LEAST, self->memory_least);
      roast_table_writer_set_double (table, ROAST_CHUNK_VALUES_MOST, self->memory_most);
      roast_table_writer_end (table, NULL);
    }
  if (set_value (table, ROAST_CHUNK_VALUE_PREPARATION, self->prepared, 0, NAN, NULL))
    roast_table_writer_end (table, NULL);
  if (set_sum (table, ROAST_CHUNK_VALUE_PREPARATION_TIME, &self->prepared_time, NULL))
    roast_table_writer_end (table, NULL);
  if (set_sum (table, ROAST_CHUNK_VALUE_PREPARATION_BYTES, &self->prepared_bytes, NULL))
    roast_table_writer_end (table, NULL);
}

/* Write a row with the sample standard deviation (divided by n - 1), which is 0 for a single chunk. */
static void
write_per_event (const PerEvent *self, guint value, RoastTableWriter *table)
{
  double variance = self->n > 1 ? self->squares / (double) (self->n - 1) : 0;

  if (!set_value (table, value, self->n, self->missing, self->sum, NULL))
    return;
  roast_table_writer_set_double (table, ROAST_CHUNK_VALUES_DEVIATION, self->n > 0 ? sqrt (variance) : NAN);
  roast_table_writer_set_double (table, ROAST_CHUNK_VALUES_EVENTS, self->events);
  roast_table_writer_end (table, NULL);
}

static gboolean
write_values (WorkloadDetails *self, RoastReport *report, const char *doubt, GError **error)
{
  g_autoptr (RoastTableWriter) table = NULL;

  if (self->times->len + (guint64) self->untimed + (guint64) self->prepared == 0)
    return TRUE;
  table = roast_report_write_table (report, ROAST_TABLE_CHUNK_VALUES, roast_chunk_values_columns, error);
  if (table == NULL)
    return FALSE;
  write_times (self, table, doubt);
  write_sums (self, table, doubt);
  write_per_event (&self->time_per_event, ROAST_CHUNK_VALUE_TIME_PER_EVENT, table);
  write_per_event (&self->memory_per_event, ROAST_CHUNK_VALUE_MEMORY_PER_EVENT, table);

  return TRUE;
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

/* Return the number of chunks that calls with a confirmed result were given but that are not in the result; -1 if
 * unknown. */
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

/* Count files, since several attempts may have failed for one. */
static gint64
count_unprepared (const WorkloadDetails *self)
{
  gint64 n = 0;

  for (guint i = 0; i < self->preparations->len; i++)
    n += g_array_index (self->preparations, Preparation, i) == PREPARATION_FAILED ? 1 : 0;

  return n;
}

gboolean
workload_details_report (WorkloadDetails *self, WorkloadNeeded *needed, RoastRecordingSnapshot *recording,
                         RoastReport *report, GError **error)
{
  gint64 skipped = count_skipped (recording);
  g_autofree char *doubt = dup_doubt (recording);

  add_needed (needed, report, doubt);
  workload_metric_add (report, "preprocessing_files_failed_total",
                       self->prepared > 0 ? (double) count_unprepared (self) : NAN, TRUE, 0, NULL,
                       "the program reported no preparation of files");
  workload_metric_add (report, "chunks_cached_total", self->cached > 0 || skipped >= 0 ? (double) self->cached : NAN,
                       TRUE, 0, NULL, NOT_INSTRUMENTED);
  workload_metric_add (report, "chunks_skipped_total", skipped >= 0 ? (double) skipped : NAN, TRUE, 0, NULL,
                       "the program did not report how many chunks its executor was given");

  return write_values (self, report, doubt, error);
}
