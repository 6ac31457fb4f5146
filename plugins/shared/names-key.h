/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* A key of hash tables: a name within a source. The same name in different sources gives different keys. */
typedef struct
{
  const char *name;
  const char *source; /* may be NULL */
} NamesKey;

static inline guint
names_key_hash (gconstpointer key)
{
  const NamesKey *self = key;

  return g_str_hash (self->name) ^ (self->source != NULL ? 31 * g_str_hash (self->source) : 0);
}

static inline gboolean
names_key_equal (gconstpointer a, gconstpointer b)
{
  const NamesKey *first = a;
  const NamesKey *second = b;

  return g_str_equal (first->name, second->name) && g_strcmp0 (first->source, second->source) == 0;
}

/* Returns the key as a single string, for hash tables that own their keys. Free it with g_free(). A @source of NULL
 * counts as an empty string. */
static inline char *
names_key_join (const char *source, const char *name)
{
  return g_strconcat (source != NULL ? source : "", "\n", name, NULL);
}
