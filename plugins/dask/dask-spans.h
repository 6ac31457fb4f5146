/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* The spans of one scheduler: table spans, which has the columns of the wire's table as well. */
typedef struct _DaskSpans DaskSpans;

DaskSpans *dask_spans_new (RoastRecording *recording, const char *source, gint64 clock_offset);
void dask_spans_free (DaskSpans *self);

gboolean dask_spans_take (DaskSpans *self, RoastWireReader *row, gint64 now, GError **error);
/* No more rows will come: writes when spans started and ended, which changes while they run. */
void dask_spans_finish (DaskSpans *self);

G_END_DECLS
