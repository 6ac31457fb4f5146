/* SPDX-License-Identifier: BSD-3-Clause */

/* Entries that were not processed, and why: what has to be done again. */

#include <math.h>

#include "cell-cursor.h"
#include "id-set.h"
#include "workload-files.h"
#include "workload-tables.h"

/* Entries of a file whose attempts failed; of a file that could not be prepared all of them. */
typedef struct
{
  guint64 row; /* of the last attempt, in chunks */
  guint64 range;
  gint64 attempts;
} Failure;

typedef struct
{
  RoastTableReader *chunks; /* groups by dataset and file */
  ChunkVerdicts *verdicts;
  GHashTable *processors; /* by call, the name of the processor */
  GHashTable *failures;   /* of Failure, by its range */
} Failures;

/* What each call did with its chunks. */
static GHashTable *
read_processors (RoastRecordingSnapshot *recording)
{
  GHashTable *processors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (RoastTableReader) calls =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_PROCESSING, roast_processing_columns, NULL);

  while (roast_table_reader_next (calls))
    if (roast_table_reader_has (calls, ROAST_PROCESSING_PROCESSOR))
      g_hash_table_insert (processors, g_strdup (roast_table_reader_get_string (calls, ROAST_PROCESSING_CALL)),
                           g_strdup (roast_table_reader_get_string (calls, ROAST_PROCESSING_PROCESSOR)));

  return processors;
}

/* NULL if it is unknown. */
static const char *
get_processor (const Failures *self)
{
  const char *call = roast_table_reader_get_string (self->chunks, ROAST_CHUNKS_CALL);

  return call != NULL ? g_hash_table_lookup (self->processors, call) : NULL;
}

/* A file is prepared for all processors. */
static guint64
hash_range (const Failures *self, gboolean whole)
{
  RoastTableReader *chunks = self->chunks;
  guint64 hash = id_set_hash_number (ID_SET_START, roast_table_reader_get_group (chunks));
  const char *processor = NULL;

  if (whole)
    return hash;
  processor = get_processor (self);
  if (processor != NULL)
    hash = id_set_hash_text (hash, processor);
  hash = id_set_hash_number (hash, (guint64) roast_table_reader_get_code (chunks, ROAST_CHUNKS_TREE));
  hash = id_set_hash_number (hash, (guint64) roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_ENTRY_START, -1));

  return id_set_hash_number (hash, (guint64) roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_ENTRY_STOP, -1));
}

static void
add_failure (Failures *self, gboolean whole)
{
  guint64 range = hash_range (self, whole);
  Failure *failure = g_hash_table_lookup (self->failures, &range);

  if (failure == NULL)
    {
      failure = g_new0 (Failure, 1);
      failure->range = range;
      g_hash_table_insert (self->failures, &failure->range, failure);
    }
  failure->row = roast_table_reader_get_row (self->chunks);
  failure->attempts++;
}

static ChunkVerdict
judge (const Failures *self)
{
  return chunk_verdicts_judge (self->verdicts, roast_table_reader_get_row (self->chunks));
}

static void
find_failures (Failures *self, RoastRecordingSnapshot *recording)
{
  g_autoptr (CellCursor) cursor =
      cell_cursor_new (roast_recording_snapshot_read_table (recording, ROAST_TABLE_CHUNKS, roast_chunks_columns, NULL));

  while (cell_cursor_next (cursor))
    if (cell_cursor_get_code (cursor, ROAST_CHUNKS_ERROR) >= 0 && cell_cursor_get_code (cursor, ROAST_CHUNKS_FILE) >= 0)
      {
        /* It has to read all results, and few runs have failures. */
        if (self->verdicts == NULL)
          {
            self->verdicts = chunk_verdicts_get (recording);
            self->processors = read_processors (recording);
          }
        roast_table_reader_seek (self->chunks, cell_cursor_get_row (cursor));
        add_failure (self, judge (self) == CHUNK_PREPARATION);
      }
}

