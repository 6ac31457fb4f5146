/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

#include "protobuf.h"

G_BEGIN_DECLS

/* Blocks of packets on their way to a stream: threads compress some while the next one is made. */
typedef struct _Blocks Blocks;

Blocks *blocks_new (GOutputStream *stream, gboolean compress, GCancellable *cancellable);
void blocks_free (Blocks *self);

/* Takes the bytes, and leaves an empty buffer. */
void blocks_write (Blocks *self, Protobuf *packets);
gboolean blocks_has_failed (const Blocks *self);

/* Waits for what is under way, and closes the stream. */
gboolean blocks_close (Blocks *self, GError **error);

G_END_DECLS
