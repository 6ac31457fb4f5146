/* SPDX-License-Identifier: BSD-3-Clause */

/* The final rows of processes: from readings and the kernel's account of a child, to the µs and the byte. */

#include <string.h>

#include "fake-processes.h"
#include "process/roast-supervisor-wire.h"

#define TICK 10000 /* µs */
#define ENDED 1700000001000000

typedef struct
{
  FakeLibrary library;
  Tree tree;
  CpuAccounting accounting;
  Process *process; /* pid 20, a child of pid 10, which is not in the tree at first */
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  fake_library_set_up (&self->library);
  self->accounting = (CpuAccounting) { .out = &self->library.out, .tree = &self->tree, .tick_us = TICK };
  self->process = tree_add (&self->tree, 20);
  self->process->parent_id = 77;
  self->process->stat.ppid = 10;
  g_strlcpy (self->process->stat.command, "child", sizeof self->process->stat.command);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  while (self->tree.n > 0)
    tree_remove (&self->tree, self->tree.all[0]);
  free (self->tree.all);
  free (self->tree.buckets);
  fake_library_tear_down (&self->library);
}

static struct rusage
usage_of (gint64 user, gint64 system, glong peak_kb)
{
  struct rusage usage = { .ru_maxrss = peak_kb };

  usage.ru_utime = (struct timeval) { user / G_USEC_PER_SEC, user % G_USEC_PER_SEC };
  usage.ru_stime = (struct timeval) { system / G_USEC_PER_SEC, system % G_USEC_PER_SEC };

  return usage;
}

static void
reap (Fixture *self, const struct rusage *usage)
{
  cpu_accounting_reaped (&self->accounting, self->process, ENDED, 9, usage);
}

static RoastWireProcessEnd
row (Fixture *self, guint n)
{
  RoastWireProcessEnd end;
  gsize length;

  memcpy (&end, fake_library_frame (&self->library, ROAST_WIRE_ENDED, n, &length), sizeof end);
  g_assert_cmpuint (length, ==, sizeof end);

  return end;
}

static void
assert_rows (Fixture *self, guint n)
{
  g_assert_cmpuint (fake_library_count (&self->library, ROAST_WIRE_ENDED), ==, n);
}

static Process *
add_parent (Fixture *self)
{
  Process *parent = tree_add (&self->tree, 10);

  parent->stat.ppid = 1;

  return parent;
}

static void
test_reaped (Fixture *self, gconstpointer data)
{
  struct rusage usage = usage_of (3034567, 21001, 2000);
  RoastWireProcessEnd end;

  usage.ru_nvcsw = 50;
  usage.ru_nivcsw = 70;
  self->process->stat.user_ticks = 3;
  self->process->stat.minor_faults = 1100;
  self->process->stat.major_faults = 33;
  self->process->base.minor_faults = 100;
  self->process->base.major_faults = 3;
  self->process->run_queue = 4321;
  self->process->io_known = true;
  self->process->io = (ProcIo) { 1000, 2000, 3000, 4000 };
  reap (self, &usage);

  assert_rows (self, 1);
  end = row (self, 0);
  g_assert_cmpuint (end.id, ==, self->process->id);
  g_assert_cmpuint (end.parent_id, ==, 77);
  g_assert_cmpint (end.ended, ==, ENDED);
  g_assert_cmpint (end.wait_status, ==, 9);
  g_assert_cmpint (end.status_known, ==, 1);
  g_assert_cmpint (end.origin, ==, ROAST_PROCESS_ORIGIN_EXACT);
  g_assert_cmpuint (end.count, ==, 1);
  g_assert_cmpstr (end.command, ==, "child");
  g_assert_cmpint (end.usage.user, ==, 3034567);
  g_assert_cmpint (end.usage.system, ==, 21001);
  g_assert_cmpint (end.usage.run_queue, ==, 4321);
  g_assert_cmpint (end.usage.read_chars, ==, 1000);
  g_assert_cmpint (end.usage.write_chars, ==, 2000);
  g_assert_cmpint (end.usage.read_bytes, ==, 3000);
  g_assert_cmpint (end.usage.write_bytes, ==, 4000);
  g_assert_cmpint (end.usage.minor_faults, ==, 1000);
  g_assert_cmpint (end.usage.major_faults, ==, 30);
  g_assert_cmpint (end.usage.voluntary_switches, ==, 50);
  g_assert_cmpint (end.usage.involuntary_switches, ==, 70);
  g_assert_cmpint (self->accounting.cpu, ==, 3055568);
  g_assert_cmpint (self->accounting.wait_cpu, ==, 3055568);
  g_assert_cmpint (self->accounting.wait_system, ==, 21001);
  g_assert_cmpint (self->accounting.unreaped, ==, 0);
}

