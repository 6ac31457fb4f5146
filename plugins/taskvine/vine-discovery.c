/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-discovery.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_PROCESSES 100000
#define MAX_RUNS 10000
#define START_HEAD 16384 /* bytes of the transactions log that hold its first line, after the comments */
#define DEBUG_HEAD 65536 /* bytes of the debug log that hold the port */

static const char transactions_name[] = "/vine-logs/transactions";
static const char performance_name[] = "/vine-logs/performance";

void
vine_finding_free (VineFinding *finding)
{
  if (finding->transactions >= 0)
    close (finding->transactions);
  if (finding->performance >= 0)
    close (finding->performance);
  g_free (finding->directory);
  g_free (finding);
}

static gboolean
fill (VineFinding *finding)
{
  struct stat status;

  if (fstat (finding->transactions, &status) != 0 || !S_ISREG (status.st_mode))
    return FALSE;
  finding->device = status.st_dev;
  finding->inode = status.st_ino;

  return TRUE;
}

/* ---- the port ---- */

/* From "… Manager is listening on port 9123." among the first lines of the debug log. */
static guint16
read_port (const char *directory)
{
  static const char mark[] = "Manager is listening on port ";
  g_autofree char *path = g_strconcat (directory, "/debug", NULL);
  g_autofree char *head = g_malloc (DEBUG_HEAD + 1);
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  gssize n = fd >= 0 ? read (fd, head, DEBUG_HEAD) : -1;
  const char *found = NULL;
  guint64 port = 0;

  if (fd >= 0)
    close (fd);
  if (n <= 0)
    return 0;
  head[n] = '\0';
  found = strstr (head, mark);
  if (found != NULL)
    port = g_ascii_strtoull (found + strlen (mark), NULL, 10);

  return port < 65536 ? (guint16) port : 0;
}

/* Time and process of the first line after the comments. */
static void
read_start (VineFinding *finding)
{
  g_autofree char *head = g_malloc (START_HEAD + 1);
  gssize n = pread (finding->transactions, head, START_HEAD, 0);
  const char *line = head;

  finding->started = finding->writer = -1;
  head[MAX (n, 0)] = '\0';
  while (line != NULL && *line == '#')
    {
      line = strchr (line, '\n');
      line = line != NULL ? line + 1 : NULL;
    }
  if (line == NULL || sscanf (line, "%" G_GINT64_FORMAT " %" G_GINT64_FORMAT, &finding->started, &finding->writer) == 2)
    return;
  finding->started = finding->writer = -1;
}

/* ---- processes ---- */

/* Lines are "sl local_address rem_address st … inode". State 0A is a socket that listens. */
static void
add_listening (const char *path, GHashTable *sockets, GArray *ports)
{
  FILE *file = fopen (path, "re");
  char line[512];

  while (file != NULL && fgets (line, sizeof line, file) != NULL)
    {
      unsigned int port = 0, state = 0;
      unsigned long inode = 0;

      if (sscanf (line, " %*d: %*[0-9A-Fa-f]:%x %*s %x %*s %*s %*s %*s %*s %lu", &port, &state, &inode) == 3 &&
          state == 0x0a && g_hash_table_contains (sockets, GSIZE_TO_POINTER (inode)))
        g_array_append_val (ports, port);
    }
  if (file != NULL)
    fclose (file);
}

/* The port of a process that listens on one port only. With several, it is unknown which one is the manager's. */
static guint16
find_port (int pid, GHashTable *sockets)
{
  static const char *const families[] = { "tcp", "tcp6" };
  g_autoptr (GArray) ports = g_array_new (FALSE, FALSE, sizeof (unsigned int));

  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    {
      g_autofree char *path = g_strdup_printf ("/proc/%d/net/%s", pid, families[i]);

      add_listening (path, sockets, ports);
    }

  return ports->len == 1 ? (guint16) g_array_index (ports, unsigned int, 0) : 0;
}

