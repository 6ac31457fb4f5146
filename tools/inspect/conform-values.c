/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds impossible values, and rows that contradict each other. */

#include "conform.h"

#include <string.h>

#include "query-table.h"

/* SQL conditions that are true for wrong rows. Each condition applies to all tables that have its columns. The view
 * “checked” contains the rows of the table that is checked. The table “places” contains the rows of the table
 * workers. */
static const struct
{
  const char *condition, *problem;
} conditions[] = {
  { "ended < started", "the end is before the start" },
  { "started < submitted", "the start is before the submission" },
  { "ended > (strftime ('%s', 'now') + 60) * 1e6", "the end is in the future" },
  { "\"left\" < joined", "the worker left before it joined" },
  { "cpu > 1.1 * ifnull (cores, ifnull ((SELECT p.cores FROM places p WHERE p.source = ifnull (checked.source, '') "
    "AND p.worker = checked.worker), (SELECT cores FROM machine))) * (ended - started) / 1e6 + 0.1",
    "the CPU time is more than the cores could give" },
  { "worker IS NOT NULL AND (ifnull (source, ''), worker) NOT IN (SELECT source, worker FROM places)",
    "the table workers does not have the worker" },
  { "time > (SELECT gone FROM places p WHERE p.source = ifnull (checked.source, '') AND p.worker = checked.worker) "
    "+ 1000000",
    "the time is more than a second after the worker left" },
  { "ended IS NOT NULL AND status IS NULL", "the row has an end, but no status" },
  { "status = 'done' AND (started IS NULL OR ended IS NULL)", "the row is done, but has no start or no end" },
};

typedef struct
{
  ConformCase *checked;
  const char *table;
  sqlite3 *database;
} Values;

/* Reports how many rows fulfill a condition. If the table lacks a column of the condition, SQLite refuses the
 * statement, and nothing is reported. */
static void
check (const Values *self, const char *rows, const char *condition, const char *problem)
{
  g_autofree char *statement = g_strdup_printf ("SELECT count (*) AS n FROM %s WHERE %s HAVING n > 0", rows, condition);
  sqlite3_stmt *query = NULL;

  if (sqlite3_prepare_v2 (self->database, statement, -1, &query, NULL) == SQLITE_OK &&
      sqlite3_step (query) == SQLITE_ROW)
    inspect_child_finding (self->checked->plugin, CONFORM_CORRECT_VALUES, "table %s: %s (rows: %s)", self->table,
                           problem, (const char *) sqlite3_column_text (query, 0));
  sqlite3_finalize (query);
}

static void
check_column (const Values *self, RoastColumn *column)
{
  const char *name = roast_column_get_name (column);
  const char *unit = roast_column_get_unit (column);
  g_autofree char *outside =
      g_strdup_printf ("%s NOT BETWEEN 9466848e8 AND strftime ('%%s', 'now', '+1 year') * 1e6", name);
  g_autofree char *strange =
      g_strdup_printf ("the time in the column %s is before the year 2000 or more than a year in the future", name);
  g_autofree char *below = g_strdup_printf ("%s NOT BETWEEN 0 AND 1e300", name);
  g_autofree char *negative = g_strdup_printf ("the value in the column %s is negative or infinite", name);

  if (unit == NULL)
    return;
  if (g_str_equal (unit, "us"))
    check (self, "checked", outside, strange);
  else if (!roast_column_may_be_negative (column))
    check (self, "checked", below, negative);
}

/* Report cumulative counts that decrease. A column is cumulative if its description contains “so far”. */
static void
check_counts (const Values *self, RoastTableInfo *info)
{
  g_autoptr (GString) keys = g_string_new ("0");

  for (guint i = 0; i < roast_table_info_get_n_columns (info); i++)
    {
      RoastColumn *column = roast_table_info_get_column (info, i);

      if (g_str_equal (query_table_type_name (column), "TEXT"))
        g_string_append_printf (keys, ", \"%s\"", roast_column_get_name (column));
    }
  for (guint i = 0; i < roast_table_info_get_n_columns (info); i++)
    {
      RoastColumn *column = roast_table_info_get_column (info, i);
      const char *name = roast_column_get_name (column);
      g_autofree char *rows =
          g_strdup_printf ("(SELECT \"%s\" AS value, lag (\"%s\") OVER (PARTITION BY %s ORDER BY number) AS "
                           "earlier FROM checked WHERE \"%s\" IS NOT NULL)",
                           name, name, keys->str, name);
      g_autofree char *problem = g_strdup_printf ("the count in the column %s is lower than in an earlier row", name);

      if (strstr (roast_column_get_description (column), "so far") != NULL)
        check (self, rows, "value < earlier", problem);
    }
}

static void
check_table (const Values *self, RoastTableInfo *info)
{
  static const char changes[] =
      "(SELECT change, cores, sum (change) OVER (PARTITION BY source, worker ORDER BY at, change ROWS UNBOUNDED "
      "PRECEDING) AS used FROM (SELECT ifnull (source, '') AS source, worker, started AS at, ifnull (cores, 1) AS "
      "change "
      "FROM checked WHERE ended > started UNION ALL SELECT ifnull (source, ''), worker, ended, -ifnull (cores, 1) FROM "
      "checked WHERE ended > started) JOIN places USING (source, worker))";
  g_autofree char *view = g_strdup_printf ("DROP VIEW IF EXISTS checked;"
                                           "CREATE TEMP VIEW checked AS SELECT rowid AS number, * FROM \"%s\"",
                                           self->table);

  sqlite3_exec (self->database, view, NULL, NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (conditions); i++)
    check (self, "checked", conditions[i].condition, conditions[i].problem);
  for (guint i = 0; i < roast_table_info_get_n_columns (info); i++)
    check_column (self, roast_table_info_get_column (info, i));
  check_counts (self, info);
  if (g_str_equal (self->table, ROAST_TABLE_TASKS))
    check (self, changes, "change > 0 AND used > cores + 0.01", "tasks overlap on more cores than the worker has");
}

static RoastTableReader *
open_table (const char *table, const char *const *columns, gpointer snapshot, GError **error)
{
  return roast_recording_snapshot_read_table (snapshot, table, columns, error);
}

void
conform_values (ConformCase *checked, RoastRecording *recording)
{
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autoptr (GPtrArray) infos = roast_schema_list_tables (roast_recording_get_schema (recording));
  g_autofree char *places =
      g_strdup_printf ("CREATE TEMP TABLE machine AS SELECT %u AS cores;"
                       "CREATE TEMP TABLE places (source, worker, gone, cores, PRIMARY KEY (source, worker));"
                       "INSERT OR REPLACE INTO places SELECT ifnull (source, ''), worker, \"left\", cores FROM workers",
                       g_get_num_processors ());
  Values self = { .checked = checked };

  if (sqlite3_open (":memory:", &self.database) == SQLITE_OK)
    {
      for (guint i = 0; i < infos->len; i++)
        query_table_add (self.database, g_ptr_array_index (infos, i), open_table, snapshot, NULL);
      sqlite3_exec (self.database, places, NULL, NULL, NULL);
      for (guint i = 0; i < infos->len; i++)
        {
          self.table = roast_table_info_get_name (g_ptr_array_index (infos, i));
          check_table (&self, g_ptr_array_index (infos, i));
        }
    }
  sqlite3_close (self.database);
}
