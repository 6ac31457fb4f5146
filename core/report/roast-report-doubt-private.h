/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-report.h"
#include "table/roast-table-private.h"

/* Tracks which parts of a report come from tables with missing rows. After an aggregator has read such a table, or a
 * metric or derived table computed from one, everything that it adds is marked as incomplete. Aggregators need not
 * know about this. */
typedef struct _RoastReportDoubt RoastReportDoubt;

RoastReportDoubt *roast_report_doubt_new (void);
void roast_report_doubt_free (RoastReportDoubt *self);

/* An aggregator begins to read @recording. With NULL nothing is in doubt. */
void roast_report_doubt_begin (RoastReportDoubt *self, RoastRecordingSnapshot *recording);
/* The aggregator has ended. The derived tables that it wrote inherit its doubt, also in their column of
 * completeness. */
void roast_report_doubt_end (RoastReportDoubt *self);

/* Note which parts of the report the aggregator reads, and which derived tables it writes. */
void roast_report_doubt_read_metric (RoastReportDoubt *self, const char *name);
void roast_report_doubt_read_table (RoastReportDoubt *self, const char *name);
void roast_report_doubt_write_table (RoastReportDoubt *self, RoastTable *table);

/* Return why additions are incomplete at present; NULL if nothing is in doubt. */
const char *roast_report_doubt_get_reason (RoastReportDoubt *self);
/* Return why a derived table is in doubt; NULL if it is not. */
const char *roast_report_doubt_find_table (RoastReportDoubt *self, const char *name);
/* Return whether cells that a derived table was made from are missing, so that its values may be wrong. */
gboolean roast_report_doubt_is_vague (RoastReportDoubt *self, const char *name);
/* Return whether only the end of the run is missing, so that the time before it can be judged. */
gboolean roast_report_doubt_lacks_end (RoastReportDoubt *self);
/* Return the metric with the current doubt applied. @info: NULL if no schema declares the metric. */
RoastMetric *roast_report_doubt_qualify (RoastReportDoubt *self, RoastMetric *metric, RoastMetricInfo *info);
