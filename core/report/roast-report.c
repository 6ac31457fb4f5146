/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast/roast-report.h"

/**
 * RoastReport:
 *
 * What follows from a recording: metrics in the order of the catalogue, derived tables, and notes.
 *
 * Since: 0.9
 */
struct _RoastReport
{
  GObject parent_instance;

  RoastCatalogue *catalogue;
  GPtrArray *metrics; /* in the order of their coming */
  GHashTable *names;  /* to an element of metrics */
  GPtrArray *tables;
  GPtrArray *notes;
};

G_DEFINE_FINAL_TYPE (RoastReport, roast_report, G_TYPE_OBJECT)

static void
roast_report_finalize (GObject *object)
{
  RoastReport *self = ROAST_REPORT (object);

  g_clear_object (&self->catalogue);
  g_hash_table_unref (self->names);
  g_ptr_array_unref (self->metrics);
  g_ptr_array_unref (self->tables);
  g_ptr_array_unref (self->notes);

  G_OBJECT_CLASS (roast_report_parent_class)->finalize (object);
}

static void
roast_report_class_init (RoastReportClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_report_finalize;
}

static void
roast_report_init (RoastReport *self)
{
  self->metrics = g_ptr_array_new_with_free_func (g_object_unref);
  self->names = g_hash_table_new (g_str_hash, g_str_equal);
  self->tables = g_ptr_array_new_with_free_func (g_object_unref);
  self->notes = g_ptr_array_new_with_free_func (g_free);
}

/**
 * roast_report_new:
 * @catalogue: what metrics mean
 *
 * Makes a report of nothing.
 *
 * Returns: (transfer full): an empty report
 *
 * Since: 0.9
 */
RoastReport *
roast_report_new (RoastCatalogue *catalogue)
{
  RoastReport *self = NULL;

  g_return_val_if_fail (ROAST_IS_CATALOGUE (catalogue), NULL);

  self = g_object_new (ROAST_TYPE_REPORT, NULL);
  self->catalogue = g_object_ref (catalogue);

  return self;
}

/**
 * roast_report_get_catalogue:
 * @self: a report
 *
 * Gives the catalogue that the report was made with.
 *
 * Returns: (transfer none): what its metrics mean
 *
 * Since: 0.9
 */
RoastCatalogue *
roast_report_get_catalogue (RoastReport *self)
{
  g_return_val_if_fail (ROAST_IS_REPORT (self), NULL);

  return self->catalogue;
}

/**
 * roast_report_add_metric:
 * @self: a report
 * @metric: (transfer none): a metric
 *
 * Adds a metric. If there is one of that name already the first stays, unless it is not available: so whoever measured
 * it better must come first.
 *
 * Since: 0.9
 */
void
roast_report_add_metric (RoastReport *self, RoastMetric *metric)
{
  RoastMetric *before = NULL;
  guint index = 0;

  g_return_if_fail (ROAST_IS_REPORT (self));
  g_return_if_fail (ROAST_IS_METRIC (metric));

  before = g_hash_table_lookup (self->names, roast_metric_get_name (metric));
  if (before != NULL && (roast_metric_is_available (before) || !roast_metric_is_available (metric)))
    return;
  if (before != NULL && g_ptr_array_find (self->metrics, before, &index))
    {
      g_hash_table_remove (self->names, roast_metric_get_name (before));
      g_ptr_array_remove_index (self->metrics, index);
    }
  g_ptr_array_add (self->metrics, g_object_ref (metric));
  g_hash_table_insert (self->names, (char *) roast_metric_get_name (metric), metric);
}

static RoastMetric *
find (RoastReport *self, const char *name, double *scale)
{
  RoastMetric *metric = g_hash_table_lookup (self->names, name);
  RoastMetricInfo *info = NULL;

  *scale = 1.0;
  if (metric != NULL)
    return metric;
  info = roast_catalogue_lookup (self->catalogue, name, scale);

  return info != NULL ? g_hash_table_lookup (self->names, roast_metric_info_get_name (info)) : NULL;
}

/**
 * roast_report_lookup:
 * @self: a report
 * @name: name of a metric, or an older one
 *
 * Finds a metric by its name or an older one.
 *
 * Returns: (transfer none) (nullable): the metric; %NULL if nobody computed it. If an older name had another unit, the
 * value is in the unit of today: [method@Roast.Report.get_double] converts.
 *
 * Since: 0.9
 */