/* One that was in the kernel only, and one that used nothing. */
static void
test_system_only (Fixture *self, gconstpointer data)
{
  struct rusage usage = usage_of (0, 21001, 2000);

  reap (self, &usage);
  g_assert_cmpint (row (self, 0).usage.user, ==, 0);
  g_assert_cmpint (row (self, 0).usage.system, ==, 21001);
  g_assert_cmpint (self->accounting.cpu, ==, 21001);
  g_assert_cmpint (self->accounting.wait_cpu, ==, 21001);
}

/* The maximum of rusage is in kB; it includes what the process waited for, and what it was before an exec. */
static void
test_peak (Fixture *self, gconstpointer data)
{
  static const struct
  {
    gint64 peak, rss, inherited;
    glong usage;
    gint64 faults, user, system; /* of children */
    gint64 expected, waited;
    int bound;
  } cases[] = {
    /* The main process, whose memory before its exec is known: without children the maximum is its own. */
    { 2000000, 0, 1000000, 2000, 0, 0, 0, 2048000, 2048000, ROAST_WIRE_PEAK_EXACT },
    { -1, 0, 1000000, 2000, 0, 0, 0, 2048000, 2048000, ROAST_WIRE_PEAK_EXACT },
    { -1, 0, 2047999, 2000, 0, 0, 0, 2048000, 2048000, ROAST_WIRE_PEAK_EXACT },
    /* It may be what it was before its exec. */
    { -1, 0, 2048000, 2000, 0, 0, 0, 2048000, -1, ROAST_WIRE_PEAK_AT_MOST },
    { 2000000, 0, 3000000, 2000, 0, 0, 0, 2000000, -1, ROAST_WIRE_PEAK_AT_LEAST },
    /* It may be that of a child. */
    { 2000000, 0, 1000000, 2000, 1, 0, 0, 2000000, 2048000, ROAST_WIRE_PEAK_AT_LEAST },
    { 2000000, 0, 1000000, 2000, 0, 1, 0, 2000000, 2048000, ROAST_WIRE_PEAK_AT_LEAST },
    { 2000000, 0, 1000000, 2000, 0, 0, 1, 2000000, 2048000, ROAST_WIRE_PEAK_AT_LEAST },
    { -1, 0, 1000000, 2000, 1, 0, 0, 2048000, 2048000, ROAST_WIRE_PEAK_AT_MOST },
    { 0, 0, 1000000, 2000, 1, 0, 0, 2048000, 2048000, ROAST_WIRE_PEAK_AT_MOST }, /* read in exec() */
    /* It is the last sample. */
    { 2048000, 0, 1000000, 2000, 1, 0, 0, 2048000, 2048000, ROAST_WIRE_PEAK_EXACT },
    { 2000000, 4000000, 1000000, 2000, 1, 0, 0, 4000000, 2048000, ROAST_WIRE_PEAK_EXACT },
    { 3000000, 0, 3000000, 2000, 0, 0, 0, 3000000, -1, ROAST_WIRE_PEAK_EXACT },
    /* An orphan, which may have been forked by a large process. */
    { 2000000, 0, G_MAXINT64, 2000, 0, 0, 0, 2000000, 2048000, ROAST_WIRE_PEAK_AT_LEAST },
    { -1, 0, G_MAXINT64, 2000, 0, 0, 0, 2048000, 2048000, ROAST_WIRE_PEAK_AT_MOST },
    { 3000000, 0, G_MAXINT64, 2000, 0, 0, 0, 3000000, 2048000, ROAST_WIRE_PEAK_EXACT },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      struct rusage usage = usage_of (0, 0, cases[i].usage);
      RoastWireProcessEnd end;

      self->process->peak_rss = cases[i].peak;
      self->process->rss = cases[i].rss;
      self->process->inherited_peak = cases[i].inherited;
      self->process->stat.children_minor_faults = cases[i].faults;
      self->process->stat.children_user_ticks = cases[i].user;
      self->process->stat.children_system_ticks = cases[i].system;
      reap (self, &usage);
      end = row (self, 0);
      g_assert_cmpint (end.peak_rss, ==, cases[i].expected);
      g_assert_cmpint (end.peak_rss_bound, ==, cases[i].bound);
      g_assert_cmpint (end.waited_peak_rss, ==, cases[i].waited);
      fake_library_forget (&self->library);
    }
}

