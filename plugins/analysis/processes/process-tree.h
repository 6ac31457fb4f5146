/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Input and output of all parts of the aggregator. */
typedef struct
{
  RoastRecordingSnapshot *recording;
  RoastReport *report;
  RoastTableReader *processes;
  RoastTableReader *samples; /* table cluster_samples */
  const char *missing;       /* reason that is reported if no process has any values */
  const char *imported;      /* reason why an imported run lacks values of processes; NULL if not imported */
  gboolean is_running;       /* the supervisor reported neither the end of the program nor its own loss */
} ProcessTree;

#define ROAST_PROCESSES_NO_PROC "/proc could not be read, or does not show the program's processes"

/* Each function adds its metrics and tables to the report, or reports how complete they are. */
void process_tree_add_run (ProcessTree *self);
void process_tree_cover_sums (ProcessTree *self);
void process_tree_add_memory (ProcessTree *self);
void process_tree_add_commands (ProcessTree *self);

/* Return whether an accounting mechanism was active. */
gboolean process_tree_has_mechanism (ProcessTree *self, RoastAccounting mechanism);

/* Return the number of rows of the table processes that meet @condition, which has the syntax of formulas. */
guint64 process_tree_count (ProcessTree *self, const char *condition);

/* Sum of a column of the table processes. */
typedef struct
{
  guint64 n;       /* cells with a value */
  guint64 missing; /* rows without a value */
  double sum;
  double max;
} ProcessSum;

ProcessSum process_tree_sum (ProcessTree *self, guint slot);
