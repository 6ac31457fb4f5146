/* SPDX-License-Identifier: BSD-3-Clause */

/* The page for browsers: whatever is in a run, it is small, the same each time, and nothing in it runs or is fetched.
 */

#include <json-glib/json-glib.h>
#include <roast/roast.h>
#include <string.h>

#include "rows.h"

#define MOST_BYTES 1000000
#define LIBRARY "dygraphs, https://dygraphs.com/, is part of"

#define SCHEMA                                                                                                         \
  "[metric hostile_total]\nLabel=</th><script>alert(1)</script>\nGroup=\"><img src=x "                                 \
  "onerror=alert(2)>\nFormat=count\n"                                                                                  \
  "Description=</p><style>*{display:none}</style>\n"                                                                   \
  "[table things]\nKind=log\nOrigin=derived\nDescription=</caption><script>alert(3)</script>\n"                        \
  "[columns things]\nname=string: \"><script>alert(4)</script>\nbusy=double s: time\nsize=int64 B: a size\n"

#define HOSTILE                                                                                                        \
  "</script></title></style><!--<script>alert(5)</script>\" onmouseover=\"alert(6)' \342\200\256gnp.exe "              \
  "\342\201\246 \033[31m \177 \302\205 \377\376 ]]>"

static const char *const thing_columns[] = { "name", "busy", "size", NULL };

enum
{
  NAME,
  BUSY,
  SIZE,
};

static void
load (RoastSchema *schema, const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (GError) error = NULL;

  roast_schema_load_data (schema, bytes, "test", &error);
  g_assert_no_error (error);
}

static RoastSchema *
make_schema (void)
{
  RoastSchema *schema = roast_schema_new ();

  load (schema, SCHEMA);

  return schema;
}

static RoastRecording *
make_recording (RoastSchema *schema, const char *name)
{
  const char *const command[] = { "run", name, NULL };
  RoastRecording *recording = roast_recording_new (schema);

  g_free (roast_recording_add_source (recording, "ours", NULL, NULL, NULL));
  roast_recording_set_metadata (recording, "command", g_variant_new_strv (command, -1));
  roast_recording_set_metadata (recording, "host", g_variant_new_string (name));
  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (G_GINT64_CONSTANT (1700000000000000)));
  roast_recording_set_metadata (recording, "tags", g_variant_new_parsed ("{%s: %s}", name, name));

  return recording;
}

static char *
export_page (RoastRecording *recording, RoastReport *report, const char *options)
{
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastExporter) exporter =
      roast_registry_create_exporter (registry, "html", options != NULL ? g_variant_new_parsed (options) : NULL,
                                      &error);
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autoptr (RoastOutput) output = roast_output_new_for_memory ();
  g_autoptr (GBytes) bytes = NULL;

  g_assert_no_error (error);
  g_assert_true (roast_exporter_export_report (exporter, snapshot, report, output, NULL, &error));
  g_assert_no_error (error);
  bytes = roast_output_dup_bytes (output, "report.html");
  g_assert_nonnull (bytes);
  g_assert_cmpuint (g_bytes_get_size (bytes), <, MOST_BYTES);
  g_assert_true (g_utf8_validate (g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes), NULL));

  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

static guint
count (const char *text, const char *part)
{
  guint n = 0;

  for (const char *c = strstr (text, part); c != NULL; c = strstr (c + strlen (part), part))
    n++;

  return n;
}

/* ---- names ---- */

static RoastReport *
make_report (RoastSchema *schema, const char *name, guint n_rows)
{
  RoastReport *report = roast_report_new (schema);
  g_autoptr (RoastTableWriter) writer = roast_report_write_table (report, "things", thing_columns, NULL);
  g_autoptr (RoastFinding) finding = roast_finding_new ("slow-file", ROAST_FINDING_SEVERITY_WARNING, name);

  g_assert_nonnull (writer);
  for (guint i = 0; i < n_rows; i++)
    {
      roast_table_writer_set_string (writer, NAME, name);
      roast_table_writer_set_double (writer, BUSY, (double) (i * 7919 % n_rows) + 0.25);
      roast_table_writer_set_int64 (writer, SIZE, i);
      g_assert_true (roast_table_writer_end (writer, NULL));
    }
  roast_finding_set_advice (finding, name);
  roast_finding_add_text (finding, name, name);
  roast_finding_add_number (finding, name, 2.5, name);
  roast_report_add_finding (report, finding);
  roast_report_add_int64 (report, "hostile_total", 12345, ROAST_COMPLETENESS_PARTIAL, name);
  roast_report_add_string (report, name, name);
  roast_report_add_unavailable (report, "events_total", name);
  roast_report_add_note (report, name);

  return report;
}

