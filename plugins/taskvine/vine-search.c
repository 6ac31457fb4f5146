/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-search.h"

#include <unistd.h>

#define OFTEN 50  /* ticks in which is searched at each, since something was found */
#define SELDOM 10 /* ticks in between then */
#define RATE 10   /* ms */

struct _VineSearch
{
  VineManagers *managers;
  RoastRecording *recording;
  int pid, root; /* of the program, and of the tree that it is in */
  char *directory;
  gint64 since; /* µs since the epoch: what began before is not of this run */
  gboolean exited;
  guint quiet;               /* ticks since something was found */
  GFileMonitor *monitors[2]; /* of the directory, and of vine-run-info in it */
};

static void watch (VineSearch *self);

/* ---- processes ---- */

void
vine_search_now (VineSearch *self)
{
  g_autoptr (GPtrArray) findings = NULL;

  /* Who outlives the program is a child of the supervising one. */
  if (self->exited && self->root == self->pid)
    return;
  findings = vine_discovery_scan_processes (self->root, vine_managers_contain, self->managers);
  for (guint i = 0; i < findings->len; i++)
    vine_managers_add (self->managers, g_ptr_array_index (findings, i));
  if (findings->len > 0)
    self->quiet = 0;
}

void
vine_search_tick (VineSearch *self)
{
  if (self->quiet++ <= OFTEN || self->quiet % SELDOM == 0)
    vine_search_now (self);
}

/* ---- directories ---- */

/* Whether a process of that number was one of the program's, as the supervisor saw it. */
static gboolean
is_ours (VineSearch *self, gint64 pid)
{
  RoastTable *table = roast_recording_get_table (self->recording, "processes");
  g_autoptr (RoastTableSnapshot) snapshot = table != NULL ? roast_table_snapshot (table) : NULL;
  guint64 n_rows = snapshot != NULL ? roast_table_snapshot_get_n_rows (snapshot) : 0;
  guint column = n_rows > 0 ? (guint) roast_table_snapshot_find_column (snapshot, "pid") : 0;

  if (pid == self->pid)
    return TRUE;
  for (guint64 row = 0; row < n_rows; row++)
    if (roast_table_snapshot_get_int64 (snapshot, row, column) == pid)
      return TRUE;

  return FALSE;
}

static void
tell_of_stranger (VineSearch *self, const VineFinding *finding)
{
  g_autofree char *directory = g_utf8_make_valid (finding->directory, -1);
  g_autofree char *message =
      g_strdup_printf ("%s is of process %" G_GINT64_FORMAT ", which was not seen among those of this program: it is "
                       "not counted. If it is one of its, attach to "
                       "that directory",
                       directory, finding->writer);

  roast_recording_add_event (self->recording, NULL, -1, ROAST_SEVERITY_INFO, "found-in-directory", message);
}

/* Where a manager puts its logs if nobody says otherwise: one that was over before it was looked for is found there. */
static void
search_directory (VineSearch *self)
{
  g_autoptr (GPtrArray) findings =
      vine_discovery_scan_directory (self->directory, self->since, vine_managers_contain, self->managers);

  for (guint i = 0; i < findings->len; i++)
    {
      VineFinding *finding = g_ptr_array_index (findings, i);

      /* What somebody else has open, who works in the same directory, is not of this program: it is over. */
      if (finding->started < self->since || vine_discovery_is_in_use (finding->device, finding->inode))
        continue;
      if (!is_ours (self, finding->writer))
        {
          tell_of_stranger (self, finding);
          continue;
        }
      finding->pid = VINE_FINDING_LOCAL;
      vine_managers_add (self->managers, finding);
    }
}

void
vine_search_exited (VineSearch *self)
{
  /* It may have left a manager behind. */
  vine_search_now (self);
  self->exited = TRUE;
  if (self->directory != NULL)
    search_directory (self);
}

/* What is made in these directories is looked at at once. */
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
  g_file_monitor_set_rate_limit (self->monitors[i], RATE);
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

/* The supervisor gets who loses its parent: a daemon is a child of it. */
static int
find_root (int pid)
{
  int parent = vine_discovery_get_parent (pid);

  return parent > 1 && vine_discovery_get_parent (parent) == getpid () ? parent : pid;
}

VineSearch *
vine_search_new (VineManagers *managers, RoastRecording *recording, int pid, const char *directory, gint64 since)
{
  VineSearch *self = g_new0 (VineSearch, 1);

  self->managers = managers;
  self->recording = g_object_ref (recording);
  self->pid = pid;
  self->root = directory != NULL ? find_root (pid) : pid;
  self->directory = g_strdup (directory);
  self->since = since;
  if (directory != NULL)
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
