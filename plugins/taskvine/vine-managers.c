/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-managers.h"

#include <unistd.h>

#include "each.h"
#include "vine-note.h"

#define BUSY (5 * G_USEC_PER_SEC) /* µs; every tick searches for this long after a manager was found */
#define PAUSE G_USEC_PER_SEC      /* µs between two searches if no manager was found for the time BUSY */
#define SHARE 100                 /* minimum pause after a search, as a multiple of the time that the search took */

struct _VineManagers
{
  RoastRecording *recording;
  VineManagerOptions options;
  GPtrArray *managers; /* VineManager elements, owned */

  /* members for the search */
  int pid, root;   /* process IDs of the program, and of the root of the tree that is searched; 0 if there is none */
  char *directory; /* working directory of the program; may be NULL */
  gint64 since;    /* µs since the epoch: start of the run */
  gint64 found;    /* time when the search began or last found a manager, monotonic, µs */
  gint64 next;     /* time of the next search, monotonic, µs */
};

VineManagers *
vine_managers_new (RoastRecording *recording, const VineManagerOptions *options)
{
  VineManagers *self = g_new0 (VineManagers, 1);

  self->recording = g_object_ref (recording);
  self->options = *options;
  self->managers = g_ptr_array_new_with_free_func ((GDestroyNotify) vine_manager_free);

  return self;
}

void
vine_managers_free (VineManagers *self)
{
  g_ptr_array_unref (self->managers);
  g_object_unref (self->recording);
  g_free (self->directory);
  g_free (self);
}

guint
vine_managers_get_length (VineManagers *self)
{
  return self->managers->len;
}

static VineManager *
get (VineManagers *self, guint i)
{
  return g_ptr_array_index (self->managers, i);
}

static gboolean
contain (VineManagers *self, const VineLogs *logs)
{
  for (guint i = 0; i < self->managers->len; i++)
    if (vine_log_equal (get (self, i)->transactions, logs->transactions))
      return TRUE;

  return FALSE;
}

static void
add (VineManagers *self, VineLogs *logs)
{
  g_ptr_array_add (self->managers, vine_manager_new (self->recording, logs, &self->options));
}

/* If a manager with the same log was already added, do nothing, because managers that share a log are one source. */
void
vine_managers_add (VineManagers *self, VineLogs *logs)
{
  if (!contain (self, logs))
    add (self, logs);
}

/* ---- the search ---- */

void
vine_managers_search (VineManagers *self)
{
  g_autoptr (GPtrArray) found = NULL;
  gint64 started = g_get_monotonic_time ();
  guint n = self->managers->len;
  gint64 ended;

  if (self->root == 0)
    return;
  found = vine_discovery_scan_processes (self->root);
  for (guint i = 0; i < found->len; i++)
    vine_managers_add (self, g_ptr_array_index (found, i));
  ended = g_get_monotonic_time ();
  if (self->managers->len > n)
    self->found = ended;
  self->next = started + MAX (SHARE * (ended - started), ended - self->found > BUSY ? PAUSE : 0);
}

void
vine_managers_tick (VineManagers *self)
{
  if (g_get_monotonic_time () >= self->next)
    vine_managers_search (self);
}

/* Return whether the process belongs to the program, that is, whether the supervisor recorded it. */
static gboolean
is_ours (VineManagers *self, gint64 pid)
{
  g_autoptr (RoastTableReader) processes =
      roast_recording_read_table (self->recording, ROAST_TABLE_PROCESSES, roast_processes_columns, NULL);

  while (roast_table_reader_next (processes))
    if (roast_table_reader_get_int64 (processes, ROAST_PROCESSES_PID, -1) == pid)
      return TRUE;

  return pid == self->pid;
}

