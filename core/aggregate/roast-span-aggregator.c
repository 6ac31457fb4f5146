/* SPDX-License-Identifier: BSD-3-Clause */

/* What was used and processed in each span: a derived table. Spans are windows of time, so that what overlaps them in
 * time counts, whoever did it. */

#include <math.h>

#include "report/roast-aggregation-private.h"
#include "roast-builtin-aggregators-private.h"

struct _RoastSpanAggregator
{
  GObject parent_instance;
};

static void aggregator_iface_init (RoastAggregatorInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (RoastSpanAggregator, roast_span_aggregator, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_AGGREGATOR, aggregator_iface_init))

enum
{
  COLUMN_SOURCE,
  COLUMN_SPAN,
  COLUMN_NAME,
  COLUMN_PARENT,
  COLUMN_DURATION,
  COLUMN_CPU,
  COLUMN_MEMORY,
  COLUMN_EVENTS,
  COLUMN_BYTES,
};

/* One source at one time; cpu is cumulative. */
typedef struct
{
  double time, cpu, memory;
} Sample;

typedef struct
{
  GHashTable *sources; /* name → GArray of Sample, in order of time */
  GArray *chunks;      /* of Chunk */
} Context;

typedef struct
{
  double ended, events, bytes;
} Chunk;

static RoastTable *
new_table (void)
{
  RoastTable *table =
      roast_table_new ("span_totals", ROAST_TABLE_KIND_LOG, "What was used and processed while each span was open");

  roast_table_add_column (table, "source", ROAST_COLUMN_TYPE_CATEGORY, NULL, "what the span came from", NULL);
  roast_table_add_column (table, "span", ROAST_COLUMN_TYPE_STRING, NULL, "identity of the span within its source", NULL);
  roast_table_add_column (table, "name", ROAST_COLUMN_TYPE_STRING, NULL, "name", NULL);
  roast_table_add_column (table, "parent", ROAST_COLUMN_TYPE_STRING, NULL, "span around it", NULL);
  roast_table_add_column (table, "duration", ROAST_COLUMN_TYPE_DOUBLE, "s", "from its start to its end", NULL);
  roast_table_add_column (table, "cpu", ROAST_COLUMN_TYPE_DOUBLE, "s",
                          "CPU time of all meanwhile, interpolated between samples; missing if there was none on "
                          "either side",
                          NULL);
  roast_table_add_column (table, "memory_peak", ROAST_COLUMN_TYPE_INT64, "B",
                          "greatest resident memory of one source at a sample in it; missing if there was no sample",
                          NULL);
  roast_table_add_column (table, "events", ROAST_COLUMN_TYPE_INT64, NULL, "events of the chunks that ended in it", NULL);
  roast_table_add_column (table, "bytes_read", ROAST_COLUMN_TYPE_INT64, "B", "bytes read for the chunks that ended in it",
                          NULL);

  return table;
}

static guint
column (RoastTableSnapshot *table, const char *name)
{
  return (guint) roast_table_snapshot_find_column (table, name);
}

static void
collect_samples (RoastTableSnapshot *table, double started, GHashTable *sources)
{
  guint64 n_rows = table != NULL ? roast_table_snapshot_get_n_rows (table) : 0;

  for (guint64 row = 0; row < n_rows; row++)
    {
      const char *name = roast_table_snapshot_get_string (table, row, column (table, "source"));
      Sample sample = { roast_table_snapshot_get_double (table, row, column (table, "time")),
                        roast_table_snapshot_get_double (table, row, column (table, "cpu")),
                        roast_table_snapshot_get_double (table, row, column (table, "memory")) };
      GArray *samples = g_hash_table_lookup (sources, name != NULL ? name : "");

      if (samples == NULL)
        {
          /* What is measured is measured from the start of the session on. */
          Sample first = { started, 0, NAN };

          samples = g_array_new (FALSE, FALSE, sizeof (Sample));
          g_hash_table_insert (sources, g_strdup (name != NULL ? name : ""), samples);
          if (!isnan (started) && started < sample.time)
            g_array_append_val (samples, first);
        }
      g_array_append_val (samples, sample);
    }
}

static void
collect_chunks (RoastTableSnapshot *table, GArray *chunks)
{
  guint64 n_rows = table != NULL ? roast_table_snapshot_get_n_rows (table) : 0;

  for (guint64 row = 0; row < n_rows; row++)
    {
      gboolean failed = roast_table_snapshot_is_valid (table, row, column (table, "error"));
      Chunk chunk = { roast_table_snapshot_get_double (table, row, column (table, "ended")),
                      failed ? NAN : roast_table_snapshot_get_double (table, row, column (table, "events")),
                      roast_table_snapshot_get_double (table, row, column (table, "bytes_read")) };

      if (!isnan (chunk.ended))
        g_array_append_val (chunks, chunk);
    }
}

/* The first sample that is not before @time. */
static guint
find_sample (GArray *samples, double time)
{
  guint low = 0;
  guint high = samples->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (samples, Sample, middle).time < time)
        low = middle + 1;
      else
        high = middle;
    }

  return low;
}

