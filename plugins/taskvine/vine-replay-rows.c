/* SPDX-License-Identifier: BSD-3-Clause */

/* The row of an attempt. */

#include <math.h>

#include "vine-replay-private.h"

enum
{
  TASK_SOURCE,
  TASK_TASK,
  TASK_ATTEMPT,
  TASK_PREFIX,
  TASK_SPAN,
  TASK_WORKER,
  TASK_SUBMITTED,
  TASK_DISPATCHED,
  TASK_DELIVERED,
  TASK_STARTED,
  TASK_ENDED,
  TASK_NOTICED,
  TASK_FETCHED,
  TASK_RETRIEVED,
  TASK_RETURNED,
  TASK_STATUS,
  TASK_EXIT,
  TASK_ERROR,
  TASK_CPU,
  TASK_CORES,
  TASK_PEAK,
  TASK_DISK,
  TASK_IN,
  TASK_OUT
};
static const char *const task_columns[] = { "source",      "task",      "attempt",    "category",  "span",
                                            "worker",      "submitted", "dispatched", "delivered", "started",
                                            "ended",       "noticed",   "fetched",    "retrieved", "returned",
                                            "status",      "exit_code", "error",      "cpu",       "cores",
                                            "memory_peak", "disk_peak", "bytes_in",   "bytes_out", NULL };

void
vine_replay_open_rows (VineReplay *self)
{
  sheet_open (&self->sheet_tasks, self->recording, "tasks", task_columns);
}

static void
set_times (Sheet *sheet, const Attempt *attempt, gint64 returned)
{
  sheet_set_count (sheet, TASK_SUBMITTED, attempt->submitted);
  sheet_set_count (sheet, TASK_DISPATCHED, attempt->dispatched);
  sheet_set_count (sheet, TASK_DELIVERED, attempt->delivered);
  sheet_set_count (sheet, TASK_STARTED, attempt->started);
  /* When a lost one ended is known, when it began is not. */
  sheet_set_count (sheet, TASK_ENDED, attempt->ended >= 0 ? attempt->ended : attempt->lost);
  sheet_set_count (sheet, TASK_NOTICED, attempt->noticed);
  sheet_set_count (sheet, TASK_FETCHED, attempt->fetched);
  sheet_set_count (sheet, TASK_RETRIEVED, attempt->retrieved);
  sheet_set_count (sheet, TASK_RETURNED, returned);
}

static void
set_end (Sheet *sheet, const Attempt *attempt, const char *status)
{
  sheet_set_text (sheet, TASK_STATUS, status);
  if (attempt->why_lost != NULL && attempt->result == NULL)
    sheet_set_text (sheet, TASK_ERROR, attempt->why_lost);
  if (attempt->result == NULL)
    return;
  if (attempt->exit_code >= 0)
    sheet_set_count (sheet, TASK_EXIT, attempt->exit_code);
  if (!g_str_equal (attempt->result, "SUCCESS"))
    sheet_set_text (sheet, TASK_ERROR, attempt->result);
  else if (attempt->exit_code != 0)
    sheet_set_text (sheet, TASK_ERROR, "exit code");
}

static gboolean
write_row (VineReplay *self, Attempt *attempt, const char *status, gint64 returned)
{
  Sheet *sheet = &self->sheet_tasks;
  char id[24];

  g_snprintf (id, sizeof id, "%" G_GINT64_FORMAT, attempt->id);
  sheet_begin (sheet, self->source);
  sheet_set_text (sheet, TASK_TASK, id);
  sheet_set_count (sheet, TASK_ATTEMPT, attempt->number);
  sheet_set_text (sheet, TASK_PREFIX, vine_replay_name_category (attempt->category));
  sheet_set_text (sheet, TASK_SPAN, attempt->span);
  sheet_set_text (sheet, TASK_WORKER, attempt->worker != NULL ? attempt->worker->id : NULL);
  set_times (sheet, attempt, returned);
  set_end (sheet, attempt, status);
  sheet_set_number (sheet, TASK_CPU, attempt->cpu);
  sheet_set_number (sheet, TASK_CORES, attempt->cores);
  sheet_set_count (sheet, TASK_PEAK, attempt->peak);
  sheet_set_count (sheet, TASK_DISK, attempt->disk);
  sheet_set_count (sheet, TASK_IN, attempt->bytes_in);
  sheet_set_count (sheet, TASK_OUT, attempt->bytes_out);

  return sheet_end (sheet);
}

void
vine_replay_write_attempt (VineReplay *self, Attempt *attempt, const char *status, gint64 returned)
{
  vine_replay_add_sums (self, attempt, status, returned);
  if (roast_table_get_n_rows (self->sheet_tasks.table) >= self->options.max_tasks)
    self->n_rows_left_out++;
  else if (!write_row (self, attempt, status, returned))
    self->n_duplicates++;
}
