/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Events about one scheduler, and the number of lines that were refused. The number of events is limited. At the end,
 * one event each summarizes the events beyond the limit and the refused lines. */
typedef struct _DaskRemarks DaskRemarks;

/* @source: NULL if the scheduler is not known yet */
DaskRemarks *dask_remarks_new (RoastRecording *recording, const char *source);
void dask_remarks_free (DaskRemarks *self);

/* @time: -1 for now */
void dask_remarks_add (DaskRemarks *self, gint64 time, RoastSeverity severity, const char *kind, const char *message);
/* Take a row of the event table in the wire protocol, which has the same columns as the table events. */
gboolean dask_remarks_take (DaskRemarks *self, RoastWireReader *row, gint64 time, GError **error);
void dask_remarks_note_refused (DaskRemarks *self, const GError *error);
void dask_remarks_finish (DaskRemarks *self);
