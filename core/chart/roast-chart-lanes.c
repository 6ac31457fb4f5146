/* SPDX-License-Identifier: BSD-3-Clause */

/* Draws stretches of time in lanes. If there are few stretches, each gets its own rectangle, and a lane has several
 * rows, so that rectangles do not overlap. If there are many stretches, they are folded: each column of pixels shows
 * how many stretches cover it. */

#include <math.h>

#include "roast-chart-drawing-private.h"
#include "roast-chart-lane-pack-private.h"
#include "roast/roast-format.h"

#define PX_EACH 100 /* minimum area of the picture per rectangle, in px²; to limit the size of the SVG */
#define LEAST_MOST 2400
#define LEAST_ROW 2.5
#define LANES_THICKEST 26.0
#define LEAST_LANE 6.0
#define LANES_AROUND 90.0
#define MAX_COLUMNS 1200
#define LANES_MAX_NAMES 0.3
#define LANES_LEAST_WIDTH 0.4 /* minimum width of a rectangle, in px */
#define MOST_OFF 1.0          /* an edge of a rectangle is at most this far from the position of its time, in px */
#define PALE 0.5              /* a rectangle is pale if stretches cover less than this part of the rectangle */
#define NOTHING 0.004

typedef struct
{
  RoastChartDrawing *drawing;
  RoastChartRange x;
  double end; /* end of the chart; stretches without an end last until this time */
  RoastChartSelection lanes;
  guint n_colours; /* number of colours, including the colour of all other groups */
  guint *n_rows;   /* number of rows of each lane */
  double *shares;  /* for each folded lane, the number of simultaneous stretches that one row shows */
  guint n_all_rows;
  guint64 n_without, n_unstarted; /* numbers of things (processes) not drawn: without a lane, without a start */
  gboolean has_uncounted;         /* TRUE if a row that is not drawn stands for an unknown number of things */
  gboolean has_late;
  GArray *stretches; /* stretches, of RoastChartStretch; NULL if stretches are folded */
  RoastChartCover *cover;
} Lanes;

/* ---- reading ---- */

/* Return the number of things, such as processes, that a table row stands for if it is not drawn. */
static guint64
count_things (Lanes *self, const RoastChartRow *row)
{
  double count = self->drawing->cells[ROAST_CHART_CELL_COUNT].is_used ? row->numbers[ROAST_CHART_CELL_COUNT] : 1;

  if (count >= 0)
    return (guint64) MIN (count, G_MAXUINT32);
  self->has_uncounted = TRUE;

  return 0;
}

static void
lanes_measure (Lanes *self)
{
  RoastChartRows *rows = self->drawing->rows;
  RoastChartNames *lanes = rows->cells[ROAST_CHART_CELL_LANE].names;
  double run_end = rows->end;
  const RoastChartRow *row = NULL;

  while ((row = roast_chart_rows_next (rows)) != NULL)
    {
      guint lane = row->names[ROAST_CHART_CELL_LANE];
      double start = row->numbers[ROAST_CHART_CELL_X];
      double end = row->numbers[ROAST_CHART_CELL_END];
      double length = (isfinite (end) ? end : run_end) - start;

      if (!isfinite (start))
        self->n_unstarted += count_things (self, row);
      else if (roast_chart_names_is_missing (lanes, lane))
        self->n_without += count_things (self, row);
      else
        {
          roast_chart_range_add (&self->x, start);
          self->end = fmax (self->end, fmax (start, end));
          roast_chart_selection_add (&self->lanes, lane, MAX (length, 0));
          roast_chart_selection_add (&self->drawing->groups, row->names[ROAST_CHART_CELL_GROUP], MAX (length, 0));
        }
    }
  self->end = fmax (self->end, run_end);
}

/* Return the earliest time at which the stretch may have ended, because sampling may have noticed its end up to one
 * interval late. */
static double
find_sure_end (Lanes *self, const RoastChartRow *row, const RoastChartStretch *stretch)
{
  double sure = stretch->end - self->drawing->rows->interval;

  if (!row->is_late)
    return stretch->end;
  self->has_late = TRUE;

  return sure > stretch->start ? sure : stretch->start;
}

