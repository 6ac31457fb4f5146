/* SPDX-License-Identifier: BSD-3-Clause */

/* Exporters, as anybody gets them from the registry, and the guards around any exporter. */

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <locale.h>
#include <math.h>
#include <roast/roast.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sanitized.h"

#define METRICS                                                                                                        \
  "[metric elapsed_time_seconds]\nLabel=Elapsed time\nGroup=Run\nUnit=s\nFormat=duration\nDescription=Wall "           \
  "time\nSource=clock\n"                                                                                               \
  "[metric zeros_total]\nLabel=Zeros\nGroup=Run\nFormat=count\nShow=nonzero\nDescription=Nothing\n"                    \
  "[metric events_total]\nLabel=Events\nGroup=Events\nFormat=count\nDescription=Events\n"                              \
  "[metric rate_per_second]\nLabel=Rate\nGroup=Events\nUnit=1/s\nFormat=rate\nDescription=Rate\n"                      \
  "[metric late_total]\nLabel=Late\nGroup=Run\nFormat=count\nDescription=A plugin's\n"                                 \
  "[metric accounting]\nLabel=Accounting\nGroup=Measurement\nFormat=text\nDescription=How\n"

#define TABLE(name, origin)                                                                                            \
  "[table " name "]\nKind=log\nOrigin=" origin "\nDescription=for the test\n"                                          \
  "[columns " name "]\nsource=category: source\na_text=string: a text\na_long=int64 B: a number\n"                     \
  "a_double=double s: a duration\na_boolean=boolean: a truth\na_category=category: a kind\n"

#define SCHEMA                                                                                                         \
  METRICS TABLE ("tested", "measured") TABLE ("metrics", "measured") TABLE ("derived", "derived")                      \
      TABLE ("metrics_table", "derived")                                                                               \
          TABLE ("per_thing",                                                                                          \
                 "derived") "[table single]\nKind=log\nOrigin=derived\nDescription=one column\n[columns "              \
                            "single]\nx=int64: a number\n"                                                             \
                            "[table wide]\nKind=log\nOrigin=derived\nDescription=many columns\n[columns wide]\n"       \
                            "a_longer_name_0=string: a text\na_longer_name_1=string: a text\na_longer_name_2=int64: "  \
                            "a number\n"                                                                               \
                            "a_longer_name_3=int64: a number\na_longer_name_4=int64: a "                               \
                            "number\na_longer_name_5=int64: a number\n"                                                \
                            "a_longer_name_6=int64: a number\na_longer_name_7=int64: a number\n"                       \
                            "[labels ours]\na_category=Flavour\nx=Number\n"

#define HOSTILE "\033[31mred\033[0m \a\"q\", line\nnext\r\t\\ \302\205 \342\200\256"

/* ---- what is exported ---- */

static RoastSchema *
make_schema (const char *text)
{
  RoastSchema *schema = roast_schema_new ();
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GError) error = NULL;

  roast_schema_load_data (schema, bytes, "test", &error);
  g_assert_no_error (error);

  return schema;
}

static RoastReport *
make_report (void)
{
  g_autoptr (RoastSchema) schema = make_schema (SCHEMA);
  RoastReport *report = NULL;

  report = roast_report_new (schema);
  roast_report_add_double (report, "elapsed_time_seconds", 1.5, ROAST_COMPLETENESS_PARTIAL, "half of it");
  roast_report_add_int64 (report, "zeros_total", 0, ROAST_COMPLETENESS_COMPLETE, NULL);
  roast_report_add_int64 (report, "late_total", 9007199254740993, ROAST_COMPLETENESS_COMPLETE, NULL);
  roast_report_add_unavailable (report, "events_total", "nobody counted what there was");
  roast_report_add_unavailable (report, "rate_per_second", "nobody counted what there was");
  roast_report_add_string (report, "accounting", "a long sentence, longer than what fits beside a label in a table");
  roast_report_add_int64 (report, "plugins_own", G_MAXINT64, ROAST_COMPLETENESS_COMPLETE, NULL);
  roast_report_add_note (report, HOSTILE);

  return report;
}

/* Slots of the tables above. */
enum
{
  TEXT,
  LONG,
  DOUBLE,
  BOOLEAN,
  CATEGORY,
  SOURCE,
};

static const char *const tested_columns[] = {
  "a_text", "a_long", "a_double", "a_boolean", "a_category", "source", NULL
};

static void
fill_table (RoastTableWriter *writer, const char *source, guint n_rows)
{
  G_GNUC_UNUSED g_autoptr (RoastTableWriter) owned = writer;

  g_assert_nonnull (writer);
  for (guint i = 0; i < n_rows; i++)
    {
      if (i % 3 == 0)
        {
          roast_table_writer_set_string (writer, TEXT, HOSTILE);
          roast_table_writer_set_int64 (writer, LONG, G_MININT64);
          roast_table_writer_set_double (writer, DOUBLE, 0.1);
          roast_table_writer_set_boolean (writer, BOOLEAN, TRUE);
          roast_table_writer_set_string (writer, CATEGORY, "plain");
        }
      else if (i % 3 == 1)
        roast_table_writer_set_string (writer, TEXT, "");
      else
        roast_table_writer_set_double (writer, DOUBLE, 1.0 / 3);
      roast_table_writer_set_string (writer, SOURCE, source);
      g_assert_true (roast_table_writer_end (writer, NULL));
    }
}

