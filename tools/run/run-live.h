/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "run-options.h"

/* Processes that read the run file and show the run in progress: roast-report with the live exporters, and roast-top.
 * If one of them fails, the measurement continues. */
typedef struct _RunLive RunLive;

/* Starts the processes. Call this function after the session has started. @path: path of the run file; NULL if there is
 * none */
RunLive *run_live_start (const RunOptions *options, const char *path);
/* Stops the processes and waits until they have ended. Call this function before the run file is closed. @self may be
 * NULL. */
void run_live_stop (RunLive *self);
