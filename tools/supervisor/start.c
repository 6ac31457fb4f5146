/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../run/descriptors.h" /* check-source: allow rooms: descriptors of all processes of roast-run */
#include "mechanisms.h"
#include "process/roast-supervisor-wire.h"
#include "reader.h"
#include "supervisor.h"

#define EXEC_MEMORY (1 << 20) /* bytes; upper bound of the growth of a forked child's memory until its exec */

static double
allowed_cores (void)
{
  cpu_set_t set;

  if (sched_getaffinity (0, sizeof set, &set) == 0)
    return CPU_COUNT (&set);

  return (double) sysconf (_SC_NPROCESSORS_ONLN);
}

static void
say_hello (Supervisor *self, const CgroupLimits *limits, uint32_t accounting)
{
  RoastWireHello hello = { .version = ROAST_WIRE_VERSION, .record_size = sizeof (RoastWireTreeEnd) };

  hello.info.started = clocks_epoch (&self->clocks, self->started);
  hello.info.interval = self->options.interval;
  hello.info.supervisor_pid = getpid ();
  hello.info.accounting = accounting;
  hello.info.cores = allowed_cores ();
  hello.info.cgroup_cores = limits->cores;
  hello.info.cgroup_memory_limit = limits->memory_limit;
  hello.info.host_memory = (int64_t) sysconf (_SC_PHYS_PAGES) * sysconf (_SC_PAGESIZE);
  frame_writer_frame (&self->out, ROAST_WIRE_HELLO, &hello, sizeof hello, NULL, 0);
  self->said_hello = true;
}

void
supervisor_fail (Supervisor *self, int stage, int error)
{
  static const CgroupLimits unknown = { .cores = -1, .memory_limit = -1 };
  RoastWireFailure failure = { stage, error };

  if (!self->said_hello)
    say_hello (self, &unknown, 0);
  frame_writer_frame (&self->out, ROAST_WIRE_LAUNCH_FAILED, &failure, sizeof failure, NULL, 0);
  frame_writer_drain (&self->out);
  exit (EXIT_FAILURE);
}

/* Returns an upper bound of the memory that a forked child uses before its exec. Call this function while the child
 * waits for launch_exec(). */
static int64_t
peak_before_exec (pid_t child)
{
  ProcStatus status;

  if (!reader_status_of (child, &status) || status.peak_rss < 0)
    return INT64_MAX;

  return status.peak_rss + EXEC_MEMORY;
}

static void
launched (Supervisor *self, int64_t inherited_peak)
{
  RoastWireLaunched record = { self->main_pid };
  Process *p;

  if (self->options.attach_pid == 0)
    supervisor_tell_status (self, false, 0);
  frame_writer_frame (&self->out, ROAST_WIRE_LAUNCHED, &record, sizeof record, NULL, 0);
  p = sampler_add (&self->sampler, self->main_pid);
  if (p == NULL)
    return;
  self->main_id = p->id;
  p->inherited_peak = inherited_peak;
  /* A program that was just launched has not been loaded yet, so its memory says nothing about its peak. */
  if (self->options.attach_pid == 0)
    p->peak_rss = -1;
}

static void
note_accounting (Supervisor *self, const Mechanisms *mechanisms)
{
  char text[1024];

  mechanisms_describe (mechanisms, &self->options, text, sizeof text);
  supervisor_note (self, NOTE_INFO, "accounting", text);
}

/* Creates a control group and moves the child into the group. Returns NULL if the site does not allow this. */
static Cgroup *
create_cgroup (pid_t child, const char **why)
{
  Cgroup *cgroup = cgroup_create (why);

  if (cgroup == NULL || cgroup_join (cgroup, child))
    return cgroup;
  *why = "the program could not be moved to a control group";
  cgroup_destroy (cgroup);

  return NULL;
}

/* Sets up accounting for processes that no parent waits for. Prefers perf events, because the program could notice a
 * control group. */
