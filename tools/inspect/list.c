/* SPDX-License-Identifier: BSD-3-Clause */
#include "inspect.h"

#include <string.h>

#include "core/base/roast-suggest-private.h"

static void
add_provided (RoastPlugin *plugin, RoastRole role, const char *name, gpointer table)
{
  g_autofree char *provides = g_strdup_printf ("%s:%s", inspect_role_name (role), name);

  inspect_table_add (table, roast_plugin_get_name (plugin), roast_plugin_get_version (plugin), provides,
                     roast_plugin_get_description (plugin), NULL);
}

static const char *
option_type (RoastPluginOption *option)
{
  const GVariantType *type = roast_plugin_option_get_value_type (option);

  if (roast_plugin_option_get_choices (option) != NULL)
    return "choice";
  if (g_variant_type_equal (type, G_VARIANT_TYPE_BOOLEAN))
    return "boolean";
  if (g_variant_type_equal (type, G_VARIANT_TYPE_INT64))
    return "integer";
  if (g_variant_type_equal (type, G_VARIANT_TYPE_DOUBLE))
    return "double";
  return "string";
}

static char *
option_default (RoastPluginOption *option)
{
  GVariant *value = roast_plugin_option_get_default (option);

  if (value == NULL)
    return NULL;
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    return g_variant_dup_string (value, NULL);
  return g_variant_print (value, FALSE);
}

static void
json_option (JsonBuilder *builder, gpointer option)
{
  GVariant *value = roast_plugin_option_get_default (option);

  json_builder_begin_object (builder);
  inspect_json_string (builder, "name", roast_plugin_option_get_name (option));
  inspect_json_string (builder, "type", option_type (option));
  if (roast_plugin_option_get_choices (option) != NULL)
    inspect_json_strv (builder, "choices", roast_plugin_option_get_choices (option));
  json_builder_set_member_name (builder, "default");
  json_builder_add_value (builder, value != NULL ? json_gvariant_serialize (value) : json_node_new (JSON_NODE_NULL));
  inspect_json_string (builder, "help", roast_plugin_option_get_help (option));
  json_builder_end_object (builder);
}

static void
json_provided (RoastPlugin *plugin, RoastRole role, const char *name, gpointer builder)
{
  g_autoptr (GPtrArray) options = roast_plugin_list_options (plugin, role, name);

  json_builder_begin_object (builder);
  inspect_json_string (builder, "role", inspect_role_name (role));
  inspect_json_string (builder, "name", name);
  inspect_json_list (builder, "options", options, json_option);
  json_builder_end_object (builder);
}

static void
json_plugin (JsonBuilder *builder, gpointer plugin)
{
  const GError *error = roast_plugin_get_error (plugin);

  json_builder_begin_object (builder);
  inspect_json_string (builder, "name", roast_plugin_get_name (plugin));
  inspect_json_string (builder, "description", roast_plugin_get_description (plugin));
  inspect_json_string (builder, "version", roast_plugin_get_version (plugin));
  inspect_json_string (builder, "api", roast_plugin_get_api (plugin));
  inspect_json_string (builder, "license", roast_plugin_get_license (plugin));
  inspect_json_string (builder, "website", roast_plugin_get_website (plugin));
  inspect_json_string (builder, "loader", roast_plugin_get_loader (plugin));
  inspect_json_string (builder, "path", roast_plugin_get_path (plugin));
  inspect_json_string (builder, "module", roast_plugin_get_module_path (plugin));
  inspect_json_strv (builder, "capabilities", roast_plugin_get_capabilities (plugin));
  json_builder_set_member_name (builder, "provides");
  json_builder_begin_array (builder);
  inspect_each_provided (plugin, json_provided, builder);
  json_builder_end_array (builder);
  inspect_json_string (builder, "error", error != NULL ? error->message : NULL);
  json_builder_end_object (builder);
}

static GPtrArray *
list_built_in (RoastRegistry *registry)
{
  GPtrArray *built_in = g_ptr_array_new_with_free_func (g_free);

  for (int role = 0; role < INSPECT_ROLES; role++)
    {
      g_auto (GStrv) names = roast_registry_dup_names (registry, (RoastRole) role);

      for (char **name = names; *name != NULL; name++)
        if (roast_registry_find_provider (registry, (RoastRole) role, *name) == NULL)
          g_ptr_array_add (built_in, g_strdup_printf ("%s:%s", inspect_role_name ((RoastRole) role), *name));
    }
  g_ptr_array_add (built_in, NULL);
  return built_in;
}

