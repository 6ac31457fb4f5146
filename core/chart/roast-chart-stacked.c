/* SPDX-License-Identifier: BSD-3-Clause */

/* Areas on top of each other: of each series what it is at the end of a column of pixels, kept until it changes. What
 * is kept are the changes of each name, column by column: so others, which are many names, are exact as well, and the
 * order of rows of different names is irrelevant. */

#include <math.h>

#include "roast-chart-drawing-private.h"
#include "roast-chart-stacked-private.h"
#include "roast-chart-sums-private.h"

#define LEAST_SUMS 1024

/* What a name is at the moment. */
typedef struct
{
  gboolean is_open;
  guint series;
  double x, sum, per; /* of the x that is being added up */
  double last;        /* at the x before */
} State;

struct _RoastChartStack
{
  guint n_series, n_columns;
  double min, per_unit;
  gboolean is_sum, is_ratio;
  double *changes; /* [series][column] */
  guint *firsts;   /* by series: the column of its first value */
  State *states;   /* by name */
  guint n_names;
};

RoastChartStack *
roast_chart_stack_new (guint n_series, guint n_names, guint n_columns, double min, double max, gboolean is_sum,
                       gboolean is_ratio)
{
  RoastChartStack *self = g_new0 (RoastChartStack, 1);

  self->n_series = n_series;
  self->n_columns = n_columns;
  self->min = min;
  self->per_unit = max > min ? n_columns / (max - min) : 0;
  self->is_sum = is_sum;
  self->is_ratio = is_ratio;
  self->changes = g_new0 (double, (gsize) n_series *n_columns);
  self->firsts = g_new (guint, MAX (n_series, 1));
  for (guint i = 0; i < n_series; i++)
    self->firsts[i] = n_columns;
  self->states = g_new0 (State, MAX (n_names, 1));
  self->n_names = n_names;

  return self;
}

void
roast_chart_stack_free (RoastChartStack *self)
{
  g_free (self->changes);
  g_free (self->firsts);
  g_free (self->states);
  g_free (self);
}

static guint
find_place (RoastChartStack *self, double x)
{
  double place = (x - self->min) * self->per_unit;

  return place > 0 ? MIN ((guint) MIN (place, 1e9), self->n_columns - 1) : 0;
}

static void
close_state (RoastChartStack *self, State *state)
{
  guint column = find_place (self, state->x);
  double value = self->is_ratio ? (state->per != 0 ? state->sum / state->per : 0) : state->sum;

  if (!state->is_open)
    return;
  self->changes[(gsize) state->series * self->n_columns + column] += value - state->last;
  self->firsts[state->series] = MIN (self->firsts[state->series], column);
  state->last = value;
  state->is_open = FALSE;
}

void
roast_chart_stack_add (RoastChartStack *self, guint series, guint name, double x, double y, double per)
{
  State *state = &self->states[name];

  if (!isfinite (x) || !isfinite (y) || (self->is_ratio && !isfinite (per)))
    return;
  if (!self->is_sum || state->x != x)
    close_state (self, state);
  if (!state->is_open)
    state->sum = state->per = 0;
  state->is_open = TRUE;
  state->series = series;
  state->x = x;
  state->sum += y;
  state->per += per;
}

void
roast_chart_stack_leave (RoastChartStack *self, guint name, double x)
{
  State *state = &self->states[name];

  close_state (self, state);
  /* The picture ends there anyway. */
  if (!isfinite (x) || x < state->x || (x - self->min) * self->per_unit >= self->n_columns)
    return;
  self->changes[(gsize) state->series * self->n_columns + find_place (self, x)] -= state->last;
  state->last = 0;
}

void
roast_chart_stack_end (RoastChartStack *self)
{
  for (guint i = 0; i < self->n_names; i++)
    close_state (self, &self->states[i]);
  for (guint s = 0; s < self->n_series; s++)
    for (guint i = 1; i < self->n_columns; i++)
      {
        double *change = &self->changes[(gsize) s * self->n_columns + i];

        change[0] += change[-1];
      }
}

gboolean
roast_chart_stack_has (RoastChartStack *self, guint series, guint column)
{
  return column >= self->firsts[series];
}

