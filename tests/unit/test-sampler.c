/* SPDX-License-Identifier: BSD-3-Clause */

/* What the supervisor finds, reads and sends at each tick, on processes and clocks that the test makes. */

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake-processes.h"
#include "process/roast-supervisor-wire.h"
#include "pss.h"

#define TICK 10000 /* µs */
#define SECOND G_GINT64_CONSTANT (1000000)

typedef struct
{
  FakeLibrary library;
  Tree tree;
  CpuAccounting accounting;
  Clocks clocks;
  Options options;
  Sampler sampler;
  FakeProcess *main;
  gint64 page;
} Fixture;

static void
set_loadavg_pid (Fixture *self, gint32 pid)
{
  char text[64];
  int n = g_snprintf (text, sizeof text, "0.52 0.58 0.59 1/597 %-10d\n", pid);

  g_assert_cmpint (pwrite (self->sampler.loadavg_fd, text, (gsize) n, 0), ==, n);
}

static void
set_up (Fixture *self, gconstpointer data)
{
  fake_clocks_reset ();
  fake_library_set_up (&self->library);
  self->accounting = (CpuAccounting) { .out = &self->library.out, .tree = &self->tree, .tick_us = TICK };
  self->options.pss = PSS_OFF;
  clocks_init (&self->clocks);
  sampler_init (&self->sampler, &self->accounting, &self->clocks, &self->options);
  self->page = sysconf (_SC_PAGESIZE);
  close (self->sampler.loadavg_fd);
  self->sampler.loadavg_fd = memfd_create ("loadavg", MFD_CLOEXEC);
  set_loadavg_pid (self, 500);
  self->main = fake_process_new (100, getpid (), "main");
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  while (self->tree.n > 0)
    tree_remove (&self->tree, self->tree.all[0]);
  free (self->tree.all);
  free (self->tree.buckets);
  free (self->sampler.samples);
  close (self->sampler.loadavg_fd);
  fake_library_tear_down (&self->library);
  fake_processes_clear ();
}

/* The tick of now, and its samples. */
static RoastWireTick
take_tick (Fixture *self, RoastWireSample *samples, guint max)
{
  RoastWireTick tick;
  gsize length;
  gconstpointer frame;

  fake_library_forget (&self->library);
  sampler_tick (&self->sampler);
  frame = fake_library_frame (&self->library, ROAST_WIRE_TICK, 0, &length);
  memcpy (&tick, frame, sizeof tick);
  g_assert_cmpuint (length, ==, sizeof tick + tick.samples * sizeof *samples);
  g_assert_cmpuint (tick.samples, <=, max);
  if (tick.samples > 0)
    memcpy (samples, (const char *) frame + sizeof tick, tick.samples * sizeof *samples);

  return tick;
}

static RoastWireTick
tick_without_samples (Fixture *self)
{
  RoastWireSample samples[8];

  return take_tick (self, samples, G_N_ELEMENTS (samples));
}

static RoastWireSample
only_sample (Fixture *self)
{
  RoastWireSample sample;
  RoastWireTick tick = take_tick (self, &sample, 1);

  g_assert_cmpuint (tick.samples, ==, 1);

  return sample;
}

static Process *
found (Fixture *self, gint32 pid)
{
  Process *p = tree_find (&self->tree, pid);

  g_assert_nonnull (p);

  return p;
}

static void
set_own (Affinity *affinity, int n)
{
  CPU_ZERO (&affinity->own);
  for (int i = 0; i < n; i++)
    CPU_SET (i, &affinity->own);
}

/* The masks of all processes together; those of threads only where cores are missing. Masks of the launch do not count,
 * unless there are no others. */
static void
test_affinity (Fixture *self, gconstpointer data)
{
  Affinity *affinity = &self->sampler.affinity;
  FakeProcess *child = fake_process_new (101, 100, "child");

  set_own (affinity, 4);
  g_assert_cmpint (affinity_average (affinity), ==, -1);
  sampler_add (&self->sampler, 100);
  g_assert_cmpint (tick_without_samples (self).cores, ==, -1);
  CPU_SET (0, &self->main->affinity);
  CPU_SET (1, &self->main->affinity);
  g_assert_cmpint (tick_without_samples (self).cores, ==, 2);
  g_assert_cmpint (affinity->most, ==, -1);
  sampler_read_affinity (&self->sampler, fake_clocks.monotonic, true);
  g_assert_cmpint (affinity->most, ==, 2);

  affinity_init (affinity);
  set_own (affinity, 4);
  fake_clocks_advance (SECOND);
  CPU_CLR (1, &self->main->affinity);
  CPU_SET (0, &child->affinity);
  g_assert_cmpint (tick_without_samples (self).cores, ==, 1);
  g_assert_cmpint (affinity_average (affinity), ==, 1000000);
  fake_clocks_advance (SECOND);
  CPU_SET (2, &child->affinity_of_threads);
  self->main->stat.threads = child->stat.threads = 2;
  g_assert_cmpint (tick_without_samples (self).cores, ==, 2);
  fake_clocks_advance (SECOND);
  CPU_SET (3, &child->affinity_of_threads);
  g_assert_cmpint (tick_without_samples (self).cores, ==, 3);
  g_assert_cmpint (affinity->least, ==, 1);
  g_assert_cmpint (affinity->most, ==, 3);
  g_assert_cmpint (affinity_average (affinity), ==, 2500000);

  /* Waiting of threads that are bound to fewer cores, as it grows. */
  self->main->run_queue = 9 * SECOND;
  child->run_queue = SECOND;
  child->is_bound = TRUE;
  child->stat.user_ticks++;
  tick_without_samples (self);
  child->run_queue = 3 * SECOND;
  child->stat.user_ticks++;
  tick_without_samples (self);
  g_assert_cmpint (affinity->waited, ==, 3 * SECOND);
  g_assert_cmpint (CPU_COUNT (&affinity->bound), ==, 1);

  /* If roast-run has only the cores of the main threads, others are not read. */
  set_own (affinity, 1);
  g_assert_cmpint (tick_without_samples (self).cores, ==, 1);
}

