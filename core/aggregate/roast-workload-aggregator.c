/* SPDX-License-Identifier: BSD-3-Clause */

#include <math.h>

#include "report/roast-aggregation-private.h"
#include "roast-builtin-aggregators-private.h"

struct _RoastWorkloadAggregator
{
  GObject parent_instance;
};

static void aggregator_iface_init (RoastAggregatorInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (RoastWorkloadAggregator, roast_workload_aggregator, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_AGGREGATOR, aggregator_iface_init))

#define NOTHING_SAID(what) "the program reported no " what " on the run's socket: see docs/protocol.md"
#define UNNAMED "(no dataset)"

static const char *const provided[] = { "bytes_read_total",
                                        "data_rate_bits_per_second",
                                        "data_rate_bytes_per_second",
                                        "events_total",
                                        "event_rate_elapsed_per_second",
                                        "event_rate_cpu_per_second",
                                        "event_rate_core_per_second",
                                        "event_rate_processing_per_second",
                                        "chunks_total",
                                        "chunks_failed_total",
                                        "processing_time_seconds",
                                        "processing_concurrency_ratio",
                                        "chunk_time_mean_seconds",
                                        "chunk_time_min_seconds",
                                        "chunk_time_max_seconds",
                                        NULL };

static const char *const required[] = { "elapsed_time_seconds", "process_cpu_time_seconds", "cores_available", NULL };

/* What was processed: of one dataset, or of all. NaN is: nobody said. */
typedef struct
{
  double events, bytes_read, processing;
  guint64 chunks, failed, timed;
  guint64 silent_events, silent_bytes, silent_times; /* chunks that did not say */
  double chunk_time, chunk_min, chunk_max;
  gboolean any_chunks;
} Work;

static void
work_init (Work *work)
{
  *work = (Work) { .events = NAN, .bytes_read = NAN, .processing = NAN, .chunk_min = NAN, .chunk_max = NAN };
}

static void
add_if (double *to, double value)
{
  if (!isnan (value))
    *to = isnan (*to) ? value : *to + value;
}

/* One row of chunks. A failed chunk took its time, but its events were not processed. */
static void
work_add_chunk (Work *work, double events, double bytes, double seconds, gboolean failed)
{
  work->any_chunks = TRUE;
  work->chunks++;
  work->failed += failed;
  work->silent_bytes += isnan (bytes);
  work->silent_times += isnan (seconds);
  add_if (&work->bytes_read, bytes);
  add_if (&work->processing, seconds);
  if (failed)
    return;
  work->silent_events += isnan (events);
  add_if (&work->events, events);
  if (isnan (seconds))
    return;
  work->timed++;
  work->chunk_time += seconds;
  work->chunk_min = isnan (work->chunk_min) ? seconds : MIN (work->chunk_min, seconds);
  work->chunk_max = isnan (work->chunk_max) ? seconds : MAX (work->chunk_max, seconds);
}

static void
work_add_dataset (Work *work, double events, double bytes, double seconds, double chunks)
{
  add_if (&work->events, events);
  add_if (&work->bytes_read, bytes);
  add_if (&work->processing, seconds);
  if (!isnan (chunks))
    {
      work->any_chunks = TRUE;
      work->chunks += (guint64) chunks;
    }
}

static Work *
get_work (GHashTable *datasets, GPtrArray *order, const char *name)
{
  Work *work = NULL;

  if (name == NULL)
    name = UNNAMED;
  work = g_hash_table_lookup (datasets, name);
  if (work == NULL)
    {
      work = g_new (Work, 1);
      work_init (work);
      g_hash_table_insert (datasets, (char *) name, work);
      g_ptr_array_add (order, (char *) name);
    }

  return work;
}

static void
find_columns (RoastTableSnapshot *table, const char *const *names, guint n, guint *columns)
{
  for (guint i = 0; i < n; i++)
    columns[i] = (guint) roast_table_snapshot_find_column (table, names[i]);
}

