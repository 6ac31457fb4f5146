/* SPDX-License-Identifier: BSD-3-Clause */

/* What work waits for on its way through an executor: recordings made by hand, answers computed by hand. */

#include <roast/roast.h>
#include <string.h>

#include "rows.h"

/* Cumulative seconds of a part of the executor's time. */
static void
budget (RoastRecording *recording, const char *source, const char *part, double value)
{
  g_autofree char *row = g_strdup_printf ("{'source': <'%s'>, 'time': <int64 1>, 'part': <'%s'>, 'value': <%.17g>}",
                                          source, part, value + 1e-300);

  rows_add (recording, "executor_times", row);
}

static void
sample (RoastRecording *recording, int second, double committed, int queued)
{
  g_autofree char *row = g_strdup_printf ("{'source': <'taskvine-1'>, 'time': <int64 %d000000>, 'cores': <8.0>, "
                                          "'cores_committed': <%.1f>, 'tasks_queued': <int64 %d>}",
                                          second, committed, queued);

  rows_add (recording, "cluster_samples", row);
}

/* An attempt, with what else there is of it. */
static void
task (RoastRecording *recording, const char *id, int attempt, const char *prefix, const char *cells)
{
  g_autofree char *row =
      g_strdup_printf ("{'source': <'taskvine-1'>, 'task': <'%s'>, 'attempt': <int64 %d>, 'category': <'%s'>, "
                       "'submitted': <int64 0>, %s}",
                       id, attempt, prefix, cells);

  rows_add (recording, "tasks", row);
}

/* Two that are done, of 2 cores for 3 s and of none (which is one) for 1 s; one lost, one failed, one too big, one that
 * was never given, one that was under way. */
static RoastRecording *
make_recording (void)
{
  RoastRecording *recording = roast_recording_new (NULL);

  task (recording, "1", 1, "p",
        "'dispatched': <int64 1000000>, 'delivered': <int64 1500000>, 'started': <int64 2000000>, 'ended': <int64 "
        "5000000>, "
        "'fetched': <int64 5250000>, 'retrieved': <int64 6000000>, 'returned': <int64 8000000>, 'status': <'done'>, "
        "'cores': <2.0>, 'bytes_in': <int64 100>, 'bytes_out': <int64 30>");
  task (recording, "2", 1, "q",
        "'dispatched': <int64 4000000>, 'started': <int64 5000000>, 'ended': <int64 6000000>, 'status': <'done'>, "
        "'cores': <1.0>");
  task (recording, "3", 1, "p",
        "'dispatched': <int64 1000000>, 'delivered': <int64 2000000>, 'ended': <int64 4000000>, 'status': <'lost'>, "
        "'error': <'FAILURE'>, 'cores': <2.0>");
  task (recording, "3", 2, "p",
        "'dispatched': <int64 2000000>, 'started': <int64 6000000>, 'ended': <int64 7000000>, 'status': <'failed'>, "
        "'error': <'exit code'>, 'cores': <1.0>");
  task (recording, "4", 1, "p",
        "'dispatched': <int64 2000000>, 'started': <int64 2000000>, 'ended': <int64 3500000>, 'status': <'exhausted'>, "
        "'error': <'MAX_WALL_TIME'>, 'cores': <2.0>");
  task (recording, "5", 1, "p", "'status': <'never_ran'>");
  task (recording, "6", 1, "p",
        "'dispatched': <int64 1000000>, 'delivered': <int64 2000000>, 'status': <'unfinished'>, 'cores': <2.0>");

  return recording;
}

static void
test_attempts (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = rows_aggregate (recording, "task-lifecycle");

  /* 2 x 2 s lost, 1 s failed, 2 x 1.5 s too big; 2 x 3 s and 1 s were not wasted. */
  rows_assert_value (report, "wasted_core_seconds", 8);
  rows_assert_value (report, "wasted_ratio", 8 / 15.0);
  g_assert_cmpint (roast_metric_get_completeness (rows_get_metric (report, "wasted_core_seconds")), ==,
                   ROAST_COMPLETENESS_ESTIMATED);
  /* 1, 4, 1, 2, 2 and 1 s. */
  rows_assert_value (report, "queue_time_mean_seconds", 11 / 6.0);
  rows_assert_value (report, "queue_time_max_seconds", 4);
}

static void
test_wasted (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = rows_aggregate (recording, "task-lifecycle");

  g_assert_cmpuint (rows_count_derived (report, "wasted"), ==, 3);
  assert_derived (report, "wasted", 0, "status", "lost");
  assert_derived (report, "wasted", 0, "reason", "FAILURE");
  assert_derived (report, "wasted", 0, "core_seconds", "4");
  assert_derived (report, "wasted", 1, "reason", "MAX_WALL_TIME");
  assert_derived (report, "wasted", 1, "core_seconds", "3");
  assert_derived (report, "wasted", 2, "status", "failed");
  assert_derived (report, "wasted", 2, "attempts", "1");
}

/* The start of an attempt that vanished with its worker is not known: its time is missing, not 0. */
static void
test_unknown_start (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  task (recording, "7", 1, "p",
        "'dispatched': <int64 2000000>, 'ended': <int64 3500000>, 'status': <'lost'>, 'error': <'worker killed'>");
  report = rows_aggregate (recording, "task-lifecycle");
  rows_assert_value (report, "wasted_core_seconds", 8);
  rows_assert_note (report, "wasted_core_seconds", ROAST_COMPLETENESS_PARTIAL, "1 attempt without a result");
  assert_derived (report, "wasted", 3, "reason", "worker killed");
  assert_derived (report, "wasted", 3, "core_seconds", NULL);
}