/* Convert a table row to a stretch. Return FALSE if the row has no start time, or if its lane is not shown. */
static gboolean
get_stretch (Lanes *self, const RoastChartRow *row, RoastChartStretch *stretch)
{
  const RoastChartSelection *groups = &self->drawing->groups;

  stretch->lane = self->lanes.places[row->names[ROAST_CHART_CELL_LANE]];
  stretch->start = row->numbers[ROAST_CHART_CELL_X];
  stretch->end = row->numbers[ROAST_CHART_CELL_END];
  if (stretch->lane == ROAST_CHART_OTHERS || !isfinite (stretch->start))
    return FALSE;
  if (isfinite (stretch->end))
    stretch->sure = find_sure_end (self, row, stretch);
  else
    stretch->sure = stretch->end = self->end;
  stretch->end = MAX (stretch->end, stretch->start);
  stretch->sure = CLAMP (stretch->sure, stretch->start, stretch->end);
  stretch->colour = MIN (groups->places[row->names[ROAST_CHART_CELL_GROUP]], groups->n);

  return TRUE;
}

/* Read all stretches, and append them to @stretches, or add them to @cover if stretches are folded. */
static void
read_stretches (Lanes *self)
{
  RoastChartRows *rows = self->drawing->rows;
  const RoastChartRow *row = NULL;

  roast_chart_rows_rewind (rows);
  while ((row = roast_chart_rows_next (rows)) != NULL)
    {
      RoastChartStretch stretch = { 0 };

      if (!get_stretch (self, row, &stretch))
        continue;
      if (self->stretches != NULL)
        g_array_append_val (self->stretches, stretch);
      else
        roast_chart_cover_add (self->cover, stretch.lane, stretch.colour, stretch.start, stretch.end);
    }
}

static void
collect (Lanes *self)
{
  self->stretches = g_array_new (FALSE, TRUE, sizeof (RoastChartStretch));
  read_stretches (self);
  roast_chart_lanes_pack (self->stretches, self->lanes.n, self->n_rows);
}

static void
fold (Lanes *self)
{
  guint columns = MIN (roast_chart_drawing_count_columns (self->drawing), MAX_COLUMNS);

  self->cover = roast_chart_cover_new (self->lanes.n, columns, self->n_colours, self->drawing->frame.x.min,
                                       self->drawing->frame.x.max);
  read_stretches (self);
  roast_chart_cover_end (self->cover);
  self->shares = g_new (double, MAX (self->lanes.n, 1));
  for (guint i = 0; i < self->lanes.n; i++)
    {
      self->n_rows[i] = roast_chart_cover_count_rows (self->cover, i);
      self->shares[i] = 1;
    }
}

/* Return the maximum number of rectangles. Users cannot distinguish more rectangles, and a page with more rectangles
 * would be too large. */
static guint
get_most (Lanes *self)
{
  return (guint) MAX (self->drawing->frame.width * self->drawing->frame.height / PX_EACH, LEAST_MOST);
}

static guint
count_all_rows (Lanes *self)
{
  guint n = 0;

  for (guint i = 0; i < self->lanes.n; i++)
    n += self->n_rows[i];

  return n;
}

/* Choose how to draw the stretches. If there are few enough stretches and rows, each stretch gets its own rectangle;
 * otherwise the stretches are folded. If even the folded rows do not fit, each lane gets one row. */
static void
place (Lanes *self)
{
  guint room = (guint) MAX ((self->drawing->frame.height - LANES_AROUND) / LEAST_ROW, 1);

  self->n_rows = g_new0 (guint, MAX (self->lanes.n, 1));
  if (self->x.n <= get_most (self))
    collect (self);
  self->n_all_rows = count_all_rows (self);
  if (self->stretches != NULL && self->n_all_rows <= room)
    return;
  g_clear_pointer (&self->stretches, g_array_unref);
  fold (self);
  if (count_all_rows (self) > room)
    for (guint i = 0; i < self->lanes.n; i++)
      {
        self->shares[i] = self->n_rows[i];
        self->n_rows[i] = 1;
      }
  self->n_all_rows = count_all_rows (self);
}

