/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Compresses blocks, each for itself, in zlib's format: by libdeflate, or where roast was built without it by GLib. */
typedef struct _Deflate Deflate;

Deflate *deflate_new (void);
void deflate_free (Deflate *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Deflate, deflate_free)

/* The most bytes that a block of @length bytes becomes. */
gsize deflate_get_bound (Deflate *self, gsize length);

/* @to has room for that many. Returns how many it wrote. */
gsize deflate_compress (Deflate *self, gconstpointer bytes, gsize length, gpointer to);

G_END_DECLS
