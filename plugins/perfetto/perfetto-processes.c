/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes the process tree of the program. The track of each process is inside the track of its parent process. */

#include "perfetto-intervals.h"

#define MOST_DEPTH 256 /* maximum depth of the tree; processes at a larger depth are shown outside the tree */

typedef struct
{
  gint64 process, parent;
  guint64 track;    /* track of the process; 0 until it is in the trace */
  gboolean is_open; /* the tracks of its ancestors are being added; this detects cycles */
  char *name;
  guint64 source; /* id of the track of the source that the process belongs to */
} Process;

typedef struct
{
  GArray *processes;     /* elements are Process, one for each row of the table */
  GHashTable *by_number; /* maps "source number" to the index of the process, plus 1 */
} Tree;

static void
clear_process (gpointer data)
{
  g_free (((Process *) data)->name);
}

static char *
dup_key (guint64 source, gint64 number)
{
  return g_strdup_printf ("%" G_GUINT64_FORMAT " %" G_GINT64_FORMAT, source, number);
}

static void
read_process (Tree *self, Export *export, RoastTableReader *table)
{
  Process process = { .process = roast_table_reader_get_int64 (table, ROAST_PROCESSES_PROCESS, 0) };
  const char *command = roast_table_reader_get_string (table, ROAST_PROCESSES_COMMAND);
  gint64 pid = roast_table_reader_get_int64 (table, ROAST_PROCESSES_PID, 0);

  process.source = workers_get_source (export->workers, roast_table_reader_get_string (table, ROAST_PROCESSES_SOURCE));
  process.parent = roast_table_reader_get_int64 (table, ROAST_PROCESSES_PARENT, process.process);
  process.name = pid > 0 ? g_strdup_printf ("%s [%" G_GINT64_FORMAT "]", command != NULL ? command : "process", pid)
                         : g_strdup (command != NULL ? command : "processes");
  g_array_append_val (self->processes, process);
  g_hash_table_insert (self->by_number, dup_key (process.source, process.process),
                       GUINT_TO_POINTER (self->processes->len));
}

static guint64
processes_add_track (Tree *self, Trace *trace, guint place, guint depth)
{
  Process *process = &g_array_index (self->processes, Process, place);
  g_autofree char *key = dup_key (process->source, process->parent);
  guint parent = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_number, key));
  guint64 around = process->source;

  if (process->track != 0)
    return process->track;
  process->is_open = TRUE;
  if (parent != 0 && depth < MOST_DEPTH && !g_array_index (self->processes, Process, parent - 1).is_open)
    around = processes_add_track (self, trace, parent - 1, depth + 1);
  process->is_open = FALSE;
  process->track = trace_add_track (trace, around, process->name);

  return process->track;
}

static guint64
processes_place (Export *export, const IntervalKind *kind, LaneTracks *tracks, RoastTableReader *table, gsize row,
                 gpointer tree, guint *group)
{
  return processes_add_track (tree, export->trace, (guint) row, 0);
}

static const IntervalKind processes = {
  .table = ROAST_TABLE_PROCESSES,
  .columns = roast_processes_columns,
  .started = ROAST_PROCESSES_STARTED,
  .ended = ROAST_PROCESSES_ENDED,
  .missing = INTERVAL_IS_OPEN,
  .name = ROAST_PROCESSES_COMMAND,
  .category = "process",
  .arguments = { ROAST_PROCESSES_PID, ROAST_PROCESSES_COMMAND_LINE, ROAST_PROCESSES_COUNT, ROAST_PROCESSES_ORIGIN,
                 ROAST_PROCESSES_EXIT_CODE, ROAST_PROCESSES_SIGNAL, ROAST_PROCESSES_CPU_USER,
                 ROAST_PROCESSES_CPU_SYSTEM, ROAST_PROCESSES_CPU_UNSPLIT, ROAST_PROCESSES_RUN_QUEUE,
                 ROAST_PROCESSES_MEMORY_PEAK, ROAST_PROCESSES_READ_CHARS, ROAST_PROCESSES_WRITE_CHARS,
                 ROAST_PROCESSES_DISK_READ, ROAST_PROCESSES_DISK_WRITE, ARGUMENTS_END },
  .place = processes_place,
};

void
processes_write (Export *export)
{
  g_autoptr (RoastTableReader) table = roast_processes_read (export->recording);
  g_autoptr (GArray) rows = g_array_new (FALSE, TRUE, sizeof (Process));
  g_autoptr (GHashTable) by_number = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Tree tree = { rows, by_number };
  gint64 started, ended;

  g_array_set_clear_func (rows, clear_process);
  while (roast_table_reader_next (table))
    if (intervals_get_times (&processes, table, &started, &ended))
      read_process (&tree, export, table);
    else
      g_array_set_size (rows, rows->len + 1);
  intervals_write (export, &processes, &tree);
}
