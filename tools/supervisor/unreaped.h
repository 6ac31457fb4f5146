/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* CPU time of processes that nobody waits for: their parent ignores SIGCHLD, and the kernel discards their account. It
 * is found by perf, else by a control group. NULL stands for neither. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "cgroup.h"
#include "tree.h"

typedef struct Unreaped Unreaped;

/* Call it before the child execs. NULL if perf is not available; *why is the reason then. */
Unreaped *unreaped_new_by_perf (pid_t child, const char **why);
/* The group must have the child. */
Unreaped *unreaped_new_by_cgroup (Cgroup *cgroup);
/* The mechanism, for a person. */
const char *unreaped_name (const Unreaped *self);
bool unreaped_has_perf (const Unreaped *self);
/* -1 if there is nothing to wait for. */
int unreaped_fd (const Unreaped *self);
void unreaped_drain (Unreaped *self, Tree *tree);
/* CPU time that is in no row yet, once all processes have ended, µs. rows_cpu is the sum over all rows; guessed is the
 * part of it in rows of unreaped processes that were sampled. */
int64_t unreaped_missing (Unreaped *self, Tree *tree, int64_t rows_cpu, int64_t guessed);
int64_t unreaped_perf_cpu (Unreaped *self);
/* The number of processes, if so many were seen; *exact is whether none is missing. */
uint64_t unreaped_processes (const Unreaped *self, uint64_t seen, bool *exact);
