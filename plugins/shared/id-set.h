/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* A set of identities. It stores only a 64-bit hash of each identity. The probability that any two of a million
 * identities have the same hash is 1 in 3e7. */
typedef struct
{
  guint64 *slots; /* hashes; 0 for a free slot; the lowest bit is set if the hash is marked */
  gsize size, n, n_marked;
} IdSet;

#define ID_SET_START G_GUINT64_CONSTANT (0xcbf29ce484222325)

guint64 id_set_hash_text (guint64 hash, const char *text);
guint64 id_set_hash_number (guint64 hash, guint64 number);

/* Prefetches the slot of @hash, for a later call with the same hash. A lookup in a large set mostly waits for memory,
 * and these waits overlap if several slots are prefetched. */
void id_set_prefetch (const IdSet *self, guint64 hash);

/* Adds @hash. Returns FALSE if the set already contained it. */
gboolean id_set_add (IdSet *self, guint64 hash);
gboolean id_set_contains (const IdSet *self, guint64 hash);

/* Marks @hash. Returns FALSE if the set does not contain @hash, or if @hash is already marked. */
gboolean id_set_mark (IdSet *self, guint64 hash);
void id_set_clear (IdSet *self);
