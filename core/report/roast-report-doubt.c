/* SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include "recording/roast-recording-snapshot-private.h"
#include "report/roast-report-private.h"
#include "table/roast-metric-info-private.h"
#include "table/roast-table-struct-private.h"

#define VOCABULARY "completeness"
#define REASON "reason"

void
roast_report_begin (RoastReport *self, const char *plugin, RoastRecordingSnapshot *recording)
{
  g_free (self->plugin);
  self->plugin = g_strdup (plugin);
  g_set_object (&self->recording, recording);
  if (recording != NULL)
    roast_recording_snapshot_set_gap (recording, NULL, ROAST_CELLS_WHOLE);
}

const char *
roast_report_get_doubt (RoastReport *self)
{
  if (self->recording == NULL)
    return NULL;

  return self->inherited != NULL ? self->inherited : roast_recording_snapshot_get_gap (self->recording);
}

void
roast_report_inherit_doubt (RoastReport *self, const char *reason)
{
  if (self->recording != NULL && self->inherited == NULL)
    self->inherited = g_strdup (reason);
}

/* ---- derived tables ---- */

/* Return the number of the column with the completeness of each row, or the number of columns if there is no such
 * column. */
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

/* Mark complete rows as partial, because some of their data are missing. @cells: whether the rows were made from
 * columns that lack cells. In this case, mark the rows as estimated, because their values may be wrong. */
static void
qualify_rows (RoastTable *table, const char *text, RoastCells cells)
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

          if (code != complete.code && !(cells == ROAST_CELLS_LACKING && code == partial.code))
            continue;
          roast_chunk_set (chunk, row, completeness, cells != ROAST_CELLS_WHOLE ? estimated : partial);
          if (has_reason)
            roast_chunk_set (chunk, row, reason, why);
        }
    }
  roast_table_unlock (table);
}

void
roast_report_end (RoastReport *self)
{
  const char *reason = roast_report_get_doubt (self);
  RoastCells cells = self->recording != NULL ? roast_recording_snapshot_get_cells (self->recording) : ROAST_CELLS_WHOLE;

  for (guint i = 0; reason != NULL && i < self->written->len; i++)
    {
      RoastTable *table = g_ptr_array_index (self->written, i);

      g_hash_table_insert (self->doubtful_tables, g_strdup (roast_table_get_name (table)), g_strdup (reason));
      if (cells != ROAST_CELLS_WHOLE)
        g_hash_table_add (self->vague_tables, g_strdup (roast_table_get_name (table)));
      qualify_rows (table, reason, cells);
    }
  g_ptr_array_set_size (self->written, 0);
  g_clear_pointer (&self->inherited, g_free);
  g_clear_object (&self->recording);
  g_clear_pointer (&self->plugin, g_free);
}

/* ---- metrics ---- */

RoastMetric *
roast_report_qualify (RoastReport *self, RoastMetric *metric, RoastMetricInfo *info)
{
  const char *reason = roast_report_get_doubt (self);
  const char *note = roast_metric_get_note (metric);
  RoastCompleteness completeness = roast_metric_get_completeness (metric);
  RoastMetric *qualified = NULL;
  g_autofree char *all = NULL;
  RoastMetricRows rows = info != NULL ? roast_metric_info_get_rows (info) : ROAST_METRIC_ROWS_ANY;
  RoastCells cells = ROAST_CELLS_WHOLE;

  if (reason == NULL || !roast_metric_is_available (metric) || rows == ROAST_METRIC_ROWS_NONE)
    return g_object_ref (metric);
  cells = roast_recording_snapshot_get_cells (self->recording);
  if (cells == ROAST_CELLS_UNSAID && completeness != ROAST_COMPLETENESS_COMPLETE)
    return g_object_ref (metric);
  g_hash_table_insert (self->doubtful_metrics, g_strdup (roast_metric_get_name (metric)), g_strdup (reason));
  /* Keep the completeness of a metric with a formula, because the evaluation of the formula has already set bounds. */
  if (completeness == ROAST_COMPLETENESS_COMPLETE ||
      (info != NULL && roast_metric_info_get_value (info) == NULL && completeness != ROAST_COMPLETENESS_ESTIMATED))
    completeness = rows == ROAST_METRIC_ROWS_LOWER_BOUND && cells == ROAST_CELLS_WHOLE ? ROAST_COMPLETENESS_PARTIAL
                                                                                       : ROAST_COMPLETENESS_ESTIMATED;
  /* If the metric was computed from other metrics, its note may already contain the reason. */
  if (note != NULL && strstr (note, reason) != NULL)
    reason = note;
  else if (note != NULL)
    reason = all = g_strdup_printf ("%s; %s", reason, note);
  qualified = roast_metric_copy (metric);
  roast_metric_set_completeness (qualified, completeness, reason);

  return qualified;
}
