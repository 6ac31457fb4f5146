/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Writes the table spans for one scheduler. The wire's table has the same columns. */
typedef struct _DaskSpans DaskSpans;

DaskSpans *dask_spans_new (RoastRecording *recording, const char *source, gint64 clock_offset);
void dask_spans_free (DaskSpans *self);

gboolean dask_spans_take (DaskSpans *self, RoastWireReader *row, gint64 now, GError **error);
/* Write the start and end of each span when no more rows will come, because both change while a span runs. */
void dask_spans_finish (DaskSpans *self);

G_END_DECLS
