/* SPDX-License-Identifier: BSD-3-Clause */
#include <roast/roast.h>

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

static RoastPlugin *
open_fixture (const char *directory, const char *name)
{
  g_autofree char *base = g_strdup_printf ("%s.roast-plugin", name);
  g_autofree char *path = g_test_build_filename (G_TEST_BUILT, "fixtures", "plugins", directory, base, NULL);

  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  return roast_plugin_new_from_file (path);
}

static RoastPlugin *
from_text (const char *text)
{
  g_autoptr (GBytes) data = g_bytes_new (text, strlen (text));

  return roast_plugin_new_from_data ("/nowhere/from-text.roast-plugin", data);
}

static void
assert_contains (const char *message, const char *part)
{
  if (strstr (message, part) == NULL)
    g_error ("'%s' is not in '%s'", part, message);
}

static void
test_metadata (void)
{
  g_autoptr (RoastPlugin) plugin = open_fixture ("good", "good-exporter");
  g_auto (GStrv) exporters = roast_plugin_dup_provides (plugin, ROAST_ROLE_EXPORTER);
  g_auto (GStrv) backends = roast_plugin_dup_provides (plugin, ROAST_ROLE_BACKEND);

  g_assert_cmpint (roast_plugin_get_state (plugin), ==, ROAST_PLUGIN_STATE_FOUND);
  g_assert_null (roast_plugin_get_error (plugin));
  g_assert_cmpstr (roast_plugin_get_name (plugin), ==, "good-exporter");
  g_assert_cmpstr (roast_plugin_get_description (plugin), ==, "An exporter that works");
  g_assert_cmpstr (roast_plugin_get_version (plugin), ==, "1.0");
  g_assert_cmpstr (roast_plugin_get_license (plugin), ==, "BSD-3-Clause");
  g_assert_cmpstr (roast_plugin_get_website (plugin), ==, "https://example.org/good");
  g_assert_cmpstr (roast_plugin_get_loader (plugin), ==, "c");
  g_assert_cmpuint (g_strv_length (exporters), ==, 1);
  g_assert_cmpstr (exporters[0], ==, "good");
  g_assert_cmpuint (g_strv_length (backends), ==, 0);
  g_assert_null (roast_plugin_get_capabilities (plugin)[0]);
  g_assert_true (g_path_is_absolute (roast_plugin_get_path (plugin)));
  g_assert_true (g_str_has_suffix (roast_plugin_get_module_path (plugin), "/libgood-exporter.so"));
}

static void
test_options (void)
{
  static const char *const names[] = { "title", "count", "factor", "header", "separator" };
  static const char *const types[] = { "s", "x", "d", "b", "s" };
  g_autoptr (RoastPlugin) plugin = open_fixture ("good", "good-exporter");
  g_autoptr (GPtrArray) options = roast_plugin_list_options (plugin, ROAST_ROLE_EXPORTER, "good");
  g_autoptr (GPtrArray) none = roast_plugin_list_options (plugin, ROAST_ROLE_BACKEND, "good");

  g_assert_cmpuint (none->len, ==, 0);
  g_assert_cmpuint (options->len, ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < options->len; i++)
    {
      RoastPluginOption *option = g_ptr_array_index (options, i);
      g_autofree char *type = g_variant_type_dup_string (roast_plugin_option_get_value_type (option));

      g_assert_cmpstr (roast_plugin_option_get_name (option), ==, names[i]);
      g_assert_cmpstr (type, ==, types[i]);
      g_assert_cmpstr (roast_plugin_option_get_help (option), !=, "");
      g_assert_cmpint (roast_plugin_option_get_default (option) == NULL, ==, i == 0);
      g_assert_cmpint (roast_plugin_option_get_choices (option) != NULL, ==, i == 4);
    }
}

static const struct
{
  const char *option;
  const char *text;
  const char *printed;
} values[] = {
  { "title", "", "''" },
  { "title", "a=b", "'a=b'" },
  { "title", "\xff", NULL },
  { "count", "-9223372036854775808", "-9223372036854775808" },
  { "count", "9223372036854775807", "9223372036854775807" },
  { "count", "9223372036854775808", NULL },
  { "count", "1.5", NULL },
  { "count", "0x10", NULL },
  { "count", " 1", NULL },
  { "count", "", NULL },
  { "factor", "-1.5e3", "-1500.0" },
  { "factor", "2", "2.0" },
  { "factor", "1,5", NULL },
  { "factor", "nan", NULL },
  { "factor", "inf", NULL },
  { "factor", "1e999", NULL },
  { "factor", "0x1p3", NULL },
  { "factor", " 1", NULL },
  { "factor", "1 ", NULL },
  { "factor", "", NULL },
  { "header", "off", "false" },
  { "header", "yes", "true" },
  { "header", "maybe", NULL },
  { "separator", "tab", "'tab'" },
  { "separator", "ta", NULL },
};

