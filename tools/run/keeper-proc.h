/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Reads the state of processes for the keeper, and runs a command. */

#include <stdbool.h>
#include <sys/types.h>

/* Returns whether the process is stopped by a job-control signal. */
bool keeper_proc_is_stopped (pid_t pid);
/* Returns whether the process waits for anything except the reader of its output. Returns false if the kernel does not
 * tell. */
bool keeper_proc_is_waiting (pid_t pid);
/* Returns the CPU time so far in seconds; 0 if unknown. */
double keeper_proc_get_cpu (pid_t pid);
/* Returns whether SIGCONT affects the process: it is stopped or has a handler. Returns true if that is unknown. */
bool keeper_proc_minds_continue (pid_t pid);
/* Returns the first child that is (or is not) a supervisor; 0: none. */
pid_t keeper_proc_find_child (pid_t parent, bool supervisor, pid_t except);
/* Runs a command and waits for it. @arguments are NUL-terminated strings followed by an empty one; @more is an array of
 * further arguments that ends with NULL. The command is killed after @deadline seconds, unless that is 0. */
void keeper_proc_run (char *arguments, char *const *more, double deadline);
