/* SPDX-License-Identifier: BSD-3-Clause */

/* What a picture says of rows that are easily taken for something else: values that hold until they change, names that
 * two sources have, rows without a name, rates and shares. */

#include <math.h>
#include <roast/roast.h>
#include <string.h>

#define START G_GINT64_CONSTANT (1700000000000000) /* µs */
#define SECOND 1000000
#define SAMPLES "[chart c]\nTitle=T\nDescription=D\nTable=worker_samples\nX=time\n"
#define TASKS "[chart c]\nTitle=T\nDescription=D\nTable=tasks\n"

static RoastRecording *
new_recording (const char *text)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (GError) error = NULL;
  RoastRecording *recording = NULL;

  roast_schema_load_data (schema, bytes, "test", &error);
  g_assert_no_error (error);
  recording = roast_recording_new (schema);
  roast_recording_set_times (recording, START, START + 40 * SECOND);

  return recording;
}

static RoastTableWriter *
write_table (RoastRecording *recording, const char *table, const char *source, const char *const *columns)
{
  g_autoptr (GError) error = NULL;
  RoastTableWriter *writer = roast_recording_write_table (recording, table, source, columns, &error);

  g_assert_no_error (error);

  return writer;
}

static gint64
at (double seconds)
{
  return START + (gint64) (seconds * SECOND);
}

static RoastScene *
draw (RoastRecording *recording)
{
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autoptr (GError) error = NULL;
  RoastScene *scene = roast_chart_draw (roast_schema_get_chart (roast_recording_get_schema (recording), "c"), snapshot,
                                        NULL, 800, 400, &error);

  g_assert_no_error (error);

  return scene;
}

static gboolean
is_worth (RoastRecording *recording)
{
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);

  return roast_chart_is_worth (roast_schema_get_chart (roast_recording_get_schema (recording), "c"), snapshot, NULL);
}

static void
add_text (const RoastSceneMark *mark, gpointer data)
{
  if (mark->kind == ROAST_SCENE_MARK_KIND_TEXT)
    g_ptr_array_add (data, g_strdup (mark->text));
}

static gboolean
has_text (RoastScene *scene, const char *text)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);

  roast_scene_visit (scene, add_text, texts);
  for (guint i = 0; i < texts->len; i++)
    if (g_str_equal (g_ptr_array_index (texts, i), text))
      return TRUE;
  for (guint i = 0; i < texts->len; i++)
    g_test_message ("text: %s", (char *) g_ptr_array_index (texts, i));

  return FALSE;
}

/* ---- values of lines, from pixels ---- */

typedef struct
{
  const char *name;
  double left, right, ground; /* of the axes */
  GArray *line;               /* of double: x and y in px */
  double widths;              /* of rectangles of this name */
  double pale_widths;         /* of those that are pale */
} Looking;

static void
look (const RoastSceneMark *mark, gpointer data)
{
  Looking *self = data;

  if (mark->kind == ROAST_SCENE_MARK_KIND_POLYLINE && mark->role == ROAST_SCENE_ROLE_AXIS && mark->n == 2 &&
      mark->xy[1] == mark->xy[3] && mark->xy[2] - mark->xy[0] > 400)
    {
      self->left = mark->xy[0];
      self->right = mark->xy[2];
      self->ground = mark->xy[1];
    }
  if (g_strcmp0 (mark->name, self->name) != 0)
    return;
  if (mark->kind == ROAST_SCENE_MARK_KIND_POLYLINE && mark->role == ROAST_SCENE_ROLE_SERIES)
    g_array_append_vals (self->line, mark->xy, 2 * mark->n);
  if (mark->kind == ROAST_SCENE_MARK_KIND_RECTANGLES)
    for (guint i = 0; i < mark->n; i++)
      {
        self->widths += mark->xy[4 * i + 2];
        self->pale_widths += mark->role == ROAST_SCENE_ROLE_BAND ? mark->xy[4 * i + 2] : 0;
      }
}

/* Height in px of a step line at a time, where the run is 40 s long. */
static double
get_height (RoastScene *scene, const char *name, double seconds)
{
  g_autoptr (GArray) line = g_array_new (FALSE, FALSE, sizeof (double));
  Looking looking = { .name = name, .line = line };
  double height = NAN;
  double x = 0;

  roast_scene_visit (scene, look, &looking);
  x = looking.left + (looking.right - looking.left) * seconds / 40;
  for (guint i = 0; i + 1 < line->len; i += 2)
    if (g_array_index (line, double, i) <= x)
      height = looking.ground - g_array_index (line, double, i + 1);
  if (line->len > 0 && g_array_index (line, double, line->len - 2) < x)
    return NAN;

  return height;
}

static double
get_widths (RoastScene *scene, const char *name)
{
  g_autoptr (GArray) line = g_array_new (FALSE, FALSE, sizeof (double));
  Looking looking = { .name = name, .line = line };

  roast_scene_visit (scene, look, &looking);

  return looking.widths;
}

