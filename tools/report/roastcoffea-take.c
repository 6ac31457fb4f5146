/* SPDX-License-Identifier: BSD-3-Clause */

/* Imports a roastcoffea measurement as a recording: its samples and records, but not the numbers computed from them. */

#include <math.h>
#include <string.h>

#include "core/base/roast-fail-private.h"
#include "exchange.h"
#include "roastcoffea.h"

#define MAX_SECONDS 1e11 /* about 3000 years */

static const char *const part_names[ROASTCOFFEA_N_PARTS] = {
  [ROASTCOFFEA_TRACKING] = "tracking_data",       [ROASTCOFFEA_CHUNKS] = "raw_chunk_metrics",
  [ROASTCOFFEA_SECTIONS] = "raw_section_metrics", [ROASTCOFFEA_SPANS] = "raw_span_metrics",
  [ROASTCOFFEA_CHUNK_INFO] = "chunk_info",        [ROASTCOFFEA_FILES] = "file_metadata",
};

static const char *const number_names[ROASTCOFFEA_N_NUMBERS] = {
  [ROASTCOFFEA_EVENTS] = "total_events",
  [ROASTCOFFEA_BYTES] = "total_bytes_read",
  [ROASTCOFFEA_TIME] = "total_cpu_time",
  [ROASTCOFFEA_N_CHUNKS] = "num_chunks",
  [ROASTCOFFEA_PROCESSOR_CPU] = "processor_cpu_time_seconds",
  [ROASTCOFFEA_PROCESSOR_WAIT] = "processor_io_wait_time_seconds",
};

gboolean
roastcoffea_fail (Roastcoffea *self, const RoastJsonScan *scan)
{
  if (self->error == NULL)
    g_set_error (&self->error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_DAMAGED,
                 "metrics.json, byte %" G_GSIZE_FORMAT
                 ": %s: the file was cut or damaged, or roastcoffea did not write it",
                 (gsize) (scan->at - self->text), scan->fault != NULL ? scan->fault : "unexpected content");

  return FALSE;
}

gboolean
roastcoffea_walk (Roastcoffea *self, const char *at, char bracket, JsonWalkTake take, gpointer data)
{
  RoastJsonScan scan = { .at = at, .end = self->end, .has_infinite = TRUE };

  return at == NULL || json_walk_each (&scan, bracket, take, data) || roastcoffea_fail (self, &scan);
}

gboolean
roastcoffea_end_row (Roastcoffea *self, RoastTableWriter *rows)
{
  return roast_table_writer_close (rows, &self->error);
}

RoastTableWriter *
roastcoffea_write (Roastcoffea *self, const char *table, const char *const *columns)
{
  return roast_recording_write_table (self->recording, table, self->source, columns, NULL);
}

void
roastcoffea_leave_out (Roastcoffea *self, const char *name)
{
  if (g_hash_table_size (self->left_out) < 100 && !g_hash_table_contains (self->left_out, name))
    g_hash_table_add (self->left_out, g_strdup (name));
}

gint64
roastcoffea_time (Roastcoffea *self, double seconds)
{
  gint64 time;

  if (!(seconds >= 0 && seconds <= MAX_SECONDS))
    return -1;
  time = llround (seconds * G_USEC_PER_SEC);
  self->first = MIN (self->first, time);
  self->last = MAX (self->last, time);

  return time;
}

void
roastcoffea_set_count (RoastTableWriter *writer, guint slot, double value, double factor)
{
  value *= factor;
  if (value >= 0 && value < 9e18)
    roast_table_writer_set_int64 (writer, slot, llround (value));
}

/* Returns whether the value is empty: null, {} or []. */
static gboolean
is_empty (RoastJsonScan scan)
{
  roast_json_scan_space (&scan);
  if (scan.at == scan.end || (*scan.at != '{' && *scan.at != '['))
    return scan.at == scan.end || *scan.at == 'n';
  scan.at++;
  roast_json_scan_space (&scan);

  return roast_json_scan_take (&scan, ']') || roast_json_scan_take (&scan, '}');
}

/* Notes where the parts begin, and checks the syntax of the whole file. */
static gboolean
find_part (RoastJsonScan *scan, GString *name, gpointer data)
{
  Roastcoffea *self = data;

  for (guint i = 0; i < ROASTCOFFEA_N_PARTS; i++)
    if (g_str_equal (name->str, part_names[i]) && !is_empty (*scan))
      self->parts[i] = scan->at;
  for (guint i = 0; i < ROASTCOFFEA_N_NUMBERS; i++)
    if (g_str_equal (name->str, number_names[i]))
      return json_walk_number (scan, &self->numbers[i]);

  return json_walk_skip (scan);
}

static gboolean
find_parts (Roastcoffea *self)
{
  RoastJsonScan scan = { .at = self->text, .end = self->end, .has_infinite = TRUE };

  return (json_walk_each (&scan, '{', find_part, self) && roast_json_scan_end (&scan)) ||
         roastcoffea_fail (self, &scan);
}

/* Reads the elapsed time from "t0,t1", two times of a clock with an arbitrary zero. */
static gboolean
read_elapsed (Roastcoffea *self, const char *times, double *elapsed)
{
  char *end = NULL;
  double first = g_ascii_strtod (times, &end);
  double last = end != times && *end == ',' ? g_ascii_strtod (end + 1, &end) : NAN;

  *elapsed = last - first;
  if (*elapsed >= 0 && *elapsed <= MAX_SECONDS && (*end == '\0' || g_ascii_isspace (*end)))
    return TRUE;

  return roast_fail (&self->error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_DAMAGED,
                     "start_end_time.txt: expected two numbers such as “12.5,99.25”, the first not greater than the "
                     "second");
}

