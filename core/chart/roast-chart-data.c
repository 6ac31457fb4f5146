/* SPDX-License-Identifier: BSD-3-Clause */

/* What a chart was drawn from, as JSON. */

#include "roast-chart-data-private.h"

#include <math.h>
#include <string.h>

#include "roast-scene-text-private.h"

#define MICRO 1e6
#define LEVELS_OF_LINES 2
#define EXACT 9007199254740992.0 /* 2^53: whole numbers below are exact */

typedef struct
{
  char *name;
  RoastChartLook look; /* its name is the one above */
  guint width;
  GArray *levels[LEVELS_OF_LINES]; /* of double: fine and coarse */
} Series;

typedef struct
{
  char *label;
  double y;
} Guide;

typedef struct
{
  char *name;
  guint n_rows;
} Lane;

typedef struct
{
  guint row, colour;
  gint64 n;
  double start, end;
} Box;

typedef struct
{
  char *label, *format;
  double min, max;
  gboolean is_log;
} Axis;

struct _RoastChartData
{
  RoastChartKind kind;
  gboolean x_is_time, has_y, has_y2;
  Axis x, y, y2;
  double box[4]; /* left, top, right and bottom */
  GArray *series, *guides, *lanes, *colours, *boxes;
  char *rows; /* what a row of the table is */
  gboolean is_folded;
};

typedef struct
{
  char *name;
  gboolean is_others;
  guint palette;
} Colour;

static void
clear_series (gpointer data)
{
  Series *series = data;

  g_free (series->name);
  for (guint i = 0; i < G_N_ELEMENTS (series->levels); i++)
    g_array_unref (series->levels[i]);
}

static void
clear_guide (gpointer data)
{
  g_free (((Guide *) data)->label);
}

static void
clear_lane (gpointer data)
{
  g_free (((Lane *) data)->name);
}

static void
clear_colour (gpointer data)
{
  g_free (((Colour *) data)->name);
}

RoastChartData *
roast_chart_data_new (RoastChartInfo *chart)
{
  RoastChartData *self = g_new0 (RoastChartData, 1);

  self->kind = roast_chart_info_get_kind (chart);
  self->series = g_array_new (FALSE, FALSE, sizeof (Series));
  self->guides = g_array_new (FALSE, FALSE, sizeof (Guide));
  self->lanes = g_array_new (FALSE, FALSE, sizeof (Lane));
  self->boxes = g_array_new (FALSE, FALSE, sizeof (Box));
  self->colours = g_array_new (FALSE, FALSE, sizeof (Colour));
  self->rows = roast_scene_text_clean (roast_chart_info_get_table (chart));
  g_array_set_clear_func (self->series, clear_series);
  g_array_set_clear_func (self->guides, clear_guide);
  g_array_set_clear_func (self->lanes, clear_lane);
  g_array_set_clear_func (self->colours, clear_colour);

  return self;
}

static void
clear_axis (Axis *axis)
{
  g_free (axis->label);
  g_free (axis->format);
}

void
roast_chart_data_free (RoastChartData *self)
{
  clear_axis (&self->x);
  clear_axis (&self->y);
  clear_axis (&self->y2);
  g_array_unref (self->series);
  g_array_unref (self->guides);
  g_array_unref (self->lanes);
  g_array_unref (self->boxes);
  g_array_unref (self->colours);
  g_free (self->rows);
  g_free (self);
}

static void
set_axis (Axis *axis, const RoastChartScale *scale, const char *label)
{
  axis->label = roast_scene_text_clean (label != NULL ? label : "");
  axis->format = g_strdup (scale->format);
  axis->min = scale->min;
  axis->max = scale->max;
  axis->is_log = (scale->flags & ROAST_CHART_SCALE_LOG) != 0;
}

/* By row, and in the order of time. */
static int
compare_boxes (gconstpointer a, gconstpointer b)
{
  const Box *one = a;
  const Box *other = b;

  if (one->row != other->row)
    return one->row < other->row ? -1 : 1;

  return (one->start > other->start) - (one->start < other->start);
}

void
roast_chart_data_set_frame (RoastChartData *self, const RoastChartFrame *frame, gboolean x_is_time)
{
  const double box[] = { frame->left, frame->top, frame->right, frame->bottom };

  memcpy (self->box, box, sizeof box);
  g_array_sort (self->boxes, compare_boxes);
  self->x_is_time = x_is_time;
  self->has_y = frame->has_y;
  self->has_y2 = frame->has_y2;
  set_axis (&self->x, &frame->x, frame->x_label);
  if (frame->has_y)
    set_axis (&self->y, &frame->y, frame->y_label);
  if (frame->has_y2)
    set_axis (&self->y2, &frame->y2, frame->y2_label);
}

