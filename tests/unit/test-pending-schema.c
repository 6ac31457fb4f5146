/* SPDX-License-Identifier: BSD-3-Clause */

/* The schemas of plugins are read when something of them may be needed. */

#include <glib/gstdio.h>
#include <roast/roast.h>

#define KEY_FILE(name)                                                                                                 \
  "[Roast Plugin]\nModule=" name "\nName=" name "\nApi=1.0\nVersion=1\nProvides=aggregator:" name "\n"
#define BAD_SCHEMA "[metric 1]\nDescription=d\n"

typedef struct
{
  char *directory;
  RoastRegistry *registry;
} Fixture;

static void
put_file (Fixture *fixture, const char *name, const char *suffix, const char *text)
{
  g_autofree char *base = g_strconcat (name, suffix, NULL);
  g_autofree char *path = g_build_filename (fixture->directory, base, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

/* Four plugins: one adds a column to a table of the core, one declares things of its own, one has a schema with a
 * mistake, and one has none. */
static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = g_dir_make_tmp ("roast-schema-XXXXXX", NULL);
  put_file (fixture, "adds", ".roast-plugin", KEY_FILE ("adds"));
  put_file (fixture, "adds", ".roast-schema", "[columns workers]\nrack=category: rack of its machine\n");
  put_file (fixture, "owns", ".roast-plugin", KEY_FILE ("owns"));
  put_file (fixture, "owns", ".roast-schema",
            "[metric owned]\nDescription=d\n[table own]\nDescription=d\n[columns own]\nsource=category: source\n");
  put_file (fixture, "wrong", ".roast-plugin", KEY_FILE ("wrong"));
  put_file (fixture, "wrong", ".roast-schema", BAD_SCHEMA);
  put_file (fixture, "plain", ".roast-plugin", KEY_FILE ("plain"));
  fixture->registry = roast_registry_new_for_path (fixture->directory);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->directory, 0, NULL);

  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    {
      g_autofree char *path = g_build_filename (fixture->directory, name, NULL);

      g_unlink (path);
    }
  g_assert_cmpint (g_rmdir (fixture->directory), ==, 0);
  g_object_unref (fixture->registry);
  g_free (fixture->directory);
}

static gboolean
is_read (Fixture *fixture)
{
  RoastPlugin *wrong = roast_registry_lookup_plugin (fixture->registry, "wrong");

  return roast_plugin_get_state (wrong) == ROAST_PLUGIN_STATE_BROKEN;
}

static RoastTableWriter *
write_table (RoastSession *session, const char *table, const char *column)
{
  const char *columns[] = { column, NULL };
  g_autoptr (GError) error = NULL;
  RoastTableWriter *writer =
      roast_recording_write_table (roast_session_get_recording (session), table, NULL, columns, &error);

  g_assert_no_error (error);

  return writer;
}

/* A run that writes tables of the core alone reads none of them. */
static void
test_core_tables (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastSession) session = roast_session_new (fixture->registry);
  g_autoptr (RoastTableWriter) events = write_table (session, ROAST_TABLE_EVENTS, "message");
  g_autoptr (RoastTableWriter) processes = write_table (session, ROAST_TABLE_PROCESSES, "pid");
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (events);
  g_assert_nonnull (processes);
  g_assert_false (is_read (fixture));

  /* One that has no schema of its own does not need those of others: here it is the module that is missing. */
  g_assert_null (roast_registry_create_aggregator (fixture->registry, "plain", &error));
  g_assert_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_OPEN);
  g_assert_false (is_read (fixture));
}

