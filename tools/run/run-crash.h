/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* In the session: whatever ends it, the page that the keeper shares is to name the plugin whose code did it, also
 * outside of slots. */

/* From now on, for fatal signals, exit () and the keeper's question. */
void run_crash_watch (void);
/* Loads what the handlers need, so that they need no memory for it: not worth its time in a short run. */
gboolean run_crash_prepare (gpointer nothing);

G_END_DECLS
