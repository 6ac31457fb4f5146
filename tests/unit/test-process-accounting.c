/* SPDX-License-Identifier: BSD-3-Clause */

/* The rows that a launcher writes from what a supervisor reports. */

#include <signal.h>

#include "frames.h"
#include "rows.h"

typedef struct
{
  RoastRecording *recording;
  GByteArray *frames;
} Fixture;

static const RoastWireTreeEnd nothing_more = { .ended = 9000 };

static void
set_up (Fixture *fixture, gconstpointer data)
{
  RoastWireInfo info = {
    .started = 1000,
    .interval = 1000000,
    .accounting = ROAST_ACCOUNTING_WAIT | ROAST_ACCOUNTING_RECONCILE | ROAST_ACCOUNTING_IO,
    .cores = 2,
    .cgroup_cores = -1,
    .cgroup_memory_limit = -1,
    .host_memory = 1 << 30,
  };

  fixture->recording = roast_recording_new (NULL);
  fixture->frames = frames_new (&info);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_byte_array_unref (fixture->frames);
  g_assert_finalize_object (fixture->recording);
}

static void
add_end (Fixture *fixture, const RoastWireProcessEnd *end)
{
  frames_add (fixture->frames, ROAST_WIRE_ENDED, end, sizeof *end);
}

static void
play (Fixture *fixture)
{
  frames_play (fixture->frames, fixture->recording, NULL);
}

/* The stream ends as it should. */
static void
play_all (Fixture *fixture)
{
  frames_add (fixture->frames, ROAST_WIRE_FINISHED, &nothing_more, sizeof nothing_more);
  play (fixture);
}

static void
test_source (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GVariant) metadata = NULL;
  RoastWireNote note = { .time = 1000, .kind = "accounting" };
  const char *text;
  gboolean attached;
  double cores;

  frames_add_with (fixture->frames, ROAST_WIRE_NOTE, &note, sizeof note, "exact", strlen ("exact"));
  play_all (fixture);
  metadata = roast_recording_dup_metadata (fixture->recording);
  assert_cell (fixture->recording, "sources", 0, "source", "processes-1");
  assert_cell (fixture->recording, "sources", 0, "address", "pid 1001");
  assert_cell (fixture->recording, "sources", 0, "capabilities", "exact");
  g_assert_true (g_variant_lookup (metadata, "tree-attached", "b", &attached));
  g_assert_false (attached);
  g_assert_true (g_variant_lookup (metadata, "tree-cores", "d", &cores));
  g_assert_cmpfloat (cores, ==, 2);
  g_assert_false (g_variant_lookup (metadata, "tree-cgroup-cores", "d", &cores));
  g_assert_true (g_variant_lookup (metadata, "tree-accounting-text", "&s", &text));
  g_assert_cmpstr (text, ==, "exact");
}

/* While it runs, only what cannot change is written. */
static void
test_live (Fixture *fixture, gconstpointer data)
{
  frames_add_process (fixture->frames, 2, 2000, "sh", "sh -c exit");
  frames_play (fixture->frames, fixture->recording, NULL);
  assert_cell (fixture->recording, "processes", 0, "pid", "1002");
  assert_cell (fixture->recording, "processes", 0, "parent", "1");
  assert_cell (fixture->recording, "processes", 0, "started", "2000");
  assert_cell (fixture->recording, "processes", 0, "origin", NULL);
}

/* A fork, an exec and the end: the name is the last one, and the numbers are the final ones. */
static void
test_process (Fixture *fixture, gconstpointer data)
{
  RoastWireProcessEnd end = {
    .id = 2,
    .parent_id = 1,
    .ended = 5000,
    .wait_status = 3 << 8,
    .status_known = 1,
    .origin = ROAST_PROCESS_ORIGIN_EXACT,
    .count = 1,
    .peak_rss = 4096,
    .waited_peak_rss = 8192,
    .peak_rss_bound = ROAST_WIRE_PEAK_AT_LEAST,
    .command = "sleep",
    .usage = { 1500000, 250000, -1, 10, 20, 0, -1, 7, 0, 3, 4, -1 },
  };

  frames_add_process (fixture->frames, 2, 2000, "sh", "sh -c exit");
  frames_add_process (fixture->frames, 2, 2000, "sleep", "sleep 1");
  add_end (fixture, &end);
  play_all (fixture);
  assert_row (fixture->recording, "processes", 0,
              "process=2 pid=1002 pid_namespace=52 namespace_pid=1 parent=1 command=sleep command_line=sleep 1 count=1 "
              "origin=exact started=2000 "
              "ended=5000 exit_code=3 cpu_user=1.5 cpu_system=0.25 memory_peak=4096 memory_peak_bound=at_least "
              "memory_peak_waited=8192 "
              "read_chars=10 write_chars=20 disk_read=0 minor_faults=7 major_faults=0 voluntary_switches=3 "
              "involuntary_switches=4");
  g_assert_cmpuint (rows_count (fixture->recording, "processes"), ==, 1);
}