static void
list_as_json (RoastRegistry *registry)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (GPtrArray) plugins = inspect_list_plugins (registry);
  g_autoptr (GPtrArray) built_in = list_built_in (registry);
  g_auto (GStrv) directories = roast_registry_dup_search_path (registry);

  json_builder_begin_object (builder);
  inspect_json_list (builder, "plugins", plugins, json_plugin);
  inspect_json_strv (builder, "built-in", (const char *const *) built_in->pdata);
  inspect_json_strv (builder, "search-path", (const char *const *) directories);
  json_builder_end_object (builder);
  inspect_print_json (builder);
}

static void
list_as_text (RoastRegistry *registry)
{
  g_autoptr (InspectTable) table = inspect_table_new ();
  g_autoptr (GPtrArray) built_in = list_built_in (registry);
  g_autoptr (GPtrArray) plugins = inspect_list_plugins (registry);
  g_autoptr (GPtrArray) broken = roast_registry_list_broken (registry);
  g_auto (GStrv) directories = roast_registry_dup_search_path (registry);
  g_autofree char *searched = g_strjoinv (":", directories);

  inspect_table_add (table, "PLUGIN", "VERSION", "PROVIDES", "DESCRIPTION", NULL);
  for (guint i = 0; i < plugins->len; i++)
    if (roast_plugin_get_state (g_ptr_array_index (plugins, i)) != ROAST_PLUGIN_STATE_BROKEN)
      inspect_each_provided (g_ptr_array_index (plugins, i), add_provided, table);
  for (guint i = 0; i + 1 < built_in->len; i++)
    inspect_table_add (table, "(built in)", ROAST_VERSION_S, g_ptr_array_index (built_in, i), "Part of every report",
                       NULL);
  inspect_table_print (table, "");
  inspect_print ("\nSearched: %s\n", searched);
  if (broken->len > 0)
    inspect_print ("Broken plugins: %u. “roast-inspect --broken” shows the reasons.\n", broken->len);
}

int
inspect_list (RoastRegistry *registry, gboolean json)
{
  if (json)
    list_as_json (registry);
  else
    list_as_text (registry);
  return INSPECT_FINE;
}

static void
show_options (RoastPlugin *plugin, RoastRole role, const char *name, gpointer data)
{
  g_autoptr (GPtrArray) options = roast_plugin_list_options (plugin, role, name);
  g_autoptr (InspectTable) table = inspect_table_new ();

  inspect_print ("\n%s:%s%s\n", inspect_role_name (role), name, options->len > 0 ? ", with the options" : "");
  for (guint i = 0; i < options->len; i++)
    {
      RoastPluginOption *option = g_ptr_array_index (options, i);
      g_autofree char *value = option_default (option);
      g_autofree char *choices = NULL;
      g_autofree char *by_default = value != NULL ? g_strdup_printf ("default %s", value) : g_strdup ("no default");

      if (roast_plugin_option_get_choices (option) != NULL)
        choices = g_strjoinv ("|", (char **) roast_plugin_option_get_choices (option));
      inspect_table_add (table, roast_plugin_option_get_name (option), choices != NULL ? choices : option_type (option),
                         by_default, roast_plugin_option_get_help (option), NULL);
    }
  inspect_table_print (table, "  ");
}

static void
show_as_text (RoastPlugin *plugin)
{
  g_autoptr (InspectTable) table = inspect_table_new ();
  g_autofree char *capabilities = g_strjoinv (", ", (char **) roast_plugin_get_capabilities (plugin));
  const GError *error = roast_plugin_get_error (plugin);

  inspect_table_add_field (table, "Name", roast_plugin_get_name (plugin));
  inspect_table_add_field (table, "Description", roast_plugin_get_description (plugin));
  inspect_table_add_field (table, "Version", roast_plugin_get_version (plugin));
  inspect_table_add_field (table, "Built for API", roast_plugin_get_api (plugin));
  inspect_table_add_field (table, "Capabilities", capabilities);
  inspect_table_add_field (table, "Licence", roast_plugin_get_license (plugin));
  inspect_table_add_field (table, "Website", roast_plugin_get_website (plugin));
  inspect_table_add_field (table, "Key file", roast_plugin_get_path (plugin));
  inspect_table_add_field (table, "Module", roast_plugin_get_module_path (plugin));
  inspect_table_add_field (table, "Broken", error != NULL ? error->message : NULL);
  inspect_table_print (table, "");
  inspect_each_provided (plugin, show_options, NULL);
}

