/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

#include <roast/roast-finding.h>
#include <roast/roast-metric.h>
#include <roast/roast-recording-snapshot.h>
#include <roast/roast-schema.h>
#include <roast/roast-table-reader.h>
#include <roast/roast-table-writer.h>

G_BEGIN_DECLS

#define ROAST_TYPE_REPORT (roast_report_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastReport, roast_report, ROAST, REPORT, GObject)

ROAST_AVAILABLE_IN_0_9
RoastReport *roast_report_new (RoastSchema *schema);
ROAST_AVAILABLE_IN_0_9
RoastSchema *roast_report_get_schema (RoastReport *self);
ROAST_AVAILABLE_IN_0_9
void roast_report_add_metric (RoastReport *self, RoastMetric *metric);
ROAST_AVAILABLE_IN_0_9
RoastMetric *roast_report_lookup (RoastReport *self, const char *name);
ROAST_AVAILABLE_IN_0_9
gboolean roast_report_get_double (RoastReport *self, const char *name, double *value);
ROAST_AVAILABLE_IN_0_9
GPtrArray *roast_report_list_metrics (RoastReport *self);
ROAST_AVAILABLE_IN_0_9
GPtrArray *roast_report_list_charts (RoastReport *self, RoastRecordingSnapshot *recording);
ROAST_AVAILABLE_IN_0_9
void roast_report_add_double (RoastReport *self, const char *name, double value, RoastCompleteness completeness,
                              const char *note);
ROAST_AVAILABLE_IN_0_9
void roast_report_add_int64 (RoastReport *self, const char *name, gint64 value, RoastCompleteness completeness,
                             const char *note);
ROAST_AVAILABLE_IN_0_9
void roast_report_add_string (RoastReport *self, const char *name, const char *value);
ROAST_AVAILABLE_IN_0_9
void roast_report_add_unavailable (RoastReport *self, const char *name, const char *reason);
ROAST_AVAILABLE_IN_0_9
RoastMetric *roast_report_evaluate (RoastReport *self, RoastRecordingSnapshot *recording, const char *name,
                                    const char *formula, GError **error);
ROAST_AVAILABLE_IN_0_9
void roast_report_add_formulas (RoastReport *self, RoastRecordingSnapshot *recording, const char *const *names);
ROAST_AVAILABLE_IN_0_9
void roast_report_add_finding (RoastReport *self, RoastFinding *finding);
ROAST_AVAILABLE_IN_0_9
GPtrArray *roast_report_list_findings (RoastReport *self);
ROAST_AVAILABLE_IN_0_9
void roast_report_add_rule (RoastReport *self, const char *rule, RoastRuleState state, const char *reason);
ROAST_AVAILABLE_IN_0_9
RoastTableWriter *roast_report_write_table (RoastReport *self, const char *table, const char *const *columns,
                                            GError **error);
ROAST_AVAILABLE_IN_0_9
RoastTableReader *roast_report_read_table (RoastReport *self, const char *table, const char *const *columns,
                                           GError **error);
ROAST_AVAILABLE_IN_0_9
char **roast_report_dup_table_names (RoastReport *self);
ROAST_AVAILABLE_IN_0_9
void roast_report_add_note (RoastReport *self, const char *note);
ROAST_AVAILABLE_IN_0_9
char **roast_report_dup_notes (RoastReport *self);

G_END_DECLS
