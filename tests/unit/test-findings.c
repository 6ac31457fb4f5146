/* SPDX-License-Identifier: BSD-3-Clause */

/* The rules of the aggregator “findings”: for each one a recording in which it must speak, and a similar one in which
 * it must not. They change one thing of a run in which nothing stands out. */

#include <math.h>
#include <roast/roast.h>

#include "rows.h"

#define S ((double) G_USEC_PER_SEC)
#define AGGREGATORS "processes workload windows workers tasks task-activity task-lifecycle core-time findings"

/* A run on workers of one core: tasks come one after the other on each. */
typedef struct
{
  guint n_workers, n_per_worker;
  double first;               /* s, when the first tasks start; they are submitted one second before */
  double submitted;           /* s, if that is not when they are */
  double joined;              /* s, when workers join, if that is not after one */
  double time, gap;           /* s, of a task, and before it, while others wait */
  double cpu;                 /* share of their time */
  double slow;                /* times as long as others, */
  guint n_slow;               /* on the first workers */
  guint n_slow_tasks;         /* of each of them: the first ones; 0: all */
  gboolean is_waiting_longer; /* they are slow without more CPU time */
  double straggler;           /* s, of one more task on the first worker, */
  gboolean is_waiting;        /* which does not compute */
  double move;                /* s, in which inputs are sent, */
  double fetch;               /* and in which results are fetched */
  gboolean is_fetched;        /* inputs, by the workers: no slot is held then */
  gboolean is_staged;         /* the same, and the slot is held */
  guint n_failed;             /* attempts that fail, on the first worker, */
  gboolean is_retried;        /* and are repeated */
  guint n_idle;               /* workers without a task */
  double kept;                /* s for which workers stay after their last task */
  gboolean is_chain;          /* each task needs those before it on its worker */
  const char *limits;         /* cells of workers */
  double late;                /* s, loop of the executor, in each of n_late samples */
  guint n_late;
  guint n_allocated; /* cores of a worker and of each task */
} Run;

/* Nothing stands out. */
static const Run healthy = { .n_workers = 4, .n_per_worker = 9, .first = 4, .time = 10, .cpu = 0.95, .n_allocated = 1 };

typedef struct
{
  const char *name;
  double value;
} Number;

typedef struct
{
  RoastRecording *recording;
  RoastReport *report;
} Result;

static void
result_clear (Result *result)
{
  g_clear_object (&result->recording);
  g_clear_object (&result->report);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Result, result_clear)

G_GNUC_PRINTF (3, 4)
static void
add_row (RoastRecording *recording, const char *table, const char *format, ...)
{
  g_autofree char *row = NULL;
  va_list arguments;

  va_start (arguments, format);
  row = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  rows_add (recording, table, row);
}

/* Tasks differ by some percent, as they do. */
static double
vary (guint worker, guint i)
{
  return 1 + 0.03 * ((double) ((worker * 7 + i * 5) % 11) / 5 - 1);
}

static double
get_submitted (const Run *run)
{
  return run->submitted > 0 ? run->submitted : run->first - 1;
}

static double
get_ready (const Run *run, double start)
{
  return run->is_chain ? start - run->gap / 10 : get_submitted (run);
}

static double
add_task (RoastRecording *recording, const Run *run, guint worker, guint id, guint attempt, double start, double time,
          const char *status)
{
  double moved = start + run->move;
  g_autofree char *error = g_str_equal (status, "failed")
                               ? g_strdup (", 'error': <'FileNotFoundError'>, 'message': <'no such file: mc/x.root'>")
                               : g_strdup ("");
  g_autofree char *fetched =
      run->fetch > 0 ? g_strdup_printf ("'retrieved': <int64 %.0f>, ", (moved + time + run->fetch) * S) : g_strdup ("");
  g_autofree char *delivered =
      run->is_staged ? g_strdup_printf (", 'delivered': <int64 %.0f>", (start + 0.1) * S) : g_strdup ("");
  g_autofree char *inputs =
      run->is_fetched ? g_strdup_printf ("'delivered': <int64 %.0f>", moved * S)
                      : g_strdup_printf ("'cores': <%u.0>, 'cores_requested': <%u.0>, 'cores_allocated': <%u.0>%s",
                                         run->n_allocated, run->n_allocated, run->n_allocated, delivered);

  add_row (recording, "tasks",
           "{'source': <'x'>, 'task': <'%u'>, 'attempt': <int64 %u>, 'category': <'process'>, 'worker': <'w%u'>, "
           "'submitted': <int64 %.0f>, 'ready': <int64 %.0f>, 'dispatched': <int64 %.0f>, 'started': <int64 %.0f>, "
           "'ended': <int64 %.0f>, %s"
           "'status': <'%s'>, 'cpu': <%.6f>, %s%s}",
           id, attempt, worker, get_submitted (run) * S, get_ready (run, start) * S, start * S, moved * S,
           (moved + time) * S, fetched, status, run->cpu * time, inputs, error);

  return moved + time + run->fetch;
}

static gboolean
is_slow (const Run *run, guint worker, guint task)
{
  return worker < run->n_slow && (run->n_slow_tasks == 0 || task < run->n_slow_tasks);
}

static double
add_tasks (RoastRecording *recording, const Run *run, guint worker)
{
  double now = run->first;
  guint id = worker * 1000;

  for (guint i = 0; i < run->n_per_worker; i++)
    {
      double slow = is_slow (run, worker, i) ? run->slow : 1;
      double time = run->time * vary (worker, i) * slow;
      Run task = *run;

      task.cpu = run->is_waiting_longer ? run->cpu / slow : run->cpu;
      now += i > 0 ? run->gap : 0;
      if (worker == 0 && i < run->n_failed)
        now = add_task (recording, &task, worker, id + i, 1, now, time, "failed");
      if (worker > 0 || i >= run->n_failed || run->is_retried)
        now = add_task (recording, &task, worker, id + i, worker == 0 && i < run->n_failed ? 2 : 1, now, time, "done");
    }
  if (worker == 0 && run->straggler > 0)
    {
      Run late = *run;

      late.cpu = run->is_waiting ? 0 : 0.95;
      now = add_task (recording, &late, worker, 999, 1, now, run->straggler, "done");
    }

  return now;
}

static RoastRecording *
record (const Run *run)
{
  RoastRecording *recording = roast_recording_new (NULL);
  double ended = 0;

  rows_add (recording, "sources", "{'source': <'x'>}");
  for (guint i = 0; i < run->n_workers; i++)
    ended = fmax (ended, add_tasks (recording, run, i) + 1 + run->kept);
  for (guint i = 0; i < run->n_workers + run->n_idle; i++)
    add_row (recording, "workers",
             "{'source': <'x'>, 'worker': <'w%u'>, 'host': <'%s'>, 'cores': <%u.0>, 'joined': <int64 %.0f>, 'left': "
             "<int64 %.0f>%s}",
             i, i < 2 ? "near" : "far", run->n_allocated, (run->joined > 0 ? run->joined : 1) * S, ended * S,
             run->limits != NULL && i == 0 ? run->limits : "");
  for (guint i = 0; i < run->n_late; i++)
    add_row (recording, "cluster_samples", "{'source': <'x'>, 'time': <int64 %.0f>, 'lateness': <%.6f>}",
             (ended / 2 + i) * S, run->late);
  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (0));
  roast_recording_set_metadata (recording, "ended", g_variant_new_int64 ((gint64) (ended * S)));

  return recording;
}

/* @numbers: metrics that the recording has no rows for, to the first without a name; or NULL */
static RoastReport *
aggregate (RoastRecording *recording, const Number *numbers)
{
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  RoastReport *report = roast_report_new (roast_registry_get_schema (registry));
  g_auto (GStrv) names = g_strsplit (AGGREGATORS, " ", -1);

  for (guint i = 0; numbers != NULL && numbers[i].name != NULL; i++)
    roast_report_add_double (report, numbers[i].name, numbers[i].value, ROAST_COMPLETENESS_COMPLETE, NULL);
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (RoastAggregator) aggregator = roast_registry_create_aggregator (registry, names[i], &error);

      g_assert_no_error (error);
      roast_aggregator_aggregate (aggregator, snapshot, report, NULL, &error);
      g_assert_no_error (error);
    }

  return report;
}

static Result
measure (const Run *run, const Number *numbers)
{
  Result result = { record (run), NULL };

  result.report = aggregate (result.recording, numbers);

  return result;
}

/* The state of a rule, and its reason. */
static const char *
get_state (RoastReport *report, const char *rule, char **reason)
{
  g_autoptr (RoastTableReader) rules = roast_report_read_table (report, ROAST_TABLE_RULES, roast_rules_columns, NULL);

  while (roast_table_reader_next (rules))
    if (g_str_equal (roast_table_reader_get_string (rules, ROAST_RULES_RULE), rule))
      {
        *reason = g_strdup (roast_table_reader_get_string (rules, ROAST_RULES_REASON));
        return roast_rule_state_words[roast_table_reader_get_word (rules, ROAST_RULES_STATE)];
      }

  return "missing";
}

static void
check_state (RoastReport *report, const char *rule, const char *expected)
{
  g_autofree char *reason = NULL;
  const char *state = get_state (report, rule, &reason);

  g_test_message ("%s: %s: %s", rule, state, reason);
  g_assert_cmpstr (state, ==, expected);
  g_assert_true ((reason == NULL) == g_str_equal (expected, "spoke"));
}

/* The finding with that rank, from 0. */
static RoastFinding *
get_finding (RoastReport *report, guint rank)
{
  g_autoptr (GPtrArray) list = roast_report_list_findings (report);

  for (guint i = 0; i < list->len; i++)
    {
      RoastFinding *finding = g_ptr_array_index (list, i);

      g_test_message ("%s %.3f: %s %s", roast_finding_get_rule (finding), roast_finding_get_share (finding),
                      roast_finding_get_text (finding), roast_finding_get_advice (finding));
    }
  g_assert_cmpuint (list->len, >, rank);

  return g_ptr_array_index (list, rank);
}

/* The first finding is of that rule, has all parts of the text, and says what to do. */
static void
check_first (RoastReport *report, const char *rule, double share, const char *part)
{
  RoastFinding *finding = get_finding (report, 0);

  g_assert_cmpstr (roast_finding_get_rule (finding), ==, rule);
  g_assert_nonnull (strstr (roast_finding_get_text (finding), part));
  g_assert_nonnull (roast_finding_get_advice (finding));
  g_assert_cmpuint (roast_finding_get_n_evidence (finding), >, 0);
  if (isnan (share))
    g_assert_true (isnan (roast_finding_get_share (finding)));
  else
    g_assert_cmpfloat_with_epsilon (roast_finding_get_share (finding), share, 0.02);
}

static void
check_state_of_run (const Run *run, const Number *numbers, const char *rule, const char *expected)
{
  g_auto (Result) result = measure (run, numbers);

  check_state (result.report, rule, expected);
}

static void
check_first_of_run (const Run *run, const Number *numbers, const char *rule, double share, const char *part)
{
  g_auto (Result) result = measure (run, numbers);

  check_first (result.report, rule, share, part);
}

static void
check_evidence (RoastReport *report, const char *name, const char *expected)
{
  RoastFinding *finding = get_finding (report, 0);

  for (guint i = 0; i < roast_finding_get_n_evidence (finding); i++)
    if (g_str_equal (roast_finding_get_evidence_name (finding, i), name))
      {
        GVariant *value = roast_finding_get_evidence_value (finding, i);
        g_autofree char *number = g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE)
                                      ? g_strdup_printf ("%g", g_variant_get_double (value))
                                      : NULL;

        g_assert_cmpstr (number != NULL ? number : g_variant_get_string (value, NULL), ==, expected);
        return;
      }
  g_error ("there is no evidence %s", name);
}

static void
check_unit (RoastReport *report, const char *name, const char *expected)
{
  RoastFinding *finding = get_finding (report, 0);
  guint i = 0;

  while (!g_str_equal (roast_finding_get_evidence_name (finding, i), name))
    i++;
  g_assert_cmpstr (roast_finding_get_evidence_unit (finding, i), ==, expected);
}

/* ---- nothing stands out ---- */

static void
test_healthy (void)
{
  static const Number numbers[] = {
    { "run_queue_seconds", 3 }, { "process_cpu_time_seconds", 350 }, { "cores_available", 8 },
    { "own_cpu_seconds", 2 },   { "read_amplification_ratio", 1.1 }, { NULL, 0 }
  };
  static const char *const silent[] = { "starved",       "waiting",      "few-tasks", "idle-workers",  "stragglers",
                                        "start-up",      "short-tasks",  "moving",    "executor",      "slower-host",
                                        "slower-worker", "serialising",  "failures",  "amplification", "requests",
                                        "measurement",   "lost-workers", "limits",    "never-ran" };
  g_auto (Result) result = measure (&healthy, numbers);
  g_autoptr (GPtrArray) findings = roast_report_list_findings (result.report);

  for (guint i = 0; i < findings->len; i++)
    g_test_message ("%s", roast_finding_get_text (g_ptr_array_index (findings, i)));
  g_assert_cmpuint (findings->len, ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (silent); i++)
    check_state (result.report, silent[i], "silent");
  check_state (result.report, "libraries", "not-applicable");
  check_state (result.report, "memory", "incomplete");
}

/* A recording of nothing. */
static void
test_nothing (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = aggregate (recording, NULL);
  g_autoptr (GPtrArray) findings = roast_report_list_findings (report);

  g_assert_cmpuint (findings->len, ==, 0);
  check_state (report, "stragglers", "not-applicable");
  check_state (report, "starved", "incomplete");
  check_state (report, "failures", "not-applicable");
}

/* ---- one thing differs ---- */

static void
test_start_up (void)
{
  Run run = healthy;

  run.first = 80;
  {
    g_auto (Result) slow = measure (&run, NULL);

    check_first (slow.report, "start-up", 0.46, "The first task of the analysis started only after");
    check_evidence (slow.report, "first_submitted", "79");
  }
  {
    g_autoptr (RoastRecording) recording = record (&run);
    g_autoptr (RoastReport) report = NULL;

    rows_add (recording, "tasks",
              "{'source': <'x'>, 'task': <'0'>, 'attempt': <int64 7>, 'category': <'process'>, 'worker': <'w0'>, "
              "'dispatched': <int64 5000000>, 'noticed': <int64 70000000>, 'status': <'lost'>}");
    report = aggregate (recording, NULL);
    check_state (report, "start-up", "silent");
  }
  run.first = 30;
  check_state_of_run (&run, NULL, "start-up", "silent");
}

/* The worker of the first attempts vanished. It is unknown when these started, but they ran. */
static void
test_start_up_with_lost_attempts (void)
{
  Run run = healthy;
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastReport) report = NULL;

  run.first = 80;
  recording = record (&run);
  rows_add (recording, "tasks",
            "{'source': <'x'>, 'task': <'lost'>, 'attempt': <int64 1>, 'category': <'c'>, 'worker': <'w0'>, "
            "'dispatched': <int64 5000000>, 'ended': <int64 75000000>, 'cores_allocated': <1.0>, 'status': <'lost'>}");
  report = aggregate (recording, NULL);
  check_state (report, "start-up", "silent");
  check_state (report, "lost-workers", "spoke");
  check_first (report, "no-work", 0.36, "0 % before the first task of the analysis");
}

/* The first task of the run is that of another executor than the one with the most cores. */
static void
test_start_up_of_several (void)
{
  Run run = healthy;
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastReport) report = NULL;

  run.first = 80;
  recording = record (&run);
  rows_add (recording, "sources", "{'source': <'y'>}");
  rows_add (recording, "workers",
            "{'source': <'y'>, 'worker': <'v'>, 'cores': <1.0>, 'joined': <int64 1000000>, 'left': <int64 13000000>}");
  rows_add (recording, "tasks",
            "{'source': <'y'>, 'task': <'1'>, 'attempt': <int64 1>, 'category': <'c'>, 'worker': <'v'>, 'started': "
            "<int64 2000000>, 'ended': <int64 12000000>, 'status': <'done'>}");
  report = aggregate (recording, NULL);
  check_state (report, "start-up", "silent");
}

/* A function of the program blocks the event loop of a worker, which cannot start its first task meanwhile; or a plugin
 * blocks that of the executor. */
static void
test_blocked_start (void)
{
  static const struct
  {
    const char *table, *row, *advice;
  } cases[] = {
    { "worker_samples", "{'source': <'x'>, 'worker': <'w0'>, 'time': <int64 80500000>, 'lateness': <70.0>}",
      "Do not block the event loops of workers: run functions as tasks, and import large modules, such as those of the "
      "first tasks, when workers start." },
    { "cluster_samples", "{'source': <'x'>, 'time': <int64 80500000>, 'lateness': <70.0>}",
      "Keep long-running work out of the executor's event loop, such as large graphs, callbacks, plugins and large "
      "results." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Run run = healthy;
      g_autoptr (RoastRecording) recording = NULL;
      g_autoptr (RoastReport) report = NULL;
      RoastFinding *finding = NULL;

      run.first = 80;
      run.cpu = 0.6;
      run.submitted = 5;
      run.joined = 1;
      recording = record (&run);
      rows_add (recording, cases[i].table, cases[i].row);
      report = aggregate (recording, NULL);
      finding = get_finding (report, 0);
      g_assert_cmpstr (roast_finding_get_rule (finding), ==, "start-up");
      g_assert_cmpstr (roast_finding_get_advice (finding), ==, cases[i].advice);
    }
}

/* Nearly no core time is offered before the first task: what is lost is a part of the run. */
static void
test_no_workers (void)
{
  static const struct
  {
    double submitted, joined;
    const char *advice, *other;
  } cases[] = {
    { 5, 79.9, "Start workers before the program", "before you submit the first task" },
    /* A manager that is asleep accepts no worker; a program that waits for workers submits nothing. */
    { 79.8, 79.9, "Start workers before the program", NULL },
    { 79.9, 79.8, "before you submit the first task", NULL },
    { 79, 70, "before you submit the first task", NULL },
    { 79, 1, "Do less work before you submit the first task", "Start workers" },
    /* That its tasks waited then is said once. */
    { 5, 1, "Check what workers do before their first task", "Start workers" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Run run = healthy;
      RoastFinding *finding = NULL;
      g_auto (Result) result = { NULL, NULL };

      run.first = 80;
      run.cpu = 0.6;
      run.submitted = cases[i].submitted;
      run.joined = cases[i].joined;
      result = measure (&run, NULL);
      if (cases[i].joined > 75)
        {
          finding = get_finding (result.report, 0);
          g_assert_cmpfloat_with_epsilon (roast_finding_get_run_share (finding), 80. / 172, 0.01);
          g_assert_cmpfloat (roast_finding_get_share (finding), <, 0.01);
        }
      else
        finding = get_finding (result.report, cases[i].joined > 60 ? 1 : 0);
      g_assert_cmpstr (roast_finding_get_rule (finding), ==, "start-up");
      g_assert_nonnull (strstr (roast_finding_get_advice (finding), cases[i].advice));
      g_assert_true (cases[i].other == NULL || strstr (roast_finding_get_advice (finding), cases[i].other) == NULL);
      check_state (result.report, "executor", "silent");
    }
}

static void
test_stragglers (void)
{
  Run run = healthy;

  run.straggler = 60;
  {
    g_auto (Result) late = measure (&run, NULL);

    check_first (late.report, "stragglers", 0.28, "task “999” (process) on worker w0 took");
    check_evidence (late.report, "worker", "w0");
  }
  /* It is longer than others, but ran for a small part of the tail. */
  run.straggler = 26;
  run.kept = 320;
  {
    g_autoptr (RoastRecording) recording = record (&run);
    g_autoptr (RoastReport) report = NULL;

    add_task (recording, &run, 0, 998, 1, 400, 26, "done");
    report = aggregate (recording, NULL);
    check_state (report, "stragglers", "silent");
  }
  run.kept = 0;
  /* As long as the others. */
  run.straggler = 11;
  check_state_of_run (&run, NULL, "stragglers", "silent");
}

/* One task that hangs is a straggler; many that wait are not, even if one of them is late. */
static void
test_waiting_straggler (void)
{
  Run run = healthy;

  run.n_workers = 2;
  run.straggler = 400;
  run.is_waiting = TRUE;
  {
    g_auto (Result) hung = measure (&run, NULL);

    check_first (hung.report, "stragglers", 0.4, "task “999” (process) on worker w0 took");
    check_state (hung.report, "waiting", "silent");
  }
  run.straggler = 60;
  run.is_waiting = FALSE;
  run.cpu = 0.2;
  {
    g_auto (Result) all = measure (&run, NULL);

    check_first (all.report, "waiting", 0.46, "Tasks");
    check_state (all.report, "stragglers", "spoke");
  }
}

/* One task in the middle, whose result all later ones need. */
static void
test_barrier (void)
{
  Run run = healthy;
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "sources", "{'source': <'x'>}");
  for (guint i = 0; i < 2; i++)
    add_row (recording, "workers",
             "{'source': <'x'>, 'worker': <'w%u'>, 'cores': <1.0>, 'joined': <int64 1000000>, 'left': <int64 %.0f>}", i,
             165 * S);
  for (guint i = 0; i < 10; i++)
    add_task (recording, &run, i % 2, i, 1, 4 + 10 * (i / 2), 10, "done");
  run.cpu = 0;
  add_task (recording, &run, 1, 999, 1, 54, 60, "done");
  run = healthy;
  run.is_chain = TRUE;
  for (guint i = 10; i < 20; i++)
    add_task (recording, &run, i % 2, i, 1, 114 + 10 * ((i - 10) / 2), 10, "done");
  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (0));
  roast_recording_set_metadata (recording, "ended", g_variant_new_int64 (165 * S));
  report = aggregate (recording, NULL);

  check_first (report, "stragglers", 60. / 328, "While this task ran, cores were free for 1 min 00 s");
  check_evidence (report, "task", "999");
  check_state (report, "waiting", "silent");
  check_state (report, "dependencies", "silent");
}

/* The tail is long because there are few tasks, all of which take as long. */
static void
test_tail_without_straggler (void)
{
  Run run = healthy;
  g_auto (Result) result = { NULL, NULL };

  run.n_per_worker = 2;
  run.straggler = 10;
  result = measure (&run, NULL);
  check_state (result.report, "stragglers", "silent");
}