/* Finds a plugin by its own name, or by the name of a backend, aggregator or exporter that it provides, such as “local”
 * or “backend:local”. */
static RoastPlugin *
list_find_plugin (RoastRegistry *registry, const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, ":", 2);
  RoastPlugin *plugin = roast_registry_lookup_plugin (registry, name);
  const char *provided = parts[0] != NULL && parts[1] != NULL ? parts[1] : name;

  for (int role = 0; plugin == NULL && role < INSPECT_ROLES; role++)
    if (provided == name || g_strcmp0 (parts[0], inspect_role_name ((RoastRole) role)) == 0)
      plugin = roast_registry_find_provider (registry, (RoastRole) role, provided);
  return plugin;
}

static char **
dup_plugin_names (RoastRegistry *registry)
{
  g_autoptr (GPtrArray) plugins = inspect_list_plugins (registry);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  inspect_add_names (names, plugins, (InspectGetName) roast_plugin_get_name);
  g_ptr_array_add (names, NULL);

  return g_strdupv ((char **) names->pdata);
}

static int
list_not_found (RoastRegistry *registry, const char *name)
{
  g_auto (GStrv) names = dup_plugin_names (registry);
  g_autofree char *sentence = roast_suggest_sentence (name, (const char *const *) names, "the plugins are",
                                                      "no plugins were found: check ROAST_PLUGIN_PATH");

  inspect_complain ("there is no plugin '%s'; %s", name, sentence);
  return INSPECT_BROKEN;
}

int
inspect_show (RoastRegistry *registry, const char *name, gboolean json)
{
  RoastPlugin *plugin = list_find_plugin (registry, name);

  if (plugin == NULL)
    return list_not_found (registry, name);
  if (json)
    inspect_print_json_of (plugin, json_plugin);
  else
    show_as_text (plugin);
  return roast_plugin_get_error (plugin) == NULL ? INSPECT_FINE : INSPECT_BROKEN;
}

/* Prints the options that may follow "NAME,". If an option has only a few values, prints each of them. */
static int
print_options (RoastRegistry *registry, RoastRole role, const char *name)
{
  static const char *const truth[] = { "true", "false", NULL };
  RoastPlugin *plugin = roast_registry_find_provider (registry, role, name);
  g_autoptr (GPtrArray) options = NULL;

  if (plugin == NULL)
    {
      inspect_complain ("there is no %s '%s'", inspect_role_name (role), name);
      return INSPECT_BROKEN;
    }
  options = roast_plugin_list_options (plugin, role, name);
  for (guint i = 0; i < options->len; i++)
    {
      RoastPluginOption *option = g_ptr_array_index (options, i);
      const char *const *values = roast_plugin_option_get_choices (option);

      if (values == NULL && g_variant_type_equal (roast_plugin_option_get_value_type (option), G_VARIANT_TYPE_BOOLEAN))
        values = truth;
      if (values == NULL)
        inspect_print ("%s=\n", roast_plugin_option_get_name (option));
      for (; values != NULL && *values != NULL; values++)
        inspect_print ("%s=%s\n", roast_plugin_option_get_name (option), *values);
    }
  return INSPECT_FINE;
}

/* Parses the role, such as "backend" in "backend:local". */
static gboolean
find_role (const char *kind, RoastRole *role)
{
  gsize length = strcspn (kind, ":");

  for (int i = 0; i < INSPECT_ROLES; i++)
    if (strlen (inspect_role_name ((RoastRole) i)) == length &&
        strncmp (kind, inspect_role_name ((RoastRole) i), length) == 0)
      {
        *role = (RoastRole) i;
        return TRUE;
      }
  return FALSE;
}

int
inspect_names (RoastRegistry *registry, const char *kind)
{
  const char *colon = strchr (kind, ':');
  g_auto (GStrv) names = NULL;
  RoastRole role;

  if (find_role (kind, &role))
    {
      if (colon != NULL)
        return print_options (registry, role, colon + 1);
      names = roast_registry_dup_names (registry, role);
    }
  else if (g_str_equal (kind, "plugin"))
    names = dup_plugin_names (registry);
  if (names == NULL)
    {
      inspect_complain (
          "--names takes backend, aggregator, exporter, plugin, or ROLE:NAME such as backend:local, not '%s'", kind);
      return INSPECT_USAGE;
    }
  for (char **name = names; *name != NULL; name++)
    inspect_print ("%s\n", *name);
  return INSPECT_FINE;
}