static void
test_process (Fixture *self, gconstpointer data)
{
  FakeProcess *child = fake_process_new (101, 100, "child");
  const RoastWireProcess *record;
  gsize length;

  memcpy (child->command_line, "child\0-v\0", 9);
  child->command_line_length = 9;
  child->stat.start_ticks = 350;
  child->status.uid = 4711;
  sampler_tick (&self->sampler);

  g_assert_cmpuint (fake_library_count (&self->library, ROAST_WIRE_PROCESS), ==, 2);
  record = fake_library_frame (&self->library, ROAST_WIRE_PROCESS, 0, &length);
  g_assert_cmpuint (length, ==, sizeof *record);
  g_assert_cmpuint (record->id, ==, 1);
  g_assert_cmpuint (record->parent_id, ==, 0);
  g_assert_cmpint (record->pid, ==, 100);
  g_assert_cmpstr (record->command, ==, "main");
  record = fake_library_frame (&self->library, ROAST_WIRE_PROCESS, 1, &length);
  g_assert_cmpuint (record->id, ==, 2);
  g_assert_cmpuint (record->parent_id, ==, 1);
  g_assert_cmpint (record->pid, ==, 101);
  g_assert_cmpuint (record->uid, ==, 4711);
  /* 3.5 s after boot */
  g_assert_cmpint (record->started, ==, fake_clocks.real - fake_clocks.boot + 3500000);
  g_assert_cmpmem ((const char *) record + sizeof *record, length - sizeof *record, "child\0-v\0", 9);
}

/* A process that is ending is shown in the top groups of version 1, and has not moved. A zombie keeps its group of
 * version 2. */