static void
test_parse (void)
{
  g_autoptr (RoastPlugin) plugin = open_fixture ("good", "good-exporter");
  g_autoptr (GPtrArray) options = roast_plugin_list_options (plugin, ROAST_ROLE_EXPORTER, "good");

  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    for (guint j = 0; j < options->len; j++)
      {
        RoastPluginOption *option = g_ptr_array_index (options, j);
        g_autoptr (GError) error = NULL;
        g_autoptr (GVariant) value = NULL;
        g_autofree char *printed = NULL;

        if (!g_str_equal (roast_plugin_option_get_name (option), values[i].option))
          continue;
        value = roast_plugin_option_parse (option, values[i].text, &error);
        printed = value != NULL ? g_variant_print (value, FALSE) : NULL;
        g_assert_cmpstr (printed, ==, values[i].printed);
        if (value == NULL)
          g_assert_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE);
      }
}

static void
test_good (void)
{
  static const struct
  {
    const char *plugin;
    RoastRole role;
  } good[] = {
    { "good-backend", ROAST_ROLE_BACKEND },
    { "good-aggregator", ROAST_ROLE_AGGREGATOR },
    { "good-exporter", ROAST_ROLE_EXPORTER },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autoptr (RoastPlugin) plugin = open_fixture ("good", good[i].plugin);
      g_autoptr (GError) error = NULL;
      g_autoptr (GObject) object = NULL;
      GType type = roast_plugin_get_provided_type (plugin, good[i].role, "good", &error);

      g_assert_no_error (error);
      g_assert_cmpint (roast_plugin_get_state (plugin), ==, ROAST_PLUGIN_STATE_LOADED);
      g_assert_true (type == roast_plugin_get_provided_type (plugin, good[i].role, "good", NULL));
      object = g_object_new (type, NULL);
      g_assert_nonnull (object);
      g_assert_true (roast_plugin_get_provided_type (plugin, good[i].role, "nothing", &error) == G_TYPE_INVALID);
      g_assert_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_NOT_FOUND);
      g_assert_cmpint (roast_plugin_get_state (plugin), ==, ROAST_PLUGIN_STATE_LOADED);
    }
}

/* What each broken plugin says, and what to do. */
static const struct
{
  const char *name;
  RoastRole role;
  RoastPluginError code;
  gboolean known_at_scan;
  const char *reason;
  const char *cure;
} broken[] = {
  { "missing-module", ROAST_ROLE_BACKEND, ROAST_PLUGIN_ERROR_OPEN, FALSE,
    "libmissing-module.so of the plugin does not exist", "Install the plugin again" },
  { "text-module", ROAST_ROLE_BACKEND, ROAST_PLUGIN_ERROR_OPEN, FALSE, "libtext-module.so", "is not a shared library" },
  { "undefined-symbol", ROAST_ROLE_BACKEND, ROAST_PLUGIN_ERROR_OPEN, FALSE, "no_such_symbol_anywhere",
    "build the plugin again" },
  { "older-function", ROAST_ROLE_BACKEND, ROAST_PLUGIN_ERROR_OPEN, FALSE, "roast_table_add_variant",
    "Install a version of the plugin for this roast" },
  { "no-descriptor", ROAST_ROLE_BACKEND, ROAST_PLUGIN_ERROR_NO_DESCRIPTOR, FALSE, "roast_plugin_descriptor",
    "ROAST_DEFINE_PLUGIN" },
  { "newer-api", ROAST_ROLE_BACKEND, ROAST_PLUGIN_ERROR_API_VERSION, TRUE, "API 1.999", "Install a newer roast" },
  { "newer-descriptor", ROAST_ROLE_BACKEND, ROAST_PLUGIN_ERROR_API_VERSION, FALSE, "API 1.999",
    "Install a newer roast" },
  { "wrong-type", ROAST_ROLE_EXPORTER, ROAST_PLUGIN_ERROR_TYPE, FALSE, "does not implement the interface RoastExporter",
    "Correct the plugin" },
  { "no-type", ROAST_ROLE_BACKEND, ROAST_PLUGIN_ERROR_TYPE, FALSE, "returns no type", "Correct the plugin" },
  { "unparsable", ROAST_ROLE_BACKEND, ROAST_PLUGIN_ERROR_METADATA, TRUE, "cannot parse the key file",
    "Correct the file" },
  { "no-module", ROAST_ROLE_BACKEND, ROAST_PLUGIN_ERROR_METADATA, TRUE, "neither Module nor Schemas",
    "Add Module=roast-no-module" },
  { "no-name", ROAST_ROLE_BACKEND, ROAST_PLUGIN_ERROR_METADATA, TRUE, "no Name", "Add Name=" },
  { "stale", ROAST_ROLE_BACKEND, ROAST_PLUGIN_ERROR_METADATA, FALSE,
    "the key file is stale: the key file is for stale 1.0", "Install the key file and module of one version" },
  { "other-loader", ROAST_ROLE_BACKEND, ROAST_PLUGIN_ERROR_LOADER, TRUE, "no loader 'perl'", "Install" },
};

