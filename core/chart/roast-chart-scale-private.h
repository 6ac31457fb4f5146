/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define ROAST_CHART_MAX_TICKS 24

typedef enum
{
  ROAST_CHART_SCALE_LOG = 1 << 0,
  ROAST_CHART_SCALE_NICE = 1 << 1,    /* extended to the next ticks */
  ROAST_CHART_SCALE_ZERO = 1 << 2,    /* extended to zero */
  ROAST_CHART_SCALE_INTEGER = 1 << 3, /* no ticks between whole numbers */
} RoastChartScaleFlags;

typedef struct
{
  double value; /* in the base unit */
  char *label;
} RoastChartTick;

/* From numbers in their base unit to px. */
typedef struct
{
  double min, max; /* what is shown */
  double from, to; /* px of these two */
  RoastChartScaleFlags flags;
  const char *format; /* of roast_format_number () */

  double factor; /* what labels are divided by; 1 for a logarithmic scale, whose labels have their units */
  const char *unit;
  RoastChartTick ticks[ROAST_CHART_MAX_TICKS];
  guint n_ticks;
} RoastChartScale;

/* Takes any two numbers, also NaN (nothing is known) and the same ones. What cannot be shown by logarithms is left out:
 * @min is then the least number above zero. */
void roast_chart_scale_init (RoastChartScale *self, double min, double max, RoastChartScaleFlags flags,
                             const char *format);
/* Chooses ticks that have room: @to is left of or above @from for an axis upwards. */
void roast_chart_scale_fit (RoastChartScale *self, double from, double to, gboolean horizontal);
void roast_chart_scale_clear (RoastChartScale *self);

double roast_chart_scale_map (const RoastChartScale *self, double value);
/* Of the longest label, in px. */
double roast_chart_scale_measure (const RoastChartScale *self);

/* The least of 1, 2, 5, 10, 20, … times a power of ten that is not below this; steps of axes and bins. */
double roast_chart_nice_step (double least);

#define ROAST_CHART_LABEL_SIZE 12.0

G_END_DECLS
