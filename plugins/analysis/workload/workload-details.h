/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "cell-cursor.h"
#include "chunk-verdicts.h"
#include "workload-needed.h"

G_BEGIN_DECLS

/* What instrumented chunks say beyond their events and bytes: parts of their time, CPU, memory. */
typedef struct _WorkloadDetails WorkloadDetails;

WorkloadDetails *workload_details_new (void);
void workload_details_free (WorkloadDetails *self);

/* The current row of @chunks, which groups by dataset and file. */
void workload_details_add (WorkloadDetails *self, CellCursor *chunks, ChunkVerdict verdict);

/* After the last row. */
gboolean workload_details_report (WorkloadDetails *self, WorkloadNeeded *needed, RoastRecordingSnapshot *recording,
                                  RoastReport *report, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WorkloadDetails, workload_details_free)

G_END_DECLS
