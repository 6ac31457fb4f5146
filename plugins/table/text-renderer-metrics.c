/* SPDX-License-Identifier: BSD-3-Clause */

#include "page/page-metric.h"
#include "text-renderer.h"

#include "each.h"
#include <string.h>

#define MAX_LABEL 38
#define MIN_REMARK 12
#define SHORT_REMARK 24 /* a remark that is wider than this is not repeated */

enum
{
  LABEL,
  NUMBER,
  UNIT,
  REMARK,
  N_CELLS
};

/* A metric that is displayed. The number and the unit are separate cells, so that numbers can be aligned. */
typedef struct
{
  RoastMetric *metric;
  const char *group;
  char *cells[N_CELLS];
} Line;

static void
line_free (Line *line)
{
  for (guint i = 0; i < N_CELLS; i++)
    g_free (line->cells[i]);
  g_free (line);
}

/* Split a value such as "1.23 s" into the number "1.23" and the unit "s". If the metric is a text, the number is
 * empty. */
static void
split_value (const TextRenderer *page, Line *line, RoastMetricInfo *info)
{
  const char *format = info != NULL ? roast_metric_info_get_format (info) : "number";
  g_autofree char *value = roast_format_value (roast_metric_get_value (line->metric), format);
  g_autofree char *marked = NULL;
  char *space = page_metric_is_text (line->metric) ? NULL : strrchr (value, ' ');

  if (space != NULL)
    *space = '\0';
  marked = g_strconcat (page_metric_mark (line->metric), value, NULL);
  line->cells[NUMBER] = text_renderer_printable (page, page_metric_is_text (line->metric) ? "" : marked);
  line->cells[UNIT] = text_renderer_printable (page, space != NULL ? space + 1 : "");
}

/* Return the remark that is shown next to the value. Leave out a long remark if the previous metric of the same group
 * has the same remark. */
static char *
remark_of (const TextRenderer *page, RoastMetric *metric, RoastMetric *before)
{
  gboolean available = roast_metric_is_available (metric);
  const char *why = available ? roast_metric_get_note (metric) : roast_metric_get_reason (metric);
  const char *why_before = NULL;
  g_autofree char *remark = NULL;

  if (before != NULL && roast_metric_is_available (before) == available)
    why_before = available ? roast_metric_get_note (before) : roast_metric_get_reason (before);

  if (page_metric_is_text (metric))
    remark = g_strdup (g_variant_get_string (roast_metric_get_value (metric), NULL));
  else if (why == NULL)
    remark = g_strdup ("");
  else if (strlen (why) > SHORT_REMARK && g_strcmp0 (why, why_before) == 0)
    remark = g_strdup ("as above");
  else
    remark = g_strconcat (available ? "" : "not available: ", why, NULL);

  return text_renderer_printable (page, remark);
}

static Line *
make_line (const TextRenderer *page, RoastMetric *metric, RoastMetricInfo *info, const char *group, const Line *before)
{
  Line *line = g_new0 (Line, 1);
  g_autofree char *label = NULL;

  line->metric = metric;
  line->group = group;
  label = text_renderer_printable (page,
                                   info != NULL ? roast_metric_info_get_label (info) : roast_metric_get_name (metric));
  line->cells[LABEL] = text_cut (page, label, MAX_LABEL);
  if (roast_metric_is_available (metric))
    split_value (page, line, info);
  else
    line->cells[NUMBER] = g_strdup ("n/a");
  line->cells[REMARK] =
      remark_of (page, metric, before != NULL && g_str_equal (before->group, line->group) ? before->metric : NULL);

  return line;
}

static GPtrArray *
make_lines (const TextRenderer *page, GPtrArray *metrics, RoastReport *report)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func ((GDestroyNotify) line_free);

  FOR_EACH_POINTER (RoastMetric, metric, metrics)
    {
      RoastMetricInfo *info = page_metric_info (report, metric);

      if (page_metric_shows (metric, info, page->detail) && !page_metric_is_long_text (metric))
        g_ptr_array_add (lines, make_line (page, metric, info, page_metric_group (report, metric),
                                           lines->len > 0 ? g_ptr_array_index (lines, lines->len - 1) : NULL));
    }

  return lines;
}

static gsize
cell_width (GPtrArray *lines, guint cell)
{
  gsize width = 0;

  for (guint i = 0; i < lines->len; i++)
    {
      const char *text = ((Line *) g_ptr_array_index (lines, i))->cells[cell];

      width = MAX (width, text != NULL ? text_width (text) : 0);
    }

  return width;
}

/* Put a metric. Its remark may need several lines. */
static void
put_line (TextRenderer *page, const Line *line, gsize labels, gsize numbers, gsize units, gsize room)
{
  gboolean is_available = roast_metric_is_available (line->metric);
  gboolean is_text = page_metric_is_text (line->metric);
  const char *unit = line->cells[UNIT] != NULL ? line->cells[UNIT] : "";
  g_auto (GStrv) remark = text_wrap (line->cells[REMARK], room);
  g_autoptr (GString) text = g_string_new ("  ");

  g_string_append (text, line->cells[LABEL]);
  text_pad (text, 2 + labels + 3 + numbers - text_width (line->cells[NUMBER]));
  g_string_append_printf (text, "%s %s", line->cells[NUMBER], unit);
  for (guint i = 0; remark[i] != NULL; i++)
    {
      gboolean is_dim = is_available && !is_text && *remark[i] != '\0';

      text_pad (text, 2 + labels + 3 + numbers + 1 + units + 1);
      g_string_append_printf (text, "%s %s%s", text_renderer_style (page, is_dim ? DIM : ""), remark[i],
                              text_renderer_style (page, is_dim ? PLAIN : ""));
      text_renderer_line (page, is_available ? "" : YELLOW, g_strchomp (text->str));
      g_string_truncate (text, 0);
    }
}

/* Put the metrics in the order of the schema, with each group below its heading. Leave out metrics with long texts,
 * which are put later as paragraphs of the notes. */
void
text_renderer_put_metrics (TextRenderer *page, RoastReport *report)
{
  g_autoptr (GPtrArray) gathered = page_metrics_gather (report);
  g_autoptr (GPtrArray) lines = make_lines (page, gathered, report);
  gsize labels = cell_width (lines, LABEL);
  gsize numbers = cell_width (lines, NUMBER);
  gsize units = cell_width (lines, UNIT);
  gsize used = labels + numbers + units + 8;
  gsize room = page->width > used + MIN_REMARK ? page->width - used : MIN_REMARK;
  const char *group = NULL;

  FOR_EACH_POINTER (const Line, line, lines)
    {
      if (g_strcmp0 (group, line->group) != 0)
        {
          g_autofree char *heading = text_renderer_printable (page, line->group);

          text_renderer_heading (page, heading);
        }
      group = line->group;
      put_line (page, line, labels, numbers, units, room);
    }
}
