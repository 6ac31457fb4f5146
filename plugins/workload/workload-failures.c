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

/* The reader groups by dataset and file. */
static guint64
hash_range (RoastTableReader *chunks, gboolean whole)
{
  guint64 hash = id_set_hash_number (ID_SET_START, roast_table_reader_get_group (chunks));

  if (whole)
    return hash;
  hash = id_set_hash_number (hash, (guint64) roast_table_reader_get_code (chunks, ROAST_CHUNKS_TREE));
  hash = id_set_hash_number (hash, (guint64) roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_ENTRY_START, -1));

  return id_set_hash_number (hash, (guint64) roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_ENTRY_STOP, -1));
}

static void
add_failure (GHashTable *failures, RoastTableReader *chunks, gboolean whole)
{
  guint64 range = hash_range (chunks, whole);
  Failure *failure = g_hash_table_lookup (failures, &range);

  if (failure == NULL)
    {
      failure = g_new0 (Failure, 1);
      failure->range = range;
      g_hash_table_insert (failures, &failure->range, failure);
    }
  failure->row = roast_table_reader_get_row (chunks);
  failure->attempts++;
}

/* What succeeded in another attempt need not be done again. */
static GHashTable *
find_failures (RoastRecordingSnapshot *recording, RoastTableReader *chunks)
{
  GHashTable *failures = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  g_autoptr (ChunkVerdicts) verdicts = NULL; /* it has to read all results, and few runs have failures */
  g_autoptr (CellCursor) cursor =
      cell_cursor_new (roast_recording_snapshot_read_table (recording, ROAST_TABLE_CHUNKS, roast_chunks_columns, NULL));

  while (cell_cursor_next (cursor))
    if (cell_cursor_get_code (cursor, ROAST_CHUNKS_ERROR) >= 0 && cell_cursor_get_code (cursor, ROAST_CHUNKS_FILE) >= 0)
      {
        if (verdicts == NULL)
          verdicts = chunk_verdicts_get (recording);
        roast_table_reader_seek (chunks, cell_cursor_get_row (cursor));
        add_failure (failures, chunks,
                     chunk_verdicts_judge (verdicts, roast_table_reader_get_row (chunks)) == CHUNK_PREPARATION);
      }

  return failures;
}

static void
drop_repaired (GHashTable *failures, RoastTableReader *chunks)
{
  roast_table_reader_seek (chunks, 0);
  do
    if (!roast_table_reader_has (chunks, ROAST_CHUNKS_ERROR))
      {
        guint64 range = hash_range (chunks, FALSE);
        guint64 whole = hash_range (chunks, TRUE);

        g_hash_table_remove (failures, &range);
        g_hash_table_remove (failures, &whole);
      }
  while (roast_table_reader_next (chunks));
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
write_failure (const Failure *failure, RoastTableReader *chunks, RoastTableWriter *table)
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

  roast_table_reader_seek (chunks, failure->row);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    roast_table_writer_set_string (table, texts[i].to, roast_table_reader_get_string (chunks, texts[i].from));
  roast_table_writer_set_count (table, ROAST_FAILED_FILES_ENTRY_START,
                                roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_ENTRY_START, -1));
  roast_table_writer_set_count (table, ROAST_FAILED_FILES_ENTRY_STOP,
                                roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_ENTRY_STOP, -1));
  roast_table_writer_set_int64 (table, ROAST_FAILED_FILES_ATTEMPTS, failure->attempts);
  roast_table_writer_end (table, NULL);
}

gboolean
workload_add_failures (RoastRecordingSnapshot *recording, RoastReport *report, GError **error)
{
  static const guint key[] = { ROAST_CHUNKS_DATASET, ROAST_CHUNKS_FILE };
  g_autoptr (RoastTableReader) chunks =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_CHUNKS, roast_chunks_columns, NULL);
  g_autoptr (GHashTable) failures = NULL;
  g_autoptr (GPtrArray) left = NULL;
  g_autoptr (RoastTableWriter) table = NULL;

  roast_table_reader_group_by (chunks, key, G_N_ELEMENTS (key));
  failures = find_failures (recording, chunks);
  if (g_hash_table_size (failures) == 0)
    return TRUE;
  drop_repaired (failures, chunks);
  if (g_hash_table_size (failures) == 0)
    return TRUE;
  left = sort_failures (failures);
  table = roast_report_write_table (report, ROAST_TABLE_FAILED_FILES, roast_failed_files_columns, error);
  for (guint i = 0; table != NULL && i < left->len; i++)
    write_failure (g_ptr_array_index (left, i), chunks, table);

  return table != NULL;
}
