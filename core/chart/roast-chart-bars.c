/* SPDX-License-Identifier: BSD-3-Clause */

/* Bars to the right, with their names at the left: names are long. */

#include <math.h>

#include "roast-chart-drawing-private.h"
#include "roast-scene-text-private.h"
#include "roast/roast-format.h"

#define LEAST_HEIGHT 17.0 /* of a bar with its name */
#define SIDE_BY_SIDE 9.0  /* of each further one */
#define AROUND 110.0      /* title, legend and axis */
#define MAX_NAMES 0.35    /* of the width */
#define THICKEST 28.0
#define MOST_OTHERS 3.0 /* times the largest bar: others that are more would make the rest invisible */

typedef struct
{
  double sum, per;
  guint64 n;
} Cell;

typedef struct
{
  RoastChartDrawing *drawing;
  RoastChartTotals by_name, by_group;
  RoastChartSelection names, groups;
  gboolean is_stacked;    /* parts by group; otherwise columns in Y side by side */
  gboolean has_no_others; /* they would hide the rest */
  guint n_bars, n_parts;
  Cell *cells;    /* [bar][part] */
  guint *columns; /* by part, of columns in Y: which one; those without a value are left out */
  guint64 n;
} Bars;

static void
measure (Bars *self)
{
  RoastChartRows *rows = self->drawing->rows;
  guint n = 0;

  while (roast_chart_rows_next (rows, &n))
    {
      const guint *name = roast_chart_rows_get_names (rows, ROAST_CHART_CELL_X);
      const guint *group = roast_chart_rows_get_names (rows, ROAST_CHART_CELL_GROUP);

      for (guint k = 0; k < self->drawing->n_y; k++)
        {
          const double *y = roast_chart_rows_get_numbers (rows, ROAST_CHART_CELL_Y + k);

          for (guint i = 0; i < n; i++)
            if (isfinite (y[i]))
              {
                roast_chart_totals_add (&self->by_name, name[i], y[i]);
                roast_chart_totals_add (&self->by_group, group != NULL ? group[i] : 0, y[i]);
                self->n++;
              }
        }
    }
}

/* Rows that are not to be combined, such as percentiles, have neither a sum nor a mean. */
static gboolean
has_other_bars (Bars *self)
{
  return !self->has_no_others && roast_chart_selection_count_others (&self->names) > 0 &&
         roast_chart_info_get_combine (self->drawing->chart) != ROAST_CHART_COMBINE_ROWS;
}

static void
select_bars (Bars *self)
{
  RoastChartDrawing *drawing = self->drawing;
  double each = LEAST_HEIGHT + (self->is_stacked ? 0 : SIDE_BY_SIDE * (drawing->n_y - 1));
  guint room = (guint) CLAMP ((drawing->frame.height - AROUND) / each, 1, 1000);
  guint names = roast_chart_rows_count_names (drawing->rows, ROAST_CHART_CELL_X);
  guint most = roast_chart_drawing_get_most (drawing, 1000);
  RoastChartOrder order = roast_chart_rows_has_numbers (drawing->rows, ROAST_CHART_CELL_X) ? ROAST_CHART_ORDER_NAME
                                                                                           : ROAST_CHART_ORDER_SIZE;

  /* A row of the room is for the others. */
  if (names > MIN (most, room))
    most = MIN (most,
                roast_chart_info_get_combine (drawing->chart) == ROAST_CHART_COMBINE_ROWS ? room : MAX (room, 2) - 1);
  roast_chart_selection_init (&self->names, drawing->rows, ROAST_CHART_CELL_X, &self->by_name, most, order);
  roast_chart_selection_init (&self->groups, drawing->rows, ROAST_CHART_CELL_GROUP, &self->by_group,
                              ROAST_CHART_MAX_PARTS, ROAST_CHART_ORDER_SIZE);
  self->n_bars = self->names.n + (has_other_bars (self) ? 1 : 0);
  self->n_parts = self->is_stacked ? self->groups.n + (roast_chart_selection_count_others (&self->groups) > 0 ? 1 : 0)
                                   : drawing->n_y;
  self->cells = g_new0 (Cell, (gsize) self->n_bars * self->n_parts);
}

