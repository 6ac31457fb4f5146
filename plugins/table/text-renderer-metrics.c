/* SPDX-License-Identifier: BSD-3-Clause */

#include "text-renderer.h"

#include <string.h>

#define MAX_LABEL 38
#define MIN_REMARK 12
#define LONG_TEXT 40
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

RoastMetricInfo *
text_renderer_info (RoastReport *report, RoastMetric *metric)
{
  return roast_schema_lookup_metric (roast_report_get_schema (report), roast_metric_get_name (metric), NULL);
}

gboolean
text_renderer_shows (const TextRenderer *page, RoastMetric *metric, RoastMetricInfo *info)
{
  const char *show = info != NULL ? roast_metric_info_get_show (info) : "always";

  if (page->detail || g_str_equal (show, "always"))
    return TRUE;
  if (g_str_equal (show, "detail") || !roast_metric_is_available (metric))
    return FALSE;

  return !g_str_equal (show, "nonzero") || roast_metric_get_double (metric) != 0;
}

static gboolean
is_text (RoastMetric *metric)
{
  GVariant *value = roast_metric_get_value (metric);

  return value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_STRING);
}

gboolean
text_renderer_long_text (RoastMetric *metric)
{
  return is_text (metric) && strlen (g_variant_get_string (roast_metric_get_value (metric), NULL)) > LONG_TEXT;
}

const char *
text_renderer_mark (RoastMetric *metric)
{
  switch (roast_metric_get_completeness (metric))
    {
    case ROAST_COMPLETENESS_PARTIAL:
      return "≥ ";
    case ROAST_COMPLETENESS_ESTIMATED:
      return "~ ";
    case ROAST_COMPLETENESS_COMPLETE:
    case ROAST_COMPLETENESS_UNAVAILABLE:
    default:
      return "";
    }
}

/* "1.23 s" is "1.23" and "s". Text has no number. */
static void
split_value (const TextRenderer *page, Line *line, RoastMetricInfo *info)
{
  const char *format = info != NULL ? roast_metric_info_get_format (info) : "number";
  g_autofree char *value = roast_format_value (roast_metric_get_value (line->metric), format);
  g_autofree char *marked = NULL;
  char *space = is_text (line->metric) ? NULL : strrchr (value, ' ');

  if (space != NULL)
    *space = '\0';
  marked = g_strconcat (text_renderer_mark (line->metric), value, NULL);
  line->cells[NUMBER] = text_renderer_printable (page, is_text (line->metric) ? "" : marked);
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

  if (is_text (metric))
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

static const char *
group_of (RoastReport *report, RoastMetric *metric)
{
  RoastMetricInfo *info = text_renderer_info (report, metric);

  return info != NULL ? roast_metric_info_get_group (info) : "Other";
}

/* Metrics that the schema does not declare are listed last, but belong under a heading with those without a group. */
static GPtrArray *
gather_groups (GPtrArray *metrics, RoastReport *report)
{
  g_autoptr (GPtrArray) groups = g_ptr_array_new ();
  g_autofree guint *places = g_new (guint, metrics->len);
  GPtrArray *gathered = g_ptr_array_new ();

  for (guint i = 0; i < metrics->len; i++)
    {
      const char *group = group_of (report, g_ptr_array_index (metrics, i));

      places[i] = groups->len;
      if (!g_ptr_array_find_with_equal_func (groups, group, g_str_equal, &places[i]))
        g_ptr_array_add (groups, (char *) group);
    }
  for (guint i = 0; i < groups->len; i++)
    for (guint j = 0; j < metrics->len; j++)
      if (places[j] == i)
        g_ptr_array_add (gathered, g_ptr_array_index (metrics, j));

  return gathered;
}

static GPtrArray *
make_lines (const TextRenderer *page, GPtrArray *metrics, RoastReport *report)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func ((GDestroyNotify) line_free);

  for (guint i = 0; i < metrics->len; i++)
    {
      RoastMetric *metric = g_ptr_array_index (metrics, i);
      RoastMetricInfo *info = text_renderer_info (report, metric);

      if (text_renderer_shows (page, metric, info) && !text_renderer_long_text (metric))
        g_ptr_array_add (lines, make_line (page, metric, info, group_of (report, metric),
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
      else if (!is_text (line->metric) && *remark[i] != '\0')
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
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (report);
  g_autoptr (GPtrArray) gathered = gather_groups (metrics, report);
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