static RoastRecordingSnapshot *
make_recording (void)
{
  static const char *const command[] = { "run", "me", HOSTILE, NULL };
  g_autoptr (RoastSchema) schema = make_schema (SCHEMA);
  g_autoptr (RoastRecording) recording = roast_recording_new (schema);
  g_autofree char *source = roast_recording_add_source (recording, "ours", NULL, NULL, NULL);

  roast_recording_set_metadata (recording, "command", g_variant_new_strv (command, -1));
  roast_recording_set_metadata (recording, "host", g_variant_new_string ("a host"));
  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (G_GINT64_CONSTANT (1700000000000000)));
  roast_recording_set_metadata (recording, "tags", g_variant_new_parsed ("{'key': 'value'}"));
  roast_recording_set_metadata (recording, "own-cpu", g_variant_new_double (0.25));
  roast_recording_set_metadata (recording, "tree-attached", g_variant_new_boolean (TRUE));
  roast_recording_set_metadata (recording, "tree-accounting", g_variant_new_uint32 (7));
  roast_recording_set_metadata (recording, "tree-processes", g_variant_new_uint64 (G_MAXUINT64));
  roast_recording_set_metadata (recording, "odd",
                                g_variant_new_parsed ("(byte 0x1f, objectpath '/a', signature 's', @ms nothing, @ms "
                                                      "'there', {1: true}, @aay [],"
                                                      " int16 -3, %d)",
                                                      (double) NAN));
  roast_recording_add_event (recording, NULL, -1, ROAST_SEVERITY_WARNING, "test", HOSTILE);
  roast_recording_add_event (recording, NULL, -1, ROAST_SEVERITY_INFO, "test", "only worth knowing");
  fill_table (roast_recording_write_table (recording, "tested", source, tested_columns, NULL), source, 3);
  fill_table (roast_recording_write_table (recording, "metrics", source, tested_columns, NULL), source, 1);

  return roast_recording_snapshot (recording);
}

static RoastExporter *
create (const char *name, const char *options)
{
  static RoastRegistry *registry;
  g_autoptr (GError) error = NULL;
  RoastExporter *exporter = NULL;

  if (registry == NULL)
    registry = roast_registry_new ();
  exporter =
      roast_registry_create_exporter (registry, name, options != NULL ? g_variant_new_parsed (options) : NULL, &error);
  g_assert_no_error (error);

  return exporter;
}

static char *
export_text (const char *exporter_name, const char *options, RoastReport *report, const char *name)
{
  g_autoptr (RoastExporter) exporter = create (exporter_name, options);
  g_autoptr (RoastRecordingSnapshot) recording = make_recording ();
  g_autoptr (RoastOutput) output = roast_output_new_for_memory ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (roast_exporter_export_report (exporter, recording, report, output, NULL, &error));
  g_assert_no_error (error);
  bytes = roast_output_dup_bytes (output, name);
  g_assert_nonnull (bytes);
  g_assert_true (g_utf8_validate (g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes), NULL));

  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

/* ---- JSON ---- */

static void
add_finding (RoastReport *report)
{
  g_autoptr (RoastFinding) finding = roast_finding_new ("slow-file", ROAST_FINDING_SEVERITY_WARNING, HOSTILE);

  roast_finding_set_share (finding, 0.25);
  roast_finding_set_advice (finding, "Copy it.");
  roast_finding_add_number (finding, "time", 1.5, "s");
  roast_finding_add_text (finding, "file", HOSTILE);
  roast_report_add_finding (report, finding);
}

static JsonNode *
export_json (const char *options)
{
  g_autoptr (RoastReport) report = make_report ();
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  JsonNode *node = NULL;

  add_finding (report);
  fill_table (roast_report_write_table (report, "derived", tested_columns, NULL), "ours-1", 1);
  text = export_text ("json", options, report, "report.json");
  node = json_from_string (text, &error);
  g_assert_no_error (error);

  return node;
}

static JsonObject *
member (JsonObject *object, const char *name)
{
  g_assert_true (json_object_has_member (object, name));

  return json_object_get_object_member (object, name);
}

static void
test_json_metrics (void)
{
  g_autoptr (JsonNode) root = export_json (NULL);
  JsonObject *metrics = member (json_node_get_object (root), "metrics");
  JsonObject *elapsed = member (metrics, "elapsed_time_seconds");
  JsonObject *events = member (metrics, "events_total");
  JsonObject *own = member (metrics, "plugins_own");
  g_autoptr (GList) names = json_object_get_members (metrics);

  g_assert_cmpuint (g_list_length (names), ==, 7);
  g_assert_cmpstr (names->data, ==, "elapsed_time_seconds");
  g_assert_cmpfloat (json_object_get_double_member (elapsed, "value"), ==, 1.5);
  g_assert_cmpstr (json_object_get_string_member (elapsed, "unit"), ==, "s");
  g_assert_cmpstr (json_object_get_string_member (elapsed, "completeness"), ==, "partial");
  g_assert_cmpstr (json_object_get_string_member (elapsed, "note"), ==, "half of it");
  g_assert_cmpstr (json_object_get_string_member (elapsed, "source"), ==, "clock");
  g_assert_true (json_object_get_null_member (elapsed, "reason"));
  g_assert_true (json_object_get_null_member (events, "value"));
  g_assert_cmpstr (json_object_get_string_member (events, "reason"), ==, "nobody counted what there was");
  g_assert_cmpint (json_object_get_int_member (own, "value"), ==, G_MAXINT64);
  g_assert_true (json_object_get_null_member (own, "description"));
}

