/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-supervisor-stream-private.h"
#include "roast/roast-launch-context.h"

/* A supervisor, and the library's end of the socket pair with it: reads frames and sends orders. */
typedef struct _RoastSupervisorConnection RoastSupervisorConnection;

/* The last frame came, or (with an error) the supervisor is lost. If it ends then, it has ended and is reaped: its CPU
 * time and that of what it reaped is in the accounts of this process. */
typedef void (*RoastSupervisorClosedFunc) (const GError *error, gpointer user_data);

/* Starts the supervisor for a launch (pid <= 0) or an attach. The functions are called in the thread-default main
 * context of the caller, and the owner, their user data, is kept alive until the connection is closed. */
RoastSupervisorConnection *roast_supervisor_connection_open (RoastLaunchContext *context, int pid,
                                                             RoastSupervisorFrameFunc on_frame,
                                                             RoastSupervisorClosedFunc on_closed, GObject *owner,
                                                             GError **error);
void roast_supervisor_connection_free (RoastSupervisorConnection *self);
/* The supervisor stays after its last frame, as the parent of a program that still runs. */
void roast_supervisor_connection_set_stays (RoastSupervisorConnection *self);
/* Sends an order; FALSE if the supervisor does not take it. */
gboolean roast_supervisor_connection_send (RoastSupervisorConnection *self, guint32 type, gconstpointer payload,
                                           guint32 length);
