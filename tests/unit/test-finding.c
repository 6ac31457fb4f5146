/* SPDX-License-Identifier: BSD-3-Clause */

/* Findings of a report, their order, and the tables that show them. */

#include <math.h>
#include <roast/roast.h>

static RoastReport *
new_report (void)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();

  return roast_report_new (schema);
}

static void
add (RoastReport *report, const char *rule, RoastFindingSeverity severity, double share)
{
  g_autoptr (RoastFinding) finding = roast_finding_new (rule, severity, "Something.");

  roast_finding_set_share (finding, share);
  roast_report_add_finding (report, finding);
}

static void
test_values (void)
{
  g_autoptr (RoastFinding) finding = roast_finding_new ("mine", ROAST_FINDING_SEVERITY_WARNING, "Slow \xff.");

  g_assert_cmpstr (roast_finding_get_rule (finding), ==, "mine");
  g_assert_cmpint (roast_finding_get_severity (finding), ==, ROAST_FINDING_SEVERITY_WARNING);
  g_assert_true (g_utf8_validate (roast_finding_get_text (finding), -1, NULL));
  g_assert_true (isnan (roast_finding_get_share (finding)));
  g_assert_null (roast_finding_get_advice (finding));
  roast_finding_set_share (finding, 1.0000001);
  g_assert_cmpfloat (roast_finding_get_share (finding), ==, 1);
  roast_finding_set_share (finding, -0.5);
  g_assert_cmpfloat (roast_finding_get_share (finding), ==, 0);
  roast_finding_set_share (finding, NAN);
  g_assert_true (isnan (roast_finding_get_share (finding)));
  g_assert_true (isnan (roast_finding_get_run_share (finding)));
  roast_finding_set_run_share (finding, 1.5);
  g_assert_cmpfloat (roast_finding_get_run_share (finding), ==, 1);
  roast_finding_set_advice (finding, "Do.");
  roast_finding_set_advice (finding, roast_finding_get_advice (finding));
  g_assert_cmpstr (roast_finding_get_advice (finding), ==, "Do.");
}

static void
test_evidence (void)
{
  g_autoptr (RoastFinding) finding = roast_finding_new ("mine", ROAST_FINDING_SEVERITY_INFO, "Text.");

  roast_finding_add_number (finding, "time", 1.5, "s");
  roast_finding_add_number (finding, "nothing", NAN, "s");
  roast_finding_add_number (finding, "tasks", 3, NULL);
  roast_finding_add_text (finding, "worker", "w-\xc3");
  g_assert_cmpuint (roast_finding_get_n_evidence (finding), ==, 3);
  g_assert_cmpstr (roast_finding_get_evidence_name (finding, 0), ==, "time");
  g_assert_cmpfloat (g_variant_get_double (roast_finding_get_evidence_value (finding, 0)), ==, 1.5);
  g_assert_cmpstr (roast_finding_get_evidence_unit (finding, 0), ==, "s");
  g_assert_null (roast_finding_get_evidence_unit (finding, 1));
  g_assert_true (g_utf8_validate (g_variant_get_string (roast_finding_get_evidence_value (finding, 2), NULL), -1,
                                  NULL));
}

static void
check_order (RoastReport *report, const char *const *rules)
{
  g_autoptr (GPtrArray) list = roast_report_list_findings (report);
  g_autoptr (RoastTableReader) reader =
      roast_report_read_table (report, ROAST_TABLE_FINDINGS, roast_findings_columns, NULL);

  g_assert_cmpuint (list->len, ==, g_strv_length ((char **) rules));
  g_assert_cmpuint (roast_table_reader_get_n_rows (reader), ==, list->len);
  for (guint i = 0; i < list->len; i++)
    {
      g_assert_cmpstr (roast_finding_get_rule (g_ptr_array_index (list, i)), ==, rules[i]);
      g_assert_true (roast_table_reader_next (reader));
      g_assert_cmpint (roast_table_reader_get_int64 (reader, ROAST_FINDINGS_FINDING, 0), ==, i + 1);
      g_assert_cmpstr (roast_table_reader_get_string (reader, ROAST_FINDINGS_RULE), ==, rules[i]);
    }
}