/* Of a process whose memory was never read, and of a vanished one, nothing is known instead of 0. */
static void
test_peak_unknown (Fixture *self, gconstpointer data)
{
  cpu_accounting_vanished (&self->accounting, self->process, ENDED);
  g_assert_cmpint (row (self, 0).peak_rss, ==, -1);
  self->process->rss = 8192;
  cpu_accounting_vanished (&self->accounting, self->process, ENDED);
  g_assert_cmpint (row (self, 1).peak_rss, ==, 8192);
  g_assert_cmpint (row (self, 1).peak_rss_bound, ==, ROAST_WIRE_PEAK_AT_LEAST);
  g_assert_cmpint (row (self, 1).waited_peak_rss, ==, -1);
}

static void
set_children_ticks (Process *process, gint64 user, gint64 system)
{
  process->stat.children_user_ticks = user;
  process->stat.children_system_ticks = system;
}

/* Time of children in no row is folded from one clock tick on: less is how the kernel rounds. */
static void
test_folded (Fixture *self, gconstpointer data)
{
  struct rusage usage = usage_of (100000, 50000, 0);
  RoastWireProcessEnd end;

  set_children_ticks (self->process, 3, 1);
  self->process->stat.children_minor_faults = 900;
  self->process->stat.children_major_faults = 12;
  self->process->base.children_minor_faults = 400;
  self->process->base.children_major_faults = 2;
  self->process->booked.minor_faults = 100;
  self->process->booked.major_faults = 4;
  reap (self, &usage);
  assert_rows (self, 2);
  g_assert_cmpint (row (self, 0).usage.user, ==, 70000);
  g_assert_cmpint (row (self, 0).usage.system, ==, 40000);
  end = row (self, 1);
  g_assert_cmpuint (end.id, ==, 0);
  g_assert_cmpuint (end.parent_id, ==, self->process->id);
  g_assert_cmpint (end.origin, ==, ROAST_PROCESS_ORIGIN_FOLDED);
  g_assert_cmpuint (end.count, ==, 0);
  g_assert_cmpint (end.ended, ==, -1);
  g_assert_cmpint (end.peak_rss, ==, -1);
  g_assert_cmpint (end.waited_peak_rss, ==, -1);
  g_assert_cmpint (end.usage.user, ==, 30000);
  g_assert_cmpint (end.usage.system, ==, 10000);
  g_assert_cmpint (end.usage.minor_faults, ==, 400);
  g_assert_cmpint (end.usage.major_faults, ==, 6);
  g_assert_cmpint (end.usage.read_bytes, ==, -1);
  g_assert_cmpint (end.usage.run_queue, ==, -1);
  g_assert_cmpint (end.usage.voluntary_switches, ==, -1);
  g_assert_cmpint (self->accounting.cpu, ==, 150000);
  g_assert_cmpint (self->accounting.wait_cpu, ==, 150000);
}

