/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-chart-lane-pack-private.h"

#include <math.h>

/* ---- single stretches ---- */

static int
lane_pack_compare (gconstpointer first, gconstpointer second)
{
  const RoastChartStretch *a = first;
  const RoastChartStretch *b = second;

  if (a->lane != b->lane)
    return a->lane < b->lane ? -1 : 1;
  if (a->start != b->start)
    return a->start < b->start ? -1 : 1;
  if (a->end != b->end)
    return a->end < b->end ? -1 : 1;

  return (a->colour > b->colour) - (a->colour < b->colour);
}

static guint
find_row (GArray *ends, double start)
{
  for (guint i = 0; i < ends->len; i++)
    if (g_array_index (ends, double, i) <= start)
      return i;
  g_array_set_size (ends, ends->len + 1);

  return ends->len - 1;
}

void
roast_chart_lanes_pack (GArray *stretches, guint n_lanes, guint *n_rows)
{
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (double)); /* for each row: end of its last stretch */
  guint lane = 0;

  for (guint i = 0; i < n_lanes; i++)
    n_rows[i] = 1;
  g_array_sort (stretches, lane_pack_compare);
  for (guint i = 0; i < stretches->len; i++)
    {
      RoastChartStretch *stretch = &g_array_index (stretches, RoastChartStretch, i);

      if (stretch->lane != lane)
        g_array_set_size (ends, 0);
      lane = stretch->lane;
      stretch->row = find_row (ends, stretch->start);
      g_array_index (ends, double, stretch->row) = stretch->end;
      n_rows[lane] = MAX (n_rows[lane], ends->len);
    }
}

/* ---- folded stretches ---- */

/* For the columns that a stretch covers completely, @changes only records the first column and the column after the
 * last. Therefore the time to add a stretch does not depend on its length. */
struct _RoastChartCover
{
  guint n_lanes, n_columns, n_colours;
  double min, per_unit;
  float *parts;     /* for each lane, column and colour: covered part of the column, summed over stretches */
  gint32 *changes;  /* for each lane, column and colour: change of the number of stretches that cover a whole column */
  guint32 *started; /* for each lane and column: number of stretches that began in the column; after
                       roast_chart_cover_end (), number of stretches that began in the column or before it */
};

RoastChartCover *
roast_chart_cover_new (guint n_lanes, guint n_columns, guint n_colours, double min, double max)
{
  RoastChartCover *self = g_new0 (RoastChartCover, 1);
  gsize n = (gsize) n_lanes * n_columns * n_colours;

  self->n_lanes = n_lanes;
  self->n_columns = n_columns;
  self->n_colours = n_colours;
  self->min = min;
  self->per_unit = max > min ? n_columns / (max - min) : 0;
  self->parts = g_new0 (float, n);
  self->changes = g_new0 (gint32, n);
  self->started = g_new0 (guint32, (gsize) n_lanes * n_columns);

  return self;
}

void
roast_chart_cover_free (RoastChartCover *self)
{
  g_free (self->parts);
  g_free (self->changes);
  g_free (self->started);
  g_free (self);
}

static gsize
lane_pack_find_cell (const RoastChartCover *self, guint lane, guint column, guint colour)
{
  return ((gsize) lane * self->n_columns + column) * self->n_colours + colour;
}

void
roast_chart_cover_add (RoastChartCover *self, guint lane, guint colour, double start, double end)
{
  double from = CLAMP ((start - self->min) * self->per_unit, 0, self->n_columns);
  double to = CLAMP ((end - self->min) * self->per_unit, 0, self->n_columns);
  guint first = MIN ((guint) from, self->n_columns - 1);
  guint last = MIN ((guint) to, self->n_columns - 1);

  self->started[(gsize) lane * self->n_columns + first]++;
  if (!(to > from))
    return;
  if (first == last)
    {
      self->parts[lane_pack_find_cell (self, lane, first, colour)] += (float) (to - from);
      return;
    }
  self->parts[lane_pack_find_cell (self, lane, first, colour)] += (float) (first + 1 - from);
  self->parts[lane_pack_find_cell (self, lane, last, colour)] += (float) (to - last);
  self->changes[lane_pack_find_cell (self, lane, first + 1, colour)]++;
  self->changes[lane_pack_find_cell (self, lane, last, colour)]--;
}

