/* SPDX-License-Identifier: BSD-3-Clause */

/* Adds a chunk to a PNG file. The file is a signature, followed by chunks. Each chunk consists of length, type, data
 * and checksum (https://www.w3.org/TR/png/). */

#include "cairo-png-size.h"

#include <math.h>
#include <string.h>

#define SIGNATURE 8
#define HEADER (8 + 13 + 4) /* bytes; size of the IHDR chunk, which is always the first chunk */
#define INCHES_PER_METRE (1 / 0.0254)

/* Return the checksum of a chunk, which is a CRC-32 as in ISO 3309. */
static guint32
get_checksum (const guint8 *bytes, gsize n)
{
  guint32 checksum = 0xffffffff;

  for (gsize i = 0; i < n; i++)
    {
      checksum ^= bytes[i];
      for (guint bit = 0; bit < 8; bit++)
        checksum = checksum >> 1 ^ ((checksum & 1) != 0 ? 0xedb88320 : 0);
    }

  return ~checksum;
}

static guint8 *
put_uint32 (guint8 *at, guint32 value)
{
  guint32 big = GUINT32_TO_BE (value);

  return (guint8 *) memcpy (at, &big, sizeof big) + sizeof big;
}

void
png_size_add (GByteArray *png, double dpi)
{
  guint32 per_metre = (guint32) lround (dpi * INCHES_PER_METRE);
  guint8 chunk[4 + 4 + 9 + 4];
  guint8 *at = put_uint32 (chunk, 9);
  gsize end = SIGNATURE + HEADER;
  gsize rest = png->len - end;

  if (png->len < end)
    return;
  at = (guint8 *) memcpy (at, "pHYs", 4) + 4;
  at = put_uint32 (at, per_metre);
  at = put_uint32 (at, per_metre);
  *at++ = 1; /* the resolution is in pixels per metre */
  put_uint32 (at, get_checksum (chunk + 4, 4 + 9));

  g_byte_array_set_size (png, png->len + sizeof chunk);
  memmove (png->data + end + sizeof chunk, png->data + end, rest);
  memcpy (png->data + end, chunk, sizeof chunk);
}