static void
test_folded_threshold (Fixture *self, gconstpointer data)
{
  static const struct
  {
    gint64 user_ticks, system_ticks, booked_user, booked_system;
    guint rows;
    gint64 own_user, own_system;
  } cases[] = {
    { 1, 0, 0, 0, 2, 90000, 50000 },         { 0, 1, 0, 0, 2, 100000, 40000 },
    { 1, 0, 1, 0, 1, 99999, 50000 },         { 2, 0, 10000, 0, 2, 80000, 50000 },
    { 2, 0, 10001, 0, 1, 89999, 50000 },     { 1, 1, 5000, 5000, 2, 90000, 40000 },
    { 1, 1, 5000, 5001, 1, 95000, 44999 },   { 0, 3, 0, 2 * TICK, 2, 100000, 20000 },
    { 1, 0, 30000, 20000, 1, 70000, 30000 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      struct rusage usage = usage_of (100000, 50000, 0);

      set_children_ticks (self->process, cases[i].user_ticks, cases[i].system_ticks);
      self->process->booked.user = cases[i].booked_user;
      self->process->booked.system = cases[i].booked_system;
      reap (self, &usage);
      assert_rows (self, cases[i].rows);
      g_assert_cmpint (row (self, 0).usage.user, ==, cases[i].own_user);
      g_assert_cmpint (row (self, 0).usage.system, ==, cases[i].own_system);
      fake_library_forget (&self->library);
    }
}

/* Page faults are whole numbers, also where no clock tick hit a child. */
static void
test_folded_faults (Fixture *self, gconstpointer data)
{
  struct rusage usage = usage_of (100000, 50000, 0);

  self->process->stat.children_minor_faults = 900;
  self->process->stat.children_major_faults = 3;
  reap (self, &usage);
  assert_rows (self, 2);
  g_assert_cmpint (row (self, 0).usage.user, ==, 100000);
  g_assert_cmpint (row (self, 0).usage.system, ==, 50000);
  g_assert_cmpint (row (self, 1).usage.user, ==, 0);
  g_assert_cmpint (row (self, 1).usage.system, ==, 0);
  g_assert_cmpint (row (self, 1).usage.minor_faults, ==, 900);
  g_assert_cmpint (row (self, 1).usage.major_faults, ==, 3);
}

/* Waiting of before an attach does not count; threads that ended took theirs with them. */
static void
test_run_queue_base (Fixture *self, gconstpointer data)
{
  RoastWireUsage usage;

  cpu_accounting_usage_so_far (&self->accounting, self->process, &usage);
  g_assert_cmpint (usage.run_queue, ==, -1);
  self->process->run_queue_base = 1000;
  self->process->run_queue = 1234;
  cpu_accounting_usage_so_far (&self->accounting, self->process, &usage);
  g_assert_cmpint (usage.run_queue, ==, 234);
  self->process->run_queue = 999;
  cpu_accounting_usage_so_far (&self->accounting, self->process, &usage);
  g_assert_cmpint (usage.run_queue, ==, 0);
}

/* What did not reach storage counts once, although the parent that waited for the child has it too. */
static void
test_cancelled (Fixture *self, gconstpointer data)
{
  struct rusage usage = usage_of (100000, 50000, 0);
  Process *parent = add_parent (self);

  self->process->io_known = parent->io_known = true;
  self->process->io = (ProcIo) { .write_bytes = 5000, .write_cancelled = 4000 };
  self->process->io_base = (ProcIo) { .write_cancelled = 1000 };
  cpu_accounting_vanished (&self->accounting, self->process, ENDED);
  g_assert_cmpint (self->accounting.write_cancelled, ==, 3000);
  parent->io = (ProcIo) { .write_bytes = 9000, .write_cancelled = 3500 };
  cpu_accounting_reaped (&self->accounting, parent, ENDED, 0, &usage);
  g_assert_cmpint (self->accounting.write_cancelled, ==, 3500);
}

/* Children of before an attach do not count. */
static void
test_folded_base (Fixture *self, gconstpointer data)
{
  set_children_ticks (self->process, 13, 24);
  self->process->base.children_user_ticks = 10;
  self->process->base.children_system_ticks = 20;
  cpu_accounting_vanished (&self->accounting, self->process, ENDED);
  assert_rows (self, 2);
  g_assert_cmpint (row (self, 1).usage.user, ==, 30000);
  g_assert_cmpint (row (self, 1).usage.system, ==, 40000);
}

/* The kernel splits its total by ticks: no part may exceed what is left, and none is negative. */
static void
test_balance (Fixture *self, gconstpointer data)
{
  static const struct
  {
    gint64 user, system, ticks, booked_user, booked_system, own_user, own_system, folded;
  } cases[] = {
    { 20000, 7000, 3, 0, 0, 0, 7000, 20000 },    /* the folded part is limited */
    { 20000, 7000, 3, 5000, 0, 0, 7000, 15000 }, /* by what is booked, too */
    { 10000, 20000, 0, 15000, 0, 0, 15000, -1 }, /* user is too small: system too large */
    { 20000, 10000, 0, 0, 15000, 15000, 0, -1 }, /* and the reverse */
    { 10000, 10000, 0, 15000, 15000, 0, 0, -1 }, /* nothing is left */
    { 10000, 4000, 0, 15000, 0, 0, 0, -1 },      /* not even together */
    { 10000, 20000, 2, 15000, 0, 0, 15000, -1 }, /* nothing to fold */
    { 10000, 20000, 0, 10000, 20000, 0, 0, -1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      struct rusage usage = usage_of (cases[i].user, cases[i].system, 0);

      set_children_ticks (self->process, cases[i].ticks, 0);
      self->process->booked.user = cases[i].booked_user;
      self->process->booked.system = cases[i].booked_system;
      reap (self, &usage);
      g_assert_cmpint (row (self, 0).usage.user, ==, cases[i].own_user);
      g_assert_cmpint (row (self, 0).usage.system, ==, cases[i].own_system);
      assert_rows (self, cases[i].folded < 0 ? 1 : 2);
      if (cases[i].folded >= 0)
        g_assert_cmpint (row (self, 1).usage.user, ==, cases[i].folded);
      fake_library_forget (&self->library);
    }
}

static void
test_switches (Fixture *self, gconstpointer data)
{
  struct rusage usage = usage_of (0, 0, 0);

  usage.ru_nvcsw = 50;
  usage.ru_nivcsw = 70;
  self->process->booked.voluntary_switches = 20;
  self->process->booked.involuntary_switches = 71;
  reap (self, &usage);
  g_assert_cmpint (row (self, 0).usage.voluntary_switches, ==, 30);
  g_assert_cmpint (row (self, 0).usage.involuntary_switches, ==, 0);
}

/* What the parent waited for is booked with it: once, and in each component. */
static void
test_vanished (Fixture *self, gconstpointer data)
{
  Process *parent = add_parent (self);
  Process *p = self->process;
  RoastWireProcessEnd end;

  p->stat.user_ticks = 7;
  p->stat.system_ticks = 5;
  p->base.user_ticks = 2;
  p->base.system_ticks = 1;
  set_children_ticks (p, 9, 4);
  p->stat.minor_faults = 10;
  p->stat.major_faults = 20;
  p->stat.children_minor_faults = 300;
  p->stat.children_major_faults = 400;
  p->io_known = true;
  p->io = (ProcIo) { 10000, 20000, 30000, 40000 };
  p->io_base = (ProcIo) { 1000, 2000, 3000, 4000 };
  p->booked = (RoastWireUsage) { .user = 80000,
                                 .system = 10000,
                                 .read_chars = 100,
                                 .write_chars = 200,
                                 .read_bytes = 300,
                                 .write_bytes = 400,
                                 .minor_faults = 7,
                                 .major_faults = 8,
                                 .voluntary_switches = 11,
                                 .involuntary_switches = 12 };
  parent->booked.user = 1;
  cpu_accounting_vanished (&self->accounting, p, ENDED);

  assert_rows (self, 2);
  end = row (self, 0);
  g_assert_cmpint (end.origin, ==, ROAST_PROCESS_ORIGIN_SAMPLED);
  g_assert_cmpint (end.status_known, ==, 0);
  g_assert_cmpint (end.ended, ==, ENDED);
  g_assert_cmpint (end.usage.user, ==, 50000);
  g_assert_cmpint (end.usage.system, ==, 40000);
  g_assert_cmpint (end.usage.read_chars, ==, 8900);
  g_assert_cmpint (end.usage.write_chars, ==, 17800);
  g_assert_cmpint (end.usage.read_bytes, ==, 26700);
  g_assert_cmpint (end.usage.write_bytes, ==, 35600);
  g_assert_cmpint (row (self, 1).usage.user, ==, 10000);
  g_assert_cmpint (row (self, 1).usage.system, ==, 30000);
  g_assert_cmpint (self->accounting.cpu, ==, 130000);
  g_assert_cmpint (self->accounting.wait_cpu, ==, 0);
  g_assert_cmpint (self->accounting.unreaped, ==, 0);

  g_assert_cmpint (parent->booked.user, ==, 1 + 50000 + 10000 + 80000);
  g_assert_cmpint (parent->booked.system, ==, 40000 + 30000 + 10000);
  g_assert_cmpint (parent->booked.read_chars, ==, 9000);
  g_assert_cmpint (parent->booked.write_chars, ==, 18000);
  g_assert_cmpint (parent->booked.read_bytes, ==, 27000);
  g_assert_cmpint (parent->booked.write_bytes, ==, 36000);
  g_assert_cmpint (parent->booked.minor_faults, ==, 10 + 293 + 7);
  g_assert_cmpint (parent->booked.major_faults, ==, 20 + 392 + 8);
  g_assert_cmpint (parent->booked.voluntary_switches, ==, 11);
  g_assert_cmpint (parent->booked.involuntary_switches, ==, 12);
}

/* Its parent ignores SIGCHLD: the kernel's account of it is discarded, and so no other total contains it. */
static void
test_unreaped (Fixture *self, gconstpointer data)
{
  Process *parent = add_parent (self);

  parent->ignores_sigchld = true;
  self->process->stat.user_ticks = 7;
  self->process->stat.system_ticks = 2;
  set_children_ticks (self->process, 3, 1);
  cpu_accounting_vanished (&self->accounting, self->process, ENDED);
  assert_rows (self, 2);
  g_assert_cmpint (row (self, 0).origin, ==, ROAST_PROCESS_ORIGIN_UNREAPED);
  g_assert_cmpint (row (self, 1).origin, ==, ROAST_PROCESS_ORIGIN_FOLDED);
  g_assert_cmpint (self->accounting.unreaped, ==, 130000);
  g_assert_cmpint (self->accounting.cpu, ==, 130000);
  g_assert_cmpint (parent->booked.user, ==, 0);
  g_assert_cmpint (parent->booked.system, ==, 0);
}

/* What the parent does with SIGCHLD now says nothing: its counters of page faults have this child, or they do not. */
static void
test_faults (Fixture *self, gconstpointer data)
{
  static const struct
  {
    gint64 faults_of_children;
    gboolean ignores, waited, is_booked, with_others;
    gint32 origin;
  } cases[] = {
    { 310, TRUE, TRUE, TRUE, TRUE, ROAST_PROCESS_ORIGIN_SAMPLED },
    { 310, FALSE, TRUE, TRUE, TRUE, ROAST_PROCESS_ORIGIN_SAMPLED },
    /* It was waited for, but not those below it, as when the init of a PID namespace ends. */
    { 309, FALSE, FALSE, TRUE, FALSE, ROAST_PROCESS_ORIGIN_SAMPLED },
    { 210, FALSE, FALSE, TRUE, FALSE, ROAST_PROCESS_ORIGIN_SAMPLED },
    /* SA_NOCLDWAIT. */
    { 209, FALSE, FALSE, FALSE, FALSE, ROAST_PROCESS_ORIGIN_UNREAPED },
    { 60, TRUE, FALSE, FALSE, FALSE, ROAST_PROCESS_ORIGIN_UNREAPED },
  };
  Process *parent = add_parent (self);

  self->process->stat.user_ticks = 7;
  self->process->stat.minor_faults = 110;
  self->process->base.minor_faults = 10;
  self->process->stat.children_minor_faults = 50;
  self->process->booked = (RoastWireUsage) { .user = 20000, .minor_faults = 100 };
  parent->children_final = true;
  parent->base.children_minor_faults = 40;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      parent->stat.children_minor_faults = cases[i].faults_of_children;
      parent->ignores_sigchld = cases[i].ignores;
      parent->booked = (RoastWireUsage) { .minor_faults = 70 };
      g_assert_true (cpu_accounting_vanished (&self->accounting, self->process, ENDED) == cases[i].waited);
      g_assert_cmpint (row (self, i).origin, ==, cases[i].origin);
      g_assert_cmpint (parent->booked.user, ==, (cases[i].is_booked ? 70000 : 0) + (cases[i].with_others ? 20000 : 0));
    }
  g_assert_cmpint (self->accounting.unreaped, ==, 2 * 70000);
}

/* Compare the page faults of a child only with those that its parent took over after the child was last seen. */
static void
test_faults_before (Fixture *self, gconstpointer data)
{
  static const struct
  {
    gint64 before;
    gboolean is_booked, with_others;
  } cases[] = { { 110, TRUE, TRUE }, { 111, TRUE, FALSE }, { 210, TRUE, FALSE }, { 211, FALSE, FALSE } };
  Process *parent = add_parent (self);

  self->process->stat.minor_faults = 100;
  self->process->booked = (RoastWireUsage) { .minor_faults = 100 };
  parent->children_final = true;
  parent->stat.children_minor_faults = 310;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      self->process->faults_before = cases[i].before;
      parent->booked = (RoastWireUsage) { .minor_faults = 70 };
      g_assert_true (cpu_accounting_vanished (&self->accounting, self->process, ENDED) == cases[i].with_others);
      g_assert_cmpint (row (self, i).origin, ==,
                       cases[i].is_booked ? ROAST_PROCESS_ORIGIN_SAMPLED : ROAST_PROCESS_ORIGIN_UNREAPED);
    }
  /* It had not used a tick: there may be more of its kind. */
  g_assert_cmpint (self->accounting.unreaped, ==, 1);
}

