/* SPDX-License-Identifier: BSD-3-Clause */

/* What it takes to make metrics of a million chunks with three sections each, beside roastcoffea with the same values.
 */

#include <stdio.h>

#include "bench.h"

#define CHUNKS 1000000
#define SECTIONS 3 /* of each chunk */
#define START G_GINT64_CONSTANT (1700000000000000)
#define REPEATS 5

enum
{
  SECONDS, /* CPU time of aggregation */
  EVENTS,  /* two of the numbers, to be compared */
  SECTION_SUM,
};

typedef struct
{
  guint64 n_chunks;
  gboolean confirmed; /* the program says which chunks are in its result */
} Run;

/* The same as in peer-chunks.py. */
static double
get_section (guint64 chunk, guint section)
{
  return (double) ((chunk * 7919 + section * 104729) % 1000003) / 1e6;
}

static void
write_chunk (RoastTableWriter *chunks, guint64 i, const char *id)
{
  g_autofree char *dataset = g_strdup_printf ("ds%u", (guint) (i % 20));
  g_autofree char *file = g_strdup_printf ("f%u.root", (guint) (i % 500));
  gint64 started = START + (gint64) i * 10000;

  roast_table_writer_set_string (chunks, ROAST_CHUNKS_CHUNK, id);
  if (id != NULL)
    roast_table_writer_set_string (chunks, ROAST_CHUNKS_CALL, "call");
  roast_table_writer_set_string (chunks, ROAST_CHUNKS_DATASET, dataset);
  roast_table_writer_set_string (chunks, ROAST_CHUNKS_FILE, file);
  roast_table_writer_set_int64 (chunks, ROAST_CHUNKS_ENTRY_START, (gint64) i);
  roast_table_writer_set_int64 (chunks, ROAST_CHUNKS_ENTRY_STOP, (gint64) i + 1);
  roast_table_writer_set_int64 (chunks, ROAST_CHUNKS_EVENTS, 1000 + (gint64) (i % 97));
  roast_table_writer_set_int64 (chunks, ROAST_CHUNKS_BYTES_READ, (gint64) i);
  roast_table_writer_set_int64 (chunks, ROAST_CHUNKS_STARTED, started);
  roast_table_writer_set_int64 (chunks, ROAST_CHUNKS_ENDED, started + 1000000 + (gint64) (i * 7919 % 1000003));
  roast_table_writer_set_int64 (chunks, ROAST_CHUNKS_MEMORY, (gint64) (i * 31 % 50000000));
  roast_table_writer_end (chunks, NULL);
}

static void
write_sections (RoastTableWriter *sections, guint64 i, const char *id)
{
  static const char *const names[SECTIONS] = { "s0", "s1", "s2" };

  for (guint k = 0; k < SECTIONS; k++)
    {
      roast_table_writer_set_string (sections, ROAST_SECTIONS_CHUNK, id);
      roast_table_writer_set_string (sections, ROAST_SECTIONS_NAME, names[k]);
      roast_table_writer_set_word (sections, ROAST_SECTIONS_KIND, ROAST_SECTION_KIND_TIME);
      roast_table_writer_set_double (sections, ROAST_SECTIONS_VALUE, get_section (i, k));
      roast_table_writer_end (sections, NULL);
    }
}

static RoastRecording *
record (const Run *run)
{
  RoastRecording *recording = roast_recording_new (NULL);
  g_autoptr (RoastTableWriter) chunks =
      roast_recording_write_table (recording, ROAST_TABLE_CHUNKS, "program-1", roast_chunks_columns, NULL);
  g_autoptr (RoastTableWriter) sections =
      roast_recording_write_table (recording, ROAST_TABLE_SECTIONS, "program-1", roast_sections_columns, NULL);
  g_autoptr (RoastTableWriter) results = roast_recording_write_table (recording, ROAST_TABLE_CHUNK_RESULTS, "program-1",
                                                                      roast_chunk_results_columns, NULL);

  for (guint64 i = 0; i < run->n_chunks; i++)
    {
      g_autofree char *id = run->confirmed ? g_strdup_printf ("s0123456789ab-%" G_GINT64_MODIFIER "x", i) : NULL;

      write_chunk (chunks, i, id);
      write_sections (sections, i, id);
      if (id == NULL)
        continue;
      roast_table_writer_set_string (results, ROAST_CHUNK_RESULTS_CALL, "call");
      roast_table_writer_set_string (results, ROAST_CHUNK_RESULTS_CHUNK, id);
      roast_table_writer_end (results, NULL);
    }
  roast_recording_set_times (recording, START, START + (gint64) run->n_chunks * 10000);
  roast_recording_finish (recording);

  return recording;
}

static double
get_section_sum (RoastReport *report)
{
  g_autoptr (RoastTableReader) table =
      roast_report_read_table (report, "per_section", (const char *const[]) { "total", NULL }, NULL);
  double sum = 0;

  while (table != NULL && roast_table_reader_next (table))
    sum += roast_table_reader_get_double (table, 0);

  return sum;
}

static RoastReport *
aggregate (RoastRegistry *registry, RoastRecordingSnapshot *snapshot)
{
  static const char *const names[] = { "workload" };
  RoastReport *report = roast_report_new (roast_registry_get_schema (registry));

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (RoastAggregator) aggregator = roast_registry_create_aggregator (registry, names[i], &error);

      if (aggregator == NULL || !roast_aggregator_aggregate (aggregator, snapshot, report, NULL, &error))
        g_error ("%s", error != NULL ? error->message : "no aggregator");
    }

  return report;
}

/* The best of some, as the first fills caches. */
static void
measure (gpointer data, double *results)
{
  const Run *run = data;
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autoptr (RoastRecording) recording = record (run);

  results[SECONDS] = G_MAXDOUBLE;
  for (guint i = 0; i < REPEATS; i++)
    {
      /* A new one each time, as it keeps which chunks count. */
      g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
      double begin = bench_get_cpu ();
      g_autoptr (RoastReport) report = aggregate (registry, snapshot);

      results[SECONDS] = MIN (results[SECONDS], bench_get_cpu () - begin);
      results[EVENTS] = roast_metric_get_double (roast_report_lookup (report, "events_total"));
      results[SECTION_SUM] = get_section_sum (report);
    }
}

/* Prints CPU seconds, the process's memory at most, and two of the numbers: for chunks as any program reports them,
 * then as the hook for coffea does, with identities and confirmation. */
int
main (int argc, char **argv)
{
  Run run = { argc > 1 ? g_ascii_strtoull (argv[1], NULL, 10) : CHUNKS, FALSE };

  for (guint i = 0; i < 2; i++, run.confirmed = TRUE)
    {
      BenchChild child = bench_call (measure, &run);

      printf ("%.6f %.0f %.0f %.6f\n", child.results[SECONDS], child.memory, child.results[EVENTS],
              child.results[SECTION_SUM]);
    }

  return 0;
}
