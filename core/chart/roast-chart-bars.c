/* SPDX-License-Identifier: BSD-3-Clause */

/* Draws horizontal bars, with the names at the left, where long names have room. */

#include <math.h>

#include "roast-chart-drawing-private.h"
#include "roast/roast-format.h"

#define LEAST_HEIGHT 17.0   /* minimum height of a bar with its name, in px */
#define SIDE_BY_SIDE 9.0    /* height added to a bar for each column in Y after the first, in px */
#define BARS_AROUND 110.0   /* height of title, legend and axis, in px */
#define BARS_MAX_NAMES 0.35 /* names are shortened to this share of the picture's width */
#define BARS_THICKEST 28.0
#define MOST_OTHERS 3.0 /* the bar of others is left out if it is longer than the longest other bar times this */

typedef struct
{
  double sum, per;
  guint64 n;
} BarsCell;

typedef struct
{
  RoastChartDrawing *drawing;
  RoastChartSelection names;
  gboolean is_stacked;    /* TRUE if the parts of a bar are groups, drawn one after the other; FALSE if the parts are
                             columns in Y, drawn side by side */
  gboolean has_no_others; /* TRUE if the bar of others is left out, because it would make the other bars too short */
  guint n_bars, n_parts;
  BarsCell *cells; /* sum of the rows of each part of each bar, indexed by bar * n_cells + part */
  guint n_cells;   /* number of parts before columns without values are left out */
  guint *columns;  /* index of the column in Y, or of the group, of each part */
  guint64 n;
} Bars;

static void
bars_measure (Bars *self)
{
  const RoastChartRow *row = NULL;

  while ((row = roast_chart_rows_next (self->drawing->rows)) != NULL)
    for (guint k = 0; k < self->drawing->n_y; k++)
      {
        double y = row->numbers[ROAST_CHART_CELL_Y + k];

        if (!isfinite (y))
          continue;
        roast_chart_selection_add (&self->names, row->names[ROAST_CHART_CELL_X], y);
        roast_chart_selection_add (&self->drawing->groups, row->names[ROAST_CHART_CELL_GROUP], y);
        self->n++;
      }
}

/* Return whether there is a bar of others, which stands for all names that are not shown. There is no such bar if rows
 * must not be combined, for example percentiles. */
static gboolean
has_other_bars (Bars *self)
{
  return !self->has_no_others && roast_chart_selection_count_others (&self->names) > 0 &&
         self->drawing->declared->combine != ROAST_CHART_COMBINE_ROWS;
}

static void
select_bars (Bars *self)
{
  RoastChartDrawing *drawing = self->drawing;
  double each = LEAST_HEIGHT + (self->is_stacked ? 0 : SIDE_BY_SIDE * (drawing->n_y - 1));
  guint room = (guint) CLAMP ((drawing->frame.height - BARS_AROUND) / each, 1, 1000);
  guint names = roast_chart_rows_count_names (drawing->rows, ROAST_CHART_CELL_X);
  guint most = roast_chart_drawing_get_most (drawing, 1000);
  RoastChartOrder order =
      drawing->cells[ROAST_CHART_CELL_X].has_numbers ? ROAST_CHART_ORDER_NAME : ROAST_CHART_ORDER_SIZE;

  /* Reserve one bar for the names that are not shown. */
  if (names > MIN (most, room))
    most = MIN (most, drawing->declared->combine == ROAST_CHART_COMBINE_ROWS ? room : MAX (room, 2) - 1);
  roast_chart_selection_choose (&self->names, drawing->rows, ROAST_CHART_CELL_X, most, order);
  self->n_parts = roast_chart_drawing_choose_parts (drawing, ROAST_CHART_MAX_PARTS);
  self->n_bars = self->names.n + (has_other_bars (self) ? 1 : 0);
  if (!self->is_stacked)
    self->n_parts = drawing->n_y;
  self->n_cells = self->n_parts;
  self->cells = g_new0 (BarsCell, (gsize) self->n_bars * self->n_cells);
  self->columns = g_new (guint, MAX (self->n_parts, 1));
  for (guint part = 0; part < self->n_parts; part++)
    self->columns[part] = part;
}

static BarsCell *
bars_get_cell (Bars *self, guint bar, guint part)
{
  return &self->cells[(gsize) bar * self->n_cells + self->columns[part]];
}

