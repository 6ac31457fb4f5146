/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

typedef struct
{
  char **runs, **reference; /* names of runs, or commands if trials > 0 */
  gboolean scaling;         /* compare the runs with each other by their number of slots, without a reference */
  int trials;               /* number of runs per command; -1: @runs are existing runs */
  char *directory;          /* where to keep the files of the new runs; NULL: do not keep them */
  GPtrArray *exports;       /* of ExportOption */
  char *color;
  gboolean help, version;
} CompareOptions;

CompareOptions *compare_options_parse (int argc, char **argv, GError **error);
void compare_options_free (CompareOptions *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CompareOptions, compare_options_free)

/* Opens runs by name. A name is a run name as in roast-report, a directory of run files, or KEY=VALUE for all kept runs
 * with that tag or property. */
GPtrArray *compare_runs_open (char **names, GError **error);

/* Attaches to each of the two runs the elapsed times of other kept runs of its command. */
void compare_kept_attach (RoastRecording *run, RoastRecording *reference);

/* Runs both commands alternately under roast-run. Adds the paths of the run files to @runs and @reference. */
gboolean compare_trials_run (const CompareOptions *options, const char *directory, GPtrArray *runs,
                             GPtrArray *reference, GError **error);
/* Returns the signal that interrupted the runs, or 0. */
int compare_trials_get_signal (void);

G_END_DECLS
