/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-report.h"
#include "table/roast-table-private.h"

/* What of a report follows from tables that lack rows. An aggregator that has read such a table, or a metric or a
 * derived table that follows from one, adds nothing that is complete: the same holds for every aggregator, which need
 * not know of it. */
typedef struct _RoastReportDoubt RoastReportDoubt;

RoastReportDoubt *roast_report_doubt_new (void);
void roast_report_doubt_free (RoastReportDoubt *self);

/* An aggregator begins to read @recording, which may be NULL: nothing is in doubt then. */
void roast_report_doubt_begin (RoastReportDoubt *self, RoastRecordingSnapshot *recording);
/* It has ended: derived tables that it wrote get its doubt, also in their column of completeness. */
void roast_report_doubt_end (RoastReportDoubt *self);

/* What it reads of the report, and which derived tables it writes. */
void roast_report_doubt_read_metric (RoastReportDoubt *self, const char *name);
void roast_report_doubt_read_table (RoastReportDoubt *self, const char *name);
void roast_report_doubt_write_table (RoastReportDoubt *self, RoastTable *table);

/* Why what it adds now is not complete; NULL if nothing is in doubt. */
const char *roast_report_doubt_get_reason (RoastReportDoubt *self);
/* Why a derived table is; NULL if it is not. */
const char *roast_report_doubt_find_table (RoastReportDoubt *self, const char *name);
/* Whether only the end of the run is missing: what came before can be judged. */
gboolean roast_report_doubt_lacks_end (RoastReportDoubt *self);
/* The metric as it is to be added. @info is NULL if no schema declares it. */
RoastMetric *roast_report_doubt_qualify (RoastReportDoubt *self, RoastMetric *metric, RoastMetricInfo *info);
