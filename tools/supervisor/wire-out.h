/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Frames to the library: buffered, never blocking. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  int fd; /* -1 once the library is gone */
  char *data;
  size_t start, end, capacity;
  uint64_t dropped; /* process samples that nobody read in time */
} WireOut;

void wire_out_init (WireOut *self, int fd);
/* A frame of two parts, the second of which may be empty. */
void wire_out_frame (WireOut *self, uint32_t type, const void *first, size_t first_size, const void *second, size_t second_size);
/* Whether samples may still be sent: what is final always is. */
bool wire_out_has_room (const WireOut *self);
bool wire_out_pending (const WireOut *self);
/* Writes what can be written without waiting. */
void wire_out_flush (WireOut *self);
/* Waits until everything is written, or the library is gone. */
void wire_out_drain (WireOut *self);
void wire_out_close (WireOut *self);
