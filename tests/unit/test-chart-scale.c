/* SPDX-License-Identifier: BSD-3-Clause */

/* Axes, decimation, held values and lanes: what must hold for any numbers. */

#include <float.h>
#include <math.h>
#include <roast/roast.h>
#include <string.h>

#include "base/roast-format-private.h"
#include "chart/roast-chart-columns-private.h"
#include "chart/roast-chart-held-private.h"
#include "chart/roast-chart-lane-pack-private.h"
#include "chart/roast-chart-names-private.h"
#include "chart/roast-chart-scale-private.h"
#include "chart/roast-scene-text-private.h"

#define ROUNDS 3000

static const char *const formats[] = { "number",     "count",     "duration", "bytes",
                                       "bytes-rate", "bits-rate", "rate",     "percent" };

/* ---- scale ---- */

/* Tiny, huge, negative, equal, whole, NaN, infinite. */
static double
random_number (void)
{
  switch (g_test_rand_int_range (0, 9))
    {
    case 0:
      return 0;
    case 1:
      return NAN;
    case 2:
      return g_test_rand_bit () ? INFINITY : -INFINITY;
    case 3:
      return DBL_MAX * g_test_rand_double_range (-1, 1);
    case 4:
      return DBL_MIN * g_test_rand_double_range (-1, 1);
    case 5:
      return g_test_rand_int_range (-1000, 1000);
    default:
      return g_test_rand_double_range (-1, 1) * pow (10, g_test_rand_int_range (-30, 30));
    }
}

static void
check_scale (const RoastChartScale *scale, gboolean horizontal)
{
  double before = -INFINITY;
  double length = fabs (scale->to - scale->from);
  /* Numbers that differ in their last digits only are not all doubles: px. */
  double slack =
      1e-6 + 4 * DBL_EPSILON * length * fmax (fabs (scale->min), fabs (scale->max)) / (scale->max - scale->min);

  g_assert_cmpuint (scale->n_ticks, >=, 1);
  g_assert_true (isfinite (scale->min) && isfinite (scale->max));
  g_assert_cmpfloat (scale->min, <, scale->max);
  for (guint i = 0; i < scale->n_ticks; i++)
    {
      const RoastChartTick *tick = &scale->ticks[i];
      double at = (roast_chart_scale_map (scale, tick->value) - scale->from) * (scale->to > scale->from ? 1 : -1);
      double size =
          horizontal ? roast_scene_measure_text (tick->label, ROAST_CHART_LABEL_SIZE) : ROAST_CHART_LABEL_SIZE;

      g_assert_cmpstr (tick->label, !=, "not available");
      g_assert_cmpfloat (at, >=, -slack);
      g_assert_cmpfloat (at, <=, length + slack);
      /* No label over another one. */
      g_assert_cmpfloat (at - size / 2, >, before);
      before = at + size / 2;
      if (i > 0)
        g_assert_cmpstr (tick->label, !=, scale->ticks[i - 1].label);
    }
}

static void
test_any_range (void)
{
  for (guint round = 0; round < ROUNDS; round++)
    {
      RoastChartScale scale;
      double min = random_number ();
      double max = g_test_rand_bit () ? random_number () : min + fabs (min) * pow (10, -g_test_rand_int_range (0, 20));
      gboolean horizontal = g_test_rand_bit ();
      RoastChartScaleFlags flags = (RoastChartScaleFlags) g_test_rand_int_range (0, 16);
      const char *format = formats[g_test_rand_int_range (0, G_N_ELEMENTS (formats))];
      double length = g_test_rand_double_range (20, 2000);

      roast_chart_scale_init (&scale, min, max, flags, format);
      if ((flags & ROAST_CHART_SCALE_NICE) != 0 || g_test_rand_bit ())
        roast_chart_scale_fit (&scale, horizontal ? 50 : 50 + length, horizontal ? 50 + length : 50, horizontal);
      else
        roast_chart_scale_fit (&scale, 0, length, horizontal);
      g_test_message ("%g to %g, flags %d, %s, %g px", min, max, (int) flags, format, length);
      check_scale (&scale, horizontal);
      if (isfinite (min) && isfinite (max) && min <= max && (flags & ROAST_CHART_SCALE_LOG) == 0)
        {
          g_assert_cmpfloat (scale.min, <=, MAX (min, -1e300));
          g_assert_cmpfloat (scale.max, >=, MIN (max, 1e300));
        }
      if ((flags & ROAST_CHART_SCALE_ZERO) != 0 && (flags & ROAST_CHART_SCALE_LOG) == 0)
        {
          g_assert_cmpfloat (scale.min, <=, 0);
          g_assert_cmpfloat (scale.max, >=, 0);
        }
      roast_chart_scale_clear (&scale);
    }
}

