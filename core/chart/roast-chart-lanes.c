/* SPDX-License-Identifier: BSD-3-Clause */

/* Stretches of time in lanes. As long as there are few, each is a rectangle of its own, in rows in which none covers
 * another; many are folded into columns of pixels. */

#include <math.h>

#include "roast-chart-drawing-private.h"
#include "roast-chart-lane-pack-private.h"
#include "roast-scene-text-private.h"
#include "roast/roast-format.h"

#define PX_EACH 100 /* px² of the picture to a rectangle, which is about 22 B of SVG */
#define LEAST_MOST 2400
#define LEAST_ROW 2.5
#define THICKEST 26.0
#define LEAST_LANE 6.0
#define AROUND 90.0
#define MAX_COLUMNS 1200
#define MAX_NAMES 0.3
#define LEAST_WIDTH 0.4 /* of a rectangle, in px */
#define MOST_OFF 1.0    /* px from the time that an edge of a rectangle shows */
#define PALE 0.5        /* less than that of a column of pixels is covered */
#define NOTHING 0.004

typedef struct
{
  RoastChartDrawing *drawing;
  RoastChartRange x;
  double end; /* of what has none */
  RoastChartTotals by_lane, by_group;
  RoastChartSelection lanes, groups;
  guint n_colours; /* with the others */
  guint *n_rows;   /* by lane */
  double *shares;  /* by lane: how many stretches at a time a row shows, if they are folded */
  guint n_all_rows;
  guint64 n_without, n_unstarted; /* that are in no lane, and that have no start */
  gboolean has_uncounted;         /* it is unknown how many things one of these rows stands for */
  gboolean has_late;
  GArray *stretches; /* of RoastChartStretch, if they are few */
  RoastChartCover *cover;
} Lanes;

/* ---- reading ---- */

/* How many things a row that is not drawn stands for. */
static guint64
count_things (Lanes *self, guint row)
{
  const double *counts = roast_chart_rows_get_numbers (self->drawing->rows, ROAST_CHART_CELL_COUNT);

  if (counts == NULL)
    return 1;
  if (!(counts[row] >= 0))
    self->has_uncounted = TRUE;

  return counts[row] >= 0 ? (guint64) MIN (counts[row], G_MAXUINT32) : 0;
}

static void
measure (Lanes *self)
{
  RoastChartRows *rows = self->drawing->rows;
  double run_end = roast_chart_rows_get_end (rows);
  guint n = 0;

  while (roast_chart_rows_next (rows, &n))
    {
      const double *start = roast_chart_rows_get_numbers (rows, ROAST_CHART_CELL_X);
      const double *end = roast_chart_rows_get_numbers (rows, ROAST_CHART_CELL_END);
      const guint *lane = roast_chart_rows_get_names (rows, ROAST_CHART_CELL_LANE);
      const guint *group = roast_chart_rows_get_names (rows, ROAST_CHART_CELL_GROUP);

      for (guint i = 0; i < n; i++)
        {
          double length = (isfinite (end[i]) ? end[i] : run_end) - start[i];

          if (!isfinite (start[i]))
            {
              self->n_unstarted += count_things (self, i);
              continue;
            }
          if (roast_chart_rows_is_missing (rows, ROAST_CHART_CELL_LANE, lane[i]))
            {
              self->n_without += count_things (self, i);
              continue;
            }
          roast_chart_range_add (&self->x, start[i]);
          self->end = fmax (self->end, fmax (start[i], end[i]));
          roast_chart_totals_add (&self->by_lane, lane[i], MAX (length, 0));
          roast_chart_totals_add (&self->by_group, group != NULL ? group[i] : 0, MAX (length, 0));
        }
    }
  self->end = fmax (self->end, run_end);
}

/* An end may have been noticed one sample late. */
static double
find_sure_end (Lanes *self, guint row, const RoastChartStretch *stretch)
{
  RoastChartRows *rows = self->drawing->rows;
  const guint *late = roast_chart_rows_get_names (rows, ROAST_CHART_CELL_LATE);
  double sure = stretch->end - roast_chart_rows_get_interval (rows);

  if (late == NULL || !roast_chart_rows_is_late (rows, late[row]))
    return stretch->end;
  self->has_late = TRUE;

  return sure > stretch->start ? sure : stretch->start;
}

