/* SPDX-License-Identifier: BSD-3-Clause */
#include "workload-details.h"

#include "chunk-time.h"
#include "group-element.h"
#include "notes.h"
#include "percentile.h"
#include "report-coverage.h"
#include "workload-sum.h"
#include "workload-tables.h"

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

/* Time or memory per event, over all chunks that have events. */
typedef struct
{
  double sum, events; /* sums of the values and of the events of the chunks that have events */
  WorkloadSpread quotients;
} PerEvent;

/* Whether an attempt to prepare a file succeeded. */
typedef enum
{
  PREPARATION_NONE,
  PREPARATION_FAILED,
  PREPARATION_DONE,
} Preparation;

struct _WorkloadDetails
{
  GArray *times;  /* elements are double: times of counted chunks in s */
  gint64 untimed; /* counted chunks without a time */
  WorkloadSum sums[N_SUMS];
  double instrumented_time; /* time of chunks that report the time of their function */
  double timed_events;      /* events of chunks that report the CPU time of their thread */
  PerEvent time_per_event, memory_per_event;
  WorkloadSpread memory;
  gint64 cached, counted, failed;
  WorkloadSpread analysis_time, events; /* spreads over all counted chunks */
  gint64 n_whole;                       /* number of chunks whose analysis_time is the time of the whole chunk */
  gint64 prepared;                      /* number of attempts at preparing a file */
  GArray *preparations;                 /* maps the group of a dataset and file to its Preparation */
  WorkloadSum prepared_time, prepared_bytes;
};

WorkloadDetails *
workload_details_new (void)
{
  WorkloadDetails *self = g_new0 (WorkloadDetails, 1);

  self->times = g_array_new (FALSE, FALSE, sizeof (double));
  self->preparations = g_array_new (FALSE, FALSE, sizeof (Preparation));

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
add_per_event (PerEvent *self, double value, double events)
{
  if (events <= 0)
    return;
  workload_spread_add (&self->quotients, value / events);
  if (isnan (value / events))
    return;
  self->sum += value;
  self->events += events;
}

static void
details_add_counted (WorkloadDetails *self, RoastTableReader *chunks)
{
  double seconds = chunk_time_get (chunks);
  double function = roast_table_reader_get_double (chunks, ROAST_CHUNKS_PROCESS_TIME);

  self->counted++;
  self->n_whole += isnan (function) && !isnan (seconds) ? 1 : 0;
  workload_spread_add (&self->analysis_time, isnan (function) ? seconds : function);
  workload_spread_add (&self->events, roast_table_reader_get_double (chunks, ROAST_CHUNKS_EVENTS));
  if (roast_table_reader_get_boolean (chunks, ROAST_CHUNKS_CACHED))
    {
      self->cached++;
      return;
    }
  if (!isnan (seconds))
    g_array_append_val (self->times, seconds);
  else
    self->untimed++;
  for (guint i = 0; i < N_SUMS; i++)
    workload_sum_add (&self->sums[i], roast_table_reader_get_double (chunks, sums[i]));
  if (!isnan (seconds) && !isnan (function))
    self->instrumented_time += seconds;
  if (!isnan (roast_table_reader_get_double (chunks, ROAST_CHUNKS_THREAD_CPU)))
    self->timed_events += (double) roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_EVENTS, 0);
  workload_spread_add (&self->memory, roast_table_reader_get_double (chunks, ROAST_CHUNKS_MEMORY));
  add_per_event (&self->time_per_event, seconds, roast_table_reader_get_double (chunks, ROAST_CHUNKS_EVENTS));
  add_per_event (&self->memory_per_event, roast_table_reader_get_double (chunks, ROAST_CHUNKS_MEMORY),
                 roast_table_reader_get_double (chunks, ROAST_CHUNKS_EVENTS));
}

