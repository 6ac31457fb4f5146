/* SPDX-License-Identifier: BSD-3-Clause */

#include "report/roast-report-doubt-private.h"

#include <string.h>

#include "recording/roast-recording-snapshot-private.h"
#include "report/roast-report-private.h"
#include "table/roast-metric-info-private.h"
#include "table/roast-table-struct-private.h"

#define VOCABULARY "completeness"
#define REASON "reason"

struct _RoastReportDoubt
{
  RoastRecordingSnapshot *recording; /* the recording being read; NULL between aggregators */
  char *reason;                      /* doubt inherited from parts of the report that the aggregator read */
  GPtrArray *written;                /* derived tables that the aggregator writes */
  GHashTable *metrics;               /* names of metrics in doubt, to the reason */
  GHashTable *tables;                /* names of derived tables in doubt, to the reason */
  GHashTable *vague;                 /* names of derived tables that were made from columns without all cells */
};

RoastReportDoubt *
roast_report_doubt_new (void)
{
  RoastReportDoubt *self = g_new0 (RoastReportDoubt, 1);

  self->written = g_ptr_array_new_with_free_func (g_object_unref);
  self->metrics = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->tables = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->vague = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  return self;
}

void
roast_report_doubt_free (RoastReportDoubt *self)
{
  g_clear_object (&self->recording);
  g_free (self->reason);
  g_ptr_array_unref (self->written);
  g_hash_table_unref (self->metrics);
  g_hash_table_unref (self->tables);
  g_hash_table_unref (self->vague);
  g_free (self);
}

void
roast_report_doubt_begin (RoastReportDoubt *self, RoastRecordingSnapshot *recording)
{
  g_set_object (&self->recording, recording);
  if (recording != NULL)
    roast_recording_snapshot_set_gap (recording, NULL, FALSE);
}

const char *
roast_report_doubt_get_reason (RoastReportDoubt *self)
{
  if (self->recording == NULL)
    return NULL;

  return self->reason != NULL ? self->reason : roast_recording_snapshot_get_gap (self->recording);
}

gboolean
roast_report_doubt_lacks_end (RoastReportDoubt *self)
{
  return self->recording != NULL && roast_recording_snapshot_lacks_end (self->recording);
}

/* ---- reading ---- */

static void
take_reason (RoastReportDoubt *self, const char *reason)
{
  if (self->recording != NULL && self->reason == NULL)
    self->reason = g_strdup (reason);
}

void
roast_report_doubt_read_metric (RoastReportDoubt *self, const char *name)
{
  take_reason (self, g_hash_table_lookup (self->metrics, name));
}

const char *
roast_report_doubt_find_table (RoastReportDoubt *self, const char *name)
{
  return g_hash_table_lookup (self->tables, name);
}

gboolean
roast_report_doubt_is_vague (RoastReportDoubt *self, const char *name)
{
  return g_hash_table_contains (self->vague, name);
}

void
roast_report_doubt_read_table (RoastReportDoubt *self, const char *name)
{
  take_reason (self, g_hash_table_lookup (self->tables, name));
}

void
roast_report_doubt_write_table (RoastReportDoubt *self, RoastTable *table)
{
  if (self->recording != NULL && !g_ptr_array_find (self->written, table, NULL))
    g_ptr_array_add (self->written, g_object_ref (table));
}

/* ---- derived tables ---- */

/* Return the column that states the completeness of a row; the number of columns if there is none. */
static guint
find_completeness (RoastTableInfo *info)
{
  guint n = roast_table_info_get_n_columns (info);
  guint i = 0;

  for (; i < n; i++)
    {
      RoastVocabulary *words = roast_column_get_vocabulary (roast_table_info_get_column (info, i));

      if (words != NULL && g_str_equal (roast_vocabulary_get_name (words), VOCABULARY))
        break;
    }

  return i;
}

/* Mark complete rows as partial, since they lack some of the data. Rows made from columns that lack cells may say
 * something wrong: they are estimates. */
