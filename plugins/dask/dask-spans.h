/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Writes the table spans for one scheduler. The table in the wire protocol has the same columns. */
typedef struct _DaskSpans DaskSpans;

DaskSpans *dask_spans_new (RoastRecording *recording, const char *source, gint64 clock_offset);
void dask_spans_free (DaskSpans *self);

gboolean dask_spans_take (DaskSpans *self, RoastWireReader *row, gint64 now, GError **error);
/* Write the start and end of each span. Call this function after the last row, because both times change as long as a
 * span goes on. */
void dask_spans_finish (DaskSpans *self);
