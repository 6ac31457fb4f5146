/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-replay.h"

#include <math.h>

#define MAX_MIB 8e9

static void
set_id (RoastTableWriter *writer, guint slot, gint64 task)
{
  char id[24];

  roast_table_writer_set_text (writer, slot, id, (gsize) g_snprintf (id, sizeof id, "%" G_GINT64_FORMAT, task));
}

static const char *
get_worker (const VineAttempt *attempt)
{
  return attempt->worker != NULL ? attempt->worker->id : NULL;
}

static void
set_times (RoastTableWriter *writer, const VineAttempt *attempt)
{
  gint64 ended = attempt->ended;

  /* Use the time when the cores became free as the end of an attempt without a result. Its start is unknown. */
  if (!vine_is_known (ended) && attempt->status != ROAST_STATUS_UNFINISHED && attempt->status != ROAST_STATUS_RUNNING)
    ended = attempt->held_until;
  roast_table_writer_set_count (writer, ROAST_TASKS_SUBMITTED, attempt->submitted);
  roast_table_writer_set_count (writer, ROAST_TASKS_DISPATCHED, attempt->dispatched);
  roast_table_writer_set_count (writer, ROAST_TASKS_DELIVERED, attempt->delivered);
  roast_table_writer_set_count (writer, ROAST_TASKS_STARTED, attempt->started);
  roast_table_writer_set_count (writer, ROAST_TASKS_ENDED, ended);
  roast_table_writer_set_count (writer, ROAST_TASKS_NOTICED, attempt->noticed);
  roast_table_writer_set_count (writer, ROAST_TASKS_FETCHED, attempt->fetched);
  roast_table_writer_set_count (writer, ROAST_TASKS_RETRIEVED, attempt->retrieved);
  roast_table_writer_set_count (writer, ROAST_TASKS_RETURNED, attempt->returned);
}

static const char *
get_error (const VineAttempt *attempt)
{
  if (attempt->result == NULL)
    return attempt->reason;
  if (!g_str_equal (attempt->result, "SUCCESS"))
    return attempt->result;

  return attempt->exit_code != 0 ? "exit code" : NULL;
}

static void
task_rows_set_bytes (RoastTableWriter *writer, guint slot, double mib)
{
  if (mib >= 0 && mib < MAX_MIB)
    roast_table_writer_set_int64 (writer, slot, llround (mib * (1 << 20)));
}

static void
set_amounts (RoastTableWriter *writer, const VineAttempt *attempt)
{
  roast_table_writer_set_double (writer, ROAST_TASKS_CORES_REQUESTED, attempt->requested.cores);
  task_rows_set_bytes (writer, ROAST_TASKS_MEMORY_REQUESTED, attempt->requested.memory);
  task_rows_set_bytes (writer, ROAST_TASKS_DISK_REQUESTED, attempt->requested.disk);
  roast_table_writer_set_double (writer, ROAST_TASKS_GPUS_REQUESTED, attempt->requested.gpus);
  roast_table_writer_set_double (writer, ROAST_TASKS_CORES_ALLOCATED, attempt->allocated.cores);
  task_rows_set_bytes (writer, ROAST_TASKS_MEMORY_ALLOCATED, attempt->allocated.memory);
  task_rows_set_bytes (writer, ROAST_TASKS_DISK_ALLOCATED, attempt->allocated.disk);
  roast_table_writer_set_double (writer, ROAST_TASKS_GPUS_ALLOCATED, attempt->allocated.gpus);
  roast_table_writer_set_double (writer, ROAST_TASKS_CORES_USED, attempt->cores_used);
  roast_table_writer_set_double (writer, ROAST_TASKS_GPUS_USED, attempt->gpus_used);
}

/* Return whether the attempt may be running. Until its worker reports the end of the attempt, it is unknown whether the
 * attempt has ended. */
static gboolean
is_running (const VineAttempt *attempt)
{
  return vine_is_known (attempt->delivered) && !vine_is_known (attempt->noticed) && !vine_is_known (attempt->ended);
}

static void
set_attempt (VineReplay *self, const VineAttempt *attempt)
{
  RoastTableWriter *writer = self->task_rows;

  set_id (writer, ROAST_TASKS_TASK, attempt->id);
  roast_table_writer_set_count (writer, ROAST_TASKS_ATTEMPT, attempt->number);
  roast_table_writer_set_string (writer, ROAST_TASKS_CATEGORY, attempt->category->name);
  roast_table_writer_set_string (writer, ROAST_TASKS_SPAN, attempt->span);
  roast_table_writer_set_string (writer, ROAST_TASKS_WORKER, get_worker (attempt));
}