static void
test_json_findings (void)
{
  g_autoptr (JsonNode) root = export_json (NULL);
  JsonArray *findings = json_object_get_array_member (json_node_get_object (root), "findings");
  JsonObject *finding = json_array_get_object_element (findings, 0);
  JsonArray *evidence = json_object_get_array_member (finding, "evidence");
  JsonObject *number = json_array_get_object_element (evidence, 0);
  JsonObject *name = json_array_get_object_element (evidence, 1);

  g_assert_cmpuint (json_array_get_length (findings), ==, 1);
  g_assert_cmpstr (json_object_get_string_member (finding, "rule"), ==, "slow-file");
  g_assert_cmpstr (json_object_get_string_member (finding, "severity"), ==, "warning");
  g_assert_cmpstr (json_object_get_string_member (finding, "text"), ==, HOSTILE);
  g_assert_cmpfloat (json_object_get_double_member (finding, "share"), ==, 0.25);
  g_assert_cmpstr (json_object_get_string_member (finding, "advice"), ==, "Copy it.");
  g_assert_cmpuint (json_array_get_length (evidence), ==, 2);
  g_assert_cmpfloat (json_object_get_double_member (number, "value"), ==, 1.5);
  g_assert_cmpstr (json_object_get_string_member (number, "unit"), ==, "s");
  g_assert_cmpstr (json_object_get_string_member (name, "value"), ==, HOSTILE);
  g_assert_false (json_object_has_member (name, "unit"));
}

static void
test_json_run (void)
{
  g_autoptr (JsonNode) root = export_json (NULL);
  JsonObject *run = member (json_node_get_object (root), "run");

  g_assert_cmpstr (json_array_get_string_element (json_object_get_array_member (run, "command"), 2), ==, HOSTILE);
  g_assert_cmpstr (json_object_get_string_member (member (run, "tags"), "key"), ==, "value");
  g_assert_cmpint (json_object_get_int_member (run, "started"), ==, G_GINT64_CONSTANT (1700000000000000));
  g_assert_cmpfloat (json_object_get_double_member (run, "own-cpu"), ==, 0.25);
  g_assert_true (json_object_get_boolean_member (run, "tree-attached"));
  g_assert_cmpint (json_object_get_int_member (run, "tree-accounting"), ==, 7);
}

/* Whatever a third party puts there, it is JSON. */
static void
test_json_odd (void)
{
  g_autoptr (JsonNode) root = export_json (NULL);
  JsonArray *odd = json_object_get_array_member (member (json_node_get_object (root), "run"), "odd");
  JsonArray *pairs = json_array_get_array_element (odd, 5);

  g_assert_cmpuint (json_array_get_length (odd), ==, 9);
  g_assert_cmpint (json_array_get_int_element (odd, 0), ==, 31);
  g_assert_cmpstr (json_array_get_string_element (odd, 1), ==, "/a");
  g_assert_cmpstr (json_array_get_string_element (odd, 2), ==, "s");
  g_assert_true (json_array_get_null_element (odd, 3));
  g_assert_cmpstr (json_array_get_string_element (odd, 4), ==, "there");
  g_assert_true (json_array_get_boolean_element (json_array_get_array_element (pairs, 0), 1));
  g_assert_cmpuint (json_array_get_length (json_array_get_array_element (odd, 6)), ==, 0);
  g_assert_cmpint (json_array_get_int_element (odd, 7), ==, -3);
  g_assert_true (json_array_get_null_element (odd, 8));
}

static void
test_json_table (void)
{
  g_autoptr (JsonNode) root = export_json (NULL);
  JsonObject *table = member (member (json_node_get_object (root), "tables"), "tested");
  JsonObject *data = member (table, "data");
  JsonArray *texts = json_object_get_array_member (data, "a_text");
  JsonArray *longs = json_object_get_array_member (data, "a_long");
  JsonArray *doubles = json_object_get_array_member (data, "a_double");
  JsonArray *booleans = json_object_get_array_member (data, "a_boolean");

  g_assert_cmpint (json_object_get_int_member (table, "rows"), ==, 3);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (table, "columns")), ==, 6);
  g_assert_cmpstr (json_array_get_string_element (texts, 0), ==, HOSTILE);
  g_assert_cmpstr (json_array_get_string_element (texts, 1), ==, "");
  g_assert_true (json_array_get_null_element (texts, 2));
  g_assert_cmpint (json_array_get_int_element (longs, 0), ==, G_MININT64);
  g_assert_true (json_array_get_null_element (longs, 1));
  g_assert_cmpfloat (json_array_get_double_element (doubles, 0), ==, 0.1);
  g_assert_cmpfloat (json_array_get_double_element (doubles, 2), ==, 1.0 / 3);
  g_assert_true (json_array_get_boolean_element (booleans, 0));
  g_assert_true (json_array_get_null_element (booleans, 1));
}

static void
test_json_options (void)
{
  g_autoptr (JsonNode) none = export_json ("{'tables': <'none'>}");
  g_autoptr (JsonNode) some = export_json ("{'tables': <'tested+events+nothing'>}");
  g_autoptr (RoastReport) report = make_report ();
  g_autofree char *line = export_text ("json", "{'indent': <false>}", report, "report.json");
  g_autoptr (JsonNode) compact = json_from_string (line, NULL);
  JsonObject *tables = member (json_node_get_object (some), "tables");

  g_assert_false (json_object_has_member (json_node_get_object (none), "tables"));
  g_assert_true (json_object_has_member (json_node_get_object (none), "report_tables"));
  g_assert_cmpuint (json_object_get_size (tables), ==, 2);
  g_assert_true (strchr (line, '\n') == line + strlen (line) - 1);
  g_assert_nonnull (compact);
}

/* ---- CSV ---- */

#define HOSTILE_CSV "\"\033[31mred\033[0m \a\"\"q\"\", line\nnext\r\t\\ \302\205 \342\200\256\""

