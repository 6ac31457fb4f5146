/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Finds the processes of the tree, reads them at each tick, and sends the samples of those that changed. */

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
  int32_t session_pid, keeper_pid; /* of roast-run that is attached; 0: another program, or launched */
  int loadavg_fd;
  int32_t last_pid;
  Affinity affinity;
  int64_t started;              /* monotonic */
  int64_t pss_budget, pss_time; /* µs of CPU time, and when it was last topped up */
  RoastWireSample *samples;
  size_t samples_capacity;
  uint64_t ticks, missed, unreadable;
  bool unreaped_seen; /* a process ignores SIGCHLD and had children */
} Sampler;

void sampler_init (Sampler *self, CpuAccounting *accounting, const Clocks *clocks, const Options *options);
/* Adds a process to the tree, or finds it there; NULL if it is gone already. */
Process *sampler_add (Sampler *self, int32_t pid);
/* Finds new processes; unless forced, only if anything was forked on this machine. */
void sampler_discover (Sampler *self, bool force);
/* Books children that are gone with their parent, before the parent itself is accounted for. */
void sampler_sweep_children (Sampler *self, const Process *parent);
/* Removes a process that is gone and was not reaped by the supervisor. */
void sampler_remove_vanished (Sampler *self, Process *process);
/* Reads a zombie for the last time. */
void sampler_read_last (Sampler *self, Process *process);
/* Reads on which cores the processes may run. What holds for the first moments is not the program's own choice, unless
 * there are no others. */
void sampler_read_affinity (Sampler *self, int64_t now, bool is_last);
/* CPU time of the tree so far, with that of ended processes, µs. */
int64_t sampler_cpu_so_far (const Sampler *self);
void sampler_tick (Sampler *self);
