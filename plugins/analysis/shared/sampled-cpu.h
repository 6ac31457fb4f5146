/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* CPU time at any moment of a run, by the samples of one source: linear between two of them, as if the work between
 * them were even. Measurement begins with the session: before the first sample nothing was used.
 *
 * The source is the one that samples the process tree, which has all processes of this machine, whatever started them.
 * Without it, it is the first source with CPU time. The times of sources are not added up, since one may contain
 * another. */
typedef struct _SampledCpu SampledCpu;

SampledCpu *sampled_cpu_new (RoastRecordingSnapshot *recording);
void sampled_cpu_free (SampledCpu *self);

/* The greatest CPU time that samples of the process tree have, in seconds; NaN without any. */
double sampled_cpu_get_tree_total (RoastRecordingSnapshot *recording);

/* NULL if no source has sampled CPU time. */
const char *sampled_cpu_get_source (const SampledCpu *self);
/* Seconds from the start to @time, µs since the epoch; NaN without samples on both sides. */
double sampled_cpu_get_at (const SampledCpu *self, double time);
/* By how many seconds the time used from @started to @ended may be off because the work between two samples was not
 * even; NaN as above. */
double sampled_cpu_get_doubt (const SampledCpu *self, double started, double ended);
/* The number of samples from @started to @ended. */
guint sampled_cpu_count (const SampledCpu *self, double started, double ended);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SampledCpu, sampled_cpu_free)

G_END_DECLS
