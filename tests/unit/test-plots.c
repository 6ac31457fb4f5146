/* SPDX-License-Identifier: BSD-3-Clause */

/* The exporter plots: which figures it writes, the factor to reach 200 Gbps, text around pictures, and its options.
 * PNG and PDF beside other renderers: tests/integration/test-plots.py. */

#include <roast/roast.h>
#include <string.h>

#include "cairo-png-size.h"
#include "plots-figures.h"
#include "plots-picture.h"

#define START G_GINT64_CONSTANT (1700000000000000) /* µs */
#define SECOND G_USEC_PER_SEC

/* ---- the factor ---- */

static void
add_interval (RoastTableWriter *table, gint64 started, gint64 length, double rate)
{
  roast_table_writer_set_int64 (table, 0, started);
  roast_table_writer_set_int64 (table, 1, started + length);
  roast_table_writer_set_double (table, 2, rate);
  g_assert_true (roast_table_writer_end (table, NULL));
}

/* Two sources, which are added up, and of which the highest alone is not the best. */
static void
add_over_time (RoastReport *report)
{
  static const char *const columns[] = { "started", "ended", "data_rate", NULL };
  g_autoptr (RoastTableWriter) table = roast_report_write_table (report, "over_time", columns, NULL);

  g_assert_nonnull (table);
  add_interval (table, START, 4 * SECOND, 300e6);
  add_interval (table, START + 4 * SECOND, 4 * SECOND, 250e6);
  add_interval (table, START, 4 * SECOND, 0);
  add_interval (table, START + 4 * SECOND, 4 * SECOND, 250e6);
}

static void
assert_lines (RoastReport *report, const char *expected)
{
  g_auto (GStrv) lines = plots_rate_dup_lines (report);
  g_autofree char *text = g_strjoinv ("\n", lines);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_rate (void)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (RoastReport) report = roast_report_new (schema);

  roast_report_add_double (report, "data_rate_bits_per_second", 2e9, ROAST_COMPLETENESS_COMPLETE, NULL);
  assert_lines (report, "Whole run: 2.00 Gbps, ×100 to reach 200 Gbps");
  add_over_time (report);
  assert_lines (report, "Whole run: 2.00 Gbps, ×100 to reach 200 Gbps\n"
                        "Best 4.00 s: about 4.00 Gbps, about ×50.0 to reach 200 Gbps");
  roast_report_add_double (report, "data_rate_processing_bits_per_second", 2.5e9, ROAST_COMPLETENESS_COMPLETE, NULL);
  assert_lines (report, "While processing: 2.50 Gbps, ×80.0 to reach 200 Gbps\n"
                        "Whole run: 2.00 Gbps, ×100 to reach 200 Gbps\n"
                        "Best 4.00 s: about 4.00 Gbps, about ×50.0 to reach 200 Gbps");
}

/* A rate that may be higher has a factor that may be lower. */
static void
test_rate_completeness (void)
{
  static const struct
  {
    double rate;
    RoastCompleteness completeness;
    const char *expected;
  } cases[] = {
    { 2e9, ROAST_COMPLETENESS_PARTIAL, "Whole run: at least 2.00 Gbps, at most ×100 to reach 200 Gbps" },
    { 2e9, ROAST_COMPLETENESS_ESTIMATED, "Whole run: about 2.00 Gbps, about ×100 to reach 200 Gbps" },
    { 200e9, ROAST_COMPLETENESS_COMPLETE, "Whole run: 200 Gbps, 200 Gbps are reached" },
    { 3e11, ROAST_COMPLETENESS_PARTIAL, "Whole run: at least 300 Gbps, 200 Gbps are reached" },
    { 0, ROAST_COMPLETENESS_COMPLETE, "Whole run: 0 bps; no factor reaches 200 Gbps" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (RoastSchema) schema = roast_schema_new ();
      g_autoptr (RoastReport) report = roast_report_new (schema);

      roast_report_add_double (report, "data_rate_bits_per_second", cases[i].rate, cases[i].completeness, "a note");
      assert_lines (report, cases[i].expected);
    }
}

static void
test_rate_unavailable (void)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (RoastReport) report = roast_report_new (schema);

  assert_lines (report, "The factor to reach 200 Gbps is not available: the report has no data rate");
  roast_report_add_unavailable (report, "data_rate_bits_per_second", "nothing was read");
  assert_lines (report, "The factor to reach 200 Gbps is not available: nothing was read");
}

/* ---- pictures ---- */

typedef struct
{
  GString *text;
  double width, height;
  guint n_marks;
} Seen;

