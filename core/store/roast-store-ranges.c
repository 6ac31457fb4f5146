/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-ranges-private.h"

#include <math.h>

#include "roast-store-codec-private.h"
#include "roast-store-thread-private.h"

typedef struct
{
  double min;
  double max;
} Range;

struct _RoastStoreRanges
{
  GMutex mutex;
  GHashTable *columns; /* number to a GHashTable of first rows (gint64) to ranges */
};

RoastStoreRanges *
roast_store_ranges_new (void)
{
  RoastStoreRanges *self = g_new (RoastStoreRanges, 1);

  g_mutex_init (&self->mutex);
  self->columns = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_hash_table_unref);

  return self;
}

void
roast_store_ranges_free (RoastStoreRanges *self)
{
  g_hash_table_unref (self->columns);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

typedef struct
{
  RoastStoreFile *file;
  gint64 table;
  guint column;
  GHashTable *ranges; /* made by the store's thread */
} Request;

static void
take_range (Request *request, sqlite3_stmt *statement)
{
  gint64 *first_row = g_new (gint64, 1);
  Range *range = g_new (Range, 1);

  *first_row = sqlite3_column_int64 (statement, 0);
  *range = (Range) { INFINITY, -INFINITY };
  /* Without a range: all cells are missing. */
  if (sqlite3_column_type (statement, 1) != SQLITE_NULL)
    *range = (Range) { sqlite3_column_double (statement, 1), sqlite3_column_double (statement, 2) };
  g_hash_table_replace (request->ranges, first_row, range);
}

/* Blocks without a range are known only if they have no cells; older files have no ranges of categories. */
static void
read_ranges (gpointer data)
{
  Request *request = data;
  RoastDatabase *database = roast_store_file_get_database (request->file);
  sqlite3_stmt *statement = roast_database_prepare (database,
                                                    "SELECT seq, min, max FROM block WHERE \"table\" = ? AND "
                                                    "\"column\" = ? AND level = 0 AND (min IS NOT NULL OR encoding = "
                                                    "'" ROAST_ENCODING_MISSING "')",
                                                    NULL);

  if (statement == NULL)
    return;
  sqlite3_bind_int64 (statement, 1, request->table);
  sqlite3_bind_int64 (statement, 2, request->column);
  while (roast_database_next (database, statement, NULL))
    take_range (request, statement);
  sqlite3_reset (statement);
}

gboolean
roast_store_ranges_get (RoastStoreRanges *self, RoastStoreFile *file, gint64 table, guint64 first_row, guint column,
                        double *min, double *max)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  GHashTable *ranges = g_hash_table_lookup (self->columns, GUINT_TO_POINTER (column));
  gint64 key = (gint64) first_row;
  const Range *range = NULL;

  if (ranges == NULL)
    {
      Request request = { file, table, column, g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free) };

      roast_store_thread_call (read_ranges, &request);
      ranges = request.ranges;
      g_hash_table_insert (self->columns, GUINT_TO_POINTER (column), ranges);
    }
  range = g_hash_table_lookup (ranges, &key);
  if (range == NULL)
    return FALSE;
  *min = range->min;
  *max = range->max;

  return TRUE;
}
