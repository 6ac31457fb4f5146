/* SPDX-License-Identifier: BSD-3-Clause */

/* Puts all metrics, grouped by heading. In each group, the main metrics come first, then zeros and details, and last
 * the metrics that are not available, with the reasons. */

#include "each.h"
#include "html-page.h"
#include "page/page-metric.h"

#define METRICS_BYTES 140000
/* Maximum size of the page. Charts get the bytes that other parts of the page do not need: two thirds of these bytes
 * for pictures, and one third for data. */
#define PAGE_BYTES 970000
#define SCRIPTS_BYTES 200000 /* reserve for scripts and styles */
#define LATER_BYTES 200000   /* reserve for the parts after the metrics, such as tables, notes and rules */
#define LEAST_GROUP_BYTES 2000

typedef enum
{
  SHOWN,
  FURTHER, /* metrics that are 0 or declared as details */
  MISSING,
  N_CLASSES,
} Class;

/* Metrics under one heading. */
typedef struct
{
  const char *name;
  GPtrArray *metrics[N_CLASSES];
} Group;

static void
group_free (Group *group)
{
  for (guint i = 0; i < N_CLASSES; i++)
    g_ptr_array_unref (group->metrics[i]);
  g_free (group);
}

static Class
class_of (RoastMetric *metric, RoastMetricInfo *info)
{
  if (!roast_metric_is_available (metric))
    return MISSING;

  return page_metric_shows (metric, info, FALSE) ? SHOWN : FURTHER;
}

static const char *
completeness_words (RoastMetric *metric)
{
  switch (roast_metric_get_completeness (metric))
    {
    case ROAST_COMPLETENESS_COMPLETE:
      return "complete";
    case ROAST_COMPLETENESS_PARTIAL:
      return "at least";
    case ROAST_COMPLETENESS_ESTIMATED:
      return "estimated";
    case ROAST_COMPLETENESS_UNAVAILABLE:
    default:
      return "not available";
    }
}

static void
put_term (HtmlPage *self, const char *term, const char *text)
{
  if (text == NULL || *text == '\0')
    return;
  html_put (self, "<br>");
  html_element (self, "b", "", term, HTML_NAME);
  html_put (self, " ");
  html_text (self, text, HTML_SENTENCE);
}

/* Put the description, formula and source of the metric. */
static void
put_definition (HtmlPage *self, RoastMetric *metric, RoastMetricInfo *info)
{
  html_put (self, "<details><summary>");
  html_text (self, page_metric_label (self->source, metric), HTML_NAME);
  html_put (self, "</summary><p>");
  if (info != NULL)
    {
      html_text (self, roast_metric_info_get_description (info), HTML_SENTENCE);
      put_term (self, "Formula:", roast_metric_info_get_formula (info));
      put_term (self, "From:", roast_metric_info_get_source (info));
    }
  put_term (self, "Name:", roast_metric_get_name (metric));
  html_put (self, "</p></details>");
}

static void
metrics_put_row (HtmlPage *self, RoastMetric *metric)
{
  RoastMetricInfo *info = page_metric_info (self->source->report, metric);
  GVariant *value = roast_metric_get_value (metric);
  gboolean is_text = page_metric_is_text (metric);
  g_autofree char *shown = page_format_metric (self->source, metric);
  g_autofree char *id = html_new_id (self, "metric-", roast_metric_get_name (metric));

  html_printf (self, "<tr id=\"%s\" data-metric=\"", id);
  html_text (self, roast_metric_get_name (metric), HTML_NAME);
  html_put (self, "\"><th scope=\"row\">");
  put_definition (self, metric, info);
  html_put (self, "</th>");
  if (is_text)
    html_put (self, "<td class=\"n\"></td>");
  else
    html_put_cell (self, value, shown, "td");
  html_element (self, "td", "", completeness_words (metric), HTML_NAME);
  html_put (self, "<td class=\"remark\">");
  if (is_text)
    html_text (self, g_variant_get_string (value, NULL), HTML_SENTENCE);
  if (roast_metric_get_note (metric) != NULL)
    {
      html_put (self, is_text ? "<br>" : "");
      html_text (self, roast_metric_get_note (metric), HTML_SENTENCE);
    }
  html_put (self, "</td></tr>\n");
}