static void
test_broken (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (broken); i++)
    {
      g_autoptr (RoastPlugin) plugin = open_fixture ("broken", broken[i].name);
      g_autoptr (GError) error = NULL;
      g_autoptr (GError) again = NULL;
      RoastPluginState state = broken[i].known_at_scan ? ROAST_PLUGIN_STATE_BROKEN : ROAST_PLUGIN_STATE_FOUND;

      g_assert_cmpint (roast_plugin_get_state (plugin), ==, state);
      g_assert_cmpstr (roast_plugin_get_name (plugin), ==, broken[i].name);
      g_assert_true (roast_plugin_get_provided_type (plugin, broken[i].role, broken[i].name, &error) == G_TYPE_INVALID);
      g_assert_error (error, ROAST_PLUGIN_ERROR, (int) broken[i].code);
      g_test_message ("%s", error->message);
      assert_contains (error->message, roast_plugin_get_path (plugin));
      assert_contains (error->message, broken[i].reason);
      assert_contains (error->message, broken[i].cure);

      g_assert_cmpint (roast_plugin_get_state (plugin), ==, ROAST_PLUGIN_STATE_BROKEN);
      g_assert_cmpstr (roast_plugin_get_error (plugin)->message, ==, error->message);
      g_assert_false (roast_plugin_load (plugin, &again));
      g_assert_cmpstr (again->message, ==, error->message);
    }
}

static void
test_type_clash (void)
{
  g_autoptr (RoastPlugin) good = open_fixture ("good", "good-backend");
  g_autoptr (RoastPlugin) clash = open_fixture ("clashing", "type-clash");
  g_autoptr (GError) error = NULL;

  g_assert_true (roast_plugin_get_provided_type (good, ROAST_ROLE_BACKEND, "good", &error) != G_TYPE_INVALID);
  g_assert_no_error (error);
  /* Criticals are fatal here, and a second call of the type function would wait for ever. */
  for (int i = 0; i < 2; i++)
    {
      g_assert_true (roast_plugin_get_provided_type (clash, ROAST_ROLE_BACKEND, "type-clash", &error) ==
                     G_TYPE_INVALID);
      g_assert_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_NAME_CLASH);
      assert_contains (error->message, "RoastGoodBackend");
      g_clear_error (&error);
    }
}

