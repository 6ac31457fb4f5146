/* SPDX-License-Identifier: BSD-3-Clause */

#include "run-help.h"

/* Keep the help short enough for one screen: it has 40 lines, including the names of plugins. The manual page
 * roast-run(1) describes everything else. */
static const char usage[] = "Usage: roast-run [OPTION…] [--] PROGRAM [ARGUMENT…]\n"
                            "       roast-run [OPTION…] --attach=PID|ADDRESS\n"
                            "\n"
                            "Measures PROGRAM, unchanged, and all processes that PROGRAM starts, and reports.\n"
                            "\n"
                            "Examples:\n"
                            "  roast-run -- make -j8                       how well does make use the cores?\n"
                            "  roast-run -e csv:out -- python3 a.py        a CSV file for each table in out/\n"
                            "  roast-run -b auto,pss=exact -- python3 a.py exact memory\n"
                            "  roast-run --attach=4711                     measure process 4711\n"
                            "\n"
                            "Options:\n"
                            "  -b, --backend=NAME[,OPTION=VALUE…]  backend, repeatable (default: auto, which\n"
                            "                             measures processes and the executors in use)\n"
                            "  -e, --export=NAME[:FILE][,OPTION=VALUE…]  format of the report, repeatable\n"
                            "                             (default: table). Without FILE: standard error;\n"
                            "                             “-”: standard output\n"
                            "  -a, --attach=PID|ADDRESS   measure a running process or executor, or logs\n"
                            "  -i, --interval=SECONDS     time between samples, at least 0.01 (default: 1)\n"
                            "  -t, --tag=KEY=VALUE        tag to find the run by, repeatable\n"
                            "      --save[=FILE]          keep the run in FILE; without FILE: keep the run\n"
                            "                             beyond the limit of 100 runs and 200 MB\n"
                            "      --no-save              do not keep the run\n"
                            "      --no-instrument        do not inject code into PROGRAM\n"
                            "      --top                  show roast-top, unless PROGRAM uses the terminal\n"
                            "      --deadline=SECONDS     limit for the start and for the report (600)\n"
                            "      --control=IN,OUT       take orders from descriptor IN: see docs/raw.md\n"
                            "      --color=WHEN           colours in tables: auto, always, never\n"
                            "  -q, --quiet                print only what --export asks for\n"
                            "  -h, --help, --version      show this help, or the version\n";

static const char ending[] = "roast-inspect NAME shows the options of a plugin.\n"
                             "\n"
                             "Exit status: that of PROGRAM; 128 + N if signal N ended PROGRAM; 127 if PROGRAM\n"
                             "does not exist; 126 if PROGRAM cannot be executed; 125 if roast-run fails first.\n"
                             "roast-report shows kept runs again. See also roast-run(1).\n";

static void
print_names (RoastRegistry *registry, RoastRole role, const char *heading)
{
  g_auto (GStrv) names = roast_registry_dup_names (registry, role);
  g_autofree char *list = g_strjoinv (", ", names);

  g_print ("%s: %s\n", heading, list);
}

void
run_help_print (RoastRegistry *registry)
{
  g_print ("%s\n", usage);
  print_names (registry, ROAST_ROLE_BACKEND, "Backends");
  print_names (registry, ROAST_ROLE_EXPORTER, "Exporters");
  g_print ("%s", ending);
}