static void
test_left_groups (Fixture *self, gconstpointer data)
{
  static const struct
  {
    const char *before, *after;
    gboolean is_main, has_ended, left;
  } cases[] = {
    { "4:memory:/a\n0::/b\n", "4:memory:/a\n0::/b\n", TRUE, FALSE, FALSE },
    { "4:memory:/a\n0::/b\n", "4:memory:/c\n0::/b\n", TRUE, FALSE, TRUE },
    { "4:memory:/a\n3:cpu:/\n0::/b\n", "4:memory:/\n3:cpu:/\n0::/b\n", FALSE, TRUE, FALSE },
    { "4:memory:/a\n0::/b\n", "4:memory:/\n0::/b\n", TRUE, FALSE, FALSE },
    { "0::/b\n", "0::/b/own\n", FALSE, TRUE, TRUE },
    { "4:memory:/a\n0::/b\n", "4:memory:/a/own\n0::/b\n", FALSE, FALSE, TRUE },
    { "0::/b\n", "0::/b/own\n", TRUE, FALSE, TRUE },
    { NULL, NULL, TRUE, FALSE, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      FakeProcess *moved = cases[i].is_main ? self->main : fake_process_new (200 + (gint32) i, 100, "child");

      self->main->groups = moved->groups = cases[i].before;
      self->main->stat.minor_faults++;
      set_loadavg_pid (self, 600 + (gint32) i);
      self->sampler.groups_length = 0;
      self->sampler.left_groups = false;
      sampler_tick (&self->sampler);
      moved->groups = cases[i].after;
      if (cases[i].has_ended)
        sampler_read_last (&self->sampler, sampler_add (&self->sampler, moved->pid));
      else
        {
          moved->stat.minor_faults++;
          sampler_tick (&self->sampler);
        }
      g_assert_cmpint (self->sampler.left_groups, ==, cases[i].left);
    }
}

static void
test_sample (Fixture *self, gconstpointer data)
{
  RoastWireSample samples[2];
  RoastWireTick tick;
  FakeProcess *child = fake_process_new (101, 100, "child");

  self->main->stat.user_ticks = 7;
  self->main->stat.system_ticks = 3;
  self->main->stat.children_user_ticks = 20;
  self->main->stat.rss_pages = 25;
  self->main->stat.threads = 3;
  self->main->io = (ProcIo) { 1, 2, 3, 4 };
  self->main->run_queue = 777;
  child->stat.user_ticks = 1;
  child->stat.state = 'R';
  self->accounting.wait_cpu = 1000000;
  self->accounting.wait_system = 400000;
  self->main->stat.children_system_ticks = 5;
  tick = take_tick (self, samples, 2);

  g_assert_cmpint (tick.time, ==, fake_clocks.real);
  g_assert_cmpint (tick.processes, ==, 2);
  g_assert_cmpint (tick.zombies, ==, 0);
  g_assert_cmpint (tick.threads, ==, 4);
  g_assert_cmpuint (tick.samples, ==, 2);
  g_assert_cmpint (tick.rss, ==, 1025 * self->page);
  g_assert_cmpint (tick.pss, ==, -1);
  g_assert_cmpint (tick.pss_known, ==, -1);
  g_assert_cmpint (tick.cpu, ==, 1000000 + 350000 + 10000);
  g_assert_cmpint (tick.system, ==, 400000 + 30000 + 50000);
  g_assert_cmpuint (self->sampler.ticks, ==, 1);

  g_assert_cmpuint (samples[0].id, ==, 1);
  g_assert_cmpint (samples[0].rss, ==, 25 * self->page);
  g_assert_cmpint (samples[0].pss, ==, -1);
  g_assert_cmpint (samples[0].pss_age, ==, -1);
  g_assert_cmpint (samples[0].threads, ==, 3);
  g_assert_cmpint (samples[0].state, ==, 'S');
  g_assert_cmpint (samples[0].usage.user, ==, 70000);
  g_assert_cmpint (samples[0].usage.system, ==, 30000);
  g_assert_cmpint (samples[0].usage.run_queue, ==, 777);
  g_assert_cmpint (samples[0].usage.read_chars, ==, 1);
  g_assert_cmpint (samples[0].usage.write_chars, ==, 2);
  g_assert_cmpint (samples[0].usage.read_bytes, ==, 3);
  g_assert_cmpint (samples[0].usage.write_bytes, ==, 4);
  g_assert_cmpint (samples[1].state, ==, 'R');
}

/* A tick is on the clock of the start, even if the wall clock was set since. */
static void
test_time (Fixture *self, gconstpointer data)
{
  gint64 started = fake_clocks.real;

  fake_clocks_advance (3 * SECOND);
  fake_clocks.real -= 3600 * SECOND;
  g_assert_cmpint (tick_without_samples (self).time, ==, started + 3 * SECOND);
}

/* A process that did nothing has no sample, nor has one that only grew older; one with no resident page is in exec().
 */
static void
test_unchanged (Fixture *self, gconstpointer data)
{
  g_assert_cmpint (only_sample (self).rss, ==, 1000 * self->page);
  fake_clocks_advance (SECOND);
  g_assert_cmpuint (tick_without_samples (self).samples, ==, 0);
  self->main->stat.threads = 2;
  g_assert_cmpint (only_sample (self).threads, ==, 2);
  self->main->stat.rss_pages = 0;
  g_assert_cmpint (only_sample (self).rss, ==, -1);
  g_assert_cmpint (tick_without_samples (self).rss, ==, -1);
  self->main->stat.rss_pages = 1001;
  g_assert_cmpint (only_sample (self).rss, ==, 1001 * self->page);
  g_assert_cmpint (tick_without_samples (self).rss, ==, 1001 * self->page);
}

/* I/O and the run queue are read only if the process ran. */
static void
test_reads (Fixture *self, gconstpointer data)
{
  gint64 *ran[] = { &self->main->stat.user_ticks, &self->main->stat.system_ticks, &self->main->stat.minor_faults };

  sampler_tick (&self->sampler);
  g_assert_cmpuint (self->main->io_reads, ==, 1);
  g_assert_cmpuint (self->main->run_queue_reads, ==, 1);
  sampler_tick (&self->sampler);
  g_assert_cmpuint (self->main->io_reads, ==, 1);
  g_assert_cmpuint (self->main->run_queue_reads, ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (ran); i++)
    {
      ++*ran[i];
      sampler_tick (&self->sampler);
      g_assert_cmpuint (self->main->io_reads, ==, 2 + i);
      g_assert_cmpuint (self->main->run_queue_reads, ==, 2 + i);
    }
}

/* Waiting counts even if the threads that waited have ended. */
static void
test_ended_threads (Fixture *self, gconstpointer data)
{
  static const struct
  {
    gint64 living, waited;
  } readings[] = { { 300, 300 }, { 500, 500 }, { 200, 500 }, { 350, 650 }, { 350, 650 }, { 0, 650 }, { 20, 670 } };

  for (guint i = 0; i < G_N_ELEMENTS (readings); i++)
    {
      self->main->run_queue = readings[i].living;
      self->main->stat.user_ticks++;
      g_assert_cmpint (only_sample (self).usage.run_queue, ==, readings[i].waited);
    }
}

/* CPU time that no living thread has is of threads that lived between two samples. */
static void
test_unseen_threads (Fixture *self, gconstpointer data)
{
  static const gint64 unseen[] = { 0, 70000, 70000, 250000 };

  for (guint i = 0; i < G_N_ELEMENTS (unseen); i++)
    {
      self->main->stat.user_ticks += 30;
      self->main->unseen = unseen[i];
      sampler_tick (&self->sampler);
      g_assert_cmpint (found (self, 100)->unseen_cpu, ==, unseen[i]);
    }
  cpu_accounting_left (&self->accounting, found (self, 100), 0);
  g_assert_cmpint (self->accounting.unseen_cpu, ==, 250000);
}

/* The time counts only if the process was stopped at both ticks, whichever process it was. */
static void
test_stopped (Fixture *self, gconstpointer data)
{
  static const struct
  {
    char main, child;
    gint64 seconds;
  } ticks[] = { { 'S', 'S', 0 }, { 'S', 'T', 0 }, { 'S', 'T', 1 }, { 'T', 'R', 2 }, { 'R', 'R', 2 }, { 'T', 'Z', 2 } };
  FakeProcess *child = fake_process_new (101, 100, "child");

  for (guint i = 0; i < G_N_ELEMENTS (ticks); i++)
    {
      fake_clocks_advance (SECOND);
      self->main->stat.state = ticks[i].main;
      child->stat.state = ticks[i].child;
      sampler_tick (&self->sampler);
      g_assert_cmpint (self->sampler.stopped, ==, ticks[i].seconds * SECOND);
    }
}

/* The high-water mark is read again when the resident set exceeds the last one. */
static void
test_peak (Fixture *self, gconstpointer data)
{
  Process *p;
  guint reads;

  self->main->status.peak_rss = 1000 * self->page;
  sampler_tick (&self->sampler);
  p = found (self, 100);
  g_assert_cmpint (p->peak_rss, ==, 1000 * self->page);
  reads = self->main->status_reads;
  sampler_tick (&self->sampler);
  g_assert_cmpuint (self->main->status_reads, ==, reads);
  self->main->stat.rss_pages = 1001;
  self->main->status.peak_rss = 1500 * self->page;
  sampler_tick (&self->sampler);
  g_assert_cmpuint (self->main->status_reads, ==, reads + 1);
  g_assert_cmpint (p->peak_rss, ==, 1500 * self->page);
  /* It never falls: after an exec the kernel starts from 0. */
  self->main->stat.rss_pages = 1600;
  self->main->status.peak_rss = 10;
  sampler_tick (&self->sampler);
  g_assert_cmpint (p->peak_rss, ==, 1500 * self->page);
}

/* Without one, it is asked for again only at the first sample. */
static void
test_peak_unknown (Fixture *self, gconstpointer data)
{
  guint reads;

  self->main->stat.rss_pages = -1;
  sampler_tick (&self->sampler);
  reads = self->main->status_reads;
  g_assert_cmpuint (reads, ==, 2);
  sampler_tick (&self->sampler);
  g_assert_cmpuint (self->main->status_reads, ==, reads);
}

static void
test_exec (Fixture *self, gconstpointer data)
{
  const RoastWireProcess *record;

  sampler_tick (&self->sampler);
  g_assert_cmpuint (fake_library_count (&self->library, ROAST_WIRE_EXEC), ==, 0);
  g_strlcpy (self->main->stat.command, "other", sizeof self->main->stat.command);
  self->main->status.uid = 12;
  sampler_tick (&self->sampler);
  sampler_tick (&self->sampler);
  g_assert_cmpuint (fake_library_count (&self->library, ROAST_WIRE_EXEC), ==, 1);
  record = fake_library_frame (&self->library, ROAST_WIRE_EXEC, 0, NULL);
  g_assert_cmpuint (record->id, ==, 1);
  g_assert_cmpuint (record->uid, ==, 12);
  g_assert_cmpstr (record->command, ==, "other");
}

/* The memory that a fork leaves a process until its exec is its parent's; more than that is its own. */
static void
test_exec_memory (Fixture *self, gconstpointer data)
{
  static const struct
  {
    const char *name;
    gint64 peak, expected;
  } cases[] = { { "main", 900, 100 }, { "main", 901, 901 }, { "other", 900, 900 } };
  FakeProcess *child = fake_process_new (101, 100, "main");

  self->main->status.peak_rss = 900;
  g_strlcpy (self->main->stat.command, "main", sizeof self->main->stat.command);
  self->main->stat.rss_pages = child->stat.rss_pages = 0;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_strlcpy (child->stat.command, cases[i].name, sizeof child->stat.command);
      child->status.peak_rss = cases[i].peak;
      tick_without_samples (self);
      found (self, 101)->peak_rss = cases[i].peak;
      g_strlcpy (child->stat.command, "sleep", sizeof child->stat.command);
      child->status.peak_rss = 100;
      tick_without_samples (self);
      g_assert_cmpint (found (self, 101)->peak_rss, ==, cases[i].expected);
    }
}

