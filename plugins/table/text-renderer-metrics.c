/* SPDX-License-Identifier: BSD-3-Clause */

#include "page/page-metric.h"
#include "text-renderer.h"

#include <string.h>

#define MAX_LABEL 38
#define MIN_REMARK 12
#define SHORT_REMARK 24 /* may be repeated */

enum
{
  LABEL,
  NUMBER,
  UNIT,
  REMARK,
  N_CELLS
};

/* One metric as it is shown. Numbers are aligned at their units, so that they can be compared. */
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

/* "1.23 s" is "1.23" and "s". Text has no number. */
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

/* The text beside the value. A remark of the metric before, in the same group, is not repeated. */
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

  for (guint i = 0; i < metrics->len; i++)
    {
      RoastMetric *metric = g_ptr_array_index (metrics, i);
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

static void
set_cell (struct libscols_line *line, guint cell, const char *margin, const char *text)
{
  g_autofree char *data = text != NULL && *text != '\0' ? g_strconcat (margin, text, NULL) : g_strdup ("");

  scols_line_set_data (line, cell, data);
}

static void
add_line (struct libscols_table *table, const Line *line, gsize room)
{
  g_auto (GStrv) remark = text_wrap (line->cells[REMARK], room);

  for (guint i = 0; remark[i] != NULL; i++)
    {
      struct libscols_line *row = scols_table_new_line (table, NULL);

      if (i == 0)
        {
          set_cell (row, LABEL, "  ", line->cells[LABEL]);
          set_cell (row, NUMBER, "  ", line->cells[NUMBER]);
          set_cell (row, UNIT, "", line->cells[UNIT]);
        }
      set_cell (row, REMARK, " ", remark[i]);
      if (!roast_metric_is_available (line->metric))
        scols_line_set_color (row, YELLOW);
      else if (!page_metric_is_text (line->metric) && *remark[i] != '\0')
        scols_cell_set_color (scols_line_get_cell (row, REMARK), DIM);
    }
}

static void
add_heading (struct libscols_table *table, const char *text)
{
  struct libscols_line *line = NULL;

  if (scols_table_get_nlines (table) > 0)
    scols_table_new_line (table, NULL);
  line = scols_table_new_line (table, NULL);
  scols_line_set_data (line, LABEL, text);
  scols_line_set_color (line, BOLD);
}

/* Metrics in the order of the schema, each group under its heading; long texts come at the end, as paragraphs. */
void
text_renderer_put_metrics (TextRenderer *page, RoastReport *report)
{
  g_autoptr (GPtrArray) gathered = page_metrics_gather (report);
  g_autoptr (GPtrArray) lines = make_lines (page, gathered, report);
  gsize used = cell_width (lines, LABEL) + cell_width (lines, NUMBER) + cell_width (lines, UNIT) + 8;
  gsize room = page->width > used + MIN_REMARK ? page->width - used : MIN_REMARK;
  struct libscols_table *table = text_renderer_new_table (page, " ");
  const char *group = NULL;

  for (guint i = 0; i < N_CELLS; i++)
    text_renderer_add_column (table, i == NUMBER ? SCOLS_FL_RIGHT : 0);
  for (guint i = 0; i < lines->len; i++)
    {
      const Line *line = g_ptr_array_index (lines, i);

      if (g_strcmp0 (group, line->group) != 0)
        {
          g_autofree char *heading = text_renderer_printable (page, line->group);

          add_heading (table, heading);
        }
      group = line->group;
      add_line (table, line, room);
    }
  if (lines->len > 0)
    g_string_append_c (page->text, '\n');
  text_renderer_print_table (page, table);
}
