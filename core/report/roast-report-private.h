/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-report.h"
#include "table/roast-table-private.h"

struct _RoastMetric
{
  GObject parent_instance;

  char *name;
  GVariant *value; /* d, x or s; NULL if not available */
  char *reason;
  RoastCompleteness completeness;
  char *note;
  char *contradiction;
};

/* Make a metric. @value is consumed if floating; without one the metric is not available. */
RoastMetric *roast_metric_new (const char *name, GVariant *value, RoastCompleteness completeness, const char *note);
RoastMetric *roast_metric_new_unavailable (const char *name, const char *reason);
RoastMetric *roast_metric_copy (RoastMetric *self);
/* A metric that is not available stays so. */
void roast_metric_set_completeness (RoastMetric *self, RoastCompleteness completeness, const char *note);

struct _RoastReport
{
  GObject parent_instance;

  RoastSchema *schema;
  GPtrArray *metrics; /* in the order of addition */
  GHashTable *names;  /* name to an element of metrics */
  GPtrArray *tables;  /* without the tables of findings, which are made when they are read */
  GPtrArray *notes;
  char *plugin;           /* plugin that is writing */
  GHashTable *agreements; /* names of checked agreements */

  /* In roast-report-findings.c: */
  GPtrArray *findings; /* in the order of addition */
  GHashTable *finders; /* finding to the name of its plugin */
  GPtrArray *rules;

  /* In roast-report-doubt.c: */
  RoastRecordingSnapshot *recording; /* the recording being read; NULL between aggregators */
  char *inherited;                   /* doubt inherited from parts of the report that the aggregator read */
  GPtrArray *written;                /* derived tables that the aggregator writes */
  GHashTable *doubtful_metrics;      /* names of metrics in doubt, to the reason */
  GHashTable *doubtful_tables;       /* names of derived tables in doubt, to the reason */
  GHashTable *vague_tables;          /* names of derived tables that were made from columns without all cells */

  /* In roast-report-coverage.c: */
  RoastTableReader *coverage; /* rows of the table report_coverage, or NULL */
  GHashTable *covered;        /* metric, table and column to the number of the row + 1 */
  GHashTable *covered_subjects; /* metrics and tables of all rows, to ask for others quickly */
  guint64 coverage_serial;    /* of the table when its rows were read */
};

/* Like roast_report_read_table (), but without inheriting doubt, for rows that are not part of a computation. */
RoastTableReader *roast_report_peek_table (RoastReport *self, const char *table, const char *const *columns,
                                           GError **error);

/* Mark the value of a metric as contradicted by another measurement. */
void roast_report_contradict (RoastReport *self, const char *name, const char *difference);

/* Change the reason of a metric that is not available. */
void roast_report_replace_reason (RoastReport *self, const char *name, const char *reason);

/* Evaluate each group [agree NAME] of the schema once, as soon as all its metrics exist. Write the table agreements,
 * and mark the metrics whose values disagree. */
void roast_report_check_agreements (RoastReport *self, RoastRecordingSnapshot *recording);

/* ---- findings, the outcomes of rules, and the tables that show both ---- */

void roast_report_rule_free (gpointer rule);
gboolean roast_finding_is_lower_bound (RoastFinding *self);
void roast_finding_prepend (RoastFinding *finding, const char *before);

/* Return whether the rows of this table come from findings. */
gboolean roast_report_is_table_of_findings (const char *table);
/* Append the names of declared tables that have rows. */
void roast_report_add_names_of_findings (RoastReport *self, GPtrArray *names);
RoastTable *roast_report_make_table_of_findings (RoastReport *self, RoastTableInfo *info);

/* ---- doubt ---- */

/* Track which parts of a report come from tables with missing rows. After an aggregator has read such a table, or a
 * metric or derived table computed from one, everything that it adds is marked as incomplete. Aggregators need not
 * know about this. */

/* An aggregator of @plugin, which may be NULL, begins to fill the report from @recording. Errors of writers name the
 * plugin until roast_report_end (). */
void roast_report_begin (RoastReport *self, const char *plugin, RoastRecordingSnapshot *recording);
/* The aggregator has ended. The derived tables that it wrote inherit its doubt, also in their column of
 * completeness. */
void roast_report_end (RoastReport *self);

/* Note the reason of a part of the report that the aggregator reads; NULL if it is not in doubt. */
void roast_report_inherit_doubt (RoastReport *self, const char *reason);
/* Return why additions are incomplete at present; NULL if nothing is in doubt. */
const char *roast_report_get_doubt (RoastReport *self);
/* Return the metric with the current doubt applied. @info: NULL if no schema declares the metric. */
RoastMetric *roast_report_qualify (RoastReport *self, RoastMetric *metric, RoastMetricInfo *info);

/* ---- the table report_coverage, in which aggregators report completeness ---- */

/* Return the completeness of a table, or of one of its columns if @column is not NULL; -1 if no row covers it.
 * @reason: the caller frees it. */
int roast_report_coverage_find (RoastReport *self, const char *table, const char *column, char **reason);
/* Return the completeness of a metric in the same way. */
int roast_report_coverage_find_metric (RoastReport *self, const char *metric, char **reason);