/* Find managers that ended before any search found them, by their logs in TaskVine's default log directory. */
static void
search_directory (VineManagers *self)
{
  g_autoptr (GPtrArray) found = vine_discovery_scan_directory (self->directory, self->since);

  FOR_EACH_POINTER (VineLogs, logs, found)
    {
      /* Skip a log that is still open. The program has ended, so this log belongs to another program that uses the same
       * directory. */
      if (contain (self, logs) || logs->started < self->since || vine_discovery_is_in_use (logs->transactions))
        continue;
      if (is_ours (self, logs->writer))
        {
          logs->pid = (int) logs->writer;
          add (self, logs);
        }
      else
        {
          g_autofree char *directory = g_utf8_make_valid (logs->directory, -1);

          vine_note (self->recording, NULL, -1, ROAST_SEVERITY_INFO, "found-in-directory",
                     "the logs in %s are not counted: process %" G_GINT64_FORMAT
                     " wrote these logs and was not seen among the processes of this program. If the process belongs "
                     "to this program, attach to that directory",
                     directory, logs->writer);
        }
    }
}

void
vine_managers_exited (VineManagers *self)
{
  /* Search once more, because a manager may still run after the program has ended. */
  vine_managers_search (self);
  /* Without a supervisor, stop searching: nothing adopts processes that outlive the program, so they leave its tree. */
  if (self->root == self->pid)
    self->root = 0;
  if (self->directory != NULL)
    search_directory (self);
}

void
vine_managers_start_search (VineManagers *self, int pid, const char *directory, gint64 since)
{
  int parent = directory != NULL ? vine_discovery_get_parent (pid) : 0;

  /* If there is a supervisor, begin the search at it, because daemons of the program become its child processes. */
  self->root = parent > 1 && vine_discovery_get_parent (parent) == getpid () ? parent : pid;
  self->pid = pid;
  self->directory = g_strdup (directory);
  self->since = since;
  self->found = g_get_monotonic_time ();
  vine_managers_search (self);
}

/* ---- all managers ---- */

gboolean
vine_managers_read (VineManagers *self, gsize bytes)
{
  guint n = self->managers->len;
  gboolean more = FALSE;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (VineLogs) successor = NULL;

      more |= vine_manager_read (get (self, i), bytes);
      successor = vine_manager_find_successor (get (self, i));
      if (successor == NULL)
        continue;
      add (self, successor);
      more = TRUE;
    }

  return more;
}

double
vine_managers_get_progress (VineManagers *self)
{
  guint64 read = 0;
  guint64 all = 0;

  for (guint i = 0; i < self->managers->len; i++)
    vine_manager_add_progress (get (self, i), &read, &all);

  return all > 0 ? (double) read / (double) all : 1;
}

void
vine_managers_flush (VineManagers *self, gboolean with_sums)
{
  for (guint i = 0; i < self->managers->len; i++)
    vine_manager_flush (get (self, i), with_sums);
}

void
vine_managers_ask (VineManagers *self, gint64 now)
{
  for (guint i = 0; i < self->managers->len; i++)
    vine_manager_ask (get (self, i), now);
}

gboolean
vine_managers_finish_ended (VineManagers *self, const char *why)
{
  gboolean all = TRUE;

  for (guint i = 0; i < self->managers->len; i++)
    all &= vine_manager_finish_ended (get (self, i), why);

  return all;
}

void
vine_managers_finish (VineManagers *self, const char *why, gboolean late)
{
  for (guint i = 0; i < self->managers->len; i++)
    vine_manager_finish (get (self, i), why, late);
}

gboolean
vine_managers_run_here (VineManagers *self)
{
  for (guint i = 0; i < self->managers->len; i++)
    if (!get (self, i)->runs_here)
      return FALSE;

  return TRUE;
}

void
vine_managers_add_totals (VineManagers *self, GHashTable *totals)
{
  for (guint i = 0; i < self->managers->len; i++)
    vine_totals_add_to (get (self, i)->replay, totals);
}

gboolean
vine_managers_get_times (VineManagers *self, gint64 *started, gint64 *ended, gboolean *have_end)
{
  *started = *ended = -1;
  *have_end = TRUE;
  for (guint i = 0; i < self->managers->len; i++)
    {
      gint64 from, to;

      *have_end &= vine_manager_get_times (get (self, i), &from, &to);
      if (from >= 0)
        *started = *started >= 0 ? MIN (*started, from) : from;
      *ended = MAX (*ended, to);
    }

  return *started >= 0 && *ended >= *started;
}
