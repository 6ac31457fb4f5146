/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

#include "roast-supervisor-wire.h"

/* Parses the supervisor's stream from pieces of any size, and calls a function for each frame. The parser does no I/O,
 * so that a fuzzer can feed it. After an invalid frame, the current call and all later calls fail with the same error.
 * The function for frames only receives frames of the right size for their type, with terminated strings, correct
 * counts and aligned memory. Frames of unknown types are skipped. */
typedef struct _RoastSupervisorStream RoastSupervisorStream;

typedef void (*RoastSupervisorFrameFunc) (guint32 type, gconstpointer payload, gsize length, gpointer user_data);

RoastSupervisorStream *roast_supervisor_stream_new (RoastSupervisorFrameFunc func, gpointer user_data);
void roast_supervisor_stream_free (RoastSupervisorStream *self);
gboolean roast_supervisor_stream_feed (RoastSupervisorStream *self, const guint8 *data, gsize length, GError **error);
/* Returns whether the last frame of the stream has arrived. */
gboolean roast_supervisor_stream_is_finished (RoastSupervisorStream *self);

/* Formats the arguments of a process, which a frame contains as NUL-separated strings, as a command line in UTF-8.
 * Redacts passwords and tokens, and quotes the words for a shell. Returns NULL if there are no arguments. */
char *roast_supervisor_stream_quote (const char *arguments, gsize length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastSupervisorStream, roast_supervisor_stream_free)
