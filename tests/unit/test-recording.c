/* SPDX-License-Identifier: BSD-3-Clause */

#include <roast/roast.h>

#include <string.h>

static RoastTableReader *
read_at (RoastRecordingSnapshot *snapshot, const char *table, const char *const *columns, guint64 row)
{
  RoastTableReader *reader = roast_recording_snapshot_read_table (snapshot, table, columns, NULL);

  g_assert_true (roast_table_reader_seek (reader, row));

  return reader;
}

static guint64
count_rows (RoastRecordingSnapshot *snapshot, const char *table)
{
  g_autoptr (RoastTableReader) reader = roast_recording_snapshot_read_table (snapshot, table, NULL, NULL);

  return roast_table_reader_get_n_rows (reader);
}

/* Each measured table of the schema has the column source first, and describes itself and its columns. */
static void
test_schema (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (GPtrArray) tables = roast_schema_list_tables (roast_recording_get_schema (recording));

  g_assert_cmpuint (tables->len, >=, 18);
  for (guint i = 0; i < tables->len; i++)
    {
      RoastTableInfo *info = g_ptr_array_index (tables, i);

      g_assert_cmpuint (strlen (roast_table_info_get_description (info)), >, 5);
      for (guint c = 0; c < roast_table_info_get_n_columns (info); c++)
        g_assert_cmpuint (strlen (roast_column_get_description (roast_table_info_get_column (info, c))), >, 1);
      if (roast_table_info_get_origin (info) == ROAST_TABLE_ORIGIN_MEASURED)
        g_assert_cmpstr (roast_column_get_name (roast_table_info_get_column (info, 0)), ==, "source");
    }
}

/* Tables are listed once they are used, in the order of the schema. */
static void
test_tables (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_auto (GStrv) none = roast_recording_dup_table_names (recording);
  G_GNUC_UNUSED g_autoptr (RoastTableWriter) spans =
      roast_recording_write_table (recording, ROAST_TABLE_SPANS, NULL, NULL, NULL);
  G_GNUC_UNUSED g_autoptr (RoastTableWriter) workers =
      roast_recording_write_table (recording, ROAST_TABLE_WORKERS, NULL, NULL, NULL);
  g_auto (GStrv) two = roast_recording_dup_table_names (recording);

  g_assert_cmpuint (g_strv_length (none), ==, 0);
  g_assert_cmpuint (g_strv_length (two), ==, 2);
  g_assert_cmpstr (two[0], ==, ROAST_TABLE_WORKERS);
  g_assert_cmpstr (two[1], ==, ROAST_TABLE_SPANS);
  g_assert_cmpuint (roast_recording_get_memory (recording, NULL), ==, 0);
}

/* A backend that reads a run which is over says when it was. */
static void
test_times (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (GVariant) metadata = NULL;
  gint64 started = 0, ended = 0;

  roast_recording_set_times (recording, 5, -1);
  roast_recording_set_times (recording, -1, 7);
  metadata = roast_recording_dup_metadata (recording);
  g_assert_true (g_variant_lookup (metadata, "started", "x", &started));
  g_assert_true (g_variant_lookup (metadata, "ended", "x", &ended));
  g_assert_cmpint (started, ==, 5);
  g_assert_cmpint (ended, ==, 7);
}

/* A run of today does not start or end at a time in another unit. */
static void
test_impossible_times (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (GVariant) metadata = NULL;
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  gint64 now = g_get_real_time (), started = 0, ended = 0;
  const char *refused = NULL;

  roast_recording_set_times (recording, now - 9, now);
  roast_recording_set_times (recording, now / G_USEC_PER_SEC, now * 1000);
  snapshot = roast_recording_snapshot (recording);
  metadata = roast_recording_dup_metadata (recording);
  g_assert_true (g_variant_lookup (metadata, "started", "x", &started));
  g_assert_true (g_variant_lookup (metadata, "ended", "x", &ended));
  g_assert_cmpint (started, ==, now - 9);
  g_assert_cmpint (ended, ==, now);
  g_assert_true (g_variant_lookup (metadata, "times-refused", "&s", &refused));
  g_assert_cmpstr (refused, ==,
                   "end of the run: a time cannot be more than a year in the future; roast leaves this value out");
  g_assert_cmpuint (count_rows (snapshot, ROAST_TABLE_EVENTS), ==, 2);
}

