/* SPDX-License-Identifier: BSD-3-Clause */

/* Metrics, the schema and reports. */

#include <math.h>
#include <roast/roast.h>

static RoastSchema *
load_schema (const char *text, GError **error)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  return roast_schema_load_data (schema, bytes, "test", error) ? g_steal_pointer (&schema) : NULL;
}

static void
test_metric_values (void)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (RoastReport) report = roast_report_new (schema);
  RoastMetric *real = NULL;
  RoastMetric *integer = NULL;
  RoastMetric *text = NULL;
  RoastMetric *none = NULL;

  roast_report_add_double (report, "a", 1.5, ROAST_COMPLETENESS_COMPLETE, NULL);
  roast_report_add_int64 (report, "b", G_MAXINT64, ROAST_COMPLETENESS_COMPLETE, NULL);
  roast_report_add_string (report, "c", "\xff");
  roast_report_add_unavailable (report, "d", "because");
  real = roast_report_lookup (report, "a");
  integer = roast_report_lookup (report, "b");
  text = roast_report_lookup (report, "c");
  none = roast_report_lookup (report, "d");

  g_assert_cmpfloat (roast_metric_get_double (real), ==, 1.5);
  g_assert_cmpint (g_variant_get_int64 (roast_metric_get_value (integer)), ==, G_MAXINT64);
  g_assert_cmpint (roast_metric_get_completeness (real), ==, ROAST_COMPLETENESS_COMPLETE);
  g_assert_true (g_utf8_validate (g_variant_get_string (roast_metric_get_value (text), NULL), -1, NULL));
  g_assert_true (isnan (roast_metric_get_double (text)));
  g_assert_false (roast_metric_is_available (none));
  g_assert_null (roast_metric_get_value (none));
  g_assert_true (isnan (roast_metric_get_double (none)));
  g_assert_cmpstr (roast_metric_get_reason (none), ==, "because");
  g_assert_cmpint (roast_metric_get_completeness (none), ==, ROAST_COMPLETENESS_UNAVAILABLE);
}

static void
test_metric_not_a_number (void)
{
  const double values[] = { NAN, INFINITY, -INFINITY };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autoptr (RoastSchema) schema = roast_schema_new ();
      g_autoptr (RoastReport) report = roast_report_new (schema);
      RoastMetric *metric = NULL;

      roast_report_add_double (report, "a", values[i], ROAST_COMPLETENESS_COMPLETE, NULL);
      metric = roast_report_lookup (report, "a");
      g_assert_false (roast_metric_is_available (metric));
      g_assert_nonnull (roast_metric_get_reason (metric));
    }
}

static void
test_schema_aliases (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastSchema) schema = load_schema (
      "[metric rate]\nLabel=Rate\nUnit=bit/s\nFormat=bits-rate\nDescription=x\nAliases=old_gbps:1e-9;old\n", &error);
  double scale = 0;

  g_assert_no_error (error);
  g_assert_cmpstr (roast_metric_info_get_name (roast_schema_lookup_metric (schema, "old_gbps", &scale)), ==, "rate");
  g_assert_cmpfloat (scale, ==, 1e-9);
  g_assert_nonnull (roast_schema_lookup_metric (schema, "old", &scale));
  g_assert_cmpfloat (scale, ==, 1);
  g_assert_null (roast_schema_lookup_metric (schema, "older", &scale));
}

static void
test_schema_errors (void)
{
  static const struct
  {
    const char *text;
    int code;
  } cases[] = {
    { "[metric a]\nDescription=x\n[metric b]\nDescription=y\nAliases=a\n", ROAST_SCHEMA_ERROR_DUPLICATE },
    { "[metric a]\nDescription=x\n[metric b]\nDescription=y\n [metric a] \nLabel=A\n", ROAST_SCHEMA_ERROR_DUPLICATE },
    { "[metric a]\nDescription=x\nAliases=b;b:2\n", ROAST_SCHEMA_ERROR_DUPLICATE },
    { "[metric a]\nLabel=no description\n", ROAST_SCHEMA_ERROR_SYNTAX },
    { "[metric a]\nDescription=x\nFormat=parrots\n", ROAST_SCHEMA_ERROR_SYNTAX },
    { "[metric a]\nDescription=x\nShow=sometimes\n", ROAST_SCHEMA_ERROR_SYNTAX },
    { "[metric a]\nDescription=x\nAliases=b:zero\n", ROAST_SCHEMA_ERROR_SYNTAX },
    { "[metric a:1]\nDescription=x\n", ROAST_SCHEMA_ERROR_SYNTAX },
    { "[metric 9a]\nDescription=x\n", ROAST_SCHEMA_ERROR_SYNTAX },
    { "no key file", ROAST_SCHEMA_ERROR_SYNTAX },
    { "[metric a]\nDescription=half\\\n", ROAST_SCHEMA_ERROR_SYNTAX },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (RoastSchema) schema = load_schema (cases[i].text, &error);

      g_assert_null (schema);
      g_assert_error (error, ROAST_SCHEMA_ERROR, cases[i].code);
      g_assert_nonnull (strstr (error->message, "test"));
    }
}

