/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast/roast-registry.h"

#include "base/roast-fail-private.h"
#include "base/roast-missing-private.h"
#include "base/roast-suggest-private.h"
#include "base/roast-type-private.h"
#include "roast-late-exporter-private.h"
#include "roast-plugin-key-file-private.h"
#include "roast-plugin-path-private.h"
#include "roast-plugin-private.h"
#include "roast-registry-options-private.h"
#include "roast-registry-schema-private.h"
#include "table/roast-schema-private.h"

/**
 * RoastRegistry:
 *
 * The backends, aggregators and exporters of plugins and of the application. As a #GListModel, a registry lists the
 * plugins, including broken ones.
 *
 * When a registry is created, it reads the key files in the directories of its search path. The search path has the
 * directories of the environment variable `ROAST_PLUGIN_PATH`, followed by the directories of the variable
 * `ROAST_PLUGIN_SYSTEM_PATH`. If the second variable is not set, its directories are replaced by `roast-1/plugins` in
 * the user's data directory, followed by the directory that the library was built with. A program that runs with other
 * privileges than its caller ignores the environment and the user's directory. If several plugins have the same name,
 * the first plugin that is not broken is used.
 *
 * Since: 0.9
 */

/* The provider of a backend, aggregator or exporter: a plugin, or a type that the application registered. */
typedef struct
{
  RoastPlugin *plugin;
  GType type;
} Provider;

struct _RoastRegistry
{
  GObject parent_instance;

  char **search_path;
  GPtrArray *plugins;

  GMutex lock;
  GHashTable *providers[ROAST_ROLE_EXPORTER + 1];
  RoastSchema *schema;
};

static void roast_registry_list_model_init (GListModelInterface *iface);

ROAST_DEFINE_TYPE_WITH (RoastRegistry, roast_registry, G_TYPE_LIST_MODEL, roast_registry_list_model_init)

static GType
roast_registry_get_item_type (GListModel *model)
{
  return ROAST_TYPE_PLUGIN;
}

static guint
roast_registry_get_n_items (GListModel *model)
{
  return ROAST_REGISTRY (model)->plugins->len;
}

static gpointer
roast_registry_get_item (GListModel *model, guint position)
{
  GPtrArray *plugins = ROAST_REGISTRY (model)->plugins;

  return position < plugins->len ? g_object_ref (g_ptr_array_index (plugins, position)) : NULL;
}

static void
roast_registry_list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = roast_registry_get_item_type;
  iface->get_n_items = roast_registry_get_n_items;
  iface->get_item = roast_registry_get_item;
}

static void
roast_registry_release (RoastRegistry *self)
{
  for (gsize i = 0; i < G_N_ELEMENTS (self->providers); i++)
    g_hash_table_unref (self->providers[i]);
  g_ptr_array_unref (self->plugins);
  g_strfreev (self->search_path);
  g_clear_object (&self->schema);
  g_mutex_clear (&self->lock);
}

static gboolean
role_is_valid (RoastRole role)
{
  return (gsize) role <= ROAST_ROLE_EXPORTER;
}

static void
add_provider (RoastRegistry *self, RoastRole role, const char *name, RoastPlugin *plugin, GType type)
{
  Provider *provider = g_new (Provider, 1);

  provider->plugin = plugin;
  provider->type = type;
  g_hash_table_insert (self->providers[role], g_strdup (name), provider);
}

