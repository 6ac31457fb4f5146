/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-run-connection.h"

/* @fd stays the socket's; @reader reads the lines of this connection. */
RoastRunConnection *roast_run_connection_new (int fd, gint64 pid, const char *program, RoastWireReader *reader);
/* The reader has read a line. */
void roast_run_connection_receive (RoastRunConnection *self);
/* Before the descriptor is closed. */
void roast_run_connection_close (RoastRunConnection *self);
