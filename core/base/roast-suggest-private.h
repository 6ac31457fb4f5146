/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Returns the name in @known that is most similar to @name, which the user may have mistyped. Returns NULL if no name
 * is similar. @known owns the result. */
const char *roast_suggest (const char *name, const char *const *known);

/* Compares two names, for sorting an array of names; @a and @b point to elements (char **). */
int roast_compare_names (gconstpointer a, gconstpointer b);

/* Builds a sentence such as "it has: a, b, c. Did you mean b?" for an error message. @intro is the start of the
 * sentence ("it has"). @none is the whole sentence if @known is empty. */
char *roast_suggest_sentence (const char *name, const char *const *known, const char *intro, const char *none);
