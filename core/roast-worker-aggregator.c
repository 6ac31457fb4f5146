/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-aggregation-private.h"
#include "roast-builtin-aggregators-private.h"

struct _RoastWorkerAggregator
{
  GObject parent_instance;
};

static void aggregator_iface_init (RoastAggregatorInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (RoastWorkerAggregator,
                               roast_worker_aggregator,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_AGGREGATOR, aggregator_iface_init))

/* One more, or one less, from a time on. */
typedef struct
{
  gint64 time;
  int change;
} Step;

static int
compare_steps (const Step *a, const Step *b)
{
  if (a->time != b->time)
    return a->time < b->time ? -1 : 1;

  /* Who leaves at the instant at which another joins was not there together with it. */
  return a->change - b->change;
}

static GArray *
collect_steps (RoastTableSnapshot *workers, gint64 end)
{
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (Step));
  guint joined = (guint) roast_table_snapshot_find_column (workers, "joined");
  guint left = (guint) roast_table_snapshot_find_column (workers, "left");
  guint64 n_rows = roast_table_snapshot_get_n_rows (workers);

  for (guint64 row = 0; row < n_rows; row++)
    {
      Step in = { roast_table_snapshot_get_int64 (workers, row, joined), 1 };
      Step out = { end, -1 };

      if (!roast_table_snapshot_is_valid (workers, row, joined))
        continue;
      if (roast_table_snapshot_is_valid (workers, row, left))
        out.time = roast_table_snapshot_get_int64 (workers, row, left);
      out.time = MAX (out.time, in.time);
      g_array_append_val (steps, in);
      g_array_append_val (steps, out);
    }
  g_array_sort (steps, (GCompareFunc) compare_steps);

  return steps;
}

static void
unavailable (RoastReport *report, const char *reason)
{
  roast_aggregation_add_unavailable (report, "workers_average", reason);
  roast_aggregation_add_unavailable (report, "workers_peak", reason);
}

static gboolean
worker_aggregate (RoastAggregator        *aggregator,
                  RoastRecordingSnapshot *recording,
                  RoastReport            *report,
                  GCancellable           *cancellable,
                  GError                **error)
{
  RoastTableSnapshot *workers = roast_recording_snapshot_get_table (recording, "workers");
  g_autoptr (GArray) steps = NULL;
  gint64 end = 0;
  double integral = 0;
  int now = 0;
  int peak = 0;

  if (workers == NULL || roast_table_snapshot_get_n_rows (workers) == 0)
    {
      unavailable (report, "no worker was seen: the program ended before its first sample, or the backend knows of none");
      return TRUE;
    }
  if (!roast_aggregation_get_int64 (recording, "ended", &end))
    end = g_get_real_time ();
  steps = collect_steps (workers, end);
  if (steps->len == 0)
    {
      unavailable (report, "the backend does not tell when workers joined");
      return TRUE;
    }

  for (guint i = 0; i < steps->len; i++)
    {
      const Step *step = &g_array_index (steps, Step, i);

      if (i > 0)
        integral += now * (double) (step->time - g_array_index (steps, Step, i - 1).time);
      now += step->change;
      peak = MAX (peak, now);
    }
  roast_aggregation_add_int64 (report, "workers_peak", peak);
  if (g_array_index (steps, Step, steps->len - 1).time > g_array_index (steps, Step, 0).time)
    roast_aggregation_add_double (
        report, "workers_average",
        integral / (double) (g_array_index (steps, Step, steps->len - 1).time - g_array_index (steps, Step, 0).time));
  else
    roast_aggregation_add_unavailable (report, "workers_average", "no time passed between the first to join and the last to leave");

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
