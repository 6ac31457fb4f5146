/* SPDX-License-Identifier: BSD-3-Clause */

/* Whole charts, from rows to SVG: pictures that a person has looked at, and what must hold for any picture. */

#include "sanitized.h"

#include <math.h>
#include <roast/roast.h>
#include <string.h>

#define START G_GINT64_CONSTANT (1700000000000000) /* µs */
#define SECOND 1000000

static const char tables[] =
    "[table samples]\nDescription=d\n[columns samples]\ntime=int64 us: t\nworker=category: w\nmemory=int64 B: m\n"
    "managed=int64 B: m\nlimit=int64 B: l\nworkers=int64: n\ncpu=double %: c\nok=boolean: o\nnote=string: n\n"
    "[table jobs]\nDescription=d\n[columns jobs]\nworker=category: w\ncategory=category: c\nstarted=int64 us: s\n"
    "ended=int64 us: e\nevents=int64: e\nseconds=double s: s\nwaited=double s: w\nstatus=category of status: s\n"
    "[table derived]\nOrigin=derived\nDescription=d\n[columns derived]\ntime=int64 us: t\nvalue=double: v\n"
    "[chart line]\nTitle=Memory of workers\nDescription=Resident memory\nTable=samples\nKind=line\nX=time\nY=memory\n"
    "Group=worker\nTop=3\nGuides=column limit limit; 1073741824 target\n"
    "[chart step]\nTitle=Memory & what is managed\nDescription=d\nTable=samples\nKind=step\nX=time\n"
    "Y=memory;managed\nCombine=sum\nY2=workers\n"
    "[chart points]\nTitle=Memory of one\nDescription=d\nTable=samples\nKind=step\nX=time\n"
    "Y=memory;managed\nY2=workers\nWhere=worker=worker-0\n"
    "[chart mean]\nTitle=CPU use\nDescription=d\nTable=samples\nKind=area\nX=time\nY=cpu\nCombine=mean\n"
    "[chart per]\nTitle=Memory in percent\nDescription=d\nTable=samples\nKind=area\nX=time\nY=memory\nPer=limit\n"
    "Combine=sum\nWhere=ok=true\n"
    "[chart histogram]\nTitle=Time per job\nDescription=d\nTable=jobs\nKind=histogram\nX=seconds\n"
    "Guides=mean; median\n"
    "[chart histogram_log]\nTitle=Events per job\nDescription=d\nTable=jobs\nKind=histogram\nX=events\nScale=log\n"
    "Where=status=done|failed\n"
    "[chart scatter]\nTitle=Time by events\nDescription=d\nTable=jobs\nKind=scatter\nX=events\nY=ended-started\n"
    "Group=category\nFit=linear\nGuides=per-second 1000 1 kHz\n"
    "[chart bars]\nTitle=Time by category\nDescription=d\nTable=jobs\nKind=bars\nX=category\nY=seconds\nGroup=status\n"
    "[chart bars_mean]\nTitle=Mean by worker\nDescription=d\nTable=jobs\nKind=bars\nX=worker\nY=seconds;waited\n"
    "Combine=mean\nTop=2\n"
    "[chart lanes]\nTitle=Jobs by worker\nDescription=d\nTable=jobs\nKind=lanes\nX=started\nEnd=ended\nLane=worker\n"
    "Group=category\n"
    "[chart derived]\nTitle=Derived\nDescription=d\nTable=derived\nKind=line\nX=time\nY=value\n"
    "[chart narrow]\nTitle=Memory of workers as a share of what they may use\nDescription=d\nTable=samples\nKind=line\n"
    "X=time\nY=memory\nGroup=worker\n"
    "[chart needs]\nTitle=Needs\nDescription=d\nTable=samples\nKind=line\nX=time\nY=cpu\nNeeds=5\n";

static const char *const charts[] = { "line",          "step",    "mean", "per",       "histogram",
                                      "histogram_log", "scatter", "bars", "bars_mean", "lanes" };

enum
{
  TIME,
  WORKER,
  MEMORY,
  MANAGED,
  LIMIT,
  WORKERS,
  CPU,
  OK,
};

enum
{
  JOB_WORKER,
  CATEGORY,
  STARTED,
  ENDED,
  EVENTS,
  SECONDS,
  WAITED,
  STATUS,
};

static const char *const sample_columns[] = { "time",    "worker", "memory", "managed", "limit",
                                              "workers", "cpu",    "ok",     NULL };
static const char *const job_columns[] = { "worker",  "category", "started", "ended", "events",
                                           "seconds", "waited",   "status",  NULL };

static RoastRecording *
new_recording (void)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (GBytes) text = g_bytes_new_static (tables, strlen (tables));
  g_autoptr (GError) error = NULL;

  roast_schema_load_data (schema, text, "test", &error);
  g_assert_no_error (error);

  return roast_recording_new (schema);
}

