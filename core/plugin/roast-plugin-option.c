/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-plugin-option-private.h"

#include <math.h>
#include <string.h>

#include "base/roast-fail-private.h"
#include "base/roast-type-private.h"
#include "base/roast-variant-private.h"

/**
 * RoastPluginOption:
 *
 * An option of a backend or an exporter. The plugin's key file declares it in a group `[Option ROLE:NAME OPTION]` with
 * the keys `Type` (`string`, `integer`, `double`, `boolean` or `choice`), `Choices`, `Default` and `Help`.
 *
 * Since: 0.9
 */

struct _RoastPluginOption
{
  GObject parent_instance;

  char *name;
  const GVariantType *type;
  char **choices;
  gboolean refuses_empty; /* an empty string is not allowed as a value */
  GVariant *value;
  char *help;
};

ROAST_DEFINE_TYPE (RoastPluginOption, roast_plugin_option)
ROAST_DEFINE_NO_INIT (RoastPluginOption, roast_plugin_option)

static void
roast_plugin_option_release (RoastPluginOption *self)
{
  g_free (self->name);
  g_strfreev (self->choices);
  g_clear_pointer (&self->value, g_variant_unref);
  g_free (self->help);
}

static const GVariantType *
type_from_text (const char *text)
{
  if (g_str_equal (text, "string") || g_str_equal (text, "choice"))
    return G_VARIANT_TYPE_STRING;
  if (g_str_equal (text, "integer"))
    return G_VARIANT_TYPE_INT64;
  if (g_str_equal (text, "double"))
    return G_VARIANT_TYPE_DOUBLE;
  if (g_str_equal (text, "boolean"))
    return G_VARIANT_TYPE_BOOLEAN;
  return NULL;
}

static gboolean
read_type (RoastPluginOption *self, GKeyFile *key_file, const char *group, GError **error)
{
  g_autofree char *type = g_key_file_get_string (key_file, group, "Type", NULL);
  gboolean is_choice = g_strcmp0 (type, "choice") == 0;

  self->type = type != NULL ? type_from_text (type) : NULL;
  if (self->type == NULL)
    return roast_fail (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_METADATA,
                       "group [%s] needs Type=string, integer, double, boolean or choice, not '%s'", group,
                       type != NULL ? type : "");
  if (is_choice)
    self->choices = g_key_file_get_string_list (key_file, group, "Choices", NULL, NULL);
  self->refuses_empty =
      g_key_file_has_key (key_file, group, "Empty", NULL) && !g_key_file_get_boolean (key_file, group, "Empty", NULL);
  if (is_choice && (self->choices == NULL || self->choices[0] == NULL))
    return roast_fail (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_METADATA, "group [%s] needs Choices=ONE;ANOTHER",
                       group);
  return TRUE;
}

RoastPluginOption *
roast_plugin_option_new_from_key_file (GKeyFile *key_file, const char *group, const char *name, GError **error)
{
  g_autoptr (RoastPluginOption) self = g_object_new (ROAST_TYPE_PLUGIN_OPTION, NULL);
  g_autofree char *text = g_key_file_get_string (key_file, group, "Default", NULL);
  g_autoptr (GError) local = NULL;

  self->name = g_strdup (name);
  self->help = g_key_file_get_string (key_file, group, "Help", NULL);
  if (!read_type (self, key_file, group, error))
    return NULL;
  if (text != NULL)
    self->value = roast_plugin_option_parse (self, text, &local);
  if (local != NULL)
    return roast_fail_null (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_METADATA,
                            "the value of Default in group [%s] is invalid: %s", group, local->message);
  return g_steal_pointer (&self);
}

/**
 * roast_plugin_option_get_name:
 * @self: a #RoastPluginOption
 *
 * Gets the name of the option.
 *
 * Returns: (transfer none): the name, as users write it
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (PluginOption, PLUGIN_OPTION, const char *, roast_plugin_option_get_name, NULL, self->name)

/**
 * roast_plugin_option_get_value_type:
 * @self: a #RoastPluginOption
 *
 * Gets the type of the option's values: a string (also for a choice), a 64-bit integer, a double or a boolean.
 *
 * Returns: (transfer none): the type of the values
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (PluginOption, PLUGIN_OPTION, const GVariantType *, roast_plugin_option_get_value_type, NULL,
                     self->type)

/**
 * roast_plugin_option_get_default:
 * @self: a #RoastPluginOption
 *
 * Gets the key `Default` of the option's declaration.
 *
 * Returns: (transfer none) (nullable): the default value, or %NULL if there is none
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (PluginOption, PLUGIN_OPTION, GVariant *, roast_plugin_option_get_default, NULL, self->value)

/**
 * roast_plugin_option_get_choices:
 * @self: a #RoastPluginOption
 *
 * Gets the key `Choices` of the option's declaration.
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): the allowed values, or %NULL if the option is not a
 *   choice
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (PluginOption, PLUGIN_OPTION, const char *const *, roast_plugin_option_get_choices, NULL,
                     (const char *const *) self->choices)

/**
 * roast_plugin_option_get_help:
 * @self: a #RoastPluginOption
 *
 * Gets the key `Help` of the option's declaration.
 *
 * Returns: (transfer none): a line that explains the option; empty if the key file has no such line
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (PluginOption, PLUGIN_OPTION, const char *, roast_plugin_option_get_help, NULL,
                     self->help != NULL ? self->help : "")

static GVariant *
parse_boolean (const char *text)
{
  static const char *const yes[] = { "true", "yes", "on", "1", NULL };
  static const char *const no[] = { "false", "no", "off", "0", NULL };

  if (g_strv_contains (yes, text))
    return g_variant_new_boolean (TRUE);
  if (g_strv_contains (no, text))
    return g_variant_new_boolean (FALSE);
  return NULL;
}

/* Parse a number in plain decimal notation, with a point in every locale. Refuse blanks, hexadecimal, infinity and
 * NaN. */
