/* SPDX-License-Identifier: BSD-3-Clause */

/* What the process tree used, and the run as a whole: recordings made by hand, answers computed by hand. */

#include <roast/roast.h>

#include "rows.h"

static void
set_int64 (RoastRecording *recording, const char *key, gint64 value)
{
  roast_recording_set_metadata (recording, key, g_variant_new_int64 (value));
}

static void
process (RoastRecording *recording, int id, const char *origin, const char *cells)
{
  g_autofree char *row =
      g_strdup_printf ("{'source': <'p-1'>, 'process': <int64 %d>, 'origin': <'%s'>, %s}", id, origin, cells);

  rows_add (recording, "processes", row);
}

/* Numbers that the supervisor reports. */
static void
test_numbers (void)
{
  static const struct
  {
    const char *key;
    gint64 value;
  } reported[] = {
    { "tree-elapsed", 5000000 }, { "tree-stopped", 1500000 },    { "tree-suspended", 250000 },
    { "tree-ticks", 7 },         { "tree-missed", 2 },           { "tree-leftover", 3 },
    { "tree-oom-kills", 1 },     { "tree-own-peak-rss", 70000 }, { "tree-cgroup-memory-peak", 9000 },
    { "tree-own-user", 20000 },  { "tree-own-system", 5000 },    { "tree-host-memory", 1000000 },
  };
  static const char *const expected[][2] = {
    { "elapsed_time_seconds", "5.0" },
    { "stopped_time_seconds", "1.5" },
    { "suspended_time_seconds", "0.25" },
    { "samples_total", "7" },
    { "samples_missed_total", "2" },
    { "leftover_processes", "3" },
    { "oom_kills_total", "1" },
    { "own_memory_peak_bytes", "70000" },
    { "cgroup_memory_peak_bytes", "9000" },
    { "memory_limit_bytes", "1000000: the memory of the machine" },
    { "own_cpu_seconds",
      "0.025 partial: only the supervisor is counted: the application's CPU time includes that of roast's library" },
    { "own_cpu_ratio",
      "0.005 partial: only the supervisor is counted: the application's CPU time includes that of roast's library" },
    { "accounting", "wait4" },
  };
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) none = NULL;
  g_autoptr (RoastReport) report = NULL;

  set_int64 (recording, "tree-elapsed", 1);
  none = rows_aggregate (recording, "processes");
  rows_assert_unavailable (none, "cgroup_memory_peak_bytes", "no control group of its own");
  rows_assert_unavailable (none, "oom_kills_total", "does not report kills");
  rows_assert_unavailable (none, "accounting", "cannot be observed");
  rows_assert_unavailable (none, "own_cpu_seconds", "includes that of roast's library");
  rows_assert_unavailable (none, "run_queue_seconds", "cannot be observed");
  rows_assert_unavailable (none, "io_read_chars_bytes", "cannot be observed");
  rows_assert_unavailable (none, "minor_faults_total", "cannot be observed");

  for (guint i = 0; i < G_N_ELEMENTS (reported); i++)
    set_int64 (recording, reported[i].key, reported[i].value);
  roast_recording_set_metadata (recording, "tree-accounting-text", g_variant_new_string ("wait4"));
  report = rows_aggregate (recording, "processes");
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    assert_metric (report, expected[i][0], expected[i][1]);
}