static void
test_csv_table (void)
{
  static const struct
  {
    const char *options;
    const char *expected;
  } cases[] = {
    { NULL, "source,a_text,a_long,a_double,a_boolean,a_category\r\nours-1," HOSTILE_CSV
            ",-9223372036854775808,0.1,TRUE,plain\r\nours-1,\"\",,,,\r\nours-1,,,0.33333333333333331,,\r\n" },
    { "{'separator': <'tab'>}",
      "source\ta_text\ta_long\ta_double\ta_boolean\ta_category\r\nours-1\t" HOSTILE_CSV
      "\t-9223372036854775808\t0.1\tTRUE\tplain\r\nours-1\t\"\"\t\t\t\t\r\nours-1\t\t\t0.33333333333333331\t\t\r\n" },
    { "{'separator': <'semicolon'>}",
      "source;a_text;a_long;a_double;a_boolean;a_category\r\nours-1;" HOSTILE_CSV
      ";-9223372036854775808;0.1;TRUE;plain\r\nours-1;\"\";;;;\r\nours-1;;;0.33333333333333331;;\r\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (RoastReport) report = make_report ();
      g_autofree char *text = export_text ("csv", cases[i].options, report, "tested.csv");

      g_assert_cmpstr (text, ==, cases[i].expected);
    }
}

static void
test_csv_metrics (void)
{
  g_autoptr (RoastReport) report = make_report ();
  g_autofree char *text = export_text ("csv", NULL, report, "metrics.csv");

  g_assert_true (g_str_has_prefix (text,
                                   "name,value,unit,completeness,reason,note,source,label,description\r\n"
                                   "elapsed_time_seconds,1.5,s,partial,,half of it,clock,Elapsed time,Wall time\r\n"));
  g_assert_nonnull (strstr (text, "\r\nevents_total,,\"\",unavailable,nobody counted what there "
                                  "was,,\"\",Events,Events\r\n"));
  g_assert_nonnull (strstr (text, "\r\nplugins_own,9223372036854775807,,complete,,,,,\r\n"));
}

/* What a spreadsheet would run. */
static void
test_csv_guard (void)
{
  static const char *const notes[] = { "=1+1", "@SUM(1)", "-2+3", "+4", "\tx", "a=b" };

  for (guint i = 0; i < G_N_ELEMENTS (notes); i++)
    {
      g_autoptr (RoastSchema) schema = roast_schema_new ();
      g_autoptr (RoastReport) report = roast_report_new (schema);
      g_autofree char *guarded = NULL;
      g_autofree char *plain = NULL;
      g_autofree char *expected =
          g_strdup_printf ("\r\nx,1,,partial,,%s%s,,,\r\n", i < G_N_ELEMENTS (notes) - 1 ? "'" : "", notes[i]);
      g_autofree char *unchanged = g_strdup_printf ("\r\nx,1,,partial,,%s,,,\r\n", notes[i]);

      roast_report_add_int64 (report, "x", 1, ROAST_COMPLETENESS_PARTIAL, notes[i]);
      guarded = export_text ("csv", NULL, report, "metrics.csv");
      plain = export_text ("csv", "{'guard': <false>}", report, "metrics.csv");
      g_assert_true (g_str_has_suffix (guarded, expected));
      g_assert_true (g_str_has_suffix (plain, unchanged));
    }
}

/* A table with the name of a file that every report has, and one with the name that results from this. */
static void
test_csv_names (void)
{
  static const char *const files[] = { "metrics_table.csv", "metrics_table_table.csv", "metrics.csv" };
  g_autoptr (RoastReport) report = make_report ();
  g_autofree char *columns = NULL;

  fill_table (roast_report_write_table (report, "metrics_table", tested_columns, NULL), "ours-1", 1);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    g_free (export_text ("csv", NULL, report, files[i]));
  columns = export_text ("csv", NULL, report, "columns.csv");
  g_assert_nonnull (strstr (columns, "\r\nmetrics_table_table,a_text,string,,a text\r\n"));
  g_assert_nonnull (strstr (columns, "\r\nmetrics_table,a_long,int64,B,a number\r\n"));
}

/* A missing cell in a table of one column is a row all the same. */
static void
test_csv_one_column (void)
{
  g_autoptr (RoastReport) report = make_report ();
  g_autoptr (RoastTableWriter) writer = roast_report_write_table (report, "single", NULL, NULL);
  g_autofree char *text = NULL;

  g_assert_true (roast_table_writer_end (writer, NULL));
  roast_table_writer_set_int64 (writer, 0, 1);
  g_assert_true (roast_table_writer_end (writer, NULL));
  text = export_text ("csv", NULL, report, "single.csv");
  g_assert_cmpstr (text, ==, "x\r\n\"\"\r\n1\r\n");
}

static void
test_csv_wants_directory (void)
{
  g_autoptr (RoastExporter) exporter = create ("csv", NULL);
  g_autoptr (RoastRecordingSnapshot) recording = make_recording ();
  g_autoptr (RoastReport) report = make_report ();
  g_autoptr (RoastOutput) output = roast_output_new_for_file ("/dev/null");
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (roast_exporter_get_flags (exporter), ==, ROAST_EXPORTER_FLAGS_DIRECTORY);
  g_assert_false (roast_exporter_export_report (exporter, recording, report, output, NULL, &error));
  g_assert_error (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT);
}

/* ---- tables ---- */

static gsize
columns_of (const char *line)
{
  gsize columns = 0;

  for (const char *c = line; *c != '\0'; c = g_utf8_next_char (c))
    columns += g_unichar_iszerowidth (g_utf8_get_char (c)) ? 0 : g_unichar_iswide (g_utf8_get_char (c)) ? 2 : 1;

  return columns;
}

static char *
export_page (const char *options, guint n_rows)
{
  g_autoptr (RoastReport) report = make_report ();

  fill_table (roast_report_write_table (report, "per_thing", tested_columns, NULL), "ours-1", n_rows);

  return export_text ("table", options, report, "report.txt");
}

static void
test_table_content (void)
{
  g_autofree char *page = export_page ("{'detail': <true>}", 20);
  static const char *const there[] = { "roast  run me ",
                                       "on a host, 2023-11-1",
                                       "Elapsed time   ",
                                       " 1.50 s",
                                       "half of it\n  Zeros  ",
                                       "not available: nobody counted what there was",
                                       "as above",
                                       "and 12 more rows",
                                       "Other\n  plugins_own",
                                       "Flavour",
                                       "Per thing (all: source ours-1)\n",
                                       "\n\\x1b[31mred",
                                       "warning: \\x1b[31mred",
                                       "Accounting: a long sentence" };
  static const char *const absent[] = { "\033", "\a", "\r", "\302\205", "\342\200\256" };

  for (guint i = 0; i < G_N_ELEMENTS (there); i++)
    if (strstr (page, there[i]) == NULL)
      g_error ("“%s” is not in:\n%s", there[i], page);
  for (guint i = 0; i < G_N_ELEMENTS (absent); i++)
    if (strstr (page, absent[i]) != NULL)
      g_error ("“%s” is in:\n%s", absent[i], page);
}

/* Headings are the labels of a backend if all rows come from it. */
static void
test_table_labels (void)
{
  g_autoptr (RoastReport) report = make_report ();
  g_autoptr (RoastTableWriter) single = roast_report_write_table (report, "single", NULL, NULL);
  g_autofree char *page = NULL;

  roast_table_writer_set_int64 (single, 0, 1);
  g_assert_true (roast_table_writer_end (single, NULL));
  fill_table (roast_report_write_table (report, "derived", tested_columns, NULL), "ours-1", 1);
  fill_table (roast_report_write_table (report, "per_thing", tested_columns, NULL), "ours-1", 1);
  fill_table (roast_report_write_table (report, "per_thing", tested_columns, NULL), "unknown", 2);
  page = export_text ("table", "{'sections': <'single+derived+per_thing'>}", report, "report.txt");
  g_assert_nonnull (strstr (page, "\nSingle\nNumber\n"));
  g_assert_nonnull (strstr (page, "a boolean  Flavour\n"));
  g_assert_nonnull (strstr (page, "a boolean  a category\n"));
}

static void
test_table_detail (void)
{
  g_autofree char *page = export_page ("{'detail': <true>, 'rows': <int64 0>}", 20);

  g_assert_nonnull (strstr (page, "Zeros"));
  g_assert_nonnull (strstr (page, "only worth knowing"));
  g_assert_null (strstr (page, "more rows"));
}

/* What does not fit into the first page, or nobody needs there. */
static void
test_table_page (void)
{
  g_autofree char *page = export_page (NULL, 20);
  static const char *const there[] = {
    "roast  run me ",        "on a host, 2023-11-1", "took ", "Outcome: exit status unknown", "Late  9",
    "warning: \\x1b[31mred", "Not available: events"
  };
  static const char *const absent[] = { "\033",      "\a",          "Zeros",       "only worth knowing",
                                        "Per thing", "plugins_own", "\342\200\256" };

  for (guint i = 0; i < G_N_ELEMENTS (there); i++)
    if (strstr (page, there[i]) == NULL)
      g_error ("“%s” is not in:\n%s", there[i], page);
  for (guint i = 0; i < G_N_ELEMENTS (absent); i++)
    if (strstr (page, absent[i]) != NULL)
      g_error ("“%s” is in:\n%s", absent[i], page);
}

/* The lines of charts: of two executors together, whose rows come one source after the other, beside what the program
 * itself reports. */
static void
test_table_over_time (void)
{
  static const char *const columns[] = { "source", "started", "running", "workers", "event_rate", NULL };
  static const struct
  {
    const char *source;
    double running, workers, event_rate;
  } sources[] = {
    { "first-1", 3, 4, NAN },
    { "second-1", 1, NAN, NAN },
    { "program-1", NAN, NAN, 2000 },
  };
  static const char *const lines[] = {
    "\n  running  ▁▂▃▄▅▆▇█  max 32.0\n",
    "\n  workers  ??█████   max 4.00\n",
    "\n  events    █ █ █ █  max 2.00 kHz\n",
  };
  g_autoptr (RoastReport) report = make_report ();
  g_autoptr (RoastTableWriter) writer = roast_report_write_table (report, ROAST_TABLE_OVER_TIME, columns, NULL);
  g_autofree char *page = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    for (guint k = 0; k < 8; k++)
      {
        roast_table_writer_set_string (writer, 0, sources[i].source);
        roast_table_writer_set_int64 (writer, 1, 1700000000000000 + k * 1000000);
        roast_table_writer_set_double (writer, 2, sources[i].running * (k + 1));
        /* Workers are unknown at first, and zero at the end. */
        if (k >= 2)
          roast_table_writer_set_double (writer, 3, k == 7 ? 0 : sources[i].workers);
        roast_table_writer_set_double (writer, 4, sources[i].event_rate * (k % 2));
        g_assert_true (roast_table_writer_end (writer, NULL));
      }
  page = export_text ("table", "{'sections': <'timeline'>}", report, "report.txt");
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    if (strstr (page, lines[i]) == NULL)
      g_error ("“%s” is not in:\n%s", lines[i], page);
  g_assert_null (strstr (page, "waiting"));
}

static void
test_table_sections (void)
{
  g_autofree char *some = export_page ("{'sections': <'outcome+per_thing+tested+nothing'>}", 20);
  g_autofree char *metrics = export_page ("{'sections': <'metrics'>}", 20);

  g_assert_nonnull (strstr (some, "Outcome: "));
  g_assert_nonnull (strstr (some, "Per thing (all: source ours-1)\n"));
  g_assert_nonnull (strstr (some, "\nTested"));
  g_assert_nonnull (strstr (some, "no section or table “nothing”"));
  g_assert_null (strstr (some, "Late"));
  g_assert_nonnull (strstr (metrics, "Other\n  plugins_own"));
  g_assert_null (strstr (metrics, "Outcome"));
}

/* Names that begin alike are shortened so that they still differ, and what is the same in all rows stands in the title.
 */
static void
test_table_rows_differ (void)
{
  static const int widths[] = { 60, 80, 100, 200 };

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      g_autoptr (RoastReport) report = make_report ();
      g_autoptr (RoastTableWriter) writer = roast_report_write_table (report, "wide", NULL, NULL);
      g_autofree char *options = g_strdup_printf ("{'sections': <'wide'>, 'width': <int64 %d>}", widths[i]);
      g_autofree char *page = NULL;

      for (guint j = 0; j < 4; j++)
        {
          g_autofree char *name = g_strdup_printf ("tcp://a-very-long-name-of-a-machine.example.org:4100%u/suffix", j);

          roast_table_writer_set_string (writer, 0, name);
          roast_table_writer_set_string (writer, 1, "the same");
          for (guint k = 2; k < 8; k++)
            roast_table_writer_set_int64 (writer, k, 1000000 + j * k);
          g_assert_true (roast_table_writer_end (writer, NULL));
        }
      page = export_text ("table", options, report, "report.txt");
      g_assert_nonnull (strstr (page, "Wide (all: a longer name 1 the same)\n"));
      for (guint j = 0; j < 4; j++)
        {
          g_autofree char *end = g_strdup_printf ("%u/suffix", j);

          if (strstr (page, end) == NULL)
            g_error ("“%s” is not in:\n%s", end, page);
        }
    }
}

