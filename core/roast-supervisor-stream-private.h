/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-process-observer.h"
#include "roast-supervisor-wire.h"

G_BEGIN_DECLS

/* Takes the bytes of the supervising program's stream as they come, in any pieces, and calls back once per frame.
 * Pure: a fuzzer can feed it. A frame that cannot be is an error, once; nothing after it is believed. */
typedef struct _RoastSupervisorStream RoastSupervisorStream;

typedef void (*RoastSupervisorFrameFunc) (guint32 type, gconstpointer payload, gsize length, gpointer user_data);

RoastSupervisorStream *roast_supervisor_stream_new  (RoastSupervisorFrameFunc func, gpointer user_data);
void                   roast_supervisor_stream_free (RoastSupervisorStream *self);
gboolean               roast_supervisor_stream_feed (RoastSupervisorStream *self,
                                                     const guint8          *data,
                                                     gsize                  length,
                                                     GError               **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastSupervisorStream, roast_supervisor_stream_free)

G_END_DECLS
