/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-launch-context.h"

/* Starts the supervisor, for a launch if @pid is not positive, otherwise for an attach. On success, *fd is the
 * library's non-blocking end of the socket pair, which the caller must close, and *supervisor is the process to
 * reap. */
gboolean roast_supervisor_spawn (RoastLaunchContext *context, int pid, int *fd, GPid *supervisor, GError **error);

typedef void (*RoastReapedFunc) (gpointer user_data);

/* Reaps the supervisor when the supervisor ends, in the given main context, and calls @on_reaped if @on_reaped is not
 * NULL. Waits for no other process, and installs no signal handler. */
void roast_supervisor_reap (GPid supervisor, GMainContext *context, RoastReapedFunc on_reaped, gpointer user_data,
                            GDestroyNotify destroy);
