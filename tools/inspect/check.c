/* SPDX-License-Identifier: BSD-3-Clause */

/* Implements --check, which finds problems of a plugin for its author. All checks run in child processes. */

#include "conform.h"

#include <glib/gstdio.h>
#include <string.h>

#include "core/base/roast-suggest-private.h"

/* number of iterations of the main context after which an object counts as leaked: until then, pending work may hold a
 * reference to it */
#define MOST_ITERATIONS 100

typedef struct
{
  const char *path;
  const char *address; /* address of something that the backend can read, or NULL */
  RoastRegistry *registry;
} Check;

static void
check_keys (RoastPlugin *plugin, GKeyFile *key_file)
{
  static const char *const known[] = { "Module",      "Name",      "Api",     "Provides", "Capabilities",
                                       "Description", "Version",   "License", "Website",  "Loader",
                                       "Schemas",     "Addresses", NULL };
  g_auto (GStrv) keys = g_key_file_get_keys (key_file, "Roast Plugin", NULL, NULL);

  for (char **key = keys; key != NULL && *key != NULL; key++)
    {
      const char *near = roast_suggest (*key, known);
      g_autofree char *cure = near != NULL ? g_strdup_printf ("Write %s, or remove the key", near)
                                           : g_strdup ("Remove the key, or begin the name of the key with X-");

      if (!g_strv_contains (known, *key) && !g_str_has_prefix (*key, "X-"))
        inspect_child_finding (plugin, cure, "the key file has an unknown key %s", *key);
    }
  if (*roast_plugin_get_description (plugin) == '\0')
    inspect_child_finding (plugin, "Add Description=", "the key file has no description, which lists of plugins show");
  if (roast_plugin_get_license (plugin) == NULL)
    inspect_child_finding (plugin, "Add License= with an SPDX expression", "the key file has no licence");
}

static void
check_key_file (RoastPlugin *plugin)
{
  g_autoptr (GKeyFile) key_file = g_key_file_new ();
  g_autoptr (GFlagsClass) flags = g_type_class_ref (ROAST_TYPE_BACKEND_CAPABILITIES);
  g_autofree char *base = g_path_get_basename (roast_plugin_get_path (plugin));
  g_autofree char *expected = g_strconcat (roast_plugin_get_name (plugin), ".roast-plugin", NULL);
  const char *const *capability = roast_plugin_get_capabilities (plugin);
  g_auto (GStrv) backends = roast_plugin_dup_provides (plugin, ROAST_ROLE_BACKEND);

  inspect_child_step ("roast reads the key file");
  if (g_key_file_load_from_file (key_file, roast_plugin_get_path (plugin), G_KEY_FILE_NONE, NULL))
    check_keys (plugin, key_file);
  if (!g_str_equal (base, expected))
    inspect_child_finding (plugin, "Use the same name for the key file and the plugin",
                           "the key file is %s, but the name of the plugin is %s", base,
                           roast_plugin_get_name (plugin));
  if (backends[0] != NULL && !g_strv_contains (capability, "launch") && !g_strv_contains (capability, "attach") &&
      !g_strv_contains (capability, "read"))
    inspect_child_finding (plugin, "Add Capabilities=launch, attach or read to the key file",
                           "the backend cannot be used: the key file lists none of launch, attach and read");
  for (; *capability != NULL; capability++)
    if (g_flags_get_value_by_nick (flags, *capability) == NULL)
      inspect_child_finding (plugin, "Remove this capability from Capabilities", "there is no capability %s",
                             *capability);
}

/* Removes everything but letters and digits, and converts to lower case. So “roast-mine” is found in
 * “RoastMineBackend”. */
static char *
squeeze (const char *text)
{
  GString *squeezed = g_string_new (NULL);

  for (; *text != '\0'; text++)
    if (g_ascii_isalnum (*text))
      g_string_append_c (squeezed, g_ascii_tolower (*text));
  return g_string_free (squeezed, FALSE);
}

static void
check_type_name (RoastPlugin *plugin, GType type)
{
  g_autofree char *type_name = squeeze (g_type_name (type));
  g_autofree char *name = squeeze (roast_plugin_get_name (plugin));

  if (strstr (type_name, name) == NULL)
    inspect_child_finding (plugin, "Rename the type: names of types are shared by the whole process",
                           "the name of the type %s does not contain the name of the plugin, and may clash with a type "
                           "of another plugin",
                           g_type_name (type));
}

static GVariant *
dup_defaults (RoastPlugin *plugin, RoastRole role, const char *name)
{
  g_autoptr (GPtrArray) options = roast_plugin_list_options (plugin, role, name);
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);

  for (guint i = 0; i < options->len; i++)
    {
      GVariant *value = roast_plugin_option_get_default (g_ptr_array_index (options, i));

      if (value != NULL)
        g_variant_dict_insert_value (&dict, roast_plugin_option_get_name (g_ptr_array_index (options, i)), value);
    }
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

