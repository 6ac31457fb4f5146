/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Appends protocol buffer messages to a buffer. Each field consists of a varint, which contains its number and its wire
 * type, and of a value. The value is a varint, or eight bytes, or a length followed by that many bytes. See
 * https://protobuf.dev/programming-guides/encoding/. */
typedef struct
{
  guint8 *data;
  gsize length, size;
} Protobuf;

#define PROTOBUF_VARINT 0
#define PROTOBUF_FIXED64 1
#define PROTOBUF_LENGTH_DELIMITED 2

#define PROTOBUF_MOST_VARINT 10 /* maximum length of a varint, bytes */

void protobuf_clear (Protobuf *self);
void protobuf_grow (Protobuf *self, gsize more);
void protobuf_put_double (Protobuf *self, guint field, double value);
void protobuf_put_bytes (Protobuf *self, guint field, gconstpointer bytes, gsize length);
/* Puts a text. Bytes of @text that are not valid UTF-8 are replaced. */
void protobuf_put_string (Protobuf *self, guint field, const char *text);

/* Ends a nested message. @begin: return value of protobuf_begin () */
void protobuf_end (Protobuf *self, gsize begin);

/* ---- inline, because a trace calls these tens of millions of times ---- */

static inline void
protobuf_reserve (Protobuf *self, gsize more)
{
  if (G_UNLIKELY (self->size - self->length < more))
    protobuf_grow (self, more);
}

/* Encodes a varint. Each byte has seven bits of the value; the lowest bits come first. The highest bit of a byte is set
 * if another byte follows. */
static inline gsize
protobuf_encode (guint8 *to, guint64 value)
{
  gsize n = 0;

  for (; value >= 0x80; value >>= 7)
    to[n++] = (guint8) (value | 0x80);
  to[n++] = (guint8) value;

  return n;
}

static inline void
protobuf_put_key (Protobuf *self, guint field, guint wire_type)
{
  self->length += protobuf_encode (self->data + self->length, (guint64) field << 3 | wire_type);
}

static inline void
protobuf_put_uint (Protobuf *self, guint field, guint64 value)
{
  protobuf_reserve (self, 2 * PROTOBUF_MOST_VARINT);
  protobuf_put_key (self, field, PROTOBUF_VARINT);
  self->length += protobuf_encode (self->data + self->length, value);
}

/* Puts a field of type int32 or int64. Values of these types are not zigzag-encoded. */
static inline void
protobuf_put_int (Protobuf *self, guint field, gint64 value)
{
  protobuf_put_uint (self, field, (guint64) value);
}

/* Puts a varint that is padded to at least @least bytes (at most ten), because messages of the same length compress
 * better. */
static inline void
protobuf_put_padded (Protobuf *self, guint field, guint64 value, guint least)
{
  gsize start;

  protobuf_reserve (self, 2 * PROTOBUF_MOST_VARINT);
  protobuf_put_key (self, field, PROTOBUF_VARINT);
  start = self->length;
  self->length += protobuf_encode (self->data + self->length, value);
  while (self->length - start < least)
    {
      self->data[self->length - 1] |= 0x80;
      self->data[self->length++] = 0;
    }
}

/* Begins a nested message. Reserves one byte for its length, which is enough for most messages. If the message needs a
 * longer length, protobuf_end () moves the bytes of the message. */
static inline gsize
protobuf_begin (Protobuf *self, guint field)
{
  protobuf_reserve (self, 2 * PROTOBUF_MOST_VARINT);
  protobuf_put_key (self, field, PROTOBUF_LENGTH_DELIMITED);
  self->length++;

  return self->length;
}
