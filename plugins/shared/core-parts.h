/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Sums of the table core_time over the whole run. The sums include all executors. If there is no executor, they
 * include the process tree. They never include both, because a worker of an executor is also a process and would count
 * twice. */
typedef struct
{
  double offered; /* core-seconds of all parts; 0 if the table has no rows */
  double parts[ROAST_CORE_PART_N_WORDS];
  RoastCompleteness parts_complete[ROAST_CORE_PART_N_WORDS];
  GHashTable *sources; /* set of the names of the sources whose rows are summed */
  gboolean is_tree;
  RoastCompleteness completeness; /* completeness of the sums over all parts */
  char *reason;
  gboolean lacks_attempts; /* some attempts have no row in the table tasks; the executor's own sums are more complete */

  /*< private >*/
  double guessed; /* core-seconds in estimated rows, for parts with an inexact sum */
  char *guess;    /* reason that the first estimated row with an inexact sum gives */
  double exact;   /* core-seconds in rows that are not estimated */
} CoreParts;

/* Returns a short label of a part for charts. @of_processes: return the label for a process tree, which has no
 * tasks. */
const char *core_part_get_words (RoastSchema *schema, const char *part, gboolean of_processes);

/* Returns how complete the sum of two numbers is. The sum of a lower bound and an estimate is an estimate. */
RoastCompleteness core_parts_combine (RoastCompleteness a, RoastCompleteness b);

void core_parts_init (CoreParts *self, RoastRecordingSnapshot *recording, RoastReport *report);
void core_parts_clear (CoreParts *self);

/* Returns the sum of the parts with numbers from @first to @last. */
double core_parts_sum (const CoreParts *self, guint first, guint last);

/* Returns the share of the offered core time that was spent in tasks, whether they succeeded or failed. */
double core_parts_get_task_ratio (const CoreParts *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CoreParts, core_parts_clear)