static void
test_phases (void)
{
  static const char *const columns[] = { "category", "phase", "attempts", "total", "mean", "max" };
  static const char *const expected[][G_N_ELEMENTS (columns)] = {
    { "p", "queue", "5", "7", "1.4", "2" },        { "p", "input", "3", "2.5", "0.833333333", "1" },
    { "p", "stage-in", "1", "0.5", "0.5", "0.5" }, { "p", "execute", "3", "5.5", "1.83333333", "3" },
    { "p", "wait", "1", "0.25", "0.25", "0.25" },  { "p", "output", "1", "0.75", "0.75", "0.75" },
    { "p", "return", "1", "2", "2", "2" },         { "q", "queue", "1", "4", "4", "4" },
    { "q", "execute", "1", "1", "1", "1" },
  };
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = rows_aggregate (recording, "task-lifecycle");

  g_assert_cmpuint (rows_count_derived (report, "per_phase"), ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    for (guint k = 0; k < G_N_ELEMENTS (columns); k++)
      assert_derived (report, "per_phase", i, columns[k], expected[i][k]);
  assert_derived (report, "per_phase", 1, "bytes", "100");
  assert_derived (report, "per_phase", 5, "bytes", "30");
}

/* Where nothing was wasted there is no table, and where all is known there is no estimate. */
static void
test_no_waste (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  task (recording, "1", 1, "p",
        "'dispatched': <int64 1000000>, 'started': <int64 2000000>, 'ended': <int64 5000000>, 'status': <'done'>");
  report = rows_aggregate (recording, "task-lifecycle");
  rows_assert_value (report, "wasted_core_seconds", 0);
  rows_assert_value (report, "wasted_ratio", 0);
  g_assert_cmpint (roast_metric_get_completeness (rows_get_metric (report, "wasted_core_seconds")), ==,
                   ROAST_COMPLETENESS_COMPLETE);
  g_assert_false (rows_has_derived (report, "wasted"));
}

static void
test_transfers (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "transfers",
            "{'source': <'taskvine-1'>, 'worker': <'w'>, 'direction': <'in'>, 'bytes': <int64 1000>, "
            "'started': <int64 0>, 'ended': <int64 2000000>}");
  /* When is not known: it counts, but has no rate. */
  rows_add (recording, "transfers",
            "{'source': <'taskvine-1'>, 'worker': <'w'>, 'direction': <'in'>, 'bytes': <int64 500>}");
  rows_add (recording, "transfers",
            "{'source': <'taskvine-1'>, 'worker': <'w'>, 'direction': <'cached'>, 'bytes': <int64 70>, "
            "'started': <int64 0>, 'ended': <int64 1000000>}");
  rows_add (recording, "transfers",
            "{'source': <'taskvine-1'>, 'worker': <'w'>, 'direction': <'evicted'>, 'bytes': <int64 7>}");
  report = rows_aggregate (recording, "task-lifecycle");
  rows_assert_value (report, "transfer_in_bytes", 1500);
  rows_assert_value (report, "transfer_in_rate", 500);
  rows_assert_value (report, "transfer_out_bytes", 0);
  g_assert_cmpstr (roast_metric_get_reason (rows_get_metric (report, "transfer_out_rate")), ==,
                   "nothing was moved in this direction");
  rows_assert_value (report, "transfer_cached_bytes", 70);
  g_assert_cmpuint (rows_count_derived (report, "per_direction"), ==, 2);
  assert_derived (report, "per_direction", 0, "direction", "in");
  assert_derived (report, "per_direction", 0, "files", "2");
  assert_derived (report, "per_direction", 0, "bytes", "1500");
  assert_derived (report, "per_direction", 0, "seconds", "2");
  assert_derived (report, "per_direction", 1, "direction", "cached");
}

/* Cumulative: the last counts, of each source. What roast itself took is none of it. */
static void
test_executor (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  budget (recording, "taskvine-1", "send", 1);
  budget (recording, "taskvine-1", "polling", 2);
  budget (recording, "taskvine-1", "send", 3);
  budget (recording, "taskvine-2", "send", 1);
  budget (recording, "taskvine-1", "application", 4);
  budget (recording, "taskvine-1", "roast", 100);
  report = rows_aggregate (recording, "task-lifecycle");
  rows_assert_value (report, "executor_busy_ratio", 0.4);
  rows_assert_value (report, "executor_application_ratio", 0.4);
  g_assert_cmpstr (roast_metric_get_reason (rows_get_metric (report, "executor_verdict")), ==,
                   "no sample shows idle cores and waiting tasks together");
  g_assert_cmpuint (rows_count_derived (report, "executor_time"), ==, 3);
  assert_derived (report, "executor_time", 0, "part", "application");
  assert_derived (report, "executor_time", 1, "part", "send");
  assert_derived (report, "executor_time", 1, "seconds", "4");
  assert_derived (report, "executor_time", 2, "share", "0.2");
}

/* @idle: % of the time in which cores are idle while tasks wait */
static void
check_verdict (double send, double application, int idle, const char *part)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;
  const char *verdict = NULL;

  budget (recording, "taskvine-1", "send", send);
  budget (recording, "taskvine-1", "application", application);
  budget (recording, "taskvine-1", "polling", 100 - send - application);
  sample (recording, 1, 4, 0);
  sample (recording, 2, 8, 5);
  sample (recording, 101 - idle, 7, 5);
  sample (recording, 101, 7, 0);
  report = rows_aggregate (recording, "task-lifecycle");
  rows_assert_value (report, "executor_busy_ratio", send / 100);
  verdict = g_variant_get_string (roast_metric_get_value (rows_get_metric (report, "executor_verdict")), NULL);
  g_test_message ("%s", verdict);
  g_assert_nonnull (strstr (verdict, part));
}

static void
test_verdict (void)
{
  check_verdict (80, 10, 20,
                 "the executor was busy for 80 % of its time, and the program did something else for 10 %; cores were "
                 "idle while tasks waited for 20 % of the time");
  check_verdict (10, 75, 5,
                 "the executor was busy for 10 % of its time, and the program did something else for 75 %; cores were "
                 "idle while tasks waited for 5 % of the time");
}

static void
test_memory (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  task (recording, "1", 1, "p", "'status': <'done'>, 'dispatched': <int64 1>, 'memory_peak': <int64 300>");
  task (recording, "2", 1, "p", "'status': <'done'>, 'dispatched': <int64 1>, 'memory_peak': <int64 500>");
  task (recording, "3", 1, "p", "'status': <'done'>, 'dispatched': <int64 1>");
  rows_add (recording, "cluster_samples",
            "{'source': <'taskvine-1'>, 'time': <int64 1>, 'memory_committed': <int64 3>, 'memory_limit': <int64 4>}");
  rows_add (recording, "cluster_samples",
            "{'source': <'taskvine-1'>, 'time': <int64 2>, 'memory_committed': <int64 1>, 'memory_limit': <int64 4>}");
  report = rows_aggregate (recording, "task-lifecycle");
  rows_assert_value (report, "task_memory_peak_bytes", 500);
  rows_assert_note (report, "task_memory_peak_bytes", ROAST_COMPLETENESS_PARTIAL, "1 of 3 attempts was not measured");
  rows_assert_value (report, "committed_memory_peak_ratio", 0.75);
  rows_assert_note (report, "committed_memory_peak_ratio", ROAST_COMPLETENESS_PARTIAL, "between two samples");
}

/* The worker of a task, on a host. */
static void
worker (RoastRecording *recording, const char *source, const char *name, const char *host)
{
  g_autofree char *row = g_strdup_printf ("{'source': <'%s'>, 'worker': <'%s'>, 'host': <'%s'>}", source, name, host);

  rows_add (recording, "workers", row);
}

