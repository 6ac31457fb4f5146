/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast/roast-report.h"

#include <math.h>

#include "base/roast-fail-private.h"
#include "base/roast-type-private.h"
#include "report/roast-report-private.h"
#include "roast/roast-error.h"
#include "roast/roast-tables.h"
#include "table/roast-schema-private.h"
#include "table/roast-table-private.h"
#include "table/roast-table-reader-private.h"
#include "table/roast-table-writer-private.h"

/**
 * RoastReport:
 *
 * The results of a recording: metrics in the order of the schema, findings, derived tables, and notes.
 *
 * Since: 0.9
 */
ROAST_DEFINE_TYPE (RoastReport, roast_report)

static void
roast_report_release (RoastReport *self)
{
  g_clear_object (&self->schema);
  g_hash_table_unref (self->names);
  g_ptr_array_unref (self->metrics);
  g_ptr_array_unref (self->tables);
  g_ptr_array_unref (self->notes);
  g_free (self->plugin);
  g_hash_table_unref (self->agreements);
  g_ptr_array_unref (self->findings);
  g_hash_table_unref (self->finders);
  g_ptr_array_unref (self->rules);
  g_clear_object (&self->recording);
  g_free (self->inherited);
  g_ptr_array_unref (self->written);
  g_hash_table_unref (self->doubtful_metrics);
  g_hash_table_unref (self->doubtful_tables);
  g_hash_table_unref (self->vague_tables);
  g_clear_object (&self->coverage);
  g_hash_table_unref (self->covered);
  g_hash_table_unref (self->covered_subjects);
}

