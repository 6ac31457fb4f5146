/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-run-connection.h"

G_BEGIN_DECLS

/* @fd stays the socket's. */
RoastRunConnection *roast_run_connection_new (int fd, gint64 pid, const char *program);
void roast_run_connection_receive (RoastRunConnection *self, const char *line, gsize length);
/* Before the descriptor is closed. */
void roast_run_connection_close (RoastRunConnection *self);

G_END_DECLS
