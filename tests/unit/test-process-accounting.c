/* SPDX-License-Identifier: BSD-3-Clause */
#include <gio/gio.h>
#include <signal.h>

#include "core/process/roast-process-accounting-private.h"
#include "roast/roast.h"

#define NOTHING { -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 }

typedef struct
{
  RoastRecording *recording;
  RoastProcessAccounting *accounting;
  RoastProcessObserver *observer;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  RoastTreeInfo info = {
    .started = 1000,
    .interval = 1000000,
    .accounting = ROAST_ACCOUNTING_WAIT | ROAST_ACCOUNTING_RECONCILE | ROAST_ACCOUNTING_IO,
    .cores = 2,
    .cgroup_cores = -1,
    .cgroup_memory_limit = -1,
    .host_memory = 1 << 30,
  };

  fixture->recording = roast_recording_new (NULL);
  fixture->accounting = roast_process_accounting_new (fixture->recording, FALSE);
  fixture->observer = ROAST_PROCESS_OBSERVER (fixture->accounting);
  roast_process_accounting_set_pid (fixture->accounting, 17);
  g_assert_null (roast_process_accounting_get_source (fixture->accounting));
  roast_process_observer_tree_started (fixture->observer, &info);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_object_unref (fixture->accounting);
  g_object_unref (fixture->recording);
}

static RoastTableSnapshot *
snapshot (Fixture *fixture, const char *table)
{
  return roast_table_snapshot (roast_recording_get_table (fixture->recording, table));
}

/* A cell as text; "-" if it is missing. */
static char *
dup_cell (RoastTableSnapshot *table, guint64 row, const char *column)
{
  int index = roast_table_snapshot_find_column (table, column);
  g_autoptr (GVariant) value = NULL;

  g_assert_cmpint (index, >=, 0);
  value = roast_table_snapshot_dup_value (table, row, index);

  return value != NULL ? g_variant_print (value, FALSE) : g_strdup ("-");
}

static void
assert_cell (RoastTableSnapshot *table, guint64 row, const char *column, const char *expected)
{
  g_autofree char *cell = dup_cell (table, row, column);

  g_assert_cmpstr (cell, ==, expected);
}

static void
add_process (Fixture *fixture, guint64 id, const char *command, const char *command_line)
{
  RoastProcess process = { .id = id, .parent_id = id - 1, .started = 2000, .pid = 100 + (int) id };

  g_strlcpy (process.command, command, sizeof process.command);
  roast_process_observer_process_started (fixture->observer, &process, command_line);
}

static void
test_source (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastTableSnapshot) sources = snapshot (fixture, "sources");
  g_autoptr (GVariant) metadata = roast_recording_dup_metadata (fixture->recording);
  const char *text;
  gboolean attached;
  double cores;

  g_assert_cmpstr (roast_process_accounting_get_source (fixture->accounting), ==, "processes-1");
  assert_cell (sources, 0, "source", "'processes-1'");
  assert_cell (sources, 0, "address", "'pid 17'");
  g_assert_true (g_variant_lookup (metadata, "tree-attached", "b", &attached));
  g_assert_false (attached);
  g_assert_true (g_variant_lookup (metadata, "tree-cores", "d", &cores));
  g_assert_cmpfloat (cores, ==, 2);
  g_assert_false (g_variant_lookup (metadata, "tree-cgroup-cores", "d", &cores));
  g_assert_true (g_variant_lookup (metadata, "tree-accounting-text", "&s", &text));
  g_assert_nonnull (strstr (text, "waited for"));
  g_assert_nonnull (strstr (text, "cannot see"));
}

