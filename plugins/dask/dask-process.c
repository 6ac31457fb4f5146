/* SPDX-License-Identifier: BSD-3-Clause */
#include "dask-process.h"

#include <math.h>

#include "dask-row.h"
#include "partial-sum.h"

const char *const dask_process_columns[] = { "worker",    "memory_peak",  "child_memory_peak", "started",
                                             "workers",   "scheduler",    "missing",           "before",
                                             "computing", "clock_offset", "clock_uncertainty", NULL };

void
dask_process_init (DaskProcess *self)
{
  *self = (DaskProcess) {
    .memory_peak = -1,
    .child_memory_peak = -1,
    .memory_peak_before = -1,
    .child_memory_peak_before = -1,
    .started = -1,
    .workers = -1,
    .computing = -1,
    .clock_offset = NAN,
    .clock_uncertainty = NAN,
    .cpu = NAN,
  };
}

void
dask_process_clear (DaskProcess *self)
{
  g_clear_pointer (&self->missing, g_free);
}

gboolean
dask_process_take (DaskProcess *self, RoastWireReader *row, gint64 clock_offset, GError **error)
{
  gboolean is_before = roast_wire_reader_get_boolean (row, DASK_PROCESS_BEFORE);
  gint64 peak = roast_wire_reader_get_count (row, DASK_PROCESS_MEMORY_PEAK);
  gint64 child_peak = roast_wire_reader_get_count (row, DASK_PROCESS_CHILD_MEMORY_PEAK);
  gint64 workers = roast_wire_reader_get_count (row, DASK_PROCESS_WORKERS);
  gboolean is_shared = roast_wire_reader_get_boolean (row, DASK_PROCESS_SCHEDULER);
  const char *missing = roast_wire_reader_get_string (row, DASK_PROCESS_MISSING);
  gint64 computing = roast_wire_reader_get_count (row, DASK_PROCESS_COMPUTING);
  gint64 started;

  if (!dask_row_get_time (row, DASK_PROCESS_STARTED, clock_offset, &started, error) ||
      !roast_wire_reader_check_row (row, error))
    return FALSE;
  self->memory_peak = MAX (self->memory_peak, peak);
  self->child_memory_peak = MAX (self->child_memory_peak, child_peak);
  self->workers = MAX (self->workers, workers);
  self->computing = computing;
  self->is_shared |= is_shared;
  self->clock_offset = roast_wire_reader_get_double (row, DASK_PROCESS_CLOCK_OFFSET);
  self->clock_uncertainty = roast_wire_reader_get_double (row, DASK_PROCESS_CLOCK_UNCERTAINTY);
  if (started >= 0)
    self->started = started;
  g_free (self->missing);
  self->missing = g_strdup (missing);
  if (is_before)
    {
      self->is_older = TRUE;
      self->memory_peak_before = peak;
      self->child_memory_peak_before = child_peak;
    }

  return TRUE;
}

void
dask_process_add_cpu (DaskProcess *self, double seconds)
{
  partial_sum_add (&self->cpu, seconds);
}

/* ---- the row ---- */

static gboolean
is_common (const DaskProcess *self)
{
  return self->is_shared || self->workers > 1;
}

/* Returns whether a peak of memory is exact, an upper bound, or a lower bound. If the process is older than the
 * measurement, the peak is only an upper bound, unless it rose after roast began to read. */
static guint
get_bound (const DaskProcess *self, gint64 peak, gint64 before, double tail)
{
  if (is_common (self) || (self->is_older && (before < 0 || peak <= before)))
    return ROAST_BOUND_AT_MOST;

  return tail > 0 || self->computing > 0 ? ROAST_BOUND_AT_LEAST : ROAST_BOUND_EXACT;
}

/* Returns an upper bound if a child process used no more memory than its parent, because between fork and exec, the
 * kernel counts the memory of the parent for the child, too. */
static guint
get_child_bound (const DaskProcess *self, double tail)
{
  if (self->memory_peak < 0 || self->child_memory_peak <= self->memory_peak)
    return ROAST_BOUND_AT_MOST;

  return get_bound (self, self->child_memory_peak, self->child_memory_peak_before, tail);
}

static void G_GNUC_PRINTF (2, 3) add_sentence (GString *text, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_string_append (text, text->len > 0 ? "; " : "");
  g_string_append_vprintf (text, format, arguments);
  va_end (arguments);
}

static char *
dup_missing (const DaskProcess *self, double tail)
{
  g_autoptr (GString) text = g_string_new (self->missing);

  if (is_common (self))
    add_sentence (text,
                  "the worker's process is shared by %" G_GINT64_FORMAT
                  " worker(s)%s: memory is the total of the process, and CPU time outside tasks is counted for one "
                  "worker only",
                  MAX (self->workers, 1), self->is_shared ? ", the scheduler and the program" : "");
  if (tail > 0)
    add_sentence (text, "no data about the last %.1f s of the worker", tail);
  if (self->computing > 0)
    add_sentence (text,
                  "%" G_GINT64_FORMAT " of the worker's tasks still computed when it sent its last data: CPU time and "
                  "memory used after that are not counted",
                  self->computing);
  if (self->is_older && self->memory_peak >= 0 && self->memory_peak <= self->memory_peak_before)
    add_sentence (text, "the worker's peak memory dates from before the measurement");
  if (isnan (self->cpu))
    add_sentence (text, "the CPU time of the worker's process did not arrive");

  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

void
dask_process_write (const DaskProcess *self, RoastTableWriter *writer, double tail)
{
  g_autofree char *missing = dup_missing (self, tail);

  roast_table_writer_set_count (writer, ROAST_WORKERS_STARTED, self->started);
  roast_table_writer_set_double (writer, ROAST_WORKERS_CPU, self->cpu);
  roast_table_writer_set_double (writer, ROAST_WORKERS_CLOCK_OFFSET, self->clock_offset);
  roast_table_writer_set_double (writer, ROAST_WORKERS_CLOCK_UNCERTAINTY, self->clock_uncertainty);
  roast_table_writer_set_count (writer, ROAST_WORKERS_PROCESS_WORKERS, self->workers);
  roast_table_writer_set_string (writer, ROAST_WORKERS_MISSING, missing);
  if (self->computing > 0)
    roast_table_writer_set_int64 (writer, ROAST_WORKERS_COMPUTING, self->computing);
  if (self->memory_peak >= 0)
    {
      roast_table_writer_set_count (writer, ROAST_WORKERS_MEMORY_PEAK, self->memory_peak);
      roast_table_writer_set_word (writer, ROAST_WORKERS_MEMORY_PEAK_BOUND,
                                   get_bound (self, self->memory_peak, self->memory_peak_before, tail));
    }
  if (self->child_memory_peak >= 0)
    {
      roast_table_writer_set_count (writer, ROAST_WORKERS_CHILD_MEMORY_PEAK, self->child_memory_peak);
      roast_table_writer_set_word (writer, ROAST_WORKERS_CHILD_MEMORY_PEAK_BOUND, get_child_bound (self, tail));
    }
}