/* What a row is; FALSE if it is not drawn. */
static gboolean
get_stretch (Lanes *self, guint i, RoastChartStretch *stretch)
{
  RoastChartRows *rows = self->drawing->rows;
  const guint *group = roast_chart_rows_get_names (rows, ROAST_CHART_CELL_GROUP);

  stretch->lane = self->lanes.places[roast_chart_rows_get_names (rows, ROAST_CHART_CELL_LANE)[i]];
  stretch->start = roast_chart_rows_get_numbers (rows, ROAST_CHART_CELL_X)[i];
  stretch->end = roast_chart_rows_get_numbers (rows, ROAST_CHART_CELL_END)[i];
  if (stretch->lane == ROAST_CHART_OTHERS || !isfinite (stretch->start))
    return FALSE;
  if (isfinite (stretch->end))
    stretch->sure = find_sure_end (self, i, stretch);
  else
    stretch->sure = stretch->end = self->end;
  stretch->end = MAX (stretch->end, stretch->start);
  stretch->sure = CLAMP (stretch->sure, stretch->start, stretch->end);
  stretch->colour = group != NULL ? MIN (self->groups.places[group[i]], self->groups.n) : 0;

  return TRUE;
}

static void
collect (Lanes *self)
{
  RoastChartRows *rows = self->drawing->rows;
  guint n = 0;

  self->stretches = g_array_new (FALSE, TRUE, sizeof (RoastChartStretch));
  roast_chart_rows_select (rows, ROAST_CHART_CELL_LANE, self->lanes.places);
  roast_chart_rows_rewind (rows);
  while (roast_chart_rows_next (rows, &n))
    for (guint i = 0; i < n; i++)
      {
        RoastChartStretch stretch = { 0 };

        if (get_stretch (self, i, &stretch))
          g_array_append_val (self->stretches, stretch);
      }
  roast_chart_lanes_pack (self->stretches, self->lanes.n, self->n_rows);
}

static void
fold (Lanes *self)
{
  RoastChartRows *rows = self->drawing->rows;
  guint columns = MIN (roast_chart_drawing_count_columns (self->drawing), MAX_COLUMNS);
  guint n = 0;

  self->cover = roast_chart_cover_new (self->lanes.n, columns, self->n_colours, self->drawing->frame.x.min,
                                       self->drawing->frame.x.max);
  roast_chart_rows_select (rows, ROAST_CHART_CELL_LANE, self->lanes.places);
  roast_chart_rows_rewind (rows);
  while (roast_chart_rows_next (rows, &n))
    for (guint i = 0; i < n; i++)
      {
        RoastChartStretch stretch = { 0 };

        if (get_stretch (self, i, &stretch))
          roast_chart_cover_add (self->cover, stretch.lane, stretch.colour, stretch.start, stretch.end);
      }
  roast_chart_cover_end (self->cover);
  self->shares = g_new (double, MAX (self->lanes.n, 1));
  for (guint i = 0; i < self->lanes.n; i++)
    {
      self->n_rows[i] = roast_chart_cover_count_rows (self->cover, i);
      self->shares[i] = 1;
    }
}

/* Rectangles of a picture: nobody could distinguish more, and they would not fit into a page. */
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

/* In as many rows as have room, else in one row for each lane. */
static void
place (Lanes *self)
{
  guint room = (guint) MAX ((self->drawing->frame.height - AROUND) / LEAST_ROW, 1);

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
  double top, pitch, height; /* of rows */
} Rows;

static Rows
get_rows (Lanes *self)
{
  const RoastChartFrame *frame = &self->drawing->frame;
  double pitch = (frame->bottom - frame->top) / self->n_all_rows;

  return (Rows) { frame->top, pitch, MIN (pitch > 5 ? pitch * 0.8 : pitch, THICKEST) };
}

static double
get_top (const Rows *rows, guint row)
{
  return rows->top + rows->pitch * row + (rows->pitch - rows->height) / 2;
}

static gboolean
is_others (Lanes *self, guint colour)
{
  return colour >= self->groups.n;
}

static char *
dup_colour_name (Lanes *self, guint colour)
{
  return is_others (self, colour) ? roast_chart_selection_dup_others (&self->groups)
                                  : roast_chart_drawing_dup_series_name (self->drawing, &self->groups, colour);
}

static void
add_rectangles (Lanes *self, guint colour, gboolean is_pale, GArray *xywh)
{
  RoastScene *scene = self->drawing->frame.scene;
  g_autofree char *name = self->groups.all != NULL ? dup_colour_name (self, colour) : NULL;
  RoastSceneRole role = is_others (self, colour) ? ROAST_SCENE_ROLE_OTHERS
                        : is_pale                ? ROAST_SCENE_ROLE_BAND
                                                 : ROAST_SCENE_ROLE_SERIES;

  roast_scene_set_name (scene, name);
  roast_scene_add_rectangles (scene, role, is_others (self, colour) ? 0 : self->groups.palettes[colour],
                              (const double *) (gpointer) xywh->data, xywh->len);
}

