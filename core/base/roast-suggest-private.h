/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* The one of @known that a person who wrote @name may have meant, or NULL; owned by @known. */
const char *roast_suggest (const char *name, const char *const *known);

/* "it has: a, b, c. Did you mean b?" for an error message; @intro is "it has", @none what to say if @known is empty. */
char *roast_suggest_sentence (const char *name, const char *const *known, const char *intro, const char *none);