static double
get_pale_widths (RoastScene *scene, const char *name)
{
  g_autoptr (GArray) line = g_array_new (FALSE, FALSE, sizeof (double));
  Looking looking = { .name = name, .line = line };

  roast_scene_visit (scene, look, &looking);

  return looking.pale_widths;
}

/* ---- samples ---- */

enum
{
  TIME,
  WORKER,
  MEMORY,
  LIMIT,
};

static const char *const sample_columns[] = { "time", "worker", "memory", "memory_limit", NULL };

static void
add_sample (RoastTableWriter *samples, double time, const char *worker, gint64 memory, gint64 limit)
{
  roast_table_writer_set_int64 (samples, TIME, at (time));
  roast_table_writer_set_string (samples, WORKER, worker);
  roast_table_writer_set_int64 (samples, MEMORY, memory);
  if (limit > 0)
    roast_table_writer_set_int64 (samples, LIMIT, limit);
  roast_table_writer_end (samples, NULL);
}

static void
add_worker (RoastTableWriter *workers, const char *worker, double joined, double left)
{
  roast_table_writer_set_string (workers, 0, worker);
  roast_table_writer_set_int64 (workers, 1, at (joined));
  if (!isnan (left))
    roast_table_writer_set_int64 (workers, 2, at (left));
  roast_table_writer_end (workers, NULL);
}

static const char *const worker_columns[] = { "worker", "joined", "left", NULL };

/* Rows that are written when something changes: the sum is of what each had last, until it left. */
static void
test_held_sum (gconstpointer kind)
{
  g_autofree char *text = g_strdup_printf (SAMPLES "Kind=%s\nY=memory\nCombine=sum\n", (const char *) kind);
  g_autoptr (RoastRecording) recording = new_recording (text);
  g_autoptr (RoastTableWriter) samples = write_table (recording, "worker_samples", "one", sample_columns);
  g_autoptr (RoastTableWriter) others = write_table (recording, "worker_samples", "two", sample_columns);
  g_autoptr (RoastTableWriter) workers = write_table (recording, "workers", "one", worker_columns);
  g_autoptr (RoastScene) scene = NULL;

  add_worker (workers, "a", 0, NAN);
  add_worker (workers, "b", 10, 30);
  add_sample (samples, 0, "a", 100, 0);
  add_sample (samples, 10, "b", 200, 0);
  add_sample (samples, 15, "a", 300, 0);
  /* The same name, another worker. */
  add_sample (others, 20, "a", 500, 0);
  scene = draw (recording);
  {
    /* Half a pixel is 2. */
    double unit = get_height (scene, "memory", 25) / 1000;

    g_assert_cmpfloat (unit, >, 0);
    g_assert_cmpfloat_with_epsilon (get_height (scene, "memory", 5) / unit, 100, 3);
    g_assert_cmpfloat_with_epsilon (get_height (scene, "memory", 12) / unit, 300, 3);
    g_assert_cmpfloat_with_epsilon (get_height (scene, "memory", 17) / unit, 500, 3);
    g_assert_cmpfloat_with_epsilon (get_height (scene, "memory", 35) / unit, 800, 3);
    g_assert_cmpfloat_with_epsilon (get_height (scene, "memory", 39.9) / unit, 800, 3);
  }
}

/* The sum of one over the sum of the other, not the sum of quotients. */
static void
test_held_ratio (void)
{
  g_autoptr (RoastRecording) recording = new_recording (SAMPLES "Kind=step\nY=memory\nPer=memory_limit\nCombine=sum\n");
  g_autoptr (RoastTableWriter) samples = write_table (recording, "worker_samples", "one", sample_columns);
  g_autoptr (RoastScene) scene = NULL;

  add_sample (samples, 0, "a", 100, 1000);
  add_sample (samples, 10, "b", 700, 3000);
  /* It has no limit, so there is no share. */
  add_sample (samples, 20, "c", 700, 0);
  scene = draw (recording);
  g_assert_cmpfloat_with_epsilon (get_height (scene, "memory", 15) / get_height (scene, "memory", 5), 2, 0.02);
  g_assert_cmpfloat_with_epsilon (get_height (scene, "memory", 35) / get_height (scene, "memory", 5), 2, 0.02);
}

static void
test_no_limits (void)
{
  g_autoptr (RoastRecording) recording =
      new_recording (SAMPLES "Kind=line\nY=memory\nPer=memory_limit\nGroup=worker\n");
  g_autoptr (RoastTableWriter) samples = write_table (recording, "worker_samples", "one", sample_columns);
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 10; i++)
    add_sample (samples, i, "a", 100, 0);
  g_assert_false (is_worth (recording));
  snapshot = roast_recording_snapshot (recording);
  g_assert_null (roast_chart_draw (roast_schema_get_chart (roast_recording_get_schema (recording), "c"), snapshot, NULL,
                                   800, 400, &error));
  g_assert_error (error, ROAST_CHART_ERROR, ROAST_CHART_ERROR_NOT_AVAILABLE);
}

