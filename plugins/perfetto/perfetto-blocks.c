/* SPDX-License-Identifier: BSD-3-Clause */
#include "perfetto-blocks.h"

#include "perfetto-deflate.h"
#include "perfetto-fields.h"

#define MOST_JOBS 4

/* A block that a thread compresses. */
typedef struct
{
  Deflate *deflate;
  GThread *thread;     /* or NULL */
  Protobuf packets;    /* what it compresses */
  Protobuf compressed; /* its result */
} Job;

struct _Blocks
{
  GOutputStream *stream;
  GCancellable *cancellable;
  Job jobs[MOST_JOBS]; /* a ring: the next one is the oldest */
  guint n_jobs, next;  /* no jobs: blocks are not compressed */
  GError *error;       /* the first */
};

Blocks *
blocks_new (GOutputStream *stream, gboolean compress, GCancellable *cancellable)
{
  Blocks *self = g_new0 (Blocks, 1);

  self->stream = g_object_ref (stream);
  self->cancellable = cancellable != NULL ? g_object_ref (cancellable) : NULL;
  self->n_jobs = compress ? MIN (g_get_num_processors (), MOST_JOBS) : 0;
  for (guint i = 0; i < self->n_jobs; i++)
    self->jobs[i].deflate = deflate_new ();

  return self;
}

static void
write_bytes (Blocks *self, const Protobuf *bytes)
{
  if (self->error == NULL && !g_cancellable_set_error_if_cancelled (self->cancellable, &self->error))
    g_output_stream_write_all (self->stream, bytes->data, bytes->length, NULL, self->cancellable, &self->error);
}

static gpointer
compress_block (gpointer data)
{
  Job *job = data;
  g_autofree guint8 *bytes = g_malloc (deflate_get_bound (job->deflate, job->packets.length));
  gsize written = deflate_compress (job->deflate, job->packets.data, job->packets.length, bytes);
  gsize begin;

  job->compressed.length = 0;
  begin = protobuf_begin (&job->compressed, TRACE_PACKET);
  protobuf_put_bytes (&job->compressed, PACKET_COMPRESSED_PACKETS, bytes, written);
  protobuf_end (&job->compressed, begin);

  return NULL;
}

static void
finish_job (Blocks *self, Job *job)
{
  if (job->thread != NULL)
    g_thread_join (g_steal_pointer (&job->thread));
  if (job->compressed.length > 0)
    write_bytes (self, &job->compressed);
  job->compressed.length = 0;
}

/* In the order in which they were made. */
static void
finish_jobs (Blocks *self)
{
  for (guint i = 0; i < self->n_jobs; i++)
    finish_job (self, &self->jobs[(self->next + i) % self->n_jobs]);
}

void
blocks_write (Blocks *self, Protobuf *packets)
{
  Protobuf taken = *packets;
  Job *job = &self->jobs[self->next];

  if (self->n_jobs > 0)
    finish_job (self, job);
  if (self->n_jobs == 0 || self->error != NULL)
    {
      write_bytes (self, packets);
      packets->length = 0;
      return;
    }
  *packets = job->packets;
  packets->length = 0;
  job->packets = taken;
  job->thread = g_thread_try_new ("roast-perfetto", compress_block, job, NULL);
  /* Where no thread can be made, the caller does it. */
  if (job->thread == NULL)
    compress_block (job);
  self->next = (self->next + 1) % self->n_jobs;
}

gboolean
blocks_has_failed (const Blocks *self)
{
  return self->error != NULL;
}

gboolean
blocks_close (Blocks *self, GError **error)
{
  finish_jobs (self);
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
  finish_jobs (self);
  for (guint i = 0; i < self->n_jobs; i++)
    {
      g_clear_pointer (&self->jobs[i].deflate, deflate_free);
      protobuf_clear (&self->jobs[i].packets);
      protobuf_clear (&self->jobs[i].compressed);
    }
  g_clear_error (&self->error);
  g_clear_object (&self->cancellable);
  g_object_unref (self->stream);
  g_free (self);
}