static void
test_table_width (void)
{
  static const int widths[] = { 60, 72, 80, 133 };

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      g_autoptr (RoastReport) report = make_report ();
      g_autoptr (RoastTableWriter) writer = roast_report_write_table (report, "wide", NULL, NULL);
      g_autofree char *options = g_strdup_printf ("{'detail': <true>, 'width': <int64 %d>}", widths[i]);
      g_autofree char *page = NULL;
      g_auto (GStrv) lines = NULL;

      roast_table_writer_set_string (writer, 0, "日本語日本語日本語日本語日本語日本語");
      roast_table_writer_set_string (writer, 1, "a long text without any end, or nearly so; it goes on");
      for (guint j = 2; j < 8; j++)
        roast_table_writer_set_int64 (writer, j, G_MAXINT64 >> (8 * j - 8));
      g_assert_true (roast_table_writer_end (writer, NULL));
      page = export_text ("table", options, report, "report.txt");
      lines = g_strsplit (page, "\n", -1);
      for (guint j = 0; lines[j] != NULL; j++)
        if (columns_of (lines[j]) > (guint) widths[i])
          g_error ("%d: %s in\n%s", widths[i], lines[j], page);
      g_assert_nonnull (strstr (page, "…"));
      g_assert_true (widths[i] > 80 || strstr (page, "did not fit") != NULL);
    }
}