/* A text with an error adds nothing. */
static void
test_schema_all_or_nothing (void)
{
  g_autoptr (RoastSchema) schema = load_schema ("[metric a]\nDescription=x\n", NULL);
  g_autoptr (GBytes) bytes = g_bytes_new_static ("[metric b]\nDescription=y\n[metric a]\nDescription=z\n", 49);
  g_autoptr (GPtrArray) entries = NULL;

  g_assert_false (roast_schema_load_data (schema, bytes, "second", NULL));
  entries = roast_schema_list_metrics (schema);
  g_assert_cmpuint (entries->len, ==, 1);
  g_assert_null (roast_schema_lookup_metric (schema, "b", NULL));
}

/* The core's own schema: every name once, every ratio with a formula. */
static void
test_core_schema (void)
{
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autoptr (GPtrArray) entries = roast_schema_list_metrics (roast_registry_get_schema (registry));

  g_assert_cmpuint (entries->len, >, 40);
  for (guint i = 0; i < entries->len; i++)
    {
      RoastMetricInfo *info = g_ptr_array_index (entries, i);

      g_assert_cmpstr (roast_metric_info_get_formula (info), !=, "");
      g_assert_cmpstr (roast_metric_info_get_source (info), !=, "");
      g_assert_cmpstr (roast_metric_info_get_label (info), !=, roast_metric_info_get_name (info));
    }
}

static void
test_report_order_and_names (void)
{
  g_autoptr (RoastSchema) schema =
      load_schema ("[metric first]\nDescription=x\n[metric second]\nDescription=y\nAliases=old:2\n", NULL);
  g_autoptr (RoastReport) report = roast_report_new (schema);
  g_autoptr (GPtrArray) metrics = NULL;
  double value = 0;

  roast_report_add_int64 (report, "plugins_own", 7, ROAST_COMPLETENESS_COMPLETE, NULL);
  roast_report_add_double (report, "second", 3, ROAST_COMPLETENESS_COMPLETE, NULL);
  roast_report_add_int64 (report, "first", 1, ROAST_COMPLETENESS_COMPLETE, NULL);
  metrics = roast_report_list_metrics (report);
  g_assert_cmpuint (metrics->len, ==, 3);
  g_assert_true (g_ptr_array_index (metrics, 0) == roast_report_lookup (report, "first"));
  g_assert_true (g_ptr_array_index (metrics, 1) == roast_report_lookup (report, "second"));
  g_assert_true (g_ptr_array_index (metrics, 2) == roast_report_lookup (report, "plugins_own"));
  g_assert_true (roast_report_lookup (report, "old") == roast_report_lookup (report, "second"));
  g_assert_true (roast_report_get_double (report, "old", &value));
  g_assert_cmpfloat (value, ==, 6);
  g_assert_false (roast_report_get_double (report, "nothing", &value));
}

static void
test_report_first_stays (void)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (RoastReport) report = roast_report_new (schema);
  g_autoptr (GPtrArray) metrics = NULL;
  double value = 0;

  roast_report_add_unavailable (report, "a", "not yet");
  roast_report_add_int64 (report, "a", 1, ROAST_COMPLETENESS_COMPLETE, NULL);
  roast_report_add_int64 (report, "a", 2, ROAST_COMPLETENESS_COMPLETE, NULL);
  roast_report_add_unavailable (report, "a", "no more");
  g_assert_true (roast_report_get_double (report, "a", &value));
  g_assert_cmpfloat (value, ==, 1);
  metrics = roast_report_list_metrics (report);
  g_assert_cmpuint (metrics->len, ==, 1);
}

static void
test_report_notes (void)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (RoastReport) report = roast_report_new (schema);
  g_auto (GStrv) notes = NULL;

  roast_report_add_note (report, "one");
  roast_report_add_note (report, "two \xff");
  roast_report_add_note (report, "one");
  notes = roast_report_dup_notes (report);
  g_assert_cmpuint (g_strv_length (notes), ==, 2);
  g_assert_cmpstr (notes[0], ==, "one");
  g_assert_true (g_utf8_validate (notes[1], -1, NULL));
}

