/* SPDX-License-Identifier: BSD-3-Clause */

#include "sampler.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "process/roast-supervisor-wire.h"
#include "pss.h"
#include "reader.h"

#define FIRST_PSS_BUDGET 100000 /* µs; CPU time for PSS readings at the start */
#define LAUNCH_TIME 100000 /* µs; affinity masks are ignored during this time, in which taskset may change its mask */

/* Returns whether the process is roast-run. Sets *parent to the pid of its parent. */
static bool
is_roast_run (int32_t pid, int32_t *parent)
{
  Process process = {
    .pid = pid, .dir_fd = -1, .stat_fd = -1, .io_fd = -1, .smaps_fd = -1, .sched_fd = -1, .children_fd = -1, .pidfd = -1
  };
  bool found = reader_open (&process) == READ_OK && strcmp (process.stat.command, "roast-run") == 0;

  *parent = process.stat.ppid;
  reader_close (&process);

  return found;
}

/* Finds the session that started this supervisor, and the keeper of that session. If a program started roast-run to
 * attach to the program itself, these processes are descendants of the program but do not belong to it. */
static void
find_roast_run (Sampler *self)
{
  int32_t session = getppid (), keeper = 0, parent = 0;

  if (self->options->attach_pid == 0 || !is_roast_run (session, &keeper))
    return;
  self->session_pid = session;
  if (is_roast_run (keeper, &parent))
    self->keeper_pid = keeper;
}

void
sampler_init (Sampler *self, CpuAccounting *accounting, const Clocks *clocks, const Options *options)
{
  self->out = accounting->out;
  self->tree = accounting->tree;
  self->accounting = accounting;
  self->clocks = clocks;
  self->options = options;
  self->own_pid = getpid ();
  self->page_size = sysconf (_SC_PAGESIZE);
  self->loadavg_fd = open ("/proc/loadavg", O_RDONLY | O_CLOEXEC);
  self->pss_time = monotonic_us ();
  self->pss_budget = FIRST_PSS_BUDGET;
  self->started = self->pss_time;
  affinity_init (&self->affinity);
  find_roast_run (self);
}

static void
send_process (Sampler *self, Process *p, uint32_t type)
{
  RoastWireProcess record = { .id = p->id,
                              .parent_id = p->parent_id,
                              .started = p->started,
                              .pid = p->pid,
                              .uid = p->uid,
                              .pid_namespace = p->pid_namespace,
                              .namespace_pid = p->namespace_pid };
  char command_line[ROAST_WIRE_MAX_COMMAND_LINE];
  size_t length = reader_text (p, "cmdline", command_line, sizeof command_line);

  memcpy (record.command, p->stat.command, sizeof record.command);
  frame_writer_frame (self->out, type, &record, sizeof record, command_line, length);
}

static void
read_status (Process *p)
{
  ProcStatus status;

  if (reader_status (p, &status) != READ_OK)
    return;
  p->uid = status.uid;
  p->ignores_sigchld = status.ignores_sigchld;
  p->namespace_pid = status.namespace_pid;
  if (p->pid_namespace <= 0)
    p->pid_namespace = reader_pid_namespace (p);
  if (status.peak_rss > p->peak_rss)
    p->peak_rss = status.peak_rss;
}

/* Returns whether the process is in the top group of each version 1 hierarchy. The kernel shows these groups for each
 * process that is ending. */
static bool
may_be_ending (const char *groups)
{
  bool found = false;

  for (const char *line = groups, *end; (end = strchr (line, '\n')) != NULL; line = end + 1)
    {
      if (strncmp (line, "0:", 2) == 0)
        continue;
      if (end < line + 2 || strncmp (end - 2, ":/", 2) != 0)
        return false;
      found = true;
    }

  return found;
}

/* Compares the control groups of the process with those of the first process of the tree. */
static void
check_groups (Sampler *self, const Process *p)
{
  char groups[sizeof self->groups];
  size_t n = self->left_groups ? 0 : reader_text (p, "cgroup", groups, sizeof groups - 1);

  groups[n] = '\0';
  if (n == 0 || may_be_ending (groups))
    return;
  if (self->groups_length == 0)
    {
      memcpy (self->groups, groups, n);
      self->groups_length = n;
    }
  self->left_groups = n != self->groups_length || memcmp (groups, self->groups, n) != 0;
}