static void
add_prepared (WorkloadDetails *self, RoastTableReader *chunks)
{
  Preparation *preparation = group_element_at (self->preparations, roast_table_reader_get_group (chunks));

  self->prepared++;
  if (!roast_table_reader_has (chunks, ROAST_CHUNKS_ERROR))
    *preparation = PREPARATION_DONE;
  else if (*preparation == PREPARATION_NONE)
    *preparation = PREPARATION_FAILED;
  workload_sum_add (&self->prepared_time, chunk_time_get (chunks));
  workload_sum_add (&self->prepared_bytes, roast_table_reader_get_double (chunks, ROAST_CHUNKS_BYTES_READ));
}

void
workload_details_add (WorkloadDetails *self, RoastTableReader *chunks, ChunkVerdict verdict)
{
  if (verdict == CHUNK_COUNTED)
    details_add_counted (self, chunks);
  else if (verdict == CHUNK_PREPARATION)
    add_prepared (self, chunks);
  else if (verdict == CHUNK_FAILED || verdict == CHUNK_LOST)
    self->failed++;
}

/* ---- the report ---- */

/* Return a quantile of @times; NaN if there are no times. */
static double
get_quantile (GArray *times, double share)
{
  return times->len > 0 ? percentile_get ((double *) (gpointer) times->data, times->len, share) : NAN;
}

/* Return the reason why values of some chunks are missing; NULL if none are. Chunks beyond the quota of a program have
 * no rows, and their sums do not contain these values. */
static char *
details_dup_doubt (RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) beyond = roast_program_sums_read (recording);
  gint64 n = 0;

  while (roast_table_reader_next (beyond))
    if (g_strcmp0 (roast_table_reader_get_string (beyond, ROAST_PROGRAM_SUMS_TABLE), ROAST_TABLE_CHUNKS) == 0)
      n += roast_table_reader_get_int64 (beyond, ROAST_PROGRAM_SUMS_CHUNKS, 0);

  return n > 0 ? g_strdup_printf ("excludes %" G_GINT64_FORMAT " %s beyond the program's quota", n,
                                  n == 1 ? "chunk" : "chunks")
               : NULL;
}

static void
write_times (WorkloadDetails *self, WorkloadValues *values, RoastCompleteness otherwise, const char *doubt)
{
  WorkloadSpread times = { .sum.missing = self->untimed };
  RoastTableWriter *table = NULL;

  for (guint i = 0; i < self->times->len; i++)
    workload_spread_add (&times, g_array_index (self->times, double, i));
  table = workload_values_begin (values, ROAST_CHUNK_VALUE_TIME, &times.sum, otherwise, doubt);
  if (table == NULL)
    return;
  workload_values_set_spread (table, &times);
  roast_table_writer_set_double (table, ROAST_CHUNK_VALUES_MEDIAN, get_quantile (self->times, 0.5));
  roast_table_writer_set_double (table, ROAST_CHUNK_VALUES_P90, get_quantile (self->times, 0.9));
  roast_table_writer_set_double (table, ROAST_CHUNK_VALUES_P99, get_quantile (self->times, 0.99));
  roast_table_writer_end (table, NULL);
}

static void
details_write_sums (WorkloadDetails *self, WorkloadValues *values, RoastCompleteness otherwise, const char *doubt)
{
  static const guint words[N_SUMS] = {
    [OPEN_TIME] = ROAST_CHUNK_VALUE_OPEN_TIME,
    [FUNCTION_TIME] = ROAST_CHUNK_VALUE_FUNCTION_TIME,
    [THREAD_CPU] = ROAST_CHUNK_VALUE_THREAD_CPU,
    [REQUESTS] = ROAST_CHUNK_VALUE_REQUESTS,
  };

  for (guint i = 0; i < N_SUMS; i++)
    {
      RoastTableWriter *table = workload_values_begin (values, words[i], &self->sums[i], otherwise, doubt);

      if (table == NULL)
        continue;
      if (i == FUNCTION_TIME)
        roast_table_writer_set_double (table, ROAST_CHUNK_VALUES_TIME, self->instrumented_time);
      if (i == THREAD_CPU)
        roast_table_writer_set_double (table, ROAST_CHUNK_VALUES_EVENTS, self->timed_events);
      roast_table_writer_end (table, NULL);
    }
}