/* A run file gets the texts without reading them. Its readers read them, and leave out the one with a mistake. */
static void
test_run_file (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastSession) session = roast_session_new (fixture->registry);
  g_autoptr (RoastTableWriter) events = write_table (session, ROAST_TABLE_EVENTS, "message");
  g_autofree char *path = g_build_filename (fixture->directory, "run.roast", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastRunFile) file = roast_run_file_create (path, &error);
  g_autoptr (RoastRecording) recording = NULL;
  RoastSchema *schema = NULL;

  g_assert_no_error (error);
  roast_run_file_attach (file, roast_session_get_recording (session));
  roast_table_writer_set_string (events, 0, "m");
  g_assert_true (roast_table_writer_end (events, NULL));
  g_assert_true (roast_run_file_close (file, &error));
  g_assert_no_error (error);
  g_assert_false (is_read (fixture));

  g_object_unref (file);
  file = roast_run_file_open (path, &error);
  g_assert_no_error (error);
  recording = roast_run_file_read (file, &error);
  g_assert_no_error (error);
  schema = roast_recording_get_schema (recording);
  g_assert_nonnull (roast_schema_lookup_table (schema, "own"));
  g_assert_nonnull (roast_schema_lookup_metric (schema, "owned", NULL));
  g_assert_true (roast_table_info_find_column (roast_schema_lookup_table (schema, ROAST_TABLE_WORKERS), "rack", NULL));
}

static void
test_added_column (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastSession) session = roast_session_new (fixture->registry);
  g_autoptr (RoastTableWriter) workers = NULL;

  g_assert_false (is_read (fixture));
  workers = write_table (session, ROAST_TABLE_WORKERS, "rack");
  g_assert_true (is_read (fixture));
}

static void
test_own_table (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastSession) session = roast_session_new (fixture->registry);
  g_autoptr (RoastTableWriter) own = write_table (session, "own", "source");

  g_assert_nonnull (own);
  g_assert_true (is_read (fixture));
}

static void
test_metric (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastSession) session = roast_session_new (fixture->registry);
  RoastSchema *schema = roast_recording_get_schema (roast_session_get_recording (session));

  g_assert_false (is_read (fixture));
  g_assert_nonnull (roast_schema_lookup_metric (schema, "owned", NULL));
  g_assert_true (is_read (fixture));
}

/* Who asks the registry for the schema gets all of it, and knows which plugins are broken. */
static void
test_registry (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) tables = NULL;

  g_assert_false (is_read (fixture));
  tables = roast_schema_list_tables (roast_registry_get_schema (fixture->registry));
  g_assert_true (is_read (fixture));
  g_assert_cmpstr (roast_table_info_get_name (g_ptr_array_index (tables, tables->len - 1)), ==, "own");
}

/* A plugin with a schema that cannot be used is not opened. */
static void
test_create (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (roast_registry_create_aggregator (fixture->registry, "wrong", &error));
  g_assert_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_METADATA);
  g_assert_nonnull (g_strstr_len (error->message, -1, "the schema of this plugin cannot be used"));
}

/* A text that is loaded later is checked against those of the plugins. */
static void
test_load (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastSession) session = roast_session_new (fixture->registry);
  RoastSchema *schema = roast_recording_get_schema (roast_session_get_recording (session));
  g_autoptr (GBytes) text = g_bytes_new_static ("[metric owned]\nDescription=e\n", 28);
  g_autoptr (GError) error = NULL;

  g_assert_false (roast_schema_load_data (schema, text, "test", &error));
  g_assert_error (error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_DUPLICATE);
}

static gpointer
look_up (gpointer schema)
{
  return roast_schema_lookup_metric (schema, "owned", NULL);
}

/* All threads find all of it, whichever comes first. */
static void
test_threads (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastSession) session = roast_session_new (fixture->registry);
  RoastSchema *schema = roast_recording_get_schema (roast_session_get_recording (session));
  GThread *threads[8];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("look-up", look_up, schema);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_assert_nonnull (g_thread_join (threads[i]));
}

#define ADD(name, function) g_test_add ("/pending-schema/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("core-tables", test_core_tables);
  ADD ("run-file", test_run_file);
  ADD ("added-column", test_added_column);
  ADD ("own-table", test_own_table);
  ADD ("metric", test_metric);
  ADD ("registry", test_registry);
  ADD ("create", test_create);
  ADD ("load", test_load);
  ADD ("threads", test_threads);

  return g_test_run ();
}
