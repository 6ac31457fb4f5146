/* SPDX-License-Identifier: BSD-3-Clause */
#include <roast/roast.h>

#include <glib/gstdio.h>
#include <string.h>

/* A type of the application. */
#define MINE_TYPE_EXPORTER (mine_exporter_get_type ())
G_DECLARE_FINAL_TYPE (MineExporter, mine_exporter, MINE, EXPORTER, GObject)

struct _MineExporter
{
  GObject parent_instance;

  GVariant *options;
};

static gboolean
mine_exporter_configure (RoastExporter *exporter, GVariant *options, GError **error)
{
  MINE_EXPORTER (exporter)->options = g_variant_ref (options);
  return TRUE;
}

static void
mine_exporter_exporter_init (RoastExporterInterface *iface)
{
  iface->configure = mine_exporter_configure;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (MineExporter, mine_exporter, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_EXPORTER, mine_exporter_exporter_init))

static void
mine_exporter_finalize (GObject *object)
{
  g_clear_pointer (&MINE_EXPORTER (object)->options, g_variant_unref);
  G_OBJECT_CLASS (mine_exporter_parent_class)->finalize (object);
}

static void
mine_exporter_class_init (MineExporterClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = mine_exporter_finalize;
}

static void
mine_exporter_init (MineExporter *self)
{
}

static char *
fixtures (const char *directory)
{
  return g_test_build_filename (G_TEST_BUILT, "fixtures", "plugins", directory, NULL);
}

/* Names of directories of the fixtures, separated by colons. */
static RoastRegistry *
open_registry (const char *directories)
{
  g_auto (GStrv) names = g_strsplit (directories, ":", -1);
  g_autoptr (GString) path = g_string_new (NULL);

  for (char **name = names; *name != NULL; name++)
    {
      g_autofree char *directory = fixtures (*name);

      g_string_append_printf (path, ":%s", directory);
    }
  return roast_registry_new_for_path (path->str);
}

static void
assert_contains (const char *message, const char *part)
{
  if (strstr (message, part) == NULL)
    g_error ("'%s' is not in '%s'", part, message);
}

static void
assert_names (RoastRegistry *registry, RoastRole role, const char *expected)
{
  g_auto (GStrv) names = roast_registry_dup_names (registry, role);
  g_autofree char *joined = g_strjoinv (" ", names);

  g_assert_cmpstr (joined, ==, expected);
}

static void
test_empty (void)
{
  g_autoptr (RoastRegistry) registry = roast_registry_new_for_path (NULL);
  g_autoptr (GPtrArray) broken = roast_registry_list_broken (registry);

  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (registry)), ==, 0);
  g_assert_cmpuint (broken->len, ==, 0);
  assert_names (registry, ROAST_ROLE_BACKEND, "");
  assert_names (registry, ROAST_ROLE_AGGREGATOR, "");
}

