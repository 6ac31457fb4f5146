/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes the numbers that a chart was drawn from as JSON. */

#include "roast-chart-data-private.h"

#include <math.h>
#include <string.h>

#include "roast-scene-text-private.h"

#define MICRO 1e6
#define LEVELS_OF_LINES 2
#define EXACT 9007199254740992.0 /* 2^53: a double can hold every integer up to this value */

typedef struct
{
  char *name;
  RoastChartLook look; /* colour and style; do not use look.name, which may have been freed, but name */
  guint width;
  GArray *levels[LEVELS_OF_LINES]; /* points at each level of detail, fine and coarse; arrays of double */
} Series;

typedef struct
{
  guint row, colour;
  gint64 n;
  double start, end;
} Box;

struct _RoastChartData
{
  RoastChartKind kind;
  gboolean x_is_time;
  double range;                      /* length of the x axis, in the unit of x */
  GString *frame;                    /* JSON text of the members for size, box and axes */
  GString *guides, *lanes, *colours; /* JSON text of the elements of the arrays with these names */
  GArray *series, *boxes;
  char *rows; /* name of the table that the rows come from */
};

static void
clear_series (gpointer data)
{
  Series *series = data;

  g_free (series->name);
  for (guint i = 0; i < G_N_ELEMENTS (series->levels); i++)
    g_array_unref (series->levels[i]);
}

RoastChartData *
roast_chart_data_new (RoastChartInfo *chart)
{
  RoastChartData *self = g_new0 (RoastChartData, 1);

  self->kind = roast_chart_info_get_kind (chart);
  self->frame = g_string_new (NULL);
  self->guides = g_string_new (NULL);
  self->lanes = g_string_new (NULL);
  self->colours = g_string_new (NULL);
  self->series = g_array_new (FALSE, FALSE, sizeof (Series));
  self->boxes = g_array_new (FALSE, FALSE, sizeof (Box));
  self->rows = g_strdup (roast_chart_info_get_table (chart));
  g_array_set_clear_func (self->series, clear_series);

  return self;
}

void
roast_chart_data_free (RoastChartData *self)
{
  g_string_free (self->frame, TRUE);
  g_string_free (self->guides, TRUE);
  g_string_free (self->lanes, TRUE);
  g_string_free (self->colours, TRUE);
  g_array_unref (self->series);
  g_array_unref (self->boxes);
  g_free (self->rows);
  g_free (self);
}

/* ---- elements of JSON ---- */

/* Append a string. Escape it so that the JSON can be inside a <script>. */
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
  g_autofree char *clean = roast_scene_text_clean (text);

  g_string_append_printf (json, ",\"%s\":", name);
  append_string (json, clean);
}

/* Append the shortest digits that parse to exactly this number. */
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

/* Begin a JSON object in @array with the name of its first member. */
static void
begin_element (GString *array, const char *member)
{
  g_string_append_printf (array, "%s{\"%s\":", array->len > 0 ? "," : "", member);
}

static void
append_axis (GString *json, const char *name, const RoastChartScale *scale, const char *label)
{
  g_string_append_printf (json, ",\"%s\":{\"log\":%s", name,
                          (scale->flags & ROAST_CHART_SCALE_LOG) != 0 ? "true" : "false");
  append_name (json, "label", label != NULL ? label : "");
  append_name (json, "format", scale->format);
  append_member (json, "min", scale->min);
  append_member (json, "max", scale->max);
  g_string_append_c (json, '}');
}

/* Order boxes by row, and boxes of the same row by time. */
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

  g_array_sort (self->boxes, compare_boxes);
  self->x_is_time = x_is_time;
  self->range = frame->x.max - frame->x.min;
  g_string_append (self->frame, "\"kind\":");
  append_string (self->frame, roast_chart_info_kinds[self->kind]);
  append_member (self->frame, "width", frame->width);
  append_member (self->frame, "height", frame->height);
  g_string_append_printf (self->frame, ",\"time\":%s,\"box\":[", x_is_time ? "true" : "false");
  for (guint i = 0; i < G_N_ELEMENTS (box); i++)
    {
      g_string_append (self->frame, i > 0 ? "," : "");
      append_number (self->frame, box[i]);
    }
  g_string_append_c (self->frame, ']');
  append_axis (self->frame, "x", &frame->x, frame->x_label);
  if (frame->has_y)
    append_axis (self->frame, "y", &frame->y, frame->y_label);
  if (frame->has_y2)
    append_axis (self->frame, "y2", &frame->y2, frame->y2_label);
}

void
roast_chart_data_add_series (RoastChartData *self, const RoastChartLook *look, guint width, GArray *fine,
                             GArray *coarse)
{
  Series series = { .name = g_strdup (look->name), .look = *look, .width = width, .levels = { fine, coarse } };

  g_array_append_val (self->series, series);
}

void
roast_chart_data_add_guide (RoastChartData *self, const char *label, double y)
{
  begin_element (self->guides, "y");
  append_number (self->guides, y);
  append_name (self->guides, "label", label);
  g_string_append_c (self->guides, '}');
}

void
roast_chart_data_add_lane (RoastChartData *self, const char *name, guint n_rows)
{
  begin_element (self->lanes, "rows");
  g_string_append_printf (self->lanes, "%u", n_rows);
  append_name (self->lanes, "name", name);
  g_string_append_c (self->lanes, '}');
}

void
roast_chart_data_add_colour (RoastChartData *self, const RoastChartLook *look)
{
  begin_element (self->colours, "others");
  g_string_append_printf (self->colours, "%s,\"palette\":%u", look->role == ROAST_SCENE_ROLE_OTHERS ? "true" : "false",
                          look->palette);
  append_name (self->colours, "name", look->name);
  g_string_append_c (self->colours, '}');
}

