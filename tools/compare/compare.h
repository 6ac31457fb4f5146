/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

typedef struct
{
  char **runs, **reference; /* names of runs; commands if trials > 0 */
  gboolean scaling;         /* compare the runs with each other by number of slots, without a reference */
  int trials;               /* number of runs per command; -1 if @runs are names of existing runs */
  char *directory;          /* directory for the files of the new runs; NULL: do not keep them */
  GPtrArray *exports;       /* elements are ExportOption */
  char *color;
  gboolean help, version;
} CompareOptions;

CompareOptions *compare_options_parse (int argc, char **argv, GError **error);
void compare_options_free (CompareOptions *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CompareOptions, compare_options_free)

/* Opens runs by name. A name is the name of a run as in roast-report, or a directory of run files. With KEY=VALUE,
 * opens all kept runs that have this tag or property. */
GPtrArray *compare_runs_open (char **names, GError **error);

/* Attaches to each of the two runs the elapsed times of other kept runs with the same command as this run. */
void compare_kept_attach (RoastRecording *run, RoastRecording *reference);

/* Runs both commands alternately under roast-run. Adds the paths of the run files to @runs and @reference. */
gboolean compare_trials_run (const CompareOptions *options, const char *directory, GPtrArray *runs,
                             GPtrArray *reference, GError **error);
/* Returns the signal that interrupted the runs; 0 if none did. */
int compare_trials_get_signal (void);
