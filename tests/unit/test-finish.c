/* SPDX-License-Identifier: BSD-3-Clause */

/* The last record of the supervisor, and CPU time that nobody waited for: with perf events, a control group and limits
 * that the test makes. */

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "fake-processes.h"
#include "file.h"
#include "perf.h"
#include "process/roast-supervisor-wire.h"
#include "supervisor.h"

#define TICK 10000 /* µs */
#define SECOND G_GINT64_CONSTANT (1000000)

/* ---- what the site and the kernel have ---- */

static struct
{
  gint64 oom_kills, throttled, cgroup_cpu, memory_peak, perf_total;
  gboolean no_perf, no_status, closed;
  const char *stat;                                           /* /proc/stat */
  void (*events) (const PerfHandler *handler, gpointer data); /* that perf has next */
  guint finished;
} site;

gint64
cgroup_read_oom_kills (const CgroupLimits *limits)
{
  return site.oom_kills;
}

int64_t
cgroup_read_throttled (const CgroupLimits *limits)
{
  return site.throttled;
}

int64_t
cgroup_cpu_us (Cgroup *cgroup)
{
  return site.cgroup_cpu;
}

int64_t
cgroup_memory_peak (Cgroup *cgroup)
{
  return site.memory_peak;
}

Perf *
perf_open (pid_t child, const char **why)
{
  *why = "forbidden";

  return site.no_perf ? NULL : (Perf *) &site;
}

void
perf_close (Perf *perf)
{
  g_assert_not_reached ();
}

int
perf_fd (Perf *perf)
{
  return 17;
}

void
perf_drain (Perf *perf, const PerfHandler *handler, void *data)
{
  if (site.events != NULL)
    site.events (handler, data);
  site.events = NULL;
}

void
perf_finish (Perf *perf, const PerfHandler *handler, void *data)
{
  site.finished++;
  perf_drain (perf, handler, data);
}

int64_t
perf_total_us (Perf *perf)
{
  return site.perf_total;
}

uint64_t
perf_clones (const Perf *perf)
{
  return 12;
}

bool
perf_is_closed (const Perf *perf)
{
  return site.closed;
}

int64_t
perf_clone_cost (int64_t *spent)
{
  *spent = 3 * SECOND;

  return 3456;
}

/* Only /proc/stat and /proc/self/status are there. */
size_t
file_read (const char *path, char *text, size_t size)
{
  *text = '\0';
  if (strcmp (path, "/proc/stat") == 0)
    g_strlcpy (text, site.stat, size);
  else if (strcmp (path, "/proc/self/status") == 0 && !site.no_status)
    g_strlcpy (text, "Name:\troast\nUid:\t0\t0\t0\t0\nVmHWM:\t 321 kB\n", size);

  return strlen (text);
}

void
supervisor_note (Supervisor *self, NoteSeverity severity, const char *kind, const char *text)
{
  RoastWireNote record = { .severity = (gint32) severity };

  g_strlcpy (record.kind, kind, sizeof record.kind);
  frame_writer_frame (&self->out, ROAST_WIRE_NOTE, &record, sizeof record, text, strlen (text));
}

/* ---- the supervisor ---- */

typedef struct
{
  FakeLibrary library;
  Supervisor s;
  FakeProcess *main;
} Fixture;

static GSList *unreaped;

/* It lives as long as the supervisor. */
static void
keep_unreaped (Fixture *self)
{
  if (self->s.unreaped != NULL)
    unreaped = g_slist_prepend (unreaped, self->s.unreaped);
}

static void
set_up (Fixture *self, gconstpointer data)
{
  memset (&site, 0, sizeof site);
  site.oom_kills = -1;
  site.stat = "cpu  1 2 3 4 5 10 20 30 0 0\n";
  fake_clocks_reset ();
  fake_library_set_up (&self->library);
  self->s.out = self->library.out;
  self->s.options.pss = PSS_OFF;
  self->s.oom_kills = self->s.perf_closed = -1;
  clocks_init (&self->s.clocks);
  self->s.started = fake_clocks.monotonic;
  self->s.accounting = (CpuAccounting) { .out = &self->s.out, .tree = &self->s.tree, .tick_us = TICK };
  sampler_init (&self->s.sampler, &self->s.accounting, &self->s.clocks, &self->s.options);
  self->main = fake_process_new (100, getpid (), "main");
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  while (self->s.tree.n > 0)
    tree_remove (&self->s.tree, self->s.tree.all[0]);
  free (self->s.tree.all);
  free (self->s.tree.buckets);
  free (self->s.sampler.samples);
  keep_unreaped (self);
  close (self->s.sampler.loadavg_fd);
  /* The library's end has a copy, which supervisor_finish() may have closed. */
  frame_writer_close (&self->s.out);
  frame_writer_init (&self->library.out, -1);
  fake_library_tear_down (&self->library);
  fake_processes_clear ();
}

static RoastWireTreeEnd
finish (Fixture *self)
{
  RoastWireTreeEnd end;
  gsize length;

  supervisor_finish (&self->s);
  g_assert_cmpint (self->s.out.fd, ==, -1);
  frame_writer_init (&self->library.out, -1);
  memcpy (&end, fake_library_frame (&self->library, ROAST_WIRE_FINISHED, 0, &length), sizeof end);
  g_assert_cmpuint (length, ==, sizeof end);
  g_assert_cmpuint (fake_library_count (&self->library, ROAST_WIRE_FINISHED), ==, 1);

  return end;
}

/* The kinds of the notes, one after the other. */
static void
assert_notes (Fixture *self, const char *expected)
{
  g_autoptr (GString) kinds = g_string_new (NULL);
  guint n = fake_library_count (&self->library, ROAST_WIRE_NOTE);

  for (guint i = 0; i < n; i++)
    {
      const RoastWireNote *note = fake_library_frame (&self->library, ROAST_WIRE_NOTE, i, NULL);

      g_string_append_printf (kinds, "%s;", note->kind);
      g_assert_cmpint (note->severity, ==, NOTE_WARNING);
    }
  g_assert_cmpstr (kinds->str, ==, expected);
}

