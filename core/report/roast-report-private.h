/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-report.h"
#include "table/roast-table-private.h"

struct _RoastMetric
{
  GObject parent_instance;

  char *name;
  GVariant *value; /* value as d, x or s; NULL if the metric is not available */
  char *reason;
  RoastCompleteness completeness;
  char *note;
  char *contradiction;
};

/* Make a metric. @value is consumed if it is floating. If @value is NULL, the metric is not available. */
RoastMetric *roast_metric_new (const char *name, GVariant *value, RoastCompleteness completeness, const char *note);
RoastMetric *roast_metric_new_unavailable (const char *name, const char *reason);
RoastMetric *roast_metric_copy (RoastMetric *self);
/* Set the completeness and the note of a metric. A metric that is not available stays unavailable. */
void roast_metric_set_completeness (RoastMetric *self, RoastCompleteness completeness, const char *note);

struct _RoastReport
{
  GObject parent_instance;

  RoastSchema *schema;
  GPtrArray *metrics; /* metrics in the order of addition */
  GHashTable *names;  /* maps the name of a metric to the metric in metrics */
  GPtrArray *tables;  /* derived tables, except the tables of findings, which are made when they are read */
  GPtrArray *notes;
  char *plugin;           /* name of the plugin that is writing, or NULL */
  GHashTable *agreements; /* names of agreements that have been checked */

  /* In roast-report-findings.c: */
  GPtrArray *findings; /* findings in the order of addition */
  GHashTable *finders; /* maps a finding to the name of its plugin */
  GPtrArray *rules;

  /* In roast-report-doubt.c: */
  RoastRecordingSnapshot *recording; /* recording that the current aggregator reads; NULL if no aggregator runs */
  char *inherited;    /* reason of the doubt of the parts of the report that the aggregator has read; or NULL */
  GPtrArray *written; /* derived tables that the current aggregator has written */
  GHashTable *doubtful_metrics; /* maps the name of a metric in doubt to the reason */
  GHashTable *doubtful_tables;  /* maps the name of a derived table in doubt to the reason */
  GHashTable *vague_tables;     /* names of derived tables that were made from columns that lack cells */

  /* In roast-report-coverage.c: */
  RoastTableReader *coverage;   /* rows of the table report_coverage, or NULL */
  GHashTable *covered;          /* maps a key of metric, table and column to the number of its coverage row + 1 */
  GHashTable *covered_subjects; /* names of metrics and tables in all coverage rows, because most lookups are for names
                                   without a row */
  guint64 coverage_serial;      /* serial number of the table report_coverage when its rows were read */
};

/* Make a reader like roast_report_read_table (), but without inheriting the doubt of the table. Use this reader if
 * results do not depend on the rows. */
RoastTableReader *roast_report_peek_table (RoastReport *self, const char *table, const char *const *columns,
                                           GError **error);

/* Note that another measurement contradicts the value of a metric. */
void roast_report_contradict (RoastReport *self, const char *name, const char *difference);

/* Change the reason of a metric that is not available. */
void roast_report_replace_reason (RoastReport *self, const char *name, const char *reason);

/* Evaluate each group [agree NAME] of the schema once, when all its metrics are in the report. Write the results into
 * the table agreements, and mark metrics whose values disagree. */
void roast_report_check_agreements (RoastReport *self, RoastRecordingSnapshot *recording);

/* ---- findings, the outcomes of rules, and the tables that show both ---- */

void roast_report_rule_free (gpointer rule);
gboolean roast_finding_is_lower_bound (RoastFinding *self);
void roast_finding_prepend (RoastFinding *finding, const char *before);

/* Return whether a table shows findings or the outcomes of rules. */
gboolean roast_report_is_table_of_findings (const char *table);
/* Append the names of the declared tables of findings that have rows. */
void roast_report_add_names_of_findings (RoastReport *self, GPtrArray *names);
RoastTable *roast_report_make_table_of_findings (RoastReport *self, RoastTableInfo *info);

/* ---- doubt ---- */

/* A part of a report, a metric or a derived table, is in doubt if it was computed from tables with missing rows. If an
 * aggregator reads a table with missing rows, or a part in doubt, all parts that the aggregator adds later are in
 * doubt, too, and are marked as incomplete. The report marks these parts without help from the aggregator. */

/* Note that an aggregator begins to fill the report from @recording. @plugin: name of the aggregator's plugin, or NULL;
 * errors of writers name the plugin until roast_report_end (). */
void roast_report_begin (RoastReport *self, const char *plugin, RoastRecordingSnapshot *recording);
/* Note that the aggregator has ended. The derived tables that the aggregator wrote inherit the doubt of the aggregator.
 * Rows inherit the doubt if the table has a column of completeness. */
void roast_report_end (RoastReport *self);

/* Note that the aggregator reads a part of the report that may be incomplete. @reason: why; NULL if it is complete. */
void roast_report_inherit_doubt (RoastReport *self, const char *reason);
/* Return the reason why parts that the aggregator adds now are incomplete, or NULL if they are complete. */
const char *roast_report_get_doubt (RoastReport *self);
/* Return a metric whose completeness includes the doubt of the current aggregator. @info: NULL if no schema declares
 * the metric. */
RoastMetric *roast_report_qualify (RoastReport *self, RoastMetric *metric, RoastMetricInfo *info);

/* ---- the table report_coverage, in which aggregators report completeness ---- */

/* Return the completeness of a table, or of its column @column if this is not NULL. Return -1 if the table
 * report_coverage has no row about this table or column. The caller frees @reason. */
int roast_report_coverage_find (RoastReport *self, const char *table, const char *column, char **reason);
/* Return the completeness of a metric, or -1 if the table report_coverage has no row about the metric. The caller frees
 * @reason. */
int roast_report_coverage_find_metric (RoastReport *self, const char *metric, char **reason);