/* Integers of any type are numbers; nothing else is. */
static void
test_types (void)
{
  static const struct
  {
    const char *value, *expected;
  } cases[] = {
    { "uint64 7", "7" },
    { "uint32 4000000000", "4000000000" },
    { "int32 -7", "-7" },
    { "int64 8000000000", "8000000000" },
    { "7.5",
      "n/a: the program's processes cannot be observed: the program runs elsewhere, or roast did not launch it" },
    { "'7'",
      "n/a: the program's processes cannot be observed: the program runs elsewhere, or roast did not launch it" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
      g_autoptr (RoastReport) report = NULL;

      roast_recording_set_metadata (recording, "tree-ticks", g_variant_new_parsed (cases[i].value));
      report = rows_aggregate (recording, "processes");
      assert_metric (report, "samples_total", cases[i].expected);
    }
}

/* The lower of two limits holds. */
static void
test_limits (void)
{
  static const struct
  {
    gint64 group, expected;
    const char *note;
  } cases[] = {
    { 999, 999, "control group" },
    { 1000, 1000, "machine" },
    { 1001, 1000, "machine" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
      g_autoptr (RoastReport) report = NULL;

      set_int64 (recording, "tree-host-memory", 1000);
      set_int64 (recording, "tree-cgroup-memory-limit", cases[i].group);
      roast_recording_set_metadata (recording, "tree-cores", g_variant_new_double (1000));
      roast_recording_set_metadata (recording, "tree-cgroup-cores", g_variant_new_double ((double) cases[i].group));
      report = rows_aggregate (recording, "processes");
      rows_assert_value (report, "memory_limit_bytes", (double) cases[i].expected);
      rows_assert_note (report, "memory_limit_bytes", ROAST_COMPLETENESS_COMPLETE, cases[i].note);
      rows_assert_value (report, "cores_available", (double) cases[i].expected);
      rows_assert_note (report, "cores_available", ROAST_COMPLETENESS_COMPLETE,
                        cases[i].group < 1000 ? "quota of the control group" : NULL);
      g_clear_object (&report);
      set_int64 (recording, "tree-oom-kills", 0);
      roast_recording_add_event (recording, NULL, -1, ROAST_SEVERITY_WARNING, "left-groups",
                                 "they moved to another control group");
      report = rows_aggregate (recording, "processes");
      rows_assert_unavailable (report, "memory_limit_bytes", "another control group");
      rows_assert_unavailable (report, "oom_kills_total", "another control group");
      rows_assert_note (report, "cores_available", ROAST_COMPLETENESS_ESTIMATED, "another control group");
    }
}

/* Times that an executor recorded are exact, or a lower bound if it recorded no end. */
static void
test_recorded (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) exact = NULL;
  g_autoptr (RoastReport) at_least = NULL;
  g_autoptr (RoastReport) none = NULL;
  g_autoptr (RoastReport) back = NULL;
  g_autoptr (RoastReport) refused = NULL;

  set_int64 (recording, "started", 5000000);
  none = rows_aggregate (recording, "processes");
  rows_assert_unavailable (none, "elapsed_time_seconds", "has not ended");
  set_int64 (recording, "ended", 4000000);
  back = rows_aggregate (recording, "processes");
  rows_assert_unavailable (back, "elapsed_time_seconds", "has not ended");
  set_int64 (recording, "ended", 5000000);
  roast_recording_set_metadata (recording, "ended-recorded", g_variant_new_boolean (TRUE));
  exact = rows_aggregate (recording, "processes");
  rows_assert_value (exact, "elapsed_time_seconds", 0);
  rows_assert_note (exact, "elapsed_time_seconds", ROAST_COMPLETENESS_COMPLETE, NULL);
  roast_recording_set_metadata (recording, "ended-at-least", g_variant_new_boolean (TRUE));
  set_int64 (recording, "ended", 7500000);
  at_least = rows_aggregate (recording, "processes");
  rows_assert_value (at_least, "elapsed_time_seconds", 2.5);
  rows_assert_note (at_least, "elapsed_time_seconds", ROAST_COMPLETENESS_PARTIAL, "to the last record");
  roast_recording_set_times (recording, -1, G_MAXINT64);
  refused = rows_aggregate (recording, "processes");
  rows_assert_unavailable (refused, "elapsed_time_seconds", "end of the run: a time cannot be more than a year");
}

/* How the program ended. */
static void
test_status (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) unseen = NULL;
  g_autoptr (RoastReport) killed = NULL;
  g_autoptr (RoastReport) exited = NULL;

  roast_recording_set_metadata (recording, "tree-attached", g_variant_new_boolean (FALSE));
  unseen = rows_aggregate (recording, "processes");
  rows_assert_unavailable (unseen, "exit_status", "the end of the program was not observed");
  roast_recording_set_metadata (recording, "tree-wait-status", g_variant_new_int32 (9));
  killed = rows_aggregate (recording, "processes");
  rows_assert_value (killed, "exit_status", 137);
  rows_assert_note (killed, "exit_status", ROAST_COMPLETENESS_COMPLETE, "killed by signal 9 (Killed)");
  roast_recording_set_metadata (recording, "tree-wait-status", g_variant_new_int32 (0));
  exited = rows_aggregate (recording, "processes");
  rows_assert_value (exited, "exit_status", 0);
  rows_assert_note (exited, "exit_status", ROAST_COMPLETENESS_COMPLETE, NULL);
}

