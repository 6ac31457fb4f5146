/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Numbers of tasks and attempts, for each source, category and status. The counts of a source come from its most
 * complete table: task_totals (counts by the executor itself), else tasks (rows), else category_states. */

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
  gboolean has_attempts; /* The number of attempts is known for all sources. */
  gboolean has_retried;
  gboolean totals_go_back; /* The rows of task_totals are not in the order of their times. */
  char *note;              /* reason why the counts are incomplete; NULL if they are complete */
  char *failed_note;       /* why numbers of failed tasks and attempts are incomplete, or NULL */
  char *rows_note;         /* why values computed from rows are incomplete, or NULL */
  char *longest_note;      /* why an attempt without a time may be the longest, or NULL */
  char *late_note;         /* why values that are computed from rows may be too large, or NULL */
} TaskCounts;

TaskCounts *task_counts_new (RoastRecordingSnapshot *recording);
void task_counts_free (TaskCounts *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TaskCounts, task_counts_free)

/* Each function adds its table to the report. */
gboolean task_outcomes_add (RoastReport *report, const TaskCounts *counts, GError **error);
gboolean task_outcomes_add_failures (RoastReport *report, RoastRecordingSnapshot *recording, GError **error);

G_END_DECLS