static void
roast_registry_init (RoastRegistry *self)
{
  g_mutex_init (&self->lock);
  self->plugins = g_ptr_array_new_with_free_func (g_object_unref);
  for (gsize i = 0; i < G_N_ELEMENTS (self->providers); i++)
    self->providers[i] = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static RoastPlugin *
find_working (RoastRegistry *self, const char *name)
{
  for (guint i = 0; i < self->plugins->len; i++)
    {
      RoastPlugin *plugin = g_ptr_array_index (self->plugins, i);

      if (g_str_equal (roast_plugin_get_name (plugin), name) &&
          roast_plugin_get_state (plugin) != ROAST_PLUGIN_STATE_BROKEN)
        return plugin;
    }
  return NULL;
}

static GError *
make_clash (RoastRole role, const char *name, Provider *taken)
{
  g_autofree char *by =
      taken->plugin != NULL
          ? g_strdup_printf ("the plugin of %s", roast_plugin_get_path (taken->plugin))
          : g_strdup_printf ("%s, a type of the library or of the application", g_type_name (taken->type));

  return g_error_new (ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_NAME_CLASH,
                      "%s:%s is already provided by %s. Remove or rename one of the two providers",
                      roast_role_to_string (role), name, by);
}

static GError *
find_clash (RoastRegistry *self, RoastPlugin *plugin)
{
  for (guint role = 0; role < G_N_ELEMENTS (self->providers); role++)
    {
      g_auto (GStrv) names = roast_plugin_dup_provides (plugin, (RoastRole) role);

      for (char **name = names; *name != NULL; name++)
        {
          Provider *taken = g_hash_table_lookup (self->providers[role], *name);

          if (taken != NULL)
            return make_clash ((RoastRole) role, *name, taken);
        }
    }
  return NULL;
}

static void
add_provided (RoastRegistry *self, RoastPlugin *plugin)
{
  GError *clash = find_clash (self, plugin);

  if (clash != NULL)
    {
      roast_plugin_take_error (plugin, clash);
      return;
    }
  for (guint role = 0; role < G_N_ELEMENTS (self->providers); role++)
    {
      g_auto (GStrv) names = roast_plugin_dup_provides (plugin, (RoastRole) role);

      for (char **name = names; *name != NULL; name++)
        add_provider (self, (RoastRole) role, *name, plugin, G_TYPE_INVALID);
    }
}

static void
take_plugin (RoastRegistry *self, RoastPlugin *plugin)
{
  RoastPlugin *first = find_working (self, roast_plugin_get_name (plugin));

  if (first != NULL)
    {
      g_debug ("plugin %s is ignored: an earlier directory has a plugin with the same name, %s",
               roast_plugin_get_path (plugin), roast_plugin_get_path (first));
      g_object_unref (plugin);
      return;
    }
  g_ptr_array_add (self->plugins, plugin);
  if (roast_plugin_get_state (plugin) != ROAST_PLUGIN_STATE_BROKEN)
    add_provided (self, plugin);
  if (roast_plugin_get_error (plugin) != NULL)
    g_debug ("plugin %s is broken: %s", roast_plugin_get_name (plugin), roast_plugin_get_error (plugin)->message);
  else
    g_debug ("plugin %s: found %s", roast_plugin_get_name (plugin), roast_plugin_get_path (plugin));
}

static void
scan_directory (RoastRegistry *self, const char *directory)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = NULL;
  g_autoptr (GPtrArray) names = NULL;
  const char *name;

  if (roast_is_missing (directory))
    {
      g_debug ("cannot search %s for plugins: the directory does not exist", directory);
      return;
    }
  dir = g_dir_open (directory, 0, &error);
  if (dir == NULL)
    {
      g_debug ("cannot search %s for plugins: %s", directory, error->message);
      return;
    }
  names = g_ptr_array_new_with_free_func (g_free);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ROAST_PLUGIN_KEY_FILE_SUFFIX))
      g_ptr_array_add (names, g_build_filename (directory, name, NULL));
  /* Sort the names, so that the order of entries in a directory, which depends on the file system, does not decide
   * which of two plugins with the same name is used. */
  g_ptr_array_sort (names, roast_compare_names);
  for (guint i = 0; i < names->len; i++)
    take_plugin (self, roast_plugin_new_from_file (g_ptr_array_index (names, i)));
}

static RoastRegistry *
registry_new (char **search_path)
{
  RoastRegistry *self = g_object_new (ROAST_TYPE_REGISTRY, NULL);

  self->search_path = search_path;
  for (char **directory = search_path; *directory != NULL; directory++)
    scan_directory (self, *directory);
  return self;
}

/**
 * roast_registry_get_default:
 *
 * Gets the registry of the process. The first call creates the registry with roast_registry_new(). Any thread may call
 * this function.
 *
 * Returns: (transfer none): the registry
 *
 * Since: 0.9
 */
RoastRegistry *
roast_registry_get_default (void)
{
  static RoastRegistry *registry = NULL;

  if (g_once_init_enter (&registry))
    g_once_init_leave (&registry, roast_registry_new ());
  return registry;
}

/**
 * roast_registry_new:
 *
 * Creates a registry of the plugins in the default search path.
 *
 * Returns: (transfer full): a registry
 *
 * Since: 0.9
 */
RoastRegistry *
roast_registry_new (void)
{
  return registry_new (roast_plugin_path_dup_default ());
}