static RoastTableWriter *
write_table (RoastRecording *recording, const char *table, const char *const *columns)
{
  g_autoptr (GError) error = NULL;
  RoastTableWriter *writer = roast_recording_write_table (recording, table, "test", columns, &error);

  g_assert_no_error (error);

  return writer;
}

static void
add_sample (RoastTableWriter *samples, double time, const char *worker, gint64 memory, double cpu)
{
  roast_table_writer_set_int64 (samples, TIME, START + (gint64) (time * SECOND));
  roast_table_writer_set_string (samples, WORKER, worker);
  roast_table_writer_set_int64 (samples, MEMORY, memory);
  roast_table_writer_set_int64 (samples, MANAGED, memory / 3);
  roast_table_writer_set_int64 (samples, LIMIT, G_GINT64_CONSTANT (2) << 30);
  roast_table_writer_set_int64 (samples, WORKERS, 1 + (gint64) time / 20);
  roast_table_writer_set_double (samples, CPU, cpu);
  roast_table_writer_set_boolean (samples, OK, memory % 2 == 0);
  roast_table_writer_end (samples, NULL);
}

static void
add_job (RoastTableWriter *jobs, const char *worker, const char *category, double started, double ended, gint64 events,
         const char *status)
{
  roast_table_writer_set_string (jobs, JOB_WORKER, worker);
  roast_table_writer_set_string (jobs, CATEGORY, category);
  roast_table_writer_set_int64 (jobs, STARTED, START + (gint64) (started * SECOND));
  if (!isnan (ended))
    roast_table_writer_set_int64 (jobs, ENDED, START + (gint64) (ended * SECOND));
  roast_table_writer_set_int64 (jobs, EVENTS, events);
  if (!isnan (ended))
    roast_table_writer_set_double (jobs, SECONDS, ended - started);
  roast_table_writer_set_double (jobs, WAITED, (double) (events % 7) / 4);
  roast_table_writer_set_string (jobs, STATUS, status);
  roast_table_writer_end (jobs, NULL);
}

/* The same on each machine: no functions of libm, no random numbers of GLib. */
static guint
next_number (guint *state)
{
  *state = *state * 1103515245 + 12345;

  return *state >> 16 & 0x7fff;
}

static RoastRecordingSnapshot *
make_snapshot (void)
{
  static const char *const workers[] = { "worker-0", "worker-1", "worker-2", "worker-10", "</text><b>" };
  static const char *const categories[] = { "analysis", "merge", "preprocessing" };
  static const char *const statuses[] = { "done", "done", "done", "failed", "lost" };
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableWriter) samples = write_table (recording, "samples", sample_columns);
  g_autoptr (RoastTableWriter) jobs = write_table (recording, "jobs", job_columns);
  gint64 memory[G_N_ELEMENTS (workers)] = { 400 << 20, 500 << 20, 600 << 20, 700 << 20, 20 << 20 };
  double free_at[G_N_ELEMENTS (workers)] = { 0 };
  guint state = 7;

  roast_recording_set_times (recording, START, START + 60 * SECOND);
  for (guint second = 0; second < 60; second += 2)
    for (guint i = 0; i < G_N_ELEMENTS (workers); i++)
      {
        memory[i] += ((gint64) (next_number (&state) % 64) - 30) * (1 << 20);
        memory[i] = MAX (memory[i], 1 << 20) / 2 * 2 + i % 2;
        add_sample (samples, second, workers[i], memory[i], next_number (&state) % 400);
      }
  for (guint i = 0; i < 90; i++)
    {
      guint worker = next_number (&state) % G_N_ELEMENTS (workers);
      double length = 0.5 + next_number (&state) % 400 / 100.0;
      double start = free_at[worker] + (next_number (&state) % 3 == 0 ? -0.25 : 0.25);
      const char *status = statuses[next_number (&state) % 5];
      gint64 events = (gint64) (length * 900) + next_number (&state) % 500;
      const char *category = categories[next_number (&state) % 3];

      start = MAX (start, 0);
      free_at[worker] = start + length;
      add_job (jobs, workers[worker], category, start, i == 80 ? NAN : start + length, events, status);
    }

  return roast_recording_snapshot (recording);
}

static RoastScene *
draw (RoastRecordingSnapshot *snapshot, const char *chart, double width, double height, GError **error)
{
  RoastSchema *schema = roast_recording_snapshot_get_schema (snapshot);

  return roast_chart_draw (roast_schema_get_chart (schema, chart), snapshot, NULL, width, height, error);
}

/* ---- what holds for any picture ---- */

typedef struct
{
  double x, y, width, height;
  char *text;
} Box;

static void
clear_box (gpointer data)
{
  g_free (((Box *) data)->text);
}

