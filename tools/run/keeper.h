/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The keeper is the process that the user started. Its only child process, the session, loads plugins, measures and
 * reports. The keeper only waits. So it can still forward signals, and end with the program's wait status, if the
 * session dies. Plain C, without the library. */

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Forks the session. Call this function before any thread exists. It returns only in the session, never in the keeper.
 * If there is not enough memory, or if no more processes are allowed, it returns without a keeper. */
void keeper_start (void);

/* In the session: returns whether there is a keeper, which forwards signals. Async-signal-safe. */
bool keeper_is_there (void);
/* In the session: returns whether the session must forward a signal from @sender: the keeper sent the signal, or there
 * is no keeper. Async-signal-safe. */
bool keeper_passes (pid_t sender);
/* In the session: returns the socket to the keeper, and makes the supervisor inherit it. Returns -1 if there is no
 * keeper. */
int keeper_open_status (void);
#define KEEPER_CALL_SIZE 96
#define KEEPER_SLOT_SIZE (KEEPER_CALL_SIZE + 16) /* bytes; enough for “SLOT() of plugin PLUGIN” */
/* The signal that the keeper sends before it kills the session. The session answers by storing the plugin whose code is
 * running. */
#define KEEPER_QUESTION (SIGRTMIN + 1)
/* In the session: returns the memory in which roast_plugin_watch_calls() stores the plugin and slot whose code is
 * running. Returns NULL if there is no keeper. */
char *keeper_get_call (void);
/* In the session: sets time limits, in s. @seconds is the limit for starting a program (if @launches is true), and the
 * limit for the work after the program has ended. @patience is the limit for a plugin that waits in a slot after the
 * program has ended. */
void keeper_set_deadline (double seconds, double patience, bool launches);
/* In the session: records that the program runs. */
void keeper_note_start (void);
/* In the session: sets the command that makes the report if the session dies. @command is an array that ends with NULL.
 * The keeper runs this command with the standard output and the standard error of roast-run. The keeper adds the
 * arguments --remark=TEXT and --wait-status=N and, if code of a plugin was running, --without=PLUGIN. Returns false if
 * the command is too long. */
bool keeper_set_report_command (const char *const *command);
/* In the session: makes the keeper close the descriptors that it shares with the program. The keeper does not close
 * standard error, and the descriptors in @kept, because the report command needs them. */
void keeper_release_descriptors (const int *kept, size_t n);
/* In the session: returns to the directory in which roast-run was started, because code of a plugin may have changed
 * the directory. */
void keeper_return_to_directory (void);
/* In the session: records that the session has attached to a process. If the session dies, the keeper then makes a
 * report although roast-run started no program. */
void keeper_set_attached (void);
/* In the session: sets the run file. If the session dies, the keeper prints the path of this file, or removes the file.
 * @path is NULL after the session itself has announced or removed the file. */
void keeper_set_file (const char *path, const char *note, bool is_scratch);
/* In the session: records that a signal stopped the program. The keeper then stops, too, so that the parent of
 * roast-run sees the stop. */
void keeper_note_stop (int signum);
/* In the session: records that the program runs again, or has ended. Returns whether the keeper may still be about to
 * stop. If so, call keeper_continue_again() later. */
bool keeper_note_continue (void);
bool keeper_continue_again (void);
/* In a signal handler of the session: counts a SIGCONT that came from @sender. */
void keeper_count_continue (pid_t sender);
/* In the session: records that the work is finished, and that roast-run must end with this wait status. If the
 * supervisor was lost, the status is unknown, and the keeper itself waits for the program. Returns whether there is a
 * keeper. Async-signal-safe. */
bool keeper_finish (int wait_status, bool known);
/* In the session: ends the session without writing reports. The keeper writes the reports instead. roast-run ends with
 * this wait status if the status is known. */
_Noreturn void keeper_leave (int wait_status, bool known);
/* In the session: returns whether keeper_finish() was called. Async-signal-safe. */
bool keeper_has_finished (void);
