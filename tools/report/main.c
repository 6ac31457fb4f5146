/* SPDX-License-Identifier: BSD-3-Clause */

/* roast-report: makes reports, tables and queries of runs that roast-run kept. Uses only the library's public API, so
 * applications can do the same. */

#include <stdlib.h>

#include "export-option.h"
#include "report.h"
#include "tool.h"

static const char usage[] =
    "Usage: roast-report [OPTION…] [RUN]               report of a run, as roast-run writes it\n"
    "       roast-report list [KEY=VALUE…]             list kept runs, or only runs with a tag or property\n"
    "       roast-report show [RUN]                    show command, host, state and tables of a run\n"
    "       roast-report remove RUN…                   remove runs permanently\n"
    "       roast-report query [\"SELECT …\"] [RUN]      run SQL on the tables of a run and of its report;\n"
    "                                                  without a statement, list the tables\n"
    "       roast-report whatif [RUN]                  estimate the time with other slots or tasks\n"
    "       roast-report export --format=FORMAT [RUN]  write a run for another tool, or as JSON lines\n"
    "       roast-report import [--save=FILE] INPUT    make a run from a file that export or another tool wrote\n"
    "\n"
    "RUN is “last” (the default), “last~1” for the one before, the first characters of an ID, or a file.\n"
    "\n"
    "Options:\n"
    "  -e, --export=NAME[:FILE][,OPTION=VALUE…]\n"
    "                           format of the report and where to write it; may be repeated (default: table).\n"
    "                           Without FILE, and with “-”: standard output\n"
    "      --follow             write only while the run goes on, with live exporters (openmetrics)\n"
    "      --metric=NAME=FORMULA\n"
    "                           add a metric of your own; may be repeated (docs/formulas.md)\n"
    "      --without=PLUGIN     make the report without the aggregators of a plugin; may be repeated\n"
    "      --fallback=NAME[:FILE]   format to use if --without leaves out the plugins of all others\n"
    "      --remark=TEXT        remark to add to the report; may be repeated\n"
    "      --wait-status=N      how the program ended, as wait() returned it, if the run was interrupted\n"
    "  -f, --format=FORMAT      with list, show, query, whatif: table (default), csv, json\n"
    "                           with export and import: stream (JSON lines), prmon-text, prmon-json, roastcoffea\n"
    "      --stream             the same as --format=stream\n"
    "      --raw[=TABLES]       with export: tables as plain arrays, for programs; all, none, or names joined by +\n"
    "      --save=FILE          with import and export: the file to write\n"
    "      --slots=N,N…         with whatif: also compute these numbers of slots, in cores\n"
    "      --sort=KEY           with list: sort by a column, a tag or a key of show; -KEY: descending\n"
    "      --color=WHEN         colours in tables: auto, always, never\n"
    "  -h, --help               show this help\n"
    "      --version            show the version\n"
    "\n"
    "Examples:\n"
    "  roast-report -e json:run.json -e csv:out last~1\n"
    "  roast-report query \"SELECT command, sum (cpu_user) FROM processes GROUP BY 1 ORDER BY 2 DESC\"\n"
    "\n"
    "roast-run keeps runs in $XDG_STATE_HOME/roast/runs, or in the directory that ROAST_RUNS names.\n"
    "Exit status: 0, or 1 if something failed. See also roast-report(1).\n";

static gboolean (*const commands[]) (ReportOptions *options, GError **error) = {
  [REPORT_COMMAND_REPORT] = report_make,   [REPORT_COMMAND_LIST] = report_list,
  [REPORT_COMMAND_SHOW] = report_show,     [REPORT_COMMAND_REMOVE] = report_remove,
  [REPORT_COMMAND_QUERY] = report_query,   [REPORT_COMMAND_EXPORT] = report_export,
  [REPORT_COMMAND_IMPORT] = report_import, [REPORT_COMMAND_WHAT_IF] = report_what_if,
};

int
main (int argc, char **argv)
{
  g_autoptr (ReportOptions) options = NULL;
  g_autoptr (GError) error = NULL;

  export_option_hold_streams ();
  tool_begin ();
  options = report_options_parse (argc, argv, &error);
  if (options == NULL)
    return tool_fail ("roast-report", error, TRUE, EXIT_FAILURE);
  if (tool_answer ("roast-report", options->version, options->help, usage))
    return EXIT_SUCCESS;

  return commands[options->command](options, &error) ? EXIT_SUCCESS
                                                     : tool_fail ("roast-report", error, FALSE, EXIT_FAILURE);
}
