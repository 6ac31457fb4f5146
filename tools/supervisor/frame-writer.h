/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Frames to the library: buffered, never blocking. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct
{
  int fd; /* -1 once the library is gone */
  char *data;
  size_t start, end, capacity;
  uint64_t dropped; /* process samples that nobody read in time */
} FrameWriter;

void frame_writer_init (FrameWriter *self, int fd);
/* A frame of two parts, the second of which may be empty. */
void frame_writer_frame (FrameWriter *self, uint32_t type, const void *first, size_t first_size, const void *second,
                         size_t second_size);
/* Whether samples may still be sent: what is final always is. */
bool frame_writer_has_room (const FrameWriter *self);
bool frame_writer_pending (const FrameWriter *self);
/* Writes what can be written without waiting. */
void frame_writer_flush (FrameWriter *self);
/* Waits until everything is written, or the library is gone. */
void frame_writer_drain (FrameWriter *self);
void frame_writer_close (FrameWriter *self);