static void
collect_chunks (RoastTableSnapshot *chunks, Work *all, GHashTable *datasets, GPtrArray *order)
{
  static const char *const names[] = { "dataset", "events", "bytes_read", "started", "ended", "error" };
  guint64 n_rows = chunks != NULL ? roast_table_snapshot_get_n_rows (chunks) : 0;
  guint column[G_N_ELEMENTS (names)];

  if (n_rows > 0)
    find_columns (chunks, names, G_N_ELEMENTS (names), column);
  for (guint64 row = 0; row < n_rows; row++)
    {
      double events = roast_table_snapshot_get_double (chunks, row, column[1]);
      double bytes = roast_table_snapshot_get_double (chunks, row, column[2]);
      double seconds = (roast_table_snapshot_get_double (chunks, row, column[4]) -
                        roast_table_snapshot_get_double (chunks, row, column[3])) /
                       G_USEC_PER_SEC;
      gboolean failed = roast_table_snapshot_is_valid (chunks, row, column[5]);
      Work *work = get_work (datasets, order, roast_table_snapshot_get_string (chunks, row, column[0]));

      work_add_chunk (all, events, bytes, seconds, failed);
      work_add_chunk (work, events, bytes, seconds, failed);
    }
}

static void
collect_datasets (RoastTableSnapshot *table, Work *all, GHashTable *datasets, GPtrArray *order)
{
  static const char *const names[] = { "dataset", "events", "bytes_read", "duration", "chunks" };
  guint64 n_rows = table != NULL ? roast_table_snapshot_get_n_rows (table) : 0;
  guint column[G_N_ELEMENTS (names)];

  if (n_rows > 0)
    find_columns (table, names, G_N_ELEMENTS (names), column);
  for (guint64 row = 0; row < n_rows; row++)
    {
      double events = roast_table_snapshot_get_double (table, row, column[1]);
      double bytes = roast_table_snapshot_get_double (table, row, column[2]);
      double seconds = roast_table_snapshot_get_double (table, row, column[3]);
      double chunks = roast_table_snapshot_get_double (table, row, column[4]);
      Work *work = get_work (datasets, order, roast_table_snapshot_get_string (table, row, column[0]));

      work_add_dataset (all, events, bytes, seconds, chunks);
      work_add_dataset (work, events, bytes, seconds, chunks);
    }
}

static void
add_or_reason (RoastReport *report, const char *name, double value, gboolean integer, const char *reason)
{
  if (isnan (value))
    roast_aggregation_add_unavailable (report, name, reason);
  else
    roast_aggregation_add_qualified (report, name, value, integer, ROAST_COMPLETENESS_COMPLETE, NULL);
}

/* A sum over chunks and datasets, of which some chunks may not have told their part. */
static void
add_total (RoastReport *report, const char *name, double value, gboolean integer, guint64 silent, const char *reason)
{
  g_autofree char *note = NULL;

  if (isnan (value) || silent == 0)
    {
      add_or_reason (report, name, value, integer, reason);
      return;
    }
  note = g_strdup_printf ("%" G_GUINT64_FORMAT " chunk(s) did not tell theirs", silent);
  roast_aggregation_add_qualified (report, name, value, integer, ROAST_COMPLETENESS_PARTIAL, note);
}

static void
add_totals (const Work *all, RoastReport *report)
{
  const char *no_times =
      all->any_chunks ? "no chunk that succeeded told when it started and ended" : NOTHING_SAID ("chunks");

  add_total (report, "bytes_read_total", all->bytes_read, TRUE, all->silent_bytes, NOTHING_SAID ("bytes"));
  add_total (report, "events_total", all->events, TRUE, all->silent_events, NOTHING_SAID ("events"));
  add_total (report, "processing_time_seconds", all->processing, FALSE, all->silent_times,
             NOTHING_SAID ("times of chunks"));
  add_or_reason (report, "chunks_total", all->any_chunks ? (double) all->chunks : NAN, TRUE, NOTHING_SAID ("chunks"));
  add_or_reason (report, "chunks_failed_total", all->any_chunks ? (double) all->failed : NAN, TRUE,
                 NOTHING_SAID ("chunks"));
  add_or_reason (report, "chunk_time_mean_seconds", all->timed > 0 ? all->chunk_time / (double) all->timed : NAN, FALSE,
                 no_times);
  add_or_reason (report, "chunk_time_min_seconds", all->chunk_min, FALSE, no_times);
  add_or_reason (report, "chunk_time_max_seconds", all->chunk_max, FALSE, no_times);
}

