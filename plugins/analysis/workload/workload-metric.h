/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Add a metric over chunks. NaN makes the metric unavailable because of @reason. The metric is partial if @missing
 * chunks do not report their value, or if @doubt is not NULL. */
void workload_metric_add (RoastReport *report, const char *name, double value, gboolean is_integer, gint64 missing,
                          const char *doubt, const char *reason);

/* Return a note on missing values and @doubt; NULL if there is nothing to note. Free it with g_free(). */
char *workload_metric_dup_note (gint64 missing, const char *doubt);

/* Add a metric over chunks that is an estimate if values are missing or @doubt is not NULL. */
void workload_metric_add_estimated (RoastReport *report, const char *name, double value, gboolean is_integer,
                                    gint64 missing, const char *doubt, const char *reason);

G_END_DECLS
