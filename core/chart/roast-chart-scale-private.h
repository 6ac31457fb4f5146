/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define ROAST_CHART_MAX_TICKS 24

typedef enum
{
  ROAST_CHART_SCALE_LOG = 1 << 0,
  ROAST_CHART_SCALE_NICE = 1 << 1,    /* extended to the next tick */
  ROAST_CHART_SCALE_ZERO = 1 << 2,    /* extended to zero */
  ROAST_CHART_SCALE_INTEGER = 1 << 3, /* no ticks between whole numbers */
} RoastChartScaleFlags;

typedef struct
{
  double value; /* in the base unit */
  char *label;
} RoastChartTick;

/* Maps numbers in their base unit to px. */
typedef struct
{
  double min, max; /* the range that is shown */
  double from, to; /* px of min and max */
  RoastChartScaleFlags flags;
  const char *format; /* for roast_format_number () */

  double factor; /* divisor of labels; 1 for a logarithmic scale, whose labels include their units */
  const char *unit;
  RoastChartTick ticks[ROAST_CHART_MAX_TICKS];
  guint n_ticks;
} RoastChartScale;

/* Accept any two numbers, including equal numbers and NaN, which means unknown. A logarithmic scale shows only
 * numbers above zero; its @min is the least of them. */
void roast_chart_scale_init (RoastChartScale *self, double min, double max, RoastChartScaleFlags flags,
                             const char *format);
/* Choose ticks that fit between @from and @to, in px. For an axis that points upwards, @to is less than @from. */
void roast_chart_scale_fit (RoastChartScale *self, double from, double to, gboolean horizontal);
void roast_chart_scale_clear (RoastChartScale *self);

double roast_chart_scale_map (const RoastChartScale *self, double value);
/* Return the width of the longest label, in px. */
double roast_chart_scale_measure (const RoastChartScale *self);

/* Return the least of 1, 2, 5, 10, 20, … times a power of ten that is not below @least. Used for steps of axes and
 * bins. */
double roast_chart_nice_step (double least);

#define ROAST_CHART_LABEL_SIZE 12.0

G_END_DECLS