static void
test_totals (Fixture *self, gconstpointer data)
{
  struct rusage before, after;
  gint64 started = fake_clocks.real;
  RoastWireTreeEnd end;

  sampler_add (&self->s.sampler, 100);
  fake_clocks_advance (3 * SECOND);
  self->s.main_gone = true;
  self->s.main_ended = fake_clocks.monotonic;
  fake_clocks_advance (SECOND);
  self->s.stopped = 500;
  self->s.sampler.stopped = 400;
  self->s.sampler.ticks = 11;
  self->s.sampler.missed = 7;
  self->s.out.dropped = 5;
  self->s.accounting.wait_cpu = 4242;
  self->main->gone = TRUE;
  getrusage (RUSAGE_SELF, &before);
  end = finish (self);
  getrusage (RUSAGE_SELF, &after);

  g_assert_cmpint (end.ended, ==, started + 4 * SECOND);
  g_assert_cmpint (end.main_ended, ==, started + 3 * SECOND);
  g_assert_cmpint (end.elapsed, ==, 3 * SECOND);
  g_assert_cmpint (end.stopped, ==, 500);
  g_assert_cmpint (end.suspended, ==, 0);
  g_assert_cmpint (end.clock_jump, ==, 0);
  g_assert_cmpint (end.processes, ==, 1);
  g_assert_cmpint (end.processes_exact, ==, 0);
  g_assert_cmpint (end.leftover, ==, 0);
  g_assert_cmpint (end.ticks, ==, 11);
  g_assert_cmpint (end.missed, ==, 7);
  g_assert_cmpint (end.dropped, ==, 5);
  g_assert_cmpint (end.wait_cpu, ==, 4242);
  g_assert_cmpint (end.perf_cpu, ==, -1);
  g_assert_cmpint (end.cgroup_cpu, ==, -1);
  g_assert_cmpint (end.cgroup_memory_peak, ==, -1);
  g_assert_cmpint (end.oom_kills, ==, -1);
  g_assert_cmpint (end.own_peak_rss, ==, 321 * 1024);
  g_assert_cmpint (end.own_user, >=, timeval_us (before.ru_utime));
  g_assert_cmpint (end.own_user, <=, timeval_us (after.ru_utime));
  g_assert_cmpint (end.own_system, >=, timeval_us (before.ru_stime));
  g_assert_cmpint (end.own_system, <=, timeval_us (after.ru_stime));
  assert_notes (self, "gap;");
}

