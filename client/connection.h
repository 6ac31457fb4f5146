/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CONNECTION_H
#define CONNECTION_H

#include "json-text.h"
#include "roast-client/roast-client.h"

#define MAX_LINE 65536

/* The connection of this process to the run's socket. Each process has one connection, which is opened when there is a
 * line to send. */

bool connection_is_wanted (void);

/* Take and release the lock. While a thread holds the lock, no other thread uses the connection or forks. */
void connection_lock (void);
void connection_unlock (void);

/* Sends @line, which has no line feed. @declaration (optional) is sent first, unless it was already sent for @table on
 * this connection. The caller must hold the lock. */
RoastClientResult connection_send (const char *table, const Text *declaration, const Text *line);
/* Counts a line that cannot be sent. The report of the run shows the number of these lines. */
void connection_count_dropped (void);

/* Sends all lines that wait, for at most @timeout milliseconds. The caller must not hold the lock. */
RoastClientResult connection_flush (int timeout);

#endif
