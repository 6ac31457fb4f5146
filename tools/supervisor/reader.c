/* SPDX-License-Identifier: BSD-3-Clause */

#include "reader.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "file.h"

#define RESERVED_FDS 64 /* number of descriptors that are not used for files of measured processes */
#define MAX_THREADS_READ 256

/* The kernel's answer to the ioctl PIDFD_GET_INFO, which exists since Linux 6.13. */
typedef struct
{
  uint64_t mask, cgroup;
  uint32_t ids[11];
  int32_t exit_code;
} PidfdInfo;

#define GET_INFO _IOWR (0xff, 11, PidfdInfo)
#define INFO_EXIT (1 << 3) /* bit of the member mask that requests the exit code, since Linux 6.15 */

static char buffer[16384];
static long kept, kept_limit;
static bool is_foreign;

void
reader_init (void)
{
  struct rlimit limit;
  char own[16];
  ssize_t n = readlink ("/proc/self", own, sizeof own - 1);

  own[n > 0 ? n : 0] = '\0';
  is_foreign = n > 0 && atol (own) != getpid ();
  if (getrlimit (RLIMIT_NOFILE, &limit) == 0)
    {
      limit.rlim_cur = limit.rlim_max;
      setrlimit (RLIMIT_NOFILE, &limit);
      getrlimit (RLIMIT_NOFILE, &limit);
      kept_limit = limit.rlim_cur > 1000000 ? 1000000 : (long) limit.rlim_cur - RESERVED_FDS;
    }
}

static ReadResult
result_of_errno (void)
{
  switch (errno)
    {
    case ENOENT:
    case ESRCH:
      return READ_GONE;
    case EACCES:
    case EPERM:
      return READ_DENIED;
    default:
      return READ_FAILED;
    }
}

static int
open_at (const Process *process, const char *name, int flags)
{
  char path[64];

  if (process->dir_fd >= 0)
    return openat (process->dir_fd, name, flags | O_CLOEXEC);
  snprintf (path, sizeof path, "/proc/%d/%s", process->pid, name);

  return open (path, flags | O_CLOEXEC);
}

static void
forget (int *fd)
{
  if (*fd < 0)
    return;
  close (*fd);
  *fd = -1;
  kept--;
}

/* Reads a file of the process through the descriptor *fd. Opens the file if needed, and keeps it open while enough
 * descriptors are available. */
static ReadResult
read_file (Process *process, const char *name, int *fd)
{
  ssize_t n;
  int saved;

  if (*fd < 0)
    {
      *fd = open_at (process, name, O_RDONLY);
      if (*fd < 0)
        return result_of_errno ();
      kept++;
    }
  n = pread (*fd, buffer, sizeof buffer - 1, 0);
  saved = errno;
  if (kept > kept_limit)
    forget (fd);
  errno = saved;
  if (n < 0)
    return result_of_errno ();
  buffer[n] = '\0';

  return n > 0 ? READ_OK : READ_GONE;
}

static ReadResult
read_once (Process *process, const char *name)
{
  int fd = -1;
  ReadResult result = read_file (process, name, &fd);

  forget (&fd);

  return result;
}

bool
reader_is_foreign (void)
{
  return is_foreign;
}

bool
reader_exists (int32_t pid)
{
  char path[32];

  snprintf (path, sizeof path, "/proc/%d/stat", pid);

  return !is_foreign && access (path, R_OK) == 0;
}

bool
reader_status_of (int32_t pid, ProcStatus *out)
{
  char path[32], text[4096];

  snprintf (path, sizeof path, "/proc/%d/status", pid);

  return !is_foreign && file_read (path, text, sizeof text) > 0 && proc_parse_status (text, out);
}

ReadResult
reader_open (Process *process)
{
  char path[32];

  if (is_foreign)
    return READ_FAILED;
  if (kept < kept_limit)
    {
      snprintf (path, sizeof path, "/proc/%d", process->pid);
      process->dir_fd = open (path, O_RDONLY | O_CLOEXEC);
      if (process->dir_fd < 0 && errno != EMFILE && errno != ENFILE)
        return result_of_errno ();
      kept += process->dir_fd >= 0;
    }
  if (kept < kept_limit)
    {
      process->pidfd = (int) syscall (SYS_pidfd_open, process->pid, 0);
      kept += process->pidfd >= 0;
    }

  return reader_stat (process);
}