/* Ticks are where a person would put them, and those of a nice axis are its ends. */
static void
test_nice_range (void)
{
  for (guint round = 0; round < ROUNDS; round++)
    {
      RoastChartScale scale;
      double size = pow (10, g_test_rand_int_range (-6, 12));
      double min = g_test_rand_double_range (-1, 1) * size;
      double max = min + g_test_rand_double_range (0.01, 2) * size;
      double slack = 0;

      roast_chart_scale_init (&scale, min, max, ROAST_CHART_SCALE_NICE, "number");
      roast_chart_scale_fit (&scale, 300, 20, FALSE);
      slack = (scale.max - scale.min) * 1e-9;
      g_assert_cmpuint (scale.n_ticks, >=, 2);
      g_assert_cmpuint (scale.n_ticks, <=, 12);
      g_assert_cmpfloat (scale.ticks[0].value, <=, min + slack);
      g_assert_cmpfloat (scale.ticks[scale.n_ticks - 1].value, >=, max - slack);
      g_assert_cmpfloat_with_epsilon (scale.min, scale.ticks[0].value, slack);
      g_assert_cmpfloat_with_epsilon (scale.max, scale.ticks[scale.n_ticks - 1].value, slack);
      g_assert_cmpfloat_with_epsilon (roast_chart_scale_map (&scale, scale.min), 300, 1e-6);
      g_assert_cmpfloat_with_epsilon (roast_chart_scale_map (&scale, scale.max), 20, 1e-6);
      for (guint i = 2; i < scale.n_ticks; i++)
        g_assert_cmpfloat_with_epsilon (scale.ticks[i].value - scale.ticks[i - 1].value,
                                        scale.ticks[1].value - scale.ticks[0].value, slack);
      roast_chart_scale_clear (&scale);
    }
}

static char *
show (double min, double max, RoastChartScaleFlags flags, const char *format, double length)
{
  RoastChartScale scale;
  GString *text = g_string_new (NULL);

  roast_chart_scale_init (&scale, min, max, flags, format);
  roast_chart_scale_fit (&scale, 0, length, TRUE);
  for (guint i = 0; i < scale.n_ticks; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "|" : "", scale.ticks[i].label);
  g_string_append_printf (text, " (%s)", scale.unit);
  roast_chart_scale_clear (&scale);

  return g_string_free (text, FALSE);
}

