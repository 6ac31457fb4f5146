/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-discovery.h"

#include "each.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_PROCESSES 100000
#define MAX_RUNS 10000
#define START_HEAD 16384 /* bytes at the start of the transactions log in which its first record is searched */
#define DEBUG_HEAD 65536 /* bytes at the start of the debug log in which the port is searched */

static const char transactions_name[] = "/vine-logs/transactions";

void
vine_logs_free (VineLogs *logs)
{
  g_clear_pointer (&logs->transactions, vine_log_free);
  g_clear_pointer (&logs->performance, vine_log_free);
  g_clear_pointer (&logs->debug, vine_log_free);
  g_free (logs->directory);
  g_free (logs);
}

/* ---- the port ---- */

/* Read the port from a line such as "… Manager is listening on port 9123." near the start of the debug log. */
guint16
vine_logs_read_port (VineLogs *logs)
{
  static const char mark[] = "Manager is listening on port ";
  g_autofree char *head = logs->debug != NULL ? vine_log_dup_head (logs->debug, DEBUG_HEAD) : NULL;
  const char *found = head != NULL ? strstr (head, mark) : NULL;
  guint64 port = found != NULL ? g_ascii_strtoull (found + strlen (mark), NULL, 10) : 0;

  return port <= G_MAXUINT16 ? (guint16) port : 0;
}

/* Read the time and the process ID from the first line after the comments. */
static void
read_start (VineLogs *logs)
{
  g_autofree char *head = vine_log_dup_head (logs->transactions, START_HEAD);
  const char *line = head;

  while (line != NULL && *line == '#')
    {
      line = strchr (line, '\n');
      line = line != NULL ? line + 1 : NULL;
    }
  if (line == NULL || sscanf (line, "%" G_GINT64_FORMAT " %" G_GINT64_FORMAT, &logs->started, &logs->writer) != 2)
    logs->started = logs->writer = -1;
}

/* ---- processes ---- */

/* Return the name of the next file in the directory; NULL if there are no more files, or if the directory does not
 * exist. */
static const char *
next_name (GDir *directory)
{
  return directory != NULL ? g_dir_read_name (directory) : NULL;
}

/* Return whether a process has a file open for writing. This excludes programs such as tail, which only read a log.
 * @link: link to the open file in /proc. The mode of the link is the mode in which the file is open. */
static gboolean
is_written (const char *link)
{
  struct stat status;

  return lstat (link, &status) == 0 && (status.st_mode & S_IWUSR) != 0;
}

static VineLogs *
find_logs (GPtrArray *found, int pid, const char *directory)
{
  VineLogs *logs = NULL;

  for (guint i = 0; i < found->len; i++)
    {
      logs = g_ptr_array_index (found, i);
      if (logs->pid == pid && g_str_equal (logs->directory, directory))
        return logs;
    }
  logs = g_new0 (VineLogs, 1);
  logs->pid = pid;
  logs->directory = g_strdup (directory);
  g_ptr_array_add (found, logs);

  return logs;
}

/* Open a log that a process has open. @link: link to the open file in /proc. Open this link rather than @target,
 * because the link also works if the file was deleted, or if the process has another root directory. */
static void
take_descriptor (GPtrArray *found, int pid, const char *link, const char *target)
{
  const char *slash = strrchr (target, '/');
  g_autofree char *directory = g_strndup (target, (gsize) (slash - target));
  g_autofree char *name = g_strndup (slash + 1, strcspn (slash + 1, " ")); /* file name without " (deleted)" */
  VineLogs *logs = NULL;
  VineLog **log = NULL;

  if (!g_str_has_suffix (directory, "/vine-logs") || !is_written (link))
    return;
  logs = find_logs (found, pid, directory);
  log = g_str_equal (name, "transactions")  ? &logs->transactions
        : g_str_equal (name, "performance") ? &logs->performance
        : g_str_equal (name, "debug")       ? &logs->debug
                                            : NULL;
  /* Keep only the first file with this name. If managers share a directory, a process opens the file several times. */
  if (log != NULL && *log == NULL)
    *log = vine_log_open (link, NULL);
}