static void
test_metadata (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  g_autoptr (GVariant) all = NULL;
  g_autoptr (GVariant) host = NULL;
  g_autoptr (GVariant) number = NULL;

  roast_recording_set_metadata (recording, "interval", g_variant_new_int64 (1));
  roast_recording_set_metadata (recording, "interval", g_variant_new_int64 (2));
  roast_recording_set_metadata (recording, "host", g_variant_new_string ("here"));
  roast_recording_set_metadata (recording, "gone", g_variant_new_string ("x"));
  roast_recording_set_metadata (recording, "gone", NULL);
  snapshot = roast_recording_snapshot (recording);
  roast_recording_set_metadata (recording, "host", g_variant_new_string ("there"));

  all = roast_recording_dup_metadata (recording);
  g_assert_cmpstr (g_variant_get_type_string (all), ==, "a{sv}");
  g_assert_cmpuint (g_variant_n_children (all), ==, 2);
  g_assert_cmpuint (g_variant_n_children (roast_recording_snapshot_get_metadata (snapshot)), ==, 2);
  host = roast_recording_snapshot_lookup_metadata (snapshot, "host", G_VARIANT_TYPE_STRING);
  g_assert_cmpstr (g_variant_get_string (host, NULL), ==, "here");
  number = roast_recording_snapshot_lookup_metadata (snapshot, "interval", NULL);
  g_assert_cmpint (g_variant_get_int64 (number), ==, 2);
  g_assert_null (roast_recording_snapshot_lookup_metadata (snapshot, "interval", G_VARIANT_TYPE_STRING));
  g_assert_null (roast_recording_snapshot_lookup_metadata (snapshot, "gone", NULL));
}

static void
test_sources (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  g_autoptr (RoastTableReader) sources = NULL;
  g_autofree char *first = roast_recording_add_source (recording, "local", "pid 7", "1.0", "all");
  g_autofree char *second = roast_recording_add_source (recording, "local", NULL, NULL, NULL);
  g_autofree char *other = roast_recording_add_source (recording, "dask", NULL, NULL, NULL);

  g_assert_cmpstr (first, ==, "local-1");
  g_assert_cmpstr (second, ==, "local-2");
  g_assert_cmpstr (other, ==, "dask-1");
  snapshot = roast_recording_snapshot (recording);
  g_assert_cmpuint (count_rows (snapshot, ROAST_TABLE_SOURCES), ==, 3);
  sources = read_at (snapshot, ROAST_TABLE_SOURCES, roast_sources_columns, 0);
  g_assert_cmpstr (roast_table_reader_get_string (sources, ROAST_SOURCES_SOURCE), ==, "local-1");
  g_assert_cmpstr (roast_table_reader_get_string (sources, ROAST_SOURCES_ADDRESS), ==, "pid 7");
  g_assert_cmpstr (roast_table_reader_get_string (sources, ROAST_SOURCES_VERSION), ==, "1.0");
  g_assert_cmpstr (roast_table_reader_get_string (sources, ROAST_SOURCES_CAPABILITIES), ==, "all");
  roast_table_reader_next (sources);
  g_assert_null (roast_table_reader_get_string (sources, ROAST_SOURCES_ADDRESS));
  roast_table_reader_next (sources);
  g_assert_cmpstr (roast_table_reader_get_string (sources, ROAST_SOURCES_BACKEND), ==, "dask");
}

static void
test_events (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  g_autoptr (RoastTableReader) events = NULL;
  gint64 before = g_get_real_time ();
  gint64 time = 0;

  roast_recording_add_event (recording, "local-1", -1, ROAST_SEVERITY_INFO, "start", "it began");
  roast_recording_add_event (recording, NULL, 1234, ROAST_SEVERITY_WARNING, NULL, "hm");
  roast_recording_add_event (recording, NULL, -1, ROAST_SEVERITY_ERROR, NULL, "oh");
  snapshot = roast_recording_snapshot (recording);
  g_assert_cmpuint (count_rows (snapshot, ROAST_TABLE_EVENTS), ==, 3);
  events = read_at (snapshot, ROAST_TABLE_EVENTS, roast_events_columns, 0);
  g_assert_cmpstr (roast_table_reader_get_string (events, ROAST_EVENTS_SOURCE), ==, "local-1");
  g_assert_cmpstr (roast_table_reader_get_string (events, ROAST_EVENTS_KIND), ==, "start");
  g_assert_cmpint (roast_table_reader_get_word (events, ROAST_EVENTS_SEVERITY), ==, ROAST_SEVERITY_INFO);
  time = roast_table_reader_get_int64 (events, ROAST_EVENTS_TIME, -1);
  g_assert_cmpint (time, >=, before);
  g_assert_cmpint (time, <=, g_get_real_time ());
  roast_table_reader_next (events);
  g_assert_cmpstr (roast_table_reader_get_string (events, ROAST_EVENTS_SEVERITY), ==, "warning");
  g_assert_cmpint (roast_table_reader_get_int64 (events, ROAST_EVENTS_TIME, -1), ==, 1234);
  g_assert_null (roast_table_reader_get_string (events, ROAST_EVENTS_KIND));
  roast_table_reader_next (events);
  g_assert_cmpstr (roast_table_reader_get_string (events, ROAST_EVENTS_SEVERITY), ==, "error");
  g_assert_cmpstr (roast_table_reader_get_string (events, ROAST_EVENTS_MESSAGE), ==, "oh");
}