void
reader_close (Process *process)
{
  forget (&process->dir_fd);
  forget (&process->stat_fd);
  forget (&process->io_fd);
  forget (&process->smaps_fd);
  forget (&process->sched_fd);
  forget (&process->children_fd);
  forget (&process->pidfd);
}

bool
reader_wait_status (const Process *process, int *status)
{
  PidfdInfo info = { .mask = INFO_EXIT };

  if (process->pidfd < 0 || ioctl (process->pidfd, GET_INFO, &info) != 0 || (info.mask & INFO_EXIT) == 0)
    return false;
  *status = info.exit_code;

  return true;
}

ReadResult
reader_stat (Process *process)
{
  ProcStat stat;
  ReadResult result = read_file (process, "stat", &process->stat_fd);

  if (result != READ_OK)
    return result;
  if (!proc_parse_stat (buffer, &stat))
    return READ_FAILED;
  /* Compare the start times, because if the file was opened again, the pid may now belong to another process. */
  if (process->stat.start_ticks != 0 && stat.start_ticks != process->stat.start_ticks)
    return READ_GONE;
  process->stat = stat;

  return READ_OK;
}

ReadResult
reader_io (Process *process)
{
  ReadResult result = read_file (process, "io", &process->io_fd);

  if (result == READ_OK && !proc_parse_io (buffer, &process->io))
    return READ_FAILED;

  return result;
}

ReadResult
reader_status (Process *process, ProcStatus *out)
{
  ReadResult result = read_once (process, "status");

  if (result == READ_OK && !proc_parse_status (buffer, out))
    return READ_FAILED;

  return result;
}

int64_t
reader_pid_namespace (const Process *process)
{
  char path[64];
  struct stat namespace;

  snprintf (path, sizeof path, "/proc/%d/ns/pid", process->pid);

  return fstatat (process->dir_fd, process->dir_fd >= 0 ? "ns/pid" : path, &namespace, 0) == 0
             ? (int64_t) namespace.st_ino
             : -1;
}

ReadResult
reader_pss (Process *process, int64_t *bytes)
{
  ReadResult result = read_file (process, "smaps_rollup", &process->smaps_fd);

  /* After an exec, the open file still refers to the old memory, so open it again. */
  if (result == READ_GONE && process->smaps_fd >= 0)
    {
      forget (&process->smaps_fd);
      result = read_file (process, "smaps_rollup", &process->smaps_fd);
    }
  if (result == READ_OK && !proc_parse_pss (buffer, bytes))
    return READ_FAILED;

  return result;
}

bool
reader_shares_memory (const Process *a, const Process *b)
{
  return syscall (SYS_kcmp, a->pid, b->pid, KCMP_VM, 0, 0) == 0;
}

static DIR *
open_threads (const Process *process)
{
  int fd = open_at (process, "task", O_RDONLY);
  DIR *directory = fd >= 0 ? fdopendir (fd) : NULL;

  if (directory == NULL && fd >= 0)
    close (fd);

  return directory;
}

/* Returns the ID of the next thread as text; NULL after the last thread. */
static const char *
next_thread (DIR *directory)
{
  struct dirent *entry;

  do
    entry = readdir (directory);
  while (entry != NULL && entry->d_name[0] == '.');

  return entry != NULL ? entry->d_name : NULL;
}

static void
add_bound (int32_t tid, const ProcQueue *queue, BoundQueue *bound)
{
  cpu_set_t set, both;

  if (queue->wait == 0 || is_foreign || sched_getaffinity (tid, sizeof set, &set) != 0)
    return;
  CPU_AND (&both, &bound->own, &set);
  if (CPU_EQUAL (&both, &bound->own))
    return;
  CPU_OR (&bound->cores, &bound->cores, &both);
  bound->wait += queue->wait / 1000;
}

static bool
add_thread (Process *process, const char *tid, ProcQueue *sum, BoundQueue *bound)
{
  char name[64];
  ProcQueue one;

  snprintf (name, sizeof name, "task/%.20s/schedstat", tid);
  if (read_once (process, name) != READ_OK || !proc_parse_schedstat (buffer, &one))
    return false;
  sum->cpu += one.cpu;
  sum->wait += one.wait;
  add_bound (atoi (tid), &one, bound);

  return true;
}

