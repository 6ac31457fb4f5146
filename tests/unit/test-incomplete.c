/* SPDX-License-Identifier: BSD-3-Clause */

/* Reports of recordings that lack rows: nothing that follows from them is complete. */

#include <roast/roast.h>
#include <string.h>

#define REASON "rows are missing, since this is a test"

static const char schema_text[] =
    "[metric rows_total]\nDescription=A count\nFormula=rows of chunks\nRows=lower-bound\n"
    "[metric longest]\nDescription=A maximum\nFormula=max of ended - started over chunks\nRows=lower-bound\n"
    "[metric mean]\nDescription=A mean\nFormula=mean of events over chunks\n"
    "[metric open_total]\nDescription=Such as falls again\nFormula=tasks whose last attempt has the status unfinished\n"
    "[metric rate]\nDescription=A ratio\nFormula=sum of events / time\n"
    "[metric share]\nDescription=A share\nFormula=sum of share over parts\n"
    "[metric word]\nDescription=A text\nFormula=sum of words\n"
    "[metric limit]\nDescription=Of the launch\nFormula=sum of limits\nRows=no\n"
    "[metric early]\nDescription=Added first\nFormula=count\nRows=lower-bound\n"
    "[metric later]\nDescription=Of another metric\nFormula=sum of rows_total\nRows=lower-bound\n"
    "[metric of_table]\nDescription=Of a derived table\nFormula=sum of core_seconds over core_time\nRows=lower-bound\n"
    "[metric other]\nDescription=Of whole tables\nFormula=rows of tasks\nRows=lower-bound\n"
    "[metric guess]\nDescription=Estimated anyway\nFormula=rows of chunks\nRows=lower-bound\n";

typedef void (*Aggregate) (RoastRecordingSnapshot *recording, RoastReport *report);

#define TEST_TYPE_AGGREGATOR (test_aggregator_get_type ())
G_DECLARE_FINAL_TYPE (TestAggregator, test_aggregator, TEST, AGGREGATOR, GObject)

struct _TestAggregator
{
  GObject parent_instance;

  Aggregate aggregate;
};

static gboolean
test_aggregate (RoastAggregator *aggregator, RoastRecordingSnapshot *recording, RoastReport *report,
                GCancellable *cancellable, GError **error)
{
  TEST_AGGREGATOR (aggregator)->aggregate (recording, report);

  return TRUE;
}

static void
aggregator_iface_init (RoastAggregatorInterface *iface)
{
  iface->aggregate = test_aggregate;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestAggregator, test_aggregator, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_AGGREGATOR, aggregator_iface_init))

static void
test_aggregator_class_init (TestAggregatorClass *klass)
{
}

static void
test_aggregator_init (TestAggregator *self)
{
}

static void
run (RoastReport *report, RoastRecordingSnapshot *recording, Aggregate aggregate)
{
  g_autoptr (TestAggregator) aggregator = g_object_new (TEST_TYPE_AGGREGATOR, NULL);
  g_autoptr (GError) error = NULL;

  aggregator->aggregate = aggregate;
  g_assert_true (roast_aggregator_aggregate (ROAST_AGGREGATOR (aggregator), recording, report, NULL, &error));
  g_assert_no_error (error);
}

/* Rows of @table are missing; of any table if it is "". */
static RoastRecordingSnapshot *
new_snapshot (const char *table, gboolean is_end)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  GVariantDict gaps;

  if (table != NULL)
    {
      g_variant_dict_init (&gaps, NULL);
      g_variant_dict_insert (&gaps, table, "s", REASON);
      roast_recording_set_metadata (recording, "incomplete", g_variant_dict_end (&gaps));
      roast_recording_set_metadata (recording, "incomplete-end", g_variant_new_boolean (is_end));
    }
  roast_recording_finish (recording);

  return roast_recording_snapshot (recording);
}

static RoastReport *
new_report (void)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (GBytes) bytes = g_bytes_new_static (schema_text, strlen (schema_text));

  g_assert_true (roast_schema_load_data (schema, bytes, "test", NULL));

  return roast_report_new (schema);
}

static void
read_table (RoastRecordingSnapshot *recording, const char *table)
{
  g_autoptr (RoastTableReader) reader = roast_recording_snapshot_read_table (recording, table, NULL, NULL);

  g_assert_nonnull (reader);
}

