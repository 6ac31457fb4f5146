/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-plugin-call-private.h"
#include "roast-plugin-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/roast-fail-private.h"
#include "base/roast-type-private.h"
#include "roast-plugin-key-file-private.h"
#include "roast-plugin-loader-private.h"
#include "roast-plugin-module-private.h"
#include "roast-plugin-stack-private.h"

/**
 * RoastPlugin:
 *
 * A module with backends, aggregators or exporters, and the key file `NAME.roast-plugin` that declares them. The two
 * files are in the same directory.
 *
 * The key file alone declares what a plugin offers. The module is opened when one of its types is first requested, and
 * stays open afterwards. A plugin that cannot be used also has an object, which keeps the error.
 *
 * Since: 0.9
 */

struct _RoastPlugin
{
  GObject parent_instance;

  char *path;
  char *name;
  RoastPluginKeyFile *key_file;

  /* The members below change when the plugin is opened. */
  GRecMutex lock;
  RoastPluginState state;
  GError *error;
  char *module_path;
  const RoastPluginDescriptor *descriptor; /* descriptor in the module; NULL if the plugin is not in C */
  const RoastPluginLoader *loader;         /* loader of the plugin's language; NULL if the plugin is in C */
  GHashTable *types;                       /* maps RoastPluginProvided to GType */
};

ROAST_DEFINE_TYPE (RoastPlugin, roast_plugin)

#define SCHEMA_SUFFIX ".roast-schema"

static const char *const nothing[] = { NULL };

static void
roast_plugin_release (RoastPlugin *self)
{
  g_free (self->path);
  g_free (self->name);
  g_free (self->module_path);
  roast_plugin_key_file_free (self->key_file);
  g_clear_error (&self->error);
  g_hash_table_unref (self->types);
  g_rec_mutex_clear (&self->lock);
}

static void
roast_plugin_init (RoastPlugin *self)
{
  g_rec_mutex_init (&self->lock);
  self->key_file = roast_plugin_key_file_new ();
  self->types = g_hash_table_new (g_direct_hash, g_direct_equal);
}

void
roast_plugin_take_error (RoastPlugin *self, GError *error)
{
  G_GNUC_UNUSED g_autoptr (GRecMutexLocker) locker = g_rec_mutex_locker_new (&self->lock);
  g_autoptr (GError) owned = error;

  if (self->error != NULL)
    return;
  g_prefix_error (&owned, "%s: ", self->path);
  self->error = g_steal_pointer (&owned);
  self->state = ROAST_PLUGIN_STATE_BROKEN;
}

static gboolean
fail_to_read (const char *reason, GError **error)
{
  return roast_fail (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_METADATA,
                     "cannot read the key file: %s. Check the path and the permissions of the file", reason);
}

/* Read a key file. Refuse pipes, devices and huge files, because a plugin directory may contain files of any kind,
 * which must not stop the scan. */
static gboolean
read_key_file (const char *path, char *buffer, gsize *length, GError **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  int errsv = errno;
  struct stat status;
  ssize_t n = 0;

  if (fd < 0)
    return fail_to_read (g_strerror (errsv), error);
  if (fstat (fd, &status) < 0 || !S_ISREG (status.st_mode))
    {
      close (fd);
      return fail_to_read ("the path does not name a regular file", error);
    }
  *length = 0;
  do
    {
      n = read (fd, buffer + *length, ROAST_PLUGIN_KEY_FILE_MAX + 1 - *length);
      if (n > 0)
        *length += (gsize) n;
    }
  while ((n > 0 && *length <= ROAST_PLUGIN_KEY_FILE_MAX) || (n < 0 && errno == EINTR));
  errsv = errno;
  close (fd);
  return n < 0 ? fail_to_read (g_strerror (errsv), error) : TRUE;
}

static RoastPlugin *
plugin_new (const char *path)
{
  RoastPlugin *self = g_object_new (ROAST_TYPE_PLUGIN, NULL);

  self->path = g_canonicalize_filename (path, NULL);
  return self;
}

