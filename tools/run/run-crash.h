/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* In the session: whatever ends it, the page shared with the keeper must name the plugin whose code caused the end,
 * even outside of slots. */

/* Starts to watch fatal signals, exit() and the keeper's question. */
void run_crash_watch (void);
/* Loads code that the handlers need, so that they need not allocate memory. Short runs skip this, because it takes
 * time. */
void run_crash_prepare (void);

G_END_DECLS
