/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes raw_chunk_metrics, chunk_info and roastcoffea's statistics of chunks. Each chunk includes its sections and
 * branches, which come from other tables. */

#include <math.h>

#include "elapsed.h"
#include "roastcoffea-put.h"

typedef struct
{
  JsonOut *out;
  RoastTableReader *chunks, *sections, *branches;
  GHashTable *sections_of, *branches_of; /* GArray of guint64 (rows) by chunk ID */
  GPtrArray *datasets;                   /* of RoastcoffeaSum */
  guint64 n_failed;
  RoastcoffeaStatistic durations, events, memory;
} Chunks;

static void
chunks_clear (Chunks *self)
{
  g_clear_object (&self->chunks);
  g_clear_object (&self->sections);
  g_clear_object (&self->branches);
  g_hash_table_unref (self->sections_of);
  g_hash_table_unref (self->branches_of);
  g_ptr_array_unref (self->datasets);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Chunks, chunks_clear)

/* ---- rows of a chunk ---- */

static GHashTable *
index_rows (RoastTableReader *reader, guint chunk)
{
  GHashTable *rows = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref);

  while (roast_table_reader_next (reader))
    {
      const char *id = roast_table_reader_get_string (reader, chunk);
      guint64 row = roast_table_reader_get_row (reader);
      GArray *found = id != NULL ? g_hash_table_lookup (rows, id) : NULL;

      if (id == NULL)
        continue;
      if (found == NULL)
        {
          found = g_array_new (FALSE, FALSE, sizeof (guint64));
          g_hash_table_insert (rows, g_strdup (id), found);
        }
      g_array_append_val (found, row);
    }

  return rows;
}

/* If a section occurs twice, roastcoffea keeps the last one. JSON readers do the same with duplicate members, so write
 * both. */
static void
put_sections_of (Chunks *self, const GArray *rows)
{
  for (guint i = 0; i < ROASTCOFFEA_N_SECTION_KINDS; i++)
    {
      const RoastcoffeaWord *kind = &roastcoffea_section_kinds[i];

      json_out_open (self->out, kind->name, '{');
      for (guint j = 0; rows != NULL && j < rows->len; j++)
        if (roast_table_reader_seek (self->sections, g_array_index (rows, guint64, j)) &&
            roast_table_reader_get_word (self->sections, ROAST_SECTIONS_KIND) == (int) kind->slot &&
            roast_table_reader_has (self->sections, ROAST_SECTIONS_NAME))
          json_out_double (self->out, roast_table_reader_get_string (self->sections, ROAST_SECTIONS_NAME),
                           roast_table_reader_get_double (self->sections, ROAST_SECTIONS_VALUE) / kind->factor);
      json_out_close (self->out, '}');
    }
}

static void
put_branches_of (Chunks *self, const GArray *rows)
{
  json_out_open (self->out, "accessed_branches", '[');
  for (guint i = 0; rows != NULL && i < rows->len; i++)
    if (roast_table_reader_seek (self->branches, g_array_index (rows, guint64, i)) &&
        roast_table_reader_has (self->branches, ROAST_CHUNK_BRANCHES_BRANCH))
      json_out_text (self->out, NULL, roast_table_reader_get_string (self->branches, ROAST_CHUNK_BRANCHES_BRANCH));
  json_out_close (self->out, ']');
}

static void
put_seconds (JsonOut *out, const char *name, double value)
{
  if (!isnan (value))
    json_out_double (out, name, value / G_USEC_PER_SEC);
}

