/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Record in the table report_coverage how complete a table is, or one @column of it if that is not NULL. Metrics whose
 * formulas read the table or the column get the same completeness. @reason may be NULL if nothing is missing. */
void report_coverage_add (RoastReport *report, const char *table, const char *column, RoastCompleteness completeness,
                          const char *reason);
/* Record that a table or column is complete if @note is NULL. Otherwise record the completeness @otherwise with the
 * reason @note. */
void report_coverage_add_note (RoastReport *report, const char *table, const char *column, RoastCompleteness otherwise,
                               const char *note);
/* Record how complete a metric is, or several metrics (NULL-terminated). If @note is NULL, the metric is complete, even
 * if its tables are not. */
void report_coverage_add_metric (RoastReport *report, const char *metric, RoastCompleteness otherwise,
                                 const char *note);
void report_coverage_add_metrics (RoastReport *report, const char *const *metrics, RoastCompleteness otherwise,
                                  const char *note);

G_END_DECLS
