/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

#include "roast-supervisor-wire.h"

/* Takes the bytes of the supervisor's stream in any pieces and calls back once per frame. It does no I/O, so that a
 * fuzzer can feed it. An invalid frame is an error, and each later call fails in the same way. A frame that is called
 * back has the size of its type, terminated strings, correct counts and aligned memory. Unknown types are
 * skipped. */
typedef struct _RoastSupervisorStream RoastSupervisorStream;

typedef void (*RoastSupervisorFrameFunc) (guint32 type, gconstpointer payload, gsize length, gpointer user_data);

RoastSupervisorStream *roast_supervisor_stream_new (RoastSupervisorFrameFunc func, gpointer user_data);
void roast_supervisor_stream_free (RoastSupervisorStream *self);
gboolean roast_supervisor_stream_feed (RoastSupervisorStream *self, const guint8 *data, gsize length, GError **error);
/* Whether the last frame of the stream came. */
gboolean roast_supervisor_stream_is_finished (RoastSupervisorStream *self);

/* The arguments of a process as they stand in its frame, without passwords and tokens, quoted for a shell and joined,
 * in UTF-8; NULL if there are none. */
char *roast_supervisor_stream_quote (const char *arguments, gsize length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastSupervisorStream, roast_supervisor_stream_free)
