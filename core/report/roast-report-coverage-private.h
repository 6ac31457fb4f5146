/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-report.h"

/* What aggregators wrote into the table report_coverage. */

/* How complete a table is, or one of its columns if @column is not NULL: -1 if nothing says so. @reason: free it. */
int roast_report_coverage_find (RoastReport *report, const char *table, const char *column, char **reason);
/* The same of a metric. */
int roast_report_coverage_find_metric (RoastReport *report, const char *metric, char **reason);
gboolean roast_report_coverage_has_metric (RoastReport *report, const char *metric);