static void
check (RoastReport *report, const char *name, RoastCompleteness completeness)
{
  RoastMetric *metric = roast_report_lookup (report, name);

  g_test_message ("%s", name);
  g_assert_nonnull (metric);
  g_assert_cmpint (roast_metric_get_completeness (metric), ==, completeness);
  if (completeness != ROAST_COMPLETENESS_COMPLETE)
    g_assert_nonnull (strstr (roast_metric_get_note (metric), REASON));
}

static const char *const numbers[] = {
  "rows_total", "longest", "mean", "open_total", "rate", "share", "limit", "undeclared",
};

static void
aggregate_chunks (RoastRecordingSnapshot *recording, RoastReport *report)
{
  roast_report_add_int64 (report, "early", 1, ROAST_COMPLETENESS_COMPLETE, NULL);
  read_table (recording, "chunks");
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    roast_report_add_double (report, numbers[i], 2, ROAST_COMPLETENESS_COMPLETE, NULL);
  roast_report_add_string (report, "word", "text");
  roast_report_add_int64 (report, "guess", 1, ROAST_COMPLETENESS_ESTIMATED, "by eye");
}

static void
aggregate_metric (RoastRecordingSnapshot *recording, RoastReport *report)
{
  double value = 0;

  g_assert_true (roast_report_get_double (report, "rows_total", &value));
  roast_report_add_double (report, "later", value, ROAST_COMPLETENESS_COMPLETE, NULL);
}

static void
aggregate_tasks (RoastRecordingSnapshot *recording, RoastReport *report)
{
  read_table (recording, "tasks");
  g_assert_nonnull (roast_report_lookup (report, "limit"));
  roast_report_add_int64 (report, "other", 1, ROAST_COMPLETENESS_COMPLETE, NULL);
}

static void
test_metrics (void)
{
  g_autoptr (RoastReport) report = new_report ();
  g_autoptr (RoastRecordingSnapshot) recording = new_snapshot ("chunks", FALSE);
  RoastMetric *guess = NULL;

  run (report, recording, aggregate_chunks);
  run (report, recording, aggregate_metric);
  run (report, recording, aggregate_tasks);
  check (report, "early", ROAST_COMPLETENESS_COMPLETE);
  check (report, "rows_total", ROAST_COMPLETENESS_PARTIAL);
  check (report, "longest", ROAST_COMPLETENESS_PARTIAL);
  check (report, "mean", ROAST_COMPLETENESS_ESTIMATED);
  check (report, "open_total", ROAST_COMPLETENESS_ESTIMATED);
  check (report, "rate", ROAST_COMPLETENESS_ESTIMATED);
  check (report, "share", ROAST_COMPLETENESS_ESTIMATED);
  check (report, "word", ROAST_COMPLETENESS_ESTIMATED);
  check (report, "undeclared", ROAST_COMPLETENESS_ESTIMATED);
  check (report, "limit", ROAST_COMPLETENESS_COMPLETE);
  check (report, "later", ROAST_COMPLETENESS_PARTIAL);
  check (report, "other", ROAST_COMPLETENESS_COMPLETE);
  check (report, "guess", ROAST_COMPLETENESS_ESTIMATED);
  guess = roast_report_lookup (report, "guess");
  g_assert_cmpstr (roast_metric_get_note (guess), ==, REASON "; by eye");
}

/* What is missing of any table is in each number. */
static void
test_all_tables (void)
{
  g_autoptr (RoastReport) report = new_report ();
  g_autoptr (RoastRecordingSnapshot) recording = new_snapshot ("", TRUE);

  run (report, recording, aggregate_chunks);
  run (report, recording, aggregate_tasks);
  check (report, "early", ROAST_COMPLETENESS_COMPLETE);
  check (report, "rows_total", ROAST_COMPLETENESS_PARTIAL);
  check (report, "other", ROAST_COMPLETENESS_PARTIAL);
  check (report, "limit", ROAST_COMPLETENESS_COMPLETE);
}

static void
test_nothing_missing (void)
{
  g_autoptr (RoastReport) report = new_report ();
  g_autoptr (RoastRecordingSnapshot) recording = new_snapshot (NULL, FALSE);

  run (report, recording, aggregate_chunks);
  run (report, recording, aggregate_metric);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    check (report, numbers[i], ROAST_COMPLETENESS_COMPLETE);
  check (report, "later", ROAST_COMPLETENESS_COMPLETE);
}

/* ---- derived tables ---- */

static const char *const core_time_columns[] = { "source", "core_seconds", "complete", "reason", NULL };