static char *
read_link (const char *path)
{
  char target[4096];
  gssize n = readlink (path, target, sizeof target - 1);

  return n > 0 ? g_strndup (target, (gsize) n) : NULL;
}

/* Opening it through the process works in another root, and if the file is deleted. */
static int
open_descriptor (int pid, const char *name)
{
  char path[64];

  g_snprintf (path, sizeof path, "/proc/%d/fd/%s", pid, name);

  return open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

static char *
without_deleted (const char *target)
{
  static const char mark[] = " (deleted)";

  return g_str_has_suffix (target, mark) ? g_strndup (target, strlen (target) - strlen (mark)) : g_strdup (target);
}

static VineFinding *
find_logs (GPtrArray *findings, guint first, const char *directory)
{
  for (guint i = first; i < findings->len; i++)
    if (g_str_equal (((VineFinding *) g_ptr_array_index (findings, i))->directory, directory))
      return g_ptr_array_index (findings, i);

  return NULL;
}

static void
take_descriptor (GPtrArray *findings, guint first, int pid, const char *name, const char *target)
{
  g_autofree char *path = without_deleted (target);
  gboolean transactions = g_str_has_suffix (path, transactions_name);
  g_autofree char *directory = NULL;
  VineFinding *finding = NULL;
  int *fd = NULL;

  if (!transactions && !g_str_has_suffix (path, performance_name))
    return;
  directory = g_path_get_dirname (path);
  finding = find_logs (findings, first, directory);
  if (finding == NULL)
    {
      finding = g_new0 (VineFinding, 1);
      finding->pid = pid;
      finding->directory = g_steal_pointer (&directory);
      finding->transactions = finding->performance = -1;
      g_ptr_array_add (findings, finding);
    }
  /* Managers that share a directory have the same files open twice. */
  fd = transactions ? &finding->transactions : &finding->performance;
  if (*fd < 0)
    *fd = open_descriptor (pid, name);
}

static void
scan_process (int pid, GPtrArray *findings, VineSeenFunction seen, gpointer user_data)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/fd", pid);
  g_autoptr (GHashTable) sockets = g_hash_table_new (NULL, NULL);
  guint first = findings->len;
  DIR *directory = opendir (path);
  struct dirent *entry;

  if (directory == NULL)
    return;
  while ((entry = readdir (directory)) != NULL)
    {
      char link[320];
      char target[4096];
      gssize n;

      g_snprintf (link, sizeof link, "%s/%s", path, entry->d_name);
      n = readlink (link, target, sizeof target - 1);
      if (n <= 0)
        continue;
      target[n] = '\0';
      if (g_str_has_prefix (target, "socket:["))
        g_hash_table_add (sockets, GSIZE_TO_POINTER (g_ascii_strtoull (target + strlen ("socket:["), NULL, 10)));
      else if (strstr (target, "/vine-logs/") != NULL)
        take_descriptor (findings, first, pid, entry->d_name, target);
    }
  closedir (directory);
  for (guint i = findings->len; i > first; i--)
    {
      VineFinding *finding = g_ptr_array_index (findings, i - 1);

      if (finding->transactions < 0 || !fill (finding) || seen (finding->device, finding->inode, user_data))
        g_ptr_array_remove_index (findings, i - 1);
      else
        finding->port = read_port (finding->directory);
    }
  /* Without a readable debug log. */
  if (findings->len == first + 1 && ((VineFinding *) g_ptr_array_index (findings, first))->port == 0)
    ((VineFinding *) g_ptr_array_index (findings, first))->port = find_port (pid, sockets);
}

