/* SPDX-License-Identifier: BSD-3-Clause */

/* What was used and processed in each span: the table span_totals. Spans are stretches of time: what overlaps one
 * counts, whichever source did it. */

#include <gmodule.h>
#include <math.h>

#include "metadata.h"
#include "partial-sum.h"
#include "spans-tables.h"

typedef struct
{
  GObject parent_instance;
} RoastSpansAggregator;

/* One source at one time; cpu is cumulative. */
typedef struct
{
  double time, cpu, memory;
} Sample;

typedef struct
{
  double ended, events, bytes;
} Chunk;

typedef struct
{
  GPtrArray *sources; /* arrays of Sample, in order of time */
  GArray *chunks;     /* of Chunk */
} Use;

/* Measurement begins with the session: before the first sample of a source nothing was used. */
static gboolean
collect_samples (RoastRecordingSnapshot *recording, GPtrArray *sources, GError **error)
{
  static const guint key = ROAST_CLUSTER_SAMPLES_SOURCE;
  g_autoptr (RoastTableReader) table = roast_recording_snapshot_read_table (recording, ROAST_TABLE_CLUSTER_SAMPLES,
                                                                            roast_cluster_samples_columns, error);
  gint64 started = G_MAXINT64;

  if (table == NULL)
    return FALSE;
  metadata_get_int64 (recording, "started", &started);
  roast_table_reader_group_by (table, &key, 1);
  while (roast_table_reader_next (table))
    {
      guint source = roast_table_reader_get_group (table);
      Sample first = { (double) started, 0, NAN };
      Sample sample = { roast_table_reader_get_double (table, ROAST_CLUSTER_SAMPLES_TIME),
                        roast_table_reader_get_double (table, ROAST_CLUSTER_SAMPLES_CPU),
                        roast_table_reader_get_double (table, ROAST_CLUSTER_SAMPLES_MEMORY) };

      if (source == sources->len)
        {
          g_ptr_array_add (sources, g_array_new (FALSE, FALSE, sizeof (Sample)));
          if (first.time < sample.time)
            g_array_append_val (g_ptr_array_index (sources, source), first);
        }
      g_array_append_val (g_ptr_array_index (sources, source), sample);
    }

  return TRUE;
}

static gboolean
collect_chunks (RoastRecordingSnapshot *recording, GArray *chunks, GError **error)
{
  g_autoptr (RoastTableReader) table =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_CHUNKS, roast_chunks_columns, error);

  if (table == NULL)
    return FALSE;
  while (roast_table_reader_next (table))
    {
      gboolean failed = roast_table_reader_has (table, ROAST_CHUNKS_ERROR);
      Chunk chunk = { roast_table_reader_get_double (table, ROAST_CHUNKS_ENDED),
                      failed ? NAN : roast_table_reader_get_double (table, ROAST_CHUNKS_EVENTS),
                      roast_table_reader_get_double (table, ROAST_CHUNKS_BYTES_READ) };

      if (!isnan (chunk.ended))
        g_array_append_val (chunks, chunk);
    }

  return TRUE;
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

/* Linear between two samples, as if the work between them were even. NaN without samples on both sides. */
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
      peak = fmax (peak, sample->memory);
    }

  return peak;
}

static void
set_use (const Use *use, double started, double ended, RoastTableWriter *row)
{
  double cpu = NAN, peak = NAN, events = NAN, bytes = NAN;

  for (guint i = 0; i < use->sources->len; i++)
    {
      GArray *samples = g_ptr_array_index (use->sources, i);

      partial_sum_add (&cpu, get_cpu_at (samples, ended) - get_cpu_at (samples, started));
      peak = fmax (peak, get_peak (samples, started, ended));
    }
  for (guint i = 0; i < use->chunks->len; i++)
    {
      const Chunk *chunk = &g_array_index (use->chunks, Chunk, i);

      if (chunk->ended <= started || chunk->ended > ended)
        continue;
      partial_sum_add (&events, chunk->events);
      partial_sum_add (&bytes, chunk->bytes);
    }
  roast_table_writer_set_double (row, ROAST_SPAN_TOTALS_DURATION, (ended - started) / G_USEC_PER_SEC);
  roast_table_writer_set_double (row, ROAST_SPAN_TOTALS_CPU, cpu);
  partial_sum_write (row, ROAST_SPAN_TOTALS_MEMORY_PEAK, peak);
  partial_sum_write (row, ROAST_SPAN_TOTALS_EVENTS, events);
  partial_sum_write (row, ROAST_SPAN_TOTALS_BYTES_READ, bytes);
}

static gboolean
write_spans (RoastTableReader *spans, const Use *use, RoastReport *report, GError **error)
{
  static const guint copied[][2] = {
    { ROAST_SPAN_TOTALS_SOURCE, ROAST_SPANS_SOURCE },
    { ROAST_SPAN_TOTALS_SPAN, ROAST_SPANS_SPAN },
    { ROAST_SPAN_TOTALS_NAME, ROAST_SPANS_NAME },
    { ROAST_SPAN_TOTALS_PARENT, ROAST_SPANS_PARENT },
  };
  g_autoptr (RoastTableWriter) table =
      roast_report_write_table (report, ROAST_TABLE_SPAN_TOTALS, roast_span_totals_columns, error);

  while (table != NULL && roast_table_reader_next (spans))
    {
      double started = roast_table_reader_get_double (spans, ROAST_SPANS_STARTED);
      double ended = roast_table_reader_get_double (spans, ROAST_SPANS_ENDED);

      for (guint i = 0; i < G_N_ELEMENTS (copied); i++)
        roast_table_writer_set_string (table, copied[i][0], roast_table_reader_get_string (spans, copied[i][1]));
      /* One that was never closed has no duration. */
      if (!isnan (started) && !isnan (ended))
        set_use (use, started, ended, table);
      if (!roast_table_writer_end (table, error))
        return FALSE;
    }

  return table != NULL;
}

static gboolean
spans_aggregate (RoastAggregator *aggregator, RoastRecordingSnapshot *recording, RoastReport *report,
                 GCancellable *cancellable, GError **error)
{
  g_autoptr (RoastTableReader) spans =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_SPANS, roast_spans_columns, error);
  g_autoptr (GPtrArray) sources = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_autoptr (GArray) chunks = g_array_new (FALSE, FALSE, sizeof (Chunk));
  Use use = { sources, chunks };

  if (spans == NULL)
    return FALSE;
  if (roast_table_reader_get_n_rows (spans) == 0)
    return TRUE;

  return collect_samples (recording, sources, error) && collect_chunks (recording, chunks, error) &&
         write_spans (spans, &use, report, error);
}

ROAST_DEFINE_AGGREGATOR (RoastSpansAggregator, roast_spans_aggregator, iface->aggregate = spans_aggregate)

ROAST_DEFINE_PLUGIN ("spans", PLUGIN_VERSION, ROAST_PLUGIN_AGGREGATOR ("spans", roast_spans_aggregator_get_type))