static void
fill (Bars *self)
{
  RoastChartRows *rows = self->drawing->rows;
  guint n = 0;

  roast_chart_rows_rewind (rows);
  while (roast_chart_rows_next (rows, &n))
    {
      const guint *name = roast_chart_rows_get_names (rows, ROAST_CHART_CELL_X);
      const guint *group = roast_chart_rows_get_names (rows, ROAST_CHART_CELL_GROUP);
      const double *per = roast_chart_rows_get_numbers (rows, ROAST_CHART_CELL_PER);

      for (guint k = 0; k < self->drawing->n_y; k++)
        {
          const double *y = roast_chart_rows_get_numbers (rows, ROAST_CHART_CELL_Y + k);

          for (guint i = 0; i < n; i++)
            {
              guint place = self->names.places[name[i]];
              guint bar = MIN (place, self->n_bars - 1);
              guint part = MIN (group != NULL ? self->groups.places[group[i]] : k, self->n_parts - 1);
              Cell *cell = &self->cells[(gsize) bar * self->n_parts + part];

              if ((place == ROAST_CHART_OTHERS && !has_other_bars (self)) || !isfinite (y[i]) ||
                  (per != NULL && !isfinite (per[i])))
                continue;
              cell->sum += y[i];
              cell->per += per != NULL ? per[i] : 0;
              cell->n++;
            }
        }
    }
}

static double
get_whole (Bars *self, guint bar)
{
  double whole = 0;

  for (guint part = 0; part < self->n_parts; part++)
    whole += fabs (self->cells[(gsize) bar * self->n_parts + part].sum);

  return whole;
}

static gboolean
is_empty (Bars *self, guint part)
{
  for (guint bar = 0; bar < self->n_bars; bar++)
    if (self->cells[(gsize) bar * self->n_parts + part].sum != 0)
      return FALSE;

  return TRUE;
}

/* A column in which no bar has anything would only make the others thinner. */
static void
leave_out_empty_columns (Bars *self)
{
  guint kept = 0;
  g_autofree Cell *cells = g_new0 (Cell, (gsize) self->n_bars * self->n_parts);

  self->columns = g_new0 (guint, self->n_parts);
  for (guint part = 0; part < self->n_parts; part++)
    if (self->is_stacked || !is_empty (self, part))
      self->columns[kept++] = part;
  if (kept == 0)
    self->columns[kept++] = 0;
  for (guint bar = 0; bar < self->n_bars; bar++)
    for (guint part = 0; part < kept; part++)
      cells[(gsize) bar * kept + part] = self->cells[(gsize) bar * self->n_parts + self->columns[part]];
  g_free (self->cells);
  self->cells = g_steal_pointer (&cells);
  self->n_parts = kept;
}

/* Whether a bar is the mean of several rows; a mean of others is named as one. */
static gboolean
has_means (Bars *self)
{
  for (guint bar = 0; bar < self->names.n; bar++)
    for (guint part = 0; part < self->n_parts; part++)
      if (self->cells[(gsize) bar * self->n_parts + part].n > 1)
        return TRUE;

  return FALSE;
}

static double
get_value (Bars *self, guint bar, guint part)
{
  const Cell *cell = &self->cells[(gsize) bar * self->n_parts + part];

  if (cell->n == 0)
    return 0;
  if (roast_chart_drawing_is_ratio (self->drawing))
    return cell->per != 0 ? cell->sum / cell->per : 0;
  if (roast_chart_info_get_share_scale (self->drawing->chart))
    return get_whole (self, bar) > 0 ? cell->sum / get_whole (self, bar) : 0;

  return roast_chart_info_get_combine (self->drawing->chart) == ROAST_CHART_COMBINE_MEAN ? cell->sum / (double) cell->n
                                                                                         : cell->sum;
}

