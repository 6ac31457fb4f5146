/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Accounts for usage that the rows of processes do not show. If a parent ignores SIGCHLD and does not wait for its
 * children, the kernel discards their account; their CPU time comes from perf. perf also provides the names of
 * processes too short to be seen. NULL means that it is not available. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "perf-ring.h"
#include "tree.h"

/* CPU time of a command in processes that no sample saw or that ran on after their last sample. */
typedef struct
{
  char name[PERF_NAME_LENGTH];
  uint32_t processes; /* processes without a row of their own */
  int64_t ns;
} Command;

typedef struct
{
  Command *all;
  size_t n, capacity;
  int64_t ns; /* sum over all names */
} Commands;

#define UNREAPED_LEAST 10000 /* µs; smaller values are measurement error */

typedef struct Unreaped Unreaped;

/* Call it before the child execs. Returns NULL if perf is not available, and sets *why to the reason. */
Unreaped *unreaped_new (pid_t child, const char **why);
/* Returns a descriptor to poll, or -1 if there is none. */
int unreaped_fd (const Unreaped *self);
void unreaped_drain (Unreaped *self, Tree *tree);
/* Returns the CPU time that no row contains, once all processes have ended, µs. rows_cpu is the sum over all rows.
 * guessed is the part of it in rows of unreaped processes that were sampled. */
int64_t unreaped_missing (Unreaped *self, Tree *tree, int64_t rows_cpu, int64_t guessed);
/* Returns the possible error of unreaped_missing(), µs. */
int64_t unreaped_error (const Unreaped *self);
/* Returns the CPU time of the tree by perf, without all time that interrupts and the hypervisor may have taken, µs; -1
 * without perf. */
int64_t unreaped_perf_cpu (Unreaped *self);
/* Returns the number of threads and processes started while perf recorded each one; -1 without perf. */
int64_t unreaped_clones (const Unreaped *self);
/* Returns whether perf stopped recording each process because there are too many. */
bool unreaped_is_closed (const Unreaped *self);
/* Notes that a process got a row. If cpu is -1, the row or the parent's row contains all its CPU time; otherwise the
 * row contains cpu µs, up to its last sample. */
void unreaped_wrote_row (Unreaped *self, int32_t pid, const char *command, int64_t cpu);
/* Returns the last name of a process that is gone, or NULL if it is unknown. */
const char *unreaped_last_name (Unreaped *self, Tree *tree, int32_t pid);
/* Settles ended processes. Call it after each tick, when all live processes are in the tree. */
void unreaped_settle (Unreaped *self, Tree *tree);
/* Returns, at the end, the CPU time without rows by name, either of processes that a parent waited for or of the
 * others. Sets *complete to whether no name is missing. Returns NULL without perf. */
const Commands *unreaped_commands (Unreaped *self, bool waited, bool *complete);
/* Returns the number of processes, at least seen. Sets *exact to whether none is missing. */
uint64_t unreaped_processes (const Unreaped *self, uint64_t seen, bool *exact);
