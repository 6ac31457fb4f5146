/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Join two notes, each of which may be NULL. Return NULL if both are NULL. Free the result with g_free(). */
static inline char *
notes_join (const char *a, const char *b)
{
  return a != NULL && b != NULL ? g_strconcat (a, "; ", b, NULL) : g_strdup (a != NULL ? a : b);
}

G_END_DECLS
