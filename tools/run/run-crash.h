/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Records which plugin's code ended the session. Whatever ends the session, the page that it shares with the keeper
 * must name this plugin, even if its code ran outside of slots. */

/* Starts to watch fatal signals, exit() and KEEPER_QUESTION. */
void run_crash_watch (void);
/* Loads the code that the handlers need, so that a handler does not allocate memory. Short runs skip this step, because
 * it takes time. */
void run_crash_prepare (void);

G_END_DECLS
