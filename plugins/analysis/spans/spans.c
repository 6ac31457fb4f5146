/* SPDX-License-Identifier: BSD-3-Clause */

/* Write the table span_totals: the resources that were used and the work that was done during each span. Count the
 * samples and chunks of all sources, not only those of the span's source. */

#include <math.h>

#include "analysis.h"
#include "chunk-verdicts.h"
#include "each.h"
#include "partial-sum.h"
#include "row-copy.h"
#include "sampled-cpu.h"
#include "spans-tables.h"

#define MIN_SAMPLES 2 /* minimum number of samples within a span whose CPU time is written */

/* Memory that the workers of one source used at one time. */
typedef struct
{
  double time, memory;
} SpansSample;

typedef struct
{
  double ended, events, bytes;
} SpansChunk;

typedef struct
{
  SampledCpu *cpu;
  GArray *samples; /* elements are SpansSample */
  GArray *chunks;  /* elements are SpansChunk */
  double from, to; /* bounds of the time in which chunks may be missing; NaN if none are missing */
} SpansUse;

static void
collect_samples (RoastRecordingSnapshot *recording, GArray *samples)
{
  g_autoptr (RoastTableReader) table = roast_cluster_samples_read (recording);

  while (roast_table_reader_next (table))
    {
      SpansSample sample = { roast_table_reader_get_double (table, ROAST_CLUSTER_SAMPLES_TIME),
                             roast_table_reader_get_double (table, ROAST_CLUSTER_SAMPLES_MEMORY) };

      g_array_append_val (samples, sample);
    }
}

static void
spans_collect_chunks (RoastRecordingSnapshot *recording, GArray *chunks)
{
  g_autoptr (RoastTableReader) table = roast_chunks_read (recording);
  g_autoptr (ChunkVerdicts) verdicts = chunk_verdicts_get (recording);

  while (roast_table_reader_next (table))
    {
      ChunkVerdict verdict = chunk_verdicts_judge (verdicts, roast_table_reader_get_row (table));
      gboolean failed = verdict == CHUNK_FAILED;
      SpansChunk chunk = { roast_table_reader_get_double (table, ROAST_CHUNKS_ENDED),
                           failed ? NAN : roast_table_reader_get_double (table, ROAST_CHUNKS_EVENTS),
                           roast_table_reader_get_double (table, ROAST_CHUNKS_BYTES_READ) };

      if (!isnan (chunk.ended) && (failed || verdict == CHUNK_COUNTED))
        g_array_append_val (chunks, chunk);
    }
}

/* Find the period in which chunks may be missing. Chunks beyond the quota of a program appear only in sums, so how much
 * of them belongs to a span is unknown. */
static void
find_missing (RoastRecordingSnapshot *recording, SpansUse *use)
{
  g_autoptr (RoastTableReader) sums = roast_program_sums_read (recording);

  while (roast_table_reader_next (sums))
    {
      double started = roast_table_reader_get_double (sums, ROAST_PROGRAM_SUMS_STARTED);
      double ended = roast_table_reader_get_double (sums, ROAST_PROGRAM_SUMS_ENDED);

      if (g_strcmp0 (roast_table_reader_get_string (sums, ROAST_PROGRAM_SUMS_TABLE), ROAST_TABLE_CHUNKS) != 0)
        continue;
      if (roast_table_reader_has (sums, ROAST_PROGRAM_SUMS_DROPPED))
        ended = INFINITY;
      if (isnan (ended))
        continue;
      use->from = fmin (use->from, isnan (started) ? -INFINITY : started);
      use->to = fmax (use->to, ended);
    }
}

static double
get_peak (GArray *samples, double started, double ended)
{
  double peak = NAN;

  FOR_EACH (const SpansSample, sample, samples)
    if (sample->time >= started && sample->time <= ended)
      peak = fmax (peak, sample->memory);

  return peak;
}

/* Write the CPU time of a span. Write nothing if the span is too short, because its CPU time is too uncertain: the
 * program may not have computed evenly between two samples. */