/* A task that failed at a worker after 2 s at one core. */
static void
failure (RoastRecording *recording, const char *source, const char *name, int exit_code)
{
  static int last;
  g_autofree char *row =
      g_strdup_printf ("{'source': <'%s'>, 'task': <'f%d'>, 'attempt': <int64 1>, 'worker': <'%s'>, 'dispatched': "
                       "<int64 0>, 'started': "
                       "<int64 0>, 'ended': <int64 2000000>, 'status': <'failed'>, 'exit_code': <int64 %d>}",
                       source, last++, name, exit_code);

  rows_add (recording, "tasks", row);
}

/* Exit codes and signals are apart, the most core time first, with the three hosts that have the most. */
static void
test_exit_codes (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  worker (recording, "a", "w1", "tick");
  worker (recording, "a", "w2", "trick");
  worker (recording, "a", "w3", "track");
  worker (recording, "a", "w4", "donald");
  worker (recording, "b", "w1", "daisy");
  for (int i = 0; i < 3; i++)
    failure (recording, "a", "w3", 137);
  for (int i = 0; i < 2; i++)
    failure (recording, "b", "w1", 137);
  failure (recording, "a", "w4", 137);
  failure (recording, "a", "w1", 137);
  failure (recording, "a", "w2", 137);
  failure (recording, "a", "w1", 129);
  failure (recording, "a", "w1", 128);
  failure (recording, "a", "gone", 1);
  failure (recording, "a", "gone", 0);
  report = rows_aggregate (recording, "task-lifecycle");

  g_assert_cmpuint (rows_count_derived (report, "wasted"), ==, 5);
  assert_derived_row (report, "wasted", 0,
                      "status=failed exit_code=137 signal=SIGKILL hosts=track (3), daisy (2), donald (1) and 2 more "
                      "attempts=8 core_seconds=16");
  assert_derived_row (report, "wasted", 1, "status=failed exit_code=0 attempts=1 core_seconds=2");
  assert_derived_row (report, "wasted", 2, "status=failed exit_code=1 attempts=1 core_seconds=2");
  assert_derived_row (report, "wasted", 3, "status=failed exit_code=128 hosts=tick (1) attempts=1 core_seconds=2");
  assert_derived_row (report, "wasted", 4,
                      "status=failed exit_code=129 signal=SIGHUP hosts=tick (1) attempts=1 core_seconds=2");
}

/* Every way to end without a result is a waste, of an attempt that a worker had. Those of equal cost are in the order
 * of the alphabet. */
static void
test_kinds_of_waste (void)
{
  static const char *const wasted[] = { "failed", "killed_worker", "lost", "exhausted", "cancelled" };
  static const char *const others[] = { "done", "unfinished", "never_ran" };
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (wasted); i++)
    {
      g_autofree char *cells = g_strdup_printf ("'dispatched': <int64 0>, 'started': <int64 1000000>, 'ended': <int64 "
                                                "3000000>, 'status': <'%s'>, 'error': <'e%u'>",
                                                wasted[i], 9 - i);

      task (recording, wasted[i], 1, "p", cells);
    }
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autofree char *cells = g_strdup_printf ("'dispatched': <int64 0>, 'started': <int64 1000000>, 'ended': <int64 "
                                                "11000000>, 'status': <'%s'>",
                                                others[i]);

      task (recording, others[i], 1, "p", cells);
    }
  /* It was at a worker, whether or not the time of its dispatch is known; one held cores before that. */
  task (recording, "started", 1, "p", "'started': <int64 0>, 'ended': <int64 5000000>, 'status': <'failed'>");
  task (recording, "nowhere", 1, "p", "'ended': <int64 5000000>, 'status': <'failed'>");
  report = rows_aggregate (recording, "task-lifecycle");

  rows_assert_value (report, "wasted_core_seconds", 10 + 5);
  rows_assert_value (report, "wasted_ratio", 0.6);
  rows_assert_note (report, "wasted_core_seconds", ROAST_COMPLETENESS_COMPLETE, NULL);
  g_assert_cmpuint (rows_count_derived (report, "wasted"), ==, 6);
  assert_derived (report, "wasted", 0, "core_seconds", "5");
  assert_derived (report, "wasted", 1, "reason", "e5");
  assert_derived (report, "wasted", 1, "status", "cancelled");
  assert_derived (report, "wasted", 5, "reason", "e9");
}

/* It held its core before it started, for a time that is unknown. */
static void
test_late (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  task (recording, "1", 1, "p",
        "'started': <int64 0>, 'ended': <int64 5000000>, 'status': <'failed'>, 'cores': <2.0>, 'cores_allocated': "
        "<2.0>");
  report = rows_aggregate (recording, "task-lifecycle");
  rows_assert_value (report, "wasted_core_seconds", 10);
  rows_assert_note (report, "wasted_core_seconds", ROAST_COMPLETENESS_PARTIAL, "dispatch time unknown for 1");
}

/* From the delivery on it is an upper bound. Of two, the one whose time is unknown adds none. */
static void
test_vague_waste (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) vague = NULL;
  g_autoptr (RoastReport) untimed = NULL;

  task (recording, "1", 1, "p",
        "'dispatched': <int64 0>, 'delivered': <int64 1000000>, 'ended': <int64 4000000>, 'status': <'lost'>");
  vague = rows_aggregate (recording, "task-lifecycle");
  rows_assert_value (vague, "wasted_core_seconds", 3);
  rows_assert_note (vague, "wasted_core_seconds", ROAST_COMPLETENESS_ESTIMATED, "the start of attempts");
  rows_assert_value (vague, "wasted_ratio", 1);
  rows_assert_note (vague, "wasted_ratio", ROAST_COMPLETENESS_ESTIMATED, "the start of attempts");

  task (recording, "2", 1, "p", "'dispatched': <int64 0>, 'ended': <int64 4000000>, 'status': <'lost'>");
  task (recording, "3", 1, "p", "'dispatched': <int64 0>, 'status': <'lost'>");
  untimed = rows_aggregate (recording, "task-lifecycle");
  rows_assert_value (untimed, "wasted_core_seconds", 3);
  rows_assert_note (untimed, "wasted_core_seconds", ROAST_COMPLETENESS_PARTIAL, "unknown for 2 attempts");
  assert_derived_row (untimed, "wasted", 0, "status=lost attempts=3 core_seconds=3");
}

/* Nothing is known but that it was given to a worker. */
static void
test_untimed (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "tasks",
            "{'source': <'a'>, 'task': <'1'>, 'attempt': <int64 1>, 'dispatched': <int64 5>, 'status': <'done'>}");
  report = rows_aggregate (recording, "task-lifecycle");
  rows_assert_value (report, "wasted_core_seconds", 0);
  rows_assert_unavailable (report, "wasted_ratio", "no attempt has a known duration");
  rows_assert_unavailable (report, "task_memory_peak_bytes", "not measured for any attempt");
  rows_assert_unavailable (report, "queue_time_mean_seconds", "both a submission and a dispatch time");
  rows_assert_unavailable (report, "queue_time_max_seconds", "both a submission and a dispatch time");
  g_assert_cmpuint (rows_count_derived (report, "per_phase"), ==, 0);
}

