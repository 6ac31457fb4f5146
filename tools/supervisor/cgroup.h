/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Control groups. Reads the limits of the supervisor's group (v1 and v2). In a subtree that the site has delegated,
 * creates a v2 leaf group for the process tree; the counters of this group include all processes of the tree. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct
{
  double cores;         /* limit of cores (quota / period), the minimum over all ancestors; -1 if unlimited */
  int64_t memory_limit; /* limit of memory in bytes, the minimum over all ancestors; -1 if unlimited */
  int64_t oom_kills;    /* number of OOM kills in the supervisor's group so far; -1 if unknown */
  const char *oom_file; /* name of the file with the number of OOM kills; NULL if none exists */
  char oom_directory[4096];
} CgroupLimits;

void cgroup_read_limits (CgroupLimits *limits);
/* Reads the limits from the files below @root instead of “/” (""). Tests use a file system of their own. */
void cgroup_read_limits_of (const char *root, CgroupLimits *limits);

/* Returns the current number of OOM kills; -1 if unknown. */
int64_t cgroup_read_oom_kills (const CgroupLimits *limits);

typedef struct Cgroup Cgroup;

/* Creates a leaf group below the supervisor's group. Returns NULL if the site does not allow it, and sets *why to a
 * readable reason. */
Cgroup *cgroup_create (const char **why);
/* Moves a process into the group. Processes that it starts later are in the group too. */
bool cgroup_join (Cgroup *cgroup, pid_t pid);
/* The next two functions return a counter of the group; -1 if the kernel does not provide it. */
int64_t cgroup_cpu_us (Cgroup *cgroup);
int64_t cgroup_memory_peak (Cgroup *cgroup);
/* Gets the controllers enabled for the group, as the kernel lists them; "" if they cannot be read. */
void cgroup_read_controllers (Cgroup *cgroup, char *text, size_t size);
/* Removes the group; NULL is allowed. Moves remaining processes back to the parent group first and kills none. */
void cgroup_destroy (Cgroup *cgroup);
