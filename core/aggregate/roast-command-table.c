/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-command-table-private.h"

#include <math.h>

#include "roast/roast-table.h"

typedef struct
{
  const char *command;
  guint64 processes;                           /* 0 if not known */
  double user, system, run_queue, memory_peak; /* NaN where nothing is known */
} Command;

static double
cpu_of (const Command *command)
{
  return (isnan (command->user) ? 0 : command->user) + (isnan (command->system) ? 0 : command->system);
}

static int
compare_commands (const Command **a, const Command **b)
{
  double x = cpu_of (*a);
  double y = cpu_of (*b);

  if (x != y)
    return x > y ? -1 : 1;

  return g_strcmp0 ((*a)->command, (*b)->command);
}

static void
add_if (double *to, double value)
{
  if (!isnan (value))
    *to = isnan (*to) ? value : *to + value;
}

static Command *
get_command (GHashTable *commands, const char *name)
{
  Command *command = g_hash_table_lookup (commands, name);

  if (command == NULL)
    {
      command = g_new (Command, 1);
      *command = (Command) { name, 0, NAN, NAN, NAN, NAN };
      g_hash_table_insert (commands, (char *) name, command);
    }

  return command;
}

static RoastTable *
new_table (void)
{
  RoastTable *table = roast_table_new ("per_command", ROAST_TABLE_KIND_LOG, "What processes of each name used together");

  roast_table_add_column (table, "command", ROAST_COLUMN_TYPE_CATEGORY, NULL, "name", NULL);
  roast_table_add_column (table, "processes", ROAST_COLUMN_TYPE_INT64, NULL, "processes of that name; missing if not known",
                          NULL);
  roast_table_add_column (table, "cpu_user", ROAST_COLUMN_TYPE_DOUBLE, "s", "CPU time in user mode", NULL);
  roast_table_add_column (table, "cpu_system", ROAST_COLUMN_TYPE_DOUBLE, "s", "CPU time in the kernel", NULL);
  roast_table_add_column (table, "cpu_share", ROAST_COLUMN_TYPE_DOUBLE, "ratio", "its share of all CPU time", NULL);
  roast_table_add_column (table, "run_queue", ROAST_COLUMN_TYPE_DOUBLE, "s", "time waited for a core", NULL);
  roast_table_add_column (table, "memory_peak", ROAST_COLUMN_TYPE_INT64, "B", "highest resident memory of one of them",
                          NULL);

  return table;
}

static void
write_command (RoastTable *table, RoastRow *row, const Command *command, double total)
{
  roast_row_clear (row);
  roast_row_set_string (row, 0, command->command);
  if (command->processes > 0)
    roast_row_set_int64 (row, 1, (gint64) command->processes);
  roast_row_set_double (row, 2, command->user);
  roast_row_set_double (row, 3, command->system);
  if (total > 0 && !isnan (command->user))
    roast_row_set_double (row, 4, cpu_of (command) / total);
  roast_row_set_double (row, 5, command->run_queue);
  if (!isnan (command->memory_peak))
    roast_row_set_int64 (row, 6, (gint64) command->memory_peak);
  roast_table_append (table, row, NULL);
}

static void
write_commands (GHashTable *commands, RoastReport *report)
{
  g_autoptr (RoastTable) table = new_table ();
  g_autoptr (RoastRow) row = roast_row_new (table);
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer value = NULL;
  double total = 0;

  g_hash_table_iter_init (&iter, commands);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      g_ptr_array_add (sorted, value);
      total += cpu_of (value);
    }
  g_ptr_array_sort (sorted, (GCompareFunc) compare_commands);
  for (guint i = 0; i < sorted->len; i++)
    write_command (table, row, g_ptr_array_index (sorted, i), total);
  roast_report_add_table (report, table);
}

/* Of processes that came and went between two samples the name is not always known. */
static const char *
get_name (RoastTableSnapshot *processes, guint64 row, guint command, guint origin)
{
  const char *name = roast_table_snapshot_get_string (processes, row, command);

  if (name != NULL && *name != '\0')
    return name;
  if (g_strcmp0 (roast_table_snapshot_get_string (processes, row, origin), "unreaped") == 0)
    return "(nobody waited for)";

  return "(too short to be seen)";
}

void
roast_command_table_add (RoastTableSnapshot *processes, RoastReport *report)
{
  static const char *const names[] = { "command",    "origin",    "count",      "cpu_user",
                                       "cpu_system", "run_queue", "memory_peak" };
  g_autoptr (GHashTable) commands = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  guint64 n_rows = roast_table_snapshot_get_n_rows (processes);
  guint column[G_N_ELEMENTS (names)];

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    column[i] = (guint) roast_table_snapshot_find_column (processes, names[i]);
  for (guint64 row = 0; row < n_rows; row++)
    {
      Command *command = get_command (commands, get_name (processes, row, column[0], column[1]));
      double peak = roast_table_snapshot_get_double (processes, row, column[6]);

      command->processes += (guint64) roast_table_snapshot_get_int64 (processes, row, column[2]);
      add_if (&command->user, roast_table_snapshot_get_double (processes, row, column[3]));
      add_if (&command->system, roast_table_snapshot_get_double (processes, row, column[4]));
      add_if (&command->run_queue, roast_table_snapshot_get_double (processes, row, column[5]));
      if (!isnan (peak))
        command->memory_peak = isnan (command->memory_peak) ? peak : MAX (command->memory_peak, peak);
    }
  write_commands (commands, report);
}