/* What counts in another attempt of the same processor need not be done again. */
static void
drop_repaired (Failures *self)
{
  roast_table_reader_seek (self->chunks, 0);
  do
    {
      gboolean counts = judge (self) == CHUNK_COUNTED;

      if (counts || (judge (self) == CHUNK_PREPARATION && !roast_table_reader_has (self->chunks, ROAST_CHUNKS_ERROR)))
        {
          guint64 range = hash_range (self, FALSE);
          guint64 whole = hash_range (self, TRUE);

          if (counts)
            g_hash_table_remove (self->failures, &range);
          g_hash_table_remove (self->failures, &whole);
        }
    }
  while (roast_table_reader_next (self->chunks));
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  guint64 row_a = (*(const Failure *const *) a)->row;
  guint64 row_b = (*(const Failure *const *) b)->row;

  return (row_a > row_b) - (row_a < row_b);
}

static GPtrArray *
sort_failures (GHashTable *failures)
{
  GPtrArray *sorted = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer failure;

  g_hash_table_iter_init (&iter, failures);
  while (g_hash_table_iter_next (&iter, NULL, &failure))
    g_ptr_array_add (sorted, failure);
  g_ptr_array_sort (sorted, compare_rows);

  return sorted;
}

static void
write_failure (const Failures *self, const Failure *failure, RoastTableWriter *table)
{
  static const struct
  {
    guint to, from;
  } texts[] = {
    { ROAST_FAILED_FILES_DATASET, ROAST_CHUNKS_DATASET },
    { ROAST_FAILED_FILES_FILE, ROAST_CHUNKS_FILE },
    { ROAST_FAILED_FILES_TREE, ROAST_CHUNKS_TREE },
    { ROAST_FAILED_FILES_ERROR, ROAST_CHUNKS_ERROR },
    { ROAST_FAILED_FILES_ERROR_MESSAGE, ROAST_CHUNKS_ERROR_MESSAGE },
  };

  RoastTableReader *chunks = self->chunks;

  roast_table_reader_seek (chunks, failure->row);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    roast_table_writer_set_string (table, texts[i].to, roast_table_reader_get_string (chunks, texts[i].from));
  roast_table_writer_set_string (table, ROAST_FAILED_FILES_PROCESSOR, get_processor (self));
  roast_table_writer_set_count (table, ROAST_FAILED_FILES_ENTRY_START,
                                roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_ENTRY_START, -1));
  roast_table_writer_set_count (table, ROAST_FAILED_FILES_ENTRY_STOP,
                                roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_ENTRY_STOP, -1));
  roast_table_writer_set_int64 (table, ROAST_FAILED_FILES_ATTEMPTS, failure->attempts);
  roast_table_writer_end (table, NULL);
}

static gboolean
write_failures (Failures *self, RoastReport *report, GError **error)
{
  g_autoptr (GPtrArray) left = sort_failures (self->failures);
  g_autoptr (RoastTableWriter) table =
      roast_report_write_table (report, ROAST_TABLE_FAILED_FILES, roast_failed_files_columns, error);

  for (guint i = 0; table != NULL && i < left->len; i++)
    write_failure (self, g_ptr_array_index (left, i), table);

  return table != NULL;
}

gboolean
workload_add_failures (RoastRecordingSnapshot *recording, RoastReport *report, GError **error)
{
  static const guint key[] = { ROAST_CHUNKS_DATASET, ROAST_CHUNKS_FILE };
  g_autoptr (RoastTableReader) chunks =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_CHUNKS, roast_chunks_columns, NULL);
  g_autoptr (GHashTable) failures = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  Failures self = { .chunks = chunks, .failures = failures };
  gboolean written = TRUE;

  roast_table_reader_group_by (chunks, key, G_N_ELEMENTS (key));
  find_failures (&self, recording);
  if (g_hash_table_size (failures) > 0)
    drop_repaired (&self);
  if (g_hash_table_size (failures) > 0)
    written = write_failures (&self, report, error);
  g_clear_pointer (&self.verdicts, chunk_verdicts_unref);
  g_clear_pointer (&self.processors, g_hash_table_unref);

  return written;
}
