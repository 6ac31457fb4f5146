/* SPDX-License-Identifier: BSD-3-Clause */

/* For each column of pixels, store by how much the sum of all holders' values changes in this column. Rows of different
 * holders may therefore come in any order. After the last row, add up the changes from left to right. The results are
 * the sums. */

#include "roast-chart-held-private.h"

#include <math.h>

/* The latest sample of a holder. */
typedef struct
{
  gboolean is_open;
  guint series;
  double x, sum; /* x of the latest sample, and the sum of the values at this x so far */
  double last;   /* value of the holder before x */
} State;

struct _RoastChartHeld
{
  guint n_series, n_columns;
  double min, per_unit;
  double *changes; /* for each series and column, the change of the sum over holders from the previous column to this
                      column; roast_chart_held_end () replaces the changes by the sums */
  guint *firsts;   /* for each series, the column of its first value */
  State *states;   /* state of each holder */
  guint n_holders;
};

RoastChartHeld *
roast_chart_held_new (guint n_series, guint n_holders, guint n_columns, double min, double max)
{
  RoastChartHeld *self = g_new0 (RoastChartHeld, 1);

  self->n_series = n_series;
  self->n_columns = n_columns;
  self->min = min;
  self->per_unit = max > min ? n_columns / (max - min) : 0;
  self->changes = g_new0 (double, (gsize) n_series *n_columns);
  self->firsts = g_new (guint, MAX (n_series, 1));
  for (guint i = 0; i < n_series; i++)
    self->firsts[i] = n_columns;
  self->states = g_new0 (State, MAX (n_holders, 1));
  self->n_holders = n_holders;

  return self;
}

void
roast_chart_held_free (RoastChartHeld *self)
{
  g_free (self->changes);
  g_free (self->firsts);
  g_free (self->states);
  g_free (self);
}

static guint
find_place (RoastChartHeld *self, double x)
{
  double place = (x - self->min) * self->per_unit;

  return place > 0 ? MIN ((guint) MIN (place, 1e9), self->n_columns - 1) : 0;
}

static void
close_state (RoastChartHeld *self, State *state)
{
  guint column = find_place (self, state->x);

  if (!state->is_open)
    return;
  self->changes[(gsize) state->series * self->n_columns + column] += state->sum - state->last;
  self->firsts[state->series] = MIN (self->firsts[state->series], column);
  state->last = state->sum;
  state->is_open = FALSE;
}

void
roast_chart_held_add (RoastChartHeld *self, guint series, guint holder, double x, double y)
{
  State *state = &self->states[holder];

  if (!isfinite (x) || !isfinite (y))
    return;
  if (state->x != x)
    close_state (self, state);
  if (!state->is_open)
    state->sum = 0;
  state->is_open = TRUE;
  state->series = series;
  state->x = x;
  state->sum += y;
}

void
roast_chart_held_leave (RoastChartHeld *self, guint holder, double x)
{
  State *state = &self->states[holder];

  close_state (self, state);
  /* Ignore an unknown end, an end before the latest sample, and an end after the picture. */
  if (!isfinite (x) || x < state->x || (x - self->min) * self->per_unit >= self->n_columns)
    return;
  self->changes[(gsize) state->series * self->n_columns + find_place (self, x)] -= state->last;
  state->last = 0;
}

void
roast_chart_held_end (RoastChartHeld *self)
{
  for (guint i = 0; i < self->n_holders; i++)
    close_state (self, &self->states[i]);
  for (guint s = 0; s < self->n_series; s++)
    for (guint i = 1; i < self->n_columns; i++)
      {
        double *change = &self->changes[(gsize) s * self->n_columns + i];

        change[0] += change[-1];
      }
}

gboolean
roast_chart_held_has (RoastChartHeld *self, guint series, guint column)
{
  return column >= self->firsts[series];
}

double
roast_chart_held_get (RoastChartHeld *self, guint series, guint column)
{
  double value = self->changes[(gsize) series * self->n_columns + column];

  /* Return 0 instead of a negative sum, which can only be a rounding error. */
  return MAX (value, 0);
}
