/* SPDX-License-Identifier: BSD-3-Clause */
#include "protobuf.h"

#include <string.h>

#define VARINT 0
#define FIXED64 1
#define LENGTH_DELIMITED 2

#define MOST_VARINT 10 /* bytes */

void
protobuf_clear (Protobuf *self)
{
  g_clear_pointer (&self->data, g_free);
  self->length = self->size = 0;
}

static inline void
reserve (Protobuf *self, gsize more)
{
  if (G_LIKELY (self->size - self->length >= more))
    return;
  self->size = MAX (2 * self->size, self->length + more + 4096);
  self->data = g_realloc (self->data, self->size);
}

/* Seven bits a byte, the lowest first; the highest bit of a byte is set if another one follows. */
static inline gsize
encode (guint8 *to, guint64 value)
{
  gsize n = 0;

  for (; value >= 0x80; value >>= 7)
    to[n++] = (guint8) (value | 0x80);
  to[n++] = (guint8) value;

  return n;
}

static inline void
put_key (Protobuf *self, guint field, guint wire_type)
{
  self->length += encode (self->data + self->length, (guint64) field << 3 | wire_type);
}

void
protobuf_put_uint (Protobuf *self, guint field, guint64 value)
{
  reserve (self, 2 * MOST_VARINT);
  put_key (self, field, VARINT);
  self->length += encode (self->data + self->length, value);
}

void
protobuf_put_padded (Protobuf *self, guint field, guint64 value, guint least)
{
  gsize start;

  reserve (self, 2 * MOST_VARINT);
  put_key (self, field, VARINT);
  start = self->length;
  self->length += encode (self->data + self->length, value);
  while (self->length - start < least)
    {
      self->data[self->length - 1] |= 0x80;
      self->data[self->length++] = 0;
    }
}

void
protobuf_put_int (Protobuf *self, guint field, gint64 value)
{
  protobuf_put_uint (self, field, (guint64) value);
}

void
protobuf_put_double (Protobuf *self, guint field, double value)
{
  guint64 bits = 0;

  memcpy (&bits, &value, sizeof bits);
  bits = GUINT64_TO_LE (bits);
  reserve (self, MOST_VARINT + sizeof bits);
  put_key (self, field, FIXED64);
  memcpy (self->data + self->length, &bits, sizeof bits);
  self->length += sizeof bits;
}

void
protobuf_put_bytes (Protobuf *self, guint field, gconstpointer bytes, gsize length)
{
  reserve (self, 2 * MOST_VARINT + length);
  put_key (self, field, LENGTH_DELIMITED);
  self->length += encode (self->data + self->length, length);
  if (length > 0)
    memcpy (self->data + self->length, bytes, length);
  self->length += length;
}

void
protobuf_put_string (Protobuf *self, guint field, const char *text)
{
  gsize length = strlen (text);
  g_autofree char *valid = NULL;

  if (!g_utf8_validate_len (text, length, NULL))
    {
      text = valid = g_utf8_make_valid (text, (gssize) length);
      length = strlen (text);
    }
  protobuf_put_bytes (self, field, text, length);
}

/* The length is one byte for most messages: only for longer ones their bytes are moved. */
gsize
protobuf_begin (Protobuf *self, guint field)
{
  reserve (self, 2 * MOST_VARINT);
  put_key (self, field, LENGTH_DELIMITED);
  self->length++;

  return self->length;
}

void
protobuf_end (Protobuf *self, gsize begin)
{
  guint8 length[MOST_VARINT];
  gsize n = encode (length, self->length - begin);

  if (n > 1)
    {
      reserve (self, n);
      memmove (self->data + begin + n - 1, self->data + begin, self->length - begin);
      self->length += n - 1;
    }
  memcpy (self->data + begin - 1, length, n);
}