static void
set_cpu (SampledCpu *cpu, double started, double ended, RoastTableWriter *row)
{
  double doubt = sampled_cpu_get_doubt (cpu, started, ended);
  gboolean is_exact = doubt == 0;

  if (isnan (doubt) || (!is_exact && sampled_cpu_count (cpu, started, ended) < MIN_SAMPLES))
    return;
  roast_table_writer_set_double (row, ROAST_SPAN_TOTALS_CPU,
                                 sampled_cpu_get_at (cpu, ended) - sampled_cpu_get_at (cpu, started));
  roast_table_writer_set_word (row, ROAST_SPAN_TOTALS_CPU_COMPLETENESS,
                               is_exact ? ROAST_COMPLETENESS_COMPLETE : ROAST_COMPLETENESS_ESTIMATED);
  roast_table_writer_set_double (row, ROAST_SPAN_TOTALS_CPU_DOUBT, doubt);
}

static void
set_use (const SpansUse *use, double started, double ended, RoastTableWriter *row)
{
  double events = NAN, bytes = NAN;

  FOR_EACH (const SpansChunk, chunk, use->chunks)
    {
      if (chunk->ended <= started || chunk->ended > ended)
        continue;
      partial_sum_add (&events, chunk->events);
      partial_sum_add (&bytes, chunk->bytes);
    }
  /* Leave the cells empty if chunks of the span may be missing, because the sums would be too low. */
  if (ended > use->from && started < use->to)
    events = bytes = NAN;
  roast_table_writer_set_double (row, ROAST_SPAN_TOTALS_DURATION, (ended - started) / G_USEC_PER_SEC);
  set_cpu (use->cpu, started, ended, row);
  partial_sum_write (row, ROAST_SPAN_TOTALS_MEMORY_PEAK, get_peak (use->samples, started, ended));
  partial_sum_write (row, ROAST_SPAN_TOTALS_EVENTS, events);
  partial_sum_write (row, ROAST_SPAN_TOTALS_BYTES_READ, bytes);
}

static void
write_spans (RoastTableReader *spans, const SpansUse *use, RoastReport *report)
{
  static const RowCell copied[] = {
    { ROAST_SPAN_TOTALS_SOURCE, ROAST_SPANS_SOURCE },
    { ROAST_SPAN_TOTALS_SPAN, ROAST_SPANS_SPAN },
    { ROAST_SPAN_TOTALS_NAME, ROAST_SPANS_NAME },
    { ROAST_SPAN_TOTALS_PARENT, ROAST_SPANS_PARENT },
  };
  g_autoptr (RoastTableWriter) table = roast_span_totals_write (report);

  while (roast_table_reader_next (spans))
    {
      double started = roast_table_reader_get_double (spans, ROAST_SPANS_STARTED);
      double ended = roast_table_reader_get_double (spans, ROAST_SPANS_ENDED);

      row_copy_texts (table, spans, copied, G_N_ELEMENTS (copied));
      /* A span that was never closed has no duration. */
      if (!isnan (started) && !isnan (ended))
        set_use (use, started, ended, table);
      roast_table_writer_end (table, NULL);
    }
}

static void
spans_aggregate (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (RoastTableReader) spans = roast_spans_read (recording);
  g_autoptr (SampledCpu) cpu = NULL;
  g_autoptr (GArray) samples = g_array_new (FALSE, FALSE, sizeof (SpansSample));
  g_autoptr (GArray) chunks = g_array_new (FALSE, FALSE, sizeof (SpansChunk));
  SpansUse use = { NULL, samples, chunks, NAN, NAN };

  if (roast_table_reader_get_n_rows (spans) == 0)
    return;
  use.cpu = cpu = sampled_cpu_new (recording);
  collect_samples (recording, samples);
  spans_collect_chunks (recording, chunks);
  find_missing (recording, &use);
  write_spans (spans, &use, report);
}

const Analysis analysis_spans = { "spans", spans_aggregate, NULL, NULL, ROAST_TABLE_SPAN_TOTALS };