static GVariant *
parse_double (const char *text)
{
  char *end = NULL;
  double value;

  if (*text == '\0' || text[strspn (text, "0123456789+-.eE")] != '\0')
    return NULL;
  value = g_ascii_strtod (text, &end);
  if (end == text || *end != '\0' || !isfinite (value))
    return NULL;
  return g_variant_new_double (value);
}

static GVariant *
parse_integer (const char *text)
{
  gint64 value;

  if (!g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, &value, NULL))
    return NULL;
  return g_variant_new_int64 (value);
}

static char *
describe_values (RoastPluginOption *self)
{
  g_autofree char *list = NULL;

  if (g_variant_type_equal (self->type, G_VARIANT_TYPE_BOOLEAN))
    return g_strdup ("the value must be true or false");
  if (g_variant_type_equal (self->type, G_VARIANT_TYPE_INT64))
    return g_strdup ("the value must be a whole number of at most 63 bits");
  if (g_variant_type_equal (self->type, G_VARIANT_TYPE_DOUBLE))
    return g_strdup ("the value must be a finite number such as 0.5");
  if (self->choices == NULL)
    return g_strdup (self->refuses_empty ? "the value must be a text that is not empty" : "the value must be a text");
  list = g_strjoinv (", ", self->choices);
  return g_strdup_printf ("the value must be one of %s", list);
}

static void
set_value_error (RoastPluginOption *self, const char *text, GError **error)
{
  g_autofree char *values = describe_values (self);

  g_set_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE, "option %s: %s, not '%s'", self->name, values,
               text);
}

/**
 * roast_plugin_option_parse:
 * @self: a #RoastPluginOption
 * @text: the text that the user wrote
 * @error: return location for an error
 *
 * Parses @text as a value of the option's type, independent of the locale. Booleans are `true`, `yes`, `on`, `1` and
 * their opposites. Numbers must be finite.
 *
 * Fails with %ROAST_OPTION_ERROR_VALUE.
 *
 * Returns: (transfer full) (nullable): the value, or %NULL on error
 *
 * Since: 0.9
 */
GVariant *
roast_plugin_option_parse (RoastPluginOption *self, const char *text, GError **error)
{
  GVariant *value = NULL;

  g_return_val_if_fail (ROAST_IS_PLUGIN_OPTION (self), NULL);
  g_return_val_if_fail (text != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (g_variant_type_equal (self->type, G_VARIANT_TYPE_BOOLEAN))
    value = parse_boolean (text);
  else if (g_variant_type_equal (self->type, G_VARIANT_TYPE_INT64))
    value = parse_integer (text);
  else if (g_variant_type_equal (self->type, G_VARIANT_TYPE_DOUBLE))
    value = parse_double (text);
  else if (g_utf8_validate (text, -1, NULL) &&
           (self->choices == NULL || g_strv_contains ((const char *const *) self->choices, text)) &&
           (*text != '\0' || !self->refuses_empty))
    value = g_variant_new_string (text);

  if (value == NULL)
    {
      set_value_error (self, text, error);
      return NULL;
    }
  return g_variant_ref_sink (value);
}

GVariant *
roast_plugin_option_convert (RoastPluginOption *self, GVariant *value, GError **error)
{
  g_autofree char *printed = NULL;
  gint64 integer;

  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    return roast_plugin_option_parse (self, g_variant_get_string (value, NULL), error);
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE) && !isfinite (g_variant_get_double (value)))
    {
      set_value_error (self, "NaN or infinity", error);
      return NULL;
    }
  if (g_variant_is_of_type (value, self->type))
    return g_variant_ref (value);
  if (roast_variant_get_integer (value, &integer) && g_variant_type_equal (self->type, G_VARIANT_TYPE_INT64))
    return g_variant_ref_sink (g_variant_new_int64 (integer));
  if (roast_variant_get_integer (value, &integer) && g_variant_type_equal (self->type, G_VARIANT_TYPE_DOUBLE))
    return g_variant_ref_sink (g_variant_new_double ((double) integer));

  printed = g_variant_print (value, TRUE);
  set_value_error (self, printed, error);
  return NULL;
}
