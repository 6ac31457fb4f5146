/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

typedef struct
{
  char **runs, **reference; /* names of runs; or, with trials, commands */
  gboolean scaling;         /* without a reference */
  int trials;               /* 0: none, the runs are there already */
  char *directory;          /* where runs of trials are kept; NULL: they are not */
  GPtrArray *exports;       /* of ExportOption */
  char *color;
  gboolean help, version;
} CompareOptions;

CompareOptions *compare_options_parse (int argc, char **argv, GError **error);
void compare_options_free (CompareOptions *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CompareOptions, compare_options_free)

/* Opens runs by name: as roast-report takes them, a directory of run files, or KEY=VALUE for all kept runs with that
 * tag or property. */
GPtrArray *compare_runs_open (char **names, GError **error);

/* Runs both commands in turns under roast-run. Sets the paths of the run files. */
gboolean compare_trials_run (const CompareOptions *options, const char *directory, GPtrArray *runs,
                             GPtrArray *reference, GError **error);

G_END_DECLS
