/* SPDX-License-Identifier: BSD-3-Clause */

#include "run-help.h"

static const char usage[] =
    "Usage: roast-run [OPTION…] [--] PROGRAM [ARGUMENT…]\n"
    "       roast-run [OPTION…] --attach=PID|ADDRESS\n"
    "\n"
    "Runs PROGRAM unchanged, measures it and all processes that it starts, and reports when it ends.\n"
    "Its input, output, terminal, signals and exit status are its own.\n"
    "\n"
    "Options:\n"
    "  -b, --backend=NAME[,OPTION=VALUE…]   what to measure with (default: local); may be repeated\n"
    "  -i, --interval=SECONDS               time between two samples, from 0.01 (default: 1)\n"
    "  -e, --export=NAME[:FILE][,OPTION=VALUE…]\n"
    "                                       how and where to report; may be repeated (default: table).\n"
    "                                       Without FILE: to standard error; FILE “-”: to standard output\n"
    "  -a, --attach=PID|ADDRESS             measure what already runs: a process, or what the backend takes (an\n"
    "                                       address; taskvine: PID, directory of logs, also of a run that is\n"
    "                                       over, or HOST:PORT)\n"
    "  -t, --tag=KEY=VALUE                  a remark kept with the results; may be repeated\n"
    "      --color=WHEN                     colours in tables: auto, always, never\n"
    "  -q, --quiet                          no table unless --export asks for one\n"
    "  -h, --help                           this text\n"
    "      --version                        the version\n";

static const char examples[] =
    "\n"
    "Examples:\n"
    "  roast-run -- make -j8                          how well did the build use the cores?\n"
    "  roast-run -e json:run.json -- ./analysis.sh    no table; everything as JSON\n"
    "  roast-run -e table -e csv:out -- python3 analysis.py\n"
    "                                                 a table, and one CSV file per table in out/\n"
    "  roast-run -i 0.1 -b local,pss=exact -- ./job   ten samples a second, memory exact at each\n"
    "  roast-run --attach=4711                        until process 4711 ends, or Ctrl-C\n"
    "  roast-run --backend=taskvine -- python analysis.py\n"
    "                                                 what a TaskVine manager, its workers and tasks did\n"
    "  roast-run --backend=taskvine --attach=vine-run-info/most-recent\n"
    "                                                 the same of a run that is over, or goes on\n"
    "\n"
    "Exit status: that of PROGRAM; 128 + N if signal N ended it; 127 if it does not exist, 126 if it cannot be\n"
    "executed; 125 if roast-run itself failed, which can only be before PROGRAM was started.\n"
    "\n"
    "What a program tells about its work (events, bytes read) on the socket named by ROAST_SOCKET becomes event and\n"
    "data rates: see docs/protocol.md. The metrics: roast-inspect --metrics. See also roast-run(1).\n";

static void
print_option (RoastPluginOption *option)
{
  g_autoptr (GString) head = g_string_new (NULL);
  const char *const *choices = roast_plugin_option_get_choices (option);
  GVariant *value = roast_plugin_option_get_default (option);

  g_string_append_printf (head, "%s=", roast_plugin_option_get_name (option));
  if (choices != NULL && choices[0] != NULL)
    {
      g_autofree char *list = g_strjoinv ("|", (char **) choices);

      g_string_append (head, list);
    }
  else
    {
      const GVariantType *type = roast_plugin_option_get_value_type (option);

      g_string_append (head, g_variant_type_equal (type, G_VARIANT_TYPE_BOOLEAN)  ? "true|false"
                             : g_variant_type_equal (type, G_VARIANT_TYPE_STRING) ? "TEXT"
                                                                                  : "NUMBER");
    }
  g_print ("        %-26s %s", head->str, roast_plugin_option_get_help (option));
  if (value != NULL)
    {
      g_autofree char *text = g_variant_is_of_type (value, G_VARIANT_TYPE_STRING) ? g_variant_dup_string (value, NULL)
                                                                                  : g_variant_print (value, FALSE);

      if (*text != '\0')
        g_print (" (default: %s)", text);
    }
  g_print ("\n");
}

static void
print_role (RoastRegistry *registry, RoastRole role, const char *heading)
{
  g_auto (GStrv) names = roast_registry_dup_names (registry, role);

  g_print ("\n%s:\n", heading);
  for (guint i = 0; names[i] != NULL; i++)
    {
      RoastPlugin *plugin = roast_registry_find_provider (registry, role, names[i]);
      g_autoptr (GPtrArray) options = NULL;

      if (plugin == NULL)
        continue;
      g_print ("  %-10s %s\n", names[i], roast_plugin_get_description (plugin));
      options = roast_plugin_list_options (plugin, role, names[i]);
      for (guint j = 0; j < options->len; j++)
        print_option (g_ptr_array_index (options, j));
    }
}

void
run_help_print (RoastRegistry *registry)
{
  g_print ("%s", usage);
  print_role (registry, ROAST_ROLE_BACKEND, "Backends, with their options");
  print_role (registry, ROAST_ROLE_EXPORTER, "Exporters, with their options");
  g_print ("%s", examples);
}