Process *
sampler_add (Sampler *self, int32_t pid)
{
  Process *p = tree_find (self->tree, pid);
  Process *parent;

  if (p != NULL)
    return p;
  p = tree_add (self->tree, pid);
  if (p == NULL)
    return NULL;
  if (reader_open (p) != READ_OK)
    {
      tree_remove (self->tree, p);
      self->tree->last_id--;
      return NULL;
    }
  parent = tree_find (self->tree, p->stat.ppid);
  if (parent != NULL)
    {
      p->parent_id = parent->id;
      parent->family_changed = parent->had_children = true;
      /* Read the status of the parent again, because the parent may have begun to ignore SIGCHLD. */
      if (!parent->ignores_sigchld)
        read_status (parent);
    }
  p->started = self->clocks->boot + (int64_t) (p->stat.start_ticks * (uint64_t) self->accounting->tick_us);
  p->told = p->stat;
  p->zombie = proc_has_ended (&p->stat);
  if (!p->zombie)
    read_status (p);
  check_groups (self, p);
  send_process (self, p, ROAST_WIRE_PROCESS);

  return p;
}

/* Adds a child to the tree. Skips the supervisor, the session and the keeper, because they do not belong to the tree,
 * even if they are descendants of the program because the program attached roast to itself. */
static void
on_child (void *data, int32_t pid)
{
  Sampler *self = data;

  if (pid != self->own_pid && pid != self->session_pid && pid != self->keeper_pid)
    sampler_add (self, pid);
}

static bool
anything_forked (Sampler *self)
{
  char text[128];
  int32_t pid;
  ssize_t n = self->loadavg_fd >= 0 ? pread (self->loadavg_fd, text, sizeof text - 1, 0) : -1;

  text[n > 0 ? n : 0] = '\0';
  if (!proc_parse_loadavg_pid (text, &pid))
    return true;
  if (pid == self->last_pid)
    return false;
  self->last_pid = pid;

  return true;
}

void
sampler_discover (Sampler *self, bool force)
{
  if (!anything_forked (self) && !force)
    return;
  /* Orphans become children of this process, which is the subreaper. */
  if (self->options->attach_pid == 0)
    reader_own_children (on_child, self);
  /* The loop adds processes to the end of the array, and visits these processes later, to find their children. Read
   * stat before the children, because it contains the current number of threads: otherwise a fork by a new thread would
   * be missed. */
  for (size_t i = 0; i < self->tree->n; i++)
    {
      Process *p = self->tree->all[i];

      if (p->zombie || (!p->fresh && reader_stat (p) != READ_OK))
        continue;
      reader_children (p, on_child, self);
    }
}

static bool
cpu_changed (const Process *p, const ProcStat *before)
{
  return p->stat.user_ticks != before->user_ticks || p->stat.system_ticks != before->system_ticks ||
         p->stat.minor_faults != before->minor_faults;
}

static void
read_io (Sampler *self, Process *p)
{
  switch (p->io_denied ? READ_DENIED : reader_io (p))
    {
    case READ_OK:
      p->io_known = true;
      break;
    case READ_DENIED:
      if (!p->io_denied)
        self->unreadable++;
      p->io_denied = true;
      break;
    case READ_GONE:
    case READ_FAILED:
    default:
      break;
    }
}

/* Adds what a sum over the living threads grew by. The sum becomes smaller when threads end, but the process used their
 * time, too. */
static void
add_growth (int64_t *total, int64_t *living, int64_t now)
{
  if (*total < 0)
    *total = now;
  else if (now > *living)
    *total += now - *living;
  *living = now;
}

static void
read_run_queue (Sampler *self, Process *p)
{
  BoundQueue bound = { .own = self->affinity.own };
  ProcQueue now;

  if (reader_run_queue (p, &now, &bound) != READ_OK)
    return;
  affinity_add_bound (&self->affinity, &bound, p->bound, now.wait - p->living.wait);
  p->bound = bound.wait;
  add_growth (&p->run_queue, &p->living.wait, now.wait);
  add_growth (&p->seen_cpu, &p->living.cpu, now.cpu);
}

void
sampler_read_last (Sampler *self, Process *p)
{
  reader_stat (p);
  read_io (self, p);
  read_run_queue (self, p);
  read_status (p);
  p->zombie = true;
  check_groups (self, p);
}