/* A fork, an exec, and the end: the name is the last, the numbers the final ones. */
static void
test_process (Fixture *fixture, gconstpointer data)
{
  RoastProcessEnd end = {
    .id = 2,
    .parent_id = 1,
    .ended = 5000,
    .wait_status = 3 << 8,
    .status_known = 1,
    .origin = ROAST_PROCESS_ORIGIN_EXACT,
    .count = 1,
    .peak_rss = 4096,
    .peak_rss_floor = 1,
    .command = "sleep",
    .usage = { 1500000, 250000, -1, 10, 20, 0, -1, 7, 0, 3, 4 },
  };
  g_autoptr (RoastTableSnapshot) live = NULL;
  g_autoptr (RoastTableSnapshot) table = NULL;

  add_process (fixture, 2, "sh", "sh -c 'sleep 1'");
  live = snapshot (fixture, "processes");
  assert_cell (live, 0, "pid", "102");
  assert_cell (live, 0, "parent", "1");
  assert_cell (live, 0, "started", "2000");
  assert_cell (live, 0, "command", "-");
  assert_cell (live, 0, "origin", "-");

  add_process (fixture, 2, "sleep", "sleep 1");
  roast_process_observer_process_ended (fixture->observer, &end);
  table = snapshot (fixture, "processes");
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (table), ==, 1);
  assert_cell (table, 0, "command", "'sleep'");
  assert_cell (table, 0, "command_line", "'sleep 1'");
  assert_cell (table, 0, "ended", "5000");
  assert_cell (table, 0, "exit_code", "3");
  assert_cell (table, 0, "signal", "-");
  assert_cell (table, 0, "origin", "'exact'");
  assert_cell (table, 0, "count", "1");
  assert_cell (table, 0, "cpu_user", "1.5");
  assert_cell (table, 0, "cpu_system", "0.25");
  assert_cell (table, 0, "run_queue", "-");
  assert_cell (table, 0, "disk_read", "0");
  assert_cell (table, 0, "disk_write", "-");
  assert_cell (table, 0, "memory_peak", "4096");
  assert_cell (table, 0, "memory_peak_floor", "true");
  assert_cell (table, 0, "involuntary_switches", "4");
}

static void
test_killed (Fixture *fixture, gconstpointer data)
{
  RoastProcessEnd end = {
    .id = 1,
    .ended = 5000,
    .wait_status = SIGKILL,
    .status_known = 1,
    .origin = ROAST_PROCESS_ORIGIN_SAMPLED,
    .count = 1,
    .peak_rss = -1,
    .command = "\xff)",
    .usage = NOTHING,
  };
  g_autoptr (RoastTableSnapshot) table = NULL;

  add_process (fixture, 1, "x", NULL);
  roast_process_observer_process_ended (fixture->observer, &end);
  table = snapshot (fixture, "processes");
  assert_cell (table, 0, "parent", "-");
  assert_cell (table, 0, "exit_code", "-");
  assert_cell (table, 0, "signal", "9");
  assert_cell (table, 0, "memory_peak", "-");
  assert_cell (table, 0, "memory_peak_floor", "-");
  assert_cell (table, 0, "cpu_user", "-");
  assert_cell (table, 0, "command", "'\357\277\275)'");
  assert_cell (table, 0, "command_line", "-");
  assert_cell (table, 0, "origin", "'sampled'");
}

/* Rows that stand for several have numbers of their own. */
static void
test_folded (Fixture *fixture, gconstpointer data)
{
  RoastProcessEnd end = {
    .parent_id = 1,
    .ended = -1,
    .origin = ROAST_PROCESS_ORIGIN_FOLDED,
    .count = 1000,
    .peak_rss = -1,
    .command = "cc1",
    .usage = NOTHING,
  };
  g_autoptr (RoastTableSnapshot) table = NULL;

  roast_process_observer_process_ended (fixture->observer, &end);
  end.count = 0;
  end.origin = ROAST_PROCESS_ORIGIN_UNREAPED;
  end.command[0] = '\0';
  roast_process_observer_process_ended (fixture->observer, &end);

  table = snapshot (fixture, "processes");
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (table), ==, 2);
  assert_cell (table, 0, "process", "-1");
  assert_cell (table, 0, "parent", "1");
  assert_cell (table, 0, "count", "1000");
  assert_cell (table, 0, "ended", "-");
  assert_cell (table, 0, "exit_code", "-");
  assert_cell (table, 0, "command", "'cc1'");
  assert_cell (table, 1, "process", "-2");
  assert_cell (table, 1, "count", "-");
  assert_cell (table, 1, "command", "-");
  assert_cell (table, 1, "origin", "'unreaped'");
}

