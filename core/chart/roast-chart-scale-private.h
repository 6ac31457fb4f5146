/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

#define ROAST_CHART_MAX_TICKS 24

typedef enum
{
  ROAST_CHART_SCALE_LOG = 1 << 0,
  ROAST_CHART_SCALE_NICE = 1 << 1,    /* extend the range to the next ticks */
  ROAST_CHART_SCALE_ZERO = 1 << 2,    /* extend the range to zero */
  ROAST_CHART_SCALE_INTEGER = 1 << 3, /* place ticks only at whole numbers */
} RoastChartScaleFlags;

typedef struct
{
  double value; /* value of the tick, in the base unit */
  char *label;
} RoastChartTick;

/* Maps numbers in their base unit to px. */
typedef struct
{
  double min, max; /* the range that is shown */
  double from, to; /* positions of min and max, in px */
  RoastChartScaleFlags flags;
  const char *format; /* format of the numbers, for roast_format_number () */

  double factor; /* factor by which values are divided in labels; 1 for a logarithmic scale, where each label has its
                    own unit */
  const char *unit;
  RoastChartTick ticks[ROAST_CHART_MAX_TICKS];
  guint n_ticks;
} RoastChartScale;

/* Set the range of the scale. @min and @max may be equal, or NaN if they are unknown. For a logarithmic scale, @min
 * must be the least positive number, because the scale cannot show zero and negative numbers. */
void roast_chart_scale_init (RoastChartScale *self, double min, double max, RoastChartScaleFlags flags,
                             const char *format);
/* Choose ticks that fit between @from and @to, in px. For an axis that points upwards, @to is less than @from. */
void roast_chart_scale_fit (RoastChartScale *self, double from, double to, gboolean horizontal);
void roast_chart_scale_clear (RoastChartScale *self);

double roast_chart_scale_map (const RoastChartScale *self, double value);
/* Return the width of the longest label, in px. */
double roast_chart_scale_measure (const RoastChartScale *self);

/* Round @least up to 1, 2 or 5 times a power of ten. The result is a step between ticks or between edges of bins. */
double roast_chart_nice_step (double least);

#define ROAST_CHART_LABEL_SIZE 12.0