/* A task that waits for others is blocked until it is ready, then in the queue. A clock that was set back makes no
 * negative time. Categories are in the order of their time of execution. */
static void
test_blocked (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  task (recording, "1", 1, "q",
        "'ready': <int64 3000000>, 'dispatched': <int64 4000000>, 'started': <int64 5000000>, 'ended': <int64 "
        "7000000>, "
        "'status': <'done'>");
  task (recording, "2", 1, "q", "'ready': <int64 9000000>, 'dispatched': <int64 8000000>, 'status': <'done'>");
  task (recording, "3", 1, "p",
        "'dispatched': <int64 0>, 'started': <int64 0>, 'ended': <int64 2000000>, 'status': <'done'>");
  task (recording, "4", 1, "p", "'dispatched': <int64 6000000>, 'ended': <int64 7000000>");
  rows_add (recording, "tasks",
            "{'source': <'a'>, 'task': <'1'>, 'attempt': <int64 1>, 'dispatched': <int64 0>, 'started': <int64 0>, "
            "'ended': <int64 9000000>, 'status': <'done'>}");
  report = rows_aggregate (recording, "task-lifecycle");

  g_assert_cmpuint (rows_count_derived (report, "per_phase"), ==, 6);
  assert_derived_row (report, "per_phase", 0, "category=? phase=execute attempts=1 total=9 mean=9 max=9");
  assert_derived_row (report, "per_phase", 1, "category=p phase=queue attempts=1 total=0 mean=0 max=0");
  assert_derived_row (report, "per_phase", 2, "category=p phase=execute attempts=1 total=2 mean=2 max=2");
  assert_derived_row (report, "per_phase", 3, "category=q phase=queue attempts=2 total=1 mean=0.5 max=1");
  assert_derived_row (report, "per_phase", 4, "category=q phase=execute attempts=1 total=2 mean=2 max=2");
  assert_derived_row (report, "per_phase", 5, "category=q phase=blocked attempts=2 total=12 mean=6 max=9");
  rows_assert_value (report, "queue_time_mean_seconds", 1 / 3.0);
  rows_assert_value (report, "queue_time_max_seconds", 1);
  rows_assert_note (report, "queue_time_max_seconds", ROAST_COMPLETENESS_COMPLETE, NULL);
}

/* Records that were dropped may be of any attempt. */
static void
test_dropped (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  task (recording, "7", 1, "p", "'status': <'done'>, 'dispatched': <int64 1>, 'memory_peak': <int64 0>");
  rows_add (recording, "events", "{'kind': <'other'>, 'message': <'what else happened'>}");
  rows_add (recording, "events", "{'kind': <'frames-dropped'>, 'message': <'3 records were lost'>}");
  report = rows_aggregate (recording, "task-lifecycle");
  rows_assert_note (report, "wasted_core_seconds", ROAST_COMPLETENESS_ESTIMATED, "3 records were lost");
  rows_assert_note (report, "wasted_ratio", ROAST_COMPLETENESS_ESTIMATED, "3 records were lost");
  rows_assert_note (report, "queue_time_mean_seconds", ROAST_COMPLETENESS_ESTIMATED, "3 records were lost");
  rows_assert_note (report, "queue_time_max_seconds", ROAST_COMPLETENESS_PARTIAL, "3 records were lost");
  rows_assert_value (report, "task_memory_peak_bytes", 0);
  rows_assert_note (report, "task_memory_peak_bytes", ROAST_COMPLETENESS_PARTIAL, "3 records were lost");
}

static void
library (RoastRecording *recording, const char *id, const char *cells)
{
  g_autofree char *row = g_strdup_printf ("{'source': <'taskvine-1'>, 'library': <'%s'>, %s}", id, cells);

  rows_add (recording, "libraries", row);
}

/* By how they ended, those that held the most core time first; what still serves holds its cores to the end. */
static void
test_libraries (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  roast_recording_set_metadata (recording, "ended", g_variant_new_int64 (100000000));
  library (recording, "1",
           "'sent': <int64 10000000>, 'ready': <int64 12000000>, 'ended': <int64 30000000>, 'status': <'done'>, "
           "'result': "
           "<'SUCCESS'>, 'cores': <4.0>, 'calls': <int64 5>");
  library (recording, "2",
           "'sent': <int64 10000000>, 'ready': <int64 16000000>, 'ended': <int64 20000000>, 'status': <'done'>, "
           "'result': "
           "<'SUCCESS'>, 'cores': <2.0>, 'calls': <int64 7>");
  library (recording, "3",
           "'sent': <int64 40000000>, 'ended': <int64 45000000>, 'status': <'failed'>, 'result': <'SIGNAL'>, 'cores': "
           "<3.0>, 'calls': <int64 0>");
  library (recording, "4",
           "'sent': <int64 0>, 'ready': <int64 0>, 'ended': <int64 15000000>, 'status': <'lost'>, 'result': <'GONE'>, "
           "'cores': <1.0>, 'calls': <int64 2>");
  library (recording, "5", "'sent': <int64 90000000>, 'status': <'unfinished'>, 'cores': <2.0>, 'calls': <int64 0>");
  library (recording, "6",
           "'sent': <int64 100000000>, 'ready': <int64 100000000>, 'status': <'unfinished'>, 'calls': <int64 1>");
  report = rows_aggregate (recording, "task-lifecycle");

  g_assert_cmpuint (rows_count_derived (report, "library_outcomes"), ==, 4);
  assert_derived_row (report, "library_outcomes", 0,
                      "status=done result=SUCCESS libraries=2 ready=2 start_mean=4 start_max=6 core_seconds=100 "
                      "calls=12");
  assert_derived_row (report, "library_outcomes", 1,
                      "status=unfinished libraries=2 ready=1 start_mean=0 start_max=0 core_seconds=20 calls=1");
  assert_derived_row (report, "library_outcomes", 2,
                      "status=lost result=GONE libraries=1 ready=1 start_mean=0 start_max=0 core_seconds=15 calls=2");
  assert_derived_row (report, "library_outcomes", 3,
                      "status=failed result=SIGNAL libraries=1 ready=0 core_seconds=15 calls=0");
  rows_assert_value (report, "libraries_total", 6);
  rows_assert_value (report, "libraries_failed_total", 2);
  rows_assert_value (report, "library_start_mean_seconds", 2);
  rows_assert_note (report, "library_start_mean_seconds", ROAST_COMPLETENESS_ESTIMATED, "unknown for 1 of");
  rows_assert_value (report, "library_start_max_seconds", 6);
  rows_assert_value (report, "library_core_seconds", 150);
  rows_assert_value (report, "library_calls_total", 15);
  rows_assert_note (report, "library_calls_total", ROAST_COMPLETENESS_COMPLETE, NULL);
}

