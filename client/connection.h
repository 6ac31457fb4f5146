/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CONNECTION_H
#define CONNECTION_H

#include "json-text.h"
#include "roast-client/roast-client.h"

#define MAX_LINE 65536

/* The connection of this process to the run's socket. It is opened once per process, when there is something to
 * send. */

bool connection_is_wanted (void);

/* While the caller holds the lock, it has exclusive use of the connection, and no other thread forks. */
void connection_lock (void);
void connection_unlock (void);

/* Sends @line, which has no line feed. Sends @declaration (optional) first if @table has not been declared like that on
 * this connection. The caller must hold the lock. */
RoastClientResult connection_send (const char *table, const Text *declaration, const Text *line);
/* Counts a line that cannot be sent. The report shows the count. */
void connection_count_dropped (void);

/* The caller must not hold the lock. */
RoastClientResult connection_flush (int timeout);

#endif
