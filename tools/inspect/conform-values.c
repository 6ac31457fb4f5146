/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds impossible values, and rows that contradict others. */

#include "conform.h"

#include <string.h>

#define YEAR (366.0 * 24 * 3600)
#define YEAR_2000 946684800 /* s since the epoch */

/* Conditions for tables that have these columns. */
static const struct
{
  const char *condition, *problem;
} conditions[] = {
  { "ended < started", "end before they start" },
  { "started < submitted", "start before they are submitted" },
  { "left < joined", "leave before they join" },
  { "known (ended) and not known (status)", "have an end, but no status" },
  { "status = done and not (known (started) and known (ended))", "are done, but have no start or no end" },
  { "cpu > 1.1 * cores * (ended - started) + 0.1", "have more CPU time than their cores could give" },
};

typedef struct
{
  ConformCase *checked;
  RoastRecordingSnapshot *recording;
  RoastReport *report;
  const char *table;
} Values;

/* Reports rows that fulfill a condition. Conditions on columns that the table lacks count nothing. */
static void
check (const Values *self, const char *condition, const char *problem)
{
  g_autofree char *formula = g_strdup_printf ("count (over %s where %s)", self->table, condition);
  g_autoptr (RoastMetric) n = roast_report_evaluate (self->report, self->recording, "rows", formula, NULL);

  if (n != NULL && roast_metric_is_available (n) && roast_metric_get_double (n) > 0)
    inspect_child_finding (self->checked->plugin, CONFORM_CORRECT_VALUES, "rows of the table %s %s: %.0f", self->table,
                           problem, roast_metric_get_double (n));
}

static void
check_column (const Values *self, RoastColumn *column)
{
  const char *name = roast_column_get_name (column);
  const char *unit = roast_column_get_unit (column);
  double now = (double) g_get_real_time () / G_USEC_PER_SEC;
  g_autofree char *outside = g_strdup_printf ("%s < %d or %s > %.0f", name, YEAR_2000, name, now + YEAR);
  g_autofree char *strange =
      g_strdup_printf ("have a time in the column %s before the year 2000 or more than a year ahead", name);
  g_autofree char *below = g_strdup_printf ("%s < 0 or %s > 1e300", name, name);
  g_autofree char *negative = g_strdup_printf ("have a negative or infinite value in the column %s", name);

  if (unit == NULL)
    return;
  if (g_str_equal (unit, "us"))
    check (self, outside, strange);
  else if (!g_str_equal (name, "clock_offset") && /* check-source: allow slots: one name of any table */
           (!g_str_equal (self->table, ROAST_TABLE_CHUNKS) || !g_str_equal (name, "memory")))
    check (self, below, negative);
}

/* ---- rows that contradict others ---- */

static void
report_rows (const Values *self, const char *problem, guint n)
{
  if (n > 0)
    inspect_child_finding (self->checked->plugin, CONFORM_CORRECT_VALUES, "rows of the table %s %s: %u", self->table,
                           problem, n);
}

static gboolean
is_text (RoastColumn *column)
{
  RoastColumnType type = roast_column_get_column_type (column);

  return type == ROAST_COLUMN_TYPE_STRING || type == ROAST_COLUMN_TYPE_CATEGORY;
}

/* Report counts that fall. The meaning of a cumulative column has the words “so far”. */
static void
check_counts (const Values *self, RoastTableInfo *info)
{
  g_autoptr (RoastTableReader) rows = roast_recording_snapshot_read_table (self->recording, self->table, NULL, NULL);
  g_autoptr (GHashTable) last = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  guint n_columns = roast_table_info_get_n_columns (info);
  g_autofree guint *falls = g_new0 (guint, n_columns);

  while (rows != NULL && roast_table_reader_next (rows))
    {
      g_autoptr (GString) key = g_string_new (NULL);
      double *before = NULL;

      for (guint i = 0; i < n_columns; i++)
        if (is_text (roast_table_info_get_column (info, i)) && roast_table_reader_has (rows, i))
          g_string_append_printf (key, "%u=%s\n", i, roast_table_reader_get_string (rows, i));
      before = g_hash_table_lookup (last, key->str);
      if (before == NULL)
        {
          before = g_new0 (double, n_columns);
          g_hash_table_insert (last, g_strdup (key->str), before);
        }
      for (guint i = 0; i < n_columns; i++)
        if (roast_table_reader_has (rows, i) &&
            strstr (roast_column_get_description (roast_table_info_get_column (info, i)), "so far") != NULL)
          {
            double value = roast_table_reader_get_double (rows, i);

            falls[i] += value < before[i] ? 1 : 0;
            before[i] = value;
          }
    }
  for (guint i = 0; i < n_columns; i++)
    {
      g_autofree char *problem = g_strdup_printf ("have a lower count in the column %s than an earlier row",
                                                  roast_column_get_name (roast_table_info_get_column (info, i)));

      report_rows (self, problem, falls[i]);
    }
}

/* A worker, and the attempts on it. */
typedef struct
{
  double left, cores; /* NaN if unknown */
  GArray *changes;    /* elements are Change */
} Worker;

/* Start or end of an attempt. */
typedef struct
{
  double time, cores;
} Change;

static void
worker_free (gpointer data)
{
  Worker *self = data;

  g_array_unref (self->changes);
  g_free (self);
}

static char *
dup_worker_key (RoastTableReader *rows, guint source, guint worker)
{
  const char *name = roast_table_reader_get_string (rows, source);

  return g_strconcat (name != NULL ? name : "", "\n", roast_table_reader_get_string (rows, worker), NULL);
}