/* Returns when the measurement was saved, as local time without a zone; -1 if it is missing. */
static gint64
read_saved (const char *metadata)
{
  static const char key[] = "\"timestamp\": \"";
  const char *start = metadata != NULL ? strstr (metadata, key) : NULL;
  g_autofree char *text = NULL;
  gint64 time;

  if (start == NULL)
    return -1;
  start += strlen (key);
  text = g_strndup (start, strcspn (start, "\""));

  return roastcoffea_parse_time (text, &time) ? time : -1;
}

/* Adds totals from coffea's report, for quantities that the chunks lack. */
static gboolean
add_totals (Roastcoffea *self, gint64 ended)
{
  g_autoptr (RoastTableWriter) rows = NULL;
  double *numbers = self->numbers;

  if (self->n_events > 0)
    numbers[ROASTCOFFEA_EVENTS] = NAN;
  if (self->n_bytes > 0)
    numbers[ROASTCOFFEA_BYTES] = NAN;
  if (self->n_chunks > 0)
    numbers[ROASTCOFFEA_TIME] = numbers[ROASTCOFFEA_N_CHUNKS] = NAN;
  if (!(numbers[ROASTCOFFEA_EVENTS] > 0 || numbers[ROASTCOFFEA_BYTES] > 0 || numbers[ROASTCOFFEA_TIME] > 0 ||
        numbers[ROASTCOFFEA_N_CHUNKS] > 0))
    return TRUE;
  rows = roastcoffea_write (self, ROAST_TABLE_DATASETS, roast_datasets_columns);
  roast_table_writer_set_int64 (rows, ROAST_DATASETS_TIME, ended);
  roastcoffea_set_count (rows, ROAST_DATASETS_EVENTS, numbers[ROASTCOFFEA_EVENTS], 1);
  roastcoffea_set_count (rows, ROAST_DATASETS_BYTES_READ, numbers[ROASTCOFFEA_BYTES], 1);
  if (numbers[ROASTCOFFEA_TIME] > 0)
    roast_table_writer_set_double (rows, ROAST_DATASETS_DURATION, numbers[ROASTCOFFEA_TIME]);
  roastcoffea_set_count (rows, ROAST_DATASETS_CHUNKS, numbers[ROASTCOFFEA_N_CHUNKS], 1);

  return roastcoffea_end_row (self, rows);
}

/* Warns if chunks and coffea's report have different totals. */
static void
compare_totals (Roastcoffea *self)
{
  const struct
  {
    const char *what;
    guint64 n;
    double reported, recorded;
  } totals[] = {
    { "events", self->n_events, self->numbers[ROASTCOFFEA_EVENTS], self->events },
    { "bytes", self->n_bytes, self->numbers[ROASTCOFFEA_BYTES], self->bytes },
  };

  for (guint i = 0; i < G_N_ELEMENTS (totals); i++)
    {
      g_autofree char *message = NULL;

      if (totals[i].n == 0 || !(totals[i].reported > 0) || totals[i].reported == totals[i].recorded)
        continue;
      message = g_strdup_printf ("the chunks have %.0f %s, but coffea's report has %.0f: roast uses the numbers of the "
                                 "chunks",
                                 totals[i].recorded, totals[i].what, totals[i].reported);
      roast_recording_add_event (self->recording, self->source, self->last, ROAST_SEVERITY_WARNING, "imported",
                                 message);
    }
}

static void
add_source (Roastcoffea *self)
{
  const ExchangeSource source = {
    .name = "roastcoffea",
    .capabilities = "chunks, sections, files, samples of workers and sums of activities; roastcoffea's directories "
                    "have no single tasks and no processes, and show only by samples when workers joined and left",
    .worker_kind = ROAST_WORKER_KIND_WORKER,
    .tasks_missing = "roastcoffea's directories have no tasks",
    .activities_missing =
        self->parts[ROASTCOFFEA_SPANS] == NULL ? "this directory of roastcoffea has no metrics of spans" : NULL,
    .processes_missing = "roastcoffea's directories have no data on processes",
  };

  self->source = exchange_add_source (self->recording, &source);
}

/* Rows have wall-clock times. The elapsed time is exact and comes from another clock. */
static gboolean
take (Roastcoffea *self, const char *times, const char *metadata)
{
  gint64 saved = read_saved (metadata);
  double elapsed;
  gint64 ended;

  if (!find_parts (self) || !read_elapsed (self, times, &elapsed))
    return FALSE;
  add_source (self);
  if (!roastcoffea_take_tracking (self) || !roastcoffea_take_chunks (self) || !roastcoffea_take_files (self))
    return FALSE;
  if (self->first == G_MAXINT64)
    self->first = saved >= 0 ? MAX (saved - (gint64) (elapsed * G_USEC_PER_SEC), 0) : 0;
  ended = self->first + llround (elapsed * G_USEC_PER_SEC);
  self->last = MAX (self->last, ended);
  roast_recording_set_times (self->recording, self->first, ended);
  compare_totals (self);

  return roastcoffea_take_sections (self, ended) && roastcoffea_take_spans (self, ended) && add_totals (self, ended);
}

gboolean
roastcoffea_take (RoastRecording *recording, const char *metrics, gsize length, const char *times, const char *metadata,
                  GPtrArray *left_out, GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Roastcoffea self = {
    .recording = recording, .text = metrics, .end = metrics + length, .first = G_MAXINT64, .last = -1, .left_out = names
  };
  GHashTableIter iter;
  gpointer name;
  gboolean ok;

  for (guint i = 0; i < ROASTCOFFEA_N_NUMBERS; i++)
    self.numbers[i] = NAN;
  ok = take (&self, times, metadata);
  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_ptr_array_add (left_out, g_strdup (name));
  g_free (self.source);
  if (!ok)
    g_propagate_error (error, self.error);

  return ok;
}