typedef struct
{
  double width, height;
  GArray *texts;      /* of Box */
  GArray *rectangles; /* of Box: of series */
  guint n_marks;
} Layout;

static void
add_text (Layout *self, const RoastSceneMark *mark)
{
  double width = roast_scene_measure_text (mark->text, mark->size) * (mark->role == ROAST_SCENE_ROLE_TITLE ? 1.12 : 1);
  double height = mark->size * 0.76; /* of capitals and digits */
  double shift = mark->anchor == ROAST_SCENE_ANCHOR_MIDDLE ? width / 2
                 : mark->anchor == ROAST_SCENE_ANCHOR_END  ? width
                                                           : 0;
  Box box = { mark->xy[0] - shift, mark->xy[1] - height, width, height, g_strdup (mark->text) };

  if (mark->rotate == -90)
    {
      box = (Box) { mark->xy[0] - height, mark->xy[1] + shift - width, height, width, box.text };
    }
  else if (mark->rotate == 90)
    box = (Box) { mark->xy[0], mark->xy[1] - shift, height, width, box.text };
  g_array_append_val (self->texts, box);
}

static void
lay_out (const RoastSceneMark *mark, gpointer user_data)
{
  Layout *self = user_data;

  self->n_marks++;
  if (mark->kind == ROAST_SCENE_MARK_KIND_TEXT)
    add_text (self, mark);
  else if (mark->kind == ROAST_SCENE_MARK_KIND_RECTANGLES)
    for (guint i = 0; i < mark->n; i++)
      {
        const double *xywh = mark->xy + (gsize) 4 * i;
        Box box = { xywh[0], xywh[1], xywh[2], xywh[3], NULL };

        g_assert_cmpfloat (xywh[0], >=, -0.1);
        g_assert_cmpfloat (xywh[1], >=, -0.1);
        g_assert_cmpfloat (xywh[2], >=, 0);
        g_assert_cmpfloat (xywh[3], >=, 0);
        g_assert_cmpfloat (xywh[0] + xywh[2], <=, self->width + 0.5);
        g_assert_cmpfloat (xywh[1] + xywh[3], <=, self->height + 0.5);
        if (mark->role == ROAST_SCENE_ROLE_SERIES || mark->role == ROAST_SCENE_ROLE_OTHERS)
          g_array_append_val (self->rectangles, box);
      }
  else
    for (guint i = 0; i < mark->n; i++)
      {
        g_assert_cmpfloat (mark->xy[2 * i], >=, -0.1);
        g_assert_cmpfloat (mark->xy[2 * i], <=, self->width + 0.1);
        g_assert_cmpfloat (mark->xy[2 * i + 1], >=, -0.1);
        g_assert_cmpfloat (mark->xy[2 * i + 1], <=, self->height + 0.1);
      }
}

static gboolean
do_overlap (const Box *a, const Box *b)
{
  return a->x < b->x + b->width - 0.01 && b->x < a->x + a->width - 0.01 && a->y < b->y + b->height - 0.01 &&
         b->y < a->y + a->height - 0.01;
}

static void
check_layout (RoastScene *scene)
{
  Layout layout = { .texts = g_array_new (FALSE, FALSE, sizeof (Box)),
                    .rectangles = g_array_new (FALSE, FALSE, sizeof (Box)) };

  g_array_set_clear_func (layout.texts, clear_box);
  roast_scene_get_size (scene, &layout.width, &layout.height);
  roast_scene_visit (scene, lay_out, &layout);
  for (guint i = 0; i < layout.texts->len; i++)
    {
      const Box *box = &g_array_index (layout.texts, Box, i);

      if (box->x < -0.5 || box->x + box->width > layout.width + 0.5 || box->y < -0.5 ||
          box->y + box->height > layout.height + 0.5)
        g_error ("“%s” is cut: %g, %g, %g x %g", box->text, box->x, box->y, box->width, box->height);
      for (guint k = 0; k < i; k++)
        if (do_overlap (box, &g_array_index (layout.texts, Box, k)))
          g_error ("“%s” is over “%s”", box->text, g_array_index (layout.texts, Box, k).text);
    }
  g_array_unref (layout.texts);
  g_array_unref (layout.rectangles);
}

/* ---- goldens ---- */

/* What a person has looked at. With UPDATE_GOLDEN=1 it is written instead, to be looked at again. */
static void
assert_golden (const char *name, const char *text)
{
  g_autofree char *file = g_strdup_printf ("chart-%s.svg", name);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "chart", file, NULL);
  g_autofree char *golden = NULL;
  g_autoptr (GError) error = NULL;

  if (g_strcmp0 (g_getenv ("UPDATE_GOLDEN"), "1") == 0)
    g_file_set_contents (path, text, -1, &error);
  else
    g_file_get_contents (path, &golden, NULL, &error);
  g_assert_no_error (error);
  if (golden != NULL)
    g_assert_cmpstr (text, ==, golden);
}