static void
scan_process (int pid, GPtrArray *found)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/fd", pid);
  g_autoptr (GDir) directory = g_dir_open (path, 0, NULL);
  const char *name;

  while ((name = next_name (directory)) != NULL)
    {
      g_autofree char *link = g_build_filename (path, name, NULL);
      g_autofree char *target = g_file_read_link (link, NULL);

      if (target != NULL && strstr (target, "/vine-logs/") != NULL)
        take_descriptor (found, pid, link, target);
    }
  for (guint i = found->len; i > 0; i--)
    if (((VineLogs *) g_ptr_array_index (found, i - 1))->transactions == NULL)
      g_ptr_array_remove_index (found, i - 1);
}

/* Add the child processes of all threads, because the kernel lists child processes separately for each thread that
 * forked them. */
static void
add_children (int pid, GArray *pids)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/task", pid);
  g_autoptr (GDir) directory = g_dir_open (path, 0, NULL);
  const char *name;

  while (pids->len < MAX_PROCESSES && (name = next_name (directory)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, "children", NULL);
      FILE *children = fopen (file, "re");
      int child;

      while (children != NULL && fscanf (children, "%d", &child) == 1)
        g_array_append_val (pids, child);
      if (children != NULL)
        fclose (children);
    }
}

GPtrArray *
vine_discovery_scan_processes (int pid)
{
  GPtrArray *found = g_ptr_array_new_with_free_func ((GDestroyNotify) vine_logs_free);
  g_autoptr (GArray) pids = g_array_new (FALSE, FALSE, sizeof (int));

  g_array_append_val (pids, pid);
  for (guint i = 0; i < pids->len; i++)
    {
      int one = g_array_index (pids, int, i);

      scan_process (one, found);
      add_children (one, pids);
    }

  return found;
}

/* Read the state and the parent of a process. Returns FALSE if the process does not exist. */
static gboolean
read_stat (int pid, char *state, int *parent)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *text = NULL;
  const char *end = g_file_get_contents (path, &text, NULL, NULL) ? strrchr (text, ')') : NULL;

  return end != NULL && sscanf (end, ") %c %d", state, parent) == 2;
}

int
vine_discovery_get_parent (int pid)
{
  char state = '?';
  int parent = 0;

  return read_stat (pid, &state, &parent) ? parent : 0;
}

gboolean
vine_discovery_is_alive (int pid)
{
  char state = '?';
  int parent = 0;
  gboolean exists = pid > 0 && (kill (pid, 0) == 0 || errno == EPERM);

  return exists && !(read_stat (pid, &state, &parent) && state == 'Z');
}

static gboolean
has_open (int pid, VineLog *log)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func ((GDestroyNotify) vine_logs_free);

  scan_process (pid, found);
  for (guint i = 0; i < found->len; i++)
    if (vine_log_equal (((VineLogs *) g_ptr_array_index (found, i))->transactions, log))
      return TRUE;

  return FALSE;
}

gboolean
vine_discovery_is_in_use (VineLog *log)
{
  g_autoptr (GDir) directory = g_dir_open ("/proc", 0, NULL);
  const char *name;

  while ((name = next_name (directory)) != NULL)
    if (g_ascii_isdigit (*name) && atoi (name) != getpid () && has_open (atoi (name), log))
      return TRUE;

  return FALSE;
}

/* ---- directories ---- */

/* Open a transactions log, and the performance and debug logs in the same directory. */
static VineLogs *
open_logs (const char *transactions, GError **error)
{
  g_autoptr (VineLogs) logs = g_new0 (VineLogs, 1);
  g_autofree char *performance = NULL;
  g_autofree char *debug = NULL;

  logs->directory = g_path_get_dirname (transactions);
  logs->transactions = vine_log_open (transactions, error);
  if (logs->transactions == NULL)
    return NULL;
  performance = g_build_filename (logs->directory, "performance", NULL);
  logs->performance = vine_log_open (performance, NULL);
  debug = g_build_filename (logs->directory, "debug", NULL);
  logs->debug = vine_log_open (debug, NULL);
  read_start (logs);

  return g_steal_pointer (&logs);
}

