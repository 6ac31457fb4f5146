/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "run-options.h"

G_BEGIN_DECLS

/* What roast-run says about the run file at its end. */

/* Whether a line on standard error disturbs nobody: not if the user wants none, or a report for machines goes there. */
gboolean run_note_is_welcome (const RunOptions *options);
/* Where a run is, and how to see it again. @runs is NULL for a file that the user named; @problem says how it is
 * incomplete, or where it is not, or is NULL. */
char *run_note_make (RoastRuns *runs, const char *path, const char *problem);

G_END_DECLS
