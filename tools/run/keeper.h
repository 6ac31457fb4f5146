/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The keeper is the process that the user started. Its only child, the session, loads plugins, measures and reports.
 * The keeper does nothing but wait: so it can forward signals and end as the program ended, whatever happens to the
 * session. Plain C, without the library. */

#include <stdbool.h>
#include <sys/types.h>

/* Forks, before any thread exists. Returns in the session; the keeper never returns. Without memory or processes for a
 * keeper there is none, and all goes on without. */
void keeper_start (void);

/* In the session: whether a signal came from the keeper, or there is none to forward it. Async-signal-safe. */
bool keeper_passes (pid_t sender);
/* In the session: the descriptor for the supervisor, which inherits it from now on; -1: none. */
int keeper_open_status (void);
#define KEEPER_CALL_SIZE 96
/* In the session: where to keep the plugin and the slot that run, for roast_plugin_watch_calls (); NULL: there is no
 * keeper. */
char *keeper_get_call (void);
/* In the session: seconds after the end of the program in which it has to finish. */
void keeper_set_deadline (double seconds);
/* In the session: a command that makes the report if the session cannot, as a vector that ends with NULL. The keeper
 * runs it with standard output and error of roast-run, and with --without=PLUGIN as last argument if code of a plugin
 * was active. FALSE if it is too long. */
bool keeper_set_report_command (const char *const *command);
/* In the session: it has done its work, and roast-run ends with this wait status. If it is unknown because the
 * supervisor was lost, the keeper waits for the program itself. Async-signal-safe. Returns whether there is a keeper
 * that will do so. */
bool keeper_finish (int wait_status, bool known);