/* ---- drawing ---- */

typedef struct
{
  double top, pitch, height; /* top of the first row, distance between tops of rows, and height of a row, in px */
} Rows;

static Rows
get_rows (Lanes *self)
{
  const RoastChartFrame *frame = &self->drawing->frame;
  double pitch = (frame->bottom - frame->top) / self->n_all_rows;

  return (Rows) { frame->top, pitch, MIN (pitch > 5 ? pitch * 0.8 : pitch, LANES_THICKEST) };
}

static double
get_top (const Rows *rows, guint row)
{
  return rows->top + rows->pitch * row + (rows->pitch - rows->height) / 2;
}

/* Return an array of arrays of rectangles. Each colour has two arrays: normal rectangles and pale rectangles. */
static GPtrArray *
new_rectangles (Lanes *self)
{
  GPtrArray *rectangles = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  for (guint i = 0; i < 2 * self->n_colours; i++)
    g_ptr_array_add (rectangles, g_array_new (FALSE, FALSE, sizeof (double)));

  return rectangles;
}

static void
add_all_rectangles (Lanes *self, GPtrArray *rectangles)
{
  RoastScene *scene = self->drawing->frame.scene;

  for (guint i = 0; i < rectangles->len; i++)
    {
      const RoastChartLook *look = &self->drawing->looks[i / 2];
      const GArray *xywh = g_ptr_array_index (rectangles, i);
      gboolean is_band = i % 2 != 0 && look->role == ROAST_SCENE_ROLE_SERIES;

      roast_scene_set_name (scene, self->drawing->groups.all != NULL ? look->name : NULL);
      roast_scene_add_rectangles (scene, is_band ? ROAST_SCENE_ROLE_BAND : look->role, look->palette,
                                  (const double *) (gpointer) xywh->data, xywh->len);
    }
}

/* The last rectangle of a row, which may still be extended. */
typedef struct
{
  double from, to; /* left and right edge, in px */
  double longest;  /* duration of the longest bar in the rectangle, s */
  guint kind;      /* 2 * colour of the longest bar, + 1 if that bar is pale */
} Last;

static void
append_last (const Last *last, double top, double height, GPtrArray *rectangles)
{
  double rectangle[] = { last->from, top, last->to - last->from, height };

  if (last->to > last->from)
    g_array_append_vals (g_ptr_array_index (rectangles, last->kind), rectangle, 4);
}

/* Join a stretch to the last rectangle if the stretch is too short for its own rectangle. Short rectangles are widened,
 * but no edge may move more than a pixel from the position of its time. Return FALSE if the stretch needs a new
 * rectangle. */
static gboolean
join_last (Last *last, guint kind, double length, double from, double to)
{
  if (from >= last->to || to >= last->to + LANES_LEAST_WIDTH || last->to + LANES_LEAST_WIDTH <= from + MOST_OFF)
    return FALSE;
  last->to = MAX (last->to, to);
  if (length > last->longest)
    last->kind = kind;
  last->longest = MAX (last->longest, length);

  return TRUE;
}

static void
add_to_row (Lanes *self, Last *last, guint kind, double start, double end, double top, double height,
            GPtrArray *rectangles)
{
  const RoastChartFrame *frame = &self->drawing->frame;
  /* Move stretches that begin at the right edge to the left, so that they are visible. */
  double from = MIN (roast_chart_scale_map (&frame->x, start), frame->right - LANES_LEAST_WIDTH);
  double to = MIN (roast_chart_scale_map (&frame->x, end), frame->right);

  if (join_last (last, kind, end - start, from, to))
    return;
  append_last (last, top, height, rectangles);
  last->from = MAX (from, last->to);
  last->to = MIN (MAX (to, last->from + LANES_LEAST_WIDTH), frame->right);
  last->kind = kind;
  last->longest = end - start;
}

