/* SPDX-License-Identifier: BSD-3-Clause */

/* What attempts spent their time on around the execution, and what was in vain. */

#include <math.h>

#include "lifecycle.h"

enum
{
  PREFIX,
  SUBMITTED,
  DISPATCHED,
  DELIVERED,
  STARTED,
  ENDED,
  FETCHED,
  RETRIEVED,
  RETURNED,
  STATUS,
  ERROR,
  CORES,
  IN,
  OUT,
  ATTEMPT,
  PEAK
};
static const char *const columns[] = { "category", "submitted", "dispatched", "delivered",   "started", "ended",
                                       "fetched",  "retrieved", "returned",   "status",      "error",   "cores",
                                       "bytes_in", "bytes_out", "attempt",    "memory_peak", NULL };

/* From one column to another, in the order of an attempt's life. */
static const struct
{
  const char *name;
  int from, to, bytes;
} phases[] = {
  { "queue", SUBMITTED, DISPATCHED, -1 }, { "input", DISPATCHED, DELIVERED, IN },
  { "stage-in", DELIVERED, STARTED, -1 }, { "execute", STARTED, ENDED, -1 },
  { "wait", ENDED, FETCHED, -1 },         { "output", FETCHED, RETRIEVED, OUT },
  { "return", RETRIEVED, RETURNED, -1 },
};

#define N_PHASES G_N_ELEMENTS (phases)
#define QUEUE 0

typedef struct
{
  gint64 n;
  double sum, max, bytes;
} Phase;

/* Of one kind of task. */
typedef struct
{
  const char *prefix;
  Phase phases[N_PHASES];
} Kind;

/* Attempts that were in vain, for one reason. */
typedef struct
{
  const char *status, *error;
  gint64 n;
  double core_seconds;
} Loss;

typedef struct
{
  GHashTable *kinds;  /* prefix to Kind */
  GPtrArray *order;   /* of Kind */
  GHashTable *losses; /* text to Loss */
  GPtrArray *reasons; /* of Loss */
  gint64 n, lost, exhausted, retried, peak;
  double good, wasted, vague_seconds; /* core seconds */
} Sums;

static Kind *
get_kind (Sums *sums, const char *prefix)
{
  Kind *kind = g_hash_table_lookup (sums->kinds, prefix);

  if (kind != NULL)
    return kind;
  kind = g_new0 (Kind, 1);
  kind->prefix = prefix;
  g_hash_table_insert (sums->kinds, (gpointer) prefix, kind);
  g_ptr_array_add (sums->order, kind);

  return kind;
}

static Loss *
get_loss (Sums *sums, const char *status, const char *error)
{
  g_autofree char *key = g_strjoin ("\n", status, error != NULL ? error : "", NULL);
  Loss *loss = g_hash_table_lookup (sums->losses, key);

  if (loss != NULL)
    return loss;
  loss = g_new0 (Loss, 1);
  loss->status = status;
  loss->error = error;
  g_hash_table_insert (sums->losses, g_steal_pointer (&key), loss);
  g_ptr_array_add (sums->reasons, loss);

  return loss;
}

static double
between (gint64 from, gint64 to)
{
  return from >= 0 && to >= 0 ? MAX (0.0, (double) (to - from) / G_USEC_PER_SEC) : NAN;
}

static void
add_phases (Kind *kind, const LifecycleTable *table, guint64 row)
{
  for (guint i = 0; i < N_PHASES; i++)
    {
      Phase *phase = &kind->phases[i];
      double seconds = between (lifecycle_table_int64 (table, row, (guint) phases[i].from),
                                lifecycle_table_int64 (table, row, (guint) phases[i].to));
      gint64 bytes = phases[i].bytes >= 0 ? lifecycle_table_int64 (table, row, (guint) phases[i].bytes) : -1;

      if (isnan (seconds))
        continue;
      phase->n++;
      phase->sum += seconds;
      phase->max = MAX (phase->max, seconds);
      phase->bytes += bytes > 0 ? (double) bytes : 0;
    }
}

/* Of one that has no result it is not known when it began: its time is what it kept the core for, at most. */
static void
add_use (Sums *sums, const LifecycleTable *table, guint64 row, const char *status)
{
  gboolean lost = g_str_equal (status, "lost");
  gboolean vague = lifecycle_table_int64 (table, row, STARTED) < 0 && lifecycle_table_int64 (table, row, ENDED) >= 0;
  double cores = lifecycle_table_double (table, row, CORES);
  double seconds = between (lifecycle_table_int64 (table, row, vague ? DELIVERED : STARTED),
                            lifecycle_table_int64 (table, row, ENDED));
  Loss *loss = NULL;

  seconds = isnan (seconds) ? 0 : seconds * (cores >= 1 ? cores : 1);
  if (g_str_equal (status, "done"))
    {
      sums->good += seconds;
      return;
    }
  if (!lost && !g_str_equal (status, "failed") && !g_str_equal (status, "exhausted") &&
      !g_str_equal (status, "cancelled"))
    return;
  sums->wasted += seconds;
  sums->vague_seconds += vague ? seconds : 0;
  sums->lost += lost ? 1 : 0;
  sums->exhausted += g_str_equal (status, "exhausted") ? 1 : 0;
  loss = get_loss (sums, status, lifecycle_table_text (table, row, ERROR));
  loss->n++;
  loss->core_seconds += seconds;
}