static void
see (const RoastSceneMark *mark, gpointer user_data)
{
  Seen *seen = user_data;

  seen->n_marks++;
  if (mark->kind != ROAST_SCENE_MARK_KIND_TEXT)
    return;
  g_string_append_printf (seen->text, "%s\n", mark->text);
  if (mark->anchor == ROAST_SCENE_ANCHOR_START)
    g_assert_cmpfloat (mark->xy[0] + roast_scene_measure_text (mark->text, mark->size), <=, seen->width);
  g_assert_cmpfloat (mark->xy[1], <=, seen->height);
}

static Seen
look_at (RoastScene *scene)
{
  Seen seen = { .text = g_string_new (NULL) };

  roast_scene_get_size (scene, &seen.width, &seen.height);
  roast_scene_visit (scene, see, &seen);

  return seen;
}

static void
test_lines_below (void)
{
  const char *const lines[] = { "a short line",
                                "a line that is so long that it is wrapped at the width of this picture", NULL };
  g_autoptr (RoastScene) picture = roast_scene_new (200, 100);
  g_autoptr (RoastScene) higher = NULL;
  const double xy[] = { 1, 2, 3, 4 };
  Seen seen;

  roast_scene_set_title (picture, "title");
  roast_scene_add_polyline (picture, ROAST_SCENE_ROLE_SERIES, 3, xy, 4, 1, ROAST_SCENE_DASH_DASHED);
  roast_scene_add_polygon (picture, ROAST_SCENE_ROLE_BAND, 0, xy, 4);
  roast_scene_add_circles (picture, ROAST_SCENE_ROLE_SERIES, 1, xy, 4, 2);
  roast_scene_add_text (picture, ROAST_SCENE_ROLE_LABEL, 10, 20, "label", ROAST_SCENE_ANCHOR_START, 12, 0);
  higher = plots_picture_add_lines (picture, lines);
  seen = look_at (higher);
  g_assert_cmpfloat (seen.width, ==, 200);
  g_assert_cmpfloat (seen.height, ==, 100 + plots_picture_measure_lines (lines, 200));
  g_assert_cmpstr (seen.text->str, ==,
                   "label\na short line\na line that is so long that it is\nwrapped at the width of this\npicture\n");
  /* A background, four marks, four lines. */
  g_assert_cmpuint (seen.n_marks, ==, 9);
  g_assert_cmpstr (roast_scene_get_title (higher), ==, "title");
  g_string_free (seen.text, TRUE);
}

/* ---- PNG ---- */

/* The bytes of this chunk are those that other programs write for 300 dpi. */
static void
test_png_size (void)
{
  static const char before[] = "\211PNG\r\n\032\n\0\0\0\rIHDR0123456789abcCRC_";
  static const char after[] = "\0\0\0\1IDATxCRC_\0\0\0\0IENDCRC_";
  static const char size[] = "\0\0\0\tpHYs\0\0.#\0\0.#\1x\245?v";
  g_autoptr (GByteArray) png = g_byte_array_new ();
  g_autoptr (GByteArray) expected = g_byte_array_new ();

  g_byte_array_append (png, (const guint8 *) before, sizeof before - 1);
  g_byte_array_append (png, (const guint8 *) after, sizeof after - 1);
  g_byte_array_append (expected, (const guint8 *) before, sizeof before - 1);
  g_byte_array_append (expected, (const guint8 *) size, sizeof size - 1);
  g_byte_array_append (expected, (const guint8 *) after, sizeof after - 1);
  png_size_add (png, 300);
  g_assert_cmpmem (png->data, png->len, expected->data, expected->len);
}

/* ---- the exporter ---- */

static const char tables[] =
    "[table samples]\nDescription=d\n[columns samples]\ntime=int64 us: t\nload=double: l\n"
    "[chart load]\nTitle=Load\nDescription=How much there was to do\nTable=samples\nKind=line\nX=time\nY=load\n"
    "[chart fine]\nTitle=Fine\nDescription=d\nTable=samples\nKind=line\nX=time\nY=load\nShow=detail\n"
    "[chart file_time_by_events]\nTitle=Time\nDescription=d\nTable=samples\nKind=scatter\nX=time\nY=load\nShow=detail\n"
    "[chart many]\nTitle=Many\nDescription=d\nTable=samples\nKind=line\nX=time\nY=load\nNeeds=100\n";

static const char *const sample_columns[] = { "time", "load", NULL };

typedef struct
{
  RoastRecordingSnapshot *recording;
  RoastReport *report;
} Run;

static void
set_up (Run *run, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (GBytes) text = g_bytes_new_static (tables, strlen (tables));
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastTableWriter) samples = NULL;
  g_autoptr (GError) error = NULL;
  const char *const command[] = { "run", "\033[31m\342\200\256file\n", NULL };

  roast_schema_load_data (schema, text, "test", &error);
  g_assert_no_error (error);
  recording = roast_recording_new (schema);
  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (START));
  roast_recording_set_metadata (recording, "command", g_variant_new_strv (command, -1));
  samples = roast_recording_write_table (recording, "samples", "test", sample_columns, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 20; i++)
    {
      roast_table_writer_set_int64 (samples, 0, START + i * SECOND);
      roast_table_writer_set_double (samples, 1, i % 7);
      g_assert_true (roast_table_writer_end (samples, NULL));
    }
  run->recording = roast_recording_snapshot (recording);
  run->report = roast_report_new (schema);
}