/* The kernel lists children by the thread that forked them. */
static void
add_children (int pid, GArray *pids)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/task", pid);
  DIR *directory = opendir (path);
  struct dirent *entry;

  if (directory == NULL)
    return;
  while ((entry = readdir (directory)) != NULL && pids->len < MAX_PROCESSES)
    {
      g_autofree char *file = g_strconcat (path, "/", entry->d_name, "/children", NULL);
      FILE *children = *entry->d_name != '.' ? fopen (file, "re") : NULL;
      int child;

      if (children == NULL)
        continue;
      while (fscanf (children, "%d", &child) == 1)
        g_array_append_val (pids, child);
      fclose (children);
    }
  closedir (directory);
}

GPtrArray *
vine_discovery_scan_processes (int pid, VineSeenFunction seen, gpointer user_data)
{
  GPtrArray *findings = g_ptr_array_new_with_free_func ((GDestroyNotify) vine_finding_free);
  g_autoptr (GArray) pids = g_array_new (FALSE, FALSE, sizeof (int));

  g_array_append_val (pids, pid);
  for (guint i = 0; i < pids->len; i++)
    {
      int one = g_array_index (pids, int, i);

      scan_process (one, findings, seen, user_data);
      add_children (one, pids);
    }

  return findings;
}

/* FALSE if there is no such process. */
static gboolean
read_stat (int pid, char *state, int *parent)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *text = NULL;
  const char *end = g_file_get_contents (path, &text, NULL, NULL) ? strrchr (text, ')') : NULL;

  return end != NULL && sscanf (end, ") %c %d", state, parent) == 2;
}

static gboolean
is_zombie (int pid)
{
  char state = '?';
  int parent = 0;

  return read_stat (pid, &state, &parent) && state == 'Z';
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
  return pid > 0 && (kill (pid, 0) == 0 || errno == EPERM) && !is_zombie (pid);
}

static gboolean
has_open (const char *pid, guint64 device, guint64 inode)
{
  g_autofree char *path = g_strconcat ("/proc/", pid, "/fd", NULL);
  DIR *directory = opendir (path);
  struct dirent *entry;
  gboolean found = FALSE;

  while (directory != NULL && !found && (entry = readdir (directory)) != NULL)
    {
      g_autofree char *link = g_strconcat (path, "/", entry->d_name, NULL);
      g_autofree char *target = read_link (link);
      struct stat status;

      /* The name is checked first, since stat() may hang on a network file system. */
      found = target != NULL && strstr (target, transactions_name) != NULL && stat (link, &status) == 0 &&
              status.st_dev == device && status.st_ino == inode;
    }
  if (directory != NULL)
    closedir (directory);

  return found;
}

gboolean
vine_discovery_is_in_use (guint64 device, guint64 inode)
{
  DIR *directory = opendir ("/proc");
  struct dirent *entry;
  gboolean found = FALSE;

  while (directory != NULL && !found && (entry = readdir (directory)) != NULL)
    found = g_ascii_isdigit (*entry->d_name) && atoi (entry->d_name) != getpid () &&
            has_open (entry->d_name, device, inode);
  if (directory != NULL)
    closedir (directory);

  return found;
}

/* ---- directories ---- */

/* A transactions log, and the performance log beside it. */
static VineFinding *
open_log (const char *transactions, GError **error)
{
  g_autoptr (VineFinding) finding = g_new0 (VineFinding, 1);
  g_autofree char *logs = g_path_get_dirname (transactions);
  g_autofree char *performance = g_build_filename (logs, "performance", NULL);

  finding->directory = g_strdup (logs);
  finding->performance = -1;
  finding->transactions = open (transactions, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (finding->transactions < 0)
    {
      int saved = errno;

      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved), "cannot read %s: %s", transactions,
                   g_strerror (saved));
      return NULL;
    }
  if (!fill (finding))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, "%s is not a regular file", transactions);
      return NULL;
    }
  finding->performance = open (performance, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  finding->port = read_port (logs);
  read_start (finding);

  return g_steal_pointer (&finding);
}

/* @logs: the directory vine-logs. */
static VineFinding *
open_logs (const char *logs, GError **error)
{
  g_autofree char *transactions = g_build_filename (logs, "transactions", NULL);

  return open_log (transactions, error);
}