RoastMetric *
roast_report_lookup (RoastReport *self, const char *name)
{
  double scale;

  g_return_val_if_fail (ROAST_IS_REPORT (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return find (self, name, &scale);
}

/**
 * roast_report_get_double:
 * @self: a report
 * @name: name of a metric, or an older one
 * @value: (out) (optional): its value, in the unit that the name stands for
 *
 * Looks a number up, by its name or an older one; the value is in the unit of the name that was asked for.
 *
 * Returns: whether it has a value that is a number
 *
 * Since: 0.9
 */
gboolean
roast_report_get_double (RoastReport *self, const char *name, double *value)
{
  RoastMetric *metric = NULL;
  double scale;
  GVariant *held = NULL;

  g_return_val_if_fail (ROAST_IS_REPORT (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);

  metric = find (self, name, &scale);
  held = metric != NULL ? roast_metric_get_value (metric) : NULL;
  if (held == NULL || g_variant_is_of_type (held, G_VARIANT_TYPE_STRING))
    return FALSE;
  if (value != NULL)
    *value = roast_metric_get_double (metric) * scale;

  return TRUE;
}

/**
 * roast_report_list_metrics:
 * @self: a report
 *
 * Lists the metrics as a person reads them.
 *
 * Returns: (transfer container) (element-type RoastMetric): the metrics in the order of the catalogue, then those that
 * it does not know
 *
 * Since: 0.9
 */
GPtrArray *
roast_report_list_metrics (RoastReport *self)
{
  g_autoptr (GPtrArray) entries = NULL;
  GPtrArray *list = NULL;

  g_return_val_if_fail (ROAST_IS_REPORT (self), NULL);

  list = g_ptr_array_new_with_free_func (g_object_unref);
  entries = roast_catalogue_list (self->catalogue);
  for (guint i = 0; i < entries->len; i++)
    {
      const char *name = roast_metric_info_get_name (g_ptr_array_index (entries, i));
      RoastMetric *metric = g_hash_table_lookup (self->names, name);

      if (metric != NULL)
        g_ptr_array_add (list, g_object_ref (metric));
    }
  for (guint i = 0; i < self->metrics->len; i++)
    {
      RoastMetric *metric = g_ptr_array_index (self->metrics, i);
      RoastMetricInfo *info = roast_catalogue_lookup (self->catalogue, roast_metric_get_name (metric), NULL);

      if (info == NULL || !g_str_equal (roast_metric_info_get_name (info), roast_metric_get_name (metric)))
        g_ptr_array_add (list, g_object_ref (metric));
    }

  return list;
}

/**
 * roast_report_add_table:
 * @self: a report
 * @table: (transfer none): a derived table
 *
 * Adds a table that follows from what was recorded. One of the same name is replaced.
 *
 * Since: 0.9
 */
void
roast_report_add_table (RoastReport *self, RoastTable *table)
{
  RoastTable *before = NULL;

  g_return_if_fail (ROAST_IS_REPORT (self));
  g_return_if_fail (ROAST_IS_TABLE (table));

  before = roast_report_get_table (self, roast_table_get_name (table));
  if (before == table)
    return;
  if (before != NULL)
    g_ptr_array_remove (self->tables, before);
  g_ptr_array_add (self->tables, g_object_ref (table));
}

/**
 * roast_report_get_table:
 * @self: a report
 * @name: name of a derived table
 *
 * Finds a derived table.
 *
 * Returns: (transfer none) (nullable): the table
 *
 * Since: 0.9
 */
RoastTable *
roast_report_get_table (RoastReport *self, const char *name)
{
  g_return_val_if_fail (ROAST_IS_REPORT (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  for (guint i = 0; i < self->tables->len; i++)
    {
      if (g_str_equal (roast_table_get_name (g_ptr_array_index (self->tables, i)), name))
        return g_ptr_array_index (self->tables, i);
    }

  return NULL;
}

/**
 * roast_report_list_tables:
 * @self: a report
 *
 * Lists the tables that aggregators derived.
 *
 * Returns: (transfer container) (element-type RoastTable): the derived tables
 *
 * Since: 0.9
 */
GPtrArray *
roast_report_list_tables (RoastReport *self)
{
  GPtrArray *list = NULL;

  g_return_val_if_fail (ROAST_IS_REPORT (self), NULL);

  list = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < self->tables->len; i++)
    g_ptr_array_add (list, g_object_ref (g_ptr_array_index (self->tables, i)));

  return list;
}

/**
 * roast_report_add_note:
 * @self: a report
 * @note: what a reader of all numbers must know
 *
 * Adds a note, unless the same is there.
 *
 * Since: 0.9
 */
void
roast_report_add_note (RoastReport *self, const char *note)
{
  g_return_if_fail (ROAST_IS_REPORT (self));
  g_return_if_fail (note != NULL);

  if (!g_ptr_array_find_with_equal_func (self->notes, note, g_str_equal, NULL))
    g_ptr_array_add (self->notes, g_utf8_make_valid (note, -1));
}

/**
 * roast_report_dup_notes:
 * @self: a report
 *
 * Gives what was noted about the report as a whole.
 *
 * Returns: (transfer full): the notes
 *
 * Since: 0.9
 */
char **
roast_report_dup_notes (RoastReport *self)
{
  char **notes = NULL;

  g_return_val_if_fail (ROAST_IS_REPORT (self), NULL);

  notes = g_new0 (char *, self->notes->len + 1);
  for (guint i = 0; i < self->notes->len; i++)
    notes[i] = g_strdup (g_ptr_array_index (self->notes, i));

  return notes;
}
