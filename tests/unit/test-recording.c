/* SPDX-License-Identifier: BSD-3-Clause */

#include <roast/roast.h>

#include <string.h>

static const char *
cell (RoastTableSnapshot *table, guint64 row, const char *column)
{
  return roast_table_snapshot_get_string (table, row, (guint) roast_table_snapshot_find_column (table, column));
}

/* Each table of the model has the column source first, and says what it is. */
static void
test_model (void)
{
  static const char *const names[] = {
    "sources",     "workers",   "worker_samples",  "cluster_samples", "activities", "tasks",
    "task_phases", "transfers", "category_states", "executor_times",  "processes",  "chunks",
    "sections",    "files",     "branches",        "datasets",        "spans",      "events",
  };
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (GPtrArray) tables = NULL;
  gsize memory = 0;

  for (gsize i = G_N_ELEMENTS (names); i > 0; i--)
    {
      RoastTable *table = roast_recording_get_table (recording, names[i - 1]);

      g_assert_nonnull (table);
      g_assert_true (table == roast_recording_get_table (recording, names[i - 1]));
      g_assert_cmpstr (roast_table_get_name (table), ==, names[i - 1]);
      g_assert_nonnull (roast_table_get_description (table));
      g_assert_cmpint (roast_table_find_column (table, "source"), ==, 0);
      for (guint c = 0; c < roast_table_get_n_columns (table); c++)
        g_assert_nonnull (roast_column_get_description (roast_table_get_column (table, c)));
      memory += roast_table_get_memory (table);
    }
  g_assert_cmpuint (memory, ==, 0);

  tables = roast_recording_list_tables (recording);
  g_assert_cmpuint (tables->len, ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < tables->len; i++)
    g_assert_cmpstr (roast_table_get_name (g_ptr_array_index (tables, i)), ==, names[i]);
}

static void
test_tables (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastTable) own = roast_table_new ("own", ROAST_TABLE_KIND_LOG, NULL);
  g_autoptr (RoastTable) taken = roast_table_new ("workers", ROAST_TABLE_KIND_LOG, NULL);
  g_autoptr (GPtrArray) none = roast_recording_list_tables (recording);
  g_autoptr (GPtrArray) two = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (none->len, ==, 0);
  g_assert_null (roast_recording_get_table (recording, "own"));
  roast_recording_add_table (recording, own, &error);
  g_assert_no_error (error);
  g_assert_true (roast_recording_get_table (recording, "own") == own);
  g_assert_false (roast_recording_add_table (recording, own, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_EXISTS);
  g_clear_error (&error);
  /* The model's names are taken before the tables are made. */
  g_assert_false (roast_recording_add_table (recording, taken, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_EXISTS);

  roast_recording_get_table (recording, "events");
  two = roast_recording_list_tables (recording);
  g_assert_cmpuint (two->len, ==, 2);
  g_assert_cmpstr (roast_table_get_name (g_ptr_array_index (two, 0)), ==, "events");
  g_assert_cmpstr (roast_table_get_name (g_ptr_array_index (two, 1)), ==, "own");
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
  RoastTableSnapshot *sources = NULL;
  g_autofree char *first = roast_recording_add_source (recording, "local", "pid 7", "1.0", "all");
  g_autofree char *second = roast_recording_add_source (recording, "local", NULL, NULL, NULL);
  g_autofree char *other = roast_recording_add_source (recording, "dask", NULL, NULL, NULL);

  g_assert_cmpstr (first, ==, "local-1");
  g_assert_cmpstr (second, ==, "local-2");
  g_assert_cmpstr (other, ==, "dask-1");
  snapshot = roast_recording_snapshot (recording);
  sources = roast_recording_snapshot_get_table (snapshot, "sources");
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (sources), ==, 3);
  g_assert_cmpstr (cell (sources, 0, "source"), ==, "local-1");
  g_assert_cmpstr (cell (sources, 0, "address"), ==, "pid 7");
  g_assert_cmpstr (cell (sources, 0, "version"), ==, "1.0");
  g_assert_cmpstr (cell (sources, 0, "capabilities"), ==, "all");
  g_assert_cmpstr (cell (sources, 2, "backend"), ==, "dask");
  g_assert_null (cell (sources, 1, "address"));
}