static void
test_golden (gconstpointer data)
{
  const char *chart = data;
  g_autoptr (RoastRecordingSnapshot) snapshot = make_snapshot ();
  g_autoptr (RoastScene) scene = NULL;
  g_autoptr (RoastScene) again = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *svg = NULL;
  g_autofree char *same = NULL;

  scene = draw (snapshot, chart, 640, 360, &error);
  g_assert_no_error (error);
  again = draw (snapshot, chart, 640, 360, NULL);
  svg = roast_scene_to_svg (scene, ROAST_THEME_LIGHT, ROAST_SVG_FLAGS_CLASSES);
  same = roast_scene_to_svg (again, ROAST_THEME_LIGHT, ROAST_SVG_FLAGS_CLASSES);
  g_assert_cmpstr (svg, ==, same);
  g_assert_null (strstr (svg, "<b>"));
  check_layout (scene);
  assert_golden (chart, svg);
}

/* ---- properties ---- */

static char *
random_name (void)
{
  static const char *const names[] = {
    "worker",
    "tcp://192.168.100.100:45678",
    "",
    "a name with many words in it that does not end for a long time",
    "\u05d0\u05d1\u05d2",
    "\u6f22\u5b57\u6f22\u5b57",
    "<&>\"'",
    "WWWWWWWWWWWWWWWWWWWWWWWW",
  };
  const char *base = names[g_test_rand_int_range (0, G_N_ELEMENTS (names))];

  return g_test_rand_bit () ? g_strdup (base) : g_strdup_printf ("%s-%d", base, g_test_rand_int_range (0, 300));
}

static RoastRecordingSnapshot *
make_random_snapshot (void)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableWriter) samples = write_table (recording, "samples", sample_columns);
  g_autoptr (RoastTableWriter) jobs = write_table (recording, "jobs", job_columns);
  guint n = g_test_rand_bit () ? (guint) g_test_rand_int_range (0, 4) : (guint) g_test_rand_int_range (0, 400);
  double length = pow (10, g_test_rand_double_range (-4, 6));
  double size = pow (10, g_test_rand_double_range (-1, 15));
  gboolean equal = g_test_rand_int_range (0, 8) == 0;

  if (g_test_rand_bit ())
    roast_recording_set_times (recording, START, START + (gint64) (length * SECOND));
  for (guint i = 0; i < n; i++)
    {
      double start = g_test_rand_double_range (0, length);
      g_autofree char *worker = random_name ();
      g_autofree char *category = random_name ();

      add_sample (samples, equal ? 1 : start, worker, equal ? 5 : (gint64) (size * g_test_rand_double_range (0, 1)),
                  size * g_test_rand_double_range (-1, 1));
      add_job (jobs, worker, category, start, g_test_rand_int_range (0, 5) == 0 ? NAN : start + length / 20,
               (gint64) (size * g_test_rand_double_range (0, 1)), g_test_rand_bit () ? "done" : "lost");
    }

  return roast_recording_snapshot (recording);
}

static void
test_any_rows (void)
{
  for (guint round = 0; round < ROUNDS (60); round++)
    {
      g_autoptr (RoastRecordingSnapshot) snapshot = make_random_snapshot ();
      double width = g_test_rand_double_range (320, 1600);
      double height = g_test_rand_double_range (220, 900);

      for (guint i = 0; i < G_N_ELEMENTS (charts); i++)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (RoastScene) scene = draw (snapshot, charts[i], width, height, &error);
          g_autofree char *svg = NULL;

          g_test_message ("round %u, %s, %g x %g", round, charts[i], width, height);
          if (scene == NULL)
            {
              g_assert_error (error, ROAST_CHART_ERROR, ROAST_CHART_ERROR_NOT_AVAILABLE);
              continue;
            }
          check_layout (scene);
          svg = roast_scene_to_svg (scene, ROAST_THEME_DARK, ROAST_SVG_FLAGS_NONE);
          g_assert_cmpuint (strlen (svg), <, 400000);
          g_assert_null (strstr (svg, "nan"));
        }
    }
}

/* Pictures of any size are drawn, if only their background. */
static void
test_any_size (void)
{
  static const double sizes[] = { 1, 10, 60, 200, 5000 };
  g_autoptr (RoastRecordingSnapshot) snapshot = make_snapshot ();

  for (guint i = 0; i < G_N_ELEMENTS (charts); i++)
    for (guint w = 0; w < G_N_ELEMENTS (sizes); w++)
      for (guint h = 0; h < G_N_ELEMENTS (sizes); h++)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (RoastScene) scene = draw (snapshot, charts[i], sizes[w], sizes[h], &error);
          g_autofree char *svg = NULL;

          g_assert_no_error (error);
          svg = roast_scene_to_svg (scene, ROAST_THEME_DARK, ROAST_SVG_FLAGS_NONE);
          g_assert_null (strstr (svg, "nan"));
        }
}

