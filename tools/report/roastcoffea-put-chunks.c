/* SPDX-License-Identifier: BSD-3-Clause */

/* raw_chunk_metrics, chunk_info and what roastcoffea computes of chunks. A chunk has its sections and branches, which
 * are in tables of their own. */

#include <math.h>

#include "chunk-time.h"
#include "roastcoffea-put.h"

typedef struct
{
  guint64 n;
  double sum, least, most, mean, squares; /* squares: of differences from the mean */
} Statistic;

typedef struct
{
  char *name;
  guint64 n;
  double duration, events;
} Dataset;

typedef struct
{
  JsonOut *out;
  RoastTableReader *chunks, *sections, *branches;
  GHashTable *sections_of, *branches_of; /* identity of a chunk to GArray of guint64: rows */
  GPtrArray *datasets;                   /* of Dataset */
  guint64 n_failed;
  Statistic durations, events, memory;
} Chunks;

static const struct
{
  const char *name;
  guint slot;
} numbers[] = {
  { "bytes_read", ROAST_CHUNKS_BYTES_READ },
  { "num_events", ROAST_CHUNKS_EVENTS },
  { "entry_start", ROAST_CHUNKS_ENTRY_START },
  { "entry_stop", ROAST_CHUNKS_ENTRY_STOP },
  { "num_branches_accessed", ROAST_CHUNKS_BRANCHES_READ },
};

static const struct
{
  const char *name;
  guint slot;
} sizes[] = {
  { "mem_before_mb", ROAST_CHUNKS_MEMORY_START },
  { "mem_after_mb", ROAST_CHUNKS_MEMORY_END },
  { "mem_delta_mb", ROAST_CHUNKS_MEMORY },
};

static const struct
{
  const char *name;
  guint kind;
  double factor;
} parts[] = {
  { "timing", ROAST_SECTION_KIND_TIME, 1 },
  { "memory", ROAST_SECTION_KIND_MEMORY, 1 / ROASTCOFFEA_MIB },
  { "bytes", ROAST_SECTION_KIND_BYTES, 1 },
};

static void
dataset_free (Dataset *dataset)
{
  g_free (dataset->name);
  g_free (dataset);
}

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

static void
statistic_add (Statistic *self, double value)
{
  double difference = value - self->mean;

  if (isnan (value))
    return;
  self->least = self->n == 0 ? value : fmin (self->least, value);
  self->most = self->n == 0 ? value : fmax (self->most, value);
  self->n++;
  self->sum += value;
  self->mean += difference / (double) self->n;
  self->squares += difference * (value - self->mean);
}

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

/* The same section twice: roastcoffea has the last. Members of the same name would be read so. */
static void
put_sections_of (Chunks *self, const GArray *rows)
{
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      json_out_open (self->out, parts[i].name, '{');
      for (guint j = 0; rows != NULL && j < rows->len; j++)
        if (roast_table_reader_seek (self->sections, g_array_index (rows, guint64, j)) &&
            roast_table_reader_get_word (self->sections, ROAST_SECTIONS_KIND) == (int) parts[i].kind &&
            roast_table_reader_has (self->sections, ROAST_SECTIONS_NAME))
          json_out_double (self->out, roast_table_reader_get_string (self->sections, ROAST_SECTIONS_NAME),
                           roast_table_reader_get_double (self->sections, ROAST_SECTIONS_VALUE) * parts[i].factor);
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
  double duration = chunk_time_get (chunks);

  json_out_open (self->out, NULL, '{');
  put_seconds (self->out, "t_start", roast_table_reader_get_double (chunks, ROAST_CHUNKS_STARTED));
  put_seconds (self->out, "t_end", roast_table_reader_get_double (chunks, ROAST_CHUNKS_ENDED));
  /* Readers of these records expect it. */
  json_out_double (self->out, "duration", isnan (duration) ? 0 : duration);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    if (roast_table_reader_has (chunks, sizes[i].slot))
      json_out_double (self->out, sizes[i].name,
                       roast_table_reader_get_double (chunks, sizes[i].slot) / ROASTCOFFEA_MIB);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (roast_table_reader_has (chunks, numbers[i].slot))
      json_out_int64 (self->out, numbers[i].name, roast_table_reader_get_int64 (chunks, numbers[i].slot, 0));
  json_out_text (self->out, "dataset", roast_table_reader_get_string (chunks, ROAST_CHUNKS_DATASET));
  json_out_text (self->out, "file", roast_table_reader_get_string (chunks, ROAST_CHUNKS_FILE));
  if (roast_table_reader_has (chunks, ROAST_CHUNKS_ERROR))
    json_out_text (self->out, "error", roast_table_reader_get_string (chunks, ROAST_CHUNKS_ERROR));
  put_sections_of (self, id != NULL ? g_hash_table_lookup (self->sections_of, id) : NULL);
  put_branches_of (self, id != NULL ? g_hash_table_lookup (self->branches_of, id) : NULL);
  json_out_close (self->out, '}');
}

/* ---- what is computed ---- */

static Dataset *
get_dataset (Chunks *self, const char *name)
{
  Dataset *dataset = NULL;

  for (guint i = 0; i < self->datasets->len; i++)
    if (g_str_equal (((const Dataset *) g_ptr_array_index (self->datasets, i))->name, name))
      return g_ptr_array_index (self->datasets, i);
  dataset = g_new0 (Dataset, 1);
  dataset->name = g_strdup (name);
  g_ptr_array_add (self->datasets, dataset);

  return dataset;
}

static void
count (Chunks *self)
{
  RoastTableReader *chunks = self->chunks;
  const char *name = roast_table_reader_get_string (chunks, ROAST_CHUNKS_DATASET);
  double events = roast_table_reader_get_double (chunks, ROAST_CHUNKS_EVENTS);
  double duration = chunk_time_get (chunks);
  Dataset *dataset = NULL;

  if (roast_table_reader_has (chunks, ROAST_CHUNKS_ERROR))
    {
      self->n_failed++;
      return;
    }
  dataset = get_dataset (self, name != NULL ? name : "unknown");
  dataset->n++;
  dataset->duration += isnan (duration) ? 0 : duration;
  dataset->events += isnan (events) ? 0 : events;
  statistic_add (&self->durations, duration);
  statistic_add (&self->events, events);
  statistic_add (&self->memory, roast_table_reader_get_double (chunks, ROAST_CHUNKS_MEMORY) / ROASTCOFFEA_MIB);
}

static double
get_deviation (const Statistic *statistic)
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
      const Dataset *dataset = g_ptr_array_index (self->datasets, i);

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

/* The key is a tuple that Python printed: (file, first entry, entry after the last). */
static void
put_info (Chunks *self)
{
  RoastTableReader *chunks = self->chunks;
  g_autoptr (GString) key = g_string_new (NULL);

  json_out_open (self->out, "chunk_info", '{');
  while (roast_table_reader_next (chunks))
    {
      if (!roast_table_reader_has (chunks, ROAST_CHUNKS_FILE) || isnan (chunk_time_get (chunks)) ||
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
  self.datasets = g_ptr_array_new_with_free_func ((GDestroyNotify) dataset_free);
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
