/* SPDX-License-Identifier: BSD-3-Clause */

/* Add the peak and the average number of workers. */

#include <math.h>

#include "analysis.h"
#include "notes.h"
#include "workers-tables.h"
#include "workers.h"

/* Changes, in the order in which they are applied if they have the same time. If one worker leaves when another
 * joins, they were not present together, so leaving comes first. A worker that joins and leaves at the same time was
 * present. */
typedef enum
{
  LEAVES,
  JOINS,
  LEAVES_AT_ONCE,
} WorkersChange;

typedef struct
{
  gint64 time;
  WorkersChange change;
} WorkersStep;

typedef struct
{
  gint64 joined, seen, left; /* seen: when the worker was last seen; left: latest time at which it may have left */
} WorkersLife;

typedef struct
{
  GArray *all; /* elements are WorkersLife */
  guint n_sources;
  guint n_processes; /* processes of process trees; left out if there are workers of an executor */
  gboolean is_vague; /* the executor may have noticed too late that a worker left */
} Lives;

typedef struct
{
  double average; /* NaN if no time passed */
  int peak;
} Counts;

static int
workers_compare_steps (const WorkersStep *a, const WorkersStep *b)
{
  int order = (a->time > b->time) - (a->time < b->time);

  return order != 0 ? order : (int) a->change - (int) b->change;
}

static void
workers_add_life (GArray *steps, gint64 joined, gint64 left)
{
  WorkersStep in = { joined, JOINS };
  WorkersStep out = { left, LEAVES };

  if (left <= joined)
    out = (WorkersStep) { joined, LEAVES_AT_ONCE };
  g_array_append_val (steps, in);
  g_array_append_val (steps, out);
}

/* Return whether an executor counted its workers, even if it had none. A program that only reports to roast is no
 * executor. */
static gboolean
has_executor (RoastRecordingSnapshot *recording, RoastRunModel *model)
{
  g_autoptr (RoastTableReader) table = roast_cluster_samples_read (recording);

  while (roast_table_reader_next (table))
    {
      const char *source = roast_table_reader_get_string (table, ROAST_CLUSTER_SAMPLES_SOURCE);

      if (source != NULL && !roast_run_model_is_process_tree (model, source))
        return TRUE;
    }

  return FALSE;
}

/* Collect when workers joined and left. If a worker did not leave, it was present until @end. Processes count as
 * workers only if there is no executor. */
static void
collect_lives (RoastRecordingSnapshot *recording, RoastRunModel *model, double end, Lives *lives)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  guint n;
  const RoastRunWorker *workers = roast_run_model_get_workers (model, &n);

  for (guint i = 0; i < n; i++)
    lives->n_processes += workers[i].is_process;
  if (lives->n_processes == n && (roast_run_model_has_only_processes (model) || !has_executor (recording, model)))
    lives->n_processes = 0;
  for (guint i = 0; i < n; i++)
    {
      double left = isnan (workers[i].left) ? end : workers[i].left;
      double tail = fmax (workers[i].tail_lost, 0);
      WorkersLife life = { (gint64) workers[i].joined, (gint64) left - (gint64) (tail * G_USEC_PER_SEC),
                           (gint64) left };

      if (isnan (workers[i].joined) || (lives->n_processes > 0 && workers[i].is_process))
        continue;
      g_hash_table_add (seen, (gpointer) workers[i].source);
      lives->is_vague |= tail > 0;
      g_array_append_val (lives->all, life);
    }
  lives->n_sources = g_hash_table_size (seen);
}

static void
add_unavailable (RoastReport *report, const char *reason)
{
  roast_report_add_unavailable (report, "workers_average", reason);
  roast_report_add_unavailable (report, "workers_peak", reason);
}

static char *
workers_dup_note (const Lives *lives)
{
  g_autofree char *together = lives->n_sources > 1 ? g_strdup_printf ("sum over %u sources", lives->n_sources) : NULL;
  g_autofree char *apart =
      lives->n_processes > 0
          ? g_strdup_printf ("only workers of the executor are counted, not the program's %u processes",
                             lives->n_processes)
          : NULL;

  return notes_join (together, apart);
}

