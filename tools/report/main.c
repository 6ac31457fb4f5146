/* SPDX-License-Identifier: BSD-3-Clause */

/* roast-report: reports, tables and queries of runs that roast-run kept. It uses only the library's public API, so that
 * an application can do the same. */

#include <locale.h>
#include <signal.h>
#include <stdlib.h>

#include "export-option.h"
#include "report.h"

static const char usage[] =
    "Usage: roast-report [OPTION…] [RUN]               report of a run, as roast-run writes it\n"
    "       roast-report list                          runs that are there\n"
    "       roast-report show [RUN]                    command, host, state and tables of a run\n"
    "       roast-report remove RUN…                   remove runs for good\n"
    "       roast-report query \"SELECT …\" [RUN]        SQL on the tables of a run and of its report\n"
    "       roast-report export --stream [RUN]         all of a run as JSON lines\n"
    "       roast-report import [--save=FILE] STREAM   make a run of such lines (“-”: standard input)\n"
    "\n"
    "RUN is “last” (the default), “last~1” for the one before, the first characters of an ID, or a file.\n"
    "\n"
    "Options:\n"
    "  -e, --export=NAME[:FILE][,OPTION=VALUE…]\n"
    "                           format of the report and where to write it; may be repeated (default: table).\n"
    "                           Without FILE, and with “-”: standard output\n"
    "      --without=PLUGIN     make the report without the aggregators of a plugin; may be repeated\n"
    "  -f, --format=FORMAT      of list, show and query: table (default), csv, json\n"
    "      --stream             with export: JSON lines, which import reads again without loss\n"
    "      --save=FILE          with import: the file to write (default: a new one among the other runs)\n"
    "      --color=WHEN         colours in tables: auto, always, never\n"
    "  -h, --help               show this help\n"
    "      --version            show the version\n"
    "\n"
    "Examples:\n"
    "  roast-report                                    the last run again\n"
    "  roast-report -e json:run.json -e csv:out last~1\n"
    "  roast-report query \"SELECT command, sum (cpu_user) FROM processes GROUP BY 1 ORDER BY 2 DESC\"\n"
    "  roast-report export --stream a1b2 | ssh host roast-report import -\n"
    "\n"
    "Runs are in $XDG_STATE_HOME/roast/runs, or where ROAST_RUNS says. “roast-inspect --tables” lists tables and "
    "columns.\n"
    "Exit status: 0, or 1 if something failed. See also roast-report(1).\n";

static gboolean (*const commands[]) (ReportOptions *options, GError **error) = {
  [REPORT_COMMAND_REPORT] = report_make,   [REPORT_COMMAND_LIST] = report_list,
  [REPORT_COMMAND_SHOW] = report_show,     [REPORT_COMMAND_REMOVE] = report_remove,
  [REPORT_COMMAND_QUERY] = report_query,   [REPORT_COMMAND_EXPORT] = report_export,
  [REPORT_COMMAND_IMPORT] = report_import,
};

int
main (int argc, char **argv)
{
  g_autoptr (ReportOptions) options = NULL;
  g_autoptr (GError) error = NULL;

  export_option_hold_streams ();
  setlocale (LC_ALL, "");
  options = report_options_parse (argc, argv, &error);
  if (options == NULL)
    {
      g_printerr ("roast-report: %s\nTry “roast-report --help”.\n", error->message);
      return EXIT_FAILURE;
    }
  if (options->version || options->help)
    {
      if (options->version)
        g_print ("roast-report %s\n", ROAST_VERSION_S);
      else
        g_print ("%s", usage);
      return EXIT_SUCCESS;
    }
  if (commands[options->command](options, &error))
    return EXIT_SUCCESS;
  g_printerr ("roast-report: %s\n", error->message);

  return EXIT_FAILURE;
}
