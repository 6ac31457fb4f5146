/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Shows how much of the logs the session has read so far. Shows nothing if standard error is not a terminal, or if
 * reading takes less than a second. */
void run_progress_show (RoastSession *session);
