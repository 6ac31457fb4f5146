/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-launch-context.h"
#include "roast/roast-recording.h"

/* The run's socket. Programs under roast connect to this socket and report what they processed: see docs/protocol.md.
 *
 * The signal "connected" (name of a backend, RoastRunConnection) is emitted when the greeting of a connection names a
 * backend. A handler returns TRUE if that backend accepts the connection; otherwise the connection is closed. */

#define ROAST_TYPE_RUN_SOCKET (roast_run_socket_get_type ())

G_DECLARE_FINAL_TYPE (RoastRunSocket, roast_run_socket, ROAST, RUN_SOCKET, GObject)

/* Creates the socket in a new private directory, and listens in the caller's thread-default main context. */
RoastRunSocket *roast_run_socket_new (RoastRecording *recording, const char *run_id, GError **error);
const char *roast_run_socket_get_path (RoastRunSocket *self);
/* Adds ROAST_SOCKET, ROAST_RUN_ID and ROAST_TOKEN to the program's environment. */
void roast_run_socket_export (RoastRunSocket *self, RoastLaunchContext *context);
/* Reads all pending data. Never waits. */
void roast_run_socket_drain (RoastRunSocket *self);
/* Reads all pending data, then closes the socket and removes the directory. */
void roast_run_socket_close (RoastRunSocket *self);
