/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-chart-scale-private.h"

#include <math.h>

#include "base/roast-format-private.h"
#include "roast/roast-scene.h"

/* Numbers are clamped to this limit, so that the difference of two numbers is finite. */
#define SCALE_LARGEST 1e300
#define SMALLEST 1e-300
#define LARGEST_POWER 1e140 /* limit for numbers on logarithmic scales; its square, a possible tick, is finite */
/* Least step between ticks, relative to the largest number. Doubles have too few digits for smaller steps. */
#define SCALE_FINEST 1e-11

#define TICK_DISTANCE_X 80.0
#define TICK_DISTANCE_Y 36.0
#define LABEL_GAP 10.0

double
roast_chart_nice_step (double least)
{
  static const double steps[] = { 1, 2, 5 };
  double power = 0;

  if (!(least > SMALLEST))
    return SMALLEST;
  power = pow (10, floor (log10 (least)));
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    if (steps[i] * power >= least * (1 - 1e-9))
      return steps[i] * power;

  return 10 * power;
}

/* ---- range ---- */

static void
init_linear (RoastChartScale *self)
{
  double size = 0;

  if ((self->flags & ROAST_CHART_SCALE_ZERO) != 0)
    {
      self->min = MIN (self->min, 0);
      self->max = MAX (self->max, 0);
    }
  size = MAX (fabs (self->min), fabs (self->max));
  if (size < SMALLEST)
    self->max = self->min + 1;
  else if (self->max - self->min < size * 100 * SCALE_FINEST)
    {
      self->min -= self->min > 0 && self->min == self->max ? self->min / 2 : size / 2;
      self->max += size / 2;
    }
}

static void
init_log (RoastChartScale *self)
{
  self->min = CLAMP (self->min, 1 / LARGEST_POWER, LARGEST_POWER);
  self->max = CLAMP (self->max, self->min, LARGEST_POWER);
  if (self->max < self->min * 1.001)
    {
      self->min /= 2;
      self->max *= 2;
    }
}

void
roast_chart_scale_init (RoastChartScale *self, double min, double max, RoastChartScaleFlags flags, const char *format)
{
  *self = (RoastChartScale) { .flags = flags, .format = format, .unit = "", .factor = 1, .to = 1 };
  if (isnan (min) || isnan (max) || min > max || (!isfinite (min) && min == max))
    {
      min = (flags & ROAST_CHART_SCALE_LOG) != 0 ? 0.1 : 0;
      max = 1;
    }
  /* Bytes and counts have no fractions. */
  if (g_str_equal (format, "count") || g_str_equal (format, "bytes"))
    self->flags |= ROAST_CHART_SCALE_INTEGER;
  self->min = CLAMP (min, -SCALE_LARGEST, SCALE_LARGEST);
  self->max = CLAMP (max, -SCALE_LARGEST, SCALE_LARGEST);
  if ((flags & ROAST_CHART_SCALE_LOG) != 0)
    init_log (self);
  else
    init_linear (self);
}

/* ---- ticks ---- */

void
roast_chart_scale_clear (RoastChartScale *self)
{
  for (guint i = 0; i < self->n_ticks; i++)
    g_clear_pointer (&self->ticks[i].label, g_free);
  self->n_ticks = 0;
}

static void
add_tick (RoastChartScale *self, double value, char *label)
{
  if (self->n_ticks < ROAST_CHART_MAX_TICKS)
    self->ticks[self->n_ticks++] = (RoastChartTick) { value, label };
  else
    g_free (label);
}

static guint
count_decimals (double step)
{
  return step >= 1 ? 0 : (guint) MIN (ceil (-log10 (step) - 1e-9), 7);
}

static double
find_step (const RoastChartScale *self, double low, double high, guint most)
{
  double step = roast_chart_nice_step ((high - low) / most);

  step = MAX (step, roast_chart_nice_step (MAX (fabs (low), fabs (high)) * SCALE_FINEST));
  if ((self->flags & ROAST_CHART_SCALE_INTEGER) != 0 && self->factor <= 1 && (high - low) * self->factor >= 1)
    step = MAX (step, 1 / self->factor);

  return step;
}

static void
make_linear_ticks (RoastChartScale *self, double min, double max, guint most)
{
  double low = 0;
  double high = 0;
  double step = 0;
  double first = 0;
  double last = 0;

  self->factor = roast_format_find_unit (MAX (fabs (min), fabs (max)), self->format, &self->unit);
  low = min / self->factor;
  high = max / self->factor;
  step = find_step (self, low, high, most);
  if ((self->flags & ROAST_CHART_SCALE_NICE) != 0)
    {
      first = floor (low / step + 1e-9);
      last = ceil (high / step - 1e-9);
      self->min = MIN (min, first * step * self->factor);
      self->max = MAX (max, last * step * self->factor);
    }
  else
    {
      first = ceil (low / step - 1e-9);
      last = floor (high / step + 1e-9);
      self->min = min;
      self->max = max;
    }
  for (guint i = 0; first + i <= last && i < ROAST_CHART_MAX_TICKS; i++)
    {
      double value = (first + i) * step;

      add_tick (self, value * self->factor, roast_format_decimals (value, count_decimals (step)));
    }
}