static void
write_core_time (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (RoastTableWriter) writer = roast_report_write_table (report, "core_time", core_time_columns, NULL);
  const char *const words[] = { "complete", "estimated", "complete" };

  read_table (recording, "tasks");
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      roast_table_writer_set_string (writer, 0, "x");
      roast_table_writer_set_double (writer, 1, i);
      roast_table_writer_set_string (writer, 2, words[i]);
      roast_table_writer_end (writer, NULL);
    }
}

/* Rows of which nobody says how complete they are. */
static void
write_without_word (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (RoastTableWriter) writer = roast_report_write_table (report, "core_time", core_time_columns, NULL);

  read_table (recording, "tasks");
  roast_table_writer_set_string (writer, 0, "x");
  roast_table_writer_set_double (writer, 1, 7);
  roast_table_writer_end (writer, NULL);
}

static void
sum_core_time (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (RoastTableReader) reader = roast_report_read_table (report, "core_time", core_time_columns, NULL);

  g_assert_nonnull (reader);
  roast_report_add_double (report, "of_table", 3, ROAST_COMPLETENESS_COMPLETE, NULL);
}

static void
check_core_time (const char *missing, const char *word, const char *reason)
{
  g_autoptr (RoastReport) report = new_report ();
  g_autoptr (RoastRecordingSnapshot) recording = new_snapshot (missing, FALSE);
  g_autoptr (RoastTableReader) reader = NULL;

  run (report, recording, write_core_time);
  run (report, recording, sum_core_time);
  check (report, "of_table", reason != NULL ? ROAST_COMPLETENESS_PARTIAL : ROAST_COMPLETENESS_COMPLETE);
  reader = roast_report_read_table (report, "core_time", core_time_columns, NULL);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_true (roast_table_reader_next (reader));
      g_assert_cmpfloat (roast_table_reader_get_double (reader, 1), ==, i);
      g_assert_cmpstr (roast_table_reader_get_string (reader, 2), ==, i == 1 ? "estimated" : word);
      g_assert_cmpstr (roast_table_reader_get_string (reader, 3), ==, i == 1 ? NULL : reason);
    }
  g_assert_false (roast_table_reader_next (reader));
}

static void
test_rows_without_word (void)
{
  g_autoptr (RoastReport) report = new_report ();
  g_autoptr (RoastRecordingSnapshot) recording = new_snapshot ("tasks", FALSE);
  g_autoptr (RoastTableReader) reader = NULL;

  run (report, recording, write_without_word);
  reader = roast_report_read_table (report, "core_time", core_time_columns, NULL);
  g_assert_true (roast_table_reader_next (reader));
  g_assert_cmpfloat (roast_table_reader_get_double (reader, 1), ==, 7);
  g_assert_false (roast_table_reader_has (reader, 2));
  g_assert_false (roast_table_reader_has (reader, 3));
}

static void
test_derived_tables (void)
{
  check_core_time ("tasks", "partial", REASON);
  check_core_time ("chunks", "complete", NULL);
}

/* ---- findings ---- */

static void
find (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (RoastFinding) finding =
      roast_finding_new ("speaks", ROAST_FINDING_SEVERITY_WARNING, "All tasks computed for 0 s.");

  read_table (recording, "tasks");
  roast_report_add_finding (report, finding);
  roast_report_add_finding (report, finding);
  roast_report_add_rule (report, "silent", ROAST_RULE_STATE_SILENT, "nothing stands out");
}

static void
check_rule (RoastReport *report, const char *rule, const char *state, const char *reason)
{
  static const char *const columns[] = { "rule", "state", "reason", NULL };
  g_autoptr (RoastTableReader) reader = roast_report_read_table (report, "rules", columns, NULL);

  while (roast_table_reader_next (reader))
    if (g_str_equal (roast_table_reader_get_string (reader, 0), rule))
      {
        g_assert_cmpstr (roast_table_reader_get_string (reader, 1), ==, state);
        g_assert_cmpstr (roast_table_reader_get_string (reader, 2), ==, reason);
        return;
      }
  g_assert_not_reached ();
}

