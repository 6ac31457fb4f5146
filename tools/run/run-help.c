/* SPDX-License-Identifier: BSD-3-Clause */

#include "run-help.h"

/* Including the names of plugins this is 40 lines, so that it fits on a screen. roast-run(1) has the rest. */
static const char usage[] =
    "Usage: roast-run [OPTION…] [--] PROGRAM [ARGUMENT…]\n"
    "       roast-run [OPTION…] --attach=PID|ADDRESS\n"
    "\n"
    "Runs PROGRAM unchanged, measures it and all processes that it starts, and writes a report when it ends.\n"
    "\n"
    "Examples:\n"
    "  roast-run -- make -j8                           how well does the build use the cores?\n"
    "  roast-run -e table -e csv:out -- python3 a.py   a table, and a CSV file for each table in out/\n"
    "  roast-run -b auto,pss=exact -- python3 a.py     the same for its executor, with exact memory\n"
    "  roast-run --attach=4711                         measure process 4711 until it ends, or Ctrl-C\n"
    "\n"
    "Options:\n"
    "  -b, --backend=NAME[,OPTION=VALUE…]   backend that measures; may be repeated (default: auto: the\n"
    "                                       processes, and the executors that the program uses)\n"
    "  -e, --export=NAME[:FILE][,OPTION=VALUE…]\n"
    "                                       format of the report, and where to write it; may be repeated\n"
    "                                       (default: table). Without FILE: standard error; “-”: standard output\n"
    "  -a, --attach=PID|ADDRESS             measure a running process, or an executor or its logs at ADDRESS\n"
    "  -i, --interval=SECONDS               time between samples, at least 0.01 (default: 1)\n"
    "  -t, --tag=KEY=VALUE                  tag to store with the results, to find runs; may be repeated\n"
    "      --save[=FILE]                    keep the run in FILE, or with the other runs, without a size limit\n"
    "                                       (default: with the last 100 runs, up to 200 MB)\n"
    "      --no-save                        do not keep the run\n"
    "      --no-instrument                  do not inject code into the program to measure its framework\n"
    "      --deadline=SECONDS               limit for starting PROGRAM, and for the report (default: 600)\n"
    "      --control=IN,OUT                 read orders from descriptor IN and answer on OUT: see docs/raw.md\n"
    "      --color=WHEN                     colours in tables: auto, always, never\n"
    "      --top                            show roast-top on the terminal, if PROGRAM writes elsewhere\n"
    "  -q, --quiet                          no table unless requested with --export, no line about the run\n"
    "  -h, --help                           show this help\n"
    "      --version                        show the version\n";

static const char ending[] =
    "roast-inspect NAME shows the options of a plugin.\n"
    "\n"
    "Exit status: that of PROGRAM; 128 + N if signal N ended it; 127 if it does not exist; 126 if it cannot be\n"
    "executed; 125 if roast-run itself failed, which can only happen before PROGRAM is started.\n"
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
