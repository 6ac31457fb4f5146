/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* What the rows of processes do not show: CPU time of processes that nobody waits for, since their parent ignores
 * SIGCHLD and the kernel discards their account, by perf, else by a control group; and, by perf, the names of processes
 * too short to be seen. NULL stands for neither. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "cgroup.h"
#include "commands.h"
#include "tree.h"

typedef struct Unreaped Unreaped;

/* Call it before the child execs. NULL if perf is not available; *why is the reason then. */
Unreaped *unreaped_new_by_perf (pid_t child, const char **why);
/* The group must have the child. */
Unreaped *unreaped_new_by_cgroup (Cgroup *cgroup);
bool unreaped_has_perf (const Unreaped *self);
/* -1 if there is nothing to wait for. */
int unreaped_fd (const Unreaped *self);
void unreaped_drain (Unreaped *self, Tree *tree);
/* CPU time that is in no row yet, once all processes have ended, µs. rows_cpu is the sum over all rows; guessed is the
 * part of it in rows of unreaped processes that were sampled. */
int64_t unreaped_missing (Unreaped *self, Tree *tree, int64_t rows_cpu, int64_t guessed);
/* How far that may be off, µs. */
int64_t unreaped_error (const Unreaped *self);
int64_t unreaped_perf_cpu (Unreaped *self);
/* Threads and processes that were started while perf saw each; -1 without perf. */
int64_t unreaped_clones (const Unreaped *self);
/* Whether perf stopped to see each process: there are too many. */
bool unreaped_is_closed (const Unreaped *self);
/* A process got a row: all its CPU time is in it or with its parent (-1), or that up to its last sample, µs. */
void unreaped_wrote_row (Unreaped *self, int32_t pid, const char *command, int64_t cpu);
/* The last name of a process that is gone; NULL if it is unknown. */
const char *unreaped_last_name (Unreaped *self, Tree *tree, int32_t pid);
/* After each tick, when all processes that live are in the tree. */
void unreaped_settle (Unreaped *self, Tree *tree);
/* At the end: the names of what has no row, of processes that somebody waited for or that nobody did; *complete is
 * whether none is missing. NULL without perf. */
const Commands *unreaped_commands (Unreaped *self, bool waited, bool *complete);
/* The number of processes, if so many were seen; *exact is whether none is missing. */
uint64_t unreaped_processes (const Unreaped *self, uint64_t seen, bool *exact);
