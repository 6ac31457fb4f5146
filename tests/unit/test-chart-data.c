/* SPDX-License-Identifier: BSD-3-Clause */

/* The numbers of a chart, as a page has them for zooming: those that were measured, and those that its picture shows.
 */

#include <json-glib/json-glib.h>
#include <math.h>
#include <roast/roast.h>
#include <string.h>

#define START G_GINT64_CONSTANT (1700000000000000) /* µs */
#define N_SAMPLES 20000
#define EVERY 1001 /* µs between samples */
#define N_JOBS 500
#define HOSTILE "</script><b>\342\200\256\n\""

static const char schema_text[] =
    "[table samples]\nDescription=d\n[columns samples]\ntime=int64 us: t\nworker=category: w\nmemory=int64 B: m\n"
    "share=double: s\n"
    "[table jobs]\nDescription=d\n[columns jobs]\nworker=category: w\ncategory=category: c\nstarted=int64 us: s\n"
    "ended=int64 us: e\n"
    "[chart line]\nTitle=t\nDescription=d\nTable=samples\nKind=line\nX=time\nY=memory\nGroup=worker\nGuides=7 few\n"
    "[chart mean]\nTitle=t\nDescription=d\nTable=samples\nKind=line\nX=time\nY=share\nCombine=mean\n"
    "[chart lanes]\nTitle=t\nDescription=d\nTable=jobs\nKind=lanes\nX=started\nEnd=ended\nLane=worker\nGroup=category\n"
    "[chart bars]\nTitle=t\nDescription=d\nTable=jobs\nKind=bars\nX=worker\nY=started\n";

enum
{
  TIME,
  WORKER,
  MEMORY,
  SHARE,
};

enum
{
  JOB_WORKER,
  CATEGORY,
  STARTED,
  ENDED,
};

static const char *const sample_columns[] = { "time", "worker", "memory", "share", NULL };
static const char *const job_columns[] = { "worker", "category", "started", "ended", NULL };
static const char *const workers[] = { "a", "b", HOSTILE };

static gint64
memory_of (gint64 i)
{
  return 1000000000 + i * 7919 % 1000003 * 1000;
}

static RoastRecordingSnapshot *
make_snapshot (gint64 length)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (GBytes) text = g_bytes_new_static (schema_text, strlen (schema_text));
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastTableWriter) samples = NULL;
  g_autoptr (RoastTableWriter) jobs = NULL;

  g_assert_true (roast_schema_load_data (schema, text, "test", NULL));
  recording = roast_recording_new (schema);
  roast_recording_set_times (recording, START, START + (gint64) N_SAMPLES * EVERY);
  samples = roast_recording_write_table (recording, "samples", "test", sample_columns, NULL);
  jobs = roast_recording_write_table (recording, "jobs", "test", job_columns, NULL);
  for (gint64 i = 0; i < N_SAMPLES; i++)
    {
      roast_table_writer_set_int64 (samples, TIME, START + i * EVERY);
      roast_table_writer_set_string (samples, WORKER, workers[i % G_N_ELEMENTS (workers)]);
      roast_table_writer_set_int64 (samples, MEMORY, memory_of (i));
      roast_table_writer_set_double (samples, SHARE, (double) i / 3);
      g_assert_true (roast_table_writer_end (samples, NULL));
    }
  for (gint64 i = 0; i < N_JOBS; i++)
    {
      roast_table_writer_set_string (jobs, JOB_WORKER, workers[i % G_N_ELEMENTS (workers)]);
      roast_table_writer_set_string (jobs, CATEGORY, i % 2 == 0 ? "even" : "odd");
      roast_table_writer_set_int64 (jobs, STARTED, START + i * 10007);
      roast_table_writer_set_int64 (jobs, ENDED, START + i * 10007 + length);
      g_assert_true (roast_table_writer_end (jobs, NULL));
    }

  return roast_recording_snapshot (recording);
}

static RoastScene *
draw (RoastRecordingSnapshot *snapshot, const char *name)
{
  g_autoptr (GPtrArray) charts = roast_schema_list_charts (roast_recording_snapshot_get_schema (snapshot));
  g_autoptr (GError) error = NULL;
  RoastScene *scene = NULL;

  for (guint i = 0; i < charts->len; i++)
    if (g_str_equal (roast_chart_info_get_name (g_ptr_array_index (charts, i)), name))
      scene = roast_chart_draw (g_ptr_array_index (charts, i), snapshot, NULL, 640, 360, &error);
  g_assert_no_error (error);
  g_assert_nonnull (scene);

  return scene;
}