/* Derived tables are declared, as measured ones are. */
/* The quotient of two metrics: how complete it is, and its note. */
static void
check_ratio (RoastCompleteness above, RoastCompleteness below, RoastCompleteness expected, const char *note)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (RoastReport) report = roast_report_new (schema);
  g_autoptr (RoastRecording) recording = roast_recording_new (schema);
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autoptr (RoastMetric) ratio = NULL;

  roast_report_add_double (report, "a", 6, above, above == ROAST_COMPLETENESS_COMPLETE ? NULL : "above");
  roast_report_add_double (report, "b", 4, below, below == ROAST_COMPLETENESS_COMPLETE ? NULL : "below");
  ratio = roast_report_evaluate (report, snapshot, "ratio", "2 * a / b", NULL);
  g_assert_cmpfloat (roast_metric_get_double (ratio), ==, 3);
  g_assert_cmpint (roast_metric_get_completeness (ratio), ==, expected);
  g_assert_cmpstr (roast_metric_get_note (ratio), ==, note);
}

static void
test_report_ratio (void)
{
  const RoastCompleteness complete = ROAST_COMPLETENESS_COMPLETE, partial = ROAST_COMPLETENESS_PARTIAL,
                          estimated = ROAST_COMPLETENESS_ESTIMATED;

  check_ratio (complete, complete, complete, NULL);
  check_ratio (partial, complete, partial, "above");
  check_ratio (estimated, complete, estimated, "above");
  check_ratio (complete, estimated, estimated, "below");
  /* Divided by a lower bound. */
  check_ratio (complete, partial, estimated, "at most: b is a lower bound (below)");
  check_ratio (partial, partial, estimated, "may be too high or too low: b is a lower bound (below)");
}

static void
test_report_tables (void)
{
  static const char text[] = "[table one]\nOrigin=derived\nDescription=One\n[columns one]\nx=double: x\n"
                             "[table two]\nOrigin=derived\nDescription=Two\n[columns two]\nx=double: x\n";
  g_autoptr (RoastSchema) schema = load_schema (text, NULL);
  g_autoptr (RoastReport) report = roast_report_new (schema);
  g_autoptr (RoastTableReader) nothing = roast_report_read_table (report, "two", NULL, NULL);
  g_autoptr (RoastTableWriter) writer = roast_report_write_table (report, "one", NULL, NULL);
  g_autoptr (RoastTableReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;
  g_auto (GStrv) notes = NULL;

  g_assert_cmpuint (roast_table_reader_get_n_rows (nothing), ==, 0);
  roast_table_writer_set_double (writer, 0, 1.5);
  g_assert_true (roast_table_writer_end (writer, NULL));
  roast_table_writer_set_string (writer, 0, "text");
  g_assert_false (roast_table_writer_end (writer, NULL));
  reader = roast_report_read_table (report, "one", NULL, NULL);
  g_assert_true (roast_table_reader_next (reader));
  g_assert_cmpfloat (roast_table_reader_get_double (reader, 0), ==, 1.5);
  g_assert_false (roast_table_reader_next (reader));
  names = roast_report_dup_table_names (report);
  g_assert_cmpuint (g_strv_length (names), ==, 1);
  g_assert_null (roast_report_write_table (report, "three", NULL, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_TABLE);
  g_clear_error (&error);
  g_assert_null (roast_report_read_table (report, ROAST_TABLE_WORKERS, NULL, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_TABLE);
  /* What is refused is a note. */
  notes = roast_report_dup_notes (report);
  g_assert_cmpuint (g_strv_length (notes), ==, 1);
  g_assert_cmpstr (notes[0], ==, "column “x” of table “one” cannot hold a string");
}

/* What others get to read is UTF-8, whatever came. */
static void
test_metric_text (void)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (RoastReport) report = roast_report_new (schema);

  roast_report_add_int64 (report, "a", 1, ROAST_COMPLETENESS_ESTIMATED, "\xc3");
  roast_report_add_unavailable (report, "b", "\xc3");
  g_assert_true (g_utf8_validate (roast_metric_get_note (roast_report_lookup (report, "a")), -1, NULL));
  g_assert_true (g_utf8_validate (roast_metric_get_reason (roast_report_lookup (report, "b")), -1, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/metric/values", test_metric_values);
  g_test_add_func ("/metric/not-a-number", test_metric_not_a_number);
  g_test_add_func ("/metric/text", test_metric_text);
  g_test_add_func ("/schema/aliases", test_schema_aliases);
  g_test_add_func ("/schema/errors", test_schema_errors);
  g_test_add_func ("/schema/all-or-nothing", test_schema_all_or_nothing);
  g_test_add_func ("/schema/core", test_core_schema);
  g_test_add_func ("/report/order-and-names", test_report_order_and_names);
  g_test_add_func ("/report/first-stays", test_report_first_stays);
  g_test_add_func ("/report/notes", test_report_notes);
  g_test_add_func ("/report/ratio", test_report_ratio);
  g_test_add_func ("/report/tables", test_report_tables);

  return g_test_run ();
}