void
roast_chart_data_add_series (RoastChartData *self, const RoastChartLook *look, guint width, GArray *fine,
                             GArray *coarse)
{
  Series series = { .name = roast_scene_text_clean (look->name), .look = *look, .width = width };

  series.levels[0] = fine;
  series.levels[1] = coarse;
  g_array_append_val (self->series, series);
}

void
roast_chart_data_add_guide (RoastChartData *self, const char *label, double y)
{
  Guide guide = { roast_scene_text_clean (label), y };

  g_array_append_val (self->guides, guide);
}

void
roast_chart_data_add_lane (RoastChartData *self, const char *name, guint n_rows)
{
  Lane lane = { roast_scene_text_clean (name), n_rows };

  g_array_append_val (self->lanes, lane);
}

void
roast_chart_data_add_colour (RoastChartData *self, const char *name, gboolean is_others, guint palette)
{
  Colour colour = { roast_scene_text_clean (name), is_others, palette };

  g_array_append_val (self->colours, colour);
}

void
roast_chart_data_add_box (RoastChartData *self, guint row, guint colour, gboolean is_pale, gint64 n, double start,
                          double end)
{
  Box box = { row, 2 * colour + (is_pale ? 1 : 0), n, start, end };

  g_array_append_val (self->boxes, box);
}

void
roast_chart_data_set_folded (RoastChartData *self)
{
  self->is_folded = TRUE;
}

/* ---- levels of detail ---- */

#define LEVELS_OF_LANES 8
#define FINEST 1500 /* parts of the axis: what is shorter becomes one with its neighbours */

/* What began within a folded box is known, but not what began beside it: those that do not touch stay apart. */
static gboolean
may_join (const RoastChartData *self, const Box *box, const Box *next, double least)
{
  double gap = next->start - box->end;

  return next->row == box->row && gap <= (self->is_folded ? least * 1e-6 : least) &&
         MIN (box->end - box->start, next->end - next->start) < least;
}

/* Boxes as fine as a level has them: on level 0 all, on the next ones half as many parts of the axis each. A joined box
 * has the colour of its longest one. */
static GArray *
dup_boxes (const RoastChartData *self, guint level)
{
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (Box));
  double least = level > 0 ? (self->x.max - self->x.min) / FINEST * (1 << level) : 0;
  double longest = 0;

  for (guint i = 0; i < self->boxes->len; i++)
    {
      const Box *next = &g_array_index (self->boxes, Box, i);
      Box *last = boxes->len > 0 ? &g_array_index (boxes, Box, boxes->len - 1) : NULL;
      double length = next->end - next->start;

      if (level == 0 || last == NULL || !may_join (self, last, next, least))
        {
          g_array_append_val (boxes, *next);
          longest = length;
          continue;
        }
      last->n = self->is_folded ? last->n + next->n : ABS (last->n) + 1;
      last->end = MAX (last->end, next->end);
      last->colour = length > longest ? next->colour : last->colour;
      longest = MAX (longest, length);
    }

  return boxes;
}

/* ---- JSON ---- */

/* Escaped so that it may be inside a <script> as well. */
static void
append_string (GString *json, const char *text)
{
  g_string_append_c (json, '"');
  for (const char *c = text; *c != '\0'; c++)
    if (*c == '"' || *c == '\\' || *c == '<' || *c == '&' || (guchar) *c < 0x20)
      g_string_append_printf (json, "\\u%04x", (guint) (guchar) *c);
    else
      g_string_append_c (json, *c);
  g_string_append_c (json, '"');
}

static void
append_name (GString *json, const char *name, const char *text)
{
  g_string_append_printf (json, ",\"%s\":", name);
  append_string (json, text);
}

/* The digits that give exactly this number when they are parsed. */
static void
append_number (GString *json, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (value))
    {
      g_string_append (json, "null");
      return;
    }
  if (fabs (value) < EXACT && value == floor (value))
    {
      g_string_append_printf (json, "%" G_GINT64_FORMAT, (gint64) value);
      return;
    }
  g_ascii_formatd (digits, sizeof digits, "%.15g", value);
  if (g_ascii_strtod (digits, NULL) != value)
    g_ascii_formatd (digits, sizeof digits, "%.17g", value);
  g_string_append (json, digits);
}

static void
append_member (GString *json, const char *name, double value)
{
  g_string_append_printf (json, ",\"%s\":", name);
  append_number (json, value);
}

static gint64
to_micros (double seconds)
{
  return llrint (CLAMP (seconds, -EXACT / MICRO, EXACT / MICRO) * MICRO);
}