/* It waited for some of those below it. Which is unknown: what its parent has of them does not count twice. */
static void
test_unsure (Fixture *self, gconstpointer data)
{
  struct rusage usage = usage_of (500000, 0, 0);
  Process *parent = add_parent (self);

  self->process->stat.minor_faults = 100;
  self->process->booked = (RoastWireUsage) { .user = 300000, .minor_faults = 400 };
  parent->children_final = true;
  parent->stat.children_minor_faults = 300;
  set_children_ticks (parent, 40, 0);
  g_assert_false (cpu_accounting_vanished (&self->accounting, self->process, ENDED));
  g_assert_cmpint (parent->booked.user, ==, 300000);
  g_assert_cmpint (parent->booked.minor_faults, ==, 300);
  cpu_accounting_reaped (&self->accounting, parent, ENDED, 0, &usage);
  g_assert_cmpint (self->accounting.cpu, ==, 200000);
}

/* The kernel may have killed what was seen with the init of a PID namespace for the last time, unless its parent has
 * the page faults, and few more. */
static void
test_init (Fixture *self, gconstpointer data)
{
  static const struct
  {
    gint64 faults_of_children;
    gboolean is_init, is_final, sure;
  } cases[] = {
    { 1100, TRUE, TRUE, TRUE },  { 1164, TRUE, TRUE, TRUE },   { 1165, TRUE, TRUE, FALSE },
    { 1165, FALSE, TRUE, TRUE }, { 1100, TRUE, FALSE, FALSE },
  };
  Process *parent = add_parent (self);
  Process *child = tree_add (&self->tree, 30);

  child->stat.ppid = 20;
  child->stat.minor_faults = 1000;
  self->process->stat.minor_faults = 100;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      self->process->booked = parent->booked = (RoastWireUsage) { .user = 0 };
      self->process->unsure_faults = parent->unsure_faults = 0;
      self->process->namespace_pid = cases[i].is_init ? 1 : -1;
      g_assert_true (cpu_accounting_vanished (&self->accounting, child, ENDED));
      parent->children_final = cases[i].is_final;
      parent->stat.children_minor_faults = cases[i].faults_of_children;
      g_assert_true (cpu_accounting_vanished (&self->accounting, self->process, ENDED) == cases[i].sure);
    }
}

