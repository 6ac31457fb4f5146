/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Spans that an application opens: the work between two moments, as differences of cumulative sums. That is right
 * whatever spans the executor has itself, and needs nothing of the script. */
typedef struct _SpanTotals SpanTotals;

/* @source: name of the backend, and source of rows of the table span_activities */
SpanTotals *span_totals_new (const char *source);
void span_totals_free (SpanTotals *self);

/* Sums until now, by context, category, activity and unit, in the words of the schema. @category may be NULL. */
GHashTable *span_totals_totals_new (void);
void span_totals_totals_add (GHashTable *totals, const char *context, const char *category, const char *activity,
                             const char *unit, double value);

/* @totals are taken. */
RoastSpan *span_totals_open (SpanTotals *self, const char *name, GHashTable *totals);
/* Fail the task unless the backend is @tracking, or unless it opened the span. */
gboolean span_totals_check_tracking (SpanTotals *self, gboolean tracking, GTask *task);
gboolean span_totals_check_span (SpanTotals *self, RoastSpan *span, GTask *task);
void span_totals_close (SpanTotals *self, RoastSpan *span, GHashTable *totals, RoastRecording *recording);
/* Until now (@totals) if it is open; as `a{sv}`. */
GVariant *span_totals_get_metrics (SpanTotals *self, RoastSpan *span, GHashTable *totals);

G_END_DECLS
