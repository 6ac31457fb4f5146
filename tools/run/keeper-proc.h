/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Reads the state of processes for the keeper, and runs a command. */

#include <stdbool.h>
#include <sys/types.h>

/* Returns whether the process is stopped by a job-control signal. */
bool keeper_proc_is_stopped (pid_t pid);
/* Returns whether the process waits. Does not count waiting in a write, because a write waits for the reader of the
 * output. Returns false if the kernel does not show in which function the process waits. */
bool keeper_proc_is_waiting (pid_t pid);
/* Returns the CPU time that the process has used so far, in s; 0 if unknown. */
double keeper_proc_get_cpu (pid_t pid);
/* Returns whether SIGCONT has an effect on the process: it does if the process is stopped, or if it has a handler for
 * SIGCONT. Returns true if this is unknown. */
bool keeper_proc_minds_continue (pid_t pid);
/* If @supervisor is true, returns the first child of @parent that is a supervisor. Otherwise returns the first child
 * that is not a supervisor. Skips the child @except. Returns 0 if there is no such child. */
pid_t keeper_proc_find_child (pid_t parent, bool supervisor, pid_t except);
/* Runs a command, and waits until it ends. @arguments contains strings that end with NUL, followed by an empty string.
 * @more is an array of additional arguments that ends with NULL. After @deadline seconds, the command is killed. A
 * @deadline of 0 means no limit. */
void keeper_proc_run (char *arguments, char *const *more, double deadline);