static void
add_to_bar (Bars *self, const RoastChartRow *row, guint k)
{
  guint place = self->names.places[row->names[ROAST_CHART_CELL_X]];
  guint bar = MIN (place, self->n_bars - 1);
  guint part =
      MIN (self->is_stacked ? self->drawing->groups.places[row->names[ROAST_CHART_CELL_GROUP]] : k, self->n_parts - 1);
  BarsCell *cell = bars_get_cell (self, bar, part);
  gboolean is_ratio = roast_chart_drawing_is_ratio (self->drawing);
  double y = row->numbers[ROAST_CHART_CELL_Y + k];
  double per = is_ratio ? row->numbers[ROAST_CHART_CELL_PER] : 0;

  if ((place == ROAST_CHART_OTHERS && !has_other_bars (self)) || !isfinite (y) || !isfinite (per))
    return;
  cell->sum += y;
  cell->per += per;
  cell->n++;
}

static void
bars_fill (Bars *self)
{
  const RoastChartRow *row = NULL;

  roast_chart_rows_rewind (self->drawing->rows);
  while ((row = roast_chart_rows_next (self->drawing->rows)) != NULL)
    for (guint k = 0; k < self->drawing->n_y; k++)
      add_to_bar (self, row, k);
}

static double
get_whole (Bars *self, guint bar)
{
  double whole = 0;

  for (guint part = 0; part < self->n_parts; part++)
    whole += fabs (bars_get_cell (self, bar, part)->sum);

  return whole;
}

static gboolean
bars_is_empty (Bars *self, guint part)
{
  for (guint bar = 0; bar < self->n_bars; bar++)
    if (bars_get_cell (self, bar, part)->sum != 0)
      return FALSE;

  return TRUE;
}

/* Leave out the columns in Y that have no values, because they would only make the other bars thinner. */
static void
leave_out_empty_columns (Bars *self)
{
  guint kept = 0;

  for (guint part = 0; part < self->n_parts; part++)
    if (self->is_stacked || !bars_is_empty (self, part))
      self->columns[kept++] = part;
  if (kept == 0)
    self->columns[kept++] = 0;
  self->n_parts = kept;
}

/* Return whether a bar combines several rows. Ignore the bar of others, because its name already says whether it shows
 * a mean. */
static gboolean
has_means (Bars *self)
{
  for (guint bar = 0; bar < self->names.n; bar++)
    for (guint part = 0; part < self->n_parts; part++)
      if (bars_get_cell (self, bar, part)->n > 1)
        return TRUE;

  return FALSE;
}

static double
bars_get_value (Bars *self, guint bar, guint part)
{
  const BarsCell *cell = bars_get_cell (self, bar, part);

  if (cell->n == 0)
    return 0;
  if (roast_chart_drawing_is_ratio (self->drawing))
    return cell->per != 0 ? cell->sum / cell->per : 0;
  if (self->drawing->declared->share_scale)
    return get_whole (self, bar) > 0 ? cell->sum / get_whole (self, bar) : 0;

  return self->drawing->declared->combine == ROAST_CHART_COMBINE_MEAN ? cell->sum / (double) cell->n : cell->sum;
}

/* Return the length of the longest of @n bars, beginning with bar @first. If bars are stacked, the length of a bar is
 * the sum of its parts. */
static double
find_longest (Bars *self, guint first, guint n)
{
  double longest = 0;

  for (guint bar = first; bar < first + n; bar++)
    {
      double whole = 0;

      for (guint part = 0; part < self->n_parts; part++)
        whole = self->is_stacked ? whole + fabs (bars_get_value (self, bar, part))
                                 : MAX (whole, fabs (bars_get_value (self, bar, part)));
      longest = MAX (longest, whole);
    }

  return longest;
}

static void
leave_out_huge_others (Bars *self)
{
  RoastChartDrawing *drawing = self->drawing;
  double sum = 0;
  g_autofree char *others = NULL;
  g_autofree char *text = NULL;

  if (!has_other_bars (self) || drawing->declared->combine != ROAST_CHART_COMBINE_SUM)
    return;
  sum = find_longest (self, self->names.n, 1);
  if (sum <= MOST_OTHERS * find_longest (self, 0, self->names.n))
    return;
  others = roast_chart_selection_dup_others (&self->names);
  text = roast_format_number (sum, roast_chart_drawing_get_y_format (drawing));
  roast_chart_frame_add_note (&drawing->frame, g_strdup_printf ("not shown: %s, with a sum of %s", others, text));
  self->has_no_others = TRUE;
  self->n_bars = self->names.n;
}

