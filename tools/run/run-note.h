/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "run-options.h"

G_BEGIN_DECLS

/* The message that roast-run prints about the run file at its end. */

/* Returns whether a line on standard error is acceptable. It is not if the user wants none, or if a machine-readable
 * report goes there. */
gboolean run_note_is_welcome (const RunOptions *options);
/* Returns text that says where a run is and how to show it again. @runs is NULL for a file that the user named.
 * @problem says in what way it is incomplete or why it is in another place; NULL if neither. */
char *run_note_make (RoastRuns *runs, const char *path, const char *problem);

G_END_DECLS