static void
test_create (void)
{
  g_autoptr (RoastRegistry) registry = open_registry ("good");
  g_autoptr (RoastPlugin) first = g_list_model_get_item (G_LIST_MODEL (registry), 0);
  g_autoptr (RoastMetricsBackend) backend = NULL;
  g_autoptr (RoastAggregator) aggregator = NULL;
  g_autoptr (RoastExporter) exporter = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_list_model_get_item_type (G_LIST_MODEL (registry)) == ROAST_TYPE_PLUGIN);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (registry)), ==, 3);
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (registry), 3));
  g_assert_cmpstr (roast_plugin_get_name (first), ==, "good-aggregator");
  g_assert_true (roast_registry_lookup_plugin (registry, "good-aggregator") == first);
  g_assert_null (roast_registry_lookup_plugin (registry, "good"));
  g_assert_cmpint (roast_plugin_get_state (first), ==, ROAST_PLUGIN_STATE_FOUND);

  backend = roast_registry_create_backend (registry, "good", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (roast_metrics_backend_get_capabilities (backend), ==, ROAST_BACKEND_CAPABILITIES_LAUNCH);
  aggregator = roast_registry_create_aggregator (registry, "good", &error);
  g_assert_no_error (error);
  exporter = roast_registry_create_exporter (registry, "good", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (roast_plugin_get_state (first), ==, ROAST_PLUGIN_STATE_LOADED);
  g_assert_true (roast_registry_find_provider (registry, ROAST_ROLE_AGGREGATOR, "good") == first);
}

static GVariant *
get_configured (RoastExporter *exporter)
{
  GVariant *options = NULL;

  g_object_get (exporter, "options", &options, NULL);
  return options;
}

static void
assert_configured (RoastRegistry *registry, const char *text, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) options = roast_registry_parse_options (registry, ROAST_ROLE_EXPORTER, "good", text, &error);
  g_autoptr (RoastExporter) exporter = NULL;
  g_autoptr (GVariant) wanted = g_variant_parse (G_VARIANT_TYPE_VARDICT, expected, NULL, NULL, NULL);
  g_autoptr (GVariant) configured = NULL;
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);
  GVariantIter iter;
  const char *key;
  GVariant *value;

  g_assert_no_error (error);
  exporter = roast_registry_create_exporter (registry, "good", options, &error);
  g_assert_no_error (error);
  configured = get_configured (exporter);
  g_variant_dict_init (&dict, configured);
  g_assert_cmpuint (g_variant_n_children (configured), ==, g_variant_n_children (wanted));
  g_variant_iter_init (&iter, wanted);
  while (g_variant_iter_loop (&iter, "{&sv}", &key, &value))
    {
      g_autoptr (GVariant) found = g_variant_dict_lookup_value (&dict, key, NULL);

      g_assert_nonnull (found);
      g_assert_cmpvariant (found, value);
    }
}

static void
test_options (void)
{
  g_autoptr (RoastRegistry) registry = open_registry ("good");

  assert_configured (registry, NULL,
                     "{'count': <int64 10>, 'factor': <0.5>, 'header': <true>, 'separator': <'comma'>}");
  assert_configured (registry, "count=-3,factor=2,separator=tab,header=no,title=a\\,b\\\\c\\d",
                     "{'title': <'a,b\\\\c\\\\d'>, 'count': <int64 -3>, 'factor': <2.0>, 'header': <false>, "
                     "'separator': <'tab'>}");
  assert_configured (registry, "header,title=",
                     "{'title': <''>, 'count': <int64 10>, 'factor': <0.5>, 'header': <true>, 'separator': <'comma'>}");
}

static const struct
{
  const char *text;
  RoastOptionError code;
  const char *part;
} bad_options[] = {
  { "cuont=1", ROAST_OPTION_ERROR_UNKNOWN,
    "there is no option 'cuont'; the options are: title, count, factor, header, separator. "
    "Did you mean count?" },
  { "xyz=1", ROAST_OPTION_ERROR_UNKNOWN, "the options are: title" },
  { "count", ROAST_OPTION_ERROR_SYNTAX, "count=VALUE" },
  { "count=1,count=2", ROAST_OPTION_ERROR_SYNTAX, "given twice" },
  { "=1", ROAST_OPTION_ERROR_SYNTAX, "OPTION=VALUE" },
  { ",", ROAST_OPTION_ERROR_SYNTAX, "OPTION=VALUE" },
  { "count=1,", ROAST_OPTION_ERROR_SYNTAX, "OPTION=VALUE" },
  { "count=1,,factor=1", ROAST_OPTION_ERROR_SYNTAX, "OPTION=VALUE" },
  { "count=many", ROAST_OPTION_ERROR_VALUE, "exporter good: option count: the value must be a whole number" },
  { "factor=nan", ROAST_OPTION_ERROR_VALUE, "a finite number such as 0.5, not 'nan'" },
  { "separator=pipe", ROAST_OPTION_ERROR_VALUE, "one of comma, tab, not 'pipe'" },
};

