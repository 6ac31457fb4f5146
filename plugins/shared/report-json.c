/* SPDX-License-Identifier: BSD-3-Clause */

#include "report-json.h"

#include "each.h"
#include "exact-number.h"
#include "exporter.h"

static void
put_metric (JsonWriter *w, RoastMetric *metric, RoastMetricInfo *info)
{
  json_writer_begin_member (w, roast_metric_get_name (metric), '{');
  json_writer_member (w, "value");
  json_writer_put_variant (w, roast_metric_get_value (metric));
  json_writer_string_member (w, "unit", info != NULL ? roast_metric_info_get_unit (info) : "");
  json_writer_string_member (w, "label",
                             info != NULL ? roast_metric_info_get_label (info) : roast_metric_get_name (metric));
  json_writer_string_member (w, "group", info != NULL ? roast_metric_info_get_group (info) : "Other");
  json_writer_string_member (w, "description", info != NULL ? roast_metric_info_get_description (info) : NULL);
  json_writer_string_member (w, "source", info != NULL ? roast_metric_info_get_source (info) : NULL);
  json_writer_string_member (w, "completeness", roast_completeness_words[roast_metric_get_completeness (metric)]);
  json_writer_string_member (w, "note", roast_metric_get_note (metric));
  json_writer_string_member (w, "reason", roast_metric_get_reason (metric));
  if (roast_metric_get_contradiction (metric) != NULL)
    json_writer_string_member (w, "contradiction", roast_metric_get_contradiction (metric));
  json_writer_end (w, '}');
}

void
report_json_put_metrics (JsonWriter *w, RoastReport *report)
{
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (report);

  json_writer_begin_member (w, "metrics", '{');
  FOR_EACH_POINTER (RoastMetric, metric, metrics)
    put_metric (w, metric,
                roast_schema_lookup_metric (roast_report_get_schema (report), roast_metric_get_name (metric), NULL));
  json_writer_end (w, '}');
}

void
report_json_put_run (JsonWriter *w, RoastRecordingSnapshot *recording)
{
  json_writer_member (w, "run");
  json_writer_put_variant (w, roast_recording_snapshot_get_metadata (recording));
}

void
report_json_put_notes (JsonWriter *w, RoastReport *report)
{
  g_auto (GStrv) notes = roast_report_dup_notes (report);

  json_writer_texts_member (w, "notes", (const char *const *) notes);
}

static void
put_evidence (JsonWriter *w, RoastFinding *finding, guint index)
{
  GVariant *value = roast_finding_get_evidence_value (finding, index);

  json_writer_begin_element (w, '{');
  json_writer_string_member (w, "name", roast_finding_get_evidence_name (finding, index));
  json_writer_member (w, "value");
  json_writer_put_variant (w, value);
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    json_writer_string_member (w, "unit", roast_finding_get_evidence_unit (finding, index));
  json_writer_end (w, '}');
}

static void
put_finding (JsonWriter *w, RoastFinding *finding)
{
  json_writer_begin_element (w, '{');
  json_writer_string_member (w, "rule", roast_finding_get_rule (finding));
  json_writer_string_member (w, "severity", roast_finding_severity_words[roast_finding_get_severity (finding)]);
  json_writer_string_member (w, "text", roast_finding_get_text (finding));
  json_writer_member (w, "share");
  json_writer_put_double (w, roast_finding_get_share (finding));
  json_writer_string_member (w, "advice", roast_finding_get_advice (finding));
  json_writer_begin_member (w, "evidence", '[');
  for (guint i = 0; i < roast_finding_get_n_evidence (finding); i++)
    put_evidence (w, finding, i);
  json_writer_end (w, ']');
  json_writer_end (w, '}');
}

void
report_json_put_findings (JsonWriter *w, RoastReport *report)
{
  g_autoptr (GPtrArray) findings = roast_report_list_findings (report);

  json_writer_begin_member (w, "findings", '[');
  for (guint i = 0; i < findings->len; i++)
    put_finding (w, g_ptr_array_index (findings, i));
  json_writer_end (w, ']');
}

void
report_json_put_cell (JsonWriter *w, RoastTableReader *table, guint slot, RoastColumnType type)
{
  if (type == ROAST_COLUMN_TYPE_DOUBLE)
    json_writer_put_double (w, roast_table_reader_get_double (table, slot));
  else if (type == ROAST_COLUMN_TYPE_STRING || type == ROAST_COLUMN_TYPE_CATEGORY)
    json_writer_put_string (w, roast_table_reader_get_string (table, slot));
  else if (!roast_table_reader_has (table, slot))
    g_string_append (w->text, "null");
  else if (type == ROAST_COLUMN_TYPE_BOOLEAN)
    g_string_append (w->text, roast_table_reader_get_boolean (table, slot) ? "true" : "false");
  else
    exact_number_append_int64 (w->text, roast_table_reader_get_int64 (table, slot, 0));
}

void
report_json_put_column (JsonWriter *w, RoastColumn *column)
{
  json_writer_string_member (w, "name", roast_column_get_name (column));
  json_writer_string_member (w, "type", exporter_get_type (column));
  json_writer_string_member (w, "unit", roast_column_get_unit (column));
  json_writer_string_member (w, "description", roast_column_get_description (column));
}
