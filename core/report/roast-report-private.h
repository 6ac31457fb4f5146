/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-report-coverage-private.h"
#include "table/roast-table-private.h"

/* An aggregator of @plugin, which may be NULL, begins to fill the report from @recording. Errors of writers name the
 * plugin until roast_report_end (). */
void roast_report_begin (RoastReport *self, const char *plugin, RoastRecordingSnapshot *recording);
void roast_report_end (RoastReport *self);

/* Return why rows of a derived table are missing; NULL if none are. */
const char *roast_report_find_doubt (RoastReport *self, const char *table);
/* Return whether values of a derived table may be wrong, since cells that they were made from are missing. */
gboolean roast_report_is_vague (RoastReport *self, const char *table);

/* Like roast_report_read_table (), but without inheriting doubt, for rows that are not part of a computation. */
RoastTableReader *roast_report_peek_table (RoastReport *self, const char *table, const char *const *columns,
                                           GError **error);

/* Return a table that aggregators have written; NULL if they have not. */
RoastTable *roast_report_find_table (RoastReport *self, const char *name);
/* Return whether a derived table may have rows. */
gboolean roast_report_has_table (RoastReport *self, const char *name);
RoastReportCoverage *roast_report_get_coverage (RoastReport *self);

/* Copy a metric with all its members. */
RoastMetric *roast_metric_copy (RoastMetric *self);

/* Mark the value of a metric as contradicted by another measurement. */
void roast_report_contradict (RoastReport *self, const char *name, const char *difference);

/* Return FALSE if this agreement was claimed before. */
gboolean roast_report_claim_agreement (RoastReport *self, const char *name);

/* Change the reason of a metric that is not available. */
void roast_report_replace_reason (RoastReport *self, const char *name, const char *reason);
