/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The CPU time of processes that nobody waits for: their parent ignores SIGCHLD, and the kernel throws their account
 * away. Found by perf, else by a control group. NULL stands for neither. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "cgroup.h"
#include "tree.h"

typedef struct Unreaped Unreaped;

/* Before the child execs. NULL if neither is to be had: *why says why. */
Unreaped *unreaped_new (pid_t child, Cgroup *cgroup, bool perf, const char **why);
/* For a person: by what. */
const char *unreaped_name (const Unreaped *self);
bool unreaped_has_perf (const Unreaped *self);
/* -1 if there is nothing to wait for. */
int unreaped_fd (const Unreaped *self);
void unreaped_drain (Unreaped *self, Tree *tree);
/* CPU time that no row has yet, µs, once all processes have ended: rows are those written so far, of which `guessed` is
 * in rows for unreaped processes that were sampled. */
int64_t unreaped_missing (Unreaped *self, Tree *tree, int64_t rows_cpu, int64_t guessed);
int64_t unreaped_perf_cpu (Unreaped *self);
/* Processes that lived, given how many were seen; *exact is whether none is missing. */
uint64_t unreaped_processes (const Unreaped *self, uint64_t seen, bool *exact);
