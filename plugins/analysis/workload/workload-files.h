/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "chunk-verdicts.h"
#include "workload-needed.h"

/* Collects the tables per_file, per_site (the hosts from which files were read) and slowest_chunks. */
typedef struct _WorkloadFiles WorkloadFiles;

WorkloadFiles *workload_files_new (void);
void workload_files_free (WorkloadFiles *self);

/* Add the current row of @chunks, which must be grouped by dataset and file. */
void workload_files_add (WorkloadFiles *self, RoastTableReader *chunks, ChunkVerdict verdict);

/* Write the tables. Call this function after the last row was added. */
void workload_files_report (WorkloadFiles *self, WorkloadNeeded *needed, RoastRecordingSnapshot *recording,
                            RoastReport *report);

/* Add the table failed_files: which entries were not processed, and for what reason. The function reads the chunks
 * again with its own reader. */
void workload_add_failures (RoastRecordingSnapshot *recording, RoastReport *report);

/* Add the table chunk_processes. */
void workload_add_processes (RoastRecordingSnapshot *recording, RoastReport *report);

/* Add the table per_branch. */
void workload_add_branches (RoastRecordingSnapshot *recording, RoastReport *report);

/* Return the host of a URL; NULL for a path. Free it with g_free(). */
char *workload_dup_site (const char *file);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WorkloadFiles, workload_files_free)
