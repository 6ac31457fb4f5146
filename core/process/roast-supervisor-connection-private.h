/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-supervisor-stream-private.h"
#include "roast/roast-launch-context.h"

/* A running supervisor, and the library's end of the socket pair that connects the library with the supervisor. Reads
 * frames and sends orders. */
typedef struct _RoastSupervisorConnection RoastSupervisorConnection;

/* Called after the last frame, or with an error if the supervisor was lost. Unless the supervisor stays, it has been
 * reaped before this call, so that RUSAGE_CHILDREN of this process includes the CPU time of the supervisor and of the
 * processes that the supervisor reaped. */
typedef void (*RoastSupervisorClosedFunc) (const GError *error, gpointer user_data);

/* Starts the supervisor, for a launch if @pid is not positive, otherwise for an attach. The callbacks run in the
 * caller's thread-default main context with @owner as their user data. The connection keeps @owner alive until it is
 * closed. */
RoastSupervisorConnection *roast_supervisor_connection_open (RoastLaunchContext *context, int pid,
                                                             RoastSupervisorFrameFunc on_frame,
                                                             RoastSupervisorClosedFunc on_closed, GObject *owner,
                                                             GError **error);
void roast_supervisor_connection_free (RoastSupervisorConnection *self);
/* Records that the supervisor stays after its last frame, as the parent of a program that still runs. */
void roast_supervisor_connection_set_stays (RoastSupervisorConnection *self);
/* Sends an order. Returns FALSE if the order could not be sent. */
gboolean roast_supervisor_connection_send (RoastSupervisorConnection *self, guint32 type, gconstpointer payload,
                                           guint32 length);