void
vine_task_rows_tell (VineReplay *self, const VineAttempt *attempt)
{
  if (self->options.tasks->n >= self->options.tasks->max)
    return;
  set_attempt (self, attempt);
  roast_table_writer_set_count (self->task_rows, ROAST_TASKS_SUBMITTED, attempt->submitted);
  roast_table_writer_set_count (self->task_rows, ROAST_TASKS_DISPATCHED, attempt->dispatched);
  roast_table_writer_set_count (self->task_rows, ROAST_TASKS_DELIVERED, attempt->delivered);
  roast_table_writer_set_count (self->task_rows, ROAST_TASKS_RUNNING_SINCE, attempt->delivered);
  roast_table_writer_end (self->task_rows, NULL);
}

static void
write_task (VineReplay *self, const VineAttempt *attempt)
{
  RoastTableWriter *writer = self->task_rows;
  gboolean has_no_end = attempt->status == ROAST_STATUS_RUNNING || attempt->status == ROAST_STATUS_UNFINISHED;

  if (self->options.tasks->n >= self->options.tasks->max)
    {
      self->counts.tasks.left_out++;
      return;
    }
  self->options.tasks->n++;
  set_attempt (self, attempt);
  set_times (writer, attempt);
  if (attempt->repeats > 0)
    set_id (writer, ROAST_TASKS_REPEATS, attempt->repeats);
  if (has_no_end && is_running (attempt))
    roast_table_writer_set_count (writer, ROAST_TASKS_RUNNING_SINCE, attempt->delivered);
  roast_table_writer_set_word (writer, ROAST_TASKS_STATUS, attempt->status);
  roast_table_writer_set_count (writer, ROAST_TASKS_EXIT_CODE, attempt->exit_code);
  roast_table_writer_set_string (writer, ROAST_TASKS_ERROR, get_error (attempt));
  roast_table_writer_set_double (writer, ROAST_TASKS_CPU, attempt->cpu);
  roast_table_writer_set_double (writer, ROAST_TASKS_CORES,
                                 attempt->cores == 0 && !attempt->is_call ? 1 : attempt->cores);
  set_amounts (writer, attempt);
  roast_table_writer_set_count (writer, ROAST_TASKS_MEMORY_PEAK, attempt->memory_peak);
  roast_table_writer_set_count (writer, ROAST_TASKS_DISK_PEAK, attempt->disk_peak);
  roast_table_writer_set_count (writer, ROAST_TASKS_BYTES_IN, attempt->bytes_in);
  roast_table_writer_set_count (writer, ROAST_TASKS_BYTES_OUT, attempt->bytes_out);
  roast_table_writer_close (writer, NULL);
}

static void
write_library (VineReplay *self, const VineAttempt *attempt)
{
  RoastTableWriter *writer = self->libraries;
  const char *otherwise = attempt->status == ROAST_STATUS_UNFINISHED ? "running" : "worker left";

  set_id (writer, ROAST_LIBRARIES_LIBRARY, attempt->id);
  roast_table_writer_set_string (writer, ROAST_LIBRARIES_WORKER, get_worker (attempt));
  roast_table_writer_set_count (writer, ROAST_LIBRARIES_SENT, attempt->dispatched);
  roast_table_writer_set_count (writer, ROAST_LIBRARIES_READY, attempt->started);
  roast_table_writer_set_count (writer, ROAST_LIBRARIES_ENDED,
                                vine_is_known (attempt->held_until) ? attempt->held_until : attempt->retrieved);
  roast_table_writer_set_word (writer, ROAST_LIBRARIES_STATUS, attempt->status);
  roast_table_writer_set_string (writer, ROAST_LIBRARIES_RESULT, attempt->result != NULL ? attempt->result : otherwise);
  roast_table_writer_set_double (writer, ROAST_LIBRARIES_CORES, attempt->cores);
  roast_table_writer_set_count (writer, ROAST_LIBRARIES_CALLS, attempt->calls);
  roast_table_writer_close (writer, NULL);
}

void
vine_task_rows_write (VineReplay *self, const VineAttempt *attempt)
{
  if (attempt->is_library)
    write_library (self, attempt);
  else
    write_task (self, attempt);
}