/* A thousand times the rows take no more room. */
static void
test_many_rows (void)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableWriter) samples = write_table (recording, "samples", sample_columns);
  g_autoptr (RoastTableWriter) jobs = write_table (recording, "jobs", job_columns);
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;

  roast_recording_set_times (recording, START, START + 1000 * SECOND);
  for (guint i = 0; i < 60000; i++)
    {
      char worker[32];
      double start = i / 60.0;

      g_snprintf (worker, sizeof worker, "worker-%u", i % 50);
      add_sample (samples, start, worker, g_test_rand_int_range (1, G_MAXINT32), g_test_rand_double_range (0, 400));
      add_job (jobs, worker, i % 3 == 0 ? "a" : "b", start, start + g_test_rand_double_range (0, 2),
               g_test_rand_int_range (0, 1000000), i % 7 == 0 ? "failed" : "done");
    }
  snapshot = roast_recording_snapshot (recording);
  for (guint i = 0; i < G_N_ELEMENTS (charts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (RoastScene) scene = draw (snapshot, charts[i], 800, 400, &error);
      g_autofree char *svg = NULL;

      g_assert_no_error (error);
      check_layout (scene);
      svg = roast_scene_to_svg (scene, ROAST_THEME_DARK, ROAST_SVG_FLAGS_NONE);
      g_test_message ("%s: %u bytes", charts[i], (guint) strlen (svg));
      g_assert_cmpuint (strlen (svg), <, 400000);
    }
}

/* ---- lanes ---- */

static void
collect_boxes (const RoastSceneMark *mark, gpointer user_data)
{
  GArray *boxes = user_data;

  if (mark->kind == ROAST_SCENE_MARK_KIND_RECTANGLES && mark->name != NULL)
    for (guint i = 0; i < mark->n; i++)
      {
        Box box = { mark->xy[4 * i], mark->xy[4 * i + 1], mark->xy[4 * i + 2], mark->xy[4 * i + 3], NULL };

        g_array_append_val (boxes, box);
      }
}

typedef struct
{
  double left, right;
} Edges;

static void
find_edges (const RoastSceneMark *mark, gpointer user_data)
{
  Edges *edges = user_data;

  if (mark->kind == ROAST_SCENE_MARK_KIND_POLYLINE && mark->role == ROAST_SCENE_ROLE_AXIS && mark->n == 2 &&
      mark->xy[1] == mark->xy[3] && mark->xy[2] - mark->xy[0] > 200)
    *edges = (Edges) { mark->xy[0], mark->xy[2] };
}

/* Whether a rectangle is where a job from @from to @to is, in px. */
static gboolean
is_drawn (const GArray *boxes, double from, double to)
{
  for (guint i = 0; i < boxes->len; i++)
    {
      const Box *box = &g_array_index (boxes, Box, i);

      if (box->x <= from + 1 && box->x + box->width >= from && box->x + box->width >= MIN (to, from + 0.3))
        return TRUE;
    }

  return FALSE;
}

static void
collect_named (const RoastSceneMark *mark, gpointer user_data)
{
  gpointer *name_and_boxes = user_data;

  if (g_strcmp0 (mark->name, name_and_boxes[0]) == 0)
    collect_boxes (mark, name_and_boxes[1]);
}

static GArray *
dup_boxes_of (RoastScene *scene, const char *name)
{
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (Box));
  gpointer name_and_boxes[] = { (gpointer) name, boxes };

  roast_scene_visit (scene, collect_named, name_and_boxes);

  return boxes;
}