void
roast_chart_cover_end (RoastChartCover *self)
{
  for (guint lane = 0; lane < self->n_lanes; lane++)
    for (guint colour = 0; colour < self->n_colours; colour++)
      {
        gint32 n = 0;

        for (guint column = 0; column < self->n_columns; column++)
          {
            gsize cell = lane_pack_find_cell (self, lane, column, colour);

            n += self->changes[cell];
            self->parts[cell] += (float) n;
          }
      }
  g_clear_pointer (&self->changes, g_free);
  for (guint lane = 0; lane < self->n_lanes; lane++)
    for (gsize i = (gsize) lane * self->n_columns + 1; i < (gsize) (lane + 1) * self->n_columns; i++)
      self->started[i] += self->started[i - 1];
}

/* If the number of columns is odd, the last column is merged with an empty column. */
void
roast_chart_cover_halve (RoastChartCover *self)
{
  guint half = (self->n_columns + 1) / 2;

  for (guint lane = 0; lane < self->n_lanes; lane++)
    for (guint column = 0; column < half; column++)
      for (guint colour = 0; colour < self->n_colours; colour++)
        {
          float second = 2 * column + 1 < self->n_columns
                             ? self->parts[lane_pack_find_cell (self, lane, 2 * column + 1, colour)]
                             : 0;
          float both = (self->parts[lane_pack_find_cell (self, lane, 2 * column, colour)] + second) / 2;

          self->parts[((gsize) lane * half + column) * self->n_colours + colour] = both;
        }
  for (guint lane = 0; lane < self->n_lanes; lane++)
    for (guint column = 0; column < half; column++)
      {
        gsize second = (gsize) lane * self->n_columns + MIN (2 * column + 1, self->n_columns - 1);

        self->started[(gsize) lane * half + column] = self->started[second];
      }
  self->n_columns = half;
}

guint
roast_chart_cover_count_columns (RoastChartCover *self)
{
  return self->n_columns;
}

guint64
roast_chart_cover_count (RoastChartCover *self, guint lane, guint first, guint last)
{
  const guint32 *started = self->started + (gsize) lane * self->n_columns;

  return started[last] - (first > 0 ? started[first - 1] : 0);
}

static double
get_total (RoastChartCover *self, guint lane, guint column)
{
  double total = 0;

  for (guint colour = 0; colour < self->n_colours; colour++)
    total += self->parts[lane_pack_find_cell (self, lane, column, colour)];

  return total;
}

guint
roast_chart_cover_count_rows (RoastChartCover *self, guint lane)
{
  double most = 0;

  for (guint column = 0; column < self->n_columns; column++)
    most = MAX (most, get_total (self, lane, column));

  return (guint) MAX (ceil (most - 0.05), 1);
}

/* Stack the colours of the column, and cut the stack into rows of height @share. */
double
roast_chart_cover_get (RoastChartCover *self, guint lane, guint column, guint row, double share, guint *colour)
{
  double low = row * share;
  double high = low + share;
  double at = 0;
  double covered = 0;
  double most = 0;

  *colour = 0;
  for (guint i = 0; i < self->n_colours; i++)
    {
      double next = at + self->parts[lane_pack_find_cell (self, lane, column, i)];
      double within = MIN (next, high) - MAX (at, low);

      if (within > 0)
        covered += within;
      if (within > most)
        {
          most = within;
          *colour = i;
        }
      at = next;
    }

  return CLAMP (covered / share, 0, 1);
}