/* Elements that only this exporter writes, as many as it wrote. */
static void
assert_harmless (const char *page)
{
  static const char *const marks[] = { "\342\200\256", "\342\201\246", "\033", "\177", "\302\205" };
  static const char *const once[] = { "<!DOCTYPE html>",    "id=\"report\"", "id=\"drawn\"", "– roast</title>",
                                      "<main id=\"main\">", "</main>",       "</html>" };
  const char *script = strstr (page, "<script type=\"application/json\" id=\"report\">{");
  g_autofree char *body = script != NULL ? g_strndup (page, (gsize) (script - page)) : NULL;

  g_assert_nonnull (body);
  for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
    g_assert_null (strstr (page, marks[i]));
  for (guint i = 0; i < G_N_ELEMENTS (once); i++)
    g_assert_cmpuint (count (page, once[i]), ==, 1);
  /* The report, what charts were drawn from, the page's own script, and the library if a chart needs it. */
  g_assert_cmpuint (count (page, "<script"), ==, 3 + count (page, LIBRARY));
  g_assert_cmpuint (count (page, "</script"), ==, count (page, "<script"));
  g_assert_cmpuint (count (page, "<!--"), ==, 0);
  g_assert_null (strstr (page, "<img"));
  g_assert_null (strstr (body, "\" onmouseover"));
  g_assert_nonnull (strstr (page, "default-src 'none'"));
  /* No address from which a browser would fetch anything. */
  g_assert_null (strstr (page, "src=\""));
  g_assert_null (strstr (page, "href=\"http"));
}

static JsonNode *
parse_json (const char *page)
{
  const char *start = strstr (page, "id=\"report\">") + strlen ("id=\"report\">");
  g_autofree char *text = g_strndup (start, (gsize) (strstr (start, "</script>") - start));
  g_autoptr (GError) error = NULL;
  JsonNode *node = json_from_string (text, &error);

  g_assert_no_error (error);

  return node;
}

static void
test_names (void)
{
  g_autoptr (RoastSchema) schema = make_schema ();
  g_autoptr (RoastRecording) recording = make_recording (schema, "plain");
  g_autoptr (RoastReport) report = make_report (schema, HOSTILE, 3);
  g_autofree char *page = export_page (recording, report, NULL);
  g_autoptr (JsonNode) root = parse_json (page);
  JsonObject *object = json_node_get_object (root);
  JsonObject *metric =
      json_object_get_object_member (json_object_get_object_member (object, "metrics"), "hostile_total");
  JsonObject *finding = json_array_get_object_element (json_object_get_array_member (object, "findings"), 0);

  assert_harmless (page);
  g_assert_nonnull (strstr (page, "&lt;/th&gt;&lt;script&gt;alert(1)&lt;/script&gt;"));
  g_assert_nonnull (strstr (page, "\\u202egnp.exe"));
  g_assert_nonnull (strstr (page, "\\x1b[31m"));
  g_assert_nonnull (strstr (page, "\357\277\275"));
  /* In the JSON it is as it was. */
  g_assert_cmpint (json_object_get_int_member (metric, "value"), ==, 12345);
  g_assert_nonnull (strstr (json_object_get_string_member (finding, "text"), "</script></title></style><!--<script>"));
  g_assert_nonnull (strstr (json_object_get_string_member (finding, "text"), "\342\200\256gnp.exe"));
}

