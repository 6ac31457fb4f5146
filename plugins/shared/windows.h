/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Spans that an application opens: what was done between two moments, as differences of cumulative sums. That is right whatever the
 * executor's own spans are, and needs nothing of the script. */
typedef struct _Windows Windows;

/* @source: what rows of the table span_activities are said to come from */
Windows   *windows_new         (const char *source);
void       windows_free        (Windows *self);

/* Sums of all until now, by what they are of. @prefix may be NULL. */
GHashTable *windows_totals_new (void);
void       windows_totals_add  (GHashTable *totals, const char *context, const char *prefix, const char *activity, const char *unit,
                                double value);

/* @totals are taken. */
RoastSpan *windows_open        (Windows *self, const char *name, GHashTable *totals);
gboolean   windows_contains    (Windows *self, RoastSpan *span);
void       windows_close       (Windows *self, RoastSpan *span, GHashTable *totals, RoastRecording *recording);
/* Until now (@totals) if it is open; as `a{sv}`. */
GVariant  *windows_get_metrics (Windows *self, RoastSpan *span, GHashTable *totals);

G_END_DECLS
