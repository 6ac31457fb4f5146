/* SPDX-License-Identifier: BSD-3-Clause */
#include "dask-tasks.h"

#include "dask-row.h"

/* Extra columns of the attempt table in the wire protocol. They follow the columns of the table tasks. */
enum
{
  TASK_DURATION = ROAST_TASKS_N_COLUMNS,
  TASK_AGAIN,
};

const char *const dask_task_columns[] = { "duration", "again", NULL };

/* Columns with times relative to the time of the row. */
static const guint times[] = { ROAST_TASKS_SUBMITTED, ROAST_TASKS_READY, ROAST_TASKS_DISPATCHED, ROAST_TASKS_DELIVERED,
                               ROAST_TASKS_NOTICED };

enum
{
  PHASE_STARTED,
  PHASE_DURATION,
};
const char *const dask_phase_columns[] = { "started", "duration", NULL };

static const guint open_times[] = { ROAST_TASKS_SUBMITTED, ROAST_TASKS_READY, ROAST_TASKS_DISPATCHED };

/* A task that is waiting or running. Its strings belong to the categories and workers. */
typedef struct
{
  const char *category, *span, *worker;
  gint64 times[G_N_ELEMENTS (open_times)];
  gint64 started; /* start that the worker reported; not exact before the task has ended */
} Open;

struct _DaskTasks
{
  DaskWorkers *workers;
  DaskCategories *categories;
  guint64 max_tasks, n_tasks;
  GHashTable *attempts; /* maps the key of a task to the number of its attempts so far */
  GHashTable *open;     /* maps the key of a task to its Open */
  GHashTable *running;  /* maps the key of a task to the number of its running attempt, if this attempt has a row */
  char *last;           /* key of the task in the previous row, or NULL */
  int last_attempt;
  RoastTableWriter *writer, *phases;
};

DaskTasks *
dask_tasks_new (RoastRecording *recording, const char *source, DaskWorkers *workers, DaskCategories *categories,
                guint64 max_tasks)
{
  DaskTasks *self = g_new0 (DaskTasks, 1);

  self->workers = workers;
  self->categories = categories;
  self->max_tasks = max_tasks;
  self->attempts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->open = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->running = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->writer = roast_tasks_write (recording, source);
  self->phases = roast_task_phases_write (recording, source);

  return self;
}

void
dask_tasks_free (DaskTasks *self)
{
  g_hash_table_unref (self->attempts);
  g_hash_table_unref (self->open);
  g_hash_table_unref (self->running);
  g_clear_object (&self->writer);
  g_clear_object (&self->phases);
  g_free (self->last);
  g_free (self);
}

static int
get_next_attempt (DaskTasks *self, const char *task)
{
  return GPOINTER_TO_INT (g_hash_table_lookup (self->attempts, task)) + 1;
}

static int
count_attempt (DaskTasks *self, const char *task)
{
  int attempt = get_next_attempt (self, task);

  g_hash_table_remove (self->running, task);
  g_hash_table_insert (self->attempts, g_strdup (task), GINT_TO_POINTER (attempt));

  return attempt;
}

/* Read a start time, relative to the time of the row, and a duration. Both are missing for a task that raised an
 * exception before it started. */
static gboolean
read_times (RoastWireReader *row, guint start, guint duration, gint64 now, gint64 *started, gint64 *ended,
            GError **error)
{
  *started = *ended = -1;

  return !roast_wire_reader_has (row, start) || !roast_wire_reader_has (row, duration) ||
         (dask_row_get_time_after (row, start, now, started, error) &&
          dask_row_get_time_after (row, duration, *started, ended, error));
}

static gboolean
copy_times (DaskTasks *self, RoastWireReader *row, gint64 now, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      gint64 time;

      if (!dask_row_get_time_after (row, times[i], now, &time, error))
        {
          roast_table_writer_clear (self->writer);
          return FALSE;
        }
      roast_table_writer_set_count (self->writer, times[i], time);
    }

  return TRUE;
}

/* Read the status of an attempt. The cell is empty if the task is done. */
static gboolean
read_status (RoastWireReader *row, guint *status, GError **error)
{
  const char *word = roast_wire_reader_get_string (row, ROAST_TASKS_STATUS);

  *status = ROAST_STATUS_DONE;

  return word == NULL || dask_categories_parse_status (word, status, error);
}