static guint
put_table (HtmlPage *self, const Group *group, Class class)
{
  const GPtrArray *metrics = group->metrics[class];
  guint left_out = 0;

  html_put (self, "<div class=\"scroll\"><table class=\"metrics\"><caption>");
  html_text (self, group->name, HTML_NAME);
  html_put (self, class == SHOWN ? "" : ": zeros and details");
  html_put (self, "</caption>\n<thead><tr><th scope=\"col\">Metric</th><th scope=\"col\" class=\"n\">Value</th>"
                  "<th scope=\"col\">Completeness</th><th scope=\"col\">Remark</th></tr></thead>\n<tbody>\n");
  for (guint i = 0; i < metrics->len; i++)
    {
      gsize start = self->body->len;

      metrics_put_row (self, g_ptr_array_index (metrics, i));
      left_out += !html_fits (self, start);
    }
  html_put (self, "</tbody></table></div>\n");

  return left_out;
}

static void
put_missing_metric (HtmlPage *self, RoastMetric *metric, gboolean is_first)
{
  g_autofree char *id = html_new_id (self, "metric-", roast_metric_get_name (metric));

  html_printf (self, "%s<span id=\"%s\" data-metric=\"", is_first ? "" : ", ", id);
  html_text (self, roast_metric_get_name (metric), HTML_NAME);
  html_put (self, "\">");
  html_text (self, page_metric_label (self->source, metric), HTML_NAME);
  html_put (self, "</span>");
}

/* Put the metrics that are not available, grouped by reason. Return the number of metrics that did not fit. */
static guint
put_missing (HtmlPage *self, GPtrArray *metrics)
{
  g_autoptr (GHashTable) done = g_hash_table_new (g_str_hash, g_str_equal);
  guint left_out = 0;

  html_put (self, "<dl class=\"missing\">\n");
  for (guint i = 0; i < metrics->len; i++)
    {
      const char *reason = roast_metric_get_reason (g_ptr_array_index (metrics, i));
      gsize start = self->body->len;
      guint n = 0;

      if (reason == NULL || !g_hash_table_add (done, (char *) reason))
        continue;
      html_element (self, "dt", "", reason, HTML_SENTENCE);
      html_put (self, "<dd>");
      for (guint j = i; j < metrics->len; j++)
        {
          RoastMetric *metric = g_ptr_array_index (metrics, j);

          if (g_strcmp0 (roast_metric_get_reason (metric), reason) != 0)
            continue;
          put_missing_metric (self, metric, n == 0);
          n++;
        }
      html_put (self, "</dd>\n");
      left_out += html_fits (self, start) ? 0 : n;
    }
  html_put (self, "</dl>\n");

  return left_out;
}

static void
metrics_put_left_out (HtmlPage *self, guint n)
{
  if (n > 0)
    html_printf (self,
                 "<p class=\"more\">%u more metrics did not fit into this page: <code>-e json:FILE</code> has all "
                 "metrics</p>\n",
                 n);
}

static void
put_group (HtmlPage *self, const Group *group)
{
  g_autofree char *id = html_new_id (self, "group-", group->name);
  guint left_out = 0;

  html_begin_section (self, id, group->name);
  html_put_charts (self, group->name);
  if (group->metrics[SHOWN]->len > 0)
    left_out += put_table (self, group, SHOWN);
  if (group->metrics[FURTHER]->len > 0)
    {
      html_printf (self, "<details><summary>%u more (zeros and details)</summary>\n", group->metrics[FURTHER]->len);
      left_out += put_table (self, group, FURTHER);
      html_put (self, "</details>\n");
    }
  if (group->metrics[MISSING]->len > 0)
    {
      html_printf (self, "<details><summary>%u not available</summary>\n", group->metrics[MISSING]->len);
      left_out += put_missing (self, group->metrics[MISSING]);
      html_put (self, "</details>\n");
    }
  metrics_put_left_out (self, left_out);
  html_end_section (self);
}

