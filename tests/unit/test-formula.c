/* SPDX-License-Identifier: BSD-3-Clause */

/* Formulas: what they compute by hand, between which bounds when something is missing, and what they refuse. */

#include <roast/roast.h>
#include <string.h>

#include "rows.h"

static void
task (RoastRecording *recording, const char *cells)
{
  static guint n;
  g_autofree char *row = g_strdup_printf ("{'source': <'a'>, 'task': <'%u'>, 'attempt': <int64 1>, %s}", n++, cells);

  rows_add (recording, "tasks", row);
}

static RoastRecording *
make_recording (RoastSchema *schema)
{
  RoastRecording *recording = roast_recording_new (schema);

  task (recording, "'worker': <'w1'>, 'started': <int64 1000000>, 'ended': <int64 3000000>, 'status': <'done'>, "
                   "'cpu': <0.5>, 'exit_code': <int64 1>");
  task (recording, "'worker': <'w1'>, 'started': <int64 2000000>, 'ended': <int64 5000000>, 'status': <'failed'>, "
                   "'cpu': <1.0>, 'exit_code': <int64 2>");
  task (recording, "'worker': <'w2'>, 'started': <int64 7000000>, 'ended': <int64 8000000>, 'status': <'done'>");
  task (recording, "'status': <'never_ran'>");
  rows_add (recording, "cluster_samples", "{'source': <'a'>, 'time': <int64 1000000>, 'workers': <int64 2>}");
  rows_add (recording, "cluster_samples", "{'source': <'a'>, 'time': <int64 3000000>, 'workers': <int64 4>}");
  rows_add (recording, "cluster_samples", "{'source': <'a'>, 'time': <int64 4000000>, 'workers': <int64 0>}");
  rows_add (recording, "task_totals", "{'source': <'a'>, 'time': <int64 1>, 'category': <'c'>, 'tasks': <int64 1>}");
  rows_add (recording, "task_totals", "{'source': <'a'>, 'time': <int64 2>, 'category': <'c'>, 'tasks': <int64 7>}");
  rows_add (recording, "task_totals", "{'source': <'a'>, 'time': <int64 2>, 'category': <'d'>, 'tasks': <int64 2>}");

  return recording;
}

static RoastReport *
make_report (RoastRecording *recording)
{
  RoastReport *report = roast_report_new (roast_recording_get_schema (recording));

  roast_report_add_int64 (report, "whole", 6, ROAST_COMPLETENESS_COMPLETE, NULL);
  roast_report_add_double (report, "noted", 4, ROAST_COMPLETENESS_COMPLETE, "as measured");
  roast_report_add_double (report, "least", 3, ROAST_COMPLETENESS_PARTIAL, "two are missing");
  roast_report_add_double (report, "about", 5, ROAST_COMPLETENESS_ESTIMATED, "sampled");
  roast_report_add_double (report, "nil", 0, ROAST_COMPLETENESS_COMPLETE, NULL);
  roast_report_add_unavailable (report, "gone", "it was not measured");
  roast_report_add_string (report, "text", "words");

  return report;
}

typedef struct
{
  const char *formula, *expected;
} Case;

static void
check (RoastRecording *recording, const Case *cases, guint n)
{
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (RoastReport) report = make_report (recording);
      g_autoptr (GError) error = NULL;
      g_autoptr (RoastMetric) metric = roast_report_evaluate (report, snapshot, "result", cases[i].formula, &error);

      g_test_message ("%s", cases[i].formula);
      g_assert_no_error (error);
      roast_report_add_metric (report, metric);
      assert_metric (report, "result", cases[i].expected);
    }
}