/* @time: s, of a task that is the only one of its category and starts when all others have ended */
static RoastReport *
measure_alone (double time)
{
  Run run = healthy;
  g_autoptr (RoastRecording) recording = NULL;

  run.kept = time + 3;
  recording = record (&run);
  add_row (recording, "tasks",
           "{'source': <'x'>, 'task': <'all'>, 'attempt': <int64 1>, 'category': <'merge'>, 'worker': <'w0'>, "
           "'submitted': <int64 3000000>, 'ready': <int64 96000000>, 'dispatched': <int64 96000000>, 'started': <int64 "
           "96000000>, 'ended': <int64 %.0f>, 'status': <'done'>, 'cpu': <%.3f>}",
           (96 + time) * S, 0.95 * time);

  return aggregate (recording, NULL);
}

/* A task that has none to be compared with in its category. */
static void
test_lone_straggler (void)
{
  g_autoptr (RoastReport) late = measure_alone (60);
  g_autoptr (RoastReport) usual = measure_alone (20);

  check_first (late, "stragglers", 0.28,
               "task “all” (merge) on worker w0 took 1 min 00 s; other tasks took 10.0 s on average");
  check_evidence (late, "task", "all");
  /* It could not start before the results that it merges. */
  g_assert_nonnull (strstr (roast_finding_get_advice (get_finding (late, 0)), "several that each merge"));
  check_state (late, "no-work", "silent");
  check_state (usual, "stragglers", "silent");
}

/* One more task than cores: a second round for one of them. */
static void
test_second_round (void)
{
  Run run = healthy;

  run.n_per_worker = 1;
  run.straggler = 10;
  {
    g_auto (Result) few = measure (&run, NULL);

    check_first (few.report, "few-tasks", 0.3, "The run had only 5 tasks for 4 cores on 4 workers");
    check_state (few.report, "stragglers", "silent");
  }
  run.straggler = 60;
  {
    g_auto (Result) late = measure (&run, NULL);

    check_first (late.report, "stragglers", 0.6, "task “999”");
    check_state (late.report, "few-tasks", "silent");
  }
  /* A round that is full. */
  run.n_per_worker = 2;
  run.straggler = 0;
  {
    g_auto (Result) even = measure (&run, NULL);

    check_state (even.report, "few-tasks", "silent");
    check_state (even.report, "stragglers", "silent");
  }
}

static void
test_starved (void)
{
  static const Number starved[] = {
    { "run_queue_seconds", 200 }, { "process_cpu_time_seconds", 150 }, { "cores_available", 2 }, { NULL, 0 }
  };
  static const Number fed[] = {
    { "run_queue_seconds", 20 }, { "process_cpu_time_seconds", 150 }, { "cores_available", 8 }, { NULL, 0 }
  };
  Run run = healthy;

  run.cpu = 0.4;
  {
    g_auto (Result) result = measure (&run, starved);

    check_first (result.report, "starved", 0.51, "workers offered 4 slots, but the run may use only 2 cores");
    check_state (result.report, "waiting", "silent");
  }
  {
    g_auto (Result) result = measure (&run, fed);

    check_state (result.report, "starved", "silent");
    check_first (result.report, "waiting", 0.57, "the cause was not measured");
  }
  /* The tasks sleep: what waited for cores was the rest of the program. */
  run.cpu = 0.05;
  {
    g_auto (Result) result = measure (&run, starved);

    check_state (result.report, "starved", "silent");
    check_first (result.report, "waiting", 0.9, "the cause was not measured");
  }
  /* It is unknown whether they sleep, or where they run. */
  run.cpu = NAN;
  check_state_of_run (&run, starved, "starved", "incomplete");
}

/* A worker that replaces another one does not add its cores. */
static void
test_replaced (void)
{
  static const Number starved[] = {
    { "run_queue_seconds", 200 }, { "process_cpu_time_seconds", 150 }, { "cores_available", 2 }, { NULL, 0 }
  };
  Run run = healthy;
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastReport) report = NULL;

  run.cpu = 0.4;
  recording = record (&run);
  rows_add (recording, "workers",
            "{'source': <'x'>, 'worker': <'early'>, 'cores': <3.0>, 'joined': <int64 0>, 'left': <int64 1000000>}");
  report = aggregate (recording, starved);
  check_first (report, "starved", 0.51, "workers offered 4 slots, but the run may use only 2 cores");
  check_evidence (report, "slots", "4");
}

/* Tasks wait for cores, and much longer for something else: that is what stands out. */
static void
test_starved_a_little (void)
{
  static const Number starved[] = {
    { "run_queue_seconds", 60 }, { "process_cpu_time_seconds", 110 }, { "cores_available", 2 }, { NULL, 0 }
  };
  Run run = healthy;
  g_auto (Result) result = { NULL, NULL };

  run.cpu = 0.3;
  result = measure (&run, starved);
  check_first (result.report, "waiting", 0.67 - 0.157, "% of the core time, not counting their wait for a core, and");
  check_state (result.report, "starved", "spoke");
  g_assert_cmpfloat_with_epsilon (roast_finding_get_share (get_finding (result.report, 1)), 0.157, 0.01);
}

/* Tasks of one worker need 1.3 times the CPU time, which is little beside the time for which all tasks wait for a core.
 */
static void
test_slower_on_loaded_machine (void)
{
  static const Number loaded[] = {
    { "run_queue_seconds", 380 }, { "process_cpu_time_seconds", 20 }, { "cores_available", 4 }, { NULL, 0 }
  };

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
      g_autoptr (RoastReport) report = NULL;

      rows_add (recording, "sources", "{'source': <'x'>}");
      for (guint k = 0; k < 40; k++)
        {
          guint worker = k % 4;
          double started = 2 + 10 * (k / 4);

          if (k < 4)
            add_row (recording, "workers",
                     "{'source': <'x'>, 'worker': <'w%u'>, 'cores': <1.0>, 'joined': <int64 1000000>, 'left': <int64 "
                     "103000000>}",
                     worker);
          add_row (recording, "tasks",
                   "{'source': <'x'>, 'task': <'%u'>, 'attempt': <int64 1>, 'category': <'process'>, 'worker': "
                   "<'w%u'>, "
                   "'submitted': <int64 1000000>, 'ready': <int64 1000000>, 'dispatched': <int64 %.0f>, 'started': "
                   "<int64 %.0f>, 'ended': <int64 %.0f>, 'status': <'done'>, 'cpu': <%.3f>}",
                   k, worker, started * S, started * S, (started + 10) * S,
                   (worker == 0 ? 0.65 : 0.5) * vary (worker, k / 4));
        }
      roast_recording_set_metadata (recording, "started", g_variant_new_int64 (0));
      roast_recording_set_metadata (recording, "ended", g_variant_new_int64 (104 * G_USEC_PER_SEC));
      report = aggregate (recording, i == 0 ? loaded : NULL);
      check_state (report, "starved", i == 0 ? "spoke" : "incomplete");
      check_state (report, "slower-worker", i == 0 ? "spoke" : "silent");
    }
}

/* Tasks that sleep use less CPU time than other threads of their workers, which need not be threads of libraries. */
static void
test_starved_asleep (void)
{
  static const Number numbers[] = {
    { "run_queue_seconds", 300 }, { "process_cpu_time_seconds", 60 }, { "cores_available", 4 }, { NULL, 0 }
  };
  static const double others[] = { 2, 25 }; /* s of each worker */

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      Run run = healthy;
      g_autoptr (RoastRecording) recording = NULL;
      g_autoptr (RoastReport) report = NULL;
      const char *advice = NULL;

      run.cpu = 0.02;
      recording = record (&run);
      for (guint worker = 0; worker < run.n_workers; worker++)
        {
          add_row (recording, "activities",
                   "{'source': <'x'>, 'time': <int64 1>, 'worker': <'w%u'>, 'context': <'run-queue'>, 'activity': "
                   "<'task-threads'>, 'unit': <'seconds'>, 'value': <50.0>}",
                   worker);
          add_row (recording, "activities",
                   "{'source': <'x'>, 'time': <int64 1>, 'worker': <'w%u'>, 'context': <'process'>, 'activity': "
                   "<'other-threads'>, 'unit': <'seconds'>, 'value': <%.1f>}",
                   worker, others[i]);
        }
      report = aggregate (recording, numbers);
      check_state (report, "starved", "spoke");
      for (guint k = 0; advice == NULL; k++)
        if (g_str_equal (roast_finding_get_rule (get_finding (report, k)), "starved"))
          advice = roast_finding_get_advice (get_finding (report, k));
      g_assert_true ((strstr (advice, "OMP_NUM_THREADS") != NULL) == (i == 1));
    }
}

/* @queue: s, which each worker waited for a core; its process started 30 s before its first task, and computed for two
 * seconds beside its tasks
 * @joined: s, when workers were ready for tasks
 * @early: s, which samples show that it had waited by then; another process with its pid, in another namespace, started
 * half a second later and had waited longer
 * @measured: s, which the threads of tasks waited by the workers' own count; NaN if they do not count
 * @children: s, which a process waited that a child of a worker started for a task */
static RoastReport *
measure_queue (double queue, double joined, double early, double measured, double children)
{
  const Number numbers[] = {
    { "run_queue_seconds", 4 * queue }, { "process_cpu_time_seconds", 44 }, { "cores_available", 4 }, { NULL, 0 }
  };
  Run run = healthy;
  g_autoptr (RoastRecording) recording = NULL;

  run.first = 30;
  run.joined = joined;
  run.cpu = 0.1;
  recording = record (&run);
  rows_add (recording, "sources", "{'source': <'p'>, 'worker_kind': <'process'>}");
  for (guint i = 0; i < run.n_workers; i++)
    {
      add_row (recording, "workers", "{'source': <'x'>, 'worker': <'w%u'>, 'pid': <int64 %u>, 'started': <int64 0>}", i,
               100 + i);
      add_row (recording, "processes",
               "{'source': <'p'>, 'process': <int64 %u>, 'pid': <int64 %u>, 'command': <'w'>, 'count': <int64 1>, "
               "'origin': <'exact'>, 'started': <int64 0>, 'cpu_user': <11.0>, 'cpu_system': <0.0>, 'run_queue': "
               "<%.3f>}",
               i, 100 + i, queue);
      for (guint other = 2; !isnan (early) && other-- > 0;)
        {
          add_row (recording, "workers",
                   "{'source': <'p'>, 'worker': <'%u.%u'>, 'pid': <int64 %u>, 'joined': <int64 %u>}", i, other, 100 + i,
                   other * 500000);
          add_row (recording, "worker_samples",
                   "{'source': <'p'>, 'worker': <'%u.%u'>, 'time': <int64 %.0f>, 'run_queue': <%.3f>}", i, other,
                   29 * S, other == 0 ? early : 28);
        }
    }
  if (!isnan (measured))
    add_row (recording, "activities",
             "{'source': <'x'>, 'time': <int64 1>, 'worker': <'w0'>, 'context': <'run-queue'>, 'activity': "
             "<'task-threads'>, 'unit': <'seconds'>, 'value': <%.3f>}",
             measured);
  for (guint i = 0; i < 3; i++)
    add_row (recording, "processes",
             "{'source': <'p'>, 'process': <int64 %u>, 'parent': <int64 %u>, 'pid': <int64 %u>, 'count': <int64 1>, "
             "'started': <int64 %u>, 'run_queue': <%.3f>}",
             i + 10, i == 1 ? 10 : 1, i + 200, i == 2 ? 1000000 : 50000000,
             i == 0   ? 0
             : i == 1 ? children
                      : 500);
  /* Of another process that had the pid of a worker later, or has it in another namespace. */
  rows_add (recording, "processes",
            "{'source': <'p'>, 'process': <int64 9>, 'pid': <int64 100>, 'command': <'w'>, 'count': <int64 1>, "
            "'origin': <'exact'>, 'started': <int64 50000000>, 'cpu_user': <0.0>, 'cpu_system': <0.0>, 'run_queue': "
            "<900.0>}");

  return aggregate (recording, numbers);
}

static void
check_starved (RoastReport *report, double share)
{
  check_state (report, "starved", "spoke");
  for (guint i = 0; i < 2; i++)
    if (g_str_equal (roast_finding_get_rule (get_finding (report, i)), "starved"))
      g_assert_cmpfloat_with_epsilon (roast_finding_get_share (get_finding (report, i)), share, 0.01);
}

/* Workers waited for cores while they started, which their tasks did not. Or they had started long before. */
static void
test_starved_start (void)
{
  g_autoptr (RoastReport) start = measure_queue (28, 29, NAN, NAN, 0);
  g_autoptr (RoastReport) tasks = measure_queue (48, 29, NAN, NAN, 0);
  g_autoptr (RoastReport) sampled = measure_queue (48, 29, 20, NAN, 0);
  g_autoptr (RoastReport) ready = measure_queue (28, 1, NAN, NAN, 0);

  check_state (start, "starved", "silent");
  check_state (start, "waiting", "spoke");
  check_starved (tasks, 84. / 364);
  check_starved (sampled, 112. / 364);
  check_state (ready, "starved", "spoke");
}

/* Only threads that run no tasks waited for cores, such as those of a plugin. Or those of tasks waited while workers
 * started, by any other estimate. */
static void
test_starved_measured (void)
{
  g_autoptr (RoastReport) others = measure_queue (48, 29, NAN, 1, 0);
  g_autoptr (RoastReport) tasks = measure_queue (28, 29, NAN, 91, 0);
  g_autoptr (RoastReport) children = measure_queue (28, 29, NAN, 1, 90);

  check_state (others, "starved", "silent");
  check_starved (children, 91. / 364);
  check_state (tasks, "starved", "spoke");
  for (guint i = 0; i < 2; i++)
    if (g_str_equal (roast_finding_get_rule (get_finding (tasks, i)), "starved"))
      g_assert_cmpfloat_with_epsilon (roast_finding_get_share (get_finding (tasks, i)), 91. / 364, 0.01);
}

/* @cores: slots of a worker that runs four tasks at a time
 * @cpu: s, of each task of 10 s
 * @cells: of tasks */
static RoastReport *
measure_threads (guint cores, double cpu, const char *cells)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);

  rows_add (recording, "sources", "{'source': <'x'>}");
  add_row (recording, "workers",
           "{'source': <'x'>, 'worker': <'w'>, 'cores': <%u.0>, 'joined': <int64 1000000>, 'left': <int64 83000000>}",
           cores);
  for (guint i = 0; i < 32; i++)
    add_row (recording, "tasks",
             "{'source': <'x'>, 'task': <'%u'>, 'attempt': <int64 1>, 'category': <'process'>, 'worker': <'w'>, "
             "'submitted': <int64 1000000>, 'ready': <int64 1000000>, 'dispatched': <int64 %.0f>, 'started': <int64 "
             "%.0f>, 'ended': <int64 %.0f>, 'status': <'done'>, 'cpu': <%.3f>%s}",
             i, (2 + 10 * (i / 4)) * S, (2 + 10 * (i / 4)) * S, (12 + 10 * (i / 4)) * S, cpu, cells);
  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (0));
  roast_recording_set_metadata (recording, "ended", g_variant_new_int64 (84 * G_USEC_PER_SEC));

  return aggregate (recording, NULL);
}

/* Threads that compute for one core together take turns. Those that compute for less may wait for anything, and tasks
 * with cores of their own are no threads of one process. Tasks without a slot do not wait in one. */
static void
test_turns (void)
{
  g_autoptr (RoastReport) turns = measure_threads (4, 2.3, "");
  g_autoptr (RoastReport) reading = measure_threads (4, 0.5, "");
  g_autoptr (RoastReport) two = measure_threads (4, 4.9, "");
  g_autoptr (RoastReport) processes = measure_threads (4, 2.3, ", 'cores_allocated': <1.0>");
  g_autoptr (RoastReport) slotless = measure_threads (2, 0.5, "");

  check_first (turns, "waiting", 0.75, "the 4 threads of worker w used 0.92 cores together");
  check_evidence (turns, "threads", "4");
  check_first (reading, "waiting", 0.93, "the cause was not measured");
  check_first (two, "waiting", 0.5, "the cause was not measured");
  check_first (processes, "waiting", 0.75, "the cause was not measured");
  check_state (slotless, "waiting", "incomplete");
}

#define SERVED                                                                                                         \
  "{'source': <'x'>, 'time': <int64 %.0f>, 'worker': <'w0'>, 'context': <'serve'>, 'activity': <'%s'>, 'unit': "       \
  "<'%s'>, "                                                                                                           \
  "'value': <%f>}"

/* The program keeps workers after their last task. */
static void
test_no_work (void)
{
  Run run = healthy;

  run.kept = 100;
  {
    g_auto (Result) idle = measure (&run, NULL);

    check_first (idle.report, "no-work", 0.53, "% after the last");
    g_assert_null (strstr (roast_finding_get_text (get_finding (idle.report, 0)), "results"));
  }
  /* Workers send results meanwhile, or did so before. */
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (RoastRecording) recording = record (&run);
      g_autoptr (RoastReport) report = NULL;

      for (guint k = 0; k < 2; k++)
        {
          double time = k == 0 ? 50 : 180;

          add_row (recording, "activities", SERVED, time * S, "memory-read", "bytes", k == 0 && i == 0 ? 1e8 : 4e8);
          add_row (recording, "activities", SERVED, time * S, "network", "seconds", k == 0 && i == 0 ? 10. : 40.);
        }
      report = aggregate (recording, NULL);
      check_first (report, "no-work", 0.53,
                   i == 0 ? "After the last task, workers sent 286 MiB of results." : "% in between.");
      g_assert_cmpint (strstr (roast_finding_get_text (get_finding (report, 0)), "results") != NULL, ==, i == 0);
    }
  run.kept = 10;
  check_state_of_run (&run, NULL, "no-work", "silent");
  run.kept = 100;
  run.n_per_worker = 0;
  {
    g_auto (Result) nothing = measure (&run, NULL);

    check_first (nothing.report, "no-work", 1, "received no task of the analysis.");
  }
  /* The scheduler could not read what the program submitted. */
  {
    g_autoptr (RoastRecording) recording = record (&run);
    g_autoptr (RoastReport) report = NULL;

    add_row (recording, "events",
             "{'source': <'x'>, 'time': <int64 1>, 'severity': <'warning'>, 'kind': <'graph-rejected'>, 'message': "
             "<'unreadable'>}");
    report = aggregate (recording, NULL);
    check_first (report, "no-work", 1, "received no task of the analysis: unreadable.");
    g_assert_true (g_str_has_prefix (roast_finding_get_advice (get_finding (report, 0)), "Read the exception"));
  }
  /* Attempts may have run, but their client closed. */
  {
    g_autoptr (RoastRecording) recording = record (&run);
    g_autoptr (RoastReport) report = NULL;

    for (guint i = 0; i < 40; i++)
      add_row (recording, "tasks",
               "{'source': <'x'>, 'task': <'cut%u'>, 'attempt': <int64 1>, 'category': <'process'>, 'worker': <'w%u'>, "
               "'dispatched': <int64 2000000>, 'noticed': <int64 9000000>, 'status': <'cancelled'>}",
               i, i % run.n_workers);
    report = aggregate (recording, NULL);
    check_state (report, "no-work", "incomplete");
  }
}

/* No task is ready at first: as it takes long to send the graph, or for another reason. */
static void
test_large_graph (void)
{
  static const struct
  {
    double bytes;
    gboolean speaks;
  } cases[] = { { 2e9, TRUE }, { 6e8, FALSE }, { 4e7, FALSE }, { 0, FALSE } };
  Run run = healthy;

  run.first = 50;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (RoastRecording) recording = record (&run);
      g_autoptr (RoastReport) report = NULL;

      if (cases[i].bytes > 0)
        for (guint k = 0; k < 2; k++)
          add_row (recording, "graphs", "{'source': <'x'>, 'graphs': <int64 1>, 'bytes': <int64 %.0f>}",
                   cases[i].bytes / 2);
      report = aggregate (recording, NULL);
      check_state (report, "large-graph", cases[i].speaks ? "spoke" : cases[i].bytes > 0 ? "silent" : "not-applicable");
      if (cases[i].speaks)
        check_first (report, "large-graph", 0.34,
                     "The program sent 1.86 GiB in 2 task graphs (53.0 MiB per task), and no task was ready for 34 % "
                     "of the core time.");
    }
  /* The executor sends each task what it needs of the graph, and they wait for it. */
  run.gap = 5;
  {
    g_autoptr (RoastRecording) recording = record (&run);
    g_autoptr (RoastReport) report = NULL;

    rows_add (recording, "graphs", "{'source': <'x'>, 'graphs': <int64 1>, 'bytes': <int64 3000000000>}");
    report = aggregate (recording, NULL);
    check_first (report, "large-graph", 0.49, "and for another 23 % tasks were ready but had not started.");
    check_state (report, "unexplained", "silent");
  }
}

static void
test_waiting (void)
{
  static const Number opening[] = { { "chunk_open_time_seconds", 250 }, { "bytes_read_total", 1e9 }, { NULL, 0 } };
  Run run = healthy;

  run.cpu = 0.2;
  {
    g_auto (Result) result = measure (&run, NULL);

    check_first (result.report, "waiting", 0.76, "Tasks");
    check_unit (result.report, "computing", "ratio");
  }
  check_first_of_run (&run, opening, "waiting", 0.76, "opening files took");
  /* How long calls of actors wait for a core is unknown. */
  {
    g_autoptr (RoastRecording) recording = record (&run);
    g_autoptr (RoastReport) report = NULL;

    rows_add (recording, "activities",
              "{'source': <'x'>, 'time': <int64 90000000>, 'worker': <'w0'>, 'context': <'actors'>, 'activity': "
              "<'thread-noncpu'>, 'unit': <'seconds'>, 'value': <300.0>}");
    report = aggregate (recording, NULL);
    check_state (report, "waiting", "incomplete");
  }
  run.cpu = 0.8;
  check_state_of_run (&run, NULL, "waiting", "silent");
}

/* Workers that free memory take no tasks: the executor is not to blame. */
static void
test_spilling (void)
{
  for (guint i = 0; i < 2; i++)
    {
      Run run = healthy;
      g_autoptr (RoastRecording) recording = NULL;
      g_autoptr (RoastReport) report = NULL;

      run.gap = 4;
      run.limits = ", 'memory_limit': <int64 2000000000>, 'memory_peak': <int64 1900000000>";
      recording = record (&run);
      for (guint worker = 0; worker < run.n_workers && i == 0; worker++)
        add_row (recording, "activities",
                 "{'source': <'x'>, 'time': <int64 90000000>, 'worker': <'w%u'>, 'context': <'execute'>, 'category': "
                 "<'process'>, 'activity': <'disk-write'>, 'unit': <'seconds'>, 'value': <10.0>}",
                 worker);
      report = aggregate (recording, NULL);
      check_state (report, "memory", "spoke");
      if (i == 0)
        check_first (report, "memory", 0.27, "tasks waited although workers were idle");
      check_state (report, "executor", i == 0 ? "silent" : "spoke");
    }
}