static void
test_snapshot (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  g_autoptr (RoastTableWriter) workers = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;

  roast_recording_add_event (recording, NULL, -1, ROAST_SEVERITY_INFO, NULL, "one");
  snapshot = roast_recording_snapshot (recording);
  roast_recording_add_event (recording, NULL, -1, ROAST_SEVERITY_INFO, NULL, "two");
  workers = roast_recording_write_table (recording, ROAST_TABLE_WORKERS, NULL, NULL, NULL);

  names = roast_recording_snapshot_dup_table_names (snapshot);
  g_assert_cmpuint (g_strv_length (names), ==, 1);
  g_assert_cmpuint (count_rows (snapshot, ROAST_TABLE_EVENTS), ==, 1);
  g_assert_cmpuint (count_rows (snapshot, ROAST_TABLE_WORKERS), ==, 0);
  g_assert_null (roast_recording_snapshot_read_table (snapshot, "nothing", NULL, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_TABLE);
  g_assert_true (roast_recording_snapshot_get_schema (snapshot) == roast_recording_get_schema (recording));
}

#define ROWS 3000

/* First a worker, then its sample. */
static gpointer
record (gpointer recording)
{
  g_autoptr (RoastTableWriter) workers =
      roast_recording_write_table (recording, ROAST_TABLE_WORKERS, "local-1", roast_workers_columns, NULL);
  g_autoptr (RoastTableWriter) samples = roast_recording_write_table (recording, ROAST_TABLE_WORKER_SAMPLES, "local-1",
                                                                      roast_worker_samples_columns, NULL);

  for (int i = 0; i < ROWS; i++)
    {
      g_autofree char *name = g_strdup_printf ("worker %d", i);

      roast_table_writer_set_string (workers, ROAST_WORKERS_WORKER, name);
      roast_table_writer_end (workers, NULL);
      roast_table_writer_set_string (samples, ROAST_WORKER_SAMPLES_WORKER, name);
      roast_table_writer_end (samples, NULL);
    }

  return NULL;
}

/* No snapshot has a row without the rows that came before it in other tables. */
static void
test_one_time (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  GThread *thread = NULL;
  guint64 n_samples = 0;

  thread = g_thread_new ("recorder", record, recording);
  while (n_samples < ROWS)
    {
      g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
      guint64 n_workers = count_rows (snapshot, ROAST_TABLE_WORKERS);

      n_samples = count_rows (snapshot, ROAST_TABLE_WORKER_SAMPLES);
      g_assert_cmpuint (n_workers, >=, n_samples);
      g_assert_cmpuint (n_workers, <=, n_samples + 1);
    }
  g_thread_join (thread);
}

static gpointer
add_sources (gpointer recording)
{
  for (int i = 0; i < 500; i++)
    {
      g_autofree char *name = roast_recording_add_source (recording, "local", NULL, NULL, NULL);

      roast_recording_add_event (recording, name, -1, ROAST_SEVERITY_INFO, NULL, name);
      roast_recording_set_metadata (recording, name, g_variant_new_boolean (TRUE));
    }

  return NULL;
}

static void
test_threads (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  GThread *threads[2];

  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("sources", add_sources, recording);
  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);

  snapshot = roast_recording_snapshot (recording);
  g_assert_cmpuint (count_rows (snapshot, ROAST_TABLE_SOURCES), ==, 1000);
  g_assert_cmpuint (count_rows (snapshot, ROAST_TABLE_EVENTS), ==, 1000);
  g_assert_cmpuint (g_variant_n_children (roast_recording_snapshot_get_metadata (snapshot)), ==, 1000);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/recording/schema", test_schema);
  g_test_add_func ("/recording/tables", test_tables);
  g_test_add_func ("/recording/times", test_times);
  g_test_add_func ("/recording/impossible-times", test_impossible_times);
  g_test_add_func ("/recording/metadata", test_metadata);
  g_test_add_func ("/recording/sources", test_sources);
  g_test_add_func ("/recording/events", test_events);
  g_test_add_func ("/recording/snapshot", test_snapshot);
  g_test_add_func ("/recording/one-time", test_one_time);
  g_test_add_func ("/recording/threads", test_threads);

  return g_test_run ();
}