static void
test_metrics (void)
{
  static const Case cases[] = {
    { "2 * (3 + 4) - 1", "13" },
    { "-whole / 4 + .5", "-1.0" },
    { "8 * whole", "48" },
    { "whole / noted", "1.5: as measured" },
    { "min (whole, noted, 7)", "4.0: as measured" },
    { "max (2, 3)", "3" },
    { "first_known (gone, whole)", "6" },
    { "first_known (gone, gone)", "n/a: it was not measured" },
    { "gone + whole", "n/a: it was not measured" },
    { "max (whole, gone)", "n/a: it was not measured" },
    { "whole / nil", "n/a: nil is 0" },
    { "whole / (nil * 2)", "n/a: the denominator is 0" },
    { "text", "n/a: text is not a number" },
    { "1e300 * 1e300", "n/a: the value is not a finite number" },
    /* Bounds. */
    { "least + 1", "4.0 partial: two are missing" },
    { "2 * least", "6.0 partial: two are missing" },
    { "least / whole", "0.5 partial: two are missing" },
    { "whole / least", "2.0 estimated: at most: least is a lower bound (two are missing)" },
    { "least / least", "1.0 estimated: may be too high or too low: least is a lower bound (two are missing)" },
    { "10 - least", "7.0 estimated: at most: two are missing" },
    { "least * about", "15.0 estimated: two are missing" },
    { "about / whole", "0.833333333 estimated: sampled" },
    { "max (whole, least)", "6.0 partial: two are missing" },
    { "min (whole, least)", "3.0 partial: two are missing" },
    { "min (2, least)", "2.0" },
    { "round (whole / noted)", "2: as measured" },
    { "round (least + 0.3)", "3 partial: two are missing" },
    { "round (gone)", "n/a: it was not measured" },
  };
  g_autoptr (RoastRecording) recording = make_recording (NULL);

  check (recording, cases, G_N_ELEMENTS (cases));
}

