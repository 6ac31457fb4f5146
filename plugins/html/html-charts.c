/* SPDX-License-Identifier: BSD-3-Clause */

/* Puts the charts that schemas declare. Each chart is placed under the heading in its declaration. */

#include "html-page.h"

#include <string.h>

#define WIDTH 760
#define HEIGHT 300
#define CHART_BYTES 70000 /* maximum size of a chart's picture */
#define DATA_BYTES 40000  /* maximum size of a chart's data, from which scripts draw the chart again */

static RoastScene *
draw (const HtmlPage *self, RoastChartInfo *chart, double scale)
{
  return roast_chart_draw (chart, self->source->recording, self->source->report, WIDTH * scale, HEIGHT * scale, NULL);
}

static gboolean
is_lanes (RoastChartInfo *chart)
{
  return roast_chart_info_get_kind (chart) == ROAST_CHART_KIND_LANES;
}

/* Add the data of the chart, from which scripts of the page draw the chart again. Return FALSE if the data do not
 * fit. */
static gboolean
put_data (HtmlPage *self, RoastChartInfo *chart, RoastScene *scene, const char *id)
{
  g_autofree char *data = NULL;

  if (!is_lanes (chart) && !html_has_library ())
    return TRUE;
  data = roast_scene_dup_data (scene, MIN (self->data_left, DATA_BYTES));
  if (data == NULL)
    {
      g_autofree char *any = roast_scene_dup_data (scene, G_MAXSIZE);

      return any == NULL;
    }
  g_string_append_printf (self->chart_data, "%s\n\"%s\":%s", self->chart_data->len > 0 ? "," : "", id, data);
  self->data_left -= strlen (data);
  self->has_lines = self->has_lines || !is_lanes (chart);

  return TRUE;
}

static void
put_figure (HtmlPage *self, RoastChartInfo *chart, RoastScene *scene, const char *svg)
{
  const char *description = roast_chart_info_get_description (chart);
  g_autofree char *id = html_new_id (self, "chart-", roast_chart_info_get_name (chart));

  html_printf (self, "<figure id=\"%s\">\n", id);
  html_put (self, svg);
  if (description != NULL)
    html_element (self, "figcaption", "", description, HTML_SENTENCE);
  if (!put_data (self, chart, scene, id))
    html_put (self, "<p class=\"more\">This chart has too many points to zoom into it on this page: <code>-e "
                    "csv:DIR</code> exports the points.</p>\n");
  html_put (self, "</figure>\n");
}

/* Put a chart. If its picture has too many bytes, draw the picture again at a smaller scale, because fewer columns of
 * pixels need fewer marks. */
static void
put_chart (HtmlPage *self, RoastChartInfo *chart)
{
  static const double scales[] = { 1, 0.7, 0.5, 0.35 };
  gsize most = MIN (self->charts_left, CHART_BYTES);
  gsize start = self->body->len;
  g_autoptr (RoastScene) scene = NULL;
  g_autofree char *svg = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (scales) && (svg == NULL || strlen (svg) > most); i++)
    {
      g_clear_object (&scene);
      g_clear_pointer (&svg, g_free);
      scene = draw (self, chart, scales[i]);
      if (scene == NULL)
        return;
      svg = roast_scene_to_svg (scene, ROAST_THEME_LIGHT, ROAST_SVG_FLAGS_CLASSES);
    }
  if (strlen (svg) > most)
    {
      html_put (self, "<p class=\"more\">");
      html_text (self, roast_chart_info_get_title (chart), HTML_NAME);
      html_put (self, ": this chart did not fit into the page</p>\n");
      return;
    }
  put_figure (self, chart, scene, svg);
  self->charts_left -= MIN (self->charts_left, self->body->len - start);
  /* Raise the limit of the current part by the size of the chart, because charts have a separate limit: charts_left. */
  self->limit += self->body->len - start;
}

/* Return whether the page shows the chart. A chart is left out if it is declared as a detail, or if the run has too few
 * rows for it. */
static gboolean
is_wanted (const HtmlPage *self, RoastChartInfo *chart)
{
  return !roast_chart_info_get_show_detail (chart) &&
         roast_chart_is_worth (chart, self->source->recording, self->source->report);
}

static gboolean
is_under (RoastChartInfo *chart, const char *heading)
{
  return heading == NULL || g_strcmp0 (roast_chart_info_get_heading (chart), heading) == 0;
}

gboolean
html_has_charts (HtmlPage *self, const char *heading)
{
  for (guint i = 0; i < self->charts->len; i++)
    if (is_under (g_ptr_array_index (self->charts, i), heading))
      return TRUE;

  return FALSE;
}

void
html_put_charts (HtmlPage *self, const char *heading)
{
  for (guint i = 0; i < self->charts->len;)
    {
      RoastChartInfo *chart = g_ptr_array_index (self->charts, i);

      if (!is_under (chart, heading))
        {
          i++;
          continue;
        }
      put_chart (self, chart);
      g_ptr_array_remove_index (self->charts, i);
    }
}

void
html_find_charts (HtmlPage *self)
{
  g_autoptr (GPtrArray) charts = roast_report_list_charts (self->source->report, self->source->recording);

  for (guint i = 0; i < charts->len; i++)
    if (is_wanted (self, g_ptr_array_index (charts, i)))
      g_ptr_array_add (self->charts, g_object_ref (g_ptr_array_index (charts, i)));
}
