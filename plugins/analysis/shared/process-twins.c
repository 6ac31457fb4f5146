/* SPDX-License-Identifier: BSD-3-Clause */
#include "process-twins.h"

#include <math.h>

/* Process ids are reused, and other machines have the same ones: only the start identifies a process. Both sides
 * compute the start from the same count of 10 ms ticks. */
#define SAME_START 20000 /* largest difference between equal starts, in µs */

#define UNKNOWN -1 /* missing number, time or code */

/* Processes that share one row. */
typedef struct
{
  gint64 parent;       /* number of the parent process; -1 if unknown */
  const char *command; /* NULL if unknown; owned by the recording's snapshot */
  double cpu;
} Rest;

struct _ProcessTwins
{
  GHashTable *by_pid; /* pid to GArray of ProcessTwin */
  GArray *rests;      /* elements are Rest */

  /* parents and commands of the processes found so far that are known from samples */
  GHashTable *parents, *commands;
};

/* Return a process id as a hash key. */
static gpointer
get_pid (RoastTableReader *table, guint slot)
{
  return GINT_TO_POINTER ((int) roast_table_reader_get_int64 (table, slot, UNKNOWN));
}

static void
add_pids (ProcessTwins *self, RoastTableReader *workers)
{
  while (roast_table_reader_next (workers))
    if (roast_table_reader_has (workers, ROAST_WORKERS_PID))
      g_hash_table_insert (self->by_pid, get_pid (workers, ROAST_WORKERS_PID),
                           g_array_new (FALSE, FALSE, sizeof (ProcessTwin)));
}

static gint64
get_parent (RoastTableReader *processes)
{
  return roast_table_reader_get_int64 (processes, ROAST_PROCESSES_PARENT, UNKNOWN);
}

static double
get_cpu (RoastTableReader *processes)
{
  return roast_table_reader_get_double (processes, ROAST_PROCESSES_CPU_USER) +
         roast_table_reader_get_double (processes, ROAST_PROCESSES_CPU_SYSTEM);
}

static void
add_rest (ProcessTwins *self, RoastTableReader *processes)
{
  Rest rest = { get_parent (processes), roast_table_reader_get_string (processes, ROAST_PROCESSES_COMMAND),
                get_cpu (processes) };

  if (isfinite (rest.cpu))
    g_array_append_val (self->rests, rest);
}

static void
add_processes (ProcessTwins *self, RoastTableReader *processes)
{
  while (roast_table_reader_next (processes))
    {
      int origin = roast_table_reader_get_word (processes, ROAST_PROCESSES_ORIGIN);
      GArray *twins = g_hash_table_lookup (self->by_pid, get_pid (processes, ROAST_PROCESSES_PID));
      ProcessTwin twin = {
        .started = roast_table_reader_get_int64 (processes, ROAST_PROCESSES_STARTED, UNKNOWN),
        .cpu = get_cpu (processes),
        .queue = roast_table_reader_get_double (processes, ROAST_PROCESSES_RUN_QUEUE),
        .is_final = origin == ROAST_PROCESS_ORIGIN_EXACT,
        .memory_peak = roast_table_reader_get_int64 (processes, ROAST_PROCESSES_MEMORY_PEAK, UNKNOWN),
        .memory_bound = roast_table_reader_get_word (processes, ROAST_PROCESSES_MEMORY_PEAK_BOUND),
        .exit_code = roast_table_reader_get_int64 (processes, ROAST_PROCESSES_EXIT_CODE, UNKNOWN),
        .signal = roast_table_reader_get_int64 (processes, ROAST_PROCESSES_SIGNAL, UNKNOWN),
        .parent = get_parent (processes),
        .command = roast_table_reader_get_string (processes, ROAST_PROCESSES_COMMAND),
      };

      if (origin == ROAST_PROCESS_ORIGIN_FOLDED || origin == ROAST_PROCESS_ORIGIN_SHARED)
        add_rest (self, processes);
      if (twins != NULL && twin.started != UNKNOWN)
        g_array_append_val (twins, twin);
    }
}

ProcessTwins *
process_twins_new (RoastRecordingSnapshot *recording)
{
  ProcessTwins *self = g_new0 (ProcessTwins, 1);
  g_autoptr (RoastTableReader) workers =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_WORKERS, roast_workers_columns, NULL);
  g_autoptr (RoastTableReader) processes =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_PROCESSES, roast_processes_columns, NULL);

  self->by_pid = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  self->rests = g_array_new (FALSE, FALSE, sizeof (Rest));
  self->parents = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->commands = g_hash_table_new (g_str_hash, g_str_equal);
  add_pids (self, workers);
  if (g_hash_table_size (self->by_pid) > 0)
    add_processes (self, processes);

  return self;
}

void
process_twins_free (ProcessTwins *self)
{
  g_hash_table_unref (self->by_pid);
  g_array_unref (self->rests);
  g_hash_table_unref (self->parents);
  g_hash_table_unref (self->commands);
  g_free (self);
}

static const ProcessTwin *
note_found (ProcessTwins *self, const ProcessTwin *twin)
{
  if (!twin->is_final && twin->parent != UNKNOWN)
    g_hash_table_add (self->parents, g_memdup2 (&twin->parent, sizeof twin->parent));
  if (!twin->is_final && twin->command != NULL)
    g_hash_table_add (self->commands, (gpointer) twin->command);

  return twin;
}

const ProcessTwin *
process_twins_find (ProcessTwins *self, RoastTableReader *workers, guint start)
{
  gint64 started = roast_table_reader_get_int64 (workers, start, UNKNOWN);
  GArray *twins = started != UNKNOWN ? g_hash_table_lookup (self->by_pid, get_pid (workers, ROAST_WORKERS_PID)) : NULL;

  for (guint i = 0; twins != NULL && i < twins->len; i++)
    {
      const ProcessTwin *twin = &g_array_index (twins, ProcessTwin, i);

      if (ABS (twin->started - started) <= SAME_START)
        return note_found (self, twin);
    }

  return NULL;
}

/* perf events tell the names of processes with unknown parents. */
static gboolean
may_contain (const Rest *rest, ProcessTwins *self)
{
  if (rest->parent != UNKNOWN)
    return g_hash_table_contains (self->parents, &rest->parent);

  return rest->command == NULL || g_hash_table_contains (self->commands, rest->command);
}

double
process_twins_sum_rest (ProcessTwins *self)
{
  double sum = 0;

  for (guint i = 0; g_hash_table_size (self->parents) > 0 && i < self->rests->len; i++)
    {
      const Rest *rest = &g_array_index (self->rests, Rest, i);

      sum += may_contain (rest, self) ? rest->cpu : 0;
    }

  return sum;
}
