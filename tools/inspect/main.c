/* SPDX-License-Identifier: BSD-3-Clause */
#include "inspect.h"

#include "option-advice.h"
#include "tool.h"

typedef struct
{
  gboolean metrics;
  gboolean charts;
  gboolean tables;
  gboolean markdown;
  gboolean broken;
  gboolean doctor;
  gboolean json;
  gboolean version;
  char *check;
  char *load;
  char *names;
  char **words;
} Arguments;

static const char summary[] = "Shows the plugins, metrics, charts and tables of roast, and why a plugin is\n"
                              "broken. With a NAME, shows this plugin and its options; with --metrics, --charts\n"
                              "or --tables, shows the metric, chart or table of this name. A list is made\n"
                              "without opening plugins.";

static const char description[] = "Examples:\n"
                                  "  roast-inspect                               which plugins are installed?\n"
                                  "  roast-inspect local                         what are this backend's options?\n"
                                  "  roast-inspect --metrics                     what can be measured?\n"
                                  "  roast-inspect -m cpu_efficiency_ratio       what does this number mean?\n"
                                  "  roast-inspect --charts task_stream          what does this picture show?\n"
                                  "  roast-inspect --tables workers              what are this table's columns?\n"
                                  "  roast-inspect --broken                      why is my plugin not listed?\n"
                                  "  roast-inspect --doctor                      what can this machine measure?\n"
                                  "  roast-inspect --check my.roast-plugin x.log does it read x.log rightly?\n"
                                  "\n"
                                  "Plugins are in ROAST_PLUGIN_PATH and ROAST_PLUGIN_SYSTEM_PATH (default: in\n"
                                  "roast-1/plugins of the data directories of the user and of the system).\n"
                                  "\n"
                                  "Exit status: 0 if all is well, 1 if something is broken or was not found, 2 if\n"
                                  "the command line is wrong. See also roast-inspect(1).";

static gboolean
parse (Arguments *arguments, int argc, char **argv, GError **error)
{
  const GOptionEntry entries[] = {
    { "metrics", 'm', 0, G_OPTION_ARG_NONE, &arguments->metrics, "Show the metrics: unit, formula, source", NULL },
    { "charts", 'c', 0, G_OPTION_ARG_NONE, &arguments->charts, "Show the charts: kind, table, columns", NULL },
    { "tables", 't', 0, G_OPTION_ARG_NONE, &arguments->tables, "Show the tables: columns, units, vocabularies", NULL },
    { "markdown", 0, 0, G_OPTION_ARG_NONE, &arguments->markdown, "With --metrics or --charts: print a Markdown page",
      NULL },
    { "broken", 'b', 0, G_OPTION_ARG_NONE, &arguments->broken, "Show the broken plugins, with reason and remedy",
      NULL },
    { "doctor", 0, 0, G_OPTION_ARG_NONE, &arguments->doctor, "Show what this machine can measure", NULL },
    { "check", 0, 0, G_OPTION_ARG_FILENAME, &arguments->check, "Check the plugin that has this key file", "FILE" },
    { "load", 0, 0, G_OPTION_ARG_FILENAME, &arguments->load, "Open a plugin in a child process", "NAME|FILE" },
    { "names", 0, 0, G_OPTION_ARG_STRING, &arguments->names, "Print the names of a kind, such as backend", "KIND" },
    { "json", 'j', 0, G_OPTION_ARG_NONE, &arguments->json, "Print JSON", NULL },
    { "version", 0, 0, G_OPTION_ARG_NONE, &arguments->version, "Show the version", NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &arguments->words, NULL, NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("[NAME]");
  g_auto (GStrv) words = g_strdupv (argv);

  g_option_context_set_summary (context, summary);
  g_option_context_set_description (context, description);
  g_option_context_add_main_entries (context, entries, NULL);
  if (!option_advice_refuse_values ((const char *const *) argv, entries, error))
    return FALSE;
  if (g_option_context_parse_strv (context, &words, error))
    return TRUE;
  option_advice_add (*error, (const char *const *) argv, entries);
  return FALSE;
}

static const char *
find_fault (Arguments *arguments)
{
  int commands = (arguments->metrics ? 1 : 0) + (arguments->charts ? 1 : 0) + (arguments->tables ? 1 : 0) +
                 (arguments->broken ? 1 : 0) + (arguments->doctor ? 1 : 0) + (arguments->check != NULL ? 1 : 0) +
                 (arguments->load != NULL ? 1 : 0) + (arguments->names != NULL ? 1 : 0);
  guint words = arguments->words != NULL ? g_strv_length (arguments->words) : 0;

  if (commands > 1)
    return "--metrics, --charts, --tables, --broken, --doctor, --check, --load and --names cannot be combined";
  if (words > 1)
    return "give the name of only one plugin, metric, chart or table";
  if (words == 1 && commands == 1 && !arguments->metrics && !arguments->charts && !arguments->tables &&
      arguments->check == NULL)
    return "a NAME can be combined only with --metrics, --charts or --tables, and an ADDRESS only with --check";
  if (arguments->markdown && ((!arguments->metrics && !arguments->charts) || words > 0 || arguments->json))
    return "--markdown can be combined only with --metrics or --charts, without a NAME";
  if (arguments->json && arguments->names != NULL)
    return "--names cannot be combined with --json: the JSON list of plugins contains the names";
  return NULL;
}

static int
main_run (Arguments *arguments)
{
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  const char *word = arguments->words != NULL ? arguments->words[0] : NULL;

  if (arguments->markdown)
    return arguments->charts ? inspect_charts_markdown (registry) : inspect_markdown (registry);
  if (arguments->metrics)
    return inspect_metrics (registry, word, arguments->json);
  if (arguments->charts)
    return inspect_charts (registry, word, arguments->json);
  if (arguments->tables)
    return inspect_tables (registry, word, arguments->json);
  if (arguments->broken)
    return inspect_broken (registry, arguments->json);
  if (arguments->doctor)
    return inspect_doctor (registry, arguments->json);
  if (arguments->check != NULL)
    return inspect_check (registry, arguments->check, word, arguments->json);
  if (arguments->load != NULL)
    return inspect_load (registry, arguments->load, arguments->json);
  if (arguments->names != NULL)
    return inspect_names (registry, arguments->names);
  if (word != NULL)
    return inspect_show (registry, word, arguments->json);
  return inspect_list (registry, arguments->json);
}

static void
clear (Arguments *arguments)
{
  g_free (arguments->check);
  g_free (arguments->load);
  g_free (arguments->names);
  g_strfreev (arguments->words);
}

int
main (int argc, char **argv)
{
  Arguments arguments = { FALSE };
  g_autoptr (GError) error = NULL;
  const char *fault = NULL;
  int status = INSPECT_USAGE;

  tool_begin ();
  if (!parse (&arguments, argc, argv, &error))
    fault = error->message;
  else
    fault = find_fault (&arguments);

  if (fault != NULL)
    inspect_complain ("%s%s See roast-inspect --help", fault, g_str_has_suffix (fault, "?") ? "" : ".");
  else if (arguments.version)
    {
      g_print ("roast-inspect %s\n", ROAST_VERSION_S);
      status = INSPECT_FINE;
    }
  else
    status = main_run (&arguments);
  clear (&arguments);
  return status;
}