static void
test_command (void)
{
  g_autoptr (RoastSchema) schema = make_schema ();
  g_autoptr (RoastRecording) recording = make_recording (schema, "</title><script>\342\200\256");
  g_autoptr (RoastReport) report = make_report (schema, "plain", 3);
  g_autofree char *page = export_page (recording, report, NULL);

  assert_harmless (page);
  g_assert_nonnull (strstr (page, "<h1>run &lt;/title&gt;&lt;script&gt;\\u202e</h1>"));
}

static void
test_long_names (void)
{
  g_autofree char *name = g_strnfill (10000, 'x');
  g_autofree char *longest = g_strnfill (1300, 'x');
  g_autoptr (RoastSchema) schema = make_schema ();
  g_autoptr (RoastRecording) recording = make_recording (schema, name);
  g_autoptr (RoastReport) report = make_report (schema, name, 200);
  g_autofree char *page = export_page (recording, report, NULL);
  char *json = strstr (page, "<script type=\"application/json\"");

  assert_harmless (page);
  *json = '\0';
  g_assert_null (strstr (page, longest));
  g_assert_nonnull (strstr (page, "xx…xx"));
}

/* ---- what is shown ---- */

static void
test_values (void)
{
  g_autoptr (RoastSchema) schema = make_schema ();
  g_autoptr (RoastRecording) recording = make_recording (schema, "plain");
  g_autoptr (RoastReport) report = make_report (schema, "because it rained", 3);
  g_autofree char *page = export_page (recording, report, NULL);
  const char *row = strstr (page, "data-metric=\"hostile_total\"");

  g_assert_nonnull (row);
  g_assert_nonnull (strstr (row, "<td class=\"n\" data-v=\"12345\">≥ 12\342\200\257345</td><td>at least</td>"
                                 "<td class=\"remark\">because it rained</td>"));
  g_assert_nonnull (strstr (page, "<dt>because it rained</dt><dd><span id=\"metric-events_total\""));
  g_assert_nonnull (strstr (page, "<span class=\"text\">because it rained</span>"));
  g_assert_nonnull (strstr (page, "<p class=\"advice\">because it rained</p>"));
  g_assert_nonnull (strstr (page, "<td class=\"n\" data-v=\"0.25\">250 ms</td><td class=\"n\" data-v=\"0\">0 B</td>"));
}

/* The largest of a table come first, and a line has the number of the others. */
static void
test_rows (void)
{
  g_autoptr (RoastSchema) schema = make_schema ();
  g_autoptr (RoastRecording) recording = make_recording (schema, "plain");
  g_autoptr (RoastReport) report = make_report (schema, "a thing", 1000);
  g_autofree char *page = export_page (recording, report, "{'rows': <int64 3>}");
  const char *table = strstr (page, "id=\"table-things\"");
  const char *first = NULL;
  const char *second = NULL;
  const char *third = NULL;

  g_assert_nonnull (table);
  first = strstr (table, "data-v=\"999.25\"");
  second = strstr (table, "data-v=\"998.25\"");
  third = strstr (table, "data-v=\"997.25\"");
  g_assert_true (first != NULL && second != NULL && third != NULL && first < second && second < third);
  g_assert_null (strstr (table, "data-v=\"996.25\""));
  g_assert_nonnull (strstr (table,
                            "The 3 rows with the largest “busy”, of 1\342\200\257000 rows; <code>-e csv:DIR</code>"));
}

/* The same if the size of the page leaves rows out. */
static void
test_rows_of_size (void)
{
  g_autoptr (RoastSchema) schema = make_schema ();
  g_autoptr (RoastRecording) recording = make_recording (schema, "plain");
  g_autofree char *name = g_strnfill (120, 'x');
  g_autoptr (RoastReport) report = make_report (schema, name, 1000);
  g_autofree char *page = export_page (recording, report, "{'rows': <int64 0>}");
  const char *table = strstr (page, "id=\"table-things\"");

  g_assert_nonnull (table);
  g_assert_nonnull (strstr (table, "data-v=\"999.25\""));
  g_assert_nonnull (strstr (table, "rows with the largest “busy”, of 1\342\200\257000 rows"));
}

/* ---- size ---- */