static void
read_attempts (Sums *sums, const LifecycleTable *table)
{
  for (guint64 row = 0; row < table->n_rows; row++)
    {
      const char *prefix = lifecycle_table_text (table, row, PREFIX);
      const char *status = lifecycle_table_text (table, row, STATUS);

      if (status == NULL || lifecycle_table_int64 (table, row, DISPATCHED) < 0)
        continue;
      sums->n++;
      sums->peak = MAX (sums->peak, lifecycle_table_int64 (table, row, PEAK));
      sums->retried += lifecycle_table_int64 (table, row, ATTEMPT) > 1 ? 1 : 0;
      add_phases (get_kind (sums, prefix != NULL ? prefix : "?"), table, row);
      add_use (sums, table, row, status);
    }
}

/* ---- the report ---- */

static void
add_per_phase (RoastReport *report, Sums *sums)
{
  g_autoptr (RoastTable) table =
      roast_table_new ("per_phase", ROAST_TABLE_KIND_LOG, "What attempts spent their time on, by phase of their life");
  g_autoptr (RoastRow) row = NULL;

  roast_table_add_column (table, "category", ROAST_COLUMN_TYPE_CATEGORY, NULL, "kind of task", NULL);
  roast_table_add_column (table, "phase", ROAST_COLUMN_TYPE_CATEGORY, NULL,
                          "queue; input: what it needs is sent; stage-in: its worker fetches more, or is busy; "
                          "execute; wait: until its results are "
                          "fetched; output; return: until the program takes it",
                          NULL);
  roast_table_add_column (table, "attempts", ROAST_COLUMN_TYPE_INT64, NULL, "attempts that went through it", NULL);
  roast_table_add_column (table, "total", ROAST_COLUMN_TYPE_DOUBLE, "s", "time of all together", NULL);
  roast_table_add_column (table, "mean", ROAST_COLUMN_TYPE_DOUBLE, "s", "mean time of one", NULL);
  roast_table_add_column (table, "max", ROAST_COLUMN_TYPE_DOUBLE, "s", "time of the slowest", NULL);
  roast_table_add_column (table, "bytes", ROAST_COLUMN_TYPE_INT64, "B", "moved in it", NULL);
  row = roast_row_new (table);
  for (guint i = 0; i < sums->order->len; i++)
    {
      const Kind *kind = g_ptr_array_index (sums->order, i);

      for (guint k = 0; k < N_PHASES; k++)
        {
          const Phase *phase = &kind->phases[k];

          if (phase->n == 0)
            continue;
          roast_row_clear (row);
          roast_row_set_string (row, 0, kind->prefix);
          roast_row_set_string (row, 1, phases[k].name);
          roast_row_set_int64 (row, 2, phase->n);
          roast_row_set_double (row, 3, phase->sum);
          roast_row_set_double (row, 4, phase->sum / (double) phase->n);
          roast_row_set_double (row, 5, phase->max);
          if (phases[k].bytes >= 0)
            roast_row_set_int64 (row, 6, llround (phase->bytes));
          roast_table_append (table, row, NULL);
        }
    }
  roast_report_add_table (report, table);
}

static int
compare_losses (const Loss **a, const Loss **b)
{
  if ((*a)->core_seconds != (*b)->core_seconds)
    return (*a)->core_seconds < (*b)->core_seconds ? 1 : -1;

  return g_strcmp0 ((*a)->error, (*b)->error);
}