static void
test_bad_options (void)
{
  g_autoptr (RoastRegistry) registry = open_registry ("good");

  for (gsize i = 0; i < G_N_ELEMENTS (bad_options); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (roast_registry_parse_options (registry, ROAST_ROLE_EXPORTER, "good", bad_options[i].text, &error));
      g_assert_error (error, ROAST_OPTION_ERROR, (int) bad_options[i].code);
      assert_contains (error->message, bad_options[i].part);
    }
}

/* What bindings pass: narrower integers, texts. */
static void
test_convert (void)
{
  static const struct
  {
    const char *options;
    gboolean taken;
  } tries[] = {
    { "{'count': <7>}", TRUE },      { "{'count': <byte 7>}", TRUE },
    { "{'count': <'7'>}", TRUE },    { "{'factor': <7>}", TRUE },
    { "{'count': <7.5>}", FALSE },   { "{'count': <uint64 18446744073709551615>}", FALSE },
    { "{'header': <1>}", FALSE },    { "{'separator': <'pipe'>}", FALSE },
    { "{'title': <['a']>}", FALSE }, { "{'cuont': <7>}", FALSE },
  };
  g_autoptr (RoastRegistry) registry = open_registry ("good");

  for (gsize i = 0; i < G_N_ELEMENTS (tries); i++)
    {
      g_autoptr (GError) error = NULL;
      GVariant *options = g_variant_new_parsed (tries[i].options);
      g_autoptr (RoastExporter) exporter = roast_registry_create_exporter (registry, "good", options, &error);

      g_assert_cmpint (exporter != NULL, ==, tries[i].taken);
      if (!tries[i].taken)
        g_assert_true (error->domain == ROAST_OPTION_ERROR);
    }
}

static void
test_not_found (void)
{
  g_autoptr (RoastRegistry) registry = open_registry ("good:broken");
  g_autoptr (GError) error = NULL;

  g_assert_null (roast_registry_create_backend (registry, "godo", NULL, &error));
  g_assert_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_NOT_FOUND);
  assert_contains (error->message, "there is no backend 'godo'; the names are: good, ");
  assert_contains (error->message, "Did you mean good?");
  g_clear_error (&error);

  g_assert_null (roast_registry_parse_options (registry, ROAST_ROLE_EXPORTER, "nothing-like-it", "a=b", &error));
  g_assert_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_NOT_FOUND);
  g_assert_null (strstr (error->message, "Did you mean"));
  g_clear_error (&error);

  g_assert_null (roast_registry_create_backend (registry, "newer-api", NULL, &error));
  g_assert_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_NOT_FOUND);
  assert_contains (error->message, "backend 'newer-api' does not work: ");
  assert_contains (error->message, "Install a newer roast");
}

static void
test_broken_beside_good (void)
{
  g_autoptr (RoastRegistry) registry = open_registry ("broken:good");
  g_autoptr (RoastMetricsBackend) backend = NULL;
  g_autoptr (GPtrArray) before = roast_registry_list_broken (registry);
  g_autoptr (GPtrArray) after = NULL;
  g_autoptr (GError) error = NULL;

  /* newer-api, other-loader, no-module, no-name, unparsable */
  g_assert_cmpuint (before->len, ==, 5);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (registry)), ==, 17);
  g_assert_null (roast_registry_create_backend (registry, "undefined-symbol", NULL, &error));
  g_assert_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_OPEN);
  g_clear_error (&error);
  g_assert_null (roast_registry_create_exporter (registry, "wrong-type", NULL, &error));
  g_assert_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_TYPE);
  g_clear_error (&error);
  after = roast_registry_list_broken (registry);
  g_assert_cmpuint (after->len, ==, 7);
  assert_names (registry, ROAST_ROLE_EXPORTER, "good");

  backend = roast_registry_create_backend (registry, "good", NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (backend);
}