static void
test_table_colors (void)
{
  g_autofree char *always = export_page ("{'color': <'always'>}", 1);
  g_autofree char *never = export_page ("{'color': <'never'>}", 1);

  g_assert_nonnull (strstr (always, "\033[1m"));
  g_assert_null (strstr (always, "\033[31mred"));
  g_assert_null (strchr (never, '\033'));
}

static void
test_table_ascii (void)
{
  g_autofree char *before = g_strdup (setlocale (LC_CTYPE, NULL));
  g_autofree char *page = NULL;

  setlocale (LC_CTYPE, "C");
  page = export_page ("{'detail': <true>}", 20);
  setlocale (LC_CTYPE, before);
  g_assert_true (g_str_is_ascii (page));
  g_assert_nonnull (strstr (page, ">= 1.50 s"));
}

/* ---- any exporter ---- */

static void
test_full_device (gconstpointer name)
{
  g_autoptr (RoastExporter) exporter = create (name, NULL);
  g_autoptr (RoastRecordingSnapshot) recording = make_recording ();
  g_autoptr (RoastReport) report = make_report ();
  g_autoptr (RoastOutput) output = roast_output_new_for_file ("/dev/full");
  g_autoptr (GError) error = NULL;

  g_assert_false (roast_exporter_export_report (exporter, recording, report, output, NULL, &error));
  g_assert_error (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT);
  g_assert_nonnull (strstr (error->message, "/dev/full"));
  g_assert_nonnull (strstr (error->message, g_strerror (ENOSPC)));
}

