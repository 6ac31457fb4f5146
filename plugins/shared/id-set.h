/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A set of identities by 64-bit hashes, eight bytes each: two of a million identities have the same hash once in 3e7
 * runs. */
typedef struct
{
  guint64 *slots; /* 0: free; the lowest bit: marked */
  gsize size, n, n_marked;
} IdSet;

#define ID_SET_START G_GUINT64_CONSTANT (0xcbf29ce484222325)

guint64 id_set_hash_text (guint64 hash, const char *text);
guint64 id_set_hash_number (guint64 hash, guint64 number);

/* Starts to load what the next call for @hash needs. In a large set most of the time goes into waiting for memory,
 * unless several are loaded at once. */
void id_set_prefetch (const IdSet *self, guint64 hash);

/* FALSE if it was there. */
gboolean id_set_add (IdSet *self, guint64 hash);
gboolean id_set_contains (const IdSet *self, guint64 hash);

/* FALSE if it is not there, or is marked. */
gboolean id_set_mark (IdSet *self, guint64 hash);
void id_set_clear (IdSet *self);

G_END_DECLS