/* 3000 processes that cost 12 µs more each; unless that could not be measured, or was for a part of them only. */
static void
test_perf_cost (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) unmeasured = NULL;
  g_autoptr (RoastReport) measured = NULL;
  g_autoptr (RoastReport) later = NULL;
  g_autoptr (RoastReport) closed = NULL;
  g_autoptr (RoastReport) none = NULL;

  set_int64 (recording, "tree-elapsed", 10000000);
  set_int64 (recording, "tree-own-user", 20000);
  set_int64 (recording, "tree-own-system", 5000);
  roast_recording_set_metadata (recording, "own-cpu", g_variant_new_double (0.5));
  set_int64 (recording, "tree-perf-clones", 0);
  none = rows_aggregate (recording, "processes");
  rows_assert_value (none, "own_cpu_seconds", 0.525);
  rows_assert_note (none, "own_cpu_seconds", ROAST_COMPLETENESS_COMPLETE, NULL);
  set_int64 (recording, "tree-perf-clones", 3000);
  unmeasured = rows_aggregate (recording, "processes");
  rows_assert_value (unmeasured, "own_cpu_seconds", 0.525);
  rows_assert_note (unmeasured, "own_cpu_seconds", ROAST_COMPLETENESS_PARTIAL, "this cost could not be measured");
  set_int64 (recording, "tree-perf-clone-cost", 12000);
  measured = rows_aggregate (recording, "processes");
  rows_assert_value (measured, "own_cpu_seconds", 0.561);
  rows_assert_note (measured, "own_cpu_seconds", ROAST_COMPLETENESS_COMPLETE,
                    "36.0 ms of this CPU time is the cost of perf events");
  rows_assert_value (measured, "own_cpu_ratio", 0.0561);
  /* Roast measures until the last process ends, which may be long after the main process. */
  set_int64 (recording, "started", 1000000);
  set_int64 (recording, "ended", 21000000);
  later = rows_aggregate (recording, "processes");
  rows_assert_value (later, "own_cpu_ratio", 0.02805);
  set_int64 (recording, "tree-perf-closed", 5);
  closed = rows_aggregate (recording, "processes");
  rows_assert_value (closed, "own_cpu_seconds", 0.561);
  rows_assert_note (closed, "own_cpu_seconds", ROAST_COMPLETENESS_PARTIAL, "too many processes to count");
}

/* Each sum is of its own column. */
static void
test_sums (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  set_int64 (recording, "tree-elapsed", 10000000);
  set_int64 (recording, "tree-write-cancelled", 0);
  process (recording, 1, "exact",
           "'count': <int64 1>, 'cpu_user': <1.0>, 'cpu_system': <0.5>, 'voluntary_switches': <int64 1>, "
           "'involuntary_switches': <int64 2>, 'minor_faults': <int64 3>, 'major_faults': <int64 4>, 'read_chars': "
           "<int64 "
           "5>, 'write_chars': <int64 6>, 'disk_read': <int64 7>, 'disk_write': <int64 8>, 'run_queue': <0.25>");
  process (recording, 2, "exact",
           "'count': <int64 1>, 'cpu_user': <2.0>, 'cpu_system': <0.25>, 'voluntary_switches': <int64 10>, "
           "'involuntary_switches': <int64 20>, 'minor_faults': <int64 30>, 'major_faults': <int64 40>, 'read_chars': "
           "<int64 50>, 'write_chars': <int64 60>, 'disk_read': <int64 70>, 'disk_write': <int64 80>, 'run_queue': "
           "<0.5>");
  /* The share of a command in what is known together lacks the rest. */
  process (recording, -1, "shared", "'command': <'as'>, 'count': <int64 60>, 'cpu_user': <4.0>, 'cpu_system': <0.0>");
  report = rows_aggregate (recording, "processes");
  rows_assert_value (report, "process_cpu_time_seconds", 7.75);
  rows_assert_note (report, "process_cpu_time_seconds", ROAST_COMPLETENESS_COMPLETE, NULL);
  rows_assert_value (report, "cores_used_average", 0.775);
  rows_assert_value (report, "voluntary_switches_total", 11);
  rows_assert_note (report, "voluntary_switches_total", ROAST_COMPLETENESS_COMPLETE, NULL);
  rows_assert_value (report, "involuntary_switches_total", 22);
  rows_assert_value (report, "minor_faults_total", 33);
  rows_assert_value (report, "major_faults_total", 44);
  rows_assert_value (report, "io_read_chars_bytes", 55);
  rows_assert_value (report, "io_write_chars_bytes", 66);
  rows_assert_value (report, "io_storage_read_bytes", 77);
  rows_assert_value (report, "io_storage_write_bytes", 88);
  rows_assert_note (report, "io_storage_write_bytes", ROAST_COMPLETENESS_COMPLETE, NULL);
  rows_assert_value (report, "run_queue_seconds", 0.75);
  rows_assert_note (report, "run_queue_seconds", ROAST_COMPLETENESS_PARTIAL, "up to the last sample");
  rows_assert_value (report, "processes_total", 62);
}