/* What is written to disk is serialized before: larger tasks, or less data between tasks, are no help then. */
static void
test_spilled_early (void)
{
  Run run = healthy;
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastReport) report = NULL;

  run.gap = 4;
  run.limits = ", 'memory_limit': <int64 2000000000>, 'memory_peak': <int64 1600000000>";
  recording = record (&run);
  for (guint worker = 0; worker < run.n_workers; worker++)
    {
      add_row (recording, "activities",
               "{'source': <'x'>, 'time': <int64 90000000>, 'worker': <'w%u'>, 'context': <'execute'>, 'category': "
               "<'process'>, 'activity': <'serialize'>, 'unit': <'seconds'>, 'value': <60.0>}",
               worker);
      add_row (recording, "worker_samples",
               "{'source': <'x'>, 'worker': <'w%u'>, 'time': <int64 50000000>, 'spilled_disk': <int64 3000000>, "
               "'spilled_memory': <int64 800000000>}",
               worker);
    }
  report = aggregate (recording, NULL);
  check_state (report, "serialising", "silent");
  check_state (report, "memory", "spoke");
  check_first (report, "memory", 0.27, "serializing, writing and reading this data took");
  /* 1.6 GB, and 0.8 GB of data that did not fit. */
  g_assert_true (g_str_has_prefix (roast_finding_get_advice (get_finding (report, 0)), "Request at least 2.79 GiB"));
}

static void
test_memory (void)
{
  Run run = healthy;

  run.limits = ", 'memory_limit': <int64 2000000000>, 'memory_peak': <int64 1000000000>, 'cause': <'memory'>";
  {
    g_auto (Result) killed = measure (&run, NULL);

    check_first (killed.report, "memory", 0,
                 "Memory ran out: 1 worker was killed; worker w0 may use only 1.86 GiB of memory.");
    check_evidence (killed.report, "worker", "w0");
  }
  /* A worker can use more than its limit before it is killed. */
  run.limits = ", 'memory_limit': <int64 2000000000>, 'memory_peak': <int64 4000000000>, 'cause': <'memory'>";
  {
    g_auto (Result) above = measure (&run, NULL);

    g_assert_true (g_str_has_prefix (roast_finding_get_advice (get_finding (above.report, 0)),
                                     "Request at least 4.66 GiB"));
  }
  run.limits = ", 'memory_limit': <int64 2000000000>, 'memory_peak': <int64 1000000000>, 'cause': <'memory'>";
  /* Attempts that failed for another reason are no cost of it. */
  run.n_failed = 2;
  {
    g_auto (Result) failed = measure (&run, NULL);

    check_first (failed.report, "failures", 0.05, "2 tasks failed.");
    g_assert_cmpfloat (roast_finding_get_share (get_finding (failed.report, 1)), ==, 0);
  }
  run.n_failed = 0;
  run.limits = ", 'memory_limit': <int64 2000000000>, 'memory_peak': <int64 1900000000>";
  check_first_of_run (&run, NULL, "memory", 0, "Worker w0 used");
  run.limits = ", 'memory_limit': <int64 2000000000>, 'memory_peak': <int64 1000000000>";
  check_state_of_run (&run, NULL, "memory", "silent");
}

/* @error, @cells: of the only attempt that exceeded a limit
 * @is_retried: the task was done in the end */
static RoastReport *
measure_limit (const char *error, const char *cells, double ended, gboolean is_retried)
{
  g_autoptr (RoastRecording) recording = record (&healthy);

  add_row (recording, "workers",
           "{'source': <'x'>, 'worker': <'v'>, 'cores': <1.0>, 'joined': <int64 1000000>, 'left': <int64 %.0f>}",
           (ended + 1) * S);
  for (guint attempt = 1; attempt <= (is_retried ? 2 : 1); attempt++)
    add_row (recording, "tasks",
             "{'source': <'x'>, 'task': <'large'>, 'attempt': <int64 %u>, 'category': <'merge'>, 'worker': <'v'>, "
             "'submitted': <int64 3000000>, 'ready': <int64 3000000>, 'dispatched': <int64 %.0f>, 'started': <int64 "
             "%.0f>, 'ended': <int64 %.0f>, 'status': <'%s'>, 'error': <'%s'>, 'cores': <1.0>, 'cores_allocated': "
             "<1.0>%s}",
             attempt, (attempt == 1 ? 4 : ended) * S, (attempt == 1 ? 4 : ended) * S,
             (attempt == 1 ? ended : ended + 1) * S, attempt == 1 ? "exhausted" : "done", error, cells);

  return aggregate (recording, NULL);
}

/* Which limit it was: only that of memory is one. */
static void
test_limits (void)
{
  g_autoptr (RoastReport) time = measure_limit ("TIME_LIMIT", ", 'memory_allocated': <int64 100>", 40, FALSE);
  g_autoptr (RoastReport) disk =
      measure_limit ("EXHAUSTED", ", 'disk_allocated': <int64 100>, 'disk_peak': <int64 101>", 40, FALSE);
  g_autoptr (RoastReport) memory =
      measure_limit ("EXHAUSTED", ", 'memory_allocated': <int64 100>, 'memory_peak': <int64 101>", 40, FALSE);
  g_autoptr (RoastReport) named =
      measure_limit ("OUT_OF_MEMORY", ", 'memory_requested': <int64 2147483648>", 40, FALSE);
  g_autoptr (RoastReport) retried = measure_limit ("TIME_LIMIT", "", 40, TRUE);
  g_autoptr (RoastReport) little = measure_limit ("TIME_LIMIT", "", 5, TRUE);

  check_first (time, "limits", 0.09, "1 attempt, in category “merge”, exceeded a limit (“TIME_LIMIT”).");
  g_assert_cmpint (roast_finding_get_severity (get_finding (time, 0)), ==, ROAST_FINDING_SEVERITY_ERROR);
  check_state (time, "memory", "incomplete");
  check_state (time, "failures", "silent");
  check_first (disk, "limits", 0.09, "exceeded the allocated disk space");
  check_first (memory, "memory", 0.09, "Memory ran out: 1 attempt exceeded its memory limit.");
  check_state (memory, "limits", "silent");
  check_first (named, "memory", 0.09, "Memory ran out: 1 attempt exceeded its memory limit.");
  g_assert_nonnull (strstr (roast_finding_get_advice (get_finding (named, 0)), "Request at least 2.50 GiB of memory"));
  check_first (retried, "limits", 0.09, "exceeded a limit");
  g_assert_cmpint (roast_finding_get_severity (get_finding (retried, 0)), ==, ROAST_FINDING_SEVERITY_WARNING);
  check_state (little, "limits", "silent");
  check_state (little, "memory", "incomplete");
}

static void
test_executor (void)
{
  Run run = healthy;

  run.gap = 3;
  check_first_of_run (&run, NULL, "executor", 0.22, "did not assign tasks in time");
  run.late = 30;
  run.n_late = 1;
  check_first_of_run (&run, NULL, "executor", 0.21, "because its event loop ran late: by at least");
  /* Many short delays, as of a plugin that is slow at each task. */
  run.late = 0.6;
  run.n_late = 50;
  check_first_of_run (&run, NULL, "executor", 0.21, "its event loop ran late: by at least 30.0 s in all");
  run.late = 30;
  run.n_late = 1;
  /* The loop was late, but no core was free meanwhile. */
  run.gap = 0.2;
  check_state_of_run (&run, NULL, "executor", "silent");
  run.late = 0.1;
  check_state_of_run (&run, NULL, "executor", "silent");
  /* A fifth of less than two seconds is not worth a finding. */
  run = healthy;
  run.n_workers = 1;
  run.first = 1;
  run.time = run.gap = 0.05;
  check_state_of_run (&run, NULL, "executor", "silent");
}

/* Let roast observe the process of @worker. */
static void
observe (RoastRecording *recording, const char *worker)
{
  rows_add (recording, "sources", "{'source': <'p'>, 'worker_kind': <'process'>}");
  add_row (recording, "workers", "{'source': <'x'>, 'worker': <'%s'>, 'pid': <int64 77>, 'started': <int64 500000>}",
           worker);
  rows_add (recording, "processes",
            "{'source': <'p'>, 'process': <int64 2>, 'parent': <int64 1>, 'pid': <int64 77>, 'command': <'w'>, "
            "'started': <int64 500000>}");
}

/* A loop that is late before the first task keeps no core free. One that is late after the last task may delay its
 * result, and with it the next task. In the last two cases, a signal had stopped processes of the program: the
 * executor's, or others. */
static void
test_late_outside (void)
{
  static const double times[] = { 28, 32, 148, 148, 148 };
  static const Number stopped[] = { { "stopped_time_seconds", 20 }, { NULL, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      Run run = healthy;
      g_autoptr (RoastRecording) recording = NULL;
      g_autoptr (RoastReport) report = NULL;

      run.first = 30;
      run.kept = 30;
      recording = record (&run);
      /* In the second case two seconds of it are within the work. */
      add_row (recording, "cluster_samples", "{'source': <'x'>, 'time': <int64 %.0f>, 'lateness': <25.0>}",
               times[i] * S);
      if (i == 3)
        observe (recording, "w2");
      report = aggregate (recording, i >= 3 ? stopped : NULL);
      check_state (report, "executor", i < 2 ? "silent" : "spoke");
      if (i == 2)
        check_state (report, "no-work", "silent");
      if (i >= 3)
        check_first (report, "executor", 0.16,
                     i == 3 ? "a signal, such as SIGSTOP, had stopped" : "because its event loop ran late");
    }
}

/* A worker whose loop is blocked takes no tasks; one second of 100 is no reason. */
static void
test_late_worker (void)
{
  static const double late[] = { 1, 30 };

  for (guint i = 0; i < 2; i++)
    {
      Run run = healthy;
      g_autoptr (RoastRecording) recording = NULL;
      g_autoptr (RoastReport) report = NULL;

      run.gap = 3;
      recording = record (&run);
      add_row (recording, "worker_samples",
               "{'source': <'x'>, 'worker': <'w1'>, 'time': <int64 %.0f>, 'lateness': <%f>}", 60 * S, late[i]);
      add_row (recording, "worker_samples",
               "{'source': <'x'>, 'worker': <'w2'>, 'time': <int64 %.0f>, 'lateness': <%f>}", 60 * S, 0.01);
      report = aggregate (recording, NULL);
      check_first (report, "executor", 0.22,
                   i == 0 ? ": the executor did not assign tasks in time"
                          : "Meanwhile, tasks were ready, and the event loop of worker w1 was blocked for up to 30.0 s "
                            "at a "
                            "time while tasks of category “process” ran there");
      if (i == 1)
        check_evidence (report, "worker", "w1");
    }
}

/* The executor assigned tasks to a worker that did not start them. In the second case, a cancelled task still ran
 * there.
 */
static void
test_held (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
      g_autoptr (RoastReport) report = NULL;

      for (guint w = 0; w < 2; w++)
        add_row (recording, "workers",
                 "{'source': <'x'>, 'worker': <'w%u'>, 'cores': <1.0>, 'joined': <int64 0>, 'left': <int64 %.0f>}", w,
                 41 * S);
      if (i == 1)
        add_row (recording, "tasks",
                 "{'source': <'x'>, 'task': <'c'>, 'attempt': <int64 1>, 'category': <'a'>, 'worker': <'w0'>, "
                 "'submitted': <int64 0>, 'dispatched': <int64 0>, 'started': <int64 0>, 'ended': <int64 %.0f>, "
                 "'noticed': <int64 %.0f>, 'status': <'cancelled'>}",
                 30 * S, 2 * S);
      for (guint t = 0; t < 20; t++)
        {
          double started = t < 10 ? t : 30 + t - 10;

          add_row (recording, "tasks",
                   "{'source': <'x'>, 'task': <'%u'>, 'attempt': <int64 1>, 'category': <'a'>, 'worker': <'w%u'>, "
                   "'submitted': <int64 0>, 'dispatched': <int64 0>, 'started': <int64 %.0f>, 'ended': <int64 %.0f>, "
                   "'noticed': <int64 %.0f>, 'status': <'done'>, 'cpu': <1.0>}",
                   t, t < 10 ? 1 : 0, started * S, (started + 1) * S, (started + 1) * S);
        }
      report = aggregate (recording, NULL);
      check_first (report, "executor", i == 0 ? 0.72 : 0.35,
                   i == 0 ? "Meanwhile, workers held tasks that they did not start."
                          : "Meanwhile, workers held tasks that they did not start: cancelled tasks");
    }
}

/* Each of two workers runs one task at a time, although it holds others and has four cores. */
static void
test_held_beside (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;
  g_autoptr (GPtrArray) findings = NULL;

  for (guint w = 0; w < 2; w++)
    add_row (recording, "workers",
             "{'source': <'x'>, 'worker': <'w%u'>, 'cores': <4.0>, 'joined': <int64 0>, 'left': <int64 %.0f>}", w,
             41 * S);
  for (guint t = 0; t < 20; t++)
    add_row (recording, "tasks",
             "{'source': <'x'>, 'task': <'%u'>, 'attempt': <int64 1>, 'category': <'a'>, 'worker': <'w%u'>, "
             "'submitted': <int64 0>, 'dispatched': <int64 0>, 'started': <int64 %.0f>, 'ended': <int64 %.0f>, "
             "'noticed': <int64 %.0f>, 'status': <'done'>, 'cpu': <1.0>}",
             t, t % 2, 4 * (t / 2) * S, 4 * (t / 2 + 1) * S, 4 * (t / 2 + 1) * S);
  report = aggregate (recording, NULL);
  check_first (report, "executor", 0.585,
               "Meanwhile, workers held tasks that they did not start, although these workers ran other tasks.");
  findings = roast_report_list_findings (report);
  g_assert_nonnull (strstr (roast_finding_get_advice (g_ptr_array_index (findings, 0)),
                            "fewer units of this resource than threads"));
}

/* Tasks that wait while the loop of their worker is blocked keep Python's lock. If nothing ran there, others do; and if
 * the loop or a task waited for a core, the machine is to blame. In the last two cases, a signal had stopped the
 * worker, or other processes. */
static void
test_lock (void)
{
  static const Number stopped[] = { { "stopped_time_seconds", 20 }, { NULL, 0 } };

  for (guint i = 0; i < 5; i++)
    {
      Run run = healthy;
      g_autoptr (RoastRecording) recording = NULL;
      g_autoptr (RoastReport) report = NULL;

      run.cpu = 0.01;
      recording = record (&run);
      for (guint k = 0; k < 8; k++)
        add_row (recording, "worker_samples",
                 "{'source': <'x'>, 'worker': <'%s'>, 'time': <int64 %.0f>, 'lateness': <4.0>, 'lateness_queue': "
                 "<%.1f>}",
                 i == 1 ? "elsewhere" : "w2", (10. + 10 * k) * S, i == 2 ? 3.5 : 0.0);
      if (i >= 3)
        observe (recording, i == 3 ? "w2" : "w1");
      report = aggregate (recording, i >= 3 ? stopped : NULL);
      check_first (report, "waiting", 0.95,
                   i == 0 || i == 4
                       ? "the event loop of worker w2 was blocked for up to 4.00 s at a time while tasks of "
                         "category “process” ran there"
                   : i == 3 ? "a signal, such as SIGSTOP, had stopped processes of the program for 20.0 s"
                            : "the cause was not measured");
      if (i == 0)
        check_evidence (report, "blocked_by", "process");
    }
}

/* Three tasks start only after the two tasks that wait. The latter may wait for tasks that were submitted after the
 * last of them had started; others queued behind it. */
static void
test_blocked_tasks (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
      g_autoptr (RoastReport) report = NULL;

      rows_add (recording, "sources", "{'source': <'x'>}");
      add_row (recording, "workers",
               "{'source': <'x'>, 'worker': <'w'>, 'cores': <1.0>, 'joined': <int64 0>, 'left': <int64 %.0f>}", 24 * S);
      for (guint t = 0; t < 5; t++)
        {
          double started = t < 2 ? 10 * t : 18 + t;

          add_row (recording, "tasks",
                   "{'source': <'x'>, 'task': <'%u'>, 'attempt': <int64 1>, 'category': <'%s'>, 'worker': <'w'>, "
                   "'submitted': <int64 %.0f>, 'dispatched': <int64 %.0f>, 'started': <int64 %.0f>, 'ended': <int64 "
                   "%.0f>, 'noticed': <int64 %.0f>, 'status': <'done'>, 'cpu': <0.01>}",
                   t, t < 2 ? "a" : "b",
                   (t < 2    ? 0
                    : i == 0 ? 11
                             : 5) *
                       S,
                   started * S, started * S, (started + (t < 2 ? 10 : 1)) * S, (started + (t < 2 ? 10 : 1)) * S);
        }
      report = aggregate (recording, NULL);
      check_first (report, "waiting", 0.95,
                   i == 0 ? "at least 3 tasks submitted in this time did not start" : "was not measured");
    }
}

/* While the processes run, only samples say how long these waited for a core: that may be the waiting of tasks. */
static void
test_waiting_live (void)
{
  for (guint i = 0; i < 2; i++)
    {
      Run run = healthy;
      g_autoptr (RoastRecording) recording = NULL;
      g_autoptr (RoastReport) report = NULL;

      run.cpu = 0.01;
      recording = record (&run);
      for (guint k = 0; k < 2; k++)
        add_row (recording, "worker_samples",
                 "{'source': <'x'>, 'worker': <'w2'>, 'time': <int64 %.0f>, 'run_queue': <%.1f>}", (50. + 10 * k) * S,
                 i == 0 ? 900. + k : 9.);
      report = aggregate (recording, NULL);
      check_state (report, "waiting", i == 0 ? "incomplete" : "spoke");
    }
}

/* Workers of one core from 1 s on, in a run that ends with them. */
static void
add_workers (RoastRecording *recording, guint n, double left)
{
  rows_add (recording, "sources", "{'source': <'x'>}");
  for (guint worker = 0; worker < n; worker++)
    add_row (recording, "workers",
             "{'source': <'x'>, 'worker': <'w%u'>, 'cores': <1.0>, 'joined': <int64 %.0f>, 'left': <int64 %.0f>}",
             worker, 1 * S, left * S);
  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (0));
  roast_recording_set_metadata (recording, "ended", g_variant_new_int64 ((gint64) (left * S)));
}

/* Eight tasks run at a time, and hardly compute. A lock lets one of them go every second: the first ones wait less. Or
 * all take the same time, at workers that began one after the other: then they end as regularly. */
static void
test_one_by_one (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
      g_autoptr (RoastReport) report = NULL;

      add_workers (recording, 8, 52);
      for (guint task = 0; task < 40; task++)
        {
          double ended = 10 + task;
          double started = i == 1 ? ended - 8 : fmax (ended - 8, 9);

          add_row (recording, "tasks",
                   "{'source': <'x'>, 'task': <'%u'>, 'attempt': <int64 1>, 'category': <'locked'>, 'worker': <'w%u'>, "
                   "'submitted': <int64 %.0f>, 'dispatched': <int64 %.0f>, 'started': <int64 %.0f>, 'ended': <int64 "
                   "%.0f>, 'status': <'done'>, 'cpu': <0.01>, 'cores': <1.0>}",
                   task, task % 8, 1 * S, started * S, started * S, ended * S);
        }
      report = aggregate (recording, NULL);
      check_state (report, "one-by-one", i == 0 ? "spoke" : "silent");
      check_state (report, "waiting", i == 0 ? "silent" : "spoke");
      if (i == 0)
        {
          static const Number starved[] = {
            { "run_queue_seconds", 300 }, { "process_cpu_time_seconds", 0.4 }, { "cores_available", 2 }, { NULL, 0 }
          };
          g_autoptr (RoastReport) queued = aggregate (recording, starved);

          check_state (queued, "starved", "spoke");
          check_state (queued, "one-by-one", "silent");
        }
      if (i == 0)
        check_first (report, "one-by-one", 0.7,
                     "Tasks of category “locked” ended one by one, every 1.00 s, although 7.3");
    }
}

/* Eight tasks run at a time and wait for a lease, which noise lets them hold for different times. */
static void
test_semaphore (void)
{
  for (guint k = 1; k <= 2; k++)
    {
      g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
      g_autoptr (RoastReport) report = NULL;
      double ends[48];

      add_workers (recording, 8, 62);
      for (guint task = 0; task < 48; task++)
        {
          double started = task < 8 ? 9 : ends[task - 8];

          ends[task] = 10 + (k == 1 ? task + (task % 2 == 0 ? 0 : 0.45) : task / 2);
          add_row (recording, "tasks",
                   "{'source': <'x'>, 'task': <'%u'>, 'attempt': <int64 1>, 'category': <'lease'>, 'worker': <'w%u'>, "
                   "'submitted': <int64 %.0f>, 'dispatched': <int64 %.0f>, 'started': <int64 %.0f>, 'ended': <int64 "
                   "%.0f>, 'status': <'done'>, 'cpu': <0.01>, 'cores': <1.0>}",
                   task, task % 8, 1 * S, started * S, started * S, ends[task] * S);
        }
      report = aggregate (recording, NULL);
      check_first (report, "one-by-one", k == 1 ? 0.73 : 0.37,
                   k == 1 ? "ended one by one, every 1.00 s" : "ended regularly, 2 every");
    }
}

/* Long tasks at one worker, and meanwhile short ones at another: these end as regularly, and wait for nobody. */
static void
test_short_beside_long (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  add_workers (recording, 2, 52);
  for (guint task = 0; task < 44; task++)
    {
      gboolean is_long = task >= 40;
      double started = is_long ? 10 + 10 * (task - 40) : 10 + task;

      add_row (recording, "tasks",
               "{'source': <'x'>, 'task': <'%u'>, 'attempt': <int64 1>, 'category': <'c'>, 'worker': <'w%u'>, "
               "'submitted': <int64 %.0f>, 'dispatched': <int64 %.0f>, 'started': <int64 %.0f>, 'ended': <int64 "
               "%.0f>, 'status': <'done'>, 'cpu': <0.01>, 'cores': <1.0>}",
               task, is_long ? 1 : 0, 1 * S, started * S, started * S, (started + (is_long ? 10 : 1)) * S);
    }
  report = aggregate (recording, NULL);
  check_state (report, "one-by-one", "silent");
  check_state (report, "slower-worker", "spoke");
}