/* By severity, then by share, those of unknown share last; of equals the first comes first. */
static void
test_rank (void)
{
  static const char *const expected[] = { "failed", "big", "small", "none", "also-none", "note", NULL };
  g_autoptr (RoastReport) report = new_report ();

  add (report, "note", ROAST_FINDING_SEVERITY_INFO, 0.9);
  add (report, "small", ROAST_FINDING_SEVERITY_WARNING, 0.1);
  add (report, "none", ROAST_FINDING_SEVERITY_WARNING, NAN);
  add (report, "failed", ROAST_FINDING_SEVERITY_ERROR, 0.01);
  check_order (report, (const char *const[]) { "failed", "small", "none", "note", NULL });
  /* The table is made again. */
  add (report, "big", ROAST_FINDING_SEVERITY_WARNING, 0.6);
  add (report, "also-none", ROAST_FINDING_SEVERITY_WARNING, NAN);
  check_order (report, expected);
}

/* What explains much of the run, but no core time that was offered. */
static void
test_run_share (void)
{
  g_autoptr (RoastReport) report = new_report ();
  g_autoptr (RoastFinding) late = roast_finding_new ("late", ROAST_FINDING_SEVERITY_WARNING, "Something.");
  g_autoptr (RoastFinding) only = roast_finding_new ("only", ROAST_FINDING_SEVERITY_WARNING, "Something.");

  roast_finding_set_share (late, 0.001);
  roast_finding_set_run_share (late, 0.5);
  roast_finding_set_run_share (only, 0.3);
  add (report, "none", ROAST_FINDING_SEVERITY_WARNING, NAN);
  add (report, "small", ROAST_FINDING_SEVERITY_WARNING, 0.4);
  roast_report_add_finding (report, only);
  roast_report_add_finding (report, late);
  add (report, "big", ROAST_FINDING_SEVERITY_WARNING, 0.6);
  check_order (report, (const char *const[]) { "big", "late", "small", "only", "none", NULL });
}

static void
test_tables (void)
{
  g_autoptr (RoastReport) report = new_report ();
  g_autoptr (RoastFinding) finding = roast_finding_new ("mine", ROAST_FINDING_SEVERITY_WARNING, "Text.");
  g_autoptr (RoastTableReader) findings = NULL;
  g_autoptr (RoastTableReader) evidence = NULL;
  g_auto (GStrv) names = NULL;

  roast_finding_add_number (finding, "time", 1.5, "s");
  roast_finding_add_text (finding, "worker", "w-1");
  roast_finding_set_advice (finding, "Do.");
  roast_report_add_finding (report, finding);
  roast_report_add_finding (report, finding);
  findings = roast_report_read_table (report, ROAST_TABLE_FINDINGS, roast_findings_columns, NULL);
  g_assert_cmpuint (roast_table_reader_get_n_rows (findings), ==, 1);
  g_assert_true (roast_table_reader_next (findings));
  g_assert_cmpint (roast_table_reader_get_word (findings, ROAST_FINDINGS_SEVERITY), ==, ROAST_FINDING_SEVERITY_WARNING);
  g_assert_cmpstr (roast_table_reader_get_string (findings, ROAST_FINDINGS_ADVICE), ==, "Do.");
  g_assert_false (roast_table_reader_has (findings, ROAST_FINDINGS_SHARE));
  evidence = roast_report_read_table (report, ROAST_TABLE_FINDING_EVIDENCE, roast_finding_evidence_columns, NULL);
  g_assert_true (roast_table_reader_next (evidence));
  g_assert_cmpint (roast_table_reader_get_int64 (evidence, ROAST_FINDING_EVIDENCE_FINDING, 0), ==, 1);
  g_assert_cmpfloat (roast_table_reader_get_double (evidence, ROAST_FINDING_EVIDENCE_VALUE), ==, 1.5);
  g_assert_cmpstr (roast_table_reader_get_string (evidence, ROAST_FINDING_EVIDENCE_UNIT), ==, "s");
  g_assert_false (roast_table_reader_has (evidence, ROAST_FINDING_EVIDENCE_TEXT));
  g_assert_true (roast_table_reader_next (evidence));
  g_assert_cmpstr (roast_table_reader_get_string (evidence, ROAST_FINDING_EVIDENCE_TEXT), ==, "w-1");
  g_assert_false (roast_table_reader_has (evidence, ROAST_FINDING_EVIDENCE_VALUE));
  g_assert_false (roast_table_reader_next (evidence));
  names = roast_report_dup_table_names (report);
  g_assert_cmpuint (g_strv_length (names), ==, 3);
  g_assert_cmpstr (names[0], ==, ROAST_TABLE_FINDINGS);
}