static const char *
get_kind_name (RoastChartKind kind)
{
  static const char *const names[] = {
    [ROAST_CHART_KIND_LINE] = "line",       [ROAST_CHART_KIND_STEP] = "step",   [ROAST_CHART_KIND_AREA] = "area",
    [ROAST_CHART_KIND_STACKED] = "stacked", [ROAST_CHART_KIND_HISTOGRAM] = "",  [ROAST_CHART_KIND_SCATTER] = "",
    [ROAST_CHART_KIND_BARS] = "",           [ROAST_CHART_KIND_LANES] = "lanes",
  };

  return names[kind];
}

static void
append_axis (GString *json, const char *name, const Axis *axis)
{
  g_string_append_printf (json, ",\"%s\":{\"log\":%s", name, axis->is_log ? "true" : "false");
  append_name (json, "label", axis->label);
  append_name (json, "format", axis->format);
  append_member (json, "min", axis->min);
  append_member (json, "max", axis->max);
  g_string_append_c (json, '}');
}

/* Times as differences in µs. */
static void
append_xs (GString *json, const RoastChartData *self, const GArray *points, guint width)
{
  gint64 before = 0;

  for (guint i = 0; i + width <= points->len; i += width)
    {
      double x = g_array_index (points, double, i);

      if (i > 0)
        g_string_append_c (json, ',');
      if (!self->x_is_time)
        append_number (json, x);
      else
        {
          gint64 now = to_micros (x);

          g_string_append_printf (json, "%" G_GINT64_FORMAT, now - before);
          before = now;
        }
    }
}

static void
append_column (GString *json, const GArray *points, guint width, guint column)
{
  for (guint i = column; i < points->len; i += width)
    {
      if (i != column)
        g_string_append_c (json, ',');
      append_number (json, g_array_index (points, double, i));
    }
}

static gboolean
has_same_xs (const Series *series, const Series *before, guint level)
{
  const GArray *points = series->levels[level];
  const GArray *others = before->levels[level];

  if (series->width != before->width || points->len != others->len)
    return FALSE;
  for (guint i = 0; i < points->len; i += series->width)
    if (g_array_index (points, double, i) != g_array_index (others, double, i))
      return FALSE;

  return TRUE;
}

/* Series that were measured at the same times have them once. */
static void
append_series (GString *json, const RoastChartData *self, guint i, guint level)
{
  static const char *const columns[] = { "x", "y", "low", "high" };
  const Series *series = &g_array_index (self->series, Series, i);
  const Series *before = i > 0 ? series - 1 : NULL;

  g_string_append_printf (json, "{\"palette\":%u,\"dash\":%u,\"step\":%s,\"axis\":%d,\"role\":\"%s\"",
                          series->look.palette, series->look.dash, series->look.is_step ? "true" : "false",
                          series->look.is_right ? 2 : 1,
                          series->look.role == ROAST_SCENE_ROLE_GUIDE    ? "guide"
                          : series->look.role == ROAST_SCENE_ROLE_OTHERS ? "others"
                                                                         : "series");
  append_name (json, "name", series->name);
  if (before == NULL || !has_same_xs (series, before, level))
    {
      g_string_append (json, ",\"x\":[");
      append_xs (json, self, series->levels[level], series->width);
      g_string_append_c (json, ']');
    }
  for (guint column = 1; column < series->width; column++)
    {
      g_string_append_printf (json, ",\"%s\":[", columns[column]);
      append_column (json, series->levels[level], series->width, column);
      g_string_append_c (json, ']');
    }
  g_string_append_c (json, '}');
}

static void
append_lanes (GString *json, const RoastChartData *self, guint level)
{
  g_autoptr (GArray) boxes = dup_boxes (self, level);

  g_string_append (json, ",\"lanes\":[");
  for (guint i = 0; i < self->lanes->len; i++)
    {
      const Lane *lane = &g_array_index (self->lanes, Lane, i);

      g_string_append_printf (json, "%s{\"rows\":%u", i > 0 ? "," : "", lane->n_rows);
      append_name (json, "name", lane->name);
      g_string_append_c (json, '}');
    }
  g_string_append (json, "],\"colours\":[");
  for (guint i = 0; i < self->colours->len; i++)
    {
      const Colour *colour = &g_array_index (self->colours, Colour, i);

      g_string_append_printf (json, "%s{\"others\":%s,\"palette\":%u", i > 0 ? "," : "",
                              colour->is_others ? "true" : "false", colour->palette);
      append_name (json, "name", colour->name);
      g_string_append_c (json, '}');
    }
  g_string_append_c (json, ']');
  append_name (json, "rows", self->rows);
  /* Flat: five numbers for each. */
  g_string_append (json, ",\"boxes\":[");
  for (guint i = 0; i < boxes->len; i++)
    {
      const Box *box = &g_array_index (boxes, Box, i);
      gint64 before = i > 0 ? to_micros (g_array_index (boxes, Box, i - 1).start) : 0;
      gint64 start = to_micros (box->start);

      g_string_append_printf (json, "%s%u,%u,%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT,
                              i > 0 ? "," : "", box->row, box->colour, box->n, start - before,
                              to_micros (box->end) - start);
    }
  g_string_append_c (json, ']');
}