static void
check_capabilities (RoastPlugin *plugin, RoastMetricsBackend *backend)
{
  g_autoptr (GFlagsClass) flags = g_type_class_ref (ROAST_TYPE_BACKEND_CAPABILITIES);
  guint capabilities = roast_metrics_backend_get_capabilities (backend);

  for (guint i = 0; i < flags->n_values; i++)
    if ((capabilities & flags->values[i].value) != 0 &&
        !g_strv_contains (roast_plugin_get_capabilities (plugin), flags->values[i].value_nick))
      inspect_child_finding (plugin, "Add this capability to Capabilities in the key file",
                             "the backend has the capability %s, which the key file does not list",
                             flags->values[i].value_nick);
}

static gboolean
configure (gpointer object, RoastRole role, GVariant *options, GError **error)
{
  if (role == ROAST_ROLE_BACKEND)
    return roast_metrics_backend_configure (object, options, error);
  if (role == ROAST_ROLE_EXPORTER)
    return roast_exporter_configure (object, options, error);
  return TRUE;
}

static void
check_release (RoastPlugin *plugin, GObject *object)
{
  GWeakRef weak;
  GObject *left = NULL;

  inspect_child_step ("roast releases an object of the plugin");
  g_weak_ref_init (&weak, object);
  g_object_unref (object);
  for (guint i = 0; i < MOST_ITERATIONS && g_main_context_iteration (NULL, FALSE); i++)
    continue;
  left = g_weak_ref_get (&weak);
  if (left != NULL)
    inspect_child_finding (plugin, "Release every reference that the object holds to itself",
                           "an object of type %s is not freed when roast releases the object",
                           G_OBJECT_TYPE_NAME (left));
  g_clear_object (&left);
  g_weak_ref_clear (&weak);
}

static void
check_object (RoastPlugin *plugin, RoastRole role, const char *name, GType type)
{
  g_autoptr (GVariant) defaults = dup_defaults (plugin, role, name);
  g_autoptr (GError) error = NULL;
  GObject *object;

  inspect_child_step ("roast creates an object of the plugin");
  object = g_object_new (type, NULL);
  if (g_object_is_floating (object))
    g_object_ref_sink (object);
  if (role == ROAST_ROLE_BACKEND)
    check_capabilities (plugin, ROAST_METRICS_BACKEND (object));
  else if (role == ROAST_ROLE_EXPORTER)
    roast_exporter_get_flags (ROAST_EXPORTER (object));
  else
    g_strfreev (roast_aggregator_dup_provides (ROAST_AGGREGATOR (object)));
  inspect_child_step ("roast configures an object with the defaults of the options");
  if (!configure (object, role, defaults, &error))
    inspect_child_finding (plugin, "Give each option a default that works",
                           "cannot configure %s:%s with the defaults of the options: %s", inspect_role_name (role),
                           name, error->message);
  check_release (plugin, object);
}

static void
check_provided (RoastPlugin *plugin, RoastRole role, const char *name, gpointer data)
{
  GType type = roast_plugin_get_provided_type (plugin, role, name, NULL);

  check_type_name (plugin, type);
  check_object (plugin, role, name, type);
}

static void
check_alone (gpointer data)
{
  Check *check = data;
  g_autoptr (RoastPlugin) plugin = roast_plugin_new_from_file (check->path);

  if (roast_plugin_get_error (plugin) != NULL)
    {
      inspect_child_error (plugin, roast_plugin_get_error (plugin));
      return;
    }
  check_key_file (plugin);
  if (!inspect_child_load (plugin))
    return;
  inspect_each_provided (plugin, check_provided, NULL);
}

static void
open_quietly (RoastPlugin *plugin, RoastRole role, const char *name, gpointer data)
{
  roast_plugin_get_provided_type (plugin, role, name, NULL);
}

static void
check_charts (RoastPlugin *plugin, RoastSchema *schema, const char *own)
{
  g_autoptr (GPtrArray) charts = roast_schema_list_charts (schema);

  inspect_child_step ("roast checks the charts of the plugin");
  for (guint i = 0; i < charts->len; i++)
    {
      RoastChartInfo *chart = g_ptr_array_index (charts, i);
      g_autoptr (GError) error = NULL;

      if (g_str_equal (roast_chart_info_get_declared_by (chart), own) &&
          !roast_schema_check_chart (schema, chart, &error))
        inspect_child_finding (plugin, "Correct the chart, or install the plugin that declares the table of the chart",
                               "a chart cannot be drawn: %s", error->message);
    }
}