/* The last rectangle of a row, in px. */
typedef struct
{
  double from, to;
  double longest; /* of its stretches, in seconds */
  guint kind;     /* twice the colour of the longest, and one if it is pale */
} Last;

static void
append_last (const Last *last, double top, double height, GPtrArray *rectangles)
{
  double rectangle[] = { last->from, top, last->to - last->from, height };

  if (last->to > last->from)
    g_array_append_vals (g_ptr_array_index (rectangles, last->kind), rectangle, 4);
}

/* Short ones are widened, but never so that an edge is more than a pixel from its time: what has no room of its own
 * joins the one before. FALSE if @last is finished first. */
static gboolean
join_last (Last *last, guint kind, double length, double from, double to)
{
  if (from >= last->to || to >= last->to + LEAST_WIDTH || last->to + LEAST_WIDTH <= from + MOST_OFF)
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
  /* What begins at the right edge is still seen. */
  double from = MIN (roast_chart_scale_map (&frame->x, start), frame->right - LEAST_WIDTH);
  double to = MIN (roast_chart_scale_map (&frame->x, end), frame->right);

  if (join_last (last, kind, end - start, from, to))
    return;
  append_last (last, top, height, rectangles);
  last->from = MAX (from, last->to);
  last->to = MIN (MAX (to, last->from + LEAST_WIDTH), frame->right);
  last->kind = kind;
  last->longest = end - start;
}

static void
draw_each (Lanes *self)
{
  Rows rows = get_rows (self);
  g_autofree guint *first_row = g_new (guint, self->lanes.n);
  g_autofree Last *last = g_new (Last, self->n_all_rows);
  g_autoptr (GPtrArray) rectangles = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  for (guint i = 0, row = 0; i < self->lanes.n; row += self->n_rows[i++])
    first_row[i] = row;
  for (guint i = 0; i < self->n_all_rows; i++)
    last[i] = (Last) { .from = -INFINITY, .to = -INFINITY };
  for (guint i = 0; i < 2 * self->n_colours; i++)
    g_ptr_array_add (rectangles, g_array_new (FALSE, FALSE, sizeof (double)));
  for (guint i = 0; i < self->stretches->len; i++)
    {
      const RoastChartStretch *stretch = &g_array_index (self->stretches, RoastChartStretch, i);
      guint row = first_row[stretch->lane] + stretch->row;

      for (guint pale = 0; pale < 2; pale++)
        {
          double start = pale != 0 ? stretch->sure : stretch->start;
          double end = pale != 0 ? stretch->end : stretch->sure;

          /* What has no length at all is drawn once. */
          if (start == end && (pale != 0 || end < stretch->end))
            continue;
          roast_chart_data_add_box (self->drawing->data, row, stretch->colour, pale != 0, -1, start, end);
          add_to_row (self, &last[row], 2 * stretch->colour + pale, start, end, get_top (&rows, row), rows.height,
                      rectangles);
        }
    }
  for (guint row = 0; row < self->n_all_rows; row++)
    append_last (&last[row], get_top (&rows, row), rows.height, rectangles);
  for (guint i = 0; i < rectangles->len; i++)
    add_rectangles (self, i / 2, i % 2 != 0, g_ptr_array_index (rectangles, i));
}

/* Twice the colour of a place, and one if it is pale; G_MAXUINT if nothing is there. */
static guint
get_kind (Lanes *self, guint lane, guint row, guint column)
{
  guint colour = 0;
  double covered = roast_chart_cover_get (self->cover, lane, column, row, self->shares[lane], &colour);

  return covered < NOTHING ? G_MAXUINT : 2 * colour + (covered < PALE ? 1 : 0);
}

/* Neighbours of one colour become one. Returns their number. */
static guint
collect_runs (Lanes *self, GPtrArray *runs)
{
  Rows rows = get_rows (self);
  const RoastChartFrame *frame = &self->drawing->frame;
  guint columns = roast_chart_cover_count_columns (self->cover);
  guint n_runs = 0;
  guint row = 0;

  for (guint lane = 0; lane < self->lanes.n; lane++)
    for (guint i = 0; i < self->n_rows[lane]; i++, row++)
      {
        guint before = G_MAXUINT;

        for (guint column = 0; column < columns; column++)
          {
            guint kind = get_kind (self, lane, i, column);
            double left = frame->left + (frame->right - frame->left) * column / columns;
            double right = frame->left + (frame->right - frame->left) * (column + 1) / columns;
            double run[] = { left, get_top (&rows, row), right - left, rows.height };
            GArray *to = kind != G_MAXUINT ? g_ptr_array_index (runs, kind) : NULL;

            if (to != NULL && kind == before)
              g_array_index (to, double, to->len - 2) = right - g_array_index (to, double, to->len - 4);
            else if (to != NULL)
              {
                g_array_append_vals (to, run, 4);
                n_runs++;
              }
            before = kind;
          }
      }

  return n_runs;
}

