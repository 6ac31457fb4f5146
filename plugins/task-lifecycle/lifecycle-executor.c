/* SPDX-License-Identifier: BSD-3-Clause */

/* Is the executor itself what work waits for? */

#include <math.h>

#include "lifecycle.h"

#define FULL 0.75 /* of its time, above which it is said to be a bottleneck */
#define OFTEN 0.1 /* of the time, in which cores were idle while tasks waited */

enum
{
  BUDGET_SOURCE,
  BUDGET_PART,
  BUDGET_VALUE
};
static const char *const budget_columns[] = { "source", "part", "value", NULL };

enum
{
  SAMPLE_SOURCE,
  SAMPLE_TIME,
  SAMPLE_CORES,
  SAMPLE_COMMITTED,
  SAMPLE_QUEUED
};
static const char *const sample_columns[] = { "source", "time", "cores", "cores_committed", "tasks_queued", NULL };

typedef struct
{
  const char *part;
  double seconds;
} Part;

/* Cumulative by source: the last of each counts. What roast itself used is no part of the executor's day. */
static GPtrArray *
read_parts (RoastRecordingSnapshot *recording)
{
  GPtrArray *parts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) last = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GHashTable) sums = g_hash_table_new (g_str_hash, g_str_equal);
  LifecycleTable table = { 0 };
  GHashTableIter iter;
  Part *one;

  lifecycle_table_open (&table, recording, "executor_times", budget_columns);
  for (guint64 row = 0; row < table.n_rows; row++)
    {
      const char *part = lifecycle_table_text (&table, row, BUDGET_PART);
      const char *source = lifecycle_table_text (&table, row, BUDGET_SOURCE);
      Part value = { part, lifecycle_table_double (&table, row, BUDGET_VALUE) };

      if (part == NULL || source == NULL || g_str_has_prefix (part, "roast") || !(value.seconds >= 0))
        continue;
      g_hash_table_insert (last, g_strjoin ("\n", source, part, NULL), g_memdup2 (&value, sizeof value));
    }
  g_hash_table_iter_init (&iter, last);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &one))
    {
      Part *sum = g_hash_table_lookup (sums, one->part);

      if (sum == NULL)
        {
          sum = g_new0 (Part, 1);
          sum->part = one->part;
          g_hash_table_insert (sums, (gpointer) sum->part, sum);
          g_ptr_array_add (parts, sum);
        }
      sum->seconds += one->seconds;
    }

  return parts;
}

/* The share of the time between samples in which tasks waited though cores were idle; NaN if there are none. */
static double
get_idle_share (RoastRecordingSnapshot *recording)
{
  g_autoptr (GHashTable) previous = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  LifecycleTable table = { 0 };
  double idle = 0, total = 0;

  lifecycle_table_open (&table, recording, "cluster_samples", sample_columns);
  for (guint64 row = 0; row < table.n_rows; row++)
    {
      const char *source = lifecycle_table_text (&table, row, SAMPLE_SOURCE);
      gint64 time = lifecycle_table_int64 (&table, row, SAMPLE_TIME);
      double cores = lifecycle_table_double (&table, row, SAMPLE_CORES);
      double committed = lifecycle_table_double (&table, row, SAMPLE_COMMITTED);
      gint64 queued = lifecycle_table_int64 (&table, row, SAMPLE_QUEUED);
      gint64 *before = source != NULL ? g_hash_table_lookup (previous, source) : NULL;
      gint64 now[2] = { time, cores > 0 && committed < cores && queued > 0 };

      if (source == NULL || isnan (committed) || queued < 0)
        continue;
      /* As it was at one sample it is until the next. */
      if (before != NULL && time > before[0])
        {
          total += (double) (time - before[0]);
          idle += before[1] ? (double) (time - before[0]) : 0;
        }
      g_hash_table_insert (previous, (gpointer) source, g_memdup2 (now, sizeof now));
    }

  return total > 0 ? idle / total : NAN;
}

static int
compare_parts (const Part **a, const Part **b)
{
  if ((*a)->seconds != (*b)->seconds)
    return (*a)->seconds < (*b)->seconds ? 1 : -1;

  return g_strcmp0 ((*a)->part, (*b)->part);
}