/**
 * roast_registry_new_for_path:
 * @search_path: (type filename) (nullable): directories separated by colons; their subdirectories are not searched
 *
 * Creates a registry of the plugins in the given directories.
 *
 * Returns: (transfer full): a registry
 *
 * Since: 0.9
 */
RoastRegistry *
roast_registry_new_for_path (const char *search_path)
{
  return registry_new (roast_plugin_path_split (search_path));
}

/**
 * roast_registry_dup_search_path:
 * @self: a #RoastRegistry
 *
 * Gets the search path.
 *
 * Returns: (transfer full) (array zero-terminated=1) (element-type filename): the searched directories, in order; they
 *   need not exist
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Registry, REGISTRY, char **, roast_registry_dup_search_path, NULL, g_strdupv (self->search_path))

/**
 * roast_registry_lookup_plugin:
 * @self: a #RoastRegistry
 * @name: name of a plugin
 *
 * Finds a plugin by its name.
 *
 * Returns: (transfer none) (nullable): the plugin of that name; %NULL if there is no such plugin. If several plugins
 * have that name, a plugin that is not broken is preferred
 *
 * Since: 0.9
 */
RoastPlugin *
roast_registry_lookup_plugin (RoastRegistry *self, const char *name)
{
  RoastPlugin *working;

  g_return_val_if_fail (ROAST_IS_REGISTRY (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  working = find_working (self, name);
  if (working != NULL)
    return working;
  for (guint i = 0; i < self->plugins->len; i++)
    if (g_str_equal (roast_plugin_get_name (g_ptr_array_index (self->plugins, i)), name))
      return g_ptr_array_index (self->plugins, i);
  return NULL;
}

static gboolean
offers (RoastPlugin *plugin, RoastRole role, const char *name)
{
  g_auto (GStrv) names = roast_plugin_dup_provides (plugin, role);

  return g_strv_contains ((const char *const *) names, name);
}

static RoastPlugin *
find_broken (RoastRegistry *self, RoastRole role, const char *name)
{
  for (guint i = 0; i < self->plugins->len; i++)
    {
      RoastPlugin *plugin = g_ptr_array_index (self->plugins, i);

      if (roast_plugin_get_state (plugin) == ROAST_PLUGIN_STATE_BROKEN &&
          (offers (plugin, role, name) || g_str_equal (roast_plugin_get_name (plugin), name)))
        return plugin;
    }
  return NULL;
}

static gboolean
look_up (RoastRegistry *self, RoastRole role, const char *name, Provider *provider)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  Provider *found = g_hash_table_lookup (self->providers[role], name);

  if (found != NULL)
    *provider = *found;
  return found != NULL;
}

/**
 * roast_registry_find_provider:
 * @self: a #RoastRegistry
 * @role: a role
 * @name: name of a backend, aggregator or exporter
 *
 * Finds the plugin that provides a backend, aggregator or exporter. A broken plugin is returned only if no working
 * plugin provides this type.
 *
 * Returns: (transfer none) (nullable): the plugin; %NULL if there is no such plugin, or if a type of the application
 * has that name
 *
 * Since: 0.9
 */
RoastPlugin *
roast_registry_find_provider (RoastRegistry *self, RoastRole role, const char *name)
{
  Provider provider;

  g_return_val_if_fail (ROAST_IS_REGISTRY (self), NULL);
  g_return_val_if_fail (role_is_valid (role), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  if (look_up (self, role, name, &provider))
    return provider.plugin;
  return find_broken (self, role, name);
}

/**
 * roast_registry_list_broken:
 * @self: a #RoastRegistry
 *
 * Lists the plugins that are known to be broken. Some errors are found only when a plugin is opened.
 *
 * Returns: (transfer container) (element-type RoastPlugin): the plugins; roast_plugin_get_error() returns the reason
 *
 * Since: 0.9
 */
GPtrArray *
roast_registry_list_broken (RoastRegistry *self)
{
  GPtrArray *broken;

  g_return_val_if_fail (ROAST_IS_REGISTRY (self), NULL);

  broken = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < self->plugins->len; i++)
    if (roast_plugin_get_error (g_ptr_array_index (self->plugins, i)) != NULL)
      g_ptr_array_add (broken, g_object_ref (g_ptr_array_index (self->plugins, i)));
  return broken;
}

/**
 * roast_registry_dup_names:
 * @self: a #RoastRegistry
 * @role: a role
 *
 * Lists the names of all backends, aggregators or exporters.
 *
 * Returns: (transfer full) (array zero-terminated=1): the names, sorted; names of plugins that are known to be broken
 * are left out
 *
 * Since: 0.9
 */
char **
roast_registry_dup_names (RoastRegistry *self, RoastRole role)
{
  GHashTableIter iter;
  gpointer key, value;
  GPtrArray *names;

  g_return_val_if_fail (ROAST_IS_REGISTRY (self), NULL);
  g_return_val_if_fail (role_is_valid (role), NULL);

  names = g_ptr_array_new ();
  g_mutex_lock (&self->lock);
  g_hash_table_iter_init (&iter, self->providers[role]);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      Provider *provider = value;

      if (provider->plugin == NULL || roast_plugin_get_state (provider->plugin) != ROAST_PLUGIN_STATE_BROKEN)
        g_ptr_array_add (names, g_strdup (key));
    }
  g_mutex_unlock (&self->lock);
  g_ptr_array_sort (names, roast_compare_names);
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

static gboolean
check_registration (RoastRole role, const char *name, GType type, GError **error)
{
  GType wanted = roast_role_get_interface (role);

  if (!roast_plugin_name_is_valid (name))
    return roast_fail (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_METADATA,
                       "'%s' is not a valid name of a %s. Use lower-case letters, digits and hyphens, and begin with a "
                       "letter",
                       name, roast_role_to_string (role));
  if (!g_type_is_a (type, G_TYPE_OBJECT) || !g_type_is_a (type, wanted) || G_TYPE_IS_ABSTRACT (type))
    {
      const char *type_name = g_type_name (type);

      return roast_fail (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_TYPE,
                         "cannot register %s as %s:%s: the type is not an object that implements %s",
                         type_name != NULL ? type_name : "an invalid type", roast_role_to_string (role), name,
                         g_type_name (wanted));
    }
  return TRUE;
}

/**
 * roast_registry_register_type:
 * @self: a #RoastRegistry
 * @role: a role
 * @name: name for the type: lower-case letters, digits and hyphens
 * @type: a type that implements the interface of the role
 * @error: return location for an error
 *
 * Registers a type of the application, in any language, in addition to the types of plugins. The options of such a type
 * are strings, because no key file declares the options.
 *
 * Fails with %ROAST_PLUGIN_ERROR_NAME_CLASH if the name is taken, %ROAST_PLUGIN_ERROR_TYPE if the type does not
 * implement the interface of the role, and %ROAST_PLUGIN_ERROR_METADATA if the name is invalid.
 *
 * Returns: %TRUE if the type was registered
 *
 * Since: 0.9
 */
gboolean
roast_registry_register_type (RoastRegistry *self, RoastRole role, const char *name, GType type, GError **error)
{
  Provider *taken;

  g_return_val_if_fail (ROAST_IS_REGISTRY (self), FALSE);
  g_return_val_if_fail (role_is_valid (role), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!check_registration (role, name, type, error))
    return FALSE;
  g_mutex_lock (&self->lock);
  taken = g_hash_table_lookup (self->providers[role], name);
  if (taken != NULL)
    g_propagate_error (error, make_clash (role, name, taken));
  else
    add_provider (self, role, name, NULL, type);
  g_mutex_unlock (&self->lock);
  return taken == NULL;
}

static gboolean
require (RoastRegistry *self, RoastRole role, const char *name, Provider *provider, GError **error)
{
  RoastPlugin *broken = NULL;
  g_auto (GStrv) names = NULL;
  g_autofree char *sentence = NULL;

  if (look_up (self, role, name, provider))
    return TRUE;
  broken = find_broken (self, role, name);
  if (broken != NULL)
    return roast_fail (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_NOT_FOUND, "the %s '%s' does not work: %s",
                       roast_role_to_string (role), name, roast_plugin_get_error (broken)->message);
  names = roast_registry_dup_names (self, role);
  sentence = roast_suggest_sentence (name, (const char *const *) names, "the names are",
                                     "no plugin of this kind was found. roast-inspect shows the search path");

  return roast_fail (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_NOT_FOUND, "there is no %s '%s'; %s",
                     roast_role_to_string (role), name, sentence);
}

/**
 * roast_registry_parse_options:
 * @self: a #RoastRegistry
 * @role: a role
 * @name: name of a backend or an exporter
 * @text: (nullable): options as users write them: `OPTION=VALUE,OPTION=VALUE`
 * @error: return location for an error
 *
 * Parses options with the types that the plugin's key file declares. In a value, `\,` stands for a comma and `\\` for a
 * backslash. A boolean option without a value is %TRUE. Options of types that the application registered are strings.
 * The result has no defaults: roast_registry_create_backend() and roast_registry_create_exporter() fill in the
 * defaults.
 *
 * Fails with %ROAST_PLUGIN_ERROR_NOT_FOUND, or an error of the domain #RoastOptionError.
 *
 * Returns: (transfer full) (nullable): a dictionary of type `a{sv}`, or %NULL on error
 *
 * Since: 0.9
 */
GVariant *
roast_registry_parse_options (RoastRegistry *self, RoastRole role, const char *name, const char *text, GError **error)
{
  GVariant *options;
  Provider provider;

  g_return_val_if_fail (ROAST_IS_REGISTRY (self), NULL);
  g_return_val_if_fail (role_is_valid (role), NULL);
  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!require (self, role, name, &provider, error))
    return NULL;
  options = roast_registry_options_parse (provider.plugin, role, name, text != NULL ? text : "", error);
  if (options == NULL)
    g_prefix_error (error, "%s %s: ", roast_role_to_string (role), name);
  return options;
}