static void
test_clashes (void)
{
  g_autoptr (RoastRegistry) registry = open_registry ("good:clashing");
  RoastPlugin *clash = roast_registry_lookup_plugin (registry, "name-clash");
  g_autoptr (RoastMetricsBackend) backend = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_error (roast_plugin_get_error (clash), ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_NAME_CLASH);
  assert_contains (roast_plugin_get_error (clash)->message, "backend:good is already provided by the plugin of ");
  assert_contains (roast_plugin_get_error (clash)->message, "good-backend.roast-plugin");
  g_assert_cmpstr (roast_plugin_get_name (roast_registry_find_provider (registry, ROAST_ROLE_BACKEND, "good")), ==,
                   "good-backend");
  backend = roast_registry_create_backend (registry, "good", NULL, &error);
  g_assert_no_error (error);
  g_assert_null (roast_registry_create_backend (registry, "type-clash", NULL, &error));
  g_assert_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_NAME_CLASH);
}

static void
write_plugin (const char *directory, const char *file, const char *name, const char *provides, const char *description)
{
  g_autofree char *path = g_build_filename (directory, file, NULL);
  g_autofree char *text =
      g_strdup_printf ("[Roast Plugin]\nModule=m\nName=%s\nApi=1.0\nVersion=1\nProvides=%s\nDescription=%s\n", name,
                       provides, description);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
clear_directory (const char *directory)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (directory, name, NULL);

      g_assert_cmpint (g_remove (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (directory), ==, 0);
}

static void
test_search_order (void)
{
  g_autofree char *first = g_dir_make_tmp ("roast-first-XXXXXX", NULL);
  g_autofree char *second = g_dir_make_tmp ("roast-second-XXXXXX", NULL);
  g_autofree char *path = g_strconcat (first, "::", second, ":", first, "/:/nonexistent", NULL);
  g_autoptr (RoastRegistry) registry = NULL;
  g_auto (GStrv) directories = NULL;

  write_plugin (first, "one.roast-plugin", "one", "backend:one", "first");
  write_plugin (second, "one.roast-plugin", "one", "backend:one", "shadowed");
  write_plugin (first, "two.roast-plugin", "two", "backend:", "broken");
  write_plugin (second, "two.roast-plugin", "two", "backend:two", "second");
  write_plugin (second, "two.roast-plugin~", "three", "backend:three", "a backup");
  registry = roast_registry_new_for_path (path);
  directories = roast_registry_dup_search_path (registry);
  g_assert_cmpuint (g_strv_length (directories), ==, 3);
  g_assert_cmpstr (directories[0], ==, first);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (registry)), ==, 3);
  g_assert_cmpstr (roast_plugin_get_description (roast_registry_lookup_plugin (registry, "one")), ==, "first");
  /* A broken plugin stands in nobody's way. */
  g_assert_cmpstr (roast_plugin_get_description (roast_registry_lookup_plugin (registry, "two")), ==, "second");
  assert_names (registry, ROAST_ROLE_BACKEND, "one two");
  clear_directory (first);
  clear_directory (second);
}

static void
test_environment (void)
{
  g_autofree char *good = fixtures ("good");
  g_autofree char *broken = fixtures ("broken");
  g_autofree char *old_path = g_strdup (g_getenv ("ROAST_PLUGIN_PATH"));
  g_autofree char *old_system = g_strdup (g_getenv ("ROAST_PLUGIN_SYSTEM_PATH"));
  g_autofree char *user = g_build_filename (g_get_user_data_dir (), "roast-1", "plugins", NULL);
  g_autoptr (RoastRegistry) replaced = NULL;
  g_autoptr (RoastRegistry) whole = NULL;
  g_auto (GStrv) short_path = NULL;
  g_auto (GStrv) long_path = NULL;

  g_setenv ("ROAST_PLUGIN_PATH", good, TRUE);
  g_setenv ("ROAST_PLUGIN_SYSTEM_PATH", broken, TRUE);
  replaced = roast_registry_new ();
  short_path = roast_registry_dup_search_path (replaced);
  g_unsetenv ("ROAST_PLUGIN_SYSTEM_PATH");
  whole = roast_registry_new ();
  long_path = roast_registry_dup_search_path (whole);
  g_setenv ("ROAST_PLUGIN_PATH", old_path != NULL ? old_path : "", TRUE);
  g_setenv ("ROAST_PLUGIN_SYSTEM_PATH", old_system != NULL ? old_system : "", TRUE);

  g_assert_cmpuint (g_strv_length (short_path), ==, 2);
  g_assert_cmpstr (short_path[0], ==, good);
  g_assert_cmpstr (short_path[1], ==, broken);
  g_assert_cmpuint (g_strv_length (long_path), ==, 3);
  g_assert_cmpstr (long_path[0], ==, good);
  g_assert_cmpstr (long_path[1], ==, user);
  g_assert_true (g_str_has_suffix (long_path[2], "/roast-1/plugins"));
}

