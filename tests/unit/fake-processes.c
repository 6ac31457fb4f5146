/* SPDX-License-Identifier: BSD-3-Clause */

#include "fake-processes.h"

#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "process/roast-supervisor-wire.h"

/* ---- clocks ---- */

FakeClocks fake_clocks;

/* <time.h> declares it by its new name. */
int
fake_clock_gettime (clockid_t id, struct timespec *t)
{
  gint64 us = 0;

  switch (id)
    {
    case CLOCK_REALTIME:
      us = fake_clocks.real;
      break;
    case CLOCK_MONOTONIC:
      us = fake_clocks.monotonic;
      break;
    case CLOCK_BOOTTIME:
      us = fake_clocks.boot;
      break;
    case CLOCK_PROCESS_CPUTIME_ID:
      us = fake_clocks.cpu;
      break;
    default:
      g_assert_not_reached ();
    }
  t->tv_sec = us / G_USEC_PER_SEC;
  t->tv_nsec = us % G_USEC_PER_SEC * 1000 + 999;

  return 0;
}

void
fake_clocks_advance (gint64 us)
{
  fake_clocks.real += us;
  fake_clocks.monotonic += us;
  fake_clocks.boot += us;
}

void
fake_clocks_reset (void)
{
  fake_clocks = (FakeClocks) { .real = 1700000000123456, .monotonic = 5000000, .boot = 9000000, .cpu = 40000 };
}

/* ---- processes ---- */

guint fake_readers_closed;

static GPtrArray *processes;

FakeProcess *
fake_process_new (gint32 pid, gint32 ppid, const char *command)
{
  FakeProcess *process = g_new0 (FakeProcess, 1);

  if (processes == NULL)
    processes = g_ptr_array_new_with_free_func (g_free);
  process->pid = pid;
  process->stat = (ProcStat) { .state = 'S', .ppid = ppid, .threads = 1, .start_ticks = 100, .rss_pages = 1000 };
  g_strlcpy (process->stat.command, command, sizeof process->stat.command);
  process->status = (ProcStatus) { .uid = 1000, .peak_rss = -1, .namespace_pid = -1 };
  process->pss = 4096;
  process->run_queue = -1;
  g_ptr_array_add (processes, process);

  return process;
}

FakeProcess *
fake_process_find (gint32 pid)
{
  for (guint i = 0; processes != NULL && i < processes->len; i++)
    {
      FakeProcess *process = processes->pdata[i];

      if (process->pid == pid && !process->gone)
        return process;
    }

  return NULL;
}

void
fake_processes_clear (void)
{
  g_clear_pointer (&processes, g_ptr_array_unref);
}

static void
call_for_children (gint32 ppid, void (*child) (void *data, int32_t pid), void *data)
{
  for (guint i = 0; processes != NULL && i < processes->len; i++)
    {
      const FakeProcess *process = processes->pdata[i];

      if (process->stat.ppid == ppid && !process->gone)
        child (data, process->pid);
    }
}

/* ---- tools/supervisor/reader.h ---- */

ReadResult
reader_open (Process *process)
{
  return reader_stat (process);
}

void
reader_close (Process *process)
{
  fake_readers_closed++;
}

bool
reader_wait_status (const Process *process, int *status)
{
  return false;
}

ReadResult
reader_stat (Process *process)
{
  const FakeProcess *fake = fake_process_find (process->pid);

  if (fake == NULL)
    return READ_GONE;
  process->stat = fake->stat;

  return READ_OK;
}

ReadResult
reader_io (Process *process)
{
  FakeProcess *fake = fake_process_find (process->pid);

  if (fake == NULL)
    return READ_GONE;
  fake->io_reads++;
  if (fake->io_result == READ_OK)
    process->io = fake->io;

  return fake->io_result;
}

ReadResult
reader_status (Process *process, ProcStatus *out)
{
  FakeProcess *fake = fake_process_find (process->pid);

  if (fake == NULL)
    return READ_GONE;
  fake->status_reads++;
  if (fake->status_result == READ_OK)
    *out = fake->status;

  return fake->status_result;
}

int64_t
reader_pid_namespace (const Process *process)
{
  return 4026531836;
}

ReadResult
reader_pss (Process *process, int64_t *bytes)
{
  FakeProcess *fake = fake_process_find (process->pid);

  if (fake == NULL)
    return READ_GONE;
  fake->pss_reads++;
  fake_clocks.cpu += fake_clocks.pss_cost;
  if (fake->pss_result == READ_OK)
    *bytes = fake->pss;

  return fake->pss_result;
}