void
roast_chart_data_add_box (RoastChartData *self, guint row, guint colour, gboolean is_pale, gint64 n, double start,
                          double end)
{
  Box box = { row, 2 * colour + (is_pale ? 1 : 0), n, start, end };

  g_array_append_val (self->boxes, box);
}

/* ---- levels of detail ---- */

#define LEVELS_OF_LANES 8
#define DATA_FINEST 1500 /* a box at level 0 is short if it is shorter than the x axis divided by this number */

static gboolean
is_folded (const RoastChartData *self)
{
  return self->boxes->len > 0 && g_array_index (self->boxes, Box, 0).n >= 0;
}

/* Return whether two neighbouring boxes may be joined: they must be in the same row, near each other, and at least one
 * box must be shorter than @least. Folded boxes must touch each other, because stretches may have begun in a gap
 * between them. */
static gboolean
may_join (const RoastChartData *self, const Box *box, const Box *next, double least)
{
  double gap = next->start - box->end;

  return next->row == box->row && gap <= (is_folded (self) ? least * 1e-6 : least) &&
         MIN (box->end - box->start, next->end - next->start) < least;
}

/* Return the boxes at a level of detail. Level 0 has all boxes. At higher levels, short boxes are joined. With each
 * level, the length below which a box is short doubles. A joined box has the colour of the longest box in it. */
static GArray *
dup_boxes (const RoastChartData *self, guint level)
{
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (Box));
  double least = level > 0 ? self->range / DATA_FINEST * (1 << level) : 0;
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
      last->n = is_folded (self) ? last->n + next->n : ABS (last->n) + 1;
      last->end = MAX (last->end, next->end);
      last->colour = length > longest ? next->colour : last->colour;
      longest = MAX (longest, length);
    }

  return boxes;
}

/* ---- JSON ---- */

static gint64
to_micros (double seconds)
{
  return llrint (CLAMP (seconds, -EXACT / MICRO, EXACT / MICRO) * MICRO);
}

/* Append a column of numbers. If x is a time, write each x in µs, as the difference from the previous x. */
static void
append_column (GString *json, const RoastChartData *self, const GArray *points, guint width, guint column)
{
  gint64 before = 0;

  for (guint i = column; i < points->len; i += width)
    {
      double value = g_array_index (points, double, i);

      if (i != column)
        g_string_append_c (json, ',');
      if (column == 0 && self->x_is_time)
        {
          g_string_append_printf (json, "%" G_GINT64_FORMAT, to_micros (value) - before);
          before = to_micros (value);
        }
      else
        append_number (json, value);
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

/* Append a series. Leave out the array "x" if the previous series has the same x. */
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
  for (guint column = before != NULL && has_same_xs (series, before, level) ? 1 : 0; column < series->width; column++)
    {
      g_string_append_printf (json, ",\"%s\":[", columns[column]);
      append_column (json, self, series->levels[level], series->width, column);
      g_string_append_c (json, ']');
    }
  g_string_append_c (json, '}');
}

static void
append_lanes (GString *json, const RoastChartData *self, guint level)
{
  g_autoptr (GArray) boxes = dup_boxes (self, level);

  g_string_append_printf (json, ",\"lanes\":[%s],\"colours\":[%s]", self->lanes->str, self->colours->str);
  append_name (json, "rows", self->rows);
  /* Write the five numbers of each box one after another, without an array for each box. */
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
make_json (const RoastChartData *self, guint level)
{
  GString *json = g_string_new (NULL);

  g_string_append_printf (json, "{%s,\"guides\":[%s],\"series\":[", self->frame->str, self->guides->str);
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
 * @most: maximum length of the data, in bytes
 *
 * Writes the numbers from which a chart was drawn. A program, such as a page that can zoom, can draw the chart from
 * these numbers. A line has the first, lowest, highest and last point of each column of pixels, or up to four times as
 * many points if the data still fit into @most.
 *
 * The data are a JSON object. `kind` is `line`, `step`, `area` or `lanes`. `width` and `height` are the size of the
 * picture, and `box` is the left, top, right and bottom of its data, all in px. `x`, `y` and `y2` are axes, each with
 * `label`, `format` (see [func@Roast.format_number]), `min`, `max` and `log`.
 *
 * Each element of `series` has `name`, `role` (`series`, `others` or `guide`), `palette`, `dash`, `step` (whether the
 * line keeps the `y` of a point until the next point), `axis` (1 or 2) and the arrays `x`, `y` and, for means, `low`
 * and `high`. A series without `x` has the `x` of the previous series. If `time` is true, `x` is in µs, and each value
 * is the difference from the previous value. `guides` are horizontal lines, with `y` and `label`.
 *
 * Charts of lanes have `lanes` (`name` and number of `rows`), `colours` (`name`, `palette` and whether the colour
 * stands for the `others`), `rows` (the name of the table), and `boxes`, a flat array with five numbers per box: the
 * row, counted from the top; twice the number of the colour, plus one if the box is pale; the number of stretches that
 * began within the box, or -1 for a single stretch; the start, as the difference from the start of the previous box, in
 * µs; and the length in µs. Short boxes are joined until the data fit into @most.
 *
 * Every `<` is escaped.
 *
 * Returns: (transfer full) (nullable): the JSON; %NULL if the picture has neither lines nor lanes, or if the data do
 *   not fit into @most
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
      g_autofree char *json = make_json (data, level);

      if (strlen (json) <= most)
        return g_steal_pointer (&json);
    }

  return NULL;
}
