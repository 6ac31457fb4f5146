/* SPDX-License-Identifier: BSD-3-Clause */

/* Find numbers that are too low or count twice because a process or a worker was lost. A chunk whose process dies has
 * no row. */

#include "workload-lost.h"

#include "workload-tables.h"

/* Period in which a call had no result yet. */
typedef struct
{
  gint64 started, ended;
} Window;

typedef struct
{
  gint64 broken;     /* calls from which no result came back */
  gint64 tasks_lost; /* tasks on workers that left while a call was under way */
  GArray *windows;   /* elements are Window */
  GHashTable *pids;  /* processes that made a call or processed a chunk */
} Calls;

static Calls
read_calls (RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) table =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_PROCESSING, roast_processing_columns, NULL);
  Calls calls = { .windows = g_array_new (FALSE, FALSE, sizeof (Window)), .pids = g_hash_table_new (NULL, NULL) };

  while (roast_table_reader_next (table))
    {
      Window window = { roast_table_reader_get_int64 (table, ROAST_PROCESSING_STARTED, 0),
                        roast_table_reader_get_int64 (table, ROAST_PROCESSING_ENDED, G_MAXINT64) };

      if (roast_table_reader_get_word (table, ROAST_PROCESSING_KIND) != ROAST_PROCESSING_KIND_PROCESSING)
        continue;
      calls.broken += roast_table_reader_get_boolean (table, ROAST_PROCESSING_CONFIRMED) ? 0 : 1;
      calls.tasks_lost += roast_table_reader_get_int64 (table, ROAST_PROCESSING_TASKS_LOST, 0);
      g_hash_table_add (calls.pids,
                        GINT_TO_POINTER ((int) roast_table_reader_get_int64 (table, ROAST_PROCESSING_PID, 0)));
      g_array_append_val (calls.windows, window);
    }

  return calls;
}

static void
add_processes_of_chunks (GHashTable *pids, RoastRecordingSnapshot *recording)
{
  g_autoptr (CellCursor) chunks =
      cell_cursor_new (roast_recording_snapshot_read_table (recording, ROAST_TABLE_CHUNKS, roast_chunks_columns, NULL));
  gint64 last = 0;

  while (cell_cursor_next (chunks))
    {
      gint64 pid = cell_cursor_get_int64 (chunks, ROAST_CHUNKS_PID, 0);

      if (pid != last)
        g_hash_table_add (pids, GINT_TO_POINTER ((int) pid));
      last = pid;
    }
}

/* Return the commands of these processes. A process that was killed in its first chunk has no chunk, but the same
 * command. */
static GHashTable *
find_commands (RoastRecordingSnapshot *recording, GHashTable *pids)
{
  g_autoptr (RoastTableReader) table =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_PROCESSES, roast_processes_columns, NULL);
  GHashTable *commands = g_hash_table_new (NULL, NULL);

  while (roast_table_reader_next (table))
    {
      int pid = (int) roast_table_reader_get_int64 (table, ROAST_PROCESSES_PID, 0);

      if (pid > 0 && g_hash_table_contains (pids, GINT_TO_POINTER (pid)))
        g_hash_table_add (commands, GINT_TO_POINTER (roast_table_reader_get_code (table, ROAST_PROCESSES_COMMAND)));
    }

  return commands;
}

static gboolean
is_within (GArray *windows, gint64 time)
{
  for (guint i = 0; i < windows->len; i++)
    {
      const Window *window = &g_array_index (windows, Window, i);

      if (window->started <= time && time <= window->ended)
        return TRUE;
    }

  return FALSE;
}

/* Count processes of this machine that may have been processing a chunk when a signal ended them. */
static gint64
count_killed (RoastRecordingSnapshot *recording, const Calls *calls)
{
  g_autoptr (RoastTableReader) table =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_PROCESSES, roast_processes_columns, NULL);
  g_autoptr (GHashTable) commands = NULL;
  gint64 n = 0;

  while (roast_table_reader_next (table))
    if (roast_table_reader_has (table, ROAST_PROCESSES_SIGNAL) &&
        (!roast_table_reader_has (table, ROAST_PROCESSES_ENDED) ||
         is_within (calls->windows, roast_table_reader_get_int64 (table, ROAST_PROCESSES_ENDED, 0))))
      {
        if (commands == NULL)
          {
            add_processes_of_chunks (calls->pids, recording);
            commands = find_commands (recording, calls->pids);
          }
        n += g_hash_table_contains (commands,
                                    GINT_TO_POINTER (roast_table_reader_get_code (table, ROAST_PROCESSES_COMMAND)));
      }

  return n;
}

