/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Spans that an application opens. The work within a span is computed from cumulative sums: their values at the end of
 * the span minus their values at its start. So the executor need not have spans, and the script need not know about
 * them. */
typedef struct _SpanTotals SpanTotals;

/* @source: name of the backend, which becomes the source of rows in the table span_activities */
SpanTotals *span_totals_new (const char *source);
void span_totals_free (SpanTotals *self);

/* Returns an empty set of cumulative sums. Each sum belongs to a context, category, activity and unit, with the words
 * of the schema. @category may be NULL. */
GHashTable *span_totals_totals_new (void);
void span_totals_totals_add (GHashTable *totals, const char *context, const char *category, const char *activity,
                             const char *unit, double value);

/* Opens a span. @totals: the cumulative sums at its start; takes ownership */
RoastSpan *span_totals_open (SpanTotals *self, const char *name, GHashTable *totals);
/* Check that the backend tracks, and that this backend opened the span of the caller. If not, let @task fail and return
 * FALSE. */
gboolean span_totals_check_tracking (SpanTotals *self, gboolean tracking, GTask *task);
gboolean span_totals_check_span (SpanTotals *self, RoastSpan *span, GTask *task);
void span_totals_close (SpanTotals *self, RoastSpan *span, GHashTable *totals, RoastRecording *recording);
/* Returns the metrics of the span as `a{sv}`. If the span is still open, they cover the time until now. @totals: the
 * current cumulative sums */
GVariant *span_totals_get_metrics (SpanTotals *self, RoastSpan *span, GHashTable *totals);