static void
qualify_rows (RoastTable *table, const char *text, gboolean is_vague)
{
  RoastTableInfo *info = roast_table_get_info (table);
  guint n_columns = roast_table_info_get_n_columns (info);
  guint completeness = find_completeness (info);
  guint reason = 0;
  gboolean has_reason = roast_table_info_find_column (info, REASON, &reason);
  RoastCell complete = { 0 };
  RoastCell partial = { 0 };
  RoastCell estimated = { 0 };
  RoastCell why = { .string = text };

  if (completeness == n_columns || roast_table_get_serial (table) == 0)
    return;
  complete.code = roast_table_encode (table, completeness, "complete");
  partial.code = roast_table_encode (table, completeness, "partial");
  estimated.code = roast_table_encode (table, completeness, "estimated");
  roast_table_lock (table);
  for (guint i = 0; i < table->chunks->len; i++)
    {
      RoastChunk *chunk = g_ptr_array_index (table->chunks, i);
      guint n_rows = chunk == table->tail ? table->tail_rows : roast_chunk_get_capacity (chunk);

      for (guint row = 0; row < n_rows; row++)
        {
          gint32 code = roast_chunk_is_valid (chunk, row, completeness)
                            ? roast_chunk_get (chunk, row, completeness).code
                            : estimated.code;

          if (code != complete.code && !(is_vague && code == partial.code))
            continue;
          roast_chunk_set (chunk, row, completeness, is_vague ? estimated : partial);
          if (has_reason)
            roast_chunk_set (chunk, row, reason, why);
        }
    }
  roast_table_unlock (table);
}

void
roast_report_doubt_end (RoastReportDoubt *self)
{
  const char *reason = roast_report_doubt_get_reason (self);
  gboolean is_vague = self->recording != NULL && roast_recording_snapshot_lacks_cells (self->recording);

  for (guint i = 0; reason != NULL && i < self->written->len; i++)
    {
      RoastTable *table = g_ptr_array_index (self->written, i);

      g_hash_table_insert (self->tables, g_strdup (roast_table_get_name (table)), g_strdup (reason));
      if (is_vague)
        g_hash_table_add (self->vague, g_strdup (roast_table_get_name (table)));
      qualify_rows (table, reason, is_vague);
    }
  g_ptr_array_set_size (self->written, 0);
  g_clear_pointer (&self->reason, g_free);
  g_clear_object (&self->recording);
}

/* ---- metrics ---- */

RoastMetric *
roast_report_doubt_qualify (RoastReportDoubt *self, RoastMetric *metric, RoastMetricInfo *info)
{
  const char *reason = roast_report_doubt_get_reason (self);
  const char *note = roast_metric_get_note (metric);
  RoastCompleteness completeness = roast_metric_get_completeness (metric);
  RoastMetric *qualified = NULL;
  g_autofree char *all = NULL;
  RoastMetricRows rows = info != NULL ? roast_metric_info_get_rows (info) : ROAST_METRIC_ROWS_ANY;

  if (reason == NULL || !roast_metric_is_available (metric) || rows == ROAST_METRIC_ROWS_NONE)
    return g_object_ref (metric);
  g_hash_table_insert (self->metrics, g_strdup (roast_metric_get_name (metric)), g_strdup (reason));
  /* Formulas already have bounds from their evaluation, so keep their completeness. */
  if (completeness == ROAST_COMPLETENESS_COMPLETE ||
      (info != NULL && roast_metric_info_get_value (info) == NULL && completeness != ROAST_COMPLETENESS_ESTIMATED))
    completeness = rows == ROAST_METRIC_ROWS_LOWER_BOUND && !roast_recording_snapshot_lacks_cells (self->recording)
                       ? ROAST_COMPLETENESS_PARTIAL
                       : ROAST_COMPLETENESS_ESTIMATED;
  /* A metric computed from other metrics already has their note. */
  if (note != NULL && strstr (note, reason) != NULL)
    reason = note;
  else if (note != NULL)
    reason = all = g_strdup_printf ("%s; %s", reason, note);
  qualified = roast_metric_copy (metric);
  roast_metric_set_completeness (qualified, completeness, reason);

  return qualified;
}
