/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-run-connection.h"

/* Creates a connection. @fd still belongs to the run's socket. @reader reads the lines of this connection. */
RoastRunConnection *roast_run_connection_new (int fd, gint64 pid, RoastWireReader *reader);
/* Emits “received” after the reader has read a line. */
void roast_run_connection_receive (RoastRunConnection *self);
/* Emits “closed”. The run's socket calls this function before closing the descriptor. */
void roast_run_connection_close (RoastRunConnection *self);