static void
test_cancelled (gconstpointer name)
{
  g_autoptr (RoastExporter) exporter = create (name, NULL);
  g_autoptr (RoastRecordingSnapshot) recording = make_recording ();
  g_autoptr (RoastReport) report = make_report ();
  g_autoptr (RoastOutput) output = roast_output_new_for_memory ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_false (roast_exporter_export_report (exporter, recording, report, output, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* ---- large recordings ---- */

#define LARGE 300000 /* rows: tens of MB of text */
#define FULL (1 << 20)
#define OLDER "an older report"

typedef struct
{
  RoastExporter *exporter;
  RoastRecordingSnapshot *recording;
  RoastReport *report;
  char *directory, *path; /* of the largest file */
} Large;

static RoastOutput *
make_output (Large *large)
{
  return (roast_exporter_get_flags (large->exporter) & ROAST_EXPORTER_FLAGS_DIRECTORY) != 0
             ? roast_output_new_for_directory (large->directory)
             : roast_output_new_for_file (large->path);
}

static void
set_up_large (Large *large, gconstpointer name)
{
  g_autoptr (RoastSchema) schema = make_schema (SCHEMA);
  g_autoptr (RoastRecording) recording = roast_recording_new (schema);

  fill_table (roast_recording_write_table (recording, "tested", NULL, tested_columns, NULL), NULL, LARGE);
  large->recording = roast_recording_snapshot (recording);
  large->report = make_report ();
  large->exporter = create (name, NULL);
  large->directory = g_dir_make_tmp ("roast-test-XXXXXX", NULL);
  large->path = g_build_filename (large->directory, g_str_equal (name, "csv") ? "tested.csv" : "report.json", NULL);
}

static void
tear_down_large (Large *large, gconstpointer name)
{
  g_autoptr (GDir) directory = g_dir_open (large->directory, 0, NULL);
  const char *entry;

  while ((entry = g_dir_read_name (directory)) != NULL)
    {
      g_autofree char *path = g_build_filename (large->directory, entry, NULL);

      g_unlink (path);
    }
  g_rmdir (large->directory);
  g_object_unref (large->recording);
  g_object_unref (large->report);
  g_object_unref (large->exporter);
  g_free (large->directory);
  g_free (large->path);
}

/* Of this program: what getrusage () has may be that of the parent. */
static gsize
get_peak (void)
{
  g_autofree char *status = NULL;
  const char *line = NULL;

  g_assert_true (g_file_get_contents ("/proc/self/status", &status, NULL, NULL));
  line = strstr (status, "VmHWM:");
  g_assert_nonnull (line);

  return (gsize) g_ascii_strtoull (line + strlen ("VmHWM:"), NULL, 10) * 1024;
}

/* From now on the peak is that of what follows. */
static void
reset_peak (void)
{
  int fd = open ("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, "5", 1), ==, 1);
  close (fd);
}

/* Text is written as it is made: many times what memory may grow by. */
static void
test_memory (Large *large, gconstpointer name)
{
  g_autoptr (RoastOutput) output = make_output (large);
  g_autoptr (GError) error = NULL;
  gsize before, growth;
  GStatBuf status;

  reset_peak ();
  before = get_peak ();
  g_assert_true (roast_exporter_export_report (large->exporter, large->recording, large->report, output, NULL, &error));
  g_assert_no_error (error);
  growth = get_peak () - before;
  g_assert_true (roast_output_commit (output, &error));
  g_assert_cmpint (g_stat (large->path, &status), ==, 0);
  g_test_message ("%" G_GSIZE_FORMAT " bytes more for a file of %" G_GINT64_FORMAT, growth, (gint64) status.st_size);
  g_assert_cmpint (status.st_size, >, 10 << 20);
  if (SANITIZED || g_getenv ("ROAST_UNDER_VALGRIND") != NULL)
    g_test_skip ("the tool that watches memory needs some itself");
  else
    g_assert_cmpuint (growth, <, 4 << 20);
}

/* The disk is full in the middle: the older report is still there, and nothing beside it. */
static void
test_full_in_the_middle (Large *large, gconstpointer name)
{
  g_autoptr (RoastOutput) output = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) directory = NULL;
  g_autofree char *contents = NULL;
  g_autofree char *base = g_path_get_basename (large->path);
  struct rlimit before, limit;
  void (*handler) (int) = signal (SIGXFSZ, SIG_IGN);
  gboolean exported;

  g_assert_true (g_file_set_contents (large->path, OLDER, -1, NULL));
  output = make_output (large);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  limit = before;
  limit.rlim_cur = FULL;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  exported = roast_exporter_export_report (large->exporter, large->recording, large->report, output, NULL, &error);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  signal (SIGXFSZ, handler);
  g_assert_false (exported);
  g_assert_error (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT);
  g_assert_nonnull (strstr (error->message, large->directory));
  g_assert_nonnull (strstr (error->message, g_strerror (EFBIG)));
  roast_output_discard (output);
  g_assert_true (g_file_get_contents (large->path, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, OLDER);
  directory = g_dir_open (large->directory, 0, NULL);
  g_assert_cmpstr (g_dir_read_name (directory), ==, base);
  g_assert_null (g_dir_read_name (directory));
}

static gpointer
read_a_little (gpointer data)
{
  char bytes[4096];
  int fd = GPOINTER_TO_INT (data);

  g_assert_cmpint (read (fd, bytes, sizeof bytes), >, 0);
  close (fd);

  return NULL;
}

/* Who reads has enough. */
static void
test_closed_pipe (Large *large, gconstpointer name)
{
  void (*handler) (int) = signal (SIGPIPE, SIG_IGN);
  g_autoptr (RoastOutput) output = NULL;
  g_autoptr (GError) error = NULL;
  GThread *reader = NULL;
  int fds[2];

  g_assert_true (g_unix_open_pipe (fds, FD_CLOEXEC, NULL));
  output = roast_output_new_for_fd (fds[1], "a pipe");
  close (fds[1]);
  reader = g_thread_new ("reader", read_a_little, GINT_TO_POINTER (fds[0]));
  g_assert_false (roast_exporter_export_report (large->exporter, large->recording, large->report, output, NULL,
                                                &error));
  g_thread_join (reader);
  signal (SIGPIPE, handler);
  g_assert_error (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT);
  g_assert_nonnull (strstr (error->message, "a pipe"));
  g_assert_nonnull (strstr (error->message, g_strerror (EPIPE)));
}

#define TEST_TYPE_EXPORTER (test_exporter_get_type ())
G_DECLARE_FINAL_TYPE (TestExporter, test_exporter, TEST, EXPORTER, GObject)

struct _TestExporter
{
  GObject parent_instance;
};

static void test_exporter_iface_init (RoastExporterInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TestExporter, test_exporter, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_EXPORTER, test_exporter_iface_init))

static gboolean is_silent;

static gboolean
fail_silently (RoastExporter *exporter, RoastRecordingSnapshot *recording, RoastReport *report, RoastOutput *output,
               GCancellable *cancellable, GError **error)
{
  return FALSE;
}

static void
test_exporter_iface_init (RoastExporterInterface *iface)
{
  if (is_silent)
    iface->export_report = fail_silently;
}

static void
test_exporter_class_init (TestExporterClass *klass)
{
}

static void
test_exporter_init (TestExporter *self)
{
}

static void
test_guards (void)
{
  g_autoptr (RoastExporter) exporter = NULL;
  g_autoptr (RoastRecordingSnapshot) recording = make_recording ();
  g_autoptr (RoastReport) report = make_report ();
  g_autoptr (RoastOutput) output = roast_output_new_for_memory ();
  g_autoptr (GError) error = NULL;

  is_silent = g_test_subprocess ();
  exporter = g_object_new (TEST_TYPE_EXPORTER, NULL);
  g_assert_cmpint (roast_exporter_get_flags (exporter), ==, ROAST_EXPORTER_FLAGS_NONE);
  g_assert_true (roast_exporter_configure (exporter, NULL, &error));
  g_assert_no_error (error);
  g_assert_false (roast_exporter_configure (exporter, g_variant_new_parsed ("{'x': <1>}"), &error));
  g_assert_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_UNKNOWN);
  g_clear_error (&error);
  g_assert_false (roast_exporter_export_report (exporter, recording, report, output, NULL, &error));
  g_assert_error (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_BAD_IMPLEMENTATION);
  g_assert_nonnull (strstr (error->message, "TestExporter"));
}

/* A class is made once: the one that fails without an error lives in a process of its own. */
static void
test_guards_silent (void)
{
  g_test_trap_subprocess ("/exporter/guards", 0, 0);
  g_test_trap_assert_passed ();
}

int
main (int argc, char *argv[])
{
  static const char *const names[] = { "table", "json", "csv", "perfetto", "plots" };

  g_test_init (&argc, &argv, NULL);
  setlocale (LC_CTYPE, "C.UTF-8");

  g_test_add_func ("/json/metrics", test_json_metrics);
  g_test_add_func ("/json/run", test_json_run);
  g_test_add_func ("/json/findings", test_json_findings);
  g_test_add_func ("/json/odd", test_json_odd);
  g_test_add_func ("/json/table", test_json_table);
  g_test_add_func ("/json/options", test_json_options);
  g_test_add_func ("/csv/table", test_csv_table);
  g_test_add_func ("/csv/metrics", test_csv_metrics);
  g_test_add_func ("/csv/guard", test_csv_guard);
  g_test_add_func ("/csv/names", test_csv_names);
  g_test_add_func ("/csv/one-column", test_csv_one_column);
  g_test_add_func ("/csv/wants-directory", test_csv_wants_directory);
  g_test_add_func ("/table/content", test_table_content);
  g_test_add_func ("/table/detail", test_table_detail);
  g_test_add_func ("/table/page", test_table_page);
  g_test_add_func ("/table/over-time", test_table_over_time);
  g_test_add_func ("/table/sections", test_table_sections);
  g_test_add_func ("/table/rows-differ", test_table_rows_differ);
  g_test_add_func ("/table/labels", test_table_labels);
  g_test_add_func ("/table/width", test_table_width);
  g_test_add_func ("/table/colors", test_table_colors);
  g_test_add_func ("/table/ascii", test_table_ascii);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *full = g_strdup_printf ("/%s/full-device", names[i]);
      g_autofree char *cancelled = g_strdup_printf ("/%s/cancelled", names[i]);

      if (!g_str_equal (names[i], "csv") && !g_str_equal (names[i], "plots")) /* directories */
        g_test_add_data_func (full, names[i], test_full_device);
      g_test_add_data_func (cancelled, names[i], test_cancelled);
    }
  for (guint i = 0; i < 2; i++)
    {
      static const char *const large[] = { "json", "csv" };
      g_autofree char *memory = g_strconcat ("/", large[i], "/memory", NULL);
      g_autofree char *middle = g_strconcat ("/", large[i], "/full-in-the-middle", NULL);

      g_test_add (memory, Large, large[i], set_up_large, test_memory, tear_down_large);
      g_test_add (middle, Large, large[i], set_up_large, test_full_in_the_middle, tear_down_large);
    }
  g_test_add ("/json/closed-pipe", Large, "json", set_up_large, test_closed_pipe, tear_down_large);
  g_test_add_func ("/exporter/guards", test_guards);
  g_test_add_func ("/exporter/guards-silent", test_guards_silent);

  return g_test_run ();
}
