/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Spans that an application opens. The work within a span is the difference of cumulative sums at its ends. This
 * works regardless of the executor's own spans and needs no support in the script. */
typedef struct _SpanTotals SpanTotals;

/* @source: name of the backend; also the source of the rows of span_activities */
SpanTotals *span_totals_new (const char *source);
void span_totals_free (SpanTotals *self);

/* Cumulative sums by context, category, activity and unit, in the terms of the schema. @category may be NULL. */
GHashTable *span_totals_totals_new (void);
void span_totals_totals_add (GHashTable *totals, const char *context, const char *category, const char *activity,
                             const char *unit, double value);

/* Takes ownership of @totals, the sums at the start of the span. */
RoastSpan *span_totals_open (SpanTotals *self, const char *name, GHashTable *totals);
/* Fail @task unless the backend is @tracking, or unless this backend opened the span. */
gboolean span_totals_check_tracking (SpanTotals *self, gboolean tracking, GTask *task);
gboolean span_totals_check_span (SpanTotals *self, RoastSpan *span, GTask *task);
void span_totals_close (SpanTotals *self, RoastSpan *span, GHashTable *totals, RoastRecording *recording);
/* Returns the metrics of the span as `a{sv}`. An open span ends now, at @totals. */
GVariant *span_totals_get_metrics (SpanTotals *self, RoastSpan *span, GHashTable *totals);

G_END_DECLS
