/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A part of a line: not terminated, nobody's own. */
typedef struct
{
  const char *at;
  gsize length;
} VineToken;

/* The next word, and what follows it; words are apart by one or more blanks. FALSE if there is none. */
gboolean vine_token_next (VineToken *rest, VineToken *word);
/* The last word, and what stands before it. */
gboolean vine_token_last (VineToken *rest, VineToken *word);
gboolean vine_token_is_blank (VineToken text);
gboolean vine_token_is (VineToken text, const char *word);
/* Digits only, and not too many. */
gboolean vine_token_integer (VineToken text, gint64 *value);
/* A decimal number as JSON writes it; FALSE if it is none, or infinite. */
gboolean vine_token_number (VineToken text, double *value);
/* With an end, in a buffer of @size bytes; FALSE if it does not fit. */
gboolean vine_token_copy (VineToken text, char *buffer, gsize size);
/* Valid UTF-8, of 200 bytes at most. */
char *vine_token_dup (VineToken text);

G_END_DECLS
