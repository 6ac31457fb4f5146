/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Spans that an application opens: what was done between two moments, as differences of cumulative sums. That is right
 * whatever the executor's own spans are, and needs nothing of the script. */
typedef struct _Windows SpanTotals;

/* @source: what rows of the table span_activities are said to come from */
SpanTotals *span_totals_new (const char *source);
void span_totals_free (SpanTotals *self);

/* Sums of all until now, by what they are of. @prefix may be NULL. */
GHashTable *span_totals_totals_new (void);
void span_totals_totals_add (GHashTable *totals, const char *context, const char *prefix, const char *activity,
                             const char *unit, double value);

/* @totals are taken. */
RoastSpan *span_totals_open (SpanTotals *self, const char *name, GHashTable *totals);
gboolean span_totals_contains (SpanTotals *self, RoastSpan *span);
void span_totals_close (SpanTotals *self, RoastSpan *span, GHashTable *totals, RoastRecording *recording);
/* Until now (@totals) if it is open; as `a{sv}`. */
GVariant *span_totals_get_metrics (SpanTotals *self, RoastSpan *span, GHashTable *totals);

G_END_DECLS
