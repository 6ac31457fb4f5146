/* SPDX-License-Identifier: BSD-3-Clause */

/* The process tree of the program: a track for each process, inside of that of its parent. */

#include "perfetto.h"

#define MOST_DEPTH 256 /* what is deeper is shown beside the tree */

typedef struct
{
  gint64 process, parent;
  guint64 track;    /* 0: none yet */
  gboolean is_open; /* its parents are being looked for: a loop ends here */
  char *name;
  guint64 source; /* track of its source */
} Process;

typedef struct
{
  Export *export;
  GArray *processes;     /* those that are drawn */
  GHashTable *by_number; /* "source\nnumber" → place + 1 */
} Tree;

static const guint arguments[] = {
  ROAST_PROCESSES_PID,         ROAST_PROCESSES_COMMAND_LINE, ROAST_PROCESSES_COUNT,       ROAST_PROCESSES_ORIGIN,
  ROAST_PROCESSES_EXIT_CODE,   ROAST_PROCESSES_SIGNAL,       ROAST_PROCESSES_CPU_USER,    ROAST_PROCESSES_CPU_SYSTEM,
  ROAST_PROCESSES_CPU_UNSPLIT, ROAST_PROCESSES_RUN_QUEUE,    ROAST_PROCESSES_MEMORY_PEAK, ROAST_PROCESSES_READ_CHARS,
  ROAST_PROCESSES_WRITE_CHARS, ROAST_PROCESSES_DISK_READ,    ROAST_PROCESSES_DISK_WRITE,
};

static void
clear_process (gpointer data)
{
  g_free (((Process *) data)->name);
}

static gboolean
get_times (RoastTableReader *table, gint64 *started, gint64 *ended)
{
  *started = roast_table_reader_get_int64 (table, ROAST_PROCESSES_STARTED, -1);
  *ended = roast_table_reader_get_int64 (table, ROAST_PROCESSES_ENDED, G_MAXINT64);

  return trace_is_time (*started) && *ended >= *started && (*ended == G_MAXINT64 || trace_is_time (*ended));
}

static char *
dup_key (guint64 source, gint64 number)
{
  return g_strdup_printf ("%" G_GUINT64_FORMAT " %" G_GINT64_FORMAT, source, number);
}

static void
read_process (Tree *self, RoastTableReader *table)
{
  Process process = { .process = roast_table_reader_get_int64 (table, ROAST_PROCESSES_PROCESS, 0) };
  const char *command = roast_table_reader_get_string (table, ROAST_PROCESSES_COMMAND);
  gint64 pid = roast_table_reader_get_int64 (table, ROAST_PROCESSES_PID, 0);
  gint64 started, ended;

  if (!get_times (table, &started, &ended))
    {
      export_leave_out (self->export, ROAST_TABLE_PROCESSES, 1);
      return;
    }
  process.source =
      workers_get_source (self->export->workers, roast_table_reader_get_string (table, ROAST_PROCESSES_SOURCE));
  process.parent = roast_table_reader_get_int64 (table, ROAST_PROCESSES_PARENT, process.process);
  process.name = pid > 0 ? g_strdup_printf ("%s [%" G_GINT64_FORMAT "]", command != NULL ? command : "process", pid)
                         : g_strdup (command != NULL ? command : "processes");
  g_array_append_val (self->processes, process);
  g_hash_table_insert (self->by_number, dup_key (process.source, process.process),
                       GUINT_TO_POINTER (self->processes->len));
}

static guint64
get_track (Tree *self, guint place, guint depth)
{
  Process *process = &g_array_index (self->processes, Process, place);
  g_autofree char *key = dup_key (process->source, process->parent);
  guint parent = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_number, key));
  guint64 around = process->source;

  if (process->track != 0)
    return process->track;
  process->is_open = TRUE;
  if (parent != 0 && depth < MOST_DEPTH && !g_array_index (self->processes, Process, parent - 1).is_open)
    around = get_track (self, parent - 1, depth + 1);
  process->is_open = FALSE;
  process->track = trace_add_track (self->export->trace, around, process->name);

  return process->track;
}

static void
write_process (Tree *self, RoastTableReader *table, guint64 track, TraceTexts *texts)
{
  Trace *trace = self->export->trace;
  guint name = trace_texts_get (&texts[G_N_ELEMENTS (arguments)], trace, TRACE_NAME, table, ROAST_PROCESSES_COMMAND);
  gint64 started, ended;

  get_times (table, &started, &ended);
  trace_begin_slice (trace, started, track, name != 0 ? name : trace_get_text (trace, TRACE_NAME, "process"),
                     trace_get_text (trace, TRACE_CATEGORY, "process"));
  export_put_cells (self->export, table, arguments, G_N_ELEMENTS (arguments), texts);
  trace_end_event (trace);
  if (ended != G_MAXINT64)
    trace_end_slice (trace, ended, track);
}

void
processes_write (Export *export)
{
  g_autoptr (RoastTableReader) table =
      roast_recording_snapshot_read_table (export->recording, ROAST_TABLE_PROCESSES, roast_processes_columns, NULL);
  TraceTexts texts[G_N_ELEMENTS (arguments) + 1] = { 0 };
  Tree self = { .export = export };
  gint64 started, ended;
  guint place = 0;

  self.processes = g_array_new (FALSE, FALSE, sizeof (Process));
  g_array_set_clear_func (self.processes, clear_process);
  self.by_number = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  while (roast_table_reader_next (table))
    read_process (&self, table);
  roast_table_reader_rewind (table);
  while (roast_table_reader_next (table) && !trace_has_failed (export->trace))
    if (get_times (table, &started, &ended))
      write_process (&self, table, get_track (&self, place++, 0), texts);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    trace_texts_clear (&texts[i]);
  g_hash_table_unref (self.by_number);
  g_array_unref (self.processes);
}
