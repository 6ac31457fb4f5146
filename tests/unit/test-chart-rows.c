/* SPDX-License-Identifier: BSD-3-Clause */

/* What charts read of many rows: the ones that they draw, and the median. */

#include <roast/roast.h>
#include <string.h>

#include "chart/roast-chart-rows-private.h"
#include "sanitized.h"

#define N_WORKERS ROUNDS (200)
#define N_ROWS ROUNDS (30000)

static const char tables[] =
    "[table samples]\nDescription=d\n[columns samples]\ntime=int64 us: t\nworker=category: w\nhost=string: h\n"
    "memory=double B: m\ntasks=int64: t\nkind=category: k\n"
    "[chart by_worker]\nTitle=t\nDescription=d\nTable=samples\nKind=line\nX=time\nY=memory\nPer=tasks\nGroup=worker\n"
    "Where=kind=a|b\n"
    "[chart by_host]\nTitle=t\nDescription=d\nTable=samples\nKind=line\nX=time\nY=memory\nGroup=host\n"
    "[chart histogram]\nTitle=t\nDescription=d\nTable=samples\nKind=histogram\nX=memory\n"
    "[chart lanes]\nTitle=t\nDescription=d\nTable=jobs\nKind=lanes\nX=started\nEnd=ended\nLane=worker\nGroup=kind\n"
    "[table jobs]\nDescription=d\n[columns jobs]\nstarted=int64 us: s\nended=int64 us: e\nworker=category: w\n"
    "kind=category: k\n";

static const char *const columns[] = { "time", "worker", "host", "memory", "tasks", "kind", NULL };
static const char *const job_columns[] = { "started", "ended", "worker", "kind", NULL };

enum
{
  TIME,
  WORKER,
  HOST,
  MEMORY,
  TASKS,
  KIND,
};

static RoastRecording *
new_recording (void)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (GBytes) text = g_bytes_new_static (tables, strlen (tables));
  g_autoptr (GError) error = NULL;
  RoastRecording *recording = NULL;

  roast_schema_load_data (schema, text, "test", &error);
  g_assert_no_error (error);
  recording = roast_recording_new (schema);
  roast_recording_set_times (recording, 0, G_GINT64_CONSTANT (3600) * G_USEC_PER_SEC);

  return recording;
}

static RoastChartRows *
open_chart (RoastRecordingSnapshot *snapshot, const char *name)
{
  g_autoptr (GError) error = NULL;
  RoastChartInfo *chart = roast_schema_get_chart (roast_recording_snapshot_get_schema (snapshot), name);
  RoastChartRows *rows = roast_chart_rows_new (chart, snapshot, NULL, &error);

  g_assert_no_error (error);

  return rows;
}

/* ---- the median ---- */

static int
compare (gconstpointer first, gconstpointer second)
{
  double a = *(const double *) first;
  double b = *(const double *) second;

  return (a > b) - (a < b);
}

/* What the median of some numbers is, beside what sorting finds. */
static void
check_median (GArray *numbers)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableWriter) writer = roast_recording_write_table (recording, "samples", "test", columns, NULL);
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  RoastChartRows *rows = NULL;
  double expected = 0;
  double median = 0;

  for (guint i = 0; i < numbers->len; i++)
    {
      if (i % 5 == 0) /* a row without a number */
        g_assert_true (roast_table_writer_end (writer, NULL));
      roast_table_writer_set_double (writer, MEMORY, g_array_index (numbers, double, i));
      g_assert_true (roast_table_writer_end (writer, NULL));
    }
  g_array_sort (numbers, compare);
  expected =
      (g_array_index (numbers, double, (numbers->len - 1) / 2) + g_array_index (numbers, double, numbers->len / 2)) / 2;
  snapshot = roast_recording_snapshot (recording);
  rows = open_chart (snapshot, "histogram");
  median = roast_chart_rows_find_median (rows, ROAST_CHART_CELL_X);
  roast_chart_rows_free (rows);
  g_assert_cmpfloat (ABS (median - expected), <=, ABS (expected) * 1e-15);
}

typedef double (*MakeNumber) (guint i);

static double
make_even (guint i)
{
  return (guint) (i * 2654435761U) / 16.0;
}

/* Nearly all in one bin of a linear scale. */
static double
make_skewed (guint i)
{
  return i == 17 ? 1e15 : (double) (i * 48271 % 999983) / 1e6;
}

static double
make_negative (guint i)
{
  return -1e6 + (double) (i * 48271 % 999983);
}