/* A worker of one source and one of another that have the same name are two, and only these are named with it. */
static void
test_two_sources (void)
{
  g_autoptr (RoastRecording) recording = new_recording (SAMPLES "Kind=step\nY=memory\nGroup=worker\n");
  g_autoptr (RoastTableWriter) samples = write_table (recording, "worker_samples", "dask-1", sample_columns);
  g_autoptr (RoastTableWriter) others = write_table (recording, "worker_samples", "vine-1", sample_columns);
  g_autoptr (RoastScene) scene = NULL;

  for (guint i = 0; i < 40; i += 5)
    {
      add_sample (samples, i, "a", 100, 0);
      add_sample (others, i, "a", 300, 0);
      add_sample (others, i, "b", 200, 0);
    }
  scene = draw (recording);
  g_assert_true (has_text (scene, "a (dask-1)"));
  g_assert_true (has_text (scene, "a (vine-1)"));
  g_assert_true (has_text (scene, "b"));
  g_assert_cmpfloat_with_epsilon (get_height (scene, "a (vine-1)", 12) / get_height (scene, "a (dask-1)", 12), 3, 0.03);
}

/* One that was near its limit for a moment is shown before many that never were. */
static void
test_highest (void)
{
  g_autoptr (RoastRecording) recording =
      new_recording (SAMPLES "Kind=line\nY=memory\nPer=memory_limit\nGroup=worker\nTop=2\n");
  g_autoptr (RoastTableWriter) samples = write_table (recording, "worker_samples", "one", sample_columns);
  g_autoptr (RoastScene) scene = NULL;

  for (guint i = 0; i < 40; i++)
    {
      add_sample (samples, i, "a", 1000, 16000);
      add_sample (samples, i, "b", 2000, 16000);
      add_sample (samples, i, "c", 3000, 160000);
    }
  add_sample (samples, 20, "d", 900, 1000);
  add_sample (samples, 21, "e", 900, 0);
  scene = draw (recording);
  g_assert_true (has_text (scene, "d"));
  g_assert_true (has_text (scene, "b"));
  g_assert_false (has_text (scene, "a"));
  g_assert_true (has_text (scene, "shown: 2 of 4 workers, those with the highest values; not shown, because no memory "
                                  "limit is known: e"));
}

static void
count_guides (const RoastSceneMark *mark, gpointer data)
{
  if (mark->kind != ROAST_SCENE_MARK_KIND_POLYLINE || mark->role != ROAST_SCENE_ROLE_GUIDE)
    return;
  *(guint *) data += 1;
  for (guint i = 3; i < 2 * mark->n; i += 2)
    g_assert_cmpfloat (mark->xy[i], ==, mark->xy[1]);
}

/* Each worker has its limit: equal ones are one line, and many a note. */
static void
test_limits (void)
{
  for (guint n = 1; n <= 5; n++)
    {
      g_autoptr (RoastRecording) recording =
          new_recording (SAMPLES "Kind=line\nY=memory\nGroup=worker\nGuides=column memory_limit limit\n");
      g_autoptr (RoastTableWriter) samples = write_table (recording, "worker_samples", "one", sample_columns);
      g_autoptr (RoastScene) scene = NULL;
      guint n_guides = 0;

      for (guint i = 0; i < 40; i++)
        {
          for (guint k = 0; k < n; k++)
            {
              g_autofree char *name = g_strdup_printf ("w%u", k);

              add_sample (samples, i, name, 512, 1024 + 256 * (gint64) (k / 2));
            }
          add_sample (samples, i, "unlimited", 512, 0);
        }
      scene = draw (recording);
      roast_scene_visit (scene, count_guides, &n_guides);
      g_assert_cmpuint (n_guides, ==, (n + 1) / 2);
      g_assert_cmpint (has_text (scene, "limit"), ==, n <= 2);
      g_assert_cmpint (has_text (scene, "limit, w2"), ==, n > 2);
    }
}

static void
test_many_limits (void)
{
  g_autoptr (RoastRecording) recording =
      new_recording (SAMPLES "Kind=line\nY=memory\nGroup=worker\nGuides=column memory_limit limit\n");
  g_autoptr (RoastTableWriter) samples = write_table (recording, "worker_samples", "one", sample_columns);
  g_autoptr (RoastScene) scene = NULL;
  guint n_guides = 0;

  for (guint i = 0; i < 40; i++)
    for (guint k = 0; k < 4; k++)
      {
        g_autofree char *name = g_strdup_printf ("w%u", k);

        add_sample (samples, i, name, 1000, 1024 + 256 * (gint64) k);
      }
  scene = draw (recording);
  roast_scene_visit (scene, count_guides, &n_guides);
  g_assert_cmpuint (n_guides, ==, 0);
  g_assert_true (has_text (scene, "limit: from 1.00 KiB to 1.75 KiB"));
}

