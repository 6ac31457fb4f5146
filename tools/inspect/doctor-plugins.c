/* SPDX-License-Identifier: BSD-3-Clause */
#include "doctor.h"

void
doctor_plugins (Doctor *doctor, RoastRegistry *registry)
{
  g_autoptr (GPtrArray) broken = roast_registry_list_broken (registry);
  g_auto (GStrv) backends = roast_registry_dup_names (registry, ROAST_ROLE_BACKEND);
  g_auto (GStrv) exporters = roast_registry_dup_names (registry, ROAST_ROLE_EXPORTER);
  g_autofree char *measures = g_strjoinv (", ", backends);
  g_autofree char *writes = g_strjoinv (", ", exporters);

  doctor_add (doctor, "backends", g_steal_pointer (&measures));
  doctor_add (doctor, "exporters", g_steal_pointer (&writes));
  for (guint i = 0; i < broken->len; i++)
    {
      RoastPlugin *plugin = g_ptr_array_index (broken, i);

      doctor_add_broken (doctor, "plugin",
                         g_strdup_printf ("%s: %s", roast_plugin_get_name (plugin),
                                          roast_plugin_get_error (plugin)->message),
                         "the backends, aggregators and exporters of this plugin are missing",
                         g_strdup ("run “roast-inspect --broken”, which shows the reason and the remedy"));
    }
}