static void
put_chunk (Chunks *self)
{
  RoastTableReader *chunks = self->chunks;
  const char *id = roast_table_reader_get_string (chunks, ROAST_CHUNKS_CHUNK);
  double duration = elapsed_get (chunks, ROAST_CHUNKS_STARTED, ROAST_CHUNKS_ENDED);

  json_out_open (self->out, NULL, '{');
  put_seconds (self->out, "t_start", roast_table_reader_get_double (chunks, ROAST_CHUNKS_STARTED));
  put_seconds (self->out, "t_end", roast_table_reader_get_double (chunks, ROAST_CHUNKS_ENDED));
  /* Always write the duration: readers of these records expect it. */
  json_out_double (self->out, "duration", isnan (duration) ? 0 : duration);
  for (guint i = 0; i < ROASTCOFFEA_N_CHUNK_NUMBERS; i++)
    {
      const RoastcoffeaWord *number = &roastcoffea_chunk_numbers[i];

      if (roast_table_reader_has (chunks, number->slot) && number->factor > 1)
        json_out_double (self->out, number->name,
                         roast_table_reader_get_double (chunks, number->slot) / number->factor);
      else if (roast_table_reader_has (chunks, number->slot))
        json_out_int64 (self->out, number->name, roast_table_reader_get_int64 (chunks, number->slot, 0));
    }
  json_out_text (self->out, "dataset", roast_table_reader_get_string (chunks, ROAST_CHUNKS_DATASET));
  json_out_text (self->out, "file", roast_table_reader_get_string (chunks, ROAST_CHUNKS_FILE));
  if (roast_table_reader_has (chunks, ROAST_CHUNKS_ERROR))
    json_out_text (self->out, "error", roast_table_reader_get_string (chunks, ROAST_CHUNKS_ERROR));
  put_sections_of (self, id != NULL ? g_hash_table_lookup (self->sections_of, id) : NULL);
  put_branches_of (self, id != NULL ? g_hash_table_lookup (self->branches_of, id) : NULL);
  json_out_close (self->out, '}');
}

/* ---- statistics ---- */

static void
count (Chunks *self)
{
  RoastTableReader *chunks = self->chunks;
  const char *name = roast_table_reader_get_string (chunks, ROAST_CHUNKS_DATASET);
  double events = roast_table_reader_get_double (chunks, ROAST_CHUNKS_EVENTS);
  double duration = elapsed_get (chunks, ROAST_CHUNKS_STARTED, ROAST_CHUNKS_ENDED);
  RoastcoffeaSum *dataset = NULL;

  if (roast_table_reader_has (chunks, ROAST_CHUNKS_ERROR))
    {
      self->n_failed++;
      return;
    }
  dataset = roastcoffea_sums_get (self->datasets, name != NULL ? name : "unknown");
  dataset->n++;
  dataset->duration += isnan (duration) ? 0 : duration;
  dataset->events += isnan (events) ? 0 : events;
  roastcoffea_statistic_add (&self->durations, duration);
  roastcoffea_statistic_add (&self->events, events);
  roastcoffea_statistic_add (&self->memory,
                             roast_table_reader_get_double (chunks, ROAST_CHUNKS_MEMORY) / ROASTCOFFEA_MIB);
}

static double
get_deviation (const RoastcoffeaStatistic *statistic)
{
  return statistic->n > 1 ? sqrt (statistic->squares / (double) (statistic->n - 1)) : 0;
}

static void
put_statistics (Chunks *self, guint64 n)
{
  JsonOut *out = self->out;

  json_out_int64 (out, "num_successful_chunks", (gint64) (n - self->n_failed));
  json_out_int64 (out, "num_failed_chunks", (gint64) self->n_failed);
  if (self->durations.n > 0)
    {
      json_out_double (out, "chunk_duration_mean", self->durations.mean);
      json_out_double (out, "chunk_duration_min", self->durations.least);
      json_out_double (out, "chunk_duration_max", self->durations.most);
      json_out_double (out, "chunk_duration_std", get_deviation (&self->durations));
    }
  if (self->memory.n > 0)
    {
      json_out_double (out, "chunk_mem_delta_mean_mb", self->memory.mean);
      json_out_double (out, "chunk_mem_delta_min_mb", self->memory.least);
      json_out_double (out, "chunk_mem_delta_max_mb", self->memory.most);
      json_out_double (out, "chunk_mem_delta_std_mb", get_deviation (&self->memory));
    }
  if (self->events.n > 0)
    {
      json_out_int64 (out, "total_events_from_chunks", (gint64) self->events.sum);
      json_out_double (out, "chunk_events_mean", self->events.sum / (double) self->events.n);
      json_out_int64 (out, "chunk_events_min", (gint64) self->events.least);
      json_out_int64 (out, "chunk_events_max", (gint64) self->events.most);
    }
}

