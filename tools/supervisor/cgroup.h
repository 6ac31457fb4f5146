/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Control groups. Reads the limits of a process's group (v1 and v2). If the site has delegated a subtree, creates
 * a v2 leaf group in it for the process tree, so that the counters of this group include all processes of the tree. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct
{
  double cores; /* maximum number of cores (quota / period), the minimum over the group and all ancestors; -1 if
                   unlimited */
  char cpu_directory[4096]; /* group with this quota; "" if unlimited */
  int64_t memory_limit;     /* maximum memory in bytes, the minimum over the group and all ancestors; -1 if unlimited */
  int64_t oom_kills;        /* number of OOM kills in the group so far; -1 if unknown */
  const char *oom_file;     /* name of the file with the number of OOM kills; NULL if there is no such file */
  char oom_directory[4096];
} CgroupLimits;

/* Reads the limits of the group of the process @pid, or of the supervisor if @pid is 0. */
void cgroup_read_limits (pid_t pid, CgroupLimits *limits);
/* Reads the limits from files below @root, which is "" for the real root directory. Tests pass another directory. */
void cgroup_read_limits_of (const char *root, pid_t pid, CgroupLimits *limits);

/* Returns the current number of OOM kills; -1 if unknown. */
int64_t cgroup_read_oom_kills (const CgroupLimits *limits);

/* Returns for how long the quota has kept the group from its cores so far, µs, summed over cores; -1 if unknown. */
int64_t cgroup_read_throttled (const CgroupLimits *limits);

typedef struct Cgroup Cgroup;

/* Creates a leaf group below the supervisor's group. Returns NULL if the site does not allow it, and sets *why to a
 * readable reason. */
Cgroup *cgroup_create (const char **why);
/* Moves a process into the group. Processes that this process starts later are in the group, too. */
bool cgroup_join (Cgroup *cgroup, pid_t pid);
/* The next two functions return a counter of the group, or -1 if the kernel does not provide the counter. */
int64_t cgroup_cpu_us (Cgroup *cgroup);
int64_t cgroup_memory_peak (Cgroup *cgroup);
/* Gets the controllers enabled for the group, as the kernel lists them; "" if they cannot be read. */
void cgroup_read_controllers (Cgroup *cgroup, char *text, size_t size);
/* Removes the group; NULL is allowed. Remaining processes are not killed but moved back to the parent group. */
void cgroup_destroy (Cgroup *cgroup);