/* Children are looked for only if anything was forked on this machine, by the last pid of /proc/loadavg. */
static void
test_discover (Fixture *self, gconstpointer data)
{
  sampler_tick (&self->sampler);
  g_assert_cmpuint (self->tree.n, ==, 1);
  fake_process_new (101, 100, "child");
  fake_process_new (102, 101, "grandchild");
  sampler_tick (&self->sampler);
  g_assert_cmpuint (self->tree.n, ==, 1);
  set_loadavg_pid (self, 501);
  sampler_tick (&self->sampler);
  g_assert_cmpuint (self->tree.n, ==, 3);
  g_assert_cmpuint (found (self, 102)->parent_id, ==, 2);
  fake_process_new (103, getpid (), "orphan");
  sampler_discover (&self->sampler, false);
  g_assert_null (tree_find (&self->tree, 103));
  sampler_discover (&self->sampler, true);
  g_assert_cmpuint (found (self, 103)->parent_id, ==, 0);
  /* Where it cannot be read, they are always looked for. */
  fake_process_new (104, 102, "late");
  g_assert_cmpint (ftruncate (self->sampler.loadavg_fd, 0), ==, 0);
  sampler_discover (&self->sampler, false);
  g_assert_nonnull (tree_find (&self->tree, 104));
}

/* The number of threads is read before the children: a fork by a new thread is seen else too late. */
static void
test_discover_reads (Fixture *self, gconstpointer data)
{
  sampler_tick (&self->sampler);
  self->main->stat.threads = 2;
  sampler_discover (&self->sampler, true);
  g_assert_cmpint (found (self, 100)->stat.threads, ==, 2);
  g_assert_cmpuint (self->main->children_reads, ==, 2);
  /* Zombies have no children. */
  found (self, 100)->zombie = true;
  sampler_discover (&self->sampler, true);
  g_assert_cmpuint (self->main->children_reads, ==, 2);
}

/* An application may attach to itself: then the supervisor is its child. */
static void
test_attached (Fixture *self, gconstpointer data)
{
  FakeProcess *own = fake_process_new (getpid (), 100, "roast-supervisor");

  self->options.attach_pid = 100;
  own->stat.ppid = 100;
  sampler_discover (&self->sampler, true);
  g_assert_cmpuint (self->tree.n, ==, 0);
  sampler_add (&self->sampler, 100);
  sampler_discover (&self->sampler, true);
  g_assert_cmpuint (self->tree.n, ==, 1);
}

static void
test_add (Fixture *self, gconstpointer data)
{
  Process *p = sampler_add (&self->sampler, 100);

  g_assert_true (sampler_add (&self->sampler, 100) == p);
  g_assert_cmpuint (self->tree.n, ==, 1);
  g_assert_cmpint (p->uid, ==, 1000);
  /* One that is gone leaves no number behind. */
  g_assert_null (sampler_add (&self->sampler, 999));
  g_assert_cmpuint (self->tree.n, ==, 1);
  g_assert_cmpuint (self->tree.last_id, ==, 1);
  fake_process_new (101, 100, "zombie")->stat.state = 'Z';
  p = sampler_add (&self->sampler, 101);
  g_assert_true (p->zombie);
  g_assert_cmpuint (p->id, ==, 2);
  g_assert_cmpuint (fake_process_find (101)->status_reads, ==, 0);
  /* Its parent is asked whether it ignores SIGCHLD by now. */
  g_assert_cmpuint (self->main->status_reads, ==, 2);
  g_assert_true (found (self, 100)->had_children);
  g_assert_true (found (self, 100)->family_changed);
}

static void
test_zombie (Fixture *self, gconstpointer data)
{
  RoastWireSample samples[2];
  RoastWireTick tick;
  FakeProcess *child = fake_process_new (101, 100, "child");

  take_tick (self, samples, 2);
  child->stat.state = 'Z';
  child->stat.user_ticks = 5;
  child->io.read_chars = 99;
  tick = take_tick (self, samples, 2);
  g_assert_cmpint (tick.processes, ==, 1);
  g_assert_cmpint (tick.zombies, ==, 1);
  g_assert_cmpuint (tick.samples, ==, 0);
  g_assert_cmpint (tick.cpu, ==, 5 * TICK);
  g_assert_true (found (self, 101)->zombie);
  g_assert_cmpint (found (self, 101)->io.read_chars, ==, 99);
  /* It is read no more, but its end is seen. */
  g_assert_cmpint (take_tick (self, samples, 2).zombies, ==, 1);
  g_assert_cmpuint (child->io_reads, ==, 2);
  child->gone = TRUE;
  g_assert_cmpint (take_tick (self, samples, 2).zombies, ==, 0);
  g_assert_cmpuint (fake_library_count (&self->library, ROAST_WIRE_ENDED), ==, 1);
  child->gone = FALSE;
  child->stat.state = 'X';
  sampler_discover (&self->sampler, true);
  g_assert_true (found (self, 101)->zombie);
}