/* The first tasks of each worker, or those of one of four workers only. */
static void
test_warm_up (void)
{
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
      g_autoptr (RoastReport) report = NULL;

      add_workers (recording, 4, 32);
      for (guint worker = 0; worker < 4; worker++)
        {
          double at = 2;

          for (guint task = 0; task < 9; task++)
            {
              double time = task > 0 || i == 2 || (i == 1 && worker > 0) ? 2 : 10;

              add_row (recording, "tasks",
                       "{'source': <'x'>, 'task': <'%u-%u'>, 'attempt': <int64 1>, 'category': <'fill'>, 'worker': "
                       "<'w%u'>, 'submitted': <int64 %.0f>, 'dispatched': <int64 %.0f>, 'started': <int64 %.0f>, "
                       "'ended': <int64 %.0f>, 'status': <'done'>, 'cpu': <1.5>, 'cores': <1.0>}",
                       worker, task, worker, 1 * S, at * S, at * S, (at + time) * S);
              at += time;
            }
        }
      report = aggregate (recording, NULL);
      check_state (report, "warm-up", i == 0 ? "spoke" : "silent");
      check_state (report, "one-by-one", "silent");
      if (i > 0)
        continue;
      check_first (report, "warm-up", 0.258,
                   "The first tasks of category “fill” took 10.0 s on each of 4 workers, but later tasks took 2.00 s");
      check_unit (report, "excess", "s");
    }
}

/* Memory that workers do not account for: it grows with each task, or while the first ones import modules. */
static void
test_growing_memory (void)
{
  for (guint i = 0; i < 2; i++)
    {
      Run run = healthy;
      g_autoptr (RoastRecording) recording = NULL;
      g_autoptr (RoastReport) report = NULL;

      run.n_per_worker = 12;
      recording = record (&run);
      for (guint sample = 0; sample < 12; sample++)
        add_row (recording, "worker_samples",
                 "{'source': <'x'>, 'worker': <'w1'>, 'time': <int64 %.0f>, 'memory': <int64 %.0f>, 'managed': <int64 "
                 "%.0f>}",
                 (6 + 10. * sample) * S, 100e6 + 1e6 * sample + 50e6 * (i == 0 ? sample : MIN (sample, 2)),
                 1e6 * sample);
      report = aggregate (recording, NULL);
      check_state (report, "growing-memory", i == 0 ? "spoke" : "silent");
      if (i == 0)
        check_first (report, "growing-memory", NAN,
                     "memory of worker w1, without the results that the worker holds, grew by 47.7 MiB per task, and "
                     "by 525 "
                     "MiB in total.");
    }
}

/* Shares of the executor's own time, of cores that were free while tasks were ready. */
static RoastReport *
measure_executor (const char *part, double gap, double move_in, double move_out)
{
  Run run = healthy;
  g_autoptr (RoastRecording) recording = NULL;

  run.gap = gap;
  run.move = move_in;
  run.fetch = move_out;
  recording = record (&run);
  add_row (recording, "executor_times", "{'source': <'x'>, 'time': <int64 0>, 'part': <'%s'>, 'value': <80.0>}", part);
  rows_add (recording, "executor_times", "{'source': <'x'>, 'time': <int64 0>, 'part': <'receive'>, 'value': <10.0>}");
  rows_add (recording, "executor_times",
            "{'source': <'x'>, 'time': <int64 0>, 'part': <'scheduling'>, 'value': <10.0>}");

  return aggregate (recording, NULL);
}

/* Why an executor does not hand out tasks: it is busy, or the program is elsewhere, or neither. */
static void
test_elsewhere (void)
{
  g_autoptr (RoastReport) busy = measure_executor ("internal", 4, 0, 0);
  g_autoptr (RoastReport) lazy = measure_executor ("polling", 4, 0, 0);
  g_autoptr (RoastReport) elsewhere = measure_executor ("application", 2, 0, 3);
  g_autoptr (RoastReport) fetching = measure_executor ("polling", 0.5, 0, 3);
  g_autoptr (RoastReport) quick = measure_executor ("application", 0.2, 0, 0.1);
  g_autoptr (RoastReport) sending = measure_executor ("application", 0.5, 6, 1);

  check_first (busy, "executor", 0.27, "did not assign tasks in time, because it was busy for 100 % of its time.");
  check_first (lazy, "executor", 0.27,
               "% of the core time was free. Meanwhile, tasks were ready, and the executor was busy for only 20 % of "
               "its "
               "time.");
  check_first (elsewhere, "executor", 0.31,
               "was free or waited for results to be fetched: the executor did not assign tasks in time. For "
               "80 % of the time, the program did something else");
  check_state (elsewhere, "moving", "silent");
  check_first (fetching, "moving", 0.2, "waiting for results to be fetched from workers");
  check_state (quick, "executor", "silent");
  /* Inputs were on their way, whatever the program did. */
  check_first (sending, "moving", 0.33, "waiting for the executor to send inputs to workers");
}

/* A chain of short tasks on two workers: while one runs, the others wait for it. */
static void
test_short_chain (void)
{
  Run run = healthy;

  run.n_workers = 1;
  run.n_idle = 1;
  run.n_per_worker = 100;
  run.time = 0.5;
  run.gap = 0.01;
  run.is_chain = TRUE;
  {
    g_auto (Result) chain = measure (&run, NULL);

    check_state (chain.report, "short-tasks", "silent");
    check_state (chain.report, "dependencies", "spoke");
  }
}

static void
test_dependencies (void)
{
  Run run = healthy;

  run.gap = 6;
  run.is_chain = TRUE;
  run.n_idle = 1;
  {
    g_auto (Result) chain = measure (&run, NULL);

    check_state (chain.report, "dependencies", "spoke");
    check_state (chain.report, "idle-workers", "silent");
  }
  run.gap = 0.5;
  run.is_chain = FALSE;
  {
    g_auto (Result) wide = measure (&run, NULL);

    check_state (wide.report, "dependencies", "silent");
    check_state (wide.report, "idle-workers", "spoke");
  }
}

static void
test_moving (void)
{
  Run run = healthy;

  run.move = 5;
  {
    g_auto (Result) slow = measure (&run, NULL);

    check_first (slow.report, "moving", 0.32, "to send inputs to workers");
    check_state (slow.report, "executor", "silent");
  }
  run.is_staged = TRUE;
  check_first_of_run (&run, NULL, "moving", 0.32,
                      "workers to fetch or unpack inputs, or to start tasks for another reason, after the executor had "
                      "sent");
  run.move = 0.5;
  check_state_of_run (&run, NULL, "moving", "silent");
}

/* Workers that get inputs from each other wait for these, and not for tasks that have not ended. */
static void
test_fetching (void)
{
  Run run = healthy;
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastReport) report = NULL;

  run.move = 5;
  run.is_fetched = TRUE;
  recording = record (&run);
  for (guint worker = 0; worker < run.n_workers; worker++)
    add_row (recording, "activities",
             "{'source': <'x'>, 'time': <int64 90000000>, 'worker': <'w%u'>, 'context': <'fetch'>, 'activity': "
             "<'network'>, 'unit': <'seconds'>, 'value': <60.0>}",
             worker);
  report = aggregate (recording, NULL);
  check_first (report, "moving", 0.32, "waiting for workers to fetch inputs from each other");
  check_state (report, "dependencies", "silent");
  check_state (report, "executor", "silent");
}

/* Workers that wait for cores need long to fetch even little. */
static void
test_fetching_little (void)
{
  static const Number starved[] = {
    { "run_queue_seconds", 200 }, { "process_cpu_time_seconds", 150 }, { "cores_available", 2 }, { NULL, 0 }
  };

  for (guint i = 0; i < 3; i++)
    {
      Run run = healthy;
      g_autoptr (RoastRecording) recording = NULL;
      g_autoptr (RoastReport) report = NULL;

      run.move = 5;
      run.is_fetched = TRUE;
      run.cpu = 0.4;
      recording = record (&run);
      for (guint worker = 0; worker < run.n_workers; worker++)
        add_row (recording, "activities",
                 "{'source': <'x'>, 'time': <int64 90000000>, 'worker': <'w%u'>, 'context': <'fetch'>, 'activity': "
                 "<'network'>, 'unit': <'seconds'>, 'value': <60.0>}",
                 worker);
      add_row (recording, "activities",
               "{'source': <'x'>, 'time': <int64 90000000>, 'worker': <'w1'>, 'context': <'serve'>, 'activity': "
               "<'memory-read'>, 'unit': <'bytes'>, 'value': <%g>}",
               i == 1 ? 1e10 : 1e6);
      report = aggregate (recording, i == 2 ? NULL : starved);
      check_state (report, "moving", i == 0 ? "silent" : "spoke");
    }
}

/* An executor that sends to one worker leaves the others without work. */
static void
test_sending (void)
{
  Run run = healthy;
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastReport) report = NULL;

  run.gap = 5;
  recording = record (&run);
  rows_add (recording, "executor_times", "{'source': <'x'>, 'time': <int64 0>, 'part': <'send'>, 'value': <80.0>}");
  rows_add (recording, "executor_times", "{'source': <'x'>, 'time': <int64 0>, 'part': <'polling'>, 'value': <20.0>}");
  report = aggregate (recording, NULL);
  check_first (report, "moving", 0.31, "the executor spent 80 % of its own time on moving data");
}

static void
test_short_tasks (void)
{
  Run run = healthy;

  run.n_per_worker = 100;
  run.time = 0.05;
  run.gap = 0.1;
  check_first_of_run (&run, NULL, "short-tasks", 0.58, "400 tasks took only 50.0 ms on average");
  check_first_of_run (&run, NULL, "short-tasks", 0.58, "waited for data. The executor assigned only 21.2 tasks per");
  run.n_per_worker = 1000;
  run.time = 0.005;
  run.gap = 0.015;
  {
    g_auto (Result) result = measure (&run, NULL);

    check_first (result.report, "short-tasks", 0.67, "4\u202f000 tasks took only");
    /* All of the 4 cores need tasks. */
    g_assert_nonnull (strstr (roast_finding_get_advice (get_finding (result.report, 0)), "Combine about 200 tasks"));
    g_assert_null (strstr (roast_finding_get_text (get_finding (result.report, 0)), "assigned only"));
  }
  run.n_per_worker = 100;
  run.time = 0.5;
  run.gap = 0.01;
  check_state_of_run (&run, NULL, "short-tasks", "silent");
}

/* All tasks are bound to some workers: what the others offered is no cost of short tasks. */
static void
test_bound_tasks (void)
{
  Run run = healthy;
  g_auto (Result) result = { NULL };

  run.n_per_worker = 30;
  run.time = 0.5;
  run.n_idle = 4;
  result = measure (&run, NULL);
  check_first (result.report, "idle-workers", 0.5, "4 of 8 workers received no task");
  check_state (result.report, "short-tasks", "silent");
  check_state (result.report, "executor", "silent");
}

/* Workers leave between two groups of tasks, and return later. */
static void
test_workers_left (void)
{
  for (guint i = 0; i < 2; i++)
    {
      double left = i == 0 ? 20 : 48;
      g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
      g_autoptr (RoastReport) report = NULL;

      rows_add (recording, "sources", "{'source': <'x'>}");
      add_row (recording, "workers",
               "{'source': <'x'>, 'worker': <'w0'>, 'cores': <1.0>, 'joined': <int64 1000000>, 'left': <int64 %.0f>}",
               left * S);
      rows_add (recording, "workers",
                "{'source': <'x'>, 'worker': <'w1'>, 'cores': <1.0>, 'joined': <int64 49000000>, 'left': <int64 "
                "71000000>}");
      for (guint k = 0; k < 8; k++)
        {
          double submitted = k < 4 ? 1 : 40, started = k < 4 ? 2 + 4 * k : 50 + 4 * (k - 4);

          add_row (recording, "tasks",
                   "{'source': <'x'>, 'task': <'%u'>, 'attempt': <int64 1>, 'category': <'process'>, 'worker': "
                   "<'w%u'>, 'submitted': <int64 %.0f>, 'ready': <int64 %.0f>, 'dispatched': <int64 %.0f>, 'started': "
                   "<int64 %.0f>, 'ended': <int64 %.0f>, 'status': <'done'>, 'cpu': <3.9>}",
                   k, k / 4, submitted * S, submitted * S, started * S, started * S, (started + 4) * S);
        }
      roast_recording_set_metadata (recording, "started", g_variant_new_int64 (0));
      roast_recording_set_metadata (recording, "ended", g_variant_new_int64 (72 * G_USEC_PER_SEC));
      report = aggregate (recording, NULL);
      check_state (report, "no-workers", i == 0 ? "spoke" : "silent");
      if (i == 0)
        check_first (report, "no-workers", NAN, "For 9.00 s of 1 min 12 s, tasks waited because all workers had left");
    }
}

static void
test_few_tasks (void)
{
  Run run = healthy;

  run.n_workers = 2;
  run.n_per_worker = 1;
  run.time = 100;
  run.n_idle = 6;
  {
    g_auto (Result) result = measure (&run, NULL);

    check_first (result.report, "few-tasks", 0.71, "The run had only 2 tasks for 8 cores on 8 workers");
    check_state (result.report, "idle-workers", "silent");
    check_state (result.report, "stragglers", "silent");
  }
  /* Enough tasks, but two workers get none. */
  run = healthy;
  run.n_idle = 2;
  {
    g_auto (Result) result = measure (&run, NULL);

    check_state (result.report, "few-tasks", "silent");
    check_state (result.report, "idle-workers", "spoke");
    check_first (result.report, "idle-workers", 0.33,
                 "2 of 6 workers received no task although tasks that fit were waiting: for example");
  }
}

static void
test_slower_worker (void)
{
  Run run = healthy;

  run.n_slow = 1;
  run.slow = 2.5;
  {
    g_auto (Result) result = measure (&run, NULL);

    check_state (result.report, "slower-worker", "spoke");
    check_state (result.report, "slower-host", "silent");
  }
  run.slow = 1.12;
  check_state_of_run (&run, NULL, "slower-worker", "silent");
  run.n_per_worker = 24;
  run.slow = 1.3;
  check_state_of_run (&run, NULL, "slower-worker", "spoke");
  /* On average as much, but not all the time. */
  run.slow = 2.6;
  run.n_slow_tasks = 6;
  check_state_of_run (&run, NULL, "slower-worker", "silent");
  run.n_slow_tasks = 0;
  run.n_per_worker = healthy.n_per_worker;
  run.n_slow = 2;
  run.slow = 2.5;
  {
    g_auto (Result) result = measure (&run, NULL);

    check_state (result.report, "slower-host", "spoke");
    check_state (result.report, "slower-worker", "silent");
  }
  /* What waits is one worker. */
  run.n_workers = 2;
  run.n_slow = 1;
  run.slow = 5;
  run.cpu = 0.1;
  {
    g_auto (Result) result = measure (&run, NULL);

    check_state (result.report, "slower-worker", "spoke");
    check_state (result.report, "waiting", "silent");
  }
}

/* The worker of a second cluster, whose tasks of the same name do more. */
static void
test_slower_source (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (RoastRecording) recording = record (&healthy);
      g_autoptr (RoastReport) report = NULL;
      const char *source = i == 0 ? "y" : "x";

      if (i == 0)
        rows_add (recording, "sources", "{'source': <'y'>}");
      add_row (recording, "workers",
               "{'source': <'%s'>, 'worker': <'other'>, 'host': <'near'>, 'cores': <1.0>, 'joined': <int64 1000000>, "
               "'left': <int64 95000000>}",
               source);
      for (guint task = 0; task < 3; task++)
        add_row (recording, "tasks",
                 "{'source': <'%s'>, 'task': <'other-%u'>, 'attempt': <int64 1>, 'category': <'process'>, 'worker': "
                 "<'other'>, 'submitted': <int64 3000000>, 'ready': <int64 3000000>, 'dispatched': <int64 %.0f>, "
                 "'started': <int64 %.0f>, 'ended': <int64 %.0f>, 'status': <'done'>, 'cpu': <29.0>}",
                 source, task, (4 + 30 * task) * S, (4 + 30 * task) * S, (4 + 30 * task + 30 * vary (0, task)) * S);
      report = aggregate (recording, NULL);
      check_state (report, "slower-worker", i == 0 ? "silent" : "spoke");
    }
}

/* @slow: how much longer chunks of the last file take
 * @site: what names of files begin with */
static RoastReport *
measure_chunks (double slow, const char *site)
{
  g_autoptr (RoastRecording) recording = record (&healthy);

  for (guint file = 0; file < 6; file++)
    for (guint i = 0; i < 4; i++)
      add_row (recording, "chunks",
               "{'source': <'x'>, 'chunk': <'%u-%u'>, 'dataset': <'%s'>, 'file': <'%sf%u'>, 'events': <int64 1000>, "
               "'started': <int64 5000000>, 'ended': <int64 %.0f>}",
               file, i, file < 3 ? "mc" : "data", site, file, (5 + 8 * vary (file, i) * (file == 5 ? slow : 1)) * S);

  return aggregate (recording, NULL);
}

static void
test_slower_file (void)
{
  g_autoptr (RoastReport) slow = measure_chunks (4, "/data/");
  g_autoptr (RoastReport) far = measure_chunks (4, "root://far//");
  g_autoptr (RoastReport) even = measure_chunks (1.2, "");

  check_first (slow, "slower-file", 0.25, "Chunks of file /data/f5 took");
  g_assert_null (strstr (roast_finding_get_advice (get_finding (slow, 0)), "site"));
  check_first (far, "slower-file", 0.25, "Chunks of file root://far//f5 took");
  g_assert_nonnull (strstr (roast_finding_get_advice (get_finding (far, 0)), "from another site"));
  check_state (slow, "slower-dataset", "silent");
  check_state (even, "slower-file", "silent");
}

/* A file is not slow because its chunks are small, because another call processes it in another way, or because it
 * comes first, when processes load what they need. */
static void
test_excused_files (void)
{
  static const struct
  {
    double time;  /* s, of a chunk of the second file */
    guint events; /* in it */
    double first; /* s, of the four that begin at once; they are of that file */
    const char *call;
    const char *state;
  } cases[] = { { 4, 1000, 4, "1", "spoke" },
                { 1, 100, 1, "1", "silent" },
                { 4, 1000, 4, "2", "not-applicable" },
                { 1, 1000, 60, "1", "silent" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (RoastRecording) recording = record (&healthy);
      g_autoptr (RoastReport) report = NULL;
      double now = 5;

      for (guint k = 0; k < 40; k++)
        {
          gboolean is_second = k < 20;
          double time = (k < 4 ? cases[i].first : is_second ? cases[i].time : 1) * vary (k, i);

          add_row (recording, "chunks",
                   "{'source': <'x'>, 'chunk': <'%u'>, 'dataset': <'mc'>, 'file': <'f%u'>, 'call': <'%s'>, 'events': "
                   "<int64 "
                   "%u>, 'started': <int64 %.0f>, 'ended': <int64 %.0f>, 'pid': <int64 7>}",
                   k, is_second ? 2 : 1, is_second ? cases[i].call : "1", is_second ? cases[i].events : 1000, now * S,
                   (now + time) * S);
          now += k < 3 ? 0 : time;
        }
      report = aggregate (recording, NULL);
      check_state (report, "slower-file", cases[i].state);
    }
}

/* A file whose chunks need more CPU time, while other load changes their time; and a file that is processed while the
 * machine is busy. */
static void
test_busy_machine (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (RoastRecording) recording = record (&healthy);
      g_autoptr (RoastReport) report = NULL;

      for (guint k = 0; k < 60; k++)
        {
          guint file = i == 0 ? k % 3 : k / 20;
          double cpu = (i == 0 && file == 1 ? 1.3 : 1) * vary (k, 3);
          double load = i == 0 ? 1 + k % 4 : k < 8 || k >= 44 ? 2.5 : k < 16 ? 1 : 1.1;

          add_row (recording, "chunks",
                   "{'source': <'x'>, 'chunk': <'%u'>, 'dataset': <'mc'>, 'file': <'f%u'>, 'call': <'1'>, 'events': "
                   "<int64 1000>, 'started': <int64 %.0f>, 'ended': <int64 %.0f>, 'thread_cpu': <%.3f>}",
                   k, file, (5 + k) * S, (5 + k + cpu * load) * S, cpu);
        }
      report = aggregate (recording, NULL);
      check_state (report, "slower-file", i == 0 ? "spoke" : "silent");
      if (i == 0)
        check_first (report, "slower-file", 0.015,
                     "f1 took 1.30 times the CPU time of those of other files of the same dataset.");
    }
}

/* Opening takes as much CPU time for each chunk, so it would hide that one file needs 30 % more. A dataset is not slow
 * because one of its files is. A difference of few seconds in total does not matter. */
static void
test_opening_hides (void)
{
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (RoastRecording) recording = record (&healthy);
      g_autoptr (RoastReport) report = NULL;
      g_autofree char *reason = NULL;
      double scale = i == 3 ? 0.02 : 1;

      for (guint k = 0; k < 80; k++)
        {
          guint file = k % 4;
          double cpu = (file == 3 ? i == 2 ? 1.7 : 1.3 : 1) * vary (k, 3);
          g_autofree char *own = i > 0 ? g_strdup_printf (", 'function_cpu': <%.3f>", scale * cpu) : g_strdup ("");

          add_row (recording, "chunks",
                   "{'source': <'x'>, 'chunk': <'%u'>, 'dataset': <'%s'>, 'file': <'f%u'>, 'call': <'1'>, 'events': "
                   "<int64 1000>, 'started': <int64 %.0f>, 'ended': <int64 %.0f>, 'thread_cpu': <%.3f>%s}",
                   k, file < 2 ? "mc" : "data", file, (5 + k) * S, (5 + k + scale * (3 + cpu * (1 + k % 5))) * S,
                   scale * (cpu + 1), own);
        }
      report = aggregate (recording, NULL);
      check_state (report, "slower-file", i == 1 || i == 2 ? "spoke" : "silent");
      check_state (report, "slower-dataset", "silent");
      get_state (report, "slower-file", &reason);
      if (i == 3)
        g_assert_nonnull (strstr (reason, "chunks of file f3 are slower, but only by 1"));
      if (i == 1)
        check_first (report, "slower-file", 0.015,
                     "f3 took 1.30 times the CPU time of those of other files of the same dataset, without the CPU "
                     "time of opening files.");
    }
}