static Mechanisms
set_up_unreaped (Supervisor *self, pid_t child)
{
  static char reason[512];
  const char *no_perf = "perf events are switched off";
  const char *no_cgroup = "control groups are switched off";

  if ((self->options.accounting & ROAST_ACCOUNTING_PERF) != 0)
    self->unreaped = unreaped_new (child, &no_perf);
  if (self->unreaped != NULL)
    return (Mechanisms) { .perf = true };
  if ((self->options.accounting & ROAST_ACCOUNTING_CGROUP) != 0)
    self->cgroup = create_cgroup (child, &no_cgroup);
  if (self->cgroup != NULL)
    return (Mechanisms) { .cgroup = true };
  snprintf (reason, sizeof reason, "%s and %s", no_perf, no_cgroup);

  return (Mechanisms) { .missing = reason };
}

void
supervisor_launch (Supervisor *self)
{
  Mechanisms mechanisms;
  int64_t inherited_peak;
  Launch child;
  int error;

  prctl (PR_SET_CHILD_SUBREAPER, 1);
  cgroup_read_limits (0, &self->limits);
  self->throttled = cgroup_read_throttled (&self->limits);
  self->oom_kills = self->limits.oom_kills;
  if (!launch_fork (&child, &self->inherited, self->options.program, self->options.ignore_sigpipe))
    supervisor_fail (self, ROAST_WIRE_STAGE_FORK, errno);
  self->main_pid = child.pid;
  descriptors_release_inherited ();
  mechanisms = set_up_unreaped (self, child.pid);
  self->accounting.names = self->unreaped;
  inherited_peak = peak_before_exec (child.pid);

  /* Start the clock when the program starts. */
  self->started = monotonic_us ();
  say_hello (self, &self->limits, mechanisms_mask (&mechanisms, &self->options));
  error = launch_exec (&child);
  if (error != 0)
    {
      cgroup_destroy (self->cgroup);
      supervisor_fail (self, ROAST_WIRE_STAGE_EXEC, error);
    }
  launched (self, inherited_peak);
  note_accounting (self, &mechanisms);
  if (reader_is_foreign ())
    supervisor_note (self, NOTE_WARNING, "unreadable",
                     "the processes of the program cannot be read, because /proc shows another PID namespace. Mount "
                     "/proc for the PID namespace of the program, as “unshare --mount-proc” does");
}

static void
set_baseline (const Supervisor *self, Process *p)
{
  BoundQueue bound = { .own = self->sampler.affinity.own };

  p->base = p->stat;
  if (reader_io (p) == READ_OK)
    {
      p->io_known = true;
      p->io_base = p->io;
    }
  if (reader_run_queue (p, &p->living, &bound) == READ_OK)
    {
      p->bound = bound.wait;
      p->run_queue = p->run_queue_base = p->living.wait;
      p->seen_cpu = cpu_accounting_own_cpu (&self->accounting, p);
    }
}

void
supervisor_attach (Supervisor *self)
{
  static const Mechanisms mechanisms = { .perf = false };

  self->main_pid = self->options.attach_pid;
  cgroup_read_limits (self->main_pid, &self->limits);
  self->throttled = cgroup_read_throttled (&self->limits);
  self->oom_kills = -1;
  self->pidfd = (int) syscall (SYS_pidfd_open, self->main_pid, 0);
  if (self->pidfd < 0 && errno != ENOSYS)
    supervisor_fail (self, ROAST_WIRE_STAGE_ATTACH, errno);
  /* Signal 0 only checks the permission to send signals to the process. */
  if (kill (self->main_pid, 0) < 0)
    supervisor_fail (self, ROAST_WIRE_STAGE_ATTACH, errno);
  if (!reader_exists (self->main_pid))
    supervisor_fail (self, ROAST_WIRE_STAGE_ATTACH, reader_is_foreign () ? EXDEV : ESRCH);
  say_hello (self, &self->limits, mechanisms_mask (&mechanisms, &self->options));
  launched (self, INT64_MAX);
  sampler_discover (&self->sampler, true);
  for (size_t i = 0; i < self->tree.n; i++)
    set_baseline (self, self->tree.all[i]);
  note_accounting (self, &mechanisms);
}
