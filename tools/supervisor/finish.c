/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "file.h"
#include "perf.h"
#include "process/roast-supervisor-wire.h"
#include "reader.h"
#include "supervisor.h"

#define MAX_NAMED 12        /* maximum number of processes that a message names */
#define UNSEEN_LEAST 100000 /* µs; note unseen threads from this CPU time on, */
#define UNSEEN_PART 5       /* and if they computed for at least this part of the CPU time: 1 / UNSEEN_PART */
#define MAX_PASSES 16 /* maximum number of passes over the tree, because processes may start and end during a pass */

/* Reads VmHWM. Does not use the maximum of getrusage(), which is kept over an exec and would include the peak of the
 * application that started the supervisor. */
static int64_t
own_peak_rss (void)
{
  char text[4096];
  ProcStatus status;

  file_read ("/proc/self/status", text, sizeof text);

  return proc_parse_status (text, &status) ? status.peak_rss : -1;
}

/* Sends a note that names the processes that the program left behind. */
static void
note_left (Supervisor *self, int64_t leftover)
{
  char text[640];
  int length =
      snprintf (text, sizeof text, "%lld process%s that the program left behind still ran when the measurement ended:",
                (long long) leftover, leftover == 1 ? "" : "es");
  int named = 0;

  for (size_t i = 0; i < self->tree.n && named < MAX_NAMED; i++)
    {
      const Process *p = self->tree.all[i];

      if (p->zombie)
        continue;
      length += snprintf (text + length, sizeof text - (size_t) length, "%s %.*s (%d)", named++ > 0 ? "," : "",
                          (int) sizeof p->stat.command, p->stat.command, p->pid);
    }
  if (leftover > named)
    snprintf (text + length, sizeof text - (size_t) length, " and %lld more", (long long) leftover - named);
  supervisor_note (self, NOTE_WARNING, "left", text);
}

/* Writes the final rows of all processes that are left. Repeats this until a pass finds no new process, because during
 * a pass a process may start another process and end. */
static void
end_processes (Supervisor *self, int64_t now, RoastWireTreeEnd *end)
{
  uint64_t known = 0;

  sampler_discover (&self->sampler, true);
  for (int pass = 0; pass < MAX_PASSES && (pass == 0 || self->tree.last_id > known); pass++)
    {
      known = self->tree.last_id;
      sampler_remove_gone (&self->sampler);
      for (size_t i = 0; i < self->tree.n; i++)
        if (!self->tree.all[i]->has_row)
          {
            end->leftover += !self->tree.all[i]->zombie;
            cpu_accounting_left (&self->accounting, self->tree.all[i], clocks_epoch (&self->clocks, now));
          }
      sampler_discover (&self->sampler, true);
    }
  end->leftover_exact = self->tree.last_id == known;
  if (self->main_gone && end->leftover > 0 && self->options.attach_pid == 0)
    note_left (self, end->leftover);
}

/* Returns the CPU time that the control group counted and that no row contains. The counter of the group is exact to
 * the µs, unless processes left the group. */
static int64_t
missing_in_cgroup (Supervisor *self, int64_t rows_cpu)
{
  int64_t missing = cgroup_cpu_us (self->cgroup) - rows_cpu;

  self->left_cgroup = missing < -(3 * self->accounting.tick_us + rows_cpu / 50);

  return missing >= UNREAPED_LEAST ? missing : 0;
}

/* Accounts for the CPU time that no row contains yet. */
static void
end_unreaped (Supervisor *self, RoastWireTreeEnd *end)
{
  int64_t rows_cpu = self->accounting.cpu + self->accounting.folded.user + self->accounting.folded.system;
  int64_t missing = self->cgroup != NULL
                        ? missing_in_cgroup (self, rows_cpu)
                        : unreaped_missing (self->unreaped, &self->tree, rows_cpu, self->accounting.unreaped);

  cpu_accounting_finish (&self->accounting);
  cpu_accounting_unreaped (&self->accounting, self->main_id, missing, self->sampler.unreaped_seen);
  end->unreaped_error = unreaped_error (self->unreaped);
  end->perf_cpu = unreaped_perf_cpu (self->unreaped);
}

/* Notes threads that no sample saw, because it is unknown how long they waited for a core. Ignores a small part of the
 * CPU time. */
static void
note_unseen_threads (Supervisor *self)
{
  const CpuAccounting *accounting = &self->accounting;
  char text[200];

  if (accounting->unseen_cpu < UNSEEN_LEAST || accounting->unseen_cpu < accounting->cpu / UNSEEN_PART)
    return;
  snprintf (text, sizeof text,
            "threads that no sample saw computed for %.1f s: how long they waited for a core is unknown",
            (double) accounting->unseen_cpu / 1e6);
  supervisor_note (self, NOTE_INFO, "unseen-threads", text);
}

/* Returns the reason why CPU time of processes that no parent waited for may be missing; NULL if no such time is
 * missing. */
static const char *
find_blindness (const Supervisor *self)
{
  if (self->unreaped == NULL && self->cgroup == NULL)
    return "neither perf events nor a control group is available";
  if (self->left_cgroup)
    return "the processes left the control group in which roast counts CPU time";
  /* The kernel ends the perf events of a process that executes a program which the user may not read. */
  if (self->unreaped != NULL && self->sampler.unreadable > 0)
    return "perf events do not follow programs that protect themselves";

  return NULL;
}