/* Where a worker had several libraries, their calls are unknown. What never was ready or sent has no start. */
static void
test_unknown_calls (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) none = NULL;
  g_autoptr (RoastReport) some = NULL;
  g_autoptr (RoastReport) early = NULL;

  library (recording, "1", "'sent': <int64 5>, 'status': <'failed'>, 'cores': <3.0>");
  library (recording, "2", "'ready': <int64 7>, 'ended': <int64 9>, 'status': <'failed'>, 'cores': <1.0>");
  none = rows_aggregate (recording, "task-lifecycle");
  rows_assert_unavailable (none, "library_calls_total", "several libraries at a time");
  rows_assert_unavailable (none, "library_start_mean_seconds", "no library became ready");
  rows_assert_unavailable (none, "library_start_max_seconds", "no library became ready");
  rows_assert_value (none, "library_core_seconds", 0);
  assert_derived_row (none, "library_outcomes", 0, "status=failed libraries=2 ready=0 core_seconds=0");

  library (recording, "3",
           "'sent': <int64 1000000>, 'ready': <int64 2000000>, 'ended': <int64 5000000>, 'status': <'failed'>, "
           "'calls': "
           "<int64 4>, 'cores': <0.5>");
  some = rows_aggregate (recording, "task-lifecycle");
  rows_assert_value (some, "library_calls_total", 4);
  rows_assert_note (some, "library_calls_total", ROAST_COMPLETENESS_PARTIAL,
                    "excludes workers that had several libraries");
  rows_assert_value (some, "library_start_max_seconds", 1);
  rows_assert_note (some, "library_start_max_seconds", ROAST_COMPLETENESS_COMPLETE, NULL);
  assert_derived_row (some, "library_outcomes", 0,
                      "status=failed libraries=3 ready=1 start_mean=1 start_max=1 core_seconds=2");

  /* By clocks that disagree it was ready before it was sent: neither gives a duration. */
  library (recording, "4",
           "'sent': <int64 9000000>, 'ready': <int64 8000000>, 'ended': <int64 7000000>, 'cores': <1.0>");
  early = rows_aggregate (recording, "task-lifecycle");
  rows_assert_value (early, "library_start_mean_seconds", 1);
  rows_assert_value (early, "library_core_seconds", 2);
  assert_derived_row (early, "library_outcomes", 1, "libraries=1 ready=0 core_seconds=0");
}

/* Means over those attempts of which it is known; the longest category first. */
static void
test_resources (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  task (recording, "1", 1, "p",
        "'started': <int64 1000000>, 'ended': <int64 3000000>, 'cores_requested': <2.0>, 'memory_requested': <int64 "
        "1000>, 'disk_requested': <int64 400>, 'gpus_requested': <1.0>, 'cores_used': <0.5>, 'memory_peak': <int64 "
        "700>, "
        "'disk_peak': <int64 60>, 'gpus_used': <0.0>");
  task (recording, "2", 1, "p",
        "'started': <int64 1000000>, 'ended': <int64 2000000>, 'cores_requested': <1.0>, 'memory_requested': <int64 "
        "3001>, 'disk_requested': <int64 100>, 'memory_peak': <int64 900>");
  task (recording, "3", 1, "q",
        "'started': <int64 0>, 'ended': <int64 4000000>, 'cores_allocated': <8.0>, 'memory_allocated': <int64 50>, "
        "'disk_allocated': <int64 70>, 'gpus_allocated': <2.0>");
  /* It ran for a negative time, and there are two categories without a time of execution. */
  task (recording, "4", 1, "q", "'started': <int64 9000000>, 'ended': <int64 0>");
  task (recording, "5", 1, "s", "'cores_used': <3.0>");
  task (recording, "6", 1, "r", "'disk_peak': <int64 5>");
  rows_add (recording, "tasks", "{'source': <'a'>, 'task': <'1'>, 'attempt': <int64 1>, 'gpus_used': <1.0>}");
  report = rows_aggregate (recording, "task-lifecycle");

  g_assert_cmpuint (rows_count_derived (report, "per_resource"), ==, 6);
  assert_derived_row (report, "per_resource", 0,
                      "category=q kind=allocated attempts=1 cores=8 memory=50 disk=70 gpus=2 memory_max=50 "
                      "disk_max=70");
  assert_derived_row (report, "per_resource", 1,
                      "category=p kind=requested attempts=2 cores=1.5 memory=2001 disk=250 gpus=1 memory_max=3001 "
                      "disk_max=400");
  assert_derived_row (report, "per_resource", 2,
                      "category=p kind=measured attempts=2 cores=0.5 memory=800 disk=60 gpus=0 memory_max=900 "
                      "disk_max=60");
  assert_derived_row (report, "per_resource", 3, "category=? kind=measured attempts=1 gpus=1");
  assert_derived_row (report, "per_resource", 4, "category=r kind=measured attempts=1 disk=5 disk_max=5");
  assert_derived_row (report, "per_resource", 5, "category=s kind=measured attempts=1 cores=3");
}

/* Where nothing is known about resources there is no table. */
static void
test_no_resources (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  task (recording, "1", 1, "p", "'dispatched': <int64 1000000>, 'status': <'done'>");
  report = rows_aggregate (recording, "task-lifecycle");
  g_assert_false (rows_has_derived (report, "per_resource"));
}

/* An executor may say that its record is not complete. */
static void
test_cut_transfers (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "transfers",
            "{'source': <'t'>, 'direction': <'out'>, 'bytes': <int64 600>, 'started': <int64 0>, 'ended': <int64 "
            "2000000>}");
  rows_add (recording, "transfers",
            "{'source': <'t'>, 'direction': <'out'>, 'bytes': <int64 0>, 'started': <int64 5000000>, 'ended': <int64 "
            "6000000>}");
  /* In no time at all; by a clock that was set back; of unknown size; of unknown direction. */
  rows_add (recording, "transfers",
            "{'source': <'t'>, 'direction': <'in'>, 'bytes': <int64 9>, 'started': <int64 7>, 'ended': <int64 7>}");
  rows_add (recording, "transfers",
            "{'source': <'t'>, 'direction': <'out'>, 'bytes': <int64 50>, 'started': <int64 9000000>, 'ended': <int64 "
            "8000000>}");
  rows_add (recording, "transfers",
            "{'source': <'t'>, 'direction': <'out'>, 'started': <int64 0>, 'ended': <int64 1>}");
  rows_add (recording, "transfers", "{'source': <'t'>, 'bytes': <int64 5>, 'started': <int64 0>, 'ended': <int64 1>}");
  rows_add (recording, "events", "{'kind': <'transfers-cut'>, 'message': <'the log is cut'>}");
  rows_add (recording, "events", "{'kind': <'transfers-dropped'>, 'message': <'2 are missing'>}");
  rows_add (recording, "events", "{'kind': <'transfers-dropped'>, 'message': <'3 are missing'>}");
  report = rows_aggregate (recording, "task-lifecycle");

  rows_assert_value (report, "transfer_out_bytes", 650);
  rows_assert_note (report, "transfer_out_bytes", ROAST_COMPLETENESS_ESTIMATED,
                    "column “started” of table “transfers”: the time cannot be after “ended”");
  rows_assert_value (report, "transfer_out_rate", 200);
  rows_assert_note (report, "transfer_out_rate", ROAST_COMPLETENESS_ESTIMATED, "the log is cut (and 2 more");
  rows_assert_value (report, "transfer_in_bytes", 9);
  rows_assert_unavailable (report, "transfer_in_rate", "nothing was moved in this direction");
  g_assert_cmpuint (rows_count_derived (report, "per_direction"), ==, 2);
  assert_derived_row (report, "per_direction", 0, "direction=in files=1 bytes=9 seconds=0");
  assert_derived_row (report, "per_direction", 1, "direction=out files=3 bytes=650 seconds=3");
}

