/* SPDX-License-Identifier: BSD-3-Clause */

/* What the probe tells of tasks, one by one and by kind. */

#include <math.h>
#include <string.h>

#include "dask-scheduler-private.h"

enum
{
  TASK_SOURCE,
  TASK_TASK,
  TASK_ATTEMPT,
  TASK_PREFIX,
  TASK_WORKER,
  TASK_STARTED,
  TASK_ENDED,
  TASK_STATUS,
  TASK_ERROR,
  TASK_BYTES_OUT
};
static const char *const task_columns[] = { "source", "task",   "attempt", "category",  "worker", "started",
                                            "ended",  "status", "error",   "bytes_out", NULL };

enum
{
  PHASE_SOURCE,
  PHASE_TASK,
  PHASE_ATTEMPT,
  PHASE_PHASE,
  PHASE_STARTED,
  PHASE_ENDED
};
static const char *const phase_columns[] = { "source", "task", "attempt", "phase", "started", "ended", NULL };

enum
{
  STATE_SOURCE,
  STATE_TIME,
  STATE_PREFIX,
  STATE_STATE,
  STATE_TASKS
};
static const char *const state_columns[] = { "source", "time", "category", "state", "tasks", NULL };

void
dask_scheduler_open_tasks (DaskScheduler *self)
{
  sheet_open (&self->sheet_tasks, self->recording, "tasks", task_columns);
  sheet_open (&self->sheet_phases, self->recording, "task_phases", phase_columns);
  sheet_open (&self->sheet_states, self->recording, "category_states", state_columns);
}

/* [number, name] */
void
dask_scheduler_on_prefix (DaskScheduler *self, DaskCells *cells)
{
  gint64 number = dask_cells_get_count (cells, 0);
  const char *name = dask_cells_get_text (cells, 1);

  if (number < 0 || number >= MAX_KEYS || name == NULL)
    cells->bad = TRUE;
  else if (!g_hash_table_contains (self->prefixes, GINT_TO_POINTER (number)))
    g_hash_table_insert (self->prefixes, GINT_TO_POINTER (number), dask_dup_name (name));
}

const char *
dask_scheduler_get_prefix (DaskScheduler *self, DaskCells *cells, guint i)
{
  gint64 number = dask_cells_get_count (cells, i);
  const char *name =
      number >= 0 && number < MAX_KEYS ? g_hash_table_lookup (self->prefixes, GINT_TO_POINTER (number)) : NULL;

  if (name == NULL && dask_cells_has (cells, i))
    cells->bad = TRUE;

  return name;
}

static void
add_phases (DaskScheduler *self, DaskCells *cells, guint i, const char *task, int attempt, gint64 base)
{
  Sheet *sheet = &self->sheet_phases;
  JsonArray *phases = dask_cells_get_array (cells, i);
  guint n = phases != NULL ? json_array_get_length (phases) : 0;

  for (guint k = 0; k < n; k++)
    {
      DaskCells list = { phases, FALSE };
      DaskCells phase = { dask_cells_get_array (&list, k), FALSE };
      gint64 started;

      if (phase.array == NULL)
        {
          cells->bad = TRUE;
          return;
        }
      started = base + dask_cells_get_int (&phase, 1);
      sheet_begin (sheet, self->source);
      sheet_set_text (sheet, PHASE_TASK, task);
      sheet_set_count (sheet, PHASE_ATTEMPT, attempt);
      sheet_set_text (sheet, PHASE_PHASE, dask_cells_get_text (&phase, 0));
      sheet_set_count (sheet, PHASE_STARTED, started);
      sheet_set_count (sheet, PHASE_ENDED, started + dask_cells_get_int (&phase, 2));
      sheet_end (sheet);
      cells->bad |= phase.bad;
    }
}

static int
count_attempt (DaskScheduler *self, const char *task)
{
  int attempt = GPOINTER_TO_INT (g_hash_table_lookup (self->attempts, task)) + 1;

  g_hash_table_insert (self->attempts, g_strdup (task), GINT_TO_POINTER (attempt));

  return attempt;
}

/* [key, prefix, worker, start - base, duration (µs), nbytes, error, [[phase, start - base, duration], …]] */
static void
on_task (DaskScheduler *self, DaskCells *cells, gint64 base)
{
  Sheet *sheet = &self->sheet_tasks;
  const char *task = dask_cells_get_text (cells, 0);
  const char *prefix = dask_scheduler_get_prefix (self, cells, 1);
  const char *error = dask_cells_get_text (cells, 6);
  Worker *worker = dask_cells_has (cells, 2) ? dask_scheduler_get_worker (self, cells, 2) : NULL;
  int attempt;

  if (task == NULL)
    {
      cells->bad = TRUE;
      return;
    }
  if (self->n_tasks >= self->max_tasks)
    {
      self->tasks_left_out++;
      return;
    }
  self->n_tasks++;
  attempt = count_attempt (self, task);
  sheet_begin (sheet, self->source);
  sheet_set_text (sheet, TASK_TASK, task);
  sheet_set_count (sheet, TASK_ATTEMPT, attempt);
  sheet_set_text (sheet, TASK_PREFIX, prefix);
  sheet_set_text (sheet, TASK_WORKER, worker != NULL ? worker->name : NULL);
  if (dask_cells_has (cells, 3) && dask_cells_has (cells, 4))
    {
      gint64 started = base + dask_cells_get_int (cells, 3);

      sheet_set_count (sheet, TASK_STARTED, started);
      sheet_set_count (sheet, TASK_ENDED, started + dask_cells_get_int (cells, 4));
    }
  sheet_set_text (sheet, TASK_STATUS, error != NULL ? "failed" : "done");
  sheet_set_text (sheet, TASK_ERROR, error);
  sheet_set_count (sheet, TASK_BYTES_OUT, dask_cells_get_count (cells, 5));
  sheet_end (sheet);
  add_phases (self, cells, 7, task, attempt, base);
}

void
dask_scheduler_take_tasks (DaskScheduler *self, JsonObject *object)
{
  JsonArray *rows = dask_member_array (object, "tasks");
  double base = dask_member_number (object, "base");
  guint n = rows != NULL ? json_array_get_length (rows) : 0;
  DaskCells list = { rows, FALSE };

  for (guint i = 0; i < n; i++)
    {
      DaskCells cells = { dask_cells_get_array (&list, i), isnan (base) || fabs (base) > 1e17 };

      if (cells.array != NULL && !cells.bad)
        on_task (self, &cells, (gint64) base);
      if (cells.array == NULL || cells.bad)
        dask_scheduler_note_bad (self, "tasks");
    }
}

/* [prefix, state, n] */
void
dask_scheduler_on_state (DaskScheduler *self, DaskCells *cells)
{
  Sheet *sheet = &self->sheet_states;

  sheet_begin (sheet, self->source);
  sheet_set_count (sheet, STATE_TIME, self->now);
  sheet_set_text (sheet, STATE_PREFIX, dask_scheduler_get_prefix (self, cells, 0));
  sheet_set_text (sheet, STATE_STATE, dask_cells_get_text (cells, 1));
  sheet_set_count (sheet, STATE_TASKS, dask_cells_get_count (cells, 2));
  sheet_end (sheet);
}