static void
draw_each (Lanes *self)
{
  Rows rows = get_rows (self);
  g_autofree guint *first_row = g_new (guint, self->lanes.n);
  g_autofree Last *last = g_new (Last, self->n_all_rows);
  g_autoptr (GPtrArray) rectangles = new_rectangles (self);

  for (guint i = 0, row = 0; i < self->lanes.n; row += self->n_rows[i++])
    first_row[i] = row;
  for (guint i = 0; i < self->n_all_rows; i++)
    last[i] = (Last) { .from = -INFINITY, .to = -INFINITY };
  for (guint i = 0; i < self->stretches->len; i++)
    {
      const RoastChartStretch *stretch = &g_array_index (self->stretches, RoastChartStretch, i);
      guint row = first_row[stretch->lane] + stretch->row;

      for (guint pale = 0; pale < 2; pale++)
        {
          double start = pale != 0 ? stretch->sure : stretch->start;
          double end = pale != 0 ? stretch->end : stretch->sure;

          /* Skip the sure part or the pale part if its length is zero. A stretch of length zero is drawn once, as a
           * sure part. */
          if (start == end && (pale != 0 || end < stretch->end))
            continue;
          roast_chart_data_add_box (self->drawing->data, row, stretch->colour, pale != 0, -1, start, end);
          add_to_row (self, &last[row], 2 * stretch->colour + pale, start, end, get_top (&rows, row), rows.height,
                      rectangles);
        }
    }
  for (guint row = 0; row < self->n_all_rows; row++)
    append_last (&last[row], get_top (&rows, row), rows.height, rectangles);
  add_all_rectangles (self, rectangles);
}

/* Return the kind of a row in a column: 2 * colour, + 1 if the row is pale there; G_MAXUINT if the row is empty
 * there. */
static guint
get_kind (Lanes *self, guint lane, guint row, guint column)
{
  guint colour = 0;
  double covered = roast_chart_cover_get (self->cover, lane, column, row, self->shares[lane], &colour);

  return covered < NOTHING ? G_MAXUINT : 2 * colour + (covered < PALE ? 1 : 0);
}

/* Adjacent columns in which a row has the same kind, so that they are drawn as one rectangle. */
typedef struct
{
  guint first, end; /* first column, and the column after the last */
  guint kind;
} Run;

static gboolean
find_next_run (Lanes *self, guint lane, guint row, Run *run)
{
  guint columns = roast_chart_cover_count_columns (self->cover);

  if (run->end >= columns)
    return FALSE;
  run->first = run->end;
  run->kind = get_kind (self, lane, row, run->first);
  do
    run->end++;
  while (run->end < columns && get_kind (self, lane, row, run->end) == run->kind);

  return TRUE;
}

static guint
count_runs (Lanes *self)
{
  guint n = 0;

  for (guint lane = 0; lane < self->lanes.n; lane++)
    for (guint i = 0; i < self->n_rows[lane]; i++)
      for (Run run = { 0, 0, 0 }; find_next_run (self, lane, i, &run);)
        n += run.kind != G_MAXUINT ? 1 : 0;

  return n;
}

/* Draw a run as a rectangle that stands for @n stretches. */
static void
draw_run (Lanes *self, const Run *run, guint row, guint64 n, GPtrArray *rectangles)
{
  Rows rows = get_rows (self);
  const RoastChartFrame *frame = &self->drawing->frame;
  guint columns = roast_chart_cover_count_columns (self->cover);
  double width = (frame->x.max - frame->x.min) / columns;
  double left = frame->left + (frame->right - frame->left) * run->first / columns;
  double right = frame->left + (frame->right - frame->left) * run->end / columns;
  double rectangle[] = { left, get_top (&rows, row), right - left, rows.height };

  g_array_append_vals (g_ptr_array_index (rectangles, run->kind), rectangle, 4);
  roast_chart_data_add_box (self->drawing->data, row, run->kind / 2, run->kind % 2 != 0, (gint64) n,
                            frame->x.min + width * run->first, frame->x.min + width * run->end);
}