/* Much CPU time of threads that no sample saw is noted, little is not. */
static void
test_unseen_threads (Fixture *self, gconstpointer data)
{
  static const struct
  {
    gint64 unseen, cpu;
    gboolean is_noted;
  } cases[] = { { 99999, 99999, FALSE }, { 100000, 500000, TRUE }, { 100000, 600000, FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const RoastWireNote *note;

      if (i > 0)
        {
          tear_down (self, data);
          memset (self, 0, sizeof *self);
          set_up (self, data);
        }
      self->main->gone = TRUE;
      self->s.sampler.stopped = self->s.stopped = 700;
      self->s.accounting.unseen_cpu = cases[i].unseen;
      self->s.accounting.cpu = cases[i].cpu;
      g_assert_cmpint (finish (self).stopped, ==, 700);
      g_assert_cmpuint (fake_library_count (&self->library, ROAST_WIRE_NOTE), ==, cases[i].is_noted ? 1 : 0);
      if (!cases[i].is_noted)
        continue;
      note = fake_library_frame (&self->library, ROAST_WIRE_NOTE, 0, NULL);
      g_assert_cmpstr (note->kind, ==, "unseen-threads");
    }
}

/* Stops of other processes than the main process are seen in samples only. */
static void
test_sampled_stop (Fixture *self, gconstpointer data)
{
  const RoastWireNote *note;

  self->main->gone = TRUE;
  self->s.sampler.stopped = 700;
  g_assert_cmpint (finish (self).stopped, ==, 700);
  g_assert_cmpuint (fake_library_count (&self->library, ROAST_WIRE_NOTE), ==, 1);
  note = fake_library_frame (&self->library, ROAST_WIRE_NOTE, 0, NULL);
  g_assert_cmpstr (note->kind, ==, "stopped");
}

/* The number of kills is known only if the kernel counted before and after. */
static void
test_oom (Fixture *self, gconstpointer data)
{
  RoastWireTreeEnd end;
  static const struct
  {
    gint64 before, after, expected;
  } cases[] = { { 3, 5, 2 }, { 0, 0, 0 }, { 0, 1, 1 }, { -1, 5, -1 }, { 3, -1, -1 }, { -1, -1, -1 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      if (i > 0)
        {
          tear_down (self, data);
          memset (self, 0, sizeof *self);
          set_up (self, data);
        }
      self->s.oom_kills = cases[i].before;
      site.oom_kills = cases[i].after;
      self->s.throttled = cases[i].before;
      site.throttled = cases[i].after;
      site.no_status = TRUE;
      end = finish (self);
      g_assert_cmpint (end.oom_kills, ==, cases[i].expected);
      g_assert_cmpint (end.throttled, ==, cases[i].expected);
      g_assert_cmpint (end.own_peak_rss, ==, -1);
      assert_notes (self, "");
    }
}

static void
test_clock_set (Fixture *self, gconstpointer data)
{
  RoastWireTreeEnd end;

  fake_clocks.real -= 30 * SECOND;
  end = finish (self);
  g_assert_cmpint (end.clock_jump, ==, -30 * SECOND);
  g_assert_cmpint (end.suspended, ==, 0);
  assert_notes (self, "clock;");
}

static void
test_suspended (Fixture *self, gconstpointer data)
{
  RoastWireTreeEnd end;

  fake_clocks.real += 30 * SECOND;
  fake_clocks.boot += 30 * SECOND;
  end = finish (self);
  g_assert_cmpint (end.clock_jump, ==, 0);
  g_assert_cmpint (end.suspended, ==, 30 * SECOND);
  assert_notes (self, "gap;");
}

static void
test_unreadable (Fixture *self, gconstpointer data)
{
  const char *note;
  gsize length;

  self->s.sampler.unreadable = 12;
  self->s.sampler.unreaped_seen = true;
  finish (self);
  assert_notes (self, "unreadable;unreaped;");
  note = fake_library_frame (&self->library, ROAST_WIRE_NOTE, 0, &length);
  g_assert_nonnull (g_strstr_len (note + sizeof (RoastWireNote), (gssize) (length - sizeof (RoastWireNote)),
                                  " 12 process"));
}

/* Processes that are left: they still run, are zombies, or vanished since the last sample. */
static void
test_left (Fixture *self, gconstpointer data)
{
  static const guint rows = 5;
  FakeProcess *zombie = fake_process_new (101, 100, "zombie");
  FakeProcess *dead = fake_process_new (103, 100, "dead");
  FakeProcess *vanished = fake_process_new (102, 100, "vanished");
  guint seen[8] = { 0 };
  RoastWireTreeEnd end;

  sampler_add (&self->s.sampler, 100);
  sampler_discover (&self->s.sampler, true);
  zombie->stat.state = 'Z';
  dead->stat.state = 'X';
  vanished->gone = TRUE;
  vanished->stat.user_ticks = 1;
  /* It was born after the last sample. */
  fake_process_new (104, 100, "unseen");
  fake_clocks_advance (2 * SECOND);
  end = finish (self);
  g_assert_cmpint (end.leftover, ==, 2);
  g_assert_cmpint (end.leftover_exact, ==, 1);
  g_assert_cmpint (end.main_ended, ==, -1);
  g_assert_cmpint (end.elapsed, ==, 2 * SECOND);
  g_assert_cmpint (end.processes, ==, 5);
  g_assert_cmpuint (fake_library_count (&self->library, ROAST_WIRE_ENDED), ==, rows);
  for (guint i = 0; i < rows; i++)
    {
      const RoastWireProcessEnd *row = fake_library_frame (&self->library, ROAST_WIRE_ENDED, i, NULL);

      seen[row->origin]++;
      g_assert_cmpint (row->ended, ==, row->origin == ROAST_PROCESS_ORIGIN_RUNNING ? -1 : end.ended);
    }
  g_assert_cmpuint (seen[ROAST_PROCESS_ORIGIN_RUNNING], ==, 2);
  g_assert_cmpuint (seen[ROAST_PROCESS_ORIGIN_SAMPLED], ==, 3);
}

/* What the program left behind is named. */
static void
test_left_behind (Fixture *self, gconstpointer data)
{
  FakeProcess *zombie = fake_process_new (101, 100, "zombie");
  const char *note = NULL;
  gsize length = 0;

  for (int pid = 102; pid < 116; pid++)
    fake_process_new (pid, 100, "fifteen-letters");
  sampler_add (&self->s.sampler, 100);
  sampler_discover (&self->s.sampler, true);
  zombie->stat.state = 'Z';
  self->main->gone = TRUE;
  self->s.main_gone = true;
  finish (self);
  assert_notes (self, "left;");
  note = fake_library_frame (&self->library, ROAST_WIRE_NOTE, 0, &length);
  note += sizeof (RoastWireNote);
  length -= sizeof (RoastWireNote);
  g_assert_nonnull (g_strstr_len (note, (gssize) length,
                                  "14 processes that the program left behind still ran when the measurement ended: "
                                  "fifteen-letters (1"));
  g_assert_nonnull (g_strstr_len (note, (gssize) length, ") and 2 more"));
  g_assert_null (g_strstr_len (note, (gssize) length, "zombie"));
}

/* A process that is stopped at the end has been so until now; nothing is sent twice. */
static void
test_stopped (Fixture *self, gconstpointer data)
{
  self->s.stopped = 100;
  self->s.stopped_since = fake_clocks.monotonic;
  fake_clocks_advance (SECOND);
  g_assert_cmpint (finish (self).stopped, ==, SECOND + 100);
  supervisor_finish (&self->s);
  g_assert_cmpint (self->s.stopped, ==, SECOND + 100);
}

/* The sum of a control group is exact; below 10 ms it is inaccuracy. */
static void
test_cgroup (Fixture *self, gconstpointer data)
{
  const RoastWireProcessEnd *row;
  RoastWireTreeEnd end;

  self->main->gone = TRUE;
  self->s.cgroup = (Cgroup *) &site;
  self->s.main_id = 9;
  self->s.accounting.cpu = 5000;
  site.cgroup_cpu = 15000;
  site.memory_peak = 777;
  end = finish (self);
  g_assert_cmpint (end.cgroup_cpu, ==, 15000);
  g_assert_cmpint (end.cgroup_memory_peak, ==, 777);
  g_assert_cmpint (end.perf_cpu, ==, -1);
  row = fake_library_frame (&self->library, ROAST_WIRE_ENDED, 0, NULL);
  g_assert_cmpuint (row->parent_id, ==, 9);
  g_assert_cmpint (row->origin, ==, ROAST_PROCESS_ORIGIN_UNREAPED);
  g_assert_cmpint (row->usage.unsplit, ==, 10000);
  g_assert_cmpint (end.unreaped_error, ==, 0);
  g_assert_false (self->s.left_cgroup);
}

static void
test_cgroup_inaccurate (Fixture *self, gconstpointer data)
{
  self->main->gone = TRUE;
  self->s.cgroup = (Cgroup *) &site;
  self->s.accounting.cpu = 5001;
  site.cgroup_cpu = 15000;
  finish (self);
  g_assert_cmpuint (fake_library_count (&self->library, ROAST_WIRE_ENDED), ==, 0);
  g_assert_false (self->s.left_cgroup);
}

/* Notice that processes left the control group: the rows of processes have more CPU time than the group. */
static void
test_cgroup_left (Fixture *self, gconstpointer data)
{
  gint64 unsure = 3 * G_USEC_PER_SEC / sysconf (_SC_CLK_TCK);

  self->main->gone = TRUE;
  self->s.cgroup = (Cgroup *) &site;
  self->s.sampler.unreaped_seen = true;
  site.cgroup_cpu = 1000000 - unsure - 20001;
  self->s.accounting.cpu = 1000000;
  finish (self);
  g_assert_true (self->s.left_cgroup);
  assert_notes (self, "unreaped;");
}

/* ---- perf events ---- */

static void
open_perf (Fixture *self)
{
  const char *why = NULL;

  keep_unreaped (self);
  self->s.unreaped = unreaped_new (100, &why);
  g_assert_nonnull (self->s.unreaped);
  g_assert_cmpint (unreaped_fd (self->s.unreaped), ==, 17);
}

static void
drain (Fixture *self, void (*events) (const PerfHandler *handler, gpointer data))
{
  site.events = events;
  unreaped_drain (self->s.unreaped, &self->s.tree);
  g_assert_null (site.events);
}

static void
test_no_perf (Fixture *self, gconstpointer data)
{
  const char *why = NULL;
  bool exact = true;

  site.no_perf = TRUE;
  g_assert_null (unreaped_new (100, &why));
  g_assert_cmpstr (why, ==, "forbidden");
  g_assert_cmpint (unreaped_missing (NULL, &self->s.tree, 1, 2), ==, 0);
  g_assert_cmpint (unreaped_fd (NULL), ==, -1);
  g_assert_cmpint (unreaped_error (NULL), ==, 0);
  g_assert_cmpint (unreaped_clones (NULL), ==, -1);
  g_assert_false (unreaped_is_closed (NULL));
  g_assert_null (unreaped_last_name (NULL, &self->s.tree, 1));
  g_assert_null (unreaped_commands (NULL, true, &exact));
  g_assert_cmpint (unreaped_perf_cpu (NULL), ==, -1);
  g_assert_cmpuint (unreaped_processes (NULL, 4, &exact), ==, 4);
  g_assert_false (exact);
  unreaped_drain (NULL, &self->s.tree);
}

static void
process_ends (const PerfHandler *handler, gpointer data, gint32 pid, gint32 ppid, gint64 ns)
{
  handler->forked (data, pid, ppid);
  handler->exited (data, pid, pid, ppid);
  handler->cpu (data, pid, pid, ns);
}

/* 201 was waited for by 200, whose own parent ignores SIGCHLD: both are in no other account. A second thread of 200
 * counts as well. */
static void
a_family_ends (const PerfHandler *handler, gpointer data)
{
  handler->forked (data, 200, 100);
  process_ends (handler, data, 201, 200, 30000000);
  handler->exited (data, 200, 207, 100);
  handler->cpu (data, 200, 207, 5000000);
  handler->exited (data, 200, 200, 100);
  handler->cpu (data, 200, 200, 7000000);
}

static void
test_perf (Fixture *self, gconstpointer data)
{
  bool exact;

  open_perf (self);
  self->main->status.ignores_sigchld = true;
  site.perf_total = 42000;
  drain (self, a_family_ends);
  g_assert_cmpuint (unreaped_processes (self->s.unreaped, 1, &exact), ==, 3);
  g_assert_true (exact);
  g_assert_cmpuint (unreaped_processes (self->s.unreaped, 3, &exact), ==, 3);
  g_assert_cmpuint (unreaped_processes (self->s.unreaped, 5, &exact), ==, 5);
  g_assert_cmpint (unreaped_perf_cpu (self->s.unreaped), ==, 42000);
  g_assert_cmpint (unreaped_missing (self->s.unreaped, &self->s.tree, 0, 0), ==, 42000);
  g_assert_cmpuint (site.finished, ==, 1);
  /* What was guessed has rows already. */
  g_assert_cmpint (unreaped_missing (self->s.unreaped, &self->s.tree, 32000, 32000), ==, 10000);
  g_assert_cmpint (unreaped_missing (self->s.unreaped, &self->s.tree, 32001, 32001), ==, 0);
}

/* A fifth of what the cores did was taken from them: the clocks of perf went on meanwhile. */
static void
test_perf_taken (Fixture *self, gconstpointer data)
{
  open_perf (self);
  self->main->status.ignores_sigchld = true;
  drain (self, a_family_ends);
  site.stat = "cpu  7 5 6 999 999 10 20 33 0 0\n"; /* 12 + 3 */
  site.perf_total = 0;
  g_assert_cmpint (unreaped_error (self->s.unreaped), ==, 0);
  g_assert_cmpint (unreaped_missing (self->s.unreaped, &self->s.tree, 0, 0), ==, 42000 * 12 / 15);
  /* All of it, 30 ms, or none may have been taken from these processes: 8.4 ms were left out. */
  g_assert_cmpint (unreaped_error (self->s.unreaped), ==, 30000 - 8400);
  site.perf_total = 42000;
  g_assert_cmpint (unreaped_perf_cpu (self->s.unreaped), ==, 42000 - 30000);
  site.perf_total = 29000;
  g_assert_cmpint (unreaped_perf_cpu (self->s.unreaped), ==, 0);
  site.stat = "";
  g_assert_cmpint (unreaped_perf_cpu (self->s.unreaped), ==, -1);
}

/* More was taken than these processes had; or all that these had; or it is unknown. */
static void
test_perf_error (Fixture *self, gconstpointer data)
{
  static const struct
  {
    const char *stat;
    gint64 error;
  } cases[] = {
    { "cpu  7 5 6 999 999 10 20 31 0 0\n", 10000 - 3231 },
    { "cpu  7 5 6 999 999 10 20 35 0 0\n", 42000 - 12353 },
    { "cpu  2 2 3 999 999 10 20 35 0 0\n", 35000 },
    { "cpu  7 5 6 999 999 10 20 30 0 0\n", 0 },
    { "", 42000 },
  };

  self->main->status.ignores_sigchld = true;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      site.stat = "cpu  1 2 3 4 5 10 20 30 0 0\n";
      open_perf (self);
      drain (self, a_family_ends);
      site.stat = cases[i].stat;
      site.perf_total = 0;
      unreaped_missing (self->s.unreaped, &self->s.tree, 0, 0);
      g_assert_cmpint (unreaped_error (self->s.unreaped), ==, cases[i].error);
    }
  g_assert_cmpint (finish (self).unreaped_error, ==, 42000);
}

/* Those that were waited for are in the kernel's account. */
static void
test_perf_waited (Fixture *self, gconstpointer data)
{
  open_perf (self);
  drain (self, a_family_ends);
  g_assert_cmpint (unreaped_missing (self->s.unreaped, &self->s.tree, 42000, 0), ==, 0);
}

/* The parent is gone: its last reading counts. */
static void
test_perf_known_parent (Fixture *self, gconstpointer data)
{
  open_perf (self);
  sampler_add (&self->s.sampler, 100)->ignores_sigchld = true;
  self->main->gone = TRUE;
  drain (self, a_family_ends);
  g_assert_cmpint (unreaped_missing (self->s.unreaped, &self->s.tree, 0, 0), ==, 42000);
}

static void
another_ends (const PerfHandler *handler, gpointer data)
{
  process_ends (handler, data, 201, 100, 20000000);
  process_ends (handler, data, 202, 150, 50000000);
}

/* Each batch asks again, and each parent on its own. */
static void
test_perf_batches (Fixture *self, gconstpointer data)
{
  fake_process_new (150, 100, "shell");
  open_perf (self);
  drain (self, another_ends);
  g_assert_cmpint (unreaped_missing (self->s.unreaped, &self->s.tree, 0, 0), ==, 0);
  self->main->status.ignores_sigchld = true;
  drain (self, another_ends);
  g_assert_cmpint (unreaped_missing (self->s.unreaped, &self->s.tree, 0, 0), ==, 20000);
}

static void
parent_waits (const PerfHandler *handler, gpointer data)
{
  process_ends (handler, data, 201, 200, 30000000);
  handler->lost (data, 4);
}

static void
pid_is_reused (const PerfHandler *handler, gpointer data)
{
  process_ends (handler, data, 200, 100, 20000000);
}

/* A pid that comes again belongs to another process: what the first one waited for is not its own. 4296 shares the
 * place of 200 in the table. */
static void
test_perf_reused_pid (Fixture *self, gconstpointer data)
{
  bool exact;

  open_perf (self);
  self->main->status.ignores_sigchld = true;
  drain (self, parent_waits);
  drain (self, pid_is_reused);
  g_assert_cmpint (unreaped_missing (self->s.unreaped, &self->s.tree, 0, 0), ==, 20000);
  g_assert_cmpuint (unreaped_processes (self->s.unreaped, 1, &exact), ==, 3);
  g_assert_false (exact);
}

static void
same_bucket (const PerfHandler *handler, gpointer data)
{
  process_ends (handler, data, 201, 200, 30000000);
  process_ends (handler, data, 202, 4296, 11000000);
  handler->forked (data, 200, 100);
  handler->exited (data, 4296, 4296, 100);
  handler->cpu (data, 4296, 4296, 1000000);
  handler->exited (data, 200, 200, 100);
  handler->cpu (data, 200, 200, 9000000);
}

static void
test_perf_same_bucket (Fixture *self, gconstpointer data)
{
  open_perf (self);
  self->main->status.ignores_sigchld = true;
  drain (self, same_bucket);
  g_assert_cmpint (unreaped_missing (self->s.unreaped, &self->s.tree, 0, 0), ==, 11000 + 1000 + 9000);
}

/* CPU time that perf counted and no row has: without what interrupts and the hypervisor took, and only if it exceeds 2
 * % of the sum and the three ticks that interrupts and the hypervisor may have taken beyond whole ones. */
static void
test_unexplained (Fixture *self, gconstpointer data)
{
  static const struct
  {
    gint64 total, rows;
    const char *stat;
    gint64 expected, error;
  } cases[] = {
    { 100000, 70000, "cpu  1 2 3 4 5 10 20 30 0 0\n", 30000, 30000 },
    { 100000, 70001, "cpu  1 2 3 4 5 10 20 30 0 0\n", 0 },
    { 2000000, 1960000, "cpu  1 2 3 4 5 10 20 30 0 0\n", 0 },
    { 2000000, 1959999, "cpu  1 2 3 4 5 10 20 30 0 0\n", 40001, 30000 },
    { 100000, 50000, "cpu  1 2 3 4 5 10 20 31 0 0\n", 40000, 40000 },
    { 100000, 30000, "cpu  1 2 3 4 5 11 21 32 0 0\n", 30000, 70000 },
    { 100000, 30001, "cpu  1 2 3 4 5 11 21 32 0 0\n", 0 },
    { 100000, 50000, "", 0 },
  };

  open_perf (self);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      site.perf_total = cases[i].total;
      site.stat = cases[i].stat;
      g_assert_cmpint (unreaped_missing (self->s.unreaped, &self->s.tree, cases[i].rows, 0), ==, cases[i].expected);
      if (cases[i].expected > 0)
        g_assert_cmpint (unreaped_error (self->s.unreaped), ==, cases[i].error);
    }
}