static const Case of_rows[] = {
  { "count (over tasks)", "4" },
  { "count (over tasks where status = done)", "2" },
  { "count (over tasks where status in (done, failed) and not worker = w2)", "2" },
  { "count (over tasks where status != done)", "2" },
  { "count (over tasks where worker = '')", "1" },
  { "count (over tasks where known (worker) and (exit_code > 1 or exit_code = 1))",
    "2 partial: the condition is unknown for 1 of 4 rows of tasks" },
  { "count (over tasks where started >= 2)", "2 partial: the condition is unknown for 1 of 4 rows of tasks" },
  { "count (over tasks where ended - started < 2.5)", "2 partial: the condition is unknown for 1 of 4 rows of tasks" },
  /* A condition is unknown if a missing number decides it. */
  { "count (over tasks where not ended - started < 2.5)",
    "1 partial: the condition is unknown for 1 of 4 rows of tasks" },
  { "count (over tasks where known (ended) and ended - started < 2.5)", "2" },
  { "count (over tasks where ended - started < 2.5 or not known (ended))", "3" },
  { "count (over tasks where cpu > 100)", "n/a: the condition is unknown for 2 of 4 rows of tasks" },
  { "min (started over tasks where cpu > 0)",
    "1.0 estimated: at most: the condition is unknown for 2 of 4 rows of tasks" },
  { "mean (started over tasks where cpu > 0)", "1.5 estimated: the condition is unknown for 2 of 4 rows of tasks" },
  { "max (count (over tasks where cpu > 0 by worker))",
    "2 partial: the condition is unknown for 2 of 4 rows of tasks" },
  { "count (over tasks where exit_code in (2, 3))", "1 partial: the condition is unknown for 2 of 4 rows of tasks" },
  { "count (over tasks where exit_code)", "2 partial: the condition is unknown for 2 of 4 rows of tasks" },
  { "count (over tasks where started in (1, 7))", "2 partial: the condition is unknown for 1 of 4 rows of tasks" },
  { "sum (max (cpu, 0.75) over tasks)", "1.75 partial: the value is unknown for 2 of 4 rows of tasks" },
  { "sum (exit_code over tasks where known (exit_code))", "3" },
  { "sum (ended - started over tasks where known (started))", "6.0" },
  { "sum (cpu over tasks where status = lost)", "0.0" },
  { "sum (round (ended - started) over tasks where known (started))", "6" },
  { "count (over tasks where round (cpu + 0.1) = 1)", "2 partial: the condition is unknown for 2 of 4 rows of tasks" },
  { "mean (ended - started over tasks where known (ended))", "2.0" },
  { "min (started over tasks where known (started))", "1.0" },
  { "max (ended over tasks where known (ended))", "8.0" },
  { "deviation (ended - started over tasks where known (ended))", "1.0" },
  { "quantile (ended - started, 0.5 over tasks where known (ended))", "2.0" },
  { "quantile (ended - started, 1 over tasks where known (ended))", "3.0" },
  { "union (started, ended over tasks where known (ended))", "5.0" },
  { "union (started, started + 1.5 over tasks where known (ended))", "4.0" },
  { "union (started - 0, ended over tasks where known (ended))", "5.0" },
  { "sum (ended - 1 - started over tasks where known (ended))", "3.0" },
  { "distinct (worker over tasks where known (worker))", "2" },
  { "step (workers, time over cluster_samples)", "8.0" },
  { "step (workers, time over cluster_samples) / (max (time over cluster_samples) - min (time over cluster_samples))",
    "2.66666667" },
  { "sum (tasks over task_totals last per source, category)", "9" },
  { "max (sum (ended - started over tasks where known (ended) by worker))", "5.0" },
  { "count (count (over tasks where known (worker) by worker))", "2" },
  { "mean (sum (first_known (cpu, 0) over tasks where known (worker) by worker))", "0.75" },
  /* A row without a key may be a newer row of any key. */
  { "sum (exit_code over tasks last per memory_peak)", "n/a: rows of tasks do not say their key" },
  { "count (over tasks last per worker)", "2 estimated: rows of tasks do not say their key" },
  { "count (over tasks last per worker, status)", "4" },
  /* A row without a key may belong to any group, or to one more. */
  { "count (count (over tasks by worker))", "2 partial: the group is unknown for 1 of 4 rows of tasks" },
  { "max (count (over tasks by worker))", "2 partial: the group is unknown for 1 of 4 rows of tasks" },
  { "min (count (over tasks by worker))", "1 estimated: the group is unknown for 1 of 4 rows of tasks" },
  { "mean (count (over tasks by worker))", "1.5 estimated: the group is unknown for 1 of 4 rows of tasks" },
  { "sum (max (exit_code over tasks where known (exit_code) by memory_peak))",
    "n/a: the group is unknown for 2 of 2 rows of tasks" },
  { "count (count (over tasks by worker, status))", "4" },
  /* These do not depend on the groups. */
  { "sum (count (over tasks by worker))", "4" },
  { "sum (sum (exit_code over tasks where known (exit_code) by memory_peak))", "3" },
  { "max (max (exit_code over tasks where known (exit_code) by memory_peak))", "2" },
  { "min (min (exit_code over tasks where known (exit_code) by memory_peak))", "1" },
  { "sum (max (exit_code, 2) over tasks where known (exit_code))", "4" },
  { "sum (bytes over transfers)", "n/a: table transfers has no rows" },
  { "sum (memory_peak over tasks where known (memory_peak))", "n/a: no row of table tasks meets the condition" },
  { "sum (max (memory_peak over tasks where known (memory_peak) by worker))",
    "n/a: no row of table tasks meets the condition" },
  { "count (over transfers)", "n/a: table transfers has no rows" },
  { "mean (cpu over tasks where status = lost)", "n/a: no row of table tasks meets the condition" },
  /* Cells that are missing. */
  { "sum (cpu over tasks)", "1.5 partial: the value is unknown for 2 of 4 rows of tasks" },
  { "mean (cpu over tasks)", "0.75 estimated: the value is unknown for 2 of 4 rows of tasks" },
  { "max (cpu over tasks)", "1.0 partial: the value is unknown for 2 of 4 rows of tasks" },
  { "min (cpu over tasks)", "0.5 estimated: at most: the value is unknown for 2 of 4 rows of tasks" },
  { "sum (-cpu over tasks)", "-1.5 estimated: the value is unknown for 2 of 4 rows of tasks" },
  { "sum (cpu over tasks where status = never_ran)", "n/a: the value is unknown for 1 of 1 rows of tasks" },
};

static void
test_rows (void)
{
  g_autoptr (RoastRecording) recording = make_recording (NULL);

  check (recording, of_rows, G_N_ELEMENTS (of_rows));
}

static void
test_coverage (void)
{
  static const Case cases[] = {
    { "count (over tasks)", "4 partial: the log was cut" },
    { "mean (started over tasks)", "3.33333333 estimated: the log was cut" },
    { "sum (tasks over task_totals last per source, category)", "9" },
    { "count (over cluster_samples)", "3" },
    { "count (over chunks)", "n/a: a status page has none" },
    { "max (workers over cluster_samples)", "4 partial: not always asked" },
    { "count (over tasks) / count (over cluster_samples)", "1.33333333 partial: the log was cut" },
    { "max (count (over tasks by worker))", "2 partial: the log was cut" },
    { "min (count (over tasks by worker))", "1 estimated: the log was cut" },
    { "max (sum (-exit_code over tasks where known (exit_code) by worker))", "-3 estimated: the log was cut" },
    { "max (step (exit_code, started over tasks where known (exit_code) by worker))",
      "1.0 estimated: the log was cut" },
    { "count (max (exit_code over tasks where known (exit_code) by worker))", "1 partial: the log was cut" },
  };
  g_autoptr (RoastRecording) recording = make_recording (NULL);

  rows_add (recording, "coverage",
            "{'source': <'a'>, 'table': <'tasks'>, 'state': <'partial'>, 'reason': <'the log was cut'>}");
  rows_add (recording, "coverage",
            "{'source': <'a'>, 'table': <'cluster_samples'>, 'column': <'workers'>, 'state': <'none'>, 'reason': <'not "
            "always asked'>}");
  rows_add (recording, "coverage",
            "{'source': <'b'>, 'table': <'chunks'>, 'state': <'none'>, 'reason': <'a status page has none'>}");
  check (recording, cases, G_N_ELEMENTS (cases));
}