/* Which stretches they are is not known any more, but how many. */
static void
add_folded_boxes (Lanes *self)
{
  const RoastChartScale *x = &self->drawing->frame.x;
  guint columns = roast_chart_cover_count_columns (self->cover);
  double width = (x->max - x->min) / columns;
  guint row = 0;

  roast_chart_data_set_folded (self->drawing->data);
  for (guint lane = 0; lane < self->lanes.n; lane++)
    for (guint i = 0; i < self->n_rows[lane]; i++, row++)
      {
        guint since = 0;

        for (guint first = 0, last = 0; first < columns; first = last + 1)
          {
            guint kind = get_kind (self, lane, i, first);

            for (last = first; last + 1 < columns && get_kind (self, lane, i, last + 1) == kind;)
              last++;
            if (kind == G_MAXUINT)
              continue;
            /* One may begin at the very end of a column that counts as empty. */
            roast_chart_data_add_box (self->drawing->data, row, kind / 2, kind % 2 != 0,
                                      (gint64) roast_chart_cover_count (self->cover, lane, i == 0 ? since : first,
                                                                        last),
                                      x->min + width * first, x->min + width * (last + 1));
            since = last + 1;
          }
      }
}

static void
draw_folded (Lanes *self)
{
  for (;;)
    {
      g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

      for (guint i = 0; i < 2 * self->n_colours; i++)
        g_ptr_array_add (runs, g_array_new (FALSE, FALSE, sizeof (double)));
      if (collect_runs (self, runs) > get_most (self) && roast_chart_cover_count_columns (self->cover) > 1)
        {
          roast_chart_cover_halve (self->cover);
          continue;
        }
      for (guint i = 0; i < runs->len; i++)
        add_rectangles (self, i / 2, i % 2 != 0, g_ptr_array_index (runs, i));
      add_folded_boxes (self);
      return;
    }
}

/* Of as many lanes as have room for it. */
static void
draw_names (Lanes *self)
{
  RoastChartFrame *frame = &self->drawing->frame;
  Rows rows = get_rows (self);
  double last = -INFINITY;
  guint row = 0;

  for (guint i = 0; i < self->lanes.n; row += self->n_rows[i++])
    {
      double middle = rows.top + rows.pitch * (row + self->n_rows[i] / 2.0);
      g_autofree char *name =
          roast_scene_text_fit (roast_chart_rows_get_name (self->drawing->rows, ROAST_CHART_CELL_LANE,
                                                           self->lanes.names[i]),
                                ROAST_CHART_LABEL_SIZE, frame->names_width + 0.01);

      if (middle < last + ROAST_CHART_LABEL_SIZE + 2)
        continue;
      last = middle;
      roast_scene_add_text (frame->scene, ROAST_SCENE_ROLE_LABEL, frame->left - 6,
                            middle + ROAST_CHART_LABEL_SIZE * 0.36, name, ROAST_SCENE_ANCHOR_END,
                            ROAST_CHART_LABEL_SIZE, 0);
    }
}

/* Where lanes have several rows, lines are between lanes. */
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

/* "12 tasks without a worker are not shown" */
static void
add_note_of_missing (Lanes *self)
{
  g_autofree char *rows = roast_chart_drawing_dup_rows (self->drawing);
  g_autofree char *lane = roast_chart_rows_dup_label (self->drawing->rows, ROAST_CHART_CELL_LANE);

  roast_chart_frame_add_note (&self->drawing->frame,
                              self->n_without == 1
                                  ? g_strdup_printf ("1 of %s has no %s and is not shown", rows, lane)
                                  : g_strdup_printf ("%" G_GUINT64_FORMAT " %s without a %s are not shown",
                                                     self->n_without, rows, lane));
}

/* "103 processes have no start time and are not shown": they were too short to be seen, for example. */
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
  double interval = roast_chart_rows_get_interval (self->drawing->rows);
  g_autofree char *most = roast_format_number (interval, "duration");
  const char *what = self->cover != NULL ? "ends" : "pale: the end";

  roast_chart_frame_add_note (&self->drawing->frame,
                              isnan (interval)
                                  ? g_strdup_printf ("%s may have been noticed late", what)
                                  : g_strdup_printf ("%s may have been noticed up to %s late", what, most));
}

