/* SPDX-License-Identifier: BSD-3-Clause */

/* Exporters whose plugin is opened when they write, since their key file declares what is needed before. */

#include <glib/gstdio.h>
#include <roast/roast.h>
#include <string.h>
#include <unistd.h>

#define KEY_FILE                                                                                                       \
  "[Roast Plugin]\nModule=good-exporter\nName=good-exporter\nApi=1.0\nVersion=1.0\nProvides=exporter:good\n"           \
  "[Option exporter:good count]\nType=integer\nDefault=10\n"                                                           \
  "[Option exporter:good title]\nType=string\nEmpty=false\n"

typedef struct
{
  char *directory;
  char *key_file;
  char *module;
  RoastRegistry *registry;
  RoastPlugin *plugin;
  RoastRecordingSnapshot *recording;
  RoastReport *report;
} Fixture;

/* A directory with this key file; its module is that of the fixture that works. */
static void
set_up (Fixture *fixture, gconstpointer key_file)
{
  g_autofree char *module =
      g_test_build_filename (G_TEST_BUILT, "fixtures", "plugins", "good", "libgood-exporter.so", NULL);
  g_autofree char *absolute = g_canonicalize_filename (module, NULL);
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (GError) error = NULL;

  fixture->directory = g_dir_make_tmp ("roast-late-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->key_file = g_build_filename (fixture->directory, "good-exporter.roast-plugin", NULL);
  fixture->module = g_build_filename (fixture->directory, "libgood-exporter.so", NULL);
  g_assert_true (g_file_set_contents (fixture->key_file, key_file, -1, &error));
  g_assert_cmpint (symlink (absolute, fixture->module), ==, 0);
  fixture->registry = roast_registry_new_for_path (fixture->directory);
  fixture->plugin = roast_registry_find_provider (fixture->registry, ROAST_ROLE_EXPORTER, "good");
  g_assert_nonnull (fixture->plugin);
  g_assert_no_error (roast_plugin_get_error (fixture->plugin));
  fixture->recording = roast_recording_snapshot (recording);
  fixture->report = roast_report_new (schema);
}

static void
tear_down (Fixture *fixture, gconstpointer key_file)
{
  g_object_unref (fixture->registry);
  g_object_unref (fixture->recording);
  g_object_unref (fixture->report);
  g_unlink (fixture->key_file);
  g_unlink (fixture->module);
  g_assert_cmpint (g_rmdir (fixture->directory), ==, 0);
  g_free (fixture->key_file);
  g_free (fixture->module);
  g_free (fixture->directory);
}

static gboolean export (Fixture *fixture, RoastExporter *exporter, GError **error)
{
  g_autoptr (RoastOutput) output = roast_output_new_for_memory ();
  g_autoptr (GBytes) bytes = NULL;

  if (!roast_exporter_export_report (exporter, fixture->recording, fixture->report, output, NULL, error))
    return FALSE;
  bytes = roast_output_dup_bytes (output, NULL);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "good\n", 5);

  return TRUE;
}

static void
test_opened_late (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastExporter) exporter = roast_registry_create_exporter (fixture->registry, "good", NULL, &error);
  g_autoptr (RoastExporter) direct = NULL;
  g_autoptr (GVariant) options = NULL;

  g_assert_no_error (error);
  g_assert_cmpint (roast_exporter_get_flags (exporter), ==, ROAST_EXPORTER_FLAGS_NONE);
  g_assert_cmpint (roast_plugin_get_state (fixture->plugin), ==, ROAST_PLUGIN_STATE_FOUND);

  g_assert_true (export (fixture, exporter, &error));
  g_assert_cmpint (roast_plugin_get_state (fixture->plugin), ==, ROAST_PLUGIN_STATE_LOADED);
  g_assert_true (export (fixture, exporter, &error));
  g_assert_no_error (error);

  /* Now that it is open nothing stands for it any more. */
  direct = roast_registry_create_exporter (fixture->registry, "good", NULL, &error);
  g_assert_no_error (error);
  g_object_get (direct, "options", &options, NULL);
  g_assert_nonnull (options);
}

