/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "run-options.h"

G_BEGIN_DECLS

/* Processes that show the run while it goes on, from its file: roast-report with the exporters that are live, and
 * roast-top. What they do cannot harm the measurement. */
typedef struct _RunLive RunLive;

/* Once the session has started. @path: of the file of the run, or NULL if there is none. */
RunLive *run_live_start (const RunOptions *options, const char *path);
/* Waits until they have ended. Before the file is closed. Accepts NULL. */
void run_live_stop (RunLive *self);

G_END_DECLS
