/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* CPU time of a run as a function of time, from the samples of one source. Between two samples, the CPU time is
 * interpolated linearly, as if the program computed evenly. The CPU time is 0 at the start of the session, because
 * measurement begins there. The source is the process tree, because it contains all processes of the program on this
 * machine. If there is no process tree, the source is the first one with CPU time. The CPU times of several sources are
 * not added up, because one source may contain another. */
typedef struct _SampledCpu SampledCpu;

SampledCpu *sampled_cpu_new (RoastRecordingSnapshot *recording);
void sampled_cpu_free (SampledCpu *self);

/* Return the largest CPU time in samples of the process tree, in seconds; NaN if there is none. */
double sampled_cpu_get_tree_total (RoastRecordingSnapshot *recording);

/* Return NULL if no source has sampled CPU time. */
const char *sampled_cpu_get_source (const SampledCpu *self);
/* Return the CPU time in seconds from the start of the run to @time (µs since the epoch); NaN unless there are samples
 * both before and after @time. */
double sampled_cpu_get_at (const SampledCpu *self, double time);
/* Return the largest error, in seconds, of the CPU time from @started to @ended; NaN if the CPU time is unknown. The
 * error arises because the program may not have computed evenly between two samples. */
double sampled_cpu_get_doubt (const SampledCpu *self, double started, double ended);
/* Return the number of samples from @started to @ended. */
guint sampled_cpu_count (const SampledCpu *self, double started, double ended);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SampledCpu, sampled_cpu_free)

G_END_DECLS