static RoastRecording *
make_large_recording (RoastSchema *schema)
{
  static const char *const task_columns[] = { "source", "task", "category", "worker", "started",
                                              "ended",  "cpu",  "attempt",  NULL };
  static const char *const worker_columns[] = { "source", "worker", "host", "memory_peak", NULL };
  RoastRecording *recording = make_recording (schema, "a large run");
  g_autofree char *source = roast_recording_add_source (recording, "ours", NULL, NULL, NULL);
  g_autoptr (RoastTableWriter) workers =
      roast_recording_write_table (recording, "workers", source, worker_columns, NULL);
  g_autoptr (RoastTableWriter) tasks = roast_recording_write_table (recording, "tasks", source, task_columns, NULL);

  for (guint i = 0; i < 10000; i++)
    {
      g_autofree char *name = g_strdup_printf ("tcp://node%04u.example.org:%u", i / 8, 40000 + i);

      roast_table_writer_set_string (workers, 0, source);
      roast_table_writer_set_string (workers, 1, name);
      roast_table_writer_set_string (workers, 2, "node.example.org");
      roast_table_writer_set_int64 (workers, 3, 1000000 + i);
      g_assert_true (roast_table_writer_end (workers, NULL));
    }
  for (guint i = 0; i < 100000; i++)
    {
      g_autofree char *name = g_strdup_printf ("process-chunk-0123456789abcdef-%u", i);
      g_autofree char *worker = g_strdup_printf ("tcp://node%04u.example.org:%u", i % 10000 / 8, 40000 + i % 10000);

      roast_table_writer_set_string (tasks, 0, source);
      roast_table_writer_set_string (tasks, 1, name);
      roast_table_writer_set_string (tasks, 2, "process");
      roast_table_writer_set_string (tasks, 3, worker);
      roast_table_writer_set_int64 (tasks, 4, G_GINT64_CONSTANT (1700000000000000) + i);
      roast_table_writer_set_int64 (tasks, 5, G_GINT64_CONSTANT (1700000000000000) + 1000 * i);
      roast_table_writer_set_double (tasks, 6, i % 977);
      roast_table_writer_set_int64 (tasks, 7, 1);
      g_assert_true (roast_table_writer_end (tasks, NULL));
    }

  return recording;
}

/* A plugin's own metrics, findings and notes, more than would fit. */
static void
add_much (RoastReport *report)
{
  g_autofree char *text = g_strnfill (3000, '<');

  for (guint i = 0; i < 3000; i++)
    {
      g_autofree char *name = g_strdup_printf ("plugins_number_%u_total", i);
      g_autofree char *missing = g_strdup_printf ("plugins_missing_%u_total", i);
      g_autofree char *reason = g_strdup_printf ("%u %s", i, text);
      g_autoptr (RoastFinding) finding = roast_finding_new (name, ROAST_FINDING_SEVERITY_ERROR, text);

      roast_finding_set_advice (finding, text);
      roast_report_add_int64 (report, name, i, ROAST_COMPLETENESS_ESTIMATED, text);
      roast_report_add_unavailable (report, missing, reason);
      roast_report_add_finding (report, finding);
      roast_report_add_note (report, reason);
    }
}

static void
test_large_run (void)
{
  g_autoptr (RoastSchema) schema = make_schema ();
  g_autoptr (RoastRecording) recording = make_large_recording (schema);
  g_autoptr (RoastReport) report = rows_aggregate (recording, "workers tasks task-activity findings");
  g_autofree char *page = export_page (recording, report, NULL);
  g_autofree char *all = export_page (recording, report, "{'rows': <int64 0>}");
  g_autofree char *again = export_page (recording, report, NULL);

  g_assert_cmpstr (page, ==, again);
  g_assert_nonnull (strstr (page, "of 100\342\200\257000 rows; <code>-e csv:DIR</code>"));
  g_assert_nonnull (strstr (page, "<figure id=\"chart-task_stream\""));
  g_assert_null (strstr (page, "this chart did not fit"));
  g_assert_cmpuint (strlen (page), <, 500000);
  g_assert_cmpuint (strlen (all), >, strlen (page));
  g_assert_true (g_str_has_suffix (all, "</html>\n"));
}