/* Processes of the program are not workers of an executor. */
static void
test_where_source (void)
{
  static const char *const kind[] = { "worker_kind", NULL };
  g_autoptr (RoastRecording) recording =
      new_recording (SAMPLES "Kind=step\nY=memory\nGroup=worker\nWhere=source.worker_kind=|worker\n");
  g_autoptr (RoastTableWriter) samples = write_table (recording, "worker_samples", "local-1", sample_columns);
  g_autoptr (RoastTableWriter) others = write_table (recording, "worker_samples", "dask-1", sample_columns);
  g_autoptr (RoastTableWriter) local = write_table (recording, "sources", "local-1", kind);
  g_autoptr (RoastTableWriter) dask = write_table (recording, "sources", "dask-1", kind);
  g_autoptr (RoastScene) scene = NULL;

  roast_table_writer_set_string (local, 0, "process");
  roast_table_writer_end (local, NULL);
  roast_table_writer_end (dask, NULL);
  for (guint i = 0; i < 10; i++)
    add_sample (samples, i, "process", 100, 0);
  g_assert_false (is_worth (recording));
  for (guint i = 0; i < 10; i++)
    add_sample (others, i, "worker", 100, 0);
  g_assert_true (is_worth (recording));
  scene = draw (recording);
  g_assert_true (has_text (scene, "worker"));
  g_assert_false (has_text (scene, "process"));
}

/* ---- tasks ---- */

static const char *const task_columns[] = { "task",  "worker",   "category", "started",
                                            "ended", "bytes_in", "attempt",  NULL };

static void
add_task (RoastTableWriter *tasks, const char *worker, const char *category, double started, double ended, gint64 bytes)
{
  static guint n = 0;
  g_autofree char *task = g_strdup_printf ("task-%u", n++);

  roast_table_writer_set_string (tasks, 0, task);
  roast_table_writer_set_string (tasks, 1, worker);
  roast_table_writer_set_string (tasks, 2, category);
  roast_table_writer_set_int64 (tasks, 3, at (started));
  roast_table_writer_set_int64 (tasks, 4, at (ended));
  roast_table_writer_set_int64 (tasks, 5, bytes);
  roast_table_writer_set_int64 (tasks, 6, 1);
  roast_table_writer_end (tasks, NULL);
}

/* Rows of 2,000 x, of two sources: x by x, or source by source. */
static char *
draw_sums (const char *kind, gboolean by_source)
{
  g_autofree char *text = g_strdup_printf (TASKS "Kind=%s\nX=bytes_in\nY=attempt\nCombine=sum\n", kind);
  g_autoptr (RoastRecording) recording = new_recording (text);
  g_autoptr (RoastTableWriter) tasks = write_table (recording, "tasks", "one", task_columns);
  g_autoptr (RoastScene) scene = NULL;

  for (guint i = 0; i < 4000; i++)
    {
      guint x = by_source ? i % 2000 : i / 2;

      add_task (tasks, i % 3 == 0 ? "a" : "b", "c", 0, 1, x);
    }
  scene = draw (recording);

  return roast_scene_to_svg (scene, ROAST_THEME_LIGHT, ROAST_SVG_FLAGS_NONE);
}

static void
test_sum_in_any_order (gconstpointer kind)
{
  g_autofree char *together = draw_sums (kind, FALSE);
  g_autofree char *by_source = draw_sums (kind, TRUE);

  g_assert_cmpstr (together, ==, by_source);
}