/* The two in the middle are far from each other. */
static double
make_halves (guint i)
{
  return i % 2 == 0 ? -1e9 + i : 1e9 + i;
}

/* Most of them equal. */
static double
make_equal (guint i)
{
  return i % 4 == 0 ? i : 12345.678;
}

static void
check_numbers (MakeNumber make, guint n)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < n; i++)
    {
      double number = make (i);

      g_array_append_val (numbers, number);
    }
  check_median (numbers);
}

static void
test_median (void)
{
  static const MakeNumber makers[] = { make_even, make_skewed, make_negative, make_equal, make_halves };
  static const guint sizes[] = { 1, 2, 3, 1000, 350000, 350001 };

  for (guint i = 0; i < G_N_ELEMENTS (makers); i++)
    for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
      check_numbers (makers[i], sizes[k]);
}

/* ---- sizes ---- */

/* As many stretches as a picture could hardly show one by one: it is small enough for a page. */
static void
test_lanes_size (void)
{
  static const guint sizes[] = { 1000, 4000, 10000, 20000, 100000 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (RoastRecording) recording = new_recording ();
      g_autoptr (RoastTableWriter) writer = roast_recording_write_table (recording, "jobs", "test", job_columns, NULL);
      g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
      g_autoptr (RoastScene) scene = NULL;
      g_autofree char *svg = NULL;

      for (guint row = 0; row < sizes[i]; row++)
        {
          char worker[16];
          gint64 started = G_GINT64_CONSTANT (3600) * G_USEC_PER_SEC * row / sizes[i];

          g_snprintf (worker, sizeof worker, "w%u", row % 8);
          roast_table_writer_set_int64 (writer, 0, started);
          roast_table_writer_set_int64 (writer, 1, started + G_GINT64_CONSTANT (20000) * G_USEC_PER_SEC / sizes[i]);
          roast_table_writer_set_string (writer, 2, worker);
          roast_table_writer_set_string (writer, 3, (row * 2654435761U >> 16) % 64 < 32 ? "merge" : "process");
          g_assert_true (roast_table_writer_end (writer, NULL));
        }
      snapshot = roast_recording_snapshot (recording);
      scene = roast_chart_draw (roast_schema_get_chart (roast_recording_snapshot_get_schema (snapshot), "lanes"),
                                snapshot, NULL, 760, 300, NULL);
      svg = roast_scene_to_svg (scene, ROAST_THEME_LIGHT, ROAST_SVG_FLAGS_NONE);
      g_test_message ("%u stretches: %zu bytes", sizes[i], strlen (svg));
      g_assert_cmpuint (strlen (svg), <, 70000);
    }
}

/* A plugin that came after the run was recorded has its chart, too. */
static void
test_later_plugin (void)
{
  static const char text[] =
      "[table later]\nOrigin=derived\nDescription=d\n[columns later]\nworker=category: w\nmemory=double B: m\n"
      "[chart later]\nTitle=t\nDescription=d\nTable=later\nKind=bars\nX=worker\nY=memory\n";
  static const char *const later_columns[] = { "worker", "memory", NULL };
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (GBytes) data = g_bytes_new_static (text, strlen (text));
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autoptr (RoastReport) report = NULL;
  g_autoptr (RoastTableWriter) writer = NULL;
  g_autoptr (GError) error = NULL;
  RoastChartRows *rows = NULL;

  roast_schema_load_data (schema, data, "later", &error);
  g_assert_no_error (error);
  report = roast_report_new (schema);
  writer = roast_report_write_table (report, "later", later_columns, &error);
  g_assert_no_error (error);
  roast_table_writer_set_string (writer, 0, "w");
  roast_table_writer_set_double (writer, 1, 5);
  roast_table_writer_end (writer, NULL);
  rows = roast_chart_rows_new (roast_schema_get_chart (schema, "later"), snapshot, report, &error);
  g_assert_no_error (error);
  roast_chart_rows_free (rows);
  g_assert_null (roast_chart_rows_new (roast_schema_get_chart (schema, "later"), snapshot, NULL, &error));
  g_assert_error (error, ROAST_CHART_ERROR, ROAST_CHART_ERROR_NOT_AVAILABLE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/chart-rows/median", test_median);
  g_test_add_func ("/chart-rows/lanes", test_lanes_size);

  g_test_add_func ("/chart-rows/later-plugin", test_later_plugin);
  return g_test_run ();
}