static gboolean
write_attempt (DaskTasks *self, RoastWireReader *row, const char *category, const char *worker, gint64 started,
               gint64 ended, guint status, GError **error)
{
  RoastTableWriter *writer = self->writer;

  roast_table_writer_set_string (writer, ROAST_TASKS_TASK, self->last);
  roast_table_writer_set_int64 (writer, ROAST_TASKS_ATTEMPT, self->last_attempt);
  roast_table_writer_set_string (writer, ROAST_TASKS_CATEGORY, category);
  roast_table_writer_set_string (writer, ROAST_TASKS_SPAN,
                                 dask_categories_get_span (self->categories, row, ROAST_TASKS_CATEGORY));
  roast_table_writer_set_string (writer, ROAST_TASKS_WORKER, worker);
  roast_table_writer_set_count (writer, ROAST_TASKS_STARTED, started);
  roast_table_writer_set_count (writer, ROAST_TASKS_ENDED, ended);
  roast_table_writer_set_word (writer, ROAST_TASKS_STATUS, status);
  roast_table_writer_set_string (writer, ROAST_TASKS_ERROR, roast_wire_reader_get_string (row, ROAST_TASKS_ERROR));
  roast_table_writer_set_string (writer, ROAST_TASKS_MESSAGE, roast_wire_reader_get_string (row, ROAST_TASKS_MESSAGE));
  roast_table_writer_set_double (writer, ROAST_TASKS_CPU, roast_wire_reader_get_double (row, ROAST_TASKS_CPU));
  roast_table_writer_set_count (writer, ROAST_TASKS_BYTES_OUT,
                                roast_wire_reader_get_count (row, ROAST_TASKS_BYTES_OUT));
  roast_table_writer_set_count (writer, ROAST_TASKS_N_INPUTS, roast_wire_reader_get_count (row, ROAST_TASKS_N_INPUTS));

  return dask_row_close (row, writer, error);
}

gboolean
dask_tasks_take (DaskTasks *self, RoastWireReader *row, gint64 now, GError **error)
{
  const char *task = NULL;
  const char *worker = NULL;
  const char *category = NULL;
  gint64 started, ended;
  gboolean has_row = self->n_tasks < self->max_tasks;
  guint status;

  dask_tasks_break (self);
  if (!dask_row_get_name (row, ROAST_TASKS_TASK, &task, error) ||
      !dask_categories_find (self->categories, row, ROAST_TASKS_CATEGORY, &category, error) ||
      (roast_wire_reader_has (row, ROAST_TASKS_WORKER) &&
       !dask_workers_find (self->workers, row, ROAST_TASKS_WORKER, &worker, error)) ||
      !read_times (row, ROAST_TASKS_STARTED, TASK_DURATION, now, &started, &ended, error) ||
      !read_status (row, &status, error))
    return FALSE;
  g_hash_table_remove (self->open, task);
  if (has_row)
    {
      self->last = g_strdup (task);
      self->last_attempt = count_attempt (self, task);
    }
  if (has_row ? !copy_times (self, row, now, error) ||
                    !write_attempt (self, row, category, worker, started, ended, status, error)
              : !roast_wire_reader_check_row (row, error))
    return FALSE;
  self->n_tasks++;
  dask_categories_count (self->categories, row, ROAST_TASKS_CATEGORY, status,
                         roast_wire_reader_get_boolean (row, TASK_AGAIN));

  return TRUE;
}

gboolean
dask_tasks_take_phase (DaskTasks *self, RoastWireReader *row, gint64 now, GError **error)
{
  gint64 started, ended;

  if (self->last == NULL)
    return TRUE;
  if (!read_times (row, PHASE_STARTED, PHASE_DURATION, now, &started, &ended, error))
    return FALSE;
  roast_table_writer_set_string (self->phases, ROAST_TASK_PHASES_TASK, self->last);
  roast_table_writer_set_int64 (self->phases, ROAST_TASK_PHASES_ATTEMPT, self->last_attempt);
  roast_table_writer_set_word (self->phases, ROAST_TASK_PHASES_PHASE, ROAST_PHASE_STAGE_IN);
  roast_table_writer_set_count (self->phases, ROAST_TASK_PHASES_STARTED, started);
  roast_table_writer_set_count (self->phases, ROAST_TASK_PHASES_ENDED, ended);

  return dask_row_end (row, self->phases, error);
}

