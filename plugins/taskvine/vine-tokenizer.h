/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/* A part of a line. It points into the line and does not end in NUL. */
typedef struct
{
  const char *start;
  gsize length;
} VineToken;

/* Takes the next word off the start of @rest. Words are separated by blanks. FALSE if there is none. */
gboolean vine_token_next (VineToken *rest, VineToken *word);
/* Takes the last word off the end of @rest. */
gboolean vine_token_last (VineToken *rest, VineToken *word);
gboolean vine_token_is_blank (VineToken token);

/* In the header, since the length of a literal is known where it is compared: most lines are compared several times. */
static inline gboolean
vine_token_equal (VineToken token, const char *word)
{
  return strlen (word) == token.length && memcmp (token.start, word, token.length) == 0;
}

/* FALSE unless it has digits only, 18 at most. */
gboolean vine_token_to_integer (VineToken token, gint64 *value);
/* Takes a finite decimal number, as JSON writes it, off the start of @rest. FALSE if there is none; then @rest may be
 * anywhere in it. */
gboolean vine_token_take_double (VineToken *rest, double *value);
/* FALSE unless it is such a number and nothing else. */
gboolean vine_token_to_double (VineToken token, double *value);
/* Copies it, with a NUL, into a buffer of @size bytes. FALSE if it does not fit. */
gboolean vine_token_copy (VineToken token, char *buffer, gsize size);
/* A copy in valid UTF-8, of its first 200 bytes at most. */
char *vine_token_dup (VineToken token);

G_END_DECLS
