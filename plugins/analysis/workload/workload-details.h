/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "chunk-verdicts.h"
#include "workload-needed.h"
#include "workload-values.h"

/* Collects values of instrumented chunks other than events and bytes: parts of their time, CPU time, and memory. */
typedef struct _WorkloadDetails WorkloadDetails;

WorkloadDetails *workload_details_new (void);
void workload_details_free (WorkloadDetails *self);

/* Add the current row of @chunks, which must be grouped by dataset and file. */
void workload_details_add (WorkloadDetails *self, RoastTableReader *chunks, ChunkVerdict verdict);

/* Write the values. Call this function after the last row was added. If @doubt is not NULL, it is the reason why sums
 * over the chunks are not exact. In this case, the sums have the completeness @otherwise. */
void workload_details_write (WorkloadDetails *self, WorkloadNeeded *needed, RoastRecordingSnapshot *recording,
                             WorkloadValues *values, const char *doubt, RoastCompleteness otherwise);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WorkloadDetails, workload_details_free)
