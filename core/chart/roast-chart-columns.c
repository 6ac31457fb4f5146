/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-chart-columns-private.h"

#include <math.h>

typedef struct
{
  double x, y;
} Point;

/* The points of a column. For ROAST_CHART_COMBINE_MEAN, @first has the sums of x and y over all points, @last is
 * unused, and only y of @lowest and @highest is used. */
struct _RoastChartColumn
{
  Point first, last, lowest, highest;
  guint64 n;
};

typedef struct _RoastChartColumn Column;

/* The sums of y and of the denominators over all rows with this x. */
typedef struct
{
  double x, y, per;
} Sum;

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

/* ---- sums that may still grow ---- */

/* Rows with the same x need not follow each other, so the sum for each x is kept. The number of sums is limited. Beyond
 * the limit, draw the half with the lowest x as points: further rows with these x are the least likely. */

static int
compare_x (gconstpointer first, gconstpointer second)
{
  const Sum *a = first;
  const Sum *b = second;

  return (a->x > b->x) - (a->x < b->x);
}

/* Sort the sums, and add up sums with the same x. The sort is stable, so the values are added in the order of the
 * rows. */
static void
join_sums (RoastChartColumns *self)
{
  Sum *sums = (Sum *) (gpointer) self->sums->data;
  guint n = 0;

  if (self->is_sorted)
    return;
  g_array_sort (self->sums, compare_x);
  for (guint i = 0; i < self->sums->len; i++)
    if (n > 0 && sums[n - 1].x == sums[i].x)
      {
        sums[n - 1].y += sums[i].y;
        sums[n - 1].per += sums[i].per;
      }
    else
      sums[n++] = sums[i];
  g_array_set_size (self->sums, n);
  self->is_sorted = TRUE;
}

/* Convert the first @n sums to points, and remove these sums. */
static void
take_sums (RoastChartColumns *self, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const Sum *sum = &g_array_index (self->sums, Sum, i);

      add_point (self, sum->x, self->is_ratio ? sum->y / sum->per : sum->y);
      self->taken_to = MAX (self->taken_to, sum->x);
    }
  g_array_remove_range (self->sums, 0, n);
}

static void
add_to_sums (RoastChartColumns *self, double x, double y, double per)
{
  Sum sum = { x, y, per };
  Sum *last = self->sums->len > 0 ? &g_array_index (self->sums, Sum, self->sums->len - 1) : NULL;

  self->is_torn = self->is_torn || x <= self->taken_to;
  /* Add to the last sum without a search, because most rows have the same x as the previous row. */
  if (last != NULL && last->x == x)
    {
      last->y += y;
      last->per += per;
      return;
    }
  self->is_sorted = self->is_sorted && (last == NULL || x > last->x);
  g_array_append_val (self->sums, sum);
  if (self->sums->len < ROAST_CHART_MOST_SUMS + ROAST_CHART_MOST_SUMS / 2)
    return;
  join_sums (self);
  if (self->sums->len > ROAST_CHART_MOST_SUMS)
    take_sums (self, self->sums->len / 2);
}

/* ---- points ---- */

RoastChartColumns *
roast_chart_columns_new (guint n_columns, double min, double max, RoastChartCombine combine, gboolean is_ratio)
{
  RoastChartColumns *self = g_new0 (RoastChartColumns, 1);

  self->combine = combine;
  self->width = combine == ROAST_CHART_COMBINE_MEAN ? 4 : 2;
  self->is_ratio = is_ratio;
  self->n_columns = MAX (n_columns, 1);
  self->min = min;
  self->per_unit = max > min ? self->n_columns / (max - min) : 0;
  self->columns = g_new0 (Column, self->n_columns);
  self->y = (RoastChartRange) ROAST_CHART_RANGE_INIT;
  if (combine == ROAST_CHART_COMBINE_SUM)
    self->sums = g_array_new (FALSE, FALSE, sizeof (Sum));
  self->is_sorted = TRUE;
  self->taken_to = -INFINITY;

  return self;
}

void
roast_chart_columns_free (RoastChartColumns *self)
{
  g_clear_pointer (&self->sums, g_array_unref);
  g_free (self->columns);
  g_free (self);
}

void
roast_chart_columns_end (RoastChartColumns *self)
{
  if (self->sums == NULL)
    return;
  join_sums (self);
  take_sums (self, self->sums->len);
}

void
roast_chart_columns_add (RoastChartColumns *self, double x, double y, double per)
{
  if (!isfinite (x) || !isfinite (y) || (self->is_ratio && !isfinite (per)))
    return;
  if (self->sums != NULL)
    add_to_sums (self, x, y, per);
  else
    add_point (self, x, self->is_ratio ? y / per : y);
}

/* Merge @n adjacent columns, beginning with @first, into one. */
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
      /* Add up @first, because it is a sum for ROAST_CHART_COMBINE_MEAN. */
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
