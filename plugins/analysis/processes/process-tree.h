/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* What all parts of the aggregator read, and where they write. */
typedef struct
{
  RoastRecordingSnapshot *recording;
  RoastReport *report;
  RoastTableReader *processes;
  RoastTableReader *samples; /* cluster_samples */
  const char *missing;       /* why nothing is known about the processes */
  const char *imported;      /* the same, of a run of another tool: why something is not known; else NULL */
} ProcessTree;

#define ROAST_PROCESSES_NO_PROC "/proc could not be read, or does not show the program's processes"

/* Each adds its metrics and tables to the report, or says how complete they are. */
void process_tree_add_run (ProcessTree *self);
void process_tree_cover_sums (ProcessTree *self);
void process_tree_add_memory (ProcessTree *self);
gboolean process_tree_add_commands (ProcessTree *self, GError **error);

/* Whether an accounting mechanism was in force. */
gboolean process_tree_has_mechanism (ProcessTree *self, RoastAccounting mechanism);

/* The sum of a column of processes. */
typedef struct
{
  guint64 n;       /* cells */
  guint64 missing; /* rows without a cell */
  double sum;
  double max;
} ProcessSum;

ProcessSum process_tree_sum (ProcessTree *self, guint slot);

G_END_DECLS