static Counts
count (GArray *lives, gboolean is_early)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (WorkersStep));
  double integral = 0;
  int now = 0;
  Counts counts = { 0 };

  FOR_EACH (const WorkersLife, life, lives)
    workers_add_life (steps, life->joined, is_early ? life->seen : life->left);
  g_array_sort (steps, (GCompareFunc) workers_compare_steps);
  for (guint i = 0; i < steps->len; i++)
    {
      const WorkersStep *step = &g_array_index (steps, WorkersStep, i);

      if (i > 0)
        integral += now * (double) (step->time - g_array_index (steps, WorkersStep, i - 1).time);
      now += step->change == JOINS ? 1 : -1;
      counts.peak = MAX (counts.peak, now);
    }
  /* The average is 0 / 0, which is NaN, if no time passed. */
  counts.average = integral / (double) (g_array_index (steps, WorkersStep, steps->len - 1).time -
                                        g_array_index (steps, WorkersStep, 0).time);

  return counts;
}

/* Add the average and the peak number of workers. If the executor may have noticed too late that a worker left, the
 * worker was present at least until it was last seen. In this case, each number lies between two bounds. */
static void
add_counts (RoastReport *report, const Lives *lives)
{
  g_autofree char *note = workers_dup_note (lives);
  Counts most = count (lives->all, FALSE);
  Counts least = lives->is_vague ? count (lives->all, TRUE) : most;
  RoastCompleteness completeness = lives->is_vague ? ROAST_COMPLETENESS_ESTIMATED : ROAST_COMPLETENESS_COMPLETE;
  g_autofree char *averages = lives->is_vague ? g_strdup_printf ("from %.4g to %.4g, depending on when workers left",
                                                                 least.average, most.average)
                                              : NULL;
  g_autofree char *average_note = notes_join (averages, note);

  if (most.peak == least.peak)
    roast_report_add_int64 (report, "workers_peak", most.peak, ROAST_COMPLETENESS_COMPLETE, note);
  else
    {
      g_autofree char *peaks = g_strdup_printf ("from %d to %d, depending on when workers left", least.peak, most.peak);
      g_autofree char *peak_note = notes_join (peaks, note);

      roast_report_add_int64 (report, "workers_peak", most.peak, ROAST_COMPLETENESS_ESTIMATED, peak_note);
    }
  if (isnan (most.average))
    roast_report_add_unavailable (report, "workers_average",
                                  "no time passed between the arrival of the first worker and the departure of the "
                                  "last worker");
  else
    roast_report_add_double (report, "workers_average", most.average, completeness, average_note);
}

static void
workers_aggregate (RoastRecordingSnapshot *recording, RoastReport *report)
{
  RoastRunModel *model = roast_run_model_get (recording);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (WorkersLife));
  Lives lives = { .all = all };
  double started, ended;
  guint n;

  roast_run_model_get_workers (model, &n);
  roast_run_model_get_times (model, &started, &ended);
  collect_lives (recording, model, isnan (ended) ? (double) g_get_real_time () : ended, &lives);
  if (n == 0)
    add_unavailable (report, "no worker was seen: the program ended before its first sample, or the backend does not "
                             "observe workers");
  else if (lives.n_processes == n)
    add_unavailable (report, "no worker of the executor was seen");
  else if (lives.n_sources == 0)
    add_unavailable (report, "the backend does not record when workers joined");
  else
    add_counts (report, &lives);

  workers_add_sampled (recording, report);

  /* If all workers are processes, do not read the samples, because a recording may contain very many samples of
   * processes. */
  if (!roast_run_model_has_only_processes (model))
    workers_write_over_time (recording, report);
}

const Analysis analysis_workers = { "workers", workers_aggregate, workers_metrics, NULL,
                                    ROAST_TABLE_WORKERS_OVER_TIME };
