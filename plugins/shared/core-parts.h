/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Sums of the table core_time over the whole run, of all executors together; of the process tree if there is no
 * executor. A worker of an executor is a process as well: where there are both, it must not count twice. */
typedef struct
{
  double offered; /* core-seconds; 0 if there is no row */
  double parts[ROAST_CORE_PART_N_WORDS];
  gboolean is_tree;
  RoastCompleteness completeness; /* of the least exact row that is not idle or unknown */
  char *reason;
  gboolean lacks_attempts; /* some have no row: the executor's own sums know more */

  /*< private >*/
  double guessed; /* core-seconds in estimated rows that were taken from others */
  char *guess;    /* their reason */
} CoreParts;

/* Whether the sum of an estimated part over the run is not exact, since it was taken from others by what is known of a
 * whole worker. What is only shared out among the stretches of its life is exact for the run. */
gboolean core_part_is_guessed (int part);

/* Whether it is time in attempts: without some rows there is at least so much of it. What they leave may be more. */
gboolean core_part_is_of_attempts (int part);

/* Few words for a line, as in charts; the schema also has the definitions. A tree of processes has no tasks. */
const char *core_part_get_words (RoastSchema *schema, const char *part, gboolean of_processes);

void core_parts_init (CoreParts *self, RoastRecordingSnapshot *recording, RoastReport *report);
void core_parts_clear (CoreParts *self);

/* The sum of parts from @first to @last. */
double core_parts_sum (const CoreParts *self, guint first, guint last);

/* The share of slots that were in tasks, with or without a result. */
double core_parts_get_task_ratio (const CoreParts *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CoreParts, core_parts_clear)

G_END_DECLS
