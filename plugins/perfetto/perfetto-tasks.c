/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes attempts as slices in slots of their workers. A recording does not say in which slot an attempt ran, so
 * attempts that overlap are distributed over as few slots as possible. */

#include "perfetto.h"

#include "task-phases.h"

struct _Tasks
{
  Export *export;
  RoastTableReader *table; /* the table tasks, or NULL */
  Lanes *lanes;
  gint64 first;
};

/* Start and end of an attempt's slice. G_MAXINT64 stands for the end of the recording. */
typedef struct
{
  gint64 from, to;
  gboolean holds; /* the attempt held its slot from its dispatch until its results were retrieved */
} Extent;

static const guint arguments[] = {
  ROAST_TASKS_TASK,        ROAST_TASKS_ATTEMPT,  ROAST_TASKS_STATUS,    ROAST_TASKS_EXIT_CODE,
  ROAST_TASKS_ERROR,       ROAST_TASKS_MESSAGE,  ROAST_TASKS_CPU,       ROAST_TASKS_CORES,
  ROAST_TASKS_MEMORY_PEAK, ROAST_TASKS_BYTES_IN, ROAST_TASKS_BYTES_OUT, ROAST_TASKS_SPAN,
};

/* Use the same times as the table core_time: an attempt with allocated cores holds these cores from its dispatch on. */
static gboolean
get_extent (RoastTableReader *table, Extent *extent)
{
  int status = roast_table_reader_get_word (table, ROAST_TASKS_STATUS);
  gint64 since = roast_table_reader_get_int64 (table, ROAST_TASKS_RUNNING_SINCE, -1);
  gint64 started = roast_table_reader_get_int64 (table, ROAST_TASKS_STARTED, since);
  gint64 ended = roast_table_reader_get_int64 (table, ROAST_TASKS_ENDED, -1);

  extent->holds = roast_table_reader_get_double (table, ROAST_TASKS_CORES_ALLOCATED) > 0;
  extent->from = started;
  extent->to = ended;
  if (extent->holds)
    {
      extent->from = roast_table_reader_get_int64 (table, ROAST_TASKS_DISPATCHED, started);
      extent->to = MAX (ended, roast_table_reader_get_int64 (table, ROAST_TASKS_RETRIEVED, -1));
    }
  if (extent->to < 0)
    extent->to = roast_table_reader_get_int64 (table, ROAST_TASKS_NOTICED, -1);
  if (extent->to < 0 && (status < 0 || status == ROAST_STATUS_UNFINISHED || status == ROAST_STATUS_RUNNING))
    extent->to = G_MAXINT64;

  return trace_is_interval (extent->from, extent->to);
}

Tasks *
tasks_new (Export *export)
{
  Tasks *self = g_new0 (Tasks, 1);
  Extent extent;

  self->export = export;
  self->lanes = lanes_new ();
  self->first = G_MAXINT64;
  self->table = roast_tasks_read (export->recording);
  while (roast_table_reader_next (self->table))
    {
      gboolean is_drawn = get_extent (self->table, &extent);
      int status = roast_table_reader_get_word (self->table, ROAST_TASKS_STATUS);

      /* Do not count attempts that never ran as left out, because they have no times. */
      if (!is_drawn && status != ROAST_STATUS_NEVER_RAN && status != ROAST_STATUS_WAITING)
        export_leave_out (export, ROAST_TABLE_TASKS);
      lanes_add (self->lanes,
                 is_drawn ? workers_find (export->workers, self->table, ROAST_TASKS_SOURCE, ROAST_TASKS_WORKER)
                          : LANES_NONE,
                 extent.from, extent.to);
      if (is_drawn)
        self->first = MIN (self->first, extent.from);
    }
  lanes_pack (self->lanes);
  roast_table_reader_rewind (self->table);

  return self;
}

void
tasks_free (Tasks *self)
{
  g_clear_object (&self->table);
  lanes_free (self->lanes);
  g_free (self);
}

gint64
tasks_get_first (const Tasks *self)
{
  return self->first;
}

/* ---- writing ---- */

/* Write the phases of an attempt during which it was in its slot. They do not overlap. Do not write the phase execute:
 * it is the part of the slice that no other phase covers. */
static void
write_phases (Tasks *self, const Extent *extent, guint64 track)
{
  Trace *trace = self->export->trace;
  gint64 last = extent->from;

  for (guint phase = ROAST_PHASE_INPUT; phase <= ROAST_PHASE_OUTPUT; phase++)
    {
      gint64 from = roast_table_reader_get_int64 (self->table, task_phases[phase].from, -1);
      gint64 to = roast_table_reader_get_int64 (self->table, task_phases[phase].to, -1);

      if (phase == ROAST_PHASE_EXECUTE || from < last || to <= from || to > extent->to)
        continue;
      trace_begin_whole_slice (trace, from, to, track, trace_get_text (trace, TRACE_NAME, roast_phase_words[phase]),
                               trace_get_text (trace, TRACE_CATEGORY, "phase"));
      trace_end_event (trace);
      last = to;
    }
}

/* Returns whether the cell has the same value for almost all tasks, so that it can be left out. */
static gboolean
is_usual (RoastTableReader *table, guint slot)
{
  return (slot == ROAST_TASKS_ATTEMPT && roast_table_reader_get_int64 (table, slot, 1) == 1) ||
         (slot == ROAST_TASKS_EXIT_CODE && roast_table_reader_get_int64 (table, slot, 0) == 0);
}

static void
write_task (Tasks *self, const Extent *extent, guint64 track)
{
  Trace *trace = self->export->trace;
  RoastTableReader *table = self->table;
  const char *named = roast_table_reader_get_string (table, ROAST_TASKS_CATEGORY);
  guint name = trace_get_text (trace, TRACE_NAME, named != NULL ? named : "task");
  guint category = trace_get_text (trace, TRACE_CATEGORY, named != NULL ? named : "task");
  /* Write a slice of length zero as two events, because Perfetto would draw a single event inside the slice that ends
   * at the same time. */
  gboolean is_whole = extent->to > extent->from && extent->to != G_MAXINT64;

  if (is_whole)
    trace_begin_whole_slice (trace, extent->from, extent->to, track, name, category);
  else
    trace_begin_slice (trace, extent->from, track, name, category);
  for (guint i = 0; i < G_N_ELEMENTS (arguments); i++)
    if (!is_usual (table, arguments[i]))
      export_put_cell (self->export, table, arguments[i]);
  trace_end_event (trace);
  if (extent->holds)
    write_phases (self, extent, track);
  if (!is_whole && extent->to != G_MAXINT64)
    trace_end_slice (trace, extent->to, track);
}

void
tasks_write (Tasks *self, Details *details)
{
  Export *export = self->export;
  Extent extent;

  for (gsize i = 0; roast_table_reader_next (self->table) && !trace_has_failed (export->trace); i++)
    {
      guint lane = lanes_get (self->lanes, i), worker;
      guint64 track;

      if (lane == LANES_NONE)
        continue;
      get_extent (self->table, &extent);
      worker = workers_find (export->workers, self->table, ROAST_TASKS_SOURCE, ROAST_TASKS_WORKER);
      track = workers_get_slot (export->workers, worker, lane);
      write_task (self, &extent, track);
      if (!details_is_empty (details))
        details_add_place (details, self->table, worker, track,
                           roast_table_reader_get_int64 (self->table, ROAST_TASKS_STARTED, extent.from),
                           roast_table_reader_get_int64 (self->table, ROAST_TASKS_ENDED, extent.to));
    }
}