static char *
dup_bar_name (Bars *self, guint bar)
{
  g_autofree char *others = NULL;

  if (bar < self->names.n)
    return g_strdup (roast_chart_rows_get_name (self->drawing->rows, ROAST_CHART_CELL_X, self->names.names[bar]));
  others = roast_chart_selection_dup_others (&self->names);

  /* Say "mean" if the bar of others is a mean, as for rates, because users would expect a sum. */
  return self->drawing->declared->combine == ROAST_CHART_COMBINE_MEAN ? g_strdup_printf ("mean of %s", others)
                                                                      : g_steal_pointer (&others);
}

static char *
dup_share_label (Bars *self)
{
  const char *label = self->drawing->cells[ROAST_CHART_CELL_Y].label;

  return g_strconcat ("share of ", label, NULL);
}

static void
bars_set_axes (Bars *self)
{
  RoastChartFrame *frame = &self->drawing->frame;
  RoastChartRange range = ROAST_CHART_RANGE_INIT;
  gboolean is_share = self->drawing->declared->share_scale;
  const char *format = is_share ? "percent" : roast_chart_drawing_get_y_format (self->drawing);
  gboolean is_log = self->drawing->declared->log_scale;
  RoastChartScaleFlags flags = ROAST_CHART_SCALE_NICE;
  double least_positive = NAN;

  for (guint bar = 0; bar < self->n_bars; bar++)
    {
      double below = 0;
      double above = 0;
      g_autofree char *name = dup_bar_name (self, bar);

      roast_chart_frame_measure_name (frame, name, frame->width * BARS_MAX_NAMES);
      for (guint part = 0; part < self->n_parts; part++)
        {
          double value = bars_get_value (self, bar, part);

          above = self->is_stacked ? above + MAX (value, 0) : MAX (above, value);
          below = self->is_stacked ? below + MIN (value, 0) : MIN (below, value);
          if (value > 0)
            least_positive = fmin (least_positive, value);
        }
      roast_chart_range_add (&range, above);
      roast_chart_range_add (&range, below);
    }
  frame->vertical_grid = TRUE;
  if (is_share)
    frame->x_label = dup_share_label (self);
  else if (self->drawing->n_y > 1 && self->n_parts == 1)
    frame->x_label = g_strdup (self->drawing->cells[ROAST_CHART_CELL_Y + self->columns[0]].label);
  else if (self->drawing->n_y == 1 && !roast_chart_drawing_is_ratio (self->drawing) && !has_means (self))
    frame->x_label = g_strdup (self->drawing->cells[ROAST_CHART_CELL_Y].label);
  else
    frame->x_label = roast_chart_drawing_dup_y_label (self->drawing);
  if (is_share)
    {
      /* Clip the range of shares to -1 to 1, because a share that exceeds 1 by a rounding error would add a tick. */
      range.max = MIN (range.max, 1);
      range.min = MAX (range.min, -1);
    }
  flags |= is_log ? ROAST_CHART_SCALE_LOG : ROAST_CHART_SCALE_ZERO;
  roast_chart_scale_init (&frame->x, is_log ? least_positive / 2 : range.min, range.max, flags, format);
}

static gboolean
is_guide_shown (Bars *self, const RoastChartGuide *guide)
{
  const RoastChartScale *x = &self->drawing->frame.x;

  return guide->kind == ROAST_CHART_GUIDE_VALUE && guide->value >= x->min && guide->value <= x->max;
}

/* Put the labels of guides into the legend, because labels beside the guide lines would cover bars. */
static void
add_guides_to_legend (Bars *self)
{
  for (guint i = 0; i < self->drawing->declared->n_guides; i++)
    if (is_guide_shown (self, &self->drawing->declared->guides[i]))
      {
        const RoastChartLook look = { .name = self->drawing->declared->guides[i].label,
                                      .role = ROAST_SCENE_ROLE_GUIDE,
                                      .dash = ROAST_SCENE_DASH_DASHED };

        roast_chart_legend_add (self->drawing->frame.legend, ROAST_CHART_SWATCH_LINE, &look);
      }
}

/* Append the rectangle of a value to @bars. The rectangle begins at @before, where the previous part of the bar
 * ends. */