static gboolean
is_since (const char *path, gint64 since)
{
  struct stat status;

  return stat (path, &status) == 0 && S_ISREG (status.st_mode) &&
         ((gint64) status.st_mtim.tv_sec + 1) * G_USEC_PER_SEC >= since;
}

GPtrArray *
vine_discovery_scan_directory (const char *base, gint64 since, VineSeenFunction seen, gpointer user_data)
{
  GPtrArray *findings = g_ptr_array_new_with_free_func ((GDestroyNotify) vine_finding_free);
  g_autofree char *runs = g_build_filename (base, "vine-run-info", NULL);
  g_autoptr (GDir) directory = g_dir_open (runs, 0, NULL);
  const char *name;
  guint n = 0;

  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL && n++ < MAX_RUNS)
    {
      g_autofree char *logs = g_build_filename (runs, name, "vine-logs", NULL);
      g_autofree char *transactions = g_build_filename (logs, "transactions", NULL);
      g_autoptr (VineFinding) finding = NULL;

      if (g_str_equal (name, "most-recent") || !is_since (transactions, since))
        continue;
      finding = open_logs (logs, NULL);
      if (finding != NULL && !seen (finding->device, finding->inode, user_data))
        g_ptr_array_add (findings, g_steal_pointer (&finding));
    }

  return findings;
}

/* Names of runs are their start times. */
static char *
find_newest (const char *runs)
{
  g_autoptr (GDir) directory = g_dir_open (runs, 0, NULL);
  g_autofree char *newest = NULL;
  const char *name;

  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
    {
      g_autofree char *file = g_build_filename (runs, name, "vine-logs", "transactions", NULL);

      if (g_strcmp0 (name, newest) <= 0 || g_str_equal (name, "most-recent") ||
          !g_file_test (file, G_FILE_TEST_IS_REGULAR))
        continue;
      g_free (newest);
      newest = g_strdup (name);
    }

  return newest != NULL ? g_build_filename (runs, newest, "vine-logs", NULL) : NULL;
}

/* The link most-recent is absolute. Only its last part is right after the directory was moved, or from another machine.
 * A copy may lack it. */
static char *
find_most_recent (const char *runs)
{
  g_autofree char *link = g_build_filename (runs, "most-recent", NULL);
  g_autofree char *target = read_link (link);
  g_autofree char *name = target != NULL ? g_path_get_basename (target) : NULL;
  g_autofree char *logs = name != NULL ? g_build_filename (runs, name, "vine-logs", NULL) : NULL;

  return logs != NULL && g_file_test (logs, G_FILE_TEST_IS_DIR) ? g_steal_pointer (&logs) : find_newest (runs);
}

VineFinding *
vine_discovery_open_path (const char *path, GError **error)
{
  g_autoptr (GPtrArray) places = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *runs = g_build_filename (path, "vine-run-info", NULL);
  g_autofree char *name = g_path_get_basename (path);

  if (g_str_equal (name, "most-recent"))
    {
      g_autofree char *parent = g_path_get_dirname (path);

      g_ptr_array_add (places, find_most_recent (parent));
    }
  g_ptr_array_add (places, g_build_filename (path, "vine-logs", NULL));
  g_ptr_array_add (places, g_strdup (path));
  g_ptr_array_add (places, find_most_recent (path));
  g_ptr_array_add (places, find_most_recent (runs));
  if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return open_log (path, error);
  for (guint i = 0; i < places->len; i++)
    {
      const char *place = g_ptr_array_index (places, i);
      g_autofree char *file = place != NULL ? g_build_filename (place, "transactions", NULL) : NULL;

      if (file != NULL && g_file_test (file, G_FILE_TEST_EXISTS))
        return open_logs (place, error);
    }
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
               "%s: there is no vine-logs/transactions; give the directory of a run, such as vine-run-info/most-recent",
               path);

  return NULL;
}
