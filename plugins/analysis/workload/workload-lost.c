/* SPDX-License-Identifier: BSD-3-Clause */

/* Find out whether a lost process or worker makes numbers too low, or makes chunks count twice. If the process of a
 * chunk dies, the chunk has no row. */

#include "workload-lost.h"

#include <math.h>

#include "workload-tables.h"

typedef struct
{
  gint64 broken;     /* calls that returned no result */
  gint64 tasks_lost; /* tasks that were lost because their worker left while a call was under way */
  guint n;           /* calls that process chunks */
  RoastRunModel *model;
  GHashTable *pids; /* set of PIDs of the processes that made a call or processed a chunk */
} Calls;

static Calls
lost_read_calls (RoastRecordingSnapshot *recording)
{
  Calls self = { .model = roast_run_model_get (recording), .pids = g_hash_table_new (NULL, NULL) };
  guint n;
  const RoastRunCall *calls = roast_run_model_get_calls (self.model, &n);

  for (guint i = 0; i < n; i++)
    if (calls[i].kind == ROAST_PROCESSING_KIND_PROCESSING)
      {
        self.n++;
        self.broken += calls[i].is_confirmed ? 0 : 1;
        self.tasks_lost += calls[i].tasks_lost;
        g_hash_table_add (self.pids, GINT_TO_POINTER ((int) calls[i].pid));
      }

  return self;
}

static void
add_processes_of_chunks (GHashTable *pids, RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) chunks = roast_chunks_read (recording);
  gint64 last = 0;

  while (roast_table_reader_next (chunks))
    {
      gint64 pid = roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_PID, 0);

      if (pid != last)
        g_hash_table_add (pids, GINT_TO_POINTER ((int) pid));
      last = pid;
    }
}

/* Return the codes of the commands that the processes in @pids ran. They also identify a process that was killed during
 * its first chunk: it is not in @pids, but it ran the same command. */
static GHashTable *
find_commands (RoastRecordingSnapshot *recording, GHashTable *pids)
{
  g_autoptr (RoastTableReader) table = roast_processes_read (recording);
  GHashTable *commands = g_hash_table_new (NULL, NULL);

  while (roast_table_reader_next (table))
    {
      int pid = (int) roast_table_reader_get_int64 (table, ROAST_PROCESSES_PID, 0);

      if (pid > 0 && g_hash_table_contains (pids, GINT_TO_POINTER (pid)))
        g_hash_table_add (commands, GINT_TO_POINTER (roast_table_reader_get_code (table, ROAST_PROCESSES_COMMAND)));
    }

  return commands;
}

/* Return whether a call that processes chunks was under way at @time. */
static gboolean
is_within (const Calls *self, double time)
{
  guint n;
  const RoastRunCall *calls = roast_run_model_get_calls (self->model, &n);

  for (guint i = 0; i < n; i++)
    if (calls[i].kind == ROAST_PROCESSING_KIND_PROCESSING && !(calls[i].started > time) && !(calls[i].ended < time))
      return TRUE;

  return FALSE;
}

/* Count the processes on this machine that may have been processing a chunk when they died by a signal. */
static gint64
count_killed (RoastRecordingSnapshot *recording, const Calls *calls)
{
  g_autoptr (RoastTableReader) table = roast_processes_read (recording);
  g_autoptr (GHashTable) commands = NULL;
  gint64 n = 0;

  while (roast_table_reader_next (table))
    if (roast_table_reader_has (table, ROAST_PROCESSES_SIGNAL) &&
        (!roast_table_reader_has (table, ROAST_PROCESSES_ENDED) ||
         is_within (calls, roast_table_reader_get_double (table, ROAST_PROCESSES_ENDED))))
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
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (recording);
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
    return g_strdup_printf ("a lower bound: attempts that were under way when %s without a result may be missing",
                            calls->broken == 1 ? "a call ended" : "calls ended");
  if (lost > 0)
    return g_strdup_printf ("a lower bound: %" G_GINT64_FORMAT " %s lost with a worker, and may not have been reported",
                            lost, lost == 1 ? "attempt was" : "attempts were");
  killed = calls->n > 0 ? count_killed (recording, calls) : 0;
  if (killed > 0)
    return g_strdup_printf ("a lower bound: a signal ended %" G_GINT64_FORMAT
                            " %s of the analysis; the attempts at chunks that were under way in these processes are "
                            "missing",
                            killed, killed == 1 ? "process" : "processes");
  if (calls->tasks_lost > 0)
    return g_strdup_printf ("a lower bound: workers were lost with %" G_GINT64_FORMAT
                            " %s; the attempts at chunks that were under way in these tasks are missing",
                            calls->tasks_lost, calls->tasks_lost == 1 ? "task" : "tasks");

  return NULL;
}