static JsonNode *
parse (const char *data)
{
  g_autoptr (GError) error = NULL;
  JsonNode *node = json_from_string (data, &error);

  g_assert_no_error (error);
  g_assert_true (g_utf8_validate (data, -1, NULL));
  g_assert_null (strchr (data, '<'));
  g_assert_null (strstr (data, "\342\200\256"));

  return node;
}

/* ---- lines ---- */

typedef struct
{
  guint n_series; /* lines that were seen */
  JsonObject *data;
} Compared;

static double
member (JsonObject *object, const char *axis, const char *name)
{
  return json_object_get_double_member (json_object_get_object_member (object, axis), name);
}

/* The points of a line are those of its series. */
static void
compare_line (const RoastSceneMark *mark, gpointer user_data)
{
  Compared *self = user_data;
  JsonArray *box = json_object_get_array_member (self->data, "box");
  JsonObject *series = NULL;
  JsonArray *x = NULL;
  JsonArray *y = NULL;
  gint64 time = 0;

  if (mark->kind != ROAST_SCENE_MARK_KIND_POLYLINE || mark->role != ROAST_SCENE_ROLE_SERIES || mark->name == NULL)
    return;
  series = json_array_get_object_element (json_object_get_array_member (self->data, "series"), self->n_series++);
  g_assert_cmpstr (mark->name, ==, json_object_get_string_member (series, "name"));
  x = json_object_get_array_member (series, "x");
  y = json_object_get_array_member (series, "y");
  g_assert_cmpuint (json_array_get_length (x), ==, mark->n);
  g_assert_cmpuint (json_array_get_length (y), ==, mark->n);
  for (guint i = 0; i < mark->n; i++)
    {
      double left = json_array_get_double_element (box, 0);
      double top = json_array_get_double_element (box, 1);
      double right = json_array_get_double_element (box, 2);
      double bottom = json_array_get_double_element (box, 3);
      double part_x = 0;
      double part_y = (json_array_get_double_element (y, i) - member (self->data, "y", "min")) /
                      (member (self->data, "y", "max") - member (self->data, "y", "min"));

      time += json_array_get_int_element (x, i);
      part_x = ((double) time / 1e6 - member (self->data, "x", "min")) /
               (member (self->data, "x", "max") - member (self->data, "x", "min"));
      g_assert_cmpint (time % EVERY, ==, 0);
      g_assert_cmpint (json_array_get_int_element (y, i), ==, memory_of (time / EVERY));
      g_assert_cmpfloat_with_epsilon (left + part_x * (right - left), mark->xy[2 * i], 1e-6);
      g_assert_cmpfloat_with_epsilon (bottom + part_y * (top - bottom), mark->xy[2 * i + 1], 1e-6);
    }
}

static void
test_line (void)
{
  g_autoptr (RoastRecordingSnapshot) snapshot = make_snapshot (1000);
  g_autoptr (RoastScene) scene = draw (snapshot, "line");
  g_autofree char *fine = roast_scene_dup_data (scene, G_MAXSIZE);
  g_autofree char *again = roast_scene_dup_data (scene, strlen (fine));
  g_autofree char *coarse = roast_scene_dup_data (scene, strlen (fine) - 1);
  g_autofree char *none = roast_scene_dup_data (scene, 1000);
  g_autoptr (JsonNode) fine_node = parse (fine);
  g_autoptr (JsonNode) coarse_node = parse (coarse);
  Compared compared = { .data = json_node_get_object (coarse_node) };

  g_assert_cmpstr (fine, ==, again);
  g_assert_true (json_object_has_member (json_node_get_object (fine_node), "series"));
  g_assert_null (none);
  g_assert_cmpuint (strlen (coarse), <, strlen (fine) / 2);
  g_assert_cmpstr (json_object_get_string_member (compared.data, "kind"), ==, "line");
  g_assert_true (json_object_get_boolean_member (compared.data, "time"));
  g_assert_cmpstr (json_object_get_string_member (json_object_get_object_member (compared.data, "y"), "format"), ==,
                   "bytes");
  roast_scene_visit (scene, compare_line, &compared);
  g_assert_cmpuint (compared.n_series, ==, G_N_ELEMENTS (workers));
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (compared.data, "guides")), <=, 1);
}