static void
write_spread (WorkloadValues *values, guint value, const WorkloadSpread *spread, RoastCompleteness otherwise,
              const char *doubt)
{
  RoastTableWriter *table = workload_values_begin (values, value, &spread->sum, otherwise, doubt);

  if (table == NULL)
    return;
  workload_values_set_spread (table, spread);
  roast_table_writer_end (table, NULL);
}

/* Return the number of files whose preparation had this result. PREPARATION_FAILED: all attempts failed. */
static gint64
count_files (const WorkloadDetails *self, Preparation result)
{
  gint64 n = 0;

  for (guint i = 0; i < self->preparations->len; i++)
    n += g_array_index (self->preparations, Preparation, i) == result ? 1 : 0;

  return n;
}

static void
write_preparation (WorkloadDetails *self, WorkloadValues *values)
{
  WorkloadSum prepared = { NAN, self->prepared, 0 };

  if (self->prepared == 0)
    return;
  workload_values_add (values, ROAST_CHUNK_VALUE_PREPARATION, &prepared, ROAST_COMPLETENESS_PARTIAL, NULL);
  workload_values_add_count (values, ROAST_CHUNK_VALUE_PREPARATION_FAILED, count_files (self, PREPARATION_FAILED),
                             NULL);
  workload_values_add (values, ROAST_CHUNK_VALUE_PREPARATION_TIME, &self->prepared_time, ROAST_COMPLETENESS_PARTIAL,
                       NULL);
  if (self->prepared_bytes.n > 0)
    workload_values_add (values, ROAST_CHUNK_VALUE_PREPARATION_BYTES, &self->prepared_bytes, ROAST_COMPLETENESS_PARTIAL,
                         NULL);
  else
    report_coverage_add_metric (values->report, "preprocessing_bytes_total", ROAST_COMPLETENESS_UNAVAILABLE,
                                count_files (self, PREPARATION_DONE) > 0
                                    ? "files were prepared by a reader that counts no bytes"
                                    : "no file could be prepared");
}

static void
write_per_event (const PerEvent *self, guint value, WorkloadValues *values, RoastCompleteness otherwise,
                 const char *doubt)
{
  WorkloadSum sum = { self->sum, self->quotients.sum.n, self->quotients.sum.missing };
  RoastTableWriter *table = workload_values_begin (values, value, &sum, otherwise, doubt);

  if (table == NULL)
    return;
  workload_values_set_spread (table, &self->quotients);
  roast_table_writer_set_double (table, ROAST_CHUNK_VALUES_EVENTS, self->events);
  roast_table_writer_end (table, NULL);
}

/* Write the time of the analysis. For a chunk whose function has no known time, use the time of the whole chunk, as
 * roastcoffea does, although this time may be too long. */
static void
write_analysis_time (WorkloadDetails *self, WorkloadValues *values, RoastCompleteness otherwise, const char *doubt)
{
  gboolean is_mixed = self->n_whole > 0 && self->n_whole < self->analysis_time.sum.n;
  g_autofree char *whole =
      is_mixed ? g_strdup_printf ("for %" G_GINT64_FORMAT
                                  " %s, the time of the whole chunk is used instead of the time in process()",
                                  self->n_whole, self->n_whole == 1 ? "chunk" : "chunks")
               : NULL;
  g_autofree char *note = notes_join (doubt, whole);

  write_spread (values, ROAST_CHUNK_VALUE_ANALYSIS_TIME, &self->analysis_time,
                is_mixed ? ROAST_COMPLETENESS_ESTIMATED : otherwise, note);
  /* If no chunk was counted, the metric adds up only the times of rows of the table datasets, so report that it is
   * incomplete. */
  if (self->counted == 0 && doubt != NULL)
    report_coverage_add_metric (values->report, "total_cpu_time", ROAST_COMPLETENESS_PARTIAL, doubt);
}