double
roast_chart_stack_get (RoastChartStack *self, guint series, guint column)
{
  double value = self->changes[(gsize) series * self->n_columns + column];

  /* Less than nothing is what is left of differences. */
  return MAX (value, 0);
}

/* ---- chart ---- */

typedef struct
{
  RoastChartDrawing *drawing;
  RoastChartRange x;
  RoastChartTotals totals;
  RoastChartSelection groups;
  RoastChartStack *stack;
  GPtrArray *sums;  /* of RoastChartSums, by name, if rows of the same x are added up; or NULL */
  double *taken_to; /* by name: the highest x whose sum is in the stack */
  guint n_series, n_names;
  guint n_columns; /* of pixels; the stack has ROAST_CHART_FINE times as many */
  gboolean has_others;
  double *ground; /* by column: what is below the next area */
} Stacked;

static guint
find_series (Stacked *self, guint name)
{
  if (self->drawing->n_y > 1)
    return name;

  /* A name that has nothing to show is never asked for. */
  return MIN (self->groups.places[name], self->n_series - 1);
}

static void
take_sums (Stacked *self, guint series, guint name, gboolean all)
{
  g_autoptr (GArray) sums = roast_chart_sums_take (g_ptr_array_index (self->sums, name), all);

  for (guint i = 0; i < sums->len; i++)
    {
      const RoastChartSum *sum = &g_array_index (sums, RoastChartSum, i);

      roast_chart_stack_add (self->stack, series, name, sum->x, sum->y, sum->per);
      self->taken_to[name] = sum->x;
    }
}

/* Rows of one x may come in any order. FALSE if its sum is in the stack already. */
static gboolean
add_to_sum (Stacked *self, guint series, guint name, double x, double y, double per)
{
  RoastChartSum *sum = NULL;

  if (!isfinite (x) || !isfinite (y) || !isfinite (per))
    return TRUE;
  if (x <= self->taken_to[name])
    return FALSE;
  sum = roast_chart_sums_get (g_ptr_array_index (self->sums, name), x);
  if (sum == NULL)
    {
      take_sums (self, series, name, FALSE);
      sum = roast_chart_sums_get (g_ptr_array_index (self->sums, name), x);
    }
  sum->y += y;
  sum->per += per;

  return x > self->taken_to[name];
}

static void
make_sums (Stacked *self)
{
  guint most = MAX (ROAST_CHART_MOST_SUMS / MAX (self->n_names, 1), LEAST_SUMS);

  self->sums = g_ptr_array_new_with_free_func ((GDestroyNotify) roast_chart_sums_free);
  self->taken_to = g_new (double, MAX (self->n_names, 1));
  for (guint i = 0; i < self->n_names; i++)
    {
      g_ptr_array_add (self->sums, roast_chart_sums_new (most));
      self->taken_to[i] = -INFINITY;
    }
}

/* FALSE if sums would be wrong. */
static gboolean
fill (Stacked *self)
{
  gboolean ok = TRUE;
  RoastChartRows *rows = self->drawing->rows;
  g_autofree guint *series = g_new (guint, self->n_names);
  guint n = 0;

  for (guint i = 0; i < self->n_names; i++)
    series[i] = find_series (self, i);
  if (roast_chart_info_get_combine (self->drawing->chart) == ROAST_CHART_COMBINE_SUM &&
      roast_chart_rows_get_holders (rows) == NULL)
    make_sums (self);
  roast_chart_rows_rewind (rows);
  while (roast_chart_rows_next (rows, &n))
    {
      const double *x = roast_chart_rows_get_numbers (rows, ROAST_CHART_CELL_X);
      const double *per = roast_chart_rows_get_numbers (rows, ROAST_CHART_CELL_PER);
      const guint *group = roast_chart_rows_get_names (rows, ROAST_CHART_CELL_GROUP);
      const guint *holders = roast_chart_rows_get_holders (rows);

      for (guint k = 0; k < self->drawing->n_y; k++)
        {
          const double *y = roast_chart_rows_get_numbers (rows, ROAST_CHART_CELL_Y + k);

          for (guint i = 0; i < n; i++)
            {
              guint name = group != NULL ? group[i] : k;
              guint holder = holders != NULL ? holders[i] * self->drawing->n_y + k : name;

              if (self->sums != NULL)
                ok = add_to_sum (self, series[name], name, x[i], y[i], per != NULL ? per[i] : 1) && ok;
              else
                roast_chart_stack_add (self->stack, series[name], holder, x[i], y[i], per != NULL ? per[i] : 1);
            }
        }
    }
  for (guint i = 0; self->sums != NULL && i < self->n_names; i++)
    take_sums (self, series[i], i, TRUE);
  for (guint i = 0; i < roast_chart_rows_count_holders (rows) * self->drawing->n_y; i++)
    roast_chart_stack_leave (self->stack, i, roast_chart_rows_get_end_of_holder (rows, i / self->drawing->n_y));
  roast_chart_stack_end (self->stack);

  return ok;
}