/* Many short jobs in a small part of the run, then one much later: each is drawn at its time. */
static void
test_lanes_short (void)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableWriter) jobs = write_table (recording, "jobs", job_columns);
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  g_autoptr (RoastScene) scene = NULL;
  g_autoptr (GArray) brief = NULL;
  g_autoptr (GArray) lengthy = NULL;
  Edges edges = { 0 };
  double second = 0;

  roast_recording_set_times (recording, START, START + 200 * SECOND);
  for (guint i = 0; i < 2000; i++)
    add_job (jobs, "a", "brief", 1 + i * 0.001, 1 + (i + 1) * 0.001, 1, "done");
  add_job (jobs, "a", "lengthy", 150, 160, 1, "done");
  for (guint i = 0; i < 100; i++)
    add_job (jobs, "b", "brief", 200, 200, 1, "done");
  snapshot = roast_recording_snapshot (recording);
  scene = draw (snapshot, "lanes", 640, 360, NULL);
  roast_scene_visit (scene, find_edges, &edges);
  second = (edges.right - edges.left) / 200;
  brief = dup_boxes_of (scene, "brief");
  lengthy = dup_boxes_of (scene, "lengthy");
  g_assert_cmpuint (lengthy->len, ==, 1);
  g_assert_cmpfloat_with_epsilon (g_array_index (lengthy, Box, 0).x, edges.left + 150 * second, 1);
  g_assert_cmpfloat_with_epsilon (g_array_index (lengthy, Box, 0).width, 10 * second, 1);
  g_assert_cmpuint (brief->len, >, 5);
  for (guint i = 0; i < brief->len; i++)
    {
      const Box *box = &g_array_index (brief, Box, i);

      if (box->x > edges.left + 100 * second)
        {
          g_assert_cmpfloat (box->x, >=, edges.right - 1);
          g_assert_cmpfloat (box->x + box->width, <=, edges.right + 1e-9);
          continue;
        }
      g_assert_cmpfloat (box->x, >=, edges.left + second - 1e-9);
      g_assert_cmpfloat (box->x + box->width, <=, edges.left + 3 * second + 1);
    }
}

/* Neither rectangles of their own nor folded ones cover each other. */
static void
test_lanes_overlap (void)
{
  for (guint round = 0; round < ROUNDS (20); round++)
    {
      g_autoptr (RoastRecording) recording = new_recording ();
      g_autoptr (RoastTableWriter) jobs = write_table (recording, "jobs", job_columns);
      g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
      g_autoptr (RoastScene) scene = NULL;
      g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (Box));
      guint n = round % 2 == 0 ? 300 : 15500;
      double starts[300];
      double ends[300];
      Edges edges = { 0 };

      roast_recording_set_times (recording, START, START + 100 * SECOND);
      for (guint i = 0; i < n; i++)
        {
          double start = g_test_rand_double_range (0, 99);
          double end = start + g_test_rand_double_range (0, 300.0 / n);

          add_job (jobs, g_test_rand_bit () ? "a" : "b", g_test_rand_bit () ? "c" : "d", start, end, 1, "done");
          if (n < 15000)
            {
              starts[i] = start;
              ends[i] = end;
            }
        }
      snapshot = roast_recording_snapshot (recording);
      scene = draw (snapshot, "lanes", 640, 360, NULL);
      g_assert_nonnull (scene);
      roast_scene_visit (scene, collect_boxes, boxes);
      g_assert_cmpuint (boxes->len, >, 100);
      roast_scene_visit (scene, find_edges, &edges);
      for (guint i = 0; n < 15000 && i < n; i++)
        g_assert_true (is_drawn (boxes, edges.left + (edges.right - edges.left) * starts[i] / 100,
                                 edges.left + (edges.right - edges.left) * ends[i] / 100));
      for (guint i = 0; i < MIN (boxes->len, 2000); i++)
        for (guint k = 0; k < i; k++)
          if (do_overlap (&g_array_index (boxes, Box, i), &g_array_index (boxes, Box, k)))
            g_error ("rectangles %u and %u cover each other", i, k);
    }
}

/* ---- errors ---- */

static void
test_not_available (void)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  RoastSchema *schema = roast_recording_get_schema (recording);

  for (guint i = 0; i < G_N_ELEMENTS (charts); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (draw (snapshot, charts[i], 640, 360, &error));
      g_assert_error (error, ROAST_CHART_ERROR, ROAST_CHART_ERROR_NOT_AVAILABLE);
      g_assert_nonnull (strstr (error->message, "row of the table"));
      g_assert_false (roast_chart_is_worth (roast_schema_get_chart (schema, charts[i]), snapshot, NULL));
    }
  {
    g_autoptr (GError) error = NULL;

    g_assert_null (draw (snapshot, "derived", 640, 360, &error));
    g_assert_error (error, ROAST_CHART_ERROR, ROAST_CHART_ERROR_NOT_AVAILABLE);
    g_assert_nonnull (strstr (error->message, "part of a report"));
  }
}

/* Shares of a limit that was not measured. */
static void
test_share_of_nothing (void)
{
  static const char *const columns[] = { "time", "memory", "ok", "limit", NULL };
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableWriter) samples = write_table (recording, "samples", columns);
  RoastChartInfo *chart = roast_schema_get_chart (roast_recording_get_schema (recording), "per");

  for (guint second = 0; second < 4; second++)
    {
      g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
      g_autoptr (RoastScene) scene = NULL;
      g_autoptr (GError) error = NULL;

      roast_table_writer_set_int64 (samples, 0, START + second * SECOND);
      roast_table_writer_set_int64 (samples, 1, 5000);
      roast_table_writer_set_boolean (samples, 2, TRUE);
      if (second >= 2)
        roast_table_writer_set_int64 (samples, 3, 10000);
      g_assert_true (roast_table_writer_end (samples, NULL));
      snapshot = roast_recording_snapshot (recording);
      g_assert_cmpint (roast_chart_is_worth (chart, snapshot, NULL), ==, second >= 3);
      scene = roast_chart_draw (chart, snapshot, NULL, 640, 360, &error);
      g_assert_cmpint (scene != NULL, ==, second >= 2);
      if (scene == NULL)
        g_assert_true (g_str_has_suffix (error->message, " has “time”, “memory” and “limit”"));
    }
}