/* Forgets the peak memory of a process after its exec, if the peak may include pages of the parent. Until its exec, a
 * forked process has the pages and the name of its parent. */
static void
forget_inherited (const Sampler *self, Process *p, const char *name)
{
  const Process *parent = tree_find (self->tree, p->stat.ppid);

  if (parent != NULL && strcmp (parent->stat.command, name) == 0 && p->peak_rss <= parent->peak_rss)
    p->peak_rss = -1;
}

/* Remembers the page faults of the children that the parent has waited for so far. They do not include this process,
 * because the parent was read before this process, and had not waited for it yet. */
static void
note_faults_before (const Sampler *self, Process *p)
{
  const Process *parent = tree_find (self->tree, p->stat.ppid);

  p->faults_before = parent != NULL ? parent->stat.children_minor_faults : 0;
}

/* Reads a process at a tick. Returns false if the process is gone. */
static bool
read_process (Sampler *self, Process *p)
{
  ProcStat before = p->told;
  bool was_fresh = p->fresh;

  if (reader_stat (p) != READ_OK)
    return false;
  note_faults_before (self, p);
  p->told = p->stat;
  p->zombie = proc_has_ended (&p->stat);
  /* If only the main thread has ended, keep the last value, because the kernel shows no memory for such a process. */
  if (p->zombie || p->stat.state != 'Z')
    p->rss = p->stat.rss_pages * self->page_size;
  if (p->zombie)
    {
      read_io (self, p);
      return true;
    }
  if (memcmp (before.command, p->stat.command, sizeof before.command) != 0)
    {
      /* If the process only changed its name, without an exec, no peak is lost, because read_status() reads it
       * again. */
      forget_inherited (self, p, before.command);
      read_status (p);
      send_process (self, p, ROAST_WIRE_EXEC);
    }
  if (was_fresh || cpu_changed (p, &before))
    {
      check_groups (self, p);
      read_io (self, p);
      read_run_queue (self, p);
      if (p->seen_cpu >= 0)
        p->unseen_cpu = cpu_accounting_own_cpu (self->accounting, p) - p->seen_cpu;
    }
  if (p->rss > p->peak_rss || (was_fresh && p->peak_rss < 0))
    read_status (p);

  return true;
}

static bool
changed (const RoastWireSample *a, const RoastWireSample *b)
{
  RoastWireSample x = *a, y = *b;

  x.pss_age = y.pss_age = 0;

  return memcmp (&x, &y, sizeof x) != 0;
}

static void
add_sample (Sampler *self, Process *p, int64_t now, RoastWireTick *tick)
{
  RoastWireSample s = { .id = p->id };

  /* Treat 0 pages as unknown, because no running process has 0 pages. The kernel's counter is a sum over CPUs that may
   * be outdated, so it can be 0 during exec(). */
  s.rss = p->rss > 0 ? p->rss : -1;
  s.pss = pss_estimate (p);
  s.pss_age = s.pss >= 0 ? now - p->pss_read : -1;
  s.threads = (int32_t) p->stat.threads;
  s.state = p->stat.state;
  cpu_accounting_usage_so_far (self->accounting, p, &s.usage);

  tick->threads += s.threads;
  if (s.rss > 0)
    tick->rss += s.rss;
  tick->pss += p->pss >= 0 ? (s.pss > 0 ? s.pss : 0) : pss_of_unread (self, p);
  if (s.pss >= 0 && s.pss_age == 0)
    tick->pss_known += s.pss;

  if (!p->fresh && !changed (&s, &p->sent))
    return;
  if (tick->samples >= self->samples_capacity)
    {
      size_t capacity = self->samples_capacity != 0 ? self->samples_capacity * 2 : 256;
      RoastWireSample *samples = realloc (self->samples, capacity * sizeof *samples);

      if (samples == NULL)
        return;
      self->samples = samples;
      self->samples_capacity = capacity;
    }
  self->samples[tick->samples++] = s;
  p->sent = s;
  p->fresh = false;
}

void
sampler_remove_vanished (Sampler *self, Process *p)
{
  Process *parent = tree_find (self->tree, p->stat.ppid);

  if (parent != NULL)
    {
      parent->family_changed = true;
      /* The counters of a zombie are final, because it no longer waits for children. */
      parent->children_final = reader_stat (parent) == READ_OK || parent->zombie;
      read_status (parent);
    }
  sampler_sweep_children (self, p);
  p->status_known = reader_wait_status (p, &p->wait_status);
  if (!cpu_accounting_vanished (self->accounting, p, clocks_epoch (self->clocks, monotonic_us ())))
    self->unreaped_seen = true;
  tree_remove (self->tree, p);
}

