/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-search.h"

#include <unistd.h>

#include "vine-note.h"

#define BUSY G_USEC_PER_SEC * 5 /* µs after a manager was found during which each tick searches processes */
#define PAUSE G_USEC_PER_SEC    /* µs between two searches after BUSY */
#define SHARE 100               /* the next search waits this many times as long as the last one took */
#define RATE_LIMIT 10           /* ms between reported changes in directories */

struct _VineSearch
{
  VineManagers *managers;
  RoastRecording *recording;
  int pid, root; /* the program, and the root of the searched process tree */
  char *directory;
  gint64 since; /* µs since the epoch: start of the run */
  gboolean exited;
  gint64 found;              /* when a manager was last found, or the search began; monotonic, µs */
  gint64 next;               /* time of the next search; monotonic, µs */
  GFileMonitor *monitors[2]; /* monitors of the directory, and of vine-run-info in it */
};

static void watch (VineSearch *self);

/* ---- processes ---- */

void
vine_search_now (VineSearch *self)
{
  g_autoptr (GPtrArray) found = NULL;
  gint64 started = g_get_monotonic_time ();
  gint64 ended;

  /* Stop if the program has exited without a supervisor, which adopts processes that outlive it. */
  if (self->exited && self->root == self->pid)
    return;
  found = vine_discovery_scan_processes (self->root, vine_managers_contain, self->managers);
  for (guint i = 0; i < found->len; i++)
    vine_managers_add (self->managers, g_ptr_array_index (found, i));
  ended = g_get_monotonic_time ();
  if (found->len > 0)
    self->found = ended;
  self->next = started + MAX (SHARE * (ended - started), ended - self->found > BUSY ? PAUSE : 0);
}

void
vine_search_tick (VineSearch *self)
{
  if (g_get_monotonic_time () >= self->next)
    vine_search_now (self);
}

/* ---- directories ---- */

/* Return whether the supervisor saw that process among the program's processes. */
static gboolean
is_ours (VineSearch *self, gint64 pid)
{
  g_autoptr (RoastTableReader) processes =
      roast_recording_read_table (self->recording, ROAST_TABLE_PROCESSES, roast_processes_columns, NULL);

  while (roast_table_reader_next (processes))
    if (roast_table_reader_get_int64 (processes, ROAST_PROCESSES_PID, -1) == pid)
      return TRUE;

  return pid == self->pid;
}

/* Find managers that ended before they were seen, in TaskVine's default log directory. */
static void
search_directory (VineSearch *self)
{
  g_autoptr (GPtrArray) found =
      vine_discovery_scan_directory (self->directory, self->since, vine_managers_contain, self->managers);

  for (guint i = 0; i < found->len; i++)
    {
      VineLogs *logs = g_ptr_array_index (found, i);

      /* Skip a log that is still open: this program has ended, so the log belongs to another program in the same
       * directory. */
      if (logs->started < self->since || vine_discovery_is_in_use (logs->transactions))
        continue;
      if (is_ours (self, logs->writer))
        {
          logs->pid = VINE_LOGS_LOCAL;
          vine_managers_add (self->managers, logs);
        }
      else
        {
          g_autofree char *directory = g_utf8_make_valid (logs->directory, -1);

          vine_note (self->recording, NULL, -1, ROAST_SEVERITY_INFO, "found-in-directory",
                     "the logs in %s are not counted: process %" G_GINT64_FORMAT
                     " wrote them and was not seen among the processes of this program. If it was one of them, attach "
                     "to that directory",
                     directory, logs->writer);
        }
    }
}

void
vine_search_exited (VineSearch *self)
{
  /* The program may have left a manager running. */
  vine_search_now (self);
  self->exited = TRUE;
  if (self->directory != NULL)
    search_directory (self);
}

/* Search at once, because a new directory may belong to a manager. */
static void
on_changed (GFileMonitor *monitor, GFile *file, GFile *other, GFileMonitorEvent event, gpointer user_data)
{
  if (event != G_FILE_MONITOR_EVENT_CREATED)
    return;
  watch (user_data);
  vine_search_now (user_data);
}

static void
watch_one (VineSearch *self, guint i, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  if (self->monitors[i] != NULL || !g_file_test (path, G_FILE_TEST_IS_DIR))
    return;
  self->monitors[i] = g_file_monitor_directory (file, G_FILE_MONITOR_NONE, NULL, NULL);
  if (self->monitors[i] == NULL)
    return;
  g_file_monitor_set_rate_limit (self->monitors[i], RATE_LIMIT);
  g_signal_connect (self->monitors[i], "changed", G_CALLBACK (on_changed), self);
}

static void
watch (VineSearch *self)
{
  g_autofree char *runs = g_build_filename (self->directory, "vine-run-info", NULL);

  watch_one (self, 0, self->directory);
  watch_one (self, 1, runs);
}

/* ---- life ---- */

/* Start the search at the supervisor, if there is one, because daemons become its children. */
static int
find_root (int pid)
{
  int parent = vine_discovery_get_parent (pid);

  return parent > 1 && vine_discovery_get_parent (parent) == getpid () ? parent : pid;
}

VineSearch *
vine_search_new (VineManagers *managers, RoastRecording *recording, int pid, const char *directory, gint64 since,
                 gboolean watch_directory)
{
  VineSearch *self = g_new0 (VineSearch, 1);

  self->managers = managers;
  self->recording = g_object_ref (recording);
  self->pid = pid;
  self->root = directory != NULL ? find_root (pid) : pid;
  self->directory = g_strdup (directory);
  self->since = since;
  self->found = g_get_monotonic_time ();
  if (directory != NULL && watch_directory)
    watch (self);
  vine_search_now (self);

  return self;
}

void
vine_search_free (VineSearch *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->monitors); i++)
    {
      if (self->monitors[i] == NULL)
        continue;
      g_signal_handlers_disconnect_by_data (self->monitors[i], self);
      g_file_monitor_cancel (self->monitors[i]);
      g_object_unref (self->monitors[i]);
    }
  g_object_unref (self->recording);
  g_free (self->directory);
  g_free (self);
}