/* What was deleted before it was written did not reach storage; an older recording does not say how much that was. */
static void
test_cancelled (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) unknown = NULL;
  g_autoptr (RoastReport) some = NULL;
  g_autoptr (RoastReport) of_others = NULL;
  g_autoptr (RoastReport) none = NULL;
  g_autoptr (RoastReport) partial = NULL;

  set_int64 (recording, "tree-elapsed", 10000000);
  process (recording, 1, "exact", "'cpu_user': <1.0>, 'read_chars': <int64 5>, 'disk_write': <int64 1000>");
  unknown = rows_aggregate (recording, "processes");
  rows_assert_value (unknown, "io_storage_write_bytes", 1000);
  rows_assert_note (unknown, "io_storage_write_bytes", ROAST_COMPLETENESS_ESTIMATED, "at most");
  set_int64 (recording, "tree-write-cancelled", 900);
  some = rows_aggregate (recording, "processes");
  rows_assert_value (some, "io_storage_write_bytes", 100);
  rows_assert_note (some, "io_storage_write_bytes", ROAST_COMPLETENESS_ESTIMATED, "another 900 B that were deleted");
  set_int64 (recording, "tree-write-cancelled", 1100);
  of_others = rows_aggregate (recording, "processes");
  rows_assert_unavailable (of_others, "io_storage_write_bytes", "more data were deleted");
  set_int64 (recording, "tree-write-cancelled", 1000);
  none = rows_aggregate (recording, "processes");
  rows_assert_value (none, "io_storage_write_bytes", 0);
  process (recording, 2, "unreaped", "'cpu_user': <0.0>, 'read_chars': <int64 0>, 'disk_write': <int64 0>");
  partial = rows_aggregate (recording, "processes");
  rows_assert_unavailable (partial, "io_storage_write_bytes", "more data were deleted");
}

/* Processes may change their affinity. */
static void
test_affinity (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) same = NULL;
  g_autoptr (RoastReport) own = NULL;
  g_autoptr (RoastReport) changed = NULL;

  roast_recording_set_metadata (recording, "tree-cores", g_variant_new_double (4));
  set_int64 (recording, "tree-cores-average", 4000000);
  set_int64 (recording, "tree-cores-least", 4);
  set_int64 (recording, "tree-cores-most", 4);
  same = rows_aggregate (recording, "processes");
  rows_assert_value (same, "cores_available", 4);
  rows_assert_note (same, "cores_available", ROAST_COMPLETENESS_COMPLETE, NULL);
  set_int64 (recording, "tree-cores-average", 1000000);
  set_int64 (recording, "tree-cores-least", 1);
  set_int64 (recording, "tree-cores-most", 1);
  own = rows_aggregate (recording, "processes");
  rows_assert_value (own, "cores_available", 1);
  rows_assert_note (own, "cores_available", ROAST_COMPLETENESS_COMPLETE, "the affinity of roast allowed 4");
  set_int64 (recording, "tree-cores-average", 2500000);
  set_int64 (recording, "tree-cores-most", 4);
  changed = rows_aggregate (recording, "processes");
  rows_assert_value (changed, "cores_available", 2.5);
  rows_assert_note (changed, "cores_available", ROAST_COMPLETENESS_ESTIMATED, "from 1 to 4 cores");
}

/* CPU time after the end of the program is not within its elapsed time. */
static void
test_left_behind (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;
  g_autoptr (RoastReport) unsure = NULL;

  set_int64 (recording, "tree-elapsed", 1000000);
  set_int64 (recording, "tree-main-cpu", 1500000);
  set_int64 (recording, "tree-processes", 3);
  set_int64 (recording, "tree-leftover", 1);
  set_int64 (recording, "tree-leftover-exact", 1);
  roast_recording_set_metadata (recording, "tree-processes-exact", g_variant_new_boolean (TRUE));
  roast_recording_set_metadata (recording, "tree-cores", g_variant_new_double (2));
  process (recording, 1, "exact", "'cpu_user': <9.0>, 'cpu_system': <0.0>, 'minor_faults': <int64 5>");
  process (recording, 2, "running", "'cpu_user': <1.0>, 'cpu_system': <0.0>, 'minor_faults': <int64 6>");
  report = rows_aggregate (recording, "processes");
  rows_assert_value (report, "process_cpu_time_seconds", 10);
  rows_assert_value (report, "cores_used_average", 1.5);
  rows_assert_note (report, "cores_used_average", ROAST_COMPLETENESS_PARTIAL, "up to the end of the program");
  rows_assert_value (report, "cpu_efficiency_ratio", 0.75);
  rows_assert_value (report, "processes_total", 3);
  rows_assert_note (report, "processes_total", ROAST_COMPLETENESS_PARTIAL, "still ran when the recording ended");
  rows_assert_note (report, "leftover_processes", ROAST_COMPLETENESS_COMPLETE, NULL);
  rows_assert_value (report, "minor_faults_total", 11);
  rows_assert_note (report, "minor_faults_total", ROAST_COMPLETENESS_PARTIAL, "1 process was still running");
  set_int64 (recording, "tree-leftover-exact", 0);
  unsure = rows_aggregate (recording, "processes");
  rows_assert_note (unsure, "leftover_processes", ROAST_COMPLETENESS_PARTIAL, "still starting more processes");
}

