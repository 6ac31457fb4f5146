/* SPDX-License-Identifier: BSD-3-Clause */

/* Count chunks as roastcoffea does: the time of a chunk is the wall-clock time of process(). */

#include "compat.h"

#include "chunk-time.h"
#include "chunk-verdicts.h"
#include "group-element.h"
#include "metric-add.h"
#include "partial-sum.h"

#include <math.h>

/* Statistics of one number per chunk. */
typedef struct
{
  gint64 n, n_missing;
  double sum, min, max;
  double mean, squares; /* running values of Welford's method */
} Series;

typedef struct
{
  Series time, events, memory; /* series of the counted chunks */
  gint64 n_counted, n_failed;
  gint64 n_whole;     /* chunks for which time has the whole chunk's time, because the function's time is unknown */
  double duration;    /* total duration of datasets in seconds; NaN if none was reported */
  gint64 n_beyond;    /* chunks known only as sums */
  GArray *noted;      /* gboolean by file code: whether the file is in shares */
  GHashTable *shares; /* file name to the number of branches that its first chunk read, a double; NaN if unknown */
} Chunks;

static void
series_add (Series *self, double value)
{
  double before = self->mean;

  if (isnan (value))
    {
      self->n_missing++;
      return;
    }
  self->min = self->n == 0 ? value : fmin (self->min, value);
  self->max = self->n == 0 ? value : fmax (self->max, value);
  self->n++;
  self->sum += value;
  self->mean += (value - before) / (double) self->n;
  self->squares += (value - before) * (value - self->mean);
}

static void
note_branches (Chunks *self, CellCursor *chunks)
{
  int code = cell_cursor_get_code (chunks, ROAST_CHUNKS_FILE);
  double *branches = NULL;
  gboolean *noted = NULL;

  noted = code >= 0 ? group_element_at (self->noted, (guint) code) : NULL;
  if (noted == NULL || *noted)
    return;
  *noted = TRUE;
  branches = g_new (double, 1);
  *branches = cell_cursor_get_double (chunks, ROAST_CHUNKS_BRANCHES_READ);
  g_hash_table_insert (self->shares,
                       g_strdup (roast_table_reader_get_string (cell_cursor_get_reader (chunks), ROAST_CHUNKS_FILE)),
                       branches);
}

static void
add_chunk (Chunks *self, CellCursor *chunks)
{
  double function = cell_cursor_get_double (chunks, ROAST_CHUNKS_PROCESS_TIME);
  double whole = chunk_time_get_at (chunks);

  self->n_counted++;
  self->n_whole += isnan (function) && !isnan (whole) ? 1 : 0;
  series_add (&self->time, isnan (function) ? whole : function);
  series_add (&self->events, cell_cursor_get_double (chunks, ROAST_CHUNKS_EVENTS));
  series_add (&self->memory, cell_cursor_get_double (chunks, ROAST_CHUNKS_MEMORY));
}

static void
read_chunks (Chunks *self, RoastRecordingSnapshot *recording)
{
  g_autoptr (CellCursor) chunks =
      cell_cursor_new (roast_recording_snapshot_read_table (recording, ROAST_TABLE_CHUNKS, roast_chunks_columns, NULL));
  g_autoptr (ChunkVerdicts) verdicts = chunk_verdicts_get (recording);

  while (cell_cursor_next (chunks))
    {
      ChunkVerdict verdict = chunk_verdicts_judge (verdicts, cell_cursor_get_row (chunks));

      if (verdict == CHUNK_COUNTED)
        add_chunk (self, chunks);
      self->n_failed += verdict == CHUNK_FAILED || verdict == CHUNK_LOST ? 1 : 0;
      if (verdict == CHUNK_COUNTED || verdict == CHUNK_FAILED)
        note_branches (self, chunks);
    }
}

/* Read totals reported by a program, or by a roastcoffea directory without records of chunks. */
static void
read_datasets (Chunks *self, RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) datasets =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_DATASETS, roast_datasets_columns, NULL);
  g_autoptr (RoastTableReader) sums =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_PROGRAM_SUMS, roast_program_sums_columns, NULL);

  while (roast_table_reader_next (datasets))
    partial_sum_add (&self->duration, roast_table_reader_get_double (datasets, ROAST_DATASETS_DURATION));
  while (roast_table_reader_next (sums))
    if (g_strcmp0 (roast_table_reader_get_string (sums, ROAST_PROGRAM_SUMS_TABLE), ROAST_TABLE_CHUNKS) == 0)
      self->n_beyond += roast_table_reader_get_int64 (sums, ROAST_PROGRAM_SUMS_CHUNKS, 0);
}

/* ---- the report ---- */