static gint64
count_lost_attempts (RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) tasks =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_TASKS, roast_tasks_columns, NULL);
  gint64 n = 0;

  while (roast_table_reader_next (tasks))
    {
      int status = roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS);

      n += status == ROAST_STATUS_LOST || status == ROAST_STATUS_KILLED_WORKER;
    }

  return n;
}

static char *
describe (const Calls *calls, RoastRecordingSnapshot *recording)
{
  gint64 lost = count_lost_attempts (recording);
  gint64 killed = 0;

  if (calls->broken > 0)
    return g_strdup_printf ("at least: attempts that were under way when %s without a result may be missing",
                            calls->broken == 1 ? "a call ended" : "calls ended");
  if (lost > 0)
    return g_strdup_printf ("at least: %" G_GINT64_FORMAT " %s lost with a worker, and may not have been reported",
                            lost, lost == 1 ? "attempt was" : "attempts were");
  killed = calls->windows->len > 0 ? count_killed (recording, calls) : 0;
  if (killed > 0)
    return g_strdup_printf ("at least: a signal ended %" G_GINT64_FORMAT
                            " %s of the analysis; the attempts at chunks that were under way there are missing",
                            killed, killed == 1 ? "process" : "processes");
  if (calls->tasks_lost > 0)
    return g_strdup_printf ("at least: workers were lost with %" G_GINT64_FORMAT
                            " %s; attempts at chunks that were under way there are missing",
                            calls->tasks_lost, calls->tasks_lost == 1 ? "task" : "tasks");

  return NULL;
}

char *
workload_dup_doubt_of_waste (RoastRecordingSnapshot *recording)
{
  Calls calls = read_calls (recording);
  char *doubt = describe (&calls, recording);

  g_array_unref (calls.windows);
  g_hash_table_unref (calls.pids);

  return doubt;
}

/* ---- repeated calls ---- */

/* Return the processes that ended before @time. */
static GHashTable *
find_gone (RoastRecordingSnapshot *recording, gint64 time)
{
  g_autoptr (RoastTableReader) table =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_PROCESSES, roast_processes_columns, NULL);
  GHashTable *gone = g_hash_table_new (NULL, NULL);

  while (roast_table_reader_next (table))
    if (roast_table_reader_get_int64 (table, ROAST_PROCESSES_ENDED, G_MAXINT64) < time)
      g_hash_table_add (gone, GINT_TO_POINTER ((int) roast_table_reader_get_int64 (table, ROAST_PROCESSES_PID, 0)));

  return gone;
}

/* Count superseded calls whose result may have been used. If the process of a call is gone while calls go on, the
 * result is lost, and the executor executes the task again. If the process lives on, the same task may have been
 * submitted twice, and both results used. */
static gint64
count_unsure (RoastRecordingSnapshot *recording, GHashTable *superseded, gint64 last)
{
  g_autoptr (GHashTable) gone = find_gone (recording, last);
  GHashTableIter iter;
  gpointer pid, calls;
  gint64 n = 0;

  g_hash_table_iter_init (&iter, superseded);
  while (g_hash_table_iter_next (&iter, &pid, &calls))
    n += g_hash_table_contains (gone, pid) ? 0 : GPOINTER_TO_INT (calls);

  return n;
}

char *
workload_dup_doubt_of_calls (RoastRecordingSnapshot *recording, ChunkVerdicts *verdicts)
{
  g_autoptr (RoastTableReader) calls =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_PROCESSING, roast_processing_columns, NULL);
  g_autoptr (GHashTable) superseded = g_hash_table_new (NULL, NULL); /* process to number of calls */
  gint64 last = 0;
  gint64 n = 0;

  while (roast_table_reader_next (calls))
    {
      gpointer pid = GINT_TO_POINTER ((int) roast_table_reader_get_int64 (calls, ROAST_PROCESSING_PID, 0));

      last = MAX (last, roast_table_reader_get_int64 (calls, ROAST_PROCESSING_ENDED, 0));
      if (roast_table_reader_get_boolean (calls, ROAST_PROCESSING_CONFIRMED) &&
          chunk_verdicts_is_superseded (verdicts, roast_table_reader_get_string (calls, ROAST_PROCESSING_CALL)))
        g_hash_table_insert (superseded, pid,
                             GINT_TO_POINTER (GPOINTER_TO_INT (g_hash_table_lookup (superseded, pid)) + 1));
    }
  n = g_hash_table_size (superseded) > 0 ? count_unsure (recording, superseded, last) : 0;
  if (n == 0)
    return NULL;

  return g_strdup_printf ("%" G_GINT64_FORMAT " %s not counted, because the same %s executed again", n,
                          n == 1 ? "call is" : "calls are", n == 1 ? "task was" : "tasks were");
}
