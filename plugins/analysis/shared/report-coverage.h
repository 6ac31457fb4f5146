/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Says in the table report_coverage how complete a table is, or one of its columns if @column is not NULL: formulas
 * over it are as complete. @reason may be NULL if it is complete. */
void report_coverage_add (RoastReport *report, const char *table, const char *column, RoastCompleteness completeness,
                          const char *reason);
/* The same of a table that is complete without a @note. */
void report_coverage_add_note (RoastReport *report, const char *table, const char *column, RoastCompleteness otherwise,
                               const char *note);
/* The same of one metric alone, and of several (NULL at the end). Without a note nothing is missing, whatever is of the
 * tables. */
void report_coverage_add_metric (RoastReport *report, const char *metric, RoastCompleteness otherwise,
                                 const char *note);
void report_coverage_add_metrics (RoastReport *report, const char *const *metrics, RoastCompleteness otherwise,
                                  const char *note);

G_END_DECLS
