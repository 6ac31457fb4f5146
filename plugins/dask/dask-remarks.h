/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Events about one scheduler, and lines from it that were refused: both are bounded, and summed up at the end. */
typedef struct _DaskRemarks DaskRemarks;

/* @source may be NULL: nothing is known of the scheduler yet. */
DaskRemarks *dask_remarks_new (RoastRecording *recording, const char *source);
void dask_remarks_free (DaskRemarks *self);

/* @time: -1 for now */
void dask_remarks_add (DaskRemarks *self, gint64 time, RoastSeverity severity, const char *kind, const char *message);
/* A row of the wire's table of events, which has the columns of events. */
gboolean dask_remarks_take (DaskRemarks *self, RoastWireReader *row, gint64 time, GError **error);
void dask_remarks_note_refused (DaskRemarks *self, const GError *error);
void dask_remarks_finish (DaskRemarks *self);

G_END_DECLS
