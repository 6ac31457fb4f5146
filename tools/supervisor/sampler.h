/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Finds the processes of the tree, reads them at each tick, and sends samples of the processes that changed. */

#include <stdbool.h>
#include <stdint.h>

#include "affinity.h"
#include "clock.h"
#include "cpu-accounting.h"
#include "options.h"

typedef struct
{
  FrameWriter *out;
  Tree *tree;
  CpuAccounting *accounting;
  const Clocks *clocks;
  const Options *options;
  int64_t page_size;
  int32_t own_pid;
  int32_t session_pid, keeper_pid; /* pids of the roast-run that attached; 0 if roast-run did not attach */
  int loadavg_fd;
  int32_t last_pid;
  Affinity affinity;
  int64_t started;              /* monotonic time at which sampling started */
  int64_t pss_budget, pss_time; /* available CPU time for PSS readings, µs, and the time when it was last increased */
  RoastWireSample *samples;
  size_t samples_capacity;
  uint64_t ticks, missed, unreadable;
  int64_t stopped;       /* time between ticks at both of which a process was stopped by a signal, µs */
  int64_t stopped_since; /* monotonic time of the last tick; 0 if no process was stopped then */
  bool unreaped_seen;    /* whether the tree had processes that no parent waited for */
  char groups[4096];     /* control groups of the first process at its start, */
  size_t groups_length;  /* and the length of this text; 0 if they could not be read */
  bool left_groups;      /* whether a process was in another control group */
} Sampler;

void sampler_init (Sampler *self, CpuAccounting *accounting, const Clocks *clocks, const Options *options);
/* Returns the process with this pid in the tree. If the tree does not have the process, adds it. Returns NULL if the
 * process is already gone. */
Process *sampler_add (Sampler *self, int32_t pid);
/* Finds new processes. Without @force, does nothing if no process on this machine has forked since the last call. */
void sampler_discover (Sampler *self, bool force);
/* Removes the children that are gone, and books their usage with their parent. Call this function before the parent is
 * accounted for. */
void sampler_sweep_children (Sampler *self, const Process *parent);
/* Removes a process that is gone and that the supervisor did not reap. */
void sampler_remove_vanished (Sampler *self, Process *process);
/* Removes all processes that are gone and have no final row yet. */
void sampler_remove_gone (Sampler *self);
/* Reads the final values of a zombie. */
void sampler_read_last (Sampler *self, Process *process);
/* Reads the cores on which the processes are allowed to run. Ignores the masks in the first 0.1 s of a launched
 * program, because a launcher such as taskset may still change them. @is_last: whether this is the last reading, which
 * is not ignored if there was no other reading. */
void sampler_read_affinity (Sampler *self, int64_t now, bool is_last);
/* Returns the CPU time of the tree so far, including ended processes, µs. */
int64_t sampler_cpu_so_far (const Sampler *self);
void sampler_tick (Sampler *self);