/* At the end of a column of pixels. */
static double
get_height (Stacked *self, guint series, guint column)
{
  return roast_chart_stack_get (self->stack, series, ROAST_CHART_FINE * (column + 1) - 1);
}

static RoastChartRange
measure_totals (Stacked *self)
{
  RoastChartRange range = ROAST_CHART_RANGE_INIT;

  roast_chart_range_add (&range, 0);
  for (guint i = 0; i < self->n_columns; i++)
    {
      double total = 0;

      for (guint s = 0; s < self->n_series; s++)
        total += get_height (self, s, i);
      roast_chart_range_add (&range, total);
    }

  return range;
}

/* A step at each column in which the height changes. */
static void
append_edge (Stacked *self, GArray *edge, const double *heights)
{
  const RoastChartFrame *frame = &self->drawing->frame;
  double before = NAN;

  for (guint i = 0; i < self->n_columns; i++)
    {
      double x = frame->left + (frame->right - frame->left) * i / self->n_columns;
      double y = roast_chart_scale_map (&frame->y, heights[i]);
      double xy[] = { x, before, x, y };

      if (y != before && !isnan (before))
        g_array_append_vals (edge, xy, 4);
      else if (isnan (before))
        g_array_append_vals (edge, xy + 2, 2);
      before = y;
    }
  {
    double end[] = { frame->right, before };

    g_array_append_vals (edge, end, 2);
  }
}

static gboolean
has_change (Stacked *self, guint fold, guint column)
{
  if (column == 0)
    return TRUE;
  for (guint s = 0; s < self->n_series; s++)
    if (roast_chart_stack_get (self->stack, s, fold * (column + 1) - 1) !=
        roast_chart_stack_get (self->stack, s, fold * column - 1))
      return TRUE;

  return FALSE;
}

/* The columns in which any of the series changes, and the end. */
static GArray *
dup_points (Stacked *self, guint series, guint fold)
{
  const RoastChartScale *x = &self->drawing->frame.x;
  guint n = ROAST_CHART_FINE * self->n_columns / fold;
  GArray *points = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < n; i++)
    if (has_change (self, fold, i))
      {
        double xy[] = { x->min + (x->max - x->min) * i / n,
                        roast_chart_stack_get (self->stack, series, fold * (i + 1) - 1) };

        g_array_append_vals (points, xy, 2);
      }
  {
    double end[] = { x->max, roast_chart_stack_get (self->stack, series, ROAST_CHART_FINE * self->n_columns - 1) };

    g_array_append_vals (points, end, 2);
  }

  return points;
}

static void
add_data (Stacked *self, guint series, gboolean is_others, const char *name)
{
  const RoastChartLook look = { .name = name,
                                .role = is_others ? ROAST_SCENE_ROLE_OTHERS : ROAST_SCENE_ROLE_SERIES,
                                .palette = is_others ? 0 : series,
                                .is_step = TRUE };

  roast_chart_data_add_series (self->drawing->data, &look, 2, dup_points (self, series, 1),
                               dup_points (self, series, ROAST_CHART_FINE));
}

