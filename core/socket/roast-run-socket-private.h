/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-launch-context.h"
#include "roast/roast-recording.h"

/* The run's socket: programs under roast report here what they processed. See docs/protocol.md.
 *
 * Signal "connected" (name of a backend, RoastRunConnection): a connection whose greeting names a backend. A handler
 * returns TRUE if that backend takes it; else the connection is closed. */

#define ROAST_TYPE_RUN_SOCKET (roast_run_socket_get_type ())

G_DECLARE_FINAL_TYPE (RoastRunSocket, roast_run_socket, ROAST, RUN_SOCKET, GObject)

/* Makes the private directory and listens, in the thread-default main context of the caller. */
RoastRunSocket *roast_run_socket_new (RoastRecording *recording, const char *run_id, GError **error);
const char *roast_run_socket_get_path (RoastRunSocket *self);
/* Adds ROAST_SOCKET, ROAST_RUN_ID and ROAST_TOKEN to the environment of what will be launched. */
void roast_run_socket_export (RoastRunSocket *self, RoastLaunchContext *context);
/* Reads what has arrived and not been read yet: never waits. */
void roast_run_socket_drain (RoastRunSocket *self);
/* The same; then closes, removes the directory. */
void roast_run_socket_close (RoastRunSocket *self);
