/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Numbers of tasks and attempts by source, category and status. The counts of each source come from the first of these
 * tables that contains the source: task_totals (counted by the executor), tasks (one row per attempt),
 * category_states. */

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
  gboolean totals_go_back; /* rows of task_totals are not in the order of their times */
  char *note;              /* reason why the counts are incomplete; NULL if they are complete */
  char *failed_note;       /* reason why numbers of failed tasks and attempts are incomplete, or NULL */
  char *rows_note;         /* reason why values that are computed from rows are incomplete, or NULL */
  char *longest_note;      /* reason why an attempt without times may be the longest one, or NULL */
  char *retried_note;      /* reason why the number of attempts after the first may be too large, or NULL */
  char *late_note;         /* reason why values that are computed from rows may be too large, or NULL */
} TaskCounts;

TaskCounts *task_counts_new (RoastRecordingSnapshot *recording);
void task_counts_free (TaskCounts *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TaskCounts, task_counts_free)

/* Each function adds its table to the report. */
void task_outcomes_add (RoastReport *report, const TaskCounts *counts);
void task_outcomes_add_failures (RoastReport *report, RoastRecordingSnapshot *recording);
