/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Sums of the table core_time over the whole run and all executors, or over the process tree if there is no executor.
 * The two are never added, because a worker of an executor is a process too and would count twice. */
typedef struct
{
  double offered; /* core-seconds; 0 if there is no row */
  double parts[ROAST_CORE_PART_N_WORDS];
  RoastCompleteness parts_complete[ROAST_CORE_PART_N_WORDS];
  GHashTable *sources; /* names of the executors, or of the process tree */
  gboolean is_tree;
  RoastCompleteness completeness; /* completeness of the sums */
  char *reason;
  gboolean lacks_attempts; /* some attempts have no row; the executor's own sums are more complete */

  /*< private >*/
  double guessed; /* core-seconds in rows estimated at the expense of other parts */
  char *guess;    /* reason given by the first such row */
  double exact;   /* core-seconds in rows that are not estimated */
} CoreParts;

/* Few words for a line, as in charts; the schema also has the definitions. A tree of processes has no tasks. */
const char *core_part_get_words (RoastSchema *schema, const char *part, gboolean of_processes);

/* A lower bound plus an estimate is an estimate. */
RoastCompleteness core_parts_combine (RoastCompleteness a, RoastCompleteness b);

void core_parts_init (CoreParts *self, RoastRecordingSnapshot *recording, RoastReport *report);
void core_parts_clear (CoreParts *self);

/* Returns the sum of the parts from @first to @last. */
double core_parts_sum (const CoreParts *self, guint first, guint last);

/* Returns the share of offered core time spent in tasks, successful or not. */
double core_parts_get_task_ratio (const CoreParts *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CoreParts, core_parts_clear)

G_END_DECLS
