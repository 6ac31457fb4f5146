/* SPDX-License-Identifier: BSD-3-Clause */

/* roast-compare reports whether runs differ from a reference, what causes the difference, and in which other ways they
 * differ. It uses only the public API of the library, so an application could do the same. */

#include <glib/gstdio.h>
#include <signal.h>
#include <unistd.h>

#include "compare.h"
#include "export-option.h"
#include "tool.h"

enum
{
  STATUS_NO_LOSS,
  STATUS_WORSE,
  STATUS_CANNOT_TELL,
  STATUS_FAILURE = 125,
};

static const char usage[] = "Usage: roast-compare [OPTION…] RUN… --against RUN…\n"
                            "       roast-compare [OPTION…] --runs=N -- COMMAND… --against COMMAND…\n"
                            "       roast-compare [OPTION…] --scaling RUN…\n"
                            "\n"
                            "Compares runs with reference runs (--against): whether the run times differ,\n"
                            "why, and what else differs. With --runs, roast-compare measures both commands N\n"
                            "times, alternately. With --scaling, roast-compare shows how much faster runs are\n"
                            "on more slots.\n"
                            "\n"
                            "RUN is what roast-report takes (“last”, “last~1”, the first characters of an\n"
                            "ID, a file), a directory of run files, or KEY=VALUE for all kept runs with that\n"
                            "tag or property, with * and ? in VALUE.\n"
                            "\n"
                            "Options:\n"
                            "  -n, --runs=N          measure each command N times\n"
                            "      --keep=DIRECTORY  with --runs: keep the runs in DIRECTORY\n"
                            "      --scaling         show how run time depends on the number of slots\n"
                            "  -e, --export=NAME[:FILE][,OPTION=VALUE…]  format of the comparison,\n"
                            "                        repeatable (default: table)\n"
                            "      --color=WHEN      colours in tables: auto, always, never\n"
                            "  -h, --help            show this help\n"
                            "      --version         show the version\n"
                            "\n"
                            "Examples:\n"
                            "  roast-compare branch=new --against branch=main\n"
                            "  roast-compare --runs=6 -- ./analysis -n 200 --against ./analysis -n 100\n"
                            "  roast-compare new/ --against old/ -e html:comparison.html\n"
                            "\n"
                            "A difference counts if it is 5 % or more, and if chance alone would give it in\n"
                            "less than one of 20 comparisons.\n"
                            "Exit status: 0 if the runs are not worse than the reference; 1 if the runs are\n"
                            "worse; 2 if this is unknown, or if a run failed; 125 if roast-compare failed.\n"
                            "See also roast-compare(1).\n";

static gboolean
has_failed_runs (RoastReport *report)
{
  g_autoptr (GPtrArray) findings = roast_report_list_findings (report);

  for (guint i = 0; i < findings->len; i++)
    if (g_str_equal (roast_finding_get_rule (g_ptr_array_index (findings, i)), "compare-failed"))
      return TRUE;

  return FALSE;
}

/* Returns the exit status. The runs count as worse if at least one measure is worse. “Not worse” requires a verdict
 * on the elapsed time. It also requires that all runs succeeded: a failed run may be fast only because it did less
 * work. */
static int
get_status (RoastReport *report)
{
  g_autoptr (RoastTableReader) verdicts = roast_verdicts_read (report);
  int status = STATUS_CANNOT_TELL;

  while (verdicts != NULL && roast_table_reader_next (verdicts))
    {
      const char *measure = roast_table_reader_get_string (verdicts, ROAST_VERDICTS_MEASURE);
      int verdict = roast_table_reader_get_word (verdicts, ROAST_VERDICTS_VERDICT);

      if (verdict == ROAST_VERDICT_WORSE)
        return STATUS_WORSE;
      if (g_strcmp0 (measure, "elapsed_time_seconds") == 0 && verdict != ROAST_VERDICT_UNKNOWN)
        status = STATUS_NO_LOSS;
    }

  return status == STATUS_NO_LOSS && has_failed_runs (report) ? STATUS_CANNOT_TELL : status;
}

static gboolean
add_exporters (RoastSession *session, RoastRegistry *registry, CompareOptions *options, GError **error)
{
  if (options->exports->len == 0)
    g_ptr_array_add (options->exports, export_option_parse ("table", NULL));
  for (guint i = 0; i < options->exports->len; i++)
    if (!export_option_add (g_ptr_array_index (options->exports, i), session, registry, STDOUT_FILENO, options->color,
                            error))
      return FALSE;

  return roast_session_prepare_outputs (session, error);
}

static int
main_compare (RoastSession *session, char **runs, char **reference)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) of_runs = compare_runs_open (runs, &error);
  g_autoptr (GPtrArray) of_reference =
      of_runs != NULL && reference != NULL ? compare_runs_open (reference, &error) : NULL;

  if (of_reference != NULL && of_runs->len == 1 && of_reference->len == 1)
    compare_kept_attach (of_runs->pdata[0], of_reference->pdata[0]);
  if (error != NULL || !roast_session_compare (session, of_runs, of_reference, &error) ||
      !roast_session_export (session, NULL, &error))
    return tool_fail ("roast-compare", error, FALSE, STATUS_FAILURE);

  return reference != NULL ? get_status (roast_session_get_report (session)) : STATUS_NO_LOSS;
}

/* Removes a directory and all files in it. Besides the run file, a killed run leaves other files there. */
static void
remove_directory (const char *path)
{
  g_autoptr (GDir) directory = g_dir_open (path, 0, NULL);
  const char *name = NULL;

  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      g_unlink (file);
    }
  g_rmdir (path);
}

static int
measure_and_compare (RoastSession *session, const CompareOptions *options)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) reference = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autofree char *directory =
      options->directory != NULL ? g_strdup (options->directory) : g_dir_make_tmp ("roast-compare-XXXXXX", &error);
  int status;

  if (directory == NULL)
    return tool_fail ("roast-compare", error, FALSE, STATUS_FAILURE);
  if (g_mkdir_with_parents (directory, 0700) != 0)
    {
      g_printerr ("roast-compare: cannot create the directory %s: %s\n", directory, g_strerror (errno));
      return STATUS_FAILURE;
    }
  compare_trials_run (options, directory, runs, reference, &error);
  g_ptr_array_add (runs, NULL);
  g_ptr_array_add (reference, NULL);
  status = error != NULL ? tool_fail ("roast-compare", error, FALSE, STATUS_FAILURE)
                         : main_compare (session, (char **) runs->pdata, (char **) reference->pdata);
  if (options->directory == NULL)
    remove_directory (directory);
  if (compare_trials_get_signal () != 0)
    raise (compare_trials_get_signal ());

  return status;
}

int
main (int argc, char **argv)
{
  g_autoptr (CompareOptions) options = NULL;
  g_autoptr (RoastRegistry) registry = NULL;
  g_autoptr (RoastSession) session = NULL;
  g_autoptr (GError) error = NULL;

  export_option_hold_streams ();
  tool_begin ();
  options = compare_options_parse (argc, argv, &error);
  if (options == NULL)
    return tool_fail ("roast-compare", error, TRUE, STATUS_FAILURE);
  if (tool_answer ("roast-compare", options->version, options->help, usage))
    return 0;
  registry = roast_registry_new ();
  session = roast_session_new (registry);
  if (!add_exporters (session, registry, options, &error))
    return tool_fail ("roast-compare", error, FALSE, STATUS_FAILURE);

  return options->trials > 0 ? measure_and_compare (session, options)
                             : main_compare (session, options->runs, options->scaling ? NULL : options->reference);
}