static void
cover (RoastReport *report, const char *const *columns, const char *table, guint completeness, const char *reason)
{
  g_autoptr (RoastTableWriter) writer = roast_report_write_table (report, "report_coverage", columns, NULL);

  if (columns[3] != NULL)
    roast_table_writer_set_string (writer, 3, "cpu");
  roast_table_writer_set_string (writer, 0, table);
  roast_table_writer_set_word (writer, 1, completeness);
  roast_table_writer_set_string (writer, 2, reason);
  roast_table_writer_end (writer, NULL);
}

/* What aggregators found to be missing. */
/* A row about something that no schema declares may mean anything. */
static void
test_unknown_coverage (void)
{
  static const Case cases[] = {
    { "count (over cluster_samples)", "3 partial: rows or cells of “task” are missing, which no schema declares" },
  };
  static const Case of_tasks[] = {
    { "count (over cluster_samples)",
      "3 partial: rows or cells of “tasks.start” are missing, which no schema declares" },
  };
  g_autoptr (RoastRecording) table = make_recording (NULL);
  g_autoptr (RoastRecording) column = make_recording (NULL);

  rows_add (table, "coverage", "{'table': <'task'>, 'state': <'partial'>, 'reason': <'the log was cut'>}");
  check (table, cases, G_N_ELEMENTS (cases));
  rows_add (column, "coverage", "{'table': <'tasks'>, 'column': <'start'>, 'state': <'none'>}");
  check (column, of_tasks, G_N_ELEMENTS (of_tasks));
}

static void
test_report_coverage (void)
{
  static const char *const whole[] = { "table", "completeness", "reason", NULL };
  static const char *const column[] = { "table", "completeness", "reason", "column", NULL };
  static const Case cases[] = {
    { "sum (exit_code over tasks where known (exit_code))", "3" },
    { "sum (cpu over tasks where known (cpu))", "1.5 partial: sampled up to the end" },
    { "count (over tasks where cpu > 0)", "2 partial: sampled up to the end" },
    { "sum (workers over cluster_samples)", "6 estimated: from a picture" },
    { "sum (tasks over task_totals where category = c)", "8" },
    { "sum (tasks over task_totals where category = e)", "n/a: others are not counted" },
    { "sum (bytes over transfers)", "n/a: no executor moves files" },
  };
  g_autoptr (RoastRecording) recording = make_recording (NULL);
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (RoastReport) report = make_report (recording);
      g_autoptr (RoastMetric) metric = NULL;

      cover (report, column, "tasks", ROAST_COMPLETENESS_PARTIAL, "sampled up to the end");
      cover (report, whole, "cluster_samples", ROAST_COMPLETENESS_ESTIMATED, "from a picture");
      cover (report, whole, "task_totals", ROAST_COMPLETENESS_UNAVAILABLE, "others are not counted");
      cover (report, whole, "transfers", ROAST_COMPLETENESS_UNAVAILABLE, "no executor moves files");
      metric = roast_report_evaluate (report, snapshot, "result", cases[i].formula, NULL);
      roast_report_add_metric (report, metric);
      assert_metric (report, "result", cases[i].expected);
    }
}

