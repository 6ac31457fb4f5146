/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>
#include <stdint.h>
#include <string.h>

/* An input that stands for several texts: lines of "%%" separate them. */
typedef struct
{
  const char *rest;
  size_t left;
} Pieces;

/* The next text, as a block of exactly its size, not terminated: a sanitizer sees a read beyond the end. NULL if there
 * is none left. */
static inline char *
pieces_next (Pieces *self, size_t *length)
{
  static const char mark[] = "\n%%\n";
  const char *end;
  char *piece;

  if (self->rest == NULL)
    return NULL;
  end = memmem (self->rest, self->left, mark, strlen (mark));
  *length = end != NULL ? (size_t) (end - self->rest) : self->left;
  piece = g_malloc (MAX (*length, 1));
  memcpy (piece, self->rest, *length);
  self->rest = end != NULL ? end + strlen (mark) : NULL;
  self->left -= end != NULL ? *length + strlen (mark) : self->left;

  return piece;
}
