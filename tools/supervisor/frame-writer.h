/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Writes frames to the library, buffered and without blocking. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct
{
  int fd; /* descriptor of the socket; -1 after the library is gone */
  char *data;
  size_t start, end, capacity;
  uint64_t dropped; /* number of process samples that were not sent because the library did not read fast enough */
} FrameWriter;

void frame_writer_init (FrameWriter *self, int fd);
/* Appends a frame to the buffer. The payload of the frame consists of two parts, of which the second may be empty. */
void frame_writer_frame (FrameWriter *self, uint32_t type, const void *first, size_t first_size, const void *second,
                         size_t second_size);
/* Returns whether the library is still connected. */
bool frame_writer_is_open (const FrameWriter *self);
/* Returns whether the buffer has room for samples. Final records do not need this check, because they are always
 * sent. */
bool frame_writer_has_room (const FrameWriter *self);
bool frame_writer_pending (const FrameWriter *self);
/* Writes as much as possible without waiting. */
void frame_writer_flush (FrameWriter *self);
/* Waits until everything is written or the library is gone. */
void frame_writer_drain (FrameWriter *self);
void frame_writer_close (FrameWriter *self);