static void
test_refused (void)
{
  static const struct
  {
    const char *formula, *part;
    RoastSchemaError code;
  } cases[] = {
    { "", "character 1: expected a number", ROAST_SCHEMA_ERROR_SYNTAX },
    { "1 +", "character 4", ROAST_SCHEMA_ERROR_SYNTAX },
    { "(1", "character 3: expected “)”", ROAST_SCHEMA_ERROR_SYNTAX },
    { "1 2", "character 3: expected an operator", ROAST_SCHEMA_ERROR_SYNTAX },
    { "nosuch (1)", "unknown function", ROAST_SCHEMA_ERROR_SYNTAX },
    { "sum (cpu)", "the table is missing", ROAST_SCHEMA_ERROR_SYNTAX },
    { "sum (cpu over)", "the name of a table", ROAST_SCHEMA_ERROR_SYNTAX },
    { "sum (over tasks)", "wrong number of operands", ROAST_SCHEMA_ERROR_SYNTAX },
    { "count (cpu over tasks)", "wrong number of operands", ROAST_SCHEMA_ERROR_SYNTAX },
    { "count (over tasks by worker)", "a value for each group, not one value", ROAST_SCHEMA_ERROR_SYNTAX },
    { "sum (count (over tasks) over tasks)", "cannot contain another aggregate", ROAST_SCHEMA_ERROR_SYNTAX },
    { "count (over tasks where status in done)", "after “in”", ROAST_SCHEMA_ERROR_SYNTAX },
    { "count (over tasks where status = 'done)", "quotation mark", ROAST_SCHEMA_ERROR_SYNTAX },
    { "count (over tasks last source)", "“per” after “last”", ROAST_SCHEMA_ERROR_SYNTAX },
    { "whole > 3", "only after “where”", ROAST_SCHEMA_ERROR_SYNTAX },
    { "quantile (cpu, 95 over tasks)", "the share must be a number from 0 to 1", ROAST_SCHEMA_ERROR_SYNTAX },
    { "quantile (cpu, -0.5 over tasks)", "the share must be a number from 0 to 1", ROAST_SCHEMA_ERROR_SYNTAX },
    { "metadata (whole)", "quotation marks are missing", ROAST_SCHEMA_ERROR_SYNTAX },
    { "sum (metadata ('x') over tasks)", "not to a row", ROAST_SCHEMA_ERROR_SYNTAX },
    { "known (3 over tasks)", "does not take “over”", ROAST_SCHEMA_ERROR_SYNTAX },
    { "distinct (count (over tasks by worker))", "“distinct” does not count groups", ROAST_SCHEMA_ERROR_SYNTAX },
    { "1 + count (over nosuch)", "character 5: there is no table “nosuch”", ROAST_SCHEMA_ERROR_UNKNOWN },
    { "2 * missing", "character 5: there is no metric “missing”", ROAST_SCHEMA_ERROR_UNKNOWN },
    { "max (count (over tasks by nosuch))", "character 6: table “tasks” has no column “nosuch”",
      ROAST_SCHEMA_ERROR_UNKNOWN },
    { "sum (nosuch over tasks)", "character 6: table “tasks” has no column “nosuch”", ROAST_SCHEMA_ERROR_UNKNOWN },
    { "sum (worker over tasks)", "is text, not a number", ROAST_SCHEMA_ERROR_UNKNOWN },
    { "sum (worker + 1 over tasks)", "is text, not a number", ROAST_SCHEMA_ERROR_UNKNOWN },
    { "count (over tasks where status = dnoe)", "“dnoe” is not a word of column “status”: write one of",
      ROAST_SCHEMA_ERROR_UNKNOWN },
    { "count (over tasks where status)", "is text, not a number", ROAST_SCHEMA_ERROR_UNKNOWN },
    { "count (over tasks where not (status))", "is text, not a number", ROAST_SCHEMA_ERROR_UNKNOWN },
    { "count (over tasks where worker > 3)", "with =, != or in", ROAST_SCHEMA_ERROR_UNKNOWN },
    { "count (over tasks where worker = 3)", "compare it with a word", ROAST_SCHEMA_ERROR_UNKNOWN },
    { "count (over tasks where cpu = 'word')", "only in a comparison", ROAST_SCHEMA_ERROR_UNKNOWN },
    { "count (over tasks last per nosuch)", "no column “nosuch”", ROAST_SCHEMA_ERROR_UNKNOWN },
  };
  g_autoptr (RoastRecording) recording = make_recording (NULL);
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autoptr (RoastReport) report = make_report (recording);
  g_autofree char *deep = g_strnfill (1000, '(');
  g_autofree char *longest = g_strnfill (5000, '1');

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", cases[i].formula);
      g_assert_null (roast_report_evaluate (report, snapshot, "result", cases[i].formula, &error));
      g_assert_error (error, ROAST_SCHEMA_ERROR, (int) cases[i].code);
      g_assert_nonnull (strstr (error->message, cases[i].part));
    }
  g_assert_null (roast_report_evaluate (report, snapshot, "result", deep, NULL));
  g_assert_null (roast_report_evaluate (report, snapshot, "result", longest, NULL));
}

