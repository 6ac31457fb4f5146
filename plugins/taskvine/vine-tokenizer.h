/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>
#include <string.h>

#define VINE_MIB 1048576.0 /* bytes in the unit of memory and disk that TaskVine's logs and status use */
#define VINE_MAX_NAME 200  /* bytes; maximum length of a name that is kept */

/* A part of a line. It points into the line, so it is not NUL-terminated. */
typedef struct
{
  const char *start;
  gsize length;
} VineToken;

/* Take the next word off the start of @rest. Words are separated by blanks. Returns FALSE if @rest has no word. */
gboolean vine_token_next (VineToken *rest, VineToken *word);
/* Take the last word off the end of @rest. */
gboolean vine_token_last (VineToken *rest, VineToken *word);

/* Compare a token with a word. This function is inline for speed: it is called several times for most lines, and the
 * compiler knows the length of a literal. */
static inline gboolean
vine_token_equal (VineToken token, const char *word)
{
  return strlen (word) == token.length && memcmp (token.start, word, token.length) == 0;
}

/* Parse an integer. Returns FALSE unless the token consists of 1 to 18 digits. */
gboolean vine_token_to_integer (VineToken token, gint64 *value);
/* Take a finite decimal number in JSON syntax off the start of @rest. Returns FALSE if there is no number. @rest may
 * then point into the invalid text. */
gboolean vine_token_take_double (VineToken *rest, double *value);
/* Parse a number. Returns FALSE unless the whole token is a finite decimal number. */
gboolean vine_token_to_double (VineToken token, double *value);
/* Copy the token and a terminating NUL into a buffer of @size bytes. Returns FALSE if the buffer is too small. */
gboolean vine_token_copy (VineToken token, char *buffer, gsize size);
/* Return a copy of at most the first 200 bytes, made valid UTF-8. */
char *vine_token_dup (VineToken token);
/* Look up the token, or its valid UTF-8 copy, in @table. Returns NULL if the token is longer than 200 bytes. */
gpointer vine_token_lookup (VineToken token, GHashTable *table);
