/* SPDX-License-Identifier: BSD-3-Clause */
#include "protobuf.h"

#include <string.h>

void
protobuf_clear (Protobuf *self)
{
  g_clear_pointer (&self->data, g_free);
  self->length = self->size = 0;
}

void
protobuf_grow (Protobuf *self, gsize more)
{
  self->size = MAX (2 * self->size, self->length + more + 4096);
  self->data = g_realloc (self->data, self->size);
}

void
protobuf_put_double (Protobuf *self, guint field, double value)
{
  guint64 bits = 0;

  memcpy (&bits, &value, sizeof bits);
  bits = GUINT64_TO_LE (bits);
  protobuf_reserve (self, PROTOBUF_MOST_VARINT + sizeof bits);
  protobuf_put_key (self, field, PROTOBUF_FIXED64);
  memcpy (self->data + self->length, &bits, sizeof bits);
  self->length += sizeof bits;
}

void
protobuf_put_bytes (Protobuf *self, guint field, gconstpointer bytes, gsize length)
{
  protobuf_reserve (self, 2 * PROTOBUF_MOST_VARINT + length);
  protobuf_put_key (self, field, PROTOBUF_LENGTH_DELIMITED);
  self->length += protobuf_encode (self->data + self->length, length);
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

void
protobuf_end (Protobuf *self, gsize begin)
{
  guint8 length[PROTOBUF_MOST_VARINT];
  gsize n = protobuf_encode (length, self->length - begin);

  if (n > 1)
    {
      protobuf_reserve (self, n);
      memmove (self->data + begin + n - 1, self->data + begin, self->length - begin);
      self->length += n - 1;
    }
  memcpy (self->data + begin - 1, length, n);
}