char *
workload_dup_doubt_of_waste (RoastRecordingSnapshot *recording)
{
  Calls calls = lost_read_calls (recording);
  char *doubt = describe (&calls, recording);

  g_hash_table_unref (calls.pids);

  return doubt;
}

/* ---- repeated calls ---- */

/* Return the set of PIDs of the processes that ended before @time, and of workers that left before. The end of a killed
 * process may be noticed later than its executor replaced it. */
static GHashTable *
find_gone (RoastRecordingSnapshot *recording, gint64 time)
{
  g_autoptr (RoastTableReader) processes = roast_processes_read (recording);
  g_autoptr (RoastTableReader) workers = roast_workers_read (recording);
  GHashTable *gone = g_hash_table_new (NULL, NULL);

  while (roast_table_reader_next (processes))
    if (roast_table_reader_get_int64 (processes, ROAST_PROCESSES_ENDED, G_MAXINT64) < time)
      g_hash_table_add (gone, GINT_TO_POINTER ((int) roast_table_reader_get_int64 (processes, ROAST_PROCESSES_PID, 0)));
  while (roast_table_reader_next (workers))
    if (roast_table_reader_get_int64 (workers, ROAST_WORKERS_LEFT, G_MAXINT64) < time &&
        roast_table_reader_get_int64 (workers, ROAST_WORKERS_PROCESS_WORKERS, 1) == 1)
      g_hash_table_add (gone, GINT_TO_POINTER ((int) roast_table_reader_get_int64 (workers, ROAST_WORKERS_PID, 0)));

  return gone;
}

/* Count superseded calls whose result may have been used. If the worker process that made a call was gone before the
 * last call ended, its result is lost: the executor then executed the task again. If the process was still there, the
 * program may have submitted the task twice and used both results. */
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
workload_dup_doubt_of_calls (RoastRecordingSnapshot *recording)
{
  g_autoptr (GHashTable) superseded = g_hash_table_new (NULL, NULL); /* maps a PID to its number of superseded calls */
  gint64 last = 0;
  gint64 n = 0;
  guint n_calls;
  const RoastRunCall *calls = roast_run_model_get_calls (roast_run_model_get (recording), &n_calls);

  for (guint i = 0; i < n_calls; i++)
    {
      gpointer pid = GINT_TO_POINTER ((int) calls[i].pid);

      last = MAX (last, isnan (calls[i].ended) ? 0 : (gint64) calls[i].ended);
      if (calls[i].is_confirmed && calls[i].is_superseded)
        g_hash_table_insert (superseded, pid,
                             GINT_TO_POINTER (GPOINTER_TO_INT (g_hash_table_lookup (superseded, pid)) + 1));
    }
  n = g_hash_table_size (superseded) > 0 ? count_unsure (recording, superseded, last) : 0;
  if (n == 0)
    return NULL;

  return g_strdup_printf ("%" G_GINT64_FORMAT " %s not counted, because the same %s executed again", n,
                          n == 1 ? "call is" : "calls are", n == 1 ? "task was" : "tasks were");
}