static char *
find_text (const char *missing, gboolean is_end, const char *spoke, const char *silent)
{
  g_autoptr (RoastReport) report = new_report ();
  g_autoptr (RoastRecordingSnapshot) recording = new_snapshot (missing, is_end);
  g_autoptr (GPtrArray) findings = NULL;

  run (report, recording, find);
  check_rule (report, "speaks", spoke, g_str_equal (spoke, "spoke") ? NULL : REASON);
  check_rule (report, "silent", silent, g_str_equal (silent, "silent") ? "nothing stands out" : REASON);
  findings = roast_report_list_findings (report);
  g_assert_cmpuint (findings->len, <=, 1);

  return findings->len == 1 ? g_strdup (roast_finding_get_text (g_ptr_array_index (findings, 0))) : NULL;
}

static void
test_findings (void)
{
  g_autofree char *of_all = find_text (NULL, FALSE, "spoke", "silent");
  g_autofree char *of_others = find_text ("chunks", FALSE, "spoke", "silent");
  g_autofree char *of_part = find_text ("", TRUE, "spoke", "incomplete");
  g_autofree char *of_rest = find_text ("tasks", FALSE, "incomplete", "incomplete");

  g_assert_cmpstr (of_all, ==, "All tasks computed for 0 s.");
  g_assert_cmpstr (of_others, ==, "All tasks computed for 0 s.");
  g_assert_cmpstr (of_part, ==, "In the recorded part of the run: All tasks computed for 0 s.");
  g_assert_null (of_rest);
}

static void
find_seen (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (RoastFinding) finding = roast_finding_new ("seen", ROAST_FINDING_SEVERITY_ERROR, "2 tasks failed.");

  roast_finding_set_lower_bound (finding);
  read_table (recording, "tasks");
  roast_report_add_finding (report, finding);
}

static char *
find_one (RoastRecordingSnapshot *recording, Aggregate aggregate)
{
  g_autoptr (RoastReport) report = new_report ();
  g_autoptr (GPtrArray) findings = NULL;

  run (report, recording, aggregate);
  findings = roast_report_list_findings (report);

  return findings->len == 1 ? g_strdup (roast_finding_get_text (g_ptr_array_index (findings, 0))) : NULL;
}

/* Rows that are missing cannot undo what was seen. */
static void
test_lower_bounds (void)
{
  g_autoptr (RoastRecordingSnapshot) all = new_snapshot (NULL, FALSE);
  g_autoptr (RoastRecordingSnapshot) part = new_snapshot ("tasks", FALSE);
  g_autofree char *of_all = find_one (all, find_seen);
  g_autofree char *of_part = find_one (part, find_seen);

  g_assert_cmpstr (of_all, ==, "2 tasks failed.");
  g_assert_cmpstr (of_part, ==, "In the recorded part of the run: 2 tasks failed.");
}

static void
add_coverage (RoastRecording *recording, gint64 from, gint64 to)
{
  static const char *const columns[] = { "table", "from", "to", "state", "reason", NULL };
  g_autoptr (RoastTableWriter) writer = roast_recording_write_table (recording, "coverage", "test", columns, NULL);

  roast_table_writer_set_string (writer, 0, "tasks");
  roast_table_writer_set_int64 (writer, 1, from);
  if (to > 0)
    roast_table_writer_set_int64 (writer, 2, to);
  roast_table_writer_set_string (writer, 3, "partial");
  roast_table_writer_set_string (writer, 4, REASON);
  g_assert_true (roast_table_writer_end (writer, NULL));
}

static char *
find_covered (gint64 to, gint64 other)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;

  add_coverage (recording, 10, to);
  add_coverage (recording, 20, other);
  roast_recording_finish (recording);
  snapshot = roast_recording_snapshot (recording);

  return find_one (snapshot, find);
}

/* A source says when its rows end. */
static void
test_coverage (void)
{
  g_autofree char *ends = find_covered (0, 0);
  g_autofree char *one_end = find_covered (0, 30);
  g_autofree char *none = find_covered (12, 30);

  g_assert_cmpstr (ends, ==, "In the recorded part of the run: All tasks computed for 0 s.");
  g_assert_null (one_end);
  g_assert_null (none);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/incomplete/metrics", test_metrics);
  g_test_add_func ("/incomplete/all-tables", test_all_tables);
  g_test_add_func ("/incomplete/nothing-missing", test_nothing_missing);
  g_test_add_func ("/incomplete/derived-tables", test_derived_tables);
  g_test_add_func ("/incomplete/rows-without-word", test_rows_without_word);
  g_test_add_func ("/incomplete/findings", test_findings);
  g_test_add_func ("/incomplete/lower-bounds", test_lower_bounds);
  g_test_add_func ("/incomplete/coverage", test_coverage);

  return g_test_run ();
}
