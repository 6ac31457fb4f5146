/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The keeper is the process that the user started. Its only child, the session, loads plugins, measures and reports.
 * The keeper does nothing but wait: so it can forward signals and end as the program ended, whatever happens to the
 * session. Plain C, without the library. */

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Forks, before any thread exists. Returns in the session; the keeper never returns. Without memory or processes for a
 * keeper there is none, and all goes on without. */
void keeper_start (void);

/* In the session: whether there is a keeper, which forwards signals. Async-signal-safe. */
bool keeper_is_there (void);
/* In the session: whether a signal came from the keeper, or there is none to forward it. Async-signal-safe. */
bool keeper_passes (pid_t sender);
/* In the session: the descriptor for the supervisor, which inherits it from now on; -1: none. */
int keeper_open_status (void);
#define KEEPER_CALL_SIZE 96
/* The signal with which the keeper asks, before it kills the session, which plugin's code it runs. */
#define KEEPER_QUESTION (SIGRTMIN + 1)
/* In the session: where to keep the plugin and the slot that run, for roast_plugin_watch_calls (); NULL: there is no
 * keeper. */
char *keeper_get_call (void);
/* In the session: seconds in which it has to start a program if it launches one, and seconds after the end of the
 * program in which it has to finish; and seconds after which it is ended in a slot of a plugin that only waits then. */
void keeper_set_deadline (double seconds, double patience, bool launches);
/* In the session: the program runs. */
void keeper_note_start (void);
/* In the session: a command that makes the report if the session cannot, as a vector that ends with NULL. The keeper
 * runs it with standard output and error of roast-run, and adds --remark=TEXT, --wait-status=N, and --without=PLUGIN if
 * code of a plugin was active. FALSE if it is too long. */
bool keeper_set_report_command (const char *const *command);
/* In the session: the keeper closes the descriptors of the program, except standard error and those that the command
 * needs. */
void keeper_release_descriptors (const int *kept, size_t n);
/* In the session: back to the directory in which roast-run was started, which code of a plugin may have left. */
void keeper_return_to_directory (void);
/* In the session: it is attached to what it measures: there is a report without a program, too. */
void keeper_set_attached (void);
/* In the session: the file in which the run is kept, so that the keeper says where it is, or removes it, should the
 * session not do so; NULL: it has done so. */
void keeper_set_file (const char *path, const char *note, bool is_scratch);
/* In the session: a signal stopped the program. The keeper stops, too: so who waits for roast-run sees it. */
void keeper_note_stop (int signum);
/* In the session: the program runs again, or has ended. Returns whether the keeper is to be told again, by the next
 * function, since it may have been about to stop. */
bool keeper_note_continue (void);
bool keeper_continue_again (void);
/* In a signal handler of the session: @sender sent it SIGCONT. */
void keeper_count_continue (pid_t sender);
/* In the session: it has done its work, and roast-run ends with this wait status. If it is unknown because the
 * supervisor was lost, the keeper waits for the program itself. Async-signal-safe. Returns whether there is a keeper
 * that will do so. */
bool keeper_finish (int wait_status, bool known);
/* In the session: ends it without its reports, which the keeper makes; roast-run ends with this wait status, if it is
 * known. */
_Noreturn void keeper_leave (int wait_status, bool known);
/* In the session: whether it has said so. Async-signal-safe. */
bool keeper_has_finished (void);