static gboolean
is_since (const char *path, gint64 since)
{
  struct stat status;

  return stat (path, &status) == 0 && S_ISREG (status.st_mode) &&
         ((gint64) status.st_mtim.tv_sec + 1) * G_USEC_PER_SEC >= since;
}

GPtrArray *
vine_discovery_scan_directory (const char *base, gint64 since)
{
  GPtrArray *found = g_ptr_array_new_with_free_func ((GDestroyNotify) vine_logs_free);
  g_autofree char *runs = g_build_filename (base, "vine-run-info", NULL);
  g_autoptr (GDir) directory = g_dir_open (runs, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = next_name (directory)) != NULL && n++ < MAX_RUNS)
    {
      g_autofree char *transactions = g_build_filename (runs, name, transactions_name, NULL);
      g_autoptr (VineLogs) logs = NULL;

      if (g_str_equal (name, "most-recent") || !is_since (transactions, since))
        continue;
      logs = open_logs (transactions, NULL);
      if (logs != NULL)
        g_ptr_array_add (found, g_steal_pointer (&logs));
    }

  return found;
}

/* Return the transactions log of the newest run. Runs are named after their start times, so the last name is the newest
 * run. */
static char *
find_newest (const char *runs)
{
  g_autoptr (GDir) directory = g_dir_open (runs, 0, NULL);
  g_autofree char *newest = NULL;
  const char *name;

  while ((name = next_name (directory)) != NULL)
    {
      g_autofree char *file = g_build_filename (runs, name, transactions_name, NULL);

      if (g_strcmp0 (name, newest) <= 0 || g_str_equal (name, "most-recent") ||
          !g_file_test (file, G_FILE_TEST_IS_REGULAR))
        continue;
      g_free (newest);
      newest = g_strdup (name);
    }

  return newest != NULL ? g_build_filename (runs, newest, transactions_name, NULL) : NULL;
}

/* Return the transactions log of the most recent run. Use only the last component of the target of the link
 * most-recent: the target is an absolute path, and does not exist if the directory was moved or copied from another
 * machine. If a copied directory lacks the link, use the newest run. */
static char *
find_most_recent (const char *runs)
{
  g_autofree char *link = g_build_filename (runs, "most-recent", NULL);
  g_autofree char *target = g_file_read_link (link, NULL);
  g_autofree char *name = target != NULL ? g_path_get_basename (target) : NULL;
  g_autofree char *file = name != NULL ? g_build_filename (runs, name, transactions_name, NULL) : NULL;

  return file != NULL && g_file_test (file, G_FILE_TEST_EXISTS) ? g_steal_pointer (&file) : find_newest (runs);
}

VineLogs *
vine_discovery_open_path (const char *path, GError **error)
{
  g_autoptr (GPtrArray) places = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *runs = g_build_filename (path, "vine-run-info", NULL);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *parent = g_path_get_dirname (path);

  if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return open_logs (path, error);
  if (g_str_equal (name, "most-recent"))
    g_ptr_array_add (places, find_most_recent (parent));
  g_ptr_array_add (places, g_build_filename (path, transactions_name, NULL));
  g_ptr_array_add (places, g_build_filename (path, "transactions", NULL));
  g_ptr_array_add (places, find_most_recent (path));
  g_ptr_array_add (places, find_most_recent (runs));
  FOR_EACH_POINTER (const char, place, places)
    if (place != NULL && g_file_test (place, G_FILE_TEST_EXISTS))
      return open_logs (place, error);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
               "the directory %s contains no vine-logs/transactions: give the directory of a run, such as "
               "vine-run-info/most-recent",
               path);

  return NULL;
}