/* A parent that ignores SIGCHLD by now had waited for its children: their time is in its own row. */
static void
test_waited_before (Fixture *self, gconstpointer data)
{
  open_perf (self);
  self->main->status.ignores_sigchld = true;
  site.perf_total = 60000;
  drain (self, a_family_ends);
  g_assert_cmpint (unreaped_missing (self->s.unreaped, &self->s.tree, 60000, 0), ==, 0);
}

static void
test_unexplained_unknown (Fixture *self, gconstpointer data)
{
  site.stat = "";
  open_perf (self);
  site.stat = "cpu  1 2 3 4 5 10 20 30 0 0\n";
  site.perf_total = SECOND;
  g_assert_cmpint (unreaped_missing (self->s.unreaped, &self->s.tree, 0, 0), ==, 0);
}

/* To take nothing so far is known, too. */
static void
test_nothing_taken (Fixture *self, gconstpointer data)
{
  site.stat = "cpu  1 2 3 4 5 0 0 0 0 0\n";
  open_perf (self);
  site.perf_total = SECOND;
  g_assert_cmpint (unreaped_missing (self->s.unreaped, &self->s.tree, 0, 0), ==, SECOND);
  g_assert_cmpint (unreaped_error (self->s.unreaped), ==, 3 * TICK);
}