static void
test_killed (Fixture *fixture, gconstpointer data)
{
  RoastWireProcessEnd end = {
    .id = 1,
    .ended = 5000,
    .wait_status = SIGKILL,
    .status_known = 1,
    .origin = ROAST_PROCESS_ORIGIN_SAMPLED,
    .count = 1,
    .peak_rss = -1,
    .waited_peak_rss = -1,
    .command = "\xff)",
    .usage = FRAMES_NO_USAGE,
  };

  frames_add_process (fixture->frames, 1, 2000, "x", NULL);
  add_end (fixture, &end);
  play_all (fixture);
  assert_row (fixture->recording, "processes", 0,
              "process=1 pid=1001 pid_namespace=51 command=\357\277\275) command_line=program count=1 origin=sampled "
              "started=2000 "
              "ended=5000 signal=9");
}

/* Rows that stand for several processes have negative numbers. */
static void
test_folded (Fixture *fixture, gconstpointer data)
{
  RoastWireProcessEnd end = {
    .parent_id = 1,
    .ended = -1,
    .origin = ROAST_PROCESS_ORIGIN_FOLDED,
    .count = 1000,
    .peak_rss = -1,
    .waited_peak_rss = -1,
    .command = "cc1",
    .usage = FRAMES_NO_USAGE,
  };

  add_end (fixture, &end);
  end.count = 0;
  end.origin = ROAST_PROCESS_ORIGIN_UNREAPED;
  end.command[0] = '\0';
  add_end (fixture, &end);
  play_all (fixture);
  assert_row (fixture->recording, "processes", 0, "process=-1 parent=1 command=cc1 count=1000 origin=folded");
  assert_row (fixture->recording, "processes", 1, "process=-2 parent=1 origin=unreaped");
  g_assert_cmpuint (rows_count (fixture->recording, "processes"), ==, 2);
}

/* Beyond 20000 processes there is one row per parent and command. */
static void
test_many (Fixture *fixture, gconstpointer data)
{
  RoastWireProcessEnd end = {
    .parent_id = 1,
    .ended = 5000,
    .origin = ROAST_PROCESS_ORIGIN_EXACT,
    .count = 1,
    .command = "true",
    .usage = { 1000, 500, -1, 0, 0, 0, 0, 0, 0, 0, 0, 250 },
  };

  for (end.id = 1; end.id <= 20010; end.id++)
    {
      frames_add_process (fixture->frames, end.id, 2000, "true", "true");
      end.peak_rss = end.waited_peak_rss = (gint64) end.id;
      /* Of the sum nothing can be said by an upper bound of one. */
      end.peak_rss_bound = end.id == 20005 ? ROAST_WIRE_PEAK_AT_MOST : ROAST_WIRE_PEAK_EXACT;
      add_end (fixture, &end);
    }
  /* One that nobody waited for is not in their sum. */
  frames_add_process (fixture->frames, end.id, 2000, "true", "true");
  end.origin = ROAST_PROCESS_ORIGIN_UNREAPED;
  add_end (fixture, &end);
  play_all (fixture);
  g_assert_cmpuint (rows_count (fixture->recording, "processes"), ==, 20002);
  for (guint i = 20000; i < 20002; i++)
    {
      g_autofree char *shown = rows_show (fixture->recording, "processes", i);

      if (strstr (shown, "origin=unreaped") != NULL)
        g_assert_nonnull (strstr (shown, "count=1 origin=unreaped cpu_user=0.001 "));
      else
        g_assert_cmpstr (strstr (shown, "parent="), ==,
                         "parent=1 command=true count=10 origin=folded cpu_user=0.01 cpu_system=0.005 "
                         "cpu_unsplit=0.0025 memory_peak=20010 memory_peak_bound=at_least "
                         "memory_peak_waited=20010 read_chars=0 write_chars=0 disk_read=0 disk_write=0 "
                         "minor_faults=0 major_faults=0 voluntary_switches=0 involuntary_switches=0");
    }
}