static void
test_failures (void)
{
  Run run = healthy;

  run.n_failed = 2;
  {
    g_auto (Result) result = measure (&run, NULL);

    check_first (result.report, "failures", 0.05,
                 "2 tasks failed. Both failed attempts, in category “process”, ended with the error");
    check_evidence (result.report, "error", "FileNotFoundError");
    g_assert_cmpint (roast_finding_get_severity (get_finding (result.report, 0)), ==, ROAST_FINDING_SEVERITY_ERROR);
  }
  run.is_retried = TRUE;
  {
    g_auto (Result) result = measure (&run, NULL);

    check_first (result.report, "failures", 0.05, "All failed tasks were repeated. Both failed attempts");
    g_assert_cmpint (roast_finding_get_severity (get_finding (result.report, 0)), ==, ROAST_FINDING_SEVERITY_WARNING);
  }
}

/* The program caught what a call raised. A later call of the same processor makes it good, if it has the same dataset.
 */
static void
test_failed_calls (void)
{
  static const struct
  {
    const char *processor, *dataset;
    gboolean is_good;
  } later[] = { { NULL }, { "Z", "mc", TRUE }, { "Z", "data" }, { "W", "mc" } };

  for (guint i = 0; i < G_N_ELEMENTS (later); i++)
    {
      g_autoptr (RoastRecording) recording = record (&healthy);
      g_autoptr (RoastReport) report = NULL;

      add_row (recording, "processing",
               "{'source': <'x'>, 'call': <'1'>, 'kind': <'processing'>, 'executor': <'Futures'>, 'processor': <'Z'>, "
               "'items': <int64 16>, 'started': <int64 4000000>, 'ended': <int64 5000000>, 'confirmed': <false>, "
               "'error': <'OSError'>, 'error_message': <'no route'>}");
      for (guint call = 1; call <= (later[i].processor != NULL ? 2 : 1); call++)
        add_row (recording, "chunks", "{'source': <'x'>, 'chunk': <'%u'>, 'dataset': <'%s'>, 'call': <'%u'>}", call,
                 call == 1 ? "mc" : later[i].dataset, call);
      if (later[i].processor != NULL)
        add_row (recording, "processing",
                 "{'source': <'x'>, 'call': <'2'>, 'kind': <'processing'>, 'processor': <'%s'>, 'started': <int64 "
                 "5000000>, 'ended': <int64 6000000>, 'confirmed': <true>}",
                 later[i].processor);
      report = aggregate (recording, NULL);
      g_assert_cmpfloat (roast_metric_get_double (roast_report_lookup (report, "calls_failed_total")), ==,
                         later[i].is_good ? 0 : 1);
      check_state (report, "failures", later[i].is_good ? "silent" : "spoke");
      if (later[i].is_good)
        continue;
      check_first (report, "failures", NAN,
                   "1 call of the analysis' executor raised an error, and its chunks are in no result. This call, of "
                   "Futures with 16 chunks of “Z”, raised OSError (“no route”). No chunk reported an error");
      g_assert_nonnull (strstr (roast_finding_get_advice (get_finding (report, 0)), "merge their results"));
      check_evidence (report, "error", "OSError");
    }
}

static void
test_failed_preparation (void)
{
  g_autoptr (RoastRecording) recording = record (&healthy);
  g_autoptr (RoastReport) report = NULL;

  add_row (recording, "processing",
           "{'source': <'x'>, 'call': <'1'>, 'kind': <'preprocessing'>, 'executor': <'Futures'>, 'items': <int64 2>, "
           "'started': <int64 4000000>, 'ended': <int64 5000000>, 'confirmed': <false>, 'error': <'OSError'>}");
  report = aggregate (recording, NULL);
  check_first (report, "failures", NAN,
               "1 call of the analysis' executor raised an error, and its files are in no result. This call, of "
               "Futures with 2 files to prepare, raised OSError.");
}

/* Count a cause once, even if it occurs in two categories; and count each exit code without an error word as a cause.
 */
static void
test_causes (void)
{
  g_autoptr (RoastRecording) recording = record (&healthy);
  g_autoptr (RoastReport) report = NULL;

  for (guint i = 0; i < 10; i++)
    add_row (recording, "tasks",
             "{'source': <'x'>, 'task': <'f%u'>, 'attempt': <int64 1>, 'category': <'%s'>, 'worker': <'w0'>, "
             "'started': "
             "<int64 %.0f>, 'ended': <int64 %.0f>, 'status': <'failed'>, %s}",
             i, i % 2 == 0 ? "p" : "q", (30 + i) * S, (31 + i) * S,
             i < 6   ? "'exit_code': <int64 139>"
             : i < 7 ? "'exit_code': <int64 3>"
                     : "'error': <'OSError'>");
  report = aggregate (recording, NULL);
  check_first (report, "failures", 0.02,
               "6 of the 10 failed attempts, 3 of them in category “p”, ended with the error exit code 139.");
  g_clear_object (&report);
  g_clear_object (&recording);

  /* Attempts of one category may have different messages. */
  recording = record (&healthy);
  for (guint i = 0; i < 10; i++)
    add_row (recording, "tasks",
             "{'source': <'x'>, 'task': <'f%u'>, 'attempt': <int64 1>, 'category': <'p'>, 'worker': <'w0'>, 'started': "
             "<int64 %.0f>, 'ended': <int64 %.0f>, 'status': <'failed'>, 'error': <'exit code'>, 'exit_code': <int64 "
             "%u>}",
             i, (30 + i) * S, (31 + i) * S, 1 + i % 2);
  report = aggregate (recording, NULL);
  check_first (report, "failures", 0.02, "All 10 failed attempts, in category “p”, ended with the error exit code");
}

/* The error of a task may say only that its file failed; its chunk has the cause. */
static void
test_cause_of_chunk (void)
{
  g_autoptr (RoastRecording) recording = record (&healthy);
  g_autoptr (RoastReport) report = NULL;

  for (guint i = 0; i < 3; i++)
    add_row (recording, "tasks",
             "{'source': <'x'>, 'task': <'f%u'>, 'attempt': <int64 1>, 'category': <'p'>, 'worker': <'w0'>, 'started': "
             "<int64 %.0f>, 'ended': <int64 %.0f>, 'status': <'failed'>, 'error': <'Exception'>, 'message': "
             "<'Failed'>}",
             i, (30 + i) * S, (31 + i) * S);
  add_row (recording, "chunks", "{'source': <'x'>, 'chunk': <'1'>, 'task': <'other'>, 'error': <'OSError'>}");
  add_row (recording, "chunks",
           "{'source': <'x'>, 'chunk': <'2'>, 'task': <'f1'>, 'error': <'ValueError'>, 'error_message': <'no muons'>}");
  report = aggregate (recording, NULL);
  check_first (report, "failures", 0.01,
               "All 3 failed attempts, in category “p”, ended with the error Exception (the first: “Failed”). A chunk "
               "in "
               "these tasks raised ValueError (“no muons”).");
}

/* Without an executor that measures resources, their CPU time tells. */
static void
test_cores_by_cpu (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  add_row (recording, "workers",
           "{'source': <'x'>, 'worker': <'w'>, 'cores': <8.0>, 'joined': <int64 0>, 'left': <int64 %.0f>}", 400 * S);
  for (guint i = 0; i < 4; i++)
    add_row (recording, "tasks",
             "{'source': <'x'>, 'task': <'%u'>, 'attempt': <int64 1>, 'category': <'a'>, 'worker': <'w'>, 'submitted': "
             "<int64 0>, 'dispatched': <int64 %.0f>, 'started': <int64 %.0f>, 'ended': <int64 %.0f>, 'status': "
             "<'done'>, 'cpu': <500.0>, 'cores': <8.0>, 'cores_allocated': <8.0>}",
             i, 100 * i * S, 100 * i * S, 100 * (i + 1) * S);
  report = aggregate (recording, NULL);
  check_first (report, "requests", 0.375, "tasks of category “a” got 8.0 cores and used 5.0 on average.");
  g_assert_cmpstr (roast_finding_get_advice (get_finding (report, 0)), ==, "Request 5 cores for each of these tasks.");
}

/* A host is a host, whether or not the cores of its workers are known. */
static void
test_slower_host_without_cores (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  for (guint i = 0; i < 4; i++)
    add_row (recording, "workers",
             "{'source': <'x'>, 'worker': <'w%u'>, 'host': <'h%u'>, 'joined': <int64 0>, 'left': <int64 %.0f>}", i,
             i / 2, 100 * S);
  for (guint i = 0; i < 40; i++)
    add_row (recording, "tasks",
             "{'source': <'x'>, 'task': <'%u'>, 'attempt': <int64 1>, 'category': <'a'>, 'worker': <'w%u'>, 'started': "
             "<int64 %.0f>, 'ended': <int64 %.0f>, 'status': <'done'>}",
             i, i % 4, 2 * i * S, (2 * i + (i % 4 < 2 ? 1 : 1.9) + 0.01 * (i % 3)) * S);
  report = aggregate (recording, NULL);
  check_first (report, "slower-host", NAN, "Tasks of host h1 took 1.9 times as long as those of the other host");
}

/* A task that ends its workers, until the executor gives it up. */
static void
test_killed_worker (void)
{
  for (guint n = 0; n <= 3; n += 3)
    {
      g_autoptr (RoastRecording) recording = record (&healthy);
      g_autoptr (RoastReport) report = NULL;

      for (guint i = 0; i < n; i++)
        {
          add_row (recording, "workers",
                   "{'source': <'x'>, 'worker': <'v%u'>, 'cores': <1.0>, 'joined': <int64 %.0f>, 'left': <int64 %.0f>, "
                   "'cause': <'exited'>}",
                   i, (4 + 20 * i) * S, (24 + 20 * i) * S);
          add_row (recording, "tasks",
                   "{'source': <'x'>, 'task': <'die'>, 'attempt': <int64 %u>, 'category': <'die'>, 'worker': <'v%u'>, "
                   "'submitted': <int64 3000000>, 'ready': <int64 3000000>, 'dispatched': <int64 %.0f>, 'started': "
                   "<int64 %.0f>, 'ended': <int64 %.0f>, 'status': <'%s'>, 'cores': <1.0>, 'cores_allocated': <1.0>%s}",
                   i + 1, i, (4 + 20 * i) * S, (4 + 20 * i) * S, (24 + 20 * i) * S,
                   i == n - 1 ? "killed_worker" : "lost", i == n - 1 ? ", 'error': <'KilledWorker'>" : "");
        }
      report = aggregate (recording, NULL);
      check_state (report, "failures", n > 0 ? "spoke" : "silent");
      check_state (report, "lost-workers", "silent");
      if (n == 0)
        continue;
      /* 60 s of 436 s. */
      check_first (report, "failures", 0.138,
                   "1 task failed. The failed attempt, in category “die”, ended with the error KilledWorker. 3 workers "
                   "ended or vanished while they ran tasks; their 3 attempts ended without a result.");
      check_evidence (report, "dead_workers", "3");
    }
}

/* Files of which a chunk failed. */
static void
test_failed_files (void)
{
  for (guint n = 0; n <= 2; n++)
    {
      g_autoptr (RoastRecording) recording = record (&healthy);
      g_autoptr (RoastReport) report = NULL;

      for (guint file = 0; file < 2; file++)
        add_row (recording, "chunks",
                 "{'source': <'x'>, 'chunk': <'%u'>, 'dataset': <'mc'>, 'file': <'f%u'>, 'entry_start': <int64 0>, "
                 "'entry_stop': <int64 9>, 'started': <int64 5000000>, 'ended': <int64 6000000>%s}",
                 file, file, file < n ? ", 'error': <'OSError'>" : "");
      report = aggregate (recording, NULL);
      if (n == 0)
        check_state (report, "failures", "silent");
      else
        check_first (report, "failures", 0,
                     n == 1
                         ? "File f0 is missing from the result, or a part of it is missing: OSError."
                         : "2 files, such as f0, are missing from the result, or a part of them is missing: OSError.");
    }
}

/* The first row of the table is of the dataset and of the file that lack least. */
static void
test_most_missing_file (void)
{
  static const struct
  {
    const char *dataset, *file;
    guint from, to;
  } failed[] = {
    { "few", "few0", 0, 9 }, { "many", "part", 0, 9 }, { "many", "most", 0, 9 }, { "many", "most", 9, 99 }
  };
  g_autoptr (RoastRecording) recording = record (&healthy);
  g_autoptr (RoastReport) report = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (failed); i++)
    add_row (recording, "chunks",
             "{'source': <'x'>, 'chunk': <'%u'>, 'dataset': <'%s'>, 'file': <'%s'>, 'entry_start': <int64 %u>, "
             "'entry_stop': <int64 %u>, 'started': <int64 5000000>, 'ended': <int64 6000000>, 'error': <'OSError'>}",
             i, failed[i].dataset, failed[i].file, failed[i].from, failed[i].to);
  report = aggregate (recording, NULL);
  check_first (report, "failures", 0, "3 files (2 of them in dataset “many”), such as most, are missing");
  check_evidence (report, "dataset", "many");
  check_evidence (report, "file", "most");
}

/* ---- a program without an executor ---- */

/* A program that ran for 20 s on 8 cores, with @cpu s of CPU time. */
static void
add_main (RoastRecording *recording, double cpu, const char *more)
{
  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (0));
  roast_recording_set_metadata (recording, "ended", g_variant_new_int64 (20 * S));
  roast_recording_set_metadata (recording, "tree-source", g_variant_new_string ("p"));
  roast_recording_set_metadata (recording, "tree-elapsed", g_variant_new_int64 (20 * S));
  roast_recording_set_metadata (recording, "tree-cores", g_variant_new_double (8));
  rows_add (recording, "sources", "{'source': <'p'>, 'worker_kind': <'process'>}");
  add_row (recording, "processes",
           "{'source': <'p'>, 'process': <int64 1>, 'command': <'x'>, 'count': <int64 1>, 'origin': <'exact'>, "
           "'cpu_user': <%.1f>, 'cpu_system': <0.0>%s}",
           cpu, more);
}

static void
add_tree (RoastRecording *recording, double cpu)
{
  add_main (recording, cpu, "");
}

/* @slow: s of each of three chunks of one file
 * @status: exit status
 * @written: B, to storage */
static RoastReport *
measure_program (double cpu, double slow, double status, double written)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  const Number numbers[] = { { "elapsed_time_seconds", 20 },
                             { "process_cpu_time_seconds", cpu },
                             { "run_queue_seconds", 0.1 },
                             { "cores_available", 8 },
                             { "exit_status", status },
                             { "io_storage_write_bytes", written },
                             { NULL, 0 } };

  add_tree (recording, cpu);
  for (guint file = 0; file < 4 && slow > 0; file++)
    for (guint i = 0; i < 3; i++)
      add_row (recording, "chunks",
               "{'source': <'c'>, 'chunk': <'%u-%u'>, 'dataset': <'d'>, 'file': <'f%u'>, 'events': <int64 1000>, "
               "'started': <int64 0>, 'ended': <int64 %.0f>, 'thread_cpu': <0.1>}",
               file, i, file, (file == 3 ? slow : 0.2) * vary (file, i) * S);

  return aggregate (recording, numbers);
}

static void
test_program (void)
{
  g_autoptr (RoastReport) busy = measure_program (18, 0, 0, 0);
  g_autoptr (RoastReport) asleep = measure_program (1, 0, 0, 0);
  g_autoptr (RoastReport) writing = measure_program (1, 0, 0, 200e6);
  g_autoptr (RoastReport) failed = measure_program (18, 0, 7, 0);
  g_autoptr (RoastReport) killed = measure_program (18, 0, 137, 0);
  g_autoptr (RoastReport) used_up = measure_program (18, 0, 128 + SIGXCPU, 0);
  g_autoptr (RoastReport) slow = measure_program (2, 4, 0, 0);

  check_state (busy, "waiting", "silent");
  check_state (busy, "failures", "silent");
  check_first (asleep, "waiting", 0.945, "18.9 s of 20.0 s");
  check_first (writing, "waiting", 0.945,
               "The program computed for 1.00 s. The program read 0 B from storage and wrote 191 MiB to storage.");
  check_first (failed, "failures", NAN, "exit status 7");
  check_first (killed, "failures", NAN, "exit status 137");
  g_assert_true (g_str_has_prefix (roast_finding_get_advice (get_finding (killed, 0)),
                                   "The program was killed from outside"));
  check_first (used_up, "failures", NAN, "exit status 152");
  g_assert_nonnull (strstr (roast_finding_get_advice (get_finding (used_up, 0)), "more CPU time than its limit"));
  /* 3 chunks of 4 s instead of 0.2 s, of 160 s of cores. */
  check_first (slow, "slower-file", 0.071, "Chunks of file f3 took");
  check_state (slow, "waiting", "silent");
}

/* A rejected graph explains the exit status. */
static void
test_rejected_graph (void)
{
  g_autoptr (RoastRecording) recording = record (&healthy);
  g_autoptr (RoastReport) report = NULL;
  const Number numbers[] = { { "exit_status", 1 }, { NULL, 0 } };

  add_row (recording, "events",
           "{'source': <'x'>, 'time': <int64 1>, 'severity': <'warning'>, 'kind': <'graph-rejected'>, 'message': "
           "<'unreadable'>}");
  report = aggregate (recording, numbers);
  check_first (report, "failures", NAN, "exit status 1. Before that: unreadable.");
  g_assert_true (g_str_has_prefix (roast_finding_get_advice (get_finding (report, 0)), "Read the exception"));
}

/* A worker of the program crashed, and then the program ended its other workers and itself. */
static void
test_killed_child (void)
{
  static const Number numbers[] = {
    { "elapsed_time_seconds", 20 }, { "cores_available", 8 }, { "exit_status", 1 }, { NULL, 0 }
  };
  static const int signals[] = { 15, 9, 11 };
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  add_tree (recording, 18);
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    add_row (recording, "processes",
             "{'source': <'p'>, 'process': <int64 %u>, 'parent': <int64 1>, 'pid': <int64 %u>, 'command': <'w'>, "
             "'ended': <int64 %u>, 'signal': <int64 %d>}",
             i + 2, 100 + i, 30 - 10 * i, signals[i]);
  report = aggregate (recording, numbers);
  check_first (report, "failures", NAN,
               "The program ended with exit status 1. Signal 11 (Segmentation fault) killed the child process w (pid "
               "102), the first of 2 processes that were killed.");
  g_assert_nonnull (strstr (roast_finding_get_advice (get_finding (report, 0)),
                            "if the program failed because of this"));
}

/* A child was killed long before the program failed. A worker that an executor reports does not explain the failure. */
static void
test_killed_early (void)
{
  static const Number numbers[] = {
    { "elapsed_time_seconds", 20 }, { "cores_available", 8 }, { "exit_status", 1 }, { NULL, 0 }
  };

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
      g_autoptr (RoastReport) report = NULL;
      const char *text;

      add_main (recording, 18, ", 'ended': <int64 20000000>");
      add_row (recording, "processes",
               "{'source': <'p'>, 'process': <int64 2>, 'parent': <int64 1>, 'pid': <int64 77>, 'command': <'w'>, "
               "'started': <int64 1>, 'ended': <int64 %.0f>, 'signal': <int64 11>}",
               8 * S);
      if (i == 1)
        add_row (recording, "workers",
                 "{'source': <'x'>, 'worker': <'w'>, 'pid': <int64 77>, 'started': <int64 1>, 'cause': <'signal'>}");
      report = aggregate (recording, numbers);
      check_first (report, "failures", NAN, "The program ended with exit status 1.");
      text = roast_finding_get_text (get_finding (report, 0));
      g_assert_cmpint (strstr (text, "killed the child process w (pid 77) 12.0 s before the program ended.") != NULL,
                       ==, i == 0);
      g_assert_cmpint (strstr (text, "child process") != NULL, ==, i == 0);
    }
}

/* One worker of the program left with an error during the call. Then the executor killed the others. Earlier, the
 * program killed a helper. */
static void
test_failed_child (void)
{
  static const Number numbers[] = {
    { "elapsed_time_seconds", 20 }, { "cores_available", 8 }, { "exit_status", 0 }, { NULL, 0 }
  };
  static const struct
  {
    const char *command, *end;
    double ended; /* s */
  } ends[] = { { "sleep", "'signal': <int64 9>", 3 },
               { "grep", "'exit_code': <int64 1>", 11 },
               { "x", "'exit_code': <int64 7>", 14 },
               { "x", "'signal': <int64 9>", 15.5 } };
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;
  g_autoptr (RoastReport) both = NULL;

  add_tree (recording, 18);
  add_row (recording, "processing",
           "{'source': <'x'>, 'call': <'1'>, 'kind': <'processing'>, 'executor': <'Futures'>, 'processor': <'Z'>, "
           "'items': <int64 16>, 'started': <int64 %.0f>, 'ended': <int64 %.0f>, 'confirmed': <false>, "
           "'error': <'TerminatedWorkerError'>}",
           10 * S, 15 * S);
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    add_row (recording, "processes",
             "{'source': <'p'>, 'process': <int64 %u>, 'parent': <int64 1>, 'pid': <int64 %u>, 'command': <'%s'>, "
             "'ended': <int64 %.0f>, %s}",
             i + 2, 100 + i, ends[i].command, ends[i].ended * S, ends[i].end);
  report = aggregate (recording, numbers);
  check_first (report, "failures", NAN,
               "raised TerminatedWorkerError. The child process x (pid 102) ended with exit code 7.");
  /* The end of a process that only samples show is noticed at the next sample. */
  roast_recording_set_metadata (recording, "interval", g_variant_new_int64 (1000000));
  add_row (recording, "processes",
           "{'source': <'p'>, 'process': <int64 9>, 'parent': <int64 1>, 'pid': <int64 109>, 'command': <'x'>, "
           "'origin': <'sampled'>, 'ended': <int64 %.0f>, 'signal': <int64 9>}",
           15.6 * S);
  both = aggregate (recording, numbers);
  check_first (both, "failures", NAN,
               "The child process x (pid 102) ended with exit code 7, the first of 2 processes that failed during the "
               "call.");
}

