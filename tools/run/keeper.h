/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The keeper is the process that the user started. Its only child, the session, loads plugins, measures and reports.
 * The keeper does nothing but wait. So it can forward signals and end with the program's wait status even if the
 * session dies. Plain C, without the library. */

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Forks the session. Call it before any thread exists. Returns in the session; the keeper never returns. If memory or
 * the number of processes is exhausted, continues without a keeper. */
void keeper_start (void);

/* In the session: returns whether a keeper forwards signals. Async-signal-safe. */
bool keeper_is_there (void);
/* In the session: returns whether the keeper sent a signal, or no keeper exists that could forward it.
 * Async-signal-safe. */
bool keeper_passes (pid_t sender);
/* In the session: returns the socket to the keeper, and lets the supervisor inherit it; -1: no keeper exists. */
int keeper_open_status (void);
#define KEEPER_CALL_SIZE 96
#define KEEPER_SLOT_SIZE (KEEPER_CALL_SIZE + 16) /* bytes; room for “SLOT() of plugin PLUGIN” */
/* The signal that the keeper sends before it kills the session. The session answers with the plugin whose code it
 * runs. */
#define KEEPER_QUESTION (SIGRTMIN + 1)
/* In the session: returns the memory in which roast_plugin_watch_calls() stores the active plugin and slot; NULL: no
 * keeper exists. */
char *keeper_get_call (void);
/* In the session: sets time limits in seconds. @seconds limits the start of a program (if @launches is true) and the
 * work after the end of the program. @patience limits how long a plugin may wait in a slot after the end of the
 * program. */
void keeper_set_deadline (double seconds, double patience, bool launches);
/* In the session: notes that the program runs. */
void keeper_note_start (void);
/* In the session: sets the command that makes the report if the session dies. @command is a vector that ends with NULL.
 * The keeper runs the command with the standard output and error of roast-run. The keeper adds the arguments
 * --remark=TEXT, --wait-status=N, and, if code of a plugin was active, --without=PLUGIN. Returns false if the command
 * is too long. */
bool keeper_set_report_command (const char *const *command);
/* In the session: makes the keeper close the descriptors that it shares with the program. It keeps standard error and
 * the descriptors in @kept, which the report command needs. */
void keeper_release_descriptors (const int *kept, size_t n);
/* In the session: returns to the directory in which roast-run was started. Plugin code may have changed the
 * directory. */
void keeper_return_to_directory (void);
/* In the session: notes that the session has attached to a process. The keeper then makes a report although roast-run
 * started no program. */
void keeper_set_attached (void);
/* In the session: sets the run file. If the session dies, the keeper prints where the file is, or removes the file.
 * @path is NULL if the session has already announced or removed the file. */
void keeper_set_file (const char *path, const char *note, bool is_scratch);
/* In the session: notes that a signal stopped the program. The keeper then stops too, so that the parent of roast-run
 * sees the stop. */
void keeper_note_stop (int signum);
/* In the session: notes that the program runs again or has ended. Returns whether the keeper may still be about to
 * stop. If so, call keeper_continue_again() later. */
bool keeper_note_continue (void);
bool keeper_continue_again (void);
/* In a signal handler of the session: counts a SIGCONT from @sender. */
void keeper_count_continue (pid_t sender);
/* In the session: notes that the work is finished, and that roast-run ends with this wait status. If the status is
 * unknown because the supervisor was lost, the keeper itself waits for the program. Returns whether a keeper exists.
 * Async-signal-safe. */
bool keeper_finish (int wait_status, bool known);
/* In the session: ends the session without reports; the keeper makes them instead. roast-run ends with this wait status
 * if the status is known. */
_Noreturn void keeper_leave (int wait_status, bool known);
/* In the session: returns whether keeper_finish() was called. Async-signal-safe. */
bool keeper_has_finished (void);