static void
take_data (RoastPlugin *self, const char *data, gsize length)
{
  GError *error = NULL;

  if (!roast_plugin_key_file_parse (self->key_file, data, length, &error) ||
      !roast_plugin_module_check_api (self->key_file->api_major, self->key_file->api_minor, &error) ||
      !(roast_plugin_key_file_is_native (self->key_file) ||
        roast_plugin_loader_exists (roast_plugin_get_loader (self), self->path, &error)))
    roast_plugin_take_error (self, error);
}

/* Set the plugin's name to the key Name, or to the name of the key file if the key is missing or invalid. */
static void
set_name (RoastPlugin *self)
{
  g_autofree char *base = NULL;

  if (roast_plugin_name_is_valid (self->key_file->name))
    {
      self->name = g_strdup (self->key_file->name);
      return;
    }
  base = g_path_get_basename (self->path);
  if (g_str_has_suffix (base, ROAST_PLUGIN_KEY_FILE_SUFFIX))
    base[strlen (base) - strlen (ROAST_PLUGIN_KEY_FILE_SUFFIX)] = '\0';
  self->name = g_utf8_make_valid (base, -1);
}

/**
 * roast_plugin_new_from_file:
 * @path: (type filename): path of a key file, `NAME.roast-plugin`
 *
 * Reads the key file of a plugin. This function never fails: if the file cannot be used, the plugin is broken and has
 * an error.
 *
 * Returns: (transfer full): a plugin
 *
 * Since: 0.9
 */
RoastPlugin *
roast_plugin_new_from_file (const char *path)
{
  g_autofree char *buffer = g_malloc (ROAST_PLUGIN_KEY_FILE_MAX + 1);
  RoastPlugin *self;
  gsize length = 0;
  GError *error = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  self = plugin_new (path);
  if (read_key_file (self->path, buffer, &length, &error))
    take_data (self, buffer, length);
  else
    roast_plugin_take_error (self, error);
  set_name (self);
  return self;
}

/**
 * roast_plugin_new_from_data:
 * @path: (type filename): the hypothetical path of the key file; the module is searched beside it
 * @data: content of the key file
 *
 * Reads a key file from memory, like roast_plugin_new_from_file().
 *
 * Returns: (transfer full): a plugin
 *
 * Since: 0.9
 */
RoastPlugin *
roast_plugin_new_from_data (const char *path, GBytes *data)
{
  RoastPlugin *self;
  gsize length = 0;
  const char *bytes;

  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (data != NULL, NULL);

  self = plugin_new (path);
  bytes = g_bytes_get_data (data, &length);
  take_data (self, length > 0 ? bytes : "", length);
  set_name (self);
  return self;
}

/**
 * roast_plugin_get_name:
 * @self: a #RoastPlugin
 *
 * Gets the key `Name` of the key file.
 *
 * Returns: (transfer none): the name; if the key file has no valid name, the name of the file itself
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Plugin, PLUGIN, const char *, roast_plugin_get_name, NULL, self->name)

/**
 * roast_plugin_get_path:
 * @self: a #RoastPlugin
 *
 * Gets the path of the plugin's key file.
 *
 * Returns: (transfer none) (type filename): the path of the key file
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Plugin, PLUGIN, const char *, roast_plugin_get_path, NULL, self->path)

/**
 * roast_plugin_get_module_path:
 * @self: a #RoastPlugin
 *
 * Gets the path of the plugin's module: `libMODULE.so` or `MODULE.so` beside the key file, or the file that the loader
 * of another language reads, such as `MODULE.py`. The file need not exist.
 *
 * Returns: (transfer none) (nullable) (type filename): the path of the module; %NULL if the key file names no module,
 * as in a plugin with only schemas
 *
 * Since: 0.9
 */
const char *
roast_plugin_get_module_path (RoastPlugin *self)
{
  G_GNUC_UNUSED g_autoptr (GRecMutexLocker) locker = NULL;

  g_return_val_if_fail (ROAST_IS_PLUGIN (self), NULL);

  locker = g_rec_mutex_locker_new (&self->lock);
  if (self->module_path == NULL && self->key_file->module != NULL && strchr (self->key_file->module, '/') == NULL)
    self->module_path =
        roast_plugin_key_file_is_native (self->key_file)
            ? roast_plugin_module_find (self->path, self->key_file->module)
            : roast_plugin_loader_find_module (roast_plugin_get_loader (self), self->path, self->key_file->module);

  return self->module_path;
}

