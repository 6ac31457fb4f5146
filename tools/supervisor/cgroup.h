/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Control groups (v2, and v1 for the limits): the limits that we stand under, and where the site lets us (a delegated
 * subtree) a leaf of our own for the tree, whose counters miss nothing. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct
{
  double cores;         /* quota / period, least of all ancestors; -1 without */
  int64_t memory_limit; /* bytes, least of all ancestors; -1 without */
  int64_t oom_kills;    /* of the group we are in, so far; -1 if not known */
} CgroupLimits;

void cgroup_read_limits (CgroupLimits *limits);
/* The same of a file system below root ("" for this one): for tests. */
void cgroup_read_limits_of (const char *root, CgroupLimits *limits);

typedef struct Cgroup Cgroup;

/* A leaf below our own group: NULL if the site does not let us; *why is then a text for a person. */
Cgroup *cgroup_create (const char **why);
/* Moves a process, and what it will start, into it. */
bool cgroup_join (Cgroup *cgroup, pid_t pid);
/* -1 where the kernel does not tell. */
int64_t cgroup_cpu_us (Cgroup *cgroup);
int64_t cgroup_memory_peak (Cgroup *cgroup);
/* Removes it; processes that are left are moved back first, and none is killed. */
void cgroup_destroy (Cgroup *cgroup);
