/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-run-connection.h"

/* Creates a connection. @fd remains owned by the run's socket; @reader reads the lines of this connection. */
RoastRunConnection *roast_run_connection_new (int fd, gint64 pid, RoastWireReader *reader);
/* Emits “received” after the reader has read a line. */
void roast_run_connection_receive (RoastRunConnection *self);
/* Emits “closed”. Called before the descriptor is closed. */
void roast_run_connection_close (RoastRunConnection *self);