/* Lanes whose names are those of their colours are kinds of things, such as commands, not things such as workers. */
static gboolean
are_kinds (Lanes *self)
{
  return g_strcmp0 (roast_chart_info_get_group (self->drawing->chart),
                    roast_chart_info_get_lane (self->drawing->chart)) == 0;
}

/* Kinds have their name beside them. */
static gboolean
has_legend (Lanes *self)
{
  return self->groups.all != NULL && !are_kinds (self);
}

static void
add_data (Lanes *self)
{
  RoastChartData *data = self->drawing->data;

  for (guint i = 0; i < self->lanes.n; i++)
    roast_chart_data_add_lane (data,
                               roast_chart_rows_get_name (self->drawing->rows, ROAST_CHART_CELL_LANE,
                                                          self->lanes.names[i]),
                               self->n_rows[i]);
  for (guint i = 0; i < self->n_colours && self->groups.all != NULL; i++)
    {
      g_autofree char *name = dup_colour_name (self, i);

      roast_chart_data_add_colour (data, name, is_others (self, i), is_others (self, i) ? 0 : self->groups.palettes[i]);
    }
}

static void
set_frame (Lanes *self)
{
  RoastChartFrame *frame = &self->drawing->frame;

  for (guint i = 0; i < self->lanes.n; i++)
    {
      g_autofree char *name =
          roast_scene_text_fit (roast_chart_rows_get_name (self->drawing->rows, ROAST_CHART_CELL_LANE,
                                                           self->lanes.names[i]),
                                ROAST_CHART_LABEL_SIZE, frame->width * MAX_NAMES);

      frame->names_width = MAX (frame->names_width, roast_scene_measure_text (name, ROAST_CHART_LABEL_SIZE));
    }
  frame->vertical_grid = TRUE;
  for (guint i = 0; i < self->n_colours && has_legend (self); i++)
    {
      g_autofree char *name = dup_colour_name (self, i);

      roast_chart_frame_add_legend (frame, ROAST_CHART_SWATCH_AREA,
                                    is_others (self, i) ? ROAST_SCENE_ROLE_OTHERS : ROAST_SCENE_ROLE_SERIES,
                                    is_others (self, i) ? 0 : self->groups.palettes[i], ROAST_SCENE_DASH_SOLID, name);
    }
  roast_chart_frame_add_note (frame, roast_chart_selection_dup_note (&self->lanes, "the most time"));
  if (self->n_without > 0)
    add_note_of_missing (self);
  if (self->n_unstarted > 0 || self->has_uncounted)
    add_note_of_unstarted (self);
  if (self->has_late)
    add_note_of_late (self);
  if (self->cover != NULL)
    roast_chart_frame_add_note (frame,
                                g_strdup ("folded: each place has the colour that covers most of it, and is pale "
                                          "if less than half is covered"));
}

static void
draw (Lanes *self)
{
  RoastChartDrawing *drawing = self->drawing;
  guint room = (guint) MAX ((drawing->frame.height - AROUND) / LEAST_ROW, 1);

  roast_chart_selection_init (&self->lanes, drawing->rows, ROAST_CHART_CELL_LANE, &self->by_lane,
                              roast_chart_drawing_get_most (drawing, room),
                              are_kinds (self) ? ROAST_CHART_ORDER_NAME : ROAST_CHART_ORDER_SPREAD);
  roast_chart_selection_init (&self->groups, drawing->rows, ROAST_CHART_CELL_GROUP, &self->by_group,
                              ROAST_CHART_MAX_PARTS, ROAST_CHART_ORDER_SIZE);
  self->n_colours = self->groups.n + (roast_chart_selection_count_others (&self->groups) > 0 ? 1 : 0);
  roast_chart_range_add (&self->x, self->end);
  self->x.n--;
  roast_chart_drawing_set_x (drawing, self->x);
  place (self);
  set_frame (self);
  roast_chart_frame_begin (&drawing->frame);
  draw_borders (self);
  draw_names (self);
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
  gboolean ok = FALSE;

  roast_chart_totals_init (&self.by_lane);
  roast_chart_totals_init (&self.by_group);
  measure (&self);
  ok = self.x.n > 0;
  if (ok)
    draw (&self);
  roast_chart_totals_clear (&self.by_lane);
  roast_chart_totals_clear (&self.by_group);
  roast_chart_selection_clear (&self.lanes);
  roast_chart_selection_clear (&self.groups);
  g_clear_pointer (&self.stretches, g_array_unref);
  g_clear_pointer (&self.cover, roast_chart_cover_free);
  g_free (self.n_rows);
  g_free (self.shares);

  return ok || roast_chart_drawing_no_rows (drawing, error);
}