static void
tear_down (Run *run, G_GNUC_UNUSED gconstpointer data)
{
  g_object_unref (run->recording);
  g_object_unref (run->report);
}

static RoastExporter *
create (const char *options, GError **error)
{
  g_autoptr (RoastRegistry) registry = roast_registry_new ();

  return roast_registry_create_exporter (registry, "plots", options != NULL ? g_variant_new_parsed (options) : NULL,
                                         error);
}

static RoastOutput *export (const Run *run, const char *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastExporter) exporter = create (options, &error);
  RoastOutput *output = roast_output_new_for_memory ();

  g_assert_no_error (error);
  roast_exporter_export_report (exporter, run->recording, run->report, output, NULL, &error);
  g_assert_no_error (error);

  return output;
}

static char *
dup_text (RoastOutput *output, const char *name)
{
  g_autoptr (GBytes) bytes = roast_output_dup_bytes (output, name);

  g_assert_nonnull (bytes);

  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

static void
assert_names (RoastOutput *output, const char *expected)
{
  g_auto (GStrv) names = roast_output_dup_names (output);
  g_autofree char *text = g_strjoinv (" ", names);

  g_assert_cmpstr (text, ==, expected);
}

static void
assert_drawn (const Run *run, RoastOutput *output, const char *chart, RoastTheme theme, double width, double height)
{
  RoastChartInfo *info = roast_schema_get_chart (roast_report_get_schema (run->report), chart);
  g_autoptr (RoastScene) scene = roast_chart_draw (info, run->recording, run->report, width, height, NULL);
  g_autofree char *expected = roast_scene_to_svg (scene, theme, ROAST_SVG_FLAGS_NONE);
  g_autofree char *name = g_strconcat (chart, ".svg", NULL);
  g_autofree char *svg = dup_text (output, name);

  g_assert_cmpstr (svg, ==, expected);
}

static void
test_default (Run *run, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (RoastOutput) output = export (run, NULL);
  g_autofree char *index = dup_text (output, "index.txt");

  assert_names (output, "load.svg index.txt");
  assert_drawn (run, output, "load", ROAST_THEME_LIGHT, 336, 252);
  g_assert_true (g_str_has_prefix (index, "Run: run \357\277\275[31m\357\277\275file "));
  g_assert_nonnull (strstr (index, "\nStarted: 2023-11-14 22:13:20 UTC\n"));
  g_assert_nonnull (strstr (index, "\nload.svg\n  Load\n  How much there was to do\n"));
  g_assert_nonnull (strstr (index, "\n  many: the data are too few for a useful chart\n"));
  g_assert_nonnull (strstr (index, "\n  data_rate: "));
  g_assert_nonnull (strstr (index, "\nDetail charts, drawn with charts=NAME;NAME or charts=all:\n  "));
  g_assert_nonnull (strstr (index, ";fine"));
}

static void
test_page (Run *run, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (RoastOutput) output = export (run, "{'width': <'page'>, 'theme': <'dark'>}");

  assert_drawn (run, output, "load", ROAST_THEME_DARK, 691.2, 345.6);
}

/* In the order of the schema, each once; those that are not available say why. */
static void
test_charts (Run *run, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (RoastOutput) output = export (run, "{'charts': <' many; fine;fine;memory;'>}");
  g_autofree char *index = dup_text (output, "index.txt");
  g_autofree char *memory = dup_text (output, "memory.svg");

  assert_names (output, "memory.svg fine.svg many.svg index.txt");
  assert_drawn (run, output, "many", ROAST_THEME_LIGHT, 336, 252);
  g_assert_nonnull (strstr (memory, ">Not available: no row of the table"));
  g_assert_nonnull (strstr (index, "\n  Not available: no row of the table “cluster_samples”"));
  g_assert_null (strstr (index, "Not drawn"));
  g_assert_null (strstr (index, "Details"));
}

static void
test_all (Run *run, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (RoastOutput) output = export (run, "{'charts': <'all'>}");

  assert_names (output, "load.svg fine.svg file_time_by_events.svg many.svg index.txt");
}

static void
test_200gbps (Run *run, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (RoastOutput) output = NULL;
  g_autofree char *index = NULL;
  g_autofree char *svg = NULL;

  roast_report_add_double (run->report, "data_rate_bits_per_second", 2e9, ROAST_COMPLETENESS_COMPLETE, NULL);
  add_over_time (run->report);
  output = export (run, "{'figures': <'200gbps'>}");
  index = dup_text (output, "index.txt");
  svg = dup_text (output, "data_rate.svg");
  assert_names (output, "data_rate.svg event_rate.svg chunk_times.svg file_time_by_events.svg index.txt");
  g_assert_nonnull (strstr (index, "\n  Whole run: 2.00 Gbps, ×100 to reach 200 Gbps\n"));
  g_assert_nonnull (strstr (svg, ">Whole run: 2.00 Gbps, ×100 to reach 200 Gbps</text>"));
  g_assert_nonnull (strstr (svg, "width=\"336\" height=\"252\""));
  g_assert_null (strstr (svg, "Not available"));
}

/* ---- what is wrong ---- */

static void
test_options (void)
{
  static const struct
  {
    const char *options;
    const char *message;
  } cases[] = {
    { "{'format': <'gif'>}", "option format: the value must be one of svg, png, pdf, not 'gif'" },
    { "{'charts': <' ; '>}", "option charts takes names of charts" },
    { "{'charts': <''>}", "option charts: the value must be a text that is not empty" },
    { "{'charts': <'load'>, 'figures': <'200gbps'>}", "the options charts and figures exclude each other" },
    { "{'dpi': <int64 300>}", "option dpi is for format=png" },
    { "{'dpi': <int64 300>, 'format': <'pdf'>}", "option dpi is for format=png" },
    { "{'dpi': <int64 1201>, 'format': <'png'>}", "option dpi takes a number from 36 to 1200, not 1201" },
    { "{'dpi': <int64 -1>, 'format': <'png'>}", "option dpi takes a number from 36 to 1200, not -1" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (RoastExporter) exporter = create (cases[i].options, &error);

      g_test_message ("%s", cases[i].options);
      g_assert_null (exporter);
      g_assert_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE);
      g_assert_nonnull (strstr (error->message, cases[i].message));
    }
}

static void
test_unknown_chart (Run *run, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (RoastExporter) exporter = create ("{'charts': <'load;loud'>}", NULL);
  g_autoptr (RoastOutput) output = roast_output_new_for_memory ();
  g_autoptr (GError) error = NULL;

  g_assert_false (roast_exporter_export_report (exporter, run->recording, run->report, output, NULL, &error));
  g_assert_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE);
  g_assert_nonnull (strstr (error->message, "there is no chart “loud”; “roast-inspect --charts” lists the charts"));
  assert_names (output, "");
}