static void
test_labels (void)
{
  static const struct
  {
    double min, max;
    RoastChartScaleFlags flags;
    const char *format, *text;
    double length;
  } cases[] = {
    { 0, 600, 0, "duration", "0|2|4|6|8|10 (min)", 480 },
    { 0, 100, 0, "duration", "0|20|40|60|80|100 (s)", 480 },
    { 0, 36000, 0, "duration", "0|2|4|6|8|10 (h)", 480 },
    { 0, 0.0004, 0, "duration", "0|100|200|300|400 (µs)", 400 },
    { 0, 3.4e9, ROAST_CHART_SCALE_NICE, "bytes", "0|1|2|3|4 (GiB)", 480 },
    { 0, 0.25, ROAST_CHART_SCALE_NICE, "percent", "0|5|10|15|20|25 (%)", 480 },
    { 0, 3, ROAST_CHART_SCALE_INTEGER | ROAST_CHART_SCALE_NICE, "count", "0|1|2|3 ()", 1000 },
    { 0, 250000, 0, "count", "0|50\u202f000|100\u202f000|150\u202f000|200\u202f000|250\u202f000 ()", 480 },
    { 0, 3e7, 0, "count", "0|10|20|30 (10⁶)", 400 },
    { -1, 1, 0, "number", "-1.0|-0.5|0.0|0.5|1.0 ()", 400 },
    { 0.004, 30, ROAST_CHART_SCALE_LOG, "duration", "10 ms|100 ms|1 s|10 s ()", 480 },
    { 0.5, 1000, ROAST_CHART_SCALE_LOG, "count", "1|10|100|1\u202f000 ()", 480 },
    { 1024, 1073741824, ROAST_CHART_SCALE_LOG, "bytes", "4 KiB|64 KiB|1 MiB|16 MiB|256 MiB ()", 480 },
    { 11, 18, ROAST_CHART_SCALE_LOG, "number", "12|14|16|18 ()", 400 },
    { 7, 7, 0, "number", "4|6|8|10 ()", 400 },
    { 0, 0, ROAST_CHART_SCALE_ZERO, "count", "0|1 ()", 480 },
    { NAN, NAN, 0, "number", "0.0|0.2|0.4|0.6|0.8|1.0 ()", 480 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = show (cases[i].min, cases[i].max, cases[i].flags, cases[i].format, cases[i].length);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

static void
test_nice_step (void)
{
  static const double cases[][2] = { { 1, 1 },    { 1.1, 2 },      { 2, 2 },       { 3, 5 },
                                     { 5.1, 10 }, { 0.011, 0.02 }, { 9999, 10000 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpfloat_with_epsilon (roast_chart_nice_step (cases[i][0]), cases[i][1], cases[i][1] * 1e-9);
  g_assert_cmpfloat (roast_chart_nice_step (0), >, 0);
  g_assert_cmpfloat (roast_chart_nice_step (NAN), >, 0);
}

static void
test_decimals (void)
{
  static const struct
  {
    double value;
    guint decimals;
    const char *text;
  } cases[] = {
    { 0, 0, "0" },        { -0.0, 1, "0.0" }, { -0.001, 2, "0.00" },       { 1.25, 1, "1.2" },
    { 1e15, 0, "1e+15" }, { 3, 9, "3" },      { 12345, 0, "12\u202f345" }, { NAN, 0, "not available" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = roast_format_decimals (cases[i].value, cases[i].decimals);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

/* ---- decimation ---- */

#define N_COLUMNS 37

/* Of each column of pixels the lowest and the highest point, the first and the last. */
static void
test_columns (void)
{
  for (guint round = 0; round < 200; round++)
    {
      guint n = (guint) g_test_rand_int_range (0, 2000);
      double lowest[N_COLUMNS];
      double highest[N_COLUMNS];
      double first[N_COLUMNS];
      double last[N_COLUMNS];
      RoastChartColumns *columns = roast_chart_columns_new (N_COLUMNS, 0, N_COLUMNS, ROAST_CHART_COMBINE_ROWS, FALSE);
      g_autoptr (GArray) points = NULL;
      guint counts[N_COLUMNS] = { 0 };
      double before = -1;

      for (guint i = 0; i < n; i++)
        {
          double x = g_test_rand_double_range (0, N_COLUMNS);
          double y = g_test_rand_double_range (-5, 5);
          guint column = (guint) x;

          if (counts[column]++ == 0)
            lowest[column] = highest[column] = y, first[column] = last[column] = x;
          lowest[column] = MIN (lowest[column], y);
          highest[column] = MAX (highest[column], y);
          first[column] = MIN (first[column], x);
          last[column] = MAX (last[column], x);
          roast_chart_columns_add (columns, x, y, NAN);
          roast_chart_columns_add (columns, NAN, 100, NAN);
          roast_chart_columns_add (columns, x, INFINITY, NAN);
        }
      roast_chart_columns_end (columns);
      points = roast_chart_columns_dup_points (columns, 1);
      g_assert_cmpuint (points->len, <=, 2 * 4 * N_COLUMNS);
      g_assert_cmpuint (columns->y.n, ==, n);
      for (guint column = 0, i = 0; column < N_COLUMNS; column++)
        {
          double min = INFINITY;
          double max = -INFINITY;
          guint start = i;

          for (; i < points->len && (guint) g_array_index (points, double, i) == column; i += 2)
            {
              g_assert_cmpfloat (g_array_index (points, double, i), >=, before);
              before = g_array_index (points, double, i);
              min = MIN (min, g_array_index (points, double, i + 1));
              max = MAX (max, g_array_index (points, double, i + 1));
            }
          if (counts[column] == 0)
            {
              g_assert_cmpuint (i, ==, start);
              continue;
            }
          g_assert_cmpfloat (min, ==, lowest[column]);
          g_assert_cmpfloat (max, ==, highest[column]);
          g_assert_cmpfloat (g_array_index (points, double, start), ==, first[column]);
          g_assert_cmpfloat (g_array_index (points, double, i - 2), ==, last[column]);
        }
      roast_chart_columns_free (columns);
    }
}

static void
assert_points (RoastChartColumns *columns, const double *expected, guint n)
{
  g_autoptr (GArray) points = NULL;

  roast_chart_columns_end (columns);
  points = roast_chart_columns_dup_points (columns, 1);
  g_assert_cmpuint (points->len, ==, n);
  for (guint i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon (g_array_index (points, double, i), expected[i], 1e-9);
  roast_chart_columns_free (columns);
}

static void
test_combine (void)
{
  static const double rows[][3] = { { 1, 2, 4 }, { 1, 3, 6 }, { 1, NAN, 1 }, { 2, 10, 10 }, { 2, 5, 1 }, { 3, 0, 5 } };
  static const double sums[] = { 1, 5, 2, 15, 3, 0 };
  /* x, mean, lowest and highest */
  static const double means[] = { 1, 2.5, 2, 3, 2, 7.5, 5, 10, 3, 0, 0, 0 };
  static const double ratios[] = { 1, 0.5, 2, 1, 2, 5, 3, 0 };
  static const double ratio_sums[] = { 1, 0.5, 2, 15.0 / 11, 3, 0 };
  RoastChartColumns *sum = roast_chart_columns_new (1000, 0, 10, ROAST_CHART_COMBINE_SUM, FALSE);
  RoastChartColumns *mean = roast_chart_columns_new (1000, 0, 10, ROAST_CHART_COMBINE_MEAN, FALSE);
  RoastChartColumns *ratio = roast_chart_columns_new (1000, 0, 10, ROAST_CHART_COMBINE_ROWS, TRUE);
  RoastChartColumns *ratio_sum = roast_chart_columns_new (1000, 0, 10, ROAST_CHART_COMBINE_SUM, TRUE);
  const RoastChartRange *range = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      roast_chart_columns_add (sum, rows[i][0], rows[i][1], NAN);
      roast_chart_columns_add (mean, rows[i][0], rows[i][1], NAN);
      roast_chart_columns_add (ratio, rows[i][0], rows[i][1], rows[i][2]);
      roast_chart_columns_add (ratio_sum, rows[i][0], rows[i][1], rows[i][2]);
    }
  roast_chart_columns_end (sum);
  range = &sum->y;
  g_assert_cmpfloat (range->min, ==, 0);
  g_assert_cmpfloat (range->max, ==, 15);
  g_assert_cmpfloat (range->least_positive, ==, 5);
  assert_points (sum, sums, G_N_ELEMENTS (sums));
  assert_points (mean, means, G_N_ELEMENTS (means));
  assert_points (ratio, ratios, G_N_ELEMENTS (ratios));
  assert_points (ratio_sum, ratio_sums, G_N_ELEMENTS (ratio_sums));
}

/* The rows of a source, then those of the next one, at the same times or in another order of these. */
static void
test_sum_by_source (void)
{
  enum
  {
    TIMES = 1000,
    SOURCES = 3,
  };
  RoastChartColumns *sum = roast_chart_columns_new (TIMES, -1, TIMES - 1, ROAST_CHART_COMBINE_SUM, FALSE);
  g_autofree double *expected = g_new (double, 2 * (gsize) TIMES);

  for (guint source = 0; source < SOURCES; source++)
    for (guint i = 0; i < TIMES; i++)
      {
        guint time = source == 1 ? TIMES - 1 - i : i;

        roast_chart_columns_add (sum, time == 0 && source == 2 ? -0.0 : time, source + time, NAN);
        expected[2 * i] = i;
        expected[2 * i + 1] = SOURCES * i + 3;
      }
  assert_points (sum, expected, 2 * TIMES);
}

/* The rows of a source, then those of the next one, at more times than a picture has columns. */
static void
test_sum_by_source_of_many (void)
{
  const guint times = 20000;
  RoastChartColumns *sum = roast_chart_columns_new (100, -1, times - 1, ROAST_CHART_COMBINE_SUM, FALSE);
  const RoastChartRange *range = NULL;

  for (guint source = 0; source < 2; source++)
    for (guint i = 0; i < times; i++)
      roast_chart_columns_add (sum, i, 200 + 100 * source, NAN);
  g_assert_false (sum->is_torn);
  roast_chart_columns_end (sum);
  range = &sum->y;
  g_assert_cmpfloat (range->min, ==, 500);
  g_assert_cmpfloat (range->max, ==, 500);
  g_assert_cmpuint (range->n, ==, times);
  roast_chart_columns_free (sum);
}

/* With more x than have room, sums are whole if rows come nearly in the order of x; else that is noticed. */
static void
test_sum_beyond_room (void)
{
  const guint times = 600000;
  RoastChartColumns *near = roast_chart_columns_new (100, -1, times - 1, ROAST_CHART_COMBINE_SUM, FALSE);
  RoastChartColumns *far = roast_chart_columns_new (100, -1, times - 1, ROAST_CHART_COMBINE_SUM, FALSE);
  const RoastChartRange *range = NULL;

  for (guint i = 0; i < times + 1000; i++)
    {
      if (i < times)
        roast_chart_columns_add (near, i, 200, NAN);
      if (i >= 1000)
        roast_chart_columns_add (near, i - 1000, 300, NAN);
    }
  g_assert_false (near->is_torn);
  roast_chart_columns_end (near);
  range = &near->y;
  g_assert_cmpfloat (range->min, ==, 500);
  g_assert_cmpfloat (range->max, ==, 500);
  for (guint source = 0; source < 2; source++)
    for (guint i = 0; i < times; i++)
      roast_chart_columns_add (far, i, 200 + 100 * source, NAN);
  g_assert_true (far->is_torn);
  roast_chart_columns_free (near);
  roast_chart_columns_free (far);
}

/* Rows of one x together, at many. */
static void
test_sum_of_many (void)
{
  const guint times = 5000;
  RoastChartColumns *sum = roast_chart_columns_new (times, -1, times - 1, ROAST_CHART_COMBINE_SUM, FALSE);
  g_autofree double *expected = g_new (double, 2 * (gsize) times);

  for (guint i = 0; i < times; i++)
    {
      for (guint row = 0; row < 4; row++)
        roast_chart_columns_add (sum, i, i % 7 + row, NAN);
      expected[2 * i] = i;
      expected[2 * i + 1] = 4 * (i % 7) + 6;
    }
  assert_points (sum, expected, 2 * times);
}

/* Columns that are taken together are those that wider ones would have been. */
static void
test_fold (void)
{
  static const RoastChartCombine combines[] = { ROAST_CHART_COMBINE_ROWS, ROAST_CHART_COMBINE_MEAN };

  for (guint k = 0; k < G_N_ELEMENTS (combines); k++)
    {
      RoastChartColumns *fine = roast_chart_columns_new (400, 0, 1, combines[k], FALSE);
      RoastChartColumns *coarse = roast_chart_columns_new (100, 0, 1, combines[k], FALSE);
      g_autoptr (GArray) folded = NULL;
      g_autoptr (GArray) expected = NULL;

      for (guint i = 0; i < 5000; i++)
        {
          double y = g_test_rand_double ();

          roast_chart_columns_add (fine, i / 5000.0, y, NAN);
          roast_chart_columns_add (coarse, i / 5000.0, y, NAN);
        }
      roast_chart_columns_end (fine);
      roast_chart_columns_end (coarse);
      folded = roast_chart_columns_dup_points (fine, 4);
      expected = roast_chart_columns_dup_points (coarse, 1);
      g_assert_cmpuint (folded->len, ==, expected->len);
      g_assert_cmpuint (folded->len, >, 200);
      for (guint i = 0; i < folded->len; i++)
        g_assert_cmpfloat_with_epsilon (g_array_index (folded, double, i), g_array_index (expected, double, i), 1e-12);
      roast_chart_columns_free (fine);
      roast_chart_columns_free (coarse);
    }
}

/* ---- held values ---- */

/* The series add up to what all names are at the end of each column, others among them. */
static void
test_held (void)
{
  enum
  {
    NAMES = 9,
    SERIES = 4,
    COLUMNS = 25
  };
  static const guint series[NAMES] = { 0, 1, 2, 3, 3, 3, 3, 3, 3 };

  for (guint round = 0; round < 100; round++)
    {
      RoastChartHeld *held = roast_chart_held_new (SERIES, NAMES, COLUMNS, 0, COLUMNS);
      double at_end[NAMES][COLUMNS] = { 0 };

      /* Rows of a name are in order, names are not. */
      for (guint name = 0; name < NAMES; name++)
        {
          double now = 0;
          double x = 0;

          for (guint column = 0; column < COLUMNS; column++)
            {
              guint n = (guint) g_test_rand_int_range (0, 4);

              for (guint i = 0; i < n; i++)
                {
                  x = column + (i + 0.5) / n;
                  now = g_test_rand_int_range (0, 50);
                  if (round % 2 == 0) /* in two parts */
                    roast_chart_held_add (held, series[name], name, x, now / 2);
                  roast_chart_held_add (held, series[name], name, x, round % 2 == 0 ? now / 2 : now);
                }
              at_end[name][column] = now;
            }
        }
      roast_chart_held_end (held);
      for (guint column = 0; column < COLUMNS; column++)
        {
          double total = 0;
          double expected = 0;

          for (guint i = 0; i < SERIES; i++)
            total += roast_chart_held_get (held, i, column);
          for (guint name = 0; name < NAMES; name++)
            expected += at_end[name][column];
          g_assert_cmpfloat_with_epsilon (total, expected, 1e-6);
          g_assert_cmpfloat_with_epsilon (roast_chart_held_get (held, 1, column), at_end[1][column], 1e-6);
        }
      roast_chart_held_free (held);
    }
}

/* ---- lanes ---- */

static void
test_pack (void)
{
  enum
  {
    LANES = 5
  };

  for (guint round = 0; round < 200; round++)
    {
      g_autoptr (GArray) stretches = g_array_new (FALSE, TRUE, sizeof (RoastChartStretch));
      guint n_rows[LANES];
      guint n = (guint) g_test_rand_int_range (0, 200);

      for (guint i = 0; i < n; i++)
        {
          RoastChartStretch stretch = { .lane = (guint) g_test_rand_int_range (0, LANES),
                                        .start = g_test_rand_int_range (0, 100) };

          stretch.end = stretch.start + g_test_rand_int_range (0, 20);
          g_array_append_val (stretches, stretch);
        }
      roast_chart_lanes_pack (stretches, LANES, n_rows);
      for (guint i = 0; i < n; i++)
        {
          const RoastChartStretch *a = &g_array_index (stretches, RoastChartStretch, i);
          guint at_once = 0;

          g_assert_cmpuint (a->row, <, n_rows[a->lane]);
          for (guint k = 0; k < n; k++)
            {
              const RoastChartStretch *b = &g_array_index (stretches, RoastChartStretch, k);

              if (a->lane != b->lane)
                continue;
              at_once += b->start <= a->start && (b->end > a->start || k == i);
              if (k != i && a->row == b->row)
                g_assert_true (a->end <= b->start || b->end <= a->start);
            }
          /* As few rows as possible: one for each that is there when this one begins. */
          g_assert_cmpuint (a->row, <, MAX (at_once, 1));
        }
    }
}

/* What is folded covers as much as there was. */
static void
test_cover (void)
{
  enum
  {
    COLUMNS = 20,
    COLOURS = 3
  };

  for (guint round = 0; round < 100; round++)
    {
      RoastChartCover *cover = roast_chart_cover_new (2, COLUMNS, COLOURS, 10, 30);
      double sums[2] = { 0, 0 };
      guint counts[2] = { 0, 0 };
      guint n = (guint) g_test_rand_int_range (1, 50);

      for (guint i = 0; i < n; i++)
        {
          guint lane = (guint) g_test_rand_int_range (0, 2);
          double start = g_test_rand_double_range (5, 35);
          double end = start + g_test_rand_double_range (0, 10);

          roast_chart_cover_add (cover, lane, (guint) g_test_rand_int_range (0, COLOURS), start, end);
          sums[lane] += MAX (MIN (end, 30) - MAX (start, 10), 0);
          counts[lane]++;
        }
      roast_chart_cover_end (cover);
      for (guint half = 0; half < 2; half++)
        {
          guint columns = roast_chart_cover_count_columns (cover);

          for (guint lane = 0; lane < 2; lane++)
            {
              guint rows = roast_chart_cover_count_rows (cover, lane);
              double covered = 0;

              for (guint column = 0; column < columns; column++)
                for (guint row = 0; row < rows + 1; row++)
                  {
                    guint colour = 0;

                    covered += roast_chart_cover_get (cover, lane, column, row, 1, &colour) * 20 / columns;
                    g_assert_cmpuint (colour, <, COLOURS);
                  }
              g_assert_cmpfloat_with_epsilon (covered, sums[lane], 0.001);
              g_assert_cmpuint (roast_chart_cover_count (cover, lane, 0, columns - 1), ==, counts[lane]);
            }
          roast_chart_cover_halve (cover);
        }
      roast_chart_cover_free (cover);
    }
}

static void
test_cover_colour (void)
{
  RoastChartCover *cover = roast_chart_cover_new (1, 4, 3, 0, 4);
  guint colour = 0;

  roast_chart_cover_add (cover, 0, 1, 0.25, 0.75);
  roast_chart_cover_add (cover, 0, 2, 0.75, 1.125);
  roast_chart_cover_add (cover, 0, 0, 2, 4);
  roast_chart_cover_add (cover, 0, 2, 3, 4);
  roast_chart_cover_end (cover);
  g_assert_cmpfloat_with_epsilon (roast_chart_cover_get (cover, 0, 0, 0, 1, &colour), 0.75, 1e-6);
  g_assert_cmpuint (colour, ==, 1);
  g_assert_cmpfloat_with_epsilon (roast_chart_cover_get (cover, 0, 1, 0, 1, &colour), 0.125, 1e-6);
  g_assert_cmpuint (colour, ==, 2);
  g_assert_cmpuint (roast_chart_cover_count_rows (cover, 0), ==, 2);
  g_assert_cmpfloat_with_epsilon (roast_chart_cover_get (cover, 0, 3, 1, 1, &colour), 1, 1e-6);
  g_assert_cmpuint (colour, ==, 2);
  /* Both in one row: each is half of it. */
  g_assert_cmpfloat_with_epsilon (roast_chart_cover_get (cover, 0, 3, 0, 2, &colour), 1, 1e-6);
  roast_chart_cover_free (cover);
}

/* ---- names ---- */

static void
test_names (void)
{
  static const char *const order[] = { "", "a", "a-1", "a-02", "a-9", "a-10", "a-10b", "b", "worker" };

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    for (guint k = 0; k < G_N_ELEMENTS (order); k++)
      {
        int found = roast_chart_names_compare (order[i], order[k]);

        g_assert_cmpint ((found > 0) - (found < 0), ==, (i > k) - (i < k));
      }
  g_assert_cmpint (roast_chart_names_compare ("a01", "a1"), !=, 0);
}

static void
test_fit (void)
{
  g_autofree char *whole = roast_scene_text_fit ("worker-1", 12, 100);
  g_autofree char *shorter = roast_scene_text_fit ("tcp://192.168.0.1:40123/worker-1", 12, 100);
  g_autofree char *none = roast_scene_text_fit ("worker", 12, 1);

  g_assert_cmpstr (whole, ==, "worker-1");
  g_assert_true (g_str_has_prefix (shorter, "tcp:"));
  g_assert_true (g_str_has_suffix (shorter, "ker-1"));
  g_assert_cmpfloat (roast_scene_measure_text (shorter, 12), <=, 100);
  g_assert_cmpfloat (roast_scene_measure_text (shorter, 12), >, 80);
  g_assert_cmpstr (none, ==, "\u2026");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/chart-scale/any-range", test_any_range);
  g_test_add_func ("/chart-scale/nice-range", test_nice_range);
  g_test_add_func ("/chart-scale/labels", test_labels);
  g_test_add_func ("/chart-scale/nice-step", test_nice_step);
  g_test_add_func ("/chart-scale/decimals", test_decimals);
  g_test_add_func ("/chart-scale/columns", test_columns);
  g_test_add_func ("/chart-scale/combine", test_combine);
  g_test_add_func ("/chart-scale/fold", test_fold);
  g_test_add_func ("/chart-scale/held", test_held);
  g_test_add_func ("/chart-scale/pack", test_pack);
  g_test_add_func ("/chart-scale/cover", test_cover);
  g_test_add_func ("/chart-scale/sum-by-source", test_sum_by_source);
  g_test_add_func ("/chart-scale/sum-of-many", test_sum_of_many);
  g_test_add_func ("/chart-scale/sum-by-source-of-many", test_sum_by_source_of_many);
  g_test_add_func ("/chart-scale/sum-beyond-room", test_sum_beyond_room);
  g_test_add_func ("/chart-scale/cover-colour", test_cover_colour);
  g_test_add_func ("/chart-scale/names", test_names);
  g_test_add_func ("/chart-scale/fit", test_fit);

  return g_test_run ();
}