static void
test_vanished (Fixture *self, gconstpointer data)
{
  FakeProcess *child = fake_process_new (101, 100, "child");
  const RoastWireProcessEnd *end;

  child->stat.user_ticks = 4;
  tick_without_samples (self);
  found (self, 100)->family_changed = false;
  child->gone = TRUE;
  fake_clocks_advance (SECOND);
  tick_without_samples (self);
  g_assert_cmpuint (fake_library_count (&self->library, ROAST_WIRE_ENDED), ==, 1);
  end = fake_library_frame (&self->library, ROAST_WIRE_ENDED, 0, NULL);
  g_assert_cmpuint (end->id, ==, 2);
  g_assert_cmpint (end->ended, ==, fake_clocks.real);
  g_assert_cmpint (end->origin, ==, ROAST_PROCESS_ORIGIN_SAMPLED);
  g_assert_cmpuint (self->tree.n, ==, 1);
  g_assert_cmpint (found (self, 100)->booked.user, ==, 4 * TICK);
  g_assert_true (found (self, 100)->family_changed);
  g_assert_false (self->sampler.unreaped_seen);
}

static void
test_unreaped (Fixture *self, gconstpointer data)
{
  FakeProcess *child = fake_process_new (101, 100, "child");
  const RoastWireProcessEnd *end;

  tick_without_samples (self);
  self->main->status.ignores_sigchld = true;
  child->gone = TRUE;
  tick_without_samples (self);
  end = fake_library_frame (&self->library, ROAST_WIRE_ENDED, 0, NULL);
  g_assert_cmpint (end->origin, ==, ROAST_PROCESS_ORIGIN_UNREAPED);
  g_assert_true (self->sampler.unreaped_seen);
}

/* The parent waited for others before, and not for this one. */
static void
test_unreaped_after_others (Fixture *self, gconstpointer data)
{
  FakeProcess *child = fake_process_new (101, 100, "child");

  child->stat.minor_faults = 500;
  self->main->stat.children_minor_faults = 1000;
  tick_without_samples (self);
  g_assert_cmpint (found (self, 101)->faults_before, ==, 1000);
  self->main->stat.children_minor_faults = 1499;
  child->gone = TRUE;
  tick_without_samples (self);
  g_assert_true (self->sampler.unreaped_seen);
}

/* The parent is read after the child is gone; of one that is gone too, what it did as a zombie is the last. */
static void
test_waited_for (Fixture *self, gconstpointer data)
{
  FakeProcess *child = fake_process_new (101, 100, "child");
  FakeProcess *other = fake_process_new (102, 100, "other");
  Process *parent;

  child->stat.user_ticks = 4;
  child->stat.minor_faults = other->stat.minor_faults = 500;
  tick_without_samples (self);
  parent = found (self, 100);
  self->main->status.ignores_sigchld = true;
  self->main->stat.children_minor_faults = 600;
  child->gone = TRUE;
  tick_without_samples (self);
  g_assert_cmpint (parent->booked.user, ==, 4 * TICK);
  g_assert_false (self->sampler.unreaped_seen);

  sampler_read_last (&self->sampler, parent);
  self->main->gone = other->gone = TRUE;
  sampler_sweep_children (&self->sampler, parent);
  g_assert_true (parent->children_final);
  g_assert_cmpint (parent->booked.minor_faults, ==, 500);
  g_assert_true (self->sampler.unreaped_seen);
}

/* The children of a process are booked with it before it is accounted for itself. */
static void
test_sweep (Fixture *self, gconstpointer data)
{
  FakeProcess *child = fake_process_new (101, 100, "child");
  FakeProcess *grandchild = fake_process_new (102, 101, "grandchild");
  FakeProcess *other = fake_process_new (103, 100, "other");

  child->stat.user_ticks = 1;
  grandchild->stat.user_ticks = 10;
  sampler_tick (&self->sampler);
  child->gone = grandchild->gone = TRUE;
  sampler_sweep_children (&self->sampler, found (self, 100));
  g_assert_cmpuint (self->tree.n, ==, 2);
  g_assert_nonnull (tree_find (&self->tree, 103));
  g_assert_cmpint (found (self, 100)->booked.user, ==, 11 * TICK);
  /* Of one that never had children nothing is looked for. */
  found (self, 100)->had_children = false;
  other->gone = TRUE;
  sampler_sweep_children (&self->sampler, found (self, 100));
  g_assert_cmpuint (self->tree.n, ==, 2);
}

static void
test_read_last (Fixture *self, gconstpointer data)
{
  Process *p = sampler_add (&self->sampler, 100);

  self->main->stat.user_ticks = 6;
  self->main->io.read_bytes = 5;
  self->main->status.peak_rss = 123456;
  sampler_read_last (&self->sampler, p);
  g_assert_cmpint (p->stat.user_ticks, ==, 6);
  g_assert_true (p->io_known);
  g_assert_cmpint (p->io.read_bytes, ==, 5);
  g_assert_cmpint (p->peak_rss, ==, 123456);
  g_assert_true (p->zombie);
}

/* What may not be read is counted once per process, and its I/O is unknown instead of 0. */
static void
test_denied (Fixture *self, gconstpointer data)
{
  FakeProcess *child = fake_process_new (101, 100, "child");
  RoastWireSample samples[2];

  self->main->io_result = READ_DENIED;
  child->io_result = READ_FAILED;
  take_tick (self, samples, 2);
  g_assert_cmpint (samples[0].usage.read_bytes, ==, -1);
  g_assert_cmpint (samples[1].usage.read_bytes, ==, -1);
  self->main->stat.user_ticks = child->stat.user_ticks = 1;
  take_tick (self, samples, 2);
  g_assert_cmpuint (self->sampler.unreadable, ==, 1);
  g_assert_cmpuint (self->main->io_reads, ==, 1);
  g_assert_cmpuint (child->io_reads, ==, 2);
}

