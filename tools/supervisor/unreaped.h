/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Accounts for CPU time that is not in the rows of processes. If a parent ignores SIGCHLD and does not wait for its
 * children, the kernel discards the usage of the children. In this case, perf provides their CPU time. perf also
 * provides the names of processes that ended before they were sampled. Most functions accept NULL, which means that
 * perf is not available. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "perf-ring.h"
#include "tree.h"

/* The CPU time of a command that no row contains, because its processes were never sampled, or continued to run after
 * their last sample. */
typedef struct
{
  char name[PERF_NAME_LENGTH];
  uint32_t processes; /* number of processes without their own row */
  int64_t ns;
} Command;

typedef struct
{
  Command *all;
  size_t n, capacity;
  int64_t ns; /* CPU time of all names, including names that are not in the list */
} Commands;

#define UNREAPED_LEAST 10000 /* µs; CPU time below this limit is ignored, because it may be a measurement error */

typedef struct Unreaped Unreaped;

/* Opens perf events on the child. Call this function before the child execs. Returns NULL if perf is not available, and
 * sets *why to the reason. */
Unreaped *unreaped_new (pid_t child, const char **why);
/* Returns a descriptor to poll, or -1 if there is no such descriptor. */
int unreaped_fd (const Unreaped *self);
void unreaped_drain (Unreaped *self, Tree *tree);
/* Returns the CPU time that no row contains, µs. Call this function when all processes have ended. @rows_cpu is the sum
 * over all rows. @guessed is the part of this sum in the rows of unreaped processes, which end at the last sample. */
int64_t unreaped_missing (Unreaped *self, Tree *tree, int64_t rows_cpu, int64_t guessed);
/* Returns the possible error of unreaped_missing(), µs. */
int64_t unreaped_error (const Unreaped *self);
/* Returns a lower bound of the tree's CPU time from perf, µs; -1 without perf. All time that interrupts and the
 * hypervisor took from the cores is subtracted. */
int64_t unreaped_perf_cpu (Unreaped *self);
/* Returns the number of threads and processes that started while perf recorded each start; -1 without perf. */
int64_t unreaped_clones (const Unreaped *self);
/* Returns whether perf stopped recording each process because the program starts too many processes. */
bool unreaped_is_closed (const Unreaped *self);
/* Notes that a process got a row. @cpu: the CPU time in this row, up to the last sample, in µs; -1 if this row or the
 * parent's row contains all CPU time of the process. */
void unreaped_wrote_row (Unreaped *self, int32_t pid, const char *command, int64_t cpu);
/* Returns the last name of a process that is gone, or NULL if the name is unknown. */
const char *unreaped_last_name (Unreaped *self, Tree *tree, int32_t pid);
/* Adds the CPU time of ended processes to the sums by name. Call this function after each tick, when all live processes
 * are in the tree. */
void unreaped_settle (Unreaped *self, Tree *tree);
/* Returns the CPU time that no row contains, for each name. @waited: true for processes that a parent waited for, false
 * for processes that no parent waited for. Sets *complete to whether all names are known. Call this function at the
 * end. Returns NULL without perf. */
const Commands *unreaped_commands (Unreaped *self, bool waited, bool *complete);
/* Returns the number of processes in the tree. @seen is the number of sampled processes, a lower bound. Sets *exact to
 * whether no process is missing. */
uint64_t unreaped_processes (const Unreaped *self, uint64_t seen, bool *exact);