/* The cores did nothing else, or it is unknown what they did: nothing is left out. */
static void
test_all_taken (Fixture *self, gconstpointer data)
{
  static const char *const stats[] = { "cpu  1 2 3 4 5 10 20 35\n", "cpu  1 2 2 4 5 10 20 35\n", "" };

  self->main->status.ignores_sigchld = true;
  for (guint i = 0; i < G_N_ELEMENTS (stats); i++)
    {
      site.stat = "cpu  1 2 3 4 5 10 20 30\n";
      open_perf (self);
      drain (self, a_family_ends);
      site.stat = stats[i];
      g_assert_cmpint (unreaped_missing (self->s.unreaped, &self->s.tree, 0, 0), ==, 42000);
      g_assert_cmpint (unreaped_error (self->s.unreaped), ==, 42000);
    }
}

static void
children_of_the_first (const PerfHandler *handler, gpointer data)
{
  process_ends (handler, data, 201, 1, 20000000);
  process_ends (handler, data, 202, 1, 20000000);
  process_ends (handler, data, 203, 1, 2000000);
}

/* A parent is asked once in a batch, whichever process it is. */
static void
test_asked_once (Fixture *self, gconstpointer data)
{
  FakeProcess *first = fake_process_new (1, 0, "init");

  first->status.ignores_sigchld = true;
  open_perf (self);
  drain (self, children_of_the_first);
  g_assert_cmpuint (first->status_reads, ==, 1);
  g_assert_cmpint (unreaped_missing (self->s.unreaped, &self->s.tree, 0, 0), ==, 42000);
}

