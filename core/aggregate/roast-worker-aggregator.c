/* SPDX-License-Identifier: BSD-3-Clause */

#include <math.h>

#include "report/roast-aggregation-private.h"
#include "report/roast-step-integral-private.h"
#include "roast-builtin-aggregators-private.h"

struct _RoastWorkerAggregator
{
  GObject parent_instance;
};

static void aggregator_iface_init (RoastAggregatorInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (RoastWorkerAggregator, roast_worker_aggregator, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_AGGREGATOR, aggregator_iface_init))

/* What happens at one instant, in this order: who leaves when another joins was not there together with it, and who
 * joins and leaves at once was there. */
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

static int
compare_steps (const Step *a, const Step *b)
{
  if (a->time != b->time)
    return a->time < b->time ? -1 : 1;

  return (int) a->change - (int) b->change;
}

/* What became of the workers of one source. */
typedef struct
{
  const char *name;
  GArray *steps;
  gboolean vague; /* when workers left is known from samples only */
} Source;

static void
source_free (Source *source)
{
  g_array_unref (source->steps);
  g_free (source);
}

static Source *
get_source (GPtrArray *sources, const char *name)
{
  Source *source = NULL;

  for (guint i = 0; i < sources->len; i++)
    {
      source = g_ptr_array_index (sources, i);
      if (g_strcmp0 (source->name, name) == 0)
        return source;
    }
  source = g_new0 (Source, 1);
  source->name = name;
  source->steps = g_array_new (FALSE, FALSE, sizeof (Step));
  g_ptr_array_add (sources, source);

  return source;
}

/* Who did not leave lives to the end. */
static void
collect_sources (RoastTableSnapshot *workers, gint64 end, GPtrArray *sources)
{
  guint joined = (guint) roast_table_snapshot_find_column (workers, "joined");
  guint left = (guint) roast_table_snapshot_find_column (workers, "left");
  guint tail = (guint) roast_table_snapshot_find_column (workers, "tail_lost");
  guint64 n_rows = roast_table_snapshot_get_n_rows (workers);

  for (guint64 row = 0; row < n_rows; row++)
    {
      Source *source = NULL;
      Step in = { roast_table_snapshot_get_int64 (workers, row, joined), JOINS };
      Step out = { end, LEAVES };

      if (!roast_table_snapshot_is_valid (workers, row, joined))
        continue;
      if (roast_table_snapshot_is_valid (workers, row, left))
        out.time = roast_table_snapshot_get_int64 (workers, row, left);
      if (out.time <= in.time)
        out = (Step) { in.time, LEAVES_AT_ONCE };
      source = get_source (sources, roast_table_snapshot_get_string (workers, row, 0));
      source->vague |= roast_table_snapshot_get_double (workers, row, tail) > 0;
      g_array_append_val (source->steps, in);
      g_array_append_val (source->steps, out);
    }
}

/* The exact numbers, from who joined and left when. */
static void
sweep (GArray *steps, double *average, int *peak)
{
  double integral = 0;
  double duration;
  int now = 0;

  g_array_sort (steps, (GCompareFunc) compare_steps);
  for (guint i = 0; i < steps->len; i++)
    {
      const Step *step = &g_array_index (steps, Step, i);

      if (i > 0)
        integral += now * (double) (step->time - g_array_index (steps, Step, i - 1).time);
      now += step->change == JOINS ? 1 : -1;
      *peak = MAX (*peak, now);
    }
  duration = (double) (g_array_index (steps, Step, steps->len - 1).time - g_array_index (steps, Step, 0).time);
  *average = duration > 0 ? integral / duration : NAN;
}

static void
unavailable (RoastReport *report, const char *reason)
{
  roast_aggregation_add_unavailable (report, "workers_average", reason);
  roast_aggregation_add_unavailable (report, "workers_peak", reason);
}

static void
add_average (RoastReport *report, double average, RoastCompleteness completeness, const char *note)
{
  if (isnan (average))
    roast_aggregation_add_unavailable (report, "workers_average",
                                       "no time passed between the first to join and the last to leave");
  else
    roast_aggregation_add_qualified (report, "workers_average", average, FALSE, completeness, note);
}

/* If ends are vague, two that followed each other would seem to have lived together: who was there at one sample did.
 */
static gboolean
add_from_samples (RoastRecordingSnapshot *recording, RoastReport *report, const Source *source)
{
  RoastStepIntegral samples = roast_step_integral_of (roast_recording_snapshot_get_table (recording, "cluster_samples"),
                                                      "workers", source->name);
  g_autofree char *note = NULL;

  if (!source->vague || samples.n == 0)
    return FALSE;
  note = g_strdup_printf ("of %" G_GUINT64_FORMAT " samples", samples.n);
  roast_aggregation_add_qualified (report, "workers_peak", samples.max, TRUE, ROAST_COMPLETENESS_ESTIMATED, note);
  add_average (report, samples.average, ROAST_COMPLETENESS_ESTIMATED, note);

  return TRUE;
}

static void
add_from_lives (RoastReport *report, GPtrArray *sources)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (Step));
  g_autofree char *note = sources->len > 1 ? g_strdup_printf ("of %u sources together", sources->len) : NULL;
  double average = NAN;
  int peak = 0;

  for (guint i = 0; i < sources->len; i++)
    {
      const Source *source = g_ptr_array_index (sources, i);

      g_array_append_vals (steps, source->steps->data, source->steps->len);
    }
  sweep (steps, &average, &peak);
  roast_aggregation_add_qualified (report, "workers_peak", peak, TRUE, ROAST_COMPLETENESS_COMPLETE, note);
  add_average (report, average, ROAST_COMPLETENESS_COMPLETE, note);
}

static gboolean
worker_aggregate (RoastAggregator *aggregator, RoastRecordingSnapshot *recording, RoastReport *report,
                  GCancellable *cancellable, GError **error)
{
  RoastTableSnapshot *workers = roast_recording_snapshot_get_table (recording, "workers");
  g_autoptr (GPtrArray) sources = g_ptr_array_new_with_free_func ((GDestroyNotify) source_free);
  gint64 end = 0;

  if (workers == NULL || roast_table_snapshot_get_n_rows (workers) == 0)
    {
      unavailable (report,
                   "no worker was seen: the program ended before its first sample, or the backend knows of none");
      return TRUE;
    }
  if (!roast_aggregation_get_int64 (recording, "ended", &end))
    end = g_get_real_time ();
  collect_sources (workers, end, sources);
  if (sources->len == 0)
    unavailable (report, "the backend does not tell when workers joined");
  else if (sources->len > 1 || !add_from_samples (recording, report, g_ptr_array_index (sources, 0)))
    add_from_lives (report, sources);

  return TRUE;
}

static char **
worker_dup_provides (RoastAggregator *aggregator)
{
  static const char *const names[] = { "workers_average", "workers_peak", NULL };

  return g_strdupv ((char **) names);
}

static void
aggregator_iface_init (RoastAggregatorInterface *iface)
{
  iface->dup_provides = worker_dup_provides;
  iface->aggregate = worker_aggregate;
}

static void
roast_worker_aggregator_class_init (RoastWorkerAggregatorClass *klass)
{
}

static void
roast_worker_aggregator_init (RoastWorkerAggregator *self)
{
}