/* The longest bar of those from @first on; parts that are stacked make one. */
static double
find_longest (Bars *self, guint first, guint n)
{
  double longest = 0;

  for (guint bar = first; bar < first + n; bar++)
    {
      double whole = 0;

      for (guint part = 0; part < self->n_parts; part++)
        whole = self->is_stacked ? whole + fabs (get_value (self, bar, part))
                                 : MAX (whole, fabs (get_value (self, bar, part)));
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

  if (!has_other_bars (self) || roast_chart_info_get_combine (drawing->chart) != ROAST_CHART_COMBINE_SUM)
    return;
  sum = find_longest (self, self->names.n, 1);
  if (sum <= MOST_OTHERS * find_longest (self, 0, self->names.n))
    return;
  others = roast_chart_selection_dup_others (&self->names);
  text = roast_format_number (sum, roast_chart_drawing_get_y_format (drawing));
  roast_chart_frame_add_note (&drawing->frame, g_strdup_printf ("not shown: %s, together %s", others, text));
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

  /* Rates and ratios have no sum. */
  return roast_chart_info_get_combine (self->drawing->chart) == ROAST_CHART_COMBINE_MEAN
             ? g_strdup_printf ("mean of %s", others)
             : g_steal_pointer (&others);
}

static gboolean
is_others (Bars *self, guint part)
{
  return self->is_stacked && part >= self->groups.n;
}

static guint
get_palette (Bars *self, guint part)
{
  return is_others (self, part) ? 0 : self->is_stacked ? self->groups.palettes[part] : part;
}

static char *
dup_part_name (Bars *self, guint part)
{
  return is_others (self, part) ? roast_chart_selection_dup_others (&self->groups)
                                : roast_chart_drawing_dup_series_name (self->drawing, &self->groups,
                                                                       self->is_stacked ? part : self->columns[part]);
}

static char *
dup_share_label (Bars *self)
{
  g_autofree char *label = roast_chart_rows_dup_label (self->drawing->rows, ROAST_CHART_CELL_Y);

  return g_strconcat ("share of ", label, NULL);
}

static void
set_axes (Bars *self)
{
  RoastChartFrame *frame = &self->drawing->frame;
  RoastChartRange range = ROAST_CHART_RANGE_INIT;
  gboolean is_share = roast_chart_info_get_share_scale (self->drawing->chart);
  const char *format = is_share ? "percent" : roast_chart_drawing_get_y_format (self->drawing);
  gboolean is_log = roast_chart_info_get_log_scale (self->drawing->chart);
  RoastChartScaleFlags flags = ROAST_CHART_SCALE_NICE;
  double names = 0;
  double least_positive = NAN;

  for (guint bar = 0; bar < self->n_bars; bar++)
    {
      double below = 0;
      double above = 0;
      g_autofree char *name = dup_bar_name (self, bar);
      g_autofree char *label = roast_scene_text_fit (name, ROAST_CHART_LABEL_SIZE, frame->width * MAX_NAMES);

      names = MAX (names, roast_scene_measure_text (label, ROAST_CHART_LABEL_SIZE));
      for (guint part = 0; part < self->n_parts; part++)
        {
          double value = get_value (self, bar, part);

          above = self->is_stacked ? above + MAX (value, 0) : MAX (above, value);
          below = self->is_stacked ? below + MIN (value, 0) : MIN (below, value);
          if (value > 0)
            least_positive = fmin (least_positive, value);
        }
      roast_chart_range_add (&range, above);
      roast_chart_range_add (&range, below);
    }
  frame->names_width = names;
  frame->vertical_grid = TRUE;
  if (is_share)
    frame->x_label = dup_share_label (self);
  else if (self->drawing->n_y > 1 && self->n_parts == 1)
    frame->x_label = roast_chart_rows_dup_label (self->drawing->rows, ROAST_CHART_CELL_Y + self->columns[0]);
  else if (self->drawing->n_y == 1 && !roast_chart_drawing_is_ratio (self->drawing) && !has_means (self))
    frame->x_label = roast_chart_rows_dup_label (self->drawing->rows, ROAST_CHART_CELL_Y);
  else
    frame->x_label = roast_chart_drawing_dup_y_label (self->drawing);
  if (is_share)
    {
      /* What rounding adds to the whole is not another tick. */
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

/* A label at a guide would cover a bar. */
static void
add_guides_to_legend (Bars *self)
{
  for (guint i = 0; i < self->drawing->n_guides; i++)
    if (is_guide_shown (self, &self->drawing->guides[i]))
      roast_chart_frame_add_legend (&self->drawing->frame, ROAST_CHART_SWATCH_LINE, ROAST_SCENE_ROLE_GUIDE, 0,
                                    ROAST_SCENE_DASH_DASHED, self->drawing->guides[i].label);
}

static void
add_legend (Bars *self)
{
  for (guint part = 0; part < self->n_parts && (self->n_parts > 1 || self->is_stacked); part++)
    {
      g_autofree char *name = dup_part_name (self, part);

      roast_chart_frame_add_legend (&self->drawing->frame, ROAST_CHART_SWATCH_AREA,
                                    is_others (self, part) ? ROAST_SCENE_ROLE_OTHERS : ROAST_SCENE_ROLE_SERIES,
                                    get_palette (self, part), ROAST_SCENE_DASH_SOLID, name);
    }
}

/* From @before on, px of a value that is added. */
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
  g_autofree char *name = dup_part_name (self, part);
  double pitch = (frame->bottom - frame->top) / self->n_bars;
  double height = MIN (pitch * 0.76, THICKEST * (self->is_stacked ? 1 : self->n_parts));

  for (guint bar = 0; bar < self->n_bars; bar++)
    {
      double value = get_value (self, bar, part);
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
  roast_scene_set_name (frame->scene, self->n_parts > 1 ? name : NULL);
  roast_scene_add_rectangles (frame->scene, is_others (self, part) ? ROAST_SCENE_ROLE_OTHERS : ROAST_SCENE_ROLE_SERIES,
                              get_palette (self, part), (const double *) (gpointer) bars->data, bars->len);
}

static void
draw_names (Bars *self)
{
  RoastChartFrame *frame = &self->drawing->frame;
  double pitch = (frame->bottom - frame->top) / self->n_bars;

  for (guint bar = 0; bar < self->n_bars; bar++)
    {
      g_autofree char *name = dup_bar_name (self, bar);
      g_autofree char *label = roast_scene_text_fit (name, ROAST_CHART_LABEL_SIZE, frame->names_width + 0.01);

      if (pitch >= ROAST_CHART_LABEL_SIZE)
        roast_scene_add_text (frame->scene, bar < self->names.n ? ROAST_SCENE_ROLE_LABEL : ROAST_SCENE_ROLE_NOTE,
                              frame->left - 6, frame->top + pitch * (bar + 0.5) + ROAST_CHART_LABEL_SIZE * 0.36, label,
                              ROAST_SCENE_ANCHOR_END, ROAST_CHART_LABEL_SIZE, 0);
    }
}

static void
draw (Bars *self)
{
  RoastChartDrawing *drawing = self->drawing;
  g_autofree double *ends = g_new0 (double, 2 * (gsize) self->n_bars);

  drawing->frame.has_guides_x = drawing->n_guides > 0;
  roast_chart_frame_begin (&drawing->frame);
  draw_names (self);
  for (guint part = 0; part < self->n_parts; part++)
    draw_part (self, part, ends);
  roast_chart_frame_end (&drawing->frame);
  for (guint i = 0; i < drawing->n_guides; i++)
    if (is_guide_shown (self, &drawing->guides[i]))
      roast_chart_frame_add_line_x (&drawing->frame, drawing->guides[i].value, drawing->guides[i].label);
}

gboolean
roast_chart_draw_bars (RoastChartDrawing *drawing, GError **error)
{
  Bars self = { .drawing = drawing, .is_stacked = roast_chart_rows_is_used (drawing->rows, ROAST_CHART_CELL_GROUP) };

  roast_chart_totals_init (&self.by_name);
  roast_chart_totals_init (&self.by_group);
  measure (&self);
  if (self.n > 0)
    {
      select_bars (&self);
      fill (&self);
      leave_out_empty_columns (&self);
      leave_out_huge_others (&self);
      set_axes (&self);
      add_legend (&self);
      add_guides_to_legend (&self);
      if (!has_other_bars (&self))
        roast_chart_frame_add_note (&drawing->frame,
                                    roast_chart_selection_dup_note (&self.names, "the largest values"));
      draw (&self);
    }
  roast_chart_totals_clear (&self.by_name);
  roast_chart_totals_clear (&self.by_group);
  roast_chart_selection_clear (&self.names);
  roast_chart_selection_clear (&self.groups);
  g_free (self.cells);
  g_free (self.columns);

  return self.n > 0 || roast_chart_drawing_no_rows (drawing, error);
}
