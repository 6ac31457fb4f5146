/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-plugin-module-private.h"

#include "base/roast-fail-private.h"
#include <gmodule.h>
#include <string.h>

/* Upper limit for struct_size. A descriptor with a larger value was not defined with roast's macro, and is refused. */
#define LARGEST_DESCRIPTOR 4096
#define MOST_ENTRIES 256

char *
roast_plugin_module_find (const char *path, const char *module)
{
  g_autofree char *directory = g_path_get_dirname (path);
  g_autofree char *with_lib = g_strdup_printf ("%s" G_DIR_SEPARATOR_S "lib%s." G_MODULE_SUFFIX, directory, module);
  g_autofree char *plain = g_strdup_printf ("%s" G_DIR_SEPARATOR_S "%s." G_MODULE_SUFFIX, directory, module);

  if (!g_file_test (with_lib, G_FILE_TEST_EXISTS) && g_file_test (plain, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&plain);
  return g_steal_pointer (&with_lib);
}

gboolean
roast_plugin_module_check_api (guint major, guint minor, GError **error)
{
  const char *cure;

  if (major == ROAST_API_MAJOR && minor <= ROAST_API_MINOR)
    return TRUE;
  cure = major < ROAST_API_MAJOR ? "Install a version of the plugin for this roast" : "Install a newer roast";
  return roast_fail (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_API_VERSION,
                     "the module was built for roast API %u.%u, but this roast has API %d.%d. %s, or build the plugin "
                     "again "
                     "with the headers of this roast",
                     major, minor, ROAST_API_MAJOR, ROAST_API_MINOR, cure);
}

static const char *
cure_for_open (const char *message)
{
  if (strstr (message, "undefined symbol: roast_") != NULL)
    return "This roast has no such function. Install a version of the plugin for this roast, or a newer roast if the "
           "plugin is newer than roast";
  if (strstr (message, "undefined symbol") != NULL)
    return "The plugin was built with other versions of the libraries than those installed: build the plugin again";
  if (strstr (message, "invalid ELF header") != NULL || strstr (message, "file too short") != NULL)
    return "This file is not a shared library: install the plugin again";
  if (strstr (message, "No such file") != NULL)
    return "Install the libraries that the module needs: ldd lists these libraries";
  return "Install the plugin again";
}

static GModule *
open_module (const char *path, GError **error)
{
  GModule *module;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return roast_fail_null (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_OPEN,
                            "the module %s of the plugin does not exist. Install the plugin again, or delete the key "
                            "file",
                            path);
  /* Do not bind lazily, so that a missing symbol is reported here, and does not end the process in the middle of a
   * run. */
  module = g_module_open (path, G_MODULE_BIND_LOCAL);
  if (module == NULL)
    g_set_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_OPEN, "cannot open the module of the plugin: %s. %s",
                 g_module_error (), cure_for_open (g_module_error ()));
  return module;
}

static gboolean
check_identity (const RoastPluginDescriptor *descriptor, RoastPluginKeyFile *key_file, GError **error)
{
  if (descriptor->name == NULL || descriptor->version == NULL || descriptor->entries == NULL)
    return roast_fail (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_NO_DESCRIPTOR,
                       "the plugin descriptor lacks a name, a version or entries. Define the descriptor with "
                       "ROAST_DEFINE_PLUGIN");
  if (g_str_equal (descriptor->name, key_file->name) && g_str_equal (descriptor->version, key_file->version))
    return TRUE;
  return roast_fail (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_METADATA,
                     "the key file is stale: the key file is for %s %s, but the module is %s %s. Install the key file "
                     "and module of one version",
                     key_file->name, key_file->version, descriptor->name, descriptor->version);
}

/* Do not trust the descriptor: check struct_size before reading other members. */
static gboolean
check_descriptor (const RoastPluginDescriptor *descriptor, RoastPluginKeyFile *key_file, GError **error)
{
  if (descriptor->struct_size < sizeof (RoastPluginDescriptor) || descriptor->struct_size > LARGEST_DESCRIPTOR)
    return roast_fail (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_NO_DESCRIPTOR,
                       "the symbol " ROAST_PLUGIN_SYMBOL
                       " of the module is not a descriptor. Define the descriptor with ROAST_DEFINE_PLUGIN");
  return roast_plugin_module_check_api (descriptor->api_major, descriptor->api_minor, error) &&
         check_identity (descriptor, key_file, error);
}

static gboolean
check_entry (const RoastPluginEntry *entry, RoastPluginKeyFile *key_file, GError **error)
{
  if (entry->get_type == NULL || !roast_plugin_name_is_valid (entry->name))
    return roast_fail (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_TYPE,
                       "the plugin descriptor offers %s:%s without a type function or under an invalid name. Correct "
                       "the plugin",
                       roast_role_to_string (entry->role), entry->name);
  if (roast_plugin_key_file_find (key_file, entry->role, entry->name) == NULL)
    return roast_fail (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_METADATA,
                       "the key file is stale: the module offers %s:%s, which Provides does not list. Add this item to "
                       "Provides, or install the key file and module of one version",
                       roast_role_to_string (entry->role), entry->name);
  return TRUE;
}

const RoastPluginEntry *
roast_plugin_module_find_entry (const RoastPluginDescriptor *descriptor, RoastRole role, const char *name)
{
  for (const RoastPluginEntry *entry = descriptor->entries; entry->name != NULL; entry++)
    if (entry->role == role && g_str_equal (entry->name, name))
      return entry;
  return NULL;
}