/* Samples that the library does not take are counted; rows are kept. */
static void
test_dropped (Fixture *self, gconstpointer data)
{
  static char block[1 << 20];
  FrameWriter *out = &self->library.out;
  guint before;

  fake_process_new (101, 100, "child");
  for (guint i = 0; i < 7; i++)
    frame_writer_frame (out, ROAST_WIRE_NOTE, block, sizeof block, NULL, 0);
  g_assert_true (frame_writer_has_room (out));
  sampler_tick (&self->sampler);
  g_assert_cmpuint (out->dropped, ==, 0);
  frame_writer_frame (out, ROAST_WIRE_NOTE, block, sizeof block, NULL, 0);
  g_assert_false (frame_writer_has_room (out));
  self->main->stat.user_ticks++;
  sampler_tick (&self->sampler);
  g_assert_cmpuint (out->dropped, ==, 1);
  before = fake_library_count (&self->library, ROAST_WIRE_TICK);
  g_assert_cmpuint (before, ==, 2);
  g_assert_cmpuint (((const RoastWireTick *) fake_library_frame (&self->library, ROAST_WIRE_TICK, 0, NULL))->samples,
                    ==, 2);
  g_assert_cmpuint (((const RoastWireTick *) fake_library_frame (&self->library, ROAST_WIRE_TICK, 1, NULL))->samples,
                    ==, 0);
}

/* The array of samples grows with the tree. */
#define NO_PID (1 << 22) /* no process has such a PID: the sampler skips its own */

static void
test_many (Fixture *self, gconstpointer data)
{
  g_autofree RoastWireSample *samples = g_new0 (RoastWireSample, 601);
  RoastWireTick tick;

  for (gint32 i = 0; i < 600; i++)
    fake_process_new (NO_PID + i, 100, "many");
  tick = take_tick (self, samples, 601);
  g_assert_cmpuint (tick.samples, ==, 601);
  for (guint i = 0; i < 601; i++)
    g_assert_cmpuint (samples[i].id, ==, i + 1);
}

/* ---- proportional memory ---- */

#define MIB (1 << 20)

static void
pss_set_up (Fixture *self, gconstpointer data)
{
  set_up (self, data);
  self->options.pss = PSS_AUTO;
  self->main->pss = 3 * MIB;
}

/* A tick a second later; whether the memory of the main process was read in it. */
static gboolean
is_read_after (Fixture *self, gint64 us)
{
  guint before = self->main->pss_reads;

  fake_clocks_advance (us);
  sampler_tick (&self->sampler);
  g_assert_cmpuint (self->main->pss_reads - before, <=, 1);

  return self->main->pss_reads > before;
}

static void
test_pss (Fixture *self, gconstpointer data)
{
  RoastWireSample sample;
  RoastWireTick tick = take_tick (self, &sample, 1);

  g_assert_cmpint (sample.pss, ==, 3 * MIB);
  g_assert_cmpint (sample.pss_age, ==, 0);
  g_assert_cmpint (tick.pss, ==, 3 * MIB);
  g_assert_cmpint (tick.pss_known, ==, 3 * MIB);

  /* In between it is scaled by the resident set, and its age is sent. */
  fake_clocks_advance (SECOND);
  self->main->stat.rss_pages = 1010;
  tick = take_tick (self, &sample, 1);
  g_assert_cmpint (sample.pss, ==, (gint64) (3 * MIB * 1010.0 / 1000));
  g_assert_cmpint (sample.pss_age, ==, SECOND);
  g_assert_cmpint (tick.pss, ==, sample.pss);
  g_assert_cmpint (tick.pss_known, ==, 0);
  fake_clocks_advance (SECOND);
  tick = take_tick (self, &sample, 1);
  g_assert_cmpuint (tick.samples, ==, 0);
}

/* It is read again if the resident set changed by more than 2 % or 5 MiB, or after a minute. */
static void
test_pss_change (Fixture *self, gconstpointer data)
{
  static const struct
  {
    gint64 pages_before, pages;
    gboolean read;
  } cases[] = {
    { 1000, 1020, FALSE },     { 1000, 1021, TRUE },     { 1000, 980, FALSE },     { 1000, 979, TRUE },
    { 100000, 101280, FALSE }, { 100000, 101281, TRUE }, { 100000, 98720, FALSE }, { 100000, 98719, TRUE },
  };

  if (self->page != 4096)
    {
      g_test_skip ("pages are not of 4 kB");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      self->main->stat.rss_pages = cases[i].pages_before;
      is_read_after (self, 60 * SECOND + 1);
      self->main->stat.rss_pages = cases[i].pages;
      g_assert_cmpint (is_read_after (self, SECOND), ==, cases[i].read);
      g_assert_false (is_read_after (self, SECOND));
    }
}

static void
test_pss_age (Fixture *self, gconstpointer data)
{
  g_assert_true (is_read_after (self, SECOND));
  g_assert_false (is_read_after (self, 60 * SECOND));
  g_assert_true (is_read_after (self, 1));
  g_assert_false (is_read_after (self, 30 * SECOND));
  g_assert_false (is_read_after (self, 30 * SECOND));
  g_assert_true (is_read_after (self, 30 * SECOND));
}

static void
test_pss_exact (Fixture *self, gconstpointer data)
{
  self->options.pss = PSS_EXACT;
  fake_clocks.pss_cost = SECOND;
  for (guint i = 0; i < 5; i++)
    g_assert_true (is_read_after (self, SECOND));
}