/* Formulas of a schema without an aggregator: those that others name come first, whatever the order. */
static void
test_schema (void)
{
  static const char text[] = "[metric two]\nDescription=Names another\nUnit=s\nValue=one + 1\n"
                             "[metric one]\nDescription=Is named\nFormula=in words\nValue=count (over tasks)\n"
                             "[metric left]\nDescription=A circle\nValue=right\n"
                             "[metric right]\nDescription=A circle\nValue=left\n"
                             "[metric none]\nDescription=Nothing there\nValue=sum (bytes over transfers)\n"
                             "Absent=nothing was moved\n"
                             "[metric broken]\nDescription=No such table\nValue=count (over nosuch)\n";
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  RoastSchema *schema = roast_registry_get_schema (registry);
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (RoastSession) session = roast_session_new (registry);
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (GError) error = NULL;
  RoastReport *report = NULL;

  g_assert_true (roast_schema_load_data (schema, bytes, "the test", &error));
  g_assert_no_error (error);
  recording = make_recording (schema);
  roast_recording_finish (recording);
  g_assert_true (roast_session_read (session, recording, &error));
  g_assert_no_error (error);
  report = roast_session_get_report (session);
  assert_metric (report, "one", "4");
  assert_metric (report, "two", "5");
  assert_metric (report, "left", "n/a: no aggregator computes left");
  assert_metric (report, "none", "n/a: nothing was moved");
  rows_assert_unavailable (report, "broken", "there is no table “nosuch”");
  g_assert_cmpstr (roast_metric_info_get_formula (roast_schema_lookup_metric (schema, "one", NULL)), ==, "in words");
  g_assert_cmpstr (roast_metric_info_get_formula (roast_schema_lookup_metric (schema, "two", NULL)), ==, "one + 1");
  g_assert_cmpstr (roast_metric_info_get_value (roast_schema_lookup_metric (schema, "two", NULL)), ==, "one + 1");
}

/* Two measurements of one thing, of which one lacks rows in the second case. */
static RoastReport *
measure_twice (const char *agreement, int counted, gboolean is_whole)
{
  static const char metric[] = "[metric thing]\nDescription=What is measured\nFormat=count\nValue=count (over tasks)\n"
                               "[metric other]\nDescription=Not about it\nValue=1\n";
  g_autofree char *text = g_strconcat (metric, agreement, NULL);
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (RoastSession) session = roast_session_new (registry);
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (roast_schema_load_data (roast_registry_get_schema (registry), bytes, "the test", &error));
  g_assert_no_error (error);
  recording = make_recording (roast_registry_get_schema (registry));
  roast_recording_set_metadata (recording, "counted", g_variant_new_int64 (counted));
  if (!is_whole)
    rows_add (recording, "coverage",
              "{'source': <'a'>, 'table': <'tasks'>, 'state': <'partial'>, 'reason': <'the log was cut'>}");
  roast_recording_finish (recording);
  g_assert_true (roast_session_read (session, recording, &error));
  g_assert_no_error (error);

  return g_object_ref (roast_session_get_report (session));
}

#define EQUAL                                                                                                          \
  "[agree a]\nDescription=Both\nFirst=metadata ('counted')\nSecond=count (over tasks)\nFirstSource=the counter\n"      \
  "SecondSource=the rows\nMetrics=thing\n"