/* A program fails after process 4 was killed. The main process, or a shell that failed, may have failed for this
 * reason; a process that coped with it, or killed it, did not.
 * The executor killed process 5, a worker that it had restarted. */
static void
test_killed_helper (void)
{
  static const Number numbers[] = {
    { "elapsed_time_seconds", 20 }, { "cores_available", 8 }, { "exit_status", 1 }, { NULL, 0 }
  };
  static const struct
  {
    guint parent;
    const char *command, *end; /* of process 2 */
    gboolean is_cause;
  } cases[] = { { 1, "sh", "'exit_code': <int64 0>", TRUE },    { 2, "sh", "'exit_code': <int64 137>", TRUE },
                { 2, "sh", "'exit_code': <int64 0>", FALSE },   { 2, "worker", "'origin': <'running'>", FALSE },
                { 2, "x", "'origin': <'running'>", TRUE }, /* the fork server of the main process */
                { 3, "worker", "'origin': <'running'>", FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
      g_autoptr (RoastReport) report = NULL;
      const char *text;

      add_tree (recording, 18);
      add_row (recording, "processes",
               "{'source': <'p'>, 'process': <int64 2>, 'parent': <int64 1>, 'pid': <int64 98>, 'command': <'%s'>, %s}",
               cases[i].command, cases[i].end);
      add_row (recording, "processes",
               "{'source': <'p'>, 'process': <int64 3>, 'parent': <int64 2>, 'pid': <int64 99>, 'command': <'sh'>, "
               "'exit_code': <int64 137>}");
      add_row (recording, "processes",
               "{'source': <'p'>, 'process': <int64 4>, 'parent': <int64 %u>, 'pid': <int64 100>, 'command': "
               "<'sleep'>, "
               "'ended': <int64 3>, 'signal': <int64 9>}",
               cases[i].parent);
      add_row (recording, "processes",
               "{'source': <'p'>, 'process': <int64 5>, 'parent': <int64 1>, 'pid': <int64 77>, 'command': <'w'>, "
               "'started': <int64 1>, 'ended': <int64 2>, 'signal': <int64 9>}");
      add_row (recording, "workers",
               "{'source': <'x'>, 'worker': <'w'>, 'pid': <int64 77>, 'started': <int64 1>, 'cause': <'restarted'>}");
      report = aggregate (recording, numbers);
      check_first (report, "failures", NAN, "The program ended with exit status 1.");
      text = roast_finding_get_text (get_finding (report, 0));
      g_assert_cmpint (strstr (text, "Signal 9 (Killed) killed the child process sleep (pid 100).") != NULL, ==,
                       cases[i].is_cause);
      g_assert_cmpint (strstr (roast_finding_get_advice (get_finding (report, 0)),
                               "If the program did not kill this process") != NULL,
                       ==, cases[i].is_cause);
    }
}

/* The cause of waiting is that the program, or the threads that waited, are bound to one core, or that the control
 * group has a quota; not that other programs used the cores. */
static void
test_bound_program (void)
{
  static const char *const ends[] = { ": the program's processes were bound to 1 of 8 cores.", "20.0 s.",
                                      ": threads that waited for 12.0 s of this time were bound to 1 of 8 cores.",
                                      "20.0 s.", ": the CPU quota of the control group allows only 0.5 cores." };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
      g_autoptr (RoastReport) report = NULL;
      g_autofree char *text = NULL;
      const Number numbers[] = { { "elapsed_time_seconds", 20 }, { "process_cpu_time_seconds", 20 },
                                 { "run_queue_seconds", 20 },    { "cores_available", i == 0 ? 1 : 8 },
                                 { "exit_status", 0 },           { NULL, 0 } };

      add_tree (recording, 20);
      roast_recording_set_metadata (recording, "tree-cores-average", g_variant_new_int64 ((i == 0 ? 1 : 8) * S));
      roast_recording_set_metadata (recording, "tree-bound-cores", g_variant_new_int64 (1));
      if (i == 2 || i == 3)
        roast_recording_set_metadata (recording, "tree-bound-run-queue", g_variant_new_int64 ((i == 2 ? 12 : 8) * S));
      if (i > 0)
        roast_recording_set_metadata (recording, "tree-throttled", g_variant_new_int64 ((i == 4 ? 11 : 9) * S));
      roast_recording_set_metadata (recording, "tree-cgroup-cores", g_variant_new_double (0.5));
      report = aggregate (recording, numbers);
      text = g_strconcat (i % 2 == 0 ? "and computed for 20.0 s" : "", ends[i], NULL);
      check_first (report, "starved", NAN, text);
    }
}

/* Chunks of one call from 1 to 19 s, in processes of a program with 8 cores. */
typedef struct
{
  guint n_processes, n; /* chunks of each */
  double first;         /* s, start of the first ones */
  double time, gap;     /* s, of each, and between two */
  double last;          /* s, of the last one of the first process; 0: as the others */
  double open;          /* share of opening its file */
  double memory;        /* B, change in each chunk */
  double load;          /* share of loading the processor */
  gboolean is_freed;    /* the memory is freed between chunks */
} Chunks;

static RoastReport *
measure_local (const Chunks *run)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  const Number numbers[] = {
    { "elapsed_time_seconds", 20 }, { "process_cpu_time_seconds", 30 },     { "cores_available", 8 },
    { "exit_status", 0 },           { "process_memory_peak_bytes", 500e6 }, { NULL, 0 }
  };

  add_tree (recording, 30);
  add_row (recording, "processing",
           "{'source': <'c'>, 'call': <'one'>, 'kind': <'processing'>, 'executor': <'FuturesExecutor'>, 'started': "
           "<int64 "
           "%.0f>, 'ended': <int64 %.0f>}",
           1 * S, 19 * S);
  for (guint process = 0; process < run->n_processes; process++)
    for (guint i = 0; i < run->n; i++)
      {
        double started = run->first + i * (run->time + run->gap);
        double time = run->last > 0 && process == 0 && i == run->n - 1 ? run->last : run->time * vary (process, i);
        double before = 100e6 + (run->is_freed ? 0 : i * run->memory);

        add_row (recording, "chunks",
                 "{'source': <'c'>, 'chunk': <'%u-%u'>, 'call': <'one'>, 'file': <'f%u'>, 'entry_start': <int64 %u>, "
                 "'entry_stop': <int64 %u>, 'pid': <int64 %u>, 'started': <int64 %.0f>, 'ended': <int64 %.0f>, "
                 "'open_time': <%.6f>, 'load_time': <%.6f>, 'memory': <int64 %.0f>, 'memory_start': <int64 %.0f>, "
                 "'memory_end': <int64 %.0f>}",
                 process, i, process, i * 10, i * 10 + 10, process, started * S, (started + time) * S, run->open * time,
                 run->load * time, run->memory, before, before + run->memory);
      }

  return aggregate (recording, numbers);
}

/* Processes of a program with 8 cores, by the second: how many compute, and whether the first one does. */
typedef struct
{
  guint parallel; /* s, in which 8 processes compute; after that */
  guint n;        /* so many do: */
  guint process;  /* that one, and those after it, */
  gboolean turns; /* or the next one in each second */
  double threads; /* of each */
  double queue;   /* s in a second, that each of these waits for a core instead */
  const char *rule, *text;
  guint n_short;      /* further processes, too short for a sample */
  double stopped;     /* s, in which a signal had stopped processes */
  const char *unseen; /* event about threads that no sample saw */
  double blind;       /* s, for which processes that no sample saw computed, */
  double seen;        /* and s that other processes waited for a core meanwhile */
} Tree;

static RoastReport *
measure_tree (const Tree *run)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  double cpu[8] = { 0 }, queue[8] = { 0 };
  double all = 0, waited = 0;

  for (guint i = 0; i < 8; i++)
    add_row (recording, "workers",
             "{'source': <'p'>, 'worker': <'%u'>, 'name': <'python3'>, 'pid': <int64 %u>, 'cores': <8.0>, 'joined': "
             "<int64 0>, 'left': <int64 20000000>}",
             i, 100 + i);
  for (guint second = 1; second <= 20; second++)
    {
      gboolean is_parallel = second <= run->parallel;
      guint n = is_parallel ? 8 : run->n;

      for (guint k = 0; k < n; k++)
        {
          guint i = is_parallel ? k : (run->process + k + (run->turns ? second : 0)) % 8;

          cpu[i] += 1 - run->queue;
          queue[i] += run->queue * run->threads;
          all += 1 - run->queue;
          waited += run->queue * run->threads;
          add_row (recording, "worker_samples",
                   "{'source': <'p'>, 'worker': <'%u'>, 'time': <int64 %.0f>, 'cpu': <%.3f>, 'run_queue': <%.3f>, "
                   "'threads': <int64 %.0f>}",
                   i, second * S, cpu[i], queue[i], run->threads);
        }
      add_row (recording, "cluster_samples", "{'source': <'p'>, 'time': <int64 %.0f>, 'cpu': <%.3f>}", second * S, all);
    }
  add_row (recording, "cluster_samples", "{'source': <'p'>, 'time': <int64 20400000>, 'cpu': <%.3f>}", all);
  add_tree (recording, all);
  if (run->unseen != NULL)
    roast_recording_add_event (recording, "p", 1, ROAST_SEVERITY_INFO, "unseen-threads", run->unseen);
  if (run->blind > 0)
    {
      add_row (recording, "processes", "{'source': <'p'>, 'process': <int64 1>, 'run_queue': <%.1f>}", run->seen);
      add_row (recording, "processes",
               "{'source': <'p'>, 'process': <int64 -1>, 'cpu_user': <%.1f>, 'cpu_system': <0.0>}", run->blind);
    }
  {
    const Number numbers[] = { { "elapsed_time_seconds", 20 },
                               { "process_cpu_time_seconds", all },
                               { "run_queue_seconds", waited },
                               { "cores_available", 8 },
                               { "exit_status", 0 },
                               { "samples_total", 20 },
                               { "processes_total", run->n_short },
                               { "stopped_time_seconds", run->stopped },
                               { "extra_core_seconds", all / 5 },
                               { NULL, 0 } };

    return aggregate (recording, numbers);
  }
}

static void
test_one_core (void)
{
  static const char *const rules[] = { "one-core", "unexplained", "waiting" };
  static const Tree cases[] = {
    { 0, 8, 0, FALSE, 1, 0, NULL, NULL },
    { 0, 1, 0, FALSE, 1, 0, "one-core", "at most one thread of the program had something to compute, in the main" },
    { 6, 1, 3, FALSE, 1, 0, "one-core", "For 14.0 s of 20.0 s, at most one" },
    { 6, 1, 3, FALSE, 1, 0, "one-core", "in process 103 (python3), although the program had 8 cores." },
    { 0, 1, 0, TRUE, 1, 0, "one-core", "alternating between processes" },
    { 0, 1, 0, FALSE, 5, 0, "one-core", "only one Python thread computes at a time (GIL)" },
    /* This is the first finding, because it explains more than that threads waited for cores. */
    { 1, 1, 0, FALSE, 1, 0.6, "one-core", "For 19.0 s of 20.0 s, at most one thread of the program" },
    { 0, 3, 0, FALSE, 1, 0, "unexplained",
      "(1 min 40 s) is unexplained: cores were idle, because the program used 3 of its 8 cores on average" },
    { 0, 8, 0, FALSE, 1, 0.6, "starved", "computed for 1 min 04 s: other programs used the cores meanwhile" },
    { 0, 8, 0, FALSE, 4, 0.6, "starved", "computed for 1 min 04 s: other programs used the cores meanwhile" },
    { 4, 0, 0, FALSE, 1, 0, "waiting", "For 16.0 s of 20.0 s, the program neither computed nor waited for a core" },
    { 4, 0, 0, FALSE, 1, 0.6, "waiting", "For 16.0 s of 20.0 s, the program neither computed nor waited for a core" },
    { 4, 0, 0, FALSE, 1, 0, "waiting", "For 14.0 s of 20.0 s, the program neither computed nor waited for a core", 2 },
    { 4, 0, 0, FALSE, 1, 0, "waiting", "neither computed nor waited for a core: it waited for something", 0, 7 },
    { 4, 0, 0, FALSE, 1, 0, "waiting",
      "a core: a signal, such as SIGSTOP, had stopped processes of the program for 9.00 s.", 0, 9 },
    { 4, 0, 0, FALSE, 1, 0, "unexplained", "the program started 40 processes, one every 500 ms", 40 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (RoastReport) report = measure_tree (&cases[i]);

      for (guint k = 0; k < G_N_ELEMENTS (rules); k++)
        check_state (report, rules[k], g_strcmp0 (rules[k], cases[i].rule) == 0 ? "spoke" : "silent");
      if (cases[i].rule != NULL)
        {
          RoastFinding *finding = get_finding (report, 0);
          g_autofree char *all =
              g_strconcat (roast_finding_get_text (finding), " ", roast_finding_get_advice (finding), NULL);

          g_assert_nonnull (strstr (all, cases[i].text));
        }
    }
}

/* Nothing is claimed about threads that no sample saw. */
static void
test_unseen_threads (void)
{
  static const Tree idle = { 4, 0, 0, FALSE, 1, 0, NULL, NULL, .unseen = "unseen" };
  static const Tree alone = { 0, 1, 0, FALSE, 1, 0, NULL, NULL, .unseen = "unseen" };
  static const Tree busy = { 0, 8, 0, FALSE, 1, 0.6, NULL, NULL, .unseen = "unseen" };
  static const Tree blind = { 4, 0, 0, FALSE, 1, 0, NULL, NULL, .blind = 20, .seen = 10 };
  static const Tree quiet = { 4, 0, 0, FALSE, 1, 0, NULL, NULL, .blind = 20, .seen = 0 };
  static const Tree rest = { 4, 0, 0, FALSE, 1, 0, NULL, NULL, .blind = 5, .seen = 10 };
  g_autoptr (RoastReport) of_blind = measure_tree (&blind);
  g_autoptr (RoastReport) of_quiet = measure_tree (&quiet);
  g_autoptr (RoastReport) of_rest = measure_tree (&rest);
  g_autoptr (RoastReport) of_idle = measure_tree (&idle);
  g_autoptr (RoastReport) of_alone = measure_tree (&alone);
  g_autoptr (RoastReport) of_busy = measure_tree (&busy);

  check_state (of_idle, "waiting", "incomplete");
  check_state (of_alone, "one-core", "incomplete");
  check_state (of_blind, "waiting", "incomplete");
  check_state (of_quiet, "waiting", "spoke");
  check_state (of_rest, "waiting", "spoke");
  g_assert_nonnull (strstr (roast_finding_get_text (get_finding (of_busy, 0)), "Threads waited at least "));
  g_assert_nonnull (strstr (roast_finding_get_text (get_finding (of_busy, 0)), " in total for a core"));
}

/* The program still runs: its elapsed time is unknown. */
static void
test_running (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  add_row (recording, "cluster_samples", "{'source': <'p'>, 'time': <int64 1000000>, 'cpu': <0.5>}");
  add_tree (recording, 1);
  report = aggregate (recording, NULL);
  check_state (report, "waiting", "incomplete");
  check_state (report, "starved", "incomplete");
}

static void
test_chunks (void)
{
  static const char *const rules[] = { "straggling-chunk", "between-chunks", "one-at-a-time", "opening",
                                       "growing-memory" };
  static const struct
  {
    Chunks run;
    const char *rule, *text; /* NULL: none of them speaks */
    double share;
  } cases[] = {
    { { 8, 10, 1.2, 1.7, 0.01, 0, 0.1, 1e5 }, NULL, NULL, 0 },
    { { 2, 8, 1.2, 0.5, 0.01, 10, 0.1, 1e5 },
      "straggling-chunk",
      "(entries 70 to 80 of f0) took 10.0 s, 20 times the median of the other chunks (500 ms). For 9.49 s of this "
      "time, no other chunk ran",
      0.415 },
    { { 1, 10, 1.2, 1.7, 0.01, 0, 0.1, 1e5 },
      "one-at-a-time",
      "The 10 chunks in the call of FuturesExecutor ran one",
      0.74 },
    { { 8, 10, 1.2, 0.1, 1.6, 0, 0.1, 1e5 }, "between-chunks", "no chunk ran for 16", 0.83 * 7 / 8 },
    { { 8, 10, 10, 0.8, 0.01, 0, 0.1, 1e5 }, "between-chunks", "the first chunk started after 9.0", 0.45 * 7 / 8 },
    { { 8, 10, 1.2, 1.7, 0.01, 0, 0.85, 1e5 }, "opening", "Opening files took 85 % of the chunk time", NAN },
    { { 8, 10, 1.2, 1.7, 0.01, 0, 0.1, 1e5, 0.8 },
      "opening",
      "Loading the processor took 80 % of the chunk time",
      NAN },
    { { 8, 10, 1.2, 1.7, 0.01, 0, 0.1, 20e6 },
      "growing-memory",
      "grew by 19.1 MiB per chunk on average after its first chunk, by 172 MiB in total",
      NAN },
    { { 8, 10, 1.2, 1.7, 0.01, 0, 0.1, 20e6, 0, TRUE }, NULL, NULL, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (RoastReport) report = measure_local (&cases[i].run);

      for (guint k = 0; k < G_N_ELEMENTS (rules); k++)
        check_state (report, rules[k], g_strcmp0 (rules[k], cases[i].rule) == 0 ? "spoke" : "silent");
      if (cases[i].rule != NULL)
        check_first (report, cases[i].rule, cases[i].share, cases[i].text);
    }
}

/* Where loading takes long, the memory may be that of copies of the processor. */
static void
test_copies (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (RoastReport) report =
          measure_local (&(Chunks) { 8, 10, 1.2, 1.7, 0.01, 0, 0.1, 20e6, i == 0 ? 0.001 : 0.1 });
      const char *advice = roast_finding_get_advice (get_finding (report, 0));

      check_state (report, "growing-memory", "spoke");
      g_assert_true (g_str_has_prefix (advice, i == 0 ? "Check what the function process () keeps"
                                                      : "Each chunk loads a copy of the processor"));
    }
}

/* @ready: when the library of one worker is ready, s; NaN if it fails after 40 s
 * @ended: when that worker leaves, s
 * @call: how long its only call takes, s; or 0 */
static RoastReport *
measure_library (double ready, double ended, double call)
{
  g_autoptr (RoastRecording) recording = record (&healthy);

  add_row (recording, "workers",
           "{'source': <'x'>, 'worker': <'l'>, 'cores': <4.0>, 'joined': <int64 1000000>, 'left': <int64 %.0f>}",
           ended * S);
  if (isnan (ready))
    add_row (recording, "libraries",
             "{'source': <'x'>, 'library': <'lib'>, 'worker': <'l'>, 'sent': <int64 2000000>, 'ended': <int64 "
             "42000000>, "
             "'status': <'failed'>, 'result': <'exited with 1'>, 'cores': <4.0>}");
  else
    add_row (recording, "libraries",
             "{'source': <'x'>, 'library': <'lib'>, 'worker': <'l'>, 'sent': <int64 2000000>, 'ready': <int64 %.0f>, "
             "'ended': <int64 %.0f>, 'status': <'done'>, 'cores': <4.0>}",
             ready * S, ended * S);

  if (call > 0)
    add_row (recording, "tasks",
             "{'source': <'x'>, 'task': <'call'>, 'attempt': <int64 1>, 'category': <'process'>, 'worker': <'l'>, "
             "'submitted': <int64 1000000>, 'ready': <int64 1000000>, 'dispatched': <int64 4000000>, 'started': <int64 "
             "4000000>, 'ended': <int64 %.0f>, 'status': <'done'>, 'cores': <1.0>, 'cores_allocated': <0.0>}",
             (4 + call) * S);

  return aggregate (recording, NULL);
}

static void
test_libraries (void)
{
  g_autoptr (RoastReport) failed = measure_library (NAN, 90, 0);
  g_autoptr (RoastReport) slow = measure_library (60, 90, 0);
  g_autoptr (RoastReport) quick = measure_library (3, 10, 0);
  g_autoptr (RoastReport) idle = measure_library (3, 90, 0);
  g_autoptr (RoastReport) busy = measure_library (3, 90, 80);

  check_first (failed, "libraries", 0.21, "The library failed, on worker l (“exited with 1”); it held");
  check_first (slow, "libraries", 0.31, "while they started");
  check_state (quick, "libraries", "silent");
  check_state (quick, "idle-libraries", "silent");
  check_first (idle, "idle-libraries", 0.45, "% of the core time without a call, after the first task started.");
  /* It had too few calls because one of them took so long. */
  check_first (busy, "stragglers", 0.34, "Task “call” (process) on worker l took 1 min 20 s");
  check_state (busy, "idle-libraries", "silent");
}

/* @status: of the library
 * @ended: when it ends, and its worker with it, s
 * @is_busy: an attempt is lost with it
 * @n_done: workers that do other tasks */
static RoastReport *
measure_lost_library (const char *status, double ended, gboolean is_busy, guint n_done)
{
  g_autoptr (RoastRecording) recording = NULL;
  Run run = healthy;

  run.n_workers = n_done;
  recording = record (&run);
  roast_recording_set_metadata (recording, "ended", g_variant_new_int64 ((gint64) (90 * S)));
  add_row (recording, "workers",
           "{'source': <'x'>, 'worker': <'l'>, 'cores': <2.0>, 'joined': <int64 1000000>, 'left': <int64 %.0f>}",
           ended * S);
  add_row (recording, "libraries",
           "{'source': <'x'>, 'library': <'lib'>, 'worker': <'l'>, 'sent': <int64 1000000>, 'ready': <int64 1100000>, "
           "'ended': <int64 %.0f>, 'status': <'%s'>, 'result': <'exited'>, 'cores': <2.0>}",
           ended * S, status);
  for (guint i = 0; i < 2 && is_busy; i++)
    add_row (recording, "tasks",
             "{'source': <'x'>, 'task': <'call%u'>, 'attempt': <int64 1>, 'category': <'call'>, 'worker': <'l'>, "
             "'submitted': <int64 1000000>, 'ready': <int64 1000000>, 'dispatched': <int64 1100000>, 'delivered': "
             "<int64 1100000>, 'ended': <int64 %.0f>, 'status': <'lost'>, 'error': <'given back'>, 'cores': <1.0>, "
             "'cores_allocated': <0.0>}",
             i, ended * S);

  return aggregate (recording, NULL);
}

/* A library ends together with its worker. It is not accused of too few calls, nor the worker of anything. */
static void
test_lost_libraries (void)
{
  g_autoptr (RoastReport) failed = measure_lost_library ("failed", 40, TRUE, 0);
  g_autoptr (RoastReport) all = measure_lost_library ("lost", 40, TRUE, 0);
  g_autoptr (RoastReport) some = measure_lost_library ("lost", 90, TRUE, 4);
  g_autoptr (RoastReport) idle = measure_lost_library ("lost", 40, FALSE, 0);
  g_autoptr (RoastReport) little = measure_lost_library ("lost", 2, TRUE, 4);

  check_first (failed, "libraries", 1, "The library failed, on worker l (“exited”); it held 100 % of the core time.");
  check_state (failed, "lost-workers", "silent");
  check_first (all, "libraries", 1,
               "The library ended together with its worker, on worker l (“exited”); 100 % of the core time was lost "
               "with "
               "its calls. No task was done.");
  g_assert_cmpint (roast_finding_get_severity (get_finding (all, 0)), ==, ROAST_FINDING_SEVERITY_ERROR);
  check_state (all, "lost-workers", "silent");
  check_first (some, "libraries", 0.32, "% of the core time was lost with its calls.");
  g_assert_cmpint (roast_finding_get_severity (get_finding (some, 0)), ==, ROAST_FINDING_SEVERITY_WARNING);
  check_state (some, "lost-workers", "silent");
  check_state (idle, "libraries", "silent");
  check_state (idle, "idle-libraries", "silent");
  check_state (little, "libraries", "silent");
  check_state (little, "lost-workers", "silent");
}

/* Workers stay, but their library ends early, and its calls wait for another one; or what waits are other tasks. */
static void
test_calls_without_library (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
      g_autoptr (RoastReport) report = NULL;

      rows_add (recording, "sources", "{'source': <'x'>}");
      rows_add (recording, "workers",
                "{'source': <'x'>, 'worker': <'l'>, 'cores': <2.0>, 'joined': <int64 1000000>, 'left': <int64 "
                "41000000>}");
      rows_add (recording, "libraries",
                "{'source': <'x'>, 'library': <'lib'>, 'worker': <'l'>, 'sent': <int64 1000000>, 'ready': <int64 "
                "1100000>, 'ended': <int64 3000000>, 'status': <'failed'>, 'result': <'exited'>, 'cores': <2.0>}");
      rows_add (recording, "tasks",
                "{'source': <'x'>, 'task': <'call0'>, 'attempt': <int64 1>, 'category': <'call'>, 'worker': <'l'>, "
                "'submitted': <int64 1000000>, 'ready': <int64 1000000>, 'dispatched': <int64 1100000>, 'ended': "
                "<int64 "
                "3000000>, 'status': <'lost'>, 'cores': <1.0>, 'cores_allocated': <0.0>}");
      rows_add (recording, "tasks",
                "{'source': <'x'>, 'task': <'other'>, 'attempt': <int64 1>, 'category': <'process'>, 'worker': <'l'>, "
                "'submitted': <int64 1000000>, 'ready': <int64 1000000>, 'dispatched': <int64 3000000>, 'started': "
                "<int64 3000000>, 'ended': <int64 4000000>, 'status': <'done'>, 'cores': <1.0>, 'cores_allocated': "
                "<1.0>}");
      for (guint task = 1; task < 5; task++)
        add_row (recording, "tasks",
                 "{'source': <'x'>, 'task': <'call%u'>, 'attempt': <int64 1>, 'category': <'%s'>, 'submitted': <int64 "
                 "1000000>, 'ready': <int64 1000000>, 'ended': <int64 41000000>, 'status': <'cancelled'>, "
                 "'cores_requested': <0.0>}",
                 task, i == 0 ? "call" : "process");
      roast_recording_set_metadata (recording, "started", g_variant_new_int64 (0));
      roast_recording_set_metadata (recording, "ended", g_variant_new_int64 ((gint64) (41 * S)));
      report = aggregate (recording, NULL);

      check_first (report, "libraries", i == 0 ? 0.99 : 0.05,
                   i == 0 ? "After the last library had ended, cores were free" : "failed");
      check_state (report, "executor", i == 0 ? "silent" : "incomplete");
    }
}