/* A process shares its pages with its children: both are read when one comes or goes. */
static void
test_pss_family (Fixture *self, gconstpointer data)
{
  FakeProcess *child;

  g_assert_true (is_read_after (self, SECOND));
  g_assert_false (is_read_after (self, SECOND));
  child = fake_process_new (101, 100, "child");
  set_loadavg_pid (self, 501);
  g_assert_true (is_read_after (self, SECOND));
  g_assert_cmpuint (child->pss_reads, ==, 1);
  g_assert_false (is_read_after (self, SECOND));
  g_assert_cmpuint (child->pss_reads, ==, 1);
  child->gone = TRUE;
  g_assert_true (is_read_after (self, SECOND));
  g_assert_false (is_read_after (self, SECOND));
}

/* Two that are no family are both read. */
static void
test_pss_strangers (Fixture *self, gconstpointer data)
{
  FakeProcess *other = fake_process_new (200, getpid (), "orphan");

  other->pss = MIB;
  g_assert_cmpint (tick_without_samples (self).pss, ==, 4 * MIB);
  g_assert_cmpuint (other->pss_reads, ==, 1);
}

/* A family is read when all of it can be paid for. */
static void
test_pss_large_family (Fixture *self, gconstpointer data)
{
  FakeProcess *child;

  g_assert_true (is_read_after (self, SECOND));
  child = fake_process_new (101, 100, "child");
  child->stat.rss_pages = 1000 * MIB / self->page;
  set_loadavg_pid (self, 501);
  /* 20 µs for both, 4 µs for each MiB of both, of which the first has 3 */
  self->sampler.pss_budget = 20 + 4 * 1003 - 1 - SECOND / 100;
  g_assert_false (is_read_after (self, SECOND));
  g_assert_cmpuint (child->pss_reads, ==, 0);
  g_assert_true (is_read_after (self, 100));
  g_assert_cmpuint (child->pss_reads, ==, 1);
}

/* While a reading cannot be paid for, a child that was there when its parent was read counts as much as its parent: the
 * pages that both have were divided by two. One that came later does not, nor more than the child has. */
static void
test_pss_unread (Fixture *self, gconstpointer data)
{
  gint64 boot = fake_clocks.boot;
  FakeProcess *before;
  FakeProcess *after;
  RoastWireTick tick;

  fake_clocks.pss_cost = 100 * SECOND;
  g_assert_true (is_read_after (self, SECOND));
  before = fake_process_new (101, 100, "child");
  before->stat.start_ticks = (guint64) boot / 10000;
  fake_clocks_advance (SECOND);
  set_loadavg_pid (self, 501);
  tick = tick_without_samples (self);
  g_assert_cmpuint (before->pss_reads, ==, 0);
  g_assert_cmpint (tick.pss, ==, 6 * MIB);
  g_assert_cmpint (tick.pss_known, ==, 0);

  after = fake_process_new (102, 100, "child");
  after->stat.start_ticks = (guint64) fake_clocks.boot / 10000 + 1;
  before->stat.rss_pages = 2;
  set_loadavg_pid (self, 502);
  tick = tick_without_samples (self);
  g_assert_cmpint (tick.processes, ==, 3);
  g_assert_cmpint (tick.pss, ==, 3 * MIB + 2 * self->page);
}

static void
test_pss_denied (Fixture *self, gconstpointer data)
{
  RoastWireSample sample;
  RoastWireTick tick;

  self->main->pss_result = READ_DENIED;
  tick = take_tick (self, &sample, 1);
  g_assert_cmpint (sample.pss, ==, -1);
  g_assert_cmpint (sample.pss_age, ==, -1);
  g_assert_cmpint (tick.pss, ==, -1);
  g_assert_cmpint (tick.pss_known, ==, -1);
  g_assert_cmpuint (self->sampler.unreadable, ==, 1);
  g_assert_false (is_read_after (self, 61 * SECOND));
  g_assert_cmpuint (self->sampler.unreadable, ==, 1);
}

/* Without a resident set there is nothing to scale: what such a process has is unknown. */
static void
test_pss_swapped (Fixture *self, gconstpointer data)
{
  RoastWireSample sample;
  RoastWireTick tick;

  fake_clocks.pss_cost = 100 * SECOND;
  take_tick (self, &sample, 1);
  g_assert_cmpint (sample.pss, ==, 3 * MIB);
  fake_clocks_advance (SECOND);
  self->main->stat.rss_pages = 0;
  tick = take_tick (self, &sample, 1);
  g_assert_cmpint (sample.rss, ==, -1);
  g_assert_cmpint (sample.pss, ==, -1);
  g_assert_cmpint (tick.rss, ==, -1);
  g_assert_cmpint (tick.pss, ==, -1);
}

/* A child that may not be read, and one that has ended, add nothing to what was read of their parent. */
static void
test_pss_unread_child (Fixture *self, gconstpointer data)
{
  gint64 boot = fake_clocks.boot;
  FakeProcess *denied;
  FakeProcess *ended;

  g_assert_true (is_read_after (self, SECOND));
  denied = fake_process_new (101, 100, "child");
  denied->stat.start_ticks = (guint64) boot / 10000;
  denied->pss_result = READ_DENIED;
  ended = fake_process_new (102, 100, "child");
  ended->stat.start_ticks = (guint64) boot / 10000;
  ended->stat.state = 'Z';
  set_loadavg_pid (self, 502);
  fake_clocks_advance (SECOND);
  g_assert_cmpint (tick_without_samples (self).pss, ==, 3 * MIB);
  fake_clocks_advance (SECOND);
  g_assert_cmpint (tick_without_samples (self).pss, ==, 3 * MIB);
}

/* A child of vfork() has no memory of its own until its exec. */
static void
test_pss_vfork (Fixture *self, gconstpointer data)
{
  gint64 boot = fake_clocks.boot;
  FakeProcess *child = fake_process_new (101, 100, "child");

  child->stat.start_ticks = (guint64) boot / 10000;
  child->pss = 3 * MIB;
  child->is_in_vfork = TRUE;
  g_assert_cmpint (tick_without_samples (self).pss, ==, 3 * MIB);
  fake_clocks_advance (SECOND);
  g_assert_cmpint (tick_without_samples (self).pss, ==, 3 * MIB);
  child->is_in_vfork = FALSE;
  child->pss = MIB;
  fake_clocks_advance (SECOND);
  g_assert_cmpint (tick_without_samples (self).pss, ==, 4 * MIB);
}