static void
test_left (Fixture *self, gconstpointer data)
{
  Process *parent = add_parent (self);

  self->process->stat.user_ticks = 4;
  cpu_accounting_left (&self->accounting, self->process, ENDED);
  g_assert_cmpint (row (self, 0).origin, ==, ROAST_PROCESS_ORIGIN_RUNNING);
  g_assert_cmpint (row (self, 0).ended, ==, -1);
  g_assert_cmpint (row (self, 0).usage.user, ==, 40000);
  g_assert_cmpint (row (self, 0).usage.read_bytes, ==, -1);
  self->process->zombie = true;
  cpu_accounting_left (&self->accounting, self->process, ENDED);
  g_assert_cmpint (row (self, 1).origin, ==, ROAST_PROCESS_ORIGIN_SAMPLED);
  g_assert_cmpint (row (self, 1).ended, ==, ENDED);
  assert_rows (self, 2);
  /* Nothing waited for it. */
  g_assert_cmpint (parent->booked.user, ==, 0);
}

static void
test_unreaped_rest (Fixture *self, gconstpointer data)
{
  RoastWireProcessEnd end;

  cpu_accounting_unreaped (&self->accounting, 5, 123456, true);
  end = row (self, 0);
  g_assert_cmpuint (end.id, ==, 0);
  g_assert_cmpuint (end.parent_id, ==, 5);
  g_assert_cmpint (end.origin, ==, ROAST_PROCESS_ORIGIN_UNREAPED);
  g_assert_cmpint (end.ended, ==, -1);
  g_assert_cmpint (end.usage.unsplit, ==, 123456);
  g_assert_cmpint (end.usage.user, ==, -1);
  g_assert_cmpint (end.usage.system, ==, -1);
  g_assert_cmpint (end.usage.minor_faults, ==, -1);
  g_assert_cmpint (self->accounting.cpu, ==, 123456);
  assert_rows (self, 1);
}