/* What an attached process did after its last sample is nowhere. */
static void
test_attached (void)
{
  static const char *const metrics[] = { "process_cpu_time_seconds", "io_read_chars_bytes", "io_write_chars_bytes",
                                         "minor_faults_total", "major_faults_total" };
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  set_int64 (recording, "tree-elapsed", 1000000);
  roast_recording_set_metadata (recording, "tree-attached", g_variant_new_boolean (TRUE));
  process (recording, 1, "sampled",
           "'cpu_user': <1.0>, 'cpu_system': <0.0>, 'read_chars': <int64 5>, 'write_chars': <int64 6>, "
           "'minor_faults': <int64 6>, 'major_faults': <int64 7>");
  report = rows_aggregate (recording, "processes");
  for (guint i = 0; i < G_N_ELEMENTS (metrics); i++)
    rows_assert_note (report, metrics[i], ROAST_COMPLETENESS_PARTIAL, "since roast attached");
}

/* Processes that were not read to their end. */
static void
test_incomplete (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) one = NULL;
  g_autoptr (RoastReport) two = NULL;
  g_autoptr (RoastReport) unreaped = NULL;

  set_int64 (recording, "tree-elapsed", 10000000);
  process (recording, 1, "running", "'cpu_user': <1.0>, 'cpu_system': <0.5>, 'read_chars': <int64 5>");
  process (recording, 2, "exact", "'cpu_user': <1.0>, 'cpu_system': <0.5>");
  process (recording, -1, "folded", "'cpu_user': <1.0>, 'cpu_system': <0.5>");
  one = rows_aggregate (recording, "processes");
  rows_assert_note (one, "process_cpu_time_seconds", ROAST_COMPLETENESS_PARTIAL, "1 process was still running");
  rows_assert_note (one, "io_read_chars_bytes", ROAST_COMPLETENESS_PARTIAL, "of 1 process could not be read");
  process (recording, 3, "running", "'cpu_user': <1.0>, 'cpu_system': <0.5>");
  two = rows_aggregate (recording, "processes");
  rows_assert_note (two, "process_cpu_time_seconds", ROAST_COMPLETENESS_PARTIAL, "2 processes were still running");
  rows_assert_note (two, "io_read_chars_bytes", ROAST_COMPLETENESS_PARTIAL, "of 2 processes could not be read");
  rows_add (recording, "events", "{'kind': <'unreaped'>, 'message': <'7 were lost'>}");
  unreaped = rows_aggregate (recording, "processes");
  rows_assert_note (unreaped, "process_cpu_time_seconds", ROAST_COMPLETENESS_PARTIAL,
                    "some processes were never reaped");
}

/* CPU time is missing in one of two rows. */
static void
test_missing (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) none = NULL;
  g_autoptr (RoastReport) report = NULL;

  set_int64 (recording, "tree-elapsed", 10000000);
  process (recording, 1, "exact", "'count': <int64 1>");
  none = rows_aggregate (recording, "processes");
  rows_assert_unavailable (none, "process_cpu_time_seconds", "cannot be observed");
  rows_assert_unavailable (none, "process_cpu_system_seconds", "cannot be observed");
  rows_assert_unavailable (none, "run_queue_seconds", "no process lived long enough to be sampled");
  rows_assert_unavailable (none, "io_read_chars_bytes", "every process ended before its I/O counters");
  rows_assert_unavailable (none, "minor_faults_total", "the counters of processes were not read");
  process (recording, 2, "exact", "'cpu_user': <1.0>, 'cpu_system': <0.5>, 'count': <int64 1>");
  report = rows_aggregate (recording, "processes");
  rows_assert_value (report, "process_cpu_time_seconds", 1.5);
  rows_assert_note (report, "process_cpu_time_seconds", ROAST_COMPLETENESS_PARTIAL, "unknown for 1 of 2 rows");
  rows_assert_value (report, "process_cpu_user_seconds", 1);
  rows_assert_note (report, "process_cpu_system_seconds", ROAST_COMPLETENESS_PARTIAL, "unknown for 1 of 2 rows");
  rows_assert_value (report, "processes_total", 2);
}