/**
 * roast_plugin_get_description:
 * @self: a #RoastPlugin
 *
 * Gets the key `Description` of the key file.
 *
 * Returns: (transfer none): a line that describes the plugin; empty if the key file has no description
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Plugin, PLUGIN, const char *, roast_plugin_get_description, NULL,
                     self->key_file->description != NULL ? self->key_file->description : "")

/**
 * roast_plugin_get_version:
 * @self: a #RoastPlugin
 *
 * Gets the key `Version` of the key file.
 *
 * Returns: (transfer none) (nullable): the version
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Plugin, PLUGIN, const char *, roast_plugin_get_version, NULL, self->key_file->version)

/**
 * roast_plugin_get_license:
 * @self: a #RoastPlugin
 *
 * Gets the key `License` of the key file.
 *
 * Returns: (transfer none) (nullable): the licence, as an SPDX expression
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Plugin, PLUGIN, const char *, roast_plugin_get_license, NULL, self->key_file->license)

/**
 * roast_plugin_get_website:
 * @self: a #RoastPlugin
 *
 * Gets the key `Website` of the key file.
 *
 * Returns: (transfer none) (nullable): the address of the plugin's website
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Plugin, PLUGIN, const char *, roast_plugin_get_website, NULL, self->key_file->website)

/**
 * roast_plugin_get_api:
 * @self: a #RoastPlugin
 *
 * Gets the key `Api` of the key file.
 *
 * Returns: (transfer none) (nullable): the API version that the plugin was built for, `MAJOR.MINOR`
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Plugin, PLUGIN, const char *, roast_plugin_get_api, NULL, self->key_file->api)

/**
 * roast_plugin_get_loader:
 * @self: a #RoastPlugin
 *
 * Gets the key `Loader` of the key file.
 *
 * Returns: (transfer none): the name of the loader; `c`, for a shared library, if the key file names no loader
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Plugin, PLUGIN, const char *, roast_plugin_get_loader, NULL,
                     self->key_file->loader != NULL ? self->key_file->loader : "c")

/**
 * roast_plugin_get_capabilities:
 * @self: a #RoastPlugin
 *
 * Gets all capabilities that the plugin's backends can have, as nicks of #RoastBackendCapabilities. A backend may lack
 * some of these capabilities, if a service or permission that it needs is not available. For the capabilities on the
 * current target see roast_metrics_backend_get_capabilities().
 *
 * Returns: (transfer none) (array zero-terminated=1): the capabilities
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Plugin, PLUGIN, const char *const *, roast_plugin_get_capabilities, NULL,
                     self->key_file->capabilities != NULL ? (const char *const *) self->key_file->capabilities
                                                          : nothing)

/**
 * roast_plugin_get_addresses:
 * @self: a #RoastPlugin
 *
 * Gets patterns for the addresses to which the plugin's backend can attach. A pattern may contain `*` and `?`: for
 * example, `tcp://` followed by a star. For a given address, roast-run selects the backend with the longest matching
 * pattern.
 *
 * Returns: (transfer none) (array zero-terminated=1): the patterns
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Plugin, PLUGIN, const char *const *, roast_plugin_get_addresses, NULL,
                     self->key_file->addresses != NULL ? (const char *const *) self->key_file->addresses : nothing)

/**
 * roast_plugin_dup_provides:
 * @self: a #RoastPlugin
 * @role: a role
 *
 * Lists the backends, aggregators or exporters that the plugin's key file declares.
 *
 * Returns: (transfer full) (array zero-terminated=1): names of the declared backends, aggregators or exporters
 *
 * Since: 0.9
 */