/* A unit is shown: with the numbers, or with the name of the column. */
static void
test_units (void)
{
  static const char *const columns[] = { "time", "power", "core_seconds", "share", NULL };
  static const char *const labels[][2] = {
    { "Kind=line\nX=time\nY=power\n", "power (W)" },
    { "Kind=line\nX=time\nY=core_seconds\n", "core time (s)" },
    { "Kind=line\nX=time\nY=power\nCombine=mean\n", "mean power (W)" },
    { "Kind=line\nX=time\nY=power\nPer=power\n", "power / power (%)" },
    { "Kind=bars\nX=share\nY=power\n", "50 %" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    {
      g_autofree char *text =
          g_strconcat ("[table t]\nDescription=d\n[columns t]\ntime=int64 us: t\npower=double W: p\n"
                       "core_seconds=double s: c\nshare=double: s\n[chart c]\nTitle=T\nDescription=D\nTable=t\n",
                       labels[i][0], NULL);
      g_autoptr (RoastRecording) recording = new_recording (text);
      g_autoptr (RoastTableWriter) rows = write_table (recording, "t", "one", columns);
      g_autoptr (RoastScene) scene = NULL;

      for (guint k = 0; k < 10; k++)
        {
          roast_table_writer_set_int64 (rows, 0, at (k));
          roast_table_writer_set_double (rows, 1, k);
          roast_table_writer_set_double (rows, 2, k);
          roast_table_writer_set_double (rows, 3, k / 10.0);
          roast_table_writer_end (rows, NULL);
        }
      scene = draw (recording);
      g_assert_true (has_text (scene, labels[i][1]));
    }
}

typedef struct
{
  const char *name;
  guint palette;
} Painted;

static void
find_palette (const RoastSceneMark *mark, gpointer data)
{
  Painted *painted = data;

  if (mark->kind == ROAST_SCENE_MARK_KIND_RECTANGLES && g_strcmp0 (mark->name, painted->name) == 0)
    painted->palette = mark->palette;
}

/* Computing is blue whether or not something failed, and words are called what their vocabulary's labels say. */
static void
test_words (void)
{
  static const char *const own[] = { "name", "part", "seconds", NULL };

  for (guint with_failed = 0; with_failed < 2; with_failed++)
    {
      g_autoptr (RoastRecording) recording =
          new_recording ("[table t]\nDescription=d\n[columns t]\nname=category: n\npart=category of core_part: p\n"
                         "seconds=double s: s\n[chart c]\nTitle=T\nDescription=D\nTable=t\nKind=bars\nX=name\n"
                         "Y=seconds\nGroup=part\nCombine=sum\nNeeds=1\n");
      g_autoptr (RoastTableWriter) rows = write_table (recording, "t", "one", own);
      g_autoptr (RoastScene) scene = NULL;
      Painted computing = { "tasks: computing", G_MAXUINT };
      Painted failed = { "lost: failed", G_MAXUINT };

      for (guint i = 0; i < 2 + with_failed; i++)
        {
          roast_table_writer_set_string (rows, 0, "all");
          roast_table_writer_set_string (rows, 1, i == 0 ? "task.cpu" : i == 1 ? "idle.no_work" : "lost.failed");
          roast_table_writer_set_double (rows, 2, 10);
          roast_table_writer_end (rows, NULL);
        }
      scene = draw (recording);
      g_assert_true (has_text (scene, "idle: no task ready"));
      roast_scene_visit (scene, find_palette, &computing);
      roast_scene_visit (scene, find_palette, &failed);
      g_assert_cmpuint (computing.palette, ==, 0);
      g_assert_cmpuint (failed.palette, ==, with_failed ? 3 : G_MAXUINT);
    }
}

static void
collect_dots (const RoastSceneMark *mark, gpointer data)
{
  if (mark->kind == ROAST_SCENE_MARK_KIND_CIRCLES && mark->role == ROAST_SCENE_ROLE_SERIES)
    for (guint i = 0; i < mark->n; i++)
      g_array_append_val (data, mark->xy[2 * i]);
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const double *first = a;
  const double *second = b;

  return (*first > *second) - (*first < *second);
}

/* Sizes are spread over orders of magnitude like times. */
static void
test_log_scatter (void)
{
  g_autoptr (RoastRecording) recording = new_recording (TASKS "Kind=scatter\nX=bytes_in\nY=ended-started\nScale=log\n");
  g_autoptr (RoastTableWriter) tasks = write_table (recording, "tasks", "one", task_columns);
  g_autoptr (GArray) dots = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (RoastScene) scene = NULL;

  add_task (tasks, "w", "c", 0, 0.01, 1 << 10);
  add_task (tasks, "w", "c", 0, 1, 1 << 20);
  add_task (tasks, "w", "c", 0, 30, 1 << 30);
  add_task (tasks, "w", "c", 0, 30, 0);
  scene = draw (recording);
  roast_scene_visit (scene, collect_dots, dots);
  g_assert_cmpuint (dots->len, ==, 3);
  g_array_sort (dots, compare_numbers);
  g_assert_cmpfloat_with_epsilon (g_array_index (dots, double, 1) - g_array_index (dots, double, 0),
                                  g_array_index (dots, double, 2) - g_array_index (dots, double, 1), 2);
  g_assert_true (has_text (scene, "zero and negative values are not shown: the scale is logarithmic"));
}

/* Lines of a rate begin where both axes are zero. */
static void
test_rates (void)
{
  g_autoptr (RoastRecording) recording =
      new_recording (TASKS "Kind=scatter\nX=attempt\nY=ended-started\nGuides=per-second 2 2 Hz\n");
  g_autoptr (RoastTableWriter) tasks = write_table (recording, "tasks", "one", task_columns);
  g_autoptr (RoastScene) scene = NULL;

  for (guint i = 0; i < 20; i++)
    add_task (tasks, "w", "c", 0, 2 + i / 10.0, i);
  scene = draw (recording);
  g_assert_true (has_text (scene, "0.0"));
}

static void
test_long_tail (void)
{
  static const char *const note = "logarithmic scale: each bin is wider than the bin before";
  g_autoptr (RoastRecording) recording = new_recording (TASKS "Kind=histogram\nX=ended-started\n");
  g_autoptr (RoastTableWriter) tasks = write_table (recording, "tasks", "one", task_columns);
  g_autoptr (RoastScene) even = NULL;
  g_autoptr (RoastScene) missing = NULL;
  g_autoptr (RoastScene) tailed = NULL;

  for (guint i = 0; i < 100; i++)
    add_task (tasks, "w", "c", 0, 0.05 + i / 1000.0, 1);
  even = draw (recording);
  g_assert_false (has_text (even, note));
  for (guint i = 0; i < 2; i++)
    {
      roast_table_writer_set_string (tasks, 0, i == 0 ? "under way" : "never started");
      roast_table_writer_set_string (tasks, 1, "w");
      roast_table_writer_set_int64 (tasks, 6, 1);
      g_assert_true (roast_table_writer_end (tasks, NULL));
    }
  missing = draw (recording);
  g_assert_true (has_text (missing, "2 tasks without a duration are not shown"));
  add_task (tasks, "w", "c", 0, 30, 1);
  tailed = draw (recording);
  g_assert_true (has_text (tailed, "2 tasks without a duration are not shown; logarithmic scale: each bin is wider "
                                   "than the bin before"));
}

/* Others that are far more than the largest bar would leave nothing of it. */
static void
test_huge_others (void)
{
  g_autoptr (RoastRecording) recording =
      new_recording (TASKS "Kind=bars\nX=worker\nY=ended-started\nCombine=sum\nTop=2\n");
  g_autoptr (RoastTableWriter) tasks = write_table (recording, "tasks", "one", task_columns);
  g_autoptr (RoastScene) scene = NULL;

  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *worker = g_strdup_printf ("w%u", i);

      add_task (tasks, worker, "c", 0, 2, 1);
    }
  scene = draw (recording);
  g_assert_false (has_text (scene, "18 others"));
  g_assert_true (has_text (scene,
                           "not shown: 18 others, with a sum of 36.0 s; shown: 2 of 20 workers, those with the largest "
                           "values"));
}

static void
test_no_lane (void)
{
  g_autoptr (RoastRecording) recording =
      new_recording (TASKS
                     "Kind=lanes\nX=started\nEnd=ended\nLane=worker\nGroup=category\nMissing=of no kind\nNeeds=1\n");
  g_autoptr (RoastTableWriter) tasks = write_table (recording, "tasks", "one", task_columns);
  g_autoptr (RoastScene) scene = NULL;

  add_task (tasks, NULL, "a", 0, 40, 0);
  g_assert_false (is_worth (recording));
  add_task (tasks, NULL, "a", 0, 40, 0);
  add_task (tasks, "w", "a", 0, 10, 0);
  add_task (tasks, "w", NULL, 10, 20, 0);
  g_assert_true (is_worth (recording));
  scene = draw (recording);
  g_assert_true (has_text (scene, "2 tasks without a worker are not shown"));
  g_assert_true (has_text (scene, "of no kind"));
  g_assert_cmpfloat_with_epsilon (get_widths (scene, "a"), get_widths (scene, "of no kind"), 0.5);
}

/* Of many lanes, those with the most time are shown, and of the rest also the one with the least. */
static void
test_lanes_of_both_ends (void)
{
  g_autoptr (RoastRecording) recording = new_recording (TASKS "Kind=lanes\nX=started\nEnd=ended\nLane=worker\nTop=4\n");
  g_autoptr (RoastTableWriter) tasks = write_table (recording, "tasks", "one", task_columns);
  g_autoptr (RoastScene) scene = NULL;

  for (guint i = 1; i <= 20; i++)
    {
      g_autofree char *worker = g_strdup_printf ("w%u", i);

      add_task (tasks, worker, "c", 0, i, 1);
    }
  scene = draw (recording);
  g_assert_true (has_text (scene, "w20"));
  g_assert_true (has_text (scene, "w19"));
  g_assert_true (has_text (scene, "w10"));
  g_assert_true (has_text (scene, "w1"));
  g_assert_true (has_text (scene,
                           "shown: 4 of 20 workers: the 2 with the most time, and an even selection of the others"));
}

static void
add_process (RoastTableWriter *processes, gint64 number, const char *origin, double started, double ended, gint64 count)
{
  roast_table_writer_set_int64 (processes, 0, number);
  roast_table_writer_set_string (processes, 1, "gcc");
  roast_table_writer_set_string (processes, 2, origin);
  if (!isnan (started))
    {
      roast_table_writer_set_int64 (processes, 3, at (started));
      roast_table_writer_set_int64 (processes, 4, at (ended));
    }
  if (count > 0)
    roast_table_writer_set_int64 (processes, 5, count);
  roast_table_writer_end (processes, NULL);
}

/* Of an end that was noticed by the next sample, only what is before the last one is certain. What has no start is
 * counted by what it stands for. */
static void
test_late (void)
{
  static const char *const columns[] = { "process", "command", "origin", "started", "ended", "count", NULL };
  g_autoptr (RoastRecording) recording =
      new_recording ("[chart c]\nTitle=T\nDescription=D\nTable=processes\nKind=lanes\nX=started\nEnd=ended\n"
                     "Lane=command\nGroup=command\nCount=count\nLate=origin=sampled\nNeeds=1\n");
  g_autoptr (RoastTableWriter) processes = write_table (recording, "processes", "local", columns);
  g_autoptr (RoastScene) scene = NULL;
  g_autoptr (RoastScene) more = NULL;
  double exact = 0;

  roast_recording_set_metadata (recording, "interval", g_variant_new_int64 (2 * SECOND));
  add_process (processes, 1, "exact", 0, 10, 1);
  scene = draw (recording);
  exact = get_widths (scene, "gcc");
  g_assert_false (has_text (scene, "the end of a pale bar may have been noticed up to 2.00 s late"));
  add_process (processes, 2, "sampled", 20, 30, 1);
  add_process (processes, 3, "sampled", 35, 36, 1);
  add_process (processes, -1, "shared", NAN, NAN, 103);
  scene = (g_object_unref (scene), draw (recording));
  g_assert_cmpfloat_with_epsilon (get_widths (scene, "gcc"), exact * 2.1, 1);
  g_assert_cmpfloat_with_epsilon (get_pale_widths (scene, "gcc"), exact * 0.3, 1);
  g_assert_true (has_text (scene,
                           "103 processes without a start time are not shown; the end of a pale bar may have been "
                           "noticed up to 2.00 s late"));
  add_process (processes, -2, "folded", NAN, NAN, 0);
  more = draw (recording);
  g_assert_true (has_text (more,
                           "at least 103 processes without a start time are not shown; the end of a pale bar may have "
                           "been noticed up to 2.00 s late"));
}

static void
test_no_name (void)
{
  g_autoptr (RoastRecording) recording =
      new_recording (TASKS "Kind=bars\nX=worker\nY=bytes_in\nGroup=category\nCombine=sum\n");
  g_autoptr (RoastTableWriter) tasks = write_table (recording, "tasks", "one", task_columns);
  g_autoptr (RoastScene) scene = NULL;

  add_task (tasks, NULL, "a", 0, 1, 5);
  add_task (tasks, "w", NULL, 0, 1, 5);
  scene = draw (recording);
  g_assert_true (has_text (scene, "no worker"));
  g_assert_true (has_text (scene, "no category"));
}

/* Parts of each bar, in percent of it. */
static void
test_shares (void)
{
  g_autoptr (RoastRecording) recording =
      new_recording (TASKS "Kind=bars\nX=worker\nY=bytes_in\nGroup=category\nCombine=sum\nScale=share\n");
  g_autoptr (RoastTableWriter) tasks = write_table (recording, "tasks", "one", task_columns);
  g_autoptr (RoastScene) scene = NULL;

  add_task (tasks, "v", "a", 0, 1, 1);
  add_task (tasks, "v", "b", 0, 1, 3);
  add_task (tasks, "w", "a", 0, 1, 1000);
  scene = draw (recording);
  /* 25 % and 100 % are a, 75 % is b. */
  g_assert_cmpfloat_with_epsilon (get_widths (scene, "a") / get_widths (scene, "b"), 125.0 / 75, 0.01);
  g_assert_true (has_text (scene, "100"));
  g_assert_true (has_text (scene, "share of bytes in (%)"));
}

/* Rows that cannot be added up have no bar of others. */
static void
test_others (gconstpointer data)
{
  gboolean is_sum = GPOINTER_TO_INT (data);
  g_autofree char *text =
      g_strconcat (TASKS "Kind=bars\nX=worker\nY=bytes_in\nTop=2\n", is_sum ? "Combine=sum\n" : "", NULL);
  g_autoptr (RoastRecording) recording = new_recording (text);
  g_autoptr (RoastTableWriter) tasks = write_table (recording, "tasks", "one", task_columns);
  g_autoptr (RoastScene) scene = NULL;

  for (guint i = 1; i <= 5; i++)
    {
      char worker[] = { (char) ('a' + i), '\0' };

      add_task (tasks, worker, "c", 0, 1, i);
    }
  scene = draw (recording);
  g_assert_cmpint (has_text (scene, "3 others"), ==, is_sum);
  g_assert_cmpint (has_text (scene, "shown: 2 of 5 workers, those with the largest values"), ==, !is_sum);
}

/* Names of two columns; the source only where there are several. */
static void
test_pairs (void)
{
  for (guint n = 1; n <= 2; n++)
    {
      g_autoptr (RoastRecording) recording =
          new_recording (TASKS "Kind=bars\nX=source;category\nY=bytes_in\nCombine=sum\n");
      g_autoptr (RoastTableWriter) tasks = write_table (recording, "tasks", "one", task_columns);
      g_autoptr (RoastTableWriter) others = write_table (recording, "tasks", "two", task_columns);
      g_autoptr (RoastScene) scene = NULL;

      add_task (tasks, "w", "a", 0, 1, 5);
      add_task (tasks, "w", "b", 0, 1, 5);
      if (n == 2)
        add_task (others, "w", "a", 0, 1, 5);
      scene = draw (recording);
      g_assert_cmpint (has_text (scene, "a"), ==, n == 1);
      g_assert_cmpint (has_text (scene, "one, a"), ==, n == 2);
      g_assert_cmpint (has_text (scene, "two, a"), ==, n == 2);
    }
}

/* What has no room is a bar, not one of the things that the first column names. */
static void
test_pairs_left_out (void)
{
  g_autoptr (RoastRecording) recording = new_recording (TASKS "Kind=bars\nX=worker;category\nY=bytes_in\nTop=2\n");
  g_autoptr (RoastTableWriter) tasks = write_table (recording, "tasks", "one", task_columns);
  g_autoptr (RoastScene) scene = NULL;

  add_task (tasks, "w", "a", 0, 1, 5);
  add_task (tasks, "w", "b", 0, 1, 6);
  add_task (tasks, "w", "c", 0, 1, 7);
  scene = draw (recording);
  g_assert_true (has_text (scene, "w, c"));
  g_assert_true (has_text (scene, "shown: 2 of 3 bars, those with the largest values"));
}

static void
test_fit (void)
{
  static const struct
  {
    double at_zero, slope; /* s, and s per MiB */
    const char *text;
  } lines[] = {
    { 2, 0.5, "fit: 2.00 s + 500 ms per MiB" },
    { 12, -0.5, "fit: 12.0 s − 500 ms per MiB" },
    { -2, 3, "fit: −2.00 s + 3.00 s per MiB" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (RoastRecording) recording =
          new_recording (TASKS "Kind=scatter\nX=bytes_in\nY=ended-started\nFit=linear\n");
      g_autoptr (RoastTableWriter) tasks = write_table (recording, "tasks", "one", task_columns);
      g_autoptr (RoastScene) scene = NULL;

      for (guint k = 1; k <= 10; k++)
        add_task (tasks, "w", "c", 0, lines[i].at_zero + lines[i].slope * k, (gint64) k << 20);
      scene = draw (recording);
      g_assert_true (has_text (scene, lines[i].text));
    }
}

/* Points that are side by side say nothing of a slope. */
static void
test_no_fit (void)
{
  g_autoptr (RoastRecording) recording =
      new_recording (TASKS "Kind=scatter\nX=bytes_in\nY=ended-started\nFit=linear\n");
  g_autoptr (RoastTableWriter) tasks = write_table (recording, "tasks", "one", task_columns);
  g_autoptr (RoastScene) scene = NULL;

  for (guint k = 1; k <= 10; k++)
    add_task (tasks, "w", "c", 0, k, 100000 + k);
  scene = draw (recording);
  g_assert_true (has_text (scene, "no line is fitted: the values of bytes in differ by less than 10 %"));
}

/* One value has no distribution. */
static void
test_constant (void)
{
  g_autoptr (RoastRecording) recording = new_recording (TASKS "Kind=histogram\nX=bytes_in\n");
  g_autoptr (RoastTableWriter) tasks = write_table (recording, "tasks", "one", task_columns);

  for (guint k = 1; k <= 10; k++)
    add_task (tasks, "w", "c", 0, 1, 8);
  g_assert_false (is_worth (recording));
  add_task (tasks, "w", "c", 0, 1, 9);
  g_assert_true (is_worth (recording));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/chart-meaning/held-sum/line", "line", test_held_sum);
  g_test_add_data_func ("/chart-meaning/held-sum/step", "step", test_held_sum);
  g_test_add_data_func ("/chart-meaning/held-sum/area", "area", test_held_sum);
  g_test_add_data_func ("/chart-meaning/sum-in-any-order/line", "line", test_sum_in_any_order);
  g_test_add_func ("/chart-meaning/held-ratio", test_held_ratio);
  g_test_add_func ("/chart-meaning/no-limits", test_no_limits);
  g_test_add_func ("/chart-meaning/two-sources", test_two_sources);
  g_test_add_func ("/chart-meaning/highest", test_highest);
  g_test_add_func ("/chart-meaning/limits", test_limits);
  g_test_add_func ("/chart-meaning/many-limits", test_many_limits);
  g_test_add_func ("/chart-meaning/lanes-of-both-ends", test_lanes_of_both_ends);
  g_test_add_func ("/chart-meaning/where-source", test_where_source);
  g_test_add_func ("/chart-meaning/units", test_units);
  g_test_add_func ("/chart-meaning/words", test_words);
  g_test_add_func ("/chart-meaning/log-scatter", test_log_scatter);
  g_test_add_func ("/chart-meaning/rates", test_rates);
  g_test_add_func ("/chart-meaning/long-tail", test_long_tail);
  g_test_add_func ("/chart-meaning/huge-others", test_huge_others);
  g_test_add_func ("/chart-meaning/no-lane", test_no_lane);
  g_test_add_func ("/chart-meaning/late", test_late);
  g_test_add_func ("/chart-meaning/no-name", test_no_name);
  g_test_add_func ("/chart-meaning/shares", test_shares);
  g_test_add_data_func ("/chart-meaning/others/rows", GINT_TO_POINTER (FALSE), test_others);
  g_test_add_data_func ("/chart-meaning/others/sum", GINT_TO_POINTER (TRUE), test_others);
  g_test_add_func ("/chart-meaning/pairs", test_pairs);
  g_test_add_func ("/chart-meaning/pairs-left-out", test_pairs_left_out);
  g_test_add_func ("/chart-meaning/fit", test_fit);
  g_test_add_func ("/chart-meaning/no-fit", test_no_fit);
  g_test_add_func ("/chart-meaning/constant", test_constant);

  return g_test_run ();
}