static void
test_register (void)
{
  g_autoptr (RoastRegistry) registry = open_registry ("good");
  g_autoptr (RoastExporter) exporter = NULL;
  g_autoptr (GVariant) options = NULL;
  g_autoptr (GError) error = NULL;
  const char *title = NULL;

  g_assert_true (roast_registry_register_type (registry, ROAST_ROLE_EXPORTER, "mine", MINE_TYPE_EXPORTER, &error));
  g_assert_no_error (error);
  assert_names (registry, ROAST_ROLE_EXPORTER, "good mine");
  options = roast_registry_parse_options (registry, ROAST_ROLE_EXPORTER, "mine", "title=a,wide", &error);
  g_assert_no_error (error);
  exporter = roast_registry_create_exporter (registry, "mine", options, &error);
  g_assert_no_error (error);
  g_assert_true (MINE_IS_EXPORTER (exporter));
  g_assert_true (g_variant_lookup (MINE_EXPORTER (exporter)->options, "title", "&s", &title));
  g_assert_cmpstr (title, ==, "a");
  g_assert_true (g_variant_lookup (MINE_EXPORTER (exporter)->options, "wide", "&s", &title));

  g_assert_false (roast_registry_register_type (registry, ROAST_ROLE_EXPORTER, "mine", MINE_TYPE_EXPORTER, &error));
  g_assert_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_NAME_CLASH);
  g_clear_error (&error);
  g_assert_false (roast_registry_register_type (registry, ROAST_ROLE_EXPORTER, "good", MINE_TYPE_EXPORTER, &error));
  g_assert_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_NAME_CLASH);
  g_clear_error (&error);
  g_assert_false (roast_registry_register_type (registry, ROAST_ROLE_BACKEND, "mine", MINE_TYPE_EXPORTER, &error));
  g_assert_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_TYPE);
  g_clear_error (&error);
  g_assert_false (roast_registry_register_type (registry, ROAST_ROLE_EXPORTER, "My Own", MINE_TYPE_EXPORTER, &error));
  g_assert_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_METADATA);
}

/* Schemas are read without opening a plugin. One that cannot be used breaks its plugin, and no other. */
static void
test_schema (void)
{
  g_autoptr (RoastRegistry) registry = open_registry ("good:clashing");
  RoastSchema *schema = roast_registry_get_schema (registry);
  RoastPlugin *good = roast_registry_lookup_plugin (registry, "good-backend");
  RoastPlugin *bad = roast_registry_lookup_plugin (registry, "bad-schema");
  RoastPlugin *clash = roast_registry_lookup_plugin (registry, "schema-clash");
  g_autoptr (RoastMetricsBackend) backend = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (ROAST_IS_SCHEMA (schema));
  g_assert_true (roast_registry_get_schema (registry) == schema);
  g_assert_nonnull (roast_schema_lookup_table (schema, ROAST_TABLE_WORKERS));
  g_assert_nonnull (roast_schema_lookup_table (schema, "made_up"));
  g_assert_null (roast_plugin_get_error (good));
  g_assert_cmpint (roast_plugin_get_state (good), ==, ROAST_PLUGIN_STATE_FOUND);

  g_assert_error (roast_plugin_get_error (bad), ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_METADATA);
  assert_contains (roast_plugin_get_error (bad)->message, "the schema of this plugin cannot be used");
  assert_contains (roast_plugin_get_error (bad)->message, "bad-schema.roast-schema");

  g_assert_error (roast_plugin_get_error (clash), ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_METADATA);
  assert_contains (roast_plugin_get_error (clash)->message, "schema-clash.roast-schema");
  assert_contains (roast_plugin_get_error (clash)->message, "table “made_up” is declared already by ");
  assert_contains (roast_plugin_get_error (clash)->message, "good-backend.roast-schema");

  backend = roast_registry_create_backend (registry, "schema-clash", NULL, &error);
  g_assert_null (backend);
  g_assert_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_METADATA);
}

