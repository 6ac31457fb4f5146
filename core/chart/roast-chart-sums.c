/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-chart-sums-private.h"

#include <math.h>
#include <string.h>

#define FIRST_BITS 10

struct _RoastChartSums
{
  GArray *sums; /* of RoastChartSum */
  guint last;   /* most rows have the x of the row before */
  guint most;
  guint place_bits;
  guint32 *places; /* the number of a sum, from 1 on, at the place of its x or after it; 0: none */
  RoastChartTakeSum take;
  gpointer data;
  double taken_to; /* the highest x that was taken */
  gboolean is_torn;
};

RoastChartSums *
roast_chart_sums_new (guint most, RoastChartTakeSum take, gpointer data)
{
  RoastChartSums *self = g_new0 (RoastChartSums, 1);

  self->sums = g_array_new (FALSE, FALSE, sizeof (RoastChartSum));
  self->most = MAX (most, 2);
  self->place_bits = FIRST_BITS;
  self->places = g_new0 (guint32, 1U << FIRST_BITS);
  self->take = take;
  self->data = data;
  self->taken_to = -INFINITY;

  return self;
}

void
roast_chart_sums_free (RoastChartSums *self)
{
  g_array_unref (self->sums);
  g_free (self->places);
  g_free (self);
}

/* 0 and -0 are the same x. */
static guint
find_place (const RoastChartSums *self, double x)
{
  double normal = x + 0.0;
  guint64 bits = 0;

  memcpy (&bits, &normal, sizeof bits);

  return (guint) (bits * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> (64 - self->place_bits));
}

static guint
find_next_place (const RoastChartSums *self, guint place)
{
  return (place + 1) & ((1U << self->place_bits) - 1);
}

static void
fill_places (RoastChartSums *self)
{
  memset (self->places, 0, sizeof *self->places << self->place_bits);
  for (guint i = 0; i < self->sums->len; i++)
    {
      guint place = find_place (self, g_array_index (self->sums, RoastChartSum, i).x);

      while (self->places[place] != 0)
        place = find_next_place (self, place);
      self->places[place] = i + 1;
    }
  self->last = 0;
}

/* The sum of this x; NULL if that is one x too many. */
static RoastChartSum *
find_sum (RoastChartSums *self, double x)
{
  RoastChartSum *sums = (RoastChartSum *) (gpointer) self->sums->data;
  RoastChartSum sum = { .x = x };
  guint place = 0;

  if (self->last < self->sums->len && sums[self->last].x == x)
    return &sums[self->last];
  for (place = find_place (self, x); self->places[place] != 0; place = find_next_place (self, place))
    if (sums[self->places[place] - 1].x == x)
      {
        self->last = self->places[place] - 1;
        return &sums[self->last];
      }
  if (self->sums->len == self->most)
    return NULL;
  self->last = self->sums->len;
  g_array_append_val (self->sums, sum);
  self->places[place] = self->sums->len;
  if (2 * self->sums->len > 1U << self->place_bits)
    {
      guint last = self->last;

      self->place_bits++;
      self->places = g_renew (guint32, self->places, (gsize) 1 << self->place_bits);
      fill_places (self);
      self->last = last;
    }

  return &g_array_index (self->sums, RoastChartSum, self->last);
}

static int
compare_x (gconstpointer first, gconstpointer second)
{
  const RoastChartSum *a = first;
  const RoastChartSum *b = second;

  return (a->x > b->x) - (a->x < b->x);
}

/* The first sums in the order of x. */
static void
take_sums (RoastChartSums *self, guint n)
{
  g_array_sort (self->sums, compare_x);
  for (guint i = 0; i < n; i++)
    {
      const RoastChartSum *sum = &g_array_index (self->sums, RoastChartSum, i);

      self->take (self->data, sum);
      self->taken_to = MAX (self->taken_to, sum->x);
    }
  g_array_remove_range (self->sums, 0, n);
  fill_places (self);
}

void
roast_chart_sums_add (RoastChartSums *self, double x, double y, double per)
{
  RoastChartSum *sum = find_sum (self, x);

  if (sum == NULL)
    {
      take_sums (self, self->sums->len / 2);
      sum = find_sum (self, x);
    }
  self->is_torn = self->is_torn || x <= self->taken_to;
  sum->y += y;
  sum->per += per;
}

void
roast_chart_sums_end (RoastChartSums *self)
{
  take_sums (self, self->sums->len);
}

gboolean
roast_chart_sums_is_whole (RoastChartSums *self)
{
  return !self->is_torn;
}
