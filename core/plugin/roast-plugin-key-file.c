/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-plugin-key-file-private.h"

#include "base/roast-key-file-private.h"

#include <string.h>

#include "base/roast-fail-private.h"
#include "roast-plugin-option-private.h"
#include "roast/roast-aggregator.h"
#include "roast/roast-enums.h"
#include "roast/roast-exporter.h"
#include "roast/roast-metrics-backend.h"

#define GROUP "Roast Plugin"
#define OPTION_PREFIX "Option "
#define EXPORTER_PREFIX "Exporter "
#define LONGEST_NAME 64

static const char *const role_names[] = {
  [ROAST_ROLE_BACKEND] = "backend",
  [ROAST_ROLE_AGGREGATOR] = "aggregator",
  [ROAST_ROLE_EXPORTER] = "exporter",
};

const char *
roast_role_to_string (RoastRole role)
{
  return (gsize) role < G_N_ELEMENTS (role_names) ? role_names[role] : "unknown role";
}

GType
roast_role_get_interface (RoastRole role)
{
  switch (role)
    {
    case ROAST_ROLE_BACKEND:
      return ROAST_TYPE_METRICS_BACKEND;
    case ROAST_ROLE_AGGREGATOR:
      return ROAST_TYPE_AGGREGATOR;
    case ROAST_ROLE_EXPORTER:
      return ROAST_TYPE_EXPORTER;
    default:
      return G_TYPE_INVALID;
    }
}