/* How many processes there were is exact with perf events only. */
static void
test_count (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) least = NULL;
  g_autoptr (RoastReport) closed = NULL;

  set_int64 (recording, "tree-processes", 12);
  least = rows_aggregate (recording, "processes");
  rows_assert_value (least, "processes_total", 12);
  rows_assert_note (least, "processes_total", ROAST_COMPLETENESS_PARTIAL, "without perf events");
  set_int64 (recording, "tree-perf-closed", 1);
  closed = rows_aggregate (recording, "processes");
  rows_assert_note (closed, "processes_total", ROAST_COMPLETENESS_PARTIAL, "the program had started too many");
}

/* The most CPU time first; of equals, by name. What is empty is not a command. */
static void
test_commands (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  process (recording, 1, "exact",
           "'command': <'make'>, 'count': <int64 1>, 'cpu_user': <0.5>, 'cpu_system': <0.5>, 'run_queue': <0.25>");
  process (recording, 2, "exact", "'command': <'cc'>, 'count': <int64 1>, 'cpu_user': <2.0>, 'cpu_system': <0.5>");
  process (recording, 3, "exact", "'command': <'cc'>, 'count': <int64 1>, 'cpu_user': <1.0>, 'cpu_system': <0.5>");
  process (recording, 4, "exact", "'command': <'ar'>, 'count': <int64 1>, 'cpu_user': <1.0>, 'cpu_system': <0.0>");
  process (recording, -1, "shared", "'command': <'cc'>, 'count': <int64 8>, 'cpu_user': <1.5>, 'cpu_system': <0.5>");
  process (recording, -2, "unreaped", "'command': <''>, 'cpu_user': <1.0>, 'cpu_system': <0.0>");
  process (recording, -3, "folded", "'cpu_user': <0.5>, 'cpu_system': <0.5>");
  process (recording, -4, "folded", "'cpu_user': <0.0>, 'cpu_system': <0.0>, 'minor_faults': <int64 5>");
  process (recording, 5, "exact", "'command': <'ld'>, 'count': <int64 1>");
  process (recording, 6, "exact", "'command': <'nice'>, 'cpu_user': <0.0>, 'cpu_system': <0.0>");
  process (recording, 7, "exact", "'command': <'nice'>, 'cpu_unsplit': <0.0>");
  report = rows_aggregate (recording, "processes");
  g_assert_cmpuint (rows_count_derived (report, "per_command"), ==, 7);
  assert_derived_row (report, "per_command", 0,
                      "command=cc processes=10 cpu_user=4.5 cpu_system=1.5 cpu_share=0.6 cpu_shared=2");
  assert_derived_row (report, "per_command", 1, "command=(never reaped) cpu_user=1 cpu_system=0 cpu_share=0.1");
  assert_derived_row (report, "per_command", 2,
                      "command=(too short-lived to observe) cpu_user=0.5 cpu_system=0.5 cpu_share=0.1");
  assert_derived_row (report, "per_command", 3, "command=ar processes=1 cpu_user=1 cpu_system=0 cpu_share=0.1");
  assert_derived_row (report, "per_command", 4,
                      "command=make processes=1 cpu_user=0.5 cpu_system=0.5 cpu_share=0.1 run_queue=0.25");
  assert_derived_row (report, "per_command", 5, "command=ld processes=1");
  assert_derived_row (report, "per_command", 6, "command=nice cpu_user=0 cpu_system=0 cpu_unsplit=0 cpu_share=0");
}