static void
check_rule (RoastTableReader *reader, const char *rule, RoastRuleState state, const char *reason)
{
  g_assert_true (roast_table_reader_next (reader));
  g_assert_cmpstr (roast_table_reader_get_string (reader, ROAST_RULES_RULE), ==, rule);
  g_assert_cmpint (roast_table_reader_get_word (reader, ROAST_RULES_STATE), ==, state);
  g_assert_cmpstr (roast_table_reader_get_string (reader, ROAST_RULES_REASON), ==, reason);
}

static void
test_rules (void)
{
  g_autoptr (RoastReport) report = new_report ();
  g_autoptr (RoastTableReader) reader = NULL;
  g_auto (GStrv) names = NULL;

  roast_report_add_rule (report, "a", ROAST_RULE_STATE_INCOMPLETE, "no samples");
  roast_report_add_rule (report, "b", ROAST_RULE_STATE_NOT_APPLICABLE, "no tasks");
  roast_report_add_rule (report, "a", ROAST_RULE_STATE_SILENT, "2 % are less than 10 %");
  roast_report_add_rule (report, "a", ROAST_RULE_STATE_INCOMPLETE, "no samples of the other source");
  names = roast_report_dup_table_names (report);
  g_assert_cmpuint (g_strv_length (names), ==, 1);
  g_assert_cmpstr (names[0], ==, ROAST_TABLE_RULES);
  add (report, "c", ROAST_FINDING_SEVERITY_INFO, 0.5);
  roast_report_add_rule (report, "c", ROAST_RULE_STATE_SILENT, "2 % are less than 10 %");
  reader = roast_report_read_table (report, ROAST_TABLE_RULES, roast_rules_columns, NULL);
  check_rule (reader, "a", ROAST_RULE_STATE_SILENT, "2 % are less than 10 %");
  check_rule (reader, "b", ROAST_RULE_STATE_NOT_APPLICABLE, "no tasks");
  check_rule (reader, "c", ROAST_RULE_STATE_SPOKE, NULL);
  g_assert_false (roast_table_reader_next (reader));
}

/* There is one way to add a finding. */
static void
test_tables_are_not_written (void)
{
  g_autoptr (RoastReport) report = new_report ();
  g_autoptr (GError) error = NULL;

  g_assert_null (roast_report_write_table (report, ROAST_TABLE_FINDINGS, NULL, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_TABLE);
  g_assert_nonnull (strstr (error->message, "roast_report_add_finding"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/finding/values", test_values);
  g_test_add_func ("/finding/evidence", test_evidence);
  g_test_add_func ("/finding/rank", test_rank);
  g_test_add_func ("/finding/run-share", test_run_share);
  g_test_add_func ("/finding/tables", test_tables);
  g_test_add_func ("/finding/rules", test_rules);
  g_test_add_func ("/finding/tables-are-not-written", test_tables_are_not_written);

  return g_test_run ();
}