/* Divide the metrics of this run into groups, one for each heading. */
static GPtrArray *
divide (const HtmlPage *self)
{
  RoastReport *report = self->source->report;
  g_autoptr (GPtrArray) gathered = page_metrics_gather (report);
  GPtrArray *groups = g_ptr_array_new_with_free_func ((GDestroyNotify) group_free);
  Group *group = NULL;

  FOR_EACH_POINTER (RoastMetric, metric, gathered)
    {
      const char *name = page_metric_group (report, metric);

      if (group == NULL || !g_str_equal (name, group->name))
        {
          group = g_new0 (Group, 1);
          group->name = name;
          for (guint k = 0; k < N_CLASSES; k++)
            group->metrics[k] = g_ptr_array_new_with_free_func (g_object_unref);
          g_ptr_array_add (groups, group);
        }
      g_ptr_array_add (group->metrics[class_of (metric, page_metric_info (report, metric))], g_object_ref (metric));
    }

  return groups;
}

/* Return whether the group has neither available metrics nor charts. */
static gboolean
is_empty (HtmlPage *self, const Group *group)
{
  return group->metrics[SHOWN]->len == 0 && group->metrics[FURTHER]->len == 0 && !html_has_charts (self, group->name);
}

/* Put the charts that are not in any group, because no metric has the same heading. */
static void
put_other_charts (HtmlPage *self)
{
  if (!html_has_charts (self, NULL))
    return;
  html_begin_section (self, "charts", "Further charts");
  html_put_charts (self, NULL);
  html_end_section (self);
}

/* Put the remaining groups into a collapsed section at the end. These groups have no available metrics, or did not fit
 * into the page before. */
static void
put_empty_groups (HtmlPage *self, GPtrArray *groups)
{
  gboolean is_open = FALSE;

  for (guint i = 0; i < groups->len; i++)
    {
      const Group *group = g_ptr_array_index (groups, i);

      if (!is_open)
        html_begin_section (self, "not-available", "Not available");
      is_open = TRUE;
      if (self->body->len > self->limit - LEAST_GROUP_BYTES)
        {
          html_printf (self,
                       "<p class=\"more\">%u more groups of metrics did not fit into this page: <code>-e "
                       "json:FILE</code> has all metrics</p>\n",
                       groups->len - i);
          break;
        }
      html_put (self, "<details><summary>");
      html_text (self, group->name, HTML_NAME);
      html_printf (self, ": %u</summary>\n",
                   group->metrics[SHOWN]->len + group->metrics[FURTHER]->len + group->metrics[MISSING]->len);
      metrics_put_left_out (self, put_missing (self, group->metrics[MISSING]));
      html_put (self, "</details>\n");
    }
  if (is_open)
    html_end_section (self);
}

static void
share_room (HtmlPage *self)
{
  gsize taken = self->json_length + self->body->len + METRICS_BYTES + SCRIPTS_BYTES + LATER_BYTES;
  gsize left = PAGE_BYTES > taken ? PAGE_BYTES - taken : 0;

  self->data_left = left / 3;
  self->charts_left = left - self->data_left;
}

void
html_put_metrics (HtmlPage *self)
{
  g_autoptr (GPtrArray) groups = divide (self);

  html_begin_part (self, METRICS_BYTES);
  share_room (self);
  html_find_charts (self);
  for (guint i = 0; i < groups->len;)
    {
      const Group *group = g_ptr_array_index (groups, i);

      if (is_empty (self, group) || self->body->len > self->limit - LEAST_GROUP_BYTES)
        {
          i++;
          continue;
        }
      put_group (self, group);
      g_ptr_array_remove_index (groups, i);
    }
  put_other_charts (self);
  put_empty_groups (self, groups);
}
