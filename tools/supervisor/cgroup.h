/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Control groups (v2, and v1 for limits): the limits of the supervisor's group and, where the site allows it (in a
 * delegated subtree), a leaf for the process tree, whose counters miss nothing. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct
{
  double cores;         /* quota / period, the least of all ancestors; -1 without */
  int64_t memory_limit; /* bytes, the least of all ancestors; -1 without */
  int64_t oom_kills;    /* of the supervisor's group so far; -1 if not known */
  const char *oom_file; /* which counts them; NULL if none does */
  char oom_directory[4096];
} CgroupLimits;

void cgroup_read_limits (CgroupLimits *limits);
/* The same in a file system below root ("" for this one): for tests. */
void cgroup_read_limits_of (const char *root, CgroupLimits *limits);

/* How many there are now; -1 if not known. */
int64_t cgroup_read_oom_kills (const CgroupLimits *limits);

typedef struct Cgroup Cgroup;

/* A leaf below the supervisor's group. NULL if the site does not allow it; *why is the reason then, for a person. */
Cgroup *cgroup_create (const char **why);
/* Moves a process, and what it will start, into it. */
bool cgroup_join (Cgroup *cgroup, pid_t pid);
/* -1 if it is not available. */
int64_t cgroup_cpu_us (Cgroup *cgroup);
int64_t cgroup_memory_peak (Cgroup *cgroup);
/* The controllers that are switched on for it, as the kernel lists them; "" if that cannot be read. */
void cgroup_read_controllers (Cgroup *cgroup, char *text, size_t size);
/* Removes the group, if it is not NULL. Processes that are left in it are moved back first, and none is killed. */
void cgroup_destroy (Cgroup *cgroup);
