/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "run-options.h"

G_BEGIN_DECLS

/* Processes that read the run file and show the run in progress: roast-report with the live exporters, and roast-top.
 * If they fail, the measurement continues. */
typedef struct _RunLive RunLive;

/* Starts the processes. Call it once the session has started. @path is the run file, or NULL if there is none. */
RunLive *run_live_start (const RunOptions *options, const char *path);
/* Stops the processes and waits for their end. Call it before the file is closed. Accepts NULL. */
void run_live_stop (RunLive *self);

G_END_DECLS
