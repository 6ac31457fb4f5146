/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Reads the state of processes for the keeper, and runs a command. */

#include <stdbool.h>
#include <sys/types.h>

/* Returns whether the process is stopped by a job-control signal. */
bool keeper_proc_is_stopped (pid_t pid);
/* Returns whether the process waits, except in writes: a write waits for the reader of the output. Returns false if the
 * kernel does not show in which function the process waits. */
bool keeper_proc_is_waiting (pid_t pid);
/* Returns the CPU time of the process so far in seconds; 0 if unknown. */
double keeper_proc_get_cpu (pid_t pid);
/* Returns whether SIGCONT affects the process, because the process is stopped or has a handler for the signal. Returns
 * true if that is unknown. */
bool keeper_proc_minds_continue (pid_t pid);
/* Returns the first child of @parent, other than @except, that is a supervisor or, if @supervisor is false, that is
 * none. Returns 0 if no such child exists. */
pid_t keeper_proc_find_child (pid_t parent, bool supervisor, pid_t except);
/* Runs a command and waits for it. @arguments holds NUL-terminated strings, followed by an empty string. @more is an
 * array of further arguments that ends with NULL. The command is killed after @deadline seconds; 0: no limit. */
void keeper_proc_run (char *arguments, char *const *more, double deadline);