/* Check the schema of a plugin before the plugin is used. Parse all schemas, unless this plugin's schema contains only
 * labels, which cannot conflict. If the schema cannot be used, the plugin becomes broken. */
static void
check_schema (RoastRegistry *self, RoastPlugin *plugin)
{
  if (!roast_registry_schema_has_only_labels (plugin))
    roast_registry_get_schema (self);
}

static gpointer
create (RoastRegistry *self, RoastRole role, const char *name, RoastPlugin **plugin, GError **error)
{
  Provider provider;
  gpointer object;

  if (!require (self, role, name, &provider, error))
    return NULL;
  *plugin = provider.plugin;
  if (provider.plugin == NULL)
    {
      object = g_object_new (provider.type, NULL);
      return g_object_is_floating (object) ? g_object_ref_sink (object) : object;
    }
  check_schema (self, provider.plugin);
  provider.type = roast_plugin_get_provided_type (provider.plugin, role, name, error);

  return provider.type != G_TYPE_INVALID ? roast_plugin_make (provider.plugin, role, name, provider.type) : NULL;
}

/**
 * roast_registry_create_backend:
 * @self: a #RoastRegistry
 * @name: name of a backend
 * @options: (nullable): options, a dictionary of type `a{sv}`, or %NULL for the defaults
 * @error: return location for an error
 *
 * Opens the plugin of the backend if necessary, creates the backend and configures it. Options are checked against
 * their declarations in the key file, and defaults are filled in. An option of any type may be given as a string, which
 * is parsed, and a number may be an integer of any width. If @options is floating, it is consumed.
 *
 * Fails with an error of the domains #RoastPluginError or #RoastOptionError, or with the backend's own error.
 *
 * Returns: (transfer full) (nullable): a backend, or %NULL on error
 *
 * Since: 0.9
 */
