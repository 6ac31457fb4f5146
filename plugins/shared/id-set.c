/* SPDX-License-Identifier: BSD-3-Clause */
#include "id-set.h"

#define MARK G_GUINT64_CONSTANT (1)
#define MIN_SIZE 64 /* number of slots, a power of 2 */

/* Uses the hash function FNV-1a, because it does not need the length of the text in advance. finish() mixes the bits of
 * the result. */
guint64
id_set_hash_text (guint64 hash, const char *text)
{
  for (const guchar *c = (const guchar *) text; *c != '\0'; c++)
    hash = (hash ^ *c) * G_GUINT64_CONSTANT (0x100000001b3);

  return hash;
}

guint64
id_set_hash_number (guint64 hash, guint64 number)
{
  for (guint i = 0; i < 8; i++, number >>= 8)
    hash = (hash ^ (number & 0xff)) * G_GUINT64_CONSTANT (0x100000001b3);

  return hash;
}

/* Mix the bits of a hash with the finalizer of MurmurHash3. Clear the bit MARK. Never return 0, because 0 marks a free
 * slot. */
static guint64
finish (guint64 hash)
{
  hash = (hash ^ (hash >> 33)) * G_GUINT64_CONSTANT (0xff51afd7ed558ccd);
  hash = (hash ^ (hash >> 33)) * G_GUINT64_CONSTANT (0xc4ceb9fe1a85ec53);
  hash ^= hash >> 33;

  return MAX (hash & ~MARK, 2);
}

/* Return the slot that contains @key. If there is none, return the free slot where @key would be stored. */
static guint64 *
find (const IdSet *self, guint64 key)
{
  gsize slot = (key >> 1) & (self->size - 1);

  while (self->slots[slot] != 0 && (self->slots[slot] & ~MARK) != key)
    slot = (slot + 1) & (self->size - 1);

  return &self->slots[slot];
}

static void
grow (IdSet *self)
{
  IdSet larger = { .size = MAX (2 * self->size, MIN_SIZE), .n = self->n, .n_marked = self->n_marked };

  larger.slots = g_new0 (guint64, larger.size);
  for (gsize i = 0; i < self->size; i++)
    if (self->slots[i] != 0)
      *find (&larger, self->slots[i] & ~MARK) = self->slots[i];
  g_free (self->slots);
  *self = larger;
}

void
id_set_prefetch (const IdSet *self, guint64 hash)
{
  if (self->size > 0)
    __builtin_prefetch (&self->slots[(finish (hash) >> 1) & (self->size - 1)], 1);
}

gboolean
id_set_add (IdSet *self, guint64 hash)
{
  guint64 key = finish (hash);
  guint64 *slot = NULL;

  if (self->size == 0 || self->n >= self->size / 2)
    grow (self);
  slot = find (self, key);
  if (*slot != 0)
    return FALSE;
  *slot = key;
  self->n++;

  return TRUE;
}

gboolean
id_set_contains (const IdSet *self, guint64 hash)
{
  return self->n > 0 && *find (self, finish (hash)) != 0;
}

gboolean
id_set_mark (IdSet *self, guint64 hash)
{
  guint64 *slot = self->n > 0 ? find (self, finish (hash)) : NULL;

  if (slot == NULL || *slot == 0 || (*slot & MARK) != 0)
    return FALSE;
  *slot |= MARK;
  self->n_marked++;

  return TRUE;
}

void
id_set_clear (IdSet *self)
{
  g_free (self->slots);
  *self = (IdSet) { 0 };
}