static void
write_needed (WorkloadNeeded *needed, WorkloadValues *values, RoastCompleteness otherwise, const char *beyond,
              const char *least)
{
  WorkloadNeed all = workload_needed_get_all (needed);
  WorkloadSum sum = { all.needed, isnan (all.needed) ? 0 : WORKLOAD_SUM_ONLY, all.missing };
  gint64 n = all.amplified > 0 ? WORKLOAD_SUM_ONLY : 0;
  gint64 missing = all.missing + all.unread;
  g_autofree char *estimated =
      notes_join (beyond, all.estimated ? "chunks did not report which baskets they have in common" : NULL);
  g_autofree char *doubt = notes_join (estimated, least);

  if (estimated != NULL || missing > 0)
    otherwise = ROAST_COMPLETENESS_ESTIMATED;
  workload_values_add (values, ROAST_CHUNK_VALUE_NEEDED, &sum, otherwise, doubt);
  workload_values_add (values, ROAST_CHUNK_VALUE_NEEDED_AND_READ, &(WorkloadSum) { all.amplified, n, missing },
                       otherwise, doubt);
  workload_values_add (values, ROAST_CHUNK_VALUE_READ_FOR_NEED, &(WorkloadSum) { all.bytes, n, missing }, otherwise,
                       doubt);
}

/* Return how many chunks were given to calls with a confirmed result, but did not get into the result; -1 if
 * unknown. */
static gint64
count_skipped (RoastRecordingSnapshot *recording)
{
  guint n;
  const RoastRunCall *calls = roast_run_model_get_calls (roast_run_model_get (recording), &n);
  g_autoptr (RoastTableReader) results = roast_chunk_results_read (recording);
  g_autoptr (GHashTable) confirmed = g_hash_table_new (g_str_hash, g_str_equal);
  gint64 skipped = 0;

  for (guint i = 0; i < n; i++)
    if (calls[i].kind == ROAST_PROCESSING_KIND_PROCESSING && calls[i].is_confirmed && !calls[i].is_superseded &&
        calls[i].items >= 0)
      {
        g_hash_table_add (confirmed, (gpointer) calls[i].call);
        skipped += calls[i].items;
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

void
workload_details_write (WorkloadDetails *self, WorkloadNeeded *needed, RoastRecordingSnapshot *recording,
                        WorkloadValues *values, const char *doubt, RoastCompleteness otherwise)
{
  gint64 skipped = count_skipped (recording);
  g_autofree char *beyond = details_dup_doubt (recording);
  g_autofree char *both = notes_join (beyond, doubt);

  write_needed (needed, values, otherwise, beyond, doubt);
  write_times (self, values, otherwise, both);
  details_write_sums (self, values, otherwise, both);
  write_spread (values, ROAST_CHUNK_VALUE_MEMORY, &self->memory, otherwise, both);
  write_spread (values, ROAST_CHUNK_VALUE_EVENTS, &self->events, otherwise, both);
  write_analysis_time (self, values, otherwise, both);
  write_preparation (self, values);
  write_per_event (&self->time_per_event, ROAST_CHUNK_VALUE_TIME_PER_EVENT, values, otherwise, doubt);
  write_per_event (&self->memory_per_event, ROAST_CHUNK_VALUE_MEMORY_PER_EVENT, values, otherwise, doubt);
  if (self->counted + self->failed > 0 || beyond != NULL)
    workload_values_add_count (values, ROAST_CHUNK_VALUE_COUNTED, self->counted, beyond);
  if (self->cached > 0 || skipped >= 0)
    workload_values_add_count (values, ROAST_CHUNK_VALUE_CACHED, self->cached, doubt);
  if (skipped >= 0)
    workload_values_add_count (values, ROAST_CHUNK_VALUE_SKIPPED, skipped, NULL);
}
