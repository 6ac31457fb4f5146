/* SPDX-License-Identifier: BSD-3-Clause */

/* Write the table per_command: for each name, the totals of its processes, sorted by CPU time. The kernel provides one
 * exact sum for all processes that were too short-lived to be observed. If perf is available, the supervisor writes the
 * share of each name in this sum. */

#include <math.h>

#include "order.h"
#include "partial-sum.h"
#include "process-peak.h"
#include "process-tree.h"
#include "processes-tables.h"

typedef struct
{
  const char *name;
  gint64 processes;             /* 0 if unknown */
  double user, system, unsplit; /* NaN if unknown */
  double run_queue;             /* NaN if unknown */
  double shared;                /* estimated part of user and system: the shares of this name in the kernel's sum */
  ProcessPeak peak;
} Command;

static double
process_commands_get_cpu (const Command *command)
{
  double cpu = 0;

  partial_sum_add (&cpu, command->user);
  partial_sum_add (&cpu, command->system);
  partial_sum_add (&cpu, command->unsplit);

  return cpu;
}

static int
process_commands_compare (const Command **a, const Command **b)
{
  return order_rows (process_commands_get_cpu (*a), process_commands_get_cpu (*b), (*a)->name, (*b)->name);
}

/* Return the name of a process, or a text that says why the name is unknown. The name may be unknown if the process
 * started and ended between two samples. */
static const char *
get_name (RoastTableReader *processes)
{
  const char *name = roast_table_reader_get_string (processes, ROAST_PROCESSES_COMMAND);

  if (name != NULL && *name != '\0')
    return name;

  return roast_table_reader_get_word (processes, ROAST_PROCESSES_ORIGIN) == ROAST_PROCESS_ORIGIN_UNREAPED
             ? "(never reaped)"
             : "(too short-lived to observe)";
}

/* Return whether a row has neither a name nor CPU time. Such a row contains only page faults of processes whose CPU
 * time is in other rows. */
static gboolean
is_empty (RoastTableReader *processes)
{
  return roast_table_reader_get_string (processes, ROAST_PROCESSES_COMMAND) == NULL &&
         !roast_table_reader_has (processes, ROAST_PROCESSES_COUNT) &&
         roast_table_reader_get_double (processes, ROAST_PROCESSES_CPU_USER) +
                 roast_table_reader_get_double (processes, ROAST_PROCESSES_CPU_SYSTEM) ==
             0;
}

static Command *
get_command (GHashTable *commands, const char *name)
{
  Command *command = g_hash_table_lookup (commands, name);

  if (command == NULL)
    {
      command = g_new (Command, 1);
      *command = (Command) { name, 0, NAN, NAN, NAN, NAN, NAN, PROCESS_PEAK_NONE };
      g_hash_table_insert (commands, (char *) name, command);
    }

  return command;
}

static GHashTable *
process_commands_collect (RoastTableReader *processes)
{
  GHashTable *commands = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);

  while (roast_table_reader_next (processes))
    {
      Command *command = NULL;

      if (is_empty (processes))
        continue;
      command = get_command (commands, get_name (processes));
      command->processes += roast_table_reader_get_int64 (processes, ROAST_PROCESSES_COUNT, 0);
      partial_sum_add (&command->user, roast_table_reader_get_double (processes, ROAST_PROCESSES_CPU_USER));
      partial_sum_add (&command->system, roast_table_reader_get_double (processes, ROAST_PROCESSES_CPU_SYSTEM));
      partial_sum_add (&command->unsplit, roast_table_reader_get_double (processes, ROAST_PROCESSES_CPU_UNSPLIT));
      if (roast_table_reader_get_word (processes, ROAST_PROCESSES_ORIGIN) == ROAST_PROCESS_ORIGIN_SHARED)
        {
          partial_sum_add (&command->shared, roast_table_reader_get_double (processes, ROAST_PROCESSES_CPU_USER));
          partial_sum_add (&command->shared, roast_table_reader_get_double (processes, ROAST_PROCESSES_CPU_SYSTEM));
        }
      partial_sum_add (&command->run_queue, roast_table_reader_get_double (processes, ROAST_PROCESSES_RUN_QUEUE));
      process_peak_add (&command->peak, processes);
    }

  return commands;
}

static void
write_command (RoastTableWriter *table, const Command *command, double total)
{
  gint64 peak;
  guint bound;

  roast_table_writer_set_string (table, ROAST_PER_COMMAND_COMMAND, command->name);
  if (command->processes > 0)
    roast_table_writer_set_int64 (table, ROAST_PER_COMMAND_PROCESSES, command->processes);
  roast_table_writer_set_double (table, ROAST_PER_COMMAND_CPU_USER, command->user);
  roast_table_writer_set_double (table, ROAST_PER_COMMAND_CPU_SYSTEM, command->system);
  roast_table_writer_set_double (table, ROAST_PER_COMMAND_CPU_UNSPLIT, command->unsplit);
  /* 0 / 0 is NaN, which is written as a missing cell. */
  if (!isnan (command->user) || !isnan (command->unsplit))
    roast_table_writer_set_double (table, ROAST_PER_COMMAND_CPU_SHARE, process_commands_get_cpu (command) / total);
  roast_table_writer_set_double (table, ROAST_PER_COMMAND_CPU_SHARED, command->shared);
  roast_table_writer_set_double (table, ROAST_PER_COMMAND_RUN_QUEUE, command->run_queue);
  if (process_peak_get (&command->peak, &peak, &bound))
    {
      roast_table_writer_set_int64 (table, ROAST_PER_COMMAND_MEMORY_PEAK, peak);
      roast_table_writer_set_word (table, ROAST_PER_COMMAND_MEMORY_PEAK_BOUND, bound);
    }
  roast_table_writer_end (table, NULL);
}

void
process_tree_add_commands (ProcessTree *self)
{
  g_autoptr (GHashTable) commands = process_commands_collect (self->processes);
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  g_autoptr (RoastTableWriter) table = NULL;
  GHashTableIter iter;
  gpointer value = NULL;
  double total = 0;

  if (g_hash_table_size (commands) == 0)
    return;
  table = roast_per_command_write (self->report);
  g_hash_table_iter_init (&iter, commands);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      g_ptr_array_add (sorted, value);
      total += process_commands_get_cpu (value);
    }
  g_ptr_array_sort (sorted, (GCompareFunc) process_commands_compare);
  for (guint i = 0; i < sorted->len; i++)
    write_command (table, g_ptr_array_index (sorted, i), total);
}