static void
test_notes (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastTableSnapshot) events = NULL;

  roast_process_observer_noted (fixture->observer, 3000, ROAST_SEVERITY_WARNING, "gap", "nobody looked");
  events = snapshot (fixture, "events");
  assert_cell (events, 0, "source", "'processes-1'");
  assert_cell (events, 0, "time", "3000");
  assert_cell (events, 0, "severity", "'warning'");
  assert_cell (events, 0, "kind", "'gap'");
  assert_cell (events, 0, "message", "'nobody looked'");
}

static void
test_tree_end (Fixture *fixture, gconstpointer data)
{
  RoastTreeEnd end = {
    .ended = 9000,
    .elapsed = 8000,
    .clock_jump = -5,
    .processes = 3,
    .leftover = 1,
    .ticks = 4,
    .wait_cpu = 100,
    .perf_cpu = -1,
    .cgroup_cpu = -1,
    .cgroup_memory_peak = -1,
    .own_user = 1,
    .own_system = 2,
    .own_peak_rss = 3,
    .oom_kills = -1,
  };
  g_autoptr (GVariant) metadata = NULL;
  g_autoptr (RoastTableSnapshot) table = NULL;
  gboolean exact;
  guint64 processes;
  gint64 value;
  int status;

  add_process (fixture, 1, "sleep", "sleep 100");
  roast_process_accounting_main_ended (fixture->accounting, 3 << 8);
  roast_process_observer_tree_ended (fixture->observer, &end);
  metadata = roast_recording_dup_metadata (fixture->recording);
  g_assert_true (g_variant_lookup (metadata, "tree-wait-status", "i", &status));
  g_assert_cmpint (status, ==, 3 << 8);
  g_assert_true (g_variant_lookup (metadata, "tree-elapsed", "x", &value));
  g_assert_cmpint (value, ==, 8000);
  g_assert_true (g_variant_lookup (metadata, "tree-clock-jump", "x", &value));
  g_assert_cmpint (value, ==, -5);
  g_assert_true (g_variant_lookup (metadata, "tree-processes", "t", &processes));
  g_assert_cmpuint (processes, ==, 3);
  g_assert_true (g_variant_lookup (metadata, "tree-processes-exact", "b", &exact));
  g_assert_false (exact);
  g_assert_false (g_variant_lookup (metadata, "tree-perf-cpu", "x", &value));
  g_assert_false (g_variant_lookup (metadata, "tree-oom-kills", "x", &value));

  /* One of which no end was told has its name all the same. */
  table = snapshot (fixture, "processes");
  assert_cell (table, 0, "command", "'sleep'");
}

static void
test_abandon (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastTableSnapshot) table = NULL;
  g_autoptr (RoastTableSnapshot) events = NULL;

  add_process (fixture, 1, "sleep", "sleep 100");
  roast_process_accounting_abandon (fixture->accounting, "it was killed");
  table = snapshot (fixture, "processes");
  assert_cell (table, 0, "command", "'sleep'");
  assert_cell (table, 0, "ended", "-");
  events = snapshot (fixture, "events");
  assert_cell (events, 0, "severity", "'error'");
  assert_cell (events, 0, "message", "'it was killed'");
}

#define ADD(name, function) g_test_add ("/process-accounting/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("source", test_source);
  ADD ("process", test_process);
  ADD ("killed", test_killed);
  ADD ("folded", test_folded);
  ADD ("notes", test_notes);
  ADD ("tree-end", test_tree_end);
  ADD ("abandon", test_abandon);

  return g_test_run ();
}
