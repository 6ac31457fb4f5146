/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Adds a metric over chunks. NaN is not available, because of @reason. It is partial if @missing chunks (0: none) do
 * not report their value, or if there is a @doubt (NULL: none). */
void workload_metric_add (RoastReport *report, const char *name, double value, gboolean is_integer, gint64 missing,
                          const char *doubt, const char *reason);

/* What makes it so; NULL if nothing does. Free it with g_free(). */
char *workload_metric_dup_note (gint64 missing, const char *doubt);

/* The same for a number that a @doubt makes an estimate. */
void workload_metric_add_estimated (RoastReport *report, const char *name, double value, gboolean is_integer,
                                    gint64 missing, const char *doubt, const char *reason);

G_END_DECLS
