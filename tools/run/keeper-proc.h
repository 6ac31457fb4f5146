/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* What the keeper reads of processes, and how it runs one. */

#include <stdbool.h>
#include <sys/types.h>

/* By a signal of job control. */
bool keeper_proc_is_stopped (pid_t pid);
/* Whether it waits for something other than the reader of its output. If the kernel does not tell, it does not. */
bool keeper_proc_is_waiting (pid_t pid);
/* CPU time so far, s; 0 if unknown. */
double keeper_proc_get_cpu (pid_t pid);
/* Whether SIGCONT does anything to it: it is stopped, or has a handler. If that is unknown, it does. */
bool keeper_proc_minds_continue (pid_t pid);
/* The first child of a process that is, or is not, a supervisor; 0: none. */
pid_t keeper_proc_find_child (pid_t parent, bool supervisor, pid_t except);
/* Runs a command and waits for it: arguments, each with its NUL, then an empty one; and more of them, which end with
 * NULL. It is ended @deadline seconds later, unless that is 0. */
void keeper_proc_run (char *arguments, char *const *more, double deadline);