static void
add_totals (Supervisor *self, int64_t now, RoastWireTreeEnd *end)
{
  bool counts = !self->sampler.left_groups;
  int64_t throttled = counts && self->throttled >= 0 ? cgroup_read_throttled (&self->limits) : -1;
  int64_t oom_kills = counts && self->oom_kills >= 0 ? cgroup_read_oom_kills (&self->limits) : -1;
  bool exact;

  clocks_compare (&self->clocks, &end->suspended, &end->clock_jump);
  end->ended = clocks_epoch (&self->clocks, now);
  end->main_ended = self->main_gone ? clocks_epoch (&self->clocks, self->main_ended) : -1;
  end->elapsed = (self->main_gone ? self->main_ended : now) - self->started;
  end->stopped = self->stopped > self->sampler.stopped ? self->stopped : self->sampler.stopped;
  end->processes = (int64_t) unreaped_processes (self->unreaped, self->tree.last_id, &exact);
  end->processes_exact = exact && find_blindness (self) == NULL;
  end->ticks = (int64_t) self->sampler.ticks;
  end->missed = (int64_t) self->sampler.missed;
  end->dropped = (int64_t) self->out.dropped;
  end->wait_cpu = self->accounting.wait_cpu;
  end->write_cancelled = self->accounting.write_cancelled;
  end->main_cpu = self->main_cpu;
  end->cores_average = affinity_average (&self->sampler.affinity);
  end->cores_least = self->sampler.affinity.least;
  end->cores_most = self->sampler.affinity.most;
  end->bound_run_queue = self->sampler.affinity.waited > 0 ? self->sampler.affinity.waited : -1;
  end->bound_cores = self->sampler.affinity.waited > 0 ? CPU_COUNT (&self->sampler.affinity.bound) : -1;
  end->throttled = throttled >= 0 ? throttled - self->throttled : -1;
  end->oom_kills = oom_kills >= 0 ? oom_kills - self->oom_kills : -1;
}

/* Adds the CPU time that perf cost the program. This cost is measured only now, when the program has ended. */
static void
add_perf_cost (Supervisor *self, RoastWireTreeEnd *end)
{
  end->perf_clones = unreaped_clones (self->unreaped);
  end->perf_clone_cost = end->perf_clones > 0 ? perf_clone_cost (&self->helper_cpu) : -1;
  end->perf_closed = self->perf_closed;
}

static void
add_own_usage (Supervisor *self, RoastWireTreeEnd *end)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  end->own_user = timeval_us (usage.ru_utime);
  end->own_system = timeval_us (usage.ru_stime) + self->helper_cpu;
  end->own_peak_rss = own_peak_rss ();
}

static void
note_unreaped (Supervisor *self)
{
  const char *why = find_blindness (self);
  char text[300];

  if (!self->sampler.unreaped_seen || why == NULL)
    return;
  snprintf (text, sizeof text,
            "some processes ignore SIGCHLD and do not wait for their children: CPU time of these children after their "
            "last sample is not counted, because %s",
            why);
  supervisor_note (self, NOTE_WARNING, "unreaped", text);
}

static void
note_problems (Supervisor *self, const RoastWireTreeEnd *end)
{
  if (self->sampler.unreadable > 0)
    {
      char text[200];

      /* The number includes processes that ended before their I/O was read, because newer kernels show the I/O of an
       * ended process only to root. */
      snprintf (text, sizeof text,
                "memory or I/O of %llu process(es) is not counted: the processes belong to another user, protect "
                "themselves, or ended before their first sample",
                (unsigned long long) self->sampler.unreadable);
      supervisor_note (self, NOTE_WARNING, "unreadable", text);
    }
  if (self->sampler.left_groups)
    supervisor_note (self, NOTE_WARNING, "left-groups",
                     "processes of the program moved to another control group, whose limits and kills for lack of "
                     "memory are not known");
  note_unreaped (self);
  note_unseen_threads (self);
  if (self->sampler.stopped > self->stopped)
    supervisor_note (self, NOTE_INFO, "stopped",
                     "a signal had stopped processes other than the main process: this time is counted only between "
                     "samples that saw a stopped process");
  if (end->suspended > 0)
    supervisor_note (self, NOTE_WARNING, "gap", "the machine was suspended during the run; that time is not counted");
  if (end->clock_jump != 0)
    supervisor_note (self, NOTE_WARNING, "clock",
                     "the wall clock was changed during the run; times follow the clock at the start of the run, and "
                     "durations are correct");
  if (self->out.dropped > 0)
    supervisor_note (self, NOTE_WARNING, "gap",
                     "samples were dropped because the library was too slow; final numbers are complete");
}

void
supervisor_finish (Supervisor *self)
{
  RoastWireTreeEnd end = { .cgroup_cpu = -1, .cgroup_memory_peak = -1 };
  int64_t now = monotonic_us ();

  if (self->finished)
    return;
  self->finished = true;
  if (!self->main_gone && self->stopped_since != 0)
    self->stopped += now - self->stopped_since;

  end_processes (self, now, &end);
  if (self->cgroup != NULL)
    {
      end.cgroup_cpu = cgroup_cpu_us (self->cgroup);
      end.cgroup_memory_peak = cgroup_memory_peak (self->cgroup);
    }
  end_unreaped (self, &end);
  add_totals (self, now, &end);
  add_perf_cost (self, &end);
  add_own_usage (self, &end);
  note_problems (self, &end);
  frame_writer_frame (&self->out, ROAST_WIRE_FINISHED, &end, sizeof end, NULL, 0);
  frame_writer_drain (&self->out);
  frame_writer_close (&self->out);
}
