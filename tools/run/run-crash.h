/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Records which plugin's code ended the session. However the session ends, the page that it shares with the keeper must
 * name this plugin, even if its code did not run in a slot. */

/* Starts to watch fatal signals, exit() and KEEPER_QUESTION. */
void run_crash_watch (void);
/* Loads the code that the handlers need, because a handler must not allocate memory. Short runs skip this step, because
 * it takes time. */
void run_crash_prepare (void);
