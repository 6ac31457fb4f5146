/* SPDX-License-Identifier: BSD-3-Clause */

/* roast-report makes reports and tables of runs that roast-run kept, and runs queries on them. It uses only the public
 * API of the library, so an application could do the same. */

#include <stdlib.h>

#include "export-option.h"
#include "report.h"
#include "tool.h"

static const char usage[] = "Usage: roast-report [OPTION…] [RUN]             report of a run\n"
                            "       roast-report list [KEY=VALUE…]           list runs with a tag or property\n"
                            "       roast-report show [RUN]                  command, host, state and tables\n"
                            "       roast-report remove RUN…                 remove runs permanently\n"
                            "       roast-report query [\"SELECT …\"] [RUN]    run SQL, or list the tables\n"
                            "       roast-report whatif [RUN]                time with other slots or tasks\n"
                            "       roast-report export --format=FORMAT [RUN]  write a run for another tool\n"
                            "       roast-report import [--save=FILE] INPUT  read a run of another tool\n"
                            "\n"
                            "RUN is “last” (the default), “last~1” for the run before, the first characters\n"
                            "of an ID, or a file.\n"
                            "\n"
                            "Options:\n"
                            "  -e, --export=NAME[:FILE][,OPTION=VALUE…]  format of the report, repeatable\n"
                            "                        (default: table). Without FILE, or “-”: standard output\n"
                            "      --metric=NAME=FORMULA  add a metric, repeatable (docs/formulas.md)\n"
                            "  -f, --format=FORMAT   of list, show, query, whatif: table, csv, json; of\n"
                            "                        export and import: stream, prmon-text, prmon-json,\n"
                            "                        roastcoffea\n"
                            "      --sort=KEY        list: by a column, tag or key; -KEY: descending\n"
                            "      --slots=N,N…      whatif: also for these numbers of slots, in cores\n"
                            "      --save=FILE       import, export: the file to write\n"
                            "      --raw[=TABLES]    export: arrays for programs; all, none, or A+B+…\n"
                            "      --stream          the same as --format=stream\n"
                            "      --follow          write only while the run goes on (openmetrics)\n"
                            "      --without=PLUGIN  leave out the aggregators of a plugin, repeatable\n"
                            "      --fallback=NAME[:FILE]  format if --without leaves out all of -e\n"
                            "      --remark=TEXT     remark to add to the report, repeatable\n"
                            "      --wait-status=N   wait status of the program, if the run lacks it\n"
                            "      --color=WHEN      colours in tables: auto, always, never\n"
                            "  -h, --help, --version  show this help, or the version\n"
                            "\n"
                            "Example:\n"
                            "  roast-report -e json:run.json -e csv:out last~1\n"
                            "\n"
                            "Runs are in $XDG_STATE_HOME/roast/runs, or in the directory ROAST_RUNS.\n"
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
