/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-supervisor-wire.h"
#include "roast/roast-process-observer.h"

G_BEGIN_DECLS

/* Takes the bytes of the supervisor's stream as they come, in any pieces, and calls back once per frame.
 * Pure: a fuzzer can feed it. A frame that cannot be is an error, and nothing after it is believed: each later call
 * fails in the same way. What is called back is whole: of the size that its type says, strings ended, counts right,
 * memory aligned. Types that are not known are skipped and counted. */
typedef struct _RoastSupervisorStream RoastSupervisorStream;

typedef void (*RoastSupervisorFrameFunc) (guint32 type, gconstpointer payload, gsize length, gpointer user_data);

RoastSupervisorStream *roast_supervisor_stream_new (RoastSupervisorFrameFunc func, gpointer user_data);
void roast_supervisor_stream_free (RoastSupervisorStream *self);
gboolean roast_supervisor_stream_feed (RoastSupervisorStream *self, const guint8 *data, gsize length, GError **error);
guint64 roast_supervisor_stream_get_skipped (RoastSupervisorStream *self);

/* The arguments of a process as they stand in its frame, quoted as a shell wants them and joined, in UTF-8; NULL if
 * there are none. */
char *roast_supervisor_stream_quote (const char *arguments, gsize length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastSupervisorStream, roast_supervisor_stream_free)

G_END_DECLS
