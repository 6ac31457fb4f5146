/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-chart-sums-private.h"

#include <string.h>

#define MAX_SUMS 1024
#define PLACE_BITS 12
#define N_PLACES (1U << PLACE_BITS)

struct _RoastChartSums
{
  guint n;
  guint last; /* most rows have the x of the row before */
  RoastChartSum sums[MAX_SUMS];
  guint16 places[N_PLACES]; /* the number of a sum, from 1 on, at the place of its x or after it; 0: none */
};

RoastChartSums *
roast_chart_sums_new (void)
{
  return g_new0 (RoastChartSums, 1);
}

void
roast_chart_sums_free (RoastChartSums *self)
{
  g_free (self);
}

/* 0 and -0 are the same x. */
static guint
find_place (double x)
{
  double normal = x + 0.0;
  guint64 bits = 0;

  memcpy (&bits, &normal, sizeof bits);

  return (guint) (bits * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> (64 - PLACE_BITS));
}

RoastChartSum *
roast_chart_sums_get (RoastChartSums *self, double x)
{
  guint place = 0;

  if (self->n > 0 && self->sums[self->last].x == x)
    return &self->sums[self->last];
  for (place = find_place (x); self->places[place] != 0; place = (place + 1) % N_PLACES)
    if (self->sums[self->places[place] - 1].x == x)
      {
        self->last = self->places[place] - 1;
        return &self->sums[self->last];
      }
  if (self->n == MAX_SUMS)
    return NULL;
  self->last = self->n++;
  self->places[place] = (guint16) self->n;
  self->sums[self->last] = (RoastChartSum) { .x = x };

  return &self->sums[self->last];
}

const RoastChartSum *
roast_chart_sums_flush (RoastChartSums *self, guint *n)
{
  *n = self->n;
  self->n = 0;
  memset (self->places, 0, sizeof self->places);

  return self->sums;
}