/* Why there is no sample, and how much of a peak was read at that time. */
static void
test_samples (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) early = NULL;
  g_autoptr (RoastReport) unrecorded = NULL;
  g_autoptr (RoastReport) others = NULL;
  g_autoptr (RoastReport) denied = NULL;
  g_autoptr (RoastReport) read = NULL;
  g_autoptr (RoastReport) twice = NULL;
  g_autoptr (RoastReport) part = NULL;

  set_int64 (recording, "tree-elapsed", 1500);
  set_int64 (recording, "tree-ticks", 0);
  early = rows_aggregate (recording, "processes");
  rows_assert_unavailable (early, "memory_peak_bytes", "the program ended after 1.5 ms");
  set_int64 (recording, "tree-ticks", 1);
  unrecorded = rows_aggregate (recording, "processes");
  rows_assert_unavailable (unrecorded, "memory_peak_bytes", "no backend recorded the samples");
  rows_add (recording, "cluster_samples", "{'source': <'a'>, 'time': <int64 0>, 'workers': <int64 1>}");
  others = rows_aggregate (recording, "processes");
  rows_assert_unavailable (others, "memory_peak_bytes", "no backend sampled the program's processes");
  rows_assert_unavailable (others, "threads_peak", "no backend sampled the program's processes");
  rows_add (recording, "cluster_samples", "{'source': <'l'>, 'time': <int64 0>, 'memory': <int64 0>}");
  denied = rows_aggregate (recording, "processes");
  rows_assert_unavailable (denied, "memory_average_bytes", "access to the processes was denied");
  assert_metric (denied, "memory_rss_peak_bytes", "0 partial: from 1 sample");

  rows_add (recording, "cluster_samples",
            "{'source': <'l'>, 'time': <int64 1>, 'memory_pss': <int64 40>, 'memory_pss_read': <int64 40>}");
  rows_add (recording, "worker_samples", "{'source': <'l'>, 'memory_pss': <int64 10>, 'memory_pss_age': <1.5>}");
  read = rows_aggregate (recording, "processes");
  assert_metric (read, "memory_peak_bytes", "40 partial: from 1 sample");
  /* The first of the highest. */
  rows_add (recording, "cluster_samples",
            "{'source': <'l'>, 'time': <int64 2>, 'memory_pss': <int64 40>, 'memory_pss_read': <int64 10>}");
  twice = rows_aggregate (recording, "processes");
  assert_metric (twice, "memory_peak_bytes", "40 estimated: from 2 samples");
  assert_metric (twice, "memory_average_bytes", "40.0 estimated: from 2 samples");
  rows_add (recording, "cluster_samples",
            "{'source': <'l'>, 'time': <int64 3>, 'memory_pss': <int64 50>, 'memory_pss_read': <int64 10>}");
  part = rows_aggregate (recording, "processes");
  assert_metric (part, "memory_peak_bytes",
                 "50 estimated: from 3 samples; 20 % of the peak was read at the time of the peak, and the rest is "
                 "scaled from readings up to 1.5 s older");
}

/* What a single row makes of metrics: all of a metric, as rows_show_metric() shows it. */
static void
assert_metrics (const char *const *rows, const char *const *metrics)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  set_int64 (recording, "tree-elapsed", 10000000);
  for (guint i = 0; rows[i] != NULL; i++)
    {
      g_autofree char *row = g_strdup_printf ("{'source': <'p-1'>, %s}", rows[i]);

      rows_add (recording, "processes", row);
    }
  report = rows_aggregate (recording, "processes");
  for (guint i = 0; metrics[i] != NULL; i += 2)
    assert_metric (report, metrics[i], metrics[i + 1]);
}

#define rows(...) ((const char *const[]) { __VA_ARGS__, NULL })

/* The peaks of single processes, of which 0 is one that is known. */
static void
test_peaks (void)
{
  static const char peak[] = "process_memory_peak_bytes";
  static const char nothing[] = "'process': <int64 1>, 'origin': <'exact'>";
  static const char zero[] = "'process': <int64 1>, 'memory_peak': <int64 0>, 'memory_peak_bound': <'exact'>";
  static const char upper[] = "'process': <int64 2>, 'memory_peak': <int64 9>, 'memory_peak_bound': <'at_most'>";
  static const char lower[] = "'process': <int64 3>, 'memory_peak': <int64 4>, 'memory_peak_bound': <'at_least'>";
  static const char lowest[] = "'process': <int64 6>, 'memory_peak': <int64 1>, 'memory_peak_bound': <'at_least'>";
  static const char waited[] = "'process': <int64 4>, 'origin': <'exact'>, 'memory_peak_waited': <int64 0>";
  static const char running[] = "'process': <int64 5>, 'origin': <'running'>";
#define AT_LEAST "lower bound: only samples are known for "

  assert_metrics (rows (NULL), rows (peak, "n/a: the program's processes cannot be observed: the program runs "
                                           "elsewhere, or roast did not launch it"));
  assert_metrics (rows (nothing), rows (peak, "n/a: no process was read before it ended"));
  assert_metrics (rows (zero), rows (peak, "0"));
  assert_metrics (rows (upper), rows (peak, "9 estimated: upper bound: the peak may date from before an exec"));
  assert_metrics (rows (upper, nothing), rows (peak, "n/a: no process was read before it ended"));
  assert_metrics (rows (zero, lower, lowest), rows (peak, "4 partial: " AT_LEAST "2 of 3 rows of processes"));
  assert_metrics (rows (waited), rows (peak, "0"));
  assert_metrics (rows (waited, lower, running), rows (peak, "4 partial: " AT_LEAST "2 of 3 rows of processes"));
#undef AT_LEAST
}