static gboolean
check_entries (const RoastPluginDescriptor *descriptor, RoastPluginKeyFile *key_file, GError **error)
{
  guint n = 0;

  for (const RoastPluginEntry *entry = descriptor->entries; entry->name != NULL && n < MOST_ENTRIES; entry++, n++)
    if (!check_entry (entry, key_file, error))
      return FALSE;
  for (guint i = 0; i < key_file->provides->len; i++)
    {
      RoastPluginProvided *provided = g_ptr_array_index (key_file->provides, i);

      if (roast_plugin_module_find_entry (descriptor, provided->role, provided->name) == NULL)
        return roast_fail (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_METADATA,
                           "the key file is stale: Provides lists %s:%s, which the module does not offer. Install the "
                           "key file and module of one version",
                           roast_role_to_string (provided->role), provided->name);
    }
  return TRUE;
}

const RoastPluginDescriptor *
roast_plugin_module_open (const char *module_path, RoastPluginKeyFile *key_file, GError **error)
{
  gpointer symbol = NULL;
  GModule *module = open_module (module_path, error);

  if (module == NULL)
    return NULL;
  if (!g_module_symbol (module, ROAST_PLUGIN_SYMBOL, &symbol) || symbol == NULL)
    {
      g_set_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_NO_DESCRIPTOR,
                   "the module %s of the plugin exports no symbol " ROAST_PLUGIN_SYMBOL
                   ". Write ROAST_DEFINE_PLUGIN in a source file of the plugin",
                   module_path);
      g_module_close (module);
      return NULL;
    }
  if (!check_descriptor (symbol, key_file, error) || !check_entries (symbol, key_file, error))
    {
      g_module_close (module);
      return NULL;
    }
  /* Keep the module open, because types cannot be unregistered. */
  g_module_make_resident (module);
  return symbol;
}

/* The first critical message that a type function logs while it runs in this thread. */
typedef struct
{
  GThread *thread;
  char *message;
  gboolean is_clash;
} Complaints;

static void
plugin_module_on_message (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  Complaints *complaints = data;

  if (g_thread_self () != complaints->thread)
    {
      g_log_default_handler (domain, level, message, NULL);
      return;
    }
  if (strstr (message, "cannot register existing type") != NULL)
    complaints->is_clash = TRUE;
  if (complaints->message == NULL)
    complaints->message = g_strdup (message);
}

/* Call a type function and catch its critical messages. g_type_register_static() has no GError. If the name of the type
 * is already in use, GObject logs a critical message, and GLib logs another in the g_once_init_leave() of
 * G_DEFINE_TYPE. Fatal critical messages would end the process, so make critical messages non-fatal during the call:
 * for microseconds, but in all threads, because the mask of fatal levels is global.
 *
 * Do not call a type function again after such a failure. A second call would wait forever, because the first call did
 * not leave its g_once. */
static GType
call_get_type (const RoastPluginEntry *entry, Complaints *complaints)
{
  const GLogLevelFlags levels = G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING;
  GLogLevelFlags fatal = g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_FLAG_RECURSION);
  guint gobject_handler = g_log_set_handler ("GLib-GObject", levels, plugin_module_on_message, complaints);
  guint glib_handler = g_log_set_handler ("GLib", levels, plugin_module_on_message, complaints);
  GType type = entry->get_type ();

  g_log_remove_handler ("GLib", glib_handler);
  g_log_remove_handler ("GLib-GObject", gobject_handler);
  g_log_set_always_fatal (fatal);
  return type;
}

static const char *
complain_about_type (GType type, RoastRole role)
{
  if (!g_type_is_a (type, roast_role_get_interface (role)))
    return "the type does not implement the interface";
  if (!g_type_is_a (type, G_TYPE_OBJECT) || G_TYPE_IS_ABSTRACT (type))
    return "the type cannot be instantiated as a";
  return NULL;
}

gboolean
roast_plugin_module_check_type (GType type, RoastRole role, const char *name, GError **error)
{
  const char *complaint = complain_about_type (type, role);

  if (complaint == NULL)
    return TRUE;
  return roast_fail (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_TYPE,
                     "the type %s for %s:%s is invalid: %s %s. Correct the plugin", g_type_name (type),
                     roast_role_to_string (role), name, complaint, g_type_name (roast_role_get_interface (role)));
}

GType
roast_plugin_module_get_type (const RoastPluginEntry *entry, const char *plugin_name, GError **error)
{
  Complaints complaints = { g_thread_self (), NULL, FALSE };
  GType type = call_get_type (entry, &complaints);
  g_autofree char *message = complaints.message;

  if (complaints.is_clash)
    {
      g_set_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_NAME_CLASH,
                   "the type for %s:%s has a name that another plugin or the program already uses (%s). Name the type "
                   "after the plugin (%s)",
                   roast_role_to_string (entry->role), entry->name, message, plugin_name);
      return G_TYPE_INVALID;
    }
  if (type == G_TYPE_INVALID)
    {
      g_set_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_TYPE,
                   "the type function for %s:%s returns no type%s%s. Correct the plugin",
                   roast_role_to_string (entry->role), entry->name, message != NULL ? ": " : "",
                   message != NULL ? message : "");
      return G_TYPE_INVALID;
    }
  return roast_plugin_module_check_type (type, entry->role, entry->name, error) ? type : G_TYPE_INVALID;
}