/* Evaluates the formulas of the metrics on empty tables, to find names that are not declared in any schema. */
static void
check_formulas (RoastPlugin *plugin, RoastSchema *schema, const char *own)
{
  g_autoptr (GPtrArray) metrics = roast_schema_list_metrics (schema);
  g_autoptr (RoastRecording) recording = roast_recording_new (schema);
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autoptr (RoastReport) report = roast_report_new (schema);
  g_autoptr (RoastSchema) declared = roast_schema_new ();
  g_autoptr (GError) unusable = NULL;

  inspect_child_step ("roast checks the formulas of the plugin");
  if (g_file_test (own, G_FILE_TEST_EXISTS) && !roast_schema_load (declared, own, &unusable))
    inspect_child_finding (plugin, "Correct the schema", "the schema of this plugin cannot be used: %s",
                           unusable->message);
  for (guint i = 0; i < metrics->len; i++)
    {
      RoastMetricInfo *info = g_ptr_array_index (metrics, i);
      const char *name = roast_metric_info_get_name (info);
      const char *value = roast_metric_info_get_value (info);
      g_autoptr (RoastMetric) metric = NULL;
      g_autoptr (GError) error = NULL;

      if (value == NULL || roast_schema_lookup_metric (declared, name, NULL) == NULL)
        continue;
      metric = roast_report_evaluate (report, snapshot, name, value, &error);
      if (metric == NULL)
        inspect_child_finding (plugin, "Correct the key Value of this metric in the schema of the plugin",
                               "the metric %s of the plugin cannot be computed: %s", name, error->message);
    }
}

/* Checks the schema of the plugin together with those of all other plugins, because its charts and formulas may use
 * their tables and columns. */
static void
check_declarations (RoastPlugin *plugin)
{
  g_autoptr (RoastRegistry) registry = conform_registry_new (plugin);
  RoastSchema *schema = roast_registry_get_schema (registry);
  const char *path = roast_plugin_get_path (plugin);
  g_autofree char *stem = g_strndup (path, strlen (path) - strlen (".roast-plugin"));
  g_autofree char *own = g_strconcat (stem, ".roast-schema", NULL);

  check_charts (plugin, schema, own);
  check_formulas (plugin, schema, own);
}

/* Checks the plugin while the other plugins are loaded, to find types with the same name. */
static void
check_among_others (gpointer data)
{
  Check *check = data;
  g_autoptr (RoastPlugin) plugin = roast_plugin_new_from_file (check->path);
  g_autoptr (GPtrArray) others = inspect_list_plugins (check->registry);

  for (guint i = 0; i < others->len; i++)
    {
      RoastPlugin *other = g_ptr_array_index (others, i);
      g_autofree char *step = g_strdup_printf ("roast opens the other plugin %s", roast_plugin_get_path (other));

      inspect_child_step (step);
      if (!g_str_equal (roast_plugin_get_name (other), roast_plugin_get_name (plugin)))
        inspect_each_provided (other, open_quietly, NULL);
    }
  inspect_child_load (plugin);
  check_declarations (plugin);
}

/* Removes the output files of a check. The parent process does this, because the check may have crashed. */
static void
remove_all (const char *path)
{
  g_autoptr (GDir) dir = g_file_test (path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *entry = g_build_filename (path, name, NULL);

      remove_all (entry);
    }
  g_remove (path);
}

/* Uses each backend, aggregator or exporter of the plugin in the same way as roast-run. @role: which of the three */
static void
conform (Check *check, RoastRole role, InspectChildFunc func, GPtrArray *findings)
{
  g_autoptr (RoastPlugin) plugin = roast_plugin_new_from_file (check->path);
  g_auto (GStrv) names = roast_plugin_dup_provides (plugin, role);

  for (char **name = names; *name != NULL; name++)
    {
      g_autofree char *directory = g_dir_make_tmp ("roast-inspect-XXXXXX", NULL);
      ConformCase checked = { plugin, *name, directory, check->address };

      inspect_take_findings (findings, inspect_run_in_child (func, &checked, check->path));
      if (directory != NULL)
        remove_all (directory);
    }
}

static GPtrArray *
run_checks (Check *check)
{
  GPtrArray *findings = inspect_run_in_child (check_alone, check, check->path);

  for (guint i = 0; i < findings->len; i++)
    if (*((char **) g_ptr_array_index (findings, i))[INSPECT_CODE] != '\0')
      return findings;
  inspect_take_findings (findings, inspect_run_in_child (check_among_others, check, check->path));
  conform (check, ROAST_ROLE_BACKEND, conform_backend, findings);
  conform (check, ROAST_ROLE_AGGREGATOR, conform_aggregator, findings);
  conform (check, ROAST_ROLE_EXPORTER, conform_exporter, findings);
  return findings;
}

int
inspect_check (RoastRegistry *registry, const char *path, const char *address, gboolean json)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  Check check = { absolute, address, registry };
  g_autoptr (GPtrArray) findings = run_checks (&check);
  g_autofree char *none = g_strdup_printf ("%s: no problems found.", absolute);

  return inspect_end_findings (findings, json, none);
}