/* Repeats until a pass removes no process, because removing a process moves entries of the array, and may remove other
 * processes. */
void
sampler_sweep_children (Sampler *self, const Process *parent)
{
  int32_t pid = parent->pid;
  bool removed = parent->had_children;

  while (removed)
    {
      removed = false;
      for (size_t i = 0; i < self->tree->n;)
        {
          Process *p = self->tree->all[i];

          if (p == parent || p->has_row || p->stat.ppid != pid || reader_stat (p) == READ_OK)
            {
              i++;
              continue;
            }
          sampler_remove_vanished (self, p);
          removed = true;
        }
    }
}

void
sampler_remove_gone (Sampler *self)
{
  for (size_t i = 0; i < self->tree->n;)
    {
      Process *p = self->tree->all[i];

      /* When a process is removed, the last process of the array takes its place. */
      if (!p->has_row && reader_stat (p) != READ_OK)
        {
          sampler_remove_vanished (self, p);
          continue;
        }
      p->zombie |= proc_has_ended (&p->stat);
      i++;
    }
}

static void
refresh (Sampler *self)
{
  for (size_t i = 0; i < self->tree->n;)
    {
      Process *p = self->tree->all[i];
      bool there = p->zombie ? reader_stat (p) == READ_OK : read_process (self, p);

      /* When an entry is removed, the last entry takes its slot, so look at the same slot again. */
      if (there)
        i++;
      else
        sampler_remove_vanished (self, p);
    }
}

void
sampler_read_affinity (Sampler *self, int64_t now, bool is_last)
{
  bool is_running = self->options->attach_pid != 0 || now - self->started >= LAUNCH_TIME;

  affinity_read (&self->affinity, self->tree, now, is_running || (is_last && self->affinity.most < 0));
}

int64_t
sampler_cpu_so_far (const Sampler *self)
{
  int64_t cpu = self->accounting->wait_cpu;

  for (size_t i = 0; i < self->tree->n; i++)
    cpu += cpu_accounting_cpu_so_far (self->accounting, self->tree->all[i]);

  return cpu;
}

static void
count_stopped (Sampler *self, int64_t now)
{
  bool is_stopped = false;

  for (size_t i = 0; i < self->tree->n; i++)
    is_stopped |= self->tree->all[i]->stat.state == 'T';
  if (is_stopped && self->stopped_since != 0)
    self->stopped += now - self->stopped_since;
  self->stopped_since = is_stopped ? now : 0;
}

void
sampler_tick (Sampler *self)
{
  RoastWireTick tick = { 0 };
  int64_t now;

  sampler_discover (self, self->ticks == 0);
  refresh (self);
  now = monotonic_us ();
  if (self->options->pss != PSS_OFF)
    pss_read (self, now);
  sampler_read_affinity (self, now, false);
  count_stopped (self, now);

  tick.time = clocks_epoch (self->clocks, now);
  tick.cpu = sampler_cpu_so_far (self);
  tick.cores = self->affinity.now;
  tick.system = self->accounting->wait_system;
  for (size_t i = 0; i < self->tree->n; i++)
    {
      Process *p = self->tree->all[i];

      tick.system += cpu_accounting_system_so_far (self->accounting, p);
      if (p->zombie)
        {
          tick.zombies++;
          continue;
        }
      tick.processes++;
      add_sample (self, p, now, &tick);
    }
  /* A sum of 0 is unknown if processes run: they are in exec(), or their memory may not be read. */
  if (tick.processes > 0 && tick.rss == 0)
    tick.rss = -1;
  if (self->options->pss == PSS_OFF || (tick.processes > 0 && tick.pss == 0))
    tick.pss = tick.pss_known = -1;
  self->ticks++;
  if (!frame_writer_has_room (self->out))
    {
      self->out->dropped += tick.samples;
      tick.samples = 0;
    }
  frame_writer_frame (self->out, ROAST_WIRE_TICK, &tick, sizeof tick, self->samples,
                      tick.samples * sizeof *self->samples);
}