/* Two workers vanish with what they ran. */
static void
test_lost_workers (void)
{
  /* In the last case, no other worker stays longer. */
  static const double ends[] = { 60, 10, 60, 95 };

  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (RoastRecording) recording = record (&healthy);
      g_autoptr (RoastReport) report = NULL;

      for (guint worker = 0; worker < 2; worker++)
        add_row (recording, "tasks",
                 "{'source': <'x'>, 'task': <'lost%u'>, 'attempt': <int64 1>, 'category': <'process'>, 'worker': "
                 "<'v%u'>, 'submitted': <int64 3000000>, 'ready': <int64 3000000>, 'dispatched': <int64 4000000>, "
                 "'started': <int64 4000000>, 'ended': <int64 %.0f>, 'status': <'lost'>, 'cores': <1.0>, "
                 "'cores_allocated': <1.0>}",
                 worker, worker, ends[i] * S);
      for (guint worker = 0; worker < 2; worker++)
        add_row (recording, "workers",
                 "{'source': <'x'>, 'worker': <'v%u'>, 'cores': <1.0>, 'joined': <int64 1000000>, 'left': <int64 "
                 "%.0f>%s}",
                 worker, ends[i] * S, i >= 2 ? ", 'cause': <'closed'>" : "");

      report = aggregate (recording, NULL);
      check_state (report, "lost-workers", i != 1 ? "spoke" : "silent");
      if (i != 1)
        {
          check_first (report, "lost-workers", i == 3 ? 0.32 : 0.23,
                       i == 0
                           ? "2 attempts on 2 workers, such as v0, ended without a result because the worker vanished"
                       : i == 2 ? "ended without a result because the worker was closed."
                                : "because the executor closed its last workers while they had tasks.");
          check_evidence (report, "lost_attempts", "2");
        }
    }
}

/* Report a task that is returned ten times, although this takes little time. */
static void
test_given_back (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (RoastRecording) recording = record (&healthy);
      g_autoptr (RoastReport) report = NULL;

      for (guint attempt = 1; attempt <= 10 - i; attempt++)
        add_row (recording, "tasks",
                 "{'source': <'x'>, 'task': <'back'>, 'attempt': <int64 %u>, 'category': <'reduce'>, 'worker': <'w0'>, "
                 "'submitted': <int64 3000000>, 'ready': <int64 3000000>, 'dispatched': <int64 %.0f>, 'ended': <int64 "
                 "%.0f>, 'status': <'lost'>, 'error': <'given back'>, 'cores': <1.0>, 'cores_allocated': <1.0>}",
                 attempt, (3 + 0.01 * attempt) * S, (3.005 + 0.01 * attempt) * S);
      report = aggregate (recording, NULL);
      check_state (report, "lost-workers", i == 0 ? "spoke" : "silent");
      if (i == 0)
        check_first (report, "lost-workers", 0,
                     "10 attempts at task back of category “reduce”, the last attempt on w0, ended without a result");
    }
}

static void
test_serialising (void)
{
  static const double seconds[] = { 30, 1, 0.4 };

  for (guint i = 0; i < G_N_ELEMENTS (seconds); i++)
    {
      Run run = healthy;
      g_autoptr (RoastRecording) recording = NULL;
      g_autoptr (RoastReport) report = NULL;

      run.gap = 4;
      /* A short run, in which workers import what their first serialization needs. */
      if (i == 2)
        {
          run.joined = 3.9;
          run.time = 0.1;
          run.gap = 0.1;
        }
      recording = record (&run);
      for (guint worker = 0; worker < run.n_workers; worker++)
        add_row (recording, "activities",
                 "{'source': <'x'>, 'time': <int64 %d>, 'worker': <'w%u'>, 'context': <'execute'>, 'category': "
                 "<'process'>, 'activity': <'serialize'>, 'unit': <'seconds'>, 'value': <%.1f>}",
                 i == 2 ? 5500000 : 90000000, worker, seconds[i]);
      report = aggregate (recording, NULL);
      check_state (report, "serialising", i == 0 ? "spoke" : "silent");
    }
}

/* Results that are serialized for the program after the last task has ended. */
static void
test_serialising_results (void)
{
  Run run = healthy;
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastReport) report = NULL;

  run.n_per_worker = 1;
  run.kept = 60;
  recording = record (&run);
  check_state_of_run (&run, NULL, "no-work", "spoke");
  for (guint worker = 0; worker < run.n_workers; worker++)
    add_row (recording, "activities",
             "{'source': <'x'>, 'time': <int64 70000000>, 'worker': <'w%u'>, 'context': <'serve'>, 'activity': "
             "<'serialize'>, 'unit': <'seconds'>, 'value': <60.0>}",
             worker);
  report = aggregate (recording, NULL);
  check_first (report, "serialising", 0.7, "Serializing, deserializing, compressing and decompressing took");
  check_state (report, "no-work", "silent");
}

static void
test_requests (void)
{
  Run run = healthy;

  run.n_allocated = 4;
  run.cpu = 1;
  check_first_of_run (&run, NULL, "requests", 0.7, "did not use it");
  run.cpu = 3.8;
  check_state_of_run (&run, NULL, "requests", "silent");
}

/* A worker of two cores and 1 GiB, two tasks, and then three that ask for @asked and are never given to it. */
static RoastReport *
measure_large (const char *asked)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);

  rows_add (recording, "sources", "{'source': <'x'>}");
  rows_add (recording, "workers",
            "{'source': <'x'>, 'worker': <'w0'>, 'cores': <2.0>, 'memory_limit': <int64 1073741824>, 'joined': <int64 "
            "1000000>, 'left': <int64 31000000>}");
  for (guint i = 0; i < 5; i++)
    add_row (recording, "tasks",
             "{'source': <'x'>, 'task': <'%u'>, 'attempt': <int64 1>, 'category': <'%s'>, 'submitted': <int64 "
             "1000000>, "
             "'ready': <int64 1000000>, %s%s}",
             i, i < 2 ? "process" : "large",
             i < 2 ? "'worker': <'w0'>, 'dispatched': <int64 1000000>, 'started': <int64 1000000>, 'ended': <int64 "
                     "11000000>, 'status': <'done'>, 'cpu': <9.5>, 'cores': <1.0>, 'cores_requested': <1.0>, "
                     "'cores_allocated': <1.0>"
                   : "'retrieved': <int64 31000000>, 'status': <'cancelled'>, ",
             i < 2 ? "" : asked);
  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (0));
  roast_recording_set_metadata (recording, "ended", g_variant_new_int64 ((gint64) (31 * S)));

  return aggregate (recording, NULL);
}

static void
test_too_large (void)
{
  g_autoptr (RoastReport) never = measure_large ("'cores_requested': <8.0>");
  g_autoptr (RoastReport) fits = measure_large ("'cores_requested': <2.0>");
  g_autoptr (RoastReport) memory = measure_large ("'cores_requested': <1.0>, 'memory_requested': <int64 3221225472>");

  check_first (never, "requests", 0.67,
               "3 tasks fitted no worker: the first, in category “large”, requested 8 cores, but the largest worker "
               "had 2 cores.");
  check_evidence (never, "largest_worker", "2");
  check_state (fits, "requests", "silent");
  check_first (memory, "requests", 0.67,
               "3 tasks fitted no worker: the first, in category “large”, requested 3.00 GiB of memory, but the "
               "largest worker had 1.00 GiB of memory.");
  check_state (memory, "no-work", "silent");
}

/* A worker of four cores and 1 GiB runs one task at a time, of which each asks for @memory. */
static void
test_packing (void)
{
  static const char *const memory[] = { "1073741824", "268435456" };

  for (guint i = 0; i < G_N_ELEMENTS (memory); i++)
    {
      g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
      g_autoptr (RoastReport) report = NULL;

      rows_add (recording, "sources", "{'source': <'x'>}");
      rows_add (recording, "workers",
                "{'source': <'x'>, 'worker': <'w0'>, 'cores': <4.0>, 'memory_limit': <int64 1073741824>, 'joined': "
                "<int64 1000000>, 'left': <int64 104000000>}");
      for (guint task = 0; task < 10; task++)
        add_row (recording, "tasks",
                 "{'source': <'x'>, 'task': <'%u'>, 'attempt': <int64 1>, 'category': <'process'>, 'worker': <'w0'>, "
                 "'submitted': <int64 2000000>, 'ready': <int64 2000000>, 'dispatched': <int64 %.0f>, 'started': "
                 "<int64 %.0f>, 'ended': <int64 %.0f>, 'status': <'done'>, 'cpu': <9.5>, 'cores': <1.0>, "
                 "'cores_requested': <1.0>, 'cores_allocated': <1.0>, 'memory_requested': <int64 %s>}",
                 task, (3 + 10 * task) * S, (3 + 10 * task) * S, (13 + 10 * task) * S, memory[i]);
      roast_recording_set_metadata (recording, "started", g_variant_new_int64 (0));
      roast_recording_set_metadata (recording, "ended", g_variant_new_int64 ((gint64) (104 * S)));
      report = aggregate (recording, NULL);
      check_state (report, "requests", i == 0 ? "spoke" : "silent");
      if (i == 0)
        check_first (report, "requests", 0.59,
                     "each task of category “process” requested 1.00 GiB of memory, and a worker with 4 cores and 1.00 "
                     "GiB has room for only 1 at a time.");
    }
}

/* Workers of three cores, and tasks that need two. */
static void
test_no_fit (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
      g_autoptr (RoastReport) report = NULL;

      rows_add (recording, "sources", "{'source': <'x'>}");
      add_row (recording, "workers",
               "{'source': <'x'>, 'worker': <'w0'>, 'cores': <%u.0>, 'joined': <int64 1000000>, 'left': <int64 "
               "104000000>}",
               3 - i);
      for (guint task = 0; task < 10; task++)
        add_row (recording, "tasks",
                 "{'source': <'x'>, 'task': <'%u'>, 'attempt': <int64 1>, 'category': <'process'>, 'worker': <'w0'>, "
                 "'submitted': <int64 2000000>, 'ready': <int64 2000000>, 'dispatched': <int64 %.0f>, 'started': "
                 "<int64 %.0f>, 'ended': <int64 %.0f>, 'status': <'done'>, 'cpu': <19.0>, 'cores': <2.0>, "
                 "'cores_requested': <2.0>, 'cores_allocated': <2.0>}",
                 task, (3 + 10 * task) * S, (3 + 10 * task) * S, (13 + 10 * task) * S);
      roast_recording_set_metadata (recording, "started", g_variant_new_int64 (0));
      roast_recording_set_metadata (recording, "ended", g_variant_new_int64 ((gint64) (104 * S)));
      report = aggregate (recording, NULL);
      check_state (report, "requests", i == 0 ? "spoke" : "silent");
      if (i == 0)
        check_first (report, "requests", 0.3, "but all ready tasks needed more resources than were free");
    }
}

/* Tasks of which the executor has no more than a count, and one that is cancelled while it waits for a resource. */
static void
test_never_ran (void)
{
  static const char no_worker[] = "{'source': <'x'>, 'time': <int64 5000000>, 'severity': <'warning'>, 'kind': "
                                  "<'no-worker'>, 'message': <'tasks ask for 1 of the resource GPU'>}";

  for (guint i = 0; i < 2; i++)
    {
      Run run = healthy;
      g_autoptr (RoastRecording) recording = NULL;
      g_autoptr (RoastReport) report = NULL;

      run.kept = 60;
      recording = record (&run);
      for (guint task = 0; task < 6 && i == 0; task++)
        add_row (recording, "tasks",
                 "{'source': <'x'>, 'task': <'never%u'>, 'attempt': <int64 1>, 'category': <'special'>, 'submitted': "
                 "<int64 3000000>, 'status': <'never_ran'>}",
                 task);
      report = aggregate (recording, NULL);
      check_state (report, "never-ran", i == 0 ? "spoke" : "silent");
      check_state (report, "no-work", i == 0 ? "silent" : "spoke");
      if (i > 0)
        {
          rows_add (recording, "events", no_worker);
          rows_add (recording, "tasks",
                    "{'source': <'x'>, 'task': <'gone'>, 'attempt': <int64 1>, 'category': <'special'>, 'submitted': "
                    "<int64 3000000>, 'status': <'cancelled'>}");
          g_clear_object (&report);
          report = aggregate (recording, NULL);
          check_first (report, "never-ran", 0.38,
                       "1 task of 37 was cancelled. The executor says: tasks ask for 1 of the resource GPU. After");
          check_state (report, "no-work", "silent");
          continue;
        }
      check_first (report, "never-ran", 0.38,
                   "6 tasks of 42, all in category “special”, never ran. After the last task that ran, ");
      check_evidence (report, "never_ran", "6");
      g_clear_object (&report);
      rows_add (recording, "events",
                "{'source': <'x'>, 'severity': <'warning'>, 'kind': <'scheduler-lost'>, 'message': <'lost'>}");
      report = aggregate (recording, NULL);
      g_assert_true (g_str_has_prefix (roast_finding_get_advice (get_finding (report, 0)), "The scheduler ended"));
      g_clear_object (&report);
      rows_add (recording, "events", no_worker);
      report = aggregate (recording, NULL);
      check_first (report, "never-ran", 0.38,
                   "never ran. The executor says: tasks ask for 1 of the resource GPU. After");
      g_clear_object (&report);
      for (guint task = 0; task < 6; task++)
        add_row (recording, "tasks",
                 "{'source': <'x'>, 'task': <'other%u'>, 'attempt': <int64 1>, 'category': <'other'>, 'submitted': "
                 "<int64 3000000>, 'status': <'never_ran'>}",
                 task);
      report = aggregate (recording, NULL);
      check_first (report, "never-ran", 0.38, "12 tasks of 48, for example in category “");
    }
}

/* No worker comes. This explains what the program did not compute. */
static void
test_never_ran_no_worker (void)
{
  static const Number numbers[] = { { "elapsed_time_seconds", 20 }, { "process_cpu_time_seconds", 1 },
                                    { "run_queue_seconds", 0 },     { "cores_available", 8 },
                                    { "exit_status", 0 },           { "cores_used_average", 0.05 },
                                    { "samples_total", 20 },        { NULL, 0 } };

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
      g_autoptr (RoastReport) report = NULL;

      add_tree (recording, 1);
      if (i > 0)
        add_row (recording, "tasks",
                 "{'source': <'x'>, 'task': <'1'>, 'attempt': <int64 1>, 'category': <'c'>, 'submitted': <int64 "
                 "1000000>, "
                 "'status': <'never_ran'>}");
      report = aggregate (recording, numbers);
      check_state (report, "unexplained", "silent");
      check_state (report, "waiting", i == 0 ? "spoke" : "silent");
      if (i == 0)
        continue;
      g_assert_cmpstr (roast_finding_get_text (get_finding (report, 0)), ==,
                       "1 task, in category “c”, never ran. No worker was ever connected.");
      g_assert_true (g_str_has_prefix (roast_finding_get_advice (get_finding (report, 0)), "Start workers, "));
    }
}

/* A task that requests a GPU never runs, although another such task did if @data. */
static void
test_never_ran_gpus (gconstpointer data)
{
  g_autoptr (RoastRecording) recording = record (&healthy);
  g_autoptr (RoastReport) report = NULL;

  add_row (recording, "tasks",
           "{'source': <'x'>, 'task': <'never'>, 'attempt': <int64 1>, 'status': <'never_ran'>, 'gpus_requested': "
           "<1.0>}");
  add_row (recording, "tasks",
           "{'source': <'x'>, 'task': <'ran'>, 'attempt': <int64 1>, 'status': <'done'>, 'submitted': <int64 3000000>, "
           "'dispatched': <int64 3000000>, 'started': <int64 3000000>, 'gpus_requested': <%d.0>}",
           data != NULL ? 1 : 0);
  report = aggregate (recording, NULL);
  check_state (report, "never-ran", "spoke");
  g_assert_true (g_str_has_prefix (roast_finding_get_advice (get_finding (report, 0)),
                                   data != NULL ? "Check whether the program" : "Check whether a worker offers GPUs"));
}

/* The rule names a task that runs until the recording ends, or until it is cancelled, or lost after its worker had said
 * that it runs. It does not name another one that was lost, nor one that has not run for long. */
static void
test_under_way (void)
{
  static const char *const stuck[] = { "'running_since': <int64 30000000>",
                                       "'started': <int64 30000000>, 'status': <'running'>",
                                       ("'running_since': <int64 30000000>, 'noticed': <int64 155000000>, 'status': "
                                        "<'cancelled'>"),
                                       ("'running_since': <int64 30000000>, 'ended': <int64 155000000>, 'status': "
                                        "<'lost'>"),
                                       "'started': <int64 30000000>, 'status': <'lost'>",
                                       "'running_since': <int64 120000000>" };

  for (guint i = 0; i < G_N_ELEMENTS (stuck); i++)
    {
      Run run = healthy;
      g_autoptr (RoastRecording) recording = NULL;
      g_autoptr (RoastReport) report = NULL;

      run.kept = 60;
      recording = record (&run);
      add_row (recording, "tasks",
               "{'source': <'x'>, 'task': <'stuck'>, 'attempt': <int64 1>, 'category': <'process'>, 'worker': <'w0'>, "
               "'submitted': <int64 4000000>, 'dispatched': <int64 4000000>, %s}",
               stuck[i]);
      report = aggregate (recording, NULL);
      check_state (report, "under-way", i < 4 ? "spoke" : "silent");
      check_state (report, "no-work", i < 4 ? "silent" : "spoke");
      check_state (report, "lost-workers", i == 4 ? "spoke" : "silent");
      if (i < 4)
        check_first (report, "under-way", i < 3 ? 0.5 : 0.4,
                     "1 task of category “process” had run for 2 min 05 s on worker w0 without ending; none of 36 "
                     "other "
                     "tasks took longer than 10.3 s.");
    }
}