static void
test_large_report (void)
{
  g_autoptr (RoastSchema) schema = make_schema ();
  g_autoptr (RoastRecording) recording = make_large_recording (schema);
  g_autoptr (RoastReport) report = make_report (schema, HOSTILE, 20000);
  g_autofree char *page = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonArray *left_out = NULL;

  add_much (report);
  page = export_page (recording, report, "{'rows': <int64 0>}");
  assert_harmless (page);
  g_assert_true (g_str_has_suffix (page, "</html>\n"));
  g_assert_nonnull (strstr (page, "did not fit into this page: <code>-e json:FILE</code> has all"));
  g_assert_cmpuint (count (page, "<section"), ==, count (page, "</section>"));
  g_assert_cmpuint (count (page, "<table"), ==, count (page, "</table>"));
  g_assert_cmpuint (count (page, "<tr"), ==, count (page, "</tr>"));
  root = parse_json (page);
  left_out = json_object_get_array_member (json_node_get_object (root), "left_out");
  g_assert_cmpuint (json_array_get_length (left_out), ==, 3);
  g_assert_cmpstr (json_array_get_string_element (left_out, 0), ==, "findings");
  g_assert_true (json_object_has_member (json_node_get_object (root), "run"));
}

/* More charts, and of more points, than any page has room for. */
static void
add_charts (RoastSchema *schema)
{
  load (schema, "[table curves]\nOrigin=derived\nDescription=d\n"
                "[columns curves]\ntime=int64 us: t\ncurve=category: c\nvalue=double: v\n");
  for (guint i = 0; i < 40; i++)
    {
      g_autofree char *text = g_strdup_printf ("[chart curves_%u]\nTitle=Curves %u\nDescription=d\nTable=curves\n"
                                               "Kind=line\nX=time\nY=value\nGroup=curve\nTop=%u\nHeading=CPU\n",
                                               i, i, 1 + i % 8);

      load (schema, text);
    }
}

static void
add_curves (RoastReport *report)
{
  static const char *const columns[] = { "time", "curve", "value", NULL };
  g_autoptr (RoastTableWriter) writer = roast_report_write_table (report, "curves", columns, NULL);

  for (guint i = 0; i < 40000; i++)
    {
      g_autofree char *curve = g_strdup_printf ("%u%s", i % 8, HOSTILE);

      roast_table_writer_set_int64 (writer, 0, G_GINT64_CONSTANT (1700000000000000) + i * 977);
      roast_table_writer_set_string (writer, 1, curve);
      roast_table_writer_set_double (writer, 2, g_test_rand_double ());
      g_assert_true (roast_table_writer_end (writer, NULL));
    }
}

static void
test_many_charts (void)
{
  g_autoptr (RoastSchema) schema = make_schema ();
  g_autoptr (RoastRecording) recording = make_large_recording (schema);
  g_autoptr (RoastReport) report = NULL;
  g_autofree char *page = NULL;

  add_charts (schema);
  report = make_report (schema, HOSTILE, 20000);
  add_much (report);
  add_curves (report);
  page = export_page (recording, report, "{'rows': <int64 0>}");
  assert_harmless (page);
  g_test_message ("%zu bytes", strlen (page));
  g_assert_cmpuint (strlen (page), >, MOST_BYTES / 2);
  g_assert_nonnull (strstr (page, "<figure id=\"chart-curves_0\""));
  g_assert_nonnull (strstr (page, ": this chart did not fit into the page</p>"));
  /* Without the library, one cannot zoom into lines at all. */
  if (strstr (page, LIBRARY) != NULL)
    g_assert_nonnull (strstr (page, "too many points to zoom"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/html/names", test_names);
  g_test_add_func ("/html/command", test_command);
  g_test_add_func ("/html/long-names", test_long_names);
  g_test_add_func ("/html/values", test_values);
  g_test_add_func ("/html/rows", test_rows);
  g_test_add_func ("/html/rows-of-size", test_rows_of_size);
  g_test_add_func ("/html/large-run", test_large_run);
  g_test_add_func ("/html/large-report", test_large_report);
  g_test_add_func ("/html/many-charts", test_many_charts);

  return g_test_run ();
}
