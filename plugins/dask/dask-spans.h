/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Spans that an application opens: what was done between two flushes. That is right also where Dask merges spans of the same
 * functions, and needs nothing of the script. */
typedef struct _DaskSpans DaskSpans;

DaskSpans *dask_spans_new         (void);
void       dask_spans_free        (DaskSpans *self);

/* @totals are taken: sums by "context\nprefix\nactivity\nunit", after a flush. */
RoastSpan *dask_spans_open        (DaskSpans *self, const char *name, GHashTable *totals);
gboolean   dask_spans_contains    (DaskSpans *self, RoastSpan *span);
void       dask_spans_close       (DaskSpans *self, RoastSpan *span, GHashTable *totals, RoastRecording *recording);
/* Until now (@totals) if it is open; as `a{sv}`. */
GVariant  *dask_spans_get_metrics (DaskSpans *self, RoastSpan *span, GHashTable *totals);

G_END_DECLS