static char *
dup_note (const Chunks *self, const Series *series, gboolean of_time)
{
  GString *text = g_string_new (NULL);

  if (series->n_missing > 0)
    g_string_append_printf (text, "missing for %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " %s", series->n_missing,
                            self->n_counted, self->n_counted == 1 ? "chunk" : "chunks");
  if (self->n_beyond > 0)
    g_string_append_printf (text, "%sexcludes %" G_GINT64_FORMAT " %s beyond the program's quota",
                            text->len > 0 ? "; " : "", self->n_beyond, self->n_beyond == 1 ? "chunk" : "chunks");
  if (of_time && self->n_whole > 0 && self->n_whole < series->n)
    g_string_append_printf (text, "%sfor %" G_GINT64_FORMAT " %s the time of the whole chunk, not of process()",
                            text->len > 0 ? "; " : "", self->n_whole, self->n_whole == 1 ? "chunk" : "chunks");

  return g_string_free (text, text->len == 0);
}

/* Return the sample standard deviation (divided by n - 1); 0 for a single chunk. */
static double
get_deviation (const Series *series)
{
  return series->n > 1 ? sqrt (series->squares / (double) (series->n - 1)) : 0;
}

static void
add_estimate (RoastReport *report, const char *name, const Series *series, double value, const char *note,
              const char *reason)
{
  metric_add (report, name, series->n > 0 ? value : NAN, ROAST_COMPLETENESS_ESTIMATED, note, reason);
}

static void
add_times (const Chunks *self, RoastReport *report)
{
  static const char none[] = "no chunk in the result has a time";
  const Series *time = &self->time;
  g_autofree char *note = dup_note (self, time, TRUE);
  double total = self->duration;

  partial_sum_add (&total, time->n > 0 ? time->sum : NAN);
  metric_add (report, "total_cpu_time", total,
              time->n_missing > 0 || self->n_beyond > 0 ? ROAST_COMPLETENESS_PARTIAL : ROAST_COMPLETENESS_ESTIMATED,
              note, "the program reported no times of chunks to roast (docs/protocol.md explains how)");
  add_estimate (report, "chunk_duration_mean", time, time->mean, note, none);
  add_estimate (report, "chunk_duration_min", time, time->min, note, none);
  add_estimate (report, "chunk_duration_max", time, time->max, note, none);
  add_estimate (report, "chunk_duration_std", time, get_deviation (time), note, none);
}

static void
add_events (const Chunks *self, RoastReport *report)
{
  static const char none[] = "no chunk in the result has a number of events";
  const Series *events = &self->events;
  g_autofree char *note = dup_note (self, events, FALSE);

  metric_add (report, "total_events_from_chunks", events->n > 0 ? events->sum : NAN, ROAST_COMPLETENESS_PARTIAL, note,
              none);
  add_estimate (report, "chunk_events_mean", events, events->sum / (double) events->n, note, none);
  add_estimate (report, "chunk_events_min", events, events->min, note, none);
  add_estimate (report, "chunk_events_max", events, events->max, note, none);
}

/* Use the first chunk of each file, and weight all files equally. */
static void
add_branches (const Chunks *self, RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (RoastTableReader) files =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_FILES, roast_files_columns, NULL);
  double sum = 0;
  guint n = 0;

  while (roast_table_reader_next (files))
    {
      const char *file = roast_table_reader_get_string (files, ROAST_FILES_FILE);
      double all = roast_table_reader_get_double (files, ROAST_FILES_BRANCHES);
      const double *read = file != NULL ? g_hash_table_lookup (self->shares, file) : NULL;

      if (read == NULL || isnan (*read) || !(all > 0))
        continue;
      sum += *read / all;
      n++;
    }
  metric_add (report, "avg_branches_read_ratio", n > 0 ? sum / n : NAN, ROAST_COMPLETENESS_COMPLETE, NULL,
              "of no file are both the number of its branches and those that a chunk read known");
  roast_report_add_unavailable (report, "avg_bytes_read_ratio",
                                "the size of branches in the whole file is not recorded; the tables per_file and "
                                "per_branch have shares, from the baskets that were needed");
}

void
compat_add_chunks (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (GHashTable) shares = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GArray) noted = g_array_new (FALSE, FALSE, sizeof (gboolean));
  Chunks self = { .duration = NAN, .noted = noted, .shares = shares };
  const Series *memory = &self.memory;
  g_autofree char *note = NULL;

  read_chunks (&self, recording);
  read_datasets (&self, recording);
  add_times (&self, report);
  add_events (&self, report);
  note = dup_note (&self, memory, FALSE);
  add_estimate (report, "chunk_memory_change_deviation_bytes", memory, get_deviation (memory), note,
                "no chunk in the result has a change of memory");
  if (self.n_counted + self.n_failed + self.n_beyond > 0)
    roast_report_add_int64 (report, "num_successful_chunks", self.n_counted,
                            self.n_beyond > 0 ? ROAST_COMPLETENESS_PARTIAL : ROAST_COMPLETENESS_COMPLETE, NULL);
  else
    roast_report_add_unavailable (report, "num_successful_chunks", "no chunk was reported by itself");
  add_branches (&self, recording, report);
}