static void
draw_folded (Lanes *self)
{
  g_autoptr (GPtrArray) rectangles = new_rectangles (self);
  guint row = 0;

  while (roast_chart_cover_count_columns (self->cover) > 1 && count_runs (self) > get_most (self))
    roast_chart_cover_halve (self->cover);
  for (guint lane = 0; lane < self->lanes.n; lane++)
    for (guint i = 0; i < self->n_rows[lane]; i++, row++)
      {
        guint since = 0;

        for (Run run = { 0, 0, 0 }; find_next_run (self, lane, i, &run);)
          {
            if (run.kind == G_MAXUINT)
              continue;
            /* In the first row of a lane, also count the stretches that began in the empty columns before the run. A
             * column can be empty although a stretch began in it, if the stretch began at the very end of the
             * column. */
            draw_run (self, &run, row,
                      roast_chart_cover_count (self->cover, lane, i == 0 ? since : run.first, run.end - 1), rectangles);
            since = run.end;
          }
      }
  add_all_rectangles (self, rectangles);
}

static const char *
get_lane_name (Lanes *self, guint lane)
{
  return roast_chart_rows_get_name (self->drawing->rows, ROAST_CHART_CELL_LANE, self->lanes.names[lane]);
}

/* Draw the names of lanes, as far as there is room for the names. */
static void
lanes_draw_names (Lanes *self)
{
  Rows rows = get_rows (self);
  double last = -INFINITY;
  guint row = 0;

  for (guint i = 0; i < self->lanes.n; row += self->n_rows[i++])
    {
      double middle = rows.top + rows.pitch * (row + self->n_rows[i] / 2.0);

      if (middle < last + ROAST_CHART_LABEL_SIZE + 2)
        continue;
      last = middle;
      roast_chart_frame_draw_name (&self->drawing->frame, ROAST_SCENE_ROLE_LABEL, middle, get_lane_name (self, i));
    }
}

/* Draw lines between lanes. There are no lines between the rows of a lane. */
static void
draw_borders (Lanes *self)
{
  RoastChartFrame *frame = &self->drawing->frame;
  Rows rows = get_rows (self);
  guint row = self->n_rows[0];

  for (guint i = 1; i < self->lanes.n && rows.pitch * self->n_all_rows >= LEAST_LANE * self->lanes.n;
       row += self->n_rows[i++])
    {
      const double y = rows.top + rows.pitch * row;
      const double xy[] = { frame->left, y, frame->right, y };

      roast_scene_add_polyline (frame->scene, ROAST_SCENE_ROLE_GRID, 0, xy, G_N_ELEMENTS (xy), 1,
                                ROAST_SCENE_DASH_SOLID);
    }
}

/* Add a note such as "103 processes without a start time are not shown". The start time of a process is missing if the
 * process was too short to be sampled. */
static void
add_note_of_unstarted (Lanes *self)
{
  g_autofree char *rows = roast_chart_drawing_dup_rows (self->drawing);
  g_autofree char *n = g_strdup_printf ("%" G_GUINT64_FORMAT, self->n_unstarted);

  if (self->n_unstarted == 1 && !self->has_uncounted)
    roast_chart_frame_add_note (&self->drawing->frame,
                                g_strdup_printf ("1 of the %s has no start time and is not shown", rows));
  else
    roast_chart_frame_add_note (&self->drawing->frame,
                                g_strconcat (self->has_uncounted && self->n_unstarted > 0 ? "at least " : "",
                                             self->n_unstarted > 0 ? n : "an unknown number of", " ", rows,
                                             " without a start time are not shown", NULL));
}

static void
add_note_of_late (Lanes *self)
{
  double interval = self->drawing->rows->interval;
  g_autofree char *most = roast_format_number (interval, "duration");
  const char *what = self->cover != NULL ? "ends" : "the end of a pale bar";

  roast_chart_frame_add_note (&self->drawing->frame,
                              isnan (interval)
                                  ? g_strdup_printf ("%s may have been noticed late", what)
                                  : g_strdup_printf ("%s may have been noticed up to %s late", what, most));
}