/* What is found has a row, and the number of processes is exact with perf. */
static void
test_finish_perf (Fixture *self, gconstpointer data)
{
  RoastWireTreeEnd end;

  open_perf (self);
  self->main->status.ignores_sigchld = true;
  self->s.sampler.unreaped_seen = true;
  drain (self, a_family_ends);
  self->main->gone = TRUE;
  site.perf_total = 42000;
  end = finish (self);
  g_assert_cmpint (end.perf_cpu, ==, 42000);
  g_assert_cmpint (end.processes, ==, 3);
  g_assert_cmpint (end.processes_exact, ==, 1);
  g_assert_cmpuint (fake_library_count (&self->library, ROAST_WIRE_ENDED), ==, 1);
  g_assert_cmpint (end.perf_clones, ==, 12);
  g_assert_cmpint (end.perf_clone_cost, ==, 3456);
  g_assert_cmpint (end.perf_closed, ==, -1);
  g_assert_cmpint (end.own_system, >=, 3 * SECOND);
  assert_notes (self, "");
}

/* The kernel ends perf events of a program that its user may not read, and its I/O cannot be read either. */
static void
test_perf_blind (Fixture *self, gconstpointer data)
{
  open_perf (self);
  self->s.sampler.unreaped_seen = true;
  self->s.sampler.unreadable = 1;
  drain (self, a_family_ends);
  self->main->gone = TRUE;
  g_assert_cmpint (finish (self).processes_exact, ==, 0);
  assert_notes (self, "unreadable;unreaped;");
}

/* ---- names of processes too short to be seen ---- */

/* A name is a block of fixed size. */
static void
name (const PerfHandler *handler, gpointer data, gint32 pid, const char *text)
{
  char block[ROAST_WIRE_COMMAND_LENGTH] = { 0 };

  g_strlcpy (block, text, sizeof block);
  handler->named (data, pid, block);
}

static void
named_ends (const PerfHandler *handler, gpointer data, gint32 pid, const char *command, gint64 ns)
{
  handler->forked (data, pid, 100);
  name (handler, data, pid, command);
  handler->exited (data, pid, pid, 100);
  handler->cpu (data, pid, pid, ns);
}

/* 303 has the name of its parent. */
static void
a_build (const PerfHandler *handler, gpointer data)
{
  name (handler, data, 100, "make");
  named_ends (handler, data, 301, "cc1", 30000000);
  named_ends (handler, data, 302, "as", 9000000);
  process_ends (handler, data, 303, 100, 1000000);
  named_ends (handler, data, 304, "cc1", 20000000);
}

static const RoastWireProcessEnd *
find_row (Fixture *self, const char *command, gint32 origin)
{
  guint n = fake_library_count (&self->library, ROAST_WIRE_ENDED);

  for (guint i = 0; i < n; i++)
    {
      const RoastWireProcessEnd *row = fake_library_frame (&self->library, ROAST_WIRE_ENDED, i, NULL);

      if (row->origin == origin && strcmp (row->command, command) == 0)
        return row;
    }

  return NULL;
}

static void
assert_share (Fixture *self, const char *command, guint count, gint64 user, gint64 system)
{
  const RoastWireProcessEnd *row = find_row (self, command, ROAST_PROCESS_ORIGIN_SHARED);

  g_assert_nonnull (row);
  g_assert_cmpuint (row->count, ==, count);
  g_assert_cmpint (row->usage.user, ==, user);
  g_assert_cmpint (row->usage.system, ==, system);
  g_assert_cmpint (row->usage.unsplit, ==, -1);
  g_assert_cmpint (row->usage.minor_faults, ==, -1);
  g_assert_cmpint (row->peak_rss, ==, -1);
}

static void
share (Fixture *self, void (*events) (const PerfHandler *handler, gpointer data), gint64 user, gint64 system)
{
  open_perf (self);
  self->s.accounting.names = self->s.unreaped;
  self->s.accounting.folded.user = user;
  self->s.accounting.folded.system = system;
  drain (self, events);
  unreaped_settle (self->s.unreaped, &self->s.tree);
  unreaped_wrote_row (self->s.unreaped, 100, "make", -1);
  self->main->gone = TRUE;
}