/* Nobody waited for some processes, whose CPU time is known to the end: what else they counted is missing. */
static void
test_unreaped_without_cpu (Fixture *self, gconstpointer data)
{
  cpu_accounting_unreaped (&self->accounting, 5, 0, false);
  assert_rows (self, 0);
  cpu_accounting_unreaped (&self->accounting, 5, 0, true);
  assert_rows (self, 1);
  g_assert_cmpint (row (self, 0).origin, ==, ROAST_PROCESS_ORIGIN_UNREAPED);
  g_assert_cmpint (row (self, 0).usage.unsplit, ==, -1);
  /* A second call adds no row. */
  cpu_accounting_unreaped (&self->accounting, 5, 0, true);
  assert_rows (self, 1);
}

/* Of an attached process only what it used since counts, and I/O of children that have rows is theirs. */
static void
test_usage_so_far (Fixture *self, gconstpointer data)
{
  Process *p = self->process;
  RoastWireUsage usage;

  p->stat.user_ticks = 107;
  p->stat.system_ticks = 205;
  p->stat.children_user_ticks = 1000;
  p->stat.children_system_ticks = 2000;
  p->base.user_ticks = 100;
  p->base.system_ticks = 200;
  p->base.children_user_ticks = 990;
  p->base.children_system_ticks = 1997;
  p->io = p->io_base = (ProcIo) { 5, 6, 7, 8 };
  g_assert_cmpint (cpu_accounting_cpu_so_far (&self->accounting, p), ==, (7 + 5 + 10 + 3) * TICK);
  cpu_accounting_usage_so_far (&self->accounting, p, &usage);
  g_assert_cmpint (usage.user, ==, 7 * TICK);
  g_assert_cmpint (usage.system, ==, 5 * TICK);
  g_assert_cmpint (usage.read_chars, ==, -1);
  g_assert_cmpint (usage.write_bytes, ==, -1);
  g_assert_cmpint (usage.voluntary_switches, ==, -1);

  p->io_known = true;
  p->io.read_chars += 10;
  p->io.write_bytes += 10;
  p->booked.read_chars = 3;
  p->booked.write_chars = p->booked.read_bytes = 1;
  p->booked.write_bytes = 11;
  cpu_accounting_usage_so_far (&self->accounting, p, &usage);
  g_assert_cmpint (usage.read_chars, ==, 7);
  g_assert_cmpint (usage.write_chars, ==, 0);
  g_assert_cmpint (usage.read_bytes, ==, 0);
  g_assert_cmpint (usage.write_bytes, ==, 0);
}