static void
roast_report_init (RoastReport *self)
{
  self->metrics = g_ptr_array_new_with_free_func (g_object_unref);
  self->names = g_hash_table_new (g_str_hash, g_str_equal);
  self->schema = g_object_ref (roast_schema_get_core ());
  self->tables = g_ptr_array_new_with_free_func (g_object_unref);
  self->notes = g_ptr_array_new_with_free_func (g_free);
  self->agreements = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->findings = g_ptr_array_new_with_free_func (g_object_unref);
  self->finders = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->rules = g_ptr_array_new_with_free_func (roast_report_rule_free);
  self->written = g_ptr_array_new_with_free_func (g_object_unref);
  self->doubtful_metrics = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->doubtful_tables = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->vague_tables = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->covered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->covered_subjects = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

/**
 * roast_report_new:
 * @schema: schema of the metrics and derived tables
 *
 * Makes an empty report.
 *
 * Returns: (transfer full): an empty report
 *
 * Since: 0.9
 */
RoastReport *
roast_report_new (RoastSchema *schema)
{
  RoastReport *self = NULL;

  g_return_val_if_fail (ROAST_IS_SCHEMA (schema), NULL);

  self = g_object_new (ROAST_TYPE_REPORT, NULL);
  g_set_object (&self->schema, schema);

  return self;
}

/**
 * roast_report_get_schema:
 * @self: a report
 *
 * Gets the schema of the metrics and derived tables of the report.
 *
 * Returns: (transfer none): the schema
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Report, REPORT, RoastSchema *, roast_report_get_schema, NULL, self->schema)

/**
 * roast_report_add_metric:
 * @self: a report
 * @metric: (transfer none): a metric
 *
 * Adds a metric. If the report already has an available metric with this name, the new metric is ignored. Therefore add
 * the metric from the most accurate source first.
 *
 * If the aggregator has read a table with missing rows, the report gets a copy of the metric. The copy is marked as a
 * lower bound if the schema declares the metric with `Rows=lower-bound`, otherwise as an estimate. If the schema
 * declares the metric with `Rows=no`, the report gets the metric unchanged.
 *
 * Since: 0.9
 */
void
roast_report_add_metric (RoastReport *self, RoastMetric *metric)
{
  RoastMetric *before = NULL;
  RoastMetric *added = NULL;
  const char *name = NULL;
  guint index = 0;

  g_return_if_fail (ROAST_IS_REPORT (self));
  g_return_if_fail (ROAST_IS_METRIC (metric));

  name = roast_metric_get_name (metric);
  before = g_hash_table_lookup (self->names, name);
  if (before != NULL && (roast_metric_is_available (before) || !roast_metric_is_available (metric)))
    return;
  if (before != NULL && g_ptr_array_find (self->metrics, before, &index))
    {
      g_hash_table_remove (self->names, roast_metric_get_name (before));
      g_ptr_array_remove_index (self->metrics, index);
    }
  added = roast_report_qualify (self, metric, roast_schema_lookup_metric (self->schema, name, NULL));
  g_ptr_array_add (self->metrics, added);
  g_hash_table_insert (self->names, (char *) roast_metric_get_name (added), added);
}

/* Replace the metric at @index by @metric, which has the same name, and take ownership of @metric. Remove the name from
 * the hash table names first, because the old metric owns the name. */
static void
report_replace (RoastReport *self, guint index, RoastMetric *metric)
{
  RoastMetric *before = g_ptr_array_index (self->metrics, index);

  g_hash_table_remove (self->names, roast_metric_get_name (before));
  g_object_unref (before);
  g_ptr_array_index (self->metrics, index) = metric;
  g_hash_table_insert (self->names, (char *) roast_metric_get_name (metric), metric);
}

void
roast_report_replace_reason (RoastReport *self, const char *name, const char *reason)
{
  RoastMetric *before = g_hash_table_lookup (self->names, name);
  guint index = 0;

  if (before == NULL || roast_metric_is_available (before) || !g_ptr_array_find (self->metrics, before, &index))
    return;
  report_replace (self, index, roast_metric_new_unavailable (name, reason));
}

void
roast_report_contradict (RoastReport *self, const char *name, const char *difference)
{
  RoastMetric *metric = g_hash_table_lookup (self->names, name);
  g_autofree char *note = NULL;
  guint index = 0;

  if (metric == NULL || !roast_metric_is_available (metric) || !g_ptr_array_find (self->metrics, metric, &index))
    return;
  note = g_strconcat ("contradictory: ", difference, metric->note != NULL ? "; " : NULL, metric->note, NULL);
  /* Change a copy, because the aggregator may still hold the original. */
  metric = roast_metric_copy (metric);
  roast_metric_set_completeness (metric, metric->completeness, note);
  g_free (metric->contradiction);
  metric->contradiction = g_strdup (difference);
  report_replace (self, index, metric);
}

/* Note that the current aggregator reads a metric, so that the results of the aggregator inherit the doubt of the
 * metric. */
static void
report_read (RoastReport *self, RoastMetric *metric)
{
  roast_report_inherit_doubt (self, g_hash_table_lookup (self->doubtful_metrics, roast_metric_get_name (metric)));
}

static RoastMetric *
report_find (RoastReport *self, const char *name, double *scale)
{
  RoastMetric *metric = g_hash_table_lookup (self->names, name);
  RoastMetricInfo *info = NULL;

  *scale = 1.0;
  if (metric == NULL)
    {
      info = roast_schema_lookup_metric (self->schema, name, scale);
      metric = info != NULL ? g_hash_table_lookup (self->names, roast_metric_info_get_name (info)) : NULL;
    }
  if (metric != NULL)
    report_read (self, metric);

  return metric;
}

/**
 * roast_report_lookup:
 * @self: a report
 * @name: name of a metric, or one of its older names
 *
 * Looks up a metric by its name or an older name.
 *
 * Returns: (transfer none) (nullable): the metric; %NULL if no aggregator computed it. The value is in the current
 * unit, even if the older name had a different unit; [method@Roast.Report.get_double] converts the value to the unit of
 * the older name.
 *
 * Since: 0.9
 */
RoastMetric *
roast_report_lookup (RoastReport *self, const char *name)
{
  double scale;

  g_return_val_if_fail (ROAST_IS_REPORT (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return report_find (self, name, &scale);
}

/**
 * roast_report_get_double:
 * @self: a report
 * @name: name of a metric, or one of its older names
 * @value: (out) (optional): the value, in the unit of @name
 *
 * Looks up a number by the name of a metric or an older name. The value is converted to the unit of @name.
 *
 * Returns: whether the metric has a value that is a number
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

  metric = report_find (self, name, &scale);
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
 * Lists the metrics in the order for human-readable reports.
 *
 * Returns: (transfer container) (element-type RoastMetric): the metrics in the order of the schema, then undeclared
 * metrics
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
  for (guint i = 0; i < self->metrics->len; i++)
    report_read (self, g_ptr_array_index (self->metrics, i));
  entries = roast_schema_list_metrics (self->schema);
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
      RoastMetricInfo *info = roast_schema_lookup_metric (self->schema, roast_metric_get_name (metric), NULL);

      if (info == NULL || !g_str_equal (roast_metric_info_get_name (info), roast_metric_get_name (metric)))
        g_ptr_array_add (list, g_object_ref (metric));
    }

  return list;
}

/* Add a metric and take ownership of the metric. */
static void
report_take (RoastReport *self, RoastMetric *metric)
{
  roast_report_add_metric (self, metric);
  g_object_unref (metric);
}

/**
 * roast_report_add_double:
 * @self: a report
 * @name: name of a metric
 * @value: the value, in the unit that the schema declares
 * @completeness: completeness of the value
 * @note: (nullable): what is missing, or how the value was estimated
 *
 * Adds a metric that is a real number.
 *
 * Since: 0.9
 */
void
roast_report_add_double (RoastReport *self, const char *name, double value, RoastCompleteness completeness,
                         const char *note)
{
  g_return_if_fail (ROAST_IS_REPORT (self));
  g_return_if_fail (name != NULL);

  if (isfinite (value))
    report_take (self, roast_metric_new (name, g_variant_new_double (value), completeness, note));
  else
    roast_report_add_unavailable (self, name, "the computed value is not a finite number");
}

/**
 * roast_report_add_int64:
 * @self: a report
 * @name: name of a metric
 * @value: the value, in the unit that the schema declares
 * @completeness: completeness of the value
 * @note: (nullable): what is missing, or how the value was estimated
 *
 * Adds a metric that is a whole number.
 *
 * Since: 0.9
 */
void
roast_report_add_int64 (RoastReport *self, const char *name, gint64 value, RoastCompleteness completeness,
                        const char *note)
{
  g_return_if_fail (ROAST_IS_REPORT (self));
  g_return_if_fail (name != NULL);

  report_take (self, roast_metric_new (name, g_variant_new_int64 (value), completeness, note));
}

/**
 * roast_report_add_string:
 * @self: a report
 * @name: name of a metric
 * @value: the value
 *
 * Adds a metric that is a text.
 *
 * Since: 0.9
 */
void
roast_report_add_string (RoastReport *self, const char *name, const char *value)
{
  g_return_if_fail (ROAST_IS_REPORT (self));
  g_return_if_fail (name != NULL && value != NULL);

  report_take (self, roast_metric_new (name, g_variant_new_take_string (g_utf8_make_valid (value, -1)),
                                       ROAST_COMPLETENESS_COMPLETE, NULL));
}

/**
 * roast_report_add_unavailable:
 * @self: a report
 * @name: name of a metric
 * @reason: why the metric has no value
 *
 * Adds a metric that is not available.
 *
 * Since: 0.9
 */
void
roast_report_add_unavailable (RoastReport *self, const char *name, const char *reason)
{
  g_return_if_fail (ROAST_IS_REPORT (self));
  g_return_if_fail (name != NULL && reason != NULL);

  report_take (self, roast_metric_new_unavailable (name, reason));
}

/* ---- derived tables ---- */

static RoastTableInfo *
find_derived (RoastReport *self, const char *name, GError **error)
{
  RoastTableInfo *info = roast_schema_lookup_table (self->schema, name);

  if (info != NULL && roast_table_info_get_origin (info) == ROAST_TABLE_ORIGIN_DERIVED)
    return info;
  return roast_fail_null (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_TABLE,
                          info == NULL ? "no schema declares a table “%s”"
                                       : "the measured table “%s” is part of the recording, not of the report",
                          name);
}

static void
report_on_refused (GObject *owner, const char *plugin, const char *table, const char *column, gboolean is_row,
                   const GError *error)
{
  roast_report_add_note (ROAST_REPORT (owner), error->message);
}

/**
 * roast_report_write_table:
 * @self: a report
 * @table: name of a derived table
 * @columns: (nullable) (array zero-terminated=1): names of the columns to write, in the order of their slots; %NULL for
 * all columns of the table
 * @error: return location for an error
 *
 * Makes a writer of a derived table. Refused rows become a note of the report.
 *
 * Returns: (transfer full): a writer; %NULL with %ROAST_TABLE_ERROR_TABLE or %ROAST_TABLE_ERROR_COLUMN
 *
 * Since: 0.9
 */
RoastTableWriter *
roast_report_write_table (RoastReport *self, const char *table, const char *const *columns, GError **error)
{
  RoastTableInfo *info = NULL;
  RoastTable *found = NULL;

  g_return_val_if_fail (ROAST_IS_REPORT (self), NULL);
  g_return_val_if_fail (table != NULL, NULL);

  info = find_derived (self, table, error);
  if (info == NULL)
    return NULL;
  if (roast_report_is_table_of_findings (table))
    return roast_fail_null (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_TABLE,
                            "table “%s” cannot be written: add findings with roast_report_add_finding ()", table);
  found = roast_table_find (self->tables, table);
  if (found == NULL)
    {
      found = roast_table_new (info);
      g_ptr_array_add (self->tables, found);
    }
  /* The table report_coverage is never in doubt, because its rows only report the doubt of other parts. */
  if (self->recording != NULL && !g_str_equal (table, ROAST_TABLE_REPORT_COVERAGE) &&
      !g_ptr_array_find (self->written, found, NULL))
    g_ptr_array_add (self->written, g_object_ref (found));

  return roast_table_writer_new (found, NULL, self->plugin, columns, G_OBJECT (self), report_on_refused, error);
}

RoastTableReader *
roast_report_peek_table (RoastReport *self, const char *table, const char *const *columns, GError **error)
{
  g_autoptr (RoastTableSnapshot) snapshot = NULL;
  g_autoptr (RoastTable) made = NULL;
  RoastTable *found = NULL;
  RoastTableInfo *info = NULL;

  found = roast_table_find (self->tables, table);
  info = found == NULL ? find_derived (self, table, error) : NULL;
  if (found == NULL && info == NULL)
    return NULL;
  if (found == NULL && roast_report_is_table_of_findings (table))
    found = made = roast_report_make_table_of_findings (self, info);
  snapshot = found != NULL ? roast_table_snapshot (found) : roast_table_snapshot_new_empty (info);

  return roast_table_reader_new (snapshot, columns, error);
}

/**
 * roast_report_read_table:
 * @self: a report
 * @table: name of a derived table
 * @columns: (nullable) (array zero-terminated=1): names of the columns to read, in the order of their slots; %NULL for
 * all columns of the table
 * @error: return location for an error
 *
 * Makes a reader of a derived table. If no aggregator has written the table, the reader finds no rows.
 *
 * Returns: (transfer full): a reader; %NULL with %ROAST_TABLE_ERROR_TABLE or %ROAST_TABLE_ERROR_COLUMN
 *
 * Since: 0.9
 */
RoastTableReader *
roast_report_read_table (RoastReport *self, const char *table, const char *const *columns, GError **error)
{
  g_return_val_if_fail (ROAST_IS_REPORT (self), NULL);
  g_return_val_if_fail (table != NULL, NULL);

  roast_report_inherit_doubt (self, g_hash_table_lookup (self->doubtful_tables, table));

  return roast_report_peek_table (self, table, columns, error);
}

/**
 * roast_report_dup_table_names:
 * @self: a report
 *
 * Lists the derived tables that aggregators have written, the tables of findings first.
 *
 * Returns: (transfer full): the names
 *
 * Since: 0.9
 */
char **
roast_report_dup_table_names (RoastReport *self)
{
  GPtrArray *names = NULL;

  g_return_val_if_fail (ROAST_IS_REPORT (self), NULL);

  names = g_ptr_array_new ();
  roast_report_add_names_of_findings (self, names);
  for (guint i = 0; i < self->tables->len; i++)
    g_ptr_array_add (names, g_strdup (roast_table_get_name (g_ptr_array_index (self->tables, i))));
  g_ptr_array_add (names, NULL);

  return (char **) g_ptr_array_free (names, FALSE);
}

/**
 * roast_report_add_note:
 * @self: a report
 * @note: a fact that readers of any number in the report must know
 *
 * Adds a note, unless the report already has the same note.
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
 * Gets the notes about the report as a whole.
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