static void
test_no_transfers (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = rows_aggregate (recording, "task-lifecycle");

  rows_assert_unavailable (report, "transfer_in_bytes", "no executor recorded the files that it moved");
  rows_assert_unavailable (report, "transfer_in_rate", "no executor recorded the files that it moved");
  g_assert_false (rows_has_derived (report, "per_direction"));
}

/* A part without a known time is none; parts of equal time are in the order of the alphabet. */
static void
test_executor_parts (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  budget (recording, "t", "send", 3);
  budget (recording, "t", "receive", 3);
  budget (recording, "t", "application", 4);
  rows_add (recording, "executor_times", "{'source': <'t'>, 'time': <int64 1>, 'part': <'polling'>, 'value': <0.0>}");
  rows_add (recording, "executor_times", "{'source': <'t'>, 'time': <int64 1>, 'part': <'purging'>}");
  rows_add (recording, "executor_times", "{'source': <'t'>, 'time': <int64 1>, 'value': <50.0>}");
  report = rows_aggregate (recording, "task-lifecycle");

  rows_assert_value (report, "executor_busy_ratio", 0.6);
  g_assert_cmpuint (rows_count_derived (report, "executor_time"), ==, 4);
  assert_derived_row (report, "executor_time", 0, "part=application seconds=4 share=0.4");
  assert_derived_row (report, "executor_time", 1, "part=receive seconds=3 share=0.3");
  assert_derived_row (report, "executor_time", 2, "part=send seconds=3 share=0.3");
  assert_derived_row (report, "executor_time", 3, "part=polling seconds=0 share=0");
}

/* Each source has its own samples. One with a number missing says nothing: what was before lasts. */
static void
test_idle_cores (void)
{
  static const char *const samples[] = {
    "{'source': <'a'>, 'time': <int64 0>, 'cores': <8.0>, 'cores_committed': <4.0>, 'tasks_queued': <int64 1>}",
    "{'source': <'b'>, 'time': <int64 0>, 'cores': <8.0>, 'cores_committed': <4.0>, 'tasks_queued': <int64 0>}",
    "{'source': <'a'>, 'time': <int64 2000000>, 'cores': <8.0>, 'cores_committed': <8.0>}",
    "{'source': <'a'>, 'time': <int64 3000000>, 'cores': <8.0>, 'tasks_queued': <int64 9>}",
    "{'source': <'a'>, 'time': <int64 4000000>, 'cores': <8.0>, 'cores_committed': <8.0>, 'tasks_queued': <int64 5>}",
    "{'source': <'b'>, 'time': <int64 10000000>, 'cores': <0.0>, 'cores_committed': <-1.0>, 'tasks_queued': <int64 5>}",
    /* The clock was set back. */
    "{'source': <'a'>, 'time': <int64 1000000>, 'cores': <8.0>, 'cores_committed': <8.0>, 'tasks_queued': <int64 5>}",
    "{'source': <'a'>, 'time': <int64 3000000>, 'cores': <8.0>, 'cores_committed': <8.0>, 'tasks_queued': <int64 5>}",
    "{'source': <'b'>, 'time': <int64 14000000>, 'cores': <8.0>, 'cores_committed': <8.0>, 'tasks_queued': <int64 5>}",
  };
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  budget (recording, "a", "send", 1);
  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    rows_add (recording, "cluster_samples", samples[i]);
  report = rows_aggregate (recording, "task-lifecycle");
  /* 4 of 6 s of a, and none of 14 s of b. */
  g_assert_cmpstr (g_variant_get_string (roast_metric_get_value (rows_get_metric (report, "executor_verdict")), NULL),
                   ==,
                   "the executor was busy for 100 % of its time, and the program did something else for 0 %; cores "
                   "were idle while tasks waited for 20 % of the time");
}

/* Of each source the greatest number counts, and of the memory the greatest share. */
static void
test_recovery (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) none = NULL;
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "cluster_samples", "{'source': <'a'>, 'time': <int64 1>, 'memory_committed': <int64 5>}");
  rows_add (recording, "cluster_samples",
            "{'source': <'a'>, 'time': <int64 1>, 'memory_committed': <int64 5>, 'memory_limit': <int64 0>}");
  none = rows_aggregate (recording, "task-lifecycle");
  rows_assert_unavailable (none, "recovery_tasks_total", "counts such tasks separately");
  rows_assert_unavailable (none, "committed_memory_peak_ratio", "no executor recorded");

  rows_add (recording, "cluster_samples", "{'source': <'b'>, 'time': <int64 1>, 'tasks_recovery': <int64 0>}");
  rows_add (recording, "cluster_samples",
            "{'source': <'a'>, 'time': <int64 1>, 'tasks_recovery': <int64 2>, 'memory_committed': <int64 0>, "
            "'memory_limit': <int64 4>}");
  rows_add (recording, "cluster_samples", "{'source': <'a'>, 'time': <int64 2>, 'tasks_recovery': <int64 5>}");
  rows_add (recording, "cluster_samples", "{'source': <'a'>, 'time': <int64 3>, 'tasks_recovery': <int64 4>}");
  rows_add (recording, "cluster_samples", "{'source': <'b'>, 'time': <int64 3>, 'tasks_recovery': <int64 3>}");
  report = rows_aggregate (recording, "task-lifecycle");
  rows_assert_value (report, "recovery_tasks_total", 8);
  rows_assert_value (report, "committed_memory_peak_ratio", 0);
}

