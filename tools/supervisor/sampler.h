/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Finds the processes of the tree, reads them at each tick, and sends what changed. */

#include <stdbool.h>
#include <stdint.h>

#include "cpu-accounting.h"
#include "options.h"

typedef struct
{
  FrameWriter *out;
  Tree *tree;
  CpuAccounting *accounting;
  const Options *options;
  bool owns;      /* we are the subreaper: orphans are our children */
  int64_t anchor; /* wall clock - monotonic clock, µs */
  int64_t boot;   /* wall clock at boot, µs */
  int64_t page_size;
  int32_t own_pid;
  int loadavg_fd;
  int32_t last_pid;
  int64_t pss_budget, pss_time; /* µs of CPU time, and when it was last topped up */
  RoastWireSample *samples;
  size_t samples_capacity;
  uint64_t ticks, missed, unreadable;
  bool unreaped_seen; /* somebody ignores SIGCHLD, and had children */
} Sampler;

void sampler_init (Sampler *self);
/* A process that must be in the tree: NULL if it is gone already. */
Process *sampler_add (Sampler *self, int32_t pid);
/* New processes, if anything was forked since. */
void sampler_discover (Sampler *self, bool force);
/* Children that are gone are booked with their parent, before it is accounted for itself. */
void sampler_sweep_children (Sampler *self, const Process *parent);
/* One that is gone, and not reaped by us. */
void sampler_remove_vanished (Sampler *self, Process *process);
/* Last reading of one that is a zombie. */
void sampler_read_last (Sampler *self, Process *process);
void sampler_tick (Sampler *self);
