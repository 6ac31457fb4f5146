/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Keys of hash tables that are two texts, of which the second may be NULL. */

static inline guint
names_key_hash (const char *first, const char *second)
{
  return g_str_hash (first) ^ (second != NULL ? 31 * g_str_hash (second) : 0);
}

static inline gboolean
names_key_equal (const char *first, const char *second, const char *other_first, const char *other_second)
{
  return g_str_equal (first, other_first) && g_strcmp0 (second, other_second) == 0;
}

G_END_DECLS