/* A plugin's chart of a column that nobody declares here. */
static void
test_missing_column (void)
{
  static const char text[] = "[chart c]\nTitle=T\nDescription=d\nTable=samples\nKind=line\nX=time\nY=nowhere\n";
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autoptr (RoastSchema) other = roast_schema_new ();
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (GError) error = NULL;

  roast_schema_load_data (other, bytes, "plugin", &error);
  g_assert_no_error (error);
  g_assert_null (roast_chart_draw (roast_schema_get_chart (other, "c"), snapshot, NULL, 640, 360, &error));
  g_assert_error (error, ROAST_CHART_ERROR, ROAST_CHART_ERROR_NOT_AVAILABLE);
  g_assert_nonnull (strstr (error->message, "nowhere"));
  g_assert_false (roast_chart_is_worth (roast_schema_get_chart (other, "c"), snapshot, NULL));
}

static void
test_derived (void)
{
  static const char *const columns[] = { "time", "value", NULL };
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  g_autoptr (RoastReport) report = roast_report_new (roast_recording_get_schema (recording));
  RoastChartInfo *chart = roast_schema_get_chart (roast_recording_get_schema (recording), "derived");
  g_autoptr (RoastTableWriter) rows = roast_report_write_table (report, "derived", columns, NULL);
  g_autoptr (RoastScene) scene = NULL;

  for (guint i = 0; i < 3; i++)
    {
      roast_table_writer_set_int64 (rows, TIME, START + i * SECOND);
      roast_table_writer_set_double (rows, WORKER, i);
      roast_table_writer_end (rows, NULL);
    }
  snapshot = roast_recording_snapshot (recording);
  g_assert_true (roast_chart_is_worth (chart, snapshot, report));
  scene = roast_chart_draw (chart, snapshot, report, 640, 360, NULL);
  g_assert_nonnull (scene);
  g_assert_cmpstr (roast_scene_get_title (scene), ==, "Derived");
  g_assert_cmpstr (roast_scene_get_description (scene), ==, "d");
}

static void
test_is_worth (void)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableWriter) samples = write_table (recording, "samples", sample_columns);
  RoastChartInfo *chart = roast_schema_get_chart (roast_recording_get_schema (recording), "needs");

  for (guint i = 1; i <= 8; i++)
    {
      g_autoptr (RoastRecordingSnapshot) snapshot = NULL;

      /* The second one is not drawn, and what is zero all the time is not worth it. */
      add_sample (samples, i, "w", 1, i == 2 ? NAN : i >= 7 ? 1 : 0);
      snapshot = roast_recording_snapshot (recording);
      g_assert_cmpint (roast_chart_is_worth (chart, snapshot, NULL), ==, i >= 7);
    }
}

/* Names of rows that are not drawn are neither shown nor counted. */
static void
test_names_without_rows (void)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableWriter) jobs = write_table (recording, "jobs", job_columns);
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  g_autoptr (RoastScene) scene = NULL;
  g_autofree char *svg = NULL;

  roast_table_writer_set_string (jobs, JOB_WORKER, "never-started");
  roast_table_writer_set_string (jobs, CATEGORY, "never");
  roast_table_writer_end (jobs, NULL);
  add_job (jobs, "one", "c", 1, 2, 1, "done");
  add_job (jobs, "two", "c", 1, 2, 1, "done");
  snapshot = roast_recording_snapshot (recording);
  scene = draw (snapshot, "lanes", 640, 360, NULL);
  svg = roast_scene_to_svg (scene, ROAST_THEME_LIGHT, ROAST_SVG_FLAGS_NONE);
  g_assert_null (strstr (svg, "never"));
  g_assert_nonnull (strstr (svg, ">two<"));
}