static void
add_wasted (RoastReport *report, Sums *sums)
{
  g_autoptr (RoastTable) table = roast_table_new ("wasted", ROAST_TABLE_KIND_LOG, "Attempts that were in vain, and why");
  g_autoptr (RoastRow) row = NULL;

  roast_table_add_column (table, "status", ROAST_COLUMN_TYPE_CATEGORY, NULL, "lost, failed, exhausted, cancelled", NULL);
  roast_table_add_column (table, "reason", ROAST_COLUMN_TYPE_CATEGORY, NULL, "what the executor says of it", NULL);
  roast_table_add_column (table, "attempts", ROAST_COLUMN_TYPE_INT64, NULL, "how many", NULL);
  roast_table_add_column (table, "core_seconds", ROAST_COLUMN_TYPE_DOUBLE, "s",
                          "cores times the time they were kept busy; of lost ones at most", NULL);
  row = roast_row_new (table);
  g_ptr_array_sort (sums->reasons, (GCompareFunc) compare_losses);
  for (guint i = 0; i < sums->reasons->len; i++)
    {
      const Loss *loss = g_ptr_array_index (sums->reasons, i);

      roast_row_clear (row);
      roast_row_set_string (row, 0, loss->status);
      if (loss->error != NULL)
        roast_row_set_string (row, 1, loss->error);
      roast_row_set_int64 (row, 2, loss->n);
      roast_row_set_double (row, 3, loss->core_seconds);
      roast_table_append (table, row, NULL);
    }
  if (sums->reasons->len > 0)
    roast_report_add_table (report, table);
}

static void
add_metrics (RoastReport *report, Sums *sums, const char *dropped)
{
  const char *vague = sums->vague_seconds > 0
                          ? "of attempts without a result it is known when they were given up, not when they began"
                          : NULL;
  const char *note = dropped != NULL ? dropped : vague;
  RoastCompleteness completeness = note != NULL ? ROAST_COMPLETENESS_ESTIMATED : ROAST_COMPLETENESS_COMPLETE;
  RoastCompleteness mean = dropped != NULL ? ROAST_COMPLETENESS_ESTIMATED : ROAST_COMPLETENESS_COMPLETE;
  RoastCompleteness most = dropped != NULL ? ROAST_COMPLETENESS_PARTIAL : ROAST_COMPLETENESS_COMPLETE;
  double all = sums->good + sums->wasted;
  Phase queue = { 0 };

  for (guint i = 0; i < sums->order->len; i++)
    {
      const Kind *kind = g_ptr_array_index (sums->order, i);

      queue.n += kind->phases[QUEUE].n;
      queue.sum += kind->phases[QUEUE].sum;
      queue.max = MAX (queue.max, kind->phases[QUEUE].max);
    }
  if (sums->peak >= 0)
    lifecycle_add_count (report, "task_memory_peak_bytes", sums->peak, dropped);
  else
    lifecycle_add_unavailable (report, "task_memory_peak_bytes", "the memory of no attempt was measured");
  lifecycle_add_count (report, "attempts_lost_total", sums->lost, dropped);
  lifecycle_add_count (report, "attempts_exhausted_total", sums->exhausted, dropped);
  lifecycle_add_count (report, "attempts_retried_total", sums->retried, dropped);
  lifecycle_add (report, "wasted_core_seconds", sums->wasted, completeness, note);
  if (all > 0)
    lifecycle_add (report, "wasted_ratio", sums->wasted / all, completeness, note);
  else
    lifecycle_add_unavailable (report, "wasted_ratio", "no attempt tells how long it took");
  if (queue.n > 0)
    {
      lifecycle_add (report, "queue_time_mean_seconds", queue.sum / (double) queue.n, mean, dropped);
      lifecycle_add (report, "queue_time_max_seconds", queue.max, most, dropped);
    }
  else
    {
      lifecycle_add_unavailable (report, "queue_time_mean_seconds",
                                 "no attempt tells when it was submitted and dispatched");
      lifecycle_add_unavailable (report, "queue_time_max_seconds",
                                 "no attempt tells when it was submitted and dispatched");
    }
}

void
lifecycle_add_attempts (RoastReport *report, RoastRecordingSnapshot *recording)
{
  static const char *const names[] = { "attempts_lost_total",    "attempts_exhausted_total",
                                       "attempts_retried_total", "wasted_core_seconds",
                                       "wasted_ratio",           "queue_time_mean_seconds",
                                       "queue_time_max_seconds", "task_memory_peak_bytes" };
  LifecycleTable table = { 0 };
  Sums sums = { .peak = -1 };

  lifecycle_table_open (&table, recording, "tasks", columns);
  sums.kinds = g_hash_table_new (g_str_hash, g_str_equal);
  sums.order = g_ptr_array_new_with_free_func (g_free);
  sums.losses = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  sums.reasons = g_ptr_array_new_with_free_func (g_free);
  read_attempts (&sums, &table);
  if (sums.n > 0)
    {
      add_metrics (report, &sums, lifecycle_find_dropped (recording));
      add_per_phase (report, &sums);
      add_wasted (report, &sums);
    }
  for (guint i = 0; sums.n == 0 && i < G_N_ELEMENTS (names); i++)
    lifecycle_add_unavailable (report, names[i], "no row of an attempt tells when it was given to a worker");
  g_hash_table_unref (sums.kinds);
  g_hash_table_unref (sums.losses);
  g_ptr_array_unref (sums.order);
  g_ptr_array_unref (sums.reasons);
}