static void
set_open (DaskTasks *self, const char *task, int attempt, const Open *open)
{
  roast_table_writer_set_string (self->writer, ROAST_TASKS_TASK, task);
  roast_table_writer_set_int64 (self->writer, ROAST_TASKS_ATTEMPT, attempt);
  roast_table_writer_set_string (self->writer, ROAST_TASKS_CATEGORY, open->category);
  roast_table_writer_set_string (self->writer, ROAST_TASKS_SPAN, open->span);
  roast_table_writer_set_string (self->writer, ROAST_TASKS_WORKER, open->worker);
  for (guint i = 0; i < G_N_ELEMENTS (open_times); i++)
    roast_table_writer_set_count (self->writer, open_times[i], open->times[i]);
}

static void
write_running (DaskTasks *self, const char *task, const Open *open)
{
  int attempt = get_next_attempt (self, task);

  if (open->worker == NULL || open->started < 0 || self->n_tasks >= self->max_tasks ||
      g_hash_table_size (self->running) >= self->max_tasks ||
      GPOINTER_TO_INT (g_hash_table_lookup (self->running, task)) == attempt)
    return;
  set_open (self, task, attempt, open);
  roast_table_writer_set_int64 (self->writer, ROAST_TASKS_RUNNING_SINCE, open->started);
  roast_table_writer_end (self->writer, NULL);
  g_hash_table_insert (self->running, g_strdup (task), GINT_TO_POINTER (attempt));
}

gboolean
dask_tasks_take_open (DaskTasks *self, RoastWireReader *row, gint64 now, GError **error)
{
  g_autofree Open *open = g_new0 (Open, 1);
  const char *task = NULL;

  if (!roast_wire_reader_has (row, ROAST_TASKS_TASK))
    {
      g_hash_table_remove_all (self->open);
      return roast_wire_reader_check_row (row, error);
    }
  if (!dask_row_get_name (row, ROAST_TASKS_TASK, &task, error) ||
      !dask_categories_find (self->categories, row, ROAST_TASKS_CATEGORY, &open->category, error) ||
      (roast_wire_reader_has (row, ROAST_TASKS_WORKER) &&
       !dask_workers_find (self->workers, row, ROAST_TASKS_WORKER, &open->worker, error)))
    return FALSE;
  open->span = dask_categories_get_span (self->categories, row, ROAST_TASKS_CATEGORY);
  for (guint i = 0; i < G_N_ELEMENTS (open_times); i++)
    if (!dask_row_get_time_after (row, open_times[i], now, &open->times[i], error))
      return FALSE;
  if (!dask_row_get_time_after (row, ROAST_TASKS_STARTED, now, &open->started, error) ||
      !roast_wire_reader_check_row (row, error))
    return FALSE;
  write_running (self, task, open);
  if (g_hash_table_size (self->open) < self->max_tasks)
    g_hash_table_replace (self->open, g_strdup (task), g_steal_pointer (&open));

  return TRUE;
}

static void
write_open (DaskTasks *self, const char *task, const Open *open, guint status)
{
  set_open (self, task, count_attempt (self, task), open);
  roast_table_writer_set_count (self->writer, ROAST_TASKS_STARTED, open->started);
  roast_table_writer_set_word (self->writer, ROAST_TASKS_STATUS, status);
  roast_table_writer_close (self->writer, NULL);
}

/* Write tasks in the order of their keys, so that the same lines always give the same rows. */
void
dask_tasks_finish (DaskTasks *self, guint waiting)
{
  g_autoptr (GList) tasks = g_list_sort (g_hash_table_get_keys (self->open), (GCompareFunc) g_strcmp0);

  for (GList *task = tasks; task != NULL && self->n_tasks < self->max_tasks; task = task->next, self->n_tasks++)
    {
      const Open *open = g_hash_table_lookup (self->open, task->data);

      write_open (self, task->data, open, open->worker != NULL ? ROAST_STATUS_RUNNING : waiting);
    }
}

void
dask_tasks_break (DaskTasks *self)
{
  g_clear_pointer (&self->last, g_free);
}

guint64
dask_tasks_get_left_out (DaskTasks *self)
{
  return self->n_tasks > self->max_tasks ? self->n_tasks - self->max_tasks : 0;
}
