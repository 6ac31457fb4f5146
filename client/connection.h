/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CONNECTION_H
#define CONNECTION_H

#include "json-text.h"
#include "roast-client/roast-client.h"

#define MAX_LINE 65536

/* The connection of this process to the run's socket. Each process has one connection, which is opened when there is
 * something to send. */

bool connection_is_wanted (void);

/* Take and release the lock. The thread that holds it is the only one that uses the connection, and no other thread
 * forks. */
void connection_lock (void);
void connection_unlock (void);

/* Sends @line, which has no line feed. @declaration (optional) is sent first, unless it was already sent for @table on
 * this connection. The caller must hold the lock. */
RoastClientResult connection_send (const char *table, const Text *declaration, const Text *line);
/* Counts a line that cannot be sent. The report of the run shows how many there were. */
void connection_count_dropped (void);

/* Sends all lines that wait, for at most @timeout milliseconds. The caller must not hold the lock. */
RoastClientResult connection_flush (int timeout);

#endif
