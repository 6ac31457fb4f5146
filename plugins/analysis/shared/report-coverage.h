/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Record in the table report_coverage how complete a table is; if @column is not NULL, how complete this column is.
 * Metrics whose formulas read the table or column get the same completeness. @reason may be NULL if nothing is missing.
 */
void report_coverage_add (RoastReport *report, const char *table, const char *column, RoastCompleteness completeness,
                          const char *reason);
/* Record that a table or column is complete if @note is NULL. Else its completeness is @otherwise because of @note. */
void report_coverage_add_note (RoastReport *report, const char *table, const char *column, RoastCompleteness otherwise,
                               const char *note);
/* Record how complete one metric is, or several metrics (NULL-terminated). If @note is NULL, the metric is complete,
 * however complete its tables are. */
void report_coverage_add_metric (RoastReport *report, const char *metric, RoastCompleteness otherwise,
                                 const char *note);
void report_coverage_add_metrics (RoastReport *report, const char *const *metrics, RoastCompleteness otherwise,
                                  const char *note);

G_END_DECLS