bool
reader_shares_memory (const Process *a, const Process *b)
{
  return fake_process_find (a->pid)->is_in_vfork;
}

ReadResult
reader_run_queue (Process *process, ProcQueue *out, BoundQueue *bound)
{
  FakeProcess *fake = fake_process_find (process->pid);

  if (fake == NULL)
    return READ_GONE;
  fake->run_queue_reads++;
  out->cpu = (fake->stat.user_ticks + fake->stat.system_ticks) * 10000 - fake->unseen;
  out->wait = fake->run_queue;
  if (fake->is_bound)
    {
      bound->wait = fake->run_queue;
      CPU_SET (0, &bound->cores);
    }

  return READ_OK;
}

void
reader_affinity (const Process *process, bool all_threads, cpu_set_t *cores)
{
  const FakeProcess *fake = fake_process_find (process->pid);

  if (fake != NULL)
    CPU_OR (cores, cores, all_threads ? &fake->affinity_of_threads : &fake->affinity);
}

size_t
reader_text (const Process *process, const char *name, char *out, size_t size)
{
  const FakeProcess *fake = fake_process_find (process->pid);

  g_assert_nonnull (fake);
  if (strcmp (name, "cgroup") == 0)
    return fake->groups != NULL ? g_strlcpy (out, fake->groups, size) : 0;
  g_assert_cmpuint (size, >=, fake->command_line_length);
  memcpy (out, fake->command_line, fake->command_line_length);

  return fake->command_line_length;
}

void
reader_children (Process *process, void (*child) (void *data, int32_t pid), void *data)
{
  FakeProcess *fake = fake_process_find (process->pid);

  if (fake != NULL)
    fake->children_reads++;
  call_for_children (process->pid, child, data);
}

void
reader_own_children (void (*child) (void *data, int32_t pid), void *data)
{
  call_for_children (getpid (), child, data);
}

/* ---- the library ---- */

void
fake_library_set_up (FakeLibrary *library)
{
  int fds[2];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), ==, 0);
  frame_writer_init (&library->out, fds[0]);
  library->fd = fds[1];
  library->received = g_byte_array_new ();
}

void
fake_library_tear_down (FakeLibrary *library)
{
  frame_writer_close (&library->out);
  close (library->fd);
  g_byte_array_unref (library->received);
}

static void
receive (FakeLibrary *library)
{
  gboolean more = TRUE;

  while (more)
    {
      guint8 data[65536];
      gssize n;

      frame_writer_flush (&library->out);
      while ((n = recv (library->fd, data, sizeof data, MSG_DONTWAIT)) > 0)
        g_byte_array_append (library->received, data, (guint) n);
      more = frame_writer_pending (&library->out);
    }
}

void
fake_library_forget (FakeLibrary *library)
{
  receive (library);
  g_byte_array_set_size (library->received, 0);
}

/* The frame of that number; NULL if there are fewer. *found is how many there are then. */
static const guint8 *
find_frame (FakeLibrary *library, guint32 type, guint n, gsize *length, guint *found)
{
  const guint8 *data;

  receive (library);
  data = library->received->data;
  *found = 0;
  for (gsize at = 0; at < library->received->len;)
    {
      RoastWireHeader header;

      g_assert_cmpuint (library->received->len - at, >=, sizeof header);
      memcpy (&header, data + at, sizeof header);
      at += sizeof header;
      g_assert_cmpuint (library->received->len - at, >=, header.length);
      if (header.type == type && (*found)++ == n)
        {
          *length = header.length;
          return data + at;
        }
      at += header.length;
    }

  return NULL;
}

guint
fake_library_count (FakeLibrary *library, guint32 type)
{
  gsize length;
  guint found;

  g_assert_null (find_frame (library, type, G_MAXUINT, &length, &found));

  return found;
}

gconstpointer
fake_library_frame (FakeLibrary *library, guint32 type, guint n, gsize *length)
{
  guint found;
  gsize size;
  const guint8 *frame = find_frame (library, type, n, &size, &found);

  g_assert_nonnull (frame);
  if (length != NULL)
    *length = size;

  return frame;
}

bool
reader_status_of (int32_t pid, ProcStatus *out)
{
  FakeProcess *process = fake_process_find (pid);

  if (process == NULL)
    return false;
  process->status_reads++;
  *out = process->status;

  return true;
}