static ReadResult
read_run_queue_of_threads (Process *process, ProcQueue *sum, BoundQueue *bound)
{
  DIR *directory = open_threads (process);
  const char *tid;
  int n = 0;

  if (directory == NULL)
    return READ_GONE;
  while (n < MAX_THREADS_READ && (tid = next_thread (directory)) != NULL)
    n += add_thread (process, tid, sum, bound);
  closedir (directory);

  return n > 0 ? READ_OK : READ_GONE;
}

ReadResult
reader_run_queue (Process *process, ProcQueue *out, BoundQueue *bound)
{
  ReadResult result;
  ProcQueue sum = { 0 };

  if (process->stat.threads > 1)
    result = read_run_queue_of_threads (process, &sum, bound);
  else
    {
      result = read_file (process, "schedstat", &process->sched_fd);
      if (result == READ_OK && !proc_parse_schedstat (buffer, &sum))
        result = READ_FAILED;
      if (result == READ_OK)
        add_bound (process->pid, &sum, bound);
    }
  if (result == READ_OK)
    *out = (ProcQueue) { sum.cpu / 1000, sum.wait / 1000 };

  return result;
}

static void
add_affinity (int32_t tid, cpu_set_t *cores)
{
  cpu_set_t set;

  if (sched_getaffinity (tid, sizeof set, &set) == 0)
    CPU_OR (cores, cores, &set);
}

void
reader_affinity (const Process *process, bool all_threads, cpu_set_t *cores)
{
  DIR *directory = NULL;
  const char *tid;

  if (is_foreign)
    return;
  if (!all_threads)
    {
      add_affinity (process->pid, cores);
      return;
    }
  directory = open_threads (process);
  if (directory == NULL)
    return;
  for (int n = 0; n < MAX_THREADS_READ && (tid = next_thread (directory)) != NULL; n++)
    add_affinity (atoi (tid), cores);
  closedir (directory);
}

size_t
reader_text (const Process *process, const char *name, char *out, size_t size)
{
  int fd = open_at (process, name, O_RDONLY);
  ssize_t n;

  if (fd < 0)
    return 0;
  n = read (fd, out, size);
  close (fd);

  return n > 0 ? (size_t) n : 0;
}

/* Calls @child for each pid in a `children` file. Reads repeatedly until the end of the file, because one read returns
 * at most 4 kB. */
static void
read_children (int fd, void (*child) (void *data, int32_t pid), void *data)
{
  char text[4096];
  int32_t pids[2048], carry = 0;
  off_t offset = 0;
  ssize_t n;

  while ((n = pread (fd, text, sizeof text, offset)) > 0)
    {
      size_t found = proc_parse_children (text, (size_t) n, &carry, pids, sizeof pids / sizeof *pids);

      for (size_t i = 0; i < found; i++)
        child (data, pids[i]);
      offset += n;
    }
  if (carry > 0)
    child (data, carry);
}

static void
read_children_of_threads (const Process *process, void (*child) (void *data, int32_t pid), void *data)
{
  DIR *directory = open_threads (process);
  const char *tid;

  if (directory == NULL)
    return;
  while ((tid = next_thread (directory)) != NULL)
    {
      char name[64];
      int file;

      snprintf (name, sizeof name, "%.20s/children", tid);
      file = openat (dirfd (directory), name, O_RDONLY | O_CLOEXEC);
      if (file < 0)
        continue;
      read_children (file, child, data);
      close (file);
    }
  closedir (directory);
}

void
reader_children (Process *process, void (*child) (void *data, int32_t pid), void *data)
{
  char name[48];

  /* Read the lists of all threads, because the kernel lists a child under the thread that forked it. */
  if (process->stat.threads > 1)
    {
      read_children_of_threads (process, child, data);
      return;
    }

  if (process->children_fd < 0)
    {
      snprintf (name, sizeof name, "task/%d/children", process->pid);
      process->children_fd = open_at (process, name, O_RDONLY);
      if (process->children_fd < 0)
        return;
      kept++;
    }
  read_children (process->children_fd, child, data);
  if (kept > kept_limit)
    forget (&process->children_fd);
}

void
reader_own_children (void (*child) (void *data, int32_t pid), void *data)
{
  static int fd = -2;
  char path[64];

  if (fd == -2 && !is_foreign)
    {
      snprintf (path, sizeof path, "/proc/self/task/%d/children", getpid ());
      fd = open (path, O_RDONLY | O_CLOEXEC);
    }
  if (fd >= 0)
    read_children (fd, child, data);
}