/* The rows of a family add up to the kernel's total, whatever the ticks say. */
static void
test_sum (Fixture *self, gconstpointer data)
{
  struct rusage usage = usage_of (123457, 76543, 0);
  Process *child = tree_add (&self->tree, 30);
  gint64 sum = 0;

  child->stat.ppid = 20;
  child->stat.user_ticks = 4;
  child->stat.system_ticks = 1;
  cpu_accounting_vanished (&self->accounting, child, ENDED);
  self->process->stat.user_ticks = 5;
  set_children_ticks (self->process, 7, 2);
  reap (self, &usage);
  assert_rows (self, 3);
  for (guint i = 0; i < 3; i++)
    sum += row (self, i).usage.user + row (self, i).usage.system;
  g_assert_cmpint (sum, ==, 200000);
  g_assert_cmpint (self->accounting.cpu, ==, 200000);
}

#define ADD(name, function) g_test_add ("/cpu-accounting/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("reaped", test_reaped);
  ADD ("system-only", test_system_only);
  ADD ("peak", test_peak);
  ADD ("peak-unknown", test_peak_unknown);
  ADD ("folded", test_folded);
  ADD ("folded-threshold", test_folded_threshold);
  ADD ("folded-faults", test_folded_faults);
  ADD ("run-queue-base", test_run_queue_base);
  ADD ("cancelled", test_cancelled);
  ADD ("folded-base", test_folded_base);
  ADD ("balance", test_balance);
  ADD ("switches", test_switches);
  ADD ("vanished", test_vanished);
  ADD ("unreaped", test_unreaped);
  ADD ("faults-before", test_faults_before);
  ADD ("faults", test_faults);
  ADD ("unsure", test_unsure);
  ADD ("init", test_init);
  ADD ("left", test_left);
  ADD ("unreaped-rest", test_unreaped_rest);
  ADD ("unreaped-without-cpu", test_unreaped_without_cpu);
  ADD ("usage-so-far", test_usage_so_far);
  ADD ("sum", test_sum);

  return g_test_run ();
}
