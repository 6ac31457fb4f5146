/* SPDX-License-Identifier: BSD-3-Clause */

/* Write the tables stretches and core_time. */

#include "core-time.h"

#define SHARED_OUT "measured over the life of each worker, and divided among the stretches"
#define SAMPLED "from samples"
#define NOT_COUNTED "includes time spent waiting for storage, which was not measured"
#define PERHAPS                                                                                                        \
  "includes attempts that ended without a result at a worker, although the worker may not have started them"

#define CANCELLED                                                                                                      \
  "the time of cancelled attempts is from the sums of their workers; when these attempts ran is estimated"

#define FORKED "a library may have become ready later than its worker reported"

/* ---- tables ---- */

static gboolean
has_stretch (const CoreSource *self, guint stretch)
{
  return self->bounds[stretch + 1] > self->bounds[stretch];
}

static void
write_stretches (RoastTableWriter *table, const CoreSource *self)
{
  for (guint i = 0; i < CORE_TIME_N_STRETCHES; i++)
    {
      if (!has_stretch (self, i))
        continue;
      roast_table_writer_set_string (table, ROAST_STRETCHES_SOURCE, self->name);
      roast_table_writer_set_word (table, ROAST_STRETCHES_NAME, i);
      roast_table_writer_set_int64 (table, ROAST_STRETCHES_STARTED, (gint64) self->bounds[i]);
      roast_table_writer_set_int64 (table, ROAST_STRETCHES_ENDED, (gint64) self->bounds[i + 1]);
      roast_table_writer_set_string (table, ROAST_STRETCHES_REASON, self->reasons[i]);
      roast_table_writer_end (table, NULL);
    }
}

static double
get_offered (const CoreSource *self, guint first, guint last)
{
  double offered = 0;

  for (guint i = first; i <= last; i++)
    for (guint part = 0; part < ROAST_CORE_PART_N_WORDS; part++)
      offered += self->parts[i][part];

  return offered;
}

/* Return the reason why the core time of a part is not exact; NULL if the core time is exact. */
static const char *
get_reason (const CoreSource *self, guint part)
{
  if (self->missing != NULL || self->rough != NULL)
    return self->missing != NULL ? self->missing : self->rough;
  if (self->is_tree)
    return part == ROAST_CORE_PART_TASK_CPU && has_stretch (self, ROAST_STRETCH_STEADY) &&
                   !has_stretch (self, ROAST_STRETCH_STARTUP) && !has_stretch (self, ROAST_STRETCH_SHUTDOWN)
               ? NULL
           : part == ROAST_CORE_PART_IDLE_NO_WORK ? NOT_COUNTED
                                                  : SAMPLED;
  if (!self->is_estimated[part])
    return NULL;

  if (part == ROAST_CORE_PART_LOST_CANCELLED && self->has_cancelled)
    return CANCELLED;
  if (part == ROAST_CORE_PART_LIBRARY_START || part == ROAST_CORE_PART_LIBRARY_IDLE)
    return FORKED;

  return part <= ROAST_CORE_PART_LOST_WORKER ? PERHAPS : SHARED_OUT;
}

typedef struct
{
  RoastTableWriter *table;
  const CoreSource *source;
  guint window, stretch;
  double offered;
} Rows;

static void
write_row (const Rows *self, guint part, const char *detail, double seconds)
{
  const char *reason = get_reason (self->source, part);

  if (!(seconds > 0))
    return;
  roast_table_writer_set_string (self->table, ROAST_CORE_TIME_SOURCE, self->source->name);
  roast_table_writer_set_word (self->table, ROAST_CORE_TIME_WINDOW, self->window);
  roast_table_writer_set_word (self->table, ROAST_CORE_TIME_STRETCH, self->stretch);
  roast_table_writer_set_word (self->table, ROAST_CORE_TIME_PART, part);
  roast_table_writer_set_string (self->table, ROAST_CORE_TIME_DETAIL, detail);
  roast_table_writer_set_double (self->table, ROAST_CORE_TIME_CORE_SECONDS, seconds);
  roast_table_writer_set_double (self->table, ROAST_CORE_TIME_SHARE, seconds / self->offered);
  roast_table_writer_set_word (self->table, ROAST_CORE_TIME_COMPLETE,
                               self->source->missing != NULL ? ROAST_COMPLETENESS_PARTIAL
                               : reason != NULL              ? ROAST_COMPLETENESS_ESTIMATED
                                                             : ROAST_COMPLETENESS_COMPLETE);
  roast_table_writer_set_string (self->table, ROAST_CORE_TIME_REASON, reason);
  roast_table_writer_end (self->table, NULL);
}

/* Divide the CPU time of a stretch among the commands, in proportion to their CPU time in the whole run. */
static void
write_commands (const Rows *self, double seconds)
{
  GArray *commands = self->source->commands;
  double all = 0;

  for (guint i = 0; i < commands->len; i++)
    all += g_array_index (commands, CoreCommand, i).seconds;
  FOR_EACH (const CoreCommand, command, commands)
    write_row (self, ROAST_CORE_PART_TASK_CPU, command->name, seconds * command->seconds / all);
}

static void
write_part (const Rows *self, guint part)
{
  double seconds = self->source->parts[self->stretch][part];
  double framework = part == ROAST_CORE_PART_TASK_UNSPLIT ? self->source->framework_unsplit[self->stretch] : 0;
  gboolean is_queue = self->source->is_tree && part == ROAST_CORE_PART_TASK_WAIT;

  if (self->source->is_tree && part == ROAST_CORE_PART_TASK_CPU)
    {
      write_commands (self, seconds);
      return;
    }
  write_row (self, part, is_queue ? "run queue" : NULL, seconds - framework);
  write_row (self, part, "framework", framework);
}

static void
write_window (RoastTableWriter *table, const CoreSource *self, guint window, guint first, guint last)
{
  Rows rows = { .table = table, .source = self, .window = window, .offered = get_offered (self, first, last) };

  for (rows.stretch = first; rows.stretch <= last; rows.stretch++)
    for (guint part = 0; part < ROAST_CORE_PART_N_WORDS; part++)
      write_part (&rows, part);
}

void
core_write_tables (RoastReport *report, GPtrArray *sources)
{
  g_autoptr (RoastTableWriter) stretches = roast_stretches_write (report);
  g_autoptr (RoastTableWriter) core_time = roast_core_time_write (report);

  FOR_EACH_POINTER (const CoreSource, self, sources)
    {
      write_stretches (stretches, self);
      write_window (core_time, self, ROAST_WINDOW_KIND_RUN, 0, CORE_TIME_N_STRETCHES - 1);
      write_window (core_time, self, ROAST_WINDOW_KIND_WORK, ROAST_STRETCH_RAMP, ROAST_STRETCH_TAIL);
    }
}
