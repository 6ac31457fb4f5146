/* SPDX-License-Identifier: BSD-3-Clause */

/* How many workers there were: at most, and on average. */

#include <gmodule.h>
#include <math.h>

#include "metadata.h"
#include "step-integral.h"

typedef struct
{
  GObject parent_instance;
} RoastWorkersAggregator;

/* Changes at one instant, in this order: a worker that leaves when another joins was not there together with it, and
 * one that joins and leaves at once was there. */
typedef enum
{
  LEAVES,
  JOINS,
  LEAVES_AT_ONCE,
} Change;

typedef struct
{
  gint64 time;
  Change change;
} Step;

/* Joins and departures of all workers. */
typedef struct
{
  GArray *steps;
  guint n_sources;
  guint n_processes;  /* of sources beside the executor's, which do not count */
  const char *source; /* the last */
  gboolean is_vague;  /* times of departure are known from samples only */
} Lives;

static int
compare_steps (const Step *a, const Step *b)
{
  if (a->time != b->time)
    return a->time < b->time ? -1 : 1;

  return (int) a->change - (int) b->change;
}

/* Names of the sources whose workers are processes. */
static GHashTable *
read_process_sources (RoastTableReader *sources)
{
  GHashTable *found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  while (roast_table_reader_next (sources))
    if (roast_table_reader_get_word (sources, ROAST_SOURCES_WORKER_KIND) == ROAST_WORKER_KIND_PROCESS)
      g_hash_table_add (found, g_strdup (roast_table_reader_get_string (sources, ROAST_SOURCES_SOURCE)));

  return found;
}

static gboolean
is_process (RoastTableReader *workers, GHashTable *process_sources)
{
  const char *source = roast_table_reader_get_string (workers, ROAST_WORKERS_SOURCE);

  return source != NULL && g_hash_table_contains (process_sources, source);
}

/* A worker of an executor is a process as well: where there are both, it must not count twice. */
static guint
count_processes_beside_workers (RoastTableReader *workers, GHashTable *process_sources)
{
  guint n_processes = 0;
  guint n_workers = 0;

  roast_table_reader_rewind (workers);
  while (roast_table_reader_next (workers))
    {
      if (is_process (workers, process_sources))
        n_processes++;
      else
        n_workers++;
    }
  roast_table_reader_rewind (workers);

  return n_workers > 0 ? n_processes : 0;
}

/* A worker that did not leave was there to the end. */
static void
collect_lives (RoastTableReader *workers, GHashTable *process_sources, gint64 end, Lives *lives)
{
  static const guint source = ROAST_WORKERS_SOURCE;
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  roast_table_reader_group_by (workers, &source, 1);
  lives->n_processes = count_processes_beside_workers (workers, process_sources);
  while (roast_table_reader_next (workers))
    {
      Step in = { roast_table_reader_get_int64 (workers, ROAST_WORKERS_JOINED, 0), JOINS };
      Step out = { roast_table_reader_get_int64 (workers, ROAST_WORKERS_LEFT, end), LEAVES };

      if (!roast_table_reader_has (workers, ROAST_WORKERS_JOINED) ||
          (lives->n_processes > 0 && is_process (workers, process_sources)))
        continue;
      if (out.time <= in.time)
        out = (Step) { in.time, LEAVES_AT_ONCE };
      g_hash_table_add (seen, GUINT_TO_POINTER (roast_table_reader_get_group (workers)));
      lives->source = roast_table_reader_get_string (workers, ROAST_WORKERS_SOURCE);
      lives->is_vague |= roast_table_reader_get_double (workers, ROAST_WORKERS_TAIL_LOST) > 0;
      g_array_append_val (lives->steps, in);
      g_array_append_val (lives->steps, out);
    }
  lives->n_sources = g_hash_table_size (seen);
}

static void
add_unavailable (RoastReport *report, const char *reason)
{
  roast_report_add_unavailable (report, "workers_average", reason);
  roast_report_add_unavailable (report, "workers_peak", reason);
}

static void
add (RoastReport *report, double average, gint64 peak, RoastCompleteness completeness, const char *note)
{
  roast_report_add_int64 (report, "workers_peak", peak, completeness, note);
  if (isnan (average))
    roast_report_add_unavailable (report, "workers_average",
                                  "no time passed between the first worker's arrival and the last one's departure");
  else
    roast_report_add_double (report, "workers_average", average, completeness, note);
}