/* Return whether each lane stands for many things of one kind, such as the processes of a command, and not for one
 * thing, such as a worker. Such a chart has the same column in Lane and Group, so each lane has its own colour. */
static gboolean
are_kinds (Lanes *self)
{
  return g_strcmp0 (roast_chart_info_get_text (self->drawing->chart, "Group"),
                    roast_chart_info_get_text (self->drawing->chart, "Lane")) == 0;
}

static void
add_data (Lanes *self)
{
  RoastChartDrawing *drawing = self->drawing;

  for (guint i = 0; i < self->lanes.n; i++)
    roast_chart_data_add_lane (drawing->data, get_lane_name (self, i), self->n_rows[i]);
  for (guint i = 0; i < self->n_colours && drawing->groups.all != NULL; i++)
    roast_chart_data_add_colour (drawing->data, &drawing->looks[i]);
}

static void
set_frame (Lanes *self)
{
  RoastChartFrame *frame = &self->drawing->frame;

  for (guint i = 0; i < self->lanes.n; i++)
    roast_chart_frame_measure_name (frame, get_lane_name (self, i), frame->width * LANES_MAX_NAMES);
  frame->vertical_grid = TRUE;
  /* If each lane has its own colour, no legend is needed, because the names are already beside the lanes. */
  if (self->drawing->groups.all != NULL && !are_kinds (self))
    roast_chart_drawing_add_legend (self->drawing, ROAST_CHART_SWATCH_AREA);
  roast_chart_frame_add_note (frame, roast_chart_selection_dup_note (&self->lanes, "the most time"));
  roast_chart_drawing_add_note_of_missing (self->drawing, ROAST_CHART_CELL_LANE, self->n_without);
  if (self->n_unstarted > 0 || self->has_uncounted)
    add_note_of_unstarted (self);
  if (self->has_late)
    add_note_of_late (self);
  if (self->cover != NULL)
    roast_chart_frame_add_note (frame, g_strdup ("folded: each position has the colour of its longest part. A position "
                                                 "is pale if less than half of it is covered"));
}

static void
lanes_draw (Lanes *self)
{
  RoastChartDrawing *drawing = self->drawing;
  guint room = (guint) MAX ((drawing->frame.height - LANES_AROUND) / LEAST_ROW, 1);

  roast_chart_selection_choose (&self->lanes, drawing->rows, ROAST_CHART_CELL_LANE,
                                roast_chart_drawing_get_most (drawing, room),
                                are_kinds (self) ? ROAST_CHART_ORDER_NAME : ROAST_CHART_ORDER_SPREAD);
  self->n_colours = roast_chart_drawing_choose_parts (drawing, ROAST_CHART_MAX_PARTS);
  roast_chart_drawing_make_looks (drawing, self->n_colours, NULL, drawing->groups.palettes);
  roast_chart_range_add (&self->x, self->end);
  self->x.n--;
  roast_chart_drawing_set_x (drawing, self->x);
  place (self);
  set_frame (self);
  roast_chart_frame_begin (&drawing->frame);
  draw_borders (self);
  lanes_draw_names (self);
  add_data (self);
  if (self->cover != NULL)
    draw_folded (self);
  else
    draw_each (self);
  roast_chart_frame_end (&drawing->frame);
}

gboolean
roast_chart_draw_lanes (RoastChartDrawing *drawing, GError **error)
{
  Lanes self = { .drawing = drawing, .x = ROAST_CHART_RANGE_INIT, .end = NAN };

  lanes_measure (&self);
  if (self.x.n == 0)
    return roast_chart_drawing_no_rows (drawing, error);
  lanes_draw (&self);
  roast_chart_selection_clear (&self.lanes);
  g_clear_pointer (&self.stretches, g_array_unref);
  g_clear_pointer (&self.cover, roast_chart_cover_free);
  g_free (self.n_rows);
  g_free (self.shares);

  return TRUE;
}