static void
draw_series (Stacked *self, guint series)
{
  RoastChartFrame *frame = &self->drawing->frame;
  gboolean is_others = self->has_others && series == self->n_series - 1;
  g_autoptr (GArray) area = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) below = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree char *name = is_others ? roast_chart_selection_dup_others (&self->groups)
                                    : roast_chart_drawing_dup_series_name (self->drawing, &self->groups, series);

  add_data (self, series, is_others, name);
  append_edge (self, below, self->ground);
  for (guint i = 0; i < self->n_columns; i++)
    self->ground[i] += get_height (self, series, i);
  append_edge (self, area, self->ground);
  for (guint i = below->len; i >= 2; i -= 2)
    g_array_append_vals (area, &g_array_index (below, double, i - 2), 2);
  roast_scene_set_name (frame->scene, name);
  roast_scene_add_polygon (frame->scene, is_others ? ROAST_SCENE_ROLE_OTHERS : ROAST_SCENE_ROLE_SERIES,
                           is_others ? 0 : series, (const double *) (gpointer) area->data, area->len);
}

static void
add_legend (Stacked *self)
{
  for (guint i = 0; i < self->n_series; i++)
    {
      gboolean is_others = self->has_others && i == self->n_series - 1;
      g_autofree char *name = is_others ? roast_chart_selection_dup_others (&self->groups)
                                        : roast_chart_drawing_dup_series_name (self->drawing, &self->groups, i);

      roast_chart_frame_add_legend (&self->drawing->frame, ROAST_CHART_SWATCH_AREA,
                                    is_others ? ROAST_SCENE_ROLE_OTHERS : ROAST_SCENE_ROLE_SERIES, is_others ? 0 : i,
                                    ROAST_SCENE_DASH_SOLID, name);
    }
}

static gboolean
draw (Stacked *self, GError **error)
{
  RoastChartDrawing *drawing = self->drawing;
  const RoastChartScale *x = &drawing->frame.x;
  guint n_states = 0;

  self->has_others = drawing->n_y == 1 && roast_chart_selection_count_others (&self->groups) > 0;
  self->n_series = drawing->n_y > 1 ? drawing->n_y : self->groups.n + (self->has_others ? 1 : 0);
  self->n_names =
      drawing->n_y > 1 ? drawing->n_y : roast_chart_rows_count_names (drawing->rows, ROAST_CHART_CELL_GROUP);
  self->n_columns = roast_chart_drawing_count_columns (drawing);
  n_states = MAX (self->n_names, roast_chart_rows_count_holders (drawing->rows) * drawing->n_y);
  self->stack = roast_chart_stack_new (self->n_series, n_states, ROAST_CHART_FINE * self->n_columns, x->min, x->max,
                                       roast_chart_info_get_combine (drawing->chart) == ROAST_CHART_COMBINE_SUM,
                                       roast_chart_drawing_is_ratio (drawing));
  if (!fill (self))
    return roast_chart_drawing_not_whole (drawing, error);
  roast_chart_drawing_set_y (drawing, measure_totals (self), NAN, ROAST_CHART_SCALE_ZERO);
  add_legend (self);
  roast_chart_frame_begin (&drawing->frame);
  self->ground = g_new0 (double, self->n_columns);
  for (guint i = 0; i < self->n_series; i++)
    draw_series (self, i);
  roast_chart_frame_end (&drawing->frame);
  roast_chart_drawing_add_value_guides (drawing);

  return TRUE;
}

gboolean
roast_chart_draw_stacked (RoastChartDrawing *drawing, GError **error)
{
  Stacked self = { .drawing = drawing, .x = ROAST_CHART_RANGE_INIT };
  gboolean ok = FALSE;

  roast_chart_totals_init (&self.totals);
  roast_chart_drawing_measure (drawing, &self.x, &self.totals, FALSE, NULL, NULL);
  ok = self.x.n > 0;
  if (ok)
    {
      roast_chart_selection_init (&self.groups, drawing->rows, ROAST_CHART_CELL_GROUP, &self.totals,
                                  roast_chart_drawing_get_most (drawing, ROAST_CHART_MAX_PARTS),
                                  ROAST_CHART_ORDER_SIZE);
      roast_chart_drawing_set_x (drawing, self.x);
      ok = draw (&self, error);
    }
  else
    roast_chart_drawing_no_rows (drawing, error);
  roast_chart_totals_clear (&self.totals);
  roast_chart_selection_clear (&self.groups);
  g_clear_pointer (&self.stack, roast_chart_stack_free);
  g_clear_pointer (&self.sums, g_ptr_array_unref);
  g_free (self.taken_to);
  g_free (self.ground);

  return ok;
}