/* If a child begins to use memory of its parent, both are read. */
static void
test_pss_shared (Fixture *self, gconstpointer data)
{
  FakeProcess *child = fake_process_new (101, 100, "child");

  self->main->stat.rss_pages = 100 * MIB / self->page;
  self->main->pss = 100 * MIB;
  child->stat.rss_pages = MIB / self->page;
  child->pss = MIB;
  g_assert_cmpint (tick_without_samples (self).pss, ==, 101 * MIB);
  fake_clocks_advance (SECOND);
  child->stat.rss_pages = 101 * MIB / self->page;
  child->pss = 51 * MIB;
  self->main->pss = 50 * MIB;
  g_assert_cmpint (tick_without_samples (self).pss, ==, 101 * MIB);
  /* Its own memory does not concern the parent. */
  fake_clocks_advance (SECOND);
  child->stat.rss_pages = 201 * MIB / self->page;
  child->pss = 151 * MIB;
  g_assert_false (is_read_after (self, SECOND));
}

/* In exec() nothing is mapped: that is not a measurement. */
static void
test_pss_in_exec (Fixture *self, gconstpointer data)
{
  self->main->pss = 0;
  g_assert_cmpint (only_sample (self).pss, ==, -1);
  self->main->pss_result = READ_FAILED;
  g_assert_true (is_read_after (self, SECOND));
  self->main->pss_result = READ_OK;
  self->main->pss = 7;
  g_assert_cmpint (only_sample (self).pss, ==, 7);
}

/* 1 % of a core is spent, by measurement, and at most 100 ms is saved up. */
static void
test_pss_budget (Fixture *self, gconstpointer data)
{
  gint64 expected = 10 + 4 * 3; /* of 3.9 MiB */

  fake_clocks.pss_cost = 150000;
  g_assert_cmpint (self->sampler.pss_budget, ==, 100000);
  g_assert_true (is_read_after (self, SECOND));
  g_assert_cmpint (self->sampler.pss_budget, ==, -50000);
  self->main->stat.rss_pages = 900;
  g_assert_false (is_read_after (self, 5 * SECOND));
  g_assert_cmpint (self->sampler.pss_budget, ==, 0);
  self->main->stat.rss_pages = 1000;
  g_assert_false (is_read_after (self, (expected - 1) * 100));
  self->main->stat.rss_pages = 850;
  fake_clocks.pss_cost = 5;
  g_assert_cmpint (self->sampler.pss_budget, ==, expected - 1);
  g_assert_true (is_read_after (self, 200)); /* 3.3 MiB cost as much */
  g_assert_cmpint (self->sampler.pss_budget, ==, expected + 1 - 5);
  is_read_after (self, 3600 * SECOND);
  g_assert_cmpint (self->sampler.pss_budget, ==, 100000 - 5);
}

/* A process that costs more than can be saved up is read when all of that is saved. */
static void
test_pss_huge (Fixture *self, gconstpointer data)
{
  self->main->stat.rss_pages = 30000ll * MIB / self->page;
  fake_clocks.pss_cost = 60000;
  g_assert_true (is_read_after (self, SECOND));
  self->main->stat.rss_pages /= 2;
  self->main->stat.rss_pages += 1000;
  g_assert_cmpint (self->sampler.pss_budget, ==, 40000);
  g_assert_true (is_read_after (self, 2 * SECOND + SECOND / 2)); /* now it costs 60 ms, and 65 ms are saved */
  self->main->stat.rss_pages *= 2;
  g_assert_false (is_read_after (self, 9 * SECOND));
  g_assert_true (is_read_after (self, SECOND));
}

#define ADD(name, function) g_test_add ("/sampler/" name, Fixture, NULL, set_up, function, tear_down)
#define ADD_PSS(name, function) g_test_add ("/sampler/" name, Fixture, NULL, pss_set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("affinity", test_affinity);
  ADD ("process", test_process);
  ADD ("left-groups", test_left_groups);
  ADD ("sample", test_sample);
  ADD ("time", test_time);
  ADD ("unchanged", test_unchanged);
  ADD ("reads", test_reads);
  ADD ("ended-threads", test_ended_threads);
  ADD ("unseen-threads", test_unseen_threads);
  ADD ("stopped", test_stopped);
  ADD ("peak", test_peak);
  ADD ("peak-unknown", test_peak_unknown);
  ADD ("exec", test_exec);
  ADD ("exec-memory", test_exec_memory);
  ADD ("discover", test_discover);
  ADD ("discover-reads", test_discover_reads);
  ADD ("attached", test_attached);
  ADD ("add", test_add);
  ADD ("zombie", test_zombie);
  ADD ("vanished", test_vanished);
  ADD ("unreaped", test_unreaped);
  ADD ("unreaped-after-others", test_unreaped_after_others);
  ADD ("waited-for", test_waited_for);
  ADD ("sweep", test_sweep);
  ADD ("read-last", test_read_last);
  ADD ("denied", test_denied);
  ADD ("dropped", test_dropped);
  ADD ("many", test_many);
  ADD_PSS ("pss", test_pss);
  ADD_PSS ("pss-change", test_pss_change);
  ADD_PSS ("pss-age", test_pss_age);
  ADD_PSS ("pss-exact", test_pss_exact);
  ADD_PSS ("pss-family", test_pss_family);
  ADD_PSS ("pss-strangers", test_pss_strangers);
  ADD_PSS ("pss-large-family", test_pss_large_family);
  ADD_PSS ("pss-unread", test_pss_unread);
  ADD_PSS ("pss-denied", test_pss_denied);
  ADD_PSS ("pss-swapped", test_pss_swapped);
  ADD_PSS ("pss-unread-child", test_pss_unread_child);
  ADD_PSS ("pss-in-exec", test_pss_in_exec);
  ADD_PSS ("pss-vfork", test_pss_vfork);
  ADD_PSS ("pss-shared", test_pss_shared);
  ADD_PSS ("pss-budget", test_pss_budget);
  ADD_PSS ("pss-huge", test_pss_huge);

  return g_test_run ();
}
