/* SPDX-License-Identifier: BSD-3-Clause */
#include "perfetto-blocks.h"

#include "perfetto-fields.h"

#define COMPRESSION_LEVEL 1 /* 6 takes six times as long and saves a tenth */

struct _Blocks
{
  GOutputStream *stream;
  GCancellable *cancellable;
  GConverter *compressor; /* or NULL; of the thread while there is one */
  GThread *thread;        /* or NULL */
  Protobuf packets;       /* what the thread compresses */
  Protobuf compressed;    /* its result */
  GError *thread_error;
  GError *error; /* the first */
};

Blocks *
blocks_new (GOutputStream *stream, gboolean compress, GCancellable *cancellable)
{
  Blocks *self = g_new0 (Blocks, 1);

  self->stream = g_object_ref (stream);
  self->cancellable = cancellable != NULL ? g_object_ref (cancellable) : NULL;
  if (compress)
    self->compressor = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB, COMPRESSION_LEVEL));

  return self;
}

static void
write_bytes (Blocks *self, const Protobuf *bytes)
{
  if (self->error == NULL && !g_cancellable_set_error_if_cancelled (self->cancellable, &self->error))
    g_output_stream_write_all (self->stream, bytes->data, bytes->length, NULL, self->cancellable, &self->error);
}

/* Random bytes may become a little longer. */
static gpointer
compress_block (gpointer data)
{
  Blocks *self = data;
  gsize size = self->packets.length + self->packets.length / 64 + 1024, read = 0, written = 0, begin;
  g_autofree guint8 *bytes = g_malloc (size);

  self->compressed.length = 0;
  g_converter_reset (self->compressor);
  if (g_converter_convert (self->compressor, self->packets.data, self->packets.length, bytes, size,
                           G_CONVERTER_INPUT_AT_END, &read, &written, &self->thread_error) == G_CONVERTER_ERROR)
    return NULL;
  g_assert (read == self->packets.length);
  begin = protobuf_begin (&self->compressed, TRACE_PACKET);
  protobuf_put_bytes (&self->compressed, PACKET_COMPRESSED_PACKETS, bytes, written);
  protobuf_end (&self->compressed, begin);

  return NULL;
}

static void
wait_for_thread (Blocks *self)
{
  if (self->thread == NULL)
    return;
  g_thread_join (g_steal_pointer (&self->thread));
  if (self->thread_error != NULL && self->error == NULL)
    self->error = g_steal_pointer (&self->thread_error);
  g_clear_error (&self->thread_error);
  write_bytes (self, &self->compressed);
}

/* Where no thread can be made, the caller does it. */
void
blocks_write (Blocks *self, Protobuf *packets)
{
  Protobuf taken = *packets;

  wait_for_thread (self);
  if (self->error != NULL || self->compressor == NULL)
    {
      write_bytes (self, packets);
      packets->length = 0;
      return;
    }
  *packets = self->packets;
  packets->length = 0;
  self->packets = taken;
  self->thread = g_thread_try_new ("roast-perfetto", compress_block, self, NULL);
  if (self->thread == NULL)
    {
      compress_block (self);
      if (self->thread_error != NULL)
        g_propagate_error (&self->error, g_steal_pointer (&self->thread_error));
      write_bytes (self, &self->compressed);
    }
}

gboolean
blocks_has_failed (const Blocks *self)
{
  return self->error != NULL;
}

gboolean
blocks_close (Blocks *self, GError **error)
{
  wait_for_thread (self);
  if (self->error == NULL)
    g_output_stream_close (self->stream, self->cancellable, &self->error);
  if (self->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&self->error));

  return FALSE;
}

void
blocks_free (Blocks *self)
{
  wait_for_thread (self);
  g_clear_error (&self->error);
  g_clear_object (&self->compressor);
  g_clear_object (&self->cancellable);
  g_object_unref (self->stream);
  protobuf_clear (&self->packets);
  protobuf_clear (&self->compressed);
  g_free (self);
}