/* An axis at the right for which nothing was measured is a note. */
static void
test_no_y2 (void)
{
  static const char *const columns[] = { "time", "memory", NULL };
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableWriter) samples = write_table (recording, "samples", columns);
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  g_autoptr (RoastScene) scene = NULL;
  g_autofree char *svg = NULL;

  for (guint i = 0; i < 5; i++)
    {
      roast_table_writer_set_int64 (samples, 0, START + i * SECOND);
      roast_table_writer_set_int64 (samples, 1, 1 + i);
      g_assert_true (roast_table_writer_end (samples, NULL));
    }
  snapshot = roast_recording_snapshot (recording);
  scene = draw (snapshot, "step", 640, 360, NULL);
  svg = roast_scene_to_svg (scene, ROAST_THEME_LIGHT, ROAST_SVG_FLAGS_NONE);
  g_assert_nonnull (strstr (svg, ">workers: not available</text>"));
  g_assert_null (strstr (svg, "(right)"));
}

/* ---- the width of a column in a journal ---- */

#define COLUMN_WIDTH 336
#define COLUMN_HEIGHT 252

/* A title in two lines, and all names of the legend, which are shortened. */
static void
test_narrow (void)
{
  static const char *const workers[] = { "tcp://192.168.100.100:40001", "tcp://192.168.100.100:40002",
                                         "tcp://192.168.100.100:40003", "tcp://192.168.100.100:40004",
                                         "tcp://192.168.100.100:40005", "tcp://192.168.100.100:40006" };
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableWriter) samples = write_table (recording, "samples", sample_columns);
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  g_autoptr (RoastScene) scene = NULL;
  g_autofree char *svg = NULL;

  for (guint i = 0; i < 10 * G_N_ELEMENTS (workers); i++)
    add_sample (samples, i, workers[i % G_N_ELEMENTS (workers)], 1000 + i, 1);
  snapshot = roast_recording_snapshot (recording);
  scene = draw (snapshot, "narrow", COLUMN_WIDTH, COLUMN_HEIGHT, NULL);
  check_layout (scene);
  svg = roast_scene_to_svg (scene, ROAST_THEME_LIGHT, ROAST_SVG_FLAGS_NONE);
  g_assert_nonnull (strstr (svg, ">Memory of workers as a share of what</text>"));
  g_assert_nonnull (strstr (svg, ">they may use</text>"));
  g_assert_null (strstr (svg, "more</text>"));
  for (guint i = 0; i < G_N_ELEMENTS (workers); i++)
    {
      g_autofree char *end = g_strconcat (workers[i] + strlen (workers[i]) - 6, "</text>", NULL);

      g_assert_nonnull (strstr (svg, end));
    }
}

typedef struct
{
  double guides, data; /* the lowest baseline, and the highest edge */
} Heights;

static void
measure_heights (const RoastSceneMark *mark, gpointer user_data)
{
  Heights *heights = user_data;

  if (mark->kind == ROAST_SCENE_MARK_KIND_TEXT && mark->role == ROAST_SCENE_ROLE_GUIDE)
    heights->guides = MAX (heights->guides, mark->xy[1]);
  for (guint i = 0; mark->role == ROAST_SCENE_ROLE_SERIES && i < mark->n; i++)
    heights->data = MIN (heights->data, mark->xy[4 * i + 1]);
}

/* Mean and median hide no bars. */
static void
test_labels_above_data (void)
{
  g_autoptr (RoastRecordingSnapshot) snapshot = make_snapshot ();
  g_autoptr (RoastScene) scene = draw (snapshot, "histogram", COLUMN_WIDTH, COLUMN_HEIGHT, NULL);
  Heights heights = { 0, COLUMN_HEIGHT };

  check_layout (scene);
  roast_scene_visit (scene, measure_heights, &heights);
  g_assert_cmpfloat (heights.guides, >, 0);
  g_assert_cmpfloat (heights.guides, <, heights.data);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (charts); i++)
    {
      g_autofree char *path = g_strconcat ("/chart-draw/golden/", charts[i], NULL);

      g_test_add_data_func (path, charts[i], test_golden);
    }
  g_test_add_func ("/chart-draw/any-rows", test_any_rows);
  g_test_add_func ("/chart-draw/any-size", test_any_size);
  g_test_add_func ("/chart-draw/many-rows", test_many_rows);
  g_test_add_func ("/chart-draw/lanes-overlap", test_lanes_overlap);
  g_test_add_func ("/chart-draw/lanes-short", test_lanes_short);
  g_test_add_func ("/chart-draw/not-available", test_not_available);
  g_test_add_func ("/chart-draw/share-of-nothing", test_share_of_nothing);
  g_test_add_func ("/chart-draw/missing-column", test_missing_column);
  g_test_add_func ("/chart-draw/derived", test_derived);
  g_test_add_func ("/chart-draw/is-worth", test_is_worth);

  g_test_add_func ("/chart-draw/names-without-rows", test_names_without_rows);
  g_test_add_func ("/chart-draw/no-y2", test_no_y2);
  g_test_add_func ("/chart-draw/narrow", test_narrow);
  g_test_add_func ("/chart-draw/labels-above-data", test_labels_above_data);

  return g_test_run ();
}