/* Tasks that wait for tasks that they submitted hold all slots. Tasks that compute do so as well. */
static void
test_held_slots (void)
{
  static const double cpu[] = { 0.5, 200 };

  for (guint i = 0; i < G_N_ELEMENTS (cpu); i++)
    {
      Run run = healthy;
      g_autoptr (RoastRecording) recording = NULL;
      g_autoptr (RoastReport) report = NULL;

      run.n_per_worker = 1;
      run.kept = 100;
      recording = record (&run);
      for (guint worker = 0; worker < run.n_workers; worker++)
        {
          add_row (recording, "tasks",
                   "{'source': <'x'>, 'task': <'outer-%u'>, 'attempt': <int64 1>, 'category': <'outer'>, 'worker': "
                   "<'w%u'>, 'submitted': <int64 15000000>, 'dispatched': <int64 15000000>, 'running_since': <int64 "
                   "16000000>}",
                   worker, worker);
          add_row (recording, "activities",
                   "{'source': <'x'>, 'time': <int64 90000000>, 'worker': <'w%u'>, 'context': <'process'>, "
                   "'activity': <'task-threads'>, 'unit': <'seconds'>, 'value': <%.1f>}",
                   worker, cpu[i] / run.n_workers);
        }
      add_row (recording, "task_totals",
               "{'source': <'x'>, 'time': <int64 90000000>, 'category': <'job'>, 'status': <'never_ran'>, 'tasks': "
               "<int64 12>, 'retried': <int64 0>, 'attempts': <int64 0>}");
      add_row (recording, "task_totals",
               "{'source': <'x'>, 'time': <int64 90000000>, 'category': <'outer'>, 'status': <'unfinished'>, 'tasks': "
               "<int64 4>, 'retried': <int64 0>, 'attempts': <int64 0>}");
      report = aggregate (recording, NULL);
      check_state (report, "under-way", i == 0 ? "spoke" : "silent");
      if (i == 0)
        check_first (report, "under-way", 0.87,
                     "4 tasks, mostly of category “outer”, held all slots and hardly computed, while 12 other tasks "
                     "waited.");
    }
}

/* That the program broke off is the reason, and comes first. */
static void
test_broken_off (void)
{
  static const Number killed[] = { { "exit_status", 143 }, { NULL, 0 } };
  Run run = healthy;
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastReport) report = NULL;

  run.kept = 60;
  recording = record (&run);
  rows_add (recording, "tasks",
            "{'source': <'x'>, 'task': <'never'>, 'attempt': <int64 1>, 'category': <'special'>, 'submitted': <int64 "
            "3000000>, 'status': <'never_ran'>}");
  report = aggregate (recording, killed);
  check_first (report, "failures", NAN, "exit status 143");
  g_assert_cmpstr (roast_finding_get_text (get_finding (report, 1)), ==,
                   "1 task of 37, in category “special”, never ran.");
  g_assert_true (isnan (roast_finding_get_share (get_finding (report, 1))));
}

/* @every: in each so many samples each worker runs one of its tasks */
static RoastReport *
measure_paused (guint every)
{
  Run run = healthy;
  g_autoptr (RoastRecording) recording = NULL;

  run.kept = 60;
  recording = record (&run);
  /* What they are given is cancelled in the end: what it did is unknown. */
  for (guint worker = 0; worker < run.n_workers; worker++)
    add_row (recording, "tasks",
             "{'source': <'x'>, 'task': <'late-%u'>, 'attempt': <int64 1>, 'category': <'process'>, 'worker': <'w%u'>, "
             "'submitted': <int64 3000000>, 'ready': <int64 3000000>, 'dispatched': <int64 96000000>, 'status': "
             "<'cancelled'>}",
             worker, worker);
  for (guint i = 0; i < 55; i++)
    for (guint worker = 0; worker < run.n_workers; worker++)
      add_row (recording, "worker_samples",
               "{'source': <'x'>, 'time': <int64 %.0f>, 'worker': <'w%u'>, 'active_tasks': <int64 2>, "
               "'executing_tasks': "
               "<int64 %d>, 'memory': <int64 %u>, 'memory_limit': <int64 100>}",
               (100.0 + i) * S, worker, i % every == 0 ? 1 : 0, 80 + worker);

  return aggregate (recording, NULL);
}

static void
test_paused (void)
{
  g_autoptr (RoastReport) paused = measure_paused (G_MAXUINT);
  g_autoptr (RoastReport) busy = measure_paused (3);

  check_first (paused, "paused", 0.35,
               "4 workers with nearly full memory held tasks but ran none. Worker w3 used 83 %");
  check_state (busy, "paused", "incomplete");
}

static void
test_numbers (void)
{
  static const Number costly[] = { { "own_cpu_seconds", 40 },           { "process_cpu_time_seconds", 350 },
                                   { "read_amplification_ratio", 3.5 }, { "bytes_read_total", 7e9 },
                                   { "needed_bytes_total", 2e9 },       { NULL, 0 } };
  g_auto (Result) result = measure (&healthy, costly);
  g_auto (Result) unknown = measure (&healthy, NULL);

  check_first (result.report, "amplification", NAN, "3.5 times as much as they need");
  g_assert_cmpstr (roast_finding_get_rule (get_finding (result.report, 1)), ==, "measurement");
  check_state (unknown.report, "amplification", "incomplete");
  check_state (unknown.report, "measurement", "incomplete");
}

/* What no other rule explains, if it is much. */
static void
test_unexplained (void)
{
  static const struct
  {
    double cpu, straggler;
    const char *text; /* NULL: it is explained */
  } cases[] = {
    { 0.95, 0, NULL },
    { 0.75, 0, "24 % of the core time (1 min 30 s) is unexplained: tasks ran but did not compute." },
    { 0.5, 0, NULL },
    { 0.95, 60, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Run run = healthy;
      g_auto (Result) result = { NULL, NULL };

      run.cpu = cases[i].cpu;
      run.straggler = cases[i].straggler;
      result = measure (&run, NULL);
      check_state (result.report, "unexplained", cases[i].text != NULL ? "spoke" : "silent");
      if (cases[i].text != NULL)
        check_first (result.report, "unexplained", 0.236, cases[i].text);
    }
}

/* Cores are free because the program binds tasks to one worker. */
static void
test_bound (void)
{
  Run run = healthy;
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastReport) report = NULL;

  run.kept = 95;
  recording = record (&run);
  for (guint i = 0; i < 9; i++)
    add_task (recording, &run, 0, 500 + i, 1, 95 + 10 * i, 10, "done");
  report = aggregate (recording, NULL);
  check_first (report, "executor", 0.29, "was free: the executor did not assign tasks in time");
  g_clear_object (&report);
  rows_add (recording, "events",
            "{'source': <'x'>, 'time': <int64 5000000>, 'severity': <'info'>, 'kind': <'bound'>, 'message': "
            "<'tasks may only run on some workers'>}");
  report = aggregate (recording, NULL);
  check_first (report, "executor", 0.29, "was free. Meanwhile, tasks were ready; tasks may only run on some workers.");
}

/* A straggler explains the tail, and not that workers stay for long after it. */
static void
test_no_work_beside_straggler (void)
{
  static const double kept[] = { 0, 200 };

  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    {
      Run run = healthy;
      g_auto (Result) result = { NULL, NULL };

      run.straggler = 60;
      run.kept = kept[i];
      result = measure (&run, NULL);
      check_state (result.report, "stragglers", "spoke");
      check_state (result.report, "no-work", i == 0 ? "silent" : "spoke");
      check_state (result.report, "unexplained", "silent");
    }
}

/* A worker died: that is said even if hardly any time was lost. */
static void
test_dead_worker (void)
{
  Run run = healthy;
  g_auto (Result) result = { NULL, NULL };

  run.limits = ", 'cause': <'signal'>, 'signal': <int64 9>";
  result = measure (&run, NULL);
  check_first (result.report, "lost-workers", 0, "Signal 9 killed the process of 1 worker.");
  g_assert_nonnull (strstr (roast_finding_get_advice (get_finding (result.report, 0)),
                            "the kernel because memory ran out"));
}

/* The executor merely lost the worker, but roast observed its process. */
static void
test_vanished_worker (void)
{
  Run run = healthy;
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastReport) report = NULL;

  run.limits = ", 'cause': <'lost'>, 'pid': <int64 77>, 'started': <int64 1000000>";
  recording = record (&run);
  add_row (recording, "processes",
           "{'source': <'p'>, 'process': <int64 2>, 'parent': <int64 1>, 'pid': <int64 77>, 'started': <int64 "
           "1000000>, "
           "'signal': <int64 9>}");
  report = aggregate (recording, NULL);
  check_first (report, "lost-workers", 0, "Signal 9 killed the process of 1 worker.");
}

/* Results were lost with their workers, or released by the program, and computed again. */
static void
test_repeated (void)
{
  static const char *const parts[] = { "because its result was no longer kept, although no worker had left", NULL,
                                       "because its result was gone:",
                                       "because its result was no longer kept, although no worker had left",
                                       "killed the process of 1 worker; 1 task that had been done ran again." };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      Run run = healthy;
      g_autoptr (RoastRecording) recording = NULL;
      g_autoptr (RoastReport) report = NULL;

      run.cpu = i == 3 ? 0.2 : run.cpu;
      recording = record (&run);

      /* In the second case, the first attempts failed. */
      for (guint attempt = 1; attempt <= 2; attempt++)
        add_row (recording, "tasks",
                 "{'source': <'x'>, 'task': <'again'>, 'attempt': <int64 %u>, 'category': <'process'>, 'worker': "
                 "<'w0'>, 'submitted': <int64 3000000>, 'dispatched': <int64 %.0f>, 'started': <int64 %.0f>, 'ended': "
                 "<int64 %.0f>, 'status': <'%s'>}",
                 attempt, attempt == 1 ? 20 * S : 30 * S, attempt == 1 ? 20 * S : 30 * S,
                 attempt == 1 ? 21 * S : 90 * S, i == 1 && attempt == 1 ? "failed" : "done");
      add_row (recording, "task_totals",
               "{'source': <'x'>, 'time': <int64 %.0f>, 'category': <'process'>, 'status': <'done'>, 'tasks': <int64 "
               "%u>, 'retried': <int64 1>, 'attempts': <int64 %u>}",
               300 * S, 37, i == 1 ? 37 : 38);
      if (i == 2 || i == 4)
        add_row (recording, "workers",
                 "{'source': <'x'>, 'worker': <'left'>, 'cores': <1.0>, 'joined': <int64 %.0f>, 'left': <int64 "
                 "%.0f>%s}",
                 5 * S, 25 * S, i == 4 ? ", 'cause': <'signal'>, 'signal': <int64 9>" : "");
      report = aggregate (recording, NULL);
      check_state (report, "lost-workers", parts[i] != NULL ? "spoke" : "silent");
      if (parts[i] != NULL && i != 3)
        check_first (report, "lost-workers", 0.155, parts[i]);
      /* One finding claims the waiting of attempts that ran again, and no other. */
      if (i == 3)
        check_first (report, "waiting", 0.64, "Tasks");
    }
}

/* What workers that replace dead ones could not do is not the executor's fault, nor are they too many. */
static void
test_replaced_workers (void)
{
  for (guint i = 0; i < 2; i++)
    {
      Run run = healthy;
      g_autoptr (RoastRecording) recording = NULL;
      g_autoptr (RoastReport) report = NULL;

      run.gap = 6;
      run.kept = 30;
      run.limits = i == 0 ? ", 'cause': <'memory'>" : NULL;
      recording = record (&run);
      add_row (recording, "workers",
               "{'source': <'x'>, 'worker': <'late'>, 'cores': <2.0>, 'joined': <int64 %.0f>, 'left': <int64 %.0f>}",
               145 * S, 175 * S);
      if (i == 0)
        add_row (recording, "tasks",
                 "{'source': <'x'>, 'task': <'l'>, 'attempt': <int64 1>, 'category': <'process'>, 'worker': <'w0'>, "
                 "'submitted': <int64 %.0f>, 'dispatched': <int64 %.0f>, 'started': <int64 %.0f>, 'ended': <int64 "
                 "%.0f>, 'status': <'lost'>, 'cores': <1.0>}",
                 3 * S, 130 * S, 130 * S, 131 * S);
      report = aggregate (recording, NULL);
      check_state (report, "memory", i == 0 ? "spoke" : "incomplete");
      check_state (report, "executor", i == 0 ? "silent" : "spoke");
      check_state (report, "idle-workers", i == 0 ? "silent" : "spoke");
    }
}

/* One worker is slower because it waits longer for a core, or for something else. */
static void
test_starved_worker (void)
{
  static const Number numbers[] = {
    { "run_queue_seconds", 265 }, { "process_cpu_time_seconds", 230 }, { "cores_available", 4 }, { NULL, 0 }
  };

  for (guint i = 0; i < 3; i++)
    {
      Run run = healthy;
      g_autoptr (RoastRecording) recording = NULL;
      g_autoptr (RoastReport) report = NULL;

      /* In the third case, two workers wait, and two have no tasks. */
      run.n_idle = i == 2 ? 2 : 0;
      run.n_workers -= run.n_idle;
      run.cpu = 0.5;
      run.n_slow = i < 2;
      run.slow = 2;
      run.is_waiting_longer = TRUE;
      recording = record (&run);
      rows_add (recording, "sources", "{'source': <'p'>, 'worker_kind': <'process'>}");
      for (guint worker = 0; worker < run.n_workers + run.n_idle; worker++)
        {
          double queue = i == 2 || (worker == 0 && i == 0) ? 140.0 : 50.0;

          add_row (recording, "workers",
                   "{'source': <'x'>, 'worker': <'w%u'>, 'pid': <int64 %u>, 'started': <int64 0>}", worker,
                   100 + worker);
          add_row (recording, "processes",
                   "{'source': <'p'>, 'process': <int64 %u>, 'pid': <int64 %u>, 'command': <'w'>, 'count': <int64 1>, "
                   "'origin': <'exact'>, 'started': <int64 0>, 'cpu_user': <100.0>, 'cpu_system': <0.0>, 'run_queue': "
                   "<%.1f>}",
                   worker, 100 + worker, queue);
          add_row (recording, "workers",
                   "{'source': <'p'>, 'worker': <'%u.1'>, 'pid': <int64 %u>, 'joined': <int64 0>}", 100 + worker,
                   100 + worker);
          add_row (recording, "worker_samples",
                   "{'source': <'p'>, 'worker': <'%u.1'>, 'time': <int64 %.0f>, 'run_queue': <%.1f>}", 100 + worker,
                   190 * S, queue);
        }
      report = aggregate (recording, numbers);
      check_state (report, "starved", "spoke");
      check_state (report, "slower-worker", i == 1 ? "spoke" : "silent");
      for (guint k = 0; i == 2 && k < 2; k++)
        g_assert_null (strstr (roast_finding_get_text (get_finding (report, k)), "most of it on worker"));
    }
}

/* Workers hold data before the first task: the program sent them. */
static void
test_sent_before (void)
{
  Run run = healthy;
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastReport) report = NULL;

  run.first = 100;
  recording = record (&run);
  for (guint i = 0; i < 2; i++)
    add_row (recording, "worker_samples",
             "{'source': <'x'>, 'worker': <'w%u'>, 'time': <int64 %.0f>, 'nbytes': <int64 200000000>}", i, 50 * S);
  report = aggregate (recording, NULL);
  check_first (report, "start-up", 0.52, "Before this task, the program had sent 381 MiB of data to workers.");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/findings/healthy", test_healthy);
  g_test_add_func ("/findings/nothing", test_nothing);
  g_test_add_func ("/findings/start-up", test_start_up);
  g_test_add_func ("/findings/start-up-with-lost-attempts", test_start_up_with_lost_attempts);
  g_test_add_func ("/findings/start-up-of-several", test_start_up_of_several);
  g_test_add_func ("/findings/no-workers", test_no_workers);
  g_test_add_func ("/findings/blocked-start", test_blocked_start);
  g_test_add_func ("/findings/lock", test_lock);
  g_test_add_func ("/findings/blocked-tasks", test_blocked_tasks);
  g_test_add_func ("/findings/waiting-live", test_waiting_live);
  g_test_add_func ("/findings/one-by-one", test_one_by_one);
  g_test_add_func ("/findings/semaphore", test_semaphore);
  g_test_add_func ("/findings/warm-up", test_warm_up);
  g_test_add_func ("/findings/growing-memory", test_growing_memory);
  g_test_add_func ("/findings/short-chain", test_short_chain);
  g_test_add_func ("/findings/stragglers", test_stragglers);
  g_test_add_func ("/findings/waiting-straggler", test_waiting_straggler);
  g_test_add_func ("/findings/barrier", test_barrier);
  g_test_add_func ("/findings/tail-without-straggler", test_tail_without_straggler);
  g_test_add_func ("/findings/lone-straggler", test_lone_straggler);
  g_test_add_func ("/findings/second-round", test_second_round);
  g_test_add_func ("/findings/starved", test_starved);
  g_test_add_func ("/findings/replaced", test_replaced);
  g_test_add_func ("/findings/starved-a-little", test_starved_a_little);
  g_test_add_func ("/findings/starved-start", test_starved_start);
  g_test_add_func ("/findings/starved-measured", test_starved_measured);
  g_test_add_func ("/findings/turns", test_turns);
  g_test_add_func ("/findings/waiting", test_waiting);
  g_test_add_func ("/findings/memory", test_memory);
  g_test_add_func ("/findings/spilling", test_spilling);
  g_test_add_func ("/findings/spilled-early", test_spilled_early);
  g_test_add_func ("/findings/limits", test_limits);
  g_test_add_func ("/findings/executor", test_executor);
  g_test_add_func ("/findings/late-outside", test_late_outside);
  g_test_add_func ("/findings/late-worker", test_late_worker);
  g_test_add_func ("/findings/held", test_held);
  g_test_add_func ("/findings/held-beside", test_held_beside);
  g_test_add_func ("/findings/elsewhere", test_elsewhere);
  g_test_add_func ("/findings/dependencies", test_dependencies);
  g_test_add_func ("/findings/no-work", test_no_work);
  g_test_add_func ("/findings/large-graph", test_large_graph);
  g_test_add_func ("/findings/moving", test_moving);
  g_test_add_func ("/findings/fetching", test_fetching);
  g_test_add_func ("/findings/fetching-little", test_fetching_little);
  g_test_add_func ("/findings/sending", test_sending);
  g_test_add_func ("/findings/short-tasks", test_short_tasks);
  g_test_add_func ("/findings/bound-tasks", test_bound_tasks);
  g_test_add_func ("/findings/few-tasks", test_few_tasks);
  g_test_add_func ("/findings/slower-on-loaded-machine", test_slower_on_loaded_machine);
  g_test_add_func ("/findings/workers-left", test_workers_left);
  g_test_add_func ("/findings/slower-worker", test_slower_worker);
  g_test_add_func ("/findings/slower-source", test_slower_source);
  g_test_add_func ("/findings/slower-file", test_slower_file);
  g_test_add_func ("/findings/opening-hides", test_opening_hides);
  g_test_add_func ("/findings/busy-machine", test_busy_machine);
  g_test_add_func ("/findings/starved-asleep", test_starved_asleep);
  g_test_add_func ("/findings/excused-files", test_excused_files);
  g_test_add_func ("/findings/failures", test_failures);
  g_test_add_func ("/findings/cause-of-chunk", test_cause_of_chunk);
  g_test_add_func ("/findings/copies", test_copies);
  g_test_add_func ("/findings/failed-calls", test_failed_calls);
  g_test_add_func ("/findings/failed-preparation", test_failed_preparation);
  g_test_add_func ("/findings/failed-child", test_failed_child);
  g_test_add_func ("/findings/killed-helper", test_killed_helper);
  g_test_add_func ("/findings/causes", test_causes);
  g_test_add_func ("/findings/cores-by-cpu", test_cores_by_cpu);
  g_test_add_func ("/findings/slower-host-without-cores", test_slower_host_without_cores);
  g_test_add_func ("/findings/killed-worker", test_killed_worker);
  g_test_add_func ("/findings/failed-files", test_failed_files);
  g_test_add_func ("/findings/most-missing-file", test_most_missing_file);
  g_test_add_func ("/findings/program", test_program);
  g_test_add_func ("/findings/rejected-graph", test_rejected_graph);
  g_test_add_func ("/findings/killed-child", test_killed_child);
  g_test_add_func ("/findings/killed-early", test_killed_early);
  g_test_add_func ("/findings/chunks", test_chunks);
  g_test_add_func ("/findings/bound-program", test_bound_program);
  g_test_add_func ("/findings/one-core", test_one_core);
  g_test_add_func ("/findings/unseen-threads", test_unseen_threads);
  g_test_add_func ("/findings/running", test_running);
  g_test_add_func ("/findings/unexplained", test_unexplained);
  g_test_add_func ("/findings/bound", test_bound);
  g_test_add_func ("/findings/no-work-beside-straggler", test_no_work_beside_straggler);
  g_test_add_func ("/findings/dead-worker", test_dead_worker);
  g_test_add_func ("/findings/vanished-worker", test_vanished_worker);
  g_test_add_func ("/findings/given-back", test_given_back);
  g_test_add_func ("/findings/replaced-workers", test_replaced_workers);
  g_test_add_func ("/findings/starved-worker", test_starved_worker);
  g_test_add_func ("/findings/sent-before", test_sent_before);
  g_test_add_func ("/findings/short-beside-long", test_short_beside_long);
  g_test_add_func ("/findings/libraries", test_libraries);
  g_test_add_func ("/findings/lost-libraries", test_lost_libraries);
  g_test_add_func ("/findings/calls-without-library", test_calls_without_library);
  g_test_add_func ("/findings/lost-workers", test_lost_workers);
  g_test_add_func ("/findings/repeated", test_repeated);
  g_test_add_func ("/findings/serialising", test_serialising);
  g_test_add_func ("/findings/serialising-results", test_serialising_results);
  g_test_add_func ("/findings/requests", test_requests);
  g_test_add_func ("/findings/too-large", test_too_large);
  g_test_add_func ("/findings/no-fit", test_no_fit);
  g_test_add_func ("/findings/packing", test_packing);
  g_test_add_func ("/findings/never-ran", test_never_ran);
  g_test_add_func ("/findings/never-ran-no-worker", test_never_ran_no_worker);
  g_test_add_data_func ("/findings/never-ran/no-gpus", NULL, test_never_ran_gpus);
  g_test_add_data_func ("/findings/never-ran/gpus", "", test_never_ran_gpus);
  g_test_add_func ("/findings/under-way", test_under_way);
  g_test_add_func ("/findings/held-slots", test_held_slots);
  g_test_add_func ("/findings/broken-off", test_broken_off);
  g_test_add_func ("/findings/paused", test_paused);
  g_test_add_func ("/findings/numbers", test_numbers);

  return g_test_run ();
}
