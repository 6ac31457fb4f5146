/* SPDX-License-Identifier: BSD-3-Clause */

#include "frame-writer.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "process/roast-supervisor-wire.h"

#define SAMPLES_LIMIT (8u << 20)

void
frame_writer_init (FrameWriter *self, int fd)
{
  memset (self, 0, sizeof *self);
  self->fd = fd;
}

static bool
reserve (FrameWriter *self, size_t size)
{
  char *grown;
  size_t capacity = self->capacity != 0 ? self->capacity : 16384;

  if (self->start > 0)
    {
      memmove (self->data, self->data + self->start, self->end - self->start);
      self->end -= self->start;
      self->start = 0;
    }
  while (capacity < self->end + size)
    capacity *= 2;
  if (capacity == self->capacity)
    return true;
  grown = realloc (self->data, capacity);
  if (grown == NULL)
    return false;
  self->data = grown;
  self->capacity = capacity;

  return true;
}

void
frame_writer_frame (FrameWriter *self, uint32_t type, const void *first, size_t first_size, const void *second,
                    size_t second_size)
{
  RoastWireHeader header = { type, (uint32_t) (first_size + second_size) };

  if (self->fd < 0 ||
      (self->end + sizeof header + header.length > self->capacity && !reserve (self, sizeof header + header.length)))
    return;
  memcpy (self->data + self->end, &header, sizeof header);
  self->end += sizeof header;
  if (first_size > 0)
    memcpy (self->data + self->end, first, first_size);
  self->end += first_size;
  if (second_size > 0)
    memcpy (self->data + self->end, second, second_size);
  self->end += second_size;
}

bool
frame_writer_is_open (const FrameWriter *self)
{
  return self->fd >= 0;
}

bool
frame_writer_has_room (const FrameWriter *self)
{
  return self->end - self->start < SAMPLES_LIMIT;
}

bool
frame_writer_pending (const FrameWriter *self)
{
  return self->end > self->start;
}

void
frame_writer_flush (FrameWriter *self)
{
  while (frame_writer_pending (self))
    {
      ssize_t n = send (self->fd, self->data + self->start, self->end - self->start, MSG_NOSIGNAL | MSG_DONTWAIT);

      if (n < 0 && errno == EAGAIN)
        return;
      if (n < 0)
        {
          frame_writer_close (self);
          return;
        }
      self->start += (size_t) n;
    }
  self->start = self->end = 0;
}

void
frame_writer_drain (FrameWriter *self)
{
  while (frame_writer_pending (self))
    {
      struct pollfd p = { self->fd, POLLOUT, 0 };

      poll (&p, 1, -1);
      frame_writer_flush (self);
    }
}

void
frame_writer_close (FrameWriter *self)
{
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
  free (self->data);
  self->data = NULL;
  self->start = self->end = self->capacity = 0;
}