static void
test_wants_directory (Run *run, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (RoastExporter) exporter = create (NULL, NULL);
  g_autoptr (RoastOutput) output = roast_output_new_for_file ("/dev/null");
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (roast_exporter_get_flags (exporter), ==, ROAST_EXPORTER_FLAGS_DIRECTORY);
  g_assert_false (roast_exporter_export_report (exporter, run->recording, run->report, output, NULL, &error));
  g_assert_error (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT);
  g_assert_nonnull (strstr (error->message, "give a directory instead of /dev/null"));
}

/* A run of which nothing was measured. */
static void
test_nothing (void)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (RoastRecording) recording = roast_recording_new (schema);
  Run run = { roast_recording_snapshot (recording), roast_report_new (schema) };
  g_autoptr (RoastOutput) output = export (&run, NULL);
  g_autofree char *index = dup_text (output, "index.txt");

  assert_names (output, "index.txt");
  g_assert_true (g_str_has_prefix (index, "Figures: 0 of "));
  g_assert_nonnull (strstr (index, "\nNot drawn:\n  data_rate: "));
  tear_down (&run, NULL);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/plots/rate", test_rate);
  g_test_add_func ("/plots/rate/completeness", test_rate_completeness);
  g_test_add_func ("/plots/rate/unavailable", test_rate_unavailable);
  g_test_add_func ("/plots/lines-below", test_lines_below);
  g_test_add_func ("/plots/png-size", test_png_size);
  g_test_add ("/plots/default", Run, NULL, set_up, test_default, tear_down);
  g_test_add ("/plots/page", Run, NULL, set_up, test_page, tear_down);
  g_test_add ("/plots/charts", Run, NULL, set_up, test_charts, tear_down);
  g_test_add ("/plots/all", Run, NULL, set_up, test_all, tear_down);
  g_test_add ("/plots/200gbps", Run, NULL, set_up, test_200gbps, tear_down);
  g_test_add_func ("/plots/options", test_options);
  g_test_add ("/plots/unknown-chart", Run, NULL, set_up, test_unknown_chart, tear_down);
  g_test_add ("/plots/wants-directory", Run, NULL, set_up, test_wants_directory, tear_down);
  g_test_add_func ("/plots/nothing", test_nothing);

  return g_test_run ();
}