/* Make a label with its own unit, such as "1 ms" or "10 s". */
static char *
label_log_tick (const RoastChartScale *self, double value)
{
  const char *unit = "";
  double shown = value / roast_format_find_unit (value, self->format, &unit);
  g_autofree char *number = roast_format_decimals (shown, count_decimals (shown));

  return *unit == '\0' ? g_steal_pointer (&number) : g_strconcat (number, " ", unit, NULL);
}

/* The ticks of a logarithmic scale are products of a power of @base and an element of @steps. */
typedef struct
{
  double base;
  double steps[3];
  guint n_steps;
} LogSteps;

static void
add_log_ticks (RoastChartScale *self, double min, double max, const LogSteps *of)
{
  double first = floor (log (min) / log (of->base) + 1e-9);
  double last = ceil (log (max) / log (of->base) - 1e-9);

  for (double power = first; power <= last; power++)
    for (guint i = 0; i < of->n_steps; i++)
      {
        double value = pow (of->base, power) * of->steps[i];

        if ((self->flags & ROAST_CHART_SCALE_INTEGER) != 0 && value < 1 && min >= 0.5 && max > 2)
          continue;
        if (value >= min * (1 - 1e-9) && value <= max * (1 + 1e-9))
          add_tick (self, value, label_log_tick (self, value));
      }
}

static void
make_log_ticks (RoastChartScale *self, double min, double max, guint most)
{
  gboolean is_bytes = g_str_equal (self->format, "bytes");
  LogSteps steps = { is_bytes ? 2 : 10, { 1, 2, 5 }, 1 };
  double decades = (log (max) - log (min)) / log (steps.base);

  if (is_bytes || decades > most)
    steps.base = pow (steps.base, MAX (ceil (decades / most), 1));
  else if (decades <= most / 3.0)
    steps.n_steps = 3;
  if ((self->flags & ROAST_CHART_SCALE_NICE) != 0)
    {
      double power = pow (steps.base, ceil (log (max) / log (steps.base) - 1e-9));
      double end = power;

      for (guint i = steps.n_steps; i-- > 1;)
        if (power / steps.base * steps.steps[i] >= max * (1 - 1e-9))
          end = power / steps.base * steps.steps[i];
      max = end;
    }
  self->min = min;
  self->max = max;
  add_log_ticks (self, min, max, &steps);
  /* If the range has fewer than two logarithmic ticks, use linear ticks instead. */
  if (self->n_ticks < 2 && max < 10 * min)
    {
      RoastChartScaleFlags flags = self->flags;

      roast_chart_scale_clear (self);
      self->flags &= (RoastChartScaleFlags) ~ROAST_CHART_SCALE_NICE;
      make_linear_ticks (self, min, max, most);
      self->flags = flags;
    }
}

double
roast_chart_scale_map (const RoastChartScale *self, double value)
{
  double part = 0;

  if ((self->flags & ROAST_CHART_SCALE_LOG) != 0)
    part = (log (MAX (value, SMALLEST)) - log (self->min)) / (log (self->max) - log (self->min));
  else
    part = (CLAMP (value, -SCALE_LARGEST, SCALE_LARGEST) - self->min) / (self->max - self->min);

  return self->from + CLAMP (part, -1.0, 2.0) * (self->to - self->from);
}

static gboolean
scale_has_room (const RoastChartScale *self, gboolean horizontal)
{
  for (guint i = 1; i < self->n_ticks; i++)
    {
      double distance = fabs (roast_chart_scale_map (self, self->ticks[i].value) -
                              roast_chart_scale_map (self, self->ticks[i - 1].value));
      double needs = horizontal ? (roast_scene_measure_text (self->ticks[i].label, ROAST_CHART_LABEL_SIZE) +
                                   roast_scene_measure_text (self->ticks[i - 1].label, ROAST_CHART_LABEL_SIZE)) /
                                          2 +
                                      LABEL_GAP
                                : ROAST_CHART_LABEL_SIZE + 2;

      if (distance < needs)
        return FALSE;
    }

  return TRUE;
}

static void
make_ticks (RoastChartScale *self, double min, double max, guint most)
{
  roast_chart_scale_clear (self);
  if ((self->flags & ROAST_CHART_SCALE_LOG) != 0)
    make_log_ticks (self, min, max, most);
  else
    make_linear_ticks (self, min, max, most);
}

void
roast_chart_scale_fit (RoastChartScale *self, double from, double to, gboolean horizontal)
{
  double min = self->min;
  double max = self->max;
  double most = fabs (to - from) / (horizontal ? TICK_DISTANCE_X : TICK_DISTANCE_Y);
  guint n = (guint) CLAMP (most, 2, 10);

  self->from = from;
  self->to = to;
  do
    make_ticks (self, min, max, n);
  while (!scale_has_room (self, horizontal) && --n > 0);
  /* If not even two labels fit, remove ticks from the end until the remaining labels fit. */
  if (self->n_ticks == 0)
    make_ticks (self, min, max, 4);
  while (self->n_ticks > 1 && !scale_has_room (self, horizontal))
    g_clear_pointer (&self->ticks[--self->n_ticks].label, g_free);
}

double
roast_chart_scale_measure (const RoastChartScale *self)
{
  double width = 0;

  for (guint i = 0; i < self->n_ticks; i++)
    width = MAX (width, roast_scene_measure_text (self->ticks[i].label, ROAST_CHART_LABEL_SIZE));

  return width;
}