static void
put_datasets (Chunks *self)
{
  json_out_open (self->out, "per_dataset", '{'); /* check-source: allow slots: a name of roastcoffea */
  for (guint i = 0; i < self->datasets->len; i++)
    {
      const RoastcoffeaSum *dataset = g_ptr_array_index (self->datasets, i);

      json_out_open (self->out, dataset->name, '{');
      json_out_int64 (self->out, "num_chunks", (gint64) dataset->n);
      json_out_double (self->out, "total_duration", dataset->duration);
      json_out_int64 (self->out, "total_events", (gint64) dataset->events);
      json_out_double (self->out, "mean_duration", dataset->duration / (double) dataset->n);
      if (dataset->events > 0)
        json_out_double (self->out, "mean_events_per_chunk", dataset->events / (double) dataset->n);
      json_out_close (self->out, '}');
    }
  json_out_close (self->out, '}');
}

/* Writes chunk_info. Each key is a tuple as Python prints it: (file, first entry, entry after the last). */
static void
put_info (Chunks *self)
{
  RoastTableReader *chunks = self->chunks;
  g_autoptr (GString) key = g_string_new (NULL);

  json_out_open (self->out, "chunk_info", '{');
  while (roast_table_reader_next (chunks))
    {
      if (!roast_table_reader_has (chunks, ROAST_CHUNKS_FILE) ||
          isnan (elapsed_get (chunks, ROAST_CHUNKS_STARTED, ROAST_CHUNKS_ENDED)) ||
          !roast_table_reader_has (chunks, ROAST_CHUNKS_ENTRY_START) ||
          !roast_table_reader_has (chunks, ROAST_CHUNKS_ENTRY_STOP))
        continue;
      g_string_assign (key, "(");
      roastcoffea_append_repr (key, roast_table_reader_get_string (chunks, ROAST_CHUNKS_FILE));
      g_string_append_printf (key, ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ")",
                              roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_ENTRY_START, 0),
                              roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_ENTRY_STOP, 0));
      json_out_open (self->out, key->str, '[');
      put_seconds (self->out, NULL, roast_table_reader_get_double (chunks, ROAST_CHUNKS_STARTED));
      put_seconds (self->out, NULL, roast_table_reader_get_double (chunks, ROAST_CHUNKS_ENDED));
      json_out_int64 (self->out, NULL, roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_BYTES_READ, 0));
      json_out_close (self->out, ']');
    }
  json_out_close (self->out, '}');
}

void
roastcoffea_put_chunks (JsonOut *out, RoastRecording *recording)
{
  g_auto (Chunks) self = { .out = out };

  self.chunks = roast_recording_read_table (recording, ROAST_TABLE_CHUNKS, roast_chunks_columns, NULL);
  self.sections = roast_recording_read_table (recording, ROAST_TABLE_SECTIONS, roast_sections_columns, NULL);
  self.branches =
      roast_recording_read_table (recording, ROAST_TABLE_CHUNK_BRANCHES, roast_chunk_branches_columns, NULL);
  self.sections_of = index_rows (self.sections, ROAST_SECTIONS_CHUNK);
  self.branches_of = index_rows (self.branches, ROAST_CHUNK_BRANCHES_CHUNK);
  self.datasets = roastcoffea_sums_new ();
  if (roast_table_reader_get_n_rows (self.chunks) == 0)
    return;
  json_out_open (out, "raw_chunk_metrics", '[');
  while (roast_table_reader_next (self.chunks))
    {
      put_chunk (&self);
      count (&self);
    }
  json_out_close (out, ']');
  put_statistics (&self, roast_table_reader_get_n_rows (self.chunks));
  put_datasets (&self);
  put_info (&self);
}
