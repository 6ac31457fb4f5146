/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-chart-sums-private.h"

#include <math.h>

struct _RoastChartSums
{
  GArray *sums; /* of RoastChartSum; sums with the same x are joined when there are too many */
  guint most;
  gboolean is_sorted; /* sorted by x, with one sum per x, because rows came in this order */
  RoastChartTakeSum take;
  gpointer data;
  double taken_to; /* highest x that was passed to the callback */
  gboolean is_torn;
};

RoastChartSums *
roast_chart_sums_new (guint most, RoastChartTakeSum take, gpointer data)
{
  RoastChartSums *self = g_new0 (RoastChartSums, 1);

  self->sums = g_array_new (FALSE, FALSE, sizeof (RoastChartSum));
  self->most = MAX (most, 2);
  self->is_sorted = TRUE;
  self->take = take;
  self->data = data;
  self->taken_to = -INFINITY;

  return self;
}

void
roast_chart_sums_free (RoastChartSums *self)
{
  g_array_unref (self->sums);
  g_free (self);
}

static int
compare_x (gconstpointer first, gconstpointer second)
{
  const RoastChartSum *a = first;
  const RoastChartSum *b = second;

  return (a->x > b->x) - (a->x < b->x);
}

/* Sort the sums and join those with the same x. The sort is stable, so rows are added in their order. */
static void
join_sums (RoastChartSums *self)
{
  RoastChartSum *sums = (RoastChartSum *) (gpointer) self->sums->data;
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

/* Pass the first @n sums to the callback. */
static void
take_sums (RoastChartSums *self, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const RoastChartSum *sum = &g_array_index (self->sums, RoastChartSum, i);

      self->take (self->data, sum);
      self->taken_to = MAX (self->taken_to, sum->x);
    }
  g_array_remove_range (self->sums, 0, n);
}

void
roast_chart_sums_add (RoastChartSums *self, double x, double y, double per)
{
  RoastChartSum sum = { x, y, per };
  RoastChartSum *last = self->sums->len > 0 ? &g_array_index (self->sums, RoastChartSum, self->sums->len - 1) : NULL;

  self->is_torn = self->is_torn || x <= self->taken_to;
  /* Fast path: most rows have the same x as the row before. */
  if (last != NULL && last->x == x)
    {
      last->y += y;
      last->per += per;
      return;
    }
  self->is_sorted = self->is_sorted && (last == NULL || x > last->x);
  g_array_append_val (self->sums, sum);
  if (self->sums->len < self->most + self->most / 2)
    return;
  join_sums (self);
  if (self->sums->len > self->most)
    take_sums (self, self->sums->len / 2);
}

void
roast_chart_sums_end (RoastChartSums *self)
{
  join_sums (self);
  take_sums (self, self->sums->len);
}

gboolean
roast_chart_sums_is_whole (RoastChartSums *self)
{
  return !self->is_torn;
}