gboolean
roast_plugin_name_is_valid (const char *name)
{
  return name != NULL && g_ascii_islower (*name) && strlen (name) <= LONGEST_NAME &&
         name[strspn (name, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

static void
provided_free (gpointer data)
{
  RoastPluginProvided *self = data;

  g_free (self->name);
  g_ptr_array_unref (self->options);
  g_free (self);
}

RoastPluginKeyFile *
roast_plugin_key_file_new (void)
{
  RoastPluginKeyFile *self = g_new0 (RoastPluginKeyFile, 1);

  self->provides = g_ptr_array_new_with_free_func (provided_free);
  return self;
}

void
roast_plugin_key_file_free (RoastPluginKeyFile *self)
{
  g_free (self->module);
  g_free (self->name);
  g_free (self->api);
  g_free (self->description);
  g_free (self->version);
  g_free (self->license);
  g_free (self->website);
  g_free (self->loader);
  g_strfreev (self->capabilities);
  g_strfreev (self->addresses);
  g_strfreev (self->schemas);
  g_ptr_array_unref (self->provides);
  g_free (self);
}

gboolean
roast_plugin_key_file_is_native (RoastPluginKeyFile *self)
{
  return self->loader == NULL || g_str_equal (self->loader, "c");
}

RoastPluginProvided *
roast_plugin_key_file_find (RoastPluginKeyFile *self, RoastRole role, const char *name)
{
  for (guint i = 0; i < self->provides->len; i++)
    {
      RoastPluginProvided *provided = g_ptr_array_index (self->provides, i);

      if (provided->role == role && g_str_equal (provided->name, name))
        return provided;
    }
  return NULL;
}

#define plugin_key_file_fail(error, ...)                                                                               \
  roast_fail (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_METADATA, __VA_ARGS__)

/* Read a text or a list. A missing key is not an error, but an invalid value is. Check first whether the key exists,
 * because GKeyFile needs ten times as long to return an error for a missing key. */
static gboolean
key_file_read_value (GKeyFile *key_file, const char *key, char **text, char ***list, GError **error)
{
  g_autoptr (GError) local = NULL;

  if (!g_key_file_has_key (key_file, GROUP, key, NULL))
    return TRUE;
  if (text != NULL)
    *text = g_key_file_get_string (key_file, GROUP, key, &local);
  else
    *list = g_key_file_get_string_list (key_file, GROUP, key, NULL, &local);

  return local == NULL ||
         plugin_key_file_fail (error, "cannot read the key %s of group [" GROUP "]: %s", key, local->message);
}

static gboolean
plugin_key_file_read_texts (RoastPluginKeyFile *self, GKeyFile *key_file, GError **error)
{
  return key_file_read_value (key_file, "Name", &self->name, NULL, error) &&
         key_file_read_value (key_file, "Module", &self->module, NULL, error) &&
         key_file_read_value (key_file, "Api", &self->api, NULL, error) &&
         key_file_read_value (key_file, "Version", &self->version, NULL, error) &&
         key_file_read_value (key_file, "Description", &self->description, NULL, error) &&
         key_file_read_value (key_file, "License", &self->license, NULL, error) &&
         key_file_read_value (key_file, "Website", &self->website, NULL, error) &&
         key_file_read_value (key_file, "Loader", &self->loader, NULL, error) &&
         key_file_read_value (key_file, "Capabilities", NULL, &self->capabilities, error) &&
         key_file_read_value (key_file, "Addresses", NULL, &self->addresses, error) &&
         key_file_read_value (key_file, "Schemas", NULL, &self->schemas, error);
}

static gboolean
check_schemas (RoastPluginKeyFile *self, GError **error)
{
  for (guint i = 0; self->schemas != NULL && self->schemas[i] != NULL; i++)
    if (!roast_plugin_name_is_valid (self->schemas[i]))
      return plugin_key_file_fail (error,
                                   "'%s' in Schemas is not the name of a schema. Write the name of a file beside the "
                                   "key file, without .roast-schema",
                                   self->schemas[i]);

  return TRUE;
}

static gboolean
fail_without_module (RoastPluginKeyFile *self, const char *fault, GError **error)
{
  if (roast_plugin_key_file_is_native (self))
    return plugin_key_file_fail (error, "%s. Add Module=roast-%s, the name of the module without lib and .so", fault,
                                 self->name);

  return plugin_key_file_fail (error, "%s. Add Module=%s, the name of the file without the extension", fault,
                               self->name);
}

static gboolean
check_texts (RoastPluginKeyFile *self, GError **error)
{
  gboolean is_native = roast_plugin_key_file_is_native (self);

  if (self->name == NULL)
    return plugin_key_file_fail (error, "the key file has no Name. Add Name=NAME to group [" GROUP "]");
  if (!roast_plugin_name_is_valid (self->name))
    return plugin_key_file_fail (error,
                                 "Name=%s is not a valid name. Use lower-case letters, digits and hyphens, and begin "
                                 "with a letter",
                                 self->name);
  if (self->module == NULL && self->schemas != NULL)
    return check_schemas (self, error);
  if (self->module == NULL)
    return fail_without_module (self, "the key file has neither Module nor Schemas", error);
  if (*self->module == '\0' || *self->module == '.' || strchr (self->module, '/') != NULL)
    return plugin_key_file_fail (error,
                                 "Module=%s is not a plain file name. Write the name of a file beside the key file, "
                                 "without %s",
                                 self->module, is_native ? "lib and .so" : "the extension");
  if (!check_schemas (self, error))
    return FALSE;
  if (self->version == NULL || *self->version == '\0')
    return plugin_key_file_fail (error, "the key file has no Version. Add %s to group [" GROUP "]",
                                 is_native ? "Version with the value in ROAST_DEFINE_PLUGIN" : "Version=VERSION");
  return TRUE;
}

static gboolean
parse_api (RoastPluginKeyFile *self, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (self->api != NULL ? self->api : "", ".", 3);
  guint64 numbers[2];

  if (g_strv_length (parts) == 2 && g_ascii_string_to_unsigned (parts[0], 10, 0, G_MAXUINT16, &numbers[0], NULL) &&
      g_ascii_string_to_unsigned (parts[1], 10, 0, G_MAXUINT16, &numbers[1], NULL))
    {
      self->api_major = (guint) numbers[0];
      self->api_minor = (guint) numbers[1];
      return TRUE;
    }
  return plugin_key_file_fail (error,
                               "the key file needs Api=MAJOR.MINOR, the version of the API that the plugin was built "
                               "for, not Api='%s'",
                               self->api != NULL ? self->api : "");
}

/* Split ROLE:NAME. *name points into @text. */
static gboolean
parse_role_name (const char *text, RoastRole *role, const char **name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (role_names); i++)
    {
      gsize length = strlen (role_names[i]);

      if (strncmp (text, role_names[i], length) == 0 && text[length] == ':')
        {
          *role = (RoastRole) i;
          *name = text + length + 1;
          return roast_plugin_name_is_valid (*name);
        }
    }
  return FALSE;
}

static gboolean
read_provides (RoastPluginKeyFile *self, GKeyFile *key_file, GError **error)
{
  g_auto (GStrv) list = NULL;

  if (!key_file_read_value (key_file, "Provides", NULL, &list, error))
    return FALSE;
  /* A plugin without a module offers only schemas, and needs no Provides. */
  if (self->module == NULL && list == NULL)
    return TRUE;
  if (self->module == NULL)
    return fail_without_module (self, "the key file has Provides, but no Module", error);
  if (list == NULL || list[0] == NULL)
    return plugin_key_file_fail (error, "the key file has no Provides. Add a list such as Provides=backend:%s",
                                 self->name);
  for (char **item = list; *item != NULL; item++)
    {
      RoastPluginProvided *provided;
      RoastRole role;
      const char *name;

      if (!parse_role_name (*item, &role, &name))
        return plugin_key_file_fail (
            error, "'%s' in Provides must have the form backend:NAME, aggregator:NAME or exporter:NAME", *item);
      if (roast_plugin_key_file_find (self, role, name) != NULL)
        return plugin_key_file_fail (error, "Provides lists %s twice. Remove one of the two entries", *item);
      provided = g_new0 (RoastPluginProvided, 1);
      provided->role = role;
      provided->name = g_strdup (name);
      provided->options = g_ptr_array_new_with_free_func (g_object_unref);
      g_ptr_array_add (self->provides, provided);
    }
  return TRUE;
}

/* Read a group [Option ROLE:NAME OPTION]. */
static gboolean
read_option (RoastPluginKeyFile *self, GKeyFile *key_file, const char *group, GError **error)
{
  g_auto (GStrv) words = g_strsplit (group, " ", 4);
  RoastPluginProvided *provided = NULL;
  RoastPluginOption *option;
  RoastRole role;
  const char *name;

  if (g_strv_length (words) != 3 || !parse_role_name (words[1], &role, &name) || !roast_plugin_name_is_valid (words[2]))
    return plugin_key_file_fail (error,
                                 "group [%s] must have the form [Option ROLE:NAME OPTION], such as [Option backend:%s "
                                 "address]",
                                 group, self->name);
  provided = roast_plugin_key_file_find (self, role, name);
  if (provided == NULL)
    return plugin_key_file_fail (error,
                                 "group [%s] describes an item that Provides does not list. Add the item to Provides, "
                                 "or remove the group",
                                 group);
  option = roast_plugin_option_new_from_key_file (key_file, group, words[2], error);
  if (option == NULL)
    return FALSE;
  g_ptr_array_add (provided->options, option);
  return TRUE;
}

/* Read a group [Exporter NAME]. */
static gboolean
read_exporter (RoastPluginKeyFile *self, GKeyFile *key_file, const char *group, GError **error)
{
  RoastPluginProvided *provided =
      roast_plugin_key_file_find (self, ROAST_ROLE_EXPORTER, group + strlen (EXPORTER_PREFIX));
  g_auto (GStrv) flags = g_key_file_get_string_list (key_file, group, "Flags", NULL, NULL);
  g_autoptr (GFlagsClass) klass = g_type_class_ref (ROAST_TYPE_EXPORTER_FLAGS);

  if (provided == NULL)
    return plugin_key_file_fail (error,
                                 "group [%s] describes an item that Provides does not list. Add the item to Provides, "
                                 "or remove the group",
                                 group);
  for (guint i = 0; flags != NULL && flags[i] != NULL; i++)
    {
      const GFlagsValue *value = g_flags_get_value_by_nick (klass, flags[i]);

      if (value == NULL || value->value == ROAST_EXPORTER_FLAGS_NONE)
        return plugin_key_file_fail (error,
                                     "Flags of group [%s] contains '%s', which is not directory, terminal, binary or "
                                     "live",
                                     group, flags[i]);
      provided->flags |= value->value;
    }
  provided->may_be_late = TRUE;
  return TRUE;
}

static gboolean
plugin_key_file_read_groups (RoastPluginKeyFile *self, GKeyFile *key_file, GError **error)
{
  g_auto (GStrv) groups = g_key_file_get_groups (key_file, NULL);

  /* Ignore groups of other names, because a later version of roast may use them. */
  for (char **group = groups; *group != NULL; group++)
    if ((g_str_has_prefix (*group, OPTION_PREFIX) && !read_option (self, key_file, *group, error)) ||
        (g_str_has_prefix (*group, EXPORTER_PREFIX) && !read_exporter (self, key_file, *group, error)))
      return FALSE;
  return TRUE;
}

gboolean
roast_plugin_key_file_parse (RoastPluginKeyFile *self, const char *data, gsize length, GError **error)
{
  g_autoptr (GKeyFile) key_file = g_key_file_new ();
  g_autoptr (GError) local = NULL;
  g_autofree char *half_escape = NULL;

  if (length > ROAST_PLUGIN_KEY_FILE_MAX)
    return plugin_key_file_fail (error, "the key file is larger than the limit of %d bytes", ROAST_PLUGIN_KEY_FILE_MAX);
  if (!g_utf8_validate_len (data, length, NULL))
    return plugin_key_file_fail (error,
                                 "the key file is not UTF-8 text. Correct the file, or install the plugin again");
  if (!g_key_file_load_from_data (key_file, length > 0 ? data : "", length, G_KEY_FILE_NONE, &local))
    return plugin_key_file_fail (error, "cannot parse the key file: %s. Correct the file, or install the plugin again",
                                 local->message);
  half_escape = memchr (data, '\\', length) != NULL ? roast_key_file_find_half_escape (key_file) : NULL;
  if (half_escape != NULL)
    return plugin_key_file_fail (error, "the value of %s ends in an incomplete escape. Write \\\\ for a backslash",
                                 half_escape);
  if (!g_key_file_has_group (key_file, GROUP))
    return plugin_key_file_fail (error,
                                 "the key file has no group [" GROUP "]. Add the group, or install the plugin again");

  return plugin_key_file_read_texts (self, key_file, error) && check_texts (self, error) && parse_api (self, error) &&
         read_provides (self, key_file, error) && plugin_key_file_read_groups (self, key_file, error);
}