static void
add_rates (RoastReport *report)
{
  roast_aggregation_add_ratio (report, "data_rate_bytes_per_second", "bytes_read_total", "elapsed_time_seconds", 1);
  roast_aggregation_add_ratio (report, "data_rate_bits_per_second", "bytes_read_total", "elapsed_time_seconds", 8);
  roast_aggregation_add_ratio (report, "event_rate_elapsed_per_second", "events_total", "elapsed_time_seconds", 1);
  roast_aggregation_add_ratio (report, "event_rate_cpu_per_second", "events_total", "process_cpu_time_seconds", 1);
  roast_aggregation_add_ratio (report, "event_rate_core_per_second", "event_rate_elapsed_per_second", "cores_available",
                               1);
  roast_aggregation_add_ratio (report, "event_rate_processing_per_second", "events_total", "processing_time_seconds",
                               1);
  roast_aggregation_add_ratio (report, "processing_concurrency_ratio", "processing_time_seconds",
                               "elapsed_time_seconds", 1);
}

static void
set_count (RoastRow *row, guint column, double value)
{
  if (!isnan (value))
    roast_row_set_int64 (row, column, (gint64) llround (value));
}

static RoastTable *
new_dataset_table (void)
{
  RoastTable *table = roast_table_new ("per_dataset", ROAST_TABLE_KIND_LOG, "What was processed of each dataset");

  roast_table_add_column (table, "dataset", ROAST_COLUMN_TYPE_CATEGORY, NULL, "dataset", NULL);
  roast_table_add_column (table, "chunks", ROAST_COLUMN_TYPE_INT64, NULL, "chunks, failed ones included", NULL);
  roast_table_add_column (table, "failed", ROAST_COLUMN_TYPE_INT64, NULL, "chunks that failed", NULL);
  roast_table_add_column (table, "events", ROAST_COLUMN_TYPE_INT64, NULL, "events processed", NULL);
  roast_table_add_column (table, "bytes_read", ROAST_COLUMN_TYPE_INT64, "B", "bytes read", NULL);
  roast_table_add_column (table, "processing_time", ROAST_COLUMN_TYPE_DOUBLE, "s", "time spent, summed over chunks", NULL);
  roast_table_add_column (table, "chunk_time_mean", ROAST_COLUMN_TYPE_DOUBLE, "s", "mean time of chunks that succeeded",
                          NULL);
  roast_table_add_column (table, "event_rate", ROAST_COLUMN_TYPE_DOUBLE, "1/s", "events per second of processing time",
                          NULL);

  return table;
}

static void
write_dataset (RoastTable *table, RoastRow *row, const char *name, const Work *work)
{
  roast_row_clear (row);
  roast_row_set_string (row, 0, name);
  set_count (row, 1, work->any_chunks ? (double) work->chunks : NAN);
  set_count (row, 2, work->any_chunks ? (double) work->failed : NAN);
  set_count (row, 3, work->events);
  set_count (row, 4, work->bytes_read);
  roast_row_set_double (row, 5, work->processing);
  roast_row_set_double (row, 6, work->timed > 0 ? work->chunk_time / (double) work->timed : NAN);
  roast_row_set_double (row, 7, work->processing > 0 ? work->events / work->processing : NAN);
  roast_table_append (table, row, NULL);
}

static void
add_per_dataset (GHashTable *datasets, GPtrArray *order, RoastReport *report)
{
  g_autoptr (RoastTable) table = new_dataset_table ();
  g_autoptr (RoastRow) row = roast_row_new (table);

  /* One without a name is all that there was. */
  if (order->len == 0 || (order->len == 1 && g_str_equal (g_ptr_array_index (order, 0), UNNAMED)))
    return;
  for (guint i = 0; i < order->len; i++)
    write_dataset (table, row, g_ptr_array_index (order, i),
                   g_hash_table_lookup (datasets, g_ptr_array_index (order, i)));
  roast_report_add_table (report, table);
}

/* ---- sections ---- */

typedef struct
{
  const char *name, *kind;
  guint64 count;
  double sum, min, max;
} Section;

static void
section_add (Section *section, double value)
{
  section->min = section->count == 0 ? value : MIN (section->min, value);
  section->max = section->count == 0 ? value : MAX (section->max, value);
  section->sum += value;
  section->count++;
}

static Section *
get_section (GHashTable *found, GPtrArray *order, const char *name, const char *kind)
{
  g_autofree char *key = g_strconcat (kind != NULL ? kind : "", "\n", name != NULL ? name : "", NULL);
  Section *section = g_hash_table_lookup (found, key);

  if (section == NULL)
    {
      section = g_new0 (Section, 1);
      section->name = name;
      section->kind = kind;
      g_hash_table_insert (found, g_steal_pointer (&key), section);
      g_ptr_array_add (order, section);
    }

  return section;
}

