/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-chart-info-private.h"

/**
 * RoastChartInfo:
 *
 * A chart of the rows of a table, as a [class@Roast.Schema] declares it. Immutable.
 *
 * Since: 0.9
 */
struct _RoastChartInfo
{
  GObject parent_instance;

  char *text; /* what the strings are parts of */
  const char *declared_by;
  const char *name;
  RoastChartDeclaration declaration;
};

G_DEFINE_FINAL_TYPE (RoastChartInfo, roast_chart_info, G_TYPE_OBJECT)

static void
roast_chart_info_finalize (GObject *object)
{
  RoastChartInfo *self = ROAST_CHART_INFO (object);

  roast_chart_declaration_clear (&self->declaration);
  g_atomic_rc_box_release (self->text);

  G_OBJECT_CLASS (roast_chart_info_parent_class)->finalize (object);
}

static void
roast_chart_info_class_init (RoastChartInfoClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_chart_info_finalize;
}

static void
roast_chart_info_init (RoastChartInfo *self)
{
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

const RoastChartWhere *
roast_chart_info_get_late (RoastChartInfo *self)
{
  return self->declaration.late.column != NULL ? &self->declaration.late : NULL;
}

const RoastChartWhere *
roast_chart_info_get_where (RoastChartInfo *self, guint *n_where)
{
  *n_where = self->declaration.n_where;

  return self->declaration.where;
}

const char *const *
roast_chart_info_get_all_x (RoastChartInfo *self)
{
  return (const char *const *) self->declaration.x;
}

const RoastChartGuide *
roast_chart_info_get_guides (RoastChartInfo *self, guint *n_guides)
{
  *n_guides = self->declaration.n_guides;

  return self->declaration.guides;
}

/**
 * roast_chart_info_get_name:
 * @self: a chart
 *
 * Gets the name of the chart for programs.
 *
 * Returns: (transfer none): its name
 *
 * Since: 0.9
 */
const char *
roast_chart_info_get_name (RoastChartInfo *self)
{
  g_return_val_if_fail (ROAST_IS_CHART_INFO (self), NULL);

  return self->name;
}

/**
 * roast_chart_info_get_title:
 * @self: a chart
 *
 * Gets the title of the chart, for a person.
 *
 * Returns: (transfer none): one line
 *
 * Since: 0.9
 */
const char *
roast_chart_info_get_title (RoastChartInfo *self)
{
  g_return_val_if_fail (ROAST_IS_CHART_INFO (self), NULL);

  return self->declaration.values[ROAST_CHART_TITLE];
}

/**
 * roast_chart_info_get_description:
 * @self: a chart
 *
 * Gets what the chart shows and how to read it.
 *
 * Returns: (transfer none): one line
 *
 * Since: 0.9
 */
const char *
roast_chart_info_get_description (RoastChartInfo *self)
{
  g_return_val_if_fail (ROAST_IS_CHART_INFO (self), NULL);

  return self->declaration.values[ROAST_CHART_DESCRIPTION];
}

/**
 * roast_chart_info_get_table:
 * @self: a chart
 *
 * Gets the table whose rows the chart draws.
 *
 * Returns: (transfer none): its name
 *
 * Since: 0.9
 */
const char *
roast_chart_info_get_table (RoastChartInfo *self)
{
  g_return_val_if_fail (ROAST_IS_CHART_INFO (self), NULL);

  return self->declaration.values[ROAST_CHART_TABLE];
}

/**
 * roast_chart_info_get_kind:
 * @self: a chart
 *
 * Gets what the chart draws.
 *
 * Returns: its kind
 *
 * Since: 0.9
 */
RoastChartKind
roast_chart_info_get_kind (RoastChartInfo *self)
{
  g_return_val_if_fail (ROAST_IS_CHART_INFO (self), ROAST_CHART_KIND_LINE);

  return self->declaration.kind;
}

/**
 * roast_chart_info_get_x:
 * @self: a chart
 *
 * Gets the column along x: the one that a histogram counts, that names each bar, or in which lanes start. It may be the
 * difference of two, as in `ended-started`; that of two times is in seconds. Bars may be named by two columns, as in
 * `source;stretch`.
 *
 * Returns: (transfer none): its name
 *
 * Since: 0.9
 */
const char *
roast_chart_info_get_x (RoastChartInfo *self)
{
  g_return_val_if_fail (ROAST_IS_CHART_INFO (self), NULL);

  return self->declaration.values[ROAST_CHART_X];
}

/**
 * roast_chart_info_get_end:
 * @self: a chart
 *
 * Gets the column of the ends of stretches.
 *
 * Returns: (transfer none) (nullable): its name; %NULL unless the chart has lanes
 *
 * Since: 0.9
 */
const char *
roast_chart_info_get_end (RoastChartInfo *self)
{
  g_return_val_if_fail (ROAST_IS_CHART_INFO (self), NULL);

  return self->declaration.values[ROAST_CHART_END];
}

/**
 * roast_chart_info_get_y:
 * @self: a chart
 *
 * Gets the columns along y, in the order in which they are drawn. Each may be the difference of two, as in
 * `ended-started`; that of two times is in seconds.
 *
 * Returns: (transfer none) (array zero-terminated=1): their names, at most four; none for histograms and lanes
 *
 * Since: 0.9
 */
const char *const *
roast_chart_info_get_y (RoastChartInfo *self)
{
  g_return_val_if_fail (ROAST_IS_CHART_INFO (self), NULL);

  return (const char *const *) self->declaration.y;
}

/**
 * roast_chart_info_get_y2:
 * @self: a chart
 *
 * Gets the column on the axis at the right.
 *
 * Returns: (transfer none) (nullable): its name; %NULL if there is none
 *
 * Since: 0.9
 */
const char *
roast_chart_info_get_y2 (RoastChartInfo *self)
{
  g_return_val_if_fail (ROAST_IS_CHART_INFO (self), NULL);

  return self->declaration.values[ROAST_CHART_Y2];
}

/**
 * roast_chart_info_get_group:
 * @self: a chart
 *
 * Gets the column whose values are series of lines, colours of points and lanes, or parts of bars.
 *
 * Returns: (transfer none) (nullable): its name; %NULL if there is none
 *
 * Since: 0.9
 */
const char *
roast_chart_info_get_group (RoastChartInfo *self)
{
  g_return_val_if_fail (ROAST_IS_CHART_INFO (self), NULL);

  return self->declaration.values[ROAST_CHART_GROUP];
}

/**
 * roast_chart_info_get_lane:
 * @self: a chart
 *
 * Gets the column that names the lanes. Stretches of one lane that overlap are drawn in several rows.
 *
 * Returns: (transfer none) (nullable): its name; %NULL unless the chart has lanes
 *
 * Since: 0.9
 */
const char *
roast_chart_info_get_lane (RoastChartInfo *self)
{
  g_return_val_if_fail (ROAST_IS_CHART_INFO (self), NULL);

  return self->declaration.values[ROAST_CHART_LANE];
}

/**
 * roast_chart_info_get_count:
 * @self: a chart
 *
 * Gets the column with the number of things that a row stands for, if it may be more than one.
 *
 * Returns: (transfer none) (nullable): its name; %NULL if each row is one
 *
 * Since: 0.9
 */
const char *
roast_chart_info_get_count (RoastChartInfo *self)
{
  g_return_val_if_fail (ROAST_IS_CHART_INFO (self), NULL);

  return self->declaration.values[ROAST_CHART_COUNT];
}

/**
 * roast_chart_info_get_late_text:
 * @self: a chart
 *
 * Gets which stretches in lanes ended up to one sampling interval before their end was noticed, as the schema declares
 * it.
 *
 * Returns: (transfer none) (nullable): `COLUMN=WORD|WORD`; %NULL if all ends are exact
 *
 * Since: 0.9
 */
const char *
roast_chart_info_get_late_text (RoastChartInfo *self)
{
  g_return_val_if_fail (ROAST_IS_CHART_INFO (self), NULL);

  return self->declaration.values[ROAST_CHART_LATE];
}

/**
 * roast_chart_info_get_missing:
 * @self: a chart
 *
 * Gets what rows are called in which the column of the group is missing.
 *
 * Returns: (transfer none) (nullable): one or several words; %NULL if the name of the column says it, as in `no worker`
 *
 * Since: 0.9
 */
const char *
roast_chart_info_get_missing (RoastChartInfo *self)
{
  g_return_val_if_fail (ROAST_IS_CHART_INFO (self), NULL);

  return self->declaration.values[ROAST_CHART_MISSING];
}

/**
 * roast_chart_info_get_combine:
 * @self: a chart
 *
 * Gets how rows become points.
 *
 * Returns: how they are combined
 *
 * Since: 0.9
 */
RoastChartCombine
roast_chart_info_get_combine (RoastChartInfo *self)
{
  g_return_val_if_fail (ROAST_IS_CHART_INFO (self), ROAST_CHART_COMBINE_ROWS);

  return self->declaration.combine;
}

/**
 * roast_chart_info_get_per:
 * @self: a chart
 *
 * Gets the column by which y is divided: the chart shows percent then.
 *
 * Returns: (transfer none) (nullable): its name; %NULL if y is shown as it is
 *
 * Since: 0.9
 */
const char *
roast_chart_info_get_per (RoastChartInfo *self)
{
  g_return_val_if_fail (ROAST_IS_CHART_INFO (self), NULL);

  return self->declaration.values[ROAST_CHART_PER];
}

/**
 * roast_chart_info_get_log_scale:
 * @self: a chart
 *
 * Returns whether y, or the count of a histogram, has a logarithmic scale.
 *
 * Returns: %TRUE if the schema declares it with `Scale=log`
 *
 * Since: 0.9
 */
gboolean
roast_chart_info_get_log_scale (RoastChartInfo *self)
{
  g_return_val_if_fail (ROAST_IS_CHART_INFO (self), FALSE);

  return self->declaration.log_scale;
}

/**
 * roast_chart_info_get_share_scale:
 * @self: a chart
 *
 * Returns whether the parts of each bar are shown in percent of the whole bar.
 *
 * Returns: %TRUE if the schema declares it with `Scale=share`
 *
 * Since: 0.9
 */
gboolean
roast_chart_info_get_share_scale (RoastChartInfo *self)
{
  g_return_val_if_fail (ROAST_IS_CHART_INFO (self), FALSE);

  return self->declaration.share_scale;
}

/**
 * roast_chart_info_get_where_text:
 * @self: a chart
 *
 * Gets which rows the chart draws, as the schema declares it.
 *
 * Returns: (transfer none) (nullable): `COLUMN=WORD|WORD; COLUMN=WORD`, where an empty word stands for a missing cell;
 * %NULL if it draws all
 *
 * Since: 0.9
 */
const char *
roast_chart_info_get_where_text (RoastChartInfo *self)
{
  g_return_val_if_fail (ROAST_IS_CHART_INFO (self), NULL);

  return self->declaration.values[ROAST_CHART_WHERE];
}

/**
 * roast_chart_info_get_guides_text:
 * @self: a chart
 *
 * Gets what the chart shows for comparison, as the schema declares it.
 *
 * Returns: (transfer none) (nullable): lines across, of other columns, of rates, or at the mean and median; %NULL if
 * there are none
 *
 * Since: 0.9
 */
const char *
roast_chart_info_get_guides_text (RoastChartInfo *self)
{
  g_return_val_if_fail (ROAST_IS_CHART_INFO (self), NULL);

  return self->declaration.values[ROAST_CHART_GUIDES];
}

/**
 * roast_chart_info_get_fit:
 * @self: a chart
 *
 * Returns whether the chart shows the straight line that fits its points best: the one with the least squares of
 * vertical distances.
 *
 * Returns: %TRUE if the schema declares it with `Fit=linear`
 *
 * Since: 0.9
 */
gboolean
roast_chart_info_get_fit (RoastChartInfo *self)
{
  g_return_val_if_fail (ROAST_IS_CHART_INFO (self), FALSE);

  return self->declaration.fit;
}

/**
 * roast_chart_info_get_top:
 * @self: a chart
 *
 * Gets how many series, bars or lanes the chart shows: the largest ones.
 *
 * Returns: the number; 0 for all that there is room for
 *
 * Since: 0.9
 */
guint
roast_chart_info_get_top (RoastChartInfo *self)
{
  g_return_val_if_fail (ROAST_IS_CHART_INFO (self), 0);

  return self->declaration.top;
}

/**
 * roast_chart_info_get_heading:
 * @self: a chart
 *
 * Gets the heading under which the chart stands, with the metrics of that group.
 *
 * Returns: (transfer none): the heading
 *
 * Since: 0.9
 */
const char *
roast_chart_info_get_heading (RoastChartInfo *self)
{
  g_return_val_if_fail (ROAST_IS_CHART_INFO (self), NULL);

  return self->declaration.values[ROAST_CHART_HEADING];
}

/**
 * roast_chart_info_get_needs:
 * @self: a chart
 *
 * Gets from how many rows on the chart is worth showing. Rows that it does not draw do not count.
 *
 * Returns: the number
 *
 * Since: 0.9
 */
guint
roast_chart_info_get_needs (RoastChartInfo *self)
{
  g_return_val_if_fail (ROAST_IS_CHART_INFO (self), 0);

  return self->declaration.needs;
}

/**
 * roast_chart_info_get_show_detail:
 * @self: a chart
 *
 * Returns whether the chart is shown only where everything is.
 *
 * Returns: %TRUE if the schema declares it with `Show=detail`
 *
 * Since: 0.9
 */
gboolean
roast_chart_info_get_show_detail (RoastChartInfo *self)
{
  g_return_val_if_fail (ROAST_IS_CHART_INFO (self), FALSE);

  return self->declaration.show_detail;
}

/**
 * roast_chart_info_get_declared_by:
 * @self: a chart
 *
 * Gets the origin of the chart, as [method@Roast.Schema.load_data] got it.
 *
 * Returns: (transfer none): such as the path of the plugin's schema
 *
 * Since: 0.9
 */
const char *
roast_chart_info_get_declared_by (RoastChartInfo *self)
{
  g_return_val_if_fail (ROAST_IS_CHART_INFO (self), NULL);

  return self->declared_by;
}
