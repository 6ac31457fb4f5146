/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A part of a line: not terminated, nobody's own. */
typedef struct
{
  const char *at;
  gsize length;
} VineText;

/* The next word, and what follows it; words are apart by one or more blanks. FALSE if there is none. */
gboolean vine_text_next    (VineText *rest, VineText *word);
/* The last word, and what stands before it. */
gboolean vine_text_last    (VineText *rest, VineText *word);
gboolean vine_text_is_blank (VineText text);
gboolean vine_text_is      (VineText text, const char *word);
/* Digits only, and not too many. */
gboolean vine_text_integer (VineText text, gint64 *value);
/* A decimal number as JSON writes it; FALSE if it is none, or infinite. */
gboolean vine_text_number  (VineText text, double *value);
/* With an end, in a buffer of @size bytes; FALSE if it does not fit. */
gboolean vine_text_copy    (VineText text, char *buffer, gsize size);
/* Valid UTF-8, of 200 bytes at most. */
char    *vine_text_dup     (VineText text);

G_END_DECLS
