/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Spans that an application opens. The work within a span is the difference between cumulative sums at its end and at
 * its start. This method does not use spans of the executor, and the script need not support it. */
typedef struct _SpanTotals SpanTotals;

/* @source: name of the backend; the rows of the table span_activities get it as their source */
SpanTotals *span_totals_new (const char *source);
void span_totals_free (SpanTotals *self);

/* Returns an empty set of cumulative sums. Each sum has a context, category, activity and unit, named as in the schema.
 * @category may be NULL. */
GHashTable *span_totals_totals_new (void);
void span_totals_totals_add (GHashTable *totals, const char *context, const char *category, const char *activity,
                             const char *unit, double value);

/* Opens a span. @totals are the sums at its start; takes ownership of them. */
RoastSpan *span_totals_open (SpanTotals *self, const char *name, GHashTable *totals);
/* Check a condition, and let @task fail if it does not hold. The conditions are that the backend tracks, and that this
 * backend opened the span. */
gboolean span_totals_check_tracking (SpanTotals *self, gboolean tracking, GTask *task);
gboolean span_totals_check_span (SpanTotals *self, RoastSpan *span, GTask *task);
void span_totals_close (SpanTotals *self, RoastSpan *span, GHashTable *totals, RoastRecording *recording);
/* Returns the metrics of the span as `a{sv}`. If the span is still open, computes them up to now; @totals are the
 * current sums. */
GVariant *span_totals_get_metrics (SpanTotals *self, RoastSpan *span, GHashTable *totals);

G_END_DECLS
