/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The keeper is the process that the user started. Its only child, the session, loads plugins, measures and reports.
 * The keeper does nothing but wait, so it can forward signals and end as the program ended, whatever happens to the
 * session. Plain C, without the library. */

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Forks the session. Call it before any thread exists. Returns in the session; the keeper never returns. If memory or
 * processes run short, continues without a keeper. */
void keeper_start (void);

/* In the session: returns whether a keeper forwards signals. Async-signal-safe. */
bool keeper_is_there (void);
/* In the session: returns whether a signal came from the keeper, or no keeper can forward it. Async-signal-safe. */
bool keeper_passes (pid_t sender);
/* In the session: returns the descriptor for the supervisor, which inherits it from now on; -1: none. */
int keeper_open_status (void);
#define KEEPER_CALL_SIZE 96
#define KEEPER_SLOT_SIZE (KEEPER_CALL_SIZE + 16) /* “SLOT() of plugin PLUGIN” */
/* The signal with which the keeper asks the session, before killing it, which plugin's code it runs. */
#define KEEPER_QUESTION (SIGRTMIN + 1)
/* In the session: returns the memory for the running plugin and slot, for roast_plugin_watch_calls(); NULL: no keeper
 * exists. */
char *keeper_get_call (void);
/* In the session: sets time limits in seconds. @seconds limits the start of a program (if @launches) and the work after
 * the end of the program. @patience limits a slot of a plugin that only waits after the end of the program. */
void keeper_set_deadline (double seconds, double patience, bool launches);
/* In the session: notes that the program runs. */
void keeper_note_start (void);
/* In the session: sets a command that makes the report if the session cannot, as a vector that ends with NULL. The
 * keeper runs it with the standard output and error of roast-run. It adds --remark=TEXT, --wait-status=N, and, if code
 * of a plugin was active, --without=PLUGIN. Returns false if the command is too long. */
bool keeper_set_report_command (const char *const *command);
/* In the session: makes the keeper close the program's descriptors, except standard error and @kept, which the report
 * command needs. */
void keeper_release_descriptors (const int *kept, size_t n);
/* In the session: returns to the directory in which roast-run was started, which plugin code may have left. */
void keeper_return_to_directory (void);
/* In the session: notes that it is attached, so that there is a report even without a program. */
void keeper_set_attached (void);
/* In the session: sets the run file. If the session dies, the keeper prints where the file is, or removes it. NULL: the
 * session has done this itself. */
void keeper_set_file (const char *path, const char *note, bool is_scratch);
/* In the session: notes that a signal stopped the program. The keeper stops too, so that a process that waits for
 * roast-run sees it. */
void keeper_note_stop (int signum);
/* In the session: notes that the program runs again or has ended. Returns whether to tell the keeper again with
 * keeper_continue_again(), because it may have been about to stop. */
bool keeper_note_continue (void);
bool keeper_continue_again (void);
/* In a signal handler of the session: counts a SIGCONT from @sender. */
void keeper_count_continue (pid_t sender);
/* In the session: notes that the work is finished, and that roast-run ends with this wait status. If the status is
 * unknown because the supervisor was lost, the keeper waits for the program itself. Returns whether a keeper exists to
 * do so. Async-signal-safe. */
bool keeper_finish (int wait_status, bool known);
/* In the session: ends it without reports, which the keeper makes instead. roast-run ends with this wait status, if it
 * is known. */
_Noreturn void keeper_leave (int wait_status, bool known);
/* In the session: returns whether keeper_finish() was called. Async-signal-safe. */
bool keeper_has_finished (void);
