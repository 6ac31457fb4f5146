/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-report.h"

/* Looks up the table report_coverage, in which aggregators report completeness. */

typedef struct _RoastReportCoverage RoastReportCoverage;

RoastReportCoverage *roast_report_coverage_new (void);
void roast_report_coverage_free (RoastReportCoverage *self);

/* Return the completeness of a table, or of one of its columns if @column is not NULL; -1 if no row covers it.
 * @reason: the caller frees it. */
int roast_report_coverage_find (RoastReport *report, const char *table, const char *column, char **reason);
/* Return the completeness of a metric in the same way. */
int roast_report_coverage_find_metric (RoastReport *report, const char *metric, char **reason);
gboolean roast_report_coverage_has_metric (RoastReport *report, const char *metric);