/* 0 recovery tasks are a number. */
static void
test_no_recovery (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "cluster_samples", "{'source': <'b'>, 'time': <int64 1>, 'tasks_recovery': <int64 0>}");
  report = rows_aggregate (recording, "task-lifecycle");
  rows_assert_value (report, "recovery_tasks_total", 0);
}

/* One attempt, for less than a second. Its start is unknown, so that it may have begun when it was delivered. */
static void
test_one_attempt (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;
#define VAGUE " estimated: the start of attempts without a result is unknown"

  task (recording, "1", 1, "p",
        "'dispatched': <int64 250000>, 'delivered': <int64 500000>, 'ended': <int64 1000000>, 'status': <'lost'>, "
        "'memory_peak': <int64 7>");
  report = rows_aggregate (recording, "task-lifecycle");
  assert_metric (report, "wasted_core_seconds", "0.5" VAGUE);
  assert_metric (report, "wasted_ratio", "1.0" VAGUE);
  assert_metric (report, "queue_time_mean_seconds", "0.25");
  assert_metric (report, "queue_time_max_seconds", "0.25");
  assert_metric (report, "task_memory_peak_bytes", "7");
#undef VAGUE
}

/* The most wasted first, then the lower exit code, then by name; of hosts the one with the most, then by name. */
static void
test_order_of_waste (void)
{
  static const char *const losses[][3] = {
    { "1", "'b'", "10" }, { "2", "'f'", "10" }, { "2", "'a'", "10" }, { "2", "'c'", "10" },
    { "3", "'d'", "20" }, { "1", "'g'", "10" }, { "0", "'e'", "5" },
  };
  static const char *const expected[] = { "d", "b", "g", "a", "c", "f", "e" };
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  for (guint i = G_N_ELEMENTS (losses); i-- > 0;)
    {
      g_autofree char *id = g_strdup_printf ("%u", i);
      g_autofree char *cells =
          g_strdup_printf ("'dispatched': <int64 0>, 'started': <int64 0>, 'ended': <int64 %s>, 'status': <'failed'>, "
                           "'exit_code': <int64 %s>, 'error': <%s>",
                           losses[i][2], losses[i][0], losses[i][1]);

      task (recording, id, 1, "p", cells);
    }
  worker (recording, "a", "w1", "zeta");
  worker (recording, "a", "w2", "alpha");
  failure (recording, "a", "w1", 9);
  failure (recording, "a", "w2", 9);
  report = rows_aggregate (recording, "task-lifecycle");
  g_assert_cmpuint (rows_count_derived (report, "wasted"), ==, G_N_ELEMENTS (expected) + 1);
  assert_derived (report, "wasted", 0, "hosts", "alpha (1), zeta (1)");
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    assert_derived (report, "wasted", i + 1, "reason", expected[i]);
}

/* Equals are in the order of the alphabet, in whichever order they came. */
static void
test_equals (void)
{
  static const char *const names[] = { "b", "c", "a" };
  static const char *const parts[] = { "receive", "send", "purging" };
  static const char *const in_order[] = { "purging", "receive", "send" };
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *cells = g_strdup_printf ("'sent': <int64 0>, 'status': <'done'>, 'result': <'%s'>", names[i]);

      task (recording, names[i], 1, names[i],
            "'dispatched': <int64 0>, 'started': <int64 0>, 'ended': <int64 1000000>, 'status': <'done'>, "
            "'cores_used': "
            "<1.0>");
      library (recording, names[i], cells);
      budget (recording, "a", parts[i], 1);
    }
  report = rows_aggregate (recording, "task-lifecycle");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const char name[] = { (char) ('a' + i), '\0' };

      assert_derived (report, "per_phase", 2 * i, "category", name);
      assert_derived (report, "per_resource", i, "category", name);
      assert_derived (report, "library_outcomes", i, "result", name);
      assert_derived (report, "executor_time", i, "part", in_order[i]);
    }
}

/* Files that were moved in no time, or that were empty. */
static void
test_quick_transfers (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) one = NULL;
  g_autoptr (RoastReport) two = NULL;

  rows_add (recording, "transfers",
            "{'source': <'t'>, 'direction': <'in'>, 'bytes': <int64 1>, 'started': <int64 0>, 'ended': <int64 "
            "500000>}");
  one = rows_aggregate (recording, "task-lifecycle");
  assert_metric (one, "transfer_in_bytes", "1");
  assert_metric (one, "transfer_in_rate", "2.0");
  assert_metric (one, "transfer_out_bytes", "0");

  rows_add (recording, "transfers",
            "{'source': <'t'>, 'direction': <'in'>, 'bytes': <int64 4>, 'started': <int64 0>, 'ended': <int64 0>}");
  rows_add (recording, "transfers",
            "{'source': <'t'>, 'direction': <'out'>, 'bytes': <int64 0>, 'started': <int64 0>, 'ended': <int64 9>}");
  two = rows_aggregate (recording, "task-lifecycle");
  assert_metric (two, "transfer_in_rate", "10.0");
  assert_metric (two, "transfer_out_rate", "n/a: nothing was moved in this direction");
}

/* A library that was sent at time 0 and never ready, among others whose calls are known. */
static void
test_odd_libraries (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  library (recording, "1",
           "'sent': <int64 0>, 'status': <'done'>, 'result': <'b'>, 'cores': <1.0>, 'calls': <int64 2>");
  library (recording, "2", "'sent': <int64 0>, 'status': <'done'>, 'result': <'a'>, 'cores': <1.0>");
  library (recording, "3",
           "'sent': <int64 0>, 'ended': <int64 1000000>, 'status': <'done'>, 'result': <'c'>, 'cores': <1.0>, 'calls': "
           "<int64 1>");
  report = rows_aggregate (recording, "task-lifecycle");
  assert_derived_row (report, "library_outcomes", 0, "status=done result=c libraries=1 ready=0 core_seconds=1 calls=1");
  assert_derived_row (report, "library_outcomes", 1, "status=done result=a libraries=1 ready=0 core_seconds=0");
  assert_derived_row (report, "library_outcomes", 2, "status=done result=b libraries=1 ready=0 core_seconds=0 calls=2");
  assert_metric (report, "libraries_total", "3");
  assert_metric (report, "library_calls_total", "3 partial: excludes workers that had several libraries at a time");
}

/* Categories that ran for the shortest time, and means over several attempts. */
static void
test_small_resources (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  task (recording, "1", 1, "a", "'gpus_used': <3.0>");
  task (recording, "4", 1, "a", "'gpus_used': <3.0>");
  task (recording, "2", 1, "z", "'started': <int64 0>, 'ended': <int64 1>, 'gpus_used': <3.0>");
  task (recording, "3", 1, "z", "'gpus_used': <1.0>");
  report = rows_aggregate (recording, "task-lifecycle");
  g_assert_cmpuint (rows_count_derived (report, "per_resource"), ==, 2);
  assert_derived_row (report, "per_resource", 0, "category=z kind=measured attempts=2 gpus=2");
  assert_derived_row (report, "per_resource", 1, "category=a kind=measured attempts=2 gpus=3");
}