static void
test_criticals_stay_fatal (void)
{
  if (g_test_subprocess ())
    {
      g_autoptr (RoastPlugin) good = open_fixture ("good", "good-backend");

      g_assert_true (roast_plugin_get_provided_type (good, ROAST_ROLE_BACKEND, "good", NULL) != G_TYPE_INVALID);
      roast_plugin_get_name (NULL);
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_failed ();
  g_test_trap_assert_stderr ("*ROAST_IS_PLUGIN*");
}

#define HEAD "[Roast Plugin]\nModule=m\nName=n\nApi=1.0\nVersion=1\nProvides=backend:n\n"

static const struct
{
  const char *text;
  const char *reason;
} bad_texts[] = {
  { "", "no group [Roast Plugin]" },
  { "[Other]\nName=n\n", "no group [Roast Plugin]" },
  { "[Roast Plugin]\nName=\xff\xfe\n", "UTF-8" },
  { "[Roast Plugin]\nName=\\q\\\n", "incomplete escape" },
  { "[Roast Plugin]\nName=Upper\nModule=m\n", "Name=Upper is not a valid name" },
  { "[Roast Plugin]\nName=n\nModule=../m\n", "Module=../m is not a plain file name" },
  { "[Roast Plugin]\nName=n\nModule=m\n", "no Version" },
  { "[Roast Plugin]\nName=n\nModule=m\nLoader=python\n", "Add Version=VERSION to" },
  { "[Roast Plugin]\nName=n\nLoader=python\n", "Add Module=n, the name of the file without the extension" },
  { "[Roast Plugin]\nName=n\nModule=m\nVersion=1\n", "Api=MAJOR.MINOR" },
  { "[Roast Plugin]\nName=n\nModule=m\nVersion=1\nApi=1\n", "not Api='1'" },
  { "[Roast Plugin]\nName=n\nModule=m\nVersion=1\nApi=-1.0\n", "not Api='-1.0'" },
  { "[Roast Plugin]\nName=n\nModule=m\nVersion=1\nApi=1.0\n", "no Provides" },
  { "[Roast Plugin]\nName=n\nModule=m\nVersion=1\nApi=1.0\nProvides=cook:n\n", "'cook:n' in Provides" },
  { "[Roast Plugin]\nName=n\nModule=m\nVersion=1\nApi=1.0\nProvides=backend:N\n", "'backend:N' in Provides" },
  { "[Roast Plugin]\nName=n\nModule=m\nVersion=1\nApi=1.0\nProvides=backend:n;backend:n\n", "backend:n twice" },
  { "[Roast Plugin]\nName=n\nModule=m\nVersion=1\nApi=0.9\nProvides=backend:n\n", "API 0.9" },
  { "[Roast Plugin]\nName=n\nModule=m\nVersion=1\nApi=2.0\nProvides=backend:n\n", "API 2.0" },
  { HEAD "[Option n x]\nType=string\n", "must have the form [Option ROLE:NAME OPTION]" },
  { HEAD "[Option backend:n X]\nType=string\n", "must have the form [Option ROLE:NAME OPTION]" },
  { HEAD "[Option exporter:n x]\nType=string\n", "that Provides does not list" },
  { HEAD "[Option backend:n x]\nHelp=no type\n", "needs Type=" },
  { HEAD "[Option backend:n x]\nType=colour\n", "not 'colour'" },
  { HEAD "[Option backend:n x]\nType=choice\n", "needs Choices=" },
  { HEAD "[Option backend:n x]\nType=choice\nChoices=a;b\nDefault=c\n", "one of a, b, not 'c'" },
  { HEAD "[Option backend:n x]\nType=double\nDefault=NaN\n", "the value of Default in group" },
  { HEAD "[Option backend:n x]\nType=string\nDefault=\nEmpty=false\n", "must be a text that is not empty" },
  { HEAD "[Exporter n]\n", "group [Exporter n] describes an item that Provides does not list" },
  { "[Roast Plugin]\nModule=m\nName=n\nApi=1.0\nVersion=1\nProvides=exporter:n\n[Exporter n]\nFlags=terminal;none\n",
    "Flags of group [Exporter n] contains 'none', which is not directory, terminal, binary or live" },
};

static void
test_bad_key_files (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (bad_texts); i++)
    {
      g_autoptr (RoastPlugin) plugin = from_text (bad_texts[i].text);

      g_assert_cmpint (roast_plugin_get_state (plugin), ==, ROAST_PLUGIN_STATE_BROKEN);
      assert_contains (roast_plugin_get_error (plugin)->message, "/nowhere/from-text.roast-plugin: ");
      assert_contains (roast_plugin_get_error (plugin)->message, bad_texts[i].reason);
    }
}

static void
test_unknown_is_ignored (void)
{
  g_autoptr (RoastPlugin) plugin = from_text (HEAD "Colour=red\n[Something Later]\nKey=value\n");

  g_assert_null (roast_plugin_get_error (plugin));
}

static void
test_unreadable (void)
{
  g_autofree char *directory = g_dir_make_tmp ("roast-plugin-XXXXXX", NULL);
  g_autofree char *fifo = g_build_filename (directory, "fifo.roast-plugin", NULL);
  g_autofree char *large = g_build_filename (directory, "large.roast-plugin", NULL);
  g_autofree char *missing = g_build_filename (directory, "missing.roast-plugin", NULL);
  g_autofree char *content = g_strnfill (64 * 1024 + 1, '#');
  const char *const paths[] = { directory, fifo, large, missing };

  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  g_assert_true (g_file_set_contents (large, content, -1, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (RoastPlugin) plugin = roast_plugin_new_from_file (paths[i]);

      g_assert_error (roast_plugin_get_error (plugin), ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_METADATA);
    }
  g_remove (fifo);
  g_remove (large);
  g_rmdir (directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plugin/metadata", test_metadata);
  g_test_add_func ("/plugin/options", test_options);
  g_test_add_func ("/plugin/parse", test_parse);
  g_test_add_func ("/plugin/good", test_good);
  g_test_add_func ("/plugin/broken", test_broken);
  g_test_add_func ("/plugin/type-clash", test_type_clash);
  g_test_add_func ("/plugin/criticals-stay-fatal", test_criticals_stay_fatal);
  g_test_add_func ("/plugin/bad-key-files", test_bad_key_files);
  g_test_add_func ("/plugin/unknown-is-ignored", test_unknown_is_ignored);
  g_test_add_func ("/plugin/unreadable", test_unreadable);
  return g_test_run ();
}
