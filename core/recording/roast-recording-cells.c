/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds cells that should be there and are not, although nothing in the table coverage says so. An executor that
 * records when it dispatched some tasks, for example, has lost these times of the others. */

#include "recording/roast-recording-cells-private.h"

#include <string.h>

#include "roast/roast-table-info.h"
#include "table/roast-column-private.h"
#include "table/roast-table-reader-private.h"

/* Slots of the readers. */
enum
{
  CELL,
  SOURCE,
  CONDITION,
};

/* Numbers of the rows of one source that must have a cell. */
typedef struct
{
  guint64 n_known, n_missing;
} CellCounts;

/* Return the number of cells of the current block that are there. */
static guint
count_cells (RoastTableReader *reader)
{
  g_autoptr (GBytes) bits = roast_table_reader_dup_block_validity (reader, CELL);
  const guint8 *bytes = bits != NULL ? g_bytes_get_data (bits, NULL) : NULL;
  guint n_rows = roast_table_reader_get_block_n_rows (reader);
  guint n = bytes != NULL ? 0 : n_rows;

  for (guint i = 0; bytes != NULL && i < n_rows; i++)
    n += bytes[i / 8] >> i % 8 & 1;

  return n;
}

/* Return whether some rows have cells of the column and others do not. */
static gboolean
is_mixed (RoastTableReader *reader)
{
  guint64 n_rows = 0, n_cells = 0;

  while (roast_table_reader_next_block (reader))
    {
      n_rows += roast_table_reader_get_block_n_rows (reader);
      n_cells += count_cells (reader);
    }

  return n_cells > 0 && n_cells < n_rows;
}

static gboolean
must_have (RoastTableReader *reader, const char *condition)
{
  const char *equals = strchr (condition, '=');
  const char *word = NULL;

  if (equals == NULL)
    return *condition == '\0' || roast_table_reader_has (reader, CONDITION);
  word = roast_table_reader_get_string (reader, CONDITION);

  return strcmp (word != NULL ? word : "", equals + 1) == 0;
}

static void
count_rows (RoastTableReader *reader, const char *condition, GHashTable *sources)
{
  while (roast_table_reader_next (reader))
    {
      const char *source = roast_table_reader_get_string (reader, SOURCE);
      CellCounts *counts = NULL;

      if (!must_have (reader, condition))
        continue;
      source = source != NULL ? source : "";
      counts = g_hash_table_lookup (sources, source);
      if (counts == NULL)
        g_hash_table_insert (sources, g_strdup (source), counts = g_new0 (CellCounts, 1));
      if (roast_table_reader_has (reader, CELL))
        counts->n_known++;
      else
        counts->n_missing++;
    }
}

char *
roast_recording_cells_dup_gap (RoastTableSnapshot *table, RoastColumn *info)
{
  const char *column = roast_column_get_name (info);
  const char *condition = roast_column_get_expected (info);
  g_autofree char *other = g_strndup (condition, strcspn (condition, "="));
  const char *columns[] = { column, "source", *other != '\0' ? other : NULL, NULL };
  g_autoptr (RoastTableReader) reader = roast_table_reader_new (table, columns, NULL);
  g_autoptr (GHashTable) sources = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  guint64 n_missing = 0, n_rows = 0;
  GHashTableIter iter;
  gpointer value;

  /* A table without sources is not of an executor. */
  if (reader == NULL || !is_mixed (reader))
    return NULL;
  roast_table_reader_rewind (reader);
  count_rows (reader, condition, sources);
  g_hash_table_iter_init (&iter, sources);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const CellCounts *counts = value;

      if (counts->n_known == 0 || counts->n_missing == 0)
        continue;
      n_missing += counts->n_missing;
      n_rows += counts->n_known + counts->n_missing;
    }
  if (n_missing == 0)
    return NULL;

  return g_strdup_printf ("%s is unknown for %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " rows of %s", column,
                          n_missing, n_rows, roast_table_info_get_name (roast_table_snapshot_get_info (table)));
}