/* Linear between two samples, as the work between them is taken to be even. NaN where there are none on both sides. */
static double
get_cpu_at (GArray *samples, double time)
{
  guint after = find_sample (samples, time);
  const Sample *a, *b;

  if (after < samples->len && g_array_index (samples, Sample, after).time == time)
    return g_array_index (samples, Sample, after).cpu;
  if (after == 0 || after == samples->len)
    return NAN;
  a = &g_array_index (samples, Sample, after - 1);
  b = &g_array_index (samples, Sample, after);

  return a->cpu + (b->cpu - a->cpu) * (time - a->time) / (b->time - a->time);
}

static double
get_peak (GArray *samples, double started, double ended)
{
  double peak = NAN;

  for (guint i = find_sample (samples, started); i < samples->len; i++)
    {
      const Sample *sample = &g_array_index (samples, Sample, i);

      if (sample->time > ended)
        break;
      peak = isnan (peak) || sample->memory > peak ? sample->memory : peak;
    }

  return peak;
}

static void
set_if (RoastRow *row, guint index, double value)
{
  if (!isnan (value))
    roast_row_set_int64 (row, index, (gint64) value);
}

static void
set_use (Context *context, double started, double ended, RoastRow *row)
{
  GHashTableIter iter;
  gpointer samples;
  double cpu = NAN;
  double peak = NAN;

  g_hash_table_iter_init (&iter, context->sources);
  while (g_hash_table_iter_next (&iter, NULL, &samples))
    {
      double used = get_cpu_at (samples, ended) - get_cpu_at (samples, started);

      if (!isnan (used))
        cpu = isnan (cpu) ? used : cpu + used;
      peak = fmax (peak, get_peak (samples, started, ended));
    }
  if (!isnan (cpu))
    roast_row_set_double (row, COLUMN_CPU, cpu);
  set_if (row, COLUMN_MEMORY, peak);
}

static void
set_work (Context *context, double started, double ended, RoastRow *row)
{
  double events = NAN;
  double bytes = NAN;

  for (guint i = 0; i < context->chunks->len; i++)
    {
      const Chunk *chunk = &g_array_index (context->chunks, Chunk, i);

      if (chunk->ended <= started || chunk->ended > ended)
        continue;
      if (!isnan (chunk->events))
        events = isnan (events) ? chunk->events : events + chunk->events;
      if (!isnan (chunk->bytes))
        bytes = isnan (bytes) ? chunk->bytes : bytes + chunk->bytes;
    }
  set_if (row, COLUMN_EVENTS, events);
  set_if (row, COLUMN_BYTES, bytes);
}

static void
add_span (RoastTableSnapshot *spans, guint64 index, Context *context, RoastTable *table)
{
  static const char *const copied[] = { "source", "span", "name", "parent" };
  double started = roast_table_snapshot_get_double (spans, index, column (spans, "started"));
  double ended = roast_table_snapshot_get_double (spans, index, column (spans, "ended"));
  g_autoptr (RoastRow) row = roast_row_new (table);

  for (guint i = 0; i < G_N_ELEMENTS (copied); i++)
    {
      const char *text = roast_table_snapshot_get_string (spans, index, column (spans, copied[i]));

      if (text != NULL)
        roast_row_set_string (row, i, text);
    }
  /* One that was never closed has no duration. */
  if (!isnan (started) && !isnan (ended))
    {
      roast_row_set_double (row, COLUMN_DURATION, (ended - started) / G_USEC_PER_SEC);
      set_use (context, started, ended, row);
      set_work (context, started, ended, row);
    }
  roast_table_append (table, row, NULL);
}

static gboolean
span_aggregate (RoastAggregator *aggregator, RoastRecordingSnapshot *recording, RoastReport *report,
                GCancellable *cancellable, GError **error)
{
  RoastTableSnapshot *spans = roast_recording_snapshot_get_table (recording, "spans");
  guint64 n_rows = spans != NULL ? roast_table_snapshot_get_n_rows (spans) : 0;
  g_autoptr (RoastTable) table = NULL;
  gint64 started = 0;
  double from = NAN;
  Context context;

  if (n_rows == 0)
    return TRUE;
  if (roast_aggregation_get_int64 (recording, "started", &started))
    from = (double) started;
  context.sources = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref);
  context.chunks = g_array_new (FALSE, FALSE, sizeof (Chunk));
  collect_samples (roast_recording_snapshot_get_table (recording, "cluster_samples"), from, context.sources);
  collect_chunks (roast_recording_snapshot_get_table (recording, "chunks"), context.chunks);
  table = new_table ();
  for (guint64 i = 0; i < n_rows; i++)
    add_span (spans, i, &context, table);
  roast_report_add_table (report, table);
  g_hash_table_unref (context.sources);
  g_array_unref (context.chunks);

  return TRUE;
}

static void
aggregator_iface_init (RoastAggregatorInterface *iface)
{
  iface->aggregate = span_aggregate;
}

static void
roast_span_aggregator_class_init (RoastSpanAggregatorClass *klass)
{
}

static void
roast_span_aggregator_init (RoastSpanAggregator *self)
{
}
