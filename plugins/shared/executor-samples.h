/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Writes counters that an executor keeps about itself to the tables cluster_samples and executor_times. */
typedef struct
{
  RoastTableWriter *samples, *times;
} ExecutorSamples;

void executor_samples_init (ExecutorSamples *self, RoastRecording *recording, const char *source);
void executor_samples_clear (ExecutorSamples *self);
/* Adds @seconds that the executor spent on @part (ROAST_EXECUTOR_PART_…) until @time (µs since the epoch). */
void executor_samples_add_time (ExecutorSamples *self, gint64 time, guint part, double seconds);