static char *
dup_note (const Lives *lives)
{
  g_autofree char *together =
      lives->n_sources > 1 ? g_strdup_printf ("of %u sources together", lives->n_sources) : NULL;
  g_autofree char *apart =
      lives->n_processes > 0
          ? g_strdup_printf ("the executor's; the program's %u processes do not count", lives->n_processes)
          : NULL;

  return together != NULL && apart != NULL ? g_strdup_printf ("%s; %s", together, apart)
                                           : g_strdup (together != NULL ? together : apart);
}

/* The exact numbers. */
static void
add_from_lives (RoastReport *report, const Lives *lives)
{
  GArray *steps = lives->steps;
  g_autofree char *note = dup_note (lives);
  double integral = 0;
  double duration;
  int now = 0;
  int peak = 0;

  g_array_sort (steps, (GCompareFunc) compare_steps);
  for (guint i = 0; i < steps->len; i++)
    {
      const Step *step = &g_array_index (steps, Step, i);

      if (i > 0)
        integral += now * (double) (step->time - g_array_index (steps, Step, i - 1).time);
      now += step->change == JOINS ? 1 : -1;
      peak = MAX (peak, now);
    }
  duration = (double) (g_array_index (steps, Step, steps->len - 1).time - g_array_index (steps, Step, 0).time);
  add (report, duration > 0 ? integral / duration : NAN, peak, ROAST_COMPLETENESS_COMPLETE, note);
}

/* With vague departures two workers that followed each other would seem to have been there together: only those that
 * one sample saw were. */
static gboolean
add_from_samples (RoastRecordingSnapshot *recording, RoastReport *report, const char *source)
{
  g_autoptr (RoastTableReader) samples =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_CLUSTER_SAMPLES, roast_cluster_samples_columns, NULL);
  g_autofree char *note = NULL;
  StepIntegral workers = { 0 };

  if (samples != NULL)
    workers = step_integral (samples, ROAST_CLUSTER_SAMPLES_WORKERS, source);
  if (workers.n == 0)
    return FALSE;
  note = step_integral_dup_note (&workers);
  add (report, workers.average, (gint64) workers.max, ROAST_COMPLETENESS_ESTIMATED, note);

  return TRUE;
}

static gboolean
workers_aggregate (RoastAggregator *aggregator, RoastRecordingSnapshot *recording, RoastReport *report,
                   GCancellable *cancellable, GError **error)
{
  g_autoptr (RoastTableReader) workers =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_WORKERS, roast_workers_columns, error);
  g_autoptr (RoastTableReader) sources =
      workers != NULL
          ? roast_recording_snapshot_read_table (recording, ROAST_TABLE_SOURCES, roast_sources_columns, error)
          : NULL;
  g_autoptr (GHashTable) process_sources = NULL;
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (Step));
  Lives lives = { .steps = steps };
  gint64 end = 0;

  if (workers == NULL || sources == NULL)
    return FALSE;
  process_sources = read_process_sources (sources);
  if (!metadata_get_int64 (recording, "ended", &end))
    end = g_get_real_time ();
  collect_lives (workers, process_sources, end, &lives);
  if (roast_table_reader_get_n_rows (workers) == 0)
    add_unavailable (report, "no worker was seen: the program ended before its first sample, or the backend does not "
                             "observe workers");
  else if (lives.n_sources == 0)
    add_unavailable (report, "the backend does not record when workers joined");
  else if (lives.n_sources > 1 || !lives.is_vague || !add_from_samples (recording, report, lives.source))
    add_from_lives (report, &lives);

  return TRUE;
}

static char **
workers_dup_provides (RoastAggregator *aggregator)
{
  static const char *const names[] = { "workers_average", "workers_peak", NULL };

  return g_strdupv ((char **) names);
}

ROAST_DEFINE_AGGREGATOR (RoastWorkersAggregator, roast_workers_aggregator, iface->dup_provides = workers_dup_provides;
                         iface->aggregate = workers_aggregate)

ROAST_DEFINE_PLUGIN ("workers", PLUGIN_VERSION, ROAST_PLUGIN_AGGREGATOR ("workers", roast_workers_aggregator_get_type))