static GHashTable *
read_workers (RoastRecordingSnapshot *recording)
{
  GHashTable *workers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, worker_free);
  g_autoptr (RoastTableReader) rows =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_WORKERS, roast_workers_columns, NULL);

  while (rows != NULL && roast_table_reader_next (rows))
    {
      Worker *worker = g_new0 (Worker, 1);

      worker->left = roast_table_reader_get_double (rows, ROAST_WORKERS_LEFT);
      worker->cores = roast_table_reader_get_double (rows, ROAST_WORKERS_CORES);
      worker->changes = g_array_new (FALSE, FALSE, sizeof (Change));
      g_hash_table_insert (workers, dup_worker_key (rows, ROAST_WORKERS_SOURCE, ROAST_WORKERS_WORKER), worker);
    }

  return workers;
}

/* Columns of any table with workers. */
enum
{
  SOURCE,
  WORKER,
  TIME,
};

/* Report rows about workers that the table workers lacks, and rows after a worker left. */
static void
check_workers (const Values *self, RoastTableInfo *info, GHashTable *workers)
{
  static const char *const columns[] = { "source", "worker", "time", NULL };
  static const char *const untimed[] = { "source", "worker", NULL };
  guint at = 0;
  gboolean is_timed = roast_table_info_find_column (info, "time", &at);
  g_autoptr (RoastTableReader) rows = NULL;
  guint unknown = 0;
  guint late = 0;

  if (!roast_table_info_find_column (info, "worker", &at) || !roast_table_info_find_column (info, "source", &at))
    return;
  rows = roast_recording_snapshot_read_table (self->recording, self->table, is_timed ? columns : untimed, NULL);
  while (rows != NULL && roast_table_reader_next (rows))
    {
      g_autofree char *key = roast_table_reader_has (rows, WORKER) ? dup_worker_key (rows, SOURCE, WORKER) : NULL;
      const Worker *worker = key != NULL ? g_hash_table_lookup (workers, key) : NULL;

      unknown += key != NULL && worker == NULL ? 1 : 0;
      late += worker != NULL && is_timed && roast_table_reader_get_double (rows, TIME) > worker->left + G_USEC_PER_SEC;
    }
  report_rows (self, "name a worker that the table workers does not have", unknown);
  report_rows (self, "come more than a second after their worker left", late);
}

/* Ends come before starts of the same time. */
static int
compare_changes (gconstpointer a, gconstpointer b)
{
  const Change *first = a;
  const Change *second = b;

  if (first->time != second->time)
    return first->time < second->time ? -1 : 1;

  return (first->cores > second->cores) - (first->cores < second->cores);
}

static guint
count_overlaps (const Worker *worker)
{
  double used = 0;
  guint n = 0;

  g_array_sort (worker->changes, compare_changes);
  for (guint i = 0; i < worker->changes->len; i++)
    {
      const Change *change = &g_array_index (worker->changes, Change, i);

      used += change->cores;
      n += change->cores > 0 && used > worker->cores + 0.01 ? 1 : 0;
    }

  return n;
}

/* Report attempts that ran at the same time on more cores than their worker had. */
static void
check_overlaps (const Values *self, GHashTable *workers)
{
  g_autoptr (RoastTableReader) rows =
      roast_recording_snapshot_read_table (self->recording, self->table, roast_tasks_columns, NULL);
  GHashTableIter iter;
  gpointer value;
  guint n = 0;

  while (rows != NULL && roast_table_reader_next (rows))
    {
      g_autofree char *key = roast_table_reader_has (rows, ROAST_TASKS_WORKER)
                                 ? dup_worker_key (rows, ROAST_TASKS_SOURCE, ROAST_TASKS_WORKER)
                                 : NULL;
      const Worker *worker = key != NULL ? g_hash_table_lookup (workers, key) : NULL;
      double cores = roast_table_reader_has (rows, ROAST_TASKS_CORES)
                         ? roast_table_reader_get_double (rows, ROAST_TASKS_CORES)
                         : 1;
      const Change changes[] = { { roast_table_reader_get_double (rows, ROAST_TASKS_STARTED), cores },
                                 { roast_table_reader_get_double (rows, ROAST_TASKS_ENDED), -cores } };

      if (worker != NULL && changes[1].time > changes[0].time)
        g_array_append_vals (worker->changes, changes, G_N_ELEMENTS (changes));
    }
  g_hash_table_iter_init (&iter, workers);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    n += count_overlaps (value);
  report_rows (self, "overlap on more cores than their worker has", n);
}

void
conform_values (ConformCase *checked, RoastRecording *recording)
{
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autoptr (RoastReport) report = roast_report_new (roast_recording_get_schema (recording));
  g_auto (GStrv) tables = roast_recording_dup_table_names (recording);
  g_autoptr (GHashTable) workers = read_workers (snapshot);

  for (char **table = tables; *table != NULL; table++)
    {
      const Values self = { checked, snapshot, report, *table };
      RoastTableInfo *info = roast_schema_lookup_table (roast_recording_get_schema (recording), *table);

      for (guint i = 0; i < G_N_ELEMENTS (conditions); i++)
        check (&self, conditions[i].condition, conditions[i].problem);
      for (guint i = 0; info != NULL && i < roast_table_info_get_n_columns (info); i++)
        check_column (&self, roast_table_info_get_column (info, i));
      if (info == NULL)
        continue;
      check_counts (&self, info);
      check_workers (&self, info, workers);
      if (g_str_equal (*table, ROAST_TABLE_TASKS))
        check_overlaps (&self, workers);
    }
}