/* The exact sum is shared out by the clocks of perf, to the last µs. */
static void
test_shares (Fixture *self, gconstpointer data)
{
  share (self, a_build, 60001, 12002);
  self->s.accounting.folded.minor_faults = 33;
  self->s.accounting.folded.major_faults = 7;
  finish (self);
  g_assert_cmpuint (fake_library_count (&self->library, ROAST_WIRE_ENDED), ==, 4);
  assert_share (self, "cc1", 2, 50001, 10002);
  assert_share (self, "as", 1, 9000, 1800);
  assert_share (self, "make", 1, 1000, 200);
  g_assert_cmpint (find_row (self, "", ROAST_PROCESS_ORIGIN_FOLDED)->usage.user, ==, 0);
  g_assert_cmpint (find_row (self, "", ROAST_PROCESS_ORIGIN_FOLDED)->usage.minor_faults, ==, 33);
  g_assert_cmpint (find_row (self, "", ROAST_PROCESS_ORIGIN_FOLDED)->usage.major_faults, ==, 7);
}

/* The rows of processes that were seen have a part of their time, or all. */
static void
test_shares_of_seen (Fixture *self, gconstpointer data)
{
  FakeProcess *seen = NULL;

  open_perf (self);
  self->s.accounting.names = self->s.unreaped;
  self->s.accounting.folded.user = 20000;
  self->main->gone = TRUE;
  seen = fake_process_new (301, 100, "cc1");
  sampler_add (&self->s.sampler, 301);
  drain (self, a_build);
  /* It is in the tree: its row is yet to come. */
  unreaped_settle (self->s.unreaped, &self->s.tree);
  unreaped_wrote_row (self->s.unreaped, 301, "cc1", 20000);
  unreaped_wrote_row (self->s.unreaped, 100, "make", -1);
  tree_remove (&self->s.tree, self->s.tree.all[0]);
  seen->gone = TRUE;
  finish (self);
  /* 10 ms of 301, and 20 ms of 304. */
  assert_share (self, "cc1", 1, 15000, 0);
  assert_share (self, "as", 1, 4500, 0);
  assert_share (self, "make", 1, 500, 0);
}

/* No clock tick: their number is known, and their time is with their parents. */
static void
test_shares_unknown (Fixture *self, gconstpointer data)
{
  share (self, a_build, 0, 0);
  finish (self);
  assert_share (self, "cc1", 2, -1, -1);
  assert_share (self, "as", 1, -1, -1);
  g_assert_cmpuint (fake_library_count (&self->library, ROAST_WIRE_ENDED), ==, 3);
}

static void
a_build_and_more (const PerfHandler *handler, gpointer data)
{
  a_build (handler, data);
  handler->lost (data, 7);
}

/* Records are missing: what is named gets no more than perf measured, and the rest has no name. */
static void
test_shares_incomplete (Fixture *self, gconstpointer data)
{
  share (self, a_build_and_more, 80000, 20000);
  self->s.perf_closed = 77;
  g_assert_cmpint (finish (self).perf_closed, ==, 77);
  assert_share (self, "cc1", 2, 40000, 10000);
  assert_share (self, "as", 1, 7200, 1800);
  assert_share (self, "make", 1, 800, 200);
  g_assert_cmpint (find_row (self, "", ROAST_PROCESS_ORIGIN_FOLDED)->usage.user, ==, 32000);
  g_assert_cmpint (find_row (self, "", ROAST_PROCESS_ORIGIN_FOLDED)->usage.system, ==, 8000);
}

static void
assert_command (const Commands *commands, guint i, const char *command, guint processes, gint64 ns)
{
  g_assert_cmpstr (commands->all[i].name, ==, command);
  g_assert_cmpuint (commands->all[i].processes, ==, processes);
  g_assert_cmpint (commands->all[i].ns, ==, ns);
}

static void
one_more_ns (const PerfHandler *handler, gpointer data)
{
  named_ends (handler, data, 306, "ld", 20001);
}

/* The sums, to the last ns: in the order of the pids. Time in a row does not count, and 0 of it is not all. */
static void
test_commands (Fixture *self, gconstpointer data)
{
  const Commands *commands;
  bool complete = false;

  open_perf (self);
  drain (self, a_build);
  unreaped_wrote_row (self->s.unreaped, 100, "make", -1);
  unreaped_wrote_row (self->s.unreaped, 301, "cc1", 29999);
  unreaped_wrote_row (self->s.unreaped, 302, "as", 0);
  drain (self, one_more_ns);
  unreaped_wrote_row (self->s.unreaped, 306, "ld", 20);
  commands = unreaped_commands (self->s.unreaped, true, &complete);
  g_assert_true (complete);
  g_assert_cmpuint (commands->n, ==, 4);
  assert_command (commands, 0, "cc1", 1, 20001000);
  assert_command (commands, 1, "as", 0, 9000000);
  assert_command (commands, 2, "make", 1, 1000000);
  assert_command (commands, 3, "ld", 0, 1);
  g_assert_cmpint (commands->ns, ==, 30001001);
  g_assert_cmpuint (unreaped_commands (self->s.unreaped, false, &complete)->n, ==, 0);
}

static void
an_idle_process (const PerfHandler *handler, gpointer data)
{
  named_ends (handler, data, 301, "true", 0);
}

/* A process without measurable time counts, and all of its time may be in its row. */
static void
test_idle_commands (Fixture *self, gconstpointer data)
{
  const Commands *commands;
  bool complete = false;

  open_perf (self);
  drain (self, an_idle_process);
  commands = unreaped_commands (self->s.unreaped, true, &complete);
  g_assert_true (complete);
  g_assert_cmpuint (commands->n, ==, 1);
  assert_command (commands, 0, "true", 1, 0);
}