static void
collect_sections (RoastTableSnapshot *sections, GHashTable *found, GPtrArray *order)
{
  static const char *const names[] = { "name", "kind", "value" };
  guint64 n_rows = sections != NULL ? roast_table_snapshot_get_n_rows (sections) : 0;
  guint column[G_N_ELEMENTS (names)];

  if (n_rows > 0)
    find_columns (sections, names, G_N_ELEMENTS (names), column);
  for (guint64 row = 0; row < n_rows; row++)
    {
      double value = roast_table_snapshot_get_double (sections, row, column[2]);

      if (!isnan (value))
        section_add (get_section (found, order, roast_table_snapshot_get_string (sections, row, column[0]),
                                  roast_table_snapshot_get_string (sections, row, column[1])),
                     value);
    }
}

static RoastTable *
new_section_table (void)
{
  RoastTable *table = roast_table_new ("per_section", ROAST_TABLE_KIND_LOG, "Named sections of the program");

  roast_table_add_column (table, "section", ROAST_COLUMN_TYPE_CATEGORY, NULL, "name of the section", NULL);
  roast_table_add_column (table, "kind", ROAST_COLUMN_TYPE_CATEGORY, NULL, "time (s), memory (B), bytes (B) or custom",
                          NULL);
  roast_table_add_column (table, "count", ROAST_COLUMN_TYPE_INT64, NULL, "how often it was reported", NULL);
  roast_table_add_column (table, "total", ROAST_COLUMN_TYPE_DOUBLE, NULL, "sum of its values", NULL);
  roast_table_add_column (table, "mean", ROAST_COLUMN_TYPE_DOUBLE, NULL, "mean of its values", NULL);
  roast_table_add_column (table, "min", ROAST_COLUMN_TYPE_DOUBLE, NULL, "least value", NULL);
  roast_table_add_column (table, "max", ROAST_COLUMN_TYPE_DOUBLE, NULL, "greatest value", NULL);

  return table;
}

static void
add_per_section (RoastTableSnapshot *sections, RoastReport *report)
{
  g_autoptr (RoastTable) table = new_section_table ();
  g_autoptr (RoastRow) row = roast_row_new (table);
  g_autoptr (GHashTable) found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GPtrArray) order = g_ptr_array_new ();

  collect_sections (sections, found, order);
  for (guint i = 0; i < order->len; i++)
    {
      const Section *section = g_ptr_array_index (order, i);

      roast_row_clear (row);
      roast_row_set_string (row, 0, section->name);
      roast_row_set_string (row, 1, section->kind);
      roast_row_set_int64 (row, 2, (gint64) section->count);
      roast_row_set_double (row, 3, section->sum);
      roast_row_set_double (row, 4, section->sum / (double) section->count);
      roast_row_set_double (row, 5, section->min);
      roast_row_set_double (row, 6, section->max);
      roast_table_append (table, row, NULL);
    }
  if (order->len > 0)
    roast_report_add_table (report, table);
}

static gboolean
workload_aggregate (RoastAggregator *aggregator, RoastRecordingSnapshot *recording, RoastReport *report,
                    GCancellable *cancellable, GError **error)
{
  g_autoptr (GHashTable) datasets = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autoptr (GPtrArray) order = g_ptr_array_new ();
  Work all;

  work_init (&all);
  collect_chunks (roast_recording_snapshot_get_table (recording, "chunks"), &all, datasets, order);
  collect_datasets (roast_recording_snapshot_get_table (recording, "datasets"), &all, datasets, order);
  add_totals (&all, report);
  add_rates (report);
  add_per_dataset (datasets, order, report);
  add_per_section (roast_recording_snapshot_get_table (recording, "sections"), report);

  return TRUE;
}

static char **
workload_dup_requires (RoastAggregator *aggregator)
{
  return g_strdupv ((char **) required);
}

static char **
workload_dup_provides (RoastAggregator *aggregator)
{
  return g_strdupv ((char **) provided);
}

static void
aggregator_iface_init (RoastAggregatorInterface *iface)
{
  iface->dup_requires = workload_dup_requires;
  iface->dup_provides = workload_dup_provides;
  iface->aggregate = workload_aggregate;
}

static void
roast_workload_aggregator_class_init (RoastWorkloadAggregatorClass *klass)
{
}

static void
roast_workload_aggregator_init (RoastWorkloadAggregator *self)
{
}
