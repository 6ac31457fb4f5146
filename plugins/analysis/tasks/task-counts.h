/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* How many tasks and attempts there were, by source, category and status. Of each source the best that is known counts:
 * its own counts (task_totals), else its rows of tasks, else its counts by state. */

typedef struct
{
  gint64 tasks, retried, attempts;
} TaskOutcome;

static inline void
task_outcome_accumulate (TaskOutcome *sum, const TaskOutcome *one)
{
  sum->tasks += one->tasks;
  sum->retried += one->retried;
  sum->attempts += one->attempts;
}

typedef struct
{
  const char *source, *category;
  TaskOutcome outcomes[ROAST_STATUS_N_WORDS];
} TaskCategory;

typedef struct
{
  GArray *categories;    /* of TaskCategory */
  gboolean has_attempts; /* of all sources, and so for the next */
  gboolean has_retried;
  char *note;        /* why counts are not complete; NULL if they are */
  char *failed_note; /* of those that failed */
  char *rows_note;   /* the same of what is computed from rows */
} TaskCounts;

TaskCounts *task_counts_new (RoastRecordingSnapshot *recording);
void task_counts_free (TaskCounts *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TaskCounts, task_counts_free)

/* Each adds its tables to the report. */
gboolean task_outcomes_add (RoastReport *report, const TaskCounts *counts, GError **error);
gboolean task_outcomes_add_failures (RoastReport *report, RoastRecordingSnapshot *recording, GError **error);

G_END_DECLS