/* The mean of a column is that of its rows, and so are the lowest and the highest. */
static void
test_mean (void)
{
  g_autoptr (RoastRecordingSnapshot) snapshot = make_snapshot (1000);
  g_autoptr (RoastScene) scene = draw (snapshot, "mean");
  g_autofree char *data = roast_scene_dup_data (scene, G_MAXSIZE);
  g_autoptr (JsonNode) node = parse (data);
  JsonArray *all = json_object_get_array_member (json_node_get_object (node), "series");
  JsonObject *series = json_array_get_object_element (all, 0);
  JsonArray *y = json_object_get_array_member (series, "y");

  g_assert_cmpuint (json_array_get_length (y), >, 10);
  for (guint i = 0; i < json_array_get_length (y); i++)
    {
      double low = json_array_get_double_element (json_object_get_array_member (series, "low"), i);
      double high = json_array_get_double_element (json_object_get_array_member (series, "high"), i);

      g_assert_cmpfloat_with_epsilon (json_array_get_double_element (y, i), (low + high) / 2, 1e-6);
      g_assert_cmpfloat (low, <, high);
    }
}

/* ---- lanes ---- */

static guint
count_boxes (const char *data, gboolean *is_folded, gint64 *n_all)
{
  g_autoptr (JsonNode) node = parse (data);
  JsonObject *root = json_node_get_object (node);
  JsonArray *boxes = json_object_get_array_member (root, "boxes");
  guint n = json_array_get_length (boxes) / 5;
  gint64 start = 0;

  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (root, "lanes")), ==, 3);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (root, "colours")), ==, 2);
  g_assert_cmpstr (json_object_get_string_member (root, "rows"), ==, "jobs");
  *is_folded = json_array_get_int_element (boxes, 2) >= 0;
  *n_all = 0;
  for (guint i = 0; i < n; i++)
    {
      start += json_array_get_int_element (boxes, 5 * i + 3);
      *n_all += ABS (json_array_get_int_element (boxes, 5 * i + 2));
      if (*is_folded)
        continue;
      g_assert_cmpint (json_array_get_int_element (boxes, 5 * i + 2), ==, -1);
      g_assert_cmpint (start % 10007, ==, 0);
      g_assert_cmpint (json_array_get_int_element (boxes, 5 * i + 4), ==, 1000);
    }

  return n;
}

static void
test_lanes (void)
{
  g_autoptr (RoastRecordingSnapshot) few = make_snapshot (1000);
  g_autoptr (RoastRecordingSnapshot) many = make_snapshot (5000000);
  g_autoptr (RoastScene) each = draw (few, "lanes");
  g_autoptr (RoastScene) folded = draw (many, "lanes");
  g_autofree char *data = roast_scene_dup_data (each, G_MAXSIZE);
  g_autofree char *data_of_folded = roast_scene_dup_data (folded, G_MAXSIZE);
  g_autofree char *joined = roast_scene_dup_data (each, strlen (data) / 3);
  gboolean is_folded = FALSE;
  gint64 n = 0;

  g_assert_cmpuint (count_boxes (data, &is_folded, &n), ==, N_JOBS);
  g_assert_false (is_folded);
  g_assert_cmpint (n, ==, N_JOBS);
  /* What does not fit is joined, and none is lost. */
  g_assert_nonnull (joined);
  g_assert_cmpuint (count_boxes (joined, &is_folded, &n), <, N_JOBS / 2);
  g_assert_true (is_folded);
  g_assert_cmpint (n, ==, N_JOBS);
  /* As many rows at a time as no picture has. */
  g_assert_cmpuint (count_boxes (data_of_folded, &is_folded, &n), >, 0);
  g_assert_true (is_folded);
  g_assert_cmpint (n, >=, N_JOBS);
}

/* Charts that have nothing to zoom into. */
static void
test_none (void)
{
  g_autoptr (RoastRecordingSnapshot) snapshot = make_snapshot (1000);
  g_autoptr (RoastScene) bars = draw (snapshot, "bars");
  g_autoptr (RoastScene) empty = roast_scene_new (100, 100);

  g_assert_null (roast_scene_dup_data (bars, G_MAXSIZE));
  g_assert_null (roast_scene_dup_data (empty, G_MAXSIZE));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/chart-data/line", test_line);
  g_test_add_func ("/chart-data/mean", test_mean);
  g_test_add_func ("/chart-data/lanes", test_lanes);
  g_test_add_func ("/chart-data/none", test_none);

  return g_test_run ();
}