static void
a_stranger (const PerfHandler *handler, gpointer data)
{
  handler->forked (data, 305, 999);
  name (handler, data, 305, "sh");
}

static void
an_unforked_process (const PerfHandler *handler, gpointer data)
{
  handler->exited (data, 777, 777, 100);
  handler->cpu (data, 777, 777, 5);
}

/* A fork by a process that is unknown, and time without a name. */
static void
test_nameless (Fixture *self, gconstpointer data)
{
  static void (*const cases[]) (const PerfHandler *, gpointer) = { a_stranger, an_unforked_process };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      bool complete = true;

      open_perf (self);
      drain (self, cases[i]);
      unreaped_commands (self->s.unreaped, true, &complete);
      g_assert_false (complete);
    }
}

static void
a_thread_execs (const PerfHandler *handler, gpointer data)
{
  named_ends (handler, data, 301, "sh", 5000000);
  name (handler, data, 301, "cc1");
}

static void
it_ends (const PerfHandler *handler, gpointer data)
{
  handler->exited (data, 301, 301, 100);
  handler->cpu (data, 301, 301, 20000000);
}

/* The leader seems to have ended when another thread execs: it is one process. */
static void
test_thread_execs (Fixture *self, gconstpointer data)
{
  const Commands *commands;
  bool complete = false;

  open_perf (self);
  drain (self, a_thread_execs);
  unreaped_settle (self->s.unreaped, &self->s.tree);
  g_assert_cmpstr (unreaped_last_name (self->s.unreaped, &self->s.tree, 301), ==, "cc1");
  drain (self, it_ends);
  commands = unreaped_commands (self->s.unreaped, true, &complete);
  g_assert_true (complete);
  g_assert_cmpuint (commands->n, ==, 1);
  assert_command (commands, 0, "cc1", 1, 25000000);
}

/* The name of a process that is gone: until it is settled, which it is if it ended and gets no row. */
static void
test_last_name (Fixture *self, gconstpointer data)
{
  open_perf (self);
  fake_process_new (301, 100, "cc1");
  sampler_add (&self->s.sampler, 301);
  site.events = a_build;
  g_assert_cmpstr (unreaped_last_name (self->s.unreaped, &self->s.tree, 302), ==, "as");
  g_assert_null (site.events);
  g_assert_null (unreaped_last_name (self->s.unreaped, &self->s.tree, 399));
  unreaped_settle (self->s.unreaped, &self->s.tree);
  g_assert_null (unreaped_last_name (self->s.unreaped, &self->s.tree, 302));
  g_assert_cmpstr (unreaped_last_name (self->s.unreaped, &self->s.tree, 301), ==, "cc1");
  g_assert_cmpstr (unreaped_last_name (self->s.unreaped, &self->s.tree, 100), ==, "make");
  drain (self, an_unforked_process);
  g_assert_null (unreaped_last_name (self->s.unreaped, &self->s.tree, 777));
}

/* Nobody waited for them: the same. */
static void
test_shares_of_unreaped (Fixture *self, gconstpointer data)
{
  self->main->status.ignores_sigchld = true;
  site.perf_total = 60000;
  share (self, a_build, 0, 0);
  finish (self);
  g_assert_cmpint (find_row (self, "cc1", ROAST_PROCESS_ORIGIN_UNREAPED)->usage.unsplit, ==, 50000);
  g_assert_cmpint (find_row (self, "cc1", ROAST_PROCESS_ORIGIN_UNREAPED)->usage.user, ==, -1);
  g_assert_cmpint (find_row (self, "cc1", ROAST_PROCESS_ORIGIN_UNREAPED)->usage.system, ==, -1);
  g_assert_cmpint (find_row (self, "make", ROAST_PROCESS_ORIGIN_UNREAPED)->usage.unsplit, ==, 1000);
  g_assert_cmpuint (fake_library_count (&self->library, ROAST_WIRE_ENDED), ==, 3);
}

#define ADD(name, function) g_test_add ("/finish/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("totals", test_totals);
  ADD ("unseen-threads", test_unseen_threads);
  ADD ("sampled-stop", test_sampled_stop);
  ADD ("nothing-taken", test_nothing_taken);
  ADD ("all-taken", test_all_taken);
  ADD ("asked-once", test_asked_once);
  ADD ("commands", test_commands);
  ADD ("idle-commands", test_idle_commands);
  ADD ("nameless", test_nameless);
  ADD ("thread-execs", test_thread_execs);
  ADD ("last-name", test_last_name);
  ADD ("perf-taken", test_perf_taken);
  ADD ("perf-error", test_perf_error);
  ADD ("shares", test_shares);
  ADD ("shares-of-seen", test_shares_of_seen);
  ADD ("shares-unknown", test_shares_unknown);
  ADD ("shares-incomplete", test_shares_incomplete);
  ADD ("shares-of-unreaped", test_shares_of_unreaped);
  ADD ("oom", test_oom);
  ADD ("clock-set", test_clock_set);
  ADD ("suspended", test_suspended);
  ADD ("unreadable", test_unreadable);
  ADD ("left", test_left);
  ADD ("left-behind", test_left_behind);
  ADD ("stopped", test_stopped);
  ADD ("cgroup", test_cgroup);
  ADD ("cgroup-inaccurate", test_cgroup_inaccurate);
  ADD ("cgroup-left", test_cgroup_left);
  ADD ("no-perf", test_no_perf);
  ADD ("perf", test_perf);
  ADD ("perf-waited", test_perf_waited);
  ADD ("perf-known-parent", test_perf_known_parent);
  ADD ("perf-batches", test_perf_batches);
  ADD ("perf-reused-pid", test_perf_reused_pid);
  ADD ("perf-same-bucket", test_perf_same_bucket);
  ADD ("unexplained", test_unexplained);
  ADD ("unexplained-unknown", test_unexplained_unknown);
  ADD ("waited-before", test_waited_before);
  ADD ("finish-perf", test_finish_perf);
  ADD ("perf-blind", test_perf_blind);

  return g_test_run ();
}
