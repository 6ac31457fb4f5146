/* SPDX-License-Identifier: BSD-3-Clause */

/* By zlib, which comes with GLib. */

#include "perfetto-deflate.h"

#include <gio/gio.h>

#define LEVEL 1 /* 6 takes six times as long and saves a tenth */

struct _Deflate
{
  GConverter *compressor;
};

Deflate *
deflate_new (void)
{
  Deflate *self = g_new0 (Deflate, 1);

  self->compressor = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB, LEVEL));

  return self;
}

void
deflate_free (Deflate *self)
{
  g_object_unref (self->compressor);
  g_free (self);
}

/* Random bytes become a little longer. */
gsize
deflate_get_bound (Deflate *self, gsize length)
{
  return length + length / 64 + 1024;
}

gsize
deflate_compress (Deflate *self, gconstpointer bytes, gsize length, gpointer to)
{
  gsize read = 0, written = 0;
  GConverterResult result;

  g_converter_reset (self->compressor);
  result = g_converter_convert (self->compressor, bytes, length, to, deflate_get_bound (self, length),
                                G_CONVERTER_INPUT_AT_END, &read, &written, NULL);
  /* It fails for want of room only. */
  g_assert (result == G_CONVERTER_FINISHED && read == length);

  return written;
}