static void
test_notes (Fixture *fixture, gconstpointer data)
{
  RoastWireNote note = { .time = 3000, .severity = ROAST_SEVERITY_WARNING, .kind = "gap" };

  frames_add_with (fixture->frames, ROAST_WIRE_NOTE, &note, sizeof note, "nobody looked", strlen ("nobody looked"));
  play_all (fixture);
  assert_cell (fixture->recording, "events", 0, "source", "processes-1");
  assert_row (fixture->recording, "events", 0, "time=3000 severity=warning kind=gap message=nobody looked");
}

static void
test_tree_end (Fixture *fixture, gconstpointer data)
{
  RoastWireMainEnded main_ended = { .wait_status = 3 << 8, .status_known = 1 };
  RoastWireTreeEnd end = {
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
    .unreaped_error = 77,
  };
  g_autoptr (GVariant) metadata = NULL;
  gboolean exact;
  gint64 value;
  int status;

  frames_add_process (fixture->frames, 1, 2000, "sleep", "sleep 100");
  frames_add (fixture->frames, ROAST_WIRE_MAIN_ENDED, &main_ended, sizeof main_ended);
  frames_add (fixture->frames, ROAST_WIRE_FINISHED, &end, sizeof end);
  play (fixture);
  metadata = roast_recording_dup_metadata (fixture->recording);
  g_assert_true (g_variant_lookup (metadata, "tree-wait-status", "i", &status));
  g_assert_cmpint (status, ==, 3 << 8);
  g_assert_true (g_variant_lookup (metadata, "tree-elapsed", "x", &value));
  g_assert_cmpint (value, ==, 8000);
  g_assert_true (g_variant_lookup (metadata, "tree-clock-jump", "x", &value));
  g_assert_cmpint (value, ==, -5);
  g_assert_true (g_variant_lookup (metadata, "tree-processes", "x", &value));
  g_assert_cmpint (value, ==, 3);
  g_assert_true (g_variant_lookup (metadata, "tree-own-peak-rss", "x", &value));
  g_assert_cmpint (value, ==, 3);
  g_assert_true (g_variant_lookup (metadata, "tree-processes-exact", "b", &exact));
  g_assert_false (exact);
  g_assert_true (g_variant_lookup (metadata, "tree-unreaped-error", "x", &value));
  g_assert_cmpint (value, ==, 77);
  g_assert_false (g_variant_lookup (metadata, "tree-perf-cpu", "x", &value));
  g_assert_false (g_variant_lookup (metadata, "tree-oom-kills", "x", &value));

  /* A process whose end was not reported has its name all the same. */
  assert_row (fixture->recording, "processes", 0,
              "process=1 pid=1001 pid_namespace=51 command=sleep command_line=sleep 100 started=2000");
}

/* The supervisor is lost. */
static void
test_abandon (Fixture *fixture, gconstpointer data)
{
  frames_add_process (fixture->frames, 1, 2000, "sleep", "sleep 100");
  play (fixture);
  assert_row (fixture->recording, "processes", 0,
              "process=1 pid=1001 pid_namespace=51 command=sleep command_line=sleep 100 started=2000");
  g_assert_true (rows_has_event (fixture->recording, "supervisor", "ended early"));
}

#define ADD(name, function) g_test_add ("/process-accounting/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  if (frames_are_played (argc, argv))
    return 0;

  g_test_init (&argc, &argv, NULL);
  ADD ("source", test_source);
  ADD ("live", test_live);
  ADD ("process", test_process);
  ADD ("killed", test_killed);
  ADD ("folded", test_folded);
  ADD ("many", test_many);
  ADD ("notes", test_notes);
  ADD ("tree-end", test_tree_end);
  ADD ("abandon", test_abandon);

  return g_test_run ();
}