/* Also when nothing but one of its backends is asked for. */
static void
test_schema_before_use (void)
{
  g_autoptr (RoastRegistry) registry = open_registry ("good:clashing");
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastMetricsBackend) backend = roast_registry_create_backend (registry, "bad-schema", NULL, &error);

  g_assert_null (backend);
  g_assert_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_METADATA);
  assert_contains (error->message, "the schema of this plugin cannot be used");
}

static void
write_schema (const char *directory, const char *file, const char *text)
{
  g_autofree char *path = g_build_filename (directory, file, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

/* The names of plugins decide, not their directories: metrics have one order wherever their plugins are. */
static void
test_schema_order (void)
{
  g_autofree char *first = g_dir_make_tmp ("roast-first-XXXXXX", NULL);
  g_autofree char *second = g_dir_make_tmp ("roast-second-XXXXXX", NULL);
  g_autofree char *path = g_strconcat (first, ":", second, NULL);
  g_autoptr (RoastRegistry) registry = NULL;
  g_autoptr (GPtrArray) metrics = NULL;

  write_plugin (first, "b.roast-plugin", "b", "backend:b", "x");
  write_schema (first, "b.roast-schema", "[metric of_b]\nGroup=New\nDescription=x\n");
  write_plugin (second, "a.roast-plugin", "a", "backend:a", "x");
  write_schema (second, "a.roast-schema", "[metric of_a]\nGroup=New\nDescription=x\n");
  registry = roast_registry_new_for_path (path);
  metrics = roast_schema_list_metrics (roast_registry_get_schema (registry));
  g_assert_cmpuint (metrics->len, >=, 2);
  g_assert_cmpstr (roast_metric_info_get_name (g_ptr_array_index (metrics, metrics->len - 2)), ==, "of_a");
  g_assert_cmpstr (roast_metric_info_get_name (g_ptr_array_index (metrics, metrics->len - 1)), ==, "of_b");
  clear_directory (first);
  clear_directory (second);
}

static void
test_default (void)
{
  g_assert_true (roast_registry_get_default () == roast_registry_get_default ());
  g_assert_true (ROAST_IS_REGISTRY (roast_registry_get_default ()));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/registry/empty", test_empty);
  g_test_add_func ("/registry/create", test_create);
  g_test_add_func ("/registry/options", test_options);
  g_test_add_func ("/registry/bad-options", test_bad_options);
  g_test_add_func ("/registry/convert", test_convert);
  g_test_add_func ("/registry/not-found", test_not_found);
  g_test_add_func ("/registry/broken-beside-good", test_broken_beside_good);
  g_test_add_func ("/registry/clashes", test_clashes);
  g_test_add_func ("/registry/search-order", test_search_order);
  g_test_add_func ("/registry/environment", test_environment);
  g_test_add_func ("/registry/register", test_register);
  g_test_add_func ("/registry/schema", test_schema);
  g_test_add_func ("/registry/schema-before-use", test_schema_before_use);
  g_test_add_func ("/registry/schema-order", test_schema_order);
  g_test_add_func ("/registry/default", test_default);
  return g_test_run ();
}
