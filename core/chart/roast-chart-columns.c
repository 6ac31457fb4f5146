/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-chart-columns-private.h"

#include <math.h>

#include "roast-chart-sums-private.h"

typedef struct
{
  double x, y;
} Point;

/* With means, first is the sum of all points, and only y of lowest and highest is used. */
typedef struct
{
  Point first, last, lowest, highest;
  guint64 n;
} Column;

struct _RoastChartColumns
{
  RoastChartCombine combine;
  gboolean is_ratio;
  guint n_columns;
  double min, per_unit;
  Column *columns;

  RoastChartSums *sums; /* sums that are still being added up; NULL if each row is a point */
  RoastChartRange y;
};

static inline void
add_to_column (Column *column, Point point)
{
  if (column->n++ == 0)
    {
      column->first = column->last = column->lowest = column->highest = point;
      return;
    }
  if (point.x < column->first.x)
    column->first = point;
  if (point.x >= column->last.x)
    column->last = point;
  if (point.y < column->lowest.y)
    column->lowest = point;
  if (point.y > column->highest.y)
    column->highest = point;
}

static inline void
add_to_mean (Column *column, Point point)
{
  Point sum = { column->first.x + point.x, column->first.y + point.y };

  add_to_column (column, point);
  column->first = column->n == 1 ? point : sum;
}

static void
add_point (RoastChartColumns *self, double x, double y)
{
  double place = (x - self->min) * self->per_unit;
  Column *column = NULL;

  if (!isfinite (x) || !isfinite (y))
    return;
  column = &self->columns[place > 0 ? MIN ((guint) MIN (place, 1e9), self->n_columns - 1) : 0];
  (self->combine == ROAST_CHART_COMBINE_MEAN ? add_to_mean : add_to_column) (column, (Point) { x, y });
  roast_chart_range_add (&self->y, y);
}

static void
take_sum (gpointer data, const RoastChartSum *sum)
{
  RoastChartColumns *self = data;

  add_point (self, sum->x, self->is_ratio ? sum->y / sum->per : sum->y);
}

RoastChartColumns *
roast_chart_columns_new (guint n_columns, double min, double max, RoastChartCombine combine, gboolean is_ratio)
{
  RoastChartColumns *self = g_new0 (RoastChartColumns, 1);

  self->combine = combine;
  self->is_ratio = is_ratio;
  self->n_columns = MAX (n_columns, 1);
  self->min = min;
  self->per_unit = max > min ? self->n_columns / (max - min) : 0;
  self->columns = g_new0 (Column, self->n_columns);
  self->y = (RoastChartRange) ROAST_CHART_RANGE_INIT;
  if (combine == ROAST_CHART_COMBINE_SUM)
    self->sums = roast_chart_sums_new (ROAST_CHART_MOST_SUMS, take_sum, self);

  return self;
}

void
roast_chart_columns_free (RoastChartColumns *self)
{
  g_clear_pointer (&self->sums, roast_chart_sums_free);
  g_free (self->columns);
  g_free (self);
}

void
roast_chart_columns_end (RoastChartColumns *self)
{
  if (self->sums != NULL)
    roast_chart_sums_end (self->sums);
}

void
roast_chart_columns_add (RoastChartColumns *self, double x, double y, double per)
{
  if (!isfinite (x) || !isfinite (y) || (self->is_ratio && !isfinite (per)))
    return;
  if (self->sums != NULL)
    roast_chart_sums_add (self->sums, x, y, per);
  else
    add_point (self, x, self->is_ratio ? y / per : y);
}

guint
roast_chart_columns_get_width (RoastChartColumns *self)
{
  return self->combine == ROAST_CHART_COMBINE_MEAN ? 4 : 2;
}

/* Return one column with the points of @n columns from @first on. */
static Column
join (const RoastChartColumns *self, guint first, guint n)
{
  Column all = { .n = 0 };

  for (guint i = first; i < MIN (first + n, self->n_columns); i++)
    {
      const Column *column = &self->columns[i];
      Point sum = { all.first.x + column->first.x, all.first.y + column->first.y };

      if (column->n == 0)
        continue;
      if (all.n == 0)
        {
          all = *column;
          continue;
        }
      /* With means, first is a sum. */
      all.first = self->combine == ROAST_CHART_COMBINE_MEAN ? sum : all.first;
      all.last = column->last;
      all.lowest = column->lowest.y < all.lowest.y ? column->lowest : all.lowest;
      all.highest = column->highest.y > all.highest.y ? column->highest : all.highest;
      all.n += column->n;
    }

  return all;
}

static void
append_point (GArray *points, Point point)
{
  double *last = points->len >= 2 ? &g_array_index (points, double, points->len - 2) : NULL;

  if (last != NULL && last[0] == point.x && last[1] == point.y)
    return;
  g_array_append_val (points, point.x);
  g_array_append_val (points, point.y);
}

GArray *
roast_chart_columns_dup_points (RoastChartColumns *self, guint fold)
{
  GArray *points = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < self->n_columns; i += fold)
    {
      Column column = join (self, i, fold);
      double n = (double) column.n;
      double mean[] = { column.first.x / n, column.first.y / n, column.lowest.y, column.highest.y };
      gboolean falls = column.highest.x < column.lowest.x;

      if (column.n == 0)
        continue;
      if (self->combine == ROAST_CHART_COMBINE_MEAN)
        {
          g_array_append_vals (points, mean, G_N_ELEMENTS (mean));
          continue;
        }
      append_point (points, column.first);
      append_point (points, falls ? column.highest : column.lowest);
      append_point (points, falls ? column.lowest : column.highest);
      append_point (points, column.last);
    }

  return points;
}

const RoastChartRange *
roast_chart_columns_get_range (RoastChartColumns *self)
{
  return &self->y;
}

gboolean
roast_chart_columns_is_whole (RoastChartColumns *self)
{
  return self->sums == NULL || roast_chart_sums_is_whole (self->sums);
}