static void
append_bar (Bars *self, GArray *bars, double before, double value, double top, double height)
{
  const RoastChartScale *x = &self->drawing->frame.x;
  double from = roast_chart_scale_map (x, (x->flags & ROAST_CHART_SCALE_LOG) != 0 && before <= 0 ? x->min : before);
  double to = roast_chart_scale_map (x, before + value);
  double bar[] = { MIN (from, to), top, fabs (to - from), height };

  if (value != 0)
    g_array_append_vals (bars, bar, 4);
}

static void
draw_part (Bars *self, guint part, double *ends)
{
  RoastChartFrame *frame = &self->drawing->frame;
  g_autoptr (GArray) bars = g_array_new (FALSE, FALSE, sizeof (double));
  const RoastChartLook *look = &self->drawing->looks[part];
  double pitch = (frame->bottom - frame->top) / self->n_bars;
  double height = MIN (pitch * 0.76, BARS_THICKEST * (self->is_stacked ? 1 : self->n_parts));

  for (guint bar = 0; bar < self->n_bars; bar++)
    {
      double value = bars_get_value (self, bar, part);
      double top = frame->top + pitch * bar + (pitch - height) / 2;
      double each = height / self->n_parts;

      if (self->is_stacked)
        {
          double *end = &ends[2 * bar + (value < 0 ? 1 : 0)];

          append_bar (self, bars, *end, value, top, height);
          *end += value;
        }
      else
        append_bar (self, bars, 0, value, top + part * each, each - (self->n_parts > 1 ? 1 : 0));
    }
  roast_scene_set_name (frame->scene, self->n_parts > 1 ? look->name : NULL);
  roast_scene_add_rectangles (frame->scene, look->role, look->palette, (const double *) (gpointer) bars->data,
                              bars->len);
}

static void
bars_draw_names (Bars *self)
{
  RoastChartFrame *frame = &self->drawing->frame;
  double pitch = (frame->bottom - frame->top) / self->n_bars;

  for (guint bar = 0; bar < self->n_bars; bar++)
    {
      g_autofree char *name = dup_bar_name (self, bar);

      if (pitch >= ROAST_CHART_LABEL_SIZE)
        roast_chart_frame_draw_name (frame, bar < self->names.n ? ROAST_SCENE_ROLE_LABEL : ROAST_SCENE_ROLE_NOTE,
                                     frame->top + pitch * (bar + 0.5), name);
    }
}

static void
bars_draw (Bars *self)
{
  RoastChartDrawing *drawing = self->drawing;
  g_autofree double *ends = g_new0 (double, 2 * (gsize) self->n_bars);

  drawing->frame.has_guides_x = drawing->declared->n_guides > 0;
  roast_chart_frame_begin (&drawing->frame);
  bars_draw_names (self);
  for (guint part = 0; part < self->n_parts; part++)
    draw_part (self, part, ends);
  roast_chart_frame_end (&drawing->frame);
  for (guint i = 0; i < drawing->declared->n_guides; i++)
    if (is_guide_shown (self, &drawing->declared->guides[i]))
      roast_chart_frame_add_line_x (&drawing->frame, drawing->declared->guides[i].value,
                                    drawing->declared->guides[i].label);
}

gboolean
roast_chart_draw_bars (RoastChartDrawing *drawing, GError **error)
{
  Bars self = { .drawing = drawing, .is_stacked = drawing->cells[ROAST_CHART_CELL_GROUP].is_used };

  bars_measure (&self);
  if (self.n > 0)
    {
      select_bars (&self);
      bars_fill (&self);
      leave_out_empty_columns (&self);
      leave_out_huge_others (&self);
      roast_chart_drawing_make_looks (drawing, self.n_parts, self.columns,
                                      self.is_stacked ? drawing->groups.palettes : NULL);
      bars_set_axes (&self);
      if (self.n_parts > 1 || self.is_stacked)
        roast_chart_drawing_add_legend (drawing, ROAST_CHART_SWATCH_AREA);
      add_guides_to_legend (&self);
      if (!has_other_bars (&self))
        roast_chart_frame_add_note (&drawing->frame,
                                    roast_chart_selection_dup_note (&self.names, "the largest values"));
      bars_draw (&self);
    }
  roast_chart_selection_clear (&self.names);
  g_free (self.cells);
  g_free (self.columns);

  return self.n > 0 || roast_chart_drawing_no_rows (drawing, error);
}
