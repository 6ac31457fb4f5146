/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CONNECTION_H
#define CONNECTION_H

#include "json-text.h"
#include "roast-client/roast-client.h"

#define MAX_LINE 65536

/* The connection of this process to the run's socket: opened when there is something to send, once per process. */

bool connection_is_wanted (void);

/* Between these the caller has the connection for itself, and no other thread forks. */
void connection_lock (void);
void connection_unlock (void);

/* With the lock. @line: to be sent, without its line feed. @declaration (optional) is sent before, if @table is not
 * declared like that on this connection yet. */
RoastClientResult connection_send (const char *table, const Text *declaration, const Text *line);
/* Counts a line that cannot be sent; the report says how many. */
void connection_count_dropped (void);

/* Without the lock. */
RoastClientResult connection_flush (int timeout);

#endif