static void
add_table (RoastReport *report, GPtrArray *parts, double total)
{
  g_autoptr (RoastTable) table =
      roast_table_new ("executor_time", ROAST_TABLE_KIND_LOG, "What the executor itself spent its time on");
  g_autoptr (RoastRow) row = NULL;

  roast_table_add_column (table, "part", ROAST_COLUMN_TYPE_CATEGORY, NULL,
                          "polling: it waits for workers; application: the program does something else; all others are "
                          "its own work",
                          NULL);
  roast_table_add_column (table, "seconds", ROAST_COLUMN_TYPE_DOUBLE, "s", "time", NULL);
  roast_table_add_column (table, "share", ROAST_COLUMN_TYPE_DOUBLE, NULL, "of all its time", NULL);
  row = roast_row_new (table);
  g_ptr_array_sort (parts, (GCompareFunc) compare_parts);
  for (guint i = 0; i < parts->len; i++)
    {
      const Part *part = g_ptr_array_index (parts, i);

      roast_row_clear (row);
      roast_row_set_string (row, 0, part->part);
      roast_row_set_double (row, 1, part->seconds);
      roast_row_set_double (row, 2, part->seconds / total);
      roast_table_append (table, row, NULL);
    }
  roast_report_add_table (report, table);
}

static void
add_verdict (RoastReport *report, double busy, double application, double idle)
{
  g_autoptr (RoastMetric) metric = NULL;
  g_autofree char *text = NULL;

  if (isnan (idle))
    {
      lifecycle_add_unavailable (report, "executor_verdict", "no sample tells of idle cores and of tasks that wait");
      return;
    }
  if (busy >= FULL && idle >= OFTEN)
    text = g_strdup_printf ("the executor is the bottleneck: busy for %.0f %% of its time, while in %.0f %% of it "
                            "cores were idle and tasks "
                            "waited; make tasks longer",
                            100 * busy, 100 * idle);
  else if (application >= FULL && idle >= OFTEN)
    text = g_strdup_printf ("the program is the bottleneck: for %.0f %% of the time it did something else than to wait "
                            "for tasks, while in %.0f %% "
                            "of it cores were idle and tasks waited",
                            100 * application, 100 * idle);
  else
    text = g_strdup_printf ("no bottleneck: busy for %.0f %% of its time", 100 * busy);
  metric = roast_metric_new_string ("executor_verdict", text);
  roast_report_add_metric (report, metric);
}

/* What was given away of the memory that there is, at most. */
static void
add_memory (RoastReport *report, RoastRecordingSnapshot *recording)
{
  static const char *const names[] = { "memory_committed", "memory_limit", NULL };
  LifecycleTable table = { 0 };
  double most = NAN;

  lifecycle_table_open (&table, recording, "cluster_samples", names);
  for (guint64 row = 0; row < table.n_rows; row++)
    {
      gint64 committed = lifecycle_table_int64 (&table, row, 0);
      gint64 limit = lifecycle_table_int64 (&table, row, 1);

      if (committed >= 0 && limit > 0)
        most = fmax (most, (double) committed / (double) limit);
    }
  if (isnan (most))
    lifecycle_add_unavailable (report, "committed_memory_peak_ratio", "no executor told what memory it gave to tasks");
  else
    lifecycle_add (report, "committed_memory_peak_ratio", most, ROAST_COMPLETENESS_COMPLETE, NULL);
}

void
lifecycle_add_executor (RoastReport *report, RoastRecordingSnapshot *recording)
{
  static const char *const names[] = { "executor_busy_ratio", "executor_application_ratio", "executor_verdict" };
  g_autoptr (GPtrArray) parts = read_parts (recording);
  double total = 0, application = 0, polling = 0;

  add_memory (report, recording);
  for (guint i = 0; i < parts->len; i++)
    {
      const Part *part = g_ptr_array_index (parts, i);

      total += part->seconds;
      application += g_str_equal (part->part, "application") ? part->seconds : 0;
      polling += g_str_equal (part->part, "polling") ? part->seconds : 0;
    }
  if (!(total > 0))
    {
      for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        lifecycle_add_unavailable (report, names[i], "no executor told what it spent its own time on");
      return;
    }
  lifecycle_add (report, "executor_busy_ratio", (total - application - polling) / total, ROAST_COMPLETENESS_COMPLETE, NULL);
  lifecycle_add (report, "executor_application_ratio", application / total, ROAST_COMPLETENESS_COMPLETE, NULL);
  add_verdict (report, (total - application - polling) / total, application / total, get_idle_share (recording));
  add_table (report, parts, total);
}