static char *
make_json (const RoastChartData *self, RoastScene *scene, guint level)
{
  GString *json = g_string_new ("{\"kind\":");
  double width = 0;
  double height = 0;

  roast_scene_get_size (scene, &width, &height);
  append_string (json, get_kind_name (self->kind));
  append_member (json, "width", width);
  append_member (json, "height", height);
  g_string_append_printf (json, ",\"time\":%s,\"box\":[", self->x_is_time ? "true" : "false");
  for (guint i = 0; i < G_N_ELEMENTS (self->box); i++)
    {
      g_string_append (json, i > 0 ? "," : "");
      append_number (json, self->box[i]);
    }
  g_string_append_c (json, ']');
  append_axis (json, "x", &self->x);
  if (self->has_y)
    append_axis (json, "y", &self->y);
  if (self->has_y2)
    append_axis (json, "y2", &self->y2);
  g_string_append (json, ",\"guides\":[");
  for (guint i = 0; i < self->guides->len; i++)
    {
      const Guide *guide = &g_array_index (self->guides, Guide, i);

      g_string_append_printf (json, "%s{\"y\":", i > 0 ? "," : "");
      append_number (json, guide->y);
      append_name (json, "label", guide->label);
      g_string_append_c (json, '}');
    }
  g_string_append (json, "],\"series\":[");
  for (guint i = 0; i < self->series->len; i++)
    {
      g_string_append (json, i > 0 ? "," : "");
      append_series (json, self, i, level);
    }
  g_string_append_c (json, ']');
  if (self->lanes->len > 0)
    append_lanes (json, self, level);
  g_string_append_c (json, '}');

  return g_string_free (json, FALSE);
}

/**
 * roast_scene_dup_data:
 * @self: a picture that [func@Roast.chart_draw] drew
 * @most: length that the data may have, in bytes
 *
 * Writes the numbers from which a chart was drawn, for a program that draws it again, such as a page in which one can
 * zoom. Of a line these are the points that the picture has, and up to four times as many if they fit into @most:
 * each column of pixels has its first, lowest, highest and last point.
 *
 * The data are a JSON object. `kind` is `line`, `step`, `area`, `stacked` or `lanes`; `width` and `height` are those of
 * the picture, and `box` is the left, top, right and bottom of its data, in px. `x`, `y` and `y2` are axes, each with
 * `label`, `format` (see [func@Roast.format_number]), `min`, `max` and `log`. Each of `series` has `name`, `role`
 * (`series`, `others` or `guide`), `palette`, `dash`, `step` (a point holds until the next), `axis` (1 or 2) and, as
 * arrays, `x` (missing if it is that of the series before), `y` and, of means, `low` and `high`. If `time` is true, `x`
 * is in µs, each as the difference from the one before. `guides` are lines across, with `y` and `label`. Lanes have
 * `lanes` (`name` and number of `rows`), `colours` (`name`, `palette` and whether they are the `others`), `rows` (the
 * table), and `boxes`: for each its row from the top, twice its colour (and one if it is pale), the number of stretches
 * that began within it (-1 if it is one stretch by itself), the difference of its start from the one before, and its
 * length, both in µs; short ones are joined until they fit. Every `<` is escaped.
 *
 * Returns: (transfer full) (nullable): the JSON; %NULL if the picture has no such numbers, or they do not fit
 *
 * Since: 0.9
 */
char *
roast_scene_dup_data (RoastScene *self, gsize most)
{
  const RoastChartData *data = NULL;
  guint n_levels = 0;

  g_return_val_if_fail (ROAST_IS_SCENE (self), NULL);

  data = roast_scene_get_data (self);
  if (data == NULL || (data->series->len == 0 && data->lanes->len == 0))
    return NULL;
  n_levels = data->lanes->len > 0 ? LEVELS_OF_LANES : LEVELS_OF_LINES;
  for (guint level = 0; level < n_levels; level++)
    {
      g_autofree char *json = make_json (data, self, level);

      if (strlen (json) <= most)
        return g_steal_pointer (&json);
    }

  return NULL;
}