static void
test_events (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  RoastTableSnapshot *events = NULL;
  gint64 before = g_get_real_time ();
  gint64 time = 0;

  roast_recording_add_event (recording, "local-1", -1, ROAST_SEVERITY_INFO, "start", "it began");
  roast_recording_add_event (recording, NULL, -1, ROAST_SEVERITY_WARNING, NULL, "hm");
  roast_recording_add_event (recording, NULL, -1, ROAST_SEVERITY_ERROR, NULL, "oh");
  snapshot = roast_recording_snapshot (recording);
  events = roast_recording_snapshot_get_table (snapshot, "events");
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (events), ==, 3);
  g_assert_cmpstr (cell (events, 0, "source"), ==, "local-1");
  g_assert_cmpstr (cell (events, 0, "kind"), ==, "start");
  g_assert_cmpstr (cell (events, 0, "severity"), ==, "info");
  g_assert_cmpstr (cell (events, 1, "severity"), ==, "warning");
  g_assert_cmpstr (cell (events, 2, "severity"), ==, "error");
  g_assert_cmpstr (cell (events, 2, "message"), ==, "oh");
  g_assert_null (cell (events, 1, "kind"));
  time = roast_table_snapshot_get_int64 (events, 0, (guint) roast_table_snapshot_find_column (events, "time"));
  g_assert_cmpint (time, >=, before);
  g_assert_cmpint (time, <=, g_get_real_time ());
}

static void
test_snapshot (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  g_autoptr (GPtrArray) tables = NULL;

  roast_recording_add_event (recording, NULL, -1, ROAST_SEVERITY_INFO, NULL, "one");
  snapshot = roast_recording_snapshot (recording);
  roast_recording_add_event (recording, NULL, -1, ROAST_SEVERITY_INFO, NULL, "two");
  roast_recording_get_table (recording, "workers");

  tables = roast_recording_snapshot_list_tables (snapshot);
  g_assert_cmpuint (tables->len, ==, 1);
  g_assert_null (roast_recording_snapshot_get_table (snapshot, "workers"));
  g_assert_null (roast_recording_snapshot_get_table (snapshot, "nothing"));
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (roast_recording_snapshot_get_table (snapshot, "events")), ==, 1);
}

#define ROWS 3000

/* First a worker, then what was seen of it. */
static gpointer
record (gpointer recording)
{
  RoastTable *workers = roast_recording_get_table (recording, "workers");
  RoastTable *samples = roast_recording_get_table (recording, "worker_samples");
  g_autoptr (RoastRow) worker = roast_row_new (workers);
  g_autoptr (RoastRow) sample = roast_row_new (samples);

  for (int i = 0; i < ROWS; i++)
    {
      g_autofree char *name = g_strdup_printf ("worker %d", i);

      roast_row_clear (worker);
      roast_row_set_string (worker, 0, "local-1");
      roast_row_set_string (worker, (guint) roast_table_find_column (workers, "worker"), name);
      roast_table_merge (workers, worker, NULL);
      roast_row_clear (sample);
      roast_row_set_string (sample, 0, "local-1");
      roast_row_set_string (sample, (guint) roast_table_find_column (samples, "worker"), name);
      roast_table_append (samples, sample, NULL);
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

  roast_recording_get_table (recording, "workers");
  roast_recording_get_table (recording, "worker_samples");
  thread = g_thread_new ("recorder", record, recording);
  while (n_samples < ROWS)
    {
      g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
      guint64 n_workers = roast_table_snapshot_get_n_rows (roast_recording_snapshot_get_table (snapshot, "workers"));

      n_samples = roast_table_snapshot_get_n_rows (roast_recording_snapshot_get_table (snapshot, "worker_samples"));
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
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (roast_recording_snapshot_get_table (snapshot, "sources")), ==,
                    1000);
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (roast_recording_snapshot_get_table (snapshot, "events")), ==,
                    1000);
  g_assert_cmpuint (g_variant_n_children (roast_recording_snapshot_get_metadata (snapshot)), ==, 1000);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/recording/model", test_model);
  g_test_add_func ("/recording/tables", test_tables);
  g_test_add_func ("/recording/metadata", test_metadata);
  g_test_add_func ("/recording/sources", test_sources);
  g_test_add_func ("/recording/events", test_events);
  g_test_add_func ("/recording/snapshot", test_snapshot);
  g_test_add_func ("/recording/one-time", test_one_time);
  g_test_add_func ("/recording/threads", test_threads);

  return g_test_run ();
}
