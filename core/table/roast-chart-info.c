/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-chart-info-private.h"

#include "base/roast-type-private.h"

/**
 * RoastChartInfo:
 *
 * A chart of the rows of a table, declared by a [class@Roast.Schema]. Immutable.
 *
 * Since: 0.9
 */
struct _RoastChartInfo
{
  GObject parent_instance;

  char *text; /* memory that contains the strings of the members below */
  const char *declared_by;
  const char *name;
  RoastChartDeclaration declaration;
};

ROAST_DEFINE_TYPE (RoastChartInfo, roast_chart_info)
ROAST_DEFINE_NO_INIT (RoastChartInfo, roast_chart_info)

static void
roast_chart_info_release (RoastChartInfo *self)
{
  roast_chart_declaration_clear (&self->declaration);
  g_atomic_rc_box_release (self->text);
}

RoastChartInfo *
roast_chart_info_new (char *text, const char *declared_by, const char *name, const char *const *values, GError **error)
{
  g_autoptr (RoastChartInfo) self = g_object_new (ROAST_TYPE_CHART_INFO, NULL);

  self->text = g_atomic_rc_box_acquire (text);
  self->declared_by = declared_by;
  self->name = name;
  if (!roast_chart_declaration_read (&self->declaration, name, values, error))
    return NULL;
  if (self->declaration.values[ROAST_CHART_HEADING] == NULL)
    self->declaration.values[ROAST_CHART_HEADING] = "Other";

  return g_steal_pointer (&self);
}

ROAST_DEFINE_GETTER (ChartInfo, CHART_INFO, const RoastChartDeclaration *, roast_chart_info_get_declaration, NULL,
                     &self->declaration)

/**
 * roast_chart_info_get_name:
 * @self: a chart
 *
 * Gets the machine-readable name of the chart.
 *
 * Returns: (transfer none): the name
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (ChartInfo, CHART_INFO, const char *, roast_chart_info_get_name, NULL, self->name)

/**
 * roast_chart_info_get_title:
 * @self: a chart
 *
 * Gets the human-readable title of the chart.
 *
 * Returns: (transfer none): one line
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (ChartInfo, CHART_INFO, const char *, roast_chart_info_get_title, NULL,
                     self->declaration.values[ROAST_CHART_TITLE])

/**
 * roast_chart_info_get_description:
 * @self: a chart
 *
 * Gets the description of the chart: what it shows, and how to read it.
 *
 * Returns: (transfer none): a description of one line
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (ChartInfo, CHART_INFO, const char *, roast_chart_info_get_description, NULL,
                     self->declaration.values[ROAST_CHART_DESCRIPTION])

/**
 * roast_chart_info_get_table:
 * @self: a chart
 *
 * Gets the table whose rows the chart draws.
 *
 * Returns: (transfer none): the name of the table
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (ChartInfo, CHART_INFO, const char *, roast_chart_info_get_table, NULL,
                     self->declaration.values[ROAST_CHART_TABLE])

/**
 * roast_chart_info_get_kind:
 * @self: a chart
 *
 * Gets the kind of the chart.
 *
 * Returns: the kind
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (ChartInfo, CHART_INFO, RoastChartKind, roast_chart_info_get_kind, ROAST_CHART_KIND_LINE,
                     self->declaration.kind)

/**
 * roast_chart_info_get_text:
 * @self: a chart
 * @key: a key of the declaration, such as `X`, `Group` or `Where`
 *
 * Gets the value of a key in the schema.
 *
 * Returns: (transfer none) (nullable): the value; %NULL if the chart does not have the key
 *
 * Since: 0.9
 */
const char *
roast_chart_info_get_text (RoastChartInfo *self, const char *key)
{
  g_return_val_if_fail (ROAST_IS_CHART_INFO (self), NULL);
  g_return_val_if_fail (key != NULL, NULL);

  for (guint i = 0; i < ROAST_CHART_N_KEYS; i++)
    if (g_str_equal (roast_chart_info_keys[i], key))
      return self->declaration.values[i];

  return NULL;
}

/**
 * roast_chart_info_get_y:
 * @self: a chart
 *
 * Gets the columns along y, in drawing order. Each element is a column or the difference of two columns, such as
 * `ended-started`; the difference of two times is in seconds.
 *
 * Returns: (transfer none) (array zero-terminated=1): the columns, at most four; none for histograms and lanes
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (ChartInfo, CHART_INFO, const char *const *, roast_chart_info_get_y, NULL,
                     (const char *const *) self->declaration.y)

/**
 * roast_chart_info_get_heading:
 * @self: a chart
 *
 * Gets the heading of the group of metrics with which the chart is shown.
 *
 * Returns: (transfer none): the heading
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (ChartInfo, CHART_INFO, const char *, roast_chart_info_get_heading, NULL,
                     self->declaration.values[ROAST_CHART_HEADING])

/**
 * roast_chart_info_get_show_detail:
 * @self: a chart
 *
 * Checks whether the chart is shown only in views that show all charts.
 *
 * Returns: %TRUE if the schema declares the chart with `Show=detail`
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (ChartInfo, CHART_INFO, gboolean, roast_chart_info_get_show_detail, FALSE,
                     self->declaration.show_detail)

/**
 * roast_chart_info_get_declared_by:
 * @self: a chart
 *
 * Gets the origin of the text that declares the chart, as passed to [method@Roast.Schema.load_data].
 *
 * Returns: (transfer none): the origin, such as the path of a plugin's schema
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (ChartInfo, CHART_INFO, const char *, roast_chart_info_get_declared_by, NULL, self->declared_by)
