/* SPDX-License-Identifier: BSD-3-Clause */

#include "run-help.h"

static const char usage[] =
    "Usage: roast-run [OPTION…] [--] PROGRAM [ARGUMENT…]\n"
    "       roast-run [OPTION…] --attach=PID|ADDRESS\n"
    "\n"
    "Runs PROGRAM unchanged, measures it and all processes that it starts, and writes a report when it ends.\n"
    "PROGRAM keeps its input, output, terminal, signals and exit status.\n"
    "\n"
    "Options:\n"
    "  -b, --backend=NAME[,OPTION=VALUE…]   backend that measures; may be repeated (default: auto: the\n"
    "                                       processes, and the executors that the program uses)\n"
    "  -i, --interval=SECONDS               time between samples, at least 0.01 (default: 1)\n"
    "      --deadline=SECONDS               time limit for starting the program, and again for making the report\n"
    "                                       (default: 600)\n"
    "  -e, --export=NAME[:FILE][,OPTION=VALUE…]\n"
    "                                       format of the report and where to write it; may be repeated\n"
    "                                       (default: table). Without FILE: standard error; “-”: standard output\n"
    "  -a, --attach=PID|ADDRESS             measure a running process, or an executor or its logs at ADDRESS\n"
    "                                       (see roast-run(1))\n"
    "  -t, --tag=KEY=VALUE                  tag to keep with the results, to find and sort runs by; may be repeated\n"
    "      --control=IN,OUT                 take orders from descriptor IN and answer on OUT, for a program that\n"
    "                                       uses roast-run instead of the library (see docs/raw.md)\n"
    "      --save[=FILE]                    keep the run in FILE, or with the other runs, without a size limit\n"
    "                                       (default: with the last 100 runs, up to 200 MB)\n"
    "      --no-save                        do not keep the run\n"
    "      --no-instrument                  do not put code into the program to measure its framework, such as coffea\n"
    "      --color=WHEN                     colours in tables: auto, always, never\n"
    "  -q, --quiet                          no table unless requested with --export, no line about where the run is\n"
    "  -h, --help                           show this help\n"
    "      --version                        show the version\n";

static const char examples[] =
    "\n"
    "Examples:\n"
    "  roast-run -- make -j8                          how well does the build use the cores?\n"
    "  roast-run -e json:run.json -- ./analysis.sh    no table; everything as JSON\n"
    "  roast-run -e table -e csv:out -- python3 analysis.py\n"
    "                                                 a table, and a CSV file for each table in out/\n"
    "  roast-run -i 0.1 -b local,pss=exact -- ./job   ten samples per second, each with exact memory\n"
    "  roast-run --attach=4711                        measure process 4711 until it ends, or Ctrl-C\n"
    "  roast-run -b auto,pss=exact -- python analysis.py\n"
    "                                                 a script, its processes, and the workers and tasks of its "
    "executor\n"
    "  roast-run --attach=ADDRESS                     the same for an executor that is running\n"
    "\n"
    "Exit status: that of PROGRAM; 128 + N if signal N ended it; 127 if it does not exist; 126 if it cannot be\n"
    "executed; 125 if roast-run itself failed, which can only happen before PROGRAM is started.\n"
    "\n"
    "A program may report its work (events, bytes read) on the socket named by ROAST_SOCKET; the report then has\n"
    "event and data rates: see docs/protocol.md. roast-inspect --metrics lists all metrics. roast-report shows kept\n"
    "runs again. See also roast-run(1).\n";

/* As a person would write it. */
static char *
dup_value (GVariant *value)
{
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    return g_variant_dup_string (value, NULL);
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    return g_strdup_printf ("%.15g", g_variant_get_double (value));

  return g_variant_print (value, FALSE);
}

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
      g_autofree char *text = dup_value (value);

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
