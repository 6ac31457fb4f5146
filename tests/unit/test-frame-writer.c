/* SPDX-License-Identifier: BSD-3-Clause */

/* The stream to the library: nothing is lost or written twice when the library reads slowly, and nothing blocks. */

#include <glib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "frame-writer.h"
#include "process/roast-supervisor-wire.h"

typedef struct
{
  FrameWriter out;
  int fd; /* the library's end */
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  int fds[2], size = 4096;

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), ==, 0);
  g_assert_cmpint (setsockopt (fds[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size), ==, 0);
  memset (&self->out, 'x', sizeof self->out);
  frame_writer_init (&self->out, fds[0]);
  self->fd = fds[1];
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  frame_writer_close (&self->out);
  g_assert_cmpint (self->out.fd, ==, -1);
  if (self->fd >= 0)
    close (self->fd);
}

/* Frame n: n % 700 bytes and n % 5 more, each of the value n. */
static void
send_frame (FrameWriter *out, guint n)
{
  guint8 first[700], second[5];

  memset (first, (int) n, sizeof first);
  memset (second, (int) (n + 1), sizeof second);
  frame_writer_frame (out, n, first, n % 700, n % 5 > 0 ? second : NULL, n % 5);
  /* What is there has room, and the room is known. */
  g_assert_cmpuint (out->end, <=, out->capacity);
}

static void
assert_frames (const GByteArray *data, guint n_frames)
{
  gsize at = 0;

  for (guint n = 0; n < n_frames; n++)
    {
      RoastWireHeader header;

      g_assert_cmpuint (data->len - at, >=, sizeof header);
      memcpy (&header, data->data + at, sizeof header);
      at += sizeof header;
      g_assert_cmpuint (header.type, ==, n);
      g_assert_cmpuint (header.length, ==, n % 700 + n % 5);
      g_assert_cmpuint (data->len - at, >=, header.length);
      for (guint i = 0; i < header.length; i++)
        g_assert_cmpuint (data->data[at + i], ==, (guint8) (i < n % 700 ? n : n + 1));
      at += header.length;
    }
  g_assert_cmpuint (at, ==, data->len);
}

static gsize
read_some (int fd, GByteArray *data, gsize most)
{
  guint8 bytes[8192];
  gssize n = recv (fd, bytes, MIN (most, sizeof bytes), MSG_DONTWAIT);

  if (n > 0)
    g_byte_array_append (data, bytes, (guint) n);

  return n > 0 ? (gsize) n : 0;
}

static void
test_slow (Fixture *self, gconstpointer data)
{
  g_autoptr (GByteArray) got = g_byte_array_new ();

  g_assert_false (frame_writer_pending (&self->out));
  for (guint n = 0; n < 3000; n++)
    {
      send_frame (&self->out, n);
      g_assert_true (frame_writer_pending (&self->out));
      if (n % 7 == 0)
        frame_writer_flush (&self->out);
      if (n % 11 == 0)
        read_some (self->fd, got, 1000);
    }
  g_assert_true (frame_writer_pending (&self->out));
  while (frame_writer_pending (&self->out))
    {
      frame_writer_flush (&self->out);
      while (read_some (self->fd, got, 8192) > 0)
        ;
    }
  assert_frames (got, 3000);
  g_assert_cmpuint (self->out.dropped, ==, 0);
}

static gpointer
read_all (gpointer data)
{
  const Fixture *self = data;
  GByteArray *got = g_byte_array_new ();
  guint8 bytes[4096];
  gssize n;

  while ((n = recv (self->fd, bytes, sizeof bytes, 0)) > 0)
    g_byte_array_append (got, bytes, (guint) n);

  return got;
}

/* At the end it waits for the library. */
static void
test_drain (Fixture *self, gconstpointer data)
{
  g_autoptr (GByteArray) got = NULL;
  GThread *thread;

  for (guint n = 0; n < 2000; n++)
    send_frame (&self->out, n);
  thread = g_thread_new (NULL, read_all, self);
  frame_writer_drain (&self->out);
  g_assert_false (frame_writer_pending (&self->out));
  frame_writer_close (&self->out);
  got = g_thread_join (thread);
  assert_frames (got, 2000);
}

/* A library that is gone: no signal, no wait, and what comes later is not kept. */
static void
test_gone (Fixture *self, gconstpointer data)
{
  send_frame (&self->out, 1);
  close (self->fd);
  self->fd = -1;
  frame_writer_flush (&self->out);
  g_assert_cmpint (self->out.fd, ==, -1);
  g_assert_false (frame_writer_pending (&self->out));
  send_frame (&self->out, 2);
  g_assert_null (self->out.data);
  frame_writer_drain (&self->out);
}

/* Samples may be sent until 8 MiB wait. */
static void
test_room (Fixture *self, gconstpointer data)
{
  static char block[(8 << 20) - 2 * sizeof (RoastWireHeader) - 1];

  frame_writer_frame (&self->out, 1, block, sizeof block, NULL, 0);
  g_assert_true (frame_writer_has_room (&self->out));
  frame_writer_frame (&self->out, 1, block, 0, NULL, 0);
  g_assert_true (frame_writer_has_room (&self->out));
  frame_writer_frame (&self->out, 1, block, 0, NULL, 0);
  g_assert_false (frame_writer_has_room (&self->out));
  /* What was sent makes room. */
  frame_writer_flush (&self->out);
  g_assert_true (frame_writer_has_room (&self->out));
}

/* It may have number 0. */
static void
test_zero (void)
{
  FrameWriter out;
  int saved = dup (STDIN_FILENO), fds[2];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), ==, 0);
  g_assert_cmpint (dup2 (fds[0], STDIN_FILENO), ==, STDIN_FILENO);
  close (fds[0]);
  frame_writer_init (&out, STDIN_FILENO);
  g_assert_true (frame_writer_is_open (&out));
  send_frame (&out, 10);
  frame_writer_drain (&out);
  g_assert_true (frame_writer_is_open (&out));
  frame_writer_close (&out);
  g_assert_false (frame_writer_is_open (&out));
  g_assert_cmpint (dup2 (STDIN_FILENO, fds[0]), ==, -1);
  g_assert_cmpint (dup2 (saved, STDIN_FILENO), ==, STDIN_FILENO);
  close (saved);
  close (fds[1]);
}

#define ADD(name, function) g_test_add ("/frame-writer/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("slow", test_slow);
  ADD ("drain", test_drain);
  ADD ("gone", test_gone);
  ADD ("room", test_room);
  g_test_add_func ("/frame-writer/zero", test_zero);

  return g_test_run ();
}
