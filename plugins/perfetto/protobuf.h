/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Messages of protocol buffers, appended to a buffer. A field is its number and wire type as a varint, then its value:
 * a varint, eight bytes, or a length and that many bytes. See https://protobuf.dev/programming-guides/encoding/. */
typedef struct
{
  guint8 *data;
  gsize length, size;
} Protobuf;

void protobuf_clear (Protobuf *self);
void protobuf_put_uint (Protobuf *self, guint field, guint64 value);
/* At least that many bytes, at most ten: messages of one length are compressed better. */
void protobuf_put_padded (Protobuf *self, guint field, guint64 value, guint least);
/* For fields of type int32 and int64: not zigzag. */
void protobuf_put_int (Protobuf *self, guint field, gint64 value);
void protobuf_put_double (Protobuf *self, guint field, double value);
void protobuf_put_bytes (Protobuf *self, guint field, gconstpointer bytes, gsize length);
/* Valid UTF-8 whatever @text is. */
void protobuf_put_string (Protobuf *self, guint field, const char *text);

/* What is put until protobuf_end () gets what protobuf_begin () returned is a message in that field. */
gsize protobuf_begin (Protobuf *self, guint field);
void protobuf_end (Protobuf *self, gsize begin);

G_END_DECLS