/* CPU time that is known as a sum only, be it little; and one row without a counter. */
static void
test_notes (void)
{
  static const char split[] = "'process': <int64 2>, 'origin': <'exact'>, 'cpu_user': <1.0>, 'cpu_system': <0.5>, "
                              "'read_chars': <int64 7>, 'run_queue': <0.25>, 'minor_faults': <int64 3>";
  static const char unsplit[] = "'process': <int64 -1>, 'origin': <'unreaped'>, 'cpu_unsplit': <0.5>";
  static const char unread[] = "'process': <int64 1>, 'origin': <'exact'>, 'cpu_user': <1.0>, 'cpu_system': <0.5>";
  static const char other[] = "'process': <int64 0>, 'origin': <'exact'>, 'cpu_user': <1.0>, 'cpu_system': <0.5>";
#define WITHOUT                                                                                                        \
  "excludes part of 500 ms of CPU time of processes that no parent waited for: the division of this time into user "   \
  "mode and kernel is unknown"
#define UNKNOWN "n/a: the division of CPU time into user mode and kernel is unknown"

  assert_metrics (rows (split),
                  rows ("process_cpu_time_seconds", "1.5", "process_cpu_user_seconds", "1.0",
                        "process_cpu_system_seconds", "0.5", "io_read_chars_bytes", "7", "run_queue_seconds",
                        "0.25 partial: counted up to the last sample of each process", "minor_faults_total", "3"));
  assert_metrics (rows (split, unsplit),
                  rows ("process_cpu_time_seconds", "2.0", "process_cpu_user_seconds", "1.0 partial: " WITHOUT,
                        "process_cpu_system_seconds", "0.5 partial: " WITHOUT, "minor_faults_total",
                        "3 partial: known for 1 of 2 rows of processes"));
  assert_metrics (rows (unsplit), rows ("process_cpu_time_seconds", "0.5", "process_cpu_user_seconds", UNKNOWN,
                                        "process_cpu_system_seconds", UNKNOWN));
  /* The number of a process is 1 or more: other rows stand for several. */
  assert_metrics (rows (split, unread),
                  rows ("io_read_chars_bytes", "7 partial: the counters of 1 process could not be read"));
  assert_metrics (rows (split, other), rows ("io_read_chars_bytes", "7"));
#undef WITHOUT
#undef UNKNOWN
}

/* Processes without a name count, unless their row has nothing to count. */
static void
test_nameless (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) nothing = NULL;
  g_autoptr (RoastReport) idle = NULL;
  g_autoptr (RoastReport) little = NULL;

  process (recording, -1, "folded", "'cpu_user': <0.0>, 'cpu_system': <0.0>, 'minor_faults': <int64 5>");
  nothing = rows_aggregate (recording, "processes");
  g_assert_false (rows_has_derived (nothing, "per_command"));
  process (recording, -2, "folded", "'count': <int64 3>, 'cpu_user': <0.0>, 'cpu_system': <0.0>");
  idle = rows_aggregate (recording, "processes");
  g_assert_cmpuint (rows_count_derived (idle, "per_command"), ==, 1);
  assert_derived_row (idle, "per_command", 0,
                      "command=(too short-lived to observe) processes=3 cpu_user=0 cpu_system=0");
  process (recording, 1, "exact", "'command': <'cc'>, 'cpu_user': <0.125>, 'cpu_system': <0.125>");
  little = rows_aggregate (recording, "processes");
  assert_derived_row (little, "per_command", 0, "command=cc cpu_user=0.125 cpu_system=0.125 cpu_share=1");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/process-sums/numbers", test_numbers);
  g_test_add_func ("/process-sums/types", test_types);
  g_test_add_func ("/process-sums/limits", test_limits);
  g_test_add_func ("/process-sums/recorded", test_recorded);
  g_test_add_func ("/process-sums/status", test_status);
  g_test_add_func ("/process-sums/perf-cost", test_perf_cost);
  g_test_add_func ("/process-sums/sums", test_sums);
  g_test_add_func ("/process-sums/cancelled", test_cancelled);
  g_test_add_func ("/process-sums/affinity", test_affinity);
  g_test_add_func ("/process-sums/left-behind", test_left_behind);
  g_test_add_func ("/process-sums/attached", test_attached);
  g_test_add_func ("/process-sums/incomplete", test_incomplete);
  g_test_add_func ("/process-sums/missing", test_missing);
  g_test_add_func ("/process-sums/count", test_count);
  g_test_add_func ("/process-sums/commands", test_commands);
  g_test_add_func ("/process-sums/peaks", test_peaks);
  g_test_add_func ("/process-sums/notes", test_notes);
  g_test_add_func ("/process-sums/nameless", test_nameless);
  g_test_add_func ("/process-sums/samples", test_samples);

  return g_test_run ();
}