char **
roast_plugin_dup_provides (RoastPlugin *self, RoastRole role)
{
  GPtrArray *provides, *names;

  g_return_val_if_fail (ROAST_IS_PLUGIN (self), NULL);

  provides = self->key_file->provides;
  names = g_ptr_array_new ();
  for (guint i = 0; i < provides->len; i++)
    {
      RoastPluginProvided *provided = g_ptr_array_index (provides, i);

      if (provided->role == role)
        g_ptr_array_add (names, g_strdup (provided->name));
    }
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

/**
 * roast_plugin_list_options:
 * @self: a #RoastPlugin
 * @role: a role
 * @name: name of a backend, aggregator or exporter of the plugin
 *
 * Lists the options that the key file declares for a backend or an exporter of the plugin.
 *
 * Returns: (transfer container) (element-type RoastPluginOption): the options, in the order of the key file
 *
 * Since: 0.9
 */
GPtrArray *
roast_plugin_list_options (RoastPlugin *self, RoastRole role, const char *name)
{
  RoastPluginProvided *provided;

  g_return_val_if_fail (ROAST_IS_PLUGIN (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  provided = roast_plugin_key_file_find (self->key_file, role, name);
  if (provided == NULL)
    return g_ptr_array_new_with_free_func (g_object_unref);

  return g_ptr_array_copy (provided->options, (GCopyFunc) g_object_ref, NULL);
}

static G_DEFINE_QUARK (roast - plugin - name, plugin_name) static G_DEFINE_QUARK (roast - plugin - uses, plugin_uses)

    void roast_plugin_mark (RoastPlugin *self, const char *name, GObject *object)
{
  g_object_set_qdata_full (object, plugin_name_quark (), g_strdup (name), g_free);
  g_object_set_qdata_full (object, plugin_uses_quark (), g_strdupv ((char **) roast_plugin_get_capabilities (self)),
                           (GDestroyNotify) g_strfreev);
}

char **
roast_plugin_dup_schema_paths (RoastPlugin *self)
{
  g_autofree char *stem = g_strndup (self->path, strlen (self->path) - strlen (ROAST_PLUGIN_KEY_FILE_SUFFIX));
  g_autofree char *directory = g_path_get_dirname (self->path);
  char **schemas = self->key_file->schemas;
  GPtrArray *paths = g_ptr_array_new ();

  if (schemas == NULL)
    g_ptr_array_add (paths, g_strconcat (stem, SCHEMA_SUFFIX, NULL));
  for (; schemas != NULL && *schemas != NULL; schemas++)
    g_ptr_array_add (paths, g_strconcat (directory, G_DIR_SEPARATOR_S, *schemas, SCHEMA_SUFFIX, NULL));
  g_ptr_array_add (paths, NULL);

  return (char **) g_ptr_array_free (paths, FALSE);
}

gpointer
roast_plugin_make (RoastPlugin *self, RoastRole role, const char *name, GType type)
{
  gpointer object = NULL;
  const char *called = role == ROAST_ROLE_AGGREGATOR ? name : roast_plugin_get_name (self);
  G_GNUC_UNUSED g_auto (RoastPluginCall) call = roast_plugin_call_begin_named (called, "init");

  object = g_object_new (type, NULL);
  roast_plugin_mark (self, called, object);

  return g_object_is_floating (object) ? g_object_ref_sink (object) : object;
}

gboolean
roast_plugin_may_open_late (RoastPlugin *self, const char *exporter, RoastExporterFlags *flags)
{
  const RoastPluginProvided *provided = roast_plugin_key_file_find (self->key_file, ROAST_ROLE_EXPORTER, exporter);
  const char *module_path = roast_plugin_get_module_path (self);

  if (provided == NULL || !provided->may_be_late || roast_plugin_get_state (self) != ROAST_PLUGIN_STATE_FOUND)
    return FALSE;
  *flags = (RoastExporterFlags) provided->flags;

  return module_path != NULL && g_access (module_path, R_OK) == 0;
}

const char *const *
roast_plugin_get_uses (GObject *object)
{
  return g_object_get_qdata (object, plugin_uses_quark ());
}

static const char *
describe_uses (gboolean launch, gboolean attach, gboolean read)
{
  if (launch)
    return "this backend can only measure a program that roast starts";
  if (attach && read)
    return "this backend can only attach to a running executor, or read finished runs";
  if (attach)
    return "this backend can only attach to a running executor";
  if (read)
    return "this backend can only read finished runs";

  return "the key file lists none of launch, attach and read in Capabilities";
}

gboolean
roast_plugin_check_use (GObject *backend, const char *name, gboolean launch, GError **error)
{
  const char *const *uses = roast_plugin_get_uses (backend);
  gboolean can_launch, can_attach, can_read;

  if (uses == NULL)
    return TRUE;
  can_launch = g_strv_contains (uses, "launch");
  can_attach = g_strv_contains (uses, "attach");
  can_read = g_strv_contains (uses, "read");
  if (launch ? can_launch : can_attach || can_read)
    return TRUE;
  return roast_fail (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_NOT_SUPPORTED,
                     "backend %s of plugin %s cannot %s: %s", name, roast_plugin_name_maker (backend),
                     launch ? "start a program" : "attach to or read anything",
                     describe_uses (can_launch, can_attach, can_read));
}

const char *
roast_plugin_name_maker (GObject *object)
{
  return g_object_get_qdata (object, plugin_name_quark ());
}

RoastPluginOption *
roast_plugin_find_option (RoastPlugin *self, RoastRole role, const char *name, const char *option)
{
  RoastPluginProvided *provided = roast_plugin_key_file_find (self->key_file, role, name);

  for (guint i = 0; provided != NULL && i < provided->options->len; i++)
    if (g_str_equal (roast_plugin_option_get_name (g_ptr_array_index (provided->options, i)), option))
      return g_ptr_array_index (provided->options, i);
  return NULL;
}

/**
 * roast_plugin_get_state:
 * @self: a #RoastPlugin
 *
 * Gets the state of the plugin: found, opened or broken.
 *
 * Returns: the state
 *
 * Since: 0.9
 */
RoastPluginState
roast_plugin_get_state (RoastPlugin *self)
{
  G_GNUC_UNUSED g_autoptr (GRecMutexLocker) locker = NULL;

  g_return_val_if_fail (ROAST_IS_PLUGIN (self), ROAST_PLUGIN_STATE_BROKEN);

  locker = g_rec_mutex_locker_new (&self->lock);

  return self->state;
}

/**
 * roast_plugin_get_error:
 * @self: a #RoastPlugin
 *
 * Gets the error of a plugin that cannot be used.
 *
 * Returns: (transfer none) (nullable): the error, or %NULL if the plugin is not known to be broken; the message
 *   contains the path of the key file, the reason and a remedy
 *
 * Since: 0.9
 */
const GError *
roast_plugin_get_error (RoastPlugin *self)
{
  G_GNUC_UNUSED g_autoptr (GRecMutexLocker) locker = NULL;

  g_return_val_if_fail (ROAST_IS_PLUGIN (self), NULL);

  locker = g_rec_mutex_locker_new (&self->lock);

  return self->error;
}

static gboolean
open_locked (RoastPlugin *self, GError **error)
{
  /* There is nothing to open in a plugin without a module, which only declares metrics or charts. */
  if (self->key_file->module == NULL)
    return TRUE;
  if (!roast_plugin_key_file_is_native (self->key_file))
    {
      self->loader = roast_plugin_loader_get (roast_plugin_get_loader (self), self->path, error);
      if (self->loader != NULL)
        roast_plugin_stack_add (roast_plugin_get_name (self), NULL, roast_plugin_get_loader (self));
      return self->loader != NULL;
    }
  self->descriptor = roast_plugin_module_open (roast_plugin_get_module_path (self), self->key_file, error);
  if (self->descriptor != NULL)
    roast_plugin_stack_add (roast_plugin_get_name (self), self->descriptor, NULL);
  return self->descriptor != NULL;
}

static gboolean
load_locked (RoastPlugin *self, GError **error)
{
  GError *local = NULL;

  if (self->state == ROAST_PLUGIN_STATE_FOUND)
    {
      if (open_locked (self, &local))
        self->state = ROAST_PLUGIN_STATE_LOADED;
      else
        roast_plugin_take_error (self, local);
    }
  if (self->state == ROAST_PLUGIN_STATE_LOADED)
    return TRUE;
  if (error != NULL)
    *error = g_error_copy (self->error);
  return FALSE;
}

/**
 * roast_plugin_load:
 * @self: a #RoastPlugin
 * @error: return location for an error
 *
 * Opens the module of the plugin, unless it is already open, and checks that the module agrees with the key file. If
 * the plugin is not written in C, opens the loader of its language, which reads the plugin when one of its types is
 * requested. Modules and loaders stay open until the process ends. If the plugin cannot be opened, later calls return
 * the same error.
 *
 * Fails with an error of the domain #RoastPluginError.
 *
 * Returns: %TRUE if the plugin can be used
 *
 * Since: 0.9
 */
gboolean
roast_plugin_load (RoastPlugin *self, GError **error)
{
  gboolean loaded;

  g_return_val_if_fail (ROAST_IS_PLUGIN (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  g_rec_mutex_lock (&self->lock);
  {
    G_GNUC_UNUSED g_auto (RoastPluginCall) call = roast_plugin_call_begin_named (roast_plugin_get_name (self), "load");

    loaded = load_locked (self, error);
  }
  g_rec_mutex_unlock (&self->lock);
  return loaded;
}

static GType
make_type (RoastPlugin *self, RoastPluginProvided *provided, GError **error)
{
  G_GNUC_UNUSED g_auto (RoastPluginCall) call = roast_plugin_call_begin_named (self->name, "load");

  if (self->loader != NULL)
    return roast_plugin_loader_get_type (self->loader, roast_plugin_get_module_path (self), self->name, provided->role,
                                         provided->name, error);
  return roast_plugin_module_get_type (roast_plugin_module_find_entry (self->descriptor, provided->role,
                                                                       provided->name),
                                       self->name, error);
}

/* Get a type, and register it only on the first call: see roast_plugin_module_get_type(). The caller holds the lock. */
static GType
get_type_locked (RoastPlugin *self, RoastPluginProvided *provided, GError **error)
{
  GType type = GPOINTER_TO_SIZE (g_hash_table_lookup (self->types, provided));
  GError *local = NULL;

  if (type != G_TYPE_INVALID)
    return type;
  if (self->state != ROAST_PLUGIN_STATE_BROKEN)
    type = make_type (self, provided, &local);
  if (type != G_TYPE_INVALID)
    {
      g_hash_table_insert (self->types, provided, GSIZE_TO_POINTER (type));
      return type;
    }
  if (local != NULL)
    roast_plugin_take_error (self, local);
  if (error != NULL)
    *error = g_error_copy (self->error);
  return G_TYPE_INVALID;
}

static GType
find_type_locked (RoastPlugin *self, RoastRole role, const char *name, GError **error)
{
  RoastPluginProvided *provided = roast_plugin_key_file_find (self->key_file, role, name);

  if (!load_locked (self, error))
    return G_TYPE_INVALID;
  if (provided != NULL)
    return get_type_locked (self, provided, error);
  g_set_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_NOT_FOUND, "%s: the plugin offers no %s named '%s'",
               self->path, roast_role_to_string (role), name);
  return G_TYPE_INVALID;
}

/**
 * roast_plugin_get_provided_type:
 * @self: a #RoastPlugin
 * @role: a role
 * @name: name of a backend, aggregator or exporter of the plugin
 * @error: return location for an error
 *
 * Gets the type of a backend, aggregator or exporter of the plugin. Opens the plugin if needed. If the type does not
 * implement the interface of @role, the plugin becomes broken.
 *
 * If the name of the type is already in use, GLib logs a critical message, and this function returns an error. While
 * the type is registered, critical messages are not fatal in the whole process, even if the application has made them
 * fatal, so that this error does not end the process.
 *
 * Fails with an error of the domain #RoastPluginError.
 *
 * Returns: the type, or %G_TYPE_INVALID on error
 *
 * Since: 0.9
 */
GType
roast_plugin_get_provided_type (RoastPlugin *self, RoastRole role, const char *name, GError **error)
{
  G_GNUC_UNUSED g_autoptr (GRecMutexLocker) locker = NULL;

  g_return_val_if_fail (ROAST_IS_PLUGIN (self), G_TYPE_INVALID);
  g_return_val_if_fail (name != NULL, G_TYPE_INVALID);
  g_return_val_if_fail (error == NULL || *error == NULL, G_TYPE_INVALID);

  locker = g_rec_mutex_locker_new (&self->lock);

  return find_type_locked (self, role, name, error);
}
