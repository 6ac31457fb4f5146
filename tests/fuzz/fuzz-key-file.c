/* SPDX-License-Identifier: BSD-3-Clause */

/* Whatever the bytes of a key file are: a plugin, maybe broken, with an error that says so; and nothing is opened. */

#include <roast/roast.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
read_role (RoastPlugin *plugin, RoastRole role)
{
  g_auto (GStrv) names = roast_plugin_dup_provides (plugin, role);

  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (GPtrArray) options = roast_plugin_list_options (plugin, role, *name);

      for (guint i = 0; i < options->len; i++)
        {
          RoastPluginOption *option = g_ptr_array_index (options, i);
          g_autoptr (GVariant) parsed = NULL;
          g_autoptr (GError) error = NULL;
          const char *help = roast_plugin_option_get_help (option);

          /* Any text is either a value of the declared type or an error. */
          parsed = roast_plugin_option_parse (option, help != NULL ? help : "", &error);
          g_assert_true ((parsed == NULL) == (error != NULL));
          if (parsed != NULL)
            g_assert_true (g_variant_is_of_type (parsed, roast_plugin_option_get_value_type (option)));
        }
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (RoastPlugin) plugin = roast_plugin_new_from_data ("/nonexistent/fuzz.roast-plugin", bytes);
  gboolean broken = roast_plugin_get_state (plugin) == ROAST_PLUGIN_STATE_BROKEN;

  g_assert_nonnull (roast_plugin_get_name (plugin));
  g_assert_true (broken == (roast_plugin_get_error (plugin) != NULL));
  g_assert_cmpint (roast_plugin_get_state (plugin), !=, ROAST_PLUGIN_STATE_LOADED);
  read_role (plugin, ROAST_ROLE_BACKEND);
  read_role (plugin, ROAST_ROLE_AGGREGATOR);
  read_role (plugin, ROAST_ROLE_EXPORTER);
  return 0;
}