/* One core was idle for a tenth of the shortest time while tasks waited. A sample without a time says nothing. */
static void
test_short_idleness (void)
{
  static const char *const samples[] = {
    "{'source': <'a'>, 'cores': <1.0>, 'cores_committed': <0.0>, 'tasks_queued': <int64 1>}",
    "{'source': <'a'>, 'time': <int64 100>, 'cores': <1.0>, 'cores_committed': <0.0>, 'tasks_queued': <int64 1>}",
    "{'source': <'a'>, 'time': <int64 101>, 'cores': <1.0>, 'cores_committed': <1.0>, 'tasks_queued': <int64 1>}",
    "{'source': <'a'>, 'cores': <1.0>, 'cores_committed': <0.0>, 'tasks_queued': <int64 1>}",
    "{'source': <'a'>, 'time': <int64 110>, 'cores': <1.0>, 'cores_committed': <1.0>, 'tasks_queued': <int64 1>}",
  };
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  budget (recording, "a", "send", 0.5);
  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    rows_add (recording, "cluster_samples", samples[i]);
  rows_add (recording, "cluster_samples",
            "{'source': <'a'>, 'time': <int64 1>, 'memory_committed': <int64 1>, 'memory_limit': <int64 1>}");
  report = rows_aggregate (recording, "task-lifecycle");
  assert_metric (report, "executor_verdict",
                 "the executor was busy for 100 % of its time, and the program did something else for 0 %; cores were "
                 "idle while tasks waited for 10 % of the time");
  assert_metric (report, "executor_busy_ratio", "1.0");
  assert_metric (report, "executor_application_ratio", "0.0");
  rows_assert_value (report, "committed_memory_peak_ratio", 1);
}

/* One sample lasts for no time. */
static void
test_one_sample (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  budget (recording, "taskvine-1", "send", 1);
  sample (recording, 1, 4, 5);
  report = rows_aggregate (recording, "task-lifecycle");
  assert_metric (report, "executor_verdict", "n/a: no sample shows idle cores and waiting tasks together");
}

static void
test_empty (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = rows_aggregate (recording, "task-lifecycle");
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (report);

  g_assert_cmpuint (metrics->len, ==, 21);
  for (guint i = 0; i < metrics->len; i++)
    g_assert_false (roast_metric_is_available (g_ptr_array_index (metrics, i)));
  g_assert_false (rows_has_derived (report, "per_phase"));
  g_assert_false (rows_has_derived (report, "per_direction"));
  g_assert_false (rows_has_derived (report, "executor_time"));
}

/* A cell that some tasks lack is unknown, although no row of the table coverage says so. A task that is not done needs
 * none, and an executor that never has one is no gap. */
static void
test_unsaid (void)
{
  static const char *const others[] = { "'dispatched': <int64 2000000>, 'status': <'done'>", "'status': <'cancelled'>",
                                        "'status': <'done'>" };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
      g_autoptr (RoastReport) report = NULL;

      task (recording, "1", 1, "p", "'dispatched': <int64 1000000>, 'status': <'done'>");
      task (recording, "2", 1, "p", others[i]);
      rows_add (recording, "tasks",
                "{'source': <'other'>, 'task': <'1'>, 'attempt': <int64 1>, 'submitted': <int64 0>, 'status': "
                "<'done'>}");
      report = rows_aggregate (recording, "task-lifecycle");
      rows_assert_value (report, "queue_time_mean_seconds", i == 0 ? 1.5 : 1);
      rows_assert_note (report, "queue_time_mean_seconds",
                        i == 2 ? ROAST_COMPLETENESS_ESTIMATED : ROAST_COMPLETENESS_COMPLETE,
                        i == 2 ? "dispatched is unknown for 1 of 2 rows of tasks" : NULL);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/task-lifecycle/attempts", test_attempts);
  g_test_add_func ("/task-lifecycle/wasted", test_wasted);
  g_test_add_func ("/task-lifecycle/unsaid", test_unsaid);
  g_test_add_func ("/task-lifecycle/unknown-start", test_unknown_start);
  g_test_add_func ("/task-lifecycle/phases", test_phases);
  g_test_add_func ("/task-lifecycle/no-waste", test_no_waste);
  g_test_add_func ("/task-lifecycle/transfers", test_transfers);
  g_test_add_func ("/task-lifecycle/executor", test_executor);
  g_test_add_func ("/task-lifecycle/verdict", test_verdict);
  g_test_add_func ("/task-lifecycle/memory", test_memory);
  g_test_add_func ("/task-lifecycle/exit-codes", test_exit_codes);
  g_test_add_func ("/task-lifecycle/kinds-of-waste", test_kinds_of_waste);
  g_test_add_func ("/task-lifecycle/late", test_late);
  g_test_add_func ("/task-lifecycle/vague-waste", test_vague_waste);
  g_test_add_func ("/task-lifecycle/untimed", test_untimed);
  g_test_add_func ("/task-lifecycle/blocked", test_blocked);
  g_test_add_func ("/task-lifecycle/dropped", test_dropped);
  g_test_add_func ("/task-lifecycle/libraries", test_libraries);
  g_test_add_func ("/task-lifecycle/unknown-calls", test_unknown_calls);
  g_test_add_func ("/task-lifecycle/resources", test_resources);
  g_test_add_func ("/task-lifecycle/no-resources", test_no_resources);
  g_test_add_func ("/task-lifecycle/cut-transfers", test_cut_transfers);
  g_test_add_func ("/task-lifecycle/no-transfers", test_no_transfers);
  g_test_add_func ("/task-lifecycle/executor-parts", test_executor_parts);
  g_test_add_func ("/task-lifecycle/idle-cores", test_idle_cores);
  g_test_add_func ("/task-lifecycle/recovery", test_recovery);
  g_test_add_func ("/task-lifecycle/no-recovery", test_no_recovery);
  g_test_add_func ("/task-lifecycle/one-attempt", test_one_attempt);
  g_test_add_func ("/task-lifecycle/order-of-waste", test_order_of_waste);
  g_test_add_func ("/task-lifecycle/equals", test_equals);
  g_test_add_func ("/task-lifecycle/quick-transfers", test_quick_transfers);
  g_test_add_func ("/task-lifecycle/odd-libraries", test_odd_libraries);
  g_test_add_func ("/task-lifecycle/small-resources", test_small_resources);
  g_test_add_func ("/task-lifecycle/short-idleness", test_short_idleness);
  g_test_add_func ("/task-lifecycle/one-sample", test_one_sample);
  g_test_add_func ("/task-lifecycle/empty", test_empty);

  return g_test_run ();
}
