/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The CPU time of processes that nobody waits for: their parent ignores SIGCHLD, and the kernel throws their account away.
 * Found by perf, else by a control group. NULL stands for neither. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "cgroup.h"
#include "tree.h"

typedef struct Unwaited Unwaited;

/* Before the child execs. NULL if neither is to be had: *why says why. */
Unwaited *unwaited_new (pid_t child, Cgroup *cgroup, bool perf, const char **why);
/* For a person: by what. */
const char *unwaited_name (const Unwaited *self);
bool unwaited_has_perf (const Unwaited *self);
/* -1 if there is nothing to wait for. */
int unwaited_fd (const Unwaited *self);
void unwaited_drain (Unwaited *self, Tree *tree);
/* CPU time that no row has yet, µs, once all processes have ended: rows are those written so far, of which `guessed` is in
 * rows for unwaited processes that were sampled. */
int64_t unwaited_missing (Unwaited *self, Tree *tree, int64_t rows_cpu, int64_t guessed);
int64_t unwaited_perf_cpu (Unwaited *self);
/* Processes that lived, given how many were seen; *exact is whether none is missing. */
uint64_t unwaited_processes (const Unwaited *self, uint64_t seen, bool *exact);