RoastMetricsBackend *
roast_registry_create_backend (RoastRegistry *self, const char *name, GVariant *options, GError **error)
{
  g_autoptr (GVariant) given = options != NULL ? g_variant_ref_sink (options) : NULL;
  g_autoptr (GVariant) completed = NULL;
  g_autoptr (RoastMetricsBackend) backend = NULL;
  RoastPlugin *plugin = NULL;

  g_return_val_if_fail (ROAST_IS_REGISTRY (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (given == NULL || g_variant_is_of_type (given, G_VARIANT_TYPE_VARDICT), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  backend = create (self, ROAST_ROLE_BACKEND, name, &plugin, error);
  if (backend == NULL)
    return NULL;
  completed = roast_registry_options_complete (plugin, ROAST_ROLE_BACKEND, name, given, error);
  if (completed == NULL || !roast_metrics_backend_configure (backend, completed, error))
    return NULL;
  return g_steal_pointer (&backend);
}

/**
 * roast_registry_create_aggregator:
 * @self: a #RoastRegistry
 * @name: name of an aggregator
 * @error: return location for an error
 *
 * Opens the plugin of the aggregator if necessary, and creates the aggregator.
 *
 * Fails with an error of the domain #RoastPluginError.
 *
 * Returns: (transfer full) (nullable): an aggregator, or %NULL on error
 *
 * Since: 0.9
 */
RoastAggregator *
roast_registry_create_aggregator (RoastRegistry *self, const char *name, GError **error)
{
  RoastPlugin *plugin = NULL;

  g_return_val_if_fail (ROAST_IS_REGISTRY (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return create (self, ROAST_ROLE_AGGREGATOR, name, &plugin, error);
}

/* Create an exporter whose plugin is opened later. Return NULL without an error if the plugin must be opened now. */
static RoastExporter *
create_late (RoastRegistry *self, const char *name, GVariant *options, GError **error)
{
  Provider provider;
  RoastExporterFlags flags;
  RoastExporter *exporter = NULL;
  g_autoptr (GVariant) completed = NULL;

  if (!look_up (self, ROAST_ROLE_EXPORTER, name, &provider) || provider.plugin == NULL)
    return NULL;
  check_schema (self, provider.plugin);
  if (!roast_plugin_may_open_late (provider.plugin, name, &flags))
    return NULL;
  completed = roast_registry_options_complete (provider.plugin, ROAST_ROLE_EXPORTER, name, options, error);
  if (completed == NULL)
    return NULL;
  exporter = roast_late_exporter_new (provider.plugin, name, flags, completed);
  roast_plugin_mark (provider.plugin, roast_plugin_get_name (provider.plugin), G_OBJECT (exporter));
  return exporter;
}

/**
 * roast_registry_create_exporter:
 * @self: a #RoastRegistry
 * @name: name of an exporter
 * @options: (nullable): options, a dictionary of type `a{sv}`, or %NULL for the defaults
 * @error: return location for an error
 *
 * Creates and configures an exporter, in the same way as roast_registry_create_backend() for a backend. If the key file
 * has a group `[Exporter NAME]` with the flags of the exporter, a proxy is returned. The proxy opens the plugin only
 * when it has to write. Errors of the module are therefore reported by [method@Roast.Exporter.export_report].
 *
 * Fails with an error of the domains #RoastPluginError or #RoastOptionError, or with the exporter's own error.
 *
 * Returns: (transfer full) (nullable): an exporter, or %NULL on error
 *
 * Since: 0.9
 */
RoastExporter *
roast_registry_create_exporter (RoastRegistry *self, const char *name, GVariant *options, GError **error)
{
  g_autoptr (GVariant) given = options != NULL ? g_variant_ref_sink (options) : NULL;
  g_autoptr (GVariant) completed = NULL;
  g_autoptr (RoastExporter) exporter = NULL;
  GError *local = NULL;
  RoastPlugin *plugin = NULL;

  g_return_val_if_fail (ROAST_IS_REGISTRY (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (given == NULL || g_variant_is_of_type (given, G_VARIANT_TYPE_VARDICT), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  exporter = create_late (self, name, given, &local);
  if (local != NULL)
    g_propagate_error (error, local);
  if (exporter != NULL || local != NULL)
    return g_steal_pointer (&exporter);
  exporter = create (self, ROAST_ROLE_EXPORTER, name, &plugin, error);
  if (exporter == NULL)
    return NULL;
  completed = roast_registry_options_complete (plugin, ROAST_ROLE_EXPORTER, name, given, error);
  if (completed == NULL || !roast_exporter_configure (exporter, completed, error))
    return NULL;
  return g_steal_pointer (&exporter);
}

/**
 * roast_registry_get_schema:
 * @self: a registry
 *
 * Gets the tables, columns, vocabularies and metrics that the core and all plugins declare. The declarations of a
 * plugin are in a file `NAME.roast-schema` beside its key file. This file is read without opening the plugin. If the
 * schema of a plugin cannot be used, or repeats a declaration of another plugin, the plugin with this schema becomes
 * broken; other plugins are not affected.
 *
 * Returns: (transfer none): the schema
 *
 * Since: 0.9
 */
RoastSchema *
roast_registry_get_schema (RoastRegistry *self)
{
  RoastSchema *schema = NULL;

  g_return_val_if_fail (ROAST_IS_REGISTRY (self), NULL);

  schema = roast_registry_get_unread_schema (self);
  roast_schema_read_pending (schema);

  return schema;
}

RoastSchema *
roast_registry_get_unread_schema (RoastRegistry *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  if (self->schema == NULL)
    self->schema = roast_registry_schema_new (self->plugins);

  return self->schema;
}
