/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-registry-options-private.h"

#include "base/roast-fail-private.h"
#include "base/roast-option-text-private.h"
#include "base/roast-suggest-private.h"
#include "roast-plugin-key-file-private.h"
#include "roast-plugin-option-private.h"
#include "roast-plugin-private.h"
#include "roast/roast-error.h"

static void
set_unknown (RoastPlugin *plugin, RoastRole role, const char *name, const char *option, GError **error)
{
  g_autoptr (GPtrArray) options = roast_plugin_list_options (plugin, role, name);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *sentence = NULL;

  for (guint i = 0; i < options->len; i++)
    g_ptr_array_add (names, (gpointer) roast_plugin_option_get_name (g_ptr_array_index (options, i)));
  g_ptr_array_add (names, NULL);
  sentence =
      roast_suggest_sentence (option, (const char *const *) names->pdata, "the options are", "there are no options");
  g_set_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_UNKNOWN, "there is no option '%s'; %s", option, sentence);
}

static GVariant *
parse_item (RoastPluginOption *option, RoastOptionText *item, GError **error)
{
  if (item->value != NULL)
    return roast_plugin_option_parse (option, item->value, error);
  if (g_variant_type_equal (roast_plugin_option_get_value_type (option), G_VARIANT_TYPE_BOOLEAN))
    return g_variant_ref_sink (g_variant_new_boolean (TRUE));
  return roast_fail_null (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_SYNTAX, "option %s needs a value: %s=VALUE",
                          item->name, item->name);
}

static GVariant *
parse_declared (RoastPlugin *plugin, RoastRole role, const char *name, RoastOptionText *item, GError **error)
{
  RoastPluginOption *option = roast_plugin_find_option (plugin, role, name, item->name);

  if (option != NULL)
    return parse_item (option, item, error);
  set_unknown (plugin, role, name, item->name, error);
  return NULL;
}

GVariant *
roast_registry_options_parse (RoastPlugin *plugin, RoastRole role, const char *name, const char *text, GError **error)
{
  g_autoptr (GPtrArray) items = roast_option_text_split (text, error);
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);

  if (items == NULL)
    return NULL;
  for (guint i = 0; i < items->len; i++)
    {
      RoastOptionText *item = g_ptr_array_index (items, i);
      g_autoptr (GVariant) value = NULL;

      /* The values of options of the application's own types are strings, because no key file declares the types of
       * these options. An option without a value becomes "true". */
      if (plugin == NULL)
        value = g_variant_ref_sink (g_variant_new_string (item->value != NULL ? item->value : "true"));
      else
        value = parse_declared (plugin, role, name, item, error);
      if (value == NULL)
        return NULL;
      g_variant_dict_insert_value (&dict, item->name, value);
    }
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

static gboolean
add_given (RoastPlugin *plugin, RoastRole role, const char *name, GVariant *options, GVariantDict *dict, GError **error)
{
  GVariantIter iter;
  const char *key;
  GVariant *given;

  g_variant_iter_init (&iter, options);
  while (g_variant_iter_next (&iter, "{&sv}", &key, &given))
    {
      g_autoptr (GVariant) owned = given;
      g_autoptr (GVariant) value = NULL;
      RoastPluginOption *option = roast_plugin_find_option (plugin, role, name, key);

      if (option == NULL)
        {
          set_unknown (plugin, role, name, key, error);
          return FALSE;
        }
      value = roast_plugin_option_convert (option, owned, error);
      if (value == NULL)
        return FALSE;
      g_variant_dict_insert_value (dict, key, value);
    }
  return TRUE;
}

static void
add_defaults (RoastPlugin *plugin, RoastRole role, const char *name, GVariantDict *dict)
{
  g_autoptr (GPtrArray) options = roast_plugin_list_options (plugin, role, name);

  for (guint i = 0; i < options->len; i++)
    {
      RoastPluginOption *option = g_ptr_array_index (options, i);
      GVariant *value = roast_plugin_option_get_default (option);

      if (value != NULL && !g_variant_dict_contains (dict, roast_plugin_option_get_name (option)))
        g_variant_dict_insert_value (dict, roast_plugin_option_get_name (option), value);
    }
}

GVariant *
roast_registry_options_complete (RoastPlugin *plugin, RoastRole role, const char *name, GVariant *options,
                                 GError **error)
{
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);

  if (plugin == NULL && options != NULL)
    return g_variant_ref (options);
  if (options != NULL && !add_given (plugin, role, name, options, &dict, error))
    {
      g_prefix_error (error, "%s %s: ", roast_role_to_string (role), name);
      return NULL;
    }
  if (plugin != NULL)
    add_defaults (plugin, role, name, &dict);
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}