static void
test_agreement (void)
{
  static const struct
  {
    const char *agreement;
    int counted;
    gboolean is_whole;
    const char *contradiction, *row;
  } cases[] = {
    { EQUAL, 4, TRUE, NULL, "agreement=a first=4 second=4 state=agree" },
    { EQUAL, 5, TRUE, "5 according to the counter, but 4 according to the rows",
      "agreement=a first=5 second=4 state=differ" },
    { EQUAL, 3, TRUE, "3 according to the counter, but 4 according to the rows",
      "agreement=a first=3 second=4 state=differ" },
    /* Rows that are missing may be the fifth, but none that is there is too many. */
    { EQUAL, 5, FALSE, NULL, "agreement=a first=5 second=4 state=agree" },
    { EQUAL, 3, FALSE, "3 according to the counter, but 4 according to the rows",
      "agreement=a first=3 second=4 state=differ" },
    { EQUAL "Relation=at-most\n", 3, TRUE, NULL, "agreement=a first=3 second=4 state=agree" },
    { EQUAL "Relation=at-most\n", 5, TRUE, "5 according to the counter, but 4 according to the rows",
      "agreement=a first=5 second=4 state=differ" },
    { EQUAL "Margin=1\n", 5, TRUE, NULL, "agreement=a first=5 second=4 state=agree" },
    { EQUAL "Tolerance=0.2\n", 5, TRUE, NULL, "agreement=a first=5 second=4 state=agree" },
    { EQUAL "Tolerance=0.1\n", 5, TRUE, "5 according to the counter, but 4 according to the rows",
      "agreement=a first=5 second=4 state=differ" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (RoastReport) report = measure_twice (cases[i].agreement, cases[i].counted, cases[i].is_whole);
      RoastMetric *metric = roast_report_lookup (report, "thing");
      g_autofree char *row =
          g_strconcat (cases[i].row, cases[i].contradiction != NULL ? " reason=" : NULL, cases[i].contradiction, NULL);

      g_assert_cmpstr (roast_metric_get_contradiction (metric), ==, cases[i].contradiction);
      /* After those of the installed schemas. */
      assert_derived_row (report, "agreements", rows_count_derived (report, "agreements") - 1, row);
      g_assert_null (roast_metric_get_contradiction (roast_report_lookup (report, "other")));
    }
}

static void
test_contradictory_note (void)
{
  g_autoptr (RoastReport) report = measure_twice (EQUAL, 3, FALSE);

  assert_metric (report, "thing",
                 "4 partial: contradictory: 3 according to the counter, but 4 according to the rows; the log was cut");
  g_assert_cmpstr (roast_metric_get_contradiction (roast_report_lookup (report, "thing")), ==,
                   "3 according to the counter, but 4 according to the rows");
}

static void
test_unknown_agreement (void)
{
  g_autoptr (RoastReport) report =
      measure_twice ("[agree a]\nDescription=Both\nFirst=metadata ('absent')\nSecond=1\nFirstSource=x\nSecondSource=y\n"
                     "Metrics=thing\n[agree b]\nDescription=Both\nFirst=1\nSecond=2\nFirstSource=x\nSecondSource=y\n"
                     "Metrics=thing;nosuch\n",
                     4, TRUE);

  assert_derived_row (report, "agreements", rows_count_derived (report, "agreements") - 1,
                      "agreement=a second=1 state=unknown reason=the metadata have no number absent");
}

static void
test_refused_agreement (void)
{
  static const struct
  {
    const char *text, *part;
  } cases[] = {
    { "[agree a]\nDescription=d\nFirst=1\n", "needs the key Second" },
    { EQUAL "Relation=less\n", "write “equal” or “at-most”" },
    { EQUAL "Tolerance=much\n", "Tolerance=much is not a non-negative number" },
    { EQUAL "Margin=-1\n", "Margin=-1 is not a non-negative number" },
    { "[agree a]\nDescription=d\nFirst=1 +\nSecond=1\nFirstSource=x\nSecondSource=y\nMetrics=m\n", "First: formula" },
    { EQUAL EQUAL, "a" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (RoastSchema) schema = roast_schema_new ();
      g_autoptr (GBytes) bytes = g_bytes_new_static (cases[i].text, strlen (cases[i].text));
      g_autoptr (GError) error = NULL;

      g_assert_false (roast_schema_load_data (schema, bytes, "the test", &error));
      g_assert_nonnull (strstr (error->message, cases[i].part));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/formula/metrics", test_metrics);
  g_test_add_func ("/formula/rows", test_rows);
  g_test_add_func ("/formula/coverage", test_coverage);
  g_test_add_func ("/formula/unknown-coverage", test_unknown_coverage);
  g_test_add_func ("/formula/report-coverage", test_report_coverage);
  g_test_add_func ("/formula/refused", test_refused);
  g_test_add_func ("/formula/schema", test_schema);
  g_test_add_func ("/formula/agreement", test_agreement);
  g_test_add_func ("/formula/contradictory-note", test_contradictory_note);
  g_test_add_func ("/formula/unknown-agreement", test_unknown_agreement);
  g_test_add_func ("/formula/refused-agreement", test_refused_agreement);

  return g_test_run ();
}