/* A key file without the group is that of a plugin that was written before there was such a group. */
static void
test_opened_early (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastExporter) exporter = roast_registry_create_exporter (fixture->registry, "good", NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpint (roast_plugin_get_state (fixture->plugin), ==, ROAST_PLUGIN_STATE_LOADED);
  g_assert_true (export (fixture, exporter, &error));
  g_assert_no_error (error);
}

static void
assert_refused (Fixture *fixture, const char *options, const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (roast_registry_create_exporter (fixture->registry, "good", g_variant_new_parsed (options, NULL),
                                                 &error));
  g_assert_nonnull (error);
  g_assert_cmpstr (error->message, ==, message);
}

/* Options are checked at once, by their declarations. */
static void
test_options (Fixture *fixture, gconstpointer data)
{
  assert_refused (fixture, "{'count': <'many'>}",
                  "exporter good: option count: the value must be a whole number of at most 63 bits, not 'many'");
  assert_refused (fixture, "{'colour': <'red'>}",
                  "exporter good: there is no option 'colour'; the options are: count, title");
  assert_refused (fixture, "{'title': <''>}",
                  "exporter good: option title: the value must be a text that is not empty, not ''");
  g_assert_cmpint (roast_plugin_get_state (fixture->plugin), ==, ROAST_PLUGIN_STATE_FOUND);
}

static void
test_configure_again (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastExporter) exporter = roast_registry_create_exporter (fixture->registry, "good", NULL, NULL);

  g_assert_false (roast_exporter_configure (exporter, NULL, &error));
  g_assert_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_UNKNOWN);
}

/* The output was opened for what the key file promised. */
static void
test_wrong_flags (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastExporter) exporter = roast_registry_create_exporter (fixture->registry, "good", NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpint (roast_exporter_get_flags (exporter), ==,
                   ROAST_EXPORTER_FLAGS_DIRECTORY | ROAST_EXPORTER_FLAGS_BINARY);
  g_assert_false (export (fixture, exporter, &error));
  g_assert_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_METADATA);
  g_assert_nonnull (strstr (error->message, "get_flags() returns ROAST_EXPORTER_FLAGS_NONE"));
}

/* What is missing is an error at once; what is bad in another way, when it is to write. */
static void
test_bad_module (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastExporter) exporter = NULL;

  g_assert_cmpint (g_unlink (fixture->module), ==, 0);
  g_assert_true (g_file_set_contents (fixture->module, "not a module", -1, NULL));
  exporter = roast_registry_create_exporter (fixture->registry, "good", NULL, &error);
  g_assert_no_error (error);
  g_assert_false (export (fixture, exporter, &error));
  g_assert_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_OPEN);
}

static void
test_no_module (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_unlink (fixture->module), ==, 0);
  g_assert_null (roast_registry_create_exporter (fixture->registry, "good", NULL, &error));
  g_assert_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_OPEN);
}

#define ADD(name, key_file, function)                                                                                  \
  g_test_add ("/late-exporter/" name, Fixture, key_file, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("options", KEY_FILE "[Exporter good]\n", test_options);
  ADD ("opened-late", KEY_FILE "[Exporter good]\n", test_opened_late);
  ADD ("opened-early", KEY_FILE, test_opened_early);
  ADD ("configure-again", KEY_FILE "[Exporter good]\nFlags=\n", test_configure_again);
  ADD ("wrong-flags", KEY_FILE "[Exporter good]\nFlags=directory;binary\n", test_wrong_flags);
  ADD ("bad-module", KEY_FILE "[Exporter good]\n", test_bad_module);
  ADD ("no-module", KEY_FILE "[Exporter good]\n", test_no_module);

  return g_test_run ();
}
