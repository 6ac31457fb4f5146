/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Numbers of tasks and attempts by source, category and status. Each source contributes the best counts it has: its own
 * counts (task_totals), else its rows of tasks, else its counts by state. */

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
  GArray *categories;    /* elements are TaskCategory */
  gboolean has_attempts; /* attempts are known for all sources */
  gboolean has_retried;
  gboolean totals_go_back; /* the executor's own counts are not in the order of their times */
  char *note;              /* why counts are incomplete; NULL if they are complete */
  char *failed_note;       /* why numbers of failed tasks and attempts are incomplete, or NULL */
  char *rows_note;         /* why values computed from rows are incomplete, or NULL */
  char *longest_note;      /* why an attempt may have taken longer than all that have a time, or NULL */
  char *late_note;         /* why values computed from rows may be too large, or NULL */
} TaskCounts;

TaskCounts *task_counts_new (RoastRecordingSnapshot *recording);
void task_counts_free (TaskCounts *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TaskCounts, task_counts_free)

/* Each function adds its table to the report. */
gboolean task_outcomes_add (RoastReport *report, const TaskCounts *counts, GError **error);
gboolean task_outcomes_add_failures (RoastReport *report, RoastRecordingSnapshot *recording, GError **error);

G_END_DECLS
